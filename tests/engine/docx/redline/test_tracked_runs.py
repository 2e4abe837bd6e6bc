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
from tests.engine.wordml import p, r

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


def test_marks_of_the_spelling_checker_do_not_split_a_deletion() -> None:
    start, end = '<w:proofErr w:type="spellStart"/>', '<w:proofErr w:type="spellEnd"/>'
    draft = Draft.of(p(r("one "), start, r("twoo"), end, r(" three"), r(" four")), p("end"))
    made = draft.edit(ReplaceText("p1", "one twoo three", "1"))
    assert made.redline[0] == "[-one twoo three-]{+1+} four"
    assert made.body.count("<w:del ") == made.body.count("<w:ins ") == 1
    assert made.body.count("<w:proofErr ") == 2
    assert made.rejected == draft.original
    assert draft.edit(DeleteBlocks("p1", "p1")).body.count("<w:del ") == 2
    assert made.edit(ReplaceText("p1", "1", "one twoo three")).redline == draft.redline
