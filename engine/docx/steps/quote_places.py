"""Where a quote of an operation stands, paragraph by paragraph, and the pieces of a line there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from redraft.engine import locate
from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.anchored_elements import Finder, OperationError
from redraft.engine.docx.names import W_P, Element
from redraft.engine.docx.redline.line import Box, Entry, Line, Standing, Unit
from redraft.engine.docx.redline.tracked_text import cut
from redraft.engine.errors import AmbiguousError, NotFoundError


@dataclass(frozen=True, slots=True)
class Span:
    """text[start:end] of a physical paragraph; an empty one of a paragraph without text."""

    place: Place
    start: int
    end: int


def quoted(
    finder: Finder,
    anchor: str,
    find: str,
    occurrence: int | None = None,
    *,
    is_meant: Callable[[list[Span]], bool] | None = None,
) -> list[Span]:
    """Returns where the quote stands in a block; an empty one means the whole block.

    Args:
        finder: What finds places.
        anchor: The block.
        find: The quote.
        occurrence: The hit that is meant, from 1; None says that it must be the only one.
        is_meant: Which hits count; where none does, all of them do.

    Returns:
        A span of each physical paragraph that it runs over, the first one first.

    Raises:
        OperationError: it is not there, or stands there several times.
    """
    lines = finder.lines(finder.paragraph(anchor))
    text = "".join(line.text for _, line in lines)
    if not find:
        return _spans(lines, 0, len(text))
    hits = [_spans(lines, *hit) for hit in locate.find(text, find)]
    if is_meant is not None:
        hits = [hit for hit in hits if is_meant(hit)] or hits
    if not hits:
        raise OperationError("text_not_found", NotFoundError(closest=text))
    return hits[chosen(hits, occurrence, anchor, text)]


def chosen(hits: Sequence[object], occurrence: int | None, anchor: str, text: str) -> int:
    """Returns the index of the hit that is meant.

    Raises:
        OperationError: several may be, or there are fewer.
    """
    if occurrence is None:
        if len(hits) > 1:
            message = (
                f"The text stands {len(hits)} times in {anchor}; say which is meant, or quote more "
                "of what is around it"
            )
            raise OperationError("ambiguous", AmbiguousError(message))
        return 0
    if not 1 <= occurrence <= len(hits):
        raise OperationError("text_not_found", NotFoundError(closest=text))
    return occurrence - 1


def _spans(lines: Sequence[tuple[Place, Line]], start: int, end: int) -> list[Span]:
    """text[start:end] of a block in its physical paragraphs."""
    spans: list[Span] = []
    at = 0
    for place, line in lines:
        size = len(line.text)
        low, high = max(start, at) - at, min(end, at + size) - at
        if low < high:
            spans.append(Span(place, low, high))
        at += size
    return spans or [Span(lines[-1][0], 0, 0)]


def pieces(line: Line, start: int, end: int) -> list[Unit]:
    """Returns the units of text[start:end], cut out of the line."""
    cut(line, {start, end})
    units: list[Unit] = []
    at = 0
    for unit in line.units:
        if unit.is_visible:
            if start <= at < end:
                units.append(unit)
            at += len(unit.text)
    return units


def entry_in(box: Box, unit: Unit) -> Entry | None:
    """Returns the entry of a box that is the unit or holds it; None when the unit is not in it."""
    entry: Entry = unit
    at: Box | None = unit.box
    while at is not None and at is not box:
        entry, at = at, at.parent
    return None if at is None else entry


def beside(entries: list[Entry], entry: Entry) -> int:
    """Returns the index behind an entry and behind what was struck there.

    New things follow both.
    """
    at = entries.index(entry) + 1
    while at < len(entries):
        following = entries[at]
        if not isinstance(following, Unit) or following.standing is not Standing.STRUCK:
            break
        at += 1
    return at


def place_around(finder: Finder, part: str, node: Element, anchor: str) -> Place | None:
    """Returns the paragraph that an element stands in; None when it stands in none.

    A text box of the form for older programs stands in no story of its own.
    """
    paragraph = next(node.iterancestors(W_P), None)
    if paragraph is None:
        return None
    holders = {story.container: story for story in finder.stories if story.part == part}
    story = next((holders[a] for a in node.iterancestors() if a in holders), None)
    if story is None:
        return None
    return Place(anchor, part, story.kind, "paragraph", paragraph)
