"""The bytes of document versions."""
