"""Tests of `engine.docx.editing`."""
