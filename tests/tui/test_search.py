from __future__ import annotations

import pytest

from tui.runs import Line, Run
from tui.search import Hit, find, highlighted
from tui.wrap import wrap


def test_hits_are_found_without_regard_to_case_and_white_space() -> None:
    texts = ["The Supplier\nshall", "supplier SHALL and supplier  shall"]
    assert find(texts, "supplier shall") == (Hit(0, 0), Hit(1, 0), Hit(1, 1))


@pytest.mark.parametrize("query", ["", "   "])
def test_an_empty_query_finds_nothing(query: str) -> None:
    assert find(["text"], query) == ()


def marked(lines: list[Line], query: str, current: int) -> list[tuple[str, str]]:
    return [
        (run.text, run.role)
        for offset, line in enumerate(lines)
        for run in highlighted(line, offset, lines, query, current)
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
