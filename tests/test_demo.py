"""`make demo` as a newcomer runs it; pandoc and LibreOffice judge the redline that it writes."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from redraft.engine import editor
from redraft.engine.report import StoredVersion
from scripts.demo import INSTRUCTIONS, OUTPUT, PDF_INSTRUCTIONS, SAMPLE
from tests import libreoffice

pytestmark = pytest.mark.process

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the demo prints; its files are kept beside."""
    finished = subprocess.run(
        [sys.executable, ROOT / "scripts" / "demo.py"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


def test_every_instruction_is_answered(said: str) -> None:
    assert len(INSTRUCTIONS) >= 6
    assert [line for line in INSTRUCTIONS if f"> {line}" not in said] == []


def test_the_changes_are_printed_with_author_and_place(said: str) -> None:
    listed = said.partition("tracked changes\n")[2]
    assert "£[-48,000-]{+52,500+}" in listed
    assert "[-Foods-]{+Provisions+}" in listed
    assert re.search(r"^ +\d+  Dana Whitfield  \S", listed, re.MULTILINE)


def test_a_pdf_is_edited_too_and_its_redline_is_also_a_word_document(said: str) -> None:
    assert [line for line in PDF_INSTRUCTIONS if f"> {line}" not in said] == []
    listed = said.rpartition("tracked changes\n")[2]
    assert "[-Foods-]{+Provisions+}" in listed
    assert "[-48,000-]{+52,500+}" in listed
    clean = editor.read(StoredVersion(OUTPUT / "order-form-clean.pdf")).markdown
    word = OUTPUT / "order-form-redline-in-word.docx"
    assert "Harbour Lane Provisions plc orders" in clean
    assert editor.read(StoredVersion(word), "final").markdown == clean
    assert "Harbour Lane Foods plc orders" in editor.read(StoredVersion(word), "original").markdown
    assert {change.author for change in editor.changes(StoredVersion(word, b""))} == {
        "Dana Whitfield"
    }
    notes = editor.changes(StoredVersion(OUTPUT / "order-form-redline.pdf", b""))
    assert {change.author for change in notes} == {"Dana Whitfield"}


def without_labels(text: str) -> list[str]:
    """The lines that hold words, without their list labels.

    pandoc keeps an empty item, and counts it, where a numbered paragraph goes away with its mark;
    Word and LibreOffice do not.
    """
    lines = (re.sub(r"^ *(?:\d+\.|\(?[a-zA-Z]+\))(?: +|$)", "", line) for line in text.splitlines())
    return [line.strip() for line in lines if line.strip()]


@pytest.mark.usefixtures("said")
@pytest.mark.program
def test_pandoc_reads_the_same_from_the_redline(pandoc: Path) -> None:
    def plain(file: Path, changes: str = "accept") -> str:
        command = [pandoc, "-t", "plain", "--wrap=none", f"--track-changes={changes}", file]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    redline, clean = (OUTPUT / f"{SAMPLE.stem}-{view}.docx" for view in ("redline", "clean"))
    assert without_labels(plain(redline, "reject")) == without_labels(plain(SAMPLE))
    assert without_labels(plain(redline, "accept")) == without_labels(plain(clean))
    assert plain(clean) != plain(SAMPLE)


@pytest.mark.usefixtures("said")
@pytest.mark.program
def test_libreoffice_reads_the_same_from_the_redline(soffice: Path, tmp_path: Path) -> None:
    redline, clean = (
        shutil.copy(OUTPUT / f"{SAMPLE.stem}-{view}.docx", tmp_path)
        for view in ("redline", "clean")
    )
    original = shutil.copy(SAMPLE, tmp_path)

    def resolved(file: str | Path, action: libreoffice.Action) -> str:
        return libreoffice.text(str(soffice), Path(file), action, tmp_path)

    assert resolved(redline, "reject") == resolved(original, "reject")
    assert resolved(redline, "accept") == resolved(clean, "accept")
    assert resolved(clean, "accept") != resolved(original, "accept")
