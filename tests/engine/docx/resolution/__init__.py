"""Tests of `engine/docx/resolution`."""
