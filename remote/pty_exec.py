"""Takes the terminal on standard input for itself and becomes the program that is to run there.

Run as a file, before anything of ours is imported: a process that has threads cannot safely do
this between its fork and the program's start.
"""

from __future__ import annotations

import fcntl
import os
import resource
import sys
import termios


def main(command: list[str]) -> None:
    """Becomes the program; signals of the terminal (its size, its end) reach it from here on."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # its memory holds a key and documents
    os.execv(command[0], command)  # noqa: S606 - no shell is wanted


if __name__ == "__main__":
    main(sys.argv[1:])
