"""What a plan means on a PDF whose text says already what is wanted."""

from __future__ import annotations

import pytest

from redraft.engine.pdf import reader
from redraft.engine.pdf.apply import apply
from redraft.engine.pdf.glyphs.target_blocks import targets
from redraft.engine.pdf.plan_faults import faults
from redraft.engine.plan import EditPlan, FindReplace, Operation, ReplaceText, SetProperty
from redraft.engine.report import Signature
from tests.engine.pdf.stream.streams import pdf

BY_ANN = Signature("u1", "Ann Lee", "2026-11-21T06:30:00Z", tracked=False)
NAMES = b"BT /F1 10 Tf 20 250 Td (ACME pays. ACME Corp asks.) Tj ET"
SAID = b"BT /F1 10 Tf 20 250 Td (The ACME Corp asks.) Tj ET"


@pytest.mark.parametrize(
    ("operation", "expected", "kept"),
    [
        (FindReplace("ACME", "ACME Corp"), "ACME Corp pays. ACME Corp asks.", True),
        (ReplaceText("p1.b1", "ACME", "ACME Corp"), "ACME Corp pays. ACME Corp asks.", True),
        (ReplaceText("p1.b1", "ACME", "ACME Corp", 2), "ACME pays. ACME Corp Corp asks.", False),
        (FindReplace("ACME", "ACME Corp", limit=-1), "ACME pays. ACME Corp Corp asks.", False),
    ],
)
def test_new_words_that_stand_already_are_not_written_twice(
    operation: Operation, expected: str, kept: bool
) -> None:
    plan = EditPlan("edit", "asked", (operation,))
    data, report = apply(pdf(NAMES), plan, BY_ANN)
    assert [each.text for each in targets(reader.read(data))] == [expected]
    said = "1 place says “ACME Corp” already and was left as it is"
    assert report.warnings == ((said,) if kept else ())


@pytest.mark.parametrize(
    "operation", [FindReplace("ACME", "ACME Corp"), ReplaceText("p1.b1", "ACME", "ACME Corp")]
)
def test_a_pdf_that_says_so_everywhere_stays_and_the_answer_says_why(operation: Operation) -> None:
    upload = pdf(SAID)
    plan = EditPlan("edit", "asked", (operation,))
    data, report = apply(upload, plan, BY_ANN)
    assert (data, report.applied) == (upload, False)
    assert report.warnings == ("1 place says “ACME Corp” already and was left as it is",)
    assert faults(upload, plan) == ()


@pytest.mark.parametrize(
    ("operations", "summary"),
    [
        ((SetProperty("title", "X"),), "The property title set"),
        (
            (ReplaceText("p1.b1", "asks", "pays"), SetProperty("title", "X")),
            "1 change on page 1, the property title set",
        ),
        (
            (SetProperty("author", "Ann"), SetProperty("title", "X")),
            "The properties author and title set",
        ),
    ],
)
def test_the_answer_names_the_properties_that_were_set(
    operations: tuple[Operation, ...], summary: str
) -> None:
    _, report = apply(pdf(SAID), EditPlan("edit", "asked", operations), BY_ANN)
    assert report.summary == summary
