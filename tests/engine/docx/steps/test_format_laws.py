"""The laws of the redline for formatting: random operations on made-up and on real documents."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

from redraft.engine.docx.anchors import Place, places
from redraft.engine.docx.apply import apply, initial_state
from redraft.engine.docx.changes.accept_or_reject import resolve
from redraft.engine.docx.changes.revisions import changes
from redraft.engine.docx.judging.fingerprint import fingerprint
from redraft.engine.docx.names import Element
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.redline import textmap
from redraft.engine.errors import EditError, VerificationError
from redraft.engine.plan import (
    EditPlan,
    FormatText,
    InsertBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    SetList,
    SetParagraph,
    SetStyle,
)
from redraft.engine.report import Selection, Signature
from redraft.engine.state import decode
from tests.documents import is_full_sweep, names
from tests.engine.docx.test_laws import SHAPES
from tests.engine.redlining import Draft
from tests.engine.schema import errors
from tests.engine.wordml import footnote, heading_style, p, style, table
from tests.oracle import judged, keep

ROUNDS = 40 if is_full_sweep() else 3
EDITS = 40 if is_full_sweep() else 5
TEXT = (
    *((name, to) for name in ("bold", "italic", "strike", "small_caps") for to in ("on", "off")),
    *(("underline", "on"), ("size", "14"), ("color", "red"), ("color", "auto"), ("font", "Arial")),
    *(("highlight", "yellow"), ("vertical", "superscript"), ("all_caps", "on")),
)
PARAGRAPH = (
    *(("alignment", "center"), ("alignment", "left"), ("space_before", "12")),
    *(("line_spacing", "1.5"), ("indent_left", "36"), ("first_line", "-12")),
    *(("keep_with_next", "on"), ("keep_with_next", "off"), ("page_break_before", "on")),
)
STYLES = (
    style("Normal", default=True)
    + heading_style(1)
    + style("Loud", based_on="Normal", rpr="<w:b/>", ppr='<w:jc w:val="center"/>')
)
FORMAT_MARK = re.compile(r"<w:[rp]PrChange ")


def formatting(anchor: str, text: str, chance: random.Random) -> Operation:
    """An operation of this family on a block."""
    kind = chance.choice(["text", "text", "text", "whole", "style", "paragraph", "list"])
    if kind == "style":
        return SetStyle(anchor, anchor, chance.choice(["Heading 1", "Normal", "Quote", "Title"]))
    if kind == "paragraph":
        name, to = chance.choice(PARAGRAPH)
        return SetParagraph(anchor, anchor, name, to)  # pyright: ignore[reportArgumentType]
    if kind == "list":
        level = chance.choice([None, 1, 2])
        wanted = chance.choice(["bullet", "numbered", "none"])
        return SetList(anchor, anchor, wanted, level, chance.random() < 0.3)  # pyright: ignore[reportArgumentType]
    start = chance.randrange(len(text) + 1)
    find = text[start : start + chance.randint(1, 9)] if kind == "text" else ""
    name, to = chance.choice(TEXT)
    return FormatText(anchor, find if find.strip() else "", name, to, 0)  # pyright: ignore[reportArgumentType]


def words(anchor: str, text: str, chance: random.Random) -> Operation:
    if not text.strip() or chance.random() < 0.2:
        return InsertBlocks(anchor, "after", (NewBlock("paragraph", "new one"),))
    find = chance.choice([w for w in re.split(r"\s", text) if w])
    return ReplaceText(anchor, find, chance.choice(["X", "", f"{find} more"]), 1)


@pytest.mark.thorough
@pytest.mark.parametrize("shape", SHAPES.values(), ids=list(SHAPES))
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_random_formats_and_edits_keep_the_laws(shape: str, seed: int) -> None:
    chance = random.Random(f"{seed}{shape}")  # noqa: S311  # repeatable, not a secret
    body = shape + p("Loud words here", style="Loud") + table(["one", "two"]) + p("end")
    draft = start = Draft.of(body, styles=STYLES, footnotes=footnote("2", p("n")), comments=p("c"))
    for _ in range(5):
        package = Package.open(draft.data)
        found = [each for each in places(package) if each.kind == "paragraph"]
        place = chance.choice([each for each in found if each.story != "comment"])
        text = textmap.read(place.element, {}).text
        make = formatting if chance.random() < 0.75 else words
        before = draft
        try:
            draft = draft.edit(make(place.anchor, text, chance))
        except VerificationError:
            raise
        except EditError:
            continue
        assert draft.rejected == draft.original
        if make is formatting:
            assert draft.accepted == before.accepted
    check_decisions(draft, start, chance)


def check_decisions(draft: Draft, start: Draft, chance: random.Random) -> None:
    """Rejecting our changes one by one, in any order, leads back to the upload."""
    kept = judged(start.data, keep)
    accepted = fingerprint(Package.open(draft.data), decode(draft.state).ours, "final")
    all_of = tuple(change.id for change in draft.changes if change.is_ours)
    if all_of:
        taken = draft.decide("accept", Selection(ids=all_of))
        assert fingerprint(Package.open(taken.data), ()) == accepted
    while ours := [change.id for change in draft.changes if change.is_ours]:
        draft = draft.decide("reject", Selection(ids=(chance.choice(ours),)))
    assert judged(draft.data, keep) == kept


@pytest.mark.thorough
@pytest.mark.parametrize("shape", SHAPES.values(), ids=list(SHAPES))
def test_every_switch_turned_on_and_off_leaves_nothing(shape: str) -> None:
    start = Draft.of(shape + p("z"), footnotes=footnote("2", p("n")))
    text = textmap.read(next(iter_paragraphs(start)), {}).text
    for low in range(len(text)):
        find = text[low : low + 4].strip("\ufffc")
        if not find.strip():
            continue
        draft = start.edit(FormatText("p1", find, "small_caps", "on", 0))
        assert any(change.is_ours for change in draft.changes)
        off = draft.edit(FormatText("p1", find, "small_caps", "off", 0))
        assert off.rejected == off.original
        ours = [change for change in off.changes if change.is_ours]
        assert ours == []
        assert judged(off.data, keep) == judged(start.data, keep)


def iter_paragraphs(draft: Draft) -> Iterator[Element]:
    package = Package.open(draft.data)
    return (place.element for place in places(package) if place.kind == "paragraph")


def test_no_edit_of_words_writes_a_mark_of_formatting() -> None:
    for seed in range(30):
        chance = random.Random(seed)  # noqa: S311
        draft = Draft.of(*SHAPES.values(), footnotes=footnote("2", p("n")))
        for _ in range(4):
            anchor = f"p{chance.randrange(1, len(SHAPES))}"
            place = [each for each in places(Package.open(draft.data)) if each.anchor == anchor]
            text = textmap.read(place[0].element, {}).text
            try:
                draft = draft.edit(words(anchor, text, chance))
            except EditError:
                continue
        assert not FORMAT_MARK.search(draft.body.replace('<w:rPrChange w:id="7"', ""))


# Real documents


def operation(package: Package, chance: random.Random) -> Operation | None:
    found: list[Place] = [each for each in places(package) if each.story != "comment"]
    paragraphs = [each for each in found if each.kind == "paragraph"]
    if not paragraphs:
        return None
    place = chance.choice(paragraphs)
    others = [each for each in found if each.kind != "paragraph"]
    if others and chance.random() < 0.1:
        name, to = chance.choice(TEXT)
        return FormatText(chance.choice(others).anchor, "", name, to)  # pyright: ignore[reportArgumentType]
    return formatting(place.anchor, textmap.read(place.element, {}).text, chance)


@lru_cache(maxsize=1)
def tally() -> Counter[str]:
    """Operations made and refused over all documents of this run."""
    return Counter()


@pytest.mark.corpus
@pytest.mark.parametrize("name", names("docx", start=4))
def test_random_formats_of_real_documents_keep_the_laws(name: str, corpus: Path) -> None:
    upload = (corpus / "docx" / name).read_bytes()
    data, state = upload, initial_state(upload)
    known = set(errors(upload))
    chance = random.Random(name)  # noqa: S311
    for number in range(EDITS):
        wanted = operation(Package.open(data), chance)
        if wanted is None:
            pytest.skip("no paragraph")
        signature = Signature(f"e{number}", "us", "2026-11-21T06:30:00Z", tracked=True)
        try:
            data, report = apply(data, state, EditPlan("edit", "", (wanted,)), signature)
        except VerificationError:
            raise
        except EditError as error:
            tally()[f"refused: {error}"] += 1
            continue
        state = report.state
        tally()["made"] += 1
    assert set(errors(data)) <= known
    ours = tuple(change.id for change in changes(data, state) if change.is_ours)
    if not ours:
        return
    rejected, _ = resolve(data, state, "reject", Selection(ids=ours))
    assert fingerprint(Package.open(rejected), ()) == fingerprint(Package.open(upload), ())
    accepted, _ = resolve(data, state, "accept", Selection(ids=ours))
    final = fingerprint(Package.open(data), decode(state).ours, "final")
    assert fingerprint(Package.open(accepted), ()) == final


@pytest.mark.corpus
def test_nearly_every_random_format_is_made() -> None:
    if not tally():
        pytest.skip("no document was edited in this process")
    assert tally()["made"] >= 0.95 * sum(tally().values()), tally()
