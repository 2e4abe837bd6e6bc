"""Tests of `engine/pdf/page_operations`."""
