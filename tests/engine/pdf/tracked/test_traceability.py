"""What is listed as changed is what edits have asked for, and no word more."""

from __future__ import annotations

import pytest

from redraft.engine.errors import RefusedError
from redraft.engine.model import Paragraph, Revision, Text
from redraft.engine.pdf.compare.comparison import Comparison, Difference
from redraft.engine.pdf.glyphs.lines import Frame
from redraft.engine.pdf.glyphs.target_blocks import Target
from redraft.engine.pdf.tracked.traceability import refuse_moved

NOWHERE = (Frame(0.0), 0.0, 0.0, 10.0)


def change(
    anchor: str, text: str, before: str, after: str, *, is_block: bool = False
) -> Difference:
    target = Target(anchor, 0, text, "", Paragraph(anchor, (Text(text),)))
    start = text.index(before) if before else len(text)
    return Difference(target, start, start + len(before), after, 0, (), NOWHERE, is_block=is_block)


def made(anchor: str, before: str, after: str) -> Revision:
    return Revision("e1.1", "replacement", "Ann", "", "body", anchor, "page 1", before, after)


MOVED = (
    change("p1.b2", "shadow float 0.0", "float 0.0", ""),
    change("p1.b2", "shadow float 0.0", "", "float", is_block=True),
)
WIDER = change("p1.b1", "fill any black", "any", "float string")


def refuse(now: tuple[Difference, ...], before: tuple[Difference, ...], *own: Revision) -> None:
    refuse_moved(Comparison(now), lambda: Comparison(before), own)


def test_words_that_nobody_touched_may_not_move_from_block_to_block() -> None:
    with pytest.raises(RefusedError, match="words that it leaves alone would be listed"):
        refuse((WIDER, *MOVED), (), made("p1.b1", "any", "float string"))


def test_words_that_an_edit_takes_from_one_block_and_brings_to_another_move() -> None:
    refuse(MOVED, (), made("p1.b2", "float 0.0", ""), made("p1.b9", "", "float"))


def test_words_that_had_moved_before_are_no_fault_of_this_edit() -> None:
    refuse((WIDER, *MOVED), MOVED, made("p1.b1", "any", "float string"))


def test_words_that_stay_in_their_block_move_nowhere() -> None:
    text = "one two three"
    refuse((change("p1.b1", text, "one two", "two one"),), ())
    refuse((change("p1.b1", text, "one", ""), change("p1.b1", text, "three", "one three")), ())


def test_without_such_words_nothing_is_compared_again() -> None:
    def compared() -> Comparison:
        raise AssertionError

    refuse_moved(Comparison((WIDER,)), compared, ())
