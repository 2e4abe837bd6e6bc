"""What a Word document says, read by rules of its own: the judge of the redline.

It shares no code with the engine. A document becomes, part by part, a list of paragraphs, each with
its properties and its content, after the revision marks of some authors have been accepted or
rejected and the others kept. Two documents are the same when these are equal: runs of equal
formatting are merged, revision ids, rsids and proofing marks do not count, everything else does.

Rules are those of ECMA-376 Part 1, 17.13.5, and where it is silent those of Word:

- A paragraph whose mark is gone goes on in the following one (17.13.5.15, del; rejected 17.13.5.20,
  ins) and takes that one's properties, since those belong to the mark that is left.
- What follows must be a paragraph of the same container. A table is none, and neither is a content
  control or the section of the body: the words of a paragraph cannot flow into the first cell of a
  table, and behind the table they would be in another order. Word refuses to take such a mark away
  from words (Delete in front of a table does nothing), so what holds something stands as a
  paragraph of its own, and what holds nothing goes. Markers of ranges are points, no blocks
  (17.13.6.2, bookmarkStart): they are passed. What finds no paragraph behind them stands where it
  stood, in front of them.
- A cell ends in a paragraph (17.4.65, tc), and no story is without one: their last paragraph
  stands, empty, where otherwise nothing would or a table would be the last, for Word lets nobody
  take away the mark of a cell or the last one of a story.
- The section of the body (17.6.17, sectPr) says how its last section looks and ends no paragraph,
  so a paragraph whose mark is gone at the end of the body stands in front of it.
- A number that was inserted goes with its mark (17.13.5.19, ins); without it and without a list
  that it is of it says nothing.
- A row all of whose cells are gone is gone too: 17.4.78, tr, is a row of cells, Word takes a row
  without any for damage and drops a row with the last of its cells; the same for a table of which
  no row is left (17.4.37, tbl).
- The tags of content controls and custom XML come and go by ranges around them (17.13.5.4 to
  17.13.5.11, customXmlDelRange and its kin; Word means w:sdt too). A wrapper both of whose tags
  stand in ranges judged away is not there, and what it holds stands in its place. An end is judged
  as its start is, by whose author. A range in which no tag stands shall be ignored (17.13.5.4).
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
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
OLD = {"rPrChange", "pPrChange", "tblPrChange", "trPrChange", "tcPrChange", "tblPrExChange"}
NOTES = {"footnote", "endnote"}
WRAPPERS = {"hyperlink", "fldSimple"}
# What stands around runs, and is the same when the last of these is gone.
LINED = {*WRAPPERS, "smartTag", "customXml", "sdt", "sdtContent", "dir", "bdo"}
CELL_MARKS = {"cellIns", "cellDel", "cellMerge"}
# Points between blocks, which keep no two paragraphs apart.
TAG_RANGES = {
    "customXmlInsRange": "ins",
    "customXmlDelRange": "del",
    "customXmlMoveFromRange": "moveFrom",
    "customXmlMoveToRange": "moveTo",
}
POINTS = {
    f"{kind}{end}"
    for kind in ("bookmark", "commentRange", "perm", *TAG_RANGES)
    for end in ("Start", "End")
}
AROUND_ROWS = {"sdt", "sdtContent", "customXml"}


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
    # The list of types is no part, whatever the default type of its suffix says (Part 2, 10.1.2).
    found = sorted(name for name in names if TEXT_PARTS.search(of[name]) and name[0] != "[")
    assert found, "no part of the file says that it is the document"
    return found


def suffix(name: str) -> str:
    """What stands behind the last dot of a member's name, in small letters."""
    return name.rpartition(".")[2].lower()


def judged(data: bytes, judge: Judge) -> dict[str, list[Paragraph]]:
    """Read every part with text after judging the revision marks by their authors."""
    held = members(data)
    roots = {name: parse(held[name]) for name in parts(data)}
    gone = uncited(roots.values(), judge)
    return {name: Reader(judge, gone).read(root) for name, root in roots.items()}


def uncited(roots: Iterable[Node], judge: Judge) -> set[tuple[str, str]]:
    """Name the notes of which every reference is judged away: kind and id."""
    stays: dict[tuple[str, str], bool] = {}
    for root in roots:
        for node in root.iter():
            kind = local(node).removesuffix("Reference")
            if kind not in NOTES or kind == local(node):
                continue
            key = kind, attribute(node, "id")
            stays[key] = stays.get(key, False) or not is_judged_away(node, judge)
    return {key for key, is_there in stays.items() if not is_there}


def is_judged_away(node: Node, judge: Judge) -> bool:
    """Whether a mark around an element takes it away, that of a row or a cell too."""
    reader = Reader(judge)
    for ancestor in node.iterancestors():
        name, verdict = local(ancestor), judge(attribute(ancestor, "author"))
        if (name in INSERTED and verdict == "reject") or (name in DELETED and verdict == "accept"):
            return True
        if reader.is_gone(ancestor, name):
            return True
    return False


def parse(data: bytes) -> Node:
    parser = etree.XMLParser(
        resolve_entities=False, huge_tree=True, remove_comments=True, remove_pis=True
    )
    root = etree.fromstring(data, parser)
    for simple in [node for node in root.iter() if local(node) == "fldSimple"]:
        if any(local(child) not in INSERTED | DELETED for child in simple):
            made_complex(simple)
    return root


def made_complex(field: Node) -> None:
    """Put the complex field that says the same in the place of a simple one (17.16.19)."""
    space = str(field.tag).removesuffix("fldSimple")

    def run(name: str, **attributes: str) -> Node:
        made = field.makeelement(f"{space}r")
        node = etree.SubElement(made, f"{space}{name}")
        for key, value in attributes.items():
            node.set(f"{space}{key}", value)
        return made

    code = run("instrText")
    code[0].text = attribute(field, "instr")
    result = [run("fldChar", fldCharType="begin"), code, run("fldChar", fldCharType="separate")]
    result += [*field, run("fldChar", fldCharType="end")]
    parent = field.getparent()
    assert parent is not None
    at = parent.index(field)
    parent[at : at + 1] = result


def local(node: Node) -> str:
    """Give the local name of a WordprocessingML element, and an empty one for any other."""
    return named(str(node.tag))


@cache
def named(tag: str) -> str:
    """The local name in a tag of WordprocessingML."""
    space, _, name = tag.removeprefix("{").rpartition("}")
    return name if space in WORDML else ""


def attribute(node: Node, name: str) -> str:
    """Give a WordprocessingML attribute by its local name, in either edition's namespace."""
    return next((v for space in WORDML if (v := node.get(f"{{{space}}}{name}")) is not None), "")


def frozen(node: Node) -> Frozen:
    """Make a comparable value of an element: no rsids, no ids of revisions, no prefixes."""
    is_revision = bool(attribute(node, "author") or tag_range(node))
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

    def __init__(self, judge: Judge, gone: set[tuple[str, str]] | None = None) -> None:
        self.judge = judge
        self.uncited = gone or set()
        self.done: list[Paragraph] = []
        self.open: list[Paragraph] = []
        self.marks: list[tuple[str, ...]] = []
        self.frame: list[str] = []
        self.settled: set[Node] = set()
        self.taken_off: set[Node] = set()

    def read(self, root: Node) -> list[Paragraph]:
        self.settled, self.taken_off = tags_judged(root, self.judge)
        self.blocks(root)
        return self.done

    def verdict(self, node: Node) -> Verdict:
        return self.judge(attribute(node, "author"))

    def blocks(self, container: Node) -> None:
        """Walk block-level content; a paragraph without a mark is carried over to the next one."""
        carried: Paragraph | None = None
        last, at = "", 0
        for child in self.children(container):
            name = local(child)
            carried = self.stopped(carried, child, last, at)
            last = self.standing(child) or last
            if name == "p":
                carried = self.paragraph(child, carried)
                last, at = last if carried else name, len(self.done)
            elif name in ("pPr", "rPr", "sectPr", "sdtPr", "sdtEndPr"):
                self.done.append(Paragraph(properties=frozen(child), frame=tuple(self.frame)))
            elif name in ("tblPr", "tblPrEx", "trPr", "tcPr", "tblGrid"):
                said = self.grid(child) if name == "tblGrid" else self.properties(child)
                if said is not None:
                    self.done.append(Paragraph(properties=said, frame=tuple(self.frame)))
            elif self.is_gone(child, name) or (name, attribute(child, "id")) in self.uncited:
                continue
            elif len(child):
                self.frame.append(f"{name}{self.who(child)}")
                self.blocks(child)
                self.frame.pop()
            elif name != "sdtContent":
                self.done.append(Paragraph(properties=frozen(child), frame=tuple(self.frame)))
        is_needed = not last or (local(container) == "tc" and last == "tbl")
        if carried is not None and (carried.pieces or is_needed):
            self.done.insert(at, carried)

    def stopped(
        self, carried: Paragraph | None, child: Node, last: str, at: int
    ) -> Paragraph | None:
        """What is carried on to a block: into a paragraph, and past what is a point or gone."""
        name = local(child)
        if carried is None or name == "p" or name in POINTS or self.is_gone(child, name):
            return carried
        is_needed = name == "sectPr" and not last
        if carried.pieces or is_needed:
            self.done.insert(at, carried)
        return None

    def standing(self, child: Node) -> str:
        """The name of a block that is left and may hold paragraphs; paragraphs do not count."""
        name = local(child)
        is_block = name in ("tbl", "sdt", "customXml") and not self.is_gone(child, name)
        return name if is_block else ""

    def who(self, node: Node) -> str:
        keys = ("id", "type", "name") if local(node) in ("footnote", "endnote", "comment") else ()
        return "".join(f" {key}={attribute(node, key)}" for key in keys)

    def children(self, container: Iterable[Node]) -> Iterator[Node]:
        """Give the block-level children, those inside judged wrappers in their place."""
        for child in container:
            if local(child) in SILENT or child in self.settled:
                continue
            name = local(child)
            if child in self.taken_off:
                yield from self.children(held_by(child))
                continue
            if name in INSERTED | DELETED and self.verdict(child) != "keep":
                if (name in INSERTED) == (self.verdict(child) == "accept"):
                    yield from self.children(child)
                continue
            yield child

    def is_gone(self, node: Node, name: str) -> bool:
        """Whether a row or cell is gone, or a table of which no row is left."""
        if name == "tbl":
            rows = list(flat(node, "tr"))
            return bool(rows) and all(self.is_gone(row, "tr") for row in rows)
        if name not in ("tr", "tc"):
            return False
        cells = list(flat(node, "tc")) if name == "tr" else []
        if cells and all(self.is_gone(cell, "tc") for cell in cells):
            return True
        came, went = ("ins", "del") if name == "tr" else ("cellIns", "cellDel")
        return any(
            (local(mark) == came and self.verdict(mark) == "reject")
            or (local(mark) == went and self.verdict(mark) == "accept")
            for properties in node
            if local(properties) == f"{name}Pr"
            for mark in properties
        )

    def grid(self, grid: Node) -> Frozen:
        """The columns of a table: the old widths where its changes are rejected, and none for a
        column of which all cells are gone.

        A change of the grid names no author (17.13.5.33); it is judged like the changes of its
        cells, and kept when one of these is. Cells of rows that are gone count too: they were what
        the grid was changed for, and the verdict on them is no other because it took the row.
        """
        table = grid.getparent()
        assert table is not None
        cells = [cell for row in flat(table, "tr") for cell in flat(row, "tc")]
        changes = CELL_MARKS | {"tcPrChange"}
        marks = [mark for cell in cells for mark in cell.iter() if local(mark) in changes]
        columns = [child for child in grid if local(child) == "gridCol"]
        rest = [child for child in grid if local(child) != "gridCol"]
        verdicts = {self.verdict(mark) for mark in marks}
        if rest and len(verdicts) == 1 and "keep" not in verdicts:
            if "reject" in verdicts:
                columns = [c for c in rest[0].iter() if local(c) == "gridCol"]
            rest = []
        lost = self.lost([row for row in flat(table, "tr") if not self.is_gone(row, "tr")])
        kept = [column for index, column in enumerate(columns) if index not in lost]
        return str(grid.tag), (), "", tuple(frozen(each) for each in [*kept, *rest])

    def lost(self, rows: list[Node]) -> set[int]:
        """The columns over which only cells stand that are gone."""
        gone: set[int] = set()
        here: set[int] = set()
        for row in rows:
            at = whole(row, "trPr", "gridBefore", 0)
            for cell in flat(row, "tc"):
                spans = {whole(holder, "tcPr", "gridSpan", 1) for holder in with_former(cell)}
                columns = range(at, at + max(spans))
                at += max(spans)
                if self.is_gone(cell, "tc"):
                    gone |= set(columns)
                elif len(spans) == 1:
                    here |= set(columns)
        return gone - here

    def paragraph(self, node: Node, carried: Paragraph | None) -> Paragraph | None:
        """Read a paragraph; returns it when its mark is gone and it goes on in the next one."""
        made = carried or Paragraph(frame=tuple(self.frame))
        properties = next((child for child in node if local(child) == "pPr"), None)
        self.open.append(made)
        self.inlines(node)
        self.open.pop()
        made.mark, is_gone = self.mark(properties)
        made.properties = self.properties(properties)
        if is_gone:
            return made
        self.done.append(made)
        return None

    def mark(self, properties: Node | None) -> tuple[tuple[tuple[str, ...], ...], bool]:
        """Judge the paragraph mark: the revisions kept on it, and whether it is gone."""
        kept: list[tuple[str, ...]] = []
        is_gone = False
        for run in (child for child in (() if properties is None else properties)):
            if local(run) != "rPr":
                continue
            for mark in run:
                name, verdict = local(mark), self.verdict(mark)
                if name not in INSERTED | DELETED:
                    continue
                if verdict == "keep":
                    kept.append((name, attribute(mark, "author"), attribute(mark, "date")))
                else:
                    is_gone |= (name in INSERTED) == (verdict == "reject")
        return tuple(kept), is_gone

    def properties(self, node: Node | None) -> Frozen | None:
        """Give properties without judged changes: the old ones where such a change is rejected."""
        if node is None:
            return None
        kept: list[Frozen] = []
        for child in node:
            name = local(child)
            if name in OLD and self.verdict(child) != "keep":
                if self.verdict(child) == "reject":
                    return self.former(node, child)
            elif name in INSERTED | DELETED | CELL_MARKS and (
                local(node) == "rPr" or self.verdict(child) != "keep"
            ):
                continue
            elif (name, local(node)) in (("rPr", "pPr"), ("numPr", "pPr")):
                is_gone = name == "numPr" and self.is_number_gone(child)
                inner = None if is_gone else self.properties(child)
                kept += [inner] if inner is not None else []
            else:
                kept.append(frozen(child))
        kept = [each for each in kept if each[1] or each[2] or each[3] or not is_empty(each)]
        return (str(node.tag), (), "", tuple(kept)) if kept else None

    def is_number_gone(self, node: Node) -> bool:
        """Whether a paragraph was put in a list by someone whose changes are rejected."""
        return any(local(mark) == "ins" and self.verdict(mark) == "reject" for mark in node)

    def former(self, node: Node, change: Node) -> Frozen | None:
        """Give the old properties; a paragraph's change does not speak of its mark and section."""
        old = self.properties(change[0]) if len(change) else None
        kept = [child for child in node if local(child) in ("rPr", "sectPr")]
        beside = [self.properties(c) if local(c) == "rPr" else frozen(c) for c in kept]
        said = [*(() if old is None else old[3]), *(each for each in beside if each is not None)]
        return (str(node.tag), (), "", tuple(said)) if said else None

    def inlines(self, node: Iterable[Node]) -> None:
        for child in node:
            if local(child) in SILENT | {"pPr"} or child in self.settled:
                continue
            name = local(child)
            if child in self.taken_off:
                self.inlines(held_by(child))
                continue
            if name in INSERTED | DELETED:
                self.revision(child)
            elif name == "r":
                self.run(child)
            elif has_text(child) or name in LINED:
                self.wrapper(child)
            else:
                self.put("", frozen(child), None)

    def wrapper(self, node: Node) -> None:
        """Read what stands around runs; a link or field goes with the last of its words."""
        pieces = self.open[-1].pieces
        self.token(node, "open")
        size = len(pieces)
        self.inlines(node)
        marks = INSERTED | DELETED
        is_judged = any(local(n) in marks and self.verdict(n) != "keep" for n in node.iter())
        if len(pieces) == size and local(node) in WRAPPERS and is_judged:
            pieces.pop()
        else:
            self.token(node, "close")

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


def tags_judged(root: Node, judge: Judge) -> tuple[set[Node], set[Node]]:
    """The ends of ranges of tags that are judged, and the wrappers that are judged away."""
    opened: dict[tuple[str, str], Node] = {}
    pairs: list[tuple[Node, Node]] = []
    for node in root.iter():
        kind, key = tag_range(node), attribute(node, "id")
        if kind and local(node).endswith("Start"):
            opened.setdefault((kind, key), node)
        elif (kind, key) in opened:
            pairs.append((opened.pop((kind, key)), node))
    settled = [each for each in pairs if judge(attribute(each[0], "author")) != "keep"]
    step: dict[Node, int] = {}
    for start, end in settled:
        is_written = TAG_RANGES[tag_range(start)] in INSERTED
        if is_written == (judge(attribute(start, "author")) == "reject"):
            step |= {start: 1, end: -1}
    depth, opening, off = 0, set[Node](), set[Node]()
    for event, node in etree.iterwalk(root, events=("start", "end")) if step else ():
        if event == "start":
            depth += step.get(node, 0)
        if depth and event == "start":
            opening.add(node)
        elif depth and node in opening and is_wrapper(node):
            off.add(node)
    return {node for pair in (*settled, *without_tags(root, pairs, off)) for node in pair}, off


def without_tags(
    root: Node, pairs: list[tuple[Node, Node]], off: set[Node]
) -> list[tuple[Node, Node]]:
    """The ranges in which no tag of a wrapper stands that is there."""
    passed: dict[Node, int] = {}
    count = 0
    for event, node in etree.iterwalk(root, events=("start", "end")) if pairs else ():
        count += is_wrapper(node) and node not in off
        if event == "start":
            passed[node] = count
    return [pair for pair in pairs if passed[pair[0]] == passed[pair[1]]]


def is_wrapper(node: Node) -> bool:
    return local(node) in ("sdt", "customXml")


def tag_range(node: Node) -> str:
    """The kind of a range of tags that an element begins or ends, or nothing."""
    kind = local(node).removesuffix("Start").removesuffix("End")
    return kind if kind in TAG_RANGES else ""


def held_by(wrapper: Node) -> list[Node]:
    """What a content control or custom XML holds besides its properties."""
    holder = next((child for child in wrapper if local(child) == "sdtContent"), wrapper)
    properties = ("customXmlPr", "sdtPr", "sdtEndPr")
    return [child for child in holder if local(child) not in properties]


def flat(node: Node, name: str) -> Iterator[Node]:
    """The rows of a table or the cells of a row, those in content controls too."""
    for child in node:
        if local(child) == name:
            yield child
        elif local(child) in AROUND_ROWS:
            yield from flat(child, name)


def with_former(cell: Node) -> list[Node]:
    """A cell, and what holds its former properties."""
    changes = (change for own in cell if local(own) == "tcPr" for change in own)
    return [cell, *(change for change in changes if local(change) == "tcPrChange")]


def whole(node: Node, properties: str, name: str, least: int) -> int:
    """A number that the properties of an element say, or the least it can be."""
    for own in (child for child in node if local(child) == properties):
        for said in (child for child in own if local(child) == name):
            return max(least, int(attribute(said, "val") or least))
    return least


def is_empty(value: Frozen) -> bool:
    """Whether a properties element says nothing: an empty `rPr` in a `pPr`."""
    return value[0].endswith(("}rPr", "}pPr", "}numPr")) and not value[3]


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
