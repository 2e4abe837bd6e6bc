"""What hangs on paragraphs that are no blocks of their own."""

from __future__ import annotations

import pytest

from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading.reader import read
from redraft.engine.markdown.document import write
from redraft.engine.model import Table
from tests.engine.wordml import docx, p, table, tc, textbox

GONE = '<w:rPr><w:del w:id="9" w:author="Ann"/></w:rPr>'
RULE = '<w:r><w:pict><v:rect o:hr="t"/></w:pict></w:r>'


@pytest.mark.parametrize(
    ("body", "markdown"),
    [
        (p(textbox(p("boxed")), properties=GONE) + table(["x"]) + p("end"), "boxed\n\nx\n\nend\n"),
        (p("a") + p(RULE, textbox(p("boxed"))), "a\n\n---\n\nboxed\n"),
        (
            f"<w:tbl><w:tr>{tc(p('a') + p(textbox(p('boxed')), properties=GONE))}{tc('b')}</w:tr>"
            "</w:tbl>",
            "| a<br>boxed | b |\n| --- | --- |\n",
        ),
    ],
    ids=["before a table", "on a rule", "at the end of a cell"],
)
def test_a_text_box_stands_where_its_paragraph_does(body: str, markdown: str) -> None:
    assert write(read(Package.open(docx(body)))) == markdown


@pytest.mark.parametrize(
    ("block", "code"),
    [
        ('<w:altChunk r:id="rId9"/>', "embedded-document"),
        ('<w:subDoc r:id="rId9"/>', "embedded-document"),
        ("<m:oMathPara><m:oMath><m:r><m:t>x</m:t></m:r></m:oMath></m:oMathPara>", "equation"),
    ],
)
def test_a_block_that_is_not_read_is_told_once(block: str, code: str) -> None:
    document = read(Package.open(docx(block + p("a") + block)))
    assert [notice.code for notice in document.notices] == [code]


def test_a_cell_keeps_the_place_of_its_last_paragraph() -> None:
    data = docx(table([p(properties=GONE), "b"]))
    (block,) = read(Package.open(data)).body.blocks
    assert isinstance(block, Table)
    assert [each.anchor for each in block.rows[0].cells[0].blocks] == ["t1.r1.c1.p1"]
