"""Tests of `engine/markdown`."""
