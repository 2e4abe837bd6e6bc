"""A document as a plan is resolved against it: places by anchor and scope, lines read once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from redraft.engine import locate, tokens
from redraft.engine.docx.anchors import Place, places
from redraft.engine.docx.anchors import locate as place_of
from redraft.engine.docx.names import (
    MC_ALTERNATE,
    TEXT_BOXES,
    W_MOVE_FROM,
    W_SYM,
    W_T,
    Element,
    W,
)
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading import reader
from redraft.engine.docx.redline import textmap
from redraft.engine.docx.redline.emphasis import emphasis, heading_level
from redraft.engine.docx.redline.line import Line
from redraft.engine.docx.redline.open_fields import Frame, open_fields
from redraft.engine.docx.styles import Styles
from redraft.engine.errors import PlanError
from redraft.engine.inline_pieces import Piece
from redraft.engine.model import Block, CodeBlock, Inline, Mark, Table, Text
from redraft.engine.state import State

# Anchors that are looked up one by one before all of them are indexed.
_FEW: Final = 4
# What may stand in the midst of a word of the view with a text that is none of it, or add to it.
_INTERRUPTING: Final = (MC_ALTERNATE, *TEXT_BOXES, W_MOVE_FROM, W_SYM, W("ruby"), W("fldChar"))
_STORIES: Final = {
    "all": ("body", "header", "footer", "footnote", "endnote", "textbox"),
    "body": ("body", "textbox"),
    "headers": ("header",),
    "footers": ("footer",),
    "notes": ("footnote", "endnote"),
}


def content(block: Block) -> tuple[Inline, ...]:
    """Returns what stands in a block, in the form in which a view shows it.

    A listing is plain text.
    """
    return (Text(block.text),) if isinstance(block, CodeBlock) else getattr(block, "content", ())


class Survey:
    """What is known of a document while a plan is resolved."""

    def __init__(self, package: Package, state: State) -> None:
        self.package = package
        self.styles = Styles.of(package)
        self._state = state
        self._lines: dict[Element, Line] = {}
        self._opened: dict[str, dict[Element, tuple[Frame, ...]]] = {}
        self._places: tuple[Place, ...] | None = None
        self._known: dict[str, tuple[Inline, ...]] | None = None
        self._by_anchor: dict[str, Place] | None = None
        self._asked = 0
        self._marks: dict[Line, list[Mark]] = {}
        self._locks: dict[Line, list[tuple[int, int]]] = {}

    @property
    def ours(self) -> Mapping[int, str]:
        """The ids of our marks, each with the edit that wrote it."""
        return self._state.ours

    def place(self, anchor: str) -> Place:
        """Returns the place that an anchor names.

        Raises:
            NotFoundError: there is none.
        """
        self._asked += 1
        if self._asked > _FEW and self._by_anchor is None:
            self._by_anchor = {place.anchor: place for place in self._all()}
        known = None if self._by_anchor is None else self._by_anchor.get(anchor)
        return place_of(self.package, anchor) if known is None else known

    def line(self, place: Place) -> Line:
        """Returns the line of a paragraph, read once."""
        line = self._lines.get(place.element)
        if line is None:
            state = self._state
            line = textmap.read(place.element, state.ours, self.opened(place), state.formatted)
            self._lines[place.element] = line
        return line

    def may_say(self, place: Place, word: str) -> bool:
        """Returns whether a paragraph may have a word, by its runs alone, which is soon seen.

        Args:
            place: The paragraph.
            word: The `locate.core` of a quote.
        """
        element = place.element
        if not word or next(element.iter(*_INTERRUPTING), None) is not None:
            return True
        return locate.has_core("".join([node.text or "" for node in element.iter(W_T)]), word)

    def opened(self, place: Place) -> tuple[Frame, ...]:
        """Returns the fields that are open where a paragraph begins."""
        opened = self._opened.get(place.part)
        if opened is None:
            opened = dict(open_fields(self.package.tree(place.part)))
            self._opened[place.part] = opened
        return opened.get(place.element, ())

    def emphasis(self, line: Line) -> list[Mark]:
        """Returns bold and italic of each character of a line, as the view shows them."""
        marks = self._marks.get(line)
        if marks is None:
            marks = self._marks[line] = emphasis(line, self.styles)
        return marks

    def is_locked(self, line: Line, start: int, end: int) -> bool:
        """Returns whether any of text[start:end] is computed or locked."""
        spans = self._locks.get(line)
        if spans is None:
            spans = self._locks[line] = list(_locked(line))
        first = bisect_right(spans, start, key=lambda span: span[1])
        return first < len(spans) and spans[first][0] < end

    def known(self, anchor: str) -> tuple[Piece, ...]:
        """Returns the pieces that the view shows of a block."""
        if self._known is None:
            document = reader.read(self.package, "final")
            self._known = {
                block.anchor: content(block)
                for story in document.stories
                for block in _each(story.blocks)
            }
        return tokens.pieces(self._known.get(anchor, ()))

    def paragraphs(self, scope: str) -> Iterator[Place]:
        """Returns the paragraphs of a scope in document order (`engine.plan.FindReplace`).

        Raises:
            NotFoundError: it names a block that is not there.
            PlanError: there is no such scope.
        """
        kind, _, anchor = scope.partition(":")
        if not anchor:
            if kind not in _STORIES:
                message = f"There is no scope {scope}"
                raise PlanError(message)
            stories = _STORIES[kind]
            return (p for p in self._paragraphs() if p.story in stories)
        place = self.place(anchor)
        if kind == "section":
            return self._section(place)
        if kind not in ("table", "row", "block", "cell"):
            message = f"There is no scope {scope}"
            raise PlanError(message)
        return (
            p for p in self._paragraphs() if p.anchor == anchor or p.anchor.startswith(f"{anchor}.")
        )

    def _all(self) -> tuple[Place, ...]:
        if self._places is None:
            self._places = tuple(places(self.package))
        return self._places

    def _paragraphs(self) -> Iterator[Place]:
        return (place for place in self._all() if place.kind == "paragraph")

    def _section(self, heading: Place) -> Iterator[Place]:
        """Yields a heading and what follows up to the next heading of its level or a higher one."""
        level = heading_level(heading.element, self.styles)
        is_inside = False
        for place in self._all():
            if place.element is heading.element:
                is_inside = True
            elif is_inside and (place.part != heading.part or place.story != heading.story):
                return
            elif is_inside and place.kind == "paragraph" and level is not None:
                other = heading_level(place.element, self.styles)
                if (
                    other is not None
                    and other <= level
                    and place.element.getparent() is (heading.element.getparent())
                ):
                    return
            if is_inside and place.kind == "paragraph":
                yield place


def _locked(line: Line) -> Iterator[tuple[int, int]]:
    """Yields where text of a line that is computed or locked begins and ends, in order."""
    at = 0
    for unit in line.units:
        if unit.is_visible:
            if unit.lock:
                yield at, at + len(unit.text)
            at += len(unit.text)


def _each(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        if isinstance(block, Table):
            for row in block.rows:
                for cell in row.cells:
                    yield from _each(cell.blocks)
