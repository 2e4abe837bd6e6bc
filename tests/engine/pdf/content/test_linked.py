from __future__ import annotations

from typing import Any

from engine.pdf.apply import apply
from engine.pdf.content.targets import known_in
from engine.plan import EditPlan, ReplaceText
from engine.report import Signature
from tests.engine.pdf.content.streams import model, pdf

BY_ANN = Signature("u1", "Ann Lee", "2026-11-21T06:30:00Z", tracked=False)
# Courier of 10 pt: six points a letter; "our terms" are the letters 28 to 37 of the first line.
LINKED = pdf(
    b"BT /F3 10 Tf 12 TL 20 250 Td (You accept by a signature   our terms of) Tj"
    b" (sale, which are part of this contract) ' (in each case.) ' ET"
    b" 0 0 1 rg 188 248 54 0.7 re f",
    links=([188, 247, 242, 259],),
)


def linked(data: bytes) -> list[tuple[str, tuple[int, ...]]]:
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        return [
            (
                str(each["uri"]),
                tuple(round(300 - v if n % 2 else v) for n, v in enumerate(each["from"])),
            )
            for each in document[0].get_links()
        ]


def lines_drawn(data: bytes) -> list[tuple[int, int, int]]:
    return [(round(i.box.x0), round(i.box.y0), round(i.box.x1)) for i in model(data).inks]


def test_a_link_and_its_underline_are_broken_with_their_words_over_two_lines() -> None:
    after, _ = apply(
        LINKED, EditPlan("edit", "", (ReplaceText("p1.b1", "by a", "by one's own"),)), BY_ANN
    )
    assert "own signature our terms of sale" in known_in(after)[0].text
    glyphs = [g for g in model(after).glyphs() if not g.is_blank]
    rows: dict[int, str] = {}
    for glyph in glyphs:
        rows[round(glyph.y)] = rows.get(round(glyph.y), "") + glyph.text
    assert rows[250].endswith("our")
    assert rows[238].startswith("terms")
    (first, one), (second, two) = linked(after)
    assert first == second == "https://example.org"
    assert set(one[1::2]) == {247, 259}
    assert set(two[1::2]) == {235, 247}
    ours = [g for g in glyphs if round(g.y) == 250][-3:]
    assert one[0] == round(ours[0].x)
    assert (two[0], two[2]) == (20, 50)
    assert lines_drawn(after) == [(one[0], 248, one[2]), (20, 236, 50)]


def test_a_link_whose_words_stay_together_stays_one() -> None:
    after, _ = apply(
        LINKED, EditPlan("edit", "", (ReplaceText("p1.b1", "accept by a", "take by the"),)), BY_ANN
    )
    assert len(linked(after)) == len(lines_drawn(after)) == 1
