"""Paragraphs made list items and items made paragraphs; the labels that a reader then sees."""

from __future__ import annotations

import re

import pytest

from redraft.engine.docx.apply import faults
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading import reader
from redraft.engine.errors import RefusedError
from redraft.engine.model import ListItem
from redraft.engine.plan import EditPlan, FormatText, InsertBlocks, NewBlock, SetList
from tests.engine.docx.steps.test_formatting import inner
from tests.engine.redlining import Draft
from tests.engine.schema import errors
from tests.engine.wordml import abstract_num, docx, level, listed, p, style, table

TWO_LEVELS = (level(0, "%1."), level(1, "%2)", "lowerLetter"))
NUMBERING = (
    abstract_num(0, *TWO_LEVELS)
    + abstract_num(1, level(0, "x", "bullet"), level(1, "o", "bullet"))
    + '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    + '<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>'
)


def labels(draft: Draft) -> list[str]:
    """The label of each item: `*` for a bullet, its depth as blanks before it; `-` for text."""
    found: list[str] = []
    for block in reader.read(Package.open(draft.data), "final").stories[0].blocks:
        if isinstance(block, ListItem):
            found.append("  " * block.depth + (block.label or "*"))
        else:
            found.append("-")
    return found


def made(*operations: SetList, body: str = "", numbering: str = NUMBERING) -> Draft:
    draft = Draft.of(body or p("a") + p("b") + p("c"), numbering=numbering)
    for operation in operations:
        draft = draft.edit(operation)
        assert draft.rejected == draft.original
        assert errors(draft.data) == []
    return draft


@pytest.mark.parametrize("numbering", ["", NUMBERING])
@pytest.mark.parametrize(
    ("operations", "expected"),
    [
        ([SetList("p1", "p3", "numbered")], ["1.", "2.", "3."]),
        ([SetList("p1", "p3", "bullet")], ["*", "*", "*"]),
        ([SetList("p1", "p2", "numbered"), SetList("p3", "p3", "numbered")], ["1.", "2.", "3."]),
        ([SetList("p2", "p3", "numbered"), SetList("p1", "p1", "numbered")], ["1.", "2.", "3."]),
        ([SetList("p1", "p1", "numbered"), SetList("p3", "p3", "numbered")], ["1.", "-", "1."]),
        ([SetList("p1", "p3", "bullet"), SetList("p2", "p2", "numbered")], ["*", "1.", "*"]),
        ([SetList("p1", "p3", "bullet"), SetList("p2", "p2", "none")], ["*", "-", "*"]),
        (
            [SetList("p1", "p3", "numbered"), SetList("p2", "p2", "numbered", 2)],
            ["1.", "  a.", "2."],
        ),
        ([SetList("p1", "p3", "numbered", 2)], ["a.", "b.", "c."]),
        (
            [SetList("p1", "p3", "numbered"), SetList("p2", "p2", "numbered", None, True)],
            ["1.", "1.", "2."],
        ),
    ],
)
def test_lists_are_made_joined_changed_and_ended(
    operations: list[SetList], expected: list[str], numbering: str
) -> None:
    assert labels(made(*operations, numbering=numbering)) == expected


def test_the_change_is_one_of_the_paragraph_and_said_in_words() -> None:
    draft = made(SetList("p1", "p1", "numbered"))
    number = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="3"/></w:numPr>'
    assert inner(draft).startswith(
        f"<w:p><w:pPr>{number}<w:pPrChange><w:pPr/></w:pPrChange></w:pPr>"
    )
    assert [c.formatting for c in draft.changes] == [(("numbering", "", "numbers, level 1"),)]


def test_an_existing_list_keeps_its_looks_on_another_level() -> None:
    body = listed("a") + listed("b") + p("c")
    draft = made(SetList("p2", "p2", "numbered", 2), body=body)
    assert labels(draft) == ["1.", "  a)", "-"]
    assert draft.changes[0].formatting == (("numbering", "numbers, level 1", "numbers, level 2"),)
    assert (
        draft.edit(SetList("p2", "p2", "numbered", 1)).body
        == Draft.of(body, numbering=NUMBERING).body
    )


def test_a_list_that_begins_anew_leaves_the_labels_before_it() -> None:
    body = "".join(listed(text) for text in "abcd")
    draft = made(SetList("p3", "p3", "numbered", None, True), body=body)
    assert labels(draft) == ["1.", "2.", "1.", "2."]
    override = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
    part = Package.open(draft.data).read("word/numbering.xml").decode()
    assert re.search(rf'<w:num w:numId="3"><w:abstractNumId w:val="0"/>{override}</w:num>', part)
    assert draft.changes[0].formatting[0][2] == "numbers, level 1, begun anew"


def test_another_list_of_the_document_goes_on_counting_as_before() -> None:
    body = listed("a") + p("b") + listed("c")
    draft = made(SetList("p2", "p2", "bullet"), body=body)
    assert labels(draft) == ["1.", "*", "2."]
    far = listed("a") + p("x") + p("b") + p("y") + listed("c")
    draft = made(SetList("p3", "p3", "numbered"), body=far)
    assert labels(draft) == ["1.", "-", "1.", "-", "2."]


def test_numbering_of_a_style_is_switched_off_and_on_again() -> None:
    numbered = '<w:numPr><w:numId w:val="1"/></w:numPr>'
    start = Draft.of(
        p("a", style="Num"),
        p("b", style="Num"),
        styles=style("Num", ppr=numbered),
        numbering=NUMBERING,
    )
    off = start.edit(SetList("p1", "p1", "none"))
    assert labels(off) == ["-", "1."]
    assert '<w:numId w:val="0"/>' in off.body
    assert off.changes[0].formatting == (("numbering", "", "none"),)
    assert off.edit(SetList("p1", "p1", "numbered")).body == start.body
    deeper = start.edit(SetList("p2", "p2", "numbered", 2))
    assert labels(deeper) == ["1.", "  a)"]


def test_a_direct_indent_gives_way_to_that_of_the_list_and_comes_back_with_the_paragraph() -> None:
    body = p("a", properties='<w:ind w:left="99"/><w:jc w:val="center"/>') + p("b")
    draft = made(SetList("p1", "p1", "bullet"), body=body)
    assert '<w:numId w:val="2"/></w:numPr><w:jc w:val="center"/><w:pPrChange>' in inner(draft)
    assert draft.edit(SetList("p1", "p1", "none")).body == Draft.of(body).body


def test_empty_paragraphs_among_others_get_no_number() -> None:
    draft = made(SetList("p1", "p3", "numbered"), body=p("a") + p() + p("c"))
    assert labels(draft) == ["1.", "-", "2."]
    alone = made(SetList("p1", "p1", "numbered"), body=p() + p("c"))
    assert inner(alone).count("<w:pPrChange>") == 1


def test_what_is_such_an_item_already_is_no_change() -> None:
    start = Draft.of(listed("a"), p("b"), numbering=NUMBERING)
    for operation in (
        SetList("p1", "p1", "numbered"),
        SetList("p1", "p1", "numbered", 1),
        SetList("p2", "p2", "none"),
    ):
        assert start.edit(operation).data == start.data


def test_items_of_a_cell_are_listed() -> None:
    draft = made(SetList("t1", "t1", "numbered"), body=table(["a", "b"]) + p("x"))
    assert [c.formatting[0][2] for c in draft.changes] == ["numbers, level 1"] * 2


def test_new_paragraphs_of_ours_are_listed_without_a_mark() -> None:
    draft = Draft.of(p("a"), p("b")).edit(
        InsertBlocks("p1", "after", (NewBlock("paragraph", "x"),))
    )
    draft = draft.edit(SetList("p2", "p2", "numbered"), FormatText("p1", "a", "bold", "on"))
    assert "pPrChange" not in draft.body
    assert labels(draft) == ["-", "1.", "-"]


def test_a_strict_file_gets_a_strict_list() -> None:
    draft = Draft.of(p("a"), p("b"), strict=True).edit(SetList("p1", "p2", "numbered"))
    assert labels(draft) == ["1.", "2."]
    part = Package.open(draft.data).read("word/numbering.xml").decode()
    assert "purl.oclc.org" in part
    assert 'w:start="720"' in part


def test_an_untracked_document_has_the_list_at_once() -> None:
    draft = Draft.of(p("a"), p("b")).edit(SetList("p1", "p2", "bullet"), tracked=False)
    assert "Change" not in draft.body
    assert labels(draft) == ["*", "*"]


def test_anothers_tracked_numbering_is_not_overwritten() -> None:
    mark = '<w:ins w:id="5" w:author="Ann"/>'
    ppr = f'<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/>{mark}</w:numPr>'
    start = Draft.of(p("a", properties=ppr), p("b"), numbering=NUMBERING)
    with pytest.raises(RefusedError, match="another author's tracked change of its numbering"):
        start.edit(SetList("p1", "p1", "none"))


def test_a_level_that_is_none_is_answered_with_what_is_valid() -> None:
    plan = EditPlan("edit", "", (SetList("p1", "p1", "bullet", 10),))
    found = faults(Package.open(docx(p("a"))), plan)
    assert [(fault.code, fault.message) for fault in found] == [
        ("bad_value", "There is no list level 10; valid is 1 to 9")
    ]


@pytest.mark.parametrize(
    "operation",
    [
        SetList("p1", "p1", "numbered"),
        SetList("p1", "p1", "bullet", 2),
        *(
            InsertBlocks("p1", "after", (NewBlock(kind, "new"),))
            for kind in ("numbered", "numbered2", "bullet", "bullet3")
        ),
    ],
)
def test_every_definition_of_a_list_has_its_nine_levels(
    operation: SetList | InsertBlocks,
) -> None:
    draft = Draft.of(p("a"), p("b")).edit(operation)
    numbering = Package.open(draft.data).read("word/numbering.xml").decode()
    definitions = numbering.split("</w:abstractNum>")[:-1]
    assert definitions
    for definition in definitions:
        levels = re.findall(r'<w:lvl w:ilvl="(\d)"', definition)
        assert levels == [str(at) for at in range(9)]
        assert definition.count("<w:pStyle ") <= 1
    assert errors(draft.data) == []
