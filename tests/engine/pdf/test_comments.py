"""Notes of a PDF: their words, authors, answers and states."""

from __future__ import annotations

from typing import Any

from redraft.engine.pdf.comments import comments
from tests.engine.pdf.paper import paper


def test_notes_are_listed_with_their_words_answers_and_state() -> None:
    sheet = paper().lines(72, 100, "The notice period is 30 days.")
    page: Any = sheet.pages[0]
    highlight = page.add_highlight_annot(page.search_for("30 days")[0])
    highlight.set_info(title="Ann", content="Too long?", modDate="D:20260102030405Z")
    highlight.update()
    answer = page.add_text_annot((200, 100), "Yes, 45.")
    answer.set_info(title="Bo")
    state = page.add_text_annot((200, 100), "Completed set by Bo")
    document: Any = sheet.document
    for one in (answer, state):
        document.xref_set_key(one.xref, "IRT", f"{highlight.xref} 0 R")
    document.xref_set_key(state.xref, "State", "(Completed)")
    document.xref_set_key(state.xref, "StateModel", "(Review)")
    page.add_highlight_annot(page.search_for("notice")[0])  # says nothing
    first, second = comments(sheet.data())
    assert (first.author, first.text, first.words) == ("Ann", "Too long?", "30 days")
    assert (first.date, first.resolved, first.parent) == ("2026-01-02T03:04:05Z", True, "")
    assert (second.author, second.text, second.parent) == ("Bo", "Yes, 45.", first.id)
    assert not second.resolved
