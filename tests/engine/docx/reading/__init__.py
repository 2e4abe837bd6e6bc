"""Tests of `engine.docx.reading`."""
