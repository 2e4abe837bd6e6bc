"""What stands between blocks without keeping them apart: markers of ranges, and of proofing.

Bookmarks, comments, permissions and moves may begin and end between two paragraphs (ECMA-376 Part
1, 17.13.2); so may a mark of the spelling checker (17.13.8.1, proofErr).
"""

from __future__ import annotations

from typing import Final

from redraft.engine.docx.names import RANGE_ENDS, Element, W

POINTS: Final = RANGE_ENDS | {W("proofErr")}


def beside(block: Element, *, forward: bool) -> Element | None:
    """Returns what comes next to a block in the element that it stands in, points passed."""
    step = Element.getnext if forward else Element.getprevious
    other = step(block)
    while other is not None and other.tag in POINTS:
        other = step(other)
    return other
