"""Which conditional formats of a table's style hold for new rows and cells (17.3.1.8, cnfStyle).

Word works them out from where a cell stands; other programs take what is stored. New rows and cells
of a table that stores them get what belongs to their place: the first or last row or column, or the
band that comes next. What is stored of former rows and cells stays: it is not tracked, and Word
puts it right when it opens the document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from lxml import etree

from redraft.engine.docx import anchors
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.names import W_P, W_PPR, W_TC_PR, W_TR_PR, W_VAL, Element, W

Bits: TypeAlias = frozenset[str]

_CNF: Final = W("cnfStyle")
# The digits of `w:val` in order (17.18.7 of the first edition, 17.3.1.8).
_NAMES: Final = (
    *("firstRow", "lastRow", "firstColumn", "lastColumn"),
    *("oddVBand", "evenVBand", "oddHBand", "evenHBand"),
    *("firstRowLastColumn", "firstRowFirstColumn", "lastRowLastColumn", "lastRowFirstColumn"),
)
_ROWS: Final = frozenset({"firstRow", "lastRow", "oddHBand", "evenHBand"})
_COLUMNS: Final = frozenset({"firstColumn", "lastColumn", "oddVBand", "evenVBand"})
_EDGES: Final = frozenset({"firstColumn", "lastColumn"})
_NOTHING: Final[Bits] = frozenset()
# Children of w:pPr that stand behind it (17.3.1.26).
_BEHIND: Final = frozenset(map(W, ("rPr", "sectPr", "pPrChange")))


def suit_row(desk: Desk, table: Element, row: Element, models: Sequence[Element]) -> None:
    """Gives a new row, which stands in its table, the conditions of its place.

    Args:
        desk: Who edits.
        table: The table.
        row: The row.
        models: The cells of the row that it is modelled on, one for each of its own.
    """
    samples = list(table.iter(_CNF))
    if not samples:
        return
    rows = list(anchors.rows(table))
    at = rows.index(row)
    above = [_of_row(other) for other in rows[:at]]
    below = [_of_row(other) for other in rows[at + 1 :]]
    own = _next(above, below, ("firstRow", "lastRow"), "HBand", _band_size(desk, table, "Row"))
    properties = row.find(W_TR_PR)
    if own and properties is not None:
        properties.insert(0, _made(own, samples))
    for cell, model in zip(anchors.cells(row), models, strict=True):
        _suit(cell, own, _read(model.find(W_TC_PR)) & _COLUMNS, samples)


def suit_cell(desk: Desk, table: Element, row: Element, cell: Element) -> None:
    """Gives a cell of a new column the conditions of its place."""
    samples = list(table.iter(_CNF))
    if not samples:
        return
    cells = list(anchors.cells(row))
    at = cells.index(cell)
    left, right = ([_of_cell(other) for other in side] for side in (cells[:at], cells[at + 1 :]))
    size = _band_size(desk, table, "Col")
    own = _next(left, right, ("firstColumn", "lastColumn"), "VBand", size)
    _suit(cell, _of_row(row), own, samples)


def _next(
    before: Sequence[Bits], behind: Sequence[Bits], edges: tuple[str, str], kind: str, size: int
) -> Bits:
    """Returns what holds between what holds on both sides."""
    first, last = edges
    bands = frozenset({f"odd{kind}", f"even{kind}"})
    if not before and behind and first in behind[0]:
        return frozenset({first})
    if not behind and before and last in before[-1]:
        return frozenset({last})
    if not any(bands & names for names in (*before, *behind)):
        return _NOTHING
    count = 0
    band = _NOTHING
    for names in reversed(before):
        if not names & bands or (band and names & bands != band):
            break
        band = names & bands
        count += 1
    if not band:
        return frozenset({f"odd{kind}"})
    return bands - band if count >= size else band


def _suit(cell: Element, row: Bits, column: Bits, samples: Sequence[Element]) -> None:
    """Writes what holds for a cell, and for its paragraphs where it is in no edge column."""
    for former in cell.iterfind(f"{W_TC_PR}/{_CNF}"):
        cell[0].remove(former)
    corners = {
        name
        for name in _NAMES[8:]
        if any(name == f"{r}{c[0].upper()}{c[1:]}" for r in row for c in column)
    }
    if column:
        properties = cell.find(W_TC_PR)
        if properties is None:
            properties = etree.Element(W_TC_PR)
            cell.insert(0, properties)
        properties.insert(0, _made(column | corners, samples))
    for paragraph in cell.iter(W_P):
        properties = paragraph.find(W_PPR)
        for former in paragraph.findall(f"{W_PPR}/{_CNF}"):
            paragraph[0].remove(former)
        if row and not column & _EDGES:
            if properties is None:
                properties = etree.Element(W_PPR)
                paragraph.insert(0, properties)
            at = next((i for i, c in enumerate(properties) if c.tag in _BEHIND), len(properties))
            properties.insert(at, _made(row, samples))


def _of_row(row: Element) -> Bits:
    """Returns what holds for a row: what it says, or else the paragraphs in it."""
    own = _read(row.find(W_TR_PR)) & _ROWS
    if own:
        return own
    formats = (_read(paragraph.find(W_PPR)) & _ROWS for paragraph in row.iter(W_P))
    return next((names for names in formats if names), _NOTHING)


def _of_cell(cell: Element) -> Bits:
    return _read(cell.find(W_TC_PR)) & _COLUMNS


def _read(properties: Element | None) -> Bits:
    element = None if properties is None else properties.find(_CNF)
    return _NOTHING if element is None else frozenset(_on(element))


def _on(element: Element) -> Iterator[str]:
    digits = element.get(W_VAL, "")
    for at, name in enumerate(_NAMES):
        if element.get(W(name), digits[at : at + 1]) in ("1", "true", "on"):
            yield name


def _made(bits: Bits | set[str], samples: Sequence[Element]) -> Element:
    """Returns the conditions as the table writes them: as digits, as attributes, or both."""
    made = etree.Element(_CNF)
    if any(sample.get(W_VAL) is not None for sample in samples):
        made.set(W_VAL, "".join("1" if name in bits else "0" for name in _NAMES))
    if any(sample.get(W(_NAMES[0])) is not None for sample in samples):
        for name in _NAMES:
            made.set(W(name), "1" if name in bits else "0")
    return made


def _band_size(desk: Desk, table: Element, kind: str) -> int:
    """Returns how many rows or columns make a band (17.7.6.5, 17.7.6.7)."""
    table_style = table.find(f"{W('tblPr')}/{W('tblStyle')}")
    style = None if table_style is None else desk.cascade.style(table_style.get(W_VAL, ""))
    band = None if style is None else style.find(f".//{W(f'tblStyle{kind}BandSize')}")
    size = "1" if band is None else band.get(W_VAL, "1")
    return max(int(size), 1) if size.isdecimal() else 1
