# Quotation marks of all kinds are what some of these sentences are about.
# ruff: noqa: RUF001
from __future__ import annotations

from dataclasses import replace
from functools import partial
from statistics import median

import pytest

from redraft.engine.errors import NotFoundError, NotUnderstoodError, RefusedError
from redraft.engine.interpreter.interpreter import interpret
from redraft.engine.model import Cell, Heading, ListItem, Paragraph, Row, Table, Text
from redraft.engine.plan import (
    BlockKind,
    DeleteBlocks,
    DeleteRow,
    FindReplace,
    InsertBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    RewriteBlock,
)
from tests.counting import calls
from tests.engine.interpreter.agreement import AGREEMENT, MANY, NO_BREAK


def operations(instruction: str, lookup: str | None = None) -> list[Operation]:
    plan = interpret(AGREEMENT, instruction, lookup)
    assert plan.decision == "edit"
    return list(plan.operations)


def everywhere(find: str, by: str, scope: str = "all", *, case: bool = True) -> FindReplace:
    return FindReplace(find, by, scope, match_case=case, whole_word=True)


def new(anchor: str, kind: BlockKind, *texts: str, before: bool = False) -> InsertBlocks:
    blocks = tuple(NewBlock(kind, text) for text in texts)
    return InsertBlocks(anchor, "before" if before else "after", blocks)


ONE: list[tuple[str, Operation]] = [
    # replacing everywhere
    ('Replace "ACME Corp" with "Globex GmbH" everywhere', everywhere("ACME Corp", "Globex GmbH")),
    (
        "replace 'colour' by 'color' throughout the document, matching case",
        everywhere("colour", "color"),
    ),
    ('replace "colour" with "color" everywhere', everywhere("colour", "color", case=False)),
    (
        'Replace "COLOUR" with "x" everywhere, ignoring case',
        everywhere("COLOUR", "x", case=False),
    ),
    ('Use "Supplier" instead of "Vendor" everywhere', everywhere("Vendor", "Supplier")),
    ('Instead of "Vendor" use "Supplier" everywhere', everywhere("Vendor", "Supplier")),
    ("replace all «ACME Corp» with «Société B»", everywhere("ACME Corp", "Société B")),
    (
        "Replace „Berlin“ with „Hamburg“ as whole words only",
        FindReplace("Berlin", "Hamburg", "all", True, True),
    ),
    ('substitute "shall" for "may" everywhere', everywhere("may", "shall", case=False)),
    ('substitute "may" with "shall" everywhere', everywhere("may", "shall", case=False)),
    ('swap "may" for "shall" everywhere', everywhere("may", "shall", case=False)),
    ('Correct "recieve" to "receive"', everywhere("recieve", "receive", case=False)),
    ('Change every "Mr Smith" to "Ms Jones"', everywhere("Mr Smith", "Ms Jones")),
    ('Change all occurrences of "Mr Smith" to "Ms Jones"', everywhere("Mr Smith", "Ms Jones")),
    ('"Mr Smith" -> "Ms Jones" everywhere', everywhere("Mr Smith", "Ms Jones")),
    ("“Berlin” → “Bonn”", everywhere("Berlin", "Bonn")),
    ("replace ``Berlin'' with ''Bonn''", everywhere("Berlin", "Bonn")),
    ("replace ‘Berlin’ with ‘Bonn’", everywhere("Berlin", "Bonn")),
    ("replace »Berlin« with ‚Bonn‘", everywhere("Berlin", "Bonn")),
    ('replace "ACME Corp\'s" with "my bank’s"', everywhere("ACME Corp's", "my bank’s")),
    # scopes
    ('Replace "Draft" with "Final" in the header', everywhere("Draft", "Final", "headers")),
    ('In the header, replace "Draft" with "Final"', everywhere("Draft", "Final", "headers")),
    ('Replace "Draft" in the header with "Final"', everywhere("Draft", "Final", "headers")),
    (
        'Replace "Delaware" with "Texas" in the row containing "Governing Law"',
        everywhere("Delaware", "Texas", "row:t1.r2"),
    ),
    ('replace "Berlin" with "Bonn" in table 2', everywhere("Berlin", "Bonn", "table:t2")),
    ('replace "Berlin" with "Bonn" in the second table', everywhere("Berlin", "Bonn", "table:t2")),
    (
        'Replace "annex" by "part" in the footnotes',
        everywhere("annex", "part", "notes", case=False),
    ),
    (
        'In the section "Scope" replace "fee" with "price"',
        everywhere("fee", "price", "section:p4", case=False),
    ),
    (
        'replace "Agreement" with "Contract" in the title',
        everywhere("Agreement", "Contract", "block:p1"),
    ),
    (
        'replace "ACME Corp" with "Globex" in the body',
        everywhere("ACME Corp", "Globex", "body"),
    ),
    (
        'replace "fees" with "dues" in the paragraph containing "draft"',
        everywhere("fees", "dues", "block:p5", case=False),
    ),
    # one place
    ('Please change "60 days" to "90 days".', ReplaceText("p11", "60 days", "90 days")),
    ("change '60 days' to '90 days', thanks!", ReplaceText("p11", "60 days", "90 days")),
    (
        'Change the date from "1 May 2026" to "15 June 2026"',
        ReplaceText("p3", "1 May 2026", "15 June 2026"),
    ),
    (
        "Could you change “Net 30” into “Net 45” in the section “Payment”?",
        ReplaceText("p9", "Net 30", "Net 45"),
    ),
    ('"Net 30" should read "Net 45"', ReplaceText("p9", "Net 30", "Net 45")),
    ('change "annex 3" to "annex 4" in the footnote', ReplaceText("fn1.p1", "annex 3", "annex 4")),
    ('Change the footnote "annex 3" to "annex 4"', ReplaceText("fn1.p1", "annex 3", "annex 4")),
    ('Replace "fee" with "charge" only the first one', ReplaceText("p5", "fee", "charge", 1)),
    ('Replace the second "Vendor" with "Buyer"', ReplaceText("p3", "Vendor", "Buyer", 2)),
    (
        'Replace "fee" with "charge", in parts of words too',
        FindReplace("fee", "charge"),
    ),
    (
        'Replace the last occurrence of "Delaware" with "Ohio".',
        ReplaceText("t1.r3.c2.p1", "Delaware", "Ohio"),
    ),
    ('replace the third "colour" with "hue"', ReplaceText("p14", "COLOUR", "HUE")),
    (
        'Change "Delaware" to "Ohio" in the cell in row "Revenue" and column "Q4"',
        ReplaceText("t1.r3.c2.p1", "Delaware", "Ohio"),
    ),
    # units
    ('Rename the heading "Scope" to "Scope of Work"', ReplaceText("p4", "Scope", "Scope of Work")),
    (
        "rename section “2. Payment” to “2. Deliverables”",
        ReplaceText("p8", "Payment", "Deliverables"),
    ),
    ('rename the heading "Termination" to "End"', ReplaceText("p10", "Termination", "End")),
    ('rename "3. Termination" to "4. End"', ReplaceText("p10", "3. Termination", "4. End")),
    ('Change the title to "Contract"', ReplaceText("p1", "Service Agreement", "Contract")),
    (
        'Set the cell "Week 3" to "Assessment design"',
        ReplaceText("t1.r3.c3.p1", "Week 3", "Assessment design"),
    ),
    (
        'Set the cell in the row "Governing Law" and the column "Notes" to "new"',
        RewriteBlock("t1.r2.c3.p1", "new"),
    ),
    ('set the header to "Final"', ReplaceText("h1.p1", "ACME Corp — Draft", "Final")),
    (
        'change footnote 1 to "See nothing."',
        ReplaceText("fn1.p1", "See annex 3 for calendar days.", "See nothing."),
    ),
    (
        'Replace the sentence that starts with "A party" with "It ends."',
        ReplaceText("p11", "A party may stop within 60 days.", "It ends."),
    ),
    (
        'replace the bullet "Emma Davis" with "Eve"',
        ReplaceText("p7", "Emma Davis", "Eve"),
    ),
    ("change Q4 revenue to $2.5M", ReplaceText("t1.r3.c2.p1", "Delaware", "$2.5M")),
    (
        "In the Item table, update Q4 revenue to $2.5M",
        ReplaceText("t1.r3.c2.p1", "Delaware", "$2.5M"),
    ),
    (
        "Update the Q4 revenue figure to $2.5M in the Item table",
        ReplaceText("t1.r3.c2.p1", "Delaware", "$2.5M"),
    ),
    (
        "Change the header company name from ACME Corp to Globex",
        ReplaceText("h1.p1", "ACME Corp", "Globex"),
    ),
    ('Change the header from "Draft" to "Final"', ReplaceText("h1.p1", "Draft", "Final")),
    ('set "Revenue Q4" to "9"', ReplaceText("t1.r3.c2.p1", "Delaware", "9")),
    # deleting
    ('delete the paragraph containing "Force majeure"', DeleteBlocks("p11", "p11")),
    ('delete the paragraph that starts with "This (draft)"', DeleteBlocks("p5", "p5")),
    (
        'Remove the sentence that starts with "In no event"',
        ReplaceText("p3", "In no event is the Vendor late. ", ""),
    ),
    ('Delete the section "Appendix B" and everything in it', DeleteBlocks("p12", "p14")),
    ('delete the "Payment" section', DeleteBlocks("p8", "t2")),
    ('Delete "(draft)" everywhere', ReplaceText("p5", "(draft) ", "")),
    ('get rid of the bullet point about "overtime"', DeleteBlocks("p6", "p6")),
    ('strike out the line that says "Emma Davis"', DeleteBlocks("p7", "p7")),
    ('Delete the word "very" everywhere', ReplaceText("p5", "very ", "")),
    ('remove the heading "Scope"', DeleteBlocks("p4", "p4")),
    ('delete "Location: Room 1"', DeleteBlocks("p13", "p13")),
    ("delete the first table", DeleteBlocks("t1", "t1")),
    ('delete "ACME Corp\'s bank"', ReplaceText("p9", " ACME Corp's bank", "")),
    (
        'delete the sentence containing "Weber"',
        ReplaceText("p11", " It tells Dr. Weber so.", ""),
    ),
    # inserting
    ('Insert "Dial-in: 5" after "Location: Room 1"', new("p13", "like_anchor", "Dial-in: 5")),
    (
        'Add the paragraph "New words." after the heading "Termination"',
        new("p10", "paragraph", "New words."),
    ),
    (
        'After the heading "Termination", add the paragraph "New words."',
        new("p10", "paragraph", "New words."),
    ),
    (
        'Add "Confidential" at the top of the document',
        new("p1", "paragraph", "Confidential", before=True),
    ),
    ('Append "End of document" at the end', new("p14", "like_anchor", "End of document")),
    (
        'insert the sentence "Hello." before "Force majeure"',
        ReplaceText("p11", "Force majeure", "Hello. Force majeure"),
    ),
    (
        'insert ", at noon" after "1 May 2026"',
        ReplaceText("p3", "1 May 2026", "1 May 2026, at noon"),
    ),
    ('add the bullet "Rest" after the bullet "Emma Davis"', new("p7", "like_anchor", "Rest")),
    ('add a bullet "Rest" after "Emma Davis"', new("p7", "like_anchor", "Rest")),
    (
        'add a section titled "Liability" after the section "Scope"',
        new("p7", "heading2", "Liability"),
    ),
    (
        'Insert the heading "Fees" before the heading "Payment"',
        new("p8", "heading1", "Fees", before=True),
    ),
    (
        'add a level 3 heading "Fees" after the paragraph containing "Room 1"',
        new("p13", "heading3", "Fees"),
    ),
    ('add the paragraph "A*b" at the end of the section "Scope"', new("p7", "paragraph", "A\\*b")),
    (
        'add "one\ntwo" after the paragraph containing "Room 1"',
        new("p13", "like_anchor", "one", "two"),
    ),
    ('add a section titled "X" after the Payment section', new("t2", "heading1", "X")),
    ('add a section titled "X" after Payment', new("t2", "heading1", "X")),
    ("add a section titled Risks after the Scope", new("p7", "heading2", "Risks")),
    ("add a section titled Risks after the Payment section", new("t2", "heading1", "Risks")),
    (
        "After the Payment section, add a section called Risks and issues",
        new("t2", "heading1", "Risks and issues"),
    ),
    ("add a section named Life After Work after Scope", new("p7", "heading2", "Life After Work")),
    ("add a heading headed Risks at the end", new("p14", "heading1", "Risks")),
    (
        'add the paragraph "X" after the section titled Payment',
        new("t2", "paragraph", "X"),
    ),
    # letters
    (
        'Put the title "service agreement" in upper case',
        ReplaceText("p1", "Service Agreement", "SERVICE AGREEMENT"),
    ),
    ("put the title in capitals", ReplaceText("p1", "Service Agreement", "SERVICE AGREEMENT")),
    ('uppercase "overtime"', ReplaceText("p6", "overtime", "OVERTIME")),
    ('change "Emma Davis" to lower case', ReplaceText("p7", "Emma Davis", "emma davis")),
    ('capitalise "force majeure"', ReplaceText("p11", "Force majeure", "Force Majeure")),
    # without quotes
    ("Change the time from 2:00 PM to 3:30 PM", ReplaceText("p3", "2:00 PM", "3:30 PM")),
    ("change the meeting from 2:00 PM to 3.30 p.m.", ReplaceText("p3", "2:00 PM", "3.30 p.m.")),
    ("replace Vendor with Supplier everywhere", everywhere("Vendor", "Supplier")),
    ("replace colour with color everywhere", everywhere("colour", "color", case=False)),
    ("delete the section Appendix B", DeleteBlocks("p12", "p14")),
    ("rename the heading Scope to Scope of Work", ReplaceText("p4", "Scope", "Scope of Work")),
    ("change $1,200 to $1,300", ReplaceText("p5", "$1,200", "$1,300")),
]


@pytest.mark.parametrize(("instruction", "operation"), ONE, ids=[case[0] for case in ONE])
def test_a_sentence_becomes_its_operation(instruction: str, operation: Operation) -> None:
    assert operations(instruction) == [operation]


@pytest.mark.parametrize(
    "instruction",
    [
        'Replace "Berlin" with "Bonn"; delete "Emma Davis"',
        'Replace "Berlin" with "Bonn" and delete "Emma Davis"',
        'Replace "Berlin" with "Bonn", then delete "Emma Davis".',
        'Replace "Berlin" with "Bonn". Delete "Emma Davis".',
        '- Replace "Berlin" with "Bonn"\n- and then delete "Emma Davis"',
    ],
)
def test_several_commands_share_one_plan(instruction: str) -> None:
    assert operations(instruction) == [everywhere("Berlin", "Bonn"), DeleteBlocks("p7", "p7")]


def test_a_verb_said_once_serves_two_pairs() -> None:
    found = operations('Replace "Berlin" with "Bonn" and "Mr Smith" with "Ms Jones" everywhere')
    assert found == [everywhere("Berlin", "Bonn"), everywhere("Mr Smith", "Ms Jones")]


def test_several_texts_are_deleted_with_their_blanks() -> None:
    assert operations('Delete "very" and "(draft)"') == [
        ReplaceText("p5", "very ", ""),
        ReplaceText("p5", "(draft) ", ""),
    ]


def test_a_new_section_may_bring_its_text() -> None:
    found = operations('Add a section called "L" after the section "Scope" with the text "None."')
    blocks = (NewBlock("heading2", "L"), NewBlock("paragraph", "None."))
    assert found == [InsertBlocks("p7", "after", blocks)]


def test_a_footer_said_twice_is_set_twice() -> None:
    plan = interpret(NO_BREAK, 'set the footer to "New"', None)
    assert plan.operations == (
        ReplaceText("f1.p1", "Old", "New"),
        ReplaceText("f2.p1", "Old", "New"),
    )


@pytest.mark.parametrize(
    "instruction",
    ["do not change anything", "Please don't change anything.", "nothing", "Leave it as it is."],
)
def test_asking_for_nothing_is_no_change(instruction: str) -> None:
    assert interpret(AGREEMENT, instruction, None).decision == "no_change"


def test_letters_that_are_right_already_are_no_change() -> None:
    assert interpret(AGREEMENT, 'uppercase "COLOUR"', None).decision == "no_change"


def test_replacing_keeps_the_letters_of_each_hit() -> None:
    assert operations('replace "colour" with "hue"', "Colour matters: COLOUR") == [
        ReplaceText("p14", "Colour", "Hue"),
        ReplaceText("p14", "COLOUR", "HUE"),
    ]


def test_words_of_the_person_are_taken_literally() -> None:
    found = operations('replace "Berlin" with "**B**⟦fn1⟧"')
    assert found == [everywhere("Berlin", "\\*\\*B\\*\\*\\⟦fn1\\⟧")]


def test_the_reason_says_how_it_was_read() -> None:
    plan = interpret(AGREEMENT, 'Replace "Berlin" with "Bonn" everywhere', None)
    assert plan.reason == "Replace “Berlin” with “Bonn” everywhere"


@pytest.mark.parametrize("name", ["Q4 revenue", "Q4 revenue figure", '"Revenue Q4"'])
def test_the_reason_names_the_cell_that_was_found_by_its_heads(name: str) -> None:
    plan = interpret(AGREEMENT, f"update {name} to $2.5M", None)
    assert plan.reason == "Set the cell Q4 / Revenue to “$2.5M”"


def test_words_that_stand_in_a_cell_are_said_to_be_replaced() -> None:
    plan = interpret(AGREEMENT, 'Change "Ryan Braun" to "Eve"', None)
    assert plan.reason == "Replace “Ryan Braun” with “Eve”"


@pytest.mark.parametrize(
    "instruction",
    [
        "add a section titled Risks and delete Berlin after Scope",
        "add a section titled Risks, with three bullets, after Scope",
        "add a section titled appropriately after Scope",
    ],
)
def test_a_name_without_quotes_takes_in_nothing_else(instruction: str) -> None:
    with pytest.raises(NotUnderstoodError):
        interpret(AGREEMENT, instruction, None)


def test_a_document_without_words_is_no_reason_to_fail() -> None:
    empty = replace(AGREEMENT, stories=(replace(AGREEMENT.body, blocks=()),))
    with pytest.raises(NotFoundError):
        interpret(empty, 'replace "a" with "b"', None)
    with pytest.raises(RefusedError):
        interpret(empty, 'add "a" at the end', None)


def test_a_paragraph_below_a_heading_of_numbered_clauses_is_a_clause() -> None:
    clause = ListItem("p2", 0, (Text("It ends."),), label="1.1", ordered=True)
    blocks = (Heading("p1", 1, (Text("Term"),), "1."), clause)
    contract = replace(AGREEMENT, stories=(replace(AGREEMENT.body, blocks=blocks),))
    plan = interpret(contract, 'add the paragraph "It begins." after the heading "Term"', None)
    assert plan.operations == (new("p2", "like_anchor", "It begins.", before=True),)
    plan = interpret(contract, 'add the paragraph "So." after the line "It ends."', None)
    assert plan.operations == (new("p2", "like_anchor", "So."),)


@pytest.mark.thorough
def test_reading_a_sentence_takes_little_work() -> None:
    for instruction, _ in ONE:  # what is made at the first sentence of a kind is kept
        interpret(AGREEMENT, instruction, None)
    work = [calls(partial(interpret, AGREEMENT, instruction, None)) for instruction, _ in ONE]
    assert median(work) < MANY / 10


def test_a_header_drawn_again_on_the_next_page_is_not_counted_as_a_row() -> None:
    def row(number: int, text: str, *, is_repeated: bool = False) -> Row:
        cell = Cell(f"t1.r{number}.c1", (Paragraph(f"t1.r{number}.c1.p1", (Text(text),)),))
        return Row(f"t1.r{number}", (cell,), is_repeated=is_repeated)

    rows = (row(1, "Item"), row(2, "Tea"), row(3, "Item", is_repeated=True), row(4, "Milk"))
    page = replace(AGREEMENT.body, blocks=(Table("t1", rows, 1),))
    plan = interpret(replace(AGREEMENT, stories=(page,)), "delete row 3 of table 1", None)
    assert plan.operations == (DeleteRow("t1.r4"),)
