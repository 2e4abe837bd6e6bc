"""What has changed between a PDF as it was uploaded and as it is now, word by word, with places.

The places are in the upload, for its pages are what a reviewer is shown. A look or a link counts as
changed only where an edit has asked for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from redraft.engine.errors import UnreadableError
from redraft.engine.model import ListItem
from redraft.engine.pdf.compare.block_pairs import Pair, paired
from redraft.engine.pdf.compare.character_looks import (
    Asked,
    CharacterLook,
    Formatting,
    block_looks,
    changed_looks,
    drawn,
)
from redraft.engine.pdf.form_fields import fields
from redraft.engine.pdf.glyphs.edited_words import Change
from redraft.engine.pdf.glyphs.glyphs import Glyph
from redraft.engine.pdf.glyphs.lines import Frame, end_of, start_of
from redraft.engine.pdf.glyphs.mapping import Located, Row
from redraft.engine.pdf.glyphs.target_blocks import Target, known_in
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.stream import objects

# As far as fonts for text reach: what viewers mark when words are selected.
BOTTOM, TOP = 0.22, 0.89


@dataclass(frozen=True, slots=True)
class Stretch:
    """A struck piece of one line: its box in the turned coordinates of `frame`."""

    frame: Frame
    box: Box


Corners: TypeAlias = tuple[float, float, float, float, float, float, float, float]
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

    `looks` say what the blocks looked like on the pages where looks were asked for, `pairs` which
    block is which.
    """

    differences: tuple[Difference, ...]
    is_whole: bool = True
    looks: Mapping[str, Sequence[CharacterLook | None]] = field(
        default_factory=dict[str, "Sequence[CharacterLook | None]"]
    )
    pairs: tuple[Pair, ...] = ()


@dataclass(frozen=True, slots=True)
class _Hunk:
    """A change of a block, or a paragraph that is new beside it."""

    target: Target
    change: Change
    is_block: bool = False
    is_bullet: bool = False
    formatting: Formatting | None = None


def compare(
    original: bytes, working: bytes, asked: Sequence[Asked] | frozenset[Asked] = ()
) -> Comparison:
    """Compares two versions of a PDF; a change whose place cannot be told is left out.

    Args:
        original: the one whose places are given.
        working: the other one.
        asked: the looks and links that count as changed.
    """
    if original == working and not asked:
        return Comparison(())
    old, new = _written(original), _written(working)
    pairs = paired(old, new)
    changed = list(_changed(pairs))
    looks, was_looks = _look_changes(original, working, pairs, asked)
    if not changed and not looks:
        return Comparison((), looks=was_looks, pairs=tuple(pairs))
    differences: list[Difference] = []
    is_whole = True
    places = _locate(original, old, {hunk.target.page for hunk in (*changed, *looks)})
    for hunk in _in_order(old, changed, looks):
        located = places.get(hunk.target.anchor)
        is_lost = located is None or (hunk.is_block and not hunk.change.start)
        placed = [] if located is None or is_lost else list(_placed(hunk, located))
        is_whole = is_whole and bool(placed)
        differences += placed
    return Comparison(tuple(differences), is_whole, was_looks, tuple(pairs))


def kept_words(original: bytes, working: bytes) -> Kept:
    """Says for each block of the second of two versions where its characters are in the first."""
    words_by_anchor: Kept = {}
    for pair in paired(_written(original), _written(working)):
        if pair.new is not None:
            places: list[int | None] = [None] * len(pair.new.text)
            if pair.old is not None:
                for at, place in enumerate(pair.places):
                    if place is not None:
                        places[place] = at
            words_by_anchor[pair.new.anchor] = (pair.old, places)
    return words_by_anchor


Kept: TypeAlias = dict[str, tuple[Target | None, list[int | None]]]


def _written(data: bytes) -> list[Target]:
    """Returns the blocks of the pages themselves: what form fields show is no text of theirs.

    There are none where all of them were deleted.
    """
    shown = {" ".join(target.value.split()) for target in fields(data).values()}
    try:
        known = known_in(data)
    except UnreadableError:
        return []
    return [target for target in known if " ".join(target.text.split()) not in shown]


def _changed(pairs: Sequence[Pair]) -> Iterator[_Hunk]:
    """Yields the changed words of each pair; blocks that went are struck whole."""
    first = next((other_pair.old for other_pair in pairs if other_pair.old is not None), None)
    for pair in pairs:
        target, other = pair.old, pair.new
        if target is not None:
            yield from (_Hunk(target, other_pair) for other_pair in pair.changes)
            continue
        is_bullet = other is not None and isinstance(other.block, ListItem) and not other.label
        host = pair.beside or first
        if host is not None and other is not None:
            end = 0 if pair.beside is None else len(host.text)
            yield _Hunk(host, Change(end, end, other.text), is_block=True, is_bullet=is_bullet)


def _look_changes(
    original: bytes,
    working: bytes,
    pairs: Sequence[Pair],
    asked: Sequence[Asked] | frozenset[Asked],
) -> tuple[list[_Hunk], Mapping[str, Sequence[CharacterLook | None]]]:
    """Returns the words that look otherwise, and how the first version looks."""
    if not asked:
        return [], {}
    pages = {known_pair.page for known_pair in asked}
    wanted = {(known_pair.property, known_pair.value) for known_pair in asked}
    before = block_looks(
        original, [known_pair.old for known_pair in pairs if known_pair.old is not None], pages
    )
    after = block_looks(
        working, [known_pair.new for known_pair in pairs if known_pair.new is not None], pages
    )
    hunks: list[_Hunk] = []
    for pair in pairs:
        old, new = pair.old, pair.new
        if old is None or new is None or old.page not in pages:
            continue
        was, now = before.looks.get(old.anchor), after.looks.get(new.anchor)
        if was is not None and now is not None:
            for start, end, difference in changed_looks(was, now, pair.places, wanted):
                text = old.text[start:end]
                hunks.append(_Hunk(old, Change(start, end, text), formatting=difference))
    return hunks, before.looks


def _in_order(
    old: Sequence[Target], changed: Sequence[_Hunk], looks: Sequence[_Hunk]
) -> list[_Hunk]:
    """Puts changes of words and of looks in the order of the blocks."""
    if not looks:
        return list(changed)
    ranks = {hunk.anchor: rank for rank, hunk in enumerate(old)}
    return sorted(
        (*changed, *looks),
        key=lambda hunk: (ranks[hunk.target.anchor], hunk.is_block, hunk.change.start),
    )


def _locate(original: bytes, known: Sequence[Target], pages: set[int]) -> dict[str, Located]:
    with objects.opened(original) as document:
        return drawn(document, known, pages)[1]


def corners_of(
    data: bytes, known: Sequence[Target], target: Target, start: int, end: int
) -> tuple[int, tuple[Corners, ...]]:
    """Returns the page (from 0) and the places of characters [start, end) of a block on it.

    A place is four corners in page space: upper left, upper right, lower left, lower right. Of
    words that run over pages those of the first one are given; none where they are not found.
    """
    located = _locate(data, known, {target.page}).get(target.anchor)
    if located is None:
        return target.page, ()
    rows = {id(glyph): row for row in located.rows for glyph in row.glyphs}
    glyphs = [
        (rows[id(glyph)], glyph)
        for glyph in located.glyphs[start:end]
        if glyph is not None and id(glyph) in rows
    ]
    page = glyphs[0][0].page if glyphs else target.page
    stretches = _stretches([(row, glyph) for row, glyph in glyphs if row.page == page])
    return page, tuple(_corners(stretch) for stretch in stretches)


def _corners(stretch: Stretch) -> Corners:
    box = stretch.box
    places = ((box.x0, box.y1), (box.x1, box.y1), (box.x0, box.y0), (box.x1, box.y0))
    corners = [number for u, v in places for number in stretch.frame.point(u, v)]
    (x0, y0, x1, y1, x2, y2, x3, y3) = corners
    return x0, y0, x1, y1, x2, y2, x3, y3


def _placed(hunk: _Hunk, located: Located) -> Iterator[Difference]:
    """Yields a change its boxes; one that runs over pages is one difference a page."""
    target, change = hunk.target, hunk.change
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
                hunk.is_block,
                hunk.is_bullet,
                hunk.formatting,
            )
        return
    for number, (page, glyphs) in enumerate(by_page.items()):
        row, last = glyphs[-1]
        caret = (row.piece.frame, end_of(row.piece.frame, last), row.piece.v, row.piece.size)
        text = change.text if number == 0 else ""
        stretches = tuple(_stretches(glyphs))
        place = (target, change.start, change.end, text, page, stretches, caret)
        yield Difference(*place, formatting=hunk.formatting)


def _stretches(row_glyphs: Sequence[tuple[Row, Glyph]]) -> Iterator[Stretch]:
    rows: dict[int, list[tuple[Row, Glyph]]] = {}
    for row, glyph in row_glyphs:
        rows.setdefault(id(row), []).append((row, glyph))
    for by_row in rows.values():
        piece = by_row[0][0].piece
        left = min(start_of(piece.frame, glyph) for _, glyph in by_row)
        right = max(end_of(piece.frame, glyph) for _, glyph in by_row)
        # Raised and lowered letters may be most of a line.
        host = max((glyph for _, glyph in by_row), key=lambda glyph: glyph.size)
        v, size = piece.frame.v(host.x, host.y), host.size
        low, high = v - BOTTOM * size, v + TOP * size
        yield Stretch(piece.frame, Box(left, low, right, high))


def _insertion(index: int, located: Located, homes: dict[int, Row]) -> tuple[Row, Caret] | None:
    """Finds the place between two characters: behind the one before, else before the one after."""
    for at in (*range(index - 1, -1, -1), *range(index, len(located.glyphs))):
        glyph = located.glyphs[at]
        if glyph is None or id(glyph) not in homes:
            continue
        row = homes[id(glyph)]
        frame = row.piece.frame
        u = end_of(frame, glyph) if at < index else start_of(frame, glyph)
        return row, (frame, u, row.piece.v, row.piece.size)
    return None
