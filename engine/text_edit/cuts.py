"""Where a paragraph is cut in two whose end stands in a new paragraph of the edited text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from redraft.engine import locate, tokens
from redraft.engine.plan import SplitBlock
from redraft.engine.text_edit.written_text import TextLine

_QUOTED: Final = 60


def starts(line: TextLine, parts: Sequence[str]) -> list[int]:
    """Returns where the second and later parts begin in the words of a paragraph.

    Empty where the parts are not just the paragraph cut at these places.
    """
    if not all(part.strip() for part in parts):
        return []
    at = len(parts[0].rstrip())
    if line.text[:at].rstrip() != parts[0].rstrip():
        return []
    starts: list[int] = []
    for part in parts[1:]:
        gap = len(line.text[at:]) - len(line.text[at:].lstrip(" "))
        start = at + gap
        if not line.text.startswith(part.strip(), start):
            return []
        starts.append(len(tokens.visible(tokens.parse(line.text[:start], line.pieces).pieces)))
        at = start + len(part.strip())
    return starts if not line.text[at:].strip() else []


def head_of(line: TextLine, text: str, ends: Sequence[str]) -> str | None:
    """Returns how much of a paragraph stays where it is cut in front of its last words.

    Args:
        line: The paragraph.
        text: What stands before the cut now; its words may differ from those that stood there.
        ends: What stands behind it, in new paragraphs.

    Returns:
        The old text before the cut; None where the paragraph does not end so, or not only there.
    """
    for head in (text.rstrip(), line.text[: line.text.rfind(ends[0].strip())].rstrip()):
        if starts(line, [head, *ends]):
            is_once = all(line.text.count(end.strip()[:_QUOTED]) == 1 for end in ends)
            return head if head == text.rstrip() or is_once else None
    return None


def cut(line: TextLine, start: int) -> SplitBlock:
    """Returns the operation that cuts a paragraph where its words go on at an offset."""
    text = tokens.visible(line.pieces)
    quote = text[start : start + _QUOTED]
    hits = [begin for begin, _ in locate.find(text, quote)]
    occurrence = hits.index(start) + 1 if len(hits) > 1 and start in hits else None
    return SplitBlock(line.anchor, quote, occurrence)
