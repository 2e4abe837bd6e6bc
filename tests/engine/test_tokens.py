from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.engine.model import (
    Control,
    Field,
    Image,
    Inline,
    LineBreak,
    Link,
    Mark,
    Math,
    NoteReference,
    Text,
)
from redraft.engine.tokens import Atom, Close, Open, Words, escape, parse, pieces, visible, write

NOTE = NoteReference("footnote", "fn1", "1")
LETTERS = st.text(alphabet="ab *⟦⟧\\[]</>fn1:_\t\xa0é字\u200b\u202e\xad", min_size=1, max_size=12)
MARKS = st.sampled_from([Mark.NONE, Mark.BOLD, Mark.ITALIC, Mark.BOLD | Mark.ITALIC])


def _note(number: int) -> Inline:
    return NoteReference("footnote", f"fn{number}", str(number))


def _image(number: int, alt: str) -> Inline:
    return Image(f"im{number}", alt)


def _field(words: str) -> Inline:
    return Field("", "REF x", (Text(words),))


def _link(inside: list[Inline]) -> Inline:
    return Link("https://e.example", tuple(inside))


def _control(inside: list[Inline]) -> Inline:
    return Control("", tuple(inside))


LEAVES: st.SearchStrategy[Inline] = st.one_of(
    st.builds(Text, LETTERS, MARKS),
    st.builds(LineBreak, st.sampled_from(["line", "page", "column"])),
    st.builds(_note, st.integers(1, 3)),
    st.builds(_image, st.integers(1, 3), LETTERS),
    st.builds(_field, LETTERS),
    st.builds(Math, LETTERS),
)
INLINES: st.SearchStrategy[Inline] = st.one_of(
    LEAVES, st.builds(_link, st.lists(LEAVES)), st.builds(_control, st.lists(LEAVES))
)


@given(st.lists(INLINES, max_size=8))
def test_a_block_written_and_read_back_is_the_block(content: list[Inline]) -> None:
    before = pieces(content)
    parsed = parse(write(before), before)
    assert parsed.faults == ()
    assert parsed.pieces == before


@given(st.text(alphabet="ab *⟦⟧\\\t", max_size=20))
def test_escaped_words_are_read_as_themselves(words: str) -> None:
    parsed = parse(escape(words), ())
    assert parsed.faults == ()
    assert visible(parsed.pieces) == words


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ((Text("lasts for "), Text("30", Mark.BOLD), Text(" days")), "lasts for **30** days"),
        ((Text("a ", Mark.BOLD), Text("b", Mark.BOLD | Mark.ITALIC)), "**a *b***"),
        ((Text("a", Mark.BOLD), Text(" ", Mark.BOLD), Text("b")), "**a** b"),
        ((Text("a", Mark.BOLD), NOTE, Text("b", Mark.BOLD)), "**a⟦fn1⟧b**"),
        ((Text("2*3\t4"), LineBreak("page")), "2\\*3⟦tab⟧4⟦pb⟧"),
        ((Link("#x", (Text("here"),)), Field("x4", "REF", (Text("7"),))), "⟦a1⟧here⟦/a1⟧⟦x4:7⟧"),
        ((Image("im2", "A\n duck"), Math("a^2")), "⟦im2:A duck⟧⟦eq1:a^2⟧"),
        ((Text("\\\\srv\\share"),), "\\\\srv\\share"),
        ((Text("x", Mark.STRIKE | Mark.UNDERLINE),), "x"),
    ],
)
def test_inlines_are_written_in_the_syntax(content: tuple[Inline, ...], text: str) -> None:
    assert write(pieces(content)) == text


KNOWN = pieces((Text("days"), NOTE, Link("#b", (Text("there"),)), Field("x1", "P", (Text("7"),))))


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("days⟦fn1⟧⟦a1⟧there⟦/a1⟧⟦x1:7⟧", []),
        ("new ⟦a1⟧words⟦/a1⟧ ⟦x1⟧ and ⟦ fn1 ⟧", []),
        ("days[[fn1]]<a1>there</a1><x1/>", []),
        ("days⟦a1⟧there⟦/a1⟧⟦x1⟧", ["dropped_token"]),
        ("days⟦fn1⟧⟦fn1⟧⟦a1⟧there⟦/a1⟧⟦x1⟧", ["invented_token"]),
        ("days⟦fn1⟧⟦a1⟧there⟦x1⟧", ["dropped_token"]),
        ("days⟦fn1⟧⟦a1⟧there⟦/a1⟧⟦x1:8⟧", ["read_only"]),
        ("⟦/a1⟧days⟦fn1⟧there⟦a1⟧⟦x1⟧", ["markup_unbalanced"]),
        ("**days⟦fn1⟧⟦a1⟧there⟦/a1⟧⟦x1⟧", ["markup_unbalanced"]),
        ("days\n⟦fn1⟧⟦a1⟧there⟦/a1⟧⟦x1⟧", ["contains_newline"]),
    ],
)
def test_lost_and_invented_tokens_are_told(text: str, codes: list[str]) -> None:
    assert [fault.code for fault in parse(text, KNOWN).faults] == codes


def test_new_text_may_hold_tabs_and_breaks_and_nothing_named() -> None:
    parsed = parse("a⟦tab⟧b⟦br⟧**c**\td", ())
    assert parsed.faults == ()
    assert parsed.pieces == (
        Words("a"),
        Atom("tab"),
        Words("b"),
        Atom("br"),
        Words("c", Mark.BOLD),
        Atom("tab"),
        Words("d"),
    )
    assert [fault.code for fault in parse("see ⟦fn1⟧⟦pb⟧", ()).faults] == ["invented_token"] * 2


def test_a_blank_has_the_marks_its_neighbours_share() -> None:
    before = pieces((Text("a", Mark.BOLD), Text(" ", Mark.BOLD), Text("b")))
    assert before == (Words("a", Mark.BOLD), Words(" b"))
    assert pieces((Text("a"), Text(" ", Mark.BOLD), Text("b", Mark.BOLD))) == (
        Words("a "),
        Words("b", Mark.BOLD),
    )


def test_stars_between_blanks_are_letters() -> None:
    assert parse("5 * 3 * 2", ()).pieces == (Words("5 * 3 * 2"),)


def test_names_repeat_as_often_as_the_thing_stands_there() -> None:
    before = pieces((Image("im1", ""), Text("a"), Image("im1", "")))
    assert [fault.code for fault in parse("a⟦im1⟧", before).faults] == ["dropped_token"]
    assert parse("⟦im1⟧⟦im1⟧a", before).faults == ()


def test_a_link_opens_and_closes_around_its_words() -> None:
    assert pieces((Link("#x", (Text("w"),)),)) == (Open("a1"), Words("w"), Close("a1"))


def test_visible_text_has_field_results_and_no_note_marks() -> None:
    content = (Text("see "), Field("x1", "REF", (Text("Section 7"),)), NOTE, Text("\tend"))
    assert visible(pieces(content)) == "see Section 7\tend"


def test_invisible_characters_are_not_shown_and_come_back() -> None:
    before = pieces((Text("soft\xadware \u202eis\u202c \u200bhere"),))
    assert write(before) == "software is here"
    assert visible(parse("software is **not** here", before).pieces) == (
        "soft\xadware \u202eis\u202c not \u200bhere"
    )
