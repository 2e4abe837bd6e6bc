"""What the main screen does: one controller for each field of work."""
