"""Where changed words do not pass the checks, the paragraph is struck and written anew."""

from __future__ import annotations

from typing import Any

import pytest

from redraft.engine.docx import apply as docx_apply
from redraft.engine.docx import whole_paragraphs
from redraft.engine.docx.apply import initial_state
from redraft.engine.errors import VerificationError
from redraft.engine.plan import (
    EditPlan,
    FormatText,
    InsertBlocks,
    MoveBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    RewriteBlock,
)
from redraft.engine.report import EditReport, Signature
from tests.engine.redlining import DATE, US, Draft, runs
from tests.engine.wordml import docx, field, listed, p, r, table

BODY = (
    p("The ", r("fee", "<w:b/>"), " is EUR 40 a day.")
    + listed("It ends.")
    + p("A", field("PAGE", "7"))
)


@pytest.fixture(autouse=True)
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes every change of single words break a law, as the judge sees it."""
    judge = docx_apply.judge

    def strict(before: Any, plan: EditPlan, after: Any) -> None:
        if any(isinstance(one, ReplaceText | RewriteBlock) for one in plan.operations):
            message = "law 2 is broken in word/document.xml"
            raise VerificationError(message)
        judge(before, plan, after)

    monkeypatch.setattr(docx_apply, "judge", strict)


def edited(*operations: Operation) -> tuple[Draft, EditReport]:
    data = docx(BODY)
    plan = EditPlan("edit", "as asked", operations)
    state = initial_state(data)
    after, report = whole_paragraphs.edit(
        data, state, plan, Signature("e1", US, DATE, tracked=True)
    )
    return Draft(after, report.state, data, report), report


def test_a_paragraph_is_struck_and_written_in_full() -> None:
    draft, report = edited(ReplaceText("p1", "fee", "price"), ReplaceText("p1", "40", "50"))
    assert draft.accepted == ["The price is EUR 50 a day.", "It ends.", "A7"]
    assert draft.rejected == draft.original
    assert draft.redline[0].startswith("[-The fee is EUR 40 a day.")
    assert ("price", "b,bCs") in runs(draft.data)
    assert report.warnings == (whole_paragraphs.TOLD,)
    assert "law" not in report.warnings[0]
    assert report.failed_check == "law 2 is broken in word/document.xml"


def test_a_list_item_stays_one_and_other_operations_are_carried_out_beside_it() -> None:
    draft, _ = edited(
        RewriteBlock("p2", "It *never* ends."), FormatText("p1", "40", "italic", "on")
    )
    assert draft.accepted[1] == "It never ends."
    assert ("never", "i,iCs") in runs(draft.data)
    assert ("40", "i,iCs,rPrChange") in runs(draft.data)
    assert draft.body.count("<w:numId") == 2
    assert draft.rejected == draft.original


def test_where_that_does_not_pass_either_the_first_failure_is_told() -> None:
    with pytest.raises(VerificationError, match="law 2"):
        edited(ReplaceText("p3", "A", "B"))


def test_what_fails_when_folded_is_made_beside_what_was_deleted() -> None:
    draft = Draft.of(p("World"), table(["cell"]), p())
    draft = draft.edit(InsertBlocks("p2", "after", (NewBlock("paragraph", "Signed"),)))
    plan = EditPlan("edit", "as asked", (MoveBlocks("t1", "t1", "p3", "after"),))
    signature = Signature("e2", US, DATE, tracked=True)
    with pytest.raises(VerificationError):
        docx_apply.apply(draft.data, draft.state, plan, signature)
    data, report = whole_paragraphs.edit(draft.data, draft.state, plan, signature)
    moved = Draft(data, report.state, draft.upload, report)
    assert moved.accepted == ["World", "Signed", "cell"]
    assert moved.rejected == draft.original
    assert report.failed_check.startswith("law 2 is broken")
    assert whole_paragraphs.TOLD not in report.warnings
