"""`redraft ssh-serve` and `redraft web` on the command line."""

from __future__ import annotations

import argparse
import importlib.util
import math
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

WRONG_USE = 2
SERVICE = "http://127.0.0.1:8765"
SSH_PORT = 8022


def ssh_serve(arguments: Sequence[str]) -> int:
    """Runs `redraft ssh-serve`: the terminal program and the documents over SSH."""
    parser = argparse.ArgumentParser(
        prog="redraft ssh-serve",
        description="Serve the terminal program over SSH, and documents over sftp and scp. "
        "FOLDER/authorized_keys maps each SSH key to an API key "
        "(see docs/ssh.md).",
    )
    parser.add_argument("--server", default=SERVICE, metavar="URL", help=f"default: {SERVICE}")
    parser.add_argument("--folder", type=Path, help="authorized_keys, keys/, host_key, homes/")
    parser.add_argument(
        "--host", type=_host, default="127.0.0.1", help="default: this machine alone"
    )
    parser.add_argument("--port", type=int, default=SSH_PORT, help=f"default: {SSH_PORT}; 0: any")
    parser.add_argument("--sessions", type=_count, default=20, help="at once; default: 20")
    parser.add_argument("--sessions-per-key", type=_count, default=5, help="default: 5")
    parser.add_argument(
        "--idle-minutes", type=_minutes, default=30.0, help="default: 30; 0: no end"
    )
    parser.add_argument("--login-seconds", type=_count, default=30, help="default: 30")
    parser.add_argument("--tries", type=_count, default=6, help="keys a client may try; default: 6")
    parser.add_argument(
        "--failures",
        type=_number,
        default=20,
        help="per address in 10 minutes; default: 20; 0: unlimited",
    )
    options = parser.parse_args(arguments)
    refusal = _missing("ssh", "asyncssh") or _fault(options.server, options.port)
    if refusal:
        return _refuse(refusal)
    from redraft.remote.sessions import Limits
    from redraft.remote.ssh.server import Settings, serve

    limits = Limits(
        sessions=options.sessions,
        sessions_per_key=options.sessions_per_key,
        idle=options.idle_minutes * 60,
        login=options.login_seconds,
        tries=options.tries,
        failures=options.failures,
    )
    folder = options.folder.absolute() if options.folder else _default_folder()
    return serve(Settings(folder, options.server, options.host, options.port, limits))


def web(arguments: Sequence[str]) -> int:
    """Runs `redraft web`: the terminal program in a browser of this machine."""
    parser = argparse.ArgumentParser(
        prog="redraft web",
        description="Show the terminal program in a browser of this machine. It prints an address "
        "that works once. It is for you alone, not a way to publish the service.",
    )
    parser.add_argument("--server", metavar="URL", help="a service that runs elsewhere")
    parser.add_argument("--key", help="the key for it (or REDRAFT_KEY)")
    parser.add_argument("--port", type=int, default=0, help="default: any free one")
    parser.add_argument("--windows", type=_count, default=4, help="open at once; default: 4")
    options = parser.parse_args(arguments)
    server = options.server or SERVICE
    refusal = _missing("web", "textual_serve", "aiohttp") or _fault(server, options.port)
    if refusal:
        return _refuse(refusal)
    from redraft.remote.web.server import Settings, serve

    key = options.key or os.environ.get("REDRAFT_KEY", "")
    return serve(Settings(options.server or "", key, options.port, options.windows))


def _missing(extra: str, *modules: str) -> str:
    """Says what a command needs that is not there: a terminal to hand on, or libraries."""
    if sys.platform == "win32":
        return "this needs the pseudo-terminals of Linux or macOS"
    if all(importlib.util.find_spec(module) is not None for module in modules):
        return ""
    return f"additional packages are needed: `pip install 'redraft[{extra}]'`"


def _fault(server: str, port: int) -> str:
    address = urlsplit(server)
    if address.scheme not in ("http", "https") or not address.hostname:
        return f"--server {server} is not an address; an example is {SERVICE}"
    return "" if 0 <= port <= 65535 else "--port must be 0 to 65535"


def _refuse(words: str) -> int:
    sys.stderr.write(f"redraft: {words}\n")
    return WRONG_USE


def _count(written: str) -> int:
    """Reads a number of at least 1."""
    return _number(written, least=1)


def _number(written: str, least: int = 0) -> int:
    if not written.isdecimal() or int(written) < least:
        message = f"must be a whole number from {least}"
        raise argparse.ArgumentTypeError(message)
    return int(written)


def _minutes(written: str) -> float:
    try:
        minutes = float(written)
    except ValueError:
        minutes = -1.0
    if not 0 <= minutes < math.inf:
        message = "must be a number of minutes, or 0 for no end"
        raise argparse.ArgumentTypeError(message)
    return minutes


def _host(written: str) -> str:
    if not written.strip():
        message = "must be an address, such as 127.0.0.1, or 0.0.0.0 for all"
        raise argparse.ArgumentTypeError(message)
    return written


def _default_folder() -> Path:
    import platformdirs

    return Path(platformdirs.user_data_dir("redraft", appauthor=False)) / "ssh"
