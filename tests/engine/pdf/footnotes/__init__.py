"""Tests of `engine/pdf/footnotes`."""
