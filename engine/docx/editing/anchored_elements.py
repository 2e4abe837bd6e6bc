"""What an anchor of a plan means in this file, and the codes of what can go wrong with it.

A paragraph whose mark is deleted is one block with the next: its anchor means the whole block.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from redraft.engine.docx.accept_reject import note_references
from redraft.engine.docx.anchors import Place, StoryPlace, blocks, stories
from redraft.engine.docx.editing.document_index import Survey
from redraft.engine.docx.editing.tracked_blocks import is_mark_deleted
from redraft.engine.docx.grid import Grid, grid
from redraft.engine.docx.names import TEXT_BOXES, W_BODY, W_P, W_TC, Element, W
from redraft.engine.docx.range_markers import beside
from redraft.engine.docx.reading import reader
from redraft.engine.docx.redline.line import Line
from redraft.engine.docx.redline.line_split import Cuts
from redraft.engine.errors import EditError, NotFoundError, PlanError, RefusedError

_STORY_TAGS = frozenset(
    {W_BODY, *TEXT_BOXES, *map(W, ("hdr", "ftr", "footnote", "endnote", "comment"))}
)


class OperationError(Exception):
    """One operation cannot be carried out; `code` in the words of the protocol."""

    def __init__(self, code: str, error: EditError) -> None:
        super().__init__(code, error)
        self.code = code
        self.error = error


@dataclass(frozen=True, slots=True)
class BlockText:
    """The physical paragraphs of a block, its text, and where in it each of them starts."""

    lines: tuple[tuple[Place, Line], ...]
    text: str
    starts: tuple[int, ...]


class Finder:
    """Finds the places that operations name; nothing changes while it does."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        self._new_notes = 0
        self._highest: dict[str, int] = {}
        self._references: dict[note_references.Key, list[tuple[str, Element]]] | None = None
        self._stories: tuple[StoryPlace, ...] | None = None
        self._texts: dict[Element, BlockText] = {}
        self._cuts: dict[Line, Cuts] = {}
        self._held: dict[Element, list[Element]] = {}
        self._order: dict[Element, int] = {}
        self._grids: dict[Element, Grid] = {}
        self._controls: Mapping[str, Element] | None = None

    @property
    def stories(self) -> tuple[StoryPlace, ...]:
        """All stories of the document."""
        if self._stories is None:
            self._stories = stories(self.survey.package)
        return self._stories

    def place(self, anchor: str) -> Place:
        """Returns the paragraph, table, row or cell that an anchor names, editable.

        Raises:
            OperationError: there is none, or it is a comment's.
        """
        try:
            place = self.survey.place(anchor)
        except NotFoundError as error:
            raise OperationError("unknown_block", PlanError(str(error))) from error
        if place.story == "comment":
            message = "The text of a comment cannot carry tracked changes"
            raise OperationError("read_only", RefusedError(message))
        if place.kind == "paragraph" and is_mark_deleted(place.element):
            return self._joined(place)
        return place

    @property
    def controls(self) -> Mapping[str, Element]:
        """The content controls by their ids of the view, read once."""
        if self._controls is None:
            self._controls = reader.controls(self.survey.package)
        return self._controls

    def references(self, key: note_references.Key) -> Sequence[tuple[str, Element]]:
        """Returns the references to a note, struck or not, with their parts."""
        if self._references is None:
            self._references = {}
            for note, part, node in note_references.references(self.survey.package):
                self._references.setdefault(note, []).append((part, node))
        return self._references.get(key, ())

    def new_note(self, kind: str) -> int:
        """Returns a number for a `footnote` or `endnote` that an operation of the plan adds."""
        if kind not in self._highest:
            self._highest[kind] = note_references.highest(self.survey.package, kind)
        self._new_notes += 1
        return self._highest[kind] + self._new_notes

    def _joined(self, place: Place) -> Place:
        """Returns the paragraph whose mark ends the block that this paragraph is part of."""
        if self.survey.line(place).text:
            following = beside(place.element, forward=True)
            while following is not None and following.tag == W_P:
                if not is_mark_deleted(following):
                    return Place(place.anchor, place.part, place.story, "paragraph", following)
                following = beside(following, forward=True)
        raise unable("unknown_block", f"{place.anchor} is deleted")

    def paragraph(self, anchor: str) -> Place:
        """Returns the paragraph that an anchor names, or the only one of a cell.

        Raises:
            OperationError: it is something else.
        """
        place = self.place(anchor)
        if place.kind == "paragraph":
            return place
        if place.kind == "cell":
            inner = list(blocks(place.element))
            if len(inner) == 1 and inner[0].tag == W_P:
                return Place(f"{anchor}.p1", place.part, place.story, "paragraph", inner[0])
        raise unable("wrong_kind", f"{anchor} is a {place.kind}, not a paragraph")

    def lines(self, place: Place) -> list[tuple[Place, Line]]:
        """Returns the physical paragraphs of a block with their lines."""
        return list(self.block(place).lines)

    def block(self, place: Place) -> BlockText:
        """Returns what a block says, read once."""
        block_text = self._texts.get(place.element)
        if block_text is None:
            lines = tuple(
                (physical, self.survey.line(physical)) for physical in self.physical(place)
            )
            words = [line.text for _, line in lines]
            starts = (0, *itertools.accumulate(map(len, words)))[:-1]
            block_text = self._texts[place.element] = BlockText(lines, "".join(words), starts)
        return block_text

    def cuts(self, line: Line) -> Cuts:
        """Returns where a line can be divided, looked at once."""
        run_cuts = self._cuts.get(line)
        if run_cuts is None:
            run_cuts = self._cuts[line] = Cuts(line)
        return run_cuts

    def physical(self, place: Place) -> list[Place]:
        """Returns the physical paragraphs of a block.

        Those joined to it by a deleted mark come first.
        """
        places = [place]
        before = beside(place.element, forward=False)
        while before is not None and before.tag == W_P and is_mark_deleted(before):
            places.append(Place(place.anchor, place.part, place.story, "paragraph", before))
            before = beside(before, forward=False)
        return places[::-1]

    def stretch(self, first: str, last: str) -> list[Place]:
        """Returns the paragraphs and tables from one anchor to another, of one story or cell.

        Paragraphs without a mark of their own that belong to the first block come first.

        Raises:
            OperationError: they are not of one story or cell, or in the wrong order.
        """
        ends = self.place(first), self.place(last)
        for place in ends:
            if place.kind not in ("paragraph", "table"):
                raise unable("wrong_kind", f"{place.anchor} is no paragraph or table")
        inside = self.blocks(container(ends[0].element))
        low, high = (self.index(place.element) for place in ends)
        if container(ends[0].element) is not container(ends[1].element) or min(low, high) < 0:
            raise unable("crosses_story", "The blocks do not stand in one story or cell")
        if low > high:
            raise unable("crosses_story", f"{last} stands before {first}")
        while low and inside[low - 1].tag == W_P and is_mark_deleted(inside[low - 1]):
            low -= 1
        return [
            Place(
                "",
                ends[0].part,
                ends[0].story,
                "paragraph" if element.tag == W_P else "table",
                element,
            )
            for element in inside[low : high + 1]
        ]

    def grid(self, table: Element) -> Grid:
        """Returns the grid of a table, looked at once."""
        table_grid = self._grids.get(table)
        if table_grid is None:
            table_grid = self._grids[table] = grid(table)
        return table_grid

    def index(self, block: Element) -> int:
        """Returns the place of a block among those of its story or cell.

        -1 where it is none of them.
        """
        self.blocks(container(block))
        return self._order.get(block, -1)

    def blocks(self, holder: Element) -> list[Element]:
        """Returns the blocks of a story or cell; nothing changes while operations are resolved."""
        children = self._held.get(holder)
        if children is None:
            children = self._held[holder] = list(blocks(holder))
            self._order.update((block, at) for at, block in enumerate(children))
        return children


def container(element: Element) -> Element:
    """Returns the story or cell that a block stands in."""
    for ancestor in element.iterancestors():
        if ancestor.tag == W_TC or ancestor.tag in _STORY_TAGS:
            return ancestor
    return element


def unable(code: str, message: str) -> OperationError:
    """Returns the error of an operation that does not fit the document."""
    return OperationError(code, PlanError(message))
