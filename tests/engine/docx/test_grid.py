"""The grid of tables: which cell covers which columns, and which columns go with their cells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.engine.docx.grid import Grid, drop_columns, grid, growth, table_of, vanishing
from redraft.engine.docx.names import W_TBL, Element, W
from redraft.engine.docx.opc.package import Package
from tests.engine.wordml import docx, p

SPAN = '<w:gridSpan w:val="{}"/>'


def cell(properties: str = "", content: str = "<w:p/>") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{content}</w:tc>"


def row(*cells: str, properties: str = "") -> str:
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(cells)}</w:tr>"


def table(*rows: str, columns: int = 4) -> Element:
    grid_xml = '<w:gridCol w:w="1000"/>' * columns
    body = f"<w:tbl><w:tblPr/><w:tblGrid>{grid_xml}</w:tblGrid>{''.join(rows)}</w:tbl>"
    package = Package.open(docx(body + p("end")))
    return next(package.tree(package.main).iter(W_TBL))


def shapes(found: Grid) -> list[list[tuple[int, int]]]:
    return [[(each.start, each.end) for each in one.cells] for one in found.rows]


def test_spans_and_left_out_columns_place_the_cells() -> None:
    found = grid(
        table(
            row(cell(), cell(SPAN.format(2)), cell()),
            row(cell(), properties='<w:gridBefore w:val="2"/><w:gridAfter w:val="1"/>'),
        )
    )
    assert shapes(found) == [[(0, 1), (1, 3), (3, 4)], [(2, 3)]]
    assert (found.rows[1].before, found.rows[1].after, found.rows[1].end) == (2, 1, 3)


def test_rows_and_cells_in_controls_count_and_those_of_nested_tables_do_not() -> None:
    inner = f"<w:tbl><w:tblGrid/>{row(cell(), cell(), cell())}</w:tbl><w:p/>"
    control = "<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>"
    element = table(row(control.format(cell(content=inner)), cell()), control.format(row(cell())))
    found = grid(element)
    assert shapes(found) == [[(0, 1), (1, 2)], [(0, 1)]]
    assert table_of(found.rows[1].cells[0].element) is element


@pytest.mark.parametrize(
    ("properties", "merge", "is_away"),
    [
        ('<w:vMerge w:val="restart"/>', "restart", False),
        ("<w:vMerge/>", "continue", True),
        ('<w:vMerge w:val="continue"/>', "continue", True),
        ("<w:hMerge/>", "", True),
        ('<w:hMerge w:val="restart"/>', "", False),
        ('<w:cellMerge w:id="1" w:vMerge="cont"/>', "continue", True),
        ('<w:cellMerge w:id="1" w:vMerge="rest"/>', "restart", False),
        ("", "", False),
    ],
)
def test_each_way_of_merging_is_known(properties: str, merge: str, is_away: bool) -> None:
    found = grid(table(row(cell(properties)))).rows[0].cells[0]
    assert (found.merge, found.is_merged_away) == (merge, is_away)


def test_what_is_deleted_stands_but_is_not_shown() -> None:
    found = grid(
        table(
            row(cell('<w:cellDel w:id="1"/>'), cell()),
            row(cell(), cell(), properties='<w:del w:id="2"/>'),
            row(cell(), cell()),
        )
    )
    assert [each.start for each in found.rows[0].shown] == [1]
    assert [one.index for one in found.shown] == [0, 2]
    below = found.beside(found.rows[0], 1)
    assert below is not None
    assert below.index == 2
    assert found.beside(found.rows[0], -1) is None


def test_a_pending_span_covers_the_wider_of_both() -> None:
    changed = (
        SPAN.format(2) + f'<w:tcPrChange w:id="1"><w:tcPr>{SPAN.format(3)}</w:tcPr></w:tcPrChange>'
    )
    found = grid(table(row(cell(changed), cell())))
    assert shapes(found) == [[(0, 3), (3, 4)]]
    assert growth(found.rows[0].cells[0].element) == -1


def test_a_column_vanishes_only_when_no_cell_is_left_over_it() -> None:
    element = table(row(cell(), cell(), cell()), row(cell(), cell(SPAN.format(2))), columns=3)
    rows = grid(element).rows
    assert vanishing(element, {rows[0].cells[1].element}) == set()
    both = {rows[0].cells[1].element, rows[1].cells[1].element}
    assert vanishing(element, both) == {1}
    assert vanishing(element, {rows[0].cells[1].element, rows[1].element}) == {1}


@pytest.mark.parametrize(("is_like", "left"), [(True, ["1000", "9"]), (False, ["1000", "7", "9"])])
def test_a_dropped_column_leaves_the_recorded_grid_too_when_that_is_of_the_same_shape_and_people(
    left: list[str], *, is_like: bool
) -> None:
    element = table(row(cell(), cell()), columns=2)
    own = element.find(W("tblGrid"))
    assert own is not None
    change = own.makeelement(W("tblGridChange"))
    former = own.makeelement(W("tblGrid"))
    former.extend([own.makeelement(W("gridCol"), {W("w"): size}) for size in ("7", "9")])
    change.append(former)
    own.append(change)
    drop_columns(element, {0}, lambda _: is_like)
    assert [each.get(W("w")) for each in element.iter(W("gridCol"))] == left


SPANS = st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=6), min_size=1, max_size=5)


@given(SPANS, st.lists(st.integers(0, 3), min_size=5, max_size=5))
def test_cells_cover_their_row_without_gap_or_overlap(
    spans: list[list[int]], before: list[int]
) -> None:
    rows = [
        row(
            *(cell(SPAN.format(each)) for each in one),
            properties=f'<w:gridBefore w:val="{lead}"/>',
        )
        for one, lead in zip(spans, before, strict=False)
    ]
    for one, found, lead in zip(spans, grid(table(*rows)).rows, before, strict=False):
        edges = [lead, *(each.end for each in found.cells)]
        assert [each.start for each in found.cells] == edges[:-1]
        assert found.end == lead + sum(one)
        for column in range(lead, found.end):
            over = found.at(column)
            assert over is not None
            assert over.start <= column < over.end
        assert found.at(found.end) is None
        assert all(found.at(column) is None for column in range(lead))
