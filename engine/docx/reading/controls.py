"""What a content control is (ECMA-376 Part 1, 17.5.2): its properties as a reader needs them."""

from __future__ import annotations

from dataclasses import dataclass

from redraft.engine.docx.names import (
    W14,
    W_SDT,
    W_SDT_CONTENT,
    W_SDT_PR,
    W_TC,
    W_VAL,
    Element,
    W,
)
from redraft.engine.docx.property_values import is_on

_LOCKS = frozenset({"contentLocked", "sdtContentLocked"})
_OFF = frozenset({"0", "false", "off"})


@dataclass(frozen=True, slots=True)
class ControlProperties:
    """Properties of a `w:sdt`: `box` is the state of a check box, None for another control."""

    is_placeholder: bool = False
    is_locked: bool = False
    is_contents: bool = False
    box: bool | None = None


def control_properties(sdt: Element) -> ControlProperties:
    """Read the properties of a content control."""
    element = sdt.find(W_SDT_PR)
    if element is None:
        return ControlProperties()
    lock = element.find(_LOCK)
    gallery = element.find(_GALLERY)
    checked = element.find(_CHECKED)
    box = None
    if element.find(_CHECKBOX) is not None:
        box = checked is not None and checked.get(W14("val"), "1") not in _OFF
    return ControlProperties(
        is_placeholder=is_on(element.find(_PLACEHOLDER)),
        is_locked=lock is not None and lock.get(W_VAL) in _LOCKS,
        is_contents=gallery is not None and gallery.get(W_VAL) == "Table of Contents",
        box=box,
    )


def is_locked_around(element: Element) -> bool:
    """Whether an element stands in a control whose content may not be changed (17.5.2.23, lock)."""
    return any(
        child.get(W_VAL) in _LOCKS
        for control in element.iterancestors(W_SDT)
        for child in control.iterfind(f"{W_SDT_PR}/{_LOCK}")
    )


def control_around(paragraph: Element) -> list[Element]:
    """Returns the control around a paragraph, or around its cell, if there is one."""
    holder = paragraph.getparent()
    if holder is not None and holder.tag == W_TC:
        holder = holder.getparent()
    control = holder.getparent() if holder is not None and holder.tag == W_SDT_CONTENT else None
    return [] if control is None else [control]


def is_kept(sdt: Element) -> bool:
    """Whether a control may not be deleted, whatever happens to its content."""
    return any(
        child.get(W_VAL) in ("sdtLocked", "sdtContentLocked")
        for child in sdt.iterfind(f"{W_SDT_PR}/{_LOCK}")
    )


_PLACEHOLDER, _LOCK = W("showingPlcHdr"), W("lock")
_GALLERY = f"{W('docPartObj')}/{W('docPartGallery')}"
_CHECKBOX, _CHECKED = W14("checkbox"), f"{W14('checkbox')}/{W14('checked')}"
