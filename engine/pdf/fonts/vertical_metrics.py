"""How vertical text moves its pen: the metrics of W2 and DW2 (ISO 32000-2, 9.7.4.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from redraft.engine.pdf.stream import objects

MOST_CIDS: Final = 0x10000


class Pen(NamedTuple):
    """What one character does, in units of the font size.

    `down` is how far the text position goes, negative downwards; (`x`, `y`) is where that position
    is on the glyph, seen from its own origin.
    """

    down: float
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Upright:
    """The vertical metrics of a font by CID; `down` and `y` are those of all other CIDs."""

    down: float = -1.0
    y: float = 0.88
    pens: Mapping[int, Pen] = field(default_factory=dict[int, Pen])

    def pen(self, cid: int, width: float) -> Pen:
        """Returns what the character of a CID does; `width` is its advance in horizontal text."""
        return self.pens.get(cid) or Pen(self.down, width / 2, self.y)


def load(inner: Any) -> Upright:
    """Reads the metrics of a CIDFont."""
    listed = objects.numbers(objects.entry(inner, "/DW2"))
    y, down = (listed[0] / 1000, listed[1] / 1000) if len(listed) == 2 else (0.88, -1.0)
    return Upright(down, y, _pens(objects.entry(inner, "/W2")))


def _pens(value: Any) -> dict[int, Pen]:
    """Reads `/W2`: `c [down x y …]` and `first last down x y`."""
    pens: dict[int, Pen] = {}
    pending: list[float] = []
    for element in objects.elements(value):
        numbers = objects.numbers(element)
        if numbers:
            start = int(pending[-1]) if pending else 0
            for number in range(len(numbers) // 3):
                pens[start + number] = _pen(numbers[3 * number : 3 * number + 3])
            pending = []
            continue
        pending.append(objects.number(element) or 0.0)
        if len(pending) == 5:
            first, last = int(pending[0]), min(int(pending[1]), int(pending[0]) + MOST_CIDS)
            pens.update(dict.fromkeys(range(first, last + 1), _pen(pending[2:])))
            pending = []
    return pens


def _pen(values: list[float]) -> Pen:
    down, x, y = (value / 1000 for value in values)
    return Pen(down, x, y)
