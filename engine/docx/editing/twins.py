"""Text boxes are stored twice: once for today's programs, once for older ones (`mc:Fallback`)."""

from __future__ import annotations

from typing import Final

from engine.docx.anchors import Place
from engine.docx.names import MC_ALTERNATE, MC_FALLBACK, TEXT_BOXES, W_P, Element
from engine.docx.text import textmap
from engine.errors import RefusedError

TWIN: Final = (
    "The text box is stored a second time for older programs, in a form that cannot be edited "
    "along with it; the document is unchanged"
)


def twin_of(place: Place) -> Element | None:
    """The paragraph of the same text box in the form for older programs (`mc:Fallback`).

    Raises:
        RefusedError: the box has such a form, and it says something else.
    """
    if place.story != "textbox":
        return None
    box = next(place.element.iterancestors(*TEXT_BOXES), None)
    alternate = None if box is None else next(box.iterancestors(MC_ALTERNATE), None)
    if box is None or alternate is None:
        return None
    boxes = [b for b in alternate.iter(*TEXT_BOXES) if _is_fallback(b, alternate)]
    shown = [b for b in alternate.iter(*TEXT_BOXES) if not _is_fallback(b, alternate)]
    if not boxes or box not in shown:
        return None
    if len(boxes) != len(shown):
        raise RefusedError(TWIN)
    twin = boxes[shown.index(box)]
    index = list(box.iter(W_P)).index(place.element)
    paragraphs = list(twin.iter(W_P))
    if index >= len(paragraphs):
        raise RefusedError(TWIN)
    other = paragraphs[index]
    if textmap.read(other, {}).text != textmap.read(place.element, {}).text:
        raise RefusedError(TWIN)
    return other


def _is_fallback(box: Element, alternate: Element) -> bool:
    for ancestor in box.iterancestors():
        if ancestor is alternate:
            return False
        if ancestor.tag == MC_FALLBACK:
            return True
    return False


def refuse_twin(place: Place) -> None:
    """Refuse to change the blocks of a text box that has a form for older programs.

    Raises:
        RefusedError: the place stands in one.
    """
    if place.story == "textbox":
        box = next(place.element.iterancestors(*TEXT_BOXES), None)
        alternate = None if box is None else next(box.iterancestors(MC_ALTERNATE), None)
        if alternate is not None and alternate.find(MC_FALLBACK) is not None:
            raise RefusedError(TWIN)
