"""New rows and columns of tables whose style formats rows and columns by their place."""

from __future__ import annotations

import pytest

from redraft.engine.docx.names import W_P, W_PPR, W_TC, W_TC_PR, W_TR, W_TR_PR, W_VAL, Element, W
from redraft.engine.docx.opc.package import Package
from redraft.engine.plan import InsertColumn, InsertRow, Operation
from redraft.engine.report import Selection
from tests.engine.redlining import Draft
from tests.engine.schema import errors
from tests.engine.wordml import p, style

FIRST, LAST, ODD, EVEN = "100000000000", "010000000000", "000000100000", "000000010000"
LEFT, RIGHT, ODD_V, EVEN_V = "001000000000", "000100000000", "000010000000", "000001000000"
NW, NE = "001000000100", "000100001000"


def cnf(bits: str) -> str:
    return f'<w:cnfStyle w:val="{bits}"/>' if bits else ""


def cell(text: str, own: str = "", paragraph: str = "") -> str:
    properties = f"<w:tcPr>{cnf(own)}</w:tcPr>" if own else ""
    return f"<w:tc>{properties}{p(text, properties=cnf(paragraph))}</w:tc>"


def row(bits: str, *cells: str) -> str:
    properties = f"<w:trPr>{cnf(bits)}</w:trPr>" if bits else ""
    return f"<w:tr>{properties}{''.join(cells)}</w:tr>"


def table(*rows: str, columns: int = 3) -> str:
    grid = '<w:gridCol w:w="1000"/>' * columns
    look = '<w:tblStyle w:val="Grid"/><w:tblLook w:val="04A0"/>'
    return f"<w:tbl><w:tblPr>{look}</w:tblPr><w:tblGrid>{grid}</w:tblGrid>{''.join(rows)}</w:tbl>"


def plain(bits: str, *, left: str = LEFT) -> str:
    return row(bits, cell("a", left), cell("b", "", bits), cell("c", "", bits))


WHOLE = table(plain(FIRST, left=NW), plain(ODD), plain(EVEN), plain(LAST))


def said(holder: Element | None) -> str:
    found = None if holder is None else holder.find(W("cnfStyle"))
    return "" if found is None else found.get(W_VAL, "")


def conditions(draft: Draft) -> list[tuple[str, list[tuple[str, str]]]]:
    """Of each row its own conditions, and those of each cell and of its paragraph."""
    package = Package.open(draft.data)
    return [
        (
            said(each.find(W_TR_PR)),
            [
                (said(inner.find(W_TC_PR)), said(inner.find(f"{W_P}/{W_PPR}")))
                for inner in each.iter(W_TC)
            ],
        )
        for each in package.tree(package.main).iter(W_TR)
    ]


def edited(body: str, operation: Operation, **parts: object) -> Draft:
    draft = Draft.of(body, p("end"), **parts)
    made = draft.edit(operation)
    assert made.rejected == made.original
    assert set(errors(made.data)) <= set(errors(draft.data))
    assert made.decide("reject", Selection(all=True)).body == draft.body
    return made


@pytest.mark.parametrize(
    ("at", "where", "number", "bits", "left"),
    [
        ("t1.r1", "after", 1, ODD, LEFT),
        ("t1.r2", "after", 2, EVEN, LEFT),
        ("t1.r3", "after", 3, ODD, LEFT),
        ("t1.r2", "before", 1, ODD, LEFT),
        ("t1.r1", "before", 0, FIRST, NW),
        ("t1.r4", "after", 4, LAST, "001000000001"),
    ],
)
def test_a_new_row_takes_the_band_or_the_edge_of_its_place(
    at: str, where: str, number: int, bits: str, left: str
) -> None:
    side = "before" if where == "before" else "after"
    made = edited(WHOLE, InsertRow(at, side, ("x", "y", "z")))
    assert conditions(made)[number] == (bits, [(left, ""), ("", bits), ("", bits)])


def test_bands_of_several_rows_are_counted() -> None:
    bands = style("Grid", kind="table").replace(
        "<w:rPr>", '<w:tblPr><w:tblStyleRowBandSize w:val="2"/></w:tblPr><w:rPr>'
    )
    body = table(plain(FIRST), plain(ODD), plain(ODD), plain(EVEN), plain(EVEN))
    for at, bits in (("t1.r2", ODD), ("t1.r3", EVEN), ("t1.r4", EVEN), ("t1.r5", ODD)):
        made = edited(body, InsertRow(at, "after", ("x",)), styles=bands)
        assert conditions(made)[int(at[-1])][0] == bits


BANDED = table(
    row(FIRST, cell("a", NW), cell("b", ODD_V), cell("c", EVEN_V), cell("d", NE)),
    row(ODD, cell("a", LEFT), cell("b", ODD_V), cell("c", EVEN_V), cell("d", RIGHT)),
    columns=4,
)


@pytest.mark.parametrize(
    ("at", "where", "number", "expected"),
    [
        (1, "before", 0, [(NW, ""), (LEFT, "")]),
        (1, "after", 1, [(ODD_V, FIRST), (ODD_V, ODD)]),
        (2, "after", 2, [(EVEN_V, FIRST), (EVEN_V, ODD)]),
        (3, "after", 3, [(ODD_V, FIRST), (ODD_V, ODD)]),
        (4, "after", 4, [(NE, ""), (RIGHT, "")]),
    ],
)
def test_a_new_column_takes_the_band_or_the_edge_of_its_place(
    at: int, where: str, number: int, expected: list[tuple[str, str]]
) -> None:
    side = "before" if where == "before" else "after"
    made = edited(BANDED, InsertColumn(f"t1.r1.c{at}", side, ("x", "y")))
    assert [cells[number] for _, cells in conditions(made)] == expected


def test_a_column_of_a_table_without_bands_takes_the_conditions_of_its_rows() -> None:
    made = edited(WHOLE, InsertColumn("t1.r1.c1", "after", ("x", "y")))
    assert [cells[1] for _, cells in conditions(made)] == [
        ("", bits) for bits in (FIRST, ODD, EVEN, LAST)
    ]


def test_conditions_are_written_as_the_table_writes_them() -> None:
    names = ("firstRow", "lastRow", "firstColumn", "lastColumn", "oddHBand", "evenHBand")
    said_so = " ".join(f'w:{name}="{int(name == "oddHBand")}"' for name in names)
    strict = WHOLE.replace(f'w:val="{ODD}"', said_so)
    made = edited(strict, InsertRow("t1.r3", "after", ("x",)))
    (own,) = (
        each.find(f"{W_TR_PR}/{W('cnfStyle')}")
        for each in list(Package.open(made.data).tree("word/document.xml").iter(W_TR))[3:4]
    )
    assert own is not None
    assert own.get(W("oddHBand")) == "1"
    assert own.get(W("firstRow")) == "0"
    assert own.get(W_VAL) == ODD


def test_a_table_that_stores_no_conditions_gets_none() -> None:
    bare = table(row("", cell("a"), cell("b"), cell("c")))
    for operation in (
        InsertRow("t1.r1", "after", ("x",)),
        InsertColumn("t1.r1.c1", "after", ("x",)),
    ):
        assert "cnfStyle" not in edited(bare, operation).body
