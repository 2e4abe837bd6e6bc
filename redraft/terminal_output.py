"""Keeps what a document says from acting on the terminal that it is printed to.

A document may hold control characters (ISO/IEC 6429, C0 and C1), which move the cursor or name the
window, and bidirectional controls (Unicode 15, UAX #9), which show words in another order than they
have. On a terminal they are written as escapes; a file or a pipe gets every character as it is.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Generator
from typing import Final, TextIO, cast

_KEPT: Final = "\t\n"
_BIDIRECTIONAL: Final = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_ESCAPES: Final = {
    code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    for code in (*range(0x20), *range(0x7F, 0xA0), *map(ord, _BIDIRECTIONAL))
    if chr(code) not in _KEPT
}


def harmless(text: str) -> str:
    """Returns text with every character that would act on a terminal written as an escape."""
    return text.translate(_ESCAPES)


class _Terminal:
    """A stream to a terminal that writes nothing which acts on it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Writes text, made harmless."""
        self._stream.write(harmless(text))
        return len(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


@contextlib.contextmanager
def harmless_output() -> Generator[None]:
    """Makes what is printed to a terminal harmless while the block lasts."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (
        cast("TextIO", _Terminal(stream)) if stream.isatty() else stream for stream in before
    )
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
