"""An instruction becomes a plan without a model."""
