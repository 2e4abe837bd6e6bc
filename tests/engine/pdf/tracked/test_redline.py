from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.engine.errors import CorruptDocumentError, EditError, NotFoundError
from redraft.engine.pdf import reader
from redraft.engine.pdf.glyphs.edited_words import Change
from redraft.engine.pdf.glyphs.target_blocks import targets
from redraft.engine.pdf.resolved_edits import Edits, changed, merged
from redraft.engine.pdf.tracked import redline
from redraft.engine.pdf.tracked.change_log import decode
from redraft.engine.pdf.tracked.redline import annotated, changes
from redraft.engine.plan import (
    DeleteBlocks,
    EditPlan,
    FormatText,
    InsertBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    SetProperty,
)
from redraft.engine.report import Resolution, Selection, Signature
from tests.engine.pdf.stream.streams import content, pdf

ANN = Signature("u1", "Ann Lee", "2026-11-21T06:30:00Z", tracked=True)
BOB = Signature("u2", "Bob Żak", "2026-11-21T07:00:00Z", tracked=True)
UPLOAD = pdf(
    b"BT /F1 10 Tf 12 TL 20 250 Td (The quick brown fox jumps over the lazy dog and) Tj"
    b" (runs through the wide forest until the evening) ' (comes.) ' ET"
    b" BT /F2 10 Tf 20 200 Td (A line below) Tj ET BT /F1 10 Tf 20 150 Td (And the end) Tj ET"
)


def edit(
    data: bytes, state: bytes, signature: Signature, *plan: Operation, upload: bytes = UPLOAD
) -> tuple[bytes, bytes]:
    after, report = redline.edit(upload, data, state, EditPlan("edit", "", plan), signature)
    return after, report.state


def settle(
    data: bytes, state: bytes, action: Literal["accept", "reject"], **selection: Any
) -> tuple[bytes, Resolution]:
    return redline.resolve(UPLOAD, data, state, action, Selection(**selection))


def wordings(data: bytes, state: bytes) -> list[tuple[str, str]]:
    return [(r.before, r.after) for r in changes(UPLOAD, data, state)]


def texts(data: bytes) -> list[str]:
    return [each.text for each in targets(reader.read(data))]


def notes(data: bytes, page: int = 0) -> list[dict[str, Any]]:
    import pymupdf

    opened: Any = pymupdf.open(stream=data, filetype="pdf")
    keys = ("Subtype", "IT", "IRT", "RT", "T", "Contents", "NM", "M", "F")
    found: list[dict[str, Any]] = []
    for each in opened[page].annots():
        held = {key: opened.xref_get_key(each.xref, key)[1] for key in keys}
        held |= {"xref": each.xref, "rect": each.rect, "corners": each.vertices}
        held["under"] = opened[page].get_textbox(each.rect).strip()
        found.append(held)
    return found


def test_a_replacement_is_a_caret_and_a_strikeout_in_one_group() -> None:
    working, state = edit(UPLOAD, b"", ANN, ReplaceText("p1.b1", "brown", "red"))
    data = annotated(UPLOAD, working, state)
    assert data.startswith(UPLOAD)
    assert content(data) == content(UPLOAD)
    struck, caret = notes(data)
    assert (struck["Subtype"], struck["IT"]) == ("/StrikeOut", "/StrikeOutTextEdit")
    assert (struck["IRT"], struck["RT"]) == (f"{caret['xref']} 0 R", "/Group")
    assert (caret["Subtype"], caret["IT"], caret["Contents"]) == ("/Caret", "/Replace", "red")
    assert {(each["T"], each["M"], each["F"]) for each in (struck, caret)} == {
        ("Ann Lee", "D:20261121063000Z", "4")
    }
    (revision,) = changes(UPLOAD, working, state)
    assert caret["NM"] == f"{revision.date}.{revision.id}"
    assert "brown" in struck["under"]


def test_struck_words_over_two_lines_have_two_quads() -> None:
    working, state = edit(UPLOAD, b"", ANN, ReplaceText("p1.b1", "dog and runs through", "cat and"))
    found = notes(annotated(UPLOAD, working, state))
    quads = [len(each["corners"]) // 4 for each in found if each["Subtype"] == "/StrikeOut"]
    assert sum(quads) == 2


def test_an_insertion_is_a_caret_alone_and_a_deletion_a_strikeout_alone() -> None:
    working, state = edit(
        UPLOAD, b"", ANN, ReplaceText("p1.b1", "fox", "fox gladly"), DeleteBlocks("p1.b2", "p1.b2")
    )
    found = notes(annotated(UPLOAD, working, state))
    assert [(each["Subtype"], each["IRT"]) for each in found] == [
        ("/Caret", "null"),
        ("/StrikeOut", "null"),
    ]
    assert found[0]["Contents"].strip() == "gladly"
    assert "A line below" in found[1]["under"]


def test_changes_of_two_people_are_listed_with_their_names() -> None:
    working, state = edit(UPLOAD, b"", ANN, ReplaceText("p1.b1", "brown", "red"))
    working, state = edit(working, state, BOB, ReplaceText("p1.b2", "line", "word"))
    found = changes(UPLOAD, working, state)
    assert [(r.before, r.after, r.author, r.edits, r.where) for r in found] == [
        ("brown", "red", "Ann Lee", ("u1",), "page 1"),
        ("line", "word", "Bob Żak", ("u2",), "page 1"),
    ]
    assert [each.uid for each in decode(state).entries] == ["u1", "u2"]


def test_a_change_keeps_its_id_while_others_come_and_go() -> None:
    working, state = edit(UPLOAD, b"", ANN, ReplaceText("p1.b1", "lazy", "old"))
    (first,) = changes(UPLOAD, working, state)
    working, state = edit(working, state, BOB, ReplaceText("p1.b1", "brown", "red"))
    second, same = changes(UPLOAD, working, state)
    assert (same.id, same.edits, same.before) == (first.id, ("u1",), "lazy")
    working, done = settle(working, state, "reject", ids=(second.id,))
    assert [r.id for r in changes(UPLOAD, working, done.state)] == [first.id]


def test_an_edit_of_words_that_an_edit_brought_is_the_later_ones() -> None:
    working, state = edit(UPLOAD, b"", ANN, ReplaceText("p1.b1", "brown", "red"))
    working, state = edit(working, state, BOB, ReplaceText("p1.b1", "red", "blue"))
    (revision,) = changes(UPLOAD, working, state)
    assert (revision.before, revision.after, revision.author) == ("brown", "blue", "Bob Żak")


def test_an_edit_taken_back_by_another_leaves_no_change() -> None:
    working, state = edit(UPLOAD, b"", ANN, ReplaceText("p1.b1", "brown", "red"))
    working, state = edit(working, state, BOB, ReplaceText("p1.b1", "red", "brown"))
    assert changes(UPLOAD, working, state) == ()
    assert annotated(UPLOAD, working, state) == UPLOAD


def two_edits() -> tuple[bytes, bytes]:
    working, state = edit(UPLOAD, b"", ANN, ReplaceText("p1.b1", "brown", "red"))
    return edit(working, state, BOB, DeleteBlocks("p1.b2", "p1.b2"))


def test_a_rejected_change_is_gone_and_the_others_stand() -> None:
    working, state = two_edits()
    first = changes(UPLOAD, working, state)[0]
    kept, done = settle(working, state, "reject", ids=(first.id,))
    assert done.resolved == 1
    assert wordings(kept, done.state) == [("A line below", "")]
    none, done = settle(kept, done.state, "reject", all=True)
    assert (none, done.resolved) == (UPLOAD, 1)


def test_an_accepted_change_is_listed_no_more_and_stays() -> None:
    working, state = two_edits()
    same, done = settle(working, state, "accept", author="Ann Lee")
    assert (same, done.resolved) == (working, 1)
    assert wordings(same, done.state) == [("A line below", "")]
    shown = annotated(UPLOAD, same, done.state)
    assert [each["Subtype"] for each in notes(shown)] == ["/StrikeOut"]
    assert texts(shown)[0].startswith("The quick red fox")
    none, done = settle(same, done.state, "reject", edit_uid="u2")
    assert texts(none)[0].startswith("The quick red fox")
    assert texts(none)[1] == "A line below"
    assert wordings(none, done.state) == []
    assert annotated(UPLOAD, none, done.state) == none


def test_accepting_all_leaves_the_edited_file_as_it_is() -> None:
    working, state = two_edits()
    same, done = settle(working, state, "accept", all=True)
    assert (same, done.resolved) == (working, 2)
    assert wordings(same, done.state) == []
    assert annotated(UPLOAD, same, done.state) == working
    again, done = settle(same, done.state, "accept", all=True)
    assert (again, done.resolved) == (working, 0)


def test_an_edit_after_an_acceptance_is_counted_against_what_was_accepted() -> None:
    working, state = edit(UPLOAD, b"", ANN, ReplaceText("p1.b1", "brown", "dark red"))
    working, done = settle(working, state, "accept", all=True)
    working, state = edit(working, done.state, BOB, ReplaceText("p1.b1", "dark red", "blue"))
    assert wordings(working, state) == [("dark red", "blue")]
    back, done = settle(working, state, "reject", all=True)
    assert texts(back)[0].startswith("The quick dark red fox")
    accepted, done = settle(working, state, "accept", all=True)
    assert len(decode(done.state).accepted) == 2
    assert texts(accepted)[0].startswith("The quick blue fox")


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        ({"ids": ("c0",)}, "no change c0"),
        ({"author": "Eve"}, "no change by Eve"),
        ({"edit_uid": "u9"}, "no change by the edit u9"),
    ],
)
def test_what_is_not_there_cannot_be_settled(selection: dict[str, Any], message: str) -> None:
    working, state = two_edits()
    with pytest.raises(NotFoundError, match=message):
        settle(working, state, "accept", **selection)


@given(
    st.text("abc ", min_size=1, max_size=12),
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 3), st.text("xyz", max_size=3))),
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 3), st.text("uvw", max_size=3))),
)
def test_two_steps_merged_do_what_they_do_one_after_the_other(
    text: str, first: list[tuple[int, int, str]], second: list[tuple[int, int, str]]
) -> None:
    one = _changes(text, first)
    after = changed(text, one)
    two = _changes(after, second)
    both = merged(Edits({"b": one}), Edits({"b": two}))
    if both is not None:
        assert changed(text, both.changes["b"]) == changed(after, two)


def test_steps_in_different_blocks_or_places_are_merged() -> None:
    first = Edits({"b1": [Change(0, 1, "xyz")]})
    second = Edits({"b1": [Change(5, 6, "")], "b2": [Change(0, 0, "n")]}, ["b3"])
    both = merged(first, second)
    assert both is not None
    assert both.changes == {
        "b1": [Change(0, 1, "xyz"), Change(3, 4, "")],
        "b2": [Change(0, 0, "n")],
    }
    assert both.deleted == ["b3"]
    assert merged(second, first) is None


def _changes(text: str, wanted: list[tuple[int, int, str]]) -> list[Change]:
    """Make changes of a text that do not touch."""
    found: list[Change] = []
    at = -1
    for start, length, new in sorted(wanted):
        if start > at and start + length <= len(text):
            found.append(Change(start, start + length, new))
            at = start + length
    return found


def test_damaged_state_is_said_to_be_damaged() -> None:
    with pytest.raises(CorruptDocumentError):
        decode(b"{")


@pytest.mark.corpus
def test_real_files_are_annotated_without_a_byte_of_them_changing(corpus: Path) -> None:
    count = 0
    for path in sorted((corpus / "pdf").glob("*.pdf"))[2::4]:
        data = path.read_bytes()
        try:
            held = [each for each in targets(reader.read(data)) if len(each.text) > 30]
            target = held[len(held) // 2]
            word = re.findall(r"\w{4,}", target.text)[-1]
            working, state = edit(
                data, b"", ANN, ReplaceText(target.anchor, word, "item", 1), upload=data
            )
        except (EditError, IndexError):
            continue
        shown = annotated(data, working, state)
        assert shown.startswith(data), path.name
        before = len(notes(data, target.page))
        assert len(notes(shown, target.page)) == before + 2, path.name
        count += 1
    assert count >= 3


CLOSE = pdf(
    b"BT /F1 10 Tf 12 TL 20 250 Td (The quick brown fox jumps over the lazy dog and) Tj"
    b" (runs through the wide forest until the evening) ' (comes and goes away again.) ' ET"
    b" BT /F1 10 Tf 12 TL 20 208 Td (A second paragraph stands right below the first one) Tj"
    b" (and has two lines as well.) ' ET"
    b" BT /F1 10 Tf 20 178 Td (And the end of it comes here.) Tj ET"
)
MANY = "A new paragraph that comes here with many words and then some more of them."


def test_what_was_made_edit_by_edit_can_be_accepted_at_once() -> None:
    grown = ReplaceText(
        "p1.b1", "wide forest", "wide and dark forest in which many other animals live too, "
        "such as bears and wolves,"
    )  # fmt: skip
    below = InsertBlocks("p1.b2", "after", (NewBlock("like_anchor", MANY),))
    working, state = edit(CLOSE, b"", ANN, grown, upload=CLOSE)
    working, state = edit(working, state, BOB, below, upload=CLOSE)
    found = changes(CLOSE, working, state)
    assert [each.author for each in found] == ["Ann Lee", "Ann Lee", "Bob Żak"]
    whole = Selection(all=True)
    data, done = redline.resolve(CLOSE, working, state, "accept", whole)
    assert (data, done.resolved) == (working, 3)
    assert changes(CLOSE, data, done.state) == ()
    data, undone = redline.resolve(CLOSE, working, state, "reject", whole)
    assert texts(data) == texts(CLOSE)
    data, state = edit(data, undone.state, ANN, ReplaceText("p1.b1", "quick", "slow"), upload=CLOSE)
    data, done = redline.resolve(CLOSE, data, state, "accept", whole)
    assert changes(CLOSE, data, done.state) == ()
    assert MANY not in texts(data)
    assert texts(data)[0].startswith("The slow brown fox")


@pytest.mark.parametrize("verdict", ["accept", "reject"])
def test_all_text_may_be_deleted_and_come_back(verdict: Literal["accept", "reject"]) -> None:
    working, state = edit(UPLOAD, b"", ANN, DeleteBlocks("p1.b1", "p1.b3"))
    assert [after for _, after in wordings(working, state)] == ["", "", ""]
    assert len(notes(annotated(UPLOAD, working, state))) == 3
    data, done = settle(working, state, verdict, all=True)
    assert data == (UPLOAD if verdict == "reject" else working)
    assert wordings(data, done.state) == []


@pytest.mark.corpus
def test_all_is_accepted_where_a_look_makes_a_table_read_otherwise(corpus: Path) -> None:
    upload = (corpus / "pdf" / "markitdown__REPAIR-2022-INV-001_multipage.pdf").read_bytes()
    operations = (
        FormatText("p2.b8.r9.c1.b1", "", "bold", "off"),
        ReplaceText("p1.b6.r8.c4.b1", "Ellis Turner", "charges Color Grand"),
        ReplaceText("p2.b8.r13.c2.b1", "Minor rear bumper", "wayneindustries Other Supplies"),
        SetProperty("title", "ZAVA"),
    )
    working, state = upload, b""
    for each in operations:
        working, state = edit(working, state, ANN, each, upload=upload)
    data, done = redline.resolve(upload, working, state, "accept", Selection(all=True))
    assert data == working
    assert changes(upload, data, done.state) == ()


FEES = pdf(
    b"BT /F1 10 Tf 12 TL 20 250 Td (The fee is paid at once and the other fee is) Tj"
    b" (paid in May; no third fee is due.) ' ET"
)


def test_each_of_two_changes_of_one_word_is_of_the_edit_that_made_it() -> None:
    first = ReplaceText("p1.b1", "fee", "price", 1)
    working, state = edit(FEES, b"", ANN, first, upload=FEES)
    working, state = edit(working, state, BOB, ReplaceText("p1.b1", "fee", "price", 1), upload=FEES)
    one, two = changes(FEES, working, state)
    assert [(c.before, c.after, c.author, c.edits) for c in (one, two)] == [
        ("fee", "price", "Ann Lee", ("u1",)),
        ("fee", "price", "Bob Żak", ("u2",)),
    ]
    data, done = redline.resolve(FEES, working, state, "reject", Selection(edit_uid="u2"))
    assert done.resolved == 1
    assert texts(data)[0].startswith("The price is paid at once and the other fee is")
    (left,) = changes(FEES, data, done.state)
    assert (left.author, left.edits) == ("Ann Lee", ("u1",))
    data, done = redline.resolve(FEES, working, state, "reject", Selection(edit_uid="u1"))
    assert texts(data)[0].startswith("The fee is paid at once and the other price is")
    assert [c.edits for c in changes(FEES, data, done.state)] == [("u2",)]


def test_an_edit_within_the_new_words_of_another_keeps_what_is_before_and_behind_apart() -> None:
    working, state = edit(
        FEES, b"", ANN, ReplaceText("p1.b1", "at once", "within ten days"), upload=FEES
    )
    working, state = edit(working, state, BOB, ReplaceText("p1.b1", "ten", "30"), upload=FEES)
    working, state = edit(working, state, ANN, ReplaceText("p1.b1", "May", "June"), upload=FEES)
    made = [(c.before, c.after, c.author) for c in changes(FEES, working, state)]
    assert made == [("at once", "within 30 days", "Bob Żak"), ("May", "June", "Ann Lee")]


def test_a_tracked_edit_reads_each_of_its_files_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[bytes] = []
    real = reader.read_all

    def counted(data: bytes) -> reader.Reading:
        read.append(data)
        return real(data)

    monkeypatch.setattr(reader, "read_all", counted)
    first, state = edit(UPLOAD, b"", ANN, ReplaceText("p1.b1", "brown", "red"))
    assert read == [UPLOAD, first]
    read.clear()
    second, state = edit(first, state, BOB, ReplaceText("p1.b1", "lazy", "idle"))
    assert sorted(read) == sorted([UPLOAD, first, second])
    read.clear()
    settle(second, state, "accept", edit_uid="u1")
    assert len(read) == len(set(read))
