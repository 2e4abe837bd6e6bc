"""Edits of a PDF in place: resolved, carried out, written."""
