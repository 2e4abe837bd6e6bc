"""What anchors of a plan mean, and what is said when they mean nothing."""

from __future__ import annotations

import pytest

from redraft.engine.docx.editing.anchored_elements import Finder, OperationError
from redraft.engine.docx.editing.document_index import Survey
from redraft.engine.docx.opc.package import Package
from redraft.engine.state import State
from tests.engine.wordml import dele, docx, p, table

GONE = '<w:rPr><w:del w:id="3" w:author="Ann" w:date="2026-01-02T03:04:05Z"/></w:rPr>'
BODY = p("a") + p("b ", properties=GONE) + p("c") + table(["x", p("y") + p("z")]) + p("d")


def finder(body: str = BODY) -> Finder:
    return Finder(Survey(Package.open(docx(body)), State()))


def test_a_paragraph_without_a_mark_is_one_block_with_the_next() -> None:
    found = finder()
    assert found.paragraph("p2").element is found.paragraph("p3").element
    assert [line.text for _, line in found.lines(found.paragraph("p3"))] == ["b ", "c"]


def test_a_stretch_begins_with_what_is_joined_to_its_first_block() -> None:
    assert [place.kind for place in finder().stretch("p3", "t1")] == [
        "paragraph",
        "paragraph",
        "table",
    ]


def test_the_anchor_of_a_cell_of_one_paragraph_means_that() -> None:
    assert finder().paragraph("t1.r1.c1").anchor == "t1.r1.c1.p1"


@pytest.mark.parametrize(
    ("anchor", "code"),
    [("p9", "unknown_block"), ("t1", "wrong_kind"), ("t1.r1.c2", "wrong_kind")],
)
def test_what_is_no_paragraph_has_a_code(anchor: str, code: str) -> None:
    with pytest.raises(OperationError) as failed:
        finder().paragraph(anchor)
    assert failed.value.code == code


@pytest.mark.parametrize(
    ("first", "last", "code"),
    [
        ("p3", "p1", "crosses_story"),
        ("p1", "t1.r1.c1.p1", "crosses_story"),
        ("p1", "t1.r1", "wrong_kind"),
    ],
)
def test_a_stretch_stands_in_one_story_or_cell(first: str, last: str, code: str) -> None:
    with pytest.raises(OperationError) as failed:
        finder().stretch(first, last)
    assert failed.value.code == code


def test_a_paragraph_of_which_nothing_is_left_is_not_there() -> None:
    struck = p(dele("all of it"), properties=GONE.replace("3", "4", 1))
    with pytest.raises(OperationError, match="is deleted"):
        finder(struck + p("x")).paragraph("p1")
