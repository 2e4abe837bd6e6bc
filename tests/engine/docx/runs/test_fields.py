"""Field instructions and symbol fonts."""

from __future__ import annotations

import pytest

from redraft.engine.docx.runs.fields import link_target, parse_instruction
from redraft.engine.docx.runs.fields import shown_without_result as shown
from redraft.engine.docx.runs.symbols import symbol, without_private_use


@pytest.mark.parametrize(
    ("text", "target"),
    [
        (' HYPERLINK "https://example.org/" ', "https://example.org/"),
        (" HYPERLINK https://example.org/ ", "https://example.org/"),
        (' HYPERLINK "https://example.org/" \\l "part" \\o "tip" ', "https://example.org/#part"),
        (' HYPERLINK \\l "_Toc1" ', "#_Toc1"),
        (" HYPERLINK \\l _Toc1 \\h", "#_Toc1"),
        (' HYPERLINK "C:\\\\docs\\\\a b.docx" ', "C:\\docs\\a b.docx"),
        (" HYPERLINK \u201chttps://example.org/\u201d ", "https://example.org/"),
        (" HYPERLINK ", ""),
    ],
)
def test_a_link_leads_where_its_instruction_says(text: str, target: str) -> None:
    assert link_target(parse_instruction(text)) == target


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (" MACROBUTTON NoMacro [Your name] ", "[Your name]"),
        (" GotoButton place here ", "here"),
        (" MACROBUTTON NoMacro ", ""),
        (" MACROBUTTON ", ""),
        (" PAGE ", ""),
    ],
)
def test_a_button_shows_the_words_behind_its_macro(text: str, words: str) -> None:
    assert shown(parse_instruction(text), None) == words


def test_switches_have_their_values() -> None:
    parsed = parse_instruction(' ref _Ref1 \\h \\* MERGEFORMAT \\o "a \\"b\\"" ')
    assert (parsed.name, parsed.arguments) == ("REF", ("_Ref1",))
    assert parsed.switches == (("h", ""), ("*", "MERGEFORMAT"), ("o", 'a "b"'))
    assert parsed.switch("x") is None


@pytest.mark.parametrize(
    ("font", "code", "sign"),
    [
        ("Wingdings", 0xF0FC, "✓"),
        ("wingdings", 0xFC, "✓"),
        ("Wingdings", 0xF0A8, "◻"),
        ("Symbol", 0xF061, "α"),  # noqa: RUF001
        ("Symbol", 0xB7, "•"),
        ("Arial", 0x41, "A"),
        ("Unknown", 0xF0FC, "\uf0fc"),
        ("Unknown", 0xD800, "\ufffd"),
    ],
)
def test_a_sign_is_mapped_by_its_font(font: str, code: int, sign: str) -> None:
    assert symbol(font, code) == sign


def test_text_outside_the_private_use_area_is_left_alone() -> None:
    assert without_private_use("a\uf0e0b", "Wingdings") == "a→b"
