"""Tests of `engine.docx.judging`."""
