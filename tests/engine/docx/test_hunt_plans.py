"""Plans of several random operations at once, one after the other: every law holds always.

The operations of a plan are each made from what the document shows, without a look at the others.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest

from redraft.engine.plan import DeleteBlocks, ReplaceText
from tests.documents import is_full_sweep, names
from tests.engine.docx.hunt_judge import Hunt, Tally
from tests.engine.docx.test_hunt import LARGEST, chance_of, full
from tests.engine.schema import errors

MOST = 4
PLANS = 20 if is_full_sweep() else 3
SEEDS = 40 if is_full_sweep() else 3
# Of 4215 plans for made-up and difficult documents 89.7 % were carried out; of the refusals a third
# was for two operations on one place, most others what the same operation alone is refused for.
BAR = 0.85 if is_full_sweep() else 0.8


@lru_cache(maxsize=1)
def tally() -> Tally:
    """What became of all plans of this run."""
    return Tally()


def hunted(upload: bytes, name: str) -> Hunt:
    """A document after some plans, judged."""
    known = set(errors(upload))
    hunt = Hunt(upload, chance_of(f"plans for {name}"), tally(), most=MOST)
    for _ in range(PLANS):
        hunt.step()
    hunt.judge()
    assert set(errors(hunt.data)) <= known
    hunt.decide_all()
    return hunt


# One group, so that the last test counts what the first ones did.
@pytest.mark.corpus
@pytest.mark.parametrize("name", names("docx", start=2))
def test_random_plans_keep_every_law(name: str, corpus: Path) -> None:
    upload = (corpus / "docx" / name).read_bytes()
    if len(upload) > LARGEST:
        pytest.skip("too large for a sample")
    hunted(upload, name)


@pytest.mark.parametrize("number", range(SEEDS))
def test_random_plans_for_a_made_up_document_keep_every_law(number: int) -> None:
    assert hunted(full(number).data, f"made up {number}").tally.made


def test_most_plans_are_carried_out() -> None:
    if not tally().made:
        pytest.skip("no document was edited in this process")
    assert tally().rate >= BAR, tally().refused.most_common(12)


def test_a_plan_that_contradicts_itself_leaves_the_document_as_it_was() -> None:
    upload = full(0).data
    hunt = Hunt(upload, chance_of("contradiction"))
    hunt.edit(DeleteBlocks("p2", "p2"), ReplaceText("p2", "says", "said"))
    assert (hunt.data, sum(hunt.tally.refused.values())) == (upload, 1)
