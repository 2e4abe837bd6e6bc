"""Where the lines of a justified paragraph break: the breaks that together look best.

After Knuth and Plass, Breaking Paragraphs into Lines (1981), with two more choices: lines that stay
as they are cost nothing, and a line may be set a little narrower where its blanks would gape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

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
    """Say how bad a line is whose blanks are so many times the usual one."""
    stretch = (blank - 1) / (_STRETCH if blank > 1 else _SHRINK)
    cost = 1 + 100 * abs(stretch) ** 3
    if blank > WIDEST:
        cost += _WIDE * (blank - WIDEST)
    return cost + (_RAGGED if blank > GAPING else 0.0)


def narrowing(
    letters: float, blanks: int, usual: float, room: float, tightest: float = TIGHTEST
) -> tuple[float, float] | None:
    """Give how much narrower a full line must be set to fit, and what that costs.

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
    """Give how much wider a line that gapes must be set not to, and what that costs.

    As much as nobody sees; None where that is not enough.
    """
    for stretch in WIDENINGS:
        blank = (room - letters * stretch) / (blanks * usual)
        if blank <= WIDEST:
            return stretch, cost_of(blank) + _NARROW + 20000 * (stretch - 1)
    return None


def best(options: Callable[[int, int], Iterable[Option]], count: int) -> list[Option]:
    """Choose the lines that cost least together; none where the words cannot be set.

    Args:
        options: gives the lines that may begin with a word, by the number of the line and the word.
        count: how many words there are.
    """
    open_ends: dict[int, tuple[float, tuple[Option, ...]]] = {0: (0.0, ())}
    found: tuple[float, tuple[Option, ...]] | None = None
    number = 0
    while open_ends:
        following: dict[int, tuple[float, tuple[Option, ...]]] = {}
        for at, (cost, chain) in open_ends.items():
            for option in options(number, at):
                held = (cost + option.cost, (*chain, option))
                if option.stop >= count:
                    found = held if found is None or held[0] < found[0] else found
                elif option.stop not in following or held[0] < following[option.stop][0]:
                    following[option.stop] = held
        if found is not None:
            following = {at: held for at, held in following.items() if held[0] < found[0]}
        open_ends = following
        number += 1
    return list(found[1]) if found else []
