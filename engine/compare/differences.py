"""The plan of what differs between two versions: operations on the first that lead to the second.

One plan does not have to say everything. What a block shall look like that does not exist yet, or
what a footnote says that is only now inserted, comes in the plan of the next round
(`engine.compare.redlining`), which compares again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, takewhile
from typing import Final

from redraft.engine import locate, tokens
from redraft.engine.compare import looks
from redraft.engine.compare.alignment import Item, Pair, align
from redraft.engine.compare.brought_blocks import (
    BlockCopy,
    ObjectCopy,
    ObjectDeletion,
    Transfer,
    is_copied,
)
from redraft.engine.compare.brought_looks import LookCopy
from redraft.engine.compare.rewording import reword
from redraft.engine.compare.versions import (
    ComparedBlock,
    ComparedCell,
    ComparedRow,
    ComparedStory,
    Version,
    kind_of,
)
from redraft.engine.docx.names import MC_FALLBACK, TEXT_BOXES, W_T
from redraft.engine.docx.redline.line import Line, Standing
from redraft.engine.inline_pieces import Atom, Piece, Words
from redraft.engine.plan import (
    DeleteBlocks,
    DeleteImage,
    DeleteNote,
    DeleteRow,
    InsertBlocks,
    InsertFootnote,
    InsertRow,
    InsertTable,
    NewBlock,
    Operation,
    RewriteBlock,
)

_QUOTED: Final = 40
_NOTES: Final = frozenset({"fn", "en"})
_COMPARED: Final = frozenset({"body", "header", "footer", "footnote", "endnote", "textbox"})


@dataclass(slots=True)
class Differences:
    """What leads from one version to another.

    Attributes:
        operations: What a plan can say.
        transfers: What is brought as a copy, which changes ids: it comes before the operations,
            and another look at what differs comes between.
        looks: Formatting to be brought, when nothing else is left.
    """

    operations: list[Operation] = field(default_factory=list[Operation])
    transfers: list[Transfer] = field(default_factory=list[Transfer])
    looks: list[LookCopy] = field(default_factory=list[LookCopy])


def differences(
    old: Version,
    new: Version,
    refused: Collection[Operation] = (),
    untransferred: Collection[tuple[str, ...]] = (),
    *,
    words_only: bool = False,
) -> Differences:
    """Returns what leads from one version to another.

    Args:
        old: The version that is edited.
        new: What it shall become.
        refused: Operations that were tried and could not be carried out.
        untransferred: The keys of what was brought already or cannot be.
        words_only: Whether formatting is left as it is.
    """
    planner = _Planner(old, new, refused, untransferred, words_only=words_only)
    planner.stories()
    return planner.found


class _Planner:
    def __init__(
        self,
        old: Version,
        new: Version,
        refused: Collection[Operation],
        untransferred: Collection[tuple[str, ...]],
        *,
        words_only: bool,
    ) -> None:
        self._words_only = words_only
        self._untransferred = untransferred
        self._old = old
        self._new = new
        self._refused = refused
        self.found = Differences()
        self._before = looks.appearance(old.package)
        self._after = looks.appearance(new.package)

    def _put(self, operation: Operation) -> bool:
        """Takes an operation into the plan, unless it was refused before."""
        if operation in self._refused:
            return False
        self.found.operations.append(operation)
        return True

    def _transfer(self, transfer: Transfer) -> bool:
        """Takes a copy into what is brought, unless that was tried before."""
        if self._words_only or transfer.key in self._untransferred:
            return False
        self.found.transfers.append(transfer)
        return True

    # Stories

    def stories(self) -> None:
        """Compares the stories of both versions that are the same one."""
        for kind in _COMPARED:
            old = [story for story in self._old.stories if story.kind == kind]
            new = [story for story in self._new.stories if story.kind == kind]
            for first, second in self._paired(old, new):
                self._blocks(first.blocks, second.blocks)

    def _paired(
        self, old: Sequence[ComparedStory], new: Sequence[ComparedStory]
    ) -> Iterator[tuple[ComparedStory, ComparedStory]]:
        kind = (old or new)[0].kind if old or new else ""
        if kind in ("header", "footer"):
            others = {(story.purpose, n): story for story, n in _counted(new)}
            for story, number in _counted(old):
                other = others.pop((story.purpose, number), None)
                if other is not None:
                    yield story, other
            return
        if len(old) == len(new):
            yield from zip(old, new, strict=True)
            return
        items = [[Item(_text(s), _text(s), "story") for s in side] for side in (old, new)]
        for pair in align(*items):
            if pair.old is not None and pair.new is not None:
                yield old[pair.old], new[pair.new]

    # Blocks

    def _blocks(self, old: Sequence[ComparedBlock], new: Sequence[ComparedBlock]) -> None:
        if self._words_only:
            old, new = ([block for block in side if block.text.strip()] for side in (old, new))
        pairs = _pairs(old, new)
        kept = [
            pair
            for pair in pairs
            if pair.old is not None
            and pair.new is not None
            and self._block(old[pair.old], new[pair.new])
        ]
        last_old, last_new = -1, -1
        for pair in (*kept, None):
            next_old = len(old) if pair is None or pair.old is None else pair.old
            next_new = len(new) if pair is None or pair.new is None else pair.new
            self._gap(old, range(last_old + 1, next_old), new[last_new + 1 : next_new])
            last_old, last_new = next_old, next_new

    def _gap(
        self, old: Sequence[ComparedBlock], places: range, new: Sequence[ComparedBlock]
    ) -> None:
        """Replaces the blocks between two that stay.

        The old ones go only when the new ones come: nothing is deleted for what cannot be inserted.
        """
        before = places.start - 1 if places.start else None
        after = places.stop if places.stop < len(old) else None
        is_free = not new or self._insert(old, new, before, after)
        if is_free and self._words_only:  # between them stand others, without words
            for index in places:
                self._put(DeleteBlocks(old[index].anchor, old[index].anchor))
        elif is_free and places:
            self._put(DeleteBlocks(old[places[0]].anchor, old[places[-1]].anchor))

    def _block(self, old: ComparedBlock, new: ComparedBlock) -> bool:
        """Compares two blocks; returns whether the first can become the second."""
        if old.content == new.content:
            return True
        if old.kind == "table":
            return self._table(old, new)
        return self._paragraph(old, new)

    def _paragraph(self, old: ComparedBlock, new: ComparedBlock) -> bool:
        rewording = reword(old.pieces, new.pieces, keeps_objects=self._words_only)
        block = old.anchor
        self._dropped(rewording.dropped)
        is_changed = rewording.is_changed and rewording.text != tokens.write(old.pieces)
        if is_changed:
            operation = RewriteBlock(block, rewording.text)
            if operation in self._refused:
                return False
            self._put(operation)
        if not is_changed and self._words_only:
            self._notes(old, new, rewording.added)
        elif not self._words_only:
            line = self._old.survey.line(self._old.place(block))
            other = self._new.survey.line(self._new.place(new.anchor))
            if not is_changed:
                self._objects(old, new, rewording.added, line, other)
                self._look(old, new, line, other)
        return True

    def _dropped(self, names: Sequence[str]) -> None:
        for name in names:
            kind = kind_of(name)
            if kind in _NOTES:
                self._put(DeleteNote(name))
            elif kind == "im":
                self._put(DeleteImage(name))

    def _look(self, old: ComparedBlock, new: ComparedBlock, line: Line, other: Line) -> None:
        """Brings the formatting of a paragraph that says the same."""
        texts = tuple(looks.text_looks(line, other, self._before, self._after))
        is_reshaped = looks.is_reshaped(old.element, new.element, self._before, self._after)
        copy = LookCopy(old.anchor, new, texts, is_reshaped)
        if (texts or is_reshaped) and copy.key not in self._untransferred:
            self.found.looks.append(copy)

    def _objects(
        self,
        old: ComparedBlock,
        new: ComparedBlock,
        names: Sequence[str],
        line: Line,
        other: Line,
    ) -> None:
        """Brings the notes, pictures and text boxes that only the second version has."""
        if line.text != other.text:
            self._notes(old, new, names)
            return
        places = _offsets(other)
        for name in names:
            index = _unit_of(new, name, other)
            if index is None or not self._transfer(
                ObjectCopy(old.anchor, places[index], new, index)
            ):
                self._notes(old, new, [name])
        self._boxes(old, new, line, other)

    def _boxes(self, old: ComparedBlock, new: ComparedBlock, line: Line, other: Line) -> None:
        """Brings text boxes that only the second version has, and strikes those of the first.

        One whose words differ is replaced where its two forms do not say the same.
        """
        first, second = _boxed(line), _boxed(other)
        places = _offsets(other)
        come: list[int] = []
        go: list[int] = []
        if len(first) == len(second):
            for (index, text, twin), (new_index, new_text, _) in zip(first, second, strict=True):
                if text not in (new_text, twin or text):
                    come, go = [*come, new_index], [*go, index]
        else:
            items = [[Item(text, text, "box") for _, text, _ in side] for side in (first, second)]
            for pair in align(*items):
                if pair.old is None and pair.new is not None:
                    come.append(second[pair.new][0])
                elif pair.new is None and pair.old is not None:
                    go.append(first[pair.old][0])
        for index in come:
            self._transfer(ObjectCopy(old.anchor, places[index], new, index))
        for index in go:  # carried out first: what is struck keeps its index
            self._transfer(ObjectDeletion(old.anchor, index))

    def _notes(self, old: ComparedBlock, new: ComparedBlock, names: Sequence[str]) -> None:
        for name in names:
            if kind_of(name) == "fn":
                self._note(old, new, name)

    def _note(self, old: ComparedBlock, new: ComparedBlock, name: str) -> None:
        """Puts a footnote of the second version behind the words that it stands behind there."""
        story = next((story for story in self._new.stories if story.anchor == name), None)
        names = [piece.name if isinstance(piece, Atom) else "" for piece in new.pieces]
        index = names.index(name)
        end = len(tokens.visible(new.pieces[:index]))
        quote = old.text[max(end - _QUOTED, 0) : end]
        hits = [stop for _, stop in locate.find(old.text, quote)] if quote.strip() else []
        if story is None or end not in hits or not story.blocks:
            return
        words = _plain(story.blocks[0].pieces).strip()
        if words:
            self._put(InsertFootnote(old.anchor, quote, words, hits.index(end) + 1))

    def _insert(
        self,
        old: Sequence[ComparedBlock],
        new: Sequence[ComparedBlock],
        before: int | None,
        after: int | None,
    ) -> bool:
        """Puts new blocks beside the one that stands before them, or behind them.

        Returns whether all of them come now: a table comes in a round of its own.
        """
        if before is None and after is None:
            if not old:
                return False
            place, where = old[0], "before"
        elif before is not None and (
            after is None
            or self._is_like(old[before], new[0])
            or not self._is_like(old[after], new[0])
        ):
            place, where = old[before], "after"
        else:
            place, where = old[after or 0], "before"
        count = len(new)
        new = self._first_of_a_kind(new)
        copy = BlockCopy(place.anchor, where, tuple(new))  # pyright: ignore[reportArgumentType]
        if is_copied(new[0], self._new) and self._transfer(copy):
            return True
        paragraphs = 0
        while paragraphs < len(new) and new[paragraphs].kind == "paragraph":
            paragraphs += 1
        if paragraphs:
            kind = "like_anchor" if place.kind == "paragraph" else "paragraph"
            blocks = tuple(NewBlock(kind, _plain(block.pieces)) for block in new[:paragraphs])
            is_put = self._put(InsertBlocks(place.anchor, where, blocks))  # pyright: ignore[reportArgumentType]
            return is_put and paragraphs == count
        rows = tuple(
            tuple(" ".join(b.text for b in cell.blocks) for cell in row.cells)
            for row in new[0].rows
        )
        is_put = self._put(InsertTable(place.anchor, where, rows, header_row=False))  # pyright: ignore[reportArgumentType]
        return is_put and count == 1

    def _first_of_a_kind(self, new: Sequence[ComparedBlock]) -> Sequence[ComparedBlock]:
        """Returns the first of new blocks that are brought as copies, or that cannot be."""
        if self._words_only:
            return new
        is_first = is_copied(new[0], self._new)
        return list(takewhile(lambda block: is_copied(block, self._new) is is_first, new))

    def _is_like(self, old: ComparedBlock, new: ComparedBlock) -> bool:
        if old.kind != "paragraph" or new.kind != "paragraph":
            return False
        first, second = self._before.shapes.of(old.element), self._after.shapes.of(new.element)
        return (first.style, first.listed, first.level) == (
            second.style,
            second.listed,
            second.level,
        )

    # Tables

    def _table(self, old: ComparedBlock, new: ComparedBlock) -> bool:
        pairs = _row_pairs(old.rows, new.rows)
        matched = [
            (old.rows[p.old], new.rows[p.new])
            for p in pairs
            if p.old is not None and p.new is not None
        ]
        if not matched or any(not _is_same_grid(*rows) for rows in matched):
            return False
        for first, second in matched:
            if first.content != second.content:
                for cell, other in zip(first.cells, second.cells, strict=True):
                    self._cell(cell, other)
        last: str | None = None
        deletions: list[DeleteRow] = []
        come = True  # whether every new row does: else no old one goes
        for number, pair in enumerate(pairs):
            if pair.new is None and pair.old is not None:
                deletions.append(DeleteRow(old.rows[pair.old].anchor))
            elif pair.old is None and pair.new is not None:
                place = last or next(
                    old.rows[p.old].anchor
                    for p in pairs[number:]
                    if p.old is not None and p.new is not None
                )
                where = "after" if last else "before"
                come &= self._put(InsertRow(place, where, _texts(new.rows[pair.new])))
            elif pair.old is not None:
                last = old.rows[pair.old].anchor
        for deletion in deletions if come else ():
            self._put(deletion)
        return True

    def _cell(self, old: ComparedCell, new: ComparedCell) -> None:
        if not old.is_covered:
            self._blocks(old.blocks, new.blocks)


def _row_pairs(old: Sequence[ComparedRow], new: Sequence[ComparedRow]) -> list[Pair]:
    """Returns which row became which: in order where no two of them say the same."""
    pairs = align([_row_item(row) for row in old], [_row_item(row) for row in new])
    is_one_each = len(old) == len(new) and all(map(_is_same_grid, old, new))
    if is_one_each and all(pair.old is None or pair.new is None for pair in pairs):
        return [Pair(index, index) for index in range(len(old))]
    return pairs


def _is_same_grid(old: ComparedRow, new: ComparedRow) -> bool:
    return [(c.span, c.is_covered) for c in old.cells] == [
        (c.span, c.is_covered) for c in new.cells
    ]


def _texts(row: ComparedRow) -> tuple[str, ...]:
    return tuple(
        " ".join(_plain(block.pieces) or tokens.escape(block.text) for block in cell.blocks)
        for cell in row.cells
    )


def _plain(pieces: Sequence[Piece]) -> str:
    """Returns what new text says, without objects; fields by what they show."""
    line: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, Words) or (isinstance(piece, Atom) and piece.name in ("tab", "br")):
            line.append(piece)
        elif isinstance(piece, Atom) and kind_of(piece.name) == "x" and piece.shown:
            line.append(Words(piece.shown))
    return tokens.write(line)


def _pairs(old: Sequence[ComparedBlock], new: Sequence[ComparedBlock]) -> list[Pair]:
    """Returns which block of a story or cell became which; its only paragraph stays one."""
    if [block.kind for block in (*old, *new)] == ["paragraph"] * 2 and old and new:
        return [Pair(0, 0)]
    return align([_item(block) for block in old], [_item(block) for block in new])


def _offsets(line: Line) -> list[int]:
    """Returns for each unit of a line how many characters stand before it."""
    sizes = [len(unit.text) if unit.is_visible else 0 for unit in line.units]
    return list(accumulate(sizes, initial=0))[:-1]


def _unit_of(block: ComparedBlock, name: str, line: Line) -> int | None:
    """Returns which unit of a line is the object of a name; None when it cannot be told."""
    kind = kind_of(name)
    names = [p.name for p in block.pieces if isinstance(p, Atom) and kind_of(p.name) == kind]
    units = [index for index, unit in enumerate(line.units) if unit.token == kind]
    if len(names) != len(units) or line.units[units[names.index(name)]].run is None:
        return None
    return units[names.index(name)]


def _boxed(line: Line) -> list[tuple[int, str, str]]:
    """Returns which units of a line are text boxes, and what they say in either form."""
    found: list[tuple[int, str, str]] = []
    for index, unit in enumerate(line.units):
        boxes = list(unit.node.iter(*TEXT_BOXES))
        if unit.standing is Standing.STRUCK or unit.run is None or not boxes:
            continue
        texts = ["", ""]
        for box in boxes:
            is_twin = next(box.iterancestors(MC_FALLBACK), None) is not None
            texts[is_twin] += "".join(text.text or "" for text in box.iter(W_T))
        found.append((index, texts[0], texts[1]))
    return found


def _item(block: ComparedBlock) -> Item:
    return Item(block.content, block.text, block.kind)


def _row_item(row: ComparedRow) -> Item:
    return Item(row.content, row.text, "row")


def _text(story: ComparedStory) -> str:
    return "\n".join(block.text for block in story.blocks)


def _counted(stories: Sequence[ComparedStory]) -> Iterator[tuple[ComparedStory, int]]:
    counts: dict[str, int] = {}
    for story in stories:
        counts[story.purpose] = counts.get(story.purpose, 0) + 1
        yield story, counts[story.purpose]
