"""Doors for assistants: the service's use cases as tools of the Model Context Protocol."""

if __name__ != "redraft.assist":  # found through a checkout's folder: two copies of one module
    raise ImportError("import redraft.assist, not assist")
