"""Is an edited PDF what it should be? Judged by MuPDF and PDFium."""
