"""Edits of whole blocks, and what everybody who writes marks needs."""
