"""A tree written as a Word document reads as that tree."""

from __future__ import annotations

from dataclasses import replace

import pytest

from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading import reader
from redraft.engine.markdown.document import write
from redraft.engine.model import (
    Block,
    Cell,
    Document,
    Heading,
    Image,
    Link,
    ListItem,
    Mark,
    Paragraph,
    Quote,
    Row,
    Story,
    Table,
    Text,
)
from redraft.engine.transcript.building import build


def words(text: str, marks: Mark = Mark.NONE) -> tuple[Text, ...]:
    return (Text(text, marks),)


def cell(text: str, column: int = 0, span: int = 1, *, continues: bool = False) -> Cell:
    blocks = () if continues else (Paragraph("", words(text)),)
    return Cell("", blocks, column, span, continues)


def again(*blocks: Block) -> Document:
    made = build(Document("pdf", (Story("body", "", blocks),)), (595, 842))
    return reader.read(Package.open(made), "final")


@pytest.mark.parametrize(
    ("blocks", "markdown"),
    [
        ((Heading("", 1, words("Terms")), Heading("", 3, words("Pay"))), "# Terms\n\n### Pay\n"),
        ((Heading("", 2, words("Scope"), "2.1"),), "## 2.1 Scope\n"),
        (
            (
                ListItem("", 0, words("first"), "3.", ordered=True),
                ListItem("", 0, words("second"), "4.", ordered=True),
            ),
            "3. first\n4. second\n",
        ),
        ((ListItem("", 0, words("a")), ListItem("", 1, words("b"))), "- a\n  - b\n"),
        (
            (Paragraph("", (*words("so "), *words("bold", Mark.BOLD), *words(" it is"))),),
            "so **bold** it is\n",
        ),
        (
            (Paragraph("", (Link("https://a.example/?x=1&y=2", words("here")),)),),
            "[here](https://a.example/?x=1&y=2)\n",
        ),
        ((Quote("", words("said")),), "> said\n"),
        ((Paragraph("", words("a < b & \x0bc\tno")),), "a < b & c no\n"),
        ((Paragraph("", (Image("im1", "", ""),)),), "*[im1]*\n"),
    ],
)
def test_a_block_reads_as_it_was_written(blocks: tuple[Block, ...], markdown: str) -> None:
    assert write(again(*blocks)) == markdown


def test_a_table_keeps_its_cells_and_what_is_merged() -> None:
    rows = (
        Row("", (cell("A", 0, 2), cell("B", 2)), is_header=True),
        Row("", (cell("C", 0), cell("D", 1), cell("E", 2))),
        Row("", (cell("", 0, continues=True), cell("F", 1), cell("G", 2))),
    )
    (first, second) = (
        each
        for each in again(Table("", rows, 3), Table("", rows[1:2], 3)).body.blocks
        if isinstance(each, Table)
    )
    shape = [[(c.column, c.column_span, c.continues) for c in r.cells] for r in first.rows]
    assert shape == [
        [(0, 2, False), (2, 1, False)],
        [(0, 1, False), (1, 1, False), (2, 1, False)],
        [(0, 1, True), (1, 1, False), (2, 1, False)],
    ]
    assert [r.is_header for r in first.rows] == [True, False, False]
    assert len(second.rows) == 1


def test_headers_footers_and_the_title_come_along() -> None:
    stories = (
        Story("body", "", (Paragraph("", words("Body")),)),
        Story("header", "h1", (Paragraph("", words("On top")),)),
        Story("footer", "f1", (Paragraph("", words("Below")),)),
    )
    document = Document("pdf", stories, properties=(("title", "A title"), ("author", "Ann")))
    made = reader.read(Package.open(build(document, (595, 842))), "final")
    said = {s.kind: s.blocks[0] for s in made.stories}
    assert replace(said["header"], anchor="", style="") == Paragraph("", words("On top"))
    assert replace(said["footer"], anchor="", style="") == Paragraph("", words("Below"))
    assert dict(made.properties)["title"] == "A title"
