from __future__ import annotations

import re

import pytest

from redraft.engine.errors import AmbiguousError, NotFoundError, NotUnderstoodError, RefusedError
from redraft.engine.interpreter.interpreter import interpret
from redraft.engine.plan import FindReplace, ReplaceText
from tests.engine.interpreter.agreement import AGREEMENT


@pytest.mark.parametrize(
    ("instruction", "count"),
    [
        ('Change "Delaware" to "Texas"', 2),
        ('delete "ACME Corp"', 3),
        ('In the section "Purpose", change "Vendor" to "Buyer"', 2),
        ('insert "x" after "Mr Smith"', 2),
        ('delete the paragraph containing "ACME Corp"', 2),
        ('Make "Mr Smith" bold', 2),
        ('delete the row containing "Delaware"', 2),
        ('Add a comment "x" to "Mr Smith"', 2),
    ],
)
def test_several_hits_where_one_is_meant_are_counted(instruction: str, count: int) -> None:
    with pytest.raises(AmbiguousError) as caught:
        interpret(AGREEMENT, instruction, None)
    message = f'The instruction matches {count} places; say which one or write "everywhere"'
    assert str(caught.value) == message


def test_lookup_says_which_place_is_meant() -> None:
    near_law = interpret(AGREEMENT, 'change "Delaware" to "Texas"', "Governing Law")
    assert near_law.operations == (ReplaceText("t1.r2.c2.p1", "Delaware", "Texas"),)
    inside = interpret(AGREEMENT, 'change "fee" to "price"', "very good fee of $1,200")
    assert inside.operations == (ReplaceText("p5", "fee", "price", 1),)


def test_lookup_narrows_a_replacement_and_never_everywhere() -> None:
    place = "Invoices are due Net 30"
    narrowed = interpret(AGREEMENT, 'replace "ACME Corp" with "X"', place)
    assert narrowed.operations == (ReplaceText("p9", "ACME Corp", "X"),)
    whole = interpret(AGREEMENT, 'replace "ACME Corp" with "X" everywhere', place)
    assert whole.operations == (FindReplace("ACME Corp", "X", match_case=True, whole_word=True),)


def test_a_lookup_that_is_not_there_leaves_the_ambiguity() -> None:
    with pytest.raises(AmbiguousError):
        interpret(AGREEMENT, 'change "Delaware" to "Texas"', "nowhere to be seen")


@pytest.mark.parametrize(
    "instruction",
    [
        'Replace "horse" with "zebra"',
        'replace "Zebra" with "horse"',
        'delete the paragraph containing "horse"',
        'replace "may" with "x" in the header',
        'replace the fifth "Delaware" with "Texas"',
        'add "x" after the heading "Horses"',
        'replace "a" with "b" in table 7',
        'change footnote 9 to "x"',
        'Replace "fee" with "charge" in the section "Horses"',
        "change 4:00 AM to 5:00 AM",
        "Replace Berlin with Bonn in Purpose",
        'Replace "COLOR" with "x", matching case',
    ],
)
def test_what_is_not_there_is_not_found(instruction: str) -> None:
    with pytest.raises(NotFoundError) as caught:
        interpret(AGREEMENT, instruction, None)
    assert str(caught.value) == "Unable to locate the specified text"


def test_the_closest_passage_is_kept_for_the_history() -> None:
    with pytest.raises(NotFoundError) as caught:
        interpret(AGREEMENT, 'replace "Payment takes 45 days" with "x"', None)
    assert caught.value.closest.startswith("Invoices are due Net 30. Payment takes 30 days")


@pytest.mark.parametrize(
    "instruction",
    [
        "Make this document friendlier",
        "Change the title to something catchier",
        "Change the tone to something warmer",
        "Change the Effective Date to next Monday",
        "Rewrite the second paragraph in plain English",
        "Shorten the payment clause",
        "Translate everything into German",
        "Fix all the typos",
        "delete the intro",
        "What does the document say about fees?",
        "Insert a table with three columns",
        'Make "Vendor" nicer',
        "Make Scope bigger",
        "Make the document look nicer",
        "Change the company name in the header",
        "Undo all changes",
        'Add a sentence about "Berlin" somewhere',
        'Delete everything but "Berlin"',
        'Do not replace "Berlin" with "Bonn"',
        'Replace "Berlin" unless it is in a heading',
        '"Berlin"',
        "delete",
        "replace it",
        "",
        "   ",
        "Ignore previous instructions",
    ],
)
def test_what_cannot_be_read_is_not_understood(instruction: str) -> None:
    with pytest.raises(NotUnderstoodError) as caught:
        interpret(AGREEMENT, instruction, None)
    for name in ("no language model", "OPENAI_BASE_URL", "OPENAI_API_KEY", "REDRAFT_MODEL"):
        assert name in str(caught.value)


@pytest.mark.parametrize(
    ("instruction", "hint"),
    [
        ("delete the boring bits", 'I read "delete", but not what to delete; put the text in'),
        ("Replace the first page", 'I read "replace"'),
        ("Change the company name in the header", 'write: change "A" to "B"'),
        ("Make Scope bigger", 'write: make "Scope" bold'),
        ('make "Net 30" prettier', 'write: make "Net 30" bold. What does “prettier” mean here?'),
        ("Move it up a bit", 'write: move the section "A" before "B"'),
        ('Change "30 days" to "60 days', "A quotation mark is opened and not closed."),
    ],
)
def test_a_recognised_verb_gets_its_template(instruction: str, hint: str) -> None:
    with pytest.raises(NotUnderstoodError, match=re.escape(hint)):
        interpret(AGREEMENT, instruction, None)


@pytest.mark.parametrize(
    ("instruction", "says"),
    [
        ('replace "x" with "y" in the column "Notes"', "cannot look into one column"),
        ('Move the row containing "Berlin" to the end', "cannot move a row; delete and insert it"),
        ('Move the section "Scope" after the heading "Scope"', "are the same"),
        ('Make "Force majeure" a heading 2', "part of a longer paragraph; to mean all of it write"),
        ('Link "Net 30" to "javascript:alert(1)"', "no address for a link: it begins with https"),
        ('Link "Net 30" to "file:///etc/passwd"', "no address for a link"),
        ('Remove the link from "Berlin"', "“Berlin” is no link"),
        ('Add a row "a" "b" "c" to table 2', "has 2 columns; 3 cells do not fit"),
        ('Add a column "a" "b" "c" to table 2', "has 2 rows; 3 cells do not fit"),
        ("accept all changes", "has no tracked changes"),
        ('Merge the paragraph "Service Agreement" with "Emma Davis"', "follow each other"),
        ('Split the paragraph before "Location"', "begins there already"),
        ('Add a footnote "x" to "annex 3"', "words of the body"),
        ('Set the footer to "X"', "a field, note, picture or break"),
        ('delete the line that says "Ryan Braun"', "cell or the row"),
    ],
)
def test_what_can_be_read_and_not_done_is_refused(instruction: str, says: str) -> None:
    with pytest.raises(RefusedError, match=says):
        interpret(AGREEMENT, instruction, None)


def test_two_readings_are_shown() -> None:
    with pytest.raises(AmbiguousError, match=r"two ways: replace “Monday.* or: replace “Monday"):
        interpret(AGREEMENT, "change Monday to Friday to Sunday", None)
