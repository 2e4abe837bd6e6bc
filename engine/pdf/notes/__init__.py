"""Footnotes: the small lines at the foot of pages, and the marks that lead to them."""
