from __future__ import annotations

import pytest

from redraft.engine.pdf.glyphs.target_blocks import targets
from redraft.engine.pdf.reader import read
from redraft.engine.plan import ReplaceText
from tests.engine.pdf.paper import paper
from tests.engine.pdf.stream.streams import pdf
from tests.engine.pdf.test_apply import edited, texts

RAGGED = (
    "The assistant is one of the programs that are called",
    "conversational, and people ask it about their chat-",
    "optimized devices, about prices and about the terms of the",
    "manufacturer, as long as they like and for nothing.",
)
FULL = (
    "The supplier delivers the forecast before five in the mor-",
    "ning of every single day that is no holiday, at which re-",
    "ception of it is confirmed, and the customer is told at on-",
    "ce when that cannot be done.",
)


def drawn(lines: tuple[str, ...]) -> bytes:
    return paper().lines(72, 100, *lines).data()


def test_a_hyphen_stays_in_a_document_that_leaves_lines_short_rather_than_break_words() -> None:
    (text,) = texts(drawn(RAGGED))
    assert "their chat-optimized devices" in text


def test_an_edit_before_such_a_hyphen_keeps_it_wherever_the_line_now_ends() -> None:
    data, _ = edited(drawn(RAGGED), ReplaceText("p1.b1", "about their", "with regard to their"))
    assert "with regard to their chat-optimized devices" in texts(data)[0]


def test_hyphens_go_where_the_lines_of_a_document_are_filled_by_them() -> None:
    (text,) = texts(drawn(FULL))
    assert "in the morning of" in text
    assert "at which reception of" in text
    assert "told at once when" in text


@pytest.mark.parametrize(
    ("more", "whole"),
    [
        ("Any single-page summary of a long document is long.", "single-document summaries"),
        ("Any summary of a page is long.", "singledocument summaries"),
    ],
)
def test_where_words_are_broken_a_compound_is_known_by_others_like_it(
    more: str, whole: str
) -> None:
    page = paper().lines(72, 100, *FULL)
    page.lines(
        72, 200, "What follows is about the making of very many single-", "document summaries."
    )
    assert texts(page.text(72, 300, more).data())[1].endswith(f"{whole}.")


def test_words_cut_by_line_ends_are_no_words_of_the_document() -> None:
    stream = (
        b"BT /F1 10 Tf 12 TL 20 250 Td (The chat of all of them is long and chat-) Tj"
        b" (optimized devices have a chat-) ' (optimized button for the chat) ' ET"
    )
    (target,) = targets(read(pdf(stream)))
    assert target.text.count("chat-optimized") == 2
