"""Tests of `engine/pdf/fonts`."""
