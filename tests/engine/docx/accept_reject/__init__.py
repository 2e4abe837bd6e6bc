"""Tests of `engine/docx/accept_reject`."""
