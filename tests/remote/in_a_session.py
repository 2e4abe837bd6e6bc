"""A small program for a terminal: says where it is, its size whenever that changes, and its end.

It reads keys as bytes: `q` leaves with 3, `!` kills it, anything else is said back in hex.
"""

from __future__ import annotations

import os
import signal
import sys
import tty
from pathlib import Path
from types import FrameType

SHOWN = ("TERM", "COLORTERM", "LANG", "REDRAFT_KEY", "REDRAFT_AUTHOR", "MALICE", "SECRET")


def say(text: str) -> None:
    os.write(1, f"{text}\r\n".encode())


def resized(_: int, __: FrameType | None) -> None:
    columns, rows = os.get_terminal_size(0)
    say(f"size={columns}x{rows}")


def hung_up(_: int, __: FrameType | None) -> None:
    Path("hung-up").write_text("yes")
    sys.exit(129)


def main() -> int:
    tty.setraw(0)
    signal.signal(signal.SIGWINCH, resized)
    signal.signal(signal.SIGHUP, hung_up)
    for name in SHOWN:
        say(f"{name}={os.environ.get(name, '-')}")
    say(f"pid={os.getpid()}")
    resized(0, None)
    while data := os.read(0, 1024):
        if data == b"q":
            return 3
        if data == b"!":
            os.kill(os.getpid(), signal.SIGKILL)
        say(f"keys={data.hex()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
