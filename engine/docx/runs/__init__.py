"""What stands in runs: text, signs, breaks, references and fields."""
