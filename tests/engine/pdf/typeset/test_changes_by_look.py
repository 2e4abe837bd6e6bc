from __future__ import annotations

from itertools import groupby

import pytest

from redraft.engine.plan import ReplaceText, RewriteBlock
from tests.engine.pdf.stream.streams import model, pdf
from tests.engine.pdf.test_apply import edited, texts

FEE = (
    b"BT /F2 10 Tf 20 250 Td (Fee:) Tj /F1 10 Tf ( 100 EUR a month, payable in) Tj"
    b" ( advance.) Tj ET"
)
PARTIES = (
    b"BT /F2 10 Tf 20 250 Td (Acme Corp) Tj /F1 10 Tf ( shall pay the ) Tj /F2 10 Tf (Fee) Tj"
    b" /F1 10 Tf ( at once.) Tj ET"
)


def faces(data: bytes) -> list[tuple[str, str]]:
    """Return the words of a page with the font of each run of them."""
    glyphs = [glyph for glyph in model(data).glyphs() if not glyph.is_blank]
    glyphs.sort(key=lambda glyph: (-round(glyph.y), glyph.x))
    runs = groupby(glyphs, key=lambda glyph: glyph.show.state.font_name)
    return [("".join(glyph.text for glyph in run), name) for name, run in runs]


@pytest.mark.parametrize(
    ("stream", "old", "new", "runs"),
    [
        (
            FEE,
            "Fee: 100",
            "Price: 120",
            [("Price:", "F2"), ("120EURamonth,payableinadvance.", "F1")],
        ),
        (
            FEE,
            "Fee: 100 EUR a month",
            "Monthly price: 120 dollars a month",
            [("Monthlyprice:", "F2"), ("120dollarsamonth,payableinadvance.", "F1")],
        ),
        (
            PARTIES,
            "Acme Corp shall pay",
            "Beta Ltd must pay",
            [("BetaLtd", "F2"), ("mustpaythe", "F1"), ("Fee", "F2"), ("atonce.", "F1")],
        ),
        (
            PARTIES,
            "pay the Fee",
            "transfer any Price",
            [("AcmeCorp", "F2"), ("shalltransferany", "F1"), ("Price", "F2"), ("atonce.", "F1")],
        ),
    ],
)
def test_words_look_as_those_they_replace_and_what_is_between_is_left_alone(
    stream: bytes, old: str, new: str, runs: list[tuple[str, str]]
) -> None:
    data, _ = edited(pdf(stream), ReplaceText("p1.b1", old, new))
    assert texts(data) == [texts(pdf(stream))[0].replace(old, new)]
    assert faces(data) == runs


def test_a_rewritten_paragraph_keeps_the_looks_of_its_runs() -> None:
    new = "Beta Ltd shall pay the Charge within ten days."
    data, _ = edited(pdf(PARTIES), RewriteBlock("p1.b1", new))
    assert faces(data) == [
        ("BetaLtd", "F2"),
        ("shallpaythe", "F1"),
        ("Charge", "F2"),
        ("withintendays.", "F1"),
    ]


def test_all_words_of_a_change_are_in_one_face_where_their_font_lacks_a_letter() -> None:
    stream = b"BT /F1 10 Tf 20 250 Td (The quick brown fox jumps over it.) Tj ET"
    data, report = edited(pdf(stream), ReplaceText("p1.b1", "quick brown", "bia\u0142y i czarny"))
    (before, own), (new, other), (after, again) = faces(data)
    assert (before, new, after) == ("The", "bia\u0142yiczarny", "foxjumpsoverit.")
    assert own == again == "F1" != other
    (warning,) = report.warnings
    assert 'lacks "\u0142"; the words "bia\u0142y i czarny" are set in' in warning


def test_another_face_is_set_as_large_as_the_font_of_the_text_looks() -> None:
    stream = b"BT /F2 20 Tf 20 250 Td (Fair copies of the minutes) Tj ET"
    narrow = pdf(stream).replace(b"/Times-Bold", b"/Helvetica-Bold")
    data, _ = edited(narrow, ReplaceText("p1.b1", "copies", "\u0142a\u0144cuch"))
    sizes = {glyph.show.state.font_name: glyph.size for glyph in model(data).glyphs()}
    assert sizes["F2"] == pytest.approx(20)
    assert all(size == pytest.approx(20, rel=0.04) for size in sizes.values())


def test_words_in_another_face_are_narrower_where_the_font_of_the_text_is() -> None:
    widths = " ".join(["400"] * 224)
    narrow = pdf(b"BT /F1 20 Tf 20 250 Td (Fair copies of the minutes) Tj ET").replace(
        b"/BaseFont /Helvetica ", b"/BaseFont /Narrowed "
    )
    assert b"Narrowed" in narrow
    with_widths = narrow.replace(
        b"/BaseFont /Narrowed ",
        f"/FirstChar 32 /LastChar 255 /Widths [{widths}] /BaseFont /Narrowed ".encode(),
    )
    data, _ = edited(with_widths, ReplaceText("p1.b1", "copies", "\u0142a\u0144cuch"))
    sizes = {glyph.show.state.font_name: glyph.size for glyph in model(data).glyphs()}
    assert sizes["F1"] == pytest.approx(20)
    assert min(sizes.values()) == pytest.approx(20 * 0.88, rel=0.01)
