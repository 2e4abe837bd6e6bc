from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from redraft.engine.pdf.glyphs.content_interpreter import interpret
from redraft.engine.pdf.glyphs.glyphs import Glyph
from redraft.engine.pdf.glyphs.shared_resources import shared_resources_of
from redraft.engine.pdf.stream import objects
from tests.engine.pdf.stream.streams import model, pdf

# Files whose text MuPDF takes from annotations and fields, or whose letters it shapes: share of its
# characters that the model must have as well.
SPECIAL = {
    "docling__right_to_left_01.pdf": 0.98,
    "pdfjs__issue17492.pdf": 0.5,
    "tika__testPDFVarious.pdf": 0.98,
    "tika__testPDF_XFA_govdocs1_258578.pdf": 0.75,
}


def glyphs(stream: bytes, **more: Any) -> list[Glyph]:
    return list(model(pdf(stream, **more)).glyphs())


def places(stream: bytes) -> list[tuple[str, float, float]]:
    return [(g.text, round(g.x, 2), round(g.y, 2)) for g in glyphs(stream)]


def test_a_glyph_knows_the_bytes_and_the_operator_that_draw_it() -> None:
    found = glyphs(b"BT /F1 10 Tf 50 100 Td [(A) -100 (BC)] TJ ET")
    assert [(g.text, g.code, g.show.index, g.element, g.offset) for g in found] == [
        ("A", b"A", 3, 0, 0),
        ("B", b"B", 3, 2, 0),
        ("C", b"C", 3, 2, 1),
    ]


def test_widths_kerns_and_spacing_move_the_text() -> None:
    stream = b"BT /F1 10 Tf 1 Tc 2 Tw 50 100 Td [(A) -100 ( ) (A)] TJ ET"
    # A is 6.67 wide and the blank 2.78; the kern adds 1, spacing 1 each, the blank's word 2.
    assert places(stream) == [("A", 50, 100), (" ", 58.67, 100), ("A", 64.45, 100)]


def test_the_operators_of_lines_and_positions_are_followed() -> None:
    stream = (
        b"BT /F3 10 Tf 12 TL 1 0 0 1 5 200 Tm (a) Tj T* (b) Tj (c) ' 9 -20 TD (d) Tj T* (e) Tj ET"
    )
    assert [(text, x, y) for text, x, y in places(stream)] == [
        ("a", 5, 200),
        ("b", 5, 188),
        ("c", 5, 176),
        ("d", 14, 156),
        ("e", 14, 136),
    ]


def test_the_double_quote_operator_sets_both_spacings() -> None:
    stream = b'BT /F3 10 Tf 12 TL 5 100 Td 3 1 (a b) " ET'
    assert places(stream) == [("a", 5, 88), (" ", 12, 88), ("b", 22, 88)]


def test_matrices_scaling_and_rise_are_applied() -> None:
    stream = b"q 2 0 0 2 10 10 cm BT /F3 10 Tf 50 Tz 3 Ts 5 5 Td (ab) Tj ET Q BT /F3 9 Tf (c) Tj ET"
    # 5 becomes 20; the rise of 3 becomes 6; a Courier glyph of 6 is halved and doubled again.
    assert places(stream) == [("a", 20, 26), ("b", 26, 26), ("c", 0, 0)]
    first = glyphs(stream)[0]
    assert (round(first.size, 2), round(first.ink_width, 2)) == (20, 6)


def test_state_of_colour_mode_and_tags_is_kept_with_each_string() -> None:
    stream = (
        b"/P <</MCID 4>> BDC BT /F1 9 Tf /Cs cs 0.1 sc (a) Tj 1 0 0 rg 3 Tr (b) Tj ET EMC"
        b" /Span <</ActualText (x)>> BDC BT (c) Tj ET EMC"
    )
    a, b, c = glyphs(stream)
    assert (a.show.state.fill, b.show.state.fill) == (b"/Cs cs 0.1 sc", b"1 0 0 rg")
    assert (a.show.state.mode, b.show.state.mode) == (0, 3)
    assert [tag.mcid for tag in a.show.tags] == [4]
    assert [tag.has_actual_text for tag in c.show.tags] == [True]


def test_a_form_is_a_stream_of_its_own_with_its_matrix() -> None:
    data = pdf(b"q 1 0 0 1 7 0 cm /X Do Q", forms={"X": b"BT /F1 9 Tf 20 30 Td (f) Tj ET"})
    found = model(data)
    (glyph,) = found.glyphs()
    assert (glyph.x, glyph.y, glyph.show.stream) == (27, 30, 1)
    assert found.streams[1].key > 0


def test_a_form_that_draws_itself_ends() -> None:
    import pikepdf

    data = pdf(b"/X Do", forms={"X": b"BT /F1 9 Tf (f) Tj ET /X Do"})
    with objects.opened(data) as document:
        page = document.pages[0].obj
        form = page.Resources.XObject.X
        form.Resources[pikepdf.Name.XObject] = pikepdf.Dictionary({"/X": form})
        assert 0 < len(list(interpret(page, shared_resources_of(document)).glyphs())) < 20


def test_other_ink_and_clipping_are_boxed() -> None:
    stream = b"10 20 30 40 re W n 0 0 20 30 re f 5 25 m 35 25 l S BT /F1 9 Tf (a) Tj ET"
    found = model(pdf(stream))
    boxes = [(ink.kind, ink.box.x0, ink.box.y0, ink.box.x1, ink.box.y1) for ink in found.inks]
    assert boxes == [("fill", 10, 20, 20, 30), ("stroke", 10, 25, 35, 25)]
    clip = next(found.glyphs()).show.state.clip
    assert clip is not None
    assert (clip.x0, clip.y1) == (10, 60)


def test_damaged_streams_are_read_as_far_as_they_make_sense() -> None:
    assert places(b"Q Q ET BT /F1 Tf /F9 9 Tf (no) Tj /F3 10 Tf 1 2 Td (ok Tj ET") == []
    assert [text for text, _, _ in places(b"EMC BT /F3 10 Tf (x) Tj 5 Td (y) Tj ET")] == ["x", "y"]


@pytest.mark.corpus
def test_the_glyphs_of_real_pages_are_where_mupdf_has_them(corpus: Path) -> None:
    for path in sorted((corpus / "pdf").glob("*.pdf")):
        total, same = _agreement(path)
        assert same >= SPECIAL.get(path.name, 0.999) * total, f"{path.name}: {same} of {total}"


def _agreement(path: Path) -> tuple[int, int]:
    """Count MuPDF's characters, and those of them that the model has within half a point."""
    import pymupdf

    total = same = 0
    opened: Any = pymupdf.open(path)
    with objects.opened(path.read_bytes()) as document:
        held = shared_resources_of(document)
        for index in range(0, len(document.pages), max(1, len(document.pages) // 2)):
            page = opened[index]
            matrix = page.transformation_matrix * page.rotation_matrix
            near: dict[tuple[int, int], list[tuple[float, float, str]]] = {}
            for glyph in interpret(document.pages[index].obj, held).glyphs():
                point: Any = pymupdf.Point(glyph.x, glyph.y) * matrix
                x, y = float(point.x), float(point.y)
                near.setdefault((round(x), round(y)), []).append((x, y, glyph.text))
            for char, x, y in _characters(page):
                total += 1
                same += _has(near, char, x, y)
    opened.close()
    return total, same


def _characters(page: Any) -> list[tuple[str, float, float]]:
    flags = 1 | 2  # ligatures and blanks as they are
    # MuPDF names the end of a character of vertical text; its box begins at the glyph's origin.
    return [
        (char["c"], *(char["bbox"][:2] if line["wmode"] else char["origin"]))
        for block in page.get_text("rawdict", flags=flags)["blocks"]
        for line in block.get("lines", ())
        for span in line["spans"]
        for char in span["chars"]
        if char["c"].strip()
    ]


def _has(
    near: dict[tuple[int, int], list[tuple[float, float, str]]], char: str, x: float, y: float
) -> bool:
    wanted = {"\u00ad": "-"}.get(char, char)
    return any(
        abs(u - x) <= 0.5 and abs(v - y) <= 0.5 and wanted in text
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
        for u, v, text in near.get((round(x) + dx, round(y) + dy), ())
    )
