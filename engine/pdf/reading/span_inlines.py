"""Spans of a paragraph into the inlines of the tree."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from redraft.engine.model import Inline, Link, Mark, NoteReference, Text
from redraft.engine.pdf.reading.layout import NOTE, Span

_SPACES = re.compile(r"\s+")


def inlines(spans: Sequence[Span], without: Mark = Mark.NONE) -> tuple[Inline, ...]:
    """Merges spans of equal marks and target; one that leads to a note is its reference.

    A space at the edge of a format or link stands outside it.

    Args:
        spans: The text of one paragraph; white space of any length counts as one space.
        without: Marks to leave out.
    """
    made: list[Inline] = []
    look: tuple[Mark, str] = Mark.NONE, ""
    run: list[str] = []
    has_space = False
    mask = ~without
    for span in spans:
        words = span.text
        if "  " in words or not words.isprintable():
            words = _SPACES.sub(" ", words)
        has_space = has_space or words.startswith(" ")
        text = words.strip()
        if not text:
            continue
        ours = (span.marks & mask if without else span.marks, span.target)
        if run and ours != look:
            _append(made, Text("".join(run), look[0]), look[1])
            run = []
            if has_space:
                _append(made, Text(" "), "")
        elif run and has_space:
            run.append(" ")
        run.append(text)
        look, has_space = ours, words.endswith(" ")
    if run:
        _append(made, Text("".join(run), look[0]), look[1])
    return tuple(made)


def _append(made: list[Inline], text: Text, target: str) -> None:
    last = made[-1] if made else None
    if target.startswith(NOTE):
        label = unicodedata.normalize("NFKC", text.text)
        made.append(NoteReference("footnote", target[len(NOTE) :], label))
    elif target:
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
