"""Markdown of Word documents, rule by rule, and as a CommonMark parser reads it back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading.reader import read
from redraft.engine.markdown.document import write
from redraft.engine.model import Cell, Document, Mark, Paragraph, Row, Story, Table, Text
from tests.engine.markdown.markdown_rules import PAGE, RULES, Rule, page
from tests.engine.rendered import markdown_text, tree_text


def names(rule: Rule) -> str:
    return f"{rule.area}: {rule.name}"


@pytest.mark.parametrize("rule", RULES, ids=names)
def test_a_document_reads_as_its_rule_says(rule: Rule) -> None:
    assert rule.result == rule.markdown


@pytest.mark.parametrize(
    "rule", [r for r in RULES if r.view != "markup" and not r.include], ids=names
)
def test_a_parser_gives_back_the_text_of_the_document(rule: Rule) -> None:
    document = read(Package.open(rule.document), rule.view)
    assert markdown_text(rule.result) == tree_text(document)


def test_the_page_of_rules_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


PARSER = MarkdownIt("commonmark").enable(["strikethrough", "table"])
OPENING = {
    "strong_open": Mark.BOLD,
    "em_open": Mark.ITALIC,
    "s_open": Mark.STRIKE,
    "<strong>": Mark.BOLD,
    "<em>": Mark.ITALIC,
    "<del>": Mark.STRIKE,
    "<u>": Mark.UNDERLINE,
}
CLOSING = {
    "strong_close": Mark.BOLD,
    "em_close": Mark.ITALIC,
    "s_close": Mark.STRIKE,
    "</strong>": Mark.BOLD,
    "</em>": Mark.ITALIC,
    "</del>": Mark.STRIKE,
    "</u>": Mark.UNDERLINE,
}
Marked = list[tuple[str, int]]


def parsed(markdown: str) -> Marked:
    """The characters that are not blank, each with the marks that a parser sees on it."""
    found: Marked = []
    for token in PARSER.parse(markdown):
        marks = 0
        for child in token.children or ():
            name = child.content if child.type == "html_inline" else child.type
            marks |= int(OPENING.get(name, 0))
            marks &= ~int(CLOSING.get(name, 0))
            if child.type in ("text", "code_inline"):
                code = int(Mark.CODE) if child.type == "code_inline" else 0
                found += [(c, marks | code) for c in child.content if not c.isspace()]
    return found


def meant(pieces: list[tuple[str, int]]) -> Marked:
    return [(c, marks) for text, marks in pieces for c in text if not c.isspace()]


def joined(pieces: list[tuple[str, int]]) -> tuple[Text, ...]:
    """The pieces as the reader gives them: neighbours of equal marks are one text."""
    out: list[tuple[str, int]] = []
    for text, marks in pieces:
        if out and out[-1][1] == marks:
            out[-1] = (out[-1][0] + text, marks)
        else:
            out.append((text, marks))
    return tuple(Text(text, Mark(marks)) for text, marks in out)


SIGNS = st.text(alphabet="ab1 *_`~[]()<>&#\\-+.!|=$:^{}é（中 ", min_size=1, max_size=6)  # noqa: RUF001
FACES = st.sampled_from(
    [
        0,
        0,
        int(Mark.BOLD),
        int(Mark.ITALIC),
        int(Mark.BOLD | Mark.ITALIC),
        int(Mark.STRIKE),
        int(Mark.BOLD | Mark.UNDERLINE),
        int(Mark.CODE),
        int(Mark.CODE | Mark.ITALIC),
    ]
)
PIECES = st.lists(st.tuples(SIGNS, FACES), min_size=1, max_size=7)


@pytest.mark.thorough
@settings(max_examples=600, deadline=None)
@given(PIECES)
def test_a_parser_sees_every_character_with_its_marks(pieces: list[tuple[str, int]]) -> None:
    document = Document("docx", (Story("body", "", (Paragraph("p1", joined(pieces)),)),))
    assert parsed(write(document)) == meant(pieces)


@settings(max_examples=300, deadline=None)
@given(PIECES)
def test_the_same_holds_in_a_cell(pieces: list[tuple[str, int]]) -> None:
    cells = (
        Cell("t1.r1.c1", (Paragraph("t1.r1.c1.p1", joined(pieces)),)),
        Cell("t1.r1.c2", (Paragraph("t1.r1.c2.p1", (Text("x"),)),), column=1),
    )
    table = Table("t1", (Row("t1.r1", cells),), 2)
    document = Document("docx", (Story("body", "", (table,)),))
    assert parsed(write(document)) == [*meant(pieces), ("x", 0)]
