"""Which glyphs of a page draw which characters of a block."""
