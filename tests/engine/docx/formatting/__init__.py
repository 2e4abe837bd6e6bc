"""Tests of `engine.docx.formatting`."""
