"""Tests of `engine/pdf/verify`."""
