"""Case 34: a plan that quotes wrongly, or speaks of an older version, changes nothing.

The same through the service is in tests/api/test_stale_plans.py.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from redraft.engine import editor
from redraft.engine.errors import NotFoundError
from redraft.engine.plan import (
    DeleteBlocks,
    DeletePages,
    EditPlan,
    FindReplace,
    FormatText,
    InsertBlocks,
    NewBlock,
    Operation,
    Redact,
    RemoveLink,
    ReplaceText,
    RewriteBlock,
    SetLink,
    SetProperty,
    StampPages,
)
from redraft.engine.report import StoredVersion
from tests.engine.pdf.acceptance.documents import BY_ANN, LINE, MULTI, block, edited, held, texts
from tests.engine.pdf.paper import paper
from tests.engine.planner.standins import delete, replace_text, reply
from tests.model_server import ModelServer, Step

NOT_THERE = r"^Unable to locate the specified text$"
ROOT = Path(__file__).parents[4]
SAID = ("The first fox jumps.", "The second dog sleeps.", "The third cat hunts.")


def test_case_34_a_wrong_quote_changes_nothing() -> None:
    with pytest.raises(NotFoundError, match=NOT_THERE):
        edited(LINE, ReplaceText("p1.b1", "purple", "red"))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    made = paper()
    for number, line in enumerate(SAID):
        made.text(72, 100 + 30 * number, line)
    made.link(72, 130, 200, 144, "https://example.org")
    path = tmp_path / "now.pdf"
    path.write_bytes(made.data())
    return path


def next_of(source: Path, *operations: Operation) -> Path:
    """Make the next version of a document, as another edit does while this one is planned."""
    target = source.with_name("next.pdf")
    plan = EditPlan("edit", "", operations)
    assert editor.edit(
        StoredVersion(source, b""), target, plan, replace(BY_ANN, tracked=False)
    ).applied
    return target


def refused(path: Path, plan: EditPlan) -> NotFoundError:
    """Make sure that neither a check nor an edit takes a plan, and that no file is touched."""
    before, target = path.read_bytes(), path.with_name("edited.pdf")
    found: list[NotFoundError] = []
    for is_tracked in (False, True):
        (fault,) = editor.check(StoredVersion(path), plan, tracked=is_tracked)
        assert fault.code == "not_found"
        assert fault.message.startswith("Unable to locate the specified text")
        with pytest.raises(NotFoundError, match=NOT_THERE) as caught:
            editor.edit(StoredVersion(path, b""), target, plan, replace(BY_ANN, tracked=is_tracked))
        found.append(caught.value)
    assert not target.exists()
    assert path.read_bytes() == before
    return found[0]


@pytest.mark.parametrize(
    "operation",
    [
        ReplaceText("p1.b3", "cat", "lynx"),
        FindReplace("fox", "hare"),
        FormatText("p1.b3", "cat", "bold", "on"),
        SetLink("p1.b3", "cat", "https://example.net"),
        RemoveLink("p1.b1", "first fox"),
        RewriteBlock("p1.b4", "There were four."),
    ],
    ids=lambda each: type(each).__name__,
)
def test_case_34_what_is_quoted_from_the_version_before_is_not_found_in_the_next(
    source: Path, operation: Operation
) -> None:
    """The quote alone protects, also in a plan that somebody else wrote."""
    version = next_of(source, DeleteBlocks("p1.b1", "p1.b1"), FindReplace("cat", "tiger"))
    refused(version, EditPlan("edit", "", (operation,)))


@pytest.mark.parametrize(
    "operation",
    [
        ReplaceText("p1.b2", "The", "A"),
        RewriteBlock("p1.b2", "The second dog wakes."),
        DeleteBlocks("p1.b2", "p1.b2"),
        InsertBlocks("p1.b2", "after", (NewBlock("paragraph", "The dog is old."),)),
        FormatText("p1.b2", "", "bold", "on"),
        FindReplace("The", "A"),
        SetProperty("title", "Of animals"),
        Redact("third"),
        DeletePages(1, 1),
        StampPages("page_numbers"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_case_34_a_plan_of_the_version_before_is_not_carried_out_on_the_next(
    source: Path, operation: Operation
) -> None:
    """Its anchors name other blocks: what was the third is the second now."""
    version = next_of(source, DeleteBlocks("p1.b1", "p1.b1"))
    assert texts(version.read_bytes()) == list(SAID[1:])
    shown = editor.show(StoredVersion(source), "as planned", None, "N0")
    plan = EditPlan("edit", "", (operation,), snapshot=shown.snapshot)
    assert "has changed since the edit was planned" in refused(version, plan).more
    anew = replace(
        plan, snapshot=editor.show(StoredVersion(version), "as planned", None, "N0").snapshot
    )
    assert anew.snapshot != plan.snapshot


@pytest.mark.corpus
def test_case_34_a_plan_of_the_interpreter_is_good_for_the_version_it_read(
    corpus: Path, tmp_path: Path
) -> None:
    source, target = tmp_path / "now.pdf", tmp_path / "done.pdf"
    source.write_bytes(held(corpus, MULTI))
    anchor = block(source.read_bytes(), "The origins").anchor
    version = next_of(source, ReplaceText(anchor, "typewriter", "teleprinter", 1))
    first = editor.interpret(StoredVersion(source), 'Replace "Evolution" with "History"', None)
    refused(version, first)
    assert editor.check(StoredVersion(source), first) == ()
    assert editor.edit(StoredVersion(source, b""), target, first, BY_ANN).applied
    assert "The History of the Word Processor" in texts(target.read_bytes())


@pytest.mark.process
@pytest.mark.parametrize(
    ("operation", "why"),
    [
        (replace_text("p1.b2", "dog", "wolf"), "the closest passage is: The second dog sleeps."),
        (delete("p1.b2", "p1.b2"), "The document has changed since the edit was planned"),
    ],
    ids=["a quote", "an anchor"],
)
def test_case_34_a_file_that_is_saved_while_a_model_thinks_is_not_edited(
    source: Path, operation: dict[str, object], why: str
) -> None:
    """Somebody saves the file anew in the time that the model takes; it read the old one."""
    other = next_of(source, DeleteBlocks("p1.b1", "p1.b1")).read_bytes()

    def think(request: dict[str, Any]) -> Step:
        source.write_bytes(other)
        return reply(operation)

    with ModelServer(think) as server:
        environment = {
            "PATH": os.environ.get("PATH", ""),
            "PYTHONPATH": str(ROOT),
            "LANG": "C.UTF-8",
            "OPENAI_BASE_URL": server.address,
            "OPENAI_API_KEY": "k",
            "REDRAFT_MODEL": "m",
        }
        asked = 'Do away with what is said of "The second dog sleeps.", or make a wolf of the dog'
        done = subprocess.run(
            [sys.executable, "-m", "redraft", "edit", str(source), asked],
            cwd=source.parent,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert server.requests
    assert done.returncode == 1
    assert "Unable to locate the specified text" in done.stderr
    assert why in done.stderr
    assert source.read_bytes() == other
    assert not source.with_name("now-edited.pdf").exists()
