"""Gives a package new parts and relationships; what stands in it stays byte for byte.

ECMA-376 Part 2, 9.3 (relationships) and 10.1.2 (content types). A Strict file gets Strict types.
"""

from __future__ import annotations

import posixpath
from typing import Final
from xml.sax.saxutils import quoteattr

from engine.docx.names import STRICT
from engine.docx.package import CONTENT_TYPES, Package
from engine.errors import CorruptDocumentError

_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_EMPTY: Final = (
    b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    b"</Relationships>"
)
_TO_STRICT: Final = {value: key for key, value in STRICT.items()}


def add(package: Package, owner: str, kind: str, media_type: str, data: bytes) -> str:
    """Make a part related to another and declare its content type.

    Args:
        package: Where it goes.
        owner: The part whose relationship names it, usually the main part; it stands beside it.
        kind: The last step of the relationship's type, also the name of the part: `comments`.
        media_type: Its content type.
        data: Its bytes.

    Returns:
        The name of the part.
    """
    folder = posixpath.dirname(owner)
    name = posixpath.join(folder, f"{kind}.xml")
    number = 1
    while package.has(name):
        number += 1
        name = posixpath.join(folder, f"{kind}{number}.xml")
    override = f"<Override PartName={quoteattr('/' + name)} ContentType={quoteattr(media_type)}/>"
    package.replace(CONTENT_TYPES, _inside(package.read(CONTENT_TYPES), b"Types", override))
    package.replace(name, data)
    relate(package, owner, kind, posixpath.basename(name))
    return name


def relate(
    package: Package, owner: str, kind: str, target: str, *, is_external: bool = False
) -> str:
    """Give a part a relationship, and say its id.

    Args:
        package: Where.
        owner: The part that refers.
        kind: The last step of the type: `hyperlink`.
        target: Relative to the folder of `owner`, or an address when external.
        is_external: Whether it leads out of the package.
    """
    taken = package.relationships(owner)
    number = 1
    while f"rId{number}" in taken:
        number += 1
    office = _TO_STRICT[_OFFICE] if package.strict else _OFFICE
    mode = ' TargetMode="External"' if is_external else ""
    element = (
        f'<Relationship Id="rId{number}" Type={quoteattr(f"{office}/{kind}")} '
        f"Target={quoteattr(target)}{mode}/>"
    )
    folder, base = posixpath.split(owner)
    name = posixpath.join(folder, "_rels", base + ".rels")
    data = package.read(name) if package.has(name) else _EMPTY
    package.replace(name, _inside(data, b"Relationships", element))
    return f"rId{number}"


def _inside(data: bytes, tag: bytes, element: str) -> bytes:
    """The XML of a part with an element put at the end of its root.

    Raises:
        CorruptDocumentError: its root is not closed as expected.
    """
    at = data.rfind(b"</")
    prefix = data[at + 2 :].partition(b">")[0].strip().rpartition(b":")[0]
    if at < 0 or not data[at:].lstrip(b"</").partition(b">")[0].strip().endswith(tag):
        short = data.rfind(b"/>")
        if short < 0:
            message = "The file is damaged: its relationships cannot be read"
            raise CorruptDocumentError(message)
        start = data.rfind(b"<", 0, short)
        name = data[start + 1 : short].split()[0]
        prefix = name.rpartition(b":")[0]
        named = _prefixed(element, prefix)
        return data[:short] + b">" + named + b"</" + name + b">" + data[short + 2 :]
    return data[:at] + _prefixed(element, prefix) + data[at:]


def _prefixed(element: str, prefix: bytes) -> bytes:
    data = element.encode()
    return b"<" + prefix + b":" + data[1:] if prefix else data
