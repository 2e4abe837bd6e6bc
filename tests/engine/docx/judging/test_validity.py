"""What Word would take for damage is named; what is sound is not."""

from __future__ import annotations

import pytest
from lxml import etree

from redraft.engine.docx.judging.validity import faults, links_lost, written_links
from redraft.engine.docx.names import W_FLD_CHAR
from tests.engine.wordml import NAMESPACES, dele, field, ins, p, r, table, tc, textbox

CELL_END = "a cell that does not end in a paragraph"
POINT = '<w:bookmarkEnd w:id="1"/>'
CONTROL = f"<w:sdt><w:sdtContent>{p('a')}</w:sdtContent></w:sdt>"


def found(body: str) -> list[str]:
    return list(faults(etree.fromstring(f"<w:body {NAMESPACES}>{body}</w:body>")))


def row(*cells: str) -> str:
    return f"<w:tbl><w:tr>{''.join(cells)}</w:tr></w:tbl>"


@pytest.mark.parametrize(
    "body",
    [
        table(["a", "b"]),
        row(tc(table(["a"]) + p())),
        row(tc(p("a") + POINT)),
        row(tc(CONTROL)),
        p(ins(r("a") + dele("b"))),
        p(textbox(table(["a"]) + p())),
    ],
)
def test_what_is_sound_has_no_fault(body: str) -> None:
    assert found(body) == []


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (row(tc(p("a") + table(["b"]))), CELL_END),
        (row("<w:tc/>"), CELL_END),
        (row("<w:tc><w:tcPr/></w:tc>"), CELL_END),
        (row(f"<w:tc>{POINT}</w:tc>"), CELL_END),
        (p(textbox(row(tc(table(["b"]))) + p())), CELL_END),
        (row(), "a row without cells"),
        ("<w:tbl><w:tblPr/></w:tbl>", "a table without rows"),
        (p(f"<w:del>{r('a')}</w:del>"), "w:t inside a deletion"),
        (p("<w:r><w:delText>a</w:delText></w:r>"), "w:delText outside a deletion"),
        (p(ins(ins(r("a")))), "w:ins inside w:ins"),
        (p(properties="<w:rPr><w:del/><w:del/></w:rPr>"), "a paragraph mark marked twice"),
    ],
)
def test_damage_is_named(body: str, fault: str) -> None:
    assert set(found(body)) == {fault}


@pytest.mark.parametrize(
    ("gone", "lost"), [([0, 1, 2], {"begin": 1, "separate": 1, "end": 1}), ([2], {}), ([0], {})]
)
def test_a_field_of_ours_is_lost_whole_or_not_at_all(gone: list[int], lost: dict[str, int]) -> None:
    body = p(ins(field("PAGE", "1"), id=7)) + p(field("PAGE", "2"))
    root = etree.fromstring(f"<w:body {NAMESPACES}>{body}</w:body>")
    written = written_links(root, {7})
    assert [each.tag for each in written] == [W_FLD_CHAR] * 3
    for at in gone:
        run = written[at].getparent()
        assert run is not None
        run.remove(written[at])
    assert links_lost(written) == {f"fldChar {kind}": n for kind, n in lost.items()}
