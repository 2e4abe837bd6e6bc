"""Tracked changes as a reviewer counts them, and decisions on them."""
