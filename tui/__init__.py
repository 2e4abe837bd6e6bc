"""The terminal program; it speaks HTTP to a service, near or far."""

if __name__ != "redraft.tui":  # found through a checkout's folder: two copies of one module
    raise ImportError("import redraft.tui, not tui")
