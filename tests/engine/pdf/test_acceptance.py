"""What editing PDFs must be able to do, case by case.

A case names its number in the list of acceptance cases. Where its file is not in the corpus, one
like it is made. After every edit `sound` holds the file against the one before it: three libraries
open it, other pages keep their bytes, no pixel changes beside the lines that say something else,
links, fields, tags and outline are all there. Case 35 is in test_sweep.py.
"""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from engine import editor
from engine.errors import NotFoundError, ProtectedFileError, RefusedError
from engine.page_operations import DeletePages, Redact, StampPages
from engine.pdf import reader, redline
from engine.pdf.apply import apply
from engine.pdf.content.fonts import UNKNOWN
from engine.pdf.content.forms import fields
from engine.pdf.content.glyphs import Glyph
from engine.pdf.content.lines import letters
from engine.pdf.content.targets import Target, known_in
from engine.pdf.faults import faults
from engine.pdf.marks import marks
from engine.plan import (
    DeleteBlocks,
    EditPlan,
    FindReplace,
    InsertBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    RewriteBlock,
    SetField,
    SetProperty,
)
from engine.report import EditReport, Signature
from tests.engine.pdf import judges
from tests.engine.pdf.content.streams import content, model, pdf
from tests.engine.pdf.judges import sound
from tests.engine.pdf.paper import paper

BY_ANN = Signature("u1", "Ann Lee", "2026-11-21T06:30:00Z", tracked=True)
MULTI, TWO_COLUMNS = "docling__multi_page.pdf", "pdfminer__naacl06-shinyama.pdf"
WIKIPEDIA = "pdfjs__pdfjs_wikipedia.pdf"

corpus_file = pytest.mark.corpus


def held(corpus: Path, name: str) -> bytes:
    return (corpus / "pdf" / name).read_bytes()


def edited(data: bytes, *operations: Operation) -> tuple[bytes, EditReport]:
    return apply(data, EditPlan("edit", "asked", operations), BY_ANN)


def tracked(data: bytes, *operations: Operation) -> bytes:
    """Make an edit as a tracked one and give the upload with its annotations."""
    plan = EditPlan("edit", "asked", operations)
    working, report = redline.edit(data, data, b"", plan, BY_ANN)
    return redline.annotated(data, working, report.state)


def block(data: bytes, words: str) -> Target:
    return next(target for target in known_in(data) if words in target.text)


def texts(data: bytes) -> list[str]:
    return [target.text for target in known_in(data)]


def replaced(data: bytes, words: str, old: str, new: str) -> tuple[bytes, EditReport, str]:
    """Replace the first `old` in the block with `words`; gives the block's text afterwards."""
    target = block(data, words)
    after, report = edited(data, ReplaceText(target.anchor, old, new, 1))
    sound(data, after, pages=(target.page,))
    return after, report, target.text.replace(old, new, 1)


def beside(before: bytes, after: bytes, page: int = 0) -> tuple[int, int]:
    """Count the pixels that differ beside the lines that say something else, and by how much."""
    return judges.differences(before, after, page, judges.changed_lines(before, after, page))


def rows(glyphs: list[Glyph]) -> dict[float, list[Glyph]]:
    found: dict[float, list[Glyph]] = {}
    for glyph in glyphs:
        found.setdefault(round(glyph.y, 1), []).append(glyph)
    return {y: sorted(found[y], key=lambda g: g.x) for y in sorted(found, reverse=True)}


def lines(data: bytes, page: int = 0) -> list[str]:
    return ["".join(g.text for g in row) for row in rows(list(model(data, page).glyphs())).values()]


def stripped(data: bytes, page: int = 0) -> list[str]:
    """Give the lines without the blanks at their ends, which are seen by nobody."""
    return [line.strip() for line in lines(data, page)]


def places(data: bytes, page: int = 0) -> Counter[tuple[str, float, float]]:
    return Counter((g.text, round(g.x, 2), round(g.y, 2)) for g in model(data, page).glyphs())


def all_bytes(data: bytes) -> bytes:
    """Everything that is written in a file: its strings and its decoded streams."""
    import pikepdf

    with pikepdf.open(BytesIO(data)) as document:
        every: list[Any] = list(document.objects)
        found = [each for each in every if each is not None]
        streams = [bytes(e.read_bytes()) for e in found if isinstance(e, pikepdf.Stream)]
        written = [e.unparse() for e in found]
    return b"\n".join((data, *streams, *written))


def maps_of(data: bytes) -> dict[str, bytes]:
    """Give the character maps of the composite fonts of a file by their names."""
    import pikepdf

    with pikepdf.open(BytesIO(data)) as document:
        held: list[Any] = list(document.objects)
        return {
            str(each.BaseFont): bytes(each.ToUnicode.read_bytes())
            for each in held
            if isinstance(each, pikepdf.Dictionary) and "/DescendantFonts" in each
        }


def marked(data: bytes, page: int = 0) -> list[dict[str, str]]:
    """Give the annotations of a page as they are stored."""
    import pikepdf

    keys = ("Subtype", "IT", "RT", "T", "Contents")
    with pikepdf.open(BytesIO(data)) as document:
        held: Any = document.pages[page].obj.get("/Annots") or ()
        found: list[dict[str, str]] = []
        for each in held:
            said = {key: str(each.get(f"/{key}", "")).removeprefix("/") for key in keys}
            said["id"] = str(each.objgen)
            said["IRT"] = str(each.IRT.objgen) if "/IRT" in each else ""
            found.append(said)
        return found


def links(data: bytes) -> list[tuple[str, tuple[float, ...]]]:
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        return [
            (str(each.get("uri")), tuple(round(v, 1) for v in each["from"]))
            for page in document
            for each in page.get_links()
        ]


@corpus_file
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


@corpus_file
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


@corpus_file
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


@corpus_file
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


MIDDLE = 306
NATURAL = 0.25
"""The blank of Times, in ems (the file has no blanks of its own)."""


@corpus_file
@pytest.mark.parametrize(
    ("words", "old", "new", "is_left"),
    [
        ("Unrestricted Relation Discovery is", "automatically", "rather automatically", False),
        ("Unrestricted Relation Discovery is", "technique", "well established technique", False),
        ("Unrestricted Relation Discovery is", "to a certain", "to some", False),
        ("We are trying", "boundary", "present boundary", True),
    ],
)
def test_cases_5_to_7_justified_text_stays_in_its_column(
    corpus: Path, words: str, old: str, new: str, is_left: bool
) -> None:
    data = held(corpus, TWO_COLUMNS)
    after, _, text = replaced(data, words, old, new)
    assert text in texts(after), "no hyphen is left over inside a line"
    other = (0.0, 0.0, 306.0, 800.0) if is_left else (306.0, 0.0, 620.0, 800.0)
    assert judges.differences(data, after, 0, [other]) == (0, 0), "the other column"
    before, now = paragraph(data, words, is_left), paragraph(after, words, is_left)
    edge = max(row[-1].x + row[-1].ink_width for row in before[:-1])
    ends = [row[-1].x + row[-1].ink_width for row in now]
    assert all(abs(end - edge) < 0.8 for end in ends[:-1]), ends
    assert ends[-1] < edge + 0.8
    kept = {drawn(row) for row in before}
    for row in now[:-1]:
        if drawn(row) in kept:
            continue
        gaps = [b.x - a.x - a.ink_width for a, b in itertools.pairwise(row)]
        wide = [gap / row[0].size for gap in gaps if gap > 0.1 * row[0].size]
        assert all(0.6 * NATURAL < gap < 2 * NATURAL for gap in wide), wide


@corpus_file
def test_a_line_that_no_break_fills_is_left_ragged_rather_than_gaping(corpus: Path) -> None:
    """Only a hyphen could fill it, and where a word may be broken is not in the file."""
    data, words = held(corpus, TWO_COLUMNS), "Unrestricted Relation Discovery is"
    after, _, text = replaced(data, words, "a technique", "one")
    assert text in texts(after)
    first, *rest = paragraph(after, words, is_left=False)
    assert [drawn(row) for row in rest] == [drawn(row) for row in paragraph(data, words, False)[1:]]
    gaps = [b.x - a.x - a.ink_width for a, b in itertools.pairwise(first)]
    assert max(gaps) < 1.2 * NATURAL * first[0].size


def drawn(row: list[Glyph]) -> str:
    return "".join(glyph.text for glyph in row)


def paragraph(data: bytes, words: str, is_left: bool) -> list[list[Glyph]]:
    """Give the lines of a paragraph of one of two columns of the first page."""
    text = letters(block(data, words).text)
    found: list[list[Glyph]] = []
    for row in rows([g for g in model(data).glyphs() if not g.is_blank]).values():
        half = [g for g in row if (g.x < MIDDLE) == is_left]
        said = letters(drawn(half))
        if len(said) > 3 and said in text:
            found.append(half)
    assert "".join(letters(drawn(row)) for row in found) == text
    return found


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


@corpus_file
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


@corpus_file
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


@corpus_file
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


@corpus_file
def test_case_11_a_bullet_item_grows_behind_its_bullet_and_moves_what_is_below(
    corpus: Path,
) -> None:
    data = held(corpus, MULTI)
    target = block(data, "Microsoft Office Suite")
    more = " It was designed and sold with success on several continents, and was soon imitated by"
    more += " many others."
    assert len(more) > 0.6 * len(target.text)
    after, report = edited(data, RewriteBlock(target.anchor, target.text + more))
    sound(data, after, pages=(1,), below=target.text[-30:])
    assert report.warnings == ()
    assert texts(after) == [t + more if t == target.text else t for t in texts(data)]
    assert type(block(after, "Microsoft Office Suite").block).__name__ == "ListItem"
    first, *rest = [p for p in judges.lines(after, 1) if p[0] and p[0] in f"{target.text}{more}"]
    assert len(rest) == 3
    assert {round(box[0], 1) for _, box in rest} == {round(first[1][0], 1)}, "hanging indent"
    assert sorted(p[1] for p in places(data, 1) if p[0] == "●") == sorted(
        p[1] for p in places(after, 1) if p[0] == "●"
    )


@corpus_file
def test_case_11_a_page_that_is_full_refuses_a_further_line(corpus: Path) -> None:
    data = held(corpus, MULTI)
    target = block(data, "Wang Laboratories")
    with pytest.raises(RefusedError, match=r"needs \d more lines .* page 1; shorten it by about"):
        edited(data, RewriteBlock(target.anchor, target.text + " A whole industry followed." * 5))


@corpus_file
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


@corpus_file
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


def test_case_15_a_tagged_paragraph_keeps_its_content_number() -> None:
    stream = (
        b"/P <</MCID 3>> BDC BT /F1 10 Tf 12 TL 40 250 Td (The quick brown fox jumps over the) Tj"
        b" (dog and runs through the wide forest.) ' ET EMC /P <</MCID 4>> BDC"
        b" BT /F1 8 Tf 40 100 Td (A caption) Tj ET EMC"
    )
    data = pdf(stream)
    more = " It comes back at night, and sleeps in its den until noon."
    assert len(more) > 0.6 * len(block(data, "The quick").text) - 15
    old = block(data, "The quick").text
    new = old + more + " So it goes."
    assert len(new) >= 1.6 * len(old) - 1
    after, _ = edited(data, RewriteBlock("p1.b1", new))
    assert new in texts(after)
    numbers = {tag.mcid for g in model(after).glyphs() if g.y > 150 for tag in g.show.tags}
    assert numbers == {3}
    sound(data, after)
    assert beside(data, after) == (0, 0)
    assert [p for p in places(after) if p[2] == 100] == [p for p in places(data) if p[2] == 100]


@corpus_file
def test_case_15_a_tagged_paragraph_of_a_real_file_grows_in_its_column(corpus: Path) -> None:
    data = held(corpus, "officebench__resume.pdf")
    target = max((each for each in known_in(data) if not each.label), key=lambda e: len(e.text))
    more = " This and more was done in every single year."
    while len(more) < 0.6 * len(target.text):
        more += " And so it was in the one after it."
    text = target.text + more
    after, _ = edited(data, RewriteBlock(target.anchor, text))
    sound(data, after, pages=(target.page,), below=target.text[-30:])
    assert text in texts(after)
    new = places(after, target.page) - places(data, target.page)
    own = [g for g in model(after, target.page).glyphs()
           if (g.text, round(g.x, 2), round(g.y, 2)) in new]  # fmt: skip
    assert own
    assert all(any(tag.mcid is not None for tag in g.show.tags) for g in own if not g.is_blank)
    edge = max(g.x + g.ink_width for g in model(data, target.page).glyphs() if not g.is_blank)
    assert max(g.x + g.ink_width for g in own if not g.is_blank) <= edge + 0.5


@corpus_file
def test_cases_16_and_17_a_form_is_filled_and_the_page_stays(corpus: Path) -> None:
    data = held(corpus, "tika__testPDF_XFA_govdocs1_258578.pdf")
    before = fields(data)
    name = next(n for n, each in before.items() if not each.value)
    after, report = edited(data, SetField(name, "Zażółć"))
    now = fields(after)
    assert now[name].value == "Zażółć"
    assert {n: e.value for n, e in now.items() if n != name} == {
        n: e.value for n, e in before.items() if n != name
    }
    assert content(after) == content(data)
    sound(data, after)
    assert judges.widgets(after) == judges.widgets(data) | {name: "Zażółć"}
    (box,) = judges.places_of_widget(after, name)
    assert judges.differences(data, after, 0, []) != (0, 0)
    assert judges.differences(data, after, 0, [box]) == (0, 0)
    assert "Zażółć" in judges.drawn_in_widget(after, name)
    assert {"/XFA", "/UR3"} <= set(re.findall(r"/XFA|/UR3", all_bytes(data).decode("latin-1")))
    assert not re.findall(rb"/XFA|/UR3", all_bytes(after))
    assert len(report.warnings) == 2


@corpus_file
def test_case_17_a_label_of_a_form_is_changed_and_its_fields_stay(corpus: Path) -> None:
    data = held(corpus, "tika__testPDF_XFA_govdocs1_258578.pdf")
    target = next(each for each in known_in(data) if len(each.text) > 25)
    word = re.findall(r"[a-z]{4,}", target.text)[0]
    after, report = edited(data, ReplaceText(target.anchor, word, "item", 1))
    sound(data, after)
    assert judges.widgets(after) == judges.widgets(data)
    assert report.warnings == (
        "The document's extended rights in Adobe Reader hold only for the file as it was; they "
        "were dropped",
    )


def with_field(data: bytes, **entries: Any) -> bytes:
    import pikepdf

    with pikepdf.open(BytesIO(data)) as document:
        field: Any = pikepdf.Dictionary(FT=pikepdf.Name.Sig, T=pikepdf.String("sig"), **entries)
        document.Root.AcroForm = pikepdf.Dictionary(
            Fields=pikepdf.Array([document.make_indirect(field)]), SigFlags=1
        )
        out = BytesIO()
        document.save(out)
        return out.getvalue()


LINE = pdf(b"BT /F1 10 Tf 20 250 Td (The quick brown fox jumps) Tj ET")


def test_case_17_an_empty_signature_field_is_no_signature() -> None:
    after, _ = edited(with_field(LINE), ReplaceText("p1.b1", "brown", "red"))
    assert texts(after) == ["The quick red fox jumps"]


def signed() -> bytes:
    import pikepdf

    return with_field(LINE, V=pikepdf.Dictionary(ByteRange=pikepdf.Array([0, 10, 20, 30])))


@pytest.mark.parametrize(
    "operation",
    [
        ReplaceText("p1.b1", "brown", "red"),
        SetProperty("title", "Another"),
        SetField("sig", "x"),
        StampPages("page_numbers"),
        Redact("brown"),
    ],
)
def test_case_18_a_signed_document_is_refused(operation: Operation) -> None:
    with pytest.raises(RefusedError, match="signature"):
        edited(signed(), operation)
    plan = EditPlan("edit", "", (operation,))
    assert ["signature" in each.message for each in faults(signed(), plan)] == [True]


def test_case_18_the_operator_may_allow_it_and_the_signed_bytes_stay_in_the_tracked_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = tmp_path / "signed.pdf", tmp_path / "edited.pdf"
    source.write_bytes(signed())
    plan = EditPlan("edit", "", (ReplaceText("p1.b1", "brown", "red"),))
    monkeypatch.delenv("REDRAFT_SIGNED", raising=False)
    assert editor.check(source, plan, tracked=True)
    with pytest.raises(RefusedError, match="REDRAFT_SIGNED=edit"):
        editor.edit(source, target, b"", plan, BY_ANN)
    assert not target.exists()
    monkeypatch.setenv("REDRAFT_SIGNED", "edit")
    assert editor.check(source, plan, tracked=True) == ()
    report = editor.edit(source, target, b"", plan, BY_ANN)
    assert report.warnings == (
        "The PDF was digitally signed; the edit makes its signature invalid",
    )
    assert texts(target.read_bytes()) == ["The quick red fox jumps"]
    shown = tmp_path / "shown.pdf"
    editor.redline(target, shown, report.state, source)
    assert shown.read_bytes().startswith(source.read_bytes())
    assert len(marks(shown.read_bytes())) == 1


def restricted(**allowed: bool) -> bytes:
    import pikepdf

    with pikepdf.open(BytesIO(LINE)) as document:
        rules = pikepdf.Permissions(**{"modify_other": False, "modify_form": False} | allowed)
        out = BytesIO()
        document.save(out, encryption=pikepdf.Encryption(owner="o", user="", allow=rules))
        return out.getvalue()


@pytest.mark.parametrize(
    "operation", [ReplaceText("p1.b1", "brown", "red"), Redact("brown"), SetProperty("title", "x")]
)
def test_case_19_permissions_forbid_an_edit(operation: Operation) -> None:
    with pytest.raises(RefusedError, match="permissions forbid"):
        edited(restricted(), operation)
    after, _ = edited(restricted(modify_other=True), operation)
    import pikepdf

    with pikepdf.open(BytesIO(after)) as document:
        assert document.is_encrypted
        assert not document.allow.modify_form


@corpus_file
def test_case_19_permissions_of_a_real_file_forbid_an_edit(corpus: Path) -> None:
    data = held(corpus, "pdfplumber__pr-138-example.pdf")
    plan = EditPlan("edit", "", (ReplaceText("p1.b1", "a", "b", 1),))
    assert ["permissions" in each.message for each in faults(data, plan)] == [True]
    with pytest.raises(RefusedError, match="permissions forbid"):
        edited(data, StampPages("page_numbers"))


@corpus_file
def test_case_19_a_password_is_asked_for_at_upload(corpus: Path) -> None:
    with pytest.raises(ProtectedFileError):
        reader.check((corpus / "bad" / "opf__encryption_openpassword.pdf").read_bytes())


@corpus_file
def test_case_20_a_scanned_page_has_no_text_layer(corpus: Path, tmp_path: Path) -> None:
    path = corpus / "pdf" / "docling__ocr_test.pdf"
    with pytest.raises(RefusedError, match="No text layer"):
        editor.interpret(path, 'Replace "Docling" with "x"', None)
    with pytest.raises(RefusedError, match="No text layer"):
        editor.show(path, 'Replace "Docling" with "x"', None, "n")
    before, target = path.read_bytes(), tmp_path / "edited.pdf"
    plan = EditPlan("edit", "", (ReplaceText("p1.b1", "Docling", "x"),))
    with pytest.raises(RefusedError, match="No text layer"):
        editor.edit(path, target, b"", plan, BY_ANN)
    assert not target.exists()
    assert path.read_bytes() == before


def test_case_21_the_invisible_text_is_refused_and_the_visible_edited() -> None:
    data = pdf(
        b"BT /F1 10 Tf 20 250 Td (Words that are seen) Tj ET"
        b" BT /F1 10 Tf 3 Tr 20 150 Td (Hidden words of a scan) Tj ET"
    )
    with pytest.raises(RefusedError, match="invisible OCR layer"):
        edited(data, ReplaceText("p1.b2", "Hidden", "Other"))
    after, _ = edited(data, ReplaceText("p1.b1", "seen", "read"))
    assert texts(after) == ["Words that are read", "Hidden words of a scan"]
    sound(data, after)


@corpus_file
def test_case_22_arabic_is_read_and_its_edit_refused(corpus: Path) -> None:
    data = held(corpus, "docling__right_to_left_01.pdf")
    target = known_in(data)[1]
    with pytest.raises(RefusedError, match="right to left"):
        edited(data, ReplaceText(target.anchor, target.text.split()[0], target.text.split()[1], 1))
    assert (
        editor.read(corpus / "pdf" / "docling__right_to_left_01.pdf").markdown.count("\u0627") > 50
    )


@corpus_file
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


def test_case_24_a_turned_page() -> None:
    import pikepdf

    stream = b"BT /F1 10 Tf 0 1 -1 0 150 40 Tm (The second page is turned) Tj ET"
    with pikepdf.open(BytesIO(pdf(stream))) as document:
        document.pages[0].obj[pikepdf.Name.Rotate] = 90
        out = BytesIO()
        document.save(out)
    after, _ = edited(out.getvalue(), ReplaceText("p1.b1", "second page", "rotated second page"))
    assert texts(after) == ["The rotated second page is turned"]
    assert {round(g.x, 2) for g in model(after).glyphs()} == {150.0}
    sound(out.getvalue(), after)
    assert beside(out.getvalue(), after) == (0, 0)


def test_case_25_pdf_a_keeps_its_intent_and_all_fonts_embedded() -> None:
    import pikepdf

    with pikepdf.open(BytesIO(LINE)) as opened:
        document: Any = opened
        profile = document.make_stream(b"profile", N=3)
        intent = pikepdf.Dictionary(
            Type=pikepdf.Name.OutputIntent, S=pikepdf.Name.GTS_PDFA1, DestOutputProfile=profile
        )
        document.Root.OutputIntents = pikepdf.Array([intent])
        with document.open_metadata() as packet:
            packet["pdfaid:part"] = "2"
        out = BytesIO()
        document.save(out)
    after, _ = edited(out.getvalue(), ReplaceText("p1.b1", "brown", "Łódź"))
    with pikepdf.open(BytesIO(after)) as document:
        assert "/OutputIntents" in document.Root
        assert document.open_metadata()["pdfaid:part"] == "2"
        fonts: Any = document.pages[0].obj.Resources.Font
        new = [fonts[name] for name in dict(fonts) if str(name).startswith("/Rdr")]
    assert len(new) == 1
    assert all(g.show.state.font and g.show.state.font.is_embedded
               for g in model(after).glyphs() if g.text in "Łź")  # fmt: skip


def test_case_26_a_link_grows_with_its_words() -> None:
    data = pdf(b"BT /F3 10 Tf 20 200 Td (See our terms of sale) Tj ET", links=([68, 197, 98, 209],))
    after, _ = edited(data, ReplaceText("p1.b1", "terms", "conditions"))
    ((uri, box),) = links(after)
    assert uri == "https://example.org"
    assert (box[0], box[2]) == (68, 128)
    sound(data, after)


def test_case_27_the_outline_follows_a_chapter() -> None:
    import pymupdf

    document: Any = pymupdf.open()
    for number in range(1, 4):
        page = document.new_page(width=300, height=400)
        page.insert_text((40, 80), f"{number}. Part {number}", fontsize=18)
        page.insert_text((40, 120), f"Some words of text number {number}.", fontsize=10)
    document.set_toc([[1, f"{n}. Part {n}", n] for n in range(1, 4)])
    data = bytes(document.tobytes())
    after, _ = edited(data, ReplaceText(block(data, "Part 2").anchor, "Part", "Chapter"))
    opened: Any = pymupdf.open(stream=after, filetype="pdf")
    assert [title for _, title, _ in opened.get_toc()] == ["1. Part 1", "2. Chapter 2", "3. Part 3"]
    sound(data, after, pages=(1,))


def test_case_28_pages_are_deleted_and_the_rest_numbered() -> None:
    import pymupdf

    book = paper()
    for number in range(1, 41):
        if number > 1:
            book.page()
        book.text(72, 100, f"Chapter {number} of the book.")
    for index in range(40):
        for target in (0, 2, 20):
            area = pymupdf.Rect(72, 90 + target, 200, 92 + target)
            book.document[index].insert_link(
                {"kind": pymupdf.LINK_GOTO, "from": area, "page": target, "to": pymupdf.Point(0, 0)}
            )
    book.document.set_toc([[1, f"Chapter {n}", n] for n in range(1, 41)])
    data = book.data()
    after, report = edited(data, DeletePages(1, 3), StampPages("page_numbers"))
    with pymupdf.open(stream=after, filetype="pdf") as opened:
        document: Any = opened
        assert document.page_count == 37
        assert [entry[1:] for entry in document.get_toc()] == [
            [f"Chapter {n + 3}", n] for n in range(1, 38)
        ]
        for number, page in enumerate(document):
            text = " ".join(str(page.get_text()).split())
            assert text == f"Chapter {number + 4} of the book. {number + 1}"
            assert [link["page"] for link in page.get_links()] == [17]
    assert report.warnings == (
        "74 links to deleted pages went with them",
        "3 outline entries of deleted pages went with them",
    )
    assert report.summary == "Pages 1 to 3 deleted; page numbers added"


@corpus_file
def test_case_29_redacted_words_are_nowhere_in_the_file(corpus: Path) -> None:
    data = held(corpus, MULTI)
    words = "Christopher Latham Sholes"
    after, _, text = replaced(data, "The origins", words, "an inventor")
    assert text in texts(after)
    assert not any(words in each for each in texts(after))
    streams = "".join(g.text for n in range(5) for g in model(after, n).glyphs())
    assert "Sholes" not in streams
    assert b"Sholes" not in all_bytes(after)
    assert data[:2000] not in after


@corpus_file
def test_case_29_a_redaction_of_them_leaves_black_boxes(corpus: Path) -> None:
    data = held(corpus, MULTI)
    after, report = edited(data, Redact("Christopher Latham Sholes"))
    assert report.summary == "Redacted in 1 place"
    assert not any("Sholes" in each for each in texts(after))
    assert b"Sholes" not in all_bytes(after)
    assert data[:2000] not in after


@corpus_file
def test_case_30_a_tracked_replacement_on_the_original_pages(corpus: Path) -> None:
    import pymupdf

    data = held(corpus, MULTI)
    target = block(data, "The origins")
    shown = tracked(data, ReplaceText(target.anchor, "typewriter", "teleprinter", 1))
    assert shown.startswith(data)
    assert [content(shown, page) for page in range(5)] == [content(data, page) for page in range(5)]
    struck, caret = marked(shown)
    assert (caret["Subtype"], caret["IT"], caret["Contents"]) == ("Caret", "Replace", "teleprinter")
    assert (struck["Subtype"], struck["IT"]) == ("StrikeOut", "StrikeOutTextEdit")
    assert (struck["IRT"], struck["RT"]) == (caret["id"], "Group")
    assert {each["T"] for each in (struck, caret)} == {"Ann Lee"}
    (mark,) = marks(shown)
    assert (mark.kind, mark.before, mark.after) == ("replacement", "typewriter", "teleprinter")
    assert mark.author == "Ann Lee"
    with pymupdf.open(stream=shown, filetype="pdf") as opened:
        document: Any = opened
        page = document[0]
        struck = next(each for each in page.annots() if each.type[1] == "StrikeOut")
        corners: Any = struck.vertices
        box = pymupdf.Quad(corners).rect
        word: Any = page.search_for("typewriter")[0]
        shared: Any = pymupdf.Rect(box) & word
        whole: Any = pymupdf.Rect(box) | word
        assert shared.get_area() / whole.get_area() > 0.8


@corpus_file
def test_case_30_another_program_reads_a_suggested_replacement(
    corpus: Path, tmp_path: Path
) -> None:
    """`pdfannots` is that program, of this interpreter or of the one `REDRAFT_PEERS` names."""
    python = os.environ.get("REDRAFT_PEERS") or sys.executable
    call = [python, "-W", "ignore", "-m", "pdfannots"]
    if subprocess.run([*call, "--help"], capture_output=True, check=False).returncode:
        pytest.skip("pdfannots is not installed")
    data = held(corpus, MULTI)
    target = block(data, "The origins")
    path = tmp_path / "shown.pdf"
    path.write_bytes(tracked(data, ReplaceText(target.anchor, "typewriter", "teleprinter", 1)))
    ran = subprocess.run([*call, str(path)], capture_output=True, check=True, encoding="utf-8")
    assert re.findall(r"suggested \w+", ran.stdout) == ["suggested replacement"]
    assert "~~typewriter~~" in ran.stdout
    assert "teleprinter" in ran.stdout


@corpus_file
def test_case_31_a_tracked_replacement_over_two_lines(corpus: Path) -> None:
    import pymupdf

    data = held(corpus, MULTI)
    target = block(data, "The origins")
    shown = tracked(data, ReplaceText(target.anchor, "in the mid-19th century", "long ago"))
    with pymupdf.open(stream=shown, filetype="pdf") as opened:
        document: Any = opened
        page = document[0]
        found = Counter(each.type[1] for each in page.annots())
        quads = [len(e.vertices) // 4 for e in page.annots() if e.type[1] == "StrikeOut"]
    assert found == {"Caret": 1, "StrikeOut": 1}
    assert quads == [2]


@corpus_file
@pytest.mark.parametrize(
    ("old", "new", "kinds"),
    [("typewriter", "first typewriter", ["Caret"]), ("of the typewriter ", "", ["StrikeOut"])],
)
def test_case_31_an_insertion_has_no_strike_and_a_deletion_no_caret(
    corpus: Path, old: str, new: str, kinds: list[str]
) -> None:
    data = held(corpus, MULTI)
    shown = tracked(data, ReplaceText(block(data, "The origins").anchor, old, new, 1))
    assert [each["Subtype"] for each in marked(shown)] == kinds


@corpus_file
def test_case_32_the_second_edit_finds_the_text_of_the_first(corpus: Path) -> None:
    data = held(corpus, MULTI)
    first, _, _ = replaced(data, "The origins", "typewriter", "steam press")
    second, _, text = replaced(first, "The origins", "steam press", "teleprinter")
    assert text in texts(second)
    assert "invention of the teleprinter" in text


@corpus_file
def test_case_33_impossible_growth_is_refused_with_what_is_missing(corpus: Path) -> None:
    data = held(corpus, TWO_COLUMNS)
    target = block(data, "Unrestricted Relation Discovery is")
    with pytest.raises(RefusedError, match=r"needs \d+ more lines .* page 1; shorten it by about"):
        edited(data, RewriteBlock(target.anchor, " ".join([target.text] * 3)))


def test_case_34_a_wrong_quote_changes_nothing() -> None:
    with pytest.raises(NotFoundError, match=r"^Unable to locate the specified text$"):
        edited(LINE, ReplaceText("p1.b1", "purple", "red"))


def steps(before: bytes, after: bytes, page: int, right: float) -> list[float]:
    """Say how far up each line left of a place has gone, from the top of the page down."""
    old, new = (
        Counter(text for text, box in judges.lines(each, page) if box[2] < right)
        for each in (before, after)
    )
    once = {text for text in old if text and old[text] == new[text] == 1}
    first, second = (
        {text: box[1] for text, box in judges.lines(each, page) if text in once}
        for each in (before, after)
    )
    return [round(first[text] - second[text], 1) for text in sorted(once, key=lambda t: first[t])]


@corpus_file
@pytest.mark.parametrize(
    ("name", "words", "right"),
    [
        (MULTI, "The concept of the word", 612.0),
        (TWO_COLUMNS, "We are trying", 306.0),
        ("officebench__resume.pdf", "A short (2-4 lines)", 612.0),
    ],
)
def test_a_gap_is_closed_and_what_is_below_goes_up_as_one(
    corpus: Path, name: str, words: str, right: float
) -> None:
    """All of it down to what cannot move, and nothing of another column."""
    data = held(corpus, name)
    target = block(data, words)
    after, _ = edited(data, DeleteBlocks(target.anchor, target.anchor, close_up=True))
    assert texts(after) == [text for text in texts(data) if text != target.text]
    found = [step for step, _ in itertools.groupby(steps(data, after, target.page, right))]
    up = max(found)
    assert up > 20
    assert found in ([0.0, up], [0.0, up, 0.0])
    top = next(box[1] for text, box in judges.lines(data, target.page) if words[:9] in text)
    hidden = [(0.0, top - 2, right, 800.0)]
    assert judges.differences(data, after, target.page, hidden) == (0, 0)


@corpus_file
@pytest.mark.parametrize(
    ("beside_words", "kind", "new", "lines_of_it"),
    [
        (
            "By the 1990s",
            "paragraph",
            "This page was written in a hurry, and mended at leisure.",
            2,
        ),
        ("OpenOffice and", "bullet", "AbiWord: A small word processor for every desktop.", 1),
    ],
)
def test_what_is_new_moves_down_what_is_below_by_its_own_height(
    corpus: Path, beside_words: str, kind: Any, new: str, lines_of_it: int
) -> None:
    """A paragraph comes with the blank line that parts it from the one above."""
    data = held(corpus, MULTI)
    target = block(data, beside_words)
    after, _ = edited(data, InsertBlocks(target.anchor, "after", (NewBlock(kind, new),)))
    sound(data, after, pages=(1,), below=target.text[-30:])
    at = texts(data).index(target.text) + 1
    assert texts(after) == [*texts(data)[:at], new, *texts(data)[at:]]
    down = {step for step in steps(data, after, 1, 612.0) if step}
    assert len(down) == 1
    assert min(down) == pytest.approx(-13.8 * lines_of_it, abs=0.8 * lines_of_it)
