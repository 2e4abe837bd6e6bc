"""Links of which all words were ours."""

from __future__ import annotations

import pytest

from redraft.engine.plan import (
    DeleteBlocks,
    InsertBlocks,
    NewBlock,
    Operation,
    RemoveLink,
    ReplaceText,
    SetLink,
)
from tests.engine.redlining import Draft
from tests.engine.wordml import p

URL = "https://example.org/"
NEW = NewBlock("paragraph", "new words here")


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (ReplaceText("p2", "new words", "others"), ["a", "others here", "b"]),
        (ReplaceText("p2", "words", ""), ["a", "new  here", "b"]),
        (DeleteBlocks("p2", "p2"), ["a", "b"]),
    ],
)
def test_a_link_on_new_words_goes_with_them(wanted: Operation, said: list[str]) -> None:
    start = Draft.of(p("a"), p("b"))
    linked = start.edit(InsertBlocks("p1", "after", (NEW,))).edit(SetLink("p2", "words", URL))
    assert "<w:hyperlink" in linked.body
    draft = linked.edit(wanted)
    assert draft.accepted == said
    assert "<w:hyperlink" not in draft.body
    assert draft.rejected == start.original


def test_a_link_on_new_words_is_taken_off_like_any_other() -> None:
    start = Draft.of(p("a"), p("b"))
    linked = start.edit(InsertBlocks("p1", "after", (NEW,))).edit(SetLink("p2", "words", URL))
    draft = linked.edit(RemoveLink("p2", "words"))
    assert "<w:hyperlink" not in draft.body
    assert draft.rejected == start.original
