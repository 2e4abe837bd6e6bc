"""What the service understands without a model, offered while an instruction is written."""

from __future__ import annotations

import re
from collections.abc import Sequence

TEMPLATES = (
    'Replace "…" with "…"',
    'Replace "…" with "…" everywhere',
    'Change "…" to "…" in the section "…"',
    'Insert "…" after "…"',
    'Insert "…" before "…"',
    'Delete "…"',
    'Delete the paragraph containing "…"',
    'Delete the section "…"',
    'Add the paragraph "…" after the heading "…"',
    'Rename the heading "…" to "…"',
    'Make "…" bold',
    'Make "…" italic',
)
SHORTEST = 2  # characters typed
SHORTEST_QUOTE = 3
NUMBER = re.compile(
    r"(?:\b(?:clause|section|article|paragraph|klausel|abschnitt|ziffer|artikel|articolo|clausola"
    r"|artículo|cláusula|sección|article|clause)|§)\s*(\d[\d.]*(?:\([a-z0-9]*\)?)*)",
    re.IGNORECASE,
)


def suggestion(typed: str) -> str:
    """Return what may follow the beginning of an instruction, or nothing.

    Words between quotes that have been written stand for the template's own.
    """
    if len(typed) < SHORTEST or "\n" in typed:
        return ""
    parts = typed.split('"')
    for template in TEMPLATES:
        fixed = template.split('"')
        if len(parts) > len(fixed):
            continue
        last = len(parts) - 1
        if any(parts[at].casefold() != fixed[at].casefold() for at in range(0, last, 2)):
            continue
        if last % 2:  # within quotes: what comes after them is offered when they are closed
            continue
        if fixed[last].casefold().startswith(parts[last].casefold()):
            rest = fixed[last][len(parts[last]) :]
            following = '"'.join(fixed[last + 1 :])
            return rest + (f'"{following}' if len(fixed) > last + 1 else "")
    return ""


def rest_of_quote(typed: str, text: str) -> str:
    """Returns how the words of an open quote go on in a document, up to the end of a word.

    Args:
        typed: The instruction so far.
        text: The document's, in which white space is one space.
    """
    if typed.count('"') % 2 == 0:
        return ""
    begun = typed.rpartition('"')[2]
    if len(begun.strip()) < SHORTEST_QUOTE:
        return ""
    match = re.search(rf"(?<!\w){re.escape(begun)}(\w+|\W?\s?\w+)", text)
    return match.group(1) if match is not None else ""


def rest_of_number(typed: str, numbers: Sequence[str]) -> str:
    """Returns how the number of a clause goes on, that of the first clause that begins so.

    Args:
        typed: The instruction so far.
        numbers: Those of the document, such as `7.2(a)`, in its order.
    """
    match = re.search(rf"{NUMBER.pattern}$", typed, re.IGNORECASE)
    if match is None or typed.count('"') % 2:
        return ""
    begun = match.group(1)
    if begun in numbers and not begun.endswith("."):
        return ""
    longer = (number for number in numbers if number.startswith(begun) and number != begun)
    return next(longer, begun)[len(begun) :]
