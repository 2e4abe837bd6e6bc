"""Paragraph styles that only the second version has, brought into the first for who uses them.

A style is no tracked change: a document may define one that nothing uses. Those that a paragraph
of the second version names come along with the styles that they are based on; what they say of
lists stays behind, because lists have other numbers in another document.

ECMA-376 Part 1, 17.7.4.17 (style).
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Final

from redraft.engine.compare.versions import ComparedBlock, Version, style_of
from redraft.engine.docx.names import W_PPR, W_TYPE, W_VAL, Element, W
from redraft.engine.docx.opc import new_parts
from redraft.engine.docx.opc.package import Package

_STYLE, _STYLE_ID, _NAME, _BASED_ON = W("style"), W("styleId"), W("name"), W("basedOn")
_STAYS: Final = frozenset(map(W, ("link", "next", "rsid", "aliases")))


def bring(package: Package, first: Version, second: Version) -> bool:
    """Adds to a document the styles that paragraphs of another version need.

    Args:
        package: The first version, which gets them.
        first: It as read.
        second: The other version.

    Returns:
        Whether any was added.
    """
    parts = package.related(package.main, "styles")
    others = _styles(second.package)
    if not parts or not others:
        return False
    known = _styles(package)
    names = {_name(style) for style in known.values()}
    contents = {block.content for block in _blocks(first)}
    wanted: dict[str, Element] = {}
    for block in _blocks(second):
        style = style_of(block.element)
        while block.content not in contents and style in others and style not in wanted:
            if style in known or _name(others[style]) in names:
                break
            wanted[style] = others[style]
            style = _value(others[style], _BASED_ON)
    if wanted:
        new_parts.append(package, parts[0], [_bare(style) for style in wanted.values()])
    return bool(wanted)


def _styles(package: Package) -> dict[str, Element]:
    return {
        style.get(_STYLE_ID, ""): style
        for part in package.related(package.main, "styles")[:1]
        for style in package.tree(part).iter(_STYLE)
        if style.get(W_TYPE) == "paragraph" or style.get(_STYLE_ID)
    }


def _blocks(version: Version) -> Iterator[ComparedBlock]:
    stack = [block for story in version.stories for block in story.blocks]
    while stack:
        block = stack.pop()
        yield block
        stack += [b for row in block.rows for cell in row.cells for b in cell.blocks]


def _bare(style: Element) -> Element:
    """Returns a copy of a style without what leads to other parts, and never the default one."""
    copy = deepcopy(style)
    if copy.get(W("default")) is not None:
        del copy.attrib[W("default")]
    for child in list(copy):
        if child.tag in _STAYS:
            copy.remove(child)
    properties = copy.find(W_PPR)
    numbering = None if properties is None else properties.find(W("numPr"))
    if properties is not None and numbering is not None:
        properties.remove(numbering)
    return copy


def _name(style: Element) -> str:
    return _value(style, _NAME).lower()


def _value(style: Element, tag: str) -> str:
    child = style.find(tag)
    return "" if child is None else child.get(W_VAL, "")
