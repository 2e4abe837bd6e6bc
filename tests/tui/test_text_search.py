from __future__ import annotations

import pytest

from redraft.tui.text.runs import Line, Run, text_of
from redraft.tui.text.text_search import Hit, Marked, find
from redraft.tui.text.wrap import wrap


def test_hits_are_found_without_regard_to_case_and_white_space() -> None:
    texts = ["The Supplier\nshall", "supplier SHALL and supplier  shall"]
    wanted = "supplier shall"
    assert find(texts, wanted) == (Hit(0, 0, wanted), Hit(1, 0, wanted), Hit(1, 1, wanted))


@pytest.mark.parametrize("query", ["", "   "])
def test_an_empty_query_finds_nothing(query: str) -> None:
    assert find(["text"], query) == ()


def marked(lines: list[Line], query: str, current: int) -> list[tuple[str, str]]:
    hits = find([" ".join(text_of(line) for line in lines)], query)
    marks = Marked(lines, [hit.words for hit in hits], current)
    return [
        (run.text, run.role)
        for offset, line in enumerate(lines)
        for run in marks.coloured(line, offset)
        if run.role != "text"
    ]


def test_a_hit_is_marked_also_where_it_is_wrapped() -> None:
    lines = wrap([Run("pay within thirty days of receipt")], 17)
    assert marked(lines, "thirty days", 0) == [("thirty", "current"), ("days", "current")]


def test_only_one_hit_is_the_current_one() -> None:
    lines = wrap([Run("fee and fee and fee")], 40)
    assert marked(lines, "fee", 1) == [("fee", "match"), ("fee", "current"), ("fee", "match")]


def test_a_hit_may_cross_runs() -> None:
    lines: list[Line] = [(Run("Sup"), Run("pli", "text", 1), Run("er"))]
    assert marked(lines, "supplier", -1) == [("Sup", "match"), ("pli", "match"), ("er", "match")]


def test_words_apart_are_not_marked_where_they_stand_together() -> None:
    lines = wrap([Run("a visa is a paper")], 40)
    assert marked(lines, "is a", 0) == [("is a", "current")]


def test_a_long_word_is_marked_where_it_is_broken() -> None:
    lines = wrap([Run("see abcdefghijklmnop")], 10)
    assert len(lines) > 1
    hits = Marked(lines, ["abcdefghijklmnop"], -1)
    shown = [run for at, line in enumerate(lines) for run in hits.coloured(line, at)]
    assert "".join(run.text for run in shown if run.role == "match") == "abcdefghijklmnop"


def test_hits_of_different_words_are_marked_in_their_order() -> None:
    lines = wrap([Run("45 days or 30 days")], 40)
    hits = Marked(lines, ["45 days", "30 days"], 1)
    roles = [(run.text, run.role) for run in hits.coloured(lines[0], 0)]
    assert roles == [("45 days", "match"), (" or ", "text"), ("30 days", "current")]
