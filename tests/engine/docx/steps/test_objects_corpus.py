"""Random links, comments, notes, pictures and controls of real documents: the laws hold always."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import pytest

from redraft.engine.diff import tokens as words_of
from redraft.engine.docx.anchors import Place, places, stories
from redraft.engine.docx.apply import apply, initial_state
from redraft.engine.docx.changes.accept_or_reject import resolve
from redraft.engine.docx.changes.revisions import changes
from redraft.engine.docx.judging.fingerprint import fingerprint
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading.images import Images
from redraft.engine.docx.reading.reader import controls
from redraft.engine.docx.redline import textmap
from redraft.engine.errors import EditError, VerificationError
from redraft.engine.plan import (
    AddComment,
    DeleteImage,
    DeleteNote,
    EditNote,
    EditPlan,
    InsertFootnote,
    Operation,
    RemoveLink,
    SetAltText,
    SetField,
    SetLink,
    SetProperty,
)
from redraft.engine.report import Selection, Signature
from redraft.engine.state import decode
from tests.documents import is_full_sweep, names
from tests.oracle import judged, only

# One group, so that the last test counts what the first ones did.
pytestmark = pytest.mark.corpus

EDITS = 40 if is_full_sweep() else 8
URL = "https://example.org/terms"
Make = Callable[[Package, random.Random], Operation | None]


def quote(package: Package, chance: random.Random) -> tuple[Place, str] | None:
    """Words of a paragraph of the body that stand there once."""
    found = [each for each in places(package) if each.kind == "paragraph"]
    chance.shuffle(found)
    for place in found[:60]:
        text = textmap.read(place.element, {}).text
        words = words_of(text)
        start = chance.randrange(len(words)) if words else 0
        find = "".join(words[start : start + chance.randint(1, 8)]).strip()
        if place.story == "body" and len(find) > 2 and text.count(find) == 1:
            return place, find
    return None


def on_words(make: Callable[[str, str], Operation]) -> Make:
    def made(package: Package, chance: random.Random) -> Operation | None:
        found = quote(package, chance)
        return None if found is None else make(found[0].anchor, found[1])

    return made


def on_one(list_of: Callable[[Package], list[str]], make: Callable[[str], Operation]) -> Make:
    def made(package: Package, chance: random.Random) -> Operation | None:
        found = list_of(package)
        return make(chance.choice(found)) if found else None

    return made


def notes(package: Package) -> list[str]:
    return [s.anchor for s in stories(package) if s.kind in ("footnote", "endnote")]


def pictures(package: Package) -> list[str]:
    return Images(package, stories(package)).identifiers()


def boxes(package: Package) -> list[str]:
    return list(controls(package))


KINDS: dict[str, Make] = {
    "link": on_words(lambda anchor, find: SetLink(anchor, find, URL)),
    "unlink": on_words(lambda anchor, _: RemoveLink(anchor, "")),
    "comment": on_words(lambda anchor, find: AddComment(anchor, find, "Is this so?")),
    "footnote": on_words(lambda anchor, find: InsertFootnote(anchor, find, "See *there*")),
    "delete note": on_one(notes, DeleteNote),
    "edit note": on_one(notes, lambda name: EditNote(name, "Another text")),
    "describe": on_one(pictures, lambda name: SetAltText(name, "A picture")),
    "delete picture": on_one(pictures, DeleteImage),
    "fill": on_one(boxes, lambda name: SetField(name, "Value")),
    "property": lambda _package, chance: SetProperty("title", f"Title {chance.random()}"),
}


@lru_cache(maxsize=1)
def tally() -> Counter[tuple[str, str]]:
    """By kind how many edits were made, and why others were not."""
    return Counter()


@pytest.mark.parametrize("name", names("docx", start=1))
def test_random_edits_of_objects_keep_the_laws(name: str, corpus: Path) -> None:
    data = (corpus / "docx" / name).read_bytes()
    state = initial_state(data)
    chance = random.Random(name)  # noqa: S311  # a repeatable choice of edits, not a secret
    for number in range(EDITS):
        kind = chance.choice(list(KINDS))
        wanted = KINDS[kind](Package.open(data), chance)
        if wanted is None:
            continue
        signature = Signature(f"e{number}", "us", "2026-11-21T06:30:00Z", tracked=True)
        try:
            data, report = apply(data, state, EditPlan("edit", "", (wanted,)), signature)
        except VerificationError:
            raise
        except EditError as error:
            tally()[kind, f"{type(error).__name__}: {str(error)[:70]}"] += 1
            continue
        state = report.state
        tally()[kind, "made"] += 1
    ours = tuple(change.id for change in changes(data, state) if change.is_ours)
    if not ours:
        return
    rejected, done = resolve(data, state, "reject", Selection(ids=ours))
    baseline = fingerprint(Package.open(rejected), ())
    assert baseline == dict(decode(state).baseline)
    assert decode(done.state).ours == {}
    assert judged(rejected, lambda _: "keep") == judged(data, only("us", "reject"))
    accepted, _ = resolve(data, state, "accept", Selection(ids=ours))
    final = fingerprint(Package.open(data), decode(state).ours, "final")
    assert fingerprint(Package.open(accepted), ()) == final
    assert judged(accepted, lambda _: "keep") == judged(data, only("us", "accept"))


def test_nearly_every_random_edit_of_objects_is_made() -> None:
    if not tally():
        pytest.skip("no document was edited in this process")
    made = sum(count for (_, result), count in tally().items() if result == "made")
    kinds = {kind for kind, result in tally() if result == "made"}
    assert made >= 0.6 * sum(tally().values()), tally()
    assert {"link", "comment", "footnote", "property"} <= kinds
