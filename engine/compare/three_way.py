"""What a document says after two people changed it apart from each other, block by block.

`base` is what both began with, `ours` what it says with the changes so far, `theirs` what the other
one made of `base`. Where only one side changed something, its change is taken. Where both changed
the same words both wordings stand, one behind the other, and the place is told. All three are read
with their tracked changes accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Final, TypeVar

from lxml import etree

from redraft.engine.compare.alignment import Item, align
from redraft.engine.compare.rewording import Symbol, symbols
from redraft.engine.compare.versions import (
    ComparedBlock,
    ComparedCell,
    ComparedRow,
    ComparedStory,
    Lines,
    Version,
    kind_of,
)
from redraft.engine.diff import Hunk, hunks
from redraft.engine.docx import anchors
from redraft.engine.docx.names import W_PPR, W_RPR, Element
from redraft.engine.docx.redline.line import Line
from redraft.engine.inline_pieces import Atom, Close, Open, Piece, Words, visible

# Marks anchors of `ours` in a merged version, which holds blocks of two documents.
OURS: Final = "="
Unit = TypeVar("Unit", ComparedBlock, ComparedRow)


@dataclass(frozen=True, slots=True)
class Meeting:
    """Where the changes of two people meet: the block of `base`, and what either made of it."""

    anchor: str
    ours: str
    theirs: str


@dataclass(slots=True)
class Merger:
    """Merges stories, and collects where changes meet.

    Attributes:
        meetings: Where both changed the same words, or one deleted what the other changed.
        looks: Blocks whose formatting by `theirs` is left out, because `ours` changed the words.
    """

    meetings: list[Meeting] = field(default_factory=list[Meeting])
    looks: list[str] = field(default_factory=list[str])

    def version(self, base: Version, ours: Version, theirs: Version) -> Version:
        """Returns a version that says what both made of the base."""
        stories: list[ComparedStory] = []
        for kind in dict.fromkeys(story.kind for story in (*ours.stories, *theirs.stories)):
            sides = [[s for s in v.stories if s.kind == kind] for v in (base, ours, theirs)]
            if len({len(side) for side in sides}) == 1:
                stories += [self._story(*three) for three in zip(*sides, strict=True)]
            else:
                is_theirs = [_said(s) for s in sides[0]] == [_said(s) for s in sides[1]]
                stories += sides[2] if is_theirs else map(_owned_story, sides[1])
        survey = _TwoSurveys(ours, theirs)
        return Version(theirs.package, survey, tuple(stories), theirs.parts)

    def _story(
        self, base: ComparedStory, ours: ComparedStory, theirs: ComparedStory
    ) -> ComparedStory:
        return replace(theirs, blocks=self._blocks(base.blocks, ours.blocks, theirs.blocks))

    def _blocks(
        self,
        base: Sequence[ComparedBlock],
        ours: Sequence[ComparedBlock],
        theirs: Sequence[ComparedBlock],
    ) -> tuple[ComparedBlock, ...]:
        return tuple(self._merged(base, ours, theirs, _block_item, _owned_block, self._both))

    def _merged(
        self,
        base: Sequence[Unit],
        ours: Sequence[Unit],
        theirs: Sequence[Unit],
        item: Callable[[Unit], Item],
        owned: Callable[[Unit], Unit],
        both: Callable[[Unit, Unit, Unit], Unit],
    ) -> Iterator[Unit]:
        """Yields what stands in a story, cell or table, in order."""
        old = [item(one) for one in base]
        mine, my_new = _sides(old, [item(one) for one in ours])
        other, new = _sides(old, [item(one) for one in theirs])
        for index in range(len(base) + 1):
            come = [owned(ours[at]) for at in my_new.get(index, ())]
            yield from come
            texts = {one.text for one in come}
            yield from (theirs[at] for at in new.get(index, ()) if theirs[at].text not in texts)
            if index < len(base):
                yield from self._one(
                    base[index],
                    None if index not in mine else ours[mine[index]],
                    None if index not in other else theirs[other[index]],
                    owned,
                    both,
                )

    def _one(
        self,
        base: Unit,
        ours: Unit | None,
        theirs: Unit | None,
        owned: Callable[[Unit], Unit],
        both: Callable[[Unit, Unit, Unit], Unit],
    ) -> Iterator[Unit]:
        """Yields what becomes of one block or row of the base."""
        if ours is None or theirs is None:
            left = ours or theirs
            if left is not None and left.content != base.content:
                self._meet(base, ours, theirs)
                yield left if ours is None else owned(left)
        elif theirs.content in (base.content, ours.content):
            yield owned(ours)
        elif ours.content == base.content:
            yield theirs
        else:
            yield both(base, ours, theirs)

    def _meet(self, base: Unit, ours: Unit | None, theirs: Unit | None) -> None:
        texts = ("" if side is None else side.text for side in (ours, theirs))
        self.meetings.append(Meeting(base.anchor, *texts))

    def _both(
        self, base: ComparedBlock, ours: ComparedBlock, theirs: ComparedBlock
    ) -> ComparedBlock:
        if base.kind == "table":
            rows = self._merged(base.rows, ours.rows, theirs.rows, _row_item, _owned_row, self._row)
            merged = tuple(rows)
            text = "\n".join(row.text for row in merged)
            return replace(_owned_block(ours), rows=merged, text=text, content=_digest(text))
        if _looks(theirs.element) - _looks(base.element):
            self.looks.append(base.anchor)
        merger = _Words(base.pieces, ours.pieces, theirs.pieces)
        line = tuple(_pieces(merger.merged()))
        self.meetings += [Meeting(base.anchor, *texts) for texts in merger.meetings]
        objects = tuple(
            kind for p in line if isinstance(p, Atom) and (kind := kind_of(p.name)) not in _LETTERS
        )
        text = visible(line)
        return replace(
            _owned_block(ours), pieces=line, text=text, objects=objects, content=_digest(text)
        )

    def _row(self, base: ComparedRow, ours: ComparedRow, theirs: ComparedRow) -> ComparedRow:
        sizes = {len(row.cells) for row in (base, ours, theirs)}
        if len(sizes) > 1:
            self._meet(base, ours, theirs)
            return _owned_row(ours)
        cells = tuple(
            replace(_owned_cell(mine), blocks=self._blocks(old.blocks, mine.blocks, new.blocks))
            for old, mine, new in zip(base.cells, ours.cells, theirs.cells, strict=True)
        )
        text = "\t".join("\n".join(b.text for b in cell.blocks) for cell in cells)
        return replace(_owned_row(ours), cells=cells, text=text, content=_digest(text))


_LETTERS: Final = ("tab", "br", "x")


class _TwoSurveys:
    """Finds the blocks of a merged version in the document that each comes from."""

    def __init__(self, ours: Version, theirs: Version) -> None:
        self._ours = ours.survey
        self._theirs = theirs.survey
        self._asked: dict[Element, Lines] = {}

    def place(self, anchor: str) -> anchors.Place:
        """Returns the place of a block."""
        survey = self._ours if anchor.startswith(OURS) else self._theirs
        place = survey.place(anchor.removeprefix(OURS))
        self._asked[place.element] = survey
        return place

    def line(self, place: anchors.Place) -> Line:
        """Returns the line of a paragraph."""
        return self._asked[place.element].line(place)


def _sides(
    base: Sequence[Item], changed: Sequence[Item]
) -> tuple[dict[int, int], dict[int, list[int]]]:
    """Returns which items of the base still stand, and the new ones by what they stand before."""
    stand: dict[int, int] = {}
    new: dict[int, list[int]] = {}
    at = 0
    for pair in align(base, changed):
        if pair.old is not None:
            at = pair.old + 1
            if pair.new is not None:
                stand[pair.old] = pair.new
        elif pair.new is not None:
            new.setdefault(at, []).append(pair.new)
    return stand, new


class _Words:
    """Merges the words of a paragraph that both sides changed."""

    def __init__(
        self, base: Sequence[Piece], ours: Sequence[Piece], theirs: Sequence[Piece]
    ) -> None:
        self._base = symbols(base)
        self._ours = symbols(ours)
        self._theirs = symbols(theirs)
        self.meetings: list[tuple[str, str]] = []

    def merged(self) -> Iterator[Symbol]:
        """Yields the words that the paragraph shall have."""
        mine = self._changes(self._ours)
        other = self._changes(self._theirs)
        at = 0
        while mine or other:
            is_mine = bool(mine) and (not other or mine[0].start <= other[0].start)
            first = (mine if is_mine else other)[0]
            yield from self._base[at : first.start]
            start, end = first.start, first.end
            group: tuple[list[Hunk], list[Hunk]] = [], []
            while True:
                size = len(group[0]) + len(group[1])
                for own, queue in zip(group, (mine, other), strict=True):
                    while queue and _meets(queue[0], start, end):
                        own.append(queue.pop(0))
                        end = max(end, own[-1].end)
                if size == len(group[0]) + len(group[1]):
                    break
            yield from self._region(start, end, *group)
            at = end
        yield from self._base[at:]

    def _changes(self, side: Sequence[Symbol]) -> list[Hunk]:
        old, new = [s.token for s in self._base], [s.token for s in side]
        return hunks(old, new, sentences=False)

    def _region(
        self, start: int, end: int, mine: Sequence[Hunk], other: Sequence[Hunk]
    ) -> Iterator[Symbol]:
        ours = self._side(self._ours, start, end, mine)
        theirs = self._side(self._theirs, start, end, other)
        if not other or _text(ours) == _text(theirs):
            yield from ours
        elif not mine:
            yield from theirs
        else:
            self.meetings.append((_text(ours), _text(theirs)))
            yield from ours
            if ours and theirs and not _text(ours)[-1:].isspace():
                yield Symbol(" ")
            yield from theirs

    def _side(
        self, side: Sequence[Symbol], start: int, end: int, changes: Sequence[Hunk]
    ) -> list[Symbol]:
        """Returns what one side has where the base has [start, end)."""
        words: list[Symbol] = []
        at = start
        for change in changes:
            words += self._base[at : change.start]
            words += side[change.new_start : change.new_end]
            at = change.end
        return [*words, *self._base[at:end]]


def _meets(change: Hunk, start: int, end: int) -> bool:
    """Whether a change touches [start, end) of the base, or stands where it does."""
    return change.start < end or change.start == start or (start == end == change.start)


def _text(words: Sequence[Symbol]) -> str:
    return "".join(word.text for word in words)


def _pieces(words: Iterator[Symbol]) -> Iterator[Piece]:
    """Yields symbols as inlines; a computed field is what it shows."""
    open_names: tuple[str, ...] = ()
    for word in words:
        if word.holders != open_names:
            yield from (Close(name) for name in reversed(open_names))
            yield from (Open(name) for name in word.holders)
            open_names = word.holders
        if word.object and not word.text:
            yield Atom(word.name, word.object.partition(" ")[2])
        elif word.text in ("\t", "\n"):
            yield Atom("tab" if word.text == "\t" else "br")
        elif word.text:
            yield Words(word.text, word.marks)
    yield from (Close(name) for name in reversed(open_names))


def _looks(paragraph: Element) -> set[bytes]:
    """Returns the properties that a paragraph and its runs have, each once."""
    return {
        etree.tostring(properties, with_tail=False) for properties in paragraph.iter(W_RPR, W_PPR)
    }


def _said(story: ComparedStory) -> list[str]:
    return [block.text for block in story.blocks]


def _block_item(block: ComparedBlock) -> Item:
    return Item(block.content, block.text, block.kind)


def _row_item(row: ComparedRow) -> Item:
    return Item(row.content, row.text, "row")


def _owned_story(story: ComparedStory) -> ComparedStory:
    return replace(story, blocks=tuple(map(_owned_block, story.blocks)))


def _owned_block(block: ComparedBlock) -> ComparedBlock:
    return replace(block, anchor=OURS + block.anchor, rows=tuple(map(_owned_row, block.rows)))


def _owned_row(row: ComparedRow) -> ComparedRow:
    return replace(row, anchor=OURS + row.anchor, cells=tuple(map(_owned_cell, row.cells)))


def _owned_cell(cell: ComparedCell) -> ComparedCell:
    return replace(cell, blocks=tuple(map(_owned_block, cell.blocks)))


def _digest(text: str) -> bytes:
    """Returns the content of a block that stands in neither document."""
    return blake2b(f"merged {text}".encode(), digest_size=16).digest()
