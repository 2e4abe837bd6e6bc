"""Accepting and rejecting marks in the XML, with the notes that come and go with them."""
