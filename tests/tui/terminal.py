"""A terminal for tests: a program at one end, the test at the other, every byte seen."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).parents[2]
QUIET = 0.35  # seconds without output after which a screen counts as drawn
LIMIT = 60.0  # seconds for what takes a moment, on a machine that has much else to do


def _control() -> None:
    """Make standard input the controlling terminal, so that signals of its size arrive."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Terminal:
    """A pseudo-terminal with `tests.tui.in_a_terminal` in it, or another command."""

    def __init__(
        self,
        folder: Path,
        *options: str,
        size: tuple[int, int] = (120, 36),
        command: Sequence[str] = (),
        **environment: str,
    ) -> None:
        self._master, slave = pty.openpty()
        columns, rows = size
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        given = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", **environment}
        for name in ("TMUX", "NO_COLOR", "SSH_CONNECTION"):
            if name not in environment:
                given.pop(name, None)
        self.process = subprocess.Popen(
            command or [sys.executable, "-m", "tests.tui.in_a_terminal", str(folder), *options],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=ROOT,
            env=given,
            start_new_session=True,
            preexec_fn=_control if command else None,
        )
        os.close(slave)
        self.seen = b""

    def __enter__(self) -> Terminal:
        self.wait_for(b"Master Services Agreement")
        self.settle()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(LIMIT)
        if self._master >= 0:
            os.close(self._master)

    def hang_up(self) -> int:
        """Close the terminal, as a window that is closed does; return the exit code."""
        os.close(self._master)
        self._master = -1
        return self.process.wait(LIMIT)

    def resize(self, columns: int, rows: int, wanted: bytes) -> None:
        """Make the terminal larger or smaller, and wait until something is drawn."""
        start = len(self.seen)
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.wait_for(wanted, after=start)
        self.settle()

    def drain(self, rate: int, seconds: float) -> int:
        """Read no faster than so many bytes a second, as a slow line does; return how many came."""
        start = time.monotonic()
        taken = 0
        while (now := time.monotonic()) - start < seconds:
            room = int(rate * (now - start)) - taken
            ready, _, _ = select.select([self._master], [], [], 0.01)
            if ready and room > 0:
                data = os.read(self._master, room)
                self.seen += data
                taken += len(data)
            time.sleep(0.005)
        return taken

    def type(self, data: bytes) -> None:
        """Type without waiting for an answer."""
        os.write(self._master, data)

    def read(self, seconds: float) -> bytes:
        """Read what comes within a time, or nothing."""
        ready, _, _ = select.select([self._master], [], [], seconds)
        if not ready:
            return b""
        try:
            data = os.read(self._master, 1 << 16)
        except OSError:  # the other end is closed
            return b""
        self.seen += data
        return data

    def wait_for(self, wanted: bytes, *, after: int = 0) -> None:
        """Read until these bytes have come, among those that came `after` so many others."""
        deadline = time.monotonic() + LIMIT
        while wanted not in self.seen[after:]:
            assert time.monotonic() < deadline, f"{wanted!r} did not come: {self.seen[-2000:]!r}"
            self.read(0.1)

    def settle(self) -> bytes:
        """Read until nothing comes for a while; return what came."""
        start = len(self.seen)
        while self.read(QUIET):
            pass
        return self.seen[start:]

    def paste(self, text: bytes) -> None:
        """Paste a text, and wait until it is drawn."""
        self.send(b"\x1b[200~" + text + b"\x1b[201~", text)

    def send(self, data: bytes, wanted: bytes = b"") -> bytes:
        """Type, and return the answer; it holds what is wanted, however long that takes."""
        start = len(self.seen)
        os.write(self._master, data)
        if wanted:
            self.wait_for(wanted, after=start)
        self.settle()
        return self.seen[start:]

    def end(self, number: signal.Signals | None = None) -> int:
        """Wait for the end, after a signal if one is given; return the exit code."""
        if number is not None:
            os.kill(self.process.pid, number)
        deadline = time.monotonic() + LIMIT
        while self.process.poll() is None and time.monotonic() < deadline:
            self.read(0.05)
        self.settle()
        return self.process.wait(LIMIT)
