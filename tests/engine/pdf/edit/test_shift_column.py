"""What is below goes up or down as a whole, with its pictures, lines and links, or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from redraft.engine import editor
from redraft.engine.errors import RefusedError
from redraft.engine.pdf.apply import apply
from redraft.engine.pdf.glyphs.target_blocks import known_in
from redraft.engine.pdf.tracked.redline import edit as tracked_edit
from redraft.engine.plan import (
    DeleteBlocks,
    EditPlan,
    InsertBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    RewriteBlock,
)
from redraft.engine.report import EditReport, Signature, StoredVersion
from tests.engine.pdf import judges
from tests.engine.pdf.paper import paper
from tests.engine.pdf.stream.streams import content, model, pdf

ANN = Signature("u1", "Ann Lee", "2026-11-21T06:30:00Z", tracked=False)
FIRST = b"BT /F1 10 Tf 12 TL 20 270 Td (The first words of the page) Tj (and a second line.) ' ET"
SECOND = b" BT /F1 10 Tf 20 234 Td (The second block goes) Tj ET"
THIRD = b" BT /F1 10 Tf 12 TL 20 210 Td (The third one has a) Tj (link in it.) ' ET"
RULE = b" q 0.5 w 20 190 m 120 190 l S Q"
FRAMED = b" q 20 160 100 20 re W n 0.6 g 20 160 100 20 re f Q"
LAST = b" BT /F2 10 Tf 20 140 Td (And the last one) Tj ET"
PAGE = FIRST + SECOND + THIRD + RULE + FRAMED + LAST


def edited(data: bytes, *operations: Operation) -> tuple[bytes, EditReport]:
    return apply(data, EditPlan("edit", "", operations), ANN)


def heights(data: bytes) -> dict[str, float]:
    rows: dict[float, str] = {}
    for glyph in model(data).glyphs():
        rows[round(glyph.y, 2)] = rows.get(round(glyph.y, 2), "") + glyph.text
    return {text: y for y, text in rows.items()}


def inks(data: bytes) -> list[tuple[float, float]]:
    return [(round(ink.box.y0, 2), round(ink.box.y1, 2)) for ink in model(data).inks]


def link(data: bytes) -> tuple[float, float]:
    import pymupdf

    opened: Any = pymupdf.open(stream=data, filetype="pdf")
    (box,) = (each["from"] for each in opened[0].get_links())
    return round(300 - box.y1, 2), round(300 - box.y0, 2)


def test_what_follows_a_deleted_block_takes_its_place() -> None:
    data = pdf(PAGE, links=([20, 195, 60, 207],))
    before = heights(data)
    after, report = edited(data, DeleteBlocks("p1.b2", "p1.b2", close_up=True))
    assert heights(after) == {
        "The first words of the page": 270,
        "and a second line.": 258,
        "The third one has a": 234,
        "link in it.": 222,
        "And the last one": 164,
    }
    assert before["The third one has a"] == 210
    assert inks(after) == [(y0 + 24, y1 + 24) for y0, y1 in inks(data)]
    assert link(after) == (link(data)[0] + 24, link(data)[1] + 24)
    assert b"second block" not in content(after)
    assert report.summary == "1 change on page 1"


def test_the_gap_stays_where_nothing_else_is_asked_for() -> None:
    data = pdf(PAGE)
    after, _ = edited(data, DeleteBlocks("p1.b2", "p1.b2"))
    kept = {text: y for text, y in heights(data).items() if "second block" not in text}
    assert heights(after) == kept
    assert inks(after) == inks(data)


def test_the_text_state_after_a_moved_string_is_what_it_was() -> None:
    """The last string is placed from the one before it, which has moved."""
    stream = FIRST + SECOND + (
        b" BT /F1 10 Tf 1 Tc 20 200 Td (Left) Tj ( goes on) Tj 0 -14 TD (Below it) Tj T*"
        b" (At the end) Tj ET"
    )  # fmt: skip
    after, _ = edited(pdf(stream), DeleteBlocks("p1.b2", "p1.b2", close_up=True))
    old = [(g.text, round(g.x, 3), round(g.y + 34, 3)) for g in model(pdf(stream)).glyphs()]
    new = [(g.text, round(g.x, 3), round(g.y, 3)) for g in model(after).glyphs()]
    at = next(n for n, each in enumerate(new) if each[2] == 234)
    assert new[at:] == old[-len(new[at:]) :]
    assert len(new[at:]) == len("Left goes onBelow itAt the end")


def test_another_column_stays_where_it_is() -> None:
    rows = b"".join(
        b" BT /F1 8 Tf %d %d Td (%s words of it) Tj ET" % (x, y, name)
        for x, name in ((20, b"Left"), (170, b"Right"))
        for y in (270, 260, 250, 220, 210, 200)
    )
    data = pdf(rows)
    first = next(each for each in known_in(data) if each.text.startswith("Left"))
    after, _ = edited(data, DeleteBlocks(first.anchor, first.anchor, close_up=True))
    left, right = (
        sorted({round(g.y) for g in model(after).glyphs() if (g.x < 150) == is_left})
        for is_left in (True, False)
    )
    assert left == [250, 260, 270]
    assert right == [200, 210, 220, 250, 260, 270]


def test_a_paragraph_that_grows_moves_what_is_below_it() -> None:
    data = pdf(PAGE)
    more = "The first words of the page and a second line. With more and more of words behind them."
    after, report = edited(data, RewriteBlock("p1.b1", more))
    now = heights(after)
    depth = 234 - now["The second block goes"]
    assert depth > 0
    assert now["And the last one"] == 140 - depth
    assert inks(after) == [(round(a - depth, 2), round(b - depth, 2)) for a, b in inks(data)]
    assert known_in(after)[0].text == more
    assert report.warnings == ()


def test_a_new_paragraph_moves_what_is_below_it() -> None:
    data = pdf(PAGE)
    new = InsertBlocks("p1.b1", "after", (NewBlock("paragraph", "A new one"),))
    after, _ = edited(data, new)
    now = heights(after)
    assert now["and a second line."] > now["A new one"] > now["The second block goes"]
    assert now["The second block goes"] < 234
    assert [each.text for each in known_in(after)][1] == "A new one"


def test_two_paragraphs_that_grow_move_what_is_below_both() -> None:
    data = pdf(PAGE)
    words = "with more and more of words that were not there before now"
    after, _ = edited(
        data,
        ReplaceText("p1.b1", "second line.", f"second line {words}."),
        ReplaceText("p1.b3", "it.", f"it {words}."),
    )
    read = [each.text for each in known_in(after)]
    assert read[0].endswith(f"second line {words}.")
    assert read[2].endswith(f"link in it {words}.")
    assert heights(after)["And the last one"] < heights(data)["And the last one"] - 20


def test_a_full_page_moves_nothing() -> None:
    full = PAGE + b" BT /F1 10 Tf 20 40 Td (At the bottom) Tj ET"
    full += b" BT /F1 10 Tf 20 80 Td (Near it) Tj ET"
    with pytest.raises(RefusedError, match="No room for the new paragraph"):
        edited(pdf(full), InsertBlocks("p1.b1", "after", (NewBlock("paragraph", "words " * 60),)))


@pytest.mark.parametrize(
    ("stream", "message"),
    [
        (
            FIRST + SECOND + b" BT /F1 10 Tf 200 250 Td (Another column) Tj ET"
            b" BT /F1 10 Tf 20 210 Td [(Here) -16000 (There)] TJ ET",
            "written in one with other text",
        ),
        (
            FIRST + SECOND + b" q 0 200 300 20 re W n BT /F1 10 Tf 20 205 Td (Framed) Tj ET Q",
            "framed and would be cut off",
        ),
    ],
)
def test_what_cannot_move_is_refused_and_said(stream: bytes, message: str) -> None:
    with pytest.raises(RefusedError, match=message):
        edited(pdf(stream), DeleteBlocks("p1.b2", "p1.b2", close_up=True))


def test_in_a_tracked_document_the_gap_stays_with_a_warning() -> None:
    data = pdf(PAGE)
    plan = EditPlan("edit", "", (DeleteBlocks("p1.b2", "p1.b2", close_up=True),))
    signature = Signature("u1", "Ann Lee", "2026-11-21T06:30:00Z", tracked=True)
    after, report = tracked_edit(data, data, b"", plan, signature)
    assert heights(after)["And the last one"] == 140
    assert report.warnings == (
        "The gap of the deleted text stays: a tracked PDF shows it struck on its own page",
    )


def test_nothing_but_what_moved_looks_otherwise() -> None:
    data = pdf(PAGE, links=([20, 195, 60, 207],))
    after, _ = edited(data, DeleteBlocks("p1.b2", "p1.b2", close_up=True))
    judges.sound(data, after, below="and a second line.")


@pytest.mark.parametrize(
    ("said", "close_up"),
    [
        ('Delete the paragraph starting with "The second" and close the gap', True),
        ('Delete "The second block goes" and close up.', True),
        ('Remove the paragraph containing "second block" without leaving a gap', True),
        ('Delete the paragraph starting with "The second"', False),
    ],
)
def test_an_instruction_may_ask_for_the_gap_to_be_closed(
    tmp_path: Path, said: str, close_up: bool
) -> None:
    path = tmp_path / "page.pdf"
    path.write_bytes(pdf(PAGE))
    plan = editor.interpret(StoredVersion(path), said, None)
    assert plan.operations == (DeleteBlocks("p1.b2", "p1.b2", close_up),)


def test_bullets_that_stand_apart_go_along_with_their_lines() -> None:
    """They are pieces of their own, left of the column that grows."""
    items = ("The first item of the list", "The second item of it", "And the third one here")
    stream = b"".join(
        b" BT /F1 10 Tf 40 %d Td (\225) Tj 22 0 Td (%s) Tj ET" % (250 - 12 * n, text.encode())
        for n, text in enumerate(items)
    )
    stream += b" BT /F1 10 Tf 40 270 Td (A line that says how wide the column of the page is) Tj ET"
    data = pdf(stream)
    target = next(each for each in known_in(data) if "first item" in each.text)
    more = "The first item of the list is longer now than what its line has room for"
    after, _ = edited(data, RewriteBlock(target.anchor, more))
    bullets = sorted(round(g.y) for g in model(after).glyphs() if g.text == "•")
    starts = sorted(
        round(g.y) for g in model(after).glyphs() if round(g.x) == 62 and g.text in "TA"
    )
    assert bullets == starts == [214, 226, 250]


def clipped(y: float, x1: float) -> bytes:
    """A line within a clip of its own, as Antenna House draws underlines and borders."""
    path = b"20 %.1f m 19 %.1f l %.1f %.1f l %.1f %.1f l h" % (y, y - 1, x1, y - 1, x1 - 1, y + 1)
    return b" q " + path + b" W* n 1 w 20 %.1f m %.1f %.1f l S Q" % (y, x1, y)


def drawn_lines(data: bytes) -> list[tuple[float, int]]:
    """The level lines of at least 40 pt that a page shows: their places and how dark they are."""
    import pymupdf

    opened: Any = pymupdf.open(stream=data, filetype="pdf")
    pixels = opened[0].get_pixmap(dpi=72, alpha=False)
    rows = [pixels.samples[y * pixels.stride :][20 * 3 : 60 * 3] for y in range(pixels.height)]
    return [(y, sum(255 - v for v in row)) for y, row in enumerate(rows) if max(row) < 200]


def test_a_line_that_is_drawn_within_its_own_clip_goes_down_with_it() -> None:
    data = pdf(FIRST + clipped(235, 120) + b" BT /F1 10 Tf 20 238 Td (Underlined words) Tj ET")
    new = InsertBlocks("p1.b1", "after", (NewBlock("paragraph", "A new one"),))
    after, _ = edited(data, new)
    ((old, dark),), ((now, as_dark),) = drawn_lines(data), drawn_lines(after)
    assert now > old
    assert as_dark == pytest.approx(dark, rel=0.3)


@pytest.mark.parametrize("is_clipped", [False, True])
def test_the_frame_around_a_paragraph_is_not_torn_open(is_clipped: bool) -> None:
    sides = b" q 20 235 m 20 285 l S Q q 180 235 m 180 285 l S Q"
    if is_clipped:
        sides = sides.replace(b"q 20 235 m", b"q 19 230 2 60 re W n 20 235 m")
    edge = b" q 20 235 m 180 235 l S Q q 20 285 m 180 285 l S Q"
    text = FIRST.replace(b"20 270", b"26 270") + sides + edge
    data = pdf(text + b" BT /F1 10 Tf 20 210 Td (Below the frame) Tj ET")
    new = InsertBlocks("p1.b1", "after", (NewBlock("paragraph", "A new one " * 8),))
    if is_clipped:
        with pytest.raises(RefusedError, match="No room"):
            edited(data, new)
        return
    after, _ = edited(data, new)
    level = min(low for low, high in inks(after) if high == low)
    uprights = {low for low, high in inks(after) if high - low > 3}
    assert level < 235
    assert uprights == {level}


@pytest.mark.parametrize("number", [b"7", b"Page 2 of 3"])
def test_the_number_of_the_page_does_not_follow_what_moves_up(number: bytes) -> None:
    lines = b"".join(b" BT /F1 10 Tf 20 %d Td (Line %d) Tj ET" % (y, y) for y in (180, 130, 80))
    foot = b" BT /F1 10 Tf 25 25 Td (%s) Tj ET" % number
    before = pdf(FIRST + SECOND + lines + foot)
    (first,) = (t.anchor for t in known_in(before) if "first words" in t.text)
    after, _ = edited(before, DeleteBlocks(first, first, close_up=True))
    assert heights(after)["The second block goes"] > 250
    assert heights(after)["Line 80"] > 80
    assert heights(after)[number.decode()] == 25


def test_what_stands_far_below_the_last_paragraph_stays_when_that_goes() -> None:
    before = pdf(FIRST + SECOND + b" BT /F1 10 Tf 20 60 Td (Printed in May) Tj ET")
    (second,) = (t.anchor for t in known_in(before) if "second block" in t.text)
    after, _ = edited(before, DeleteBlocks(second, second, close_up=True))
    assert heights(after)["Printed in May"] == 60


def test_words_beside_a_form_field_do_not_move_away_from_it() -> None:
    wide = "A long line of a paragraph that is as wide as all of its column"
    page = paper().lines(72, 100, wide, wide, wide)
    page.text(100, 148, "Yes, I agree to all of it").text(100, 168, "No, I do not")
    page.field("yes", 76, 138, 90, 152).field("no", 76, 158, 90, 172)
    data = page.data()
    operation = ReplaceText("p1.b1", wide, f"{wide}, and longer and longer still", 3)
    with pytest.raises(RefusedError):
        apply(data, EditPlan("edit", "", (operation,)), ANN)
    plain = paper().lines(72, 100, wide, wide, wide).text(100, 148, "Yes, I agree to all of it")
    after, _ = apply(plain.data(), EditPlan("edit", "", (operation,)), ANN)
    assert max(round(g.y) for g in model(after).glyphs() if g.text == "Y") < 842 - 148
