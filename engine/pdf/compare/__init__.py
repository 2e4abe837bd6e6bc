"""Two versions of a PDF: which block is which, and what differs."""
