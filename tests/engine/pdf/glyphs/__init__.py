"""Tests of `engine/pdf/glyphs`."""
