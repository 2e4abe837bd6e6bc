"""Runs for new text: the formatting they inherit, and bold and italic where they are asked for."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Final

from lxml import etree

from redraft.engine.docx.names import (
    W_BR,
    W_PPR,
    W_R,
    W_RPR,
    W_SDT,
    W_SDT_PR,
    W_TAB,
    W_VAL,
    Element,
    W,
)
from redraft.engine.docx.reading.controls import control_properties
from redraft.engine.docx.redline.line import Box, Line, Stamp, Standing, Unit
from redraft.engine.docx.redline.tracked_runs import text_node
from redraft.engine.errors import PlanError
from redraft.engine.model import Mark

_PIECES: Final = re.compile(r"[\t\n\u2011\u00ad]|[^\t\n\u2011\u00ad]+")
_NODES: Final = {
    "\t": W_TAB,
    "\n": W_BR,
    "\u2011": W("noBreakHyphen"),
    "\u00ad": W("softHyphen"),
}
_FORBIDDEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# Properties of a run that belong to what it held, not to how its text looks.
_NOT_INHERITED: Final = frozenset(
    map(W, ("rPrChange", "ins", "del", "moveFrom", "moveTo", "vanish", "webHidden", "specVanish"))
)
# ECMA-376 Part 1, 17.3.2.28: the order of the properties up to those set here.
_BEFORE_BOLD: Final = frozenset(map(W, ("rStyle", "rFonts")))
_BEFORE_ITALIC: Final = _BEFORE_BOLD | {W("b"), W("bCs")}


def new_units(
    line: Line,
    box: Box,
    like: Unit | None,
    text: str,
    marks: Mark | None,
    base: Mark | None,
    stamp: Stamp,
) -> list[Unit]:
    """Returns one run of new text as units of a line.

    Args:
        line: The paragraph; its mark lends its formatting when there is nothing else.
        box: Where the run will stand.
        like: The unit whose run lends its formatting.
        text: A tab, a line break and the two special hyphens become their elements.
        marks: Bold and italic that are asked for; None takes those of `like`.
        base: Bold and italic of `like`, None when not known.
        stamp: Who writes.

    Raises:
        PlanError: a character that XML cannot hold.
    """
    if _FORBIDDEN.search(text):
        message = "The new text holds a control character, which a document cannot hold"
        raise PlanError(message)
    run = etree.Element(W_R)
    properties = inherited(line, like)
    if marks is not None:
        properties = emphasised(properties, marks, Mark.NONE if base is None else base)
        stamp = Stamp(stamp.edit, stamp.author, stamp.date, None, formatted=True)
    if len(properties):
        run.append(properties)
    units: list[Unit] = []
    for piece in _PIECES.findall(text):
        tag = _NODES.get(piece)
        node = text_node(piece) if tag is None else etree.Element(tag)
        run.append(node)
        units.append(Unit(piece, node, run, box, Standing.WRITTEN, stamp))
    return units


def inherited(line: Line, like: Unit | None) -> Element:
    """Returns the run properties that new text takes."""
    source: Element | None = None
    if like is not None and like.run is not None:
        holder = _placeholder(like.run)
        source = (like.run if holder is None else holder).find(W_RPR)
    elif like is None:
        source = line.paragraph.find(f"{W_PPR}/{W_RPR}")
    if source is None:
        return etree.Element(W_RPR)
    properties = deepcopy(source)
    properties.tail = None
    for child in list(properties):
        if child.tag in _NOT_INHERITED:
            properties.remove(child)
    return properties


def _placeholder(run: Element) -> Element | None:
    """Returns the properties of the content control whose placeholder a run is part of.

    What is typed over a placeholder looks as the control says (ECMA-376 Part 1, 17.5.2.39), not
    like the placeholder.
    """
    control = next(run.iterancestors(W_SDT), None)
    if control is None or not control_properties(control).is_placeholder:
        return None
    return control.find(W_SDT_PR)


def emphasised(properties: Element, wanted: Mark, base: Mark) -> Element:
    """Sets bold and italic where they differ from what the properties give."""
    for mark, name, before in (
        (Mark.BOLD, "b", _BEFORE_BOLD),
        (Mark.ITALIC, "i", _BEFORE_ITALIC),
    ):
        if wanted & mark == base & mark:
            continue
        for tag in (W(name), W(f"{name}Cs")):
            for child in properties.findall(tag):
                properties.remove(child)
        toggles = [etree.Element(W(name)), etree.Element(W(f"{name}Cs"))]
        at = 0
        while at < len(properties) and properties[at].tag in before:
            at += 1
        for toggle in reversed(toggles):
            if not wanted & mark:
                toggle.set(W_VAL, "0")
            properties.insert(at, toggle)
    return properties
