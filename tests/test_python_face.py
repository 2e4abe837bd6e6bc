"""`import redraft`: the page about it runs, and it does what the other doors do."""

from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path

import pytest

import redraft
from redraft import command_line
from tests.engine.wordml import docx, p

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "tui" / "sample" / "services-agreement.docx"
PAGE = ROOT / "docs" / "python.md"
RENAMING = 'Replace "Harbour Lane" with "Quay Street" everywhere'


@pytest.fixture(autouse=True)
def _without_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "REDRAFT_MODEL"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.thorough
def test_the_page_about_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(SAMPLE, tmp_path / "contract.docx")
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert len(examples) == 8
    exec("".join(examples), {})  # noqa: S102 - the page is ours
    clean = redraft.open("contract.clean.docx")
    assert "Harbour Lane" not in clean.markdown()
    assert clean.changes == ()
    assert "Harbour Lane" in redraft.open("contract.redline.docx").markdown("original")


def test_a_plan_gives_the_bytes_that_the_command_line_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    contract = redraft.open(SAMPLE, author="Ann Lee")
    plan = tmp_path / "plan.json"
    plan.write_text(contract.plan(RENAMING), "utf-8")
    out = tmp_path / "out.docx"
    words = ["apply", str(SAMPLE), str(plan), "-o", str(out), "--author", "Ann Lee"]
    assert command_line.main(words) == 0
    assert contract.edit(plan.read_text("utf-8")).applied
    assert contract.to_bytes() == out.read_bytes()


def test_versions_go_back_and_forth() -> None:
    contract = redraft.open(SAMPLE)
    before = contract.markdown()
    assert not contract.undo()
    contract.edit(RENAMING)
    after = contract.markdown()
    assert before != after
    assert contract.undo()
    assert contract.markdown() == before
    assert contract.redo()
    assert not contract.redo()
    assert contract.markdown() == after
    contract.undo()
    contract.edit('Replace "Tannery Wharf" with "Bridge Road" everywhere')
    assert not contract.redo()
    assert "Quay Street" not in contract.markdown()


def test_rejecting_all_gives_the_original_back() -> None:
    contract = redraft.open(SAMPLE)
    original = contract.markdown()
    assert contract.reject() == 0
    contract.edit(RENAMING)
    count = len(contract.changes)
    assert contract.reject() == count > 1
    assert contract.markdown("markup") == original
    assert contract.to_bytes("original") == SAMPLE.read_bytes()


def test_a_refused_edit_changes_nothing() -> None:
    contract = redraft.open(docx(p("one and one")), name="a.docx")
    before = contract.to_bytes()
    with pytest.raises(redraft.AmbiguousError):
        contract.edit('Delete "one"')
    with pytest.raises(redraft.PlanError, match="operation 1"):
        contract.edit([{"op": "replace_text", "block": "p9", "find": "one", "replace": "two"}])
    with pytest.raises(redraft.PlanError):
        contract.edit([{"op": "no_such_thing"}])
    assert contract.to_bytes() == before


def test_a_candidate_is_chosen_by_its_place() -> None:
    contract = redraft.open(docx(p("one here") + p("one there")), name="a.docx")
    with pytest.raises(redraft.AmbiguousError) as caught:
        contract.edit('Delete "one"')
    assert len(caught.value.candidates) == 2
    contract.edit('Delete "one"', places=[caught.value.candidates[1].place])
    assert contract.markdown().split("\n\n") == ["one here", "there\n"]


def test_a_file_is_replaced_only_when_that_is_said(tmp_path: Path) -> None:
    target = tmp_path / "kept.docx"
    target.write_bytes(b"kept")
    with redraft.open(SAMPLE) as contract:
        with pytest.raises(FileExistsError):
            contract.save(target)
        assert target.read_bytes() == b"kept"
        assert contract.save(target, force=True) == target
    assert target.read_bytes() == SAMPLE.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["kept.docx"]


async def test_it_edits_where_a_loop_is_running_and_shows_its_redline() -> None:
    assert asyncio.get_running_loop().is_running()
    contract = redraft.open(docx(p("pay in 30 days")), name="a.docx")
    contract.edit('Replace "30" with "45"')
    assert "pay in <del>30</del><ins>45</ins> days" in contract._repr_html_()  # pyright: ignore[reportPrivateUsage]
    with pytest.raises(redraft.NotFoundError):
        contract.edit('Delete "nothing of the kind"')


def test_every_public_name_is_there() -> None:
    assert all(getattr(redraft, name) for name in redraft.__all__)
    with pytest.raises(AttributeError):
        _ = redraft.nothing  # pyright: ignore[reportAttributeAccessIssue]
