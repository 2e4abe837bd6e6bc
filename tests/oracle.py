"""What a Word document says, read by rules of its own: the judge of the redline.

It shares no code with the engine. A document becomes, part by part, a list of paragraphs, each with
its properties and its content, after the revision marks of some authors have been accepted or
rejected and the others kept. Two documents are the same when these are equal: runs of equal
formatting are merged, revision ids, rsids and proofing marks do not count, everything else does.

Rules are those of ECMA-376 Part 1, 17.13.5: a paragraph whose mark is gone joins the next one and
takes that one's properties.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from lxml import etree

Verdict: TypeAlias = Literal["keep", "accept", "reject"]
Judge: TypeAlias = Callable[[str], Verdict]
Node: TypeAlias = etree._Element  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # lxml has no public name for it
Frozen: TypeAlias = tuple[str, tuple[tuple[str, str], ...], str, "tuple[Frozen, ...]"]

WORDML = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",
}
TEXT_PARTS = re.compile(
    r"\.(?:document|header|footer|footnotes|endnotes|comments|template)(?:\.main)?\+xml$"
)
INSERTED = {"ins", "moveTo"}
DELETED = {"del", "moveFrom"}
TEXT = {"t", "delText", "instrText", "delInstrText"}
SILENT = {
    "proofErr",
    "lastRenderedPageBreak",
    "moveFromRangeStart",
    "moveFromRangeEnd",
    "moveToRangeStart",
    "moveToRangeEnd",
}
OLD = {"rPrChange", "pPrChange"}


@dataclass(frozen=True, slots=True)
class Piece:
    """Text of equal formatting, or something that is not text; `marks` are the revisions kept."""

    text: str
    thing: Frozen | None
    properties: Frozen | None
    marks: tuple[tuple[str, ...], ...]


@dataclass(slots=True)
class Paragraph:
    """A paragraph after judgement; `level` says how deep in tables and boxes it stands."""

    pieces: list[Piece] = field(default_factory=list[Piece])
    properties: Frozen | None = None
    mark: tuple[tuple[str, ...], ...] = ()
    frame: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What a reader sees, tabs and breaks included."""
        return "".join(piece.text for piece in self.pieces)


def keep(_author: str) -> Verdict:
    return "keep"


def accept(_author: str) -> Verdict:
    return "accept"


def only(author: str, verdict: Verdict, others: Verdict = "keep") -> Judge:
    """Judge one author's marks, and all others by `others`."""
    return lambda name: verdict if name == author else others


def members(data: bytes) -> dict[str, bytes]:
    """Give the inflated members of a package in their order."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return {name: package.read(name) for name in package.namelist()}


def parts(data: bytes) -> list[str]:
    """Name the members that hold text: those whose content type says so, by name or by suffix."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        types = etree.fromstring(package.read("[Content_Types].xml"))
        names = package.namelist()
    said = {
        (node.get("PartName", "").lstrip("/") or "." + node.get("Extension", "")).lower(): node.get(
            "ContentType", ""
        )
        for node in types
    }
    of = {name: said.get(name.lower(), said.get("." + suffix(name), "")) for name in names}
    found = sorted(name for name in names if TEXT_PARTS.search(of[name]))
    assert found, "no part of the file says that it is the document"
    return found


def suffix(name: str) -> str:
    """What stands behind the last dot of a member's name, in small letters."""
    return name.rpartition(".")[2].lower()


def judged(data: bytes, judge: Judge) -> dict[str, list[Paragraph]]:
    """Read every part with text after judging the revision marks by their authors."""
    held = members(data)
    return {name: Reader(judge).read(parse(held[name])) for name in parts(data)}


def parse(data: bytes) -> Node:
    parser = etree.XMLParser(
        resolve_entities=False, huge_tree=True, remove_comments=True, remove_pis=True
    )
    return etree.fromstring(data, parser)


def local(node: Node) -> str:
    """Give the local name of a WordprocessingML element, and an empty one for any other."""
    space, _, name = str(node.tag).removeprefix("{").rpartition("}")
    return name if space in WORDML else ""


def attribute(node: Node, name: str) -> str:
    """Give a WordprocessingML attribute by its local name, in either edition's namespace."""
    return next((v for space in WORDML if (v := node.get(f"{{{space}}}{name}")) is not None), "")


def frozen(node: Node) -> Frozen:
    """Make a comparable value of an element: no rsids, no ids of revisions, no prefixes."""
    is_revision = bool(attribute(node, "author"))
    attributes = tuple(
        sorted(
            (str(name), str(value))
            for name, value in node.attrib.items()
            if not re.search(r"\}rsid\w*$", str(name))
            and not (is_revision and str(name).endswith("}id"))
        )
    )
    below = tuple(frozen(child) for child in node)
    return str(node.tag), attributes, (node.text or "") if not below else "", below


class Reader:
    """Walks one part."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.done: list[Paragraph] = []
        self.open: list[Paragraph] = []
        self.marks: list[tuple[str, ...]] = []
        self.frame: list[str] = []

    def read(self, root: Node) -> list[Paragraph]:
        self.blocks(root)
        return self.done

    def verdict(self, node: Node) -> Verdict:
        return self.judge(attribute(node, "author"))

    def blocks(self, container: Node) -> None:
        """Walk block-level content; a paragraph without a mark is carried over to the next one."""
        carried: Paragraph | None = None
        for child in self.children(container):
            name = local(child)
            if name == "p":
                carried = self.paragraph(child, carried)
            elif name in ("pPr", "rPr", "tblPr", "tblGrid", "sectPr", "tcPr", "sdtPr", "sdtEndPr"):
                self.done.append(Paragraph(properties=frozen(child), frame=tuple(self.frame)))
            elif name == "tr" and self.is_gone_row(child):
                continue
            elif name in ("trPr", "tblPrEx"):
                self.done.append(Paragraph(properties=self.row(child), frame=tuple(self.frame)))
            elif len(child):
                self.frame.append(f"{name}{self.who(child)}")
                self.blocks(child)
                self.frame.pop()
            else:
                self.done.append(Paragraph(properties=frozen(child), frame=tuple(self.frame)))
        if carried is not None and carried.pieces:
            self.done.append(carried)

    def who(self, node: Node) -> str:
        keys = ("id", "type", "name") if local(node) in ("footnote", "endnote", "comment") else ()
        return "".join(f" {key}={attribute(node, key)}" for key in keys)

    def children(self, container: Node) -> Iterator[Node]:
        """Give the block-level children, those inside judged wrappers in their place."""
        for child in container:
            if local(child) in SILENT:
                continue
            name = local(child)
            if name in INSERTED | DELETED and self.verdict(child) != "keep":
                if (name in INSERTED) == (self.verdict(child) == "accept"):
                    yield from self.children(child)
                continue
            yield child

    def is_gone_row(self, row: Node) -> bool:
        for properties in (child for child in row if local(child) == "trPr"):
            for mark in properties:
                verdict = self.verdict(mark)
                if local(mark) == "ins" and verdict == "reject":
                    return True
                if local(mark) == "del" and verdict == "accept":
                    return True
        return False

    def row(self, properties: Node) -> Frozen:
        tag, attributes, text, below = frozen(properties)
        kept = tuple(
            frozen(child)
            for child in properties
            if local(child) not in ("ins", "del") or self.verdict(child) == "keep"
        )
        return tag, attributes, text, kept if len(properties) else below

    def paragraph(self, node: Node, carried: Paragraph | None) -> Paragraph | None:
        """Read a paragraph; returns it when its mark is gone and it goes on in the next one."""
        made = carried or Paragraph(frame=tuple(self.frame))
        properties = next((child for child in node if local(child) == "pPr"), None)
        self.open.append(made)
        self.inlines(node)
        self.open.pop()
        made.mark, is_gone = self.mark(properties)
        if is_gone:
            return made
        made.properties = self.properties(properties)
        self.done.append(made)
        return None

    def mark(self, properties: Node | None) -> tuple[tuple[tuple[str, ...], ...], bool]:
        """Judge the paragraph mark: the revisions kept on it, and whether it is gone."""
        kept: list[tuple[str, ...]] = []
        for run in (child for child in (() if properties is None else properties)):
            if local(run) != "rPr":
                continue
            for mark in run:
                name, verdict = local(mark), self.verdict(mark)
                if name not in INSERTED | DELETED:
                    continue
                if verdict == "keep":
                    kept.append((name, attribute(mark, "author"), attribute(mark, "date")))
                elif (name in INSERTED) == (verdict == "reject"):
                    return tuple(kept), True
        return tuple(kept), False

    def properties(self, node: Node | None) -> Frozen | None:
        """Give properties without judged changes: the old ones where such a change is rejected."""
        if node is None:
            return None
        kept: list[Frozen] = []
        for child in node:
            name = local(child)
            if name in OLD and self.verdict(child) != "keep":
                if self.verdict(child) == "reject":
                    return self.properties(child[0]) if len(child) else None
            elif name in INSERTED | DELETED and local(node) == "rPr":
                continue
            elif name == "rPr" and local(node) == "pPr":
                inner = self.properties(child)
                kept += [inner] if inner is not None else []
            else:
                kept.append(frozen(child))
        kept = [each for each in kept if each[1] or each[2] or each[3] or not is_empty(each)]
        return (str(node.tag), (), "", tuple(kept)) if kept else None

    def inlines(self, node: Node) -> None:
        for child in node:
            if local(child) in SILENT | {"pPr"}:
                continue
            name = local(child)
            if name in INSERTED | DELETED:
                self.revision(child)
            elif name == "r":
                self.run(child)
            elif has_text(child):
                self.token(child, "open")
                self.inlines(child)
                self.token(child, "close")
            else:
                self.put("", frozen(child), None)

    def revision(self, node: Node) -> None:
        verdict = self.verdict(node)
        if verdict == "keep":
            self.marks.append((local(node), attribute(node, "author"), attribute(node, "date")))
            self.inlines(node)
            self.marks.pop()
        elif (local(node) in INSERTED) == (verdict == "accept"):
            self.inlines(node)

    def run(self, node: Node) -> None:
        found = next((child for child in node if local(child) == "rPr"), None)
        properties = self.properties(found)
        for child in node:
            name = local(child)
            if name in SILENT | {"rPr"}:
                continue
            if name in ("t", "delText"):
                self.put(child.text or "", None, properties)
            elif name in TEXT:
                self.put("", ("code", (), child.text or "", ()), properties)
            elif name in ("tab", "br", "cr"):
                self.put("\t" if name == "tab" else "\n", frozen(child), properties)
            elif has_paragraphs(child):
                self.token(child, "open")
                self.inside(child)
                self.token(child, "close")
            else:
                self.put("", frozen(child), properties)

    def inside(self, node: Node) -> None:
        """Read the paragraphs of a text box as paragraphs of their own."""
        self.frame.append("box")
        for child in node:
            if local(child) == "txbxContent":
                self.blocks(child)
            elif has_paragraphs(child):
                self.inside(child)
        self.frame.pop()

    def token(self, node: Node, side: str) -> None:
        tag, attributes, _, _ = frozen(node)
        self.put("", (side, attributes, tag, ()), None)

    def put(self, text: str, thing: Frozen | None, properties: Frozen | None) -> None:
        pieces = self.open[-1].pieces
        marks = tuple(self.marks)
        last = pieces[-1] if pieces else None
        same = last is not None and (last.thing, last.properties, last.marks) == (
            None,
            properties,
            marks,
        )
        if thing is None and last is not None and same:
            pieces[-1] = Piece(last.text + text, None, properties, marks)
        elif text or thing is not None:
            pieces.append(Piece(text, thing, properties, marks))


def is_empty(value: Frozen) -> bool:
    """Whether a properties element says nothing: an empty `rPr` in a `pPr`."""
    return value[0].endswith(("}rPr", "}pPr")) and not value[3]


def has_text(node: Node) -> bool:
    return any(local(below) == "r" for below in node.iter())


def has_paragraphs(node: Node) -> bool:
    return any(local(below) == "p" for below in node.iter())


def texts(found: dict[str, list[Paragraph]]) -> dict[str, list[str]]:
    """Give the text of every paragraph that has one."""
    return {name: [p.text for p in held if p.text.strip()] for name, held in found.items()}


def authors(data: bytes) -> set[str]:
    """Name everyone who has left a revision mark in a part with text."""
    held = members(data)
    return {
        attribute(node, "author")
        for name in parts(data)
        for node in parse(held[name]).iter()
        if attribute(node, "author") and local(node) != "comment"
    }
