"""A Word document as the values that the judge of law 2 compares: its own eyes.

It shares no code with the reader, the text map, the writer or the resolver, and must not, but for
the table of symbol fonts. Everything is read in the final view: inserted text counts, struck text
and what is gone with it does not, whoever tracked it. Anchors count what the file holds, as
`engine.model` says.

[x] text, tabs, breaks, symbols  [x] notes, pictures, objects, equations, controls  [x] links
[x] fields, also those that begin in a paragraph before  [x] rows, cells, spans, merges
[x] run and paragraph properties, styles, lists  [x] text boxes (the branch that is read)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Final

from lxml import etree

from redraft.engine.docx.judging.paragraph_content import ParagraphReader, is_struck_mark
from redraft.engine.docx.judging.paragraph_shapes import Shapes
from redraft.engine.docx.names import (
    MC_ALTERNATE,
    MC_CHOICE,
    MC_FALLBACK,
    PIC,
    R_ID,
    TEXT_BOXES,
    W_BODY,
    W_CUSTOM_XML,
    W_DEL,
    W_ID,
    W_INS,
    W_MOVE_FROM,
    W_MOVE_TO,
    W_P,
    W_SDT,
    W_SDT_CONTENT,
    W_T,
    W_TBL,
    W_TC,
    W_TC_PR,
    W_TR,
    W_TR_PR,
    W_TYPE,
    W_VAL,
    WP,
    Element,
    V,
    W,
)
from redraft.engine.docx.opc.package import Package
from redraft.engine.judge.content import (
    Block,
    Cell,
    Content,
    Paragraph,
    Row,
    Story,
    StoryKey,
    Table,
)

_WRAPPERS: Final = frozenset(
    {W_SDT, W_SDT_CONTENT, W_CUSTOM_XML, W_INS, W_DEL, W_MOVE_FROM, W_MOVE_TO, MC_ALTERNATE}
)
_STRUCK: Final = frozenset({W_DEL, W_MOVE_FROM})
_BLOCKS: Final = frozenset({W_P, W_TBL})
_OBJECTS: Final = tuple(
    map(
        W,
        (
            *("footnoteReference", "endnoteReference", "drawing", "pict", "object"),
            *("sdt", "ffData"),
        ),
    )
)
_NONE: Final[frozenset[int]] = frozenset()
_DESCRIBED: Final = (WP("docPr"), PIC("cNvPr"), V("shape"), V("rect"), V("imagedata"))


@dataclass(frozen=True, slots=True)
class Named:
    """What the view calls elements of the file: pictures (`im1`) and controls (`cc2`)."""

    images: Mapping[Element, str] = field(default_factory=dict[Element, str])
    controls: Mapping[Element, str] = field(default_factory=dict[Element, str])


def content(
    package: Package,
    other: Package,
    named: Named | None = None,
    inflated: Inflated | None = None,
    *,
    is_described: bool = True,
) -> Content:
    """Returns what a document says, to be compared with another version of it.

    Args:
        package: The version.
        other: The version it will be compared with.
        named: What the view calls elements of this version.
        inflated: Shared by both versions that are compared.
        is_described: Whether core properties and alternative texts are read too.
    """
    reader = _Reader(package, other, named or Named(), inflated or Inflated())
    return reader.content(is_described=is_described)


class Inflated:
    """The bytes of parts, each inflated once however often it is asked for."""

    def __init__(self) -> None:
        self._parts: dict[tuple[int, str], tuple[Package, bytes]] = {}

    def read(self, package: Package, part: str) -> bytes:
        """Returns the bytes of a part."""
        key = id(package), part
        if key not in self._parts:
            self._parts[key] = package, package.read(part)
        return self._parts[key][1]


class _Reader:
    def __init__(self, package: Package, other: Package, named: Named, inflated: Inflated) -> None:
        self.package = package
        self._inflated = inflated
        self.named = named
        self._other = other
        self.shapes = Shapes(package)
        self._boxes: dict[Element, str] | None = None
        self._box_blocks: dict[Element, list[Block]] = {}
        self._readers: dict[str, ParagraphReader] = {}
        self._places: list[tuple[str, str, str, Element, str]] = []

    def content(self, *, is_described: bool) -> Content:
        """Read all stories, and what is in none if it is wanted."""
        self._places = list(self._stories())
        stories: dict[tuple[str, str, str], Story] = {}
        for kind, anchor, part, holder, purpose in self._places:
            key = (kind, part, holder.get(W_ID, ""))
            prefix = f"{anchor}." if anchor else ""
            is_changed = not self.package.is_same(part, self._other)
            blocks = self.blocks(holder, prefix, part)
            stories[key] = Story(key, anchor, kind, blocks, purpose, is_changed)
        if not is_described:
            return Content(stories, cited=self._cited())
        described = _properties(self.package), _alt_texts(self.package)
        return Content(stories, *described, self._cited())

    def _cited(self) -> frozenset[StoryKey]:
        """The notes to which references lead that are not struck."""
        package = self.package
        parts = {k: package.related(package.main, f"{k}s") for k in ("footnote", "endnote")}
        cited: set[StoryKey] = set()
        for part in dict.fromkeys(part for _, _, part, _, _ in self._places):
            for kind in (kind for kind, found in parts.items() if found):
                for node in package.tree(part).iter(W(f"{kind}Reference")):
                    if not _is_gone(node):
                        cited.add((kind, parts[kind][0], node.get(W_ID, "")))
        return frozenset(cited)

    # Stories

    def _stories(self) -> Iterator[tuple[str, str, str, Element, str]]:
        package, main = self.package, self.package.main
        root = package.tree(main)
        body = root.find(W_BODY)
        yield "body", "", main, root if body is None else body, ""
        for kind in ("header", "footer"):
            yield from self._furniture(kind, root)
        for kind in ("footnote", "endnote"):
            yield from self._notes(kind, root)
        for part in package.related(main, "comments"):
            for number, comment in enumerate(package.tree(part).iter(W("comment")), start=1):
                yield "comment", f"c{number}", part, comment, ""

    def _furniture(self, kind: str, root: Element) -> Iterator[tuple[str, str, str, Element, str]]:
        package = self.package
        relations = package.relationships(package.main)
        parts = package.related(package.main, kind)
        known = {part.lower(): part for part in parts}
        purposes: dict[str, str] = {}
        for node in root.iter(W(f"{kind}Reference")) if parts else ():
            relation = relations.get(node.get(R_ID, ""))
            part = None if relation is None else known.get(relation.target.lower())
            if part is not None:
                purposes.setdefault(part, node.get(W_TYPE, "default"))
        for part in parts:
            purposes.setdefault(part, "")
        for number, (part, purpose) in enumerate(purposes.items(), start=1):
            yield kind, f"{kind[0]}{number}", part, package.tree(part), purpose

    def _notes(self, kind: str, root: Element) -> Iterator[tuple[str, str, str, Element, str]]:
        parts = self.package.related(self.package.main, f"{kind}s")
        notes: dict[str, Element] = {}
        for note in self.package.tree(parts[0]).iter(W(kind)) if parts else ():
            if note.get(W_TYPE, "normal") == "normal":
                notes.setdefault(note.get(W_ID, ""), note)
        cited = [node.get(W_ID, "") for node in root.iter(W(f"{kind}Reference"))] if notes else []
        order = dict.fromkeys([*(name for name in cited if name in notes), *notes])
        letters = "fn" if kind == "footnote" else "en"
        for number, name in enumerate(order, start=1):
            yield kind, f"{letters}{number}", parts[0], notes[name], ""

    # Blocks

    def blocks(self, holder: Element, prefix: str, part: str) -> list[Block]:
        """The blocks of a story or cell; paragraphs whose mark is struck join the next one."""
        ranks = self._ranks(holder, part)
        blocks: list[Block] = []
        pending: list[tuple[str, Element]] = []
        paragraphs = tables = 0
        is_struck = False
        for element, is_gone in _through(holder, _BLOCKS):
            if element.tag == W_P:
                paragraphs += 1
                if is_gone:
                    continue
                pending.append((f"{prefix}p{paragraphs}", element))
                if not is_struck_mark(element):
                    blocks.append(self._paragraph(pending, part, ranks))
                    blocks[-1].is_beside_struck, is_struck = is_struck, False
                    pending = []
                continue
            tables += 1
            if is_gone:
                continue
            blocks += self._left_over(pending, part, ranks)
            pending = []
            anchor = f"{prefix}t{tables}"
            source = _Source(self, part, (element,), ranks.get(element, _NONE), (anchor,))
            is_struck = source.may_be_gone and not source.table(anchor).rows
            if not is_struck:
                blocks.append(Block((anchor,), "table", source))
            elif blocks:
                blocks[-1].is_beside_struck = True
        return [*blocks, *self._left_over(pending, part, ranks)]

    def _paragraph(
        self, pending: list[tuple[str, Element]], part: str, ranks: Mapping[Element, set[int]]
    ) -> Block:
        anchors = tuple([anchor for anchor, _ in pending])
        elements = tuple([element for _, element in pending])
        rank = ranks.get(elements[0], _NONE) if len(elements) == 1 else _NONE
        source = _Source(self, part, elements, rank, anchors)
        return Block(anchors, "paragraph", source)

    def _left_over(
        self, pending: list[tuple[str, Element]], part: str, ranks: Mapping[Element, set[int]]
    ) -> list[Block]:
        """Struck paragraphs with none behind them to join: what is left in them stands."""
        if not pending:
            return []
        block = self._paragraph(pending, part, ranks)
        opened = block.opened()
        says = isinstance(opened, Paragraph) and not opened.says_nothing
        return [block] if says else []

    def _ranks(self, holder: Element, part: str) -> Mapping[Element, set[int]]:
        """Which blocks of a part lie in the bytes that both versions begin or end with.

        The starts of paragraphs are counted in these bytes; where that does not give the number of
        paragraphs of the tree, nothing is said. Ranks count from the start from 0, and from the end
        down from -1.
        """
        if holder.tag != W_BODY or not self._other.has(part):
            return {}
        own, other = (self._inflated.read(each, part) for each in (self.package, self._other))
        prefix = self.package.tree(part).prefix or ""
        name = f"<{prefix}:p" if prefix else "<p"
        starts = tuple(f"{name}{end}".encode() for end in (">", " ", "/>"))
        blocks = list(holder)
        has_boxes = b"txbxContent" in own
        sizes = [1 if b.tag == W_P and not has_boxes else _paragraphs_in(b) for b in blocks]
        if sum(sizes) != sum(map(own.count, starts)):
            return {}
        head, tail = own[: _common(own, other)], own[len(own) - _common_end(own, other) :]
        ranks: dict[Element, set[int]] = {}
        # The last paragraph that begins in the bytes may end outside.
        for data, step in ((head, 1), (tail, -1)):
            left = sum(map(data.count, starts)) - 1
            pairs = zip(blocks[::step], sizes[::step], strict=True)
            for index, (block, size) in enumerate(pairs):
                left -= size
                if left < 0:
                    break
                ranks.setdefault(block, set()).add(index if step > 0 else ~index)
        return ranks

    # Text boxes

    def box(self, element: Element, part: str) -> list[Block]:
        """The blocks of a text box, the same ones whenever it is asked for."""
        found = self._box_blocks.get(element)
        if found is None:
            anchor = self._box_anchors().get(element, "")
            prefix = f"{anchor}." if anchor else "?."
            found = self._box_blocks[element] = self.blocks(element, prefix, part)
        return found

    def _box_anchors(self) -> Mapping[Element, str]:
        if self._boxes is None:
            shown = [
                box
                for kind, _, _, holder, _ in self._places
                if kind != "comment"
                for box in holder.iter(*TEXT_BOXES)
                if _is_shown(box)
            ]
            self._boxes = {box: f"tb{number}" for number, box in enumerate(shown, start=1)}
        return self._boxes

    def reader(self, part: str) -> ParagraphReader:
        """What reads the paragraphs of a part."""
        found = self._readers.get(part)
        if found is None:
            named = self.named
            has_fields = b"fldChar" in self._inflated.read(self.package, part)
            found = self._readers[part] = ParagraphReader(
                self.package,
                part,
                named.images,
                named.controls,
                self.shapes,
                has_fields=has_fields,
            )
        return found


class _Source:
    """A block of the file."""

    def __init__(
        self,
        reader: _Reader,
        part: str,
        elements: tuple[Element, ...],
        rank: Set[int],
        anchors: tuple[str, ...],
    ) -> None:
        self._reader = reader
        self._part = part
        self.rank = rank
        self._anchors = anchors
        self.elements = elements

    @property
    def may_be_gone(self) -> bool:
        """Whether a table has struck rows or cells."""
        return next(self.elements[0].iter(W_DEL, W("cellDel"), W_MOVE_FROM), None) is not None

    def open(self) -> Paragraph | Table:
        """Returns what the block says."""
        if self.elements[0].tag == W_TBL:
            return self.table(self._anchors[0])
        reading = self._reader.reader(self._part).read(self.elements)
        boxes = [box for box in reading.boxes if _is_shown(box)]
        reading.paragraph.boxes = [self._reader.box(box, self._part) for box in boxes]
        reading.paragraph.copies = [
            [] if copy is None else self._reader.box(copy, self._part) for copy in map(_copy, boxes)
        ]
        return reading.paragraph

    def table(self, anchor: str) -> Table:
        """Returns the rows and cells that are left."""
        rows: list[Row] = []
        found = _through(self.elements[0], frozenset({W_TR}))
        for number, (element, is_gone) in enumerate(found, start=1):
            properties = element.find(W_TR_PR)
            if is_gone or _is_struck(properties, W_DEL, W_MOVE_FROM):
                continue
            name = f"{anchor}.r{number}"
            lead = _whole(properties, W("gridBefore"), 0)
            row = Row(name, self._cells(element, name, lead), lead)
            if row.cells:
                rows.append(row)
        return Table(rows)

    def _cells(self, row: Element, anchor: str, at: int) -> list[Cell]:
        cells: list[Cell] = []
        found = _through(row, frozenset({W_TC}))
        for number, (element, is_gone) in enumerate(found, start=1):
            own = element.find(W_TC_PR)
            if is_gone or _is_struck(own, W("cellDel")):
                continue
            merges = (_merge(own, W("vMerge")), _merge(own, W("hMerge")))
            span = _whole(own, W("gridSpan"), 1)
            name = f"{anchor}.c{number}"
            blocks = self._reader.blocks(element, f"{name}.", self._part)
            is_covered = "continue" in merges
            cells.append(Cell(name, at, span, is_covered, blocks, " ".join(merges)))
            at += span
        return cells

    def letters(self) -> str:
        """Returns the letters of the block and of all in it."""
        return "".join([node.text or "" for e in self.elements for node in e.iter(W_T)])

    def has_objects(self) -> bool:
        """Tells whether notes, pictures, controls or form fields stand in the block."""
        return any(
            next(e.iter(*_OBJECTS), None) is not None
            or next(e.iterancestors(W_SDT), None) is not None
            for e in self.elements
        )

    def has_boxes(self) -> bool:
        """Tells whether text boxes hang on the block or on something in it."""
        return any(next(e.iter(*TEXT_BOXES), None) is not None for e in self.elements)

    def equals(self, other: object) -> bool:
        """Tells whether another block is written with the same bytes."""
        if not isinstance(other, _Source) or len(self.elements) != len(other.elements):
            return False
        if not self.rank.isdisjoint(other.rank):
            return True
        return all(
            etree.tostring(a, with_tail=False) == etree.tostring(b, with_tail=False)
            for a, b in zip(self.elements, other.elements, strict=True)
        )


_COUNT: Final = etree.XPath("count(descendant-or-self::w:p)", namespaces={"w": str(W)})


def _paragraphs_in(block: Element) -> int:
    count = _COUNT(block)
    return int(count) if isinstance(count, float) else 0


def _through(holder: Element, wanted: frozenset[str]) -> Iterator[tuple[Element, bool]]:
    """The children of a kind through wrappers, and whether a wrapper around them is struck."""
    stack: list[tuple[Iterator[Element], bool]] = [(iter(holder), False)]
    while stack:
        children, is_gone = stack[-1]
        for child in children:
            tag = child.tag
            if tag in wanted:
                yield child, is_gone
            elif tag in _WRAPPERS:
                inner = _branch(child) if tag == MC_ALTERNATE else child
                if inner is not None:
                    stack.append((iter(inner), is_gone or tag in _STRUCK))
                    break
        else:
            stack.pop()


def _branch(alternate: Element) -> Element | None:
    choice = alternate.find(MC_CHOICE)
    return alternate.find(MC_FALLBACK) if choice is None else choice


def _is_shown(box: Element) -> bool:
    child = box
    for ancestor in box.iterancestors():
        if ancestor.tag == MC_ALTERNATE and _branch(ancestor) is not child:
            return False
        child = ancestor
    return True


def _copy(box: Element) -> Element | None:
    """The same text box in the form for older programs (ECMA-376 Part 3, 9.3)."""
    alternate = next(box.iterancestors(MC_ALTERNATE), None)
    choice, fallback = (
        (None, None)
        if alternate is None
        else (alternate.find(MC_CHOICE), alternate.find(MC_FALLBACK))
    )
    if choice is None or fallback is None:
        return None
    forms = [list(form.iter(*TEXT_BOXES)) for form in (choice, fallback)]
    return forms[1][forms[0].index(box)] if len(forms[0]) == len(forms[1]) else None


def _is_struck(properties: Element | None, *marks: str) -> bool:
    return properties is not None and any(child.tag in marks for child in properties)


def _is_gone(node: Element) -> bool:
    """Whether an element is struck, or stands in a row or cell that is."""
    for ancestor in node.iterancestors():
        tag = ancestor.tag
        if tag in _STRUCK:
            return True
        if tag == W_TR and _is_struck(ancestor.find(W_TR_PR), W_DEL, W_MOVE_FROM):
            return True
        if tag == W_TC and _is_struck(ancestor.find(W_TC_PR), W("cellDel")):
            return True
    return False


def _merge(properties: Element | None, tag: str) -> str:
    merge = None if properties is None else properties.find(tag)
    return "" if merge is None else merge.get(W_VAL, "continue")


def _whole(properties: Element | None, tag: str, least: int) -> int:
    child = None if properties is None else properties.find(tag)
    value = "" if child is None else child.get(W_VAL, "")
    return min(max(int(value), least), 1000) if value.isdecimal() else least


def _common(own: bytes, other: bytes) -> int:
    """How many bytes both begin with."""
    low, high = 0, min(len(own), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if own[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def _common_end(own: bytes, other: bytes) -> int:
    """How many bytes both end with."""
    low, high = 0, min(len(own), len(other))
    sizes = len(own), len(other)
    while low < high:
        middle = (low + high + 1) // 2
        is_same = (
            own[sizes[0] - middle : sizes[0] - low] == other[sizes[1] - middle : sizes[1] - low]
        )
        low, high = (middle, high) if is_same else (low, middle - 1)
    return low


def _properties(package: Package) -> dict[str, str]:
    """The core properties by their local names (ECMA-376 Part 2, 11)."""
    parts = package.related("", "core-properties")
    if not parts:
        return {}
    return {
        str(node.tag).rpartition("}")[2]: (node.text or "").strip()
        for node in package.tree(parts[0])
    }


def _alt_texts(package: Package) -> frozenset[str]:
    parts = [package.main]
    for kind in ("header", "footer", "footnotes", "endnotes"):
        parts += package.related(package.main, kind)
    return frozenset(
        node.get(name, "")
        for part in parts
        for node in package.tree(part).iter(*_DESCRIBED)
        for name in ("descr", "alt", "title")
    )
