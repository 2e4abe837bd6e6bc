"""Work that grows with what is edited and no faster: counted at one size and at four times it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from redraft.engine.plan import (
    DeleteBlocks,
    DeleteNote,
    DeleteRow,
    FindReplace,
    InsertBlocks,
    InsertRow,
    MergeBlocks,
    MoveBlocks,
    NewBlock,
    Operation,
    SetCell,
    SetField,
    SplitBlock,
)
from redraft.engine.report import Selection
from tests.counting import lines
from tests.engine.redlining import Draft
from tests.engine.wordml import field, footnote, note, p, r, table

pytestmark = pytest.mark.thorough

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


def clauses(count: int) -> Draft:
    """Many paragraphs."""
    return Draft.of(*[p(f"clause {n}") for n in range(count)])


def each(make: Callable[[int], Sequence[Operation]]) -> Callable[[Draft], object]:
    """Operations on every second paragraph, by its number."""

    def act(draft: Draft) -> object:
        numbers = range(2, len(draft.redline), 2)
        return draft.edit(*[operation for n in numbers for operation in make(n)])

    return act


def grid(count: int) -> Draft:
    """A table of many rows."""
    return Draft.of(table(*[[f"a{n}", f"b{n}"] for n in range(count)]), p("end"))


def rows(make: Callable[[str], Operation]) -> Callable[[Draft], object]:
    """An operation on every row of such a table."""
    return lambda draft: draft.edit(
        *[make(f"t1.r{n}") for n in range(1, len(draft.redline) // 2 + 1)]
    )


def cited(count: int) -> Draft:
    """Many notes."""
    notes = "".join(footnote(f"{n + 2}", p("note")) for n in range(count))
    return Draft.of(*[p("cited", note(f"{n + 2}")) for n in range(count)], footnotes=notes)


def controlled(count: int) -> Draft:
    """Many content controls."""
    control = f"<w:sdt><w:sdtPr/><w:sdtContent>{r('fill in')}</w:sdtContent></w:sdt>"
    return Draft.of(*[p("Name: ", control) for _ in range(count)])


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
    "delete one by one": (clauses, each(lambda n: [DeleteBlocks(f"p{n}", f"p{n}")])),
    "delete one by one and write again": (
        clauses,
        each(
            lambda n: [
                DeleteBlocks(f"p{n}", f"p{n}"),
                InsertBlocks(f"p{n}", "after", (NewBlock("like_anchor", f"a clause {n - 1}"),)),
            ]
        ),
    ),
    "move one by one": (
        clauses,
        each(lambda n: [MoveBlocks(f"p{n}", f"p{n}", f"p{n - 1}", "before")]),
    ),
    "delete notes one by one": (
        cited,
        lambda draft: draft.edit(*[DeleteNote(f"fn{n + 1}") for n in range(len(draft.redline))]),
    ),
    "fill every control": (
        controlled,
        lambda draft: draft.edit(
            *[SetField(f"cc{n}", "new") for n in range(1, len(draft.redline) + 1)]
        ),
    ),
    "fill every row": (grid, rows(lambda row: SetCell(f"{row}.c1", "new words"))),
    "a row below each": (grid, rows(lambda row: InsertRow(row, "after", ("x", "y")))),
    "delete rows one by one": (
        grid,
        lambda draft: draft.edit(
            *[DeleteRow(f"t1.r{n}") for n in range(1, len(draft.redline) // 2, 2)]
        ),
    ),
}


@pytest.mark.parametrize("name", WORK)
def test_four_times_as_much_is_four_times_the_work(name: str) -> None:
    make, act = WORK[name]
    small, large = make(SIZE), make(4 * SIZE)
    act(small)
    assert lines(lambda: act(large)) < 4.6 * lines(lambda: act(small))
