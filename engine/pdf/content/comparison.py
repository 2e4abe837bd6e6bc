"""What has changed between a PDF as it was uploaded and as it is now, word by word, with places.

The places are in the upload, for its pages are what a reviewer is shown. A look or a link counts as
changed only where an edit has asked for it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.diff import Token, hunks
from engine.diff import tokens as words_of
from engine.model import ListItem
from engine.pdf.content import objects
from engine.pdf.content.dressing import (
    Asked,
    Dress,
    Formatting,
    drawn,
    dressed,
    kept_places,
    redressed,
)
from engine.pdf.content.forms import fields
from engine.pdf.content.glyphs import Glyph
from engine.pdf.content.lines import Frame, end_of, start_of
from engine.pdf.content.mapping import Located, Row
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
    `is_block`: they are a new paragraph below the block, `is_bullet` with a bullet. With a
    `formatting` the words stay as they are and look otherwise, or link to something else.
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
    formatting: Formatting | None = None

    @property
    def place(self) -> tuple[str, int, int]:
        """The characters that changed: the block's anchor, the first, and behind the last."""
        return self.target.anchor, self.start, self.end

    @property
    def before(self) -> str:
        """The words that are struck, or look otherwise."""
        return self.target.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Comparison:
    """All changes in order; not `is_whole` where the place of one cannot be told.

    `dresses` say what the blocks looked like on the pages where looks were asked for.
    """

    found: tuple[Difference, ...]
    is_whole: bool = True
    dresses: Mapping[str, Sequence[Dress | None]] = field(
        default_factory=dict[str, "Sequence[Dress | None]"]
    )


@dataclass(frozen=True, slots=True)
class _Found:
    """A change of a block, or a paragraph that is new beside it."""

    target: Target
    change: Change
    is_block: bool = False
    is_bullet: bool = False
    formatting: Formatting | None = None


def compare(
    original: bytes, working: bytes, asked: Sequence[Asked] | frozenset[Asked] = ()
) -> Comparison:
    """Compare two versions of a PDF; a change whose place cannot be told is left out.

    Args:
        original: the one whose places are given.
        working: the other one.
        asked: the looks and links that count as changed.
    """
    if original == working and not asked:
        return Comparison(())
    old, new = _written(original), _written(working)
    pairs = list(_pairs(old, new))
    changed = list(_changed(pairs))
    looks, dresses = _redressed(original, working, pairs, asked)
    if not changed and not looks:
        return Comparison((), dresses=dresses)
    found: list[Difference] = []
    is_whole = True
    places = _locate(original, old, {each.target.page for each in (*changed, *looks)})
    for each in _in_order(old, changed, looks):
        located = places.get(each.target.anchor)
        is_lost = located is None or (each.is_block and not each.change.start)
        placed = [] if located is None or is_lost else list(_placed(each, located))
        is_whole = is_whole and bool(placed)
        found += placed
    return Comparison(tuple(found), is_whole, dresses)


def kept_words(original: bytes, working: bytes) -> Kept:
    """Say for each block of the second of two versions where its characters are in the first."""
    kept: Kept = {}
    for pair in _pairs(_written(original), _written(working)):
        if pair.new is not None:
            places: list[int | None] = [None] * len(pair.new.text)
            if pair.old is not None:
                for at, place in enumerate(pair.places):
                    if place is not None:
                        places[place] = at
            kept[pair.new.anchor] = (pair.old, places)
    return kept


Kept: TypeAlias = dict[str, tuple[Target | None, list[int | None]]]


@dataclass(frozen=True, slots=True)
class _Pair:
    """A block before and after; one of them is None where it went or is new, below `beside`."""

    old: Target | None
    new: Target | None
    beside: Target | None

    @property
    def places(self) -> list[int | None]:
        """Where each character of the old block is in the new one."""
        if self.old is None or self.new is None:
            return []
        changes = word_changes(self.old, self.new)
        return kept_places(len(self.old.text), changes)


def _written(data: bytes) -> list[Target]:
    """Give the blocks of the pages themselves: what form fields show is no text of theirs."""
    shown = {" ".join(each.value.split()) for each in fields(data).values()}
    return [each for each in known_in(data) if " ".join(each.text.split()) not in shown]


def _pairs(old: Sequence[Target], new: Sequence[Target]) -> Iterator[_Pair]:
    """Pair the blocks of two versions: those with the same text, and between them the likest."""
    head, tail = _same_ends([each.text for each in old], [each.text for each in new])
    first, second = old[head : len(old) - tail], new[head : len(new) - tail]
    matcher = difflib.SequenceMatcher(
        None, [each.text for each in first], [each.text for each in second], autojunk=False
    )
    for one, two in zip(old[:head], new[:head], strict=True):
        yield _Pair(one, two, None)
    for tag, a, b, c, d in matcher.get_opcodes():
        beside = old[head + a - 1] if head + a else None
        is_same = tag == "equal"
        held = zip(first[a:b], second[c:d], strict=True) if is_same else _paired(
            first[a:b], second[c:d]
        )  # fmt: skip
        for target, other in held:
            yield _Pair(target, other, beside)
            beside = target or beside
    for one, two in zip(old[len(old) - tail :], new[len(new) - tail :], strict=True):
        yield _Pair(one, two, None)


def _changed(pairs: Sequence[_Pair]) -> Iterator[_Found]:
    """Give the changed words of each pair; blocks that went are struck whole."""
    first = next((each.old for each in pairs if each.old is not None), None)
    for pair in pairs:
        target, other = pair.old, pair.new
        text = "" if other is None else other.text
        if target is not None:
            if text != target.text:
                yield from (_Found(target, each) for each in word_changes(target, other))
            continue
        is_bullet = other is not None and isinstance(other.block, ListItem) and not other.label
        host = pair.beside or first
        if host is not None:
            end = 0 if pair.beside is None else len(host.text)
            yield _Found(host, Change(end, end, text), is_block=True, is_bullet=is_bullet)


def _redressed(
    original: bytes,
    working: bytes,
    pairs: Sequence[_Pair],
    asked: Sequence[Asked] | frozenset[Asked],
) -> tuple[list[_Found], Mapping[str, Sequence[Dress | None]]]:
    """Give the words that look otherwise, and how the first version looks."""
    if not asked:
        return [], {}
    pages = {each.page for each in asked}
    wanted = {(each.property, each.value) for each in asked}
    before = dressed(original, [each.old for each in pairs if each.old is not None], pages)
    after = dressed(working, [each.new for each in pairs if each.new is not None], pages)
    found: list[_Found] = []
    for pair in pairs:
        old, new = pair.old, pair.new
        if old is None or new is None or old.page not in pages:
            continue
        was, now = before.dresses.get(old.anchor), after.dresses.get(new.anchor)
        if was is not None and now is not None:
            for start, end, said in redressed(was, now, pair.places, wanted):
                text = old.text[start:end]
                found.append(_Found(old, Change(start, end, text), formatting=said))
    return found, before.dresses


def _in_order(
    old: Sequence[Target], changed: Sequence[_Found], looks: Sequence[_Found]
) -> list[_Found]:
    """Put changes of words and of looks in the order of the blocks."""
    if not looks:
        return list(changed)
    ranks = {each.anchor: rank for rank, each in enumerate(old)}
    return sorted(
        (*changed, *looks),
        key=lambda each: (ranks[each.target.anchor], each.is_block, each.change.start),
    )


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


def word_changes(old: Target, new: Target | None) -> list[Change]:
    """Give the smallest changes of words, or of marks of notes, that make one block another."""
    before = [Token(each) for each in _words(old)]
    after = [] if new is None else [Token(each) for each in _words(new)]
    starts = [0]
    for word in before:
        starts.append(starts[-1] + len(word.text))
    changes = [
        Change(
            starts[hunk.start],
            starts[hunk.end],
            "".join(word.text for word in after[hunk.new_start : hunk.new_end]),
        )
        for hunk in hunks(before, after)
    ]
    # A mark may be part of a word in one of the versions only.
    return [each for each in changes if old.text[each.start : each.end] != each.text]


def _words(target: Target) -> Iterator[str]:
    """Give the words of a block; the mark of a note is one by itself."""
    at = 0
    for mark in target.marks:
        yield from words_of(target.text[at : mark.start])
        yield target.text[mark.start : mark.end]
        at = mark.end
    yield from words_of(target.text[at:])


def _locate(original: bytes, known: Sequence[Target], pages: set[int]) -> dict[str, Located]:
    with objects.opened(original) as document:
        return drawn(document, known, pages)[1]


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
                found.formatting,
            )
        return
    for number, (page, held) in enumerate(by_page.items()):
        row, last = held[-1]
        caret = (row.piece.frame, end_of(row.piece.frame, last), row.piece.v, row.piece.size)
        text = change.text if number == 0 else ""
        stretches = tuple(_stretches(held))
        place = (target, change.start, change.end, text, page, stretches, caret)
        yield Difference(*place, formatting=found.formatting)


def _stretches(held: Sequence[tuple[Row, Glyph]]) -> Iterator[Stretch]:
    rows: dict[int, list[tuple[Row, Glyph]]] = {}
    for row, glyph in held:
        rows.setdefault(id(row), []).append((row, glyph))
    for found in rows.values():
        piece = found[0][0].piece
        left = min(start_of(piece.frame, glyph) for _, glyph in found)
        right = max(end_of(piece.frame, glyph) for _, glyph in found)
        # Raised and lowered letters may be most of a line.
        host = max((glyph for _, glyph in found), key=lambda glyph: glyph.size)
        v, size = piece.frame.v(host.x, host.y), host.size
        low, high = v - BOTTOM * size, v + TOP * size
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
