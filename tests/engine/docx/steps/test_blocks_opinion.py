"""LibreOffice resolves changes of blocks, rows and tables as we do, but for what is listed.

Known to differ in LibreOffice 7: cells of a tracked column stay, empty, since it does not read
`w:cellIns` and `w:cellDel`; an empty paragraph stays where a table or a paragraph with a note was
moved away or back; paragraphs of different styles are not joined when a deleted mark is accepted;
no tracked change inside a content control of plain text (`w:text`) is read at all, whoever wrote it
and in whichever form: its words stay when they are rejected or their deletion is accepted.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from redraft.engine.plan import (
    DeleteBlocks,
    DeleteColumn,
    DeleteRow,
    DeleteTable,
    InsertBlocks,
    InsertColumn,
    InsertRow,
    InsertTable,
    MergeBlocks,
    MoveBlocks,
    NewBlock,
    Operation,
    SplitBlock,
)
from tests import libreoffice
from tests.engine.redlining import Draft
from tests.engine.wordml import docx, ins, p, r, table

BODY = (
    *(p("aa bb"), table(["r1", "r2"], ["r3", "r4"]), p("cc "), p("dd")),
    *(table(["c1", "c2"], ["c3", "c4"]), p("ee"), table(["d1", "d2"], ["d3", "d4"])),
    *(p("ff"), table(["gone"]), p("gg"), p("hh")),
)
PLAN: tuple[Operation, ...] = (
    InsertRow("t1.r1", "after", ("new", "row")),
    DeleteRow("t1.r2"),
    InsertColumn("t2.r1.c1", "after", ("new", "column")),
    DeleteColumn("t3.r1.c1"),
    DeleteTable("t4"),
    InsertTable("p4", "after", (("new", "table"),)),
    SplitBlock("p1", "bb"),
    MergeBlocks("p2", "p3"),
    MoveBlocks("p6", "p6", "p4", "before"),
)


def resolved(draft: Draft, action: libreoffice.Action, soffice: Path, folder: Path) -> list[str]:
    """The lines that say something once LibreOffice has settled all changes."""
    file = folder / "edited.docx"
    file.write_bytes(draft.data)
    said = libreoffice.text(str(soffice), file, action, folder)
    return [line.strip() for line in said.splitlines() if line.strip()]


@pytest.mark.parametrize("action", ["accept", "reject"])
def test_blocks_and_tables_are_resolved_alike(
    action: libreoffice.Action, soffice: Path, tmp_path: Path
) -> None:
    draft = Draft.of(*BODY)
    made = draft.edit(*PLAN)
    wanted = made.accepted if action == "accept" else draft.accepted
    assert resolved(made, action, soffice, tmp_path) == [text.strip() for text in wanted]


def test_paragraphs_of_two_styles_are_joined_by_us_and_not_by_libreoffice(
    soffice: Path, tmp_path: Path
) -> None:
    made = Draft.of(p("aa ", style="A"), p("bb")).edit(MergeBlocks("p1", "p2"))
    assert made.accepted == ["aa bb"]
    assert resolved(made, "accept", soffice, tmp_path) == ["aa", "bb"]


@pytest.mark.parametrize("action", ["accept", "reject"])
def test_the_last_paragraphs_leave_no_empty_one(
    action: libreoffice.Action, soffice: Path, tmp_path: Path
) -> None:
    draft = Draft.of(p("aa"), p("bb"), p("cc"), p("dd")).edit(DeleteBlocks("p2", "p4"))
    file = tmp_path / "edited.docx"
    file.write_bytes(draft.data)
    said = libreoffice.text(str(soffice), file, action, tmp_path)
    assert said.splitlines() == (["aa"] if action == "accept" else ["aa", "bb", "cc", "dd"])


@pytest.mark.parametrize("action", ["accept", "reject"])
def test_a_paragraph_behind_a_control_that_ends_a_cell_is_taken_back(
    action: libreoffice.Action, soffice: Path, tmp_path: Path
) -> None:
    inner = f"<w:sdt><w:sdtPr/><w:sdtContent>{p('aa')}</w:sdtContent></w:sdt>"
    cell = table(["x"]).replace(p("x"), inner)
    new = InsertBlocks("t1.r1.c1.p1", "after", (NewBlock("paragraph", "new"),))
    file = tmp_path / "edited.docx"
    file.write_bytes(Draft.of(cell, p("bb")).edit(new).data)
    text = libreoffice.text(str(soffice), file, action, tmp_path)
    assert text.splitlines() == (["aa", "new", "bb"] if action == "accept" else ["aa", "bb"])


def control(kind: str, content: str) -> str:
    properties = f'<w:sdtPr><w:tag w:val="fee"/>{kind}</w:sdtPr>'
    return f"<w:sdt>{properties}<w:sdtContent>{content}</w:sdtContent></w:sdt>"


@pytest.mark.parametrize("action", ["accept", "reject"])
def test_a_moved_block_with_a_content_control_is_resolved_alike(
    action: libreoffice.Action, soffice: Path, tmp_path: Path
) -> None:
    draft = Draft.of(p("Fee ", control("", r("ten")), " net"), p("second"), p("third"))
    made = draft.edit(MoveBlocks("p1", "p1", "p2", "after"))
    wanted = made.accepted if action == "accept" else draft.accepted
    assert resolved(made, action, soffice, tmp_path) == wanted


def test_libreoffice_reads_no_change_inside_a_plain_text_control_of_word(
    soffice: Path, tmp_path: Path
) -> None:
    """When this fails, LibreOffice has learnt it: the exception above can go."""
    file = tmp_path / "word.docx"
    file.write_bytes(docx(p("Fee ", control("<w:text/>", r("a ") + ins(r("ten"))), " net")))
    said = libreoffice.text(str(soffice), file, "reject", tmp_path)
    assert said.strip() == "Fee a ten net"
