"""Tracked changes accepted and rejected (ECMA-376 Part 1, 17.13.5)."""
