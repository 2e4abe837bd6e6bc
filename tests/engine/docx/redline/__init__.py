"""Tests of `engine/docx/redline`."""
