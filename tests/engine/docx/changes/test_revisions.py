"""Tracked changes as a reviewer counts them."""

from __future__ import annotations

from engine.docx.changes.revisions import changes
from engine.model import Revision
from engine.plan import DeleteBlocks, FindReplace, InsertBlocks, NewBlock, ReplaceText
from tests.engine.redlining import Draft
from tests.engine.wordml import dele, docx, footnote, heading_style, ins, p, r, table

BY = 'w:author="Ann" w:date="2026-01-01T00:00:00Z"'


def listed(body: str, **parts: str) -> tuple[Revision, ...]:
    return changes(docx(body, styles=parts.get("styles", "")), b"")


def told(found: tuple[Revision, ...]) -> list[tuple[str, str, str]]:
    return [(change.kind, change.before, change.after) for change in found]


def test_struck_and_written_words_at_one_place_are_a_replacement() -> None:
    body = p(
        "a ", dele("b", id=1), ins(r("c"), id=2), " d ", ins(r("e"), id=3), " ", dele("f", id=4)
    )
    assert told(listed(body)) == [
        ("replacement", "b", "c"),
        ("insertion", "", "e"),
        ("deletion", "f", ""),
    ]


def test_changes_of_two_authors_are_two() -> None:
    body = p(ins(r("a"), id=1), ins(r("b"), id=2, author="Ben"))
    assert [(c.author, c.after) for c in listed(body)] == [("Ann", "a"), ("Ben", "b")]


def test_a_bookmark_between_marks_does_not_part_them() -> None:
    body = p(dele("a", id=1), '<w:bookmarkStart w:id="9" w:name="x"/>', ins(r("b"), id=2))
    assert told(listed(body)) == [("replacement", "a", "b")]


def test_a_deletion_in_an_insertion_is_listed_beside_it() -> None:
    body = p(ins(r("new ") + dele("gone", id=2, author="Ben"), id=1))
    assert [(c.author, c.kind) for c in listed(body)] == [("Ann", "insertion"), ("Ben", "deletion")]


def test_paragraphs_inserted_one_after_the_other_are_one_change() -> None:
    mark = f'<w:rPr><w:ins w:id="{{}}" {BY}/></w:rPr>'
    body = p(ins(r("one"), id=1), properties=mark.format(2)) + p(
        ins(r("two"), id=3), properties=mark.format(4)
    )
    assert told(listed(body + p("kept"))) == [("insertion", "", "one\ntwo")]


def test_a_mark_alone_is_a_change_of_the_paragraph() -> None:
    body = p("one", properties=f'<w:rPr><w:ins w:id="2" {BY}/></w:rPr>') + p("two")
    assert told(listed(body)) == [("paragraph", "", "")]


def test_formatting_is_told_as_old_and_new() -> None:
    change = f'<w:rPrChange w:id="1" {BY}><w:rPr><w:sz w:val="20"/><w:i/></w:rPr></w:rPrChange>'
    body = p("x ", r("word", f'<w:b/><w:sz w:val="24"/>{change}'))
    (found,) = listed(body)
    assert found.kind == "format"
    assert found.before == found.after == "word"
    assert sorted(found.formatting) == [
        ("bold", "", "on"),
        ("italic", "on", ""),
        ("size", "10 pt", "12 pt"),
    ]
    change = f'<w:pPrChange w:id="1" {BY}><w:pPr/></w:pPrChange>'
    (found,) = listed(p("x", style="Heading1", properties=change))
    assert found.formatting == (("style", "", "Heading1"),)


def test_a_row_and_what_it_holds_are_one_change_and_all_rows_a_table() -> None:
    def row(text: str, number: int) -> str:
        return (
            f'<w:tr><w:trPr><w:del w:id="{number}" {BY}/></w:trPr>'
            f"<w:tc>{p(dele(text, id=number + 1))}</w:tc></w:tr>"
        )

    kept = "<w:tr><w:tc><w:p/></w:tc></w:tr>"
    (found,) = listed(f"<w:tbl><w:tblPr/>{kept}{row('a', 10)}{row('b', 20)}</w:tbl>" + p("x"))
    assert (found.kind, found.anchor) == ("row", "t1.r2")
    assert "a" in found.before
    assert "b" in found.before
    (found,) = listed(f"<w:tbl><w:tblPr/>{row('a', 10)}{row('b', 20)}</w:tbl>" + p("x"))
    assert found.kind == "table"


def test_a_move_is_one_change_with_both_its_ends() -> None:
    def moved(kind: str, number: int) -> str:
        return (
            f'<w:{kind}RangeStart w:id="{number}" {BY} w:name="m"/>'
            f'<w:{kind} w:id="{number + 1}" {BY}>{r("x")}</w:{kind}>'
            f'<w:{kind}RangeEnd w:id="{number}"/>'
        )

    body = p("a", moved("moveFrom", 10)) + p("kept") + p("b", moved("moveTo", 20))
    assert told(listed(body)) == [("move", "x", "x")]


def test_a_change_says_where_it_is() -> None:
    draft = Draft.of(
        p("1. Services", style="Heading1"),
        p("1.1 Scope", style="Heading2"),
        p("The Supplier shall deliver."),
        table(["Item", "Fee"]),
        styles=heading_style(1) + heading_style(2),
        footnotes=footnote("2", p("A fee note.")),
        headers=[p("Fee schedule")],
    ).edit(ReplaceText("p3", "shall", "must"), FindReplace("fee", "cost"))
    assert [(c.anchor, c.where) for c in draft.changes] == [
        ("p3", "1. Services \u203a 1.1 Scope \u00b7 The Supplier must deliver."),
        ("t1.r1.c2.p1", "1. Services \u203a 1.1 Scope \u203a Table 1, row 1, column 2 \u00b7 Cost"),
        ("h1.p1", "Header 1 \u00b7 Cost schedule"),
        ("fn1.p1", "Footnote 1 \u00b7 A cost note."),
    ]
    assert (draft.changes[0].lead, draft.changes[0].trail) == ("The Supplier ", " deliver.")


def test_ours_are_those_of_the_map_and_name_their_edits() -> None:
    draft = Draft.of(p("one two ", ins(r("x"), id=5, author="us"))).edit(
        ReplaceText("p1", "one", "1"), uid="uid-1"
    )
    assert [(c.edits, c.is_ours) for c in draft.changes] == [(("uid-1",), True), ((), False)]


def test_inserted_and_deleted_blocks_beside_each_other_are_two_changes_when_text_is_between() -> (
    None
):
    draft = Draft.of(p("one"), p("two"), p("three")).edit(
        InsertBlocks("p1", "after", (NewBlock("like_anchor", "x"),)), DeleteBlocks("p3", "p3")
    )
    assert told(draft.changes) == [("insertion", "", "x"), ("deletion", "three", "")]


def test_a_deleted_heading_is_named_where_its_section_was() -> None:
    gone = '<w:rPr><w:del w:id="8" w:author="Ann"/></w:rPr>'
    body = p(dele("Price"), style="Heading1", properties=gone) + p("It is fixed.")
    (change,) = changes(docx(body, styles=heading_style(1)), b"")
    assert change.where == "Price"
