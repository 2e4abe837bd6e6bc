"""PDF: text as blocks."""
