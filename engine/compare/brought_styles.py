"""Styles that only the second version has, brought into the first for who uses them.

A style is no tracked change: a document may define one that nothing uses. Those that a paragraph,
run or table of the second version names come along with the styles that they are based on, and
with the lists that these belong to.

ECMA-376 Part 1, 17.7.4.17 (style), 17.7.4.9 (name: the same style has it in every document).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from copy import deepcopy
from typing import Final, TypeAlias

from redraft.engine.compare.brought_lists import Lists, counterparts
from redraft.engine.compare.versions import ComparedBlock, Version
from redraft.engine.docx.names import W_PPR, W_TYPE, W_VAL, Element, W
from redraft.engine.docx.opc import new_parts
from redraft.engine.docx.opc.package import Package
from redraft.engine.errors import RefusedError

_STYLE, _STYLE_ID, _NAME, _BASED_ON = W("style"), W("styleId"), W("name"), W("basedOn")
_STAYS: Final = frozenset(map(W, ("link", "next", "rsid", "aliases")))
_NAMING: Final = {W("pStyle"): "paragraph", W("rStyle"): "character", W("tblStyle"): "table"}
# What a style is called in every document: its type and its name in small letters.
_Name: TypeAlias = tuple[str, str]


def bring(package: Package, first: Version, second: Version) -> bool:
    """Adds to a document the styles that blocks of another version need.

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
    wanted: dict[str, Element] = {}
    for style in _used(first, second):
        identifier = style
        while identifier in others and identifier not in wanted:
            if _name(others[identifier]) in names:
                break
            wanted[identifier] = others[identifier]
            identifier = _value(others[identifier], _BASED_ON)
    if not wanted:
        return False
    ids = counterpart_ids(package, second.package)
    ids |= {identifier: _free(identifier, known) for identifier in wanted}
    lists = Lists(package, second.package, counterparts(first, second), ids)
    made = [_copied(style, ids, lists) for style in wanted.values()]
    new_parts.append(package, parts[0], made)
    return True


def counterpart_ids(package: Package, source: Package) -> dict[str, str]:
    """Returns for the id of each style of one document that of the same style in another.

    Args:
        package: Where styles are looked for.
        source: Whose ids are the keys; styles that the first document lacks are none of them.
    """
    ids = {_name(style): identifier for identifier, style in _styles(package).items()}
    return {
        identifier: ids[_name(style)]
        for identifier, style in _styles(source).items()
        if _name(style) in ids
    }


def set_styles(block: Element, ids: Mapping[str, str], taken: Collection[str]) -> None:
    """Lets a block of one document name the styles of another.

    Args:
        block: It is changed.
        ids: What `counterpart_ids` returns.
        taken: The ids of all styles of the document that the block goes to: one that means another
            style is not named.
    """
    for node in list(block.iter(*_NAMING)):
        identifier = ids.get(node.get(W_VAL, ""))
        holder = node.getparent()
        if identifier is not None:
            node.set(W_VAL, identifier)
        elif holder is not None and node.get(W_VAL) in taken:
            holder.remove(node)


def style_ids(package: Package) -> frozenset[str]:
    """Returns the ids of all styles of a document."""
    return frozenset(_styles(package))


def _used(first: Version, second: Version) -> Iterator[str]:
    """Yields the ids of styles that blocks of the second version name and the first has not."""
    contents = {block.content for block in _blocks(first)}
    for block in _blocks(second):
        if block.content not in contents:
            for node in block.element.iter(*_NAMING):
                yield node.get(W_VAL, "")


def _styles(package: Package) -> dict[str, Element]:
    return {
        style.get(_STYLE_ID, ""): style
        for part in package.related(package.main, "styles")[:1]
        for style in package.tree(part).iter(_STYLE)
        if style.get(_STYLE_ID)
    }


def _blocks(version: Version) -> Iterator[ComparedBlock]:
    stack = [block for story in version.stories for block in story.blocks]
    while stack:
        block = stack.pop()
        yield block
        stack += [b for row in block.rows for cell in row.cells for b in cell.blocks]


def _free(identifier: str, known: dict[str, Element]) -> str:
    candidate, count = identifier, 0
    while candidate in known:
        count += 1
        candidate = f"{identifier}-{count}"
    return candidate


def _copied(style: Element, ids: dict[str, str], lists: Lists) -> Element:
    """Returns a copy of a style without what leads to other styles, and never the default one."""
    copy = deepcopy(style)
    if copy.get(W("default")) is not None:
        del copy.attrib[W("default")]
    copy.set(_STYLE_ID, ids[style.get(_STYLE_ID, "")])
    for child in list(copy):
        if child.tag in _STAYS:
            copy.remove(child)
    based = copy.find(_BASED_ON)
    if based is not None and based.get(W_VAL) in ids:
        based.set(W_VAL, ids[based.get(W_VAL, "")])
    properties = copy.find(W_PPR)
    try:
        lists.set_in(copy)
    except RefusedError:
        numbering = None if properties is None else properties.find(W("numPr"))
        if properties is not None and numbering is not None:
            properties.remove(numbering)
    return copy


def _name(style: Element) -> _Name:
    return style.get(W_TYPE, "paragraph"), _value(style, _NAME).lower()


def _value(style: Element, tag: str) -> str:
    child = style.find(tag)
    return "" if child is None else child.get(W_VAL, "")
