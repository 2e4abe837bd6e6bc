from __future__ import annotations

from dataclasses import replace

from redraft.engine.markdown.tables import write_table
from redraft.engine.model import Block, Cell, Paragraph, Table, Text
from redraft.engine.pdf.reading.line_end_hyphens import LineEndHyphens
from redraft.engine.pdf.reading.paragraphs import Typography
from redraft.engine.pdf.reading.ruled_tables import Grid
from redraft.engine.pdf.reading.tables import table
from tests.engine.pdf.reading.test_continued_tables import HEAD, grid

ORDINARY = Typography(10, is_mono=False, hyphens=LineEndHyphens())


def made(whole: Grid) -> Table:
    return table(whole, lambda page: f"p{page}.b7", ORDINARY)


def said(block: Block) -> str:
    assert isinstance(block, Paragraph)
    return "".join(each.text for each in block.content if isinstance(each, Text))


def cell_text(cell: Cell) -> str:
    return " / ".join(map(said, cell.blocks))


def markdown(whole: Grid) -> list[str]:
    return write_table(made(whole), cell_text, lambda _, text: text).splitlines()


def test_rows_of_the_next_page_have_anchors_of_that_page() -> None:
    whole = replace(grid(1, HEAD, ("a", "b")), parts=(grid(2, ("C", "d")),))
    anchors = [block.anchor for row in made(whole).rows for c in row.cells for block in c.blocks]
    assert anchors == [
        "p1.b7.r1.c1.b1",
        "p1.b7.r1.c2.b1",
        "p1.b7.r2.c1.b1",
        "p1.b7.r2.c2.b1",
        "p2.b7.r1.c1.b1",
        "p2.b7.r1.c2.b1",
    ]


def test_a_repeated_header_is_there_to_be_edited_and_not_read() -> None:
    part = replace(grid(2, HEAD, ("C", "d")), repeated=1)
    whole = replace(grid(1, HEAD, ("a", "b")), parts=(part,))
    rows = made(whole).rows
    assert [row.is_repeated for row in rows] == [False, False, True, False]
    assert [row.is_header for row in rows] == [True, False, False, False]
    assert rows[2].cells[0].blocks[0].anchor == "p2.b7.r1.c1.b1"
    assert markdown(whole) == ["| Name | Remark |", "| --- | --- |", "| a | b |", "| C | d |"]


def test_a_row_that_goes_on_is_one_row() -> None:
    part = replace(grid(2, ("", "the first."), ("C", "d")), resumes=True)
    whole = replace(grid(1, HEAD, ("Ann", "She came and was")), parts=(part,))
    assert markdown(whole)[2:] == ["| Ann | She came and was the first. |", "| C | d |"]


def test_a_new_sentence_on_the_next_page_is_a_paragraph_with_an_anchor_of_that_page() -> None:
    part = replace(grid(2, HEAD, ("", "Later.")), repeated=1, resumes=True)
    whole = replace(grid(1, HEAD, ("Ann", "She came.")), parts=(part,))
    last = made(whole).rows[1].cells[1].blocks
    assert [(block.anchor, said(block)) for block in last] == [
        ("p1.b7.r2.c2.b1", "She came."),
        ("p2.b7.r2.c2.b1", "Later."),
    ]


def test_a_table_in_a_cell_is_the_last_block_of_the_cell() -> None:
    outer = grid(1, HEAD, ("a", "b"))
    first, *others = outer.cells
    held = replace(first, grids=(grid(1, ("x", "y"), ("z", "w")),))
    block = made(replace(outer, cells=(held, *others))).rows[0].cells[0].blocks[-1]
    assert isinstance(block, Table)
    assert block.anchor == "p1.b7.r1.c1.b2"
    assert block.rows[1].cells[0].blocks[0].anchor == "p1.b7.r1.c1.b2.r2.c1.b1"
