"""Work that grows with what is edited and no faster: counted at one size and at four times it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.plan import DeleteBlocks, FindReplace, InsertBlocks, MergeBlocks, NewBlock, SplitBlock
from engine.report import Selection
from tests.counting import lines
from tests.engine.redlining import Draft
from tests.engine.wordml import field, p, r, table

ALL = Selection(all=True)
SIZE = 30
FEES = FindReplace("fee", "charge")


def written(count: int) -> Draft:
    """A document with many paragraphs of ours."""
    new = tuple(NewBlock("paragraph", f"new {number}") for number in range(count))
    return Draft.of(p("a"), p("b")).edit(InsertBlocks("p1", "after", new))


def before_a_table(count: int) -> Draft:
    """The same in front of a table."""
    new = tuple(NewBlock("paragraph", f"new {number}") for number in range(count))
    return Draft.of(p("a"), table(["b"]), p("c")).edit(InsertBlocks("p1", "after", new))


def line_of(count: int) -> Draft:
    """One paragraph with many words that are to change, and computed ones between them."""
    pieces = [(f"of {n} fee and ", field("REF x", f"{n}")) for n in range(count)]
    return Draft.of(p(*[piece for pair in pieces for piece in pair]))


def words(count: int) -> Draft:
    """One paragraph of many runs."""
    return Draft.of(p(*[r(f"w{n:03} ") for n in range(count)]))


def splits(count: int) -> list[SplitBlock]:
    """The splitting of such a paragraph before each of its words."""
    return [SplitBlock("p1", f"w{n:03}") for n in range(1, count)]


def seams(count: int) -> Draft:
    """Many paragraphs that were merged into one."""
    many = Draft.of(*[p(f"w{n:03} ") for n in range(count)])
    return many.edit(MergeBlocks("p1", f"p{count}"))


def parts(count: int) -> list[SplitBlock]:
    """Their parting again."""
    return [SplitBlock(f"p{count}", f"w{n:03}") for n in range(1, count)]


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
    "delete what is ours before a table": (
        before_a_table,
        lambda draft: draft.edit(DeleteBlocks("p2", f"p{len(draft.redline) - 2}")),
    ),
    "insert before a table again and again": (
        before_a_table,
        lambda draft: draft.edit(
            *[InsertBlocks("t1", "before", (NewBlock("paragraph", "x"),)) for _ in draft.redline]
        ),
    ),
    "split at every word": (words, lambda draft: draft.edit(*splits(len(draft.redline[0]) // 5))),
    "split from the end on": (
        words,
        lambda draft: draft.edit(*reversed(splits(len(draft.redline[0]) // 5))),
    ),
    "merge what was split": (
        lambda count: words(count).edit(*splits(count)),
        lambda draft: draft.edit(MergeBlocks("p1", f"p{len(draft.redline)}")),
    ),
    "part what was merged": (
        seams,
        lambda draft: draft.edit(*parts(len(draft.redline))),
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
