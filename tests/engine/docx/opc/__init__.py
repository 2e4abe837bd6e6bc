"""Tests of `engine/docx/opc`."""
