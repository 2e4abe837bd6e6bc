from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from redraft.engine.pdf.apply import apply
from redraft.engine.pdf.glyphs.target_blocks import known_in
from redraft.engine.plan import EditPlan, Operation, ReplaceText
from redraft.engine.report import Signature
from tests.engine.pdf.stream.streams import model, pdf
from tests.engine.pdf.test_apply import texts

BY_ANN = Signature("u1", "Ann Lee", "2026-11-21T06:30:00Z", tracked=False)
PROSE = (
    b"BT /F1 10 Tf 12 TL 20 150 Td (The parties to this lease have met, and the meeting is)"
    b" Tj (recorded here in the words that they themselves have used.) ' ET "
)


def edited(data: bytes, *operations: Operation) -> bytes:
    return apply(data, EditPlan("edit", "", operations), BY_ANN)[0]


def rows(data: bytes) -> dict[int, str]:
    """Text by baseline, from the top."""
    found: dict[int, str] = {}
    for glyph in model(data).glyphs():
        found[round(glyph.y)] = found.get(round(glyph.y), "") + glyph.text
    return {y: " ".join(found[y].split()) for y in sorted(found, reverse=True)}


def block(*lines: str, leading: int = 12, before: bytes = PROSE) -> bytes:
    drawn = " ".join(f"({line}) '" for line in lines)
    return pdf(before + f"BT /F1 10 Tf {leading} TL 20 262 Td {drawn} ET".encode())


@pytest.mark.parametrize(
    ("lines", "old", "new", "expected"),
    [
        (
            ("Time:", "Facilitator:", "Minutes:"),
            "Time:",
            "Time: noon",
            ("Time: noon", "Facilitator:", "Minutes:"),
        ),
        (
            ("Ann Lee", "17 Long Lane", "London N1"),
            "17",
            "2117",
            ("Ann Lee", "2117 Long Lane", "London N1"),
        ),
        (
            ("Ann Lee", "17 Long Lane", "London N1"),
            "Long Lane",
            "Longest Lane of All Lanes",
            ("Ann Lee", "17 Longest Lane of All Lanes", "London N1"),
        ),
    ],
)
def test_lines_that_ended_on_purpose_stay_apart(
    lines: tuple[str, ...], old: str, new: str, expected: tuple[str, ...]
) -> None:
    before = block(*lines)
    assert texts(before)[0] == " ".join(lines)  # the reader gives them as one paragraph
    after = edited(before, ReplaceText("p1.b1", old, new))
    assert tuple(rows(after).values())[:3] == expected
    assert list(rows(after)) == list(rows(before))


def test_a_gap_between_two_paragraphs_of_one_block_stays_between_them() -> None:
    drawn = (
        b"BT /F1 10 Tf 12 TL 20 260 Td (The tenant pays the rent on the first day of) Tj"
        b" (each month, and the landlord gives a receipt.) ' 0 -16 Td"
        b" (The landlord keeps the roof and the walls in) Tj (repair, and the tenant the rooms.) '"
        b" ET"
    )
    before = pdf(drawn)
    assert len(texts(before)) == 1
    more = "a receipt in which the month and the sum are written"
    after = rows(edited(before, ReplaceText("p1.b1", "a receipt", more)))
    *first, second, third = after
    assert [after[second], after[third]] == list(rows(before).values())[2:]
    assert (first[-1] - second, second - third) == (16, 12)


def test_lines_of_prose_are_filled_to_the_margin_as_before() -> None:
    before = block(
        "The tenant pays the rent on the first day of",
        "each month, and Ann Lee gives a receipt for it",
        "where that is asked for.",
    )
    after = edited(before, ReplaceText("p1.b1", "on the first day of", "for"))
    assert list(rows(after).values())[:2] == [
        "The tenant pays the rent for each month, and",
        "Ann Lee gives a receipt for it where that is",
    ]


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("pdfplumber__background-checks.pdf", "2,303", "12,303"),  # a column of numbers as one cell
        ("pdfjs__prefilled_f1040.pdf", "health insurance deduction", "health insurance credit"),
    ],
)
def test_of_lines_read_as_one_block_only_the_one_that_changes_is_set_anew(
    corpus: Path, name: str, old: str, new: str
) -> None:
    path = corpus / "fresh" / "pdf" / name
    if not path.exists():
        pytest.skip("the file is not here")
    before = path.read_bytes()
    anchor = next(target.anchor for target in known_in(before) if old in target.text)
    after = edited(before, ReplaceText(anchor, old, new))
    gone, come = (
        Counter((glyph.text, round(glyph.x, 1), round(glyph.y)) for glyph in model(data).glyphs())
        for data in (before, after)
    )
    assert len({y for _, _, y in (gone - come) + (come - gone)}) == 1


def test_lines_of_which_each_is_a_sentence_are_read_and_set_anew_one_by_one() -> None:
    lines = (
        "Errors should never pass in silence.",
        "Now is better than never.",
        "Flat is better than nested.",
        "Rules are never special enough to break.",
    )
    before = block(*lines, before=b"")
    assert texts(before) == list(lines)
    after = edited(before, ReplaceText("p1.b1", "in silence", "in complete silence"))
    assert list(rows(after).values()) == [
        lines[0].replace("in silence", "in complete silence"),
        *lines[1:],
    ]
