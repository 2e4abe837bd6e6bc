"""One version of a document as blocks that can be compared with those of another version.

A block has three faces: `content`, equal where text and formatting are written with the same XML;
`text`, what a reader sees; and its pieces and XML element for whoever needs more. What differs
between two saves of the same text (session ids, spelling marks, numbers of relationships) is no
part of `content`.

ECMA-376 Part 1, 17.13.6 (bookmarks), 17.15.1.70 (rsids).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Final, Literal, Protocol

from lxml import etree

from redraft.engine import tokens
from redraft.engine.docx import anchors
from redraft.engine.docx.editing.document_index import Survey, content
from redraft.engine.docx.names import W_P, W_PPR, Element, W
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading import reader
from redraft.engine.docx.redline.line import Line
from redraft.engine.inline_pieces import Atom, Piece, Words
from redraft.engine.model import Block, StoryKind, Table
from redraft.engine.state import State

_DECLARED: Final = re.compile(rb'\sxmlns(?::[\w.-]+)?="[^"]*"')
_SESSION: Final = re.compile(
    rb'\s[\w]+:(?:rsid\w*|paraId|textId|anchorId|editId)="[^"]*"'
    rb"|<w:(?:proofErr|lastRenderedPageBreak|bookmarkStart|bookmarkEnd)\b[^>]*/>"
    rb"|<w:rPr/>|<w:pPr/>|<w:noProof/>"
    rb'|\sxml:space="preserve"'
)
_LANGUAGE: Final = re.compile(rb"<w:lang\b[^>]*/>")
_RELATION: Final = re.compile(rb'(\sr:[a-z]+=")([^"]+)(")')
_NOTE: Final = re.compile(rb'(<w:(?:foot|end)noteReference\b[^>]*?\sw:id=")[^"]*(")')
_EMPTY: Final = re.compile(rb"<w:(rPr|pPr)></w:\1>|<w:(?:rPr|pPr)/>")
_JOINED: Final = re.compile(rb"</w:t></w:r><w:r><w:t>")
_OBJECTS: Final = frozenset({"fn", "en", "im", "eq"})
_PLACEHOLDER: Final = re.compile(r"\[im[0-9]+\] ?")
_NAME: Final = re.compile("[a-z]+")


@dataclass(frozen=True, slots=True, eq=False)
class ComparedCell:
    """A cell of a table: `column` and `span` on the grid, and whether one above covers it."""

    anchor: str
    blocks: tuple[ComparedBlock, ...]
    column: int
    span: int
    is_covered: bool


@dataclass(frozen=True, slots=True, eq=False)
class ComparedRow:
    """A row of a table."""

    anchor: str
    cells: tuple[ComparedCell, ...]
    content: bytes
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class ComparedBlock:
    """A paragraph or table.

    Attributes:
        anchor: Its id in this version.
        kind: What it is.
        content: A digest of its text and formatting.
        text: What a reader sees of it.
        objects: The kinds of the objects in it (`fn`, `im`), in order.
        pieces: The inlines of a paragraph.
        rows: The rows of a table.
        element: Its XML.
    """

    anchor: str
    kind: Literal["paragraph", "table"]
    content: bytes
    text: str
    objects: tuple[str, ...]
    pieces: tuple[Piece, ...]
    rows: tuple[ComparedRow, ...]
    element: Element


@dataclass(frozen=True, slots=True, eq=False)
class ComparedStory:
    """A story: the body, a header, a note; `purpose` is a header's or footer's."""

    kind: StoryKind
    anchor: str
    blocks: tuple[ComparedBlock, ...]
    purpose: str = ""


class Lines(Protocol):
    """Finds the paragraphs of a version: `engine.docx.editing.document_index.Survey` is one."""

    def place(self, anchor: str) -> anchors.Place:
        """Returns the place that an anchor names."""
        ...

    def line(self, place: anchors.Place) -> Line:
        """Returns the line of a paragraph."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Version:
    """A document with its stories in order, and what is needed to look closer at its blocks."""

    package: Package
    survey: Lines
    stories: tuple[ComparedStory, ...]
    parts: dict[str, str]

    def place(self, anchor: str) -> anchors.Place:
        """Returns the place of a block."""
        return self.survey.place(anchor)


def read(package: Package, state: State) -> Version:
    """Returns a document as it reads with all tracked changes accepted.

    Args:
        package: The document.
        state: Which of its marks are ours.
    """
    return _Reader(package, state).version()


class _Reader:
    def __init__(self, package: Package, state: State) -> None:
        self._package = package
        self._state = state
        self._places = {place.anchor: place for place in anchors.places(package)}
        self._relations: dict[str, dict[bytes, bytes]] = {}

    def version(self) -> Version:
        document = reader.read(self._package, "final")
        purposes = {place.anchor: place.purpose for place in anchors.stories(self._package)}
        stories = tuple(
            ComparedStory(
                story.kind,
                story.anchor,
                tuple(self._blocks(story.blocks)),
                purposes.get(story.anchor, ""),
            )
            for story in document.stories
        )
        parts = {anchor: place.part for anchor, place in self._places.items()}
        return Version(self._package, Survey(self._package, self._state), stories, parts)

    def _blocks(self, blocks: Sequence[Block]) -> Iterator[ComparedBlock]:
        for block in blocks:
            place = self._places.get(block.anchor)
            if place is None:
                continue
            if isinstance(block, Table):
                yield self._table(block, place)
            else:
                yield self._paragraph(block, place)

    def _paragraph(self, block: Block, place: anchors.Place) -> ComparedBlock:
        pieces = tokens.pieces(content(block))
        objects = tuple(
            kind
            for piece in pieces
            if isinstance(piece, Atom) and (kind := kind_of(piece.name)) in _OBJECTS
        )
        return ComparedBlock(
            block.anchor,
            "paragraph",
            self._content(place),
            tokens.visible(pieces),
            objects,
            pieces,
            (),
            place.element,
        )

    def _table(self, block: Table, place: anchors.Place) -> ComparedBlock:
        rows = tuple(self._rows(block))
        text = "\n".join(row.text for row in rows)
        digest = _digest(b"".join(row.content for row in rows) + self._frame(place))
        return ComparedBlock(block.anchor, "table", digest, text, (), (), rows, place.element)

    def _rows(self, block: Table) -> Iterator[ComparedRow]:
        for row in block.rows:
            place = self._places.get(row.anchor)
            if place is None:
                continue
            cells = tuple(
                ComparedCell(
                    cell.anchor,
                    tuple(self._blocks(cell.blocks)),
                    cell.column,
                    cell.column_span,
                    cell.continues,
                )
                for cell in row.cells
            )
            text = "\t".join("\n".join(b.text for b in cell.blocks) for cell in cells)
            yield ComparedRow(row.anchor, cells, self._content(place), text)

    def _frame(self, place: anchors.Place) -> bytes:
        """Returns the properties and the grid of a table."""
        return b"".join(
            self._bytes(child, place.part)
            for child in place.element
            if child.tag in (W("tblPr"), W("tblGrid"))
        )

    def _content(self, place: anchors.Place) -> bytes:
        return _digest(self._bytes(place.element, place.part))

    def _bytes(self, element: Element, part: str) -> bytes:
        """Returns the XML of an element without what differs between two saves of it."""
        data = etree.tostring(element, with_tail=False)
        data = _SESSION.sub(b"", _DECLARED.sub(b"", data))
        data = _LANGUAGE.sub(b"", data)
        data = _JOINED.sub(b"", _EMPTY.sub(b"", data))
        if b" r:" in data:
            targets = self._targets(part)
            data = _RELATION.sub(lambda m: m[1] + targets.get(m[2], m[2]) + m[3], data)
        return _NOTE.sub(rb"\1\2", data) if b"noteReference" in data else data

    def _targets(self, part: str) -> dict[bytes, bytes]:
        """Returns for each relationship of a part where it leads, or a digest of what is there."""
        targets = self._relations.get(part)
        if targets is None:
            targets = self._relations[part] = {
                name.encode(): relation.target.encode()
                if relation.external or not self._package.has(relation.target)
                else _digest(self._package.read(relation.target)).hex().encode()
                for name, relation in self._package.relationships(part).items()
            }
        return targets


def without_placeholders(version: Version) -> Version:
    """Returns a version made of a PDF without the words that stand for its pictures."""

    def bare(block: ComparedBlock) -> ComparedBlock:
        if not _PLACEHOLDER.search(block.text):
            return block
        pieces = (
            replace(piece, text=_PLACEHOLDER.sub("", piece.text))
            if isinstance(piece, Words)
            else piece
            for piece in block.pieces
        )
        line = tuple(piece for piece in pieces if not isinstance(piece, Words) or piece.text)
        rows = tuple(
            replace(
                row,
                cells=tuple(replace(c, blocks=tuple(map(bare, c.blocks))) for c in row.cells),
            )
            for row in block.rows
        )
        text = _PLACEHOLDER.sub("", block.text)
        return replace(block, pieces=line, rows=rows, text=text)

    stories = (replace(s, blocks=tuple(map(bare, s.blocks))) for s in version.stories)
    return replace(version, stories=tuple(stories))


def kind_of(name: str) -> str:
    """Returns the kind of a token: `fn` of `fn3`."""
    match = _NAME.match(name)
    return match[0] if match is not None else name


def style_of(element: Element) -> str:
    """Returns the id of a paragraph's style, empty where it says none."""
    properties = element.find(W_PPR) if element.tag == W_P else None
    style = None if properties is None else properties.find(W("pStyle"))
    return "" if style is None else style.get(W("val"), "")


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()
