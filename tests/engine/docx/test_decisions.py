"""Decisions on tracked changes as part of a plan, and untracked edits among tracked ones."""

from __future__ import annotations

import pytest

from engine.errors import NotFoundError, PlanError
from engine.plan import ReplaceText, SettleChange
from tests.engine.redlining import Draft
from tests.engine.wordml import dele, ins, p, r

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
