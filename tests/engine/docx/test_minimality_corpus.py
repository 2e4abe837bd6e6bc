"""The smallest redline of real paragraphs: random edits of which the least possible is known.

Words that occur nowhere else are put in, taken out or put in the place of others, far enough apart
and few enough that no rule of legibility marks more. Whatever way the edit is asked for, exactly
those characters are marked.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from redraft.engine import tokens
from redraft.engine.docx.anchors import Place, places
from redraft.engine.docx.apply import apply, initial_state
from redraft.engine.docx.changes.accept_or_reject import resolve
from redraft.engine.docx.editing.document_index import Survey
from redraft.engine.docx.judging.fingerprint import fingerprint, story_parts
from redraft.engine.docx.names import W_DEL, W_DEL_TEXT, W_ID, W_INS, W_T
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.redline import textmap
from redraft.engine.plan import (
    DeleteBlocks,
    EditPlan,
    InsertBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    RewriteBlock,
)
from redraft.engine.report import Selection, Signature
from redraft.engine.state import State, decode
from tests.documents import is_full_sweep, names
from tests.engine.redlining import DATE, US, Draft
from tests.engine.wordml import p

PARAGRAPHS = 25 if is_full_sweep() else 3
# The documents that are too large for a sample are for the sweep.
LARGEST = 10**9 if is_full_sweep() else 150_000
# A word between blanks, in a stretch of plain words: no other mark within seven words of it.
_WORD = re.compile(r"(?<=[a-z] )[A-Za-z]{2,}(?= [a-z])")
_APART = 8
_ROUTES = ("words", "context", "block", "anew")


@dataclass(slots=True)
class Known:
    """An edit of a text: the new text, and how many characters go and come at least."""

    old: str
    new: str
    struck: int = 0
    written: int = 0
    spans: list[tuple[int, int, str]] = field(default_factory=list[tuple[int, int, str]])


def known_edit(text: str, chance: random.Random, most: int) -> Known | None:
    """Up to `most` words put in, taken out or replaced, each in a sentence of ten words or more."""
    found: list[re.Match[str]] = []
    for match in _WORD.finditer(text):
        before = text[found[-1].end() : match.start()] if found else ""
        # Of a word that stands twice another one may do for less.
        if (
            text.count(match.group()) == 1
            and len(_sentence(text, match.start())) >= 10
            and (not found or len(before.split()) >= _APART)
        ):
            found.append(match)
    if not found:
        return None
    made = Known(text, "")
    at = 0
    for number, match in enumerate(sorted(chance.sample(found, min(most, len(found))), key=_start)):
        kind = chance.choice(["replace", "insert", "delete"])
        start, end, new = match.start(), match.end(), f"Zqx{number}jw"
        if kind == "insert":
            end, new = start, f"{new} "
        elif kind == "delete":
            end, new = end + 1, ""
        made.spans.append((start, end, new))
        made.new += text[at:start] + new
        made.struck += end - start
        made.written += len(new)
        at = end
    made.new += text[at:]
    return made


def _start(match: re.Match[str]) -> int:
    return match.start()


def _sentence(text: str, at: int) -> list[str]:
    """The words of the sentence that a place is in."""
    ends = [found.end() for found in re.finditer(r"[.!?;:]", text)]
    start = max((end for end in ends if end <= at), default=0)
    return text[start : min((end for end in ends if end > at), default=len(text))].split()


def operations(place: Place, edit: Known, route: str) -> tuple[Operation, ...]:
    """The edit as a plan may ask for it."""
    anchor = place.anchor
    if route == "block":
        return (RewriteBlock(anchor, tokens.escape(edit.new)),)
    if route == "anew":
        new = NewBlock("like_anchor", tokens.escape(edit.new))
        return DeleteBlocks(anchor, anchor), InsertBlocks(anchor, "after", (new,))
    if route == "context":
        return (ReplaceText(anchor, edit.old, tokens.escape(edit.new)),)
    found: list[Operation] = []
    for start, end, new in edit.spans:
        low = edit.old.rfind(" ", 0, max(0, start - 12)) + 1
        high = edit.old.find(" ", end + 12)
        high = len(edit.old) if high < 0 else high
        quote = edit.old[low:high]
        said = edit.old[low:start] + new + edit.old[end:high]
        hits = [m.start() for m in re.finditer(f"(?={re.escape(quote)})", edit.old)]
        found.append(ReplaceText(anchor, quote, tokens.escape(said), hits.index(low) + 1))
    return tuple(found)


def marked(data: bytes, state: bytes) -> tuple[int, int]:
    """How many characters our marks delete and insert, in all parts."""
    package, ours = Package.open(data), decode(state).ours
    struck = written = 0
    for part in story_parts(package):
        for mark in package.tree(part).iter(W_DEL, W_INS):
            number = mark.get(W_ID, "")
            if not number.isdecimal() or int(number) not in ours:
                continue
            struck += sum(len(t.text or "") for t in mark.iter(W_DEL_TEXT))
            written += sum(len(t.text or "") for t in mark.iter(W_T)) if mark.tag == W_INS else 0
    return struck, written


def plain(package: Package) -> Iterator[tuple[Place, str]]:
    """Paragraphs of at least twelve words of which the view shows nothing but words."""
    survey = Survey(package, State())
    for place in places(package):
        if place.kind != "paragraph" or place.story in ("comment", "textbox"):
            continue
        line = textmap.read(place.element, {})
        text = line.text
        is_bare = all(u.text and not u.lock for u in line.units) and len(line.boxes) == 1
        if is_bare and len(text.split()) >= 12 and set(text).isdisjoint("\t\n*\\\u27e6\u27e7"):
            view = tokens.write(survey.known(place.anchor))
            if view == text:
                yield place, text


@pytest.mark.corpus
@pytest.mark.parametrize("name", names("docx", start=1))
def test_a_known_edit_of_a_real_paragraph_marks_no_character_more(name: str, corpus: Path) -> None:
    upload = (corpus / "docx" / name).read_bytes()
    if len(upload) > LARGEST:
        pytest.skip("too large for a sample")
    state = initial_state(upload)
    chance = random.Random(name)  # noqa: S311  # a repeatable choice of edits, not a secret
    found = list(plain(Package.open(upload)))
    chosen = chance.sample(found, min(PARAGRAPHS, len(found)))
    done = 0
    for place, text in chosen:
        edit = known_edit(text, chance, 4)
        if edit is None:
            continue
        for route in _ROUTES:
            done += 1
            plan = EditPlan("edit", "", operations(place, edit, route))
            data, report = apply(upload, state, plan, Signature("e", US, DATE, tracked=True))
            expected = edit.struck, edit.written
            assert marked(data, report.state) == expected, (place.anchor, route, edit.spans)
            undone, _ = resolve(data, report.state, "reject", Selection(edit_uid="e"))
            assert fingerprint(Package.open(undone), ()) == fingerprint(Package.open(upload), ())
    if not done:
        pytest.skip("no paragraph of plain words")


CLAUSES = tuple(
    f"{number}. The Supplier shall deliver the Goods of Annex {number} to the Buyer within "
    f"{number + 10} days of the Order, and the Buyer shall pay the Price of them in full."
    for number in range(1, 101)
)
GONE = "The parties shall meet once a year to review it here."
NEW = (
    "The Supplier shall keep the Goods insured against every usual risk until the Buyer has "
    "received them, and it shall show the policy to him on demand."
)


def of_a_contract() -> tuple[Draft, list[str]]:
    """A contract of a hundred clauses that are much alike, and what its blocks become.

    One clause goes and one comes; in others words do: 70 characters go and 262 come, five fewer
    each than in the comparison with which peers were measured.
    """
    old = [*CLAUSES[:60], GONE, *CLAUSES[60:]]
    new = list(old)
    for at, former, later in (
        (4, "days of the Order", "days of the written Order of the Buyer"),
        (17, "28 days", "45 days"),
        (33, "in full", "in three equal parts, the first one on delivery and the others later"),
        (71, "the Goods of Annex 71", "the Goods and Services of Annex 71"),
        (90, "deliver the", "hand over all"),
    ):
        assert former in new[at], new[at]
        new[at] = new[at].replace(former, later)
    return Draft.of(*map(p, old)), new


@pytest.mark.parametrize("route", ["words", "blocks", "all blocks anew"])
def test_of_a_contract_of_like_clauses_70_characters_go_and_262_come(route: str) -> None:
    draft, new = of_a_contract()
    old = draft.redline
    plan: list[Operation] = []
    if route == "all blocks anew":
        fresh = [*new[:60], NEW, *new[61:]]
        blocks = tuple(NewBlock("like_anchor", tokens.escape(text)) for text in fresh)
        plan = [DeleteBlocks("p1", "p101"), InsertBlocks("p101", "after", blocks)]
    else:
        for at, (former, later) in enumerate(zip(old, new, strict=True), start=1):
            if route == "blocks" and at != 61:
                plan.append(RewriteBlock(f"p{at}", tokens.escape(later)))
            elif former != later:
                plan.append(ReplaceText(f"p{at}", former, tokens.escape(later)))
        plan += [
            DeleteBlocks("p61", "p61"),
            InsertBlocks("p61", "after", (NewBlock("like_anchor", NEW),)),
        ]
    made = draft.edit(*plan)
    assert made.rejected == made.original
    assert marked(made.data, made.state) == (70, 262)
