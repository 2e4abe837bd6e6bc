"""Bold and italic as a view shows them: what a run adds to its paragraph's style."""

from __future__ import annotations

from redraft.engine.docx.names import W_PPR, W_RPR, W_VAL, Element, W
from redraft.engine.docx.property_values import marks, run_properties
from redraft.engine.docx.redline.line import Line, Unit
from redraft.engine.docx.styles import BODY_LEVEL, ParagraphStyle, Styles
from redraft.engine.model import Mark

SHOWN = Mark.BOLD | Mark.ITALIC
_PSTYLE = W("pStyle")
_OUTLINE = W("outlineLvl")


def style_of(paragraph: Element, styles: Styles) -> ParagraphStyle:
    """Returns the style of a paragraph."""
    properties = paragraph.find(W_PPR)
    element = None if properties is None else properties.find(_PSTYLE)
    return styles.paragraph("" if element is None else element.get(W_VAL, ""))


def heading_level(paragraph: Element, styles: Styles) -> int | None:
    """Returns the outline level of a heading from 1; None for what is no heading."""
    properties = paragraph.find(W_PPR)
    style = style_of(paragraph, styles)
    if style.is_title:
        return 1
    direct = None if properties is None else properties.find(_OUTLINE)
    value = "" if direct is None else direct.get(W_VAL, "")
    level = int(value) if value.isdecimal() else style.level
    return level + 1 if level is not None and level < BODY_LEVEL else None


def emphasis(line: Line, styles: Styles) -> list[Mark]:
    """Returns bold and italic of each character of a line's final text, as the view shows them."""
    paragraph = line.paragraph
    style = style_of(paragraph, styles)
    dropped = 0
    if style.is_quote or heading_level(paragraph, styles) is not None:
        dropped = marks(styles.run(style.id, ""))
    known: dict[Element | None, Mark] = {}
    shown: list[Mark] = []
    for unit in line.units:
        if unit.is_visible:
            if unit.run not in known:
                known[unit.run] = _of(unit, style.id, styles, dropped)
            shown += [known[unit.run]] * len(unit.text)
    return shown


def _of(unit: Unit, style: str, styles: Styles, dropped: int) -> Mark:
    properties = None if unit.run is None else unit.run.find(W_RPR)
    if properties is None:
        on = styles.run(style, "")
    else:
        direct = run_properties(properties)
        on = (styles.run(style, direct.style) & ~direct.specified) | direct.on
    return Mark(marks(on) & ~dropped) & SHOWN
