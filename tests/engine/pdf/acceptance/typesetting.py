"""How the lines of a justified column stand: their ends, and the blanks between their words."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from unicodedata import normalize

from redraft.engine.pdf.glyphs.glyphs import Glyph
from redraft.engine.pdf.glyphs.lines import letters
from tests.engine.pdf.acceptance.documents import block, rows
from tests.engine.pdf.stream.streams import model

NARROWEST, WIDEST = 0.6, 2.0
WITHIN_A_WORD = 0.12
"""The widest gap between two letters of a word, in ems."""
AS_ONE = 0.02
"""So much of a natural blank may be lost to the hundredths of a point that a file is written in."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a page, in points from its left edge, and the natural blank of its font in ems.

    TeX has no blanks of its own in a file: a quarter of an em is that of its Times.
    """

    left: float
    right: float
    natural: float


def drawn(row: list[Glyph]) -> str:
    return "".join(glyph.text for glyph in row)


def end_of(row: list[Glyph]) -> float:
    return row[-1].x + row[-1].ink_width


def paragraph(data: bytes, words: str, column: Column) -> list[list[Glyph]]:
    """Give the lines of a paragraph of a column of the first page."""
    text = letters(block(data, words).text)
    found: list[list[Glyph]] = []
    for row in rows([g for g in model(data).glyphs() if not g.is_blank]).values():
        own = [g for g in row if column.left <= g.x < column.right]
        said = letters(drawn(own))
        if len(said) > 3 and said in text:
            found.append(own)
    assert "".join(letters(drawn(row)) for row in found) == text
    return found


def gaps(lines: list[list[Glyph]], text: str) -> list[tuple[list[float], list[float]]]:
    """Give for each line the gaps between its words and those between their letters, in ems.

    Where words end is what the text says, letter by letter; only the last glyph of a line may be a
    hyphen that the text has not.
    """
    said, at = normalize("NFKC", text), 0
    found: list[tuple[list[float], list[float]]] = []
    for line in lines:
        between: list[float] = []
        within: list[float] = []
        for before, glyph in itertools.pairwise([None, *line]):
            assert glyph is not None
            is_new = said[at : at + 1].isspace()
            at += is_new
            own = normalize("NFKC", glyph.text)
            if not said.startswith(own, at):
                assert (own, glyph) == ("-", line[-1]), f"{drawn(line)}: {said[at : at + 20]}"
                at -= is_new
                continue
            at += len(own)
            if before is not None:
                gap = (glyph.x - before.x - before.ink_width) / glyph.size
                (between if is_new else within).append(gap)
        found.append((between, within))
    assert at == len(said)
    return found


def check_set(
    before: list[list[Glyph]], now: list[list[Glyph]], text: str, column: Column
) -> list[int]:
    """Hold every line that was set anew against cases 5 and 7; gives the numbers of those lines."""
    edge = max(end_of(row) for row in before[:-1])
    untouched = {tuple((g.text, round(g.x, 2)) for g in row) for row in before}
    anew: list[int] = []
    for number, (row, (between, within)) in enumerate(zip(now, gaps(now, text), strict=True)):
        if number < len(now) - 1:
            assert abs(end_of(row) - edge) < 0.8, f"{drawn(row)} ends at {end_of(row)}"
        assert end_of(row) < edge + 0.8
        if tuple((g.text, round(g.x, 2)) for g in row) in untouched:
            continue
        anew.append(number)
        blanks = [gap / column.natural for gap in between]
        assert min(blanks, default=1) > NARROWEST - AS_ONE, f"{drawn(row)}: {blanks}"
        assert max(blanks, default=1) < WIDEST + AS_ONE, f"{drawn(row)}: {blanks}"
        assert max(within, default=0) < WITHIN_A_WORD, drawn(row)
    return anew
