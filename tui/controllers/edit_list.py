"""Several instructions as a list: each is an edit of its own, made after the one before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

ITEM = re.compile(r"\s*(?:[-*•]|\d{1,3}[.)])\s+(\S.*)")


@dataclass(slots=True)
class Rest:
    """What of a list is still to be sent, and how many instructions the list had."""

    instructions: list[str]
    count: int

    @property
    def place(self) -> str:
        """Which instruction was sent last."""
        return f"{self.count - len(self.instructions)} of {self.count}"


def instructions_in(text: str) -> tuple[str, ...]:
    """Returns the items of a list; of a text in which any line is none, the whole of it alone.

    So a list that is to be inserted, below a line that says so, stays one instruction.
    """
    items = [ITEM.fullmatch(line) for line in text.splitlines() if line.strip()]
    if len(items) < 2 or not all(items):
        return (text,)
    return tuple(item.group(1).strip() for item in items if item is not None)


def as_list(instructions: Sequence[str]) -> str:
    """Returns instructions as they are typed: one alone, several with their numbers."""
    if len(instructions) < 2:
        return "".join(instructions)
    return "\n".join(f"{number}. {text}" for number, text in enumerate(instructions, 1))
