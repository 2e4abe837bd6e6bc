"""The terminal program; it speaks HTTP to a service, near or far."""
