"""The words of a PDF as a Word document."""
