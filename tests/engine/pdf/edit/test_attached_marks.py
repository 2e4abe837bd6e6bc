from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest

from redraft.engine.pdf.apply import apply
from redraft.engine.pdf.glyphs.target_blocks import known_in
from redraft.engine.plan import DeleteBlocks, EditPlan, ReplaceText
from redraft.engine.report import Signature
from tests.engine.pdf.stream.streams import model, pdf

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


def test_a_link_that_went_to_the_next_line_is_not_taken_for_one_of_that_line() -> None:
    data = pdf(
        b"BT /F3 10 Tf 12 TL 20 250 Td (These words stand on the first line, my web) Tj"
        b" (browser is on the second one of them) ' (and here it ends.) ' ET",
        links=([260, 247, 278, 259], [20, 235, 62, 247]),
    )
    operation = ReplaceText("p1.b1", "web browser", "Platform", None)
    after, _ = apply(data, EditPlan("edit", "", (operation,)), BY_ANN)
    place = min(round(g.x) for g in model(after).glyphs() if g.text == "P")
    found = {box[0] for _, box in linked(after)}
    assert place == 20
    assert found == {place}


MARKED = (
    b"BT /F3 10 Tf 12 TL 20 250 Td (The parties agree that these words stand) Tj"
    b" (for the whole of the contract) ' (and for nothing else.) ' ET"
)


def marked(*boxes: list[int], kind: str = "Highlight") -> bytes:
    """Mark boxes of the page in yellow, with a look that is drawn in the file."""
    import pymupdf

    opened: Any = pymupdf.open(stream=pdf(MARKED), filetype="pdf")
    quads = [pymupdf.Rect(x0, 300 - y1, x1, 300 - y0).quad for x0, y0, x1, y1 in boxes]
    add = {"Highlight": opened[0].add_highlight_annot, "StrikeOut": opened[0].add_strikeout_annot}
    add[kind](quads)
    return bytes(opened.tobytes())


def parts(data: bytes) -> list[tuple[int, ...]]:
    import pymupdf

    opened: Any = pymupdf.open(stream=data, filetype="pdf")
    found: list[tuple[int, ...]] = []
    for each in opened[0].annots():
        corners = each.vertices
        for at in range(0, len(corners), 4):
            xs, ys = zip(*corners[at : at + 4], strict=True)
            found.append(tuple(map(round, (min(xs), 300 - max(ys), max(xs), 300 - min(ys)))))
    return found


# "these words stand" are the letters 24 to 40 of the first line, "for the" 1 to 7 of the second.
OVER_TWO = ([158, 247, 260, 259], [20, 235, 62, 247])


@pytest.mark.parametrize("kind", ["Highlight", "StrikeOut"])
@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        (
            "these",
            "those few",
            [(158, 247, 248, 259), (20, 235, 50, 247), (56, 235, 98, 247)],
        ),
        ("The parties", "Both", [(116, 247, 218, 259), (20, 235, 62, 247)]),
        ("for the whole", "in all", [(158, 247, 260, 259), (20, 235, 56, 247)]),
        ("else", "more", [(158, 247, 260, 259), (20, 235, 62, 247)]),
    ],
)
def test_a_mark_over_two_lines_goes_along_with_its_words(
    kind: str, old: str, new: str, left: list[tuple[int, ...]]
) -> None:
    after, _ = apply(
        marked(*OVER_TWO, kind=kind),
        EditPlan("edit", "", (ReplaceText("p1.b1", old, new),)),
        BY_ANN,
    )
    assert new in known_in(after)[0].text
    assert parts(after) == left


def test_a_mark_on_one_line_is_broken_with_its_words_over_two() -> None:
    operation = ReplaceText("p1.b1", "The parties", "The several parties")
    after, _ = apply(marked([158, 247, 260, 259]), EditPlan("edit", "", (operation,)), BY_ANN)
    first, second = parts(after)
    assert (first[1], first[3]) == (247, 259)
    assert (second[0], second[1], second[3]) == (20, 235, 247)


def test_a_mark_goes_with_all_its_words() -> None:
    plan = EditPlan("edit", "", (DeleteBlocks("p1.b1", "p1.b1"),))
    after, _ = apply(marked(*OVER_TWO), plan, BY_ANN)
    assert parts(after) == []


@pytest.mark.parametrize("says", ["", "Please check"])
def test_a_mark_takes_its_window_and_the_answers_along_and_a_comment_is_told(says: str) -> None:
    import pikepdf

    with pikepdf.open(BytesIO(marked([158, 247, 260, 259], [20, 235, 62, 247]))) as document:
        page = document.pages[0].obj
        (mark,) = page.Annots
        mark.Contents = pikepdf.String(says)
        window = document.make_indirect(
            pikepdf.Dictionary(Subtype=pikepdf.Name.Popup, Rect=[0, 0, 9, 9], Parent=mark)
        )
        answer = document.make_indirect(
            pikepdf.Dictionary(Subtype=pikepdf.Name.Text, Rect=[0, 0, 9, 9], IRT=mark)
        )
        other = document.make_indirect(
            pikepdf.Dictionary(Subtype=pikepdf.Name.Text, Rect=[0, 0, 9, 9])
        )
        mark.Popup = window
        page.Annots = pikepdf.Array([mark, window, answer, other])
        out = BytesIO()
        document.save(out)
    plan = EditPlan("edit", "", (DeleteBlocks("p1.b1", "p1.b1"),))
    after, report = apply(out.getvalue(), plan, BY_ANN)
    with pikepdf.open(BytesIO(after)) as document:
        kinds = [str(each.Subtype) for each in document.pages[0].obj.Annots]
    assert kinds == ["/Text"]
    told = ("A comment on words of page 1 went with them",)
    assert report.warnings == (told if says else ())
