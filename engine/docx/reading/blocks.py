"""The blocks of a story or cell in one view: paragraphs, joined where a mark is gone, and tables.

[x] w:p  [x] w:tbl  [x] w:sdt (tables of contents left out)  [x] w:customXml
[x] block-level w:ins, w:del, w:moveFrom, w:moveTo  [x] mc:AlternateContent  [-] w:altChunk,
w:subDoc, equations in no paragraph (a notice)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Final

from redraft.engine.docx.anchors import blocks as physical_blocks
from redraft.engine.docx.anchors import branch
from redraft.engine.docx.names import (
    MC_ALTERNATE,
    W_BOOKMARK_START,
    W_CUSTOM_XML,
    W_DEL,
    W_INS,
    W_MOVE_FROM,
    W_MOVE_TO,
    W_P,
    W_SDT,
    W_SDT_CONTENT,
    W_TBL,
    W_TC,
    Element,
    M,
    W,
)
from redraft.engine.docx.reading import table_view
from redraft.engine.docx.reading.controls import control_properties
from redraft.engine.docx.reading.inlines import InlineReader
from redraft.engine.docx.reading.list_depth import ListRun
from redraft.engine.docx.reading.paragraphs import (
    is_code,
    is_shown,
    make_block,
    paragraph_properties,
    plain_text,
    rule,
    with_mark,
)
from redraft.engine.docx.reading.reading_state import Hanging, Ledger, ParagraphProperties
from redraft.engine.model import Block, Cell, CodeBlock, Inline, Paragraph, Row, Table

_TRACKED = frozenset({W_INS, W_DEL, W_MOVE_FROM, W_MOVE_TO})
_GONE: Final = {
    "final": frozenset({W_DEL, W_MOVE_FROM}),
    "original": frozenset({W_INS, W_MOVE_TO}),
    "markup": frozenset[str](),
}
# A single line this short in a typewriter face is a listing; a longer one is prose in a face.
_SHORT = 80
_CODE_SIGN = re.compile(r"[{}\[\]=<>\\_|]|\w\(|;$", re.MULTILINE)


@dataclass(slots=True)
class _PendingParagraph:
    """A paragraph whose mark is gone, waiting for the one that it joins."""

    anchor: str
    properties: ParagraphProperties
    content: list[Inline]
    box: bool | None


class _Stream:
    """The blocks of one story or cell as they come; there is one a cell, so it must cost little.

    `last` is the tag of what stands last in the innermost container, empty when nothing does yet.
    """

    __slots__ = ("blocks", "hanging", "last", "paragraphs", "pending", "prefix", "run", "tables")

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.blocks: list[Block] = []
        self.run = ListRun()
        self.paragraphs = 0
        self.tables = 0
        self.pending: _PendingParagraph | None = None
        self.last = ""
        self.hanging: Hanging | None = None

    def hang(self, hanging: Hanging) -> None:
        """Keep something for the block that it hangs on."""
        if self.hanging is None:
            self.hanging = hanging
        else:
            self.hanging.take(hanging)


class BlockReader:
    """Reads the stories of one part."""

    def __init__(self, ledger: Ledger, part: str) -> None:
        self._ledger = ledger
        self._inlines = InlineReader(ledger, part)
        self._gone = _GONE[ledger.view]
        self._typewritten: set[str] = set()
        self._is_monospace = ledger.styles.is_monospace

    def story(self, container: Element, anchor: str) -> tuple[Block, ...]:
        """The blocks of a story; anchors begin with the story's own."""
        self._inlines.reset()
        self._typewritten.clear()
        blocks = self.blocks(container, f"{anchor}." if anchor else "")
        return self._listings(blocks) if self._typewritten else blocks

    def blocks(self, container: Element, prefix: str) -> tuple[Block, ...]:
        """The blocks of a container whose anchors begin with a prefix."""
        stream = _Stream(prefix)
        self._walk(container, stream)
        if stream.pending is not None:
            # Neither a story nor a cell is without a paragraph, and a cell ends in one.
            is_cell = container.tag == W_TC
            self._release(stream, is_needed=stream.last in (("", W_TBL) if is_cell else ("",)))
        return tuple(stream.blocks)

    def _walk(self, container: Element, stream: _Stream) -> None:
        for child in container:
            tag = child.tag
            if tag == W_P:
                self._paragraph(child, stream)
            elif tag == W_TBL:
                self._table(child, stream)
            elif tag == W_SDT:
                self._control(child, stream)
            elif tag in self._gone:
                self._skip(child, stream)
            elif tag in _TRACKED:
                self._walk(child, stream)
            elif tag == W_CUSTOM_XML:
                self._inside(child, stream)
            elif tag == MC_ALTERNATE:
                chosen = branch(child)
                if chosen is not None:
                    self._inside(chosen, stream)
            else:
                self._mark(child, stream)

    def _inside(self, container: Element, stream: _Stream) -> None:
        """A container inside a story or cell: no paragraph joins another one across its edge."""
        wrapper = container.getparent() if container.tag == W_SDT_CONTENT else container
        if wrapper in self._ledger.unwrapped:
            self._walk(container, stream)
            return
        self._release(stream)
        stream.last = ""
        self._walk(container, stream)
        self._release(stream, is_needed=not stream.last)
        stream.last = str(container.tag)

    def _mark(self, element: Element, stream: _Stream) -> None:
        """What stands between blocks: a bookmark begins in the next one."""
        if element.tag == W_BOOKMARK_START:
            stream.hang(Hanging(bookmarks=[element.get(_NAME, "")]))
        elif element.tag in _UNREAD:
            self._release(stream)
            self._ledger.notice(*_UNREAD[element.tag], stream.prefix)

    def _control(self, sdt: Element, stream: _Stream) -> None:
        properties = control_properties(sdt)
        if properties.is_contents:
            self._release(stream)
            self._skip(sdt, stream)
        else:
            for content in sdt.iterchildren(W_SDT_CONTENT):
                self._inside(content, stream)

    def _skip(self, wrapper: Element, stream: _Stream) -> None:
        """Count what this view does not show."""
        for block in physical_blocks(wrapper):
            if block.tag == W_P:
                stream.paragraphs += 1
            else:
                stream.tables += 1

    def _paragraph(self, element: Element, stream: _Stream) -> None:
        stream.paragraphs += 1
        anchor = f"{stream.prefix}p{stream.paragraphs}"
        properties = paragraph_properties(element, self._ledger)
        inlines = self._inlines
        content = inlines.read(element, properties.style_id, properties.dropped)
        if self._ledger.view == "markup":
            content = with_mark(element, content)
        if inlines.hanging is not None:
            stream.hang(inlines.hanging)
        box = inlines.box
        pending = stream.pending
        if pending is not None:
            content = pending.content + content
            box = pending.box if pending.content else box
            stream.pending = None
        if properties.joins:
            stream.pending = _PendingParagraph(anchor, properties, content, box)
            return
        stream.last = W_P
        if inlines.is_rule and not is_shown(content):
            stream.blocks.append(rule(anchor, stream.run))
            self._hang(anchor, stream)
        else:
            if inlines.is_typewritten and not self._is_monospace:
                self._typewritten.add(anchor)
            self._emit(anchor, properties, content, box, stream)

    def _emit(
        self,
        anchor: str,
        properties: ParagraphProperties,
        content: list[Inline],
        box: bool | None,
        stream: _Stream,
    ) -> None:
        stream.blocks.append(
            make_block(anchor, properties, tuple(content), self._ledger, stream.run, box)
        )
        if stream.hanging is not None:
            self._hang(anchor, stream)

    def _hang(self, anchor: str, stream: _Stream) -> None:
        """What hangs on a paragraph hangs on the block that it is."""
        hanging, ledger = stream.hanging, self._ledger
        if hanging is not None:
            ledger.hosts.update(dict.fromkeys(hanging.boxes, anchor))
            for identifier in hanging.comments:
                ledger.commented.setdefault(identifier, anchor)
            ledger.bookmarks += [(name, anchor) for name in hanging.bookmarks]
            stream.hanging = None

    def _release(self, stream: _Stream, *, is_needed: bool = False) -> None:
        """A paragraph that has nothing to join stands alone; without content it is gone."""
        pending = stream.pending
        if pending is None:
            return
        stream.pending = None
        has_boxes = stream.hanging is not None and bool(stream.hanging.boxes)
        if pending.content or has_boxes or is_needed:
            self._emit(pending.anchor, pending.properties, pending.content, pending.box, stream)

    def _table(self, element: Element, stream: _Stream) -> None:
        stream.tables += 1
        if not any(table_view.rows(element, "", self._ledger.view)):
            # Of what is gone in this view nothing keeps two paragraphs apart.
            return
        self._release(stream)
        stream.last = W_TBL
        stream.run.end()
        anchor = f"{stream.prefix}t{stream.tables}"
        rows = [
            Row(shape.anchor, self._cells(shape), shape.is_header, shape.change)
            for shape in table_view.rows(element, anchor, self._ledger.view)
        ]
        columns = max(c.column + c.column_span for r in rows for c in r.cells)
        style = table_view.style_name(element)
        stream.blocks.append(Table(anchor, tuple(rows), columns, style))

    def _cells(self, row: table_view.RowShape) -> tuple[Cell, ...]:
        return tuple(
            Cell(
                shape.anchor,
                self.blocks(shape.element, f"{shape.anchor}."),
                shape.column,
                shape.span,
                shape.continues,
            )
            for shape in row.cells
        )

    def _listings(self, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
        """Paragraphs in a typewriter face as listings, unless the whole story is set in one."""
        is_typed = [
            isinstance(block, Paragraph)
            and block.anchor in self._typewritten
            and is_code(block.content)
            for block in blocks
        ]
        for index in range(1, len(blocks) - 1):
            block = blocks[index]
            is_empty = isinstance(block, Paragraph) and not block.content
            is_typed[index] |= is_empty and is_typed[index - 1] and is_typed[index + 1]
        if 2 * sum(is_typed) > len(blocks) > 2:
            return blocks
        grouped: list[Block] = []
        for is_listing, group in groupby(zip(is_typed, blocks, strict=True), itemgetter(0)):
            members = [block for _, block in group]
            grouped += _as_listing(members) if is_listing else members
        return tuple(grouped)


def _as_listing(paragraphs: list[Block]) -> list[Block]:
    """Adjacent paragraphs in a typewriter face as a listing, if any of them looks like code."""
    listing = [
        CodeBlock(block.anchor, plain_text(block.content), block.style)
        for block in paragraphs
        if isinstance(block, Paragraph)
    ]
    is_prose = not any(_CODE_SIGN.search(line.text) for line in listing)
    is_long = len(listing) == 1 and len(listing[0].text) > _SHORT
    return paragraphs if is_prose or is_long else list(listing)


_NAME = W("name")
_EMBEDDED = "embedded-document", "A document embedded in this one is not read"
_EQUATION = "equation", "An equation that stands in no paragraph is not read"
_UNREAD = {
    W("altChunk"): _EMBEDDED,
    W("subDoc"): _EMBEDDED,
    M("oMath"): _EQUATION,
    M("oMathPara"): _EQUATION,
}
