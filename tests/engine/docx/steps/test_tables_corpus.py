"""Random edits of the tables of real documents: the laws hold, and nearly every edit is made."""

from __future__ import annotations

import random
from collections import Counter
from functools import lru_cache
from pathlib import Path

import pytest
from lxml import etree

from redraft.engine.docx.anchors import Place, cells, places
from redraft.engine.docx.apply import apply, initial_state
from redraft.engine.docx.changes.accept_or_reject import resolve
from redraft.engine.docx.changes.revisions import changes
from redraft.engine.docx.judging.fingerprint import fingerprint
from redraft.engine.docx.opc.package import Package
from redraft.engine.errors import EditError, PlanError, VerificationError
from redraft.engine.plan import (
    DeleteColumn,
    DeleteRow,
    DeleteTable,
    EditPlan,
    InsertColumn,
    InsertRow,
    InsertTable,
    Operation,
    SetCell,
)
from redraft.engine.report import Selection, Signature
from redraft.engine.state import decode
from tests.documents import is_full_sweep, names
from tests.engine.redlining import Draft
from tests.engine.wordml import p, table
from tests.oracle import judged, keep, only

# One group, so that the last test counts what the first ones did.
pytestmark = pytest.mark.corpus

EDITS = 30 if is_full_sweep() else 6
US = "us of redraft"
ALL = Selection(all=True)
DATE = "2026-11-21T06:30:00Z"


def operation(package: Package, chance: random.Random) -> Operation | None:
    """An operation on a random table, row or cell; None for a document without tables."""
    found = [place for place in places(package) if place.story != "comment"]
    if not any(place.kind == "table" for place in found):
        return None
    kind = chance.choice(["cell"] * 4 + ["row"] * 4 + ["table", "paragraph"])
    held = [place for place in found if place.kind == kind]
    return _operation(chance.choice(held), chance) if held else None


def _operation(place: Place, chance: random.Random) -> Operation:
    at, where = place.anchor, chance.choice(["before", "after"])
    side = "before" if where == "before" else "after"
    match place.kind:
        case "table":
            return DeleteTable(at)
        case "paragraph":
            return InsertTable(at, side, (("A", "B"), ("c",)), chance.random() < 0.5)
        case "row":
            texts = ("alpha", "beta")[: sum(1 for _ in cells(place.element))]
            return chance.choice([DeleteRow(at), InsertRow(at, side, texts)])
        case "cell":
            more: list[Operation] = [InsertColumn(at, side, ("Head",)), DeleteColumn(at)]
            return chance.choice([SetCell(at, "new text of a cell"), *more])


@lru_cache(maxsize=1)
def tally() -> Counter[str]:
    """Edits made and refused over all documents of this run."""
    return Counter()


@pytest.mark.parametrize("name", names("docx", start=4))
def test_random_edits_of_tables_keep_the_laws_and_are_decided_exactly(
    name: str, corpus: Path
) -> None:
    upload = (corpus / "docx" / name).read_bytes()
    data, state = upload, initial_state(upload)
    chance = random.Random(name)  # noqa: S311  # a repeatable choice of edits, not a secret
    for number in range(EDITS):
        wanted = operation(Package.open(data), chance)
        if wanted is None:
            pytest.skip("no table")
        plan = EditPlan("edit", "", (wanted,))
        try:
            made, report = apply(data, state, plan, Signature(f"e{number}", US, DATE, tracked=True))
            apply(data, state, plan, Signature(f"e{number}", US, DATE, tracked=False))
        except VerificationError:
            raise
        except EditError as error:
            tally()["planned wrong" if isinstance(error, PlanError) else "refused"] += 1
            continue
        data, state = made, report.state
        tally()["made"] += 1
    assert judged(data, only(US, "reject")) == judged(upload, keep)
    accepted = data
    if any(change.is_ours for change in changes(data, state)):
        accepted, _ = resolve(data, state, "accept", Selection(author=US))
    assert judged(accepted, keep) == judged(data, only(US, "accept"))
    while ours := [change for change in changes(data, state) if change.is_ours]:
        data, done = resolve(data, state, "reject", Selection(ids=(chance.choice(ours).id,)))
        state = done.state
    assert fingerprint(Package.open(data), ()) == decode(initial_state(upload)).baseline


def test_more_edits_are_made_than_refused(corpus: Path) -> None:
    assert corpus.is_dir()
    counted = tally()
    assert counted["made"] > counted["refused"] + counted["planned wrong"]


def test_what_is_written_is_valid_by_the_schema(corpus: Path) -> None:
    schema = etree.XMLSchema(etree.parse(str(corpus.parent / "schemas" / "ooxml" / "wml.xsd")))
    width = '<w:tcPr><w:tcW w:w="5000" w:type="dxa"/></w:tcPr>'
    wide = table(["a", "b"], ["c", "d"]).replace("<w:tc>", f"<w:tc>{width}")
    draft = Draft.of(p("x"), wide.replace('w:w="1000"', 'w:w="5000"'), p("y"))
    for wanted in (
        InsertColumn("t1.r1.c1", "after", ("Head", "1")),
        InsertRow("t1.r2", "after", ("alpha",)),
        DeleteColumn("t1.r1.c3"),
        DeleteRow("t1.r1"),
        InsertTable("t1", "after", (("A", "B"), ("c",))),
    ):
        draft = draft.edit(wanted)
        for version in (draft, draft.decide("accept", ALL), draft.decide("reject", ALL)):
            schema.assertValid(etree.fromstring(version.body.encode()))
