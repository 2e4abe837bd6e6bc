"""The words of a PDF as a Word document, with what was edited as tracked changes."""
