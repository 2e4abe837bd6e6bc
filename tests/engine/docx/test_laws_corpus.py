"""Random edits of real documents: the laws hold always, and nearly every edit is made."""

from __future__ import annotations

import random
from collections import Counter
from functools import lru_cache
from pathlib import Path

import pytest

from redraft.engine import tokens
from redraft.engine.diff import tokens as words_of
from redraft.engine.docx.anchors import Place, places
from redraft.engine.docx.apply import apply, initial_state
from redraft.engine.docx.changes.accept_or_reject import resolve
from redraft.engine.docx.changes.revisions import changes
from redraft.engine.docx.editing.document_index import Survey
from redraft.engine.docx.judging.fingerprint import fingerprint
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.redline import textmap
from redraft.engine.errors import EditError, VerificationError
from redraft.engine.plan import (
    DeleteBlocks,
    EditPlan,
    FindReplace,
    InsertBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    RewriteBlock,
)
from redraft.engine.report import Selection, Signature
from redraft.engine.state import State, decode
from tests.documents import is_full_sweep, names

# One group, so that the last test counts what the first ones did.
pytestmark = pytest.mark.corpus

EDITS = 50 if is_full_sweep() else 6
BLOCK = NewBlock("like_anchor", "An **inserted** line")


def operation(package: Package, chance: random.Random) -> Operation | None:
    """An edit of a stretch of words that the view shows; None for a document without words."""
    found = [place for place in places(package) if place.kind == "paragraph"]
    chance.shuffle(found)
    for place in found[:60]:
        text = textmap.read(place.element, {}).text
        if place.story != "comment" and len(text.split()) > 1:
            return _edit(package, place, words_of(text), chance)
    return None


def _edit(package: Package, place: Place, words: list[str], chance: random.Random) -> Operation:
    start = chance.randrange(len(words))
    find = "".join(words[start : start + chance.randint(1, 12)])
    kind = chance.choice(["replace"] * 5 + ["everywhere", "delete", "insert", "rewrite"])
    if kind == "delete":
        return DeleteBlocks(place.anchor, place.anchor)
    if kind == "insert":
        return InsertBlocks(place.anchor, chance.choice(["before", "after"]), (BLOCK,))
    if kind == "everywhere" and find.strip():
        return FindReplace(find, "REPLACED", limit=20)
    if kind == "rewrite":
        view = tokens.write(Survey(package, State()).known(place.anchor)).split(" ")
        view[chance.randrange(len(view))] += " rewritten"
        return RewriteBlock(place.anchor, " ".join(view))
    new = chance.choice(["NEW", "alpha beta", f"{tokens.escape(find)} more", "", find.upper()])
    return ReplaceText(place.anchor, find, tokens.escape(new) if new == find.upper() else new, 1)


@lru_cache(maxsize=1)
def tally() -> Counter[str]:
    """Edits made and refused over all documents of this run."""
    return Counter()


@pytest.mark.parametrize("name", names("docx", start=2))
def test_random_edits_keep_the_laws_and_are_undone_exactly(name: str, corpus: Path) -> None:
    upload = (corpus / "docx" / name).read_bytes()
    data, state = upload, initial_state(upload)
    chance = random.Random(name)  # noqa: S311  # a repeatable choice of edits, not a secret
    for number in range(EDITS):
        wanted = operation(Package.open(data), chance)
        if wanted is None:
            pytest.skip("no paragraph with two words")
        signature = Signature(f"e{number}", "us", "2026-11-21T06:30:00Z", tracked=True)
        try:
            data, report = apply(data, state, EditPlan("edit", "", (wanted,)), signature)
        except VerificationError:
            raise
        except EditError as error:
            tally()[type(error).__name__] += 1
            continue
        state = report.state
        tally()["made"] += 1
    ours = tuple(change.id for change in changes(data, state) if change.is_ours)
    if not ours:
        return
    rejected, _ = resolve(data, state, "reject", Selection(ids=ours))
    assert fingerprint(Package.open(rejected), ()) == fingerprint(Package.open(upload), ())
    accepted, _ = resolve(data, state, "accept", Selection(ids=ours))
    final = fingerprint(Package.open(data), decode(state).ours, "final")
    assert fingerprint(Package.open(accepted), ()) == final


def test_nearly_every_random_edit_is_made() -> None:
    if not tally():
        pytest.skip("no document was edited in this process")
    assert tally()["made"] >= 0.9 * sum(tally().values()), tally()
