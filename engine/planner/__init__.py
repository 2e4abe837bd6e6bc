"""An instruction becomes a plan with a language model."""
