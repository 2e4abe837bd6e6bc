"""Tracked changes of a PDF: what is open, who made it, how it is shown."""
