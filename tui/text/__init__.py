"""Markdown to lines of styled text: blocks, inlines, wrapping and search; no widgets."""
