"""Decisions on tracked changes as part of a plan, and untracked edits among tracked ones."""

from __future__ import annotations

import pytest

from redraft.engine.errors import NotFoundError, PlanError
from redraft.engine.plan import ReplaceText, SettleChange
from tests.engine.redlining import Draft
from tests.engine.wordml import dele, footnote, ins, note, p, r

BODY = (p("One"), p("two ", ins(r("theirs"), id=5), dele("gone", id=6)))


def test_a_change_of_another_author_is_accepted_when_all_else_is_written() -> None:
    draft = Draft.of(*BODY).edit(SettleChange("5", "accept"), ReplaceText("p1", "One", "1"))
    assert draft.redline == ["[-One-]{+1+}", "two theirsgone".replace("gone", "")]
    assert draft.report is not None
    assert draft.report.applied


def test_a_change_of_ours_is_rejected_by_its_id_in_the_list() -> None:
    draft = Draft.of(p("One")).edit(ReplaceText("p1", "One", "1"))
    back = draft.edit(SettleChange(draft.changes[0].id, "reject"))
    assert back.body == draft.body.replace(draft.body, Draft.of(p("One")).body)
    assert back.changes == ()


def test_a_change_that_is_not_there_or_decided_twice_is_an_error() -> None:
    draft = Draft.of(*BODY)
    with pytest.raises(NotFoundError, match="no change 99"):
        draft.edit(SettleChange("99", "accept"))
    with pytest.raises(PlanError, match="say which"):
        draft.edit(SettleChange("5", "accept"), SettleChange("5", "reject"))


def test_an_untracked_edit_leaves_the_marks_of_earlier_edits() -> None:
    draft = Draft.of(p("One"), p("two")).edit(ReplaceText("p1", "One", "1"))
    plain = draft.edit(ReplaceText("p2", "two", "2"), tracked=False)
    assert plain.redline == ["[-One-]{+1+}", "2"]
    assert plain.edit(ReplaceText("p1", "1", "One"), tracked=False).changes == ()


# Several decisions of one plan


def theirs() -> Draft:
    return Draft.of(
        p("one ", ins(r("two"), id=5), " three ", dele("four", id=6)), p(ins(r("five"), id=7))
    )


def test_changes_are_accepted_and_rejected_by_one_plan() -> None:
    draft = theirs().edit(SettleChange("5", "reject"), SettleChange("6", "accept"))
    assert draft.redline == ["one  three ", "<+five+>"]
    assert draft.report is not None
    assert [change.after for change in draft.report.rejected] == ["two"]
    assert [change.before for change in draft.report.accepted] == ["four"]


def test_a_change_that_goes_with_another_one_is_settled_with_it() -> None:
    struck = '<w:del w:id="5" w:author="Ann" w:date="2026-01-01T00:00:00Z">{}</w:del>'
    draft = Draft.of(
        p("kept", struck.format(note("2"))), p("x"), footnotes=footnote("2", p(ins(r("n"), id=16)))
    )
    for second in ("accept", "reject"):
        made = draft.edit(SettleChange("5", "accept"), SettleChange("16", second))
        assert made.redline == ["kept", "x"]
        assert made.changes == ()
        assert made.report is not None
        assert {c.id for c in (*made.report.accepted, *made.report.rejected)} == {"5", "16"}


def test_an_insertion_in_which_something_is_deleted_may_be_rejected_with_that_accepted() -> None:
    inner = r("a") + dele("b", id=9, author="Ben")
    draft = Draft.of(p("x ", ins(inner, id=8)))
    made = draft.edit(SettleChange("8", "reject"), SettleChange("9", "accept"))
    assert made.redline == ["x "]


def test_decisions_are_the_last_thing_a_plan_does() -> None:
    draft = theirs().edit(SettleChange("5", "accept"), ReplaceText("p1", "one", "1"))
    assert draft.redline[0] == "[-one-]{+1+} two three <-four->"
    assert draft.rejected["word/document.xml"][0].text.startswith("one two")
