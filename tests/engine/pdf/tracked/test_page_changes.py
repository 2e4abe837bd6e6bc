"""Pages deleted, moved, turned, inserted and stamped as tracked changes of a PDF."""

from __future__ import annotations

from io import BytesIO
from itertools import permutations
from pathlib import Path
from typing import Any, Literal

import pikepdf
import pytest

from redraft.engine import editor
from redraft.engine.errors import CorruptDocumentError, RefusedError
from redraft.engine.pdf.form_fields import fields
from redraft.engine.pdf.page_operations.step_codec import decode_steps, encode_steps
from redraft.engine.pdf.resolved_edits import PageStep
from redraft.engine.pdf.tracked import redline
from redraft.engine.pdf.tracked.change_log import decode
from redraft.engine.plan import (
    DeletePages,
    EditPlan,
    FindReplace,
    FormatText,
    InsertBlocks,
    InsertPage,
    MovePages,
    NewBlock,
    Operation,
    PageOperation,
    ReplaceText,
    RotatePages,
    SetField,
    StampPages,
)
from redraft.engine.report import Selection, Signature, StoredVersion
from tests.engine.pdf.stream.streams import content, pdf

pytestmark = pytest.mark.thorough

ROOF = "Four hens sit on the old roof of the long house."
DATE = "2026-11-21T06:30:00Z"
WORDS = (
    "The first page has a fox.",
    "Two dogs run here.",
    "Three hens sit on the old roof of the long barn.",
    "The fourth is the end.",
)
BOOK = pdf(*(b"BT /F1 12 Tf 40 200 Td (" + each.encode() + b") Tj ET" for each in WORDS))
ALL = Selection(all=True)


class Draft:
    """A tracked PDF under edits, each by another author: u1 by A1, and so on."""

    def __init__(self, upload: bytes = BOOK) -> None:
        self.upload, self.data, self.state, self.number = upload, upload, b"", 0
        self.warnings: tuple[str, ...] = ()

    def edit(self, *operations: Operation) -> Draft:
        self.number += 1
        signature = Signature(f"u{self.number}", f"A{self.number}", DATE, tracked=True)
        plan = EditPlan("edit", "", operations)
        self.data, report = redline.edit(self.upload, self.data, self.state, plan, signature)
        self.state, self.warnings = report.state, report.warnings
        return self

    def settle(self, action: Literal["accept", "reject"], selection: Selection) -> Draft:
        self.data, done = redline.resolve(self.upload, self.data, self.state, action, selection)
        self.state = done.state
        return self

    @property
    def changes(self) -> list[tuple[str, str, str]]:
        found = redline.changes(self.upload, self.data, self.state)
        return [(each.author, each.before, each.after) for each in found]

    @property
    def notes(self) -> list[tuple[int, str, str]]:
        """The page, kind and words of each annotation of the redline."""
        import pymupdf

        marked = redline.annotated(self.upload, self.data, self.state)
        with pymupdf.open(stream=marked, filetype="pdf") as opened:
            document: Any = opened
            return [
                (page.number, note.type[1], str(note.info["content"]))
                for page in document
                for note in page.annots()
            ]

    @property
    def pages(self) -> list[str]:
        return pages(self.data)


def pages(data: bytes) -> list[str]:
    """The words of each page; of a turned one with how far."""
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        return [
            " ".join(str(page.get_text()).split()) + (f" @{page.rotation}" if page.rotation else "")
            for page in document
        ]


ONE: list[tuple[PageOperation, str, list[tuple[int, str]]]] = [
    (
        DeletePages(2, 3),
        "Pages 2 to 3 deleted",
        [(1, "This page was deleted"), (2, "This page was deleted")],
    ),
    (
        MovePages(4, 4, 2, "before"),
        "Page 4 moved before page 2",
        [(3, "This page was moved before page 2")],
    ),
    (RotatePages(1, 1, 90), "Page 1 turned by 90°", [(0, "This page was turned by 90°")]),
    (
        InsertPage(-1, "after"),
        "Blank page inserted after the last page",
        [(3, "A blank page was inserted after this page")],
    ),
    (
        StampPages("footer", "Draft {page}"),
        "Footer added to all pages: Draft {page}",
        [(0, "Footer added to all pages: Draft {page}")],
    ),
    (
        StampPages("page_numbers"),
        "Page numbers added to all pages",
        [(0, "Page numbers added to all pages")],
    ),
]


@pytest.mark.parametrize(("operation", "said", "notes"), ONE)
def test_a_change_of_pages_is_one_change_with_notes_on_the_original_pages(
    operation: PageOperation, said: str, notes: list[tuple[int, str]]
) -> None:
    draft = Draft().edit(operation)
    assert draft.changes == [("A1", "", said)]
    assert draft.notes == [(page, "Text", words) for page, words in notes]
    marked = redline.annotated(draft.upload, draft.data, draft.state)
    assert marked.startswith(BOOK)
    assert pages(marked) == pages(BOOK)
    assert draft.pages != pages(BOOK)


@pytest.mark.parametrize("operation", [operation for operation, _, _ in ONE])
def test_accepted_it_is_the_baseline_and_rejected_it_is_gone(operation: PageOperation) -> None:
    draft = Draft().edit(operation)
    data, state = draft.data, draft.state
    draft.settle("accept", ALL)
    assert (draft.data, draft.changes) == (data, [])
    assert redline.annotated(draft.upload, draft.data, draft.state) == data
    draft.data, draft.state = data, state
    draft.settle("reject", ALL)
    assert (draft.data, draft.changes) == (BOOK, [])


def test_words_keep_their_changes_and_authors_on_pages_that_move() -> None:
    draft = Draft().edit(ReplaceText("p3.b1", "barn", "house"))
    draft.edit(MovePages(3, 3, 1, "before"), DeletePages(2, 2))
    draft.edit(ReplaceText("p1.b1", "Three", "Four"))
    assert draft.pages == [ROOF, WORDS[0], WORDS[3]]
    assert draft.changes == [
        ("A3", "Three", "Four"),
        ("A1", "barn", "house"),
        ("A2", "", "Page 3 moved before page 1; page 2 deleted"),
    ]
    assert {(page, words) for page, _, words in draft.notes} == {
        (2, "Three"),
        (2, "Four"),
        (2, "barn"),
        (2, "house"),
        (2, "This page was moved before page 1"),
        (1, "This page was deleted"),
    }
    (pages_changed,) = (
        each for each in redline.changes(BOOK, draft.data, draft.state) if not each.before
    )
    draft.settle("reject", Selection(ids=(pages_changed.id,)))
    assert draft.pages == [
        WORDS[0],
        WORDS[1],
        ROOF,
        WORDS[3],
    ]
    assert draft.changes == [("A3", "Three", "Four"), ("A1", "barn", "house")]
    draft.edit(ReplaceText("p3.b1", "house", "shed"))
    assert draft.changes == [("A3", "Three", "Four"), ("A4", "barn", "shed")]


@pytest.mark.thorough
def test_every_order_of_settling_ends_in_the_same_pages() -> None:
    wanted = {
        "accept": ["A fox.", WORDS[2], WORDS[3]],
        "reject": list(WORDS),
    }
    for action in ("accept", "reject"):
        for order in permutations(("A1", "A2", "A3")):
            draft = Draft().edit(ReplaceText("p1.b1", "The first page has a", "A"))
            draft.edit(DeletePages(2, 2)).edit(RotatePages(1, 1, 180))
            for author in order:
                if ("A2" if action == "accept" else "A3") in (
                    held := [c[0] for c in draft.changes]
                ):
                    last = "A3" if action == "accept" else "A2"
                    if author == last:
                        with pytest.raises(RefusedError, match="build on each other"):
                            draft.settle(action, Selection(author=author))
                        continue
                assert author in held
                draft.settle(action, Selection(author=author))
            if draft.changes:
                draft.settle(action, ALL)
            assert draft.changes == []
            assert [each.removesuffix(" @180") for each in draft.pages] == wanted[action]


def test_accepting_words_on_pages_that_moved_leaves_the_rest_open() -> None:
    draft = Draft().edit(MovePages(4, 4, 1, "before"))
    draft.edit(ReplaceText("p1.b1", "end", "start")).edit(ReplaceText("p2.b1", "fox", "cat"))
    draft.settle("accept", Selection(author="A2"))
    assert draft.changes == [
        ("A3", "fox", "cat"),
        ("A1", "", "Page 4 moved before page 1"),
    ]
    assert pages(redline.baseline(BOOK, decode(draft.state))) == [
        *WORDS[:3],
        "The fourth is the start.",
    ]
    draft.settle("accept", Selection(author="A1"))
    assert draft.changes == [("A3", "fox", "cat")]
    draft.settle("reject", ALL)
    assert draft.pages == ["The fourth is the start.", *WORDS[:3]]


def test_words_of_a_stamp_that_is_open_itself_wait_for_it() -> None:
    draft = Draft().edit(StampPages("footer", "Draft of May")).edit(FindReplace("of", "in"))
    with pytest.raises(RefusedError, match="accept or reject those first"):
        draft.settle("accept", Selection(author="A2"))
    with pytest.raises(RefusedError, match="accept or reject those first"):
        draft.settle("reject", Selection(author="A1"))
    data = draft.data
    draft.settle("accept", Selection(author="A1")).settle("accept", Selection(author="A2"))
    assert (draft.changes, draft.data) == ([], data)


def test_a_page_with_open_changes_is_not_deleted() -> None:
    draft = Draft().edit(ReplaceText("p2.b1", "dogs", "cats"))
    with pytest.raises(RefusedError, match="Page 2 has tracked changes that are still open"):
        draft.edit(DeletePages(1, 2))
    draft.settle("accept", ALL).edit(DeletePages(1, 2))
    assert draft.pages == list(WORDS[2:])


def test_a_page_with_an_open_look_is_not_deleted() -> None:
    draft = Draft().edit(FormatText("p2.b1", "dogs", "color", "FF0000"))
    with pytest.raises(RefusedError, match="Page 2 has tracked changes that are still open"):
        draft.edit(DeletePages(2, 2))


@pytest.mark.corpus
def test_a_page_with_a_field_that_was_filled_is_not_deleted(corpus: Path) -> None:
    form = corpus / "pdf" / "tika__testPDF_XFA_govdocs1_258578.pdf"
    two = BytesIO()
    with pikepdf.open(form) as opened:
        document: Any = opened
        document.add_blank_page()
        document.save(two)
    draft = Draft(two.getvalue())
    name = next(name for name, each in fields(draft.data).items() if not each.value)
    draft.edit(SetField(name, "Ann"))
    with pytest.raises(RefusedError, match="Page 1 has tracked changes that are still open"):
        draft.edit(DeletePages(1, 1))
    draft.edit(DeletePages(2, 2))
    assert [after for _, _, after in draft.changes] == ["Ann", "Page 2 deleted"]


def test_words_on_a_page_that_is_new_itself_are_not_changed() -> None:
    draft = Draft().edit(InsertPage(1, "after"), StampPages("header", "Draft of May"))
    assert draft.pages[1] == "Draft of May"
    with pytest.raises(RefusedError, match="A page that was inserted is a tracked change"):
        draft.edit(FindReplace("May", "Day"))
    draft.settle("accept", ALL).edit(FindReplace("May", "Day"))
    assert draft.pages[1] == "Draft of Day"


def test_a_new_paragraph_is_noted_on_its_page_as_it_was_numbered() -> None:
    draft = (
        Draft()
        .edit(DeletePages(1, 1))
        .edit(InsertBlocks("p1.b1", "after", (NewBlock("paragraph", "More dogs."),)))
    )
    assert draft.changes == [("A2", "", "More dogs."), ("A1", "", "Page 1 deleted")]
    assert [(page, words.strip()) for page, _, words in draft.notes] == [
        (0, "This page was deleted"),
        (1, "More dogs."),
    ]


def test_the_content_of_the_original_pages_stays_byte_for_byte() -> None:
    draft = Draft().edit(MovePages(1, 1, 2, "after"), StampPages("watermark", "DRAFT"))
    marked = redline.annotated(draft.upload, draft.data, draft.state)
    assert [content(marked, page) for page in range(4)] == [
        content(BOOK, page) for page in range(4)
    ]


def test_operations_are_kept_as_values_and_come_back() -> None:
    operations = [operation for operation, _, _ in ONE]
    assert list(decode_steps(encode_steps(operations))) == operations
    with pytest.raises(CorruptDocumentError):
        decode_steps([PageStep("burn", {})])
    with pytest.raises(CorruptDocumentError):
        decode_steps([PageStep("delete", {"first": 1})])


def test_the_word_redline_strikes_the_words_of_deleted_pages(tmp_path: Path) -> None:
    draft = Draft().edit(DeletePages(2, 2), StampPages("footer", "Draft"))
    draft.edit(ReplaceText("p1.b1", "fox", "cat"))
    names = ("upload.pdf", "working.pdf", "redline.docx")
    upload, working, target = (tmp_path / name for name in names)
    upload.write_bytes(BOOK)
    working.write_bytes(draft.data)
    editor.as_word(StoredVersion(working, draft.state, upload), target)
    found = [
        (each.author, each.kind, each.before) for each in editor.changes(StoredVersion(target, b""))
    ]
    assert found == [("A2", "replacement", "fox"), ("A1", "deletion", WORDS[1])]
