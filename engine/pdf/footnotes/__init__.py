"""Footnotes of a PDF: the lines at the foot of a page and the marks that refer to them."""
