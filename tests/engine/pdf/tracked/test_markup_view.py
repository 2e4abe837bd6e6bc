"""A tracked PDF is read with its changes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from redraft.engine import editor
from redraft.engine.markdown import document as markdown
from redraft.engine.model import Inline, Link, NoteReference, Paragraph, Text
from redraft.engine.pdf import reader
from redraft.engine.pdf.tracked.change_marks import Change, MarkedRange, with_marks
from redraft.engine.pdf.tracked.markup_view import marked
from redraft.engine.plan import (
    DeleteBlocks,
    DeletePages,
    InsertBlocks,
    NewBlock,
    ReplaceText,
    SetLink,
)
from redraft.engine.report import Selection, StoredVersion
from tests.engine.pdf.hunt_sides import sides
from tests.engine.pdf.stream.streams import pdf
from tests.engine.pdf.tracked.test_page_changes import Draft

UPLOAD = pdf(
    b"BT /F1 10 Tf 12 TL 40 280 Td (The quick brown fox jumps over the lazy dog and) Tj"
    b" (runs through the wide forest until the evening) ' (comes.) ' ET"
    b" BT /F1 10 Tf 40 220 Td (A second paragraph stands here.) Tj ET"
    b" BT /F1 10 Tf 40 120 Td (The end of all this is here.) Tj ET",
    b"BT /F1 10 Tf 40 250 Td (Another page begins.) Tj ET",
)


def said(draft: Draft) -> list[str]:
    document = marked(draft.upload, draft.data, draft.state)
    return [line for line in markdown.write(document).splitlines() if line]


def test_words_stand_where_they_went_and_came() -> None:
    draft = Draft(UPLOAD).edit(ReplaceText("p1.b1", "brown", "red"))
    draft.edit(ReplaceText("p1.b1", "lazy ", ""), ReplaceText("p1.b2", "stands", "stands right"))
    assert said(draft)[:2] == [
        "The quick {--brown--}{++red++} fox jumps over the {--lazy --}dog and runs through the wide"
        " forest until the evening comes.",
        "A second paragraph stands {++right ++}here.",
    ]


def test_paragraphs_stand_where_they_went_and_came() -> None:
    new = InsertBlocks("p1.b1", "after", (NewBlock("paragraph", "A third one."),))
    draft = Draft(UPLOAD).edit(new, DeleteBlocks("p1.b3", "p1.b3"))
    assert said(draft)[1:] == [
        "{++A third one.++}",
        "A second paragraph stands here.",
        "{--The end of all this is here.--}",
        "Another page begins.",
    ]


def test_the_first_paragraph_stands_before_the_others_where_it_went() -> None:
    draft = Draft(UPLOAD).edit(DeleteBlocks("p1.b1", "p1.b1"))
    assert said(draft)[0].startswith("{--The quick brown fox")
    assert said(draft)[1] == "A second paragraph stands here."


def test_what_was_accepted_and_what_went_with_its_page_is_not_marked() -> None:
    draft = (
        Draft(UPLOAD)
        .edit(ReplaceText("p1.b1", "brown", "red"))
        .settle("accept", Selection(all=True))
    )
    draft.edit(DeletePages(2, 2)).edit(ReplaceText("p1.b2", "second", "last"))
    assert said(draft)[1:] == [
        "A {--second--}{++last++} paragraph stands here.",
        "The end of all this is here.",
    ]
    assert said(draft)[0].startswith("The quick red fox")


def test_without_changes_it_is_read_as_ever() -> None:
    assert marked(UPLOAD, UPLOAD, b"").stories == reader.read(UPLOAD).stories


def test_one_side_of_the_marks_is_the_edited_file_and_the_other_the_upload() -> None:
    draft = Draft(UPLOAD).edit(
        ReplaceText("p1.b1", "quick brown fox jumps over", "old cat sleeps beside"),
        ReplaceText("p1.b3", "all", "all of"),
        DeleteBlocks("p1.b2", "p1.b2"),
    )
    draft.edit(SetLink("p1.b1", "wide forest", "https://example.org/"))
    draft.edit(ReplaceText("p1.b1", "forest", "wood"))
    blocks = marked(draft.upload, draft.data, draft.state).body.blocks
    now, before = (reader.read(data).body.blocks for data in (draft.data, UPLOAD))
    assert [text for text in sides(blocks, "deletion") if text] == list(sides(now, ""))
    assert [text for text in sides(blocks, "insertion") if text] == list(sides(before, ""))


def test_the_editor_reads_a_tracked_pdf_with_its_changes(tmp_path: Path) -> None:
    draft = Draft(UPLOAD).edit(ReplaceText("p1.b1", "brown", "red"))
    upload, working = tmp_path / "a.pdf", tmp_path / "b.pdf"
    upload.write_bytes(UPLOAD)
    working.write_bytes(draft.data)
    markup = editor.read(StoredVersion(working, draft.state, upload), "markup", ()).markdown
    assert "{--brown--}{++red++}" in markup
    assert (
        "quick red fox"
        in editor.read(StoredVersion(working, draft.state, upload), "final", ()).markdown
    )


COME, WENT = Change("insertion", "Ann", "c1"), Change("deletion", "Ann", "c1")
LINKED = (
    Text("See "),
    Link("u", (Text("the site"),)),
    Text(" and"),
    NoteReference("footnote", "fn1", "1"),
)


@pytest.mark.parametrize(
    ("start", "end", "gone", "expected"),
    [
        (0, 3, "Read", "-Read +See _  [_the site] _ and ^1"),
        (4, 7, "a", "_See  -a [+the _ site] _ and ^1"),
        (8, 8, "own ", "_See  [_the  -own  _site] _ and ^1"),
        (12, 16, "", "_See  [_the site] + and ^1"),
        (17, 17, " more", "_See  [_the site] _ and ^1 - more"),
        (2, 6, "x", "_Se -x +e  [+th _e site] _ and ^1"),
    ],
)
def test_marks_keep_links_and_notes_where_they_are(
    start: int, end: int, gone: str, expected: str
) -> None:
    def written(content: Sequence[Inline]) -> str:
        signs = {None: "_", COME: "+", WENT: "-"}
        parts: list[str] = []
        for each in content:
            if isinstance(each, Text):
                parts.append(signs[each.change] + each.text)
            elif isinstance(each, Link):
                parts.append(f"[{written(each.content)}]")
            elif isinstance(each, NoteReference):
                parts.append(f"^{each.label}")
        return " ".join(parts)

    assert written(with_marks(LINKED, [MarkedRange(start, end, gone, COME, WENT)])) == expected


def test_a_block_without_changes_is_as_it_was() -> None:
    block = Paragraph("p1.b1", LINKED)
    assert with_marks(block.content, ()) == LINKED
