"""Cases 12 to 14 and 26: cells of tables, and links."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from redraft.engine.pdf.glyphs.target_blocks import known_in
from redraft.engine.plan import (
    ReplaceText,
)
from tests.engine.pdf import judges
from tests.engine.pdf.acceptance.documents import (
    WIKIPEDIA,
    beside,
    block,
    edited,
    held,
    links,
    maps_of,
    places,
    replaced,
    texts,
)
from tests.engine.pdf.judges import sound
from tests.engine.pdf.stream.streams import model, pdf


@pytest.mark.corpus
def test_case_12_a_cell_of_a_table_and_no_other(corpus: Path) -> None:
    data = held(corpus, "officebench__Invoice_2.pdf")
    target = block(data, "BILL TO:")
    after, _ = edited(data, ReplaceText(target.anchor, "BILL", "SENT"))
    assert texts(after) == [t.replace("BILL", "SENT") for t in texts(data)]
    assert (places(data) - places(after)).total() <= len("BILL TO: ")
    sound(data, after)
    assert beside(data, after) == (0, 0)
    after, report = edited(data, ReplaceText(target.anchor, "BILL", "WON"))
    sound(data, after)
    assert beside(data, after) == (0, 0)
    assert report.warnings == (
        'The font Calibri-Bold lacks "W"; the word "WON" is set in Helvetica-Bold',
    )
    assert any(name.endswith("+Helvetica-Bold") for name in maps_of(after))


def test_case_13_a_centred_cell_stays_centred_and_links_stay() -> None:
    stream = b"".join(
        b" BT /F3 10 Tf %d %d Td (%s) Tj ET" % (150 - 3 * len(text), y, text)
        for y, text in ((250, b"Quantity"), (230, b"QM"), (210, b"Several"))
    )
    data = pdf(stream, links=([20, 100, 80, 112],))
    target = block(data, "QM")
    after, _ = edited(data, ReplaceText(target.anchor, "QM", "QM(D)"))
    row = [g for g in model(after).glyphs() if g.y == 230]
    middle = (row[0].x + row[-1].x + row[-1].ink_width) / 2
    assert middle == pytest.approx(150, abs=0.8)
    assert links(after) == links(data)
    sound(data, after)
    assert beside(data, after) == (0, 0)


OTSL = "docling__2305.03393v1-pg9.pdf"


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("anchor", "old", "new", "is_one_line"),
    [
        ("p1.b6.r3.c1.b1", "6", "6(D)", True),
        ("p1.b6.r2.c6.b1", "all", "all(D)", True),
        ("p1.b6.r1.c4.b1", "TEDs", "TEDs(D)", True),
        ("p1.b6.r1.c3.b1", "Language", "Tongue", True),
        ("p1.b6.r3.c7.b1", "0.88", "0.9", False),
        ("p1.b6.r3.c7.b1", "0.857", "0.9", False),
    ],
)
def test_case_13_a_centred_cell_of_a_real_table_stays_centred(
    corpus: Path, anchor: str, old: str, new: str, is_one_line: bool
) -> None:
    """Of a cell with two lines the other one stays where it is."""
    data = held(corpus, OTSL)
    target = next(each for each in known_in(data) if each.anchor == anchor)
    assert (target.text == old) == is_one_line
    after, report = edited(data, ReplaceText(anchor, old, new, 1))
    assert texts(after) == [
        t.text.replace(old, new, 1) if t.anchor == anchor else t.text for t in known_in(data)
    ]
    assert report.warnings == ()
    assert len(links(data)) == 4
    assert links(after) == links(data)
    before, now = places(data), places(after)
    gone, come = before - now, now - before
    (y,) = {y for _, _, y in (*gone, *come)}
    assert judges.targets(after) == judges.targets(data)
    assert middle(data, y, gone) == pytest.approx(middle(after, y, come), abs=0.8)
    sound(data, after)
    assert beside(data, after) == (0, 0), "no pixel of another cell"


def middle(data: bytes, y: float, own: Counter[tuple[str, float, float]]) -> float:
    """Give the middle of the glyphs of a line that only this version has."""
    line = sorted(
        (g for g in model(data).glyphs() if (g.text, round(g.x, 2), round(g.y, 2)) in own),
        key=lambda g: g.x,
    )
    inked = [g for g in line if not g.is_blank]
    assert {round(g.y, 2) for g in inked} == {y}
    return (inked[0].x + inked[-1].x + inked[-1].ink_width) / 2


@pytest.mark.corpus
def test_case_14_a_date_in_an_infobox_and_all_links_stay(corpus: Path) -> None:
    data = held(corpus, WIKIPEDIA)
    after, _, text = replaced(data, "December 31, 2023", "31", "30")
    assert text in texts(after)
    assert links(after) == links(data)
    assert len(links(after)) == 86
    new = places(after) - places(data)
    shows = [g.show for g in model(after).glyphs() if (g.text, round(g.x, 2), round(g.y, 2)) in new]
    assert shows
    assert all(any(tag.mcid is not None for tag in show.tags) for show in shows)


def test_case_26_a_link_grows_with_its_words() -> None:
    data = pdf(b"BT /F3 10 Tf 20 200 Td (See our terms of sale) Tj ET", links=([68, 197, 98, 209],))
    after, _ = edited(data, ReplaceText("p1.b1", "terms", "conditions"))
    ((uri, box),) = links(after)
    assert uri == "https://example.org"
    assert (box[0], box[2]) == (68, 128)
    sound(data, after)


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("words", "old", "new"),
    [
        ("Original author", "Andreas Gal", "Andreas Galli"),
        ("Developer(s)", "Mozilla", "Moz"),
        ("Repository", "github.com", "git.com"),
    ],
)
def test_case_26_a_link_of_a_real_file_is_as_long_as_its_new_words(
    corpus: Path, words: str, old: str, new: str
) -> None:
    data = held(corpus, WIKIPEDIA)
    target = block(data, words)
    after, _ = edited(data, ReplaceText(target.anchor, old, new, 1))
    sound(data, after)
    before, now = links(data), links(after)
    assert [uri for uri, _ in now] == [uri for uri, _ in before]
    ((_, was), (_, grown)) = next(
        pair for pair in zip(before, now, strict=True) if pair[0] != pair[1]
    )
    assert sum(one != two for one, two in zip(before, now, strict=True)) == 1
    assert (grown[0], grown[1], grown[3]) == (was[0], was[1], was[3])
    (box,) = [box for text, box in judges.lines(after, 0) if text.endswith(new)]
    assert grown[2] == pytest.approx(box[2], abs=1.0)
    assert grown[2] != was[2]
