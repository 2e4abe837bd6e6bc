"""The service: routes, auth, queue, metadata, files, expiry."""

if __name__ != "redraft.api":  # found through a checkout's folder: two copies of one module
    raise ImportError("import redraft.api, not api")
