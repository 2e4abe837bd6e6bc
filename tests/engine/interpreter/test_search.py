"""How often a line is gone through to find what an instruction quotes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.interpreter import search
from engine.interpreter.interpreter import interpret
from engine.locate import occurrences
from engine.plan import FindReplace
from tests.engine.interpreter.agreement import AGREEMENT, paragraph


def test_a_line_is_not_searched_again_for_every_hit_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[str] = []

    def counted(text: str, quote: str, *, match_case: bool, whole_word: bool) -> object:
        searched.append(text)
        return occurrences(text, quote, match_case=match_case, whole_word=whole_word)

    monkeypatch.setattr(search, "occurrences", counted)
    blocks = (paragraph("p1", "A fee is a fee. " * 50),)
    long = replace(AGREEMENT, stories=(replace(AGREEMENT.body, blocks=blocks),))
    plan = interpret(long, 'replace "fee" with "price" everywhere', None)
    assert plan.operations == (FindReplace("fee", "price", "all", False),)
    assert 0 < len(searched) <= 6
