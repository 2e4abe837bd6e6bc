"""Which content controls and custom XML come or go as tracked changes.

Their tags cannot stand in a mark that stands around words, so ranges say which of them were
inserted, deleted or moved: those between the start and the end of a range, whatever it holds
besides (ECMA-376 Part 1, 17.13.5.4 to 17.13.5.11; Word applies it to `w:sdt` too). Word writes two
ranges for a control, one around its opening tag and one around its closing tag. A start without an
end says nothing, and neither does an end without a start.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final, Literal, TypeAlias

from lxml import etree

from redraft.engine.docx.names import (
    TAGS_ENDS,
    TAGS_STARTS,
    W_AUTHOR,
    W_CUSTOM_XML,
    W_DEL,
    W_ID,
    W_INS,
    W_MOVE_FROM,
    W_MOVE_TO,
    W_SDT,
    W_SDT_CONTENT,
    Element,
    W,
)

WRAPPERS: Final = (W_SDT, W_CUSTOM_XML)
_XML_PR: Final = W("customXmlPr")
_RANGES: Final = (*TAGS_STARTS, *TAGS_ENDS)
_WRITTEN: Final = re.compile(rb"customXml[A-Z]\w+RangeStart")
_Key: TypeAlias = tuple[str, str]
# What is gone once such ranges are accepted, and once they are rejected.
_GONE: Final = {"final": (W_DEL, W_MOVE_FROM), "original": (W_INS, W_MOVE_TO)}


@dataclass(slots=True)
class Wrappings:
    """The ranges of a part in which tags stand: each start with the wrapper of such a tag.

    `names` are equal for the starts of ranges around both tags of one wrapper by one author.
    """

    of: dict[Element, Element] = field(default_factory=dict[Element, "Element"])
    names: dict[Element, str] = field(default_factory=dict[Element, str])


def are_in(data: bytes) -> bool:
    """Returns whether the bytes of a part hold such ranges."""
    return _WRITTEN.search(data) is not None


def pairs(root: Element) -> dict[Element, Element]:
    """Returns the starts of the ranges in an element with their ends."""
    opened: dict[_Key, Element] = {}
    ends: dict[Element, Element] = {}
    for node in root.iter(*_RANGES):
        key = _key(node)
        if node.tag in TAGS_STARTS:
            opened.setdefault(key, node)
        elif key in opened:
            ends[opened.pop(key)] = node
    return ends


def around(root: Element, ranges: Mapping[Element, Element]) -> list[Element]:
    """Returns the wrappers of which both tags stand in some ranges, inner ones first.

    Args:
        root: What they stand in.
        ranges: The starts of the ranges with their ends.
    """
    ends = set(ranges.values())
    depth = 0
    begun: set[Element] = set()
    wrappers: list[Element] = []
    for is_opening, node in _tags(root) if ranges else ():
        if node in ranges:
            depth += is_opening
        elif node in ends:
            depth -= is_opening
        elif depth and is_opening and node.tag in WRAPPERS:
            begun.add(node)
        elif depth and node in begun:
            wrappers.append(node)
    return wrappers


def gone(root: Element, view: Literal["final", "original"]) -> frozenset[Element]:
    """Returns the wrappers that a view has not."""
    kinds = _GONE[view]
    ranges = {start: end for start, end in pairs(root).items() if like(start) in kinds}
    return frozenset(around(root, ranges))


def content(wrapper: Element) -> list[Element]:
    """Returns what a content control or custom XML holds besides its properties."""
    holder = wrapper.find(W_SDT_CONTENT) if wrapper.tag == W_SDT else wrapper
    return [] if holder is None else [child for child in holder if child.tag != _XML_PR]


def take_off(wrapper: Element, parent: Element) -> None:
    """Lets what a wrapper holds stand in its place."""
    _drop_empty(wrapper)
    for child in reversed(content(wrapper)):
        wrapper.addnext(child)
    parent.remove(wrapper)


def _drop_empty(wrapper: Element) -> None:
    """Takes away the ranges around the tags of a wrapper in which nothing but these stands.

    They say nothing once the wrapper is taken off (17.13.5.4, customXmlDelRangeEnd).
    """
    nodes = content(wrapper)
    sides = (
        (wrapper.itersiblings(preceding=True), nodes),
        (reversed(nodes), wrapper.itersiblings()),
    )
    for before, after in sides:
        starts = list(takewhile(lambda inner: inner.tag in TAGS_STARTS, before))
        ends = list(takewhile(lambda inner: inner.tag in TAGS_ENDS, after))
        for start, end in zip(starts, ends, strict=False):
            if _key(start) != _key(end):
                break
            for node in (start, end):
                parent = node.getparent()
                if parent is not None:
                    parent.remove(node)


def like(start: Element) -> str:
    """Returns the tag of the mark that says of words what a range says of tags."""
    return TAGS_STARTS[str(start.tag)]


def wrappings(root: Element, ours: Collection[int] = ()) -> Wrappings:
    """Returns which ranges say something, and which of them say it of one wrapper.

    Args:
        root: What they stand in.
        ours: Our marks; others' are not put together with them.
    """
    wrappings = Wrappings()
    numbers = frozenset(map(str, ours))
    ranges = pairs(root)
    ends = {end: start for start, end in ranges.items()}
    open_now: dict[str, dict[Element, None]] = {tag: {} for tag in TAGS_STARTS}
    opening: dict[Element, dict[str, Element]] = {}
    for is_opening, node in _tags(root) if ranges else ():
        if node in ranges or node in ends:
            start = ends.get(node, node)
            if is_opening and node is start:
                open_now[str(start.tag)][start] = None
            elif is_opening:
                open_now[str(start.tag)].pop(start, None)
        elif node.tag in WRAPPERS:
            last = {tag: next(reversed(starts)) for tag, starts in open_now.items() if starts}
            for start in last.values():
                wrappings.of.setdefault(start, node)
            if is_opening:
                opening[node] = last
                continue
            for tag, first in opening.pop(node, {}).items():
                _name(wrappings, first, last.get(tag), numbers)
    return wrappings


def _name(
    wrappings: Wrappings, first: Element, last: Element | None, ours: Collection[str]
) -> None:
    """Puts the ranges around both tags of a wrapper together."""
    name = wrappings.names.setdefault(first, f"wrapper {len(wrappings.names)}")
    if last is None or last.get(W_AUTHOR) != first.get(W_AUTHOR):
        return
    if (last.get(W_ID) in ours) is (first.get(W_ID) in ours):
        wrappings.names.setdefault(last, name)


def _tags(root: Element) -> Iterator[tuple[bool, Element]]:
    """Yields opening and closing tags of wrappers and ranges in document order.

    Which of both it is.
    """
    walk = etree.iterwalk(root, events=("start", "end"), tag=[*WRAPPERS, *_RANGES])
    for event, node in walk:
        yield event == "start", node


def _key(node: Element) -> _Key:
    return str(node.tag).removesuffix("Start").removesuffix("End"), node.get(W_ID, "")
