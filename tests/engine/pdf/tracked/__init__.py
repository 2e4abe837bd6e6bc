"""Tests of `engine/pdf/tracked`."""
