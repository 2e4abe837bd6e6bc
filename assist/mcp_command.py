"""`redraft mcp` on the command line."""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from collections.abc import Sequence
from pathlib import Path

WRONG_USE = 2
MISSING = "redraft: this needs the extra `mcp`: pip install 'redraft[mcp]'\n"


def mcp(arguments: Sequence[str]) -> int:
    """Runs `redraft mcp`: a server of the Model Context Protocol on standard input and output."""
    parser = argparse.ArgumentParser(
        prog="redraft mcp",
        description="Let an assistant open, read, edit and save the .docx and .pdf files below "
        "some folders, over the Model Context Protocol on standard input and output "
        "(see docs/mcp.md).",
    )
    parser.add_argument(
        "--root",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="a folder whose files may be used; can be repeated (the current folder)",
    )
    parser.add_argument("--author", default="", help="whose name tracked changes carry")
    parser.add_argument("--read-only", action="store_true", help="only open, read and search")
    options = parser.parse_args(arguments)
    if importlib.util.find_spec("mcp") is None:
        sys.stderr.write(MISSING)
        return WRONG_USE
    from redraft.api.settings import SettingError
    from redraft.assist.local_files import LocalOptions, serve_local
    from redraft.assist.roots import PathError

    roots = tuple(options.root) or (Path.cwd(),)
    try:
        return serve_local(LocalOptions(roots, options.author, options.read_only), os.environ)
    except (PathError, SettingError) as error:
        sys.stderr.write(f"redraft: {error}\n")
        return WRONG_USE
