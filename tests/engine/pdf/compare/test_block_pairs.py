"""Which block of a version is which one of another."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.engine.model import Paragraph, StoryKind, Text
from redraft.engine.pdf.compare.block_pairs import paired, word_changes
from redraft.engine.pdf.glyphs.target_blocks import Target
from redraft.engine.pdf.resolved_edits import changed


def target(anchor: str, text: str, page: int = 0, story: StoryKind = "body") -> Target:
    block = Paragraph(anchor, (Text(text),))
    return Target(anchor, page, text, "", block, (), story)


def names(old: list[Target], new: list[Target]) -> list[tuple[str, str]]:
    return [
        (pair.old.anchor if pair.old else "", pair.new.anchor if pair.new else "")
        for pair in paired(old, new)
    ]


def test_a_header_that_is_read_as_a_paragraph_is_still_the_same_words() -> None:
    old = [
        target("p1.b1", "One two three four."),
        target("p2.b1", "Five six seven eight.", 1),
        target("p1.h1", "Annual report", story="header"),
        target("p2.h1", "Annual report", 1, "header"),
    ]
    new = [
        target("p1.b1", "One two three four."),
        target("p2.b1", "Annual report", 1),
        target("p2.b2", "Five six seven eight.", 1),
        target("p1.h1", "Annual account", story="header"),
    ]
    assert sorted(names(old, new)) == [
        ("p1.b1", "p1.b1"),
        ("p1.h1", "p1.h1"),
        ("p2.b1", "p2.b2"),
        ("p2.h1", "p2.b1"),
    ]


def test_the_same_words_on_another_page_are_others() -> None:
    kept = [target("p1.b2", "Three four five."), target("p1.b3", "Six seven eight.")]
    old = [target("p1.b1", "One two."), *kept]
    new = [*kept, target("p2.b1", "One two.", 1)]
    assert ("p1.b1", "") in names(old, new)
    assert ("", "p2.b1") in names(old, new)
    back = [*kept, target("p1.b9", "One two.")]
    assert ("p1.b1", "p1.b9") in names(old, back)


def grouped(words: Sequence[str], cuts: Sequence[int], name: str) -> list[Target]:
    edges = [0, *sorted(set(cuts)), len(words)]
    texts = [" ".join(words[one:two]) for one, two in pairwise(edges) if one < two]
    return [target(f"{name}.b{number}", text) for number, text in enumerate(texts)]


def listed(old: list[Target], new: list[Target]) -> list[tuple[str, str, str]]:
    """Give what is deleted and inserted, with the block; new blocks with the one they are below."""
    found: list[tuple[str, str, str]] = []
    for pair in paired(old, new):
        if pair.old is None and pair.new is not None:
            found.append((pair.beside.anchor if pair.beside else "", "", f"+{pair.new.text}"))
        for each in pair.changes:
            assert pair.old is not None
            found.append((pair.old.anchor, pair.old.text[each.start : each.end], each.text))
    return found


NAMES = ["one", "two", "three", "four", "five", "six", "0.0", "the"]
WORDS = st.lists(st.sampled_from(NAMES), min_size=1)
CUTS = st.lists(st.integers(1, 40), max_size=12)


@given(WORDS, CUTS, CUTS)
def test_the_same_words_read_in_other_blocks_are_no_change(
    words: list[str], cuts: list[int], others: list[int]
) -> None:
    old, new = ([c for c in held if c < len(words)] for held in (cuts, others))
    assert listed(grouped(words, old, "p1"), grouped(words, new, "q1")) == []


@given(WORDS, CUTS, CUTS, st.integers(0, 40), st.lists(st.sampled_from(["six", "ten", "new"])))
def test_the_changes_make_the_words_of_one_version_those_of_the_other(
    words: list[str], cuts: list[int], others: list[int], at: int, more: list[str]
) -> None:
    at = min(at, len(words))
    after = [*words[:at], *more, *words[at + 1 :]]
    old = grouped(words, [c for c in cuts if c < len(words)], "p1")
    new = grouped(after, [c for c in others if c < len(after)], "q1") if after else []
    made: list[str] = []
    for pair in paired(old, new):
        if pair.old is not None:
            made += changed(pair.old.text, pair.changes).split()
        elif pair.new is not None:
            made += pair.new.text.split()
    assert made == after


def test_lines_that_read_as_cells_afterwards_are_as_they_were() -> None:
    rows = ["shadowX float 0.0", "shadowY float 0.0", "blur float 0.0", "colour string black"]
    old = [target("p1.b1", "fillStyle any black")]
    old += [target(f"p1.b{2 + number}", row) for number, row in enumerate(rows)]
    new = [target("p1.b1", "fillStyle float toDataURL string black")]
    new += [
        target(f"p1.b2.r{number}.c{column}.b1", word)
        for number, row in enumerate(rows)
        for column, word in enumerate(row.split())
    ]
    assert listed(old, new) == [("p1.b1", "any", "float toDataURL string")]
    assert listed(new, old) == [("p1.b1", "float toDataURL string", "any")]


def test_a_changed_word_of_lines_that_read_as_cells_is_that_word() -> None:
    old = [target("p1.b1", "width float 0.0"), target("p1.b2", "height float 0.0")]
    new = [
        target(f"p1.b1.c{number}.b1", word)
        for number, word in enumerate(["width", "float", "0.0", "height", "double", "0.0"])
    ]
    assert listed(old, new) == [("p1.b2", "float", "double")]


def test_a_new_paragraph_between_others_is_one_and_no_words_of_its_neighbours() -> None:
    old = [target("p1.b1", "The first of the two."), target("p1.b2", "The second of the two.")]
    new = [old[0], target("p1.b2", "The middle of the three."), target("p1.b3", old[1].text)]
    assert listed(old, new) == [("p1.b1", "", "+The middle of the three.")]
    new[0] = target("p1.b1", "The first one of the two.")
    assert listed(old, new) == [
        ("p1.b1", "", "one "),
        ("p1.b1", "", "+The middle of the three."),
    ]


@pytest.mark.parametrize(
    ("old", "new", "gone", "come"),
    [
        ("It is over. Over and out.", "It is over.", " Over and out.", ""),
        ("It is over.", "It is over. Over and out.", "", " Over and out."),
        ("It is over. Over and out. Bye.", "It is over. Bye.", "Over and out. ", ""),
    ],
)
def test_a_sentence_goes_and_comes_from_its_first_letter_not_from_the_stop_before(
    old: str, new: str, gone: str, come: str
) -> None:
    (change,) = word_changes(target("p1.b1", old), target("p1.b1", new))
    assert (old[change.start : change.end], change.text) == (gone, come)
