"""Letters as filled outlines, for what is to be seen and not to be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO
from typing import Any

from redraft.engine.pdf.fonts.font_programs import STANDARD_NAMES
from redraft.engine.pdf.fonts.fonts import Char
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.typeset.text_operators import number


@dataclass(frozen=True, slots=True)
class Shape:
    """A path in thousandths of the font size, and the box around it."""

    path: bytes
    box: Box


def shape(chars: Sequence[Char], font: str) -> Shape:
    """Sets characters of a standard font beside each other as one path."""
    import pymupdf  # a quarter of a second, and only workers need it

    source: Any = pymupdf.Font(STANDARD_NAMES[font])
    fonts: Any = import_module("fontTools.cffLib").CFFFontSet()
    fonts.decompile(BytesIO(bytes(source.buffer)), None)
    top: Any = fonts[0]
    parts: list[bytes] = []
    x = 0.0
    for char in chars:
        pen: Any = import_module("fontTools.pens.recordingPen").RecordingPen()
        top.CharStrings[top.charset[int.from_bytes(char.code, "big")]].draw(pen)
        parts += [_operator(name, points, x) for name, points in pen.value]
        x += char.width * 1000
    return Shape(b"\n".join(parts), Box(-10.0, -250.0, x + 10.0, 950.0))


_NAMES = {"moveTo": b"m", "lineTo": b"l", "curveTo": b"c"}


def _operator(name: str, points: Any, x: float) -> bytes:
    if name not in _NAMES:
        return b"h"
    values = [value for px, py in points for value in (px + x, py)]
    return b" ".join((*(number(value, 2) for value in values), _NAMES[name]))
