"""What has changed between a PDF as it was uploaded and as it is now, word by word, with places.

The places are in the upload, for its pages are what a reviewer is shown.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine.diff import Token, hunks
from engine.diff import tokens as words_of
from engine.model import ListItem
from engine.pdf.content import objects
from engine.pdf.content.forms import fields
from engine.pdf.content.glyphs import Glyph
from engine.pdf.content.interpreter import interpret
from engine.pdf.content.lines import Frame, end_of, pieces, start_of
from engine.pdf.content.mapping import Finder, Located, Row
from engine.pdf.content.shelf import shelf
from engine.pdf.content.targets import Target, known_in
from engine.pdf.content.words import Change
from engine.pdf.layout import Box

# As far as fonts for text reach: what viewers mark when words are selected.
BOTTOM, TOP = 0.22, 0.89
ALIKE = 0.5


@dataclass(frozen=True, slots=True)
class Stretch:
    """A struck piece of one line: its box in the turned coordinates of `frame`."""

    frame: Frame
    box: Box


Caret: TypeAlias = tuple[Frame, float, float, float]


@dataclass(frozen=True, slots=True)
class Difference:
    """One change of the upload: characters [start, end) of block `target` became `after`.

    `stretches` are the struck words line by line, on the page `page` (0-based); `caret` is where
    new words go: the point on the baseline, in turned coordinates, and the size of the text there.
    `is_block`: they are a new paragraph below the block, `is_bullet` with a bullet.
    """

    target: Target
    start: int
    end: int
    after: str
    page: int
    stretches: tuple[Stretch, ...]
    caret: Caret
    is_block: bool = False
    is_bullet: bool = False

    @property
    def place(self) -> tuple[str, int, int]:
        """The characters that changed: the block's anchor, the first, and behind the last."""
        return self.target.anchor, self.start, self.end

    @property
    def before(self) -> str:
        """The words that are struck."""
        return self.target.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Comparison:
    """All changes of text in order; not `is_whole` where the place of one cannot be told."""

    found: tuple[Difference, ...]
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class _Found:
    """A change of a block, or a paragraph that is new beside it."""

    target: Target
    change: Change
    is_block: bool = False
    is_bullet: bool = False


def compare(original: bytes, working: bytes) -> Comparison:
    """Compare two versions of a PDF; a change whose place cannot be told is left out."""
    if original == working:
        return Comparison(())
    old, new = _written(original), _written(working)
    changed = list(_changed(old, new))
    if not changed:
        return Comparison(())
    found: list[Difference] = []
    is_whole = True
    places = _locate(original, old, {each.target.page for each in changed})
    for each in changed:
        located = places.get(each.target.anchor)
        is_lost = located is None or (each.is_block and not each.change.start)
        placed = [] if located is None or is_lost else list(_placed(each, located))
        is_whole = is_whole and bool(placed)
        found += placed
    return Comparison(tuple(found), is_whole)


def _written(data: bytes) -> list[Target]:
    """Give the blocks of the pages themselves: what form fields show is no text of theirs."""
    shown = {" ".join(each.value.split()) for each in fields(data).values()}
    return [each for each in known_in(data) if " ".join(each.text.split()) not in shown]


def _changed(old: Sequence[Target], new: Sequence[Target]) -> Iterator[_Found]:
    """Pair blocks and give the changed words of each pair; blocks that went are struck whole."""
    head, tail = _same_ends([each.text for each in old], [each.text for each in new])
    first, second = old[head : len(old) - tail], new[head : len(new) - tail]
    matcher = difflib.SequenceMatcher(
        None, [each.text for each in first], [each.text for each in second], autojunk=False
    )
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            continue
        beside = old[head + a - 1] if head + a else None
        for target, other in _paired(first[a:b], second[c:d]):
            text = "" if other is None else other.text
            if target is not None:
                yield from (_Found(target, each) for each in word_changes(target.text, text))
                beside = target
                continue
            is_bullet = other is not None and isinstance(other.block, ListItem) and not other.label
            host = beside or (old[0] if old else None)
            if host is not None:
                end = 0 if beside is None else len(host.text)
                yield _Found(host, Change(end, end, text), is_block=True, is_bullet=is_bullet)


def _same_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Count what is the same at the beginning and at the end."""
    most = min(len(old), len(new))
    head = 0
    while head < most and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < most - head and old[len(old) - 1 - tail] == new[len(new) - 1 - tail]:
        tail += 1
    return head, tail


def _paired(
    old: Sequence[Target], new: Sequence[Target]
) -> Iterator[tuple[Target | None, Target | None]]:
    """Pair blocks in order: with the one most like it, with nothing where it went or is new."""
    if len(old) == len(new):
        yield from zip(old, new, strict=True)
        return
    at = 0
    for number, target in enumerate(old):
        # What is left over on the longer side is as much as a partner may be away.
        reach = max(1, len(new) - at - (len(old) - number) + 1)
        held = new[at : at + reach]
        ratios = [
            difflib.SequenceMatcher(None, target.text, other.text, autojunk=False).ratio()
            for other in held
        ]
        best = max(range(len(ratios)), key=ratios.__getitem__, default=0)
        if ratios and ratios[best] >= ALIKE:
            yield from ((None, other) for other in held[:best])
            yield target, held[best]
            at += best + 1
        else:
            yield target, None
    yield from ((None, other) for other in new[at:])


def word_changes(old: str, new: str) -> list[Change]:
    """Give the smallest changes of words that make one text another."""
    before = [Token(each) for each in words_of(old)]
    after = [Token(each) for each in words_of(new)]
    starts = [0]
    for word in before:
        starts.append(starts[-1] + len(word.text))
    return [
        Change(
            starts[hunk.start],
            starts[hunk.end],
            "".join(word.text for word in after[hunk.new_start : hunk.new_end]),
        )
        for hunk in hunks(before, after)
    ]


def _locate(original: bytes, known: Sequence[Target], pages: set[int]) -> dict[str, Located]:
    with objects.opened(original) as document:
        held = shelf(document)
        count = len(document.pages)
        needed = sorted({page + n for page in pages for n in (0, 1) if page + n < count})
        finder = Finder()
        for page in needed:
            finder.add(page, pieces(interpret(document.pages[page].obj, held)))
    found: dict[str, Located] = {}
    for target in known:
        if target.page in needed and target.text.strip():
            located = finder.locate(target.text, target.label, target.page)
            if located is not None:
                found[target.anchor] = located
    return found


def _placed(found: _Found, located: Located) -> Iterator[Difference]:
    """Give a change its boxes; one that runs over pages is one difference a page."""
    target, change = found.target, found.change
    homes = {id(glyph): row for row in located.rows for glyph in row.glyphs}
    by_page: dict[int, list[tuple[Row, Glyph]]] = {}
    for glyph in located.glyphs[change.start : change.end]:
        if glyph is not None and id(glyph) in homes:
            row = homes[id(glyph)]
            by_page.setdefault(row.page, []).append((row, glyph))
    if not by_page:
        spot = _insertion(change.start, located, homes)
        if spot is not None:
            row, caret = spot
            yield Difference(
                target,
                change.start,
                change.end,
                change.text,
                row.page,
                (),
                caret,
                found.is_block,
                found.is_bullet,
            )
        return
    for number, (page, held) in enumerate(by_page.items()):
        row, last = held[-1]
        caret = (row.piece.frame, end_of(row.piece.frame, last), row.piece.v, row.piece.size)
        text = change.text if number == 0 else ""
        stretches = tuple(_stretches(held))
        yield Difference(target, change.start, change.end, text, page, stretches, caret)


def _stretches(held: Sequence[tuple[Row, Glyph]]) -> Iterator[Stretch]:
    rows: dict[int, list[tuple[Row, Glyph]]] = {}
    for row, glyph in held:
        rows.setdefault(id(row), []).append((row, glyph))
    for found in rows.values():
        piece = found[0][0].piece
        left = min(start_of(piece.frame, glyph) for _, glyph in found)
        right = max(end_of(piece.frame, glyph) for _, glyph in found)
        low, high = piece.v - BOTTOM * piece.size, piece.v + TOP * piece.size
        yield Stretch(piece.frame, Box(left, low, right, high))


def _insertion(index: int, located: Located, homes: dict[int, Row]) -> tuple[Row, Caret] | None:
    """Find the place between two characters: behind the one before, else before the one after."""
    for at in (*range(index - 1, -1, -1), *range(index, len(located.glyphs))):
        glyph = located.glyphs[at]
        if glyph is None or id(glyph) not in homes:
            continue
        row = homes[id(glyph)]
        frame = row.piece.frame
        u = end_of(frame, glyph) if at < index else start_of(frame, glyph)
        return row, (frame, u, row.piece.v, row.piece.size)
    return None
