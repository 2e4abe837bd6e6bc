"""Accepting and rejecting tracked changes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from redraft.engine.docx.accept_reject import part_tree, whole_package
from redraft.engine.docx.changes.accept_or_reject import clean, resolve
from redraft.engine.docx.changes.revisions import changes
from redraft.engine.docx.judging.fingerprint import fingerprint
from redraft.engine.docx.names import W_TC
from redraft.engine.docx.opc.package import Package
from redraft.engine.errors import NotFoundError, VerificationError
from redraft.engine.plan import (
    DeleteBlocks,
    DeleteColumn,
    DeleteTable,
    InsertBlocks,
    InsertColumn,
    InsertRow,
    InsertTable,
    NewBlock,
    Operation,
    ReplaceText,
)
from redraft.engine.report import Selection
from redraft.engine.state import decode
from tests.engine.redlining import US, Draft
from tests.engine.wordml import dele, docx, ins, p, r, table
from tests.oracle import accept, judged, keep, only

RIGHT = '<w:jc w:val="right"/>'
BY = 'w:author="Ann" w:date="2026-01-01T00:00:00Z"'


def settled(body: str, action: str) -> str:
    data = docx(body)
    kind = "accept" if action == "accept" else "reject"
    after, _ = resolve(data, b"", kind, Selection(all=True))
    xml = Package.open(after).read("word/document.xml").decode()
    return xml[xml.index("<w:body>") + 8 : xml.index("<w:sectPr")]


def mark(tag: str) -> str:
    return f'<w:rPr><w:{tag} w:id="5" {BY}/></w:rPr>'


def plain(text: str) -> str:
    return p(text)


@pytest.mark.parametrize(
    ("body", "accepted", "rejected"),
    [
        (p("a", ins(r("b"))), p("a", "b"), p("a")),
        (p("a", dele("b")), p("a"), p("a", "b")),
        (p(ins(r("a") + dele("b", id=9))), p("a"), "<w:p/>"),
        (p("a", properties=mark("ins")) + p("b"), p("a") + p("b"), p("a", "b")),
        (p("a", properties=mark("del")) + p("b"), p("a", "b"), p("a") + p("b")),
        (p(properties=mark("ins")) + table(["b"]), "<w:p/>" + table(["b"]), table(["b"])),
        (
            p(r("a", f'<w:b/><w:rPrChange w:id="5" {BY}><w:rPr><w:i/></w:rPr></w:rPrChange>')),
            p(r("a", "<w:b/>")),
            p(r("a", "<w:i/>")),
        ),
        (
            p("a", properties=f'{RIGHT}<w:pPrChange w:id="5" {BY}><w:pPr/></w:pPrChange>'),
            p("a", properties=RIGHT),
            p("a"),
        ),
        (
            p("a", properties=f'<w:numPr><w:numId w:val="1"/><w:ins w:id="5" {BY}/></w:numPr>'),
            p("a", properties='<w:numPr><w:numId w:val="1"/></w:numPr>'),
            p("a"),
        ),
    ],
)  # fmt: skip
def test_each_kind_of_mark(body: str, accepted: str, rejected: str) -> None:
    assert settled(body, "accept") == accepted
    assert settled(body, "reject") == rejected


@pytest.mark.parametrize(("kind", "gone"), [("ins", "reject"), ("del", "accept")])
def test_a_row_goes_and_a_table_with_its_last_row(kind: str, gone: str) -> None:
    row = f'<w:tr><w:trPr><w:{kind} w:id="5" {BY}/></w:trPr><w:tc><w:p/></w:tc></w:tr>'
    base = table(["a"])
    assert settled(base.replace("</w:tbl>", row + "</w:tbl>") + p("x"), gone) == base + p("x")
    assert settled(f"<w:tbl><w:tblPr/>{row}</w:tbl>" + p("x"), gone) == p("x")


@pytest.mark.parametrize(("kind", "gone"), [("cellIns", "reject"), ("cellDel", "accept")])
def test_a_cell_goes(kind: str, gone: str) -> None:
    cell = f'<w:tc><w:tcPr><w:{kind} w:id="5" {BY}/></w:tcPr><w:p/></w:tc>'
    base = table(["a"])
    body = base.replace("</w:tr>", cell + "</w:tr>") + p("x")
    assert settled(body, gone) == base + p("x")
    other = "accept" if gone == "reject" else "reject"
    assert kind not in settled(body, other)
    assert settled(body, other).count("<w:tc>") == 2


def test_both_ends_of_a_move_and_its_markers_go_together() -> None:
    def moved(kind: str, number: int) -> str:
        return (
            f'<w:{kind}RangeStart w:id="{number}" {BY} w:name="m"/>'
            f'<w:{kind} w:id="{number + 1}" {BY}>{r("x")}</w:{kind}>'
            f'<w:{kind}RangeEnd w:id="{number}"/>'
        )

    body = p("a", moved("moveFrom", 10)) + p("b", moved("moveTo", 20))
    assert settled(body, "accept") == p("a") + p("b", "x")
    assert settled(body, "reject") == p("a", "x") + p("b")


def test_an_edit_is_accepted_alone_and_moves_the_baseline() -> None:
    draft = Draft.of(p("one two")).edit(ReplaceText("p1", "one", "1"))
    draft = draft.edit(ReplaceText("p1", "two", "2"))
    made = draft.decide("accept", Selection(edit_uid="e1"))
    assert made.redline == ["1 [-two-]{+2+}"]
    assert set(decode(made.state).ours.values()) == {"e2"}
    undone = made.decide("reject", Selection(all=True))
    assert undone.accepted == ["1 two"]


def test_rejecting_ours_leaves_the_marks_of_others() -> None:
    draft = Draft.of(p("a ", ins(r("theirs"), id=4), " b")).edit(ReplaceText("p1", "a", "x"))
    made = draft.decide("reject", Selection(author=US))
    assert made.redline == ["a <+theirs+> b"]
    assert made.data != draft.data
    assert fingerprint(Package.open(made.data), ()) == fingerprint(Package.open(draft.upload), ())


def test_a_selection_that_names_nothing_is_not_found() -> None:
    draft = Draft.of(p("a ", ins(r("b"), id=4)))
    for selection in (
        Selection(ids=("77",)),
        Selection(author="Nobody"),
        Selection(edit_uid="none"),
    ):
        with pytest.raises(NotFoundError):
            draft.decide("accept", selection)
    assert Draft.of(p("a")).decide("accept", Selection(all=True)).redline == ["a"]


def test_the_clean_copy_has_ours_accepted_and_others_standing() -> None:
    draft = Draft.of(p("a ", ins(r("b"), id=4)), p("c"), p("d")).edit(
        ReplaceText("p1", "a", "x"),
        DeleteBlocks("p2", "p2"),
        InsertBlocks("p3", "after", (NewBlock("like_anchor", "e"),)),
    )
    made = clean(draft.data, draft.state)
    assert [x.text for x in judged(made, accept)["word/document.xml"] if x.text] == [
        "x b",
        "d",
        "e",
    ]
    assert judged(made, only(US, "reject")) == judged(draft.data, only(US, "accept"))


TRIPLES = (
    "RP002-Deleted-Text",
    "RP003-Inserted-Text",
    "RP005-Deleted-Paragraph-Mark",
    "RP007-Multiple-Deleted-Para-Mark",
    "RP009-Deleted-Table-Row",
    "RP012-Multiple-Inserted-Rows",
    "RP020-Inserted-Field-Code",
    "RP021-Inserted-Numbering-Properties",
    "RP022-NumberingChange",
    "RP025-Paragraph-Props-Change",
    "RP033-Table-Prop-Ex-Change",
    "RP047-Inserted-and-Deleted-Paragraph-Mark",
    "RP049-Deleted-Para-Before-Table",
)


@pytest.mark.corpus
@pytest.mark.parametrize("name", TRIPLES)
@pytest.mark.parametrize("action", ["accept", "reject"])
def test_it_agrees_with_another_program_block_for_block(
    name: str, action: str, corpus: Path
) -> None:
    folder = corpus / "docx" / "revisions"
    kind = "accept" if action == "accept" else "reject"
    ours, _ = resolve((folder / f"oxpt__{name}.docx").read_bytes(), b"", kind, Selection(all=True))
    theirs = (folder / f"oxpt__{name}.{action}ed.docx").read_bytes()
    assert fingerprint(Package.open(ours), ()) == fingerprint(Package.open(theirs), ())


@pytest.mark.parametrize("action", ["accept", "reject"])
def test_a_struck_equation_is_a_change_that_can_be_settled(action: str) -> None:
    equation = "<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>"
    body = p("a", f'<w:del w:id="5" {BY}>{equation}</w:del>')
    assert settled(body, action) == p("a", equation if action == "reject" else "")
    (change,) = changes(docx(body), b"")
    assert (change.kind, change.before) == ("deletion", "[equation]")


def sized(*rows: str) -> str:
    width = '<w:tcPr><w:tcW w:w="3000" w:type="dxa"/></w:tcPr>'
    body = "".join(
        f"<w:tr>{''.join(f'<w:tc>{width}{p(text)}</w:tc>' for text in row)}</w:tr>" for row in rows
    )
    grid = '<w:gridCol w:w="3000"/>' * 3
    return f"<w:tbl><w:tblPr/><w:tblGrid>{grid}</w:tblGrid>{body}</w:tbl>"


@pytest.mark.parametrize(
    "operation", [InsertColumn("t1.r1.c3", "after", ("d", "e")), DeleteColumn("t1.r1.c2")]
)
def test_a_column_is_settled_whole_by_its_author_in_a_file_that_carries_no_state(
    operation: Operation,
) -> None:
    draft = Draft.of(sized("abc", "xyz"), p("z")).edit(operation)
    for action in ("accept", "reject"):
        by_author, done = resolve(draft.data, b"", action, Selection(author=US))
        assert done.resolved == 1
        assert changes(by_author, b"") == ()
        rest = Package.open(by_author).read("word/document.xml")
        if action == "reject":
            assert rest == Package.open(draft.upload).read("word/document.xml")
        else:
            assert b"Change" not in rest


@pytest.mark.parametrize("nested", ["", table(["inner"]) + p("behind")])
def test_a_row_that_is_accepted_in_a_deleted_table_keeps_a_paragraph_in_each_cell(
    nested: str,
) -> None:
    draft = Draft.of(p("a"), table([p("b") + nested, "c"]), p("z"))
    draft = draft.edit(InsertRow("t1.r1", "after", ("", "")))
    draft = draft.edit(DeleteBlocks("t1", "t1"))
    for first in [change.id for change in draft.changes]:
        left = draft.decide("accept", Selection(ids=(first,)))
        baseline = left.rejected
        while left.changes:
            left = left.decide("reject", Selection(ids=(left.changes[-1].id,)))
        assert left.rejected == baseline


ROWS = (("x", "y"), ("z",))


def test_a_mark_in_front_of_a_table_waits_for_the_words_that_another_edit_struck() -> None:
    draft = Draft.of(p("start"), p("a one"), p("link"), table(["c"]), p("end"))
    draft = draft.edit(ReplaceText("p3", "link", "")).edit(DeleteBlocks("p2", "p3"))
    made = draft.decide("accept", Selection(edit_uid="e2"))
    assert judged(made.data, only(US, "accept")) == judged(draft.data, only(US, "accept"))
    done = made.decide("accept", Selection(all=True))
    assert done.changes == ()
    assert judged(done.data, keep) == judged(docx(p("start") + table(["c"]) + p("end")), keep)


def test_a_mark_that_can_be_taken_off_for_good_does_not_wait() -> None:
    draft = Draft.of(p("a"), p("b"), table(["c"]), p("end")).edit(DeleteBlocks("p2", "p2"))
    draft = draft.edit(DeleteTable("t1"))
    made = draft.decide("accept", Selection(edit_uid="e1"))
    assert {uid for change in made.changes for uid in change.edits} == {"e2"}
    assert made.redline == ["a", "[-c-][-¶-]", "end"]


def test_the_last_paragraph_of_a_cell_stays_behind_a_table_that_was_accepted() -> None:
    start = Draft.of(p("a"), table(["b", "c"]), p("d"))
    draft = start.edit(InsertTable("t1.r1.c1.p1", "after", ROWS, header_row=False))
    accepted = judged(draft.data, only(US, "accept"))
    (row,) = (change for change in draft.changes if change.kind == "table")
    made = draft.decide("accept", Selection(ids=(row.id,)))
    assert judged(made.data, only(US, "accept")) == accepted
    done = made
    while done.changes:
        done = done.decide("reject", Selection(ids=(done.changes[0].id,)))
        assert done.rejected == made.rejected
    assert re.search(r"</w:tbl>(<w:bookmarkEnd[^>]*>)?</w:tc>", done.body) is None


def test_a_decision_that_breaks_a_law_is_not_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    draft = Draft.of(p("a"), p("b")).edit(ReplaceText("p1", "a", "x"), ReplaceText("p2", "b", "y"))

    def settle_all(package: Package, marks: object, action: str, **_: object) -> None:
        tree = package.tree("word/document.xml")
        kind = "accept" if action == "accept" else "reject"
        found = {kind: {"word/document.xml": list(part_tree.revisions(tree))}}
        whole_package.settle_each(package, found)  # pyright: ignore[reportArgumentType]
        if action == "accept":
            body = package.tree("word/document.xml")[0]
            body.remove(body[0])
            package.replace("word/document.xml", package.serialize("word/document.xml"))

    monkeypatch.setattr("redraft.engine.docx.changes.accept_or_reject.settle", settle_all)
    with pytest.raises(VerificationError, match="law 2"):
        draft.decide("accept", Selection(ids=(draft.changes[0].id,)))


def test_a_decision_that_leaves_damage_is_not_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    draft = Draft.of(p("a"), table(["b"])).edit(ReplaceText("p1", "a", "x"))

    def damage(package: Package, *_: object, **__: object) -> None:
        cell = next(package.tree("word/document.xml").iter(W_TC))
        cell.remove(cell[-1])
        package.replace("word/document.xml", package.serialize("word/document.xml"))

    monkeypatch.setattr("redraft.engine.docx.changes.accept_or_reject.settle", damage)
    with pytest.raises(VerificationError, match="does not end in a paragraph"):
        draft.decide("accept", Selection(author=US))


# A changed grid names no author (17.13.5.33): nobody can say with whose changes it goes.
BY_AUTHOR = (
    *(name for name in TRIPLES if name != "RP033-Table-Prop-Ex-Change"),
    "RP015-MoveFrom-MoveTo",
    "RP038-Inserted-Paras-at-End",
)


@pytest.mark.corpus
@pytest.mark.parametrize("name", BY_AUTHOR)
@pytest.mark.parametrize("action", ["accept", "reject"])
def test_the_changes_of_one_author_are_settled_and_those_of_others_stand(
    name: str, action: str, corpus: Path
) -> None:
    data = (corpus / "docx" / "revisions" / f"oxpt__{name}.docx").read_bytes()
    kind = "accept" if action == "accept" else "reject"
    found = {change.author for change in changes(data, b"")}
    assert found
    for author in found:
        made, _ = resolve(data, b"", kind, Selection(author=author))
        assert judged(made, keep) == judged(data, only(author, kind))


def test_the_mark_of_one_author_does_not_wait_for_the_words_of_another() -> None:
    body = p("a") + p(ins(r("b"), author="Ben"), properties=mark("ins"))
    made, _ = resolve(docx(body), b"", "reject", Selection(author="Ann"))
    assert 'w:author="Ann"' not in Package.open(made).read("word/document.xml").decode()


@pytest.mark.parametrize(("kind", "gone"), [("ins", "reject"), ("del", "accept")])
def test_a_cell_that_held_nothing_but_a_table_gets_a_paragraph_when_the_table_goes(
    kind: str, gone: str
) -> None:
    row = f'<w:tr><w:trPr><w:{kind} w:id="5" {BY}/></w:trPr><w:tc><w:p/></w:tc></w:tr>'
    held = f"<w:tbl><w:tr><w:tc><w:tbl>{row}</w:tbl></w:tc></w:tr></w:tbl>"
    assert settled(held + p("x"), gone) == "<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>" + p(
        "x"
    )


HELD = "<w:sdt><w:sdtContent><w:p><w:r><w:t>a</w:t></w:r></w:p></w:sdtContent></w:sdt>"


def test_an_inserted_end_goes_from_a_body_that_has_a_control_left() -> None:
    assert settled(HELD + p(ins(r("b")), properties=mark("ins")), "reject") == HELD
