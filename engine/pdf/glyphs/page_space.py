"""Where page space is on the page as readers see it."""

from __future__ import annotations

from typing import Any, Final

from redraft.engine.pdf.glyphs.glyphs import bounds, common
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.stream import objects
from redraft.engine.pdf.stream.matrices import Matrix

_LETTER: Final = Box(0.0, 0.0, 612.0, 792.0)


def view(page: Any) -> Matrix:
    """Returns what leads from page space to the top left of what is shown (ISO 32000-2, 14.11.2).

    The page is taken as it is before it is turned, and in the points of the reader.
    """
    boxes = [objects.numbers(objects.inherited(page, key)) for key in ("/MediaBox", "/CropBox")]
    areas = [bounds([(box[0], box[1]), (box[2], box[3])]) for box in boxes if len(box) == 4]
    seen = [box for box in areas if box.width > 0 and box.height > 0] or [_LETTER]
    box = common(seen[0], seen[-1])
    unit = objects.number(objects.entry(page, "/UserUnit")) or 1.0
    return unit, 0.0, 0.0, -unit, -unit * box.x0, unit * box.y1
