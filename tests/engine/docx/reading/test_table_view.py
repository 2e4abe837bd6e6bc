"""The grid of a table as a view shows it."""

from __future__ import annotations

import pytest

from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading.reader import read
from redraft.engine.model import Table
from tests.engine.wordml import docx, tc

RESTART, CONTINUE = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"


def table(*rows: str) -> Table:
    data = docx(f"<w:tbl><w:tblPr/><w:tblGrid/>{''.join(rows)}</w:tbl>")
    (block,) = read(Package.open(data)).body.blocks
    assert isinstance(block, Table)
    return block


def row(*cells: str, properties: str = "") -> str:
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(cells)}</w:tr>"


@pytest.mark.parametrize("count", ["2000000000", "-3", "many"])
def test_columns_left_out_are_no_more_than_a_table_can_have(count: str) -> None:
    left_out = f'<w:gridBefore w:val="{count}"/>'
    assert table(row(tc("a"), properties=left_out), row(tc("b"))).columns <= 1001


@pytest.mark.parametrize(
    ("merges", "continues"),
    [
        ((RESTART, CONTINUE, CONTINUE), (False, True, True)),
        (("", CONTINUE, CONTINUE), (False, False, False)),
        ((CONTINUE, CONTINUE, ""), (False, False, False)),
        ((RESTART, "", CONTINUE), (False, False, False)),
        ((RESTART, RESTART, CONTINUE), (False, False, True)),
    ],
)
def test_a_cell_goes_on_with_a_merge_that_reaches_it(
    merges: tuple[str, ...], continues: tuple[bool, ...]
) -> None:
    found = table(*(row(tc("a"), tc("b", merge)) for merge in merges))
    assert tuple(each.cells[1].continues for each in found.rows) == continues


def test_a_merge_goes_past_a_row_that_is_deleted() -> None:
    gone = '<w:del w:id="1" w:author="Ann"/>'
    found = table(
        row(tc("a", RESTART)), row(tc("b", CONTINUE), properties=gone), row(tc("c", CONTINUE))
    )
    assert [each.cells[0].continues for each in found.rows] == [False, True]


def test_nothing_in_front_of_a_row_is_merged_into() -> None:
    found = table(row(tc("a", "<w:hMerge/>"), tc("b", "<w:hMerge/>")))
    assert [cell.continues for cell in found.rows[0].cells] == [False, True]
