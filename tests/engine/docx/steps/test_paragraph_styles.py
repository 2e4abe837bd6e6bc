"""Styles of paragraphs: headings made of text, levels changed, styles made on demand."""

from __future__ import annotations

import pytest

from redraft.engine.docx.apply import faults
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading import reader
from redraft.engine.errors import PlanError, RefusedError
from redraft.engine.model import Heading, ListItem, Paragraph
from redraft.engine.plan import (
    DeleteBlocks,
    EditPlan,
    InsertBlocks,
    MergeBlocks,
    NewBlock,
    SetStyle,
)
from redraft.engine.report import Selection
from tests.engine.docx.steps.test_formatting import inner
from tests.engine.redlining import Draft
from tests.engine.schema import errors
from tests.engine.wordml import (
    SECTION,
    abstract_num,
    footnote,
    heading_style,
    level,
    listed,
    note,
    p,
    style,
    table,
    textbox,
)

STYLES = style("Normal", default=True) + heading_style(1) + heading_style(2)
NUMBERING = abstract_num(0, level(0, "%1.")) + (
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
)
THEIRS = '<w:pPrChange w:id="7" w:author="Ann"><w:pPr/></w:pPrChange>'


def shown(draft: Draft) -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    for block in reader.read(Package.open(draft.data), "final").stories[0].blocks:
        match block:
            case Heading():
                found.append(("h", block.level))
            case ListItem():
                found.append(("li", block.label))
            case Paragraph():
                found.append(("p", block.style))
            case _:
                found.append(("other", ""))
    return found


def test_47_a_heading_level_is_a_change_of_the_style_and_nothing_else() -> None:
    start = Draft.of(p("Terms", style="Heading1"), p("text"), styles=STYLES)
    draft = start.edit(SetStyle("p1", "p1", "Heading 2"))
    assert inner(draft) == (
        '<w:p><w:pPr><w:pStyle w:val="Heading2"/><w:pPrChange><w:pPr><w:pStyle w:val="Heading1"/>'
        "</w:pPr></w:pPrChange></w:pPr><w:r><w:t>Terms</w:t></w:r></w:p>"
        "<w:p><w:r><w:t>text</w:t></w:r></w:p>"
    )
    assert shown(draft) == [("h", 2), ("p", "normal")]
    assert draft.rejected == draft.original
    assert errors(draft.data) == []
    change = draft.changes[0]
    assert (change.kind, change.formatting) == ("format", (("style", "heading 1", "heading 2"),))
    assert change.where == "Terms"


def test_48_a_paragraph_with_rsids_gets_its_change_without_mark_and_section() -> None:
    ppr = f'<w:jc w:val="center"/><w:rPr><w:b/></w:rPr>{SECTION}'
    body = p("a", properties=ppr).replace("<w:p>", '<w:p w:rsidR="00AA11BB">', 1)
    draft = Draft.of(body, p("b"), styles=STYLES).edit(SetStyle("p1", "p1", "Heading 1"))
    assert (
        f'<w:pPr><w:pStyle w:val="Heading1"/><w:jc w:val="center"/><w:rPr><w:b/></w:rPr>{SECTION}'
        '<w:pPrChange><w:pPr><w:jc w:val="center"/></w:pPr></w:pPrChange></w:pPr>'
    ) in inner(draft)
    assert 'w:rsidR="00AA11BB"' in inner(draft)
    assert draft.rejected == draft.original
    assert draft.decide("reject", Selection(all=True)).body == Draft.of(body, p("b")).body


def test_the_style_that_a_paragraph_has_is_no_change() -> None:
    start = Draft.of(p("a", style="Heading1"), p("b"), styles=STYLES)
    assert start.edit(SetStyle("p1", "p1", "heading 1")).data == start.data
    assert start.edit(SetStyle("p2", "p2", "Normal")).data == start.data


def test_two_changes_are_one_and_back_is_none() -> None:
    start = Draft.of(p("a", style="Heading1"), p("b"), styles=STYLES)
    draft = start.edit(SetStyle("p1", "p2", "Heading 2")).edit(SetStyle("p1", "p2", "Normal"))
    assert [c.formatting for c in draft.changes] == [(("style", "heading 1", ""),)]
    assert draft.edit(SetStyle("p1", "p1", "Heading 1")).body == start.body


def test_normal_is_the_default_style_by_whatever_id_and_needs_no_name_in_the_paragraph() -> None:
    styles = style("Standard", name="Normal", default=True) + heading_style(1)
    draft = Draft.of(p("a", style="Heading1"), styles=styles)
    draft = draft.edit(SetStyle("p1", "p1", "Normal"))
    assert "<w:pPr><w:pPrChange>" in inner(draft)


def test_a_list_item_made_a_heading_leaves_its_list_and_comes_back_to_it() -> None:
    start = Draft.of(listed("a"), listed("b"), styles=STYLES, numbering=NUMBERING)
    draft = start.edit(SetStyle("p1", "p1", "Heading 1"))
    assert shown(draft) == [("h", 1), ("li", "1.")]
    assert draft.rejected == draft.original
    assert draft.edit(SetStyle("p1", "p1", "Normal")).body == start.body


def test_a_direct_outline_level_does_not_outlive_its_style() -> None:
    body = p("a", properties='<w:outlineLvl w:val="0"/>')
    draft = Draft.of(body, styles=STYLES).edit(SetStyle("p1", "p1", "Heading 2"))
    assert shown(draft) == [("h", 2)]
    assert draft.rejected == draft.original


@pytest.mark.parametrize("name", ["Heading 3", "title", "Quote", "List Bullet", "List Number"])
@pytest.mark.parametrize("styles", ["", STYLES])
def test_a_built_in_style_is_made_when_the_document_lacks_it(name: str, styles: str) -> None:
    start = Draft.of(p("a"), p("b"), styles=styles)
    draft = start.edit(SetStyle("p1", "p2", name))
    assert draft.rejected == draft.original
    assert [c.formatting[0][2].lower() for c in draft.changes] == [name.lower()] * 2
    assert errors(draft.data) == []
    assert draft.edit(SetStyle("p1", "p2", "Normal")).body == start.body


def test_a_new_paragraph_of_ours_is_styled_without_a_mark() -> None:
    start = Draft.of(p("a"), p("b"), styles=STYLES)
    draft = start.edit(InsertBlocks("p1", "after", (NewBlock("paragraph", "new"),)))
    draft = draft.edit(SetStyle("p2", "p2", "Heading 1"))
    assert "pPrChange" not in draft.body
    assert shown(draft)[1] == ("h", 1)
    assert draft.rejected == draft.original


def test_all_paragraphs_of_a_stretch_and_of_a_table_between_are_styled() -> None:
    start = Draft.of(p("a"), table(["b", "c"]), p("d"), p("e"), styles=STYLES)
    draft = start.edit(SetStyle("p1", "p2", "Heading 1"))
    assert inner(draft).count("<w:pPrChange>") == 4
    cell = start.edit(SetStyle("t1.r1.c2", "t1.r1.c2", "Heading 1"))
    assert [c.where for c in cell.changes] == ["Table 1, row 1, column 2 \u00b7 c"]
    assert draft.rejected == draft.original


def test_a_paragraph_that_joins_the_next_one_has_no_style_of_its_own_to_change() -> None:
    start = Draft.of(p("a"), p("b"), p("c"), styles=STYLES).edit(MergeBlocks("p1", "p2"))
    draft = start.edit(SetStyle("p1", "p1", "Heading 1"))
    assert inner(draft).count("<w:pPrChange>") == 1
    assert shown(draft)[0] == ("h", 1)
    assert draft.rejected == draft.original


@pytest.mark.parametrize("anchor", ["h1.p1", "fn1.p1", "tb1.p1"])
def test_every_story_has_paragraphs_with_styles(anchor: str) -> None:
    start = Draft.of(
        p("x", note("2"), textbox(p("one"))),
        headers=(p("one"),),
        footnotes=footnote("2", p("one")),
        styles=STYLES,
    )
    draft = start.edit(SetStyle(anchor, anchor, "Heading 1"))
    assert draft.rejected == draft.original
    assert len(draft.changes) == 1
    back = draft.decide("reject", Selection(all=True))
    assert back.body == start.body


def test_a_deletion_of_a_styled_paragraph_keeps_both_changes_and_undoes_both() -> None:
    start = Draft.of(p("a"), p("b"), p("c"), styles=STYLES)
    draft = start.edit(SetStyle("p2", "p2", "Heading 1")).edit(DeleteBlocks("p2", "p2"))
    assert draft.accepted == ["a", "c"]
    assert draft.rejected == draft.original


def test_an_untracked_document_has_the_style_at_once() -> None:
    start = Draft.of(p("a"), p("b"), styles=STYLES)
    draft = start.edit(SetStyle("p1", "p1", "Heading 1"), tracked=False)
    assert inner(draft).startswith('<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r>')


def test_an_unknown_style_is_answered_with_those_in_use() -> None:
    start = Draft.of(p("a", style="Heading1"), styles=STYLES + style("Unused"))
    plan = EditPlan("edit", "", (SetStyle("p1", "p1", "Clause"),))
    found = faults(Package.open(start.data), plan)
    assert [fault.code for fault in found] == ["unknown_style"]
    assert "in use are Normal, heading 1. Word's own" in found[0].message
    with pytest.raises(PlanError):
        start.edit(*plan.operations)


def test_another_authors_change_of_the_paragraph_is_not_overwritten() -> None:
    start = Draft.of(p("a", style="Heading1", properties=THEIRS), p("b"), styles=STYLES)
    with pytest.raises(RefusedError, match="accept or reject that change first"):
        start.edit(SetStyle("p1", "p2", "Heading 2"))


def test_blocks_of_two_stories_are_no_stretch() -> None:
    start = Draft.of(p("a"), headers=(p("b"),), styles=STYLES)
    with pytest.raises(PlanError, match="one story"):
        start.edit(SetStyle("p1", "h1.p1", "Heading 1"))
