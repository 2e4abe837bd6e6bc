"""Fonts: codes, characters, glyphs and widths (ISO 32000-2, 9)."""
