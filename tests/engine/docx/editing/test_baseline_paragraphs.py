"""Paragraphs of ours that stay when our marks are rejected: their properties are the baseline's."""

from __future__ import annotations

import pytest

from redraft.engine.docx.judging.fingerprint import fingerprint
from redraft.engine.docx.opc.package import Package
from redraft.engine.plan import (
    DeleteBlocks,
    DeleteTable,
    FormatText,
    InsertBlocks,
    InsertBreak,
    InsertRow,
    InsertTable,
    MergeBlocks,
    MoveBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    RewriteBlock,
    SetLink,
    SetParagraph,
    SetStyle,
    SplitBlock,
)
from redraft.engine.report import Selection
from redraft.engine.state import State, encode
from tests.engine.redlining import US, Draft
from tests.engine.wordml import docx, heading_style, ins, p, r, style, table
from tests.oracle import judged, keep, only

STYLES = style("Normal", default=True) + heading_style(1) + heading_style(2)
COMMENT = '<w:commentRangeStart w:id="0"/><w:commentRangeEnd w:id="0"/>'
OURS = f'<w:rPr><w:ins w:id="7" w:author="{US}"/><w:b/></w:rPr>'
TEXT = ins(r("gamma"), id=8, author=US)


def mark(number: int) -> str:
    return OURS.replace('"7"', f'"{number}"')


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
def test_what_is_put_behind_it_leaves_it_its_properties(
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
def test_anothers_undecided_formatting_stays_on_it(operation: Operation) -> None:
    theirs = '<w:pPrChange w:id="50" w:author="Ann"><w:pPr/></w:pPrChange>'
    draft = kept(left(change=theirs).edit(operation))
    assert draft.body.count('w:id="50"') == 1


NEW = (NewBlock("heading2", "delta"),)


@pytest.mark.parametrize(
    "operation",
    [
        InsertBreak("t1", "before", "section"),
        InsertBreak("p2", "after", "section"),
        InsertBlocks("t1", "before", NEW),
        InsertBlocks("p2", "after", NEW),
        InsertTable("t1", "before", (("A",),), header_row=False),
        MoveBlocks("p4", "p4", "t1", "before"),
    ],
    ids=str,
)
@pytest.mark.parametrize("point", ["", '<w:bookmarkStart w:id="7" w:name="b"/>'])
def test_what_comes_between_it_and_a_table_leaves_it_its_properties(
    operation: Operation, point: str
) -> None:
    end = '<w:bookmarkEnd w:id="7"/>' if point else ""
    draft = left(f"{point}{table(('A',))}{end}", p("beta"), p("end"))
    made = kept(draft.edit(operation))
    assert made.accepted != draft.accepted or "sectPr" in made.body
    kept(made.edit(DeleteBlocks("p2", "p2")))


POINTS = "".join(
    f'<w:bookmarkStart w:id="{n}" w:name="b{n}"/><w:bookmarkEnd w:id="{n}"/>' for n in (20, 21)
)


@pytest.mark.parametrize(
    "operation",
    [
        ReplaceText("p3", "beta", "new"),
        DeleteBlocks("p2", "p2"),
        DeleteBlocks("p3", "p3"),
        InsertBlocks("p3", "before", NEW),
        MergeBlocks("p2", "p3"),
        ReplaceText("p1", "alpha", "x"),
        MoveBlocks("p2", "p2", "p4", "after"),
        InsertTable("p3", "before", (("A",),), header_row=False),
        InsertBreak("p3", "before", "section"),
    ],
    ids=str,
)
def test_a_paragraph_that_joins_the_one_behind_some_points_is_seen_with_it(
    operation: Operation,
) -> None:
    made = kept(left(POINTS + p("beta gamma"), p("end")).edit(operation))
    if operation == DeleteBlocks("p2", "p2"):
        # It was ours, and what it holds of the baseline stands in the one behind the points again.
        assert made.changes == ()
    else:
        kept(made.decide("reject", Selection(author=US)))


def test_a_paragraph_that_stays_when_its_mark_is_rejected_stays_in_front_of_points() -> None:
    made = kept(left(POINTS + table(("A",)), p("end")).decide("reject", Selection(author=US)))
    assert made.body.index("commentRangeEnd") < made.body.index("bookmarkStart")


def test_a_table_of_ours_behind_it_does_not_hide_it() -> None:
    draft = left(table(("A",)), p("end")).edit(
        InsertTable("t1", "before", (("B",),), header_row=False)
    )
    kept(draft.edit(InsertBlocks("t1", "after", NEW)))


@pytest.mark.parametrize(
    "operation",
    [
        DeleteBlocks("p3", "p3"),
        DeleteBlocks("p2", "p3"),
        DeleteBlocks("p2", "p2"),
        MoveBlocks("p3", "t1", "p5", "after"),
        MoveBlocks("p3", "p3", "p1", "before"),
        MergeBlocks("p2", "p3"),
        SplitBlock("p3", "ta"),
        RewriteBlock("p3", "delta"),
        SetStyle("p2", "p3", "Normal"),
    ],
    ids=str,
)
@pytest.mark.parametrize("behind", [table(("A",)) + p("five"), ""])
def test_what_an_earlier_paragraph_holds_keeps_the_properties_of_the_last_one(
    operation: Operation, behind: str
) -> None:
    earlier = p(COMMENT, ins(r("one two"), id=12, author=US), style="Heading2", properties=mark(11))
    last = p(ins(r("beta"), id=14, author=US), style="Heading1", properties=mark(13))
    data = docx(
        "".join([p("alpha"), earlier, last, behind, p("end") if behind else ""]), styles=STYLES
    )
    ours = {11: "e0", 12: "e0", 13: "e0", 14: "e0"}
    state = encode(State(ours, frozenset(), fingerprint(Package.open(data), ours)))
    draft = Draft(data, state, data)
    if isinstance(operation, MoveBlocks) and not behind:
        operation = MoveBlocks("p3", "p3", "p1", "after")
    made = kept(draft.edit(operation))
    kept(made.decide("reject", Selection(author=US)))


@pytest.mark.parametrize(
    "operation", [InsertBlocks("p2", "after", NEW), MoveBlocks("p2", "p2", "p1", "before")]
)
def test_a_link_on_words_of_ours_does_not_leave_a_paragraph_behind(operation: Operation) -> None:
    draft = Draft.of(p("alpha"), table(("A",)), p("end"), styles=STYLES)
    draft = draft.edit(InsertBlocks("p1", "after", (NewBlock("paragraph", "gamma delta"),)))
    linked = draft.edit(SetLink("p2", "gamma", "https://example.org/"))
    kept(linked.edit(operation))


def test_a_run_that_shows_nothing_does_not_leave_a_paragraph_behind() -> None:
    bare = p("<w:r/>", TEXT, style="Heading1", properties=OURS)
    data = docx(p("alpha") + bare + table(("A",)) + p("end"), styles=STYLES)
    ours = {7: "e0", 8: "e0"}
    state = encode(State(ours, frozenset(), fingerprint(Package.open(data), ours)))
    kept(Draft(data, state, data).edit(InsertBlocks("t1", "before", NEW)))


def test_a_comment_that_an_earlier_paragraph_of_ours_holds_counts_too() -> None:
    bare = p(TEXT, style="Heading1", properties=OURS.replace('"7"', '"9"'))
    ending = p(COMMENT, style="Heading2", properties=OURS)
    data = docx(p("alpha") + ending + bare.replace('"8"', '"10"'), styles=STYLES)
    ours = {7: "e0", 9: "e0", 10: "e0"}
    state = encode(State(ours, frozenset(), fingerprint(Package.open(data), ours)))
    draft = Draft(data, state, data)
    made = kept(draft.edit(SetParagraph("p3", "p3", "alignment", "center")))
    assert "pPrChange" in made.body


def ended_by_table(*, is_behind: bool) -> Draft:
    """A cell that ends in a paragraph of ours, behind a table of ours that is half accepted."""
    draft = Draft.of(p("alpha"), table(("one", "two")), p("end"), styles=STYLES)
    draft = draft.edit(InsertTable("t1.r1.c1.p1", "after", (("A",), ("B",)), header_row=False))
    draft = draft.edit(InsertRow("t1.r1.c1.t1.r1", "after", ("new",)), uid="row")
    draft = draft.decide("accept", Selection(edit_uid="row"))
    if is_behind:
        draft = draft.edit(InsertBlocks("t1.r1.c1.p2", "after", (NewBlock("heading1", "beta"),)))
    return Draft(draft.data, draft.state, draft.data, edits=9)


def at_the_end(last: str) -> list[Operation]:
    """What can be done to the paragraph that ends the first cell, and around it."""
    first, inner = "t1.r1.c1.p1", "t1.r1.c1.t1"
    return [
        SetParagraph(last, last, "keep_with_next", "on"),
        SetStyle(last, last, "Heading 2"),
        FormatText(last, "", "italic", "on"),
        InsertBlocks(last, "after", NEW),
        InsertBlocks(last, "before", NEW),
        InsertTable(last, "after", (("C",),), header_row=False),
        InsertTable(last, "before", (("C",),), header_row=False),
        DeleteBlocks(last, last),
        MoveBlocks(last, last, first, "before"),
        MoveBlocks(first, first, last, "after"),
        MoveBlocks(inner, inner, first, "before"),
        DeleteTable(inner),
        RewriteBlock(last, "gamma"),
    ]


@pytest.mark.parametrize("number", range(len(at_the_end(""))))
@pytest.mark.parametrize("is_behind", [False, True])
def test_what_ends_a_cell_behind_a_table_keeps_its_properties(
    number: int, *, is_behind: bool
) -> None:
    draft = ended_by_table(is_behind=is_behind)
    operation = at_the_end("t1.r1.c1.p3" if is_behind else "t1.r1.c1.p2")[number]
    made = kept(draft.edit(operation))
    decided = made.decide("reject", Selection(author=US))
    assert judged(decided.data, keep) == judged(draft.data, only(US, "reject"))
