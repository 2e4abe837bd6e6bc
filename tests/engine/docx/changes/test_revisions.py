"""Tracked changes as a reviewer counts them."""

from __future__ import annotations

import pytest

from redraft.engine.docx.changes.revisions import changes
from redraft.engine.model import Revision
from redraft.engine.plan import DeleteBlocks, FindReplace, InsertBlocks, NewBlock, ReplaceText
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


def test_a_change_has_the_words_around_it_before_and_after_the_others() -> None:
    draft = Draft.of(p("The Supplier shall deliver the Goods.")).edit(
        ReplaceText("p1", "Supplier", "Seller"), ReplaceText("p1", "Goods", "Ware")
    )
    first, last = draft.changes
    assert (first.lead, first.trail) == ("The ", " shall deliver the Ware.")
    assert (first.original_lead, first.original_trail) == ("The ", " shall deliver the Goods.")
    assert (last.lead, last.original_lead) == (
        "The Seller shall deliver the ",
        "The Supplier shall deliver the ",
    )


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


def mark_ins(number: int) -> str:
    return f'<w:rPr><w:ins w:id="{number}" {BY}/></w:rPr>'


@pytest.mark.parametrize(
    ("content", "properties", "said"),
    [
        (ins('<w:r><w:br w:type="page"/></w:r>'), mark_ins(2), "[page break]"),
        (ins('<w:r><w:br w:type="column"/></w:r>'), mark_ins(2), "[column break]"),
        ("", mark_ins(2) + "<w:sectPr/>", "[section break]"),
    ],
)
def test_an_inserted_break_is_named_and_told_by_the_block_that_follows(
    content: str, properties: str, said: str
) -> None:
    (found,) = listed(p("one") + p(content, properties=properties) + p("two"))
    assert (found.kind, found.before, found.after) == ("insertion", "", said)
    assert (found.anchor, found.where) == ("p2", "two")


def test_a_struck_page_break_between_words_is_named_and_a_line_break_is_none() -> None:
    struck = '<w:del w:id="1" w:author="Ann"><w:r><w:br w:type="page"/></w:r></w:del>'
    line = '<w:r><w:br w:type="textWrapping"/></w:r>'
    (found,) = listed(p("one", line, struck, "two"))
    assert told((found,)) == [("deletion", "[page break]", "")]
    assert found.lead == "one\n"


def formatted(tag: str, *, by: str = BY, number: int = 1, was: str = "") -> str:
    return f'<w:{tag}/><w:rPrChange w:id="{number}" {by}><w:rPr>{was}</w:rPr></w:rPrChange>'


def test_the_format_of_a_paragraph_mark_is_one_change_with_that_of_the_runs() -> None:
    end = f"<w:rPr>{formatted('b')}</w:rPr>"
    (found,) = listed(p(r("word", formatted("b", number=2)), properties=end))
    assert (found.after, found.formatting) == ("word", (("bold", "", "on"),))


@pytest.mark.parametrize(
    "end",
    [
        formatted("i"),
        formatted("b", by='w:author="Ben" w:date="2026-01-01T00:00:00Z"'),
        formatted("b", by='w:author="Ann" w:date="2026-01-02T00:00:00Z"'),
        formatted("b", was="<w:i/>"),
    ],
)
def test_the_other_format_of_a_paragraph_mark_is_a_change_of_its_own(end: str) -> None:
    body = p(r("word", formatted("b", number=2)), properties=f"<w:rPr>{end}</w:rPr>")
    assert sorted(told(listed(body))) == [("format", "", ""), ("format", "word", "word")]


def grid(*former: int) -> str:
    now = '<w:gridCol w:w="1000"/>' * 2
    was = "".join(f'<w:gridCol w:w="{width}"/>' for width in former)
    change = f'<w:tblGridChange w:id="90"><w:tblGrid>{was}</w:tblGrid></w:tblGridChange>'
    return f"<w:tblGrid>{now}{change if former else ''}</w:tblGrid>"


def cell(text: str, number: int, *, was: str = "", mark: str = "", by: str = BY) -> str:
    change = f'<w:tcPrChange w:id="{number}" {by}><w:tcPr>{was}</w:tcPr></w:tcPrChange>'
    own = f'<w:{mark} w:id="{number}" {by}/>' if mark else ""
    width = '<w:tcW w:w="1000" w:type="dxa"/>'
    return f"<w:tc><w:tcPr>{width}{own}{change if was else ''}</w:tcPr>{p(text)}</w:tc>"


WIDE = '<w:tcW w:type="dxa" w:w="2000"/>'
BEN = 'w:author="Ben" w:date="2026-01-01T00:00:00Z"'


def a_table(frame: str, *rows: str) -> str:
    return f"<w:tbl><w:tblPr/>{frame}{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>"


@pytest.mark.parametrize("mark", ["cellIns", "cellDel"])
def test_a_column_of_another_is_one_change_with_the_widths_it_altered(mark: str) -> None:
    rows = [cell("a", n, was=WIDE) + cell("b", n + 1, mark=mark) for n in (10, 20)]
    (found,) = listed(a_table(grid(2000), *rows) + p("x"))
    assert (found.id, found.kind, found.author, found.anchor) == ("11", "cell", "Ann", "t1.r1.c2")


def test_what_else_a_cell_has_otherwise_or_another_author_did_stays_beside_a_column() -> None:
    shaded = f'{WIDE}<w:shd w:val="clear" w:fill="FFFF00"/>'
    body = a_table(
        grid(2000),
        cell("a", 10, was=shaded) + cell("b", 11, mark="cellIns"),
        cell("c", 20, was=WIDE, by=BEN) + cell("d", 21, mark="cellIns"),
    )
    found = [(c.kind, c.author, [each[0] for each in c.formatting]) for c in listed(body + p("x"))]
    assert found == [
        ("format", "Ann", ["cell width", "shd"]),
        ("cell", "Ann", []),
        ("format", "Ben", ["cell width"]),
    ]


def test_widths_go_with_the_column_of_their_own_table() -> None:
    column = a_table(grid(), cell("a", 10, was=WIDE) + cell("b", 11, mark="cellIns"))
    widths = a_table(grid(2000, 500), cell("c", 30, was=WIDE) + cell("d", 31, was=WIDE, by=BY))
    found = listed(column + p("x") + widths + p("y"))
    assert [(c.kind, c.author, c.anchor, c.formatting) for c in found] == [
        ("cell", "Ann", "t1.r1.c2", ()),
        ("format", "Ann", "t2", (("column widths", "100 pt, 25 pt", "50 pt, 50 pt"),)),
    ]
