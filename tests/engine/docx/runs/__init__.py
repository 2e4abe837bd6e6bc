"""Tests of `engine.docx.changes`."""
