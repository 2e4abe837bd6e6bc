"""Blocks of the tree as WordprocessingML (ECMA-376 Part 1, 17.3 and 17.4).

[x] headings and list items with their labels  [x] tables, merged cells  [x] links  [x] emphasis
[x] code and quotes  [x] line breaks  [x] marks of notes  [-] pictures: their id stands in their
place
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from xml.sax.saxutils import quoteattr

from redraft.engine.model import (
    Block,
    Cell,
    CodeBlock,
    Heading,
    Image,
    Inline,
    LineBreak,
    Link,
    ListItem,
    Mark,
    NoteReference,
    Paragraph,
    Quote,
    Table,
    Text,
)
from redraft.engine.transcript.notes import reference
from redraft.engine.transcript.numbering import DEEPEST, Numbering, written

MOST_HEADING: Final = 9
_MARKS: Final = (
    (Mark.CODE, '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/>'),
    (Mark.BOLD, "<w:b/>"),
    (Mark.ITALIC, "<w:i/>"),
    (Mark.STRIKE, "<w:strike/>"),
    (Mark.UNDERLINE, '<w:u w:val="single"/>'),
    (Mark.SUPERSCRIPT, '<w:vertAlign w:val="superscript"/>'),
    (Mark.SUBSCRIPT, '<w:vertAlign w:val="subscript"/>'),
)
_LINKED: Final = '<w:rStyle w:val="Hyperlink"/>'
_BORDERS: Final = "".join(
    f'<w:{side} w:val="single" w:sz="4" w:space="0" w:color="A0A0A0"/>'
    for side in ("top", "left", "bottom", "right", "insideH", "insideV")
)


@dataclass(slots=True)
class Writer:
    """Writes blocks; `relate` gives the relationship id of a URL.

    `notes` are the ids of the notes by their anchors; those that are `own` have their own marks.
    """

    relate: Callable[[str], str]
    numbering: Numbering = field(default_factory=Numbering)
    notes: Mapping[str, int] = field(default_factory=dict[str, int])
    own: frozenset[str] = frozenset()

    def blocks(self, blocks: Sequence[Block]) -> str:
        """Writes blocks one after the other; two tables are kept apart by an empty line."""
        parts: list[str] = []
        was_table = False
        for block in blocks:
            if isinstance(block, Table):
                parts.append("<w:p/>" if was_table else "")
                parts.append(self._table(block))
            else:
                parts.append(self._paragraph(block))
            was_table = isinstance(block, Table)
        return "".join(parts)

    def _paragraph(self, block: Block) -> str:
        if not isinstance(block, ListItem | Heading):
            self.numbering.end()
        match block:
            case Heading():
                label = self._numbered(block.label, 0, "heading") if block.label else ""
                style = f'<w:pStyle w:val="Heading{min(block.level, MOST_HEADING)}"/>'
                return _paragraph(style + label, self._inlines(block.content))
            case ListItem():
                return _paragraph(self._item(block), self._inlines(block.content))
            case CodeBlock():
                return _paragraph("", _run(block.text, Mark.CODE))
            case Quote():
                return _paragraph('<w:pStyle w:val="Quote"/>', self._inlines(block.content))
            case Paragraph():
                return _paragraph("", self._inlines(block.content))
            case _:
                return "<w:p/>"

    def note(self, blocks: Sequence[Block], lead: str) -> str:
        """Writes the blocks of a note; its first paragraph begins with `lead`."""
        first = blocks[0] if blocks else None
        style = '<w:pStyle w:val="FootnoteText"/>'
        if not isinstance(first, Paragraph | ListItem):
            return _paragraph(style, lead) + self.blocks(blocks) + _closing(blocks)
        properties = self._item(first) if isinstance(first, ListItem) else style
        begun = _paragraph(properties, lead + self._inlines(first.content))
        rest = [
            _paragraph(style, self._inlines(block.content))
            if isinstance(block, Paragraph)
            else self.blocks((block,))
            for block in blocks[1:]
        ]
        return begun + "".join(rest) + _closing(blocks)

    def _item(self, item: ListItem) -> str:
        depth = min(item.depth, DEEPEST)
        if item.continuation:
            return f'<w:pStyle w:val="ListContinue"/><w:ind w:left="{360 * (depth + 1)}"/>'
        style = '<w:pStyle w:val="ListParagraph"/>'
        if item.label:
            return style + self._numbered(item.label, depth, "item")
        made = self.numbering.of_bullet()
        return style + _number_of(made, depth)

    def _numbered(self, label: str, depth: int, kind: str) -> str:
        return _number_of(self.numbering.of(label, depth, kind), 0)

    def _inlines(self, content: Sequence[Inline]) -> str:
        return "".join(self._inline(inline) for inline in content)

    def _inline(self, inline: Inline, extra: str = "") -> str:
        match inline:
            case Text():
                return _run(inline.text, inline.marks, extra)
            case Link():
                inner = "".join(
                    self._inline(inner_inline, _LINKED) for inner_inline in inline.content
                )
                if inline.target.startswith("#") or not inline.target:
                    return "".join(self._inline(inner_inline) for inner_inline in inline.content)
                key = quoteattr(self.relate(inline.target))
                return f"<w:hyperlink r:id={key}>{inner}</w:hyperlink>"
            case LineBreak():
                return "<w:r><w:br/></w:r>"
            case Image():
                return _run(f"[{inline.id}]", Mark.ITALIC)
            case NoteReference() if inline.anchor in self.notes:
                number = self.notes[inline.anchor]
                return reference(inline, number, is_own=inline.anchor in self.own)
            case _:
                return ""

    def _table(self, table: Table) -> str:
        self.numbering.end()
        begun = {
            (cell.column, cell.column_span)
            for row in table.rows
            for cell in row.cells
            if cell.continues
        }
        rows = "".join(
            "<w:tr>"
            + ("<w:trPr><w:tblHeader/></w:trPr>" if row.is_header else "")
            + "".join(self._cells(row.cells, begun))
            + "</w:tr>"
            for row in table.rows
        )
        grid = "<w:gridCol/>" * max(table.columns, 1)
        look = f'<w:tblW w:w="5000" w:type="pct"/><w:tblBorders>{_BORDERS}</w:tblBorders>'
        return f"<w:tbl><w:tblPr>{look}</w:tblPr><w:tblGrid>{grid}</w:tblGrid>{rows}</w:tbl>"

    def _cells(self, cells: Sequence[Cell], begun: set[tuple[int, int]]) -> Iterator[str]:
        for cell in cells:
            looks = ""
            if cell.column_span > 1:
                looks += f'<w:gridSpan w:val="{cell.column_span}"/>'
            if cell.continues:
                looks += "<w:vMerge/>"
            elif (cell.column, cell.column_span) in begun:
                looks += '<w:vMerge w:val="restart"/>'
            inner = self.blocks(cell.blocks) + ("" if cell.blocks else "<w:p/>")
            inner += _closing(cell.blocks)
            properties = f"<w:tcPr>{looks}</w:tcPr>" if looks else ""
            yield f"<w:tc>{properties}{inner}</w:tc>"


def _closing(blocks: Sequence[Block]) -> str:
    """Returns the paragraph that a cell or note must end with (17.4.65)."""
    return "<w:p/>" if blocks and isinstance(blocks[-1], Table) else ""


def _paragraph(properties: str, inner: str) -> str:
    properties_xml = f"<w:pPr>{properties}</w:pPr>" if properties else ""
    return f"<w:p>{properties_xml}{inner}</w:p>"


def _number_of(made: int, level: int) -> str:
    # The ids of the template's own lists are below a thousand.
    number = 1000 + made
    return f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'


def _run(text: str, marks: Mark, extra: str = "") -> str:
    """Writes a run; a tab and a line break are elements of their own."""
    looks = extra + "".join(xml for mark, xml in _MARKS if mark in marks)
    properties_xml = f"<w:rPr>{looks}</w:rPr>" if looks else ""
    parts: list[str] = []
    for number, line in enumerate(text.split("\n")):
        parts.append("<w:br/>" if number else "")
        for at, stretch in enumerate(line.split("\t")):
            parts.append("<w:tab/>" if at else "")
            if stretch:
                parts.append(f'<w:t xml:space="preserve">{written(stretch)}</w:t>')
    return f"<w:r>{properties_xml}{''.join(parts)}</w:r>" if text else ""
