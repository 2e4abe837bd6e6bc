"""Whether a program has the screen of a far terminal, and how the screen is given back.

A program that is killed leaves the terminal on its other screen, with mouse reports and without a
cursor; the client of a person cannot know that, so we put it right.
"""

from __future__ import annotations

TAKES, GIVES = b"\x1b[?1049h", b"\x1b[?1049l"  # xterm's alternate screen
RESTORED = (
    "\x1b[?1049l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1016l\x1b[?2004l\x1b[?1004l"
    "\x1b[?2026l\x1b[?2048l\x1b[<u\x1b[0m\x1b[?25h\x1b[?7h"
)


class Screen:
    """Follows what a program writes."""

    def __init__(self) -> None:
        self.is_taken = False
        self._tail = b""

    def note(self, data: bytes) -> None:
        """Looks for the signs in the next piece; one may be cut in two."""
        seen = self._tail + data
        last_taken, last_restored = seen.rfind(TAKES), seen.rfind(GIVES)
        if last_taken != last_restored:  # one of them is there
            self.is_taken = last_taken > last_restored
        self._tail = seen[-(len(TAKES) - 1) :]
