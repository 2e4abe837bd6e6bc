"""Anchors: physical counts through wrappers, stories in order, and the way back to the element."""

from __future__ import annotations

from pathlib import Path

import pytest

from redraft.engine.docx.anchors import Place, locate, places, stories
from redraft.engine.docx.opc.package import Package
from redraft.engine.errors import NotFoundError
from tests.engine.wordml import (
    docx,
    footnote,
    note,
    p,
    package_of,
    r,
    table,
    tc,
    text_of,
    textbox,
)


def words(place: Place) -> str:
    return text_of(place.element)


def listed(data: bytes) -> dict[str, str]:
    """Anchor -> text of every paragraph."""
    return {
        place.anchor: words(place)
        for place in places(Package.open(data))
        if place.kind == "paragraph"
    }


def test_paragraphs_and_tables_of_the_body_are_counted_apart() -> None:
    data = docx(p("one") + table(["a", "b"], ["c", "d"]) + p("two") + table(["e"]) + p("three"))
    assert listed(data) == {
        "p1": "one",
        "t1.r1.c1.p1": "a",
        "t1.r1.c2.p1": "b",
        "t1.r2.c1.p1": "c",
        "t1.r2.c2.p1": "d",
        "p2": "two",
        "t2.r1.c1.p1": "e",
        "p3": "three",
    }


def test_a_container_stands_before_what_it_holds() -> None:
    found = [(place.anchor, place.kind) for place in places(Package.open(docx(table(["x"]))))]
    assert found == [
        ("t1", "table"),
        ("t1.r1", "row"),
        ("t1.r1.c1", "cell"),
        ("t1.r1.c1.p1", "paragraph"),
    ]


def test_nested_tables_are_counted_in_their_cell() -> None:
    inner = table(["deep"]) + p("after")
    assert listed(docx(table(["a", p("before") + inner]))) == {
        "t1.r1.c1.p1": "a",
        "t1.r1.c2.p1": "before",
        "t1.r1.c2.t1.r1.c1.p1": "deep",
        "t1.r1.c2.p2": "after",
    }


@pytest.mark.parametrize(
    "wrapper",
    [
        "<w:sdt><w:sdtPr/><w:sdtContent>{}</w:sdtContent></w:sdt>",
        "<w:customXml>{}</w:customXml>",
        '<w:ins w:id="1" w:author="A">{}</w:ins>',
        '<w:del w:id="1" w:author="A">{}</w:del>',
        '<w:moveFrom w:id="1" w:author="A">{}</w:moveFrom>',
        '<w:moveTo w:id="1" w:author="A">{}</w:moveTo>',
        "<mc:AlternateContent><mc:Choice>{}</mc:Choice>"
        "<mc:Fallback><w:p/><w:p/></mc:Fallback></mc:AlternateContent>",
        "<mc:AlternateContent><mc:Fallback>{}</mc:Fallback></mc:AlternateContent>",
        "<w:sdt><w:sdtContent><w:customXml>{}</w:customXml></w:sdtContent></w:sdt>",
    ],
)
def test_blocks_are_counted_through_wrappers(wrapper: str) -> None:
    data = docx(p("one") + wrapper.format(p("two") + table(["x"])) + p("three"))
    assert listed(data) == {"p1": "one", "p2": "two", "t1.r1.c1.p1": "x", "p3": "three"}


def test_rows_and_cells_are_counted_through_content_controls() -> None:
    control = "<w:sdt><w:sdtPr/><w:sdtContent>{}</w:sdtContent></w:sdt>"
    rows = f"<w:tr>{tc('a')}{control.format(tc('b'))}</w:tr>"
    rows += control.format(f"<w:tr>{tc('c')}</w:tr>")
    data = docx(f"<w:tbl><w:tblPr/><w:tblGrid/>{rows}</w:tbl>")
    assert listed(data) == {"t1.r1.c1.p1": "a", "t1.r1.c2.p1": "b", "t1.r2.c1.p1": "c"}


def test_paragraphs_of_a_text_box_are_a_story_of_their_own_and_counted_once() -> None:
    nested = p("outer", textbox(p("inner")))
    data = docx(p("host", textbox(nested)) + p("second", textbox(p("last"))))
    package = Package.open(data)
    boxes = {s.anchor: s.kind for s in stories(package) if s.anchor}
    assert boxes == {"tb1": "textbox", "tb2": "textbox", "tb3": "textbox"}
    assert set(listed(data)) == {"p1", "p2", "tb1.p1", "tb2.p1", "tb3.p1"}
    assert listed(data)["tb2.p1"] == "inner"


def test_headers_come_by_first_reference_then_the_unreferenced() -> None:
    section = (
        '<w:sectPr><w:headerReference w:type="default" r:id="h2"/>'
        '<w:headerReference w:type="first" r:id="h2"/></w:sectPr>'
    )
    parts = {
        "document.xml": docx_part(p("x") + section),
        "one.xml": header("one"),
        "two.xml": header("two"),
    }
    linked = [("h1", "header", "one.xml"), ("h2", "header", "two.xml")]
    data = package_of(parts, linked, {})
    assert listed(data) == {"p1": "x", "h1.p1": "two", "h2.p1": "one"}


def test_notes_come_by_first_reference_and_separators_are_left_out() -> None:
    data = docx(
        p("a", note("7"), note("3")) + p("b", note("7")),
        footnotes='<w:footnote w:type="separator" w:id="-1"><w:p/></w:footnote>'
        + footnote("3", p("three"))
        + footnote("5", p("five"))
        + footnote("7", p("seven")),
        endnotes=footnote("1", p("end"), kind="endnote"),
        comments='<w:comment w:id="4" w:author="A"><w:p/></w:comment>',
    )
    found = listed(data)
    assert {k: v for k, v in found.items() if "." in k} == {
        "fn1.p1": "seven",
        "fn2.p1": "three",
        "fn3.p1": "five",
        "en1.p1": "end",
        "c1.p1": "",
    }


def test_every_place_is_located_by_its_anchor() -> None:
    data = docx(
        p("one", textbox(p("box"))) + table(["a", table(["deep"]) + p("b")]),
        headers=[p("top") + table(["h"])],
        footers=[p("foot")],
        footnotes=footnote("1", p("note")),
    )
    package = Package.open(data)
    found = list(places(package))
    assert len(found) == 19
    for place in found:
        assert locate(package, place.anchor) == place


@pytest.mark.parametrize(
    "anchor",
    [
        "p2", "p0", "t1", "", "h1", "h1.p1", "p1.p1", "p1.", "r1", "fn1.p1", "p2.b7", "p1\n",
        "tb1.p1", "p99999999999999999999", "P1", "c1",
    ],
)  # fmt: skip
def test_an_anchor_of_nothing_is_not_found(anchor: str) -> None:
    with pytest.raises(NotFoundError, match="no place"):
        locate(Package.open(docx(p("only"))), anchor)


def test_a_comment_anchor_is_not_mistaken_for_a_cell() -> None:
    data = docx(p("x"), comments=f'<w:comment w:id="0" w:author="A">{p("said")}</w:comment>')
    assert words(locate(Package.open(data), "c1.p1")) == "said"


def test_deep_wrappers_are_walked_without_recursion() -> None:
    deep = "<w:customXml>" * 400 + p("down") + "</w:customXml>" * 400
    assert listed(docx(deep)) == {"p1": "down"}


@pytest.mark.corpus
def test_anchors_of_the_corpus_are_unique_and_locate_the_same_element(corpus: Path) -> None:
    for path in sorted((corpus / "docx").glob("*.docx"))[::5]:
        package = Package.open(path.read_bytes())
        found = {place.anchor: place.element for place in places(package)}
        everything = list(places(package))
        assert len(found) == len(everything), path.name
        for anchor in list(found)[:: max(1, len(found) // 20)]:
            assert locate(package, anchor).element is found[anchor], (path.name, anchor)


def docx_part(body: str) -> str:
    return root("document", f"<w:body>{body}</w:body>")


def header(text: str) -> str:
    return root("hdr", p(r(text)))


def root(name: str, content: str) -> str:
    return (
        f'<w:{name} xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
        'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
        f"{content}</w:{name}>"
    )
