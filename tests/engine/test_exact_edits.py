from __future__ import annotations

from pathlib import Path

import pytest

from redraft.engine import editor
from redraft.engine.editor import blocks, faults
from redraft.engine.errors import NotFoundError
from redraft.engine.exact_edits import LARGEST_WINDOW
from redraft.engine.plan import DeleteRow, EditPlan, ReplaceText
from redraft.engine.plan_json import read_plan, write_plan
from redraft.engine.report import Signature, StoredVersion
from tests.engine.wordml import docx, p, table

SIGNED = Signature("e1", "Ann", "2026-11-22T00:00:00Z", tracked=True)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "a.docx"
    path.write_bytes(docx(p("one fine day") + table(["x", "y"]) + p("two")))
    return path


def test_blocks_come_in_windows_that_say_where_to_go_on(source: Path) -> None:
    whole = blocks(StoredVersion(source))
    assert [block.id for block in whole.blocks] == ["p1", "t1", "t1.r1", "p2"]
    assert (whole.total, whole.next) == (4, None)
    first = blocks(StoredVersion(source), limit=3)
    assert (len(first.blocks), first.next) == (3, "p2")
    rest = blocks(StoredVersion(source), start="p2", limit=3)
    assert first.blocks + rest.blocks == whole.blocks
    assert rest.blocks[0].text == "two"
    assert blocks(StoredVersion(source), limit=0).blocks == whole.blocks[:1]
    assert LARGEST_WINDOW >= len(blocks(StoredVersion(source), limit=10**9).blocks) == 4


def test_a_window_cannot_begin_where_nothing_stands(source: Path) -> None:
    with pytest.raises(NotFoundError, match="There is no block p9"):
        blocks(StoredVersion(source), start="p9")


def test_the_snapshot_of_a_window_holds_for_these_bytes_only(source: Path) -> None:
    snapshot = blocks(StoredVersion(source)).snapshot
    plan = EditPlan("edit", "", (ReplaceText("p1", "fine", "dull"),), snapshot)
    assert faults(StoredVersion(source), plan) == ()
    source.write_bytes(docx(p("one fine day")))
    (fault,) = faults(StoredVersion(source), plan)
    assert "changed since" in fault.message


def test_faults_come_all_at_once_with_the_true_text(source: Path) -> None:
    plan = EditPlan(
        "edit",
        "",
        (ReplaceText("p1", "two", "2"), ReplaceText("p2", "two", "2"), DeleteRow("t7.r1")),
    )
    text, place = faults(StoredVersion(source), plan)
    assert (text.index, text.code) == (0, "text_not_found")
    assert "[p1] says: one fine day" in text.message
    assert "“two” stands in p2" in text.message
    assert (place.index, place.code) == (2, "unknown_block")


def test_a_printed_plan_gives_the_same_bytes(source: Path, tmp_path: Path) -> None:
    plan = editor.interpret(StoredVersion(source), 'change "fine" to "dull"', None)
    state = editor.inspect(source, "a.docx").state
    targets = [tmp_path / "said.docx", tmp_path / "printed.docx"]
    for target, one in zip(targets, (plan, read_plan(write_plan(plan))), strict=True):
        assert editor.edit(StoredVersion(source, state), target, one, SIGNED).applied
    assert targets[0].read_bytes() == targets[1].read_bytes() != source.read_bytes()
