"""Gives a package new parts, relationships and elements; what stands in it stays byte for byte.

ECMA-376 Part 2, 9.3 (relationships) and 10.1.2 (content types). A Strict file gets Strict types. A
part in UTF-16 is written anew in UTF-8 before it takes an element.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import quoteattr

from redraft.engine.docx.names import CT, PKG, STRICT, Element, Namespace
from redraft.engine.docx.opc.package import CONTENT_TYPES, Package
from redraft.engine.docx.opc.splice import fragment
from redraft.engine.errors import CorruptDocumentError

_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_EMPTY: Final = (
    b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    b"</Relationships>"
)
_TO_STRICT: Final = {value: key for key, value in STRICT.items()}
_BOMS: Final = (b"\xff\xfe", b"\xfe\xff")
_PREFIX: Final = re.compile(rb"(?<=[<\s/])w:")
_ANY_TAG: Final = (
    rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>"
    rb"|<(/?)([A-Za-z_][\w.-]*:)?(NAMES)(?=[\s/>])(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>"
)


def add(package: Package, owner: str, kind: str, media_type: str, data: bytes) -> str:
    """Makes a part related to another and declares its content type.

    Args:
        package: Where it goes.
        owner: The part whose relationship names it, usually the main part; it stands beside it.
        kind: The last step of the relationship's type, also the name of the part: `comments`.
        media_type: Its content type.
        data: Its bytes.

    Returns:
        The name of the part.
    """
    name = free_name(package, owner, kind)
    declare(package, name, media_type)
    package.replace(name, data)
    relate(package, owner, kind, posixpath.basename(name))
    return name


def declare(package: Package, name: str, media_type: str) -> None:
    """Declares the content type of a new part, unless a part that is lost left the declaration.

    A package with two declarations for one name cannot be opened (ECMA-376 Part 2, 10.1.2.2).
    """
    if not (package.is_declared(name) and package.content_type(name) == media_type):
        part = quoteattr("/" + name)
        override = f"<w:Override PartName={part} ContentType={quoteattr(media_type)}/>"
        insert(package, CONTENT_TYPES, override, namespace=CT)


def free_name(package: Package, owner: str, kind: str) -> str:
    """Returns the name that `add` gives to a part of a kind beside another.

    A name that the content types declare is taken, too: the part may have been lost.
    """
    folder = posixpath.dirname(owner)
    name = posixpath.join(folder, f"{kind}.xml")
    number = 1
    while package.has(name) or package.is_declared(name):
        number += 1
        name = posixpath.join(folder, f"{kind}{number}.xml")
    return name


def relate(
    package: Package,
    owner: str,
    kind: str,
    target: str,
    *,
    is_external: bool = False,
    base: str = "",
) -> str:
    """Gives a part a relationship, and returns its id.

    Args:
        package: Where.
        owner: The part that refers.
        kind: The last step of the type: `hyperlink`.
        target: Relative to the folder of `owner`, or an address when external.
        is_external: Whether it leads out of the package.
        base: What the type begins with where it is none of the standard's.
    """
    taken = package.relationships(owner)
    number = 1
    while f"rId{number}" in taken:
        number += 1
    office = base or (_TO_STRICT[_OFFICE] if package.strict else _OFFICE)
    mode = ' TargetMode="External"' if is_external else ""
    element = (
        f'<w:Relationship Id="rId{number}" Type={quoteattr(f"{office}/{kind}")} '
        f"Target={quoteattr(target)}{mode}/>"
    )
    folder, base = posixpath.split(owner)
    name = posixpath.join(folder, "_rels", base + ".rels")
    if not package.has(name):
        package.replace(name, _EMPTY)
    insert(package, name, element, namespace=PKG)
    return f"rId{number}"


def insert(
    package: Package,
    part: str,
    element: str,
    *,
    namespace: Namespace,
    behind: str = "",
    before: tuple[str, ...] = (),
) -> None:
    """Puts an element at the end of a part's root, or at its place among the root's children.

    Args:
        package: Where.
        part: An existing part.
        element: ASCII XML; its prefix `w` stands for `namespace`, whatever the part calls it.
        namespace: That of the root, in its transitional name.
        behind: The local name of children that it follows, when there are any.
        before: The local names of children that it precedes otherwise.

    Raises:
        CorruptDocumentError: the root's end cannot be found.
    """
    data = package.read(part)
    if data[:2] in _BOMS:
        data = package.serialize(part)
    root = package.tree(part)
    named = _named(element, root.nsmap, namespace, data)
    names = (behind, *before) if behind else before
    at = _place(data, behind, before) if names else None
    local = str(root.tag).rpartition("}")[2].encode()
    package.replace(part, _ended(data, local, named) if at is None else _at(data, at, named))


def append(package: Package, part: str, elements: Sequence[Element]) -> None:
    """Puts elements at the end of a part's root, in order.

    Args:
        package: Where.
        part: An existing part.
        elements: In transitional names; they stay in no tree.

    Raises:
        CorruptDocumentError: the root's end cannot be found.
    """
    data = package.read(part)
    if data[:2] in _BOMS:
        data = package.serialize(part)
    root = package.tree(part)
    local = str(root.tag).rpartition("}")[2].encode()
    new = b"".join(fragment(element, root, data) for element in elements)
    package.replace(part, _ended(data, local, new))


def _at(data: bytes, at: int, element: bytes) -> bytes:
    return data[:at] + element + data[at:]


def _named(element: str, known: dict[str | None, str], namespace: Namespace, data: bytes) -> bytes:
    """Returns the element with the part's own prefix; attributes without a prefix take none."""
    raw = element.encode("ascii")
    is_attribute_bound = re.search(rb"\sw:", raw) is not None
    prefixes = [prefix for prefix, uri in known.items() if uri == str(namespace)]
    for prefix in sorted(prefixes, key=lambda name: name or "", reverse=True):
        if prefix:
            return _PREFIX.sub(prefix.encode() + b":", raw)
        if not is_attribute_bound:
            return _PREFIX.sub(b"", raw)
    strict = _TO_STRICT.get(namespace)
    uri = strict if strict is not None and strict.encode() in data else namespace
    end = re.search(rb"[\s/>]", raw[1:])
    assert end is not None  # it is an element
    at = end.start() + 1
    return raw[:at] + f' xmlns:w="{uri}"'.encode() + raw[at:]


def _tags(names: tuple[str, ...]) -> re.Pattern[bytes]:
    either = "|".join(map(re.escape, names)).encode()
    return re.compile(_ANY_TAG.replace(b"NAMES", either), re.DOTALL)


def _place(data: bytes, behind: str, before: tuple[str, ...]) -> int | None:
    """Returns behind the last child of one name, else before the first of some others."""
    last: int | None = None
    first: int | None = None
    for tag in _tags((behind, *before) if behind else before).finditer(data):
        if tag[3] is None:
            continue
        if tag[3].decode() == behind:
            last = tag.end()
        elif first is None:
            first = tag.start()
    return first if last is None else last


def _ended(data: bytes, local: bytes, element: bytes) -> bytes:
    """Returns the XML of a part with an element put at the end of its root.

    Raises:
        CorruptDocumentError: its root is not closed as expected.
    """
    tags = [tag for tag in _tags((local.decode(),)).finditer(data) if tag[3] is not None]
    if not tags:
        message = "The file is damaged: the end of one of its parts cannot be found"
        raise CorruptDocumentError(message)
    last = tags[-1]
    if last[1]:
        return _at(data, last.start(), element)
    name = (last[2] or b"") + last[3]
    opened = last[0].rstrip(b">").rstrip(b"/").rstrip() + b">"
    return data[: last.start()] + opened + element + b"</" + name + b">" + data[last.end() :]
