from __future__ import annotations

import re
from pathlib import Path

import pytest

from redraft.engine.errors import NotUnderstoodError, RefusedError
from redraft.engine.interpreter.interpreter import interpret
from redraft.engine.model import Document, Paragraph, Story, Text
from redraft.engine.plan import (
    DeletePages,
    InsertPage,
    MovePages,
    Operation,
    PageOperation,
    Redact,
    ReplaceText,
    RotatePages,
    StampPages,
)

BODY = Story("body", "", (Paragraph("p1.b1", (Text("A secret is kept here."),)),))
FOOTER = Story("footer", "f1", (Paragraph("p1.f1", (Text("Old footer"),)),))
PDF = Document("pdf", (BODY,))
WITH_FOOTER = Document("pdf", (BODY, FOOTER))
WORD = Document("docx", (BODY,))

SENTENCES: list[tuple[str, tuple[PageOperation, ...]]] = [
    ("delete page 3", (DeletePages(3, 3),)),
    ("Delete pages 2-4.", (DeletePages(2, 4),)),
    ("remove pages 2 to 4", (DeletePages(2, 4),)),
    ("delete pages 2 and 4", (DeletePages(2, 2), DeletePages(4, 4))),
    ("delete the last page", (DeletePages(-1, -1),)),
    ("move page 5 before page 2", (MovePages(5, 5, 2, "before"),)),
    ("move pages 2-3 after the last page", (MovePages(2, 3, -1, "after"),)),
    ("rotate page 2 by 90 degrees", (RotatePages(2, 2, 90),)),
    ("rotate page 2 by 90\u00b0", (RotatePages(2, 2, 90),)),
    ("rotate page 2 by 90 degrees counterclockwise", (RotatePages(2, 2, -90),)),
    ("insert a blank page after page 3", (InsertPage(3, "after"),)),
    ('redact "secret" everywhere', (Redact("secret"),)),
    ('black out "secret"', (Redact("secret"),)),
    ('redact "secret" and "kept"', (Redact("secret"), Redact("kept"))),
    ('add the watermark "DRAFT"', (StampPages("watermark", "DRAFT"),)),
    ("add page numbers", (StampPages("page_numbers"),)),
    ('set the footer to "Hi"', (StampPages("footer", "Hi"),)),
    ('add the header "Hi"', (StampPages("header", "Hi"),)),
    ("delete page 1 and add page numbers", (DeletePages(1, 1), StampPages("page_numbers"))),
    ("L\u00f6sche Seite 3", (DeletePages(3, 3),)),
    ("Seiten 2 bis 4 l\u00f6schen", (DeletePages(2, 4),)),
    ("Verschiebe Seite 5 vor Seite 2", (MovePages(5, 5, 2, "before"),)),
    ("Drehe Seite 2 um 90 Grad", (RotatePages(2, 2, 90),)),
    ("F\u00fcge nach Seite 3 eine leere Seite ein", (InsertPage(3, "after"),)),
    ("Schw\u00e4rze \u201esecret\u201c", (Redact("secret"),)),
    ("F\u00fcge Seitenzahlen hinzu", (StampPages("page_numbers"),)),
    ("F\u00fcge das Wasserzeichen \u201eX\u201c hinzu", (StampPages("watermark", "X"),)),
    ("supprime la page 3", (DeletePages(3, 3),)),
    ("supprime les pages 2 \u00e0 4", (DeletePages(2, 4),)),
    ("caviarde \u00ab secret \u00bb", (Redact("secret"),)),
    ("ajoute des num\u00e9ros de page", (StampPages("page_numbers"),)),
    ("elimina la p\u00e1gina 3", (DeletePages(3, 3),)),
    ("elimina las p\u00e1ginas 2 a 4", (DeletePages(2, 4),)),
    ('tacha "secret"', (Redact("secret"),)),
    ("a\u00f1ade n\u00fameros de p\u00e1gina", (StampPages("page_numbers"),)),
]


@pytest.mark.parametrize(("sentence", "meant"), SENTENCES, ids=[each for each, _ in SENTENCES])
def test_a_sentence_about_pages_becomes_its_plan(
    sentence: str, meant: tuple[Operation, ...]
) -> None:
    assert interpret(PDF, sentence, None).operations == meant


def test_a_footer_that_is_there_gets_the_words() -> None:
    plan = interpret(WITH_FOOTER, 'set the footer to "New one"', None)
    assert plan.operations == (ReplaceText("p1.f1", "Old footer", "New one"),)


@pytest.mark.parametrize(
    "sentence", ["delete page 3", "add page numbers", 'redact "secret"', 'add a watermark "X"']
)
def test_a_word_document_has_no_pages(sentence: str) -> None:
    with pytest.raises(RefusedError, match="edits of a PDF"):
        interpret(WORD, sentence, None)


def test_a_redaction_is_never_limited_nor_repeated_in_the_reason() -> None:
    with pytest.raises(RefusedError, match="cannot be limited"):
        interpret(PDF, 'redact "secret" in the paragraph containing "kept"', None)
    assert "secret" not in interpret(PDF, 'redact "secret"', None).reason


@pytest.mark.parametrize("sentence", ["delete page", "move page 3", "rotate", "redact"])
def test_half_a_sentence_is_not_guessed_at(sentence: str) -> None:
    with pytest.raises((NotUnderstoodError, RefusedError)):
        interpret(PDF, sentence, None)


PAGE = (Path(__file__).parents[3] / "docs" / "instructions.md").read_text("utf-8")
EXAMPLES = re.findall(r"^- `(.+)`$", PAGE.partition("## Pages of a PDF")[2], re.MULTILINE)


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_page_of_sentences_is_true_for_a_pdf(example: str) -> None:
    assert interpret(PDF, example, None).decision == "edit"
    assert len(EXAMPLES) > 7
