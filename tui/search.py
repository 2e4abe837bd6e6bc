"""Finding text in blocks, and showing the hits in wrapped lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tui.runs import Line, Run, text_of


@dataclass(frozen=True, slots=True)
class Hit:
    """Where a query stands: the block, and which of the block's hits it is, from 0."""

    block: int
    number: int


def find(texts: Sequence[str], query: str) -> tuple[Hit, ...]:
    """Return every hit in order, without regard to case; any white space equals any other."""
    wanted = " ".join(query.casefold().split())
    if not wanted:
        return ()
    hits: list[Hit] = []
    for index, text in enumerate(texts):
        folded = text.casefold()
        if not folded.isascii() or any(space in folded for space in ("\n", "\t", "  ")):
            folded = " ".join(folded.split())
        count = folded.count(wanted)
        hits.extend(Hit(index, number) for number in range(count))
    return tuple(hits)


def highlighted(line: Line, offset: int, wrapped: Sequence[Line], query: str, current: int) -> Line:
    """Give the parts of a wrapped line that are hits their colour.

    Lines were broken at spaces and got prefixes, so hits are looked for in the characters without
    white space.

    Args:
        line: The line to colour, which is `wrapped[offset]`.
        offset: Its number within its block.
        wrapped: All lines of the block.
        query: What was searched.
        current: Which of the block's hits is the one the person stands on; -1 for none.
    """
    wanted = _dense(query)
    before = sum(len(_dense(text_of(part))) for part in wrapped[:offset])
    whole = "".join(_dense(text_of(part)) for part in wrapped)
    roles: dict[int, str] = {}
    start, number = whole.find(wanted), 0
    while start >= 0:
        role = "current" if number == current else "match"
        roles.update(dict.fromkeys(range(start - before, start - before + len(wanted)), role))
        number += 1
        start = whole.find(wanted, start + len(wanted))
    return _coloured(line, roles) if roles else line


def _dense(text: str) -> str:
    return "".join(text.casefold().split())


def _coloured(line: Line, roles: dict[int, str]) -> Line:
    """Split runs where a hit begins or ends; `roles` counts characters without white space."""
    drawn: list[Run] = []
    position, last = 0, ""
    for run in line:
        for character in run.text:
            size = len(_dense(character))
            role = roles.get(position, "") if size else last
            shown = role or run.role
            if drawn and drawn[-1].role == shown and drawn[-1].flags == run.flags:
                drawn[-1] = drawn[-1]._replace(text=drawn[-1].text + character)
            else:
                drawn.append(Run(character, shown, run.flags))
            last = role if roles.get(position + size, "") else ""
            position += size
    return tuple(drawn)
