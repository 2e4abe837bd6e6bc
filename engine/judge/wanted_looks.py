"""Whether the properties of runs and paragraphs are what a plan wants of them.

Properties are compared as the file spells them (ECMA-376 Part 1, 17.3.1 and 17.3.2): what the plan
does not name must be as it was, and what it names must have the value, or be as it was where a
style gives the value already.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from redraft.engine.judge.content import Paragraph, Property, Shape

_ON: Final = ("", "1", "true", "on")
# The elements that say a property; attributes behind a blank.
_RUN: Final[dict[str, tuple[str, ...]]] = {
    "bold": ("b", "bCs"),
    "italic": ("i", "iCs"),
    "underline": ("u",),
    "strike": ("strike", "dstrike"),
    "small_caps": ("smallCaps", "caps"),
    "all_caps": ("caps", "smallCaps"),
    "size": ("sz", "szCs"),
    "color": ("color",),
    "highlight": ("highlight",),
    "font": ("rFonts",),
    "vertical": ("vertAlign",),
}
_PARAGRAPH: Final[dict[str, tuple[str, ...]]] = {
    "alignment": ("jc",),
    "space_before": ("spacing",),
    "space_after": ("spacing",),
    "line_spacing": ("spacing",),
    "indent_left": ("ind",),
    "indent_right": ("ind",),
    "first_line": ("ind",),
    "keep_with_next": ("keepNext",),
    "keep_together": ("keepLines",),
    "page_break_before": ("pageBreakBefore",),
}
_ATTRIBUTES: Final[dict[str, tuple[str, ...]]] = {
    "space_before": ("before", "beforeAutospacing", "beforeLines"),
    "space_after": ("after", "afterAutospacing", "afterLines"),
    "line_spacing": ("line", "lineRule"),
    "indent_left": ("left", "start", "leftChars", "startChars"),
    "indent_right": ("right", "end", "rightChars", "endChars"),
    "first_line": ("firstLine", "hanging", "firstLineChars", "hangingChars"),
}
_ALIGNED: Final = {
    "left": ("left", "start"),
    "right": ("right", "end"),
    "justify": ("both",),
    "center": ("center",),
}
_LISTS: Final = frozenset({"ind", "contextualSpacing", "tabs", "spacing"})


def run_is(
    before: Sequence[Property],
    after: Sequence[Property],
    wanted: Sequence[tuple[str, str]],
    given: Sequence[Property],
) -> bool:
    """Tells whether run properties are those of before with some of them set.

    `given` are those that the style of the paragraph and the document give.
    """
    last = dict(wanted)
    names = {name for prop in last for name in _RUN.get(prop, ())}
    if _without(before, names) != _without(after, names):
        return False
    return all(_has_value(prop, value, dict(after), dict(given)) for prop, value in last.items())


def _has_value(
    prop: str,
    value: str,
    after: dict[str, tuple[tuple[str, str], ...]],
    given: dict[str, tuple[tuple[str, str], ...]],
) -> bool:
    name = _RUN.get(prop, ("",))[0]
    said_here = after.get(name, given.get(name))
    if said_here is None:
        # A character style may say it; text of no size is of ten points.
        return value in _NOTHING or "rStyle" in after or (prop == "size" and _is(value, 10))
    now = dict(said_here)
    stated = _attribute(now, "val")
    match prop:
        case "bold" | "italic" | "strike" | "small_caps" | "all_caps":
            return (stated in _ON) == (value == "on")
        case "underline":
            return (stated not in ("none", "0")) == (value == "on")
        case "size":
            return _is(value, float(stated or "0") / 2)
        case "highlight":
            return (
                value == "none" or stated.lower() == value.replace(" ", "").lower() or bool(stated)
            )
        case "font":
            return value in now.values() or any(v == value for v in now.values())
        case "vertical":
            return stated == value
        case _:
            return bool(stated)


def _is(measure: str, number: float) -> bool:
    """Whether a measure of a plan (`16`, `10.5 pt`) is a number of its unit."""
    return abs(_number(measure) - number) < 0.3


def _number(measure: str) -> float:
    digits = re.match(r"\s*[-+]?\d*[.,]?\d+", measure)
    return float(digits[0].replace(",", ".")) if digits else 0.0


def _attribute(values: dict[str, str], name: str) -> str:
    return next((v for key, v in values.items() if key.rpartition("}")[2] == name), "")


def _without(properties: Sequence[Property], names: set[str]) -> list[Property]:
    return [prop for prop in properties if prop[0] not in names]


def shape_is(expected: Paragraph, found: Paragraph) -> str:
    """Returns what about the shape of a paragraph is not as it should be; empty if nothing is."""
    shape, wanted = found.shape, expected.wanted
    if shape is None:
        return ""
    before = expected.shape
    if "style name" in wanted:
        name = wanted["style name"].lower()
        is_named = name in shape.style_names or name.replace(" ", "") == shape.style.lower()
        if not is_named and not (before is not None and name in _names(before)):
            return "its style"
    elif "style" in wanted or (before is not None and "list" not in wanted):
        style = wanted.get("style", before.style if before is not None else "")
        if shape.style != style:
            return "its style"
    for name, value in (("list", shape.listed), ("level", shape.level), ("heading", shape.heading)):
        if name in wanted and str(value) != wanted[name]:
            return f"its {name}"
    if before is None or "style name" in wanted:
        return _values(wanted, shape)
    return _values(wanted, shape) or _kept(before, shape, wanted)


def _kept(before: Shape, shape: Shape, wanted: dict[str, str]) -> str:
    """What the plan does not name and is not as it was."""
    if "list" not in wanted and (before.listed, before.level) != (shape.listed, shape.level):
        return "its list"
    names = {name for prop in wanted for name in _PARAGRAPH.get(prop, ())}
    if "list" in wanted or "level" in wanted:
        names |= _LISTS
    if _without(before.properties, names) != _without(shape.properties, names):
        return "its properties"
    attributes = {name for prop in wanted for name in _attributes_of(prop, shape)}
    for name in names - _LISTS if "list" in wanted else names & {"spacing", "ind"}:
        pairs = (dict(before.properties).get(name, ()), dict(shape.properties).get(name, ()))
        kept = [[a for a in p if a[0].rpartition("}")[2] not in attributes] for p in pairs]
        if kept[0] != kept[1] and name in ("spacing", "ind"):
            return "its properties"
    return ""


def _values(wanted: dict[str, str], shape: Shape) -> str:
    """The first property of a paragraph that has another value than the one wanted."""
    has = {name: dict(values) for name, values in shape.properties}
    for prop, given in wanted.items():
        value = given.strip().lower()
        if prop not in _PARAGRAPH:
            continue
        stated = has.get(_PARAGRAPH[prop][0])
        if stated is None:
            continue  # a style gives it
        if prop == "alignment":
            is_right = _attribute(stated, "val") in _aligned(value, shape)
        elif value in ("on", "off"):
            is_right = (_attribute(stated, "val") in _ON) == (value == "on")
        else:
            is_right = _is_measure(_attributes_of(prop, shape), prop, value, stated)
        if not is_right:
            return f"its {prop}"
    return ""


def _is_turned(shape: Shape) -> bool:
    """Whether the text runs to the left (17.3.1.6, bidi)."""
    stated = dict(shape.properties).get("bidi")
    return stated is not None and _attribute(dict(stated), "val") in _ON


def _aligned(value: str, shape: Shape) -> tuple[str, ...]:
    """The values that say an alignment; left and right change places in text to the left."""
    name = {"centre": "center", "justified": "justify", "both": "justify"}.get(value, value)
    if _is_turned(shape):
        name = {"left": "right", "right": "left"}.get(name, name)
    return _ALIGNED.get(name, (name,))


def _attributes_of(prop: str, shape: Shape) -> tuple[str, ...]:
    """The attributes that say a property; left and right are the other way round (17.3.1.6)."""
    is_turned = _is_turned(shape)
    turned = {"indent_left": "indent_right", "indent_right": "indent_left"}
    return _ATTRIBUTES.get(turned.get(prop, prop) if is_turned else prop, ())


def _is_measure(names: Sequence[str], prop: str, value: str, stated: dict[str, str]) -> bool:
    number = next((_attribute(stated, name) for name in names[:2] if _attribute(stated, name)), "")
    if not number.lstrip("-").isdecimal():
        return not number
    unit = 240 if prop == "line_spacing" else 20
    return abs(abs(int(number)) - abs(round(_number(value) * unit))) <= 1


def _names(shape: Shape) -> frozenset[str]:
    return shape.style_names


_NOTHING: Final = ("off", "auto", "none", "baseline")
