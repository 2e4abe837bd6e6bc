"""Asks whoever sits at the terminal which of several places is meant, and whether to write."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from redraft.engine.errors import AmbiguousError
from redraft.engine.file_commands import ALL, PlaceAnswer


def candidate_lines(error: AmbiguousError) -> list[str]:
    """Returns the places of an ambiguous instruction as numbered lines."""
    return [
        f"  {number}. {f'{place.label}: ' if place.label else ''}{place.words}"
        for number, place in enumerate(error.candidates, 1)
    ]


class TerminalQuestions:
    """Writes questions to stderr and reads the answers from stdin."""

    def place(self, error: AmbiguousError, *, takes_all: bool) -> PlaceAnswer:
        """Asks for the number of a place; None when nothing is chosen."""
        for line in (f"redraft: {error}", *candidate_lines(error)):
            sys.stderr.write(f"{line}\n")
        count = len(error.candidates)
        every = ", a for all of them" if takes_all else ""
        while True:
            answer = _answer(f"Which one (1-{count}{every}, Enter for none)? ")
            if not answer:
                return None
            if takes_all and answer in ("a", "all"):
                return ALL
            if answer.isascii() and answer.isdecimal() and 1 <= int(answer) <= count:
                return int(answer) - 1

    def may_write(self, changes: Sequence[str], target: Path) -> bool:
        """Shows changes, and asks whether they are to be written."""
        sys.stderr.write("".join(f"  {change}\n" for change in changes))
        count = f"{len(changes)} changes" if len(changes) > 1 else "this change"
        return _answer(f"Write {count} to {target} (y or n)? ") in ("y", "yes")


def _answer(question: str) -> str:
    """Returns what is typed in answer, in small letters; empty at the end of the input."""
    sys.stderr.write(question)
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line.endswith("\n"):
        sys.stderr.write("\n")
    return line.strip().casefold()
