"""Tests of `engine/pdf/reading`."""
