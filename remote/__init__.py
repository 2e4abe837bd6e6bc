"""Doors for people who are elsewhere: the terminal program over SSH and in a browser."""
