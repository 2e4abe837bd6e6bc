"""Tracked insertions and deletions in the text of one paragraph."""
