"""Text boxes are stored twice: once for today's programs, once for older ones (`mc:Fallback`).

Words and formatting are written into both by whoever writes them (`twin_of`); whole blocks are
copied from one form into the other when they are done (`engine.docx.alternate_content`).
"""

from __future__ import annotations

from typing import Final

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.names import (
    MC_ALTERNATE,
    MC_FALLBACK,
    TEXT_BOXES,
    W_P,
    W_TBL,
    W_TC,
    W_TR,
    Element,
)
from redraft.engine.docx.redline import textmap
from redraft.engine.errors import RefusedError

TWIN: Final = (
    "The text box is stored a second time for older programs, in a form that says something else "
    "and cannot be edited along with it; change the text box in Word. The document is unchanged"
)
_BLOCKS: Final = (W_P, W_TBL, W_TR, W_TC)


def twin_of(place: Place) -> Element | None:
    """Returns the paragraph of the same text box in the form for older programs (`mc:Fallback`).

    Raises:
        RefusedError: the box has such a form, and it says something else.
    """
    if place.story != "textbox":
        return None
    forms = forms_of(place.element)
    if forms is None:
        return None
    box, twin = forms
    index = list(box.iter(W_P)).index(place.element)
    paragraphs = list(twin.iter(W_P))
    if index >= len(paragraphs):
        raise RefusedError(TWIN)
    other = paragraphs[index]
    if textmap.read(other, {}).text != textmap.read(place.element, {}).text:
        raise RefusedError(TWIN)
    return other


def forms_of(element: Element) -> tuple[Element, Element] | None:
    """Returns the text box around an element, and the same one in the form for older programs.

    None where no box is, or where it has no such form with text.

    Raises:
        RefusedError: it is not clear which box there is the same.
    """
    box = next(element.iterancestors(*TEXT_BOXES), None)
    alternate = None if box is None else next(box.iterancestors(MC_ALTERNATE), None)
    if box is None or alternate is None:
        return None
    boxes = [b for b in alternate.iter(*TEXT_BOXES) if _is_fallback(b, alternate)]
    shown = [b for b in alternate.iter(*TEXT_BOXES) if not _is_fallback(b, alternate)]
    if not boxes or box not in shown:
        return None
    if len(boxes) != len(shown):
        raise RefusedError(TWIN)
    return box, boxes[shown.index(box)]


def _is_fallback(box: Element, alternate: Element) -> bool:
    for ancestor in box.iterancestors():
        if ancestor is alternate:
            return False
        if ancestor.tag == MC_FALLBACK:
            return True
    return False


def paired(box: Element, twin: Element) -> dict[Element, Element]:
    """Returns for the paragraphs, tables, rows and cells of a text box those of its other form.

    Raises:
        RefusedError: there are others in it.
    """
    sides = list(box.iter(*_BLOCKS)), list(twin.iter(*_BLOCKS))
    if [element.tag for element in sides[0]] != [element.tag for element in sides[1]]:
        raise RefusedError(TWIN)
    return dict(zip(*sides, strict=True))


def refuse_twin(place: Place) -> None:
    """Refuses to change the blocks of a text box whose form for older programs has others.

    Raises:
        RefusedError: the place stands in one.
    """
    if place.story == "textbox":
        forms = forms_of(place.element)
        if forms is not None:
            paired(*forms)
