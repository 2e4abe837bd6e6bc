"""Where the lines of a justified paragraph break: the breaks that together look best.

After Knuth and Plass, Breaking Paragraphs into Lines (1981), with two more choices: lines that stay
as they are cost nothing, and a line may be set a little narrower where its blanks would gape.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Final, TypeAlias

TIGHTEST, WIDEST = 0.6, 2.0
GAPING: Final = 3.0
"""Blanks of a justified line, as parts of the usual one; wider than `GAPING` it is left ragged."""
NARROWINGS: Final = (0.99, 0.98, 0.97, 0.96, 0.95, 0.94)
WIDENINGS: Final = (1.01, 1.02, 1.03, 1.04)
_STRETCH, _SHRINK = 0.5, 0.4
_NARROW, _WIDE, _RAGGED = 400.0, 3000.0, 60000.0


@dataclass(frozen=True, slots=True)
class Option:
    """A line that ends before word `stop`, how bad that is, and how wide its letters are then."""

    stop: int
    cost: float
    squeeze: float = 1.0


def cost_of(blank: float) -> float:
    """Says how bad a line is whose blanks are so many times the usual one."""
    stretch = (blank - 1) / (_STRETCH if blank > 1 else _SHRINK)
    cost = 1 + 100 * abs(stretch) ** 3
    if blank > WIDEST:
        cost += _WIDE * (blank - WIDEST)
    return cost + (_RAGGED if blank > GAPING else 0.0)


def narrowing(
    letters: float, blanks: int, usual: float, room: float, tightest: float = TIGHTEST
) -> tuple[float, float] | None:
    """Returns how much narrower a full line must be set to fit, and what that costs.

    Args:
        letters: the width of its letters.
        blanks: how many blanks it has.
        usual: the usual width of one.
        room: how wide it may be.
        tightest: the narrowest blank, as a part of the usual one.
    """
    for squeeze in NARROWINGS:
        blank = (room - letters * squeeze) / (blanks * usual) if blanks else 0.0
        if blank >= tightest:
            return squeeze, cost_of(blank) + _NARROW + 20000 * (1 - squeeze)
    return None


def widening(letters: float, blanks: int, usual: float, room: float) -> tuple[float, float] | None:
    """Returns how much wider a line that gapes must be set not to, and what that costs.

    As much as nobody sees; None where that is not enough.
    """
    for stretch in WIDENINGS:
        blank = (room - letters * stretch) / (blanks * usual)
        if blank <= WIDEST:
            return stretch, cost_of(blank) + _NARROW + 20000 * (stretch - 1)
    return None


def spread(
    stop: int, price: float, letters: float, blanks: int, usual: float, room: float
) -> Iterator[Option]:
    """Yields the ways to fill a line by its blanks, and where those gape by wider letters too."""
    blank = (room - letters) / blanks / usual
    yield Option(stop, price + cost_of(blank))
    if blank > WIDEST:
        wide = widening(letters, blanks, usual, room)
        if wide is not None:
            yield Option(stop, price + wide[1], wide[0])


def best(options: Callable[[int, int], Iterable[Option]], count: int) -> list[Option]:
    """Chooses the lines that cost least together; none where the words cannot be set.

    The cheapest beginnings are gone on with first, so that what is dear is never looked at where
    the lines stay as they are.

    Args:
        options: gives the lines that may begin with a word, by the number of the line and the word.
        count: how many words there are.
    """
    ways = itertools.count()
    waiting: list[tuple[float, int, int, int, _Chain | None]] = [(0.0, 0, next(ways), 0, None)]
    settled: set[tuple[int, int]] = set()
    known: dict[tuple[int, int], float] = {}
    while waiting:
        cost, number, _, at, chain = heappop(waiting)
        if at >= count:
            return _unrolled(chain)
        if (number, at) in settled:
            continue
        settled.add((number, at))
        for option in options(number, at):
            total, place = cost + option.cost, (number + 1, min(option.stop, count))
            if total < known.get(place, math.inf):
                known[place] = total
                heappush(waiting, (total, number + 1, next(ways), place[1], (option, chain)))
    return []


_Chain: TypeAlias = tuple[Option, "_Chain | None"]


def _unrolled(chain: _Chain | None) -> list[Option]:
    """Returns the lines of a chain, whose last one comes first."""
    options: list[Option] = []
    while chain is not None:
        option, chain = chain
        options.append(option)
    return options[::-1]
