"""Documents: read, plan, edit, redline, verify."""
