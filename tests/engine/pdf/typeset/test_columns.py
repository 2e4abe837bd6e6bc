"""How far the lines of a paragraph reach."""

from __future__ import annotations

from redraft.engine.pdf.apply import apply
from redraft.engine.plan import EditPlan, FormatText, Operation, ReplaceText
from redraft.engine.report import Signature
from tests.engine.pdf.stream.streams import model, pdf

BY_ANN = Signature("u1", "Ann Lee", "2026-11-22T06:30:00Z", tracked=False)
WIDE = (
    b" BT /F1 10 Tf 12 TL 20 120 Td (A wide paragraph stands below and has some lines) Tj"
    b" (that reach over all of the page from its left edge.) ' ET"
)


def lines(data: bytes, operation: Operation) -> list[str]:
    after, _ = apply(data, EditPlan("edit", "", (operation,)), BY_ANN)
    rows: dict[float, str] = {}
    for glyph in model(after).glyphs():
        rows[round(glyph.y, 1)] = rows.get(round(glyph.y, 1), "") + glyph.text
    return [rows[y].rstrip() for y in sorted(rows, reverse=True)]


def test_a_narrow_paragraph_stays_narrow_where_wide_lines_begin_at_its_edge() -> None:
    data = pdf(
        b"BT /F1 10 Tf 12 TL 20 250 Td (Say hobbies and) Tj (interests, list the) '"
        b" (games that you play) ' (and sing.) ' ET" + WIDE
    )
    assert lines(data, ReplaceText("p1.b1", "the games", "those games"))[:4] == [
        "Say hobbies and",
        "interests, list those",
        "games that you play",
        "and sing.",
    ]
    assert lines(data, FormatText("p1.b1", "list", "italic", "on"))[:4] == [
        "Say hobbies and",
        "interests, list the",
        "games that you play",
        "and sing.",
    ]
