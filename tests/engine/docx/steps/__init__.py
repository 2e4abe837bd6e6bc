"""Tests of the steps, one module for each family."""
