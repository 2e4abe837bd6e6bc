"""A document as a plan is resolved against it: places by anchor and scope, lines read once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from engine import tokens
from engine.docx import reader, textmap
from engine.docx.anchors import Place, places
from engine.docx.anchors import locate as place_of
from engine.docx.emphasis import emphasis, heading_level
from engine.docx.line import Line
from engine.docx.names import Element
from engine.docx.openfields import Frame, open_fields
from engine.docx.package import Package
from engine.docx.styles import Styles
from engine.errors import PlanError
from engine.model import Block, Document, Mark, Table
from engine.pieces import Piece
from engine.state import State

_STORIES: Final = {
    "all": ("body", "header", "footer", "footnote", "endnote", "textbox"),
    "body": ("body", "textbox"),
    "headers": ("header",),
    "footers": ("footer",),
    "notes": ("footnote", "endnote"),
}


class Survey:
    """What is known of a document while a plan is resolved."""

    def __init__(self, package: Package, state: State) -> None:
        self.package = package
        self.styles = Styles.of(package)
        self._state = state
        self._lines: dict[Element, Line] = {}
        self._opened: dict[str, dict[Element, tuple[Frame, ...]]] = {}
        self._places: tuple[Place, ...] | None = None
        self._document: Document | None = None
        self._marks: dict[Line, list[Mark]] = {}

    def place(self, anchor: str) -> Place:
        """The place that an anchor names.

        Raises:
            NotFoundError: there is none.
        """
        return place_of(self.package, anchor)

    def line(self, place: Place) -> Line:
        """The line of a paragraph, read once."""
        found = self._lines.get(place.element)
        if found is None:
            opened = self._opened.get(place.part)
            if opened is None:
                opened = dict(open_fields(self.package.tree(place.part)))
                self._opened[place.part] = opened
            element = place.element
            state = self._state
            found = textmap.read(element, state.ours, opened.get(element, ()), state.formatted)
            self._lines[element] = found
        return found

    def emphasis(self, line: Line) -> list[Mark]:
        """Bold and italic of each character of a line, as the view shows them."""
        found = self._marks.get(line)
        if found is None:
            found = self._marks[line] = emphasis(line, self.styles)
        return found

    def is_locked(self, line: Line, start: int, end: int) -> bool:
        """Whether any of text[start:end] is computed or locked."""
        at = 0
        for unit in line.units:
            if unit.is_visible:
                if unit.lock and at < end and at + len(unit.text) > start:
                    return True
                at += len(unit.text)
        return False

    def known(self, anchor: str) -> tuple[Piece, ...]:
        """The pieces that the view shows of a block."""
        if self._document is None:
            self._document = reader.read(self.package, "final")
        for story in self._document.stories:
            for block in _each(story.blocks):
                if block.anchor == anchor:
                    return tokens.pieces(getattr(block, "content", ()))
        return ()

    def paragraphs(self, scope: str) -> Iterator[Place]:
        """The paragraphs of a scope in document order (`engine.plan.FindReplace`).

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
        """A heading and what follows up to the next heading of its level or a higher one."""
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


def _each(found: Iterable[Block]) -> Iterator[Block]:
    for block in found:
        yield block
        if isinstance(block, Table):
            for row in block.rows:
                for cell in row.cells:
                    yield from _each(cell.blocks)
