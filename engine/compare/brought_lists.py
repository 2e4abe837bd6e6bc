"""The lists of the second version in the first: the same one where paragraphs of both are in it.

A list is an id that paragraphs name. Of a list of the second version the counterpart is the one
that most paragraphs of the same words are in; without any it is the one of the same id if it says
the same, a list of the same definition that nothing is in, or a new one.

ECMA-376 Part 1, 17.9.1 (abstractNum), 17.9.15 (num), 17.9.18 (numId).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from lxml import etree

from redraft.engine.compare.versions import ComparedBlock, Version
from redraft.engine.docx.formatting.list_definitions import ListDefinitions
from redraft.engine.docx.judging.fingerprint import story_parts
from redraft.engine.docx.names import W_PPR, W_VAL, Element, W
from redraft.engine.docx.opc.package import Package
from redraft.engine.errors import RefusedError

_NUM, _NUM_ID, _ABSTRACT, _ABSTRACT_ID = map(W, ("num", "numId", "abstractNum", "abstractNumId"))
_LINKED: Final = (W("numStyleLink"), W("styleLink"))
_OF_ITSELF: Final = frozenset(map(W, ("nsid", "tmpl", "abstractNumId")))
_DECLARED: Final = re.compile(rb'\sxmlns(?::[\w.-]+)?="[^"]*"')
_UNKNOWN: Final = "The paragraphs are in a list whose definition cannot be copied"


def counterparts(first: Version, second: Version) -> dict[str, str]:
    """Returns for each list of the second version that of the first with the same paragraphs."""
    sides: list[dict[str, list[str]]] = []
    for version in (first, second):
        named: dict[str, list[str]] = {}
        for block, num in _listed(version):
            named.setdefault(block.text, []).append(num)
        sides.append(named)
    votes: dict[str, Counter[str]] = {}
    for text, nums in sides[1].items():
        others = sides[0].get(text, [])
        for num, other in zip(nums, others, strict=True) if len(nums) == len(others) else ():
            votes.setdefault(num, Counter())[other] += 1
    return {num: counter.most_common(1)[0][0] for num, counter in votes.items()}


def _listed(version: Version) -> Iterator[tuple[ComparedBlock, str]]:
    stack = [block for story in version.stories for block in story.blocks][::-1]
    while stack:
        block = stack.pop()
        num = block.element.find(f"{W_PPR}/{W('numPr')}/{_NUM_ID}")
        if num is not None and block.text.strip():
            yield block, num.get(W_VAL, "")
        stack += [b for row in block.rows for cell in row.cells for b in cell.blocks][::-1]


class Lists:
    """Finds or makes the lists of one document in another.

    Args:
        package: Where lists are looked for and made.
        source: The document whose lists are named.
        known: Lists of the source with their counterparts.
        styles: Ids of styles of the source that are brought, with their ids in the package.
    """

    def __init__(
        self,
        package: Package,
        source: Package,
        known: Mapping[str, str],
        styles: Mapping[str, str] | None = None,
    ) -> None:
        self._package = package
        self._source = source
        self._known = {"0": "0", **known}
        self._styles = styles or {}

    def set_in(self, element: Element) -> None:
        """Lets what names lists of the source name their counterparts.

        Raises:
            RefusedError: a list cannot be copied.
        """
        for node in element.iter(_NUM_ID):
            num = node.get(W_VAL, "")
            if num not in self._known:
                self._known[num] = self._made(num)
            node.set(W_VAL, self._known[num])

    def _made(self, num: str) -> str:
        source = _definition(self._source, num)
        if source is None or any(next(source[1].iter(tag), None) is not None for tag in _LINKED):
            raise RefusedError(_UNKNOWN)
        same = _definition(self._package, num)
        if same is not None and _said(same) == _said(source):
            return num
        used = {
            node.get(W_VAL, "")
            for part in story_parts(self._package)
            for node in self._package.tree(part).iter(_NUM_ID)
        } | set(self._known.values())
        for instance in _root(self._package).iter(_NUM):
            identifier = instance.get(_NUM_ID, "")
            own = _definition(self._package, identifier)
            if identifier not in used and own is not None and _said(own) == _said(source):
                return identifier
        return ListDefinitions(self._package).adopted(*source, self._styles)


def _root(package: Package) -> Element:
    parts = package.related(package.main, "numbering")
    return package.tree(parts[0]) if parts else etree.Element(W("numbering"))


def _definition(package: Package, num: str) -> tuple[Element, Element] | None:
    """Returns the list of an id and its definition; None where one of them is missing."""
    root = _root(package)
    instance = next((e for e in root.iter(_NUM) if e.get(_NUM_ID) == num), None)
    link = None if instance is None else instance.find(_ABSTRACT_ID)
    wanted = None if link is None else link.get(W_VAL)
    abstract = next((e for e in root.iter(_ABSTRACT) if e.get(_ABSTRACT_ID) == wanted), None)
    return None if instance is None or abstract is None else (instance, abstract)


def _said(definition: tuple[Element, Element]) -> list[bytes]:
    """Returns what a list says, without the ids that differ in every document."""
    return [
        _DECLARED.sub(b"", etree.tostring(child, with_tail=False))
        for element in definition
        for child in element
        if child.tag not in _OF_ITSELF
    ]
