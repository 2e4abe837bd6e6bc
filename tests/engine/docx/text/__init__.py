"""Tests of `engine.docx.text`."""
