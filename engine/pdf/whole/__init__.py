"""What is done to a PDF as a whole: its pages, what is stamped on them, and true redaction."""
