"""Tests of `engine/pdf/edit`."""
