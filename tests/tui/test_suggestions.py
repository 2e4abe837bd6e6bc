"""Sentences that the built-in interpreter understands are offered, and it does understand them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from docx import Document
from textual import events

from redraft import command_line
from redraft.tui.panes.suggestions import TEMPLATES, rest_of_number, rest_of_quote, suggestion
from tests.tui.program import Program
from tests.tui.standin import Service


@pytest.mark.parametrize(
    ("typed", "rest"),
    [
        ("", ""),
        ("R", ""),
        ("Re", 'place "…" with "…"'),
        ("rep", 'lace "…" with "…"'),
        ('Replace "', ""),
        ('Replace "30 days', ""),
        ('Replace "30 days"', ' with "…"'),
        ('Replace "30 days" w', 'ith "…"'),
        ('Replace "30 days" with "45 days" ', "everywhere"),
        ("ren", 'ame the heading "…" to "…"'),
        ("delete the p", 'aragraph containing "…"'),
        ("xyz", ""),
    ],
)
def test_what_may_follow_is_offered(typed: str, rest: str) -> None:
    assert suggestion(typed) == rest


@pytest.mark.parametrize(
    ("typed", "rest"),
    [
        ("delete clause 7.", "2"),
        ("delete clause 7.2", ""),
        ("in section 7.2(", "a)"),
        ("in § 1", "0"),
        ("in clause 9", ""),
        ("pay 7.", ""),
        ('replace "clause 7.', ""),
    ],
)
def test_the_number_of_a_clause_is_completed(typed: str, rest: str) -> None:
    assert rest_of_number(typed, ["7.2", "7.2(a)", "10", "11"]) == rest


async def test_the_numbers_are_those_of_the_document(
    service: Service, program: Callable[..., Program]
) -> None:
    service.add()
    async with program().running() as redraft:
        assert redraft.main.prompt.numbers() == ["1.1", "1.2", "1.2(a)", "1.2(b)", "1", "4", "7"]
        await redraft.type("delete clause 1.2(")
        await redraft.press("right")
        assert redraft.main.prompt.text == "delete clause 1.2(a)"


async def test_right_takes_the_suggestion_up_to_the_next_quote(
    service: Service, program: Callable[..., Program]
) -> None:
    service.add()
    async with program().running() as redraft:
        prompt = redraft.main.prompt
        await redraft.type("rep")
        assert prompt.suggestion == 'lace "…" with "…"'
        await redraft.press("right")
        assert prompt.text == 'replace "'
        await redraft.type('30 days"')
        await redraft.press("right")
        await redraft.type('45 days"')
        await redraft.press("enter")
        assert "applied" in redraft.status


@pytest.mark.parametrize(
    ("typed", "rest"),
    [
        ('delete "The Supp', "lier"),
        ('delete "The Supplier', " shall"),
        ('replace "Client" with "the cl', ""),
        ('delete "Cl', ""),  # too little to mean anything
        ("delete The Supp", ""),  # no quote is open
        ('delete "lient', ""),  # in the middle of a word
        ('delete "30 d', "ays"),
        ('delete "a (b', "]c"),
    ],
)
def test_the_words_of_an_open_quote_go_on_as_in_the_document(typed: str, rest: str) -> None:
    text = "The Supplier shall pay the Client within 30 days. See a (b]c"
    assert rest_of_quote(typed, text) == rest


async def test_quoted_words_are_completed_from_the_document(
    service: Service, program: Callable[..., Program]
) -> None:
    service.add()
    async with program().running() as redraft:
        await redraft.type('delete "three y')
        await redraft.press("right")
        assert redraft.main.prompt.text == 'delete "three years'


async def test_keys_that_arrive_all_at_once_act_in_their_order(
    service: Service, program: Callable[..., Program]
) -> None:
    service.add()
    async with program().running() as redraft:
        for key in ("r", "e", "x", "backspace", "p", "right", "a", "left", "b"):
            character = key if len(key) == 1 else None
            redraft.app.post_message(events.Key(key, character))
        await redraft.settle()
        assert redraft.main.prompt.text == 'replace "ba'


FILLED = {
    'Replace "…" with "…"': ("alpha", "omega"),
    'Replace "…" with "…" everywhere': ("beta", "omega"),
    'Change "…" to "…" in the section "…"': ("beta", "omega", "Term"),
    'Insert "…" after "…"': ("omega", "alpha"),
    'Insert "…" before "…"': ("omega", "alpha"),
    'Delete "…"': ("alpha",),
    'Delete the paragraph containing "…"': ("alpha",),
    'Delete the section "…"': ("Term",),
    'Add the paragraph "…" after the heading "…"': ("Omega.", "Term"),
    'Rename the heading "…" to "…"': ("Term", "Duration"),
    'Make "…" bold': ("alpha",),
    'Make "…" italic': ("alpha",),
}


@pytest.mark.parametrize("template", TEMPLATES)
def test_the_interpreter_does_every_sentence_that_is_offered(template: str, tmp_path: Path) -> None:
    document = Document()
    for heading, text in (("Scope", "The alpha and the beta."), ("Term", "Gamma and beta.")):
        document.add_heading(heading, level=1)
        document.add_paragraph(text)
    path = tmp_path / "given.docx"
    document.save(str(path))
    sentence = template
    for words in FILLED[template]:
        sentence = sentence.replace("…", words, 1)
    out = tmp_path / "out.docx"
    assert (
        command_line.main(["edit", str(path), sentence, "-o", str(out), "--author", "Ann Lee"]) == 0
    )
    assert out.exists()
