"""Spans of a paragraph into the inlines of the tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from engine.model import Inline, Link, Mark, Text
from engine.pdf.layout import Span

_SPACES = re.compile(r"\s+")


def inlines(spans: Sequence[Span], without: Mark = Mark.NONE) -> tuple[Inline, ...]:
    """Merge spans of equal marks and target.

    A space at the edge of a format or link stands outside it.

    Args:
        spans: The text of one paragraph; white space of any length counts as one space.
        without: Marks to leave out.
    """
    made: list[Inline] = []
    look: tuple[Mark, str] | None = None
    has_space = False
    kept = ~without
    for span in spans:
        words = span.text
        if "  " in words or not words.isprintable():
            words = _SPACES.sub(" ", words)
        has_space = has_space or words.startswith(" ")
        text = words.strip()
        if not text:
            continue
        ours = (span.marks & kept if without else span.marks, span.target)
        if has_space and made:
            same = ours == look
            _append(made, Text(" ", ours[0] if same else Mark.NONE), span.target if same else "")
        _append(made, Text(text, ours[0]), span.target)
        look, has_space = ours, words.endswith(" ")
    return tuple(made)


def _append(made: list[Inline], text: Text, target: str) -> None:
    last = made[-1] if made else None
    if target:
        if isinstance(last, Link) and last.target == target:
            content = list(last.content)
            _append(content, text, "")
            made[-1] = replace(last, content=tuple(content))
        else:
            made.append(Link(target, (text,)))
    elif isinstance(last, Text) and last.marks == text.marks:
        made[-1] = Text(last.text + text.text, last.marks)
    else:
        made.append(text)
