"""Work that grows with what is edited and no faster: counted at one size and at four times it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.plan import DeleteBlocks, FindReplace, InsertBlocks, NewBlock
from engine.report import Selection
from tests.counting import lines
from tests.engine.redlining import Draft
from tests.engine.wordml import field, p

ALL = Selection(all=True)
SIZE = 30
FEES = FindReplace("fee", "charge")


def written(count: int) -> Draft:
    """A document with many paragraphs of ours."""
    new = tuple(NewBlock("paragraph", f"new {number}") for number in range(count))
    return Draft.of(p("a"), p("b")).edit(InsertBlocks("p1", "after", new))


def line_of(count: int) -> Draft:
    """One paragraph with many words that are to change, and computed ones between them."""
    pieces = [(f"of {n} fee and ", field("REF x", f"{n}")) for n in range(count)]
    return Draft.of(p(*[piece for pair in pieces for piece in pair]))


WORK: dict[str, tuple[Callable[[int], Draft], Callable[[Draft], object]]] = {
    "replace in one paragraph": (line_of, lambda draft: draft.edit(FEES)),
    "accept in one paragraph": (
        lambda count: line_of(count).edit(FEES),
        lambda draft: draft.decide("accept", ALL),
    ),
    "reject in one paragraph": (
        lambda count: line_of(count).edit(FEES),
        lambda draft: draft.decide("reject", ALL),
    ),
    "delete what is ours": (
        written,
        lambda draft: draft.edit(DeleteBlocks("p2", f"p{len(draft.redline) - 1}")),
    ),
    "delete one by one": (
        lambda count: Draft.of(*[p(f"clause {n}") for n in range(count)]),
        lambda draft: draft.edit(
            *[DeleteBlocks(f"p{n}", f"p{n}") for n in range(2, len(draft.redline), 2)]
        ),
    ),
}


@pytest.mark.parametrize("name", WORK)
def test_four_times_as_much_is_four_times_the_work(name: str) -> None:
    make, act = WORK[name]
    small, large = make(SIZE), make(4 * SIZE)
    act(small)
    assert lines(lambda: act(large)) < 4.6 * lines(lambda: act(small))
