"""Pairs of versions from the corpus: rejected the redline is the first, what differs is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from redraft.engine.compare.redlining import compare
from redraft.engine.report import Signature
from tests.documents import is_full_sweep
from tests.oracle import accept, judged, keep, members, only, texts

pytestmark = pytest.mark.corpus

AUTHOR = "Comparison"
SIGNED = Signature("9f1c", AUTHOR, "2026-11-22T10:00:00Z", tracked=True)
EVERY = 1 if is_full_sweep() else 4


def _pairs(corpus: Path) -> list[tuple[Path, Path]]:
    found: list[tuple[Path, Path]] = []
    for old in sorted(corpus.glob("**/pairs/*before.docx")):
        new = old.with_name(old.name.replace("before.docx", "after.docx"))
        found += [(old, new)] if new.exists() else []
    return found[::EVERY]


def test_rejecting_gives_the_first_version_and_differences_are_named(corpus: Path) -> None:
    pairs = _pairs(corpus)
    assert len(pairs) >= 10
    for old, new in pairs:
        first, second = old.read_bytes(), new.read_bytes()
        found = compare(first, second, SIGNED)
        before, rejected = judged(first, keep), judged(found.data, only(AUTHOR, "reject"))
        assert {part: rejected.get(part) for part in before} == before, old.name
        # A part that was made for notes holds two separators once these are rejected.
        made = [t for part, more in texts(rejected).items() if part not in before for t in more]
        assert not any(made), old.name
        said, wanted = texts(judged(found.data, accept)), texts(judged(second, accept))
        body = "word/document.xml"
        assert said.get(body) == wanted.get(body) or found.remains, old.name


def test_a_document_compared_with_itself_gives_no_mark(corpus: Path) -> None:
    for name in sorted((corpus / "docx").glob("*.docx"))[:: 3 * EVERY]:
        data = name.read_bytes()
        found = compare(data, data, SIGNED)
        assert members(found.data) == members(data), name.name
        assert found.remains == (), name.name
