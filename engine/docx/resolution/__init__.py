"""What the operations of a plan mean in a file, and in which order they run."""
