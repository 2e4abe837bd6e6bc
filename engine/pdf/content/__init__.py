"""Content streams of PDF pages, glyph by glyph, and how they are edited in place."""
