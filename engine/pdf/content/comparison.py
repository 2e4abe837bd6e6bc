"""What has changed between a PDF as it was uploaded and as it is now, word by word, with places.

The places are in the upload, for its pages are what a reviewer is shown.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.diff import Token, hunks
from engine.diff import tokens as words_of
from engine.pdf import reader
from engine.pdf.content import objects
from engine.pdf.content.glyphs import Glyph
from engine.pdf.content.interpreter import interpret
from engine.pdf.content.lines import DESCENT, Frame, end_of, pieces, start_of
from engine.pdf.content.mapping import Finder, Located, Row
from engine.pdf.content.shelf import shelf
from engine.pdf.content.targets import Target, targets
from engine.pdf.content.words import Change
from engine.pdf.layout import Box

TOP = 0.75
ALIKE = 0.5


@dataclass(frozen=True, slots=True)
class Stretch:
    """A struck piece of one line: its box in the turned coordinates of `frame`."""

    frame: Frame
    box: Box


@dataclass(frozen=True, slots=True)
class Difference:
    """One change of the upload: characters [start, end) of block `target` became `after`.

    `stretches` are the struck words line by line, on the page `page` (0-based); `caret` is where
    new words go: the point on the baseline, in turned coordinates, and the size of the text there.
    """

    target: Target
    start: int
    end: int
    after: str
    page: int
    stretches: tuple[Stretch, ...]
    caret: tuple[Frame, float, float, float]

    @property
    def before(self) -> str:
        """The words that are struck."""
        return self.target.text[self.start : self.end]


def differences(original: bytes, working: bytes) -> list[Difference]:
    """Compare two versions of a PDF; a change whose place cannot be told is left out."""
    old, new = targets(reader.read(original)), targets(reader.read(working))
    changed = list(_changed(old, new))
    if not changed:
        return []
    found: list[Difference] = []
    places = _locate(original, old, {target.page for target, _ in changed})
    for target, change in changed:
        located = places.get(target.anchor)
        if located is not None:
            found += _placed(target, change, located)
    return found


def _changed(old: Sequence[Target], new: Sequence[Target]) -> Iterator[tuple[Target, Change]]:
    """Pair blocks and give the changed words of each pair; blocks that went are struck whole."""
    matcher = difflib.SequenceMatcher(
        None, [each.text for each in old], [each.text for each in new], autojunk=False
    )
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            continue
        pairs = _paired(old[a:b], new[c:d])
        for target, text in pairs:
            for change in word_changes(target.text, text):
                yield target, change


def _paired(old: Sequence[Target], new: Sequence[Target]) -> Iterator[tuple[Target, str]]:
    """Pair blocks in order; where some went, each with the one most like it, or with nothing."""
    if len(old) == len(new):
        yield from ((target, other.text) for target, other in zip(old, new, strict=True))
        return
    at = 0
    for target in old:
        ratios = [
            difflib.SequenceMatcher(None, target.text, other.text).ratio() for other in new[at:]
        ]
        best = max(range(len(ratios)), key=ratios.__getitem__, default=0)
        if ratios and ratios[best] >= ALIKE:
            yield target, new[at + best].text
            at += best + 1
        else:
            yield target, ""


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


def _placed(target: Target, change: Change, located: Located) -> Iterator[Difference]:
    """Give a change its boxes; one that runs over pages is one difference a page."""
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
            yield Difference(target, change.start, change.end, change.text, row.page, (), caret)
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
        low, high = piece.v - DESCENT * piece.size, piece.v + TOP * piece.size
        yield Stretch(piece.frame, Box(left, low, right, high))


def _insertion(
    index: int, located: Located, homes: dict[int, Row]
) -> tuple[Row, tuple[Frame, float, float, float]] | None:
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
