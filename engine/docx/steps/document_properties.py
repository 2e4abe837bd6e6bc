"""Sets document properties (ECMA-376 Part 2, 11, core properties); Word does not track them.

[x] title, subject, author, keywords, comments, category  [x] the part is made where it is missing
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.anchored_elements import Finder, OperationError, unable
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.step import Blind, Reach
from redraft.engine.docx.names import PKG, Namespace
from redraft.engine.docx.opc.new_parts import declare, free_name, insert
from redraft.engine.docx.opc.package import Package
from redraft.engine.errors import CorruptDocumentError, RefusedError
from redraft.engine.plan import SetProperty

_DC: Final = Namespace("http://purl.org/dc/elements/1.1/")
_CP: Final = Namespace("http://schemas.openxmlformats.org/package/2006/metadata/core-properties")
_KIND: Final = (
    "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"
)
_TYPE: Final = "application/vnd.openxmlformats-package.core-properties+xml"
_NAME: Final = "docProps/core.xml"
_EMPTY: Final = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'
    f'<cp:coreProperties xmlns:cp="{_CP}" xmlns:dc="{_DC}" '
    'xmlns:dcterms="http://purl.org/dc/terms/" '
    'xmlns:dcmitype="http://purl.org/dc/dcmitype/" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"></cp:coreProperties>'
)
_ELEMENTS: Final = {
    "title": _DC("title"),
    "subject": _DC("subject"),
    "author": _DC("creator"),
    "keywords": _CP("keywords"),
    "comments": _DC("description"),
    "category": _CP("category"),
}
_ALSO: Final = {"creator": "author", "description": "comments"}
_WARNING: Final = "Word does not track document properties: this change cannot be rejected"


@dataclass(frozen=True, slots=True)
class PropertyStep:
    """A document property that gets a value."""

    tag: str
    value: str
    places: tuple[Place, ...] = ()
    reach: Reach = field(default_factory=Reach)
    blind: frozenset[Blind] = frozenset()
    warnings: tuple[str, ...] = (_WARNING,)

    def write(self, desk: Desk) -> bool:
        """Sets the property.

        Raises:
            RefusedError: the part of the properties is damaged.
        """
        package = desk.package
        parts = package.related("", "core-properties")
        name = parts[0] if parts else _made(package)
        try:
            root = package.tree(name)
        except CorruptDocumentError as error:
            message = "The document's properties are damaged and cannot be changed"
            raise RefusedError(message) from error
        element = root.find(self.tag)
        if (element is None and not self.value) or (
            element is not None and (element.text or "") == self.value
        ):
            return False
        if element is None:
            element = root.makeelement(self.tag)
            root.append(element)
        element.text = self.value
        package.replace(name, package.serialize(name))
        return True


def resolve(_finder: Finder, operation: SetProperty) -> PropertyStep:
    """Returns what a plan's operation means here.

    Raises:
        OperationError: there is no such property, or the value cannot be stored.
    """
    name = operation.name.strip().lower()
    tag = _ELEMENTS.get(_ALSO.get(name, name))
    if tag is None:
        known = ", ".join(_ELEMENTS)
        raise unable("bad_value", f"There is no document property {name}; there are {known}")
    value = operation.value
    if any(not char.isprintable() and char not in "\t\n" for char in value):
        message = "The value holds a control character, which a document cannot hold"
        raise OperationError("bad_value", RefusedError(message))
    return PropertyStep(tag, value)


def _made(package: Package) -> str:
    """Returns a part of core properties without any, declared and related to the package."""
    is_free = package.content_type(_NAME) == _TYPE or not package.is_declared(_NAME)
    name = _NAME if is_free else free_name(package, _NAME, "core")
    declare(package, name, _TYPE)
    package.replace(name, _EMPTY.encode())
    taken = package.relationships("")
    number = 1
    while f"rId{number}" in taken:
        number += 1
    relation = f'<w:Relationship Id="rId{number}" Type="{_KIND}" Target="{name}"/>'
    insert(package, "_rels/.rels", relation, namespace=PKG)
    return name
