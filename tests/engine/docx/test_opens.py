"""LibreOffice opens what random edits leave of real documents: as many as it opened before them.

A dozen documents, none of them large, in one call of the program; all of them in a full sweep.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from redraft.engine.docx.apply import apply, initial_state
from redraft.engine.errors import EditError, EngineError
from redraft.engine.plan import EditPlan
from redraft.engine.report import Signature
from tests.documents import is_full_sweep, names
from tests.engine.docx.hunting import Scene, sensible
from tests.engine.redlining import DATE, US

EDITS = 12 if is_full_sweep() else 8
DOCUMENTS = 10_000 if is_full_sweep() else 12
LARGEST = 10**9 if is_full_sweep() else 80_000
BATCH = 20


def edited(upload: bytes, chance: random.Random) -> tuple[bytes, int]:
    """A document after random tracked and untracked edits, and how many were made."""
    data, state, made = upload, initial_state(upload), 0
    for number in range(EDITS):
        operation = sensible(Scene(data, state, chance))
        if operation is None:
            continue
        plan = EditPlan("edit", "", (operation,))
        signature = Signature(f"e{number}", US, DATE, tracked=chance.random() < 0.85)
        try:
            data, report = apply(data, state, plan, signature)
        except EditError:
            # What is refused leaves no result; laws that are broken are for test_hunt.py.
            continue
        state = report.state
        made += report.applied
    return data, made


def opened(soffice: Path, files: Sequence[Path], folder: Path) -> set[str]:
    """Which of some files LibreOffice can read and write as text; what stops it is tried alone."""
    target = folder / "text"
    for start in range(0, len(files), BATCH):
        convert(soffice, files[start : start + BATCH], target, folder / "profile")
    for file in files:
        if not (target / f"{file.stem}.txt").exists():
            convert(soffice, [file], target, folder / f"profile {file.stem}")
    return {file.stem for file in files if (target / f"{file.stem}.txt").exists()}


def convert(soffice: Path, files: Sequence[Path], target: Path, profile: Path) -> None:
    setting = f"-env:UserInstallation={profile.as_uri()}"
    call = [str(soffice), setting, "--headless", "--convert-to", "txt:Text (encoded):UTF8"]
    subprocess.run(
        [*call, "--outdir", str(target), *map(str, files)],
        check=False,
        capture_output=True,
        timeout=900,
    )


def documents(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The documents of a run: those that we read, and in a sample no large ones."""
    found = 0
    for name in names("docx") if is_full_sweep() else sample(folder):
        data = (folder / "docx" / name).read_bytes()
        if len(data) > LARGEST or found >= DOCUMENTS:
            continue
        try:
            initial_state(data)
        except EngineError:
            continue
        found += 1
        yield Path(name).stem, data


def sample(folder: Path) -> list[str]:
    every = [path.name for path in sorted((folder / "docx").glob("*.docx"))]
    return [name for start in range(4) for name in every[start::4]]


@pytest.mark.program
@pytest.mark.corpus
@pytest.mark.timeout(7200 if is_full_sweep() else 300)
def test_libreoffice_opens_every_result(corpus: Path, soffice: Path, tmp_path: Path) -> None:
    results: list[Path] = []
    total = 0
    for name, upload in documents(corpus):
        chance = random.Random(f"opened {name}")  # noqa: S311  # repeatable edits, not a secret
        data, made = edited(upload, chance)
        total += made
        file = tmp_path / f"{len(results)} {name}.docx"
        file.write_bytes(data)
        results.append(file)
    assert total >= 4 * len(results)
    there = opened(soffice, results, tmp_path)
    closed = [file.stem for file in results if file.stem not in there]
    print(f"{len(there)} of {len(results)} opened after {total} edits")  # noqa: T201  # the figure
    assert not closed


@pytest.mark.program
def test_a_file_that_is_no_document_is_not_counted_as_opened(soffice: Path, tmp_path: Path) -> None:
    file = tmp_path / "broken.docx"
    file.write_bytes(b"PK\x03\x04 nothing of use")
    assert opened(soffice, [file], tmp_path) == set()
