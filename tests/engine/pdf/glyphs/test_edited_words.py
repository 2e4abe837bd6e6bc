"""Changes of a text, moved to where they take or give whole words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.engine.pdf.glyphs.edited_words import Change, slid
from redraft.engine.pdf.resolved_edits import changed
from redraft.engine.pdf.typeset.block_parts import placed


@given(st.text("ab. ", max_size=12), st.integers(0, 12), st.integers(0, 4), st.text("ab. "))
def test_a_change_that_slides_does_the_same(text: str, start: int, length: int, new: str) -> None:
    change = Change(min(start, len(text)), min(start + length, len(text)), new)
    assert changed(text, [slid(text, change)]) == changed(text, [change])


@pytest.mark.parametrize(
    ("text", "change", "moved"),
    [
        ("the end.", Change(7, 7, ". More"), Change(8, 8, " More.")),
        ("aa b aa c", Change(1, 1, "a"), Change(2, 2, "a")),
        ("one one two", Change(0, 4, ""), Change(0, 4, "")),
        ("undone", Change(2, 2, "xy"), Change(2, 2, "xy")),
        ("a b", Change(0, 1, "c"), Change(0, 1, "c")),
    ],
)
def test_it_slides_to_where_a_word_begins_or_ends(text: str, change: Change, moved: Change) -> None:
    assert slid(text, change) == moved


def test_no_change_slides_into_the_next_one() -> None:
    text = "the end. And so on"
    changes = [Change(7, 7, ". More"), Change(8, 9, "-")]
    assert changed(text, placed(text, changes)) == changed(text, changes)
