"""Editing a document as text: written for an editor of text, read back as a plan."""
