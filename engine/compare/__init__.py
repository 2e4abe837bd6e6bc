"""Compares two Word documents: the first one with tracked changes that make it the second."""
