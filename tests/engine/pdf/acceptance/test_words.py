"""Cases 1 to 4, 8 to 10, 23 and 32: words are replaced, and nothing else changes."""

from __future__ import annotations

import re
from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.fonts.fonts import UNKNOWN
from redraft.engine.pdf.glyphs.glyphs import Glyph
from redraft.engine.pdf.glyphs.target_blocks import known_in
from redraft.engine.plan import (
    DeleteBlocks,
    FindReplace,
    ReplaceText,
)
from tests.engine.pdf import judges
from tests.engine.pdf.acceptance.documents import (
    MULTI,
    TWO_COLUMNS,
    all_bytes,
    beside,
    block,
    edited,
    held,
    lines,
    maps_of,
    places,
    replaced,
    stripped,
    texts,
)
from tests.engine.pdf.judges import sound
from tests.engine.pdf.stream.streams import content, model, pdf


@pytest.mark.corpus
def test_case_1_a_word_in_a_paragraph(corpus: Path) -> None:
    data = held(corpus, MULTI)
    after, _, text = replaced(data, "The origins", "typewriter", "teleprinter")
    assert text in texts(after)
    glyphs = [g for g in model(after).glyphs() if not g.is_blank]
    at = "".join(g.text for g in glyphs).index("teleprinter")
    own = glyphs[at : at + 11]
    looks = {(g.show.state.font.name, round(g.size, 1)) for g in own if g.show.state.font}
    assert looks == {("TimesNewRomanPSMT", 12.0)}
    assert stripped(after)[2:7] == [text.replace("typewriter in", "teleprinter in")
                                    for text in stripped(data)[2:7]]  # fmt: skip
    assert sum(line.strip() in text for line in stripped(after)[4:8]) == 4, "four lines"
    assert beside(data, after) == (0, 0)


@pytest.mark.corpus
def test_case_2_a_paragraph_that_grows_by_half_a_line(corpus: Path) -> None:
    data = held(corpus, MULTI)
    new = "changed beyond recognition and has evolved"
    after, _, text = replaced(data, "The concept", "evolved", new)
    assert text in texts(after)
    first, second = (line for line in lines(after) if line.strip() and line.strip() in text)
    assert (first.split()[0], second.split()[0]) == ("The", "recognition")
    below = [place for place in places(data).elements() if place[2] < 672]
    assert len(below) > 1000
    assert Counter(below) <= places(after)


@pytest.mark.corpus
def test_case_3_every_hit_on_all_pages_in_its_own_case(corpus: Path) -> None:
    data = held(corpus, MULTI)
    count = sum(len(re.findall("word processor", t, re.IGNORECASE)) for t in texts(data))
    after, report = edited(data, FindReplace("word processor", "text editor"))
    sound(data, after, pages=(0, 1, 2, 3, 4))
    assert len(report.revisions) == count > 5
    broken = re.compile(r"word\s+processor", re.IGNORECASE)
    drawn = [" ".join(lines(data, page)) for page in range(5)]
    assert sum(len(broken.findall(page)) for page in drawn) == count
    read = [judges.read_by_pdfium(after, page) for page in range(5)]
    assert not any(broken.search(page) for page in read)
    assert not any("word processor" in text.lower() for text in texts(after))
    assert "The Evolution of the Text Editor" in texts(after)


@pytest.mark.corpus
def test_case_4_a_paragraph_goes_and_nothing_else_moves(corpus: Path) -> None:
    data = held(corpus, MULTI)
    target = block(data, "The concept")
    after, _ = edited(data, DeleteBlocks(target.anchor, target.anchor))
    sound(data, after)
    assert target.text not in texts(after)
    assert target.text[:30] not in judges.read_by_pdfium(after)
    assert "".join(target.text.split()) not in "".join("".join(lines(after)).split())
    gone = places(data) - places(after)
    assert not places(after) - places(data)
    assert "".join(c for c, _, _ in gone.elements()).strip()
    assert gone.total() >= len(target.text.replace(" ", ""))


def test_case_8_a_page_number_is_one_operator() -> None:
    data = pdf(
        b"BT /F1 10 Tf 20 250 Td (Some words here) Tj ET BT /F1 9 Tf 140 20 Td (Page 7) Tj ET"
    )
    target = block(data, "Page 7")
    after, _ = edited(data, ReplaceText(target.anchor, "7", "8"))
    old, new = content(data), content(after)
    head = next(n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b)
    tail = next(n for n, (a, b) in enumerate(zip(old[::-1], new[::-1], strict=False)) if a != b)
    assert max(len(old), len(new)) - head - tail <= 60


@pytest.mark.corpus
def test_case_8_a_number_of_a_real_file_is_one_operator(corpus: Path) -> None:
    data = held(corpus, "opf__test_fontArialNotEmbedded.pdf")
    target = next(each for each in known_in(data) if (each.page, each.text) == (1, "0.1"))
    after, _ = edited(data, ReplaceText(target.anchor, "0.1", "0.3"))
    sound(data, after, pages=(1,))
    old, new = content(data, 1), content(after, 1)
    first = next(n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b)
    last = next(n for n, (a, b) in enumerate(zip(old[::-1], new[::-1], strict=False)) if a != b)
    assert b"TJ" not in new[first : len(new) - last - 3]
    assert max(len(old), len(new)) - first - last <= 60


@pytest.mark.corpus
def test_case_9_a_document_of_google_docs_keeps_its_font(corpus: Path) -> None:
    data = held(corpus, "pdfplumber__issue-848.pdf")
    after, report, text = replaced(data, "The movie opens", "news", "late")
    assert text in texts(after)
    assert report.warnings == ()
    new = places(after) - places(data)
    fonts = {
        g.show.state.font.name
        for g in model(after).glyphs()
        if g.show.state.font and (g.text, round(g.x, 2), round(g.y, 2)) in new
    }
    assert fonts == {"Roboto-Regular"}


@pytest.mark.corpus
def test_case_9_a_page_of_google_docs_in_arial_keeps_it(corpus: Path) -> None:
    data = held(corpus, "unstructured__list-item-example.pdf")
    after, report, text = replaced(data, "This module introduces the learner", "explores", "shows")
    assert text in texts(after)
    assert report.warnings == ()
    new = places(after) - places(data)
    assert new
    assert {
        g.show.state.font.name
        for g in model(after).glyphs()
        if g.show.state.font and (g.text, round(g.x, 2), round(g.y, 2)) in new
    } == {"ArialMT"}
    assert embedded(after) == embedded(data)


@pytest.mark.corpus
def test_case_9_a_real_font_of_drawn_letters_is_not_touched(corpus: Path) -> None:
    """The letters of a figure on the page are little drawings, each in a stream of its own."""
    data = held(corpus, "unstructured__multi-column.pdf")
    letters_drawn = drawn_letters(data)
    assert len(letters_drawn) > 20
    target = next(t for t in known_in(data) if t.page == 4 and len(t.text) > 200)
    word = next(word for word in target.text.split()[2:] if word.isalpha() and len(word) > 4)
    after, _ = edited(data, ReplaceText(target.anchor, word, "other", 1))
    sound(data, after, pages=(4,))
    assert target.text.replace(word, "other", 1) in texts(after)
    assert drawn_letters(after) == letters_drawn
    old, new = (
        [(g.text, g.code, round(g.x, 2)) for g in model(each, 4).glyphs() if is_drawn(g)]
        for each in (data, after)
    )
    assert old == new
    assert old


def is_drawn(glyph: Glyph) -> bool:
    return glyph.show.state.font_name == "F1"


def drawn_letters(data: bytes) -> Counter[bytes]:
    """Give the drawings of all letters of fonts of Type 3."""
    import pikepdf

    with pikepdf.open(BytesIO(data)) as document:
        every: list[Any] = list(document.objects)
        return Counter(
            bytes(drawing.read_bytes())
            for each in every
            if isinstance(each, pikepdf.Dictionary) and each.get("/Subtype") == "/Type3"
            for drawing in each.CharProcs.values()
        )


def embedded(data: bytes) -> Counter[bytes]:
    """Give the font programs of a file."""
    import pikepdf

    with pikepdf.open(BytesIO(data)) as document:
        every: list[Any] = list(document.objects)
        return Counter(
            bytes(each[key].read_bytes())
            for each in every
            if isinstance(each, pikepdf.Dictionary)
            for key in ("/FontFile", "/FontFile2", "/FontFile3")
            if key in each
        )


def with_drawn_letters(data: bytes) -> bytes:
    """Give the first page a Type 3 font `F9`, whose letters are little drawings."""
    import pikepdf

    with pikepdf.open(BytesIO(data)) as opened:
        document: Any = opened
        square = document.make_stream(b"700 0 0 0 600 600 d1 0 0 600 600 re f")
        font = pikepdf.Dictionary(
            Type=pikepdf.Name.Font,
            Subtype=pikepdf.Name.Type3,
            FontBBox=pikepdf.Array([0, 0, 700, 700]),
            FontMatrix=pikepdf.Array([0.001, 0, 0, 0.001, 0, 0]),
            CharProcs=pikepdf.Dictionary(square=square),
            Encoding=pikepdf.Dictionary(Differences=pikepdf.Array([65, pikepdf.Name.square])),
            FirstChar=65,
            LastChar=65,
            Widths=pikepdf.Array([700]),
            ToUnicode=document.make_stream(
                b"1 begincodespacerange <00> <ff> endcodespacerange"
                b" 1 beginbfchar <41> <25a0> endbfchar"
            ),
        )
        document.pages[0].obj.Resources.Font["/F9"] = document.make_indirect(font)
        out = BytesIO()
        document.save(out)
        return out.getvalue()


def test_case_9_drawn_letters_beside_the_edit_are_not_touched() -> None:
    data = with_drawn_letters(
        pdf(b"BT /F1 10 Tf 20 250 Td (A beautiful line) Tj /F9 10 Tf [-400 (AA)] TJ ET")
    )
    after, report = edited(data, ReplaceText("p1.b1", "beautiful", "simple"))
    assert texts(after)[0].startswith("A simple line")
    assert report.warnings == ()
    old, new = (
        [(g.text, g.code) for g in model(each).glyphs() if g.show.state.font_name == "F9"]
        for each in (data, after)
    )
    assert old == new
    assert len(old) == 2
    assert b"700 0 0 0 600 600 d1 0 0 600 600 re f" in all_bytes(after)
    sound(data, after)


@pytest.mark.corpus
def test_case_10_a_letter_that_the_font_lacks(corpus: Path) -> None:
    data = held(corpus, TWO_COLUMNS)
    after, report, text = replaced(data, "We are trying", "boundary", "Größe")
    assert text in texts(after)
    assert any("Größe" in warning for warning in report.warnings)
    assert "Größe" in judges.read_by_pdfium(after)
    assert len(after) - len(data) < 15_000
    font = next(g.show.state.font for g in model(after).glyphs() if g.text == "ß")
    assert font is not None
    assert font.is_embedded
    (stored,) = (held for name, held in maps_of(after).items() if name.endswith("+Times-Roman"))
    assert b"<00df>" in stored
    again, report, text = replaced(after, "We are trying", "Größe", "Großen")
    assert text in texts(again)
    assert not any("lacks" in warning for warning in report.warnings)


@pytest.mark.corpus
def test_case_23_korean_words_and_never_an_empty_box(corpus: Path) -> None:
    data = held(corpus, "docling__normal_4pages.pdf")
    target = block(data, "표준약관")
    after, report = edited(data, ReplaceText(target.anchor, "표준약관", "보험약관", 1))
    sound(data, after, pages=(target.page,))
    assert report.warnings == ()
    assert target.text.replace("표준약관", "보험약관", 1) in texts(after)
    assert "보험약관" in judges.read_by_pdfium(after, target.page)
    assert UNKNOWN not in "".join(g.text for g in model(after, target.page).glyphs())
    numbers = judges.glyph_numbers(after, target.page)
    assert {"보", "험"} <= {char for char, _ in numbers}
    assert not [char for char, number in numbers if number <= 0 and char.strip()]
    with pytest.raises(RefusedError, match="No font at hand has the character"):
        edited(data, ReplaceText(target.anchor, "표준약관", "뷁쉛", 1))


@pytest.mark.corpus
def test_case_32_the_second_edit_finds_the_text_of_the_first(corpus: Path) -> None:
    data = held(corpus, MULTI)
    first, _, _ = replaced(data, "The origins", "typewriter", "steam press")
    second, _, text = replaced(first, "The origins", "steam press", "teleprinter")
    assert text in texts(second)
    assert "invention of the teleprinter" in text
