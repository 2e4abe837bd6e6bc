"""Tests of `engine/pdf/compare`."""
