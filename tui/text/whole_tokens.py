"""Struck and inserted words as a person reads them: whole numbers, units and brackets.

The smallest difference of `thirty (30)` and `forty-five (45)` ends before the bracket, and that of
`£48,000` and `£52,500` begins after the sign. Both sides are widened alike, so that the text with
either of them stays what it was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from redraft.tui.text.runs import Run

NUMBER_START = re.compile(r"(?:(?:[£$€¥]|\b(?:USD|EUR|GBP|CHF)) ?)?(?:\d+[.,]?)*$")
UNITS = r"%|‰|°C?|(?:mm|cm|km|m|kg|g|t|h|kW|MW|GB|MB|EUR|USD|GBP|CHF|[£$€¥]|m[²³])(?!\w)"
NUMBER_END = re.compile(rf"(?:[.,]?\d+)*(?:(?:st|nd|rd|th)\b|[ \u00a0]?(?:{UNITS}))?")
SIGN = re.compile(r"[()\[\]“”]")
BRACKETS = ("()", "[]", "“”")


@dataclass(frozen=True, slots=True)
class Difference:
    """What was struck and inserted between two texts that stay."""

    lead: str
    before: str
    after: str
    trail: str


def widened(given: Difference) -> Difference:
    """Returns a replacement whose two sides hold whole numbers and balanced brackets."""
    lead, before, after, trail = given.lead, given.before, given.after, given.trail
    if not before or not after:
        return given
    if before[0].isdigit() and after[0].isdigit():
        number = NUMBER_START.search(lead)
        start = number.start() if number is not None else len(lead)
        lead, before, after = lead[:start], lead[start:] + before, lead[start:] + after
    if before[-1].isdigit() and after[-1].isdigit():
        number = NUMBER_END.match(trail)
        end = number.end() if number is not None else 0
        before, after, trail = before + trail[:end], after + trail[:end], trail[end:]
    for opening, closing in BRACKETS if SIGN.search(before) else ():
        unclosed = _surplus(before, opening, closing), _surplus(after, opening, closing)
        if unclosed == (1, 1) and trail.startswith(closing):
            before, after, trail = before + closing, after + closing, trail[1:]
        elif unclosed == (-1, -1) and lead.endswith(opening):
            lead, before, after = lead[:-1], opening + before, opening + after
    return Difference(lead, before, after, trail)


def _surplus(text: str, opening: str, closing: str) -> int:
    return text.count(opening) - text.count(closing)


def with_whole_tokens(runs: Sequence[Run]) -> Sequence[Run]:
    """Returns runs in which each deletion and the insertion after it hold whole tokens.

    Only the runs beside them give characters away, so that the look of every character stays.
    """
    roles = [run.role for run in runs]
    spots = [at for at in range(1, len(runs)) if roles[at] == "ins" and roles[at - 1] == "del"]
    if not spots:
        return runs
    widened_runs = list(runs)
    for at in spots:
        _widen(widened_runs, at)
    return [run for run in widened_runs if run.text]


def _widen(runs: list[Run], at: int) -> None:
    """Widens the deletion before the insertion at an index."""
    first, last = at - 1, at
    while first and runs[first - 1].role == "del":
        first -= 1
    while last + 1 < len(runs) and runs[last + 1].role == "ins":
        last += 1
    lead, trail = _beside(runs, first - 1), _beside(runs, last + 1)
    before = "".join(run.text for run in runs[first:at])
    after = "".join(run.text for run in runs[at : last + 1])
    wide = widened(Difference(lead, before, after, trail))
    front, back = lead[len(wide.lead) :], trail[: len(trail) - len(wide.trail)]
    if front:
        runs[first - 1] = runs[first - 1]._replace(text=wide.lead)
        runs[first] = runs[first]._replace(text=front + runs[first].text)
        runs[at] = runs[at]._replace(text=front + runs[at].text)
    if back:
        runs[last + 1] = runs[last + 1]._replace(text=wide.trail)
        runs[at - 1] = runs[at - 1]._replace(text=runs[at - 1].text + back)
        runs[last] = runs[last]._replace(text=runs[last].text + back)


def _beside(runs: Sequence[Run], at: int) -> str:
    """Returns the text of the run beside a change; empty where it is one, or there is none."""
    is_plain = 0 <= at < len(runs) and runs[at].role not in ("ins", "del")
    return runs[at].text if is_plain else ""
