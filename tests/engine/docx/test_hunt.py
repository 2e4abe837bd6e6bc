"""Random edits of every kind, one after the other, of real documents: every law holds always.

A sample of documents with a few edits each; all of them with fifty each in a full sweep.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from functools import lru_cache
from pathlib import Path

import pytest

from redraft.engine.plan import Operation, ReplaceText
from tests.documents import is_full_sweep, names, seed
from tests.engine.docx.hunt_judge import Hunt, LawError, Tally
from tests.engine.docx.hunting import MAKERS, Scene, sensible
from tests.engine.redlining import Draft
from tests.engine.schema import errors
from tests.engine.wordml import footnote, link, note, p, picture, table
from tests.oracle import judged, keep

EDITS = 50 if is_full_sweep() else 6
# The documents that are too large for a sample are for the sweep.
LARGEST = 10**9 if is_full_sweep() else 150_000
BAR = 0.95
SEEDS = 40 if is_full_sweep() else 4


@lru_cache(maxsize=1)
def tally() -> Tally:
    """What became of all operations of this run."""
    return Tally()


def chance_of(name: str) -> random.Random:
    return random.Random(f"{name}{seed()}")  # noqa: S311  # a repeatable choice of edits, not a secret


# One group, so that the last test counts what the first ones did.
@pytest.mark.corpus
@pytest.mark.parametrize("name", names("docx", start=5))
def test_random_edits_of_every_kind_keep_every_law(name: str, corpus: Path) -> None:
    upload = (corpus / "docx" / name).read_bytes()
    if len(upload) > LARGEST:
        pytest.skip("too large for a sample")
    known = set(errors(upload))
    hunt = Hunt(upload, chance_of(name), tally())
    for _ in range(EDITS):
        hunt.step()
    hunt.judge()
    assert set(errors(hunt.data)) <= known
    hunt.decide_all()


@pytest.mark.corpus
def test_nearly_every_sensible_edit_is_made() -> None:
    if not tally().made:
        pytest.skip("no document was edited in this process")
    assert tally().rate >= BAR, tally().refused.most_common(12)


def full(number: int) -> Draft:
    """A document with something of every kind."""
    return Draft.of(
        p(f"The first paragraph of {number} has some words and", note("2"), " a note"),
        p("The second says more. It has two sentences.", style="Heading1"),
        p("Before ", link("rId9", "a link of words"), " behind it"),
        table(["one two", "three"], ["four", "five six"]),
        p("A picture ", picture("rId8", alt="A duck"), " of it"),
        p("The last paragraph here"),
        headers=[p("A header of it")],
        footnotes=footnote("2", p("Old note")),
        comments=p("c"),
        relations={
            "rId8": ("image", "media/a.png"),
            "rId9": ("hyperlink", "https://example.org/"),
        },
        media={"media/a.png": b""},
    )


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.thorough
def test_random_edits_of_a_made_up_document_keep_every_law(seed: int) -> None:
    upload = full(seed).data
    hunt = Hunt(upload, chance_of(f"made up {seed}"))
    for _ in range(12):
        hunt.step()
    hunt.judge()
    assert set(errors(hunt.data)) <= set(errors(upload))
    hunt.decide_all()
    assert hunt.tally.made


EDITED = """
import hashlib
from tests.engine.docx.hunt_judge import Hunt
from tests.engine.docx.test_hunt import chance_of, full

for seed in range(2):
    hunt = Hunt(full(seed).data, chance_of(f"repeated {seed}"), every=10**9)
    for _ in range(12):
        hunt.step()
    print(hashlib.sha256(hunt.data + hunt.state).hexdigest())
"""


@pytest.mark.process
def test_what_edits_write_does_not_hang_on_the_order_of_a_set() -> None:
    def edited(seed: int) -> str:
        setting = os.environ | {"PYTHONHASHSEED": str(seed)}
        call = [sys.executable, "-c", EDITED]
        root = Path(__file__).parents[3]
        done = subprocess.run(
            call, cwd=root, env=setting, check=True, capture_output=True, text=True, timeout=240
        )
        return done.stdout

    first = edited(1)
    assert first.count("\n") == 2
    assert edited(2) == first


def test_every_kind_of_operation_is_hunted() -> None:
    draft = full(0).edit(ReplaceText("p1", "words", "letters"))
    chance = chance_of("kinds")
    made: Counter[type[Operation]] = Counter()
    for _ in range(400):
        operation = sensible(Scene(draft.data, draft.state, chance))
        assert operation is not None
        made[type(operation)] += 1
    # A made-up document has no content control.
    assert len(made) == len(MAKERS) - 1


def test_the_judge_sees_a_baseline_that_moved() -> None:
    hunt = Hunt(full(0).data, chance_of("moved"))
    hunt.baseline = judged(full(1).data, keep)
    with pytest.raises(LawError, match="baseline"):
        hunt.edit(ReplaceText("p2", "says", "said"))


@pytest.mark.program
@pytest.mark.parametrize("seed", range(4 if is_full_sweep() else 1))
def test_libreoffice_opens_what_random_edits_leave(
    seed: int, soffice: Path, tmp_path: Path
) -> None:
    hunt = Hunt(full(seed).data, chance_of(f"opened {seed}"))
    for _ in range(12):
        hunt.step()
    file = tmp_path / "edited.docx"
    file.write_bytes(hunt.data)
    setting = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    call = [str(soffice), setting, "--headless", "--convert-to", "pdf", "--outdir", str(tmp_path)]
    subprocess.run([*call, str(file)], check=True, capture_output=True, timeout=240)
    assert (tmp_path / "edited.pdf").read_bytes().startswith(b"%PDF")
