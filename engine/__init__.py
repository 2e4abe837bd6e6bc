"""Documents: read, plan, edit, redline, verify."""

if __name__ != "redraft.engine":  # found through a checkout's folder: two copies of one module
    raise ImportError("import redraft.engine, not engine")
