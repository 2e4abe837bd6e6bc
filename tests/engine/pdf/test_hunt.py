"""Random edits of every kind, one after the other, of real PDFs: only what was asked for changes.

A sample of documents with a few edits each; all of them with more in a full sweep. `REDRAFT_SEED`
draws others.
"""

from __future__ import annotations

import random
import sys
from functools import lru_cache
from pathlib import Path

import pytest

from redraft.engine.errors import EngineError, UnreadableError
from redraft.engine.pdf.reader import check
from redraft.engine.plan import DeleteBlocks, FormatText, Redact, ReplaceText, StampPages
from tests.documents import is_full_sweep, names, seed
from tests.engine.pdf.hunt_judge import judge, same_look
from tests.engine.pdf.hunt_readers import LawError
from tests.engine.pdf.hunt_rounds import Hunt, Tally, Tracked
from tests.engine.pdf.hunting import Attempt
from tests.engine.pdf.stream.streams import pdf
from tests.engine.pdf.test_apply import edited

ROUNDS = 6 if is_full_sweep() else 1
EDITS = (3, 5) if is_full_sweep() else (2, 3)
# Documents that are too large for a sample are for the sweep.
LARGEST = 10**9 if is_full_sweep() else 400_000
LEAST = 0.6
# PDFium, which judges, or MuPDF, which counts the pages, does not open all pages of these.
UNJUDGED = ("pdfjs__Pages-tree-refs.pdf", "pdfjs__poppler-742-0-fuzzed.pdf")


@lru_cache(maxsize=1)
def tally() -> Tally:
    """What became of all edits of this run."""
    return Tally()


def chance_of(name: str) -> random.Random:
    return random.Random(f"{name}{seed()}")  # noqa: S311 - which edits are tried is no secret


def taken() -> list[tuple[str, str]]:
    """Folders and names: the broken ones as far as they can be opened."""
    bad = [name for name in names("bad") if name.endswith(".pdf") and name not in UNJUDGED]
    held = bad if is_full_sweep() else bad[::4]
    return [*(("pdf", name) for name in names("pdf", start=3)), *(("bad", name) for name in held)]


def uploaded(corpus: Path, folder: str, name: str) -> bytes:
    data = (corpus / folder / name).read_bytes()
    try:
        check(data)
    except EngineError:
        pytest.skip("it is refused when it is uploaded")
    if len(data) > LARGEST:
        pytest.skip("too large for a sample")
    return data


def rounds(hunt: Hunt | Tracked) -> None:
    for _ in range(hunt.chance.randint(*EDITS)):
        try:
            hunt.step()
        except UnreadableError:
            return  # nothing is left to be read


# One group, so that the last test counts what the first ones did.
@pytest.mark.corpus
@pytest.mark.parametrize(("folder", "name"), taken())
def test_random_edits_change_what_they_say_and_nothing_else(
    folder: str, name: str, corpus: Path
) -> None:
    upload = uploaded(corpus, folder, name)
    for number in range(ROUNDS):
        rounds(Hunt(upload, chance_of(f"{name}{number}"), tally()))


@pytest.mark.corpus
@pytest.mark.parametrize(("folder", "name"), taken())
def test_random_tracked_edits_can_all_be_accepted_and_all_be_rejected(
    folder: str, name: str, corpus: Path
) -> None:
    upload = uploaded(corpus, folder, name)
    for number in range(ROUNDS // 3 or 1):
        hunt = Tracked(upload, chance_of(f"tracked {name}{number}"), tally())
        rounds(hunt)
        hunt.settle()


@pytest.mark.corpus
def test_most_edits_are_made_and_the_others_refused_with_a_sentence() -> None:
    if not tally().made:
        pytest.skip("no document was edited in this process")
    sys.stdout.write(f"\n{tally()}\n")
    assert all(len(reason) > 20 for _, reason in tally().refused)
    assert tally().rate >= LEAST, str(tally())


# The judges find what is wrong


WORDS = b"BT /F1 10 Tf 20 250 Td (The quick brown fox) Tj ET BT /F1 10 Tf 20 200 Td (stays) Tj ET"
MEANT = ReplaceText("p1.b1", "quick", "slow")


@pytest.mark.parametrize(
    ("after", "found"),
    [
        (WORDS.replace(b"quick", b"slows"), "letters: missing"),
        (WORDS.replace(b"quick", b"slow").replace(b"(stays)", b"(styas)"), "changed too"),
        (WORDS.replace(b"quick", b"slow").replace(b"20 200", b"21 200"), "changed too"),
        (WORDS.replace(b"quick", b"slow") + b" 100 100 50 50 re f", "pixels changed"),
        (WORDS.replace(b"quick", b"slow") + b" % quick", "still stands in"),
        (WORDS.replace(b"quick brown", b"slow brown) Tj -1 0 Td ("), "lie on others"),
        (WORDS.replace(b"quick", b"slow").replace(b"20 200", b"20 299"), "beside the page"),
    ],
)
def test_a_judge_sees_what_else_changed(after: bytes, found: str) -> None:
    done = Attempt("words", MEANT, "quick", "slow", 0, own="The quick brown fox")
    with pytest.raises(LawError, match=found):
        judge(pdf(WORDS), pdf(after), done)


def test_a_judge_lets_pass_what_was_asked_for() -> None:
    data, _ = edited(pdf(WORDS), MEANT)
    judge(pdf(WORDS), data, Attempt("words", MEANT, "quick", "slow", 0))
    gone = DeleteBlocks("p1.b2", "p1.b2")
    data, _ = edited(pdf(WORDS), gone)
    judge(pdf(WORDS), data, Attempt("delete block", gone, "stays", "", 0))
    data, _ = edited(pdf(WORDS), FormatText("p1.b1", "quick", "bold", "on", 1))
    judge(pdf(WORDS), data, Attempt("bold", FormatText("p1.b1", "", "bold", "on"), page=0))
    data, _ = edited(pdf(WORDS), Redact("quick"))
    judge(pdf(WORDS), data, Attempt("redact", Redact("quick")))
    data, _ = edited(pdf(WORDS), StampPages("header", "Draft"))
    judge(pdf(WORDS), data, Attempt("header", StampPages("header", "Draft"), come="Draft"))


def test_pages_in_another_order_and_copies_that_differ_are_seen() -> None:
    one, other = b"BT /F1 10 Tf 20 250 Td (One) Tj ET", b"BT /F1 10 Tf 20 250 Td (Other) Tj ET"
    moved = Attempt("move pages", MEANT, order=(1, 0))
    judge(pdf(one, other), pdf(other, one), moved)
    with pytest.raises(LawError, match="says other words"):
        judge(pdf(one, other), pdf(one, other), moved)
    with pytest.raises(LawError, match="the words of page 2"):
        same_look(pdf(one, other), pdf(one, one), "both")
