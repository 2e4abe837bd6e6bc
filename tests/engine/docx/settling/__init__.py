"""Tests of `engine.docx.settling.settling`."""
