"""A cell over several tracked columns is as wide as those of them that are there."""

from __future__ import annotations

import itertools

import pytest

from redraft.engine.docx.grid import grid
from redraft.engine.docx.judging.fingerprint import fingerprint
from redraft.engine.docx.names import W_TBL, W
from redraft.engine.docx.opc.package import Package
from redraft.engine.plan import DeleteColumn, InsertColumn, Operation
from redraft.engine.report import Selection
from redraft.engine.state import decode
from tests.engine.redlining import US, Draft
from tests.engine.wordml import p, tc
from tests.oracle import judged, only

COLUMNS = 4


def wide(text: str) -> str:
    cell = f'<w:tc><w:tcPr><w:gridSpan w:val="{COLUMNS}"/></w:tcPr>{p(text)}</w:tc>'
    plain = "".join(tc(str(n)) for n in range(COLUMNS))
    columns = '<w:gridCol w:w="1000"/>' * COLUMNS
    return (
        f"<w:tbl><w:tblPr/><w:tblGrid>{columns}</w:tblGrid><w:tr>{cell}</w:tr>"
        f"<w:tr>{plain}</w:tr><w:tr>{plain}</w:tr></w:tbl>"
    )


def halves() -> str:
    """Two cells over two columns each, in a table as wide as the page, whose widths all change."""

    def sized(text: str, span: int) -> str:
        said = f'<w:tcW w:w="{2900 * span}" w:type="dxa"/>'
        return tc(text, said + (f'<w:gridSpan w:val="{span}"/>' if span > 1 else ""))

    columns = '<w:gridCol w:w="2900"/>' * COLUMNS
    plain = "".join(sized(str(n), 1) for n in range(COLUMNS))
    return (
        f"<w:tbl><w:tblPr/><w:tblGrid>{columns}</w:tblGrid>"
        f"<w:tr>{sized('left', 2)}{sized('right', 2)}</w:tr><w:tr>{plain}</w:tr></w:tbl>"
    )


NEW = ("Head", "1")
ONE = InsertColumn("t1.r2.c2", "after", NEW)
BESIDE = InsertColumn("t1.r2.c3", "after", NEW)
APART = InsertColumn("t1.r2.c1", "before", NEW)
GONE = DeleteColumn("t1.r2.c3")
LAST = DeleteColumn("t1.r2.c4")


def fits(draft: Draft) -> bool:
    """Whether every row is as wide as the grid says."""
    package = Package.open(draft.data)
    table = next(package.tree(package.main).iter(W_TBL))
    columns = len(table.findall(f"{W('tblGrid')}/{W('gridCol')}"))
    return all(row.end == columns for row in grid(table).rows)


def held(draft: Draft, action: str, chosen: Selection) -> Draft:
    """Decide, and see that one view stays and that the state is that of the file."""
    verdict = "accept" if action == "accept" else "reject"
    made = draft.decide(action, chosen)
    assert judged(made.data, only(US, verdict)) == judged(draft.data, only(US, verdict))
    state = decode(made.state)
    assert state.baseline == fingerprint(Package.open(made.data), state.ours)
    assert fits(made)
    return made


@pytest.mark.thorough
@pytest.mark.parametrize(
    "operations",
    [
        (ONE, BESIDE),
        (ONE, APART),
        (APART, ONE, BESIDE),
        (GONE, LAST),
        (ONE, BESIDE, APART),
    ],
    ids=str,
)
@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("by_edit", [False, True])
def test_columns_under_one_cell_are_decided_on_one_by_one(
    operations: tuple[Operation, ...], order: int, *, by_edit: bool
) -> None:
    each_in_turn(Draft.of(wide("over all"), p("end")), operations, order, by_edit=by_edit)


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("by_edit", [False, True])
def test_columns_under_cells_that_all_become_narrower_are_decided_on_one_by_one(
    order: int, *, by_edit: bool
) -> None:
    draft = Draft.of(halves(), p("end"))
    columns = (InsertColumn("t1.r2.c1", "after", ()), InsertColumn("t1.r2.c4", "after", ()))
    each_in_turn(draft, columns, order, by_edit=by_edit)


def each_in_turn(
    draft: Draft, operations: tuple[Operation, ...], order: int, *, by_edit: bool
) -> None:
    """Make edits, and decide on all their changes in every way, one after the other."""
    for operation in operations:
        draft = draft.edit(operation)
    assert draft.rejected == draft.original
    for actions in itertools.product(("accept", "reject"), repeat=len(operations)):
        made = draft
        for action in actions:
            change = made.changes[::order][0]
            chosen = Selection(edit_uid=change.edits[0]) if by_edit else Selection(ids=(change.id,))
            made = held(made, action, chosen)
        assert not made.changes
