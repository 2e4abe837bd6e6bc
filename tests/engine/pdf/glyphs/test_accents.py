from __future__ import annotations

import pytest

from redraft.engine.pdf.glyphs.accents import as_read
from redraft.engine.pdf.glyphs.lines import pieces
from tests.engine.pdf.stream.streams import model, pdf

# In this encoding an acute accent is a character of its own; in Times it is 3.33 points wide at 10.
ACUTE = b"\xb4"


def lines(stream: bytes) -> list[str]:
    return [
        "".join(glyph.text for glyph in glyphs) for _, glyphs in as_read(pieces(model(pdf(stream))))
    ]


@pytest.mark.parametrize(
    ("stream", "read"),
    [
        # As TeX writes them: the accent, back, and the letter below it.
        (b"BT /F2 10 Tf 20 250 Td [(m) -100 (%b) 400 (u) 0 (m)] TJ ET", ["m\u00b4um"]),
        # The letter comes first: it is read so.
        (b"BT /F2 10 Tf 20 250 Td [(mu) 440 (%b) 100 (m)] TJ ET", ["mu\u00b4m"]),
        # Behind a word, and not over a letter.
        (b"BT /F2 10 Tf 20 250 Td [(mum) -100 (%b)] TJ ET", ["mum\u00b4"]),
        # Raised over a capital, a piece by itself; what is drawn in between parts the line, too.
        (
            b"BT /F2 10 Tf 20 250 Td (or ) Tj 14 2.5 Td (%b) Tj -1 -2.5 Td (Umer) Tj ET",
            ["or \u00b4Umer"],
        ),
        # Over nothing, it stays alone.
        (
            b"BT /F2 10 Tf 20 250 Td (or) Tj 0 20 Td (%b) Tj 0 -20 Td ( mer) Tj ET",
            ["or", "\u00b4", " mer"],
        ),
    ],
)
def test_an_accent_is_read_where_it_is_drawn_and_with_its_letter(
    stream: bytes, read: list[str]
) -> None:
    assert lines(stream % ACUTE) == read


def test_every_glyph_is_there_once() -> None:
    stream = b"BT /F2 10 Tf 20 250 Td (or ) Tj 14 2.5 Td (%b%b) Tj -1 -2.5 Td (Umer) Tj ET"
    found = [
        glyph for _, held in as_read(pieces(model(pdf(stream % (ACUTE, ACUTE))))) for glyph in held
    ]
    assert len(found) == len({id(glyph) for glyph in found}) == 9
