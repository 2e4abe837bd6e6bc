"""The description of the interface (OpenAPI 3.1)."""
