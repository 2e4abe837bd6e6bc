"""Real documents edited at random: words, looks, paragraphs, rows, notes, splits and moves.

Rejecting the redline gives the document, accepting it what was made of it, by the reading of the
judge of law 2; the looks of words, too, unless the answer names them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from redraft.engine.compare.redlining import compare
from redraft.engine.docx.judging.fingerprint import fingerprint
from redraft.engine.docx.opc.package import Package
from redraft.engine.report import Signature
from redraft.engine.state import decode
from scripts.bench_compare import blocks, settled
from tests.documents import is_full_sweep, seed
from tests.engine.compare.edited_documents import edited

pytestmark = pytest.mark.corpus

SIGNED = Signature("9f1c", "Comparison", "2026-11-22T10:00:00Z", tracked=True)
STORIES = ("body", "header", "footer", "footnote", "endnote")
LARGEST = 200_000


def test_what_was_edited_comes_back(corpus: Path) -> None:
    found = [*sorted(corpus.glob("docx/*.docx")), *sorted(corpus.glob("*/docx/*.docx"))]
    names = [name for name in found if name.stat().st_size < LARGEST]
    judged = 0
    for name in names[:: 1 if is_full_sweep() else 24]:
        first = name.read_bytes()
        second, done = edited(first, f"{name.name} {seed()}")
        result = compare(first, second, SIGNED)
        ours = decode(result.state).ours
        before = fingerprint(Package.open(first), ())
        after = fingerprint(Package.open(result.data), ours)
        told = name.name, done, result.remains
        if not any("content control" in sentence for sentence in result.remains):
            assert {part: after.get(part) for part in before} == before, told
        got = blocks(settled(result.data, "accept"), STORIES)
        wanted = blocks(settled(second, "accept"), STORIES)
        assert [b[0] for b in got] == [b[0] for b in wanted] or result.remains, told
        assert [b[2] for b in got] == [b[2] for b in wanted] or result.remains, told
        judged += 1
    assert judged
