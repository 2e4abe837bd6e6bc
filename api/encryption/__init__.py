"""Encryption at rest: a key for each document, kept sealed by a key of the operator."""
