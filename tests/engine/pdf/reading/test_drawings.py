"""Rules and pictures of a page: what they are, and which pages are asked for their paths."""

from __future__ import annotations

from typing import Any

import pytest

from redraft.engine.pdf.page_layouts import load
from tests.engine.pdf.paper import paper

QUICK, SLOW = 0, 1
HEIGHT = 842


def rules(content: str) -> list[tuple[float, ...]]:
    """Give the rules that a content stream draws, rounded to a tenth of a point."""
    drawn = paper().text(72, 700, "words")
    (number,) = drawn.pages[0].get_contents()
    drawn.document.update_stream(number, content.encode())
    found = load(drawn.data()).pages[0].rules
    return [tuple(round(side, 1) for side in (r.x0, r.y0, r.x1, r.y1)) for r in found]


@pytest.mark.parametrize(
    ("content", "expected", "asked"),
    [
        ("2 w 10 742 m 200 742 l S", [(10, 100, 200, 100)], QUICK),
        ("0 w 10 742 m 200 742 l S", [(10, 100, 200, 100)], QUICK),
        ("1 w 10 742 m 10 642 l S", [(10, 100, 10, 200)], QUICK),
        ("[3 2] 0 d 1 w 10 742 m 200 742 l S", [(10, 100, 200, 100)], QUICK),
        ("2 0 0 2 0 0 cm 1 w 10 371 m 100 371 l S", [(20, 100, 200, 100)], QUICK),
        ("10 740 190 2 re f", [(10, 100, 200, 102)], QUICK),
        ("10 740 190 2 re 10 640 190 2 re f", [(10, 100, 200, 102), (10, 200, 200, 202)], QUICK),
        ("10 642 190 100 re f", [], QUICK),
        ("10 742 m 100 742 l 50 700 l f", [], QUICK),
        (
            "2 w 10 642 190 100 re S",
            [(10, 100, 200, 100), (10, 200, 200, 200), (10, 100, 10, 200), (200, 100, 200, 200)],
            SLOW,
        ),
        ("1 w 10 742 m 200 742 l 200 642 l S", [(10, 100, 200, 100), (200, 100, 200, 200)], SLOW),
        ("1 w 10 742 m 200 700 l S", [], SLOW),
        ("9 w 10 742 m 200 742 l S", [(10, 100, 200, 100)], SLOW),
    ],
)
def test_straight_strokes_and_thin_bars_are_rules(
    monkeypatch: pytest.MonkeyPatch,
    content: str,
    expected: list[tuple[float, ...]],
    asked: int,
) -> None:
    import pymupdf

    kind: Any = pymupdf.Page
    paths = kind.get_cdrawings
    pages: list[Any] = []

    def get_cdrawings(page: Any) -> Any:
        pages.append(page)
        return paths(page)

    monkeypatch.setattr(kind, "get_cdrawings", get_cdrawings)
    assert rules(content) == expected
    assert len(pages) == asked


def test_a_rule_ends_where_it_is_clipped() -> None:
    content = "q 0 0 50 842 re W n 10 740 190 2 re f Q"
    assert rules(content) == [(10, 100, 50, 102)]


def test_words_that_look_like_a_path_are_no_rule() -> None:
    words = '<vector bbox="1 1 200 2" stroke="0" rectangle="1" continues="0"/>'
    drawn = paper().text(72, 700, words, size=6)
    assert load(drawn.data()).pages[0].rules == ()


def test_a_turned_page_has_its_rules_where_its_words_are() -> None:
    drawn = paper().text(72, 100, "words").rule(72, 102, 172, 102)
    drawn.pages[0].set_rotation(90)
    page = load(drawn.data()).pages[0]
    (rule,) = page.rules
    (group,) = page.groups
    assert group.box.x0 == pytest.approx(rule.x0, abs=1)
    assert group.box.y1 == pytest.approx(rule.y0, abs=4)
