from __future__ import annotations

from redraft.engine.pdf.plan_faults import faults
from redraft.engine.plan import (
    DeleteBlocks,
    DeletePages,
    EditPlan,
    FindReplace,
    FormatText,
    InsertBlocks,
    NewBlock,
    Operation,
    Redact,
    ReplaceText,
    SetField,
    SetLink,
    SetProperty,
)
from tests.engine.pdf.stream.streams import pdf

DATA = pdf(
    b"BT /F1 10 Tf 20 250 Td (The fee is due in May and in June.) Tj ET"
    b" BT /F1 10 Tf 20 200 Td (Terms apply.) Tj ET"
)


def found(*operations: Operation) -> list[tuple[int, str]]:
    plan = EditPlan("edit", "", operations)
    return [(fault.index, fault.code) for fault in faults(DATA, plan)]


def test_a_plan_that_fits_has_no_faults() -> None:
    assert not found(ReplaceText("p1.b1", "May", "July"), DeleteBlocks("p1.b2", "p1.b2"))


def test_each_operation_that_does_not_fit_is_named_with_its_reason() -> None:
    assert found(
        ReplaceText("p1.b1", "rent", "fee"),
        ReplaceText("p1.b1", "fee", "rent"),
        ReplaceText("p1.b1", "in", "on"),
        FindReplace("nowhere", "x"),
        InsertBlocks("p1.b1", "after", (NewBlock("heading1", "x"),)),
        DeleteBlocks("p1.b2", "p1.b1"),
        SetField("name", "x"),
        SetProperty("category", "x"),
    ) == [
        (0, "not_found"),
        (2, "ambiguous"),
        (3, "not_found"),
        (4, "unsupported_for_pdf"),
        (5, "not_found"),
        (6, "not_found"),
        (7, "unsupported_for_pdf"),
    ]


def test_operations_that_disturb_each_other_are_a_fault() -> None:
    twice = (ReplaceText("p1.b1", "in May", "soon"), ReplaceText("p1.b1", "May", "July"))
    assert found(*twice) == [(1, "invalid")]


def test_the_closest_passage_is_given_with_what_was_not_found() -> None:
    plan = EditPlan("edit", "", (ReplaceText("p1.b1", "due in April", "x"),))
    (fault,) = faults(DATA, plan)
    assert "The fee is due in May" in fault.message


def test_new_text_that_has_no_room_is_a_fault_of_its_operation() -> None:
    long = "Terms apply " + "to every delivery of the supplier " * 40
    plan = EditPlan(
        "edit", "", (ReplaceText("p1.b1", "May", "July"), ReplaceText("p1.b2", "Terms apply", long))
    )
    (fault,) = faults(DATA, plan)
    assert (fault.index, fault.code) == (1, "no_room")
    assert "shorten it by about" in fault.message


def test_new_words_looks_and_links_of_one_block_are_no_fault_tracked_or_not() -> None:
    operations = (
        ReplaceText("p1.b2", "apply", "hold"),
        FormatText("p1.b2", "Terms", "bold", "on"),
        SetLink("p1.b2", "Terms", "https://a.example/"),
    )
    plan = EditPlan("edit", "", operations)
    assert not faults(DATA, plan)
    assert not faults(DATA, plan, tracked=True)
    gone = (*operations[1:2], DeleteBlocks("p1.b2", "p1.b2"))
    assert found(*gone) == [(1, "invalid")]


def test_what_a_tracked_pdf_cannot_show_is_a_fault_there_alone() -> None:
    plan = EditPlan("edit", "", (ReplaceText("p1.b1", "May", "July"), Redact("June")))
    (fault,) = faults(DATA, plan, tracked=True)
    assert (fault.index, fault.code) == (1, "unsupported_for_pdf")
    assert "without tracked changes" in fault.message
    assert not faults(DATA, plan)
    away = EditPlan("edit", "", (DeletePages(1, 1), ReplaceText("p1.b1", "May", "July")))
    assert [f.message for f in faults(DATA, away, tracked=True)] == [
        "A PDF must keep at least one of its pages"
    ]
