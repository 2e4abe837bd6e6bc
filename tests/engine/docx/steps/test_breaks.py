"""Page, column and section breaks as tracked insertions."""

from __future__ import annotations

from typing import Literal

import pytest

from redraft.engine.errors import RefusedError
from redraft.engine.plan import DeleteBlocks, InsertBreak
from redraft.engine.report import Selection
from tests.engine.redlining import Draft
from tests.engine.wordml import p, table

ALL = Selection(all=True)
BODY = (p("One", style="Heading1"), table(["x"]), p("last"))


@pytest.mark.parametrize("kind", ["page", "column", "section"])
@pytest.mark.parametrize("anchor", ["p1", "t1", "p2"])
@pytest.mark.parametrize("where", ["before", "after"])
def test_a_break_is_inserted_deleted_and_rejected(kind: str, anchor: str, where: str) -> None:
    draft = Draft.of(*BODY)
    made = draft.edit(InsertBreak(anchor, where, kind))  # pyright: ignore[reportArgumentType]
    assert made.rejected == made.original
    assert [text for text in made.accepted if text.strip()] == draft.accepted
    sign = "<w:sectPr" if kind == "section" else f'<w:br w:type="{kind}"/>'
    assert made.body.count(sign) == draft.body.count(sign) + 1
    assert made.decide("accept", ALL).body.count(sign) == draft.body.count(sign) + 1
    assert made.decide("reject", ALL).body == draft.body


def test_the_first_part_of_a_section_keeps_its_properties_headers_included() -> None:
    draft = Draft.of(p("a"), p("b"), headers=(p("H"),)).edit(InsertBreak("p1", "after", "section"))
    assert draft.body.count("<w:headerReference") == draft.body.count("<w:pgSz") == 2


def test_a_break_of_ours_that_is_deleted_leaves_nothing() -> None:
    draft = Draft.of(p("a"), p("b"))
    for kind in ("page", "section"):
        made = draft.edit(InsertBreak("p1", "after", kind))  # pyright: ignore[reportArgumentType]
        assert made.edit(DeleteBlocks("p2", "p2")).body == draft.body


def test_a_continuous_section_and_its_page_numbers_are_told_of() -> None:
    section = '<w:sectPr><w:type w:val="continuous"/><w:pgNumType w:start="1"/></w:sectPr>'
    made = Draft.of(p("a"), p("b"), section=section).edit(InsertBreak("p2", "before", "section"))
    assert made.report is not None
    assert len(made.report.warnings) == 2


@pytest.mark.parametrize("anchor", ["t1.r1.c1.p1", "h1.p1"])
def test_a_break_stands_in_the_body_only(anchor: str) -> None:
    with pytest.raises(RefusedError, match="only stand in the body"):
        Draft.of(*BODY, headers=(p("H"),)).edit(InsertBreak(anchor, "before", "page"))


@pytest.mark.parametrize(
    ("where", "gone"),
    [
        ("after", DeleteBlocks("p3", "p3")),
        ("after", DeleteBlocks("p2", "p3")),
        ("after", DeleteBlocks("p1", "p4")),
        ("before", DeleteBlocks("p2", "p2")),
        ("before", DeleteBlocks("p2", "p3")),
    ],
)
def test_a_new_section_break_is_deleted_again_alone_or_with_what_is_beside_it(
    where: Literal["before", "after"], gone: DeleteBlocks
) -> None:
    start = Draft.of(p("a"), p("b"), p("c"), p("d"))
    made = start.edit(InsertBreak("p2", where, "section")).edit(gone)
    assert made.body.count("<w:sectPr") == start.body.count("<w:sectPr")
    assert made.rejected == start.original
