"""Justified lines break where they look best together."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.engine.pdf.typeset.line_breaks import GAPING, Option, best, cost_of, narrowing


def options(widths: list[int], room: int) -> dict[int, list[Option]]:
    """Give the lines that fit, from each word on; what is left over is what they cost."""
    found: dict[int, list[Option]] = {}
    for at in range(len(widths)):
        total = 0
        for stop in range(at + 1, len(widths) + 1):
            total += widths[stop - 1]
            if total <= room:
                found.setdefault(at, []).append(Option(stop, float((room - total) ** 2)))
    return found


def every(held: dict[int, list[Option]], at: int, count: int) -> Iterator[float]:
    """Give the price of every way to set the words from one on."""
    for option in held.get(at, ()):
        if option.stop == count:
            yield option.cost
        else:
            yield from (option.cost + rest for rest in every(held, option.stop, count))


@settings(deadline=None)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=9), st.integers(9, 20))
def test_no_other_breaks_cost_less(widths: list[int], room: int) -> None:
    held = options(widths, room)
    chosen = best(lambda _, at: held.get(at, ()), len(widths))
    assert chosen[-1].stop == len(widths)
    assert sum(each.cost for each in chosen) == min(every(held, 0, len(widths)))


def test_words_that_cannot_be_set_have_no_lines() -> None:
    assert best(lambda _, __: (), 3) == []


def test_the_number_of_the_line_is_counted() -> None:
    asked: list[tuple[int, int]] = []

    def one_word(number: int, at: int) -> list[Option]:
        asked.append((number, at))
        return [Option(at + 1, 0.0)]

    assert len(best(one_word, 3)) == 3
    assert asked == [(0, 0), (1, 1), (2, 2)]


def test_what_is_dear_is_not_looked_at_where_the_lines_stay() -> None:
    asked: list[tuple[int, int]] = []

    def one_line_stays(number: int, at: int) -> Iterator[Option]:
        asked.append((number, at))
        yield from (Option(stop, 50.0) for stop in range(at + 1, at + 9))
        yield Option(at + 10, 0.0)

    assert [each.stop for each in best(one_line_stays, 400)] == list(range(10, 401, 10))
    assert len(asked) == 40


def test_usual_blanks_cost_least_and_gaping_ones_most() -> None:
    wide = [cost_of(blank) for blank in (1.0, 1.5, 2.0, 2.5, GAPING + 0.1)]
    tight = [cost_of(blank) for blank in (1.0, 0.8, 0.6)]
    assert all(a < b for a, b in itertools.pairwise(wide))
    assert all(a < b for a, b in itertools.pairwise(tight))
    assert wide[-1] > 10 * wide[-2]


@pytest.mark.parametrize(
    ("room", "squeeze"), [(103.0, 0.99), (100.0, 0.96), (98.0, 0.94), (90.0, None)]
)
def test_letters_are_set_no_narrower_than_must_be(room: float, squeeze: float | None) -> None:
    """A hundred points of letters and five blanks, which may shrink to three fifths."""
    found = narrowing(100.0, 5, 1.3, room)
    assert (found and found[0]) == squeeze
