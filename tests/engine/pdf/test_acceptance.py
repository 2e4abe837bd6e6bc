"""What editing PDFs must be able to do, case by case.

A case names its number in the list of acceptance cases. Where its file is not in the corpus, one
like it is made. Case 35 is in test_sweep.py.
"""

from __future__ import annotations

import itertools
import re
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
from engine.pdf.content.targets import Target, known_in
from engine.pdf.marks import marks
from engine.plan import (
    DeleteBlocks,
    EditPlan,
    FindReplace,
    Operation,
    ReplaceText,
    RewriteBlock,
    SetField,
)
from engine.report import EditReport, Signature
from tests.engine.pdf.content.streams import content, model, pdf
from tests.engine.pdf.paper import paper

BY_ANN = Signature("u1", "Ann Lee", "2026-11-21T06:30:00Z", tracked=True)
MULTI, TWO_COLUMNS = "docling__multi_page.pdf", "pdfminer__naacl06-shinyama.pdf"
WIKIPEDIA = "pdfjs__pdfjs_wikipedia.pdf"

corpus_file = pytest.mark.corpus


def held(corpus: Path, name: str) -> bytes:
    return (corpus / "pdf" / name).read_bytes()


def edited(data: bytes, *operations: Operation) -> tuple[bytes, EditReport]:
    return apply(data, EditPlan("edit", "asked", operations), BY_ANN)


def block(data: bytes, words: str) -> Target:
    return next(target for target in known_in(data) if words in target.text)


def texts(data: bytes) -> list[str]:
    return [target.text for target in known_in(data)]


def replaced(data: bytes, words: str, old: str, new: str) -> tuple[bytes, EditReport, str]:
    """Replace the first `old` in the block with `words`; gives the block's text afterwards."""
    target = block(data, words)
    after, report = edited(data, ReplaceText(target.anchor, old, new, 1))
    return after, report, target.text.replace(old, new, 1)


def rows(glyphs: list[Glyph]) -> dict[float, list[Glyph]]:
    found: dict[float, list[Glyph]] = {}
    for glyph in glyphs:
        found.setdefault(round(glyph.y, 1), []).append(glyph)
    return {y: sorted(found[y], key=lambda g: g.x) for y in sorted(found, reverse=True)}


def lines(data: bytes, page: int = 0) -> list[str]:
    return ["".join(g.text for g in row) for row in rows(list(model(data, page).glyphs())).values()]


def places(data: bytes, page: int = 0) -> Counter[tuple[str, float, float]]:
    return Counter((g.text, round(g.x, 2), round(g.y, 2)) for g in model(data, page).glyphs())


def all_bytes(data: bytes) -> bytes:
    """Everything that is written in a file: its strings and its decoded streams."""
    import pikepdf

    with pikepdf.open(BytesIO(data)) as document:
        found: list[Any] = list(document.objects)
        streams = [bytes(e.read_bytes()) for e in found if isinstance(e, pikepdf.Stream)]
        written = [e.unparse() for e in found]
    return b"\n".join((data, *streams, *written))


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
    assert len(rows(list(model(after).glyphs()))) == len(rows(list(model(data).glyphs())))


@corpus_file
def test_case_2_a_paragraph_that_grows_by_half_a_line(corpus: Path) -> None:
    data = held(corpus, MULTI)
    new = "changed beyond recognition and has evolved"
    after, _, text = replaced(data, "The concept", "evolved", new)
    assert text in texts(after)
    mine = [line for line in lines(after) if line.strip() and line in text + " "]
    assert len(mine) <= 2 or "recognition" in lines(after)[2]
    below = places(data) & places(after)
    heading = [g for g in model(data).glyphs() if g.y < 580]
    assert all((g.text, round(g.x, 2), round(g.y, 2)) in below for g in heading)


@corpus_file
def test_case_3_every_hit_on_all_pages_in_its_own_case(corpus: Path) -> None:
    data = held(corpus, MULTI)
    count = sum(len(re.findall("word processor", t, re.IGNORECASE)) for t in texts(data))
    after, report = edited(data, FindReplace("word processor", "text editor"))
    assert len(report.revisions) == count > 5
    assert not any("word processor" in text.lower() for text in texts(after))
    assert "The Evolution of the Text editor" in texts(after)


@corpus_file
def test_case_4_a_paragraph_goes_and_nothing_else_moves(corpus: Path) -> None:
    data = held(corpus, MULTI)
    target = block(data, "The concept")
    after, _ = edited(data, DeleteBlocks(target.anchor, target.anchor))
    assert target.text not in texts(after)
    gone = places(data) - places(after)
    assert not places(after) - places(data)
    assert "".join(c for c, _, _ in gone.elements()).strip()
    assert gone.total() >= len(target.text.replace(" ", ""))


@corpus_file
def test_cases_5_to_7_justified_text_stays_in_its_column(corpus: Path) -> None:
    data = held(corpus, TWO_COLUMNS)
    after, _, text = replaced(
        data,
        "Unrestricted Relation Discovery is",
        "automatically",
        "rather automatically",
    )
    assert text in texts(after)
    changed = places(after) - places(data)
    middle = 306
    sides = {x < middle for _, x, _ in changed}
    assert len(sides) == 1, "only one column is touched"
    own = list(rows([g for g in model(after).glyphs() if not g.is_blank]).values())
    halves = [[g for g in row if (g.x < middle) in sides] for row in own]
    halves = [
        row for row in halves if any((g.text, round(g.x, 2), round(g.y, 2)) in changed for g in row)
    ]
    assert len(halves) >= 2
    edge = max(g.x + g.ink_width for row in halves for g in row)
    ends = [row[-1].x + row[-1].ink_width for row in halves[:-1]]
    assert all(abs(end - edge) < 0.9 for end in ends), ends
    for row in halves[:-1]:
        gaps = [b.x - a.x - a.ink_width for a, b in itertools.pairwise(row)]
        wide = [gap / row[0].size for gap in gaps if gap > 0.1 * row[0].size]
        assert all(0.12 < gap < 0.75 for gap in wide), wide


def test_case_8_a_page_number_is_one_operator() -> None:
    data = pdf(
        b"BT /F1 10 Tf 20 250 Td (Some words here) Tj ET BT /F1 9 Tf 140 20 Td (Page 7) Tj ET"
    )
    target = block(data, "Page 7")
    after, _ = edited(data, ReplaceText(target.anchor, "7", "8"))
    old, new = content(data), content(after)
    head = next(n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b)
    tail = next(n for n, (a, b) in enumerate(zip(old[::-1], new[::-1], strict=False)) if a != b)
    assert max(len(old), len(new)) - head - tail <= 100


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


@corpus_file
def test_case_10_a_letter_that_the_font_lacks(corpus: Path) -> None:
    data = held(corpus, TWO_COLUMNS)
    after, report, text = replaced(data, "We are trying", "boundary", "Größe")
    assert text in texts(after)
    assert any("Größe" in warning for warning in report.warnings)
    plain, _, _ = replaced(data, "We are trying", "boundary", "bounds")
    assert len(after) - len(plain) < 15_000
    name = next(g.show.state.font for g in model(after).glyphs() if g.text == "ß")
    assert name is not None
    assert name.is_embedded


@corpus_file
def test_case_11_a_bullet_item_grows_behind_its_bullet(corpus: Path) -> None:
    data = held(corpus, MULTI)
    target = block(data, "Wang Laboratories")
    new = target.text.replace("introduced", "designed, announced and introduced with success")
    after, _ = edited(data, RewriteBlock(target.anchor, new))
    found = block(after, "Wang Laboratories")
    assert (found.text, type(found.block).__name__) == (new, "ListItem")
    assert [p for p in places(data) if p[0] == "●"] == [p for p in places(after) if p[0] == "●"]


@corpus_file
def test_case_12_a_cell_of_a_table_and_no_other(corpus: Path) -> None:
    data = held(corpus, "officebench__Invoice_2.pdf")
    target = block(data, "BILL TO:")
    after, _ = edited(data, ReplaceText(target.anchor, "BILL", "SENT"))
    assert texts(after) == [t.replace("BILL", "SENT") for t in texts(data)]
    assert (places(data) - places(after)).total() <= len("BILL TO: ")


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


@corpus_file
def test_case_14_a_date_in_an_infobox_and_all_links_stay(corpus: Path) -> None:
    data = held(corpus, WIKIPEDIA)
    after, _, text = replaced(data, "December 31, 2023", "31", "30")
    assert text in texts(after)
    assert links(after) == links(data)
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
    new = (
        "The quick brown fox jumps over the dog and the cat, and runs and runs through the forest."
    )
    after, _ = edited(pdf(stream), RewriteBlock("p1.b1", new))
    assert new in texts(after)
    numbers = {tag.mcid for g in model(after).glyphs() if g.y > 150 for tag in g.show.tags}
    assert numbers == {3}


@corpus_file
def test_cases_16_and_17_a_form_is_filled_and_the_page_stays(corpus: Path) -> None:
    data = held(corpus, "tika__testPDF_XFA_govdocs1_258578.pdf")
    before = fields(data)
    name = next(n for n, each in before.items() if not each.value)
    after, _ = edited(data, SetField(name, "Zażółć"))
    now = fields(after)
    assert now[name].value == "Zażółć"
    assert {n: e.value for n, e in now.items() if n != name} == {
        n: e.value for n, e in before.items() if n != name
    }
    assert content(after) == content(data)


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


def test_case_18_a_signed_document_is_refused() -> None:
    import pikepdf

    with pytest.raises(RefusedError, match="signature"):
        edited(with_field(LINE, V=pikepdf.Dictionary()), ReplaceText("p1.b1", "brown", "red"))


@corpus_file
def test_case_19_a_password_is_asked_for_at_upload(corpus: Path) -> None:
    with pytest.raises(ProtectedFileError):
        reader.check((corpus / "bad" / "opf__encryption_openpassword.pdf").read_bytes())


@corpus_file
def test_case_20_a_scanned_page_has_no_text_layer(corpus: Path) -> None:
    path = corpus / "pdf" / "docling__ocr_test.pdf"
    with pytest.raises(RefusedError, match="No text layer"):
        editor.interpret(path, 'Replace "Docling" with "x"', None)


def test_case_21_the_invisible_text_is_refused_and_the_visible_edited() -> None:
    data = pdf(
        b"BT /F1 10 Tf 20 250 Td (Words that are seen) Tj ET"
        b" BT /F1 10 Tf 3 Tr 20 150 Td (Hidden words of a scan) Tj ET"
    )
    with pytest.raises(RefusedError, match="invisible OCR layer"):
        edited(data, ReplaceText("p1.b2", "Hidden", "Other"))
    after, _ = edited(data, ReplaceText("p1.b1", "seen", "read"))
    assert texts(after)[0] == "Words that are read"


@corpus_file
def test_case_22_arabic_is_read_and_its_edit_refused(corpus: Path) -> None:
    data = held(corpus, "docling__right_to_left_01.pdf")
    target = known_in(data)[1]
    with pytest.raises(RefusedError, match="right to left"):
        edited(data, ReplaceText(target.anchor, target.text.split()[0], target.text.split()[1], 1))


@corpus_file
def test_case_23_korean_words_and_never_an_empty_box(corpus: Path) -> None:
    data = held(corpus, "docling__normal_4pages.pdf")
    target = block(data, "표준약관")
    after, _ = edited(data, ReplaceText(target.anchor, "표준약관", "보험약관", 1))
    assert any("보험약관" in text for text in texts(after))
    assert UNKNOWN not in "".join(g.text for g in model(after, target.page).glyphs())
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
    plan = EditPlan("edit", "", (ReplaceText(target.anchor, "typewriter", "teleprinter", 1),))
    working, report = redline.edit(data, data, b"", plan, BY_ANN)
    shown = redline.annotated(data, working, report.state)
    assert shown.startswith(data)
    assert content(shown) == content(data)
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
        overlap_x = (shared.x1 - shared.x0) / (whole.x1 - whole.x0)
        assert overlap_x > 0.95
        assert shared.get_area() / whole.get_area() > 0.6


@corpus_file
def test_case_31_a_tracked_replacement_over_two_lines(corpus: Path) -> None:
    import pymupdf

    data = held(corpus, MULTI)
    target = block(data, "The origins")
    plan = EditPlan(
        "edit", "", (ReplaceText(target.anchor, "in the mid-19th century", "long ago"),)
    )
    working, report = redline.edit(data, data, b"", plan, BY_ANN)
    shown = redline.annotated(data, working, report.state)
    with pymupdf.open(stream=shown, filetype="pdf") as opened:
        document: Any = opened
        page = document[0]
        found = Counter(each.type[1] for each in page.annots())
        quads = [len(e.vertices) // 4 for e in page.annots() if e.type[1] == "StrikeOut"]
    assert found["Caret"] == found["StrikeOut"]
    assert sum(quads) == 2


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
    with pytest.raises(RefusedError, match=r"needs \d+ more lines .* page 1"):
        edited(data, RewriteBlock(target.anchor, " ".join([target.text] * 3)))


def test_case_34_a_wrong_quote_changes_nothing() -> None:
    with pytest.raises(NotFoundError, match=r"^Unable to locate the specified text$"):
        edited(LINE, ReplaceText("p1.b1", "purple", "red"))
