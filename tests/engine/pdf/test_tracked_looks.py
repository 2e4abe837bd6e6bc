"""Looks and links of a tracked PDF: shown on the original pages, settled one by one."""

from __future__ import annotations

from typing import Any

import pytest

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.compare.character_looks import colour_of
from redraft.engine.pdf.tracked import redline
from redraft.engine.pdf.tracked.read_annotations import marks
from redraft.engine.pdf.tracked.redline import annotated, changes
from redraft.engine.plan import (
    DeleteBlocks,
    FormatText,
    InsertBlocks,
    NewBlock,
    RemoveLink,
    ReplaceText,
    SetLink,
)
from tests.engine.pdf.stream.streams import content, model, pdf
from tests.engine.pdf.tracked.test_redline import ANN, BOB, UPLOAD, edit, notes, settle, texts

pytestmark = pytest.mark.thorough

BOLD = FormatText("p1.b1", "quick brown", "bold", "on")
RED = FormatText("p1.b1", "brown fox", "color", "C00000")
URL = "https://example.org/terms"
LINKED = pdf(b"BT /F3 10 Tf 20 200 Td (See our terms of sale) Tj ET", links=([68, 197, 98, 209],))


def said(data: bytes, state: bytes, upload: bytes = UPLOAD) -> list[tuple[str, Any]]:
    return [(r.before, r.formatting) for r in changes(upload, data, state)]


def bold_words(data: bytes) -> str:
    glyphs = model(data).glyphs()
    return "".join(g.text for g in glyphs if g.show.state.font and "Bold" in g.show.state.font.name)


def red_words(data: bytes) -> str:
    return "".join(g.text for g in model(data).glyphs() if colour_of(g.show.state.fill) == "C00000")


def uris(data: bytes) -> list[str]:
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        return [str(each.get("uri")) for each in document[0].get_links()]


def test_a_look_is_a_highlight_that_says_what_was_and_what_is() -> None:
    working, state = edit(UPLOAD, b"", ANN, BOLD)
    data = annotated(UPLOAD, working, state)
    assert data.startswith(UPLOAD)
    assert content(data) == content(UPLOAD)
    (mark,) = notes(data)
    (revision,) = changes(UPLOAD, working, state)
    assert (mark["Subtype"], mark["Contents"]) == ("/Highlight", "bold: off → on")
    assert (mark["T"], mark["M"]) == ("Ann Lee", "D:20261121063000Z")
    assert mark["NM"] == f"{revision.date}.{revision.id}"
    assert "quick brown" in mark["under"]
    assert (revision.kind, revision.before, revision.after) == (
        "format", "quick brown", "quick brown",
    )  # fmt: skip
    assert revision.formatting == (("bold", "off", "on"),)
    assert (revision.lead, revision.author, revision.edits) == ("The ", "Ann Lee", ("u1",))


def test_the_clean_copy_has_the_look_and_the_marked_one_has_not() -> None:
    working, state = edit(UPLOAD, b"", ANN, BOLD)
    assert "quickbrown" in bold_words(working).replace(" ", "")
    assert "quickbrown" not in bold_words(annotated(UPLOAD, working, state)).replace(" ", "")


def test_the_marks_are_read_back_from_the_file_as_changes() -> None:
    working, state = three()
    found = marks(annotated(UPLOAD, working, state))
    assert [(r.kind, r.before, r.author, r.formatting) for r in found] == [
        ("format", "quick brown", "Ann Lee", (("bold", "off", "on"),)),
        ("insertion", "", "Bob Żak", ()),
        ("format", "line", "Ann Lee", (("link", "none", URL),)),
    ]


def test_a_look_over_two_lines_has_two_quads() -> None:
    look = FormatText("p1.b1", "dog and runs through", "color", "red")
    working, state = edit(UPLOAD, b"", ANN, look)
    (mark,) = notes(annotated(UPLOAD, working, state))
    assert mark["Contents"] == "colour: 000000 → FF0000"
    assert len(mark["corners"]) == 8


@pytest.mark.parametrize(
    ("upload", "operation", "words", "contents", "links"),
    [
        (UPLOAD, SetLink("p1.b1", "lazy dog", URL), "lazy dog", f"link: none → {URL}", [URL]),
        (
            LINKED,
            SetLink("p1.b1", "terms", URL),
            "terms",
            f"link: https://example.org → {URL}",
            [URL],
        ),
        (LINKED, RemoveLink("p1.b1", "terms"), "terms", "link: https://example.org → none", []),
    ],
)
def test_a_link_is_an_underline_that_says_where_it_leads(
    upload: bytes, operation: SetLink | RemoveLink, words: str, contents: str, links: list[str]
) -> None:
    working, state = edit(upload, b"", ANN, operation, upload=upload)
    data = annotated(upload, working, state)
    assert data.startswith(upload)
    (mark,) = [each for each in notes(data) if each["Subtype"] == "/Underline"]
    assert mark["Contents"] == contents
    assert words in mark["under"]
    assert uris(data) == uris(upload)
    assert uris(working) == links


def test_the_look_of_a_word_and_the_words_beside_it_are_changes_of_two_people() -> None:
    working, state = edit(UPLOAD, b"", ANN, BOLD)
    working, state = edit(working, state, BOB, ReplaceText("p1.b1", "lazy", "old"))
    working, state = edit(working, state, BOB, RED)
    found = [(r.kind, r.before, r.author) for r in changes(UPLOAD, working, state)]
    assert found == [
        ("format", "quick brown", "Ann Lee"),
        ("format", "brown fox", "Bob Żak"),
        ("replacement", "lazy", "Bob Żak"),
    ]


def three() -> tuple[bytes, bytes]:
    working, state = edit(UPLOAD, b"", ANN, BOLD)
    working, state = edit(working, state, ANN, SetLink("p1.b2", "line", URL))
    return edit(working, state, BOB, ReplaceText("p1.b1", "lazy", "old and very lazy"))


def test_a_rejected_look_is_gone_and_the_other_changes_stand() -> None:
    working, state = three()
    look = next(r for r in changes(UPLOAD, working, state) if r.formatting[:1])
    kept, done = settle(working, state, "reject", ids=(look.id,))
    assert "quick" not in bold_words(kept)
    assert [r.kind for r in changes(UPLOAD, kept, done.state)] == ["insertion", "format"]
    assert uris(kept) == [URL]
    none, done = settle(kept, done.state, "reject", all=True)
    assert none == UPLOAD


def test_a_rejected_word_leaves_the_look_beside_it() -> None:
    working, state = three()
    kept, done = settle(working, state, "reject", author="Bob Żak")
    assert bold_words(kept).replace(" ", "").startswith("quickbrown")
    assert texts(kept) == texts(UPLOAD)
    assert [r.kind for r in changes(UPLOAD, kept, done.state)] == ["format", "format"]


def test_an_accepted_look_is_listed_no_more_and_stays() -> None:
    working, state = three()
    look, link = (r for r in changes(UPLOAD, working, state) if r.formatting)
    same, done = settle(working, state, "accept", ids=(look.id, link.id))
    assert same == working
    assert [r.kind for r in changes(UPLOAD, same, done.state)] == ["insertion"]
    shown = annotated(UPLOAD, same, done.state)
    assert "quickbrown" in bold_words(shown).replace(" ", "")
    assert uris(shown) == [URL]
    back, done = settle(same, done.state, "reject", all=True)
    assert "quickbrown" in bold_words(back).replace(" ", "")
    assert texts(back) == texts(UPLOAD)


def test_a_look_taken_back_by_another_edit_leaves_no_change() -> None:
    working, state = edit(UPLOAD, b"", ANN, BOLD)
    back = FormatText("p1.b1", "quick brown", "bold", "off")
    working, state = edit(working, state, BOB, back)
    assert changes(UPLOAD, working, state) == ()
    assert annotated(UPLOAD, working, state) == UPLOAD


def test_two_looks_of_the_same_words_are_two_changes_settled_apart() -> None:
    working, state = edit(UPLOAD, b"", ANN, BOLD)
    working, state = edit(working, state, BOB, RED)
    _, red = changes(UPLOAD, working, state)
    kept, done = settle(working, state, "reject", ids=(red.id,))
    assert said(kept, done.state) == [("quick brown", (("bold", "off", "on"),))]
    assert not red_words(kept)


def test_words_that_are_replaced_have_no_look_to_be_shown() -> None:
    working, state = edit(UPLOAD, b"", ANN, BOLD)
    working, state = edit(working, state, BOB, ReplaceText("p1.b1", "brown", "red"))
    found = [(r.kind, r.before) for r in changes(UPLOAD, working, state)]
    assert found == [("format", "quick"), ("replacement", "brown")]


def test_the_look_of_words_that_are_a_change_themselves_is_refused_with_a_way_out() -> None:
    working, state = edit(UPLOAD, b"", ANN, ReplaceText("p1.b1", "brown", "red"))
    with pytest.raises(RefusedError, match="accept that change first"):
        edit(working, state, BOB, FormatText("p1.b1", "red fox", "bold", "on"))
    working, state = edit(
        working, state, ANN, InsertBlocks("p1.b2", "after", (NewBlock("paragraph", "New words"),))
    )
    with pytest.raises(RefusedError, match="accept that change first"):
        edit(working, state, BOB, SetLink("p1.b3", "New", URL))


def test_accepting_all_takes_the_look_of_replaced_words_along() -> None:
    """The new words stand under the link of those they replace, which is no change of its own."""
    working, state = edit(UPLOAD, b"", ANN, SetLink("p1.b1", "brown fox", URL))
    working, state = edit(working, state, BOB, ReplaceText("p1.b1", "brown fox", "grey wolf"))
    assert [r.kind for r in changes(UPLOAD, working, state)] == ["replacement"]
    same, done = settle(working, state, "accept", all=True)
    assert changes(UPLOAD, same, done.state) == ()
    assert uris(same) == [URL]


def test_accepted_words_may_then_be_given_a_look() -> None:
    working, state = edit(UPLOAD, b"", ANN, ReplaceText("p1.b1", "brown", "red"))
    working, done = settle(working, state, "accept", all=True)
    working, state = edit(working, done.state, BOB, FormatText("p1.b1", "red fox", "bold", "on"))
    assert said(working, state) == [("red fox", (("bold", "off", "on"),))]


def test_a_look_that_is_there_already_is_no_change() -> None:
    working, state = edit(UPLOAD, b"", ANN, FormatText("p1.b1", "quick", "bold", "off"))
    assert changes(UPLOAD, working, state) == ()


def test_looks_and_deleted_blocks_are_shown_together() -> None:
    working, state = edit(UPLOAD, b"", ANN, BOLD, DeleteBlocks("p1.b2", "p1.b2"))
    found = notes(annotated(UPLOAD, working, state))
    assert [each["Subtype"] for each in found] == ["/Highlight", "/StrikeOut"]
    kept, _ = redline.resolve(UPLOAD, working, state, "reject", redline.Selection(edit_uid="u1"))
    assert kept == UPLOAD
