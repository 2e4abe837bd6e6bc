"""Playbooks: rules in plain words that a document is reviewed by."""
