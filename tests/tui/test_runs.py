from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.tui.text.runs import (
    UNSAFE,
    Run,
    clip,
    clip_line,
    fit,
    one_line,
    plain,
    spread,
    text_of,
    width,
)
from redraft.tui.text.wrap import wrap


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("plain words", "plain words"),
        ("tab\there", "tab    here"),
        ("\x1b[31mred", "␛[31mred"),
        ("bell\x07", "bell␇"),
        ("delete\x7f", "delete␡"),
        ("c1 \x9b31m", "c1 \ufffd31m"),
        ("bidi \u202eabc", "bidi \ufffdabc"),
        ("surrogate \ud800", "surrogate \ufffd"),
        ("two\r\nlines", "two\nlines"),
        ("return\rover", "return␍over"),
    ],
)
def test_control_characters_become_visible_signs(written: str, shown: str) -> None:
    assert plain(written) == shown


@pytest.mark.thorough
@given(st.text(max_size=200))
def test_nothing_that_acts_on_a_terminal_is_left(text: str) -> None:
    shown = plain(text)
    assert not UNSAFE.search(shown)
    assert not any(ord(character) < 32 and character != "\n" for character in shown)


def test_one_line_has_no_line_end() -> None:
    assert one_line("a\n b\t\tc\u2028d") == "a b c\ufffdd"


@pytest.mark.parametrize(
    ("text", "cells", "clipped"),
    [
        ("short", 10, "short"),
        ("exactly", 7, "exactly"),
        ("too long", 5, "too …"),
        ("漢字漢字", 5, "漢字…"),
        ("漢字", 0, ""),
    ],
)
def test_clipped_text_is_never_wider_than_asked(text: str, cells: int, clipped: str) -> None:
    assert clip(text, cells) == clipped


def test_fit_gives_exactly_the_width() -> None:
    assert [width((Run(fit(text, 6)),)) for text in ("", "abc", "abcdefgh", "漢字漢字")] == [6] * 4


def test_spread_clips_the_left_side_when_both_meet() -> None:
    line = spread((Run("a long left side"),), (Run("right"),), 14)
    assert text_of(line) == "a long … right"
    assert width(line) == 14


@given(st.lists(st.text(max_size=20), max_size=6), st.integers(1, 40))
def test_a_clipped_line_is_never_too_wide(texts: list[str], cells: int) -> None:
    line = tuple(Run(plain(text).replace("\n", " ")) for text in texts)
    assert width(clip_line(line, cells)) <= cells


WORDS = st.text(st.sampled_from("ab é漢\u0301-  \n"), max_size=120)


@given(st.lists(WORDS, max_size=5), st.integers(4, 40))
def test_wrapped_lines_fit_and_lose_nothing_but_spaces(texts: list[str], cells: int) -> None:
    runs = [Run(text, "text", number) for number, text in enumerate(texts)]
    lines = wrap(runs, cells)
    assert all(width(line) <= cells for line in lines)
    before = "".join("".join(text.split()) for text in texts)
    assert "".join("".join(text_of(line).split()) for line in lines) == before


@given(st.lists(WORDS, min_size=1, max_size=5), st.integers(4, 40))
def test_wrapping_keeps_the_look_of_every_character(texts: list[str], cells: int) -> None:
    runs = [Run(text, "text", number) for number, text in enumerate(texts)]
    looks = [
        (character, run.flags)
        for line in wrap(runs, cells)
        for run in line
        for character in run.text
        if not character.isspace()
    ]
    expected = [
        (character, run.flags) for run in runs for character in run.text if not character.isspace()
    ]
    assert looks == expected


def test_lines_break_at_spaces_and_hang() -> None:
    lines = wrap([Run("one two three four")], 9, (Run("- "),), (Run("  "),))
    assert [text_of(line) for line in lines] == ["- one two", "  three", "  four"]


def test_a_word_longer_than_the_line_is_broken() -> None:
    assert [text_of(line) for line in wrap([Run("abcdefghij")], 4)] == ["abcd", "efgh", "ij"]
