"""Tests of `engine/pdf/stream`."""
