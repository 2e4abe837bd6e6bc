"""The operations of a plan that are more than words, one module for each family of them."""
