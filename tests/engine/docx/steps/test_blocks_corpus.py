"""Random moves, splits, merges and breaks in real documents: the laws hold, and most are made."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from redraft.engine.docx.anchors import places
from redraft.engine.docx.apply import apply, initial_state
from redraft.engine.docx.changes.accept_or_reject import resolve
from redraft.engine.docx.changes.revisions import changes
from redraft.engine.docx.judging.fingerprint import fingerprint
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.redline import textmap
from redraft.engine.errors import EditError, VerificationError
from redraft.engine.plan import (
    EditPlan,
    InsertBreak,
    MergeBlocks,
    MoveBlocks,
    Operation,
    SplitBlock,
)
from redraft.engine.report import Selection, Signature
from redraft.engine.state import decode
from tests.documents import is_full_sweep, names

pytestmark = pytest.mark.corpus

EDITS = 20 if is_full_sweep() else 3


def operation(package: Package, state: bytes, chance: random.Random) -> Operation | None:
    """An operation on blocks that stand in one story or cell."""
    found = [
        place
        for place in places(package)
        if place.kind in ("paragraph", "table") and place.story != "comment"
    ]
    if not found:
        return None
    first = chance.choice(found)
    beside = [place for place in found if place.element.getparent() is first.element.getparent()]
    last = beside[min(len(beside) - 1, beside.index(first) + chance.randint(1, 2))]
    kind = chance.choice(["move", "split", "merge", "break"])
    where = chance.choice(["before", "after"])
    if kind == "move":
        return MoveBlocks(first.anchor, last.anchor, chance.choice(beside).anchor, where)  # pyright: ignore[reportArgumentType]
    if kind == "break":
        return InsertBreak(first.anchor, where, chance.choice(["page", "column", "section"]))  # pyright: ignore[reportArgumentType]
    text = textmap.read(first.element, decode(state).ours).text if kind == "split" else ""
    if len(text) > 4:
        return SplitBlock(first.anchor, text[chance.randint(1, len(text) - 2) :])
    return MergeBlocks(first.anchor, last.anchor)


@pytest.mark.parametrize("name", names("docx", start=4))
def test_blocks_are_rearranged_and_put_back_exactly(name: str, corpus: Path) -> None:
    upload = (corpus / "docx" / name).read_bytes()
    data, state = upload, initial_state(upload)
    chance = random.Random(name)  # noqa: S311  # a repeatable choice of edits, not a secret
    for number in range(EDITS):
        wanted = operation(Package.open(data), state, chance)
        if wanted is None:
            pytest.skip("no block")
        signature = Signature(f"e{number}", "us", "2026-11-21T06:30:00Z", tracked=True)
        try:
            data, report = apply(data, state, EditPlan("edit", "", (wanted,)), signature)
        except VerificationError:
            raise
        except EditError:
            continue
        state = report.state
    ours = tuple(change.id for change in changes(data, state) if change.is_ours)
    if not ours:
        return
    rejected, _ = resolve(data, state, "reject", Selection(ids=ours))
    assert fingerprint(Package.open(rejected), ()) == fingerprint(Package.open(upload), ())
    accepted, _ = resolve(data, state, "accept", Selection(ids=ours))
    final = fingerprint(Package.open(data), decode(state).ours, "final")
    assert fingerprint(Package.open(accepted), ()) == final
