"""Tests of `engine/pdf/typeset`."""
