"""A page into lines, paragraphs, tables and reading order."""
