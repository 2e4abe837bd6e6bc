"""Our terminal driver: survives bytes that are no UTF-8, and saves bytes on slow lines.

Textual's own driver ends the program at the first such byte (a mouse report of an old terminal is
one).
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import selectors
import signal
import time
from codecs import getincrementaldecoder
from typing import IO, TYPE_CHECKING, Any, cast

from textual import events
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.keys import _character_to_key as character_to_key  # pyright: ignore[reportPrivateUsage]
from textual.message import Message

if TYPE_CHECKING:
    from textual.app import App

CHUNK = 4096
BETWEEN = 0.05  # seconds
PANE_AFTER_ESCAPE = re.compile("\x1b[1-4]")
PAUSE = 0.1  # seconds between looks at the clock of half-read escape sequences


class _Metered(io.TextIOBase):
    """The terminal as a file that counts what has been written to it.

    A terminal that is gone takes everything: an error would end the thread that writes, and the
    program would then wait for ever for room in its queue.
    """

    def __init__(self, file: IO[str]) -> None:
        super().__init__()
        self._file = file
        self.writes = 0
        if isinstance(file, io.TextIOWrapper):  # a letter the locale has not stays one cell wide
            file.reconfigure(errors="replace")

    def write(self, text: str, /) -> int:
        self.writes += 1
        with contextlib.suppress(OSError, ValueError):
            self._file.write(text)
        return len(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._file.flush()

    def fileno(self) -> int:
        return self._file.fileno()


class RedraftDriver(LinuxDriver):
    """The terminal of a person."""

    slow_line = False  # set before start: fewer mouse reports

    def __init__(
        self,
        app: App[Any],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType]
            app, debug=debug, mouse=mouse, size=size
        )
        self._meter = _Metered(cast("IO[str]", self._file))
        self._file = self._meter
        self._given = 0

    @property
    def pending(self) -> int:
        """How many pieces of output wait to be taken by the terminal."""
        return self._given - self._meter.writes

    def write(self, data: str) -> None:
        """Queue output."""
        self._given += 1
        super().write(data)

    def _get_terminal_size(self) -> tuple[int, int]:
        """Ask the terminal; COLUMNS and LINES may be left over from another size."""
        try:
            columns, lines = os.get_terminal_size(self.fileno)
        except OSError:
            return super()._get_terminal_size()
        return (columns, lines) if columns and lines else super()._get_terminal_size()

    def _enable_mouse_support(self) -> None:
        """Ask for mouse reports; on a slow line not for every cell the pointer passes."""
        if not self._mouse:
            return
        modes = ("1000", "1002", "1006") if self.slow_line else ("1000", "1003", "1015", "1006")
        for mode in modes:
            self.write(f"\x1b[?{mode}h")
        self.flush()

    def _enable_mouse_pixels(self) -> None:
        """Leave reports in cells on a slow line."""
        if not self.slow_line:
            super()._enable_mouse_pixels()

    def _disable_mouse_support(self) -> None:
        """Ask for no more mouse reports."""
        super()._disable_mouse_support()
        if self._mouse:
            self.write("\x1b[?1002l")

    def run_input_thread(self) -> None:
        """Read keys until the end; what is no UTF-8 becomes U+FFFD instead of an end."""
        decode = getincrementaldecoder("utf-8")(errors="replace").decode
        parser = XTermParser(self._debug)
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(PAUSE):
                    data = self._read()
                    if not data:
                        os.kill(os.getpid(), signal.SIGHUP)  # the program knows what to do then
                        return
                    self._feed(parser, decode(data))
                for message in parser.tick():
                    self.process_message(message)

    def process_message(self, message: Message) -> None:
        """Hand on what was typed; escape and a letter in one piece are two keys.

        Terminals send alt and a letter in the same way, and tmux waits half a second for the
        letter, so that `esc q` typed by a quick hand arrives as `alt+q`, which nothing listens to.
        """
        letter = message.character if isinstance(message, events.Key) else None
        if letter and isinstance(message, events.Key) and message.key.startswith("alt+"):
            message = self._after_escape(letter)
        super().process_message(message)

    def _after_escape(self, letter: str) -> events.Key:
        """Hand escape on, and return the key that was typed after it."""
        super().process_message(events.Key("escape", "\x1b"))
        time.sleep(BETWEEN)  # on the thread of the input: escape moves the focus first
        return events.Key(character_to_key(letter), letter)

    def _feed(self, parser: XTermParser, text: str) -> None:
        # Textual takes these for letters of a Mac, such as a pound; here they are panes.
        if PANE_AFTER_ESCAPE.fullmatch(text):
            super().process_message(self._after_escape(text[1]))
            return
        for message in parser.feed(text):
            self.process_message(message)

    def _read(self) -> bytes:
        """Return what was typed; nothing when the terminal is gone."""
        try:
            return os.read(self.fileno, CHUNK)
        except OSError:
            return b""
