"""An Office package (ECMA-376 Part 2, OPC): parts, relationships and content types over a zip file.

The only module that makes an XML parser: no entity is expanded, nothing is fetched, and a DOCTYPE
is refused before parsing.

[x] main part through the package's relationships  [x] Strict namespaces  [x] UTF-8 and UTF-16
[x] external targets  [x] backslashes, case and %-escapes in part names
[-] parts split into pieces (refused as damaged)  [-] flat OPC (.xml; not a zip)
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from lxml import etree

from redraft.engine.archive import Archive
from redraft.engine.docx.names import CT, PKG, STRICT, W_DOCUMENT, Element, W
from redraft.engine.errors import CorruptDocumentError, TooLargeError
from redraft.engine.formats import CONTENT_TYPES, DOCUMENT_TYPE, refusal

MAX_DEPTH: Final = 500
XML_DECLARATION = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'

_PURL = b"http://purl.oclc.org/ooxml/"
_BOMS = (b"\xff\xfe", b"\xfe\xff")
_TAG = re.compile(rb"<[^\s/>!?][^\s/>]*(?:\s+[^\s=>]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*\s*/?>")
_DECLARED = re.compile(rb"(xmlns(?::[^\s=]+)?\s*=\s*)([\"'])(http://[^\"']*)\2")
_PROLOG = re.compile(r"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*)*", re.DOTALL)
_ENCODING = re.compile(r"<\?xml[^>]*?\sencoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
# All of them spell ASCII in ASCII, so that a DOCTYPE cannot hide from the check.
_ENCODINGS = frozenset(
    {"utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "windows-1252", "utf-16"}
)
_TO_STRICT = {transitional: strict for strict, transitional in STRICT.items()}


@dataclass(frozen=True, slots=True)
class Relationship:
    """One relationship of a part; `target` is a part name, or a URL as written when `external`."""

    id: str
    type: str
    target: str
    external: bool

    @property
    def kind(self) -> str:
        """The last segment of the type: `header`, `hyperlink`, `footnotes`."""
        return self.type.rstrip("/").rpartition("/")[2]


class Package:
    """A Word document as a package; its parsed trees are kept and shared by all who ask."""

    __slots__ = (
        "_archive",
        "_index",
        "_inflated",
        "_relationships",
        "_replaced",
        "_trees",
        "_types",
        "main",
        "strict",
    )

    main: str
    strict: bool

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._replaced: dict[str, bytes] = {}
        self._inflated: dict[str, bytes] = {}
        self._trees: dict[str, Element] = {}
        self._relationships: dict[str, Mapping[str, Relationship]] = {}
        self._index = {_key(name): name for name in archive.names()}
        self._types = _ContentTypes(self.tree(CONTENT_TYPES))
        self.main, self.strict = self._find_main()

    @classmethod
    def open(cls, data: bytes) -> Package:
        """Opens a Word document.

        Raises:
            UnsupportedFormatError: a package, but not of a Word document that is accepted.
            CorruptDocumentError: the zip, the content types or the main part cannot be read.
            TooLargeError: it would unpack to more than allowed.
            ProtectedFileError: a password is needed.
        """
        package = cls(Archive.open(data))
        reason = refusal(package.content_type(package.main))
        if reason is not None:
            raise reason
        if package.tree(package.main).tag != W_DOCUMENT:
            message = "The file is damaged: its main part is not a Word document"
            raise CorruptDocumentError(message)
        return package

    def names(self) -> tuple[str, ...]:
        """Returns the names of all members, as stored; those added by `replace` come last."""
        stored = self._archive.names()
        return (*stored, *(name for name in self._replaced if name not in self._archive))

    def has(self, name: str) -> bool:
        """Returns whether a part is there.

        Names are compared as OPC does, without regard to case.
        """
        return _key(name) in self._index

    def read(self, name: str) -> bytes:
        """Returns the inflated bytes of a member.

        Raises:
            CorruptDocumentError: no such member, or damaged.
        """
        stored = self._index.get(_key(name), name)
        content = self._replaced.get(stored)
        if content is None:
            content = self._inflated.get(stored)
        if content is None:
            content = self._archive.read(stored)
            if stored.endswith(".xml"):
                # An edit asks for the same parts many times; pictures would only take room.
                self._inflated[stored] = content
        return content

    def is_same(self, name: str, other: Package) -> bool:
        """Returns whether a member holds the same bytes in another package."""
        stored = self._index.get(_key(name), name)
        if stored in self._replaced or stored in other._replaced:
            return other.has(name) and self.read(name) == other.read(name)
        return self._archive.is_same(stored, other._archive)

    def as_opened(self) -> Package:
        """Returns the package as it was when it was opened, with trees of its own."""
        return Package(self._archive)

    def tree(self, name: str) -> Element:
        """Returns the root of a part, parsed once: the same object at each call.

        Strict namespaces are mapped to transitional ones in the tree only; `serialize` maps them
        back.

        Raises:
            CorruptDocumentError: not well-formed, or with a DOCTYPE.
        """
        stored = self._index.get(_key(name), name)
        root = self._trees.get(stored)
        if root is None:
            root = self._trees[stored] = parse(self.read(stored), stored)
        return root

    def serialize(self, name: str) -> bytes:
        """Returns the bytes of a part's tree as it now stands, in the part's dialect (UTF-8)."""
        body = etree.tostring(self.tree(name), encoding="UTF-8")
        if _PURL in _as_utf8(self.read(name)):
            body = _renamed(body, _TO_STRICT, b"http://schemas.openxmlformats.org/")
        return XML_DECLARATION + body

    def relationships(self, part: str) -> Mapping[str, Relationship]:
        """Returns the relationships of a part by id; of the package itself for an empty name."""
        relationships = self._relationships.get(part)
        if relationships is None:
            relationships = self._relationships[part] = MappingProxyType(
                self._read_relationships(part)
            )
        return relationships

    def related(self, part: str, kind: str) -> tuple[str, ...]:
        """Returns the parts that `part` names by relationships of a kind, in order, each once."""
        targets = (
            self._index.get(_key(relation.target))
            for relation in self.relationships(part).values()
            if relation.kind == kind and not relation.external
        )
        return tuple(dict.fromkeys(target for target in targets if target is not None))

    def content_type(self, part: str) -> str:
        """Returns the content type of a part, empty when none is declared."""
        return self._types.of(part)

    def is_declared(self, part: str) -> bool:
        """Returns whether the content types have an Override for a part, which may not be there."""
        return self._types.has_override(part)

    def replace(self, name: str, data: bytes) -> None:
        """Gives a member new bytes, or makes a new member; its parsed tree is dropped."""
        stored = self._index.setdefault(_key(name), name)
        self._replaced[stored] = data
        self._trees.pop(stored, None)
        if stored == CONTENT_TYPES:
            self._types = _ContentTypes(self.tree(CONTENT_TYPES))
        if stored.endswith(".rels"):
            self._relationships.clear()

    def save(self) -> bytes:
        """Returns the file.

        Members that were not replaced keep their bytes: without any it is the same.
        """
        return self._archive.write(self._replaced)

    def _find_main(self) -> tuple[str, bool]:
        for relation in self.relationships("").values():
            if relation.kind == "officeDocument" and self.has(relation.target):
                strict = relation.type.startswith(_PURL.decode())
                return self._index[_key(relation.target)], strict
        # Word opens a package whose relationships are lost when a part says by its type that it is
        # the document.
        for name in self._index.values():
            if self._types.of(name) == DOCUMENT_TYPE:
                return name, False
        message = "The file is damaged: its main part, the document itself, is missing"
        raise CorruptDocumentError(message)

    def _read_relationships(self, part: str) -> dict[str, Relationship]:
        folder, base = posixpath.split(part)
        name = posixpath.join(folder, "_rels", base + ".rels")
        if not self.has(name):
            return {}
        relationships: dict[str, Relationship] = {}
        for node in self.tree(name).iter(PKG("Relationship")):
            identifier, target = node.get("Id", ""), node.get("Target", "")
            external = node.get("TargetMode") == "External"
            resolved = target if external else _resolve(folder, target)
            relationships[identifier] = Relationship(
                identifier, node.get("Type", ""), resolved, external
            )
        return relationships


class _ContentTypes:
    """The content types of a package: by part, else by suffix (ECMA-376 Part 2, 10.1.2.2)."""

    __slots__ = ("_by_part", "_by_suffix")

    def __init__(self, root: Element) -> None:
        self._by_part = {
            _key(node.get("PartName", "")): node.get("ContentType", "")
            for node in root.iter(CT("Override"))
        }
        self._by_suffix = {
            node.get("Extension", "").lower(): node.get("ContentType", "")
            for node in root.iter(CT("Default"))
        }

    def has_override(self, part: str) -> bool:
        return _key(part) in self._by_part

    def of(self, part: str) -> str:
        key = _key(part)
        media_type = self._by_part.get(key)
        return self._by_suffix.get(key.rpartition(".")[2], "") if media_type is None else media_type


def parse(data: bytes, name: str) -> Element:
    """Parses a part: no DOCTYPE, no entities but the five, nothing fetched, Strict names mapped.

    Raises:
        CorruptDocumentError: not well-formed, or it has a DOCTYPE or an encoding that Office does
            not use.
        TooLargeError: nested deeper than `MAX_DEPTH`.
    """
    _check_prolog(data, name)
    if _PURL in _as_utf8(data):
        data = _renamed(_as_utf8(data), STRICT, _PURL)
    try:
        return _bare(etree.fromstring(data, _parser(huge=False)), data)
    except etree.XMLSyntaxError:
        # Deeper than 256, or text beyond 10 MB: once more with our own limits, not the library's.
        pass
    try:
        root = etree.fromstring(data, _parser(huge=True))
    except etree.XMLSyntaxError as error:
        message = f"The file is damaged: its part {name} is not well-formed XML"
        raise CorruptDocumentError(message) from error
    _check_depth(root, name)
    return _bare(root, data)


def _bare(root: Element, data: bytes) -> Element:
    """Returns the root of a part with text without XML comments and processing instructions.

    They say nothing in a document, and would stand between paragraphs and pieces of text that
    belong together. In the bytes of the part they stay where no block around them changes.
    """
    has_others = b"<!--" in data or data.find(b"<?", len("\ufeff".encode()) + 1) > 0
    is_suspect = has_others or data[:2] in _BOMS
    if is_suspect and str(root.tag).startswith(f"{{{W}}}"):
        etree.strip_tags(root, etree.Comment, etree.ProcessingInstruction)
    return root


def _parser(*, huge: bool) -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=huge,
        strip_cdata=False,
    )


def _check_prolog(data: bytes, name: str) -> None:
    """Refuses a DOCTYPE, wherever an encoding might hide it."""
    if data[:2] in _BOMS:
        text = data[: len(data) & ~1].decode("utf-16", "replace")
    else:
        text = data[:65_536].decode("latin-1").removeprefix("\xef\xbb\xbf")
    encoding = _ENCODING.match(text)
    if encoding is not None and encoding[1].lower() not in _ENCODINGS:
        message = f"The file is damaged: its part {name} has the encoding {encoding[1]}"
        raise CorruptDocumentError(message)
    prolog = _PROLOG.match(text)
    at = 0 if prolog is None else prolog.end()
    if not text.startswith("<", at) or text.startswith("<!", at):
        detail = (
            "has a DOCTYPE, which is not allowed" if text.startswith("<!", at) else "is not XML"
        )
        message = f"The file is damaged: its part {name} {detail}"
        raise CorruptDocumentError(message)


def _check_depth(root: Element, name: str) -> None:
    depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > MAX_DEPTH:
            message = f"The document's part {name} is nested more than {MAX_DEPTH} levels deep"
            raise TooLargeError(message)


def _as_utf8(data: bytes) -> bytes:
    if data[:2] not in _BOMS:
        return data
    text = data.decode("utf-16", "replace")
    return re.sub(r"^<\?xml.*?\?>", "", text, count=1).encode()


def _renamed(data: bytes, names: Mapping[str, str], marker: bytes) -> bytes:
    """Returns the XML with namespaces renamed where they are declared, and nowhere in text."""

    def declared(match: re.Match[bytes]) -> bytes:
        target = names.get(match[3].decode("latin-1"))
        return match[0] if target is None else match[1] + match[2] + target.encode() + match[2]

    out: list[bytes] = []
    done = 0
    at = data.find(marker)
    while at >= 0:
        tag = _TAG.match(data, max(data.rfind(b"<", 0, at), done))
        if tag is None or tag.end() <= at:
            at = data.find(marker, at + 1)
            continue
        out += (data[done : tag.start()], _DECLARED.sub(declared, tag[0]))
        done = tag.end()
        at = data.find(marker, done)
    return b"".join(out) + data[done:]


def _key(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()


def _resolve(folder: str, target: str) -> str:
    """Returns the name of the part that an internal target means, without a leading slash."""
    path = target.partition("#")[0].replace("\\", "/")
    if "%" in path:
        from urllib.parse import unquote  # slow to load, and hardly a document needs it

        path = unquote(path).replace("\\", "/")
    return posixpath.normpath(posixpath.join("/", folder, path)).lstrip("/")
