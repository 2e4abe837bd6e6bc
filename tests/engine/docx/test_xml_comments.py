"""XML comments and processing instructions say nothing, and stay where no block around changes."""

from __future__ import annotations

import pytest

from redraft.engine.docx.apply import initial_state
from redraft.engine.plan import (
    DeleteBlocks,
    InsertBlocks,
    MergeBlocks,
    MoveBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    SplitBlock,
)
from redraft.engine.report import Selection
from tests.engine.redlining import Draft
from tests.engine.wordml import archive, docx, p
from tests.oracle import members

SILENT = "<!-- made by a program --><?program says?>"
INSIDE = (
    "<w:p><!--a--><w:r><w:t>one</w:t><!--b--><w:t>two</w:t></w:r>"
    "<?x y?><w:r><!--z--><w:t> three</w:t></w:r></w:p>"
)
ALL = Selection(all=True)


def draft() -> Draft:
    return Draft.of(p("A"), SILENT, p("B"), SILENT, INSIDE, SILENT, p("E"), SILENT)


@pytest.mark.parametrize(
    ("edit", "accepted"),
    [
        (ReplaceText("p3", "onetwo", "1"), ["A", "B", "1 three", "E"]),
        (DeleteBlocks("p2", "p3"), ["A", "E"]),
        (DeleteBlocks("p3", "p4"), ["A", "B"]),
        (MergeBlocks("p2", "p3"), ["A", "Bonetwo three", "E"]),
        (SplitBlock("p3", "two"), ["A", "B", "one", "two three", "E"]),
        (MoveBlocks("p1", "p1", "p3", "after"), ["B", "onetwo three", "A", "E"]),
        (
            InsertBlocks("p4", "after", (NewBlock("paragraph", "new"),)),
            ["A", "B", "onetwo three", "E", "new"],
        ),
    ],
)
def test_blocks_are_edited_as_if_nothing_stood_between_them(
    edit: Operation, accepted: list[str]
) -> None:
    start = draft()
    made = start.edit(edit)
    assert made.accepted == accepted
    assert made.rejected == start.original
    assert made.decide("reject", ALL).redline == start.redline
    # A second edit holds the result against the stored baseline.
    again = made.edit(ReplaceText("p2" if accepted[0] == "B" else "p1", accepted[0], "n"))
    assert again.rejected == start.original


def test_there_and_back_leaves_no_mark_and_every_comment_between_blocks() -> None:
    start = draft()
    made = start.edit(ReplaceText("p2", "B", "C")).edit(ReplaceText("p2", "C", "B"))
    assert made.redline == start.redline
    assert made.body.count(SILENT) == 4
    assert "<!--a-->" in made.body


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_they_are_passed_in_every_encoding(encoding: str) -> None:
    part = "word/document.xml"
    text = members(docx(INSIDE + SILENT + p("B")))[part].decode().partition("?>")[2]
    encoded = f'<?xml version="1.0" encoding="{encoding}"?>{text}'.encode(encoding)
    files = members(docx(p("x"))) | {part: encoded}
    data = archive(files)
    made = Draft(data, initial_state(data), data).edit(ReplaceText("p2", "B", "C"))
    assert made.accepted == ["onetwo three", "C"]
