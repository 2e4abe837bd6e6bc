"""Paragraphs of ours that stay when our marks are rejected: their properties are the baseline's."""

from __future__ import annotations

import pytest

from engine.docx.judging.fingerprint import fingerprint
from engine.docx.package import Package
from engine.errors import RefusedError
from engine.plan import (
    DeleteBlocks,
    FormatText,
    InsertBlocks,
    InsertTable,
    NewBlock,
    Operation,
    SetParagraph,
    SetStyle,
)
from engine.state import State, encode
from tests.engine.redlining import US, Draft
from tests.engine.wordml import docx, heading_style, ins, p, r, style, table
from tests.oracle import judged, only

STYLES = style("Normal", default=True) + heading_style(1) + heading_style(2)
COMMENT = '<w:commentRangeStart w:id="0"/><w:commentRangeEnd w:id="0"/>'
OURS = f'<w:rPr><w:ins w:id="7" w:author="{US}"/><w:b/></w:rPr>'
TEXT = ins(r("gamma"), id=8, author=US)


def left(*behind: str, before: str = "", change: str = "") -> Draft:
    """Our paragraph, that holds the markers of a comment, is the last one before what is behind."""
    ending = p(COMMENT, TEXT, style="Heading1", properties=OURS + change)
    data = docx("".join([p("alpha"), before, ending, *behind]), styles=STYLES)
    ours = {7: "e0", 8: "e0"}
    state = encode(State(ours, frozenset(), fingerprint(Package.open(data), ours)))
    return Draft(data, state, data)


def kept(draft: Draft) -> Draft:
    assert judged(draft.data, only(US, "reject")) == judged(draft.upload, only(US, "reject"))
    return draft


@pytest.mark.parametrize(
    "operation",
    [
        SetParagraph("p2", "p2", "keep_with_next", "on"),
        SetStyle("p2", "p2", "Heading 2"),
        FormatText("p2", "", "italic", "on"),
    ],
    ids=lambda each: type(each).__name__,
)
@pytest.mark.parametrize("behind", ["", table(("A",)) + p("end")])
def test_its_formatting_is_recorded(operation: Operation, behind: str) -> None:
    draft = kept(left(behind).edit(operation))
    assert "PrChange" in draft.body


def test_formatting_of_a_paragraph_that_goes_with_its_mark_is_not_recorded() -> None:
    draft = kept(left(p("end")).edit(SetStyle("p2", "p2", "Heading 2")))
    assert 'w:val="Heading2"' in draft.body
    assert "PrChange" not in draft.body


@pytest.mark.parametrize(
    "operation",
    [
        InsertTable("p2", "after", (("A",),), header_row=False),
        InsertBlocks("p2", "after", (NewBlock("like_anchor", "delta"),)),
        InsertBlocks("p2", "after", (NewBlock("heading2", "delta"),)),
    ],
    ids=["table", "alike", "heading"],
)
def test_what_is_put_behind_it_takes_over_the_properties_of_the_baseline(
    operation: Operation,
) -> None:
    draft = kept(left().edit(operation))
    kept(draft.edit(SetStyle("p2", "p2", "Heading 2")))
    kept(draft.edit(DeleteBlocks("p2", "p2")))


@pytest.mark.parametrize(
    "operation",
    [
        InsertTable("p2", "after", (("A",),), header_row=False),
        InsertBlocks("p2", "after", (NewBlock("heading2", "delta"),)),
    ],
)
def test_nothing_is_put_behind_it_while_anothers_formatting_is_undecided(
    operation: Operation,
) -> None:
    theirs = '<w:pPrChange w:id="50" w:author="Ann"><w:pPr/></w:pPrChange>'
    with pytest.raises(RefusedError, match="accept or reject that change first"):
        left(change=theirs).edit(operation)


def test_a_comment_that_an_earlier_paragraph_of_ours_holds_counts_too() -> None:
    bare = p(TEXT, style="Heading1", properties=OURS.replace('"7"', '"9"'))
    ending = p(COMMENT, style="Heading2", properties=OURS)
    data = docx(p("alpha") + ending + bare.replace('"8"', '"10"'), styles=STYLES)
    ours = {7: "e0", 9: "e0", 10: "e0"}
    state = encode(State(ours, frozenset(), fingerprint(Package.open(data), ours)))
    draft = Draft(data, state, data)
    made = kept(draft.edit(SetParagraph("p3", "p3", "alignment", "center")))
    assert "pPrChange" in made.body
