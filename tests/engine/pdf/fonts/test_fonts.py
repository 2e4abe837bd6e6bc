from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.engine.pdf.fonts import font_programs
from redraft.engine.pdf.fonts.encodings import character, named, with_differences
from redraft.engine.pdf.fonts.fallback import choose, embed, font
from redraft.engine.pdf.fonts.fonts import Font, Style, load


def simple(**entries: Any) -> Font:
    import pikepdf

    holder: Any = pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1)
    for key, value in entries.items():
        holder[f"/{key}"] = value
    return load(holder)


@pytest.mark.parametrize(
    ("encoding", "code", "name"),
    [
        ("WinAnsiEncoding", 0x80, "Euro"),
        ("WinAnsiEncoding", 0x95, "bullet"),
        ("WinAnsiEncoding", 0x81, "bullet"),
        ("WinAnsiEncoding", 0xA0, "space"),
        ("MacRomanEncoding", 0xD2, "quotedblleft"),
        ("StandardEncoding", 0x27, "quoteright"),
        ("StandardEncoding", 0xAE, "fi"),
    ],
)
def test_predefined_encodings_name_their_glyphs(encoding: str, code: int, name: str) -> None:
    assert named(encoding)[code] == name


def test_differences_count_on_from_the_last_number() -> None:
    assert with_differences({65: "A"}, [65, "/alpha", "/beta", 80, "/fi"]) == {
        65: "alpha",
        66: "beta",
        80: "fi",
    }


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("A", "A"),
        ("fi", "fi"),
        ("uni017B", "Ż"),
        ("u1F600", "\U0001f600"),
        ("a.sc", "a"),
        ("g12", ""),
        ("angbracketleft", "⟨"),
        ("lessmuch", "≪"),
        ("intercal", "⊺"),
        ("summationtext", ""),
        ("ubad", ""),
    ],
)
def test_glyph_names_are_read(name: str, text: str) -> None:
    assert character(name).replace("\ufb01", "fi") == text


def test_a_standard_font_without_widths_has_those_everyone_knows() -> None:
    import pikepdf

    held = simple(BaseFont=pikepdf.Name.Helvetica, Encoding=pikepdf.Name.WinAnsiEncoding)
    assert [round(char.width, 3) for char in held.decode(b"A i")] == [0.667, 0.278, 0.222]
    symbol = simple(BaseFont=pikepdf.Name.Symbol)
    assert symbol.decode(b"a")[0].text == "\u03b1"


def test_widths_of_the_file_come_first_and_tounicode_decides_the_text() -> None:
    import pikepdf

    document: Any = pikepdf.new()
    to_unicode = document.make_stream(b"1 beginbfchar <41> <0416> endbfchar")
    held = simple(
        BaseFont=pikepdf.Name("/ABCDEF+Foo"),
        FirstChar=65,
        Widths=pikepdf.Array([500, 0]),
        ToUnicode=to_unicode,
        Encoding=pikepdf.Name.WinAnsiEncoding,
    )
    assert (held.name, held.decode(b"A")[0].text, held.decode(b"A")[0].width) == ("Foo", "Ж", 0.5)
    char = held.encode("Ж")
    assert char is not None
    assert char.code == b"A"
    assert held.encode("B") is None  # no width: the font does not really hold it
    assert held.encode("Q") is None


def test_a_composite_font_reads_two_bytes_and_both_forms_of_widths() -> None:
    import pikepdf

    inner = pikepdf.Dictionary(
        Subtype=pikepdf.Name.CIDFontType2,
        DW=900,
        W=pikepdf.Array([1, pikepdf.Array([400]), 5, 7, 300]),
    )
    held = load(
        pikepdf.Dictionary(
            Subtype=pikepdf.Name.Type0,
            BaseFont=pikepdf.Name.Bar,
            Encoding=pikepdf.Name("/Identity-H"),
            DescendantFonts=pikepdf.Array([inner]),
        )
    )
    assert [char.width for char in held.decode(b"\0\1\0\6\0\x09")] == [0.4, 0.3, 0.9]
    assert held.decode(b"\0\1")[0].text == "\ufffd"


@pytest.mark.parametrize(
    "data", [b"", b"\1\0\4\2\0", b"OTTO\0\1", b"\0\1\0\0\0\5junk", b"%!PS eexec zz"]
)
def test_a_font_program_that_cannot_be_read_is_none_or_empty(data: bytes) -> None:
    for kind in ("FontFile", "FontFile2", "FontFile3"):
        program = font_programs.load(kind, data)
        assert program is None or not program.names


def test_an_embedded_program_tells_which_codes_it_draws() -> None:
    import pikepdf
    import pymupdf

    document: Any = pikepdf.new()
    source: Any = pymupdf.Font("helv")
    stream = document.make_stream(bytes(source.buffer))
    descriptor = pikepdf.Dictionary(Flags=32, FontFile3=stream)
    held = simple(
        BaseFont=pikepdf.Name("/ABCDEF+Foo"),
        FontDescriptor=descriptor,
        FirstChar=0,
        Widths=pikepdf.Array([500] * 256),
        Encoding=pikepdf.Dictionary(
            Differences=pikepdf.Array([1, pikepdf.Name.Zdotaccent, pikepdf.Name.ghost])
        ),
    )
    assert held.drawn is not None
    assert 1 in held.drawn
    assert 2 not in held.drawn
    char = held.encode("Ż")
    assert char is not None
    assert char.code == b"\1"


@pytest.mark.parametrize(
    ("style", "name"),
    [
        (Style(), "Helvetica"),
        (Style(is_bold=True, is_serif=True), "Times-Bold"),
        (Style(is_serif=True), "Times-Roman"),
        (Style(is_italic=True, is_fixed=True), "Courier-Oblique"),
    ],
)
def test_the_fallback_looks_like_the_font(style: Style, name: str) -> None:
    assert choose(style) == name


def test_an_embedded_fallback_is_small_and_reads_back() -> None:
    import pikepdf

    document: Any = pikepdf.new()
    held = font("Times-Roman")
    codes = [char.code for char in map(held.encode, "Żubr") if char]
    assert len(codes) == 4
    made = load(embed(document, "Times-Roman", codes))
    assert "".join(char.text for char in made.decode(b"".join(codes))) == "Żubr"
    assert made.is_embedded
    again = held.encode("u")
    assert again is not None
    assert made.decode(again.code)[0].width == pytest.approx(again.width, abs=1e-6)
    program = made_program(embed(document, "Times-Roman", codes))
    assert len(program) < 30_000


def made_program(holder: Any) -> bytes:
    return bytes(holder.DescendantFonts[0].FontDescriptor.FontFile3.read_bytes())


@given(st.binary(max_size=300))
def test_a_type_1_program_is_read_as_everybody_reads_it(hidden: bytes) -> None:
    eexec: Any = import_module("fontTools.misc.eexec")
    assert font_programs.decrypted(hidden) == eexec.decrypt(hidden, 55665)[0]
