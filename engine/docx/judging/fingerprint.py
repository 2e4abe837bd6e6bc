"""When two documents are equal to a reader of tracked changes: digests of blocks in canonical form.

Canonical is the XML of a block without rsids, proofing marks and revision ids, with adjacent runs
of the same properties merged, and adjacent revisions of the same author and date too. Bookmarks,
ranges, note references, fields, controls, drawings and section properties all count. Of our own
marks one side is taken: `baseline` as if they were rejected, `final` as if they were accepted;
others' stand.

This is the judge of the laws of the redline. It shares no code with the reader, the text map, the
writer or the resolver, and must not.

[x] w:ins, w:del around runs and on paragraph marks and rows  [x] cells  [x] every w:…PrChange
[x] w:customXml…Range of ours around tags of controls
[x] w:moveFrom, w:moveTo of ours, with their ranges, as a deletion and an insertion
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from copy import deepcopy
from typing import Final, Literal, TypeAlias

from lxml import etree

from redraft.engine.docx.judging.paragraph_items import Item, closes, holds_marks, laid_bare
from redraft.engine.docx.judging.table_grid import columns
from redraft.engine.docx.judging.unreferenced_notes import uncited
from redraft.engine.docx.judging.untrackable import Overlooked
from redraft.engine.docx.names import (
    RANGE_ENDS,
    TAGS_ENDS,
    TAGS_STARTS,
    TEXT_BOXES,
    W14,
    W_BODY,
    W_DEL,
    W_DEL_TEXT,
    W_FLD_SIMPLE,
    W_HYPERLINK,
    W_ID,
    W_INS,
    W_INSTR_TEXT,
    W_MOVE_FROM,
    W_MOVE_TO,
    W_P,
    W_PPR,
    W_R,
    W_RPR,
    W_SECT_PR,
    W_T,
    W_TBL,
    W_TC,
    W_TR,
    XML,
    Element,
    W,
)
from redraft.engine.docx.opc.package import Package

Side: TypeAlias = Literal["baseline", "final"]

STORY_KINDS: Final = ("header", "footer", "footnotes", "endnotes", "comments")
_SKIPPED: Final = frozenset({W("proofErr")})
_RSIDS: Final = frozenset(
    W(f"rsid{which}") for which in ("R", "RPr", "P", "RDefault", "Del", "Tr", "Sect")
)
_TAGS: Final = frozenset({*TAGS_STARTS, *TAGS_ENDS})
_DROPPED: Final = _RSIDS | {XML("space"), W14("noSpellErr")}
_CHANGES: Final = frozenset(
    W(f"{name}Change")
    for name in ("rPr", "pPr", "sectPr", "tblPr", "tblGrid", "trPr", "tcPr", "tblPrEx", "numbering")
)
_WRITTEN: Final = (W_INS, W_MOVE_TO)
_STRUCK: Final = (W_DEL, W_MOVE_FROM)
_TRACKED: Final = frozenset({*_WRITTEN, *_STRUCK})
_MOVE_RANGES: Final = frozenset(
    W(f"{kind}Range{end}") for kind in ("moveFrom", "moveTo") for end in ("Start", "End")
)
_REVISIONS: Final = _CHANGES | _TRACKED | _TAGS | {W("cellIns"), W("cellDel"), W("cellMerge")}
_PROPERTIES: Final = frozenset(
    {W_PPR, W_RPR, W_SECT_PR, *map(W, ("tblPr", "tblGrid", "trPr", "tcPr", "tblPrEx"))}
)
_BLOCK_HOLDERS: Final = frozenset({W_TC, W_BODY, *TEXT_BOXES}) | frozenset(
    map(W, ("hdr", "ftr", "footnote", "endnote", "comment", "sdtContent"))
)
_BLOCKS: Final = frozenset({W_P, W_TBL, W_TC})
_WRAPPERS: Final = frozenset({W("sdt"), W("sdtContent"), W("customXml")})
# Local names: formulas have texts too (22.1.2.116, m:t).
_TEXTS: Final = frozenset({"t", "delText", "instrText", "delInstrText"})
_DRAWN: Final = frozenset({W("drawing"), W("pict"), W("object")})
# They go with the last of what they held.
_EMPTIED: Final = frozenset({W_HYPERLINK, W_FLD_SIMPLE})
_LIVE: Final = {W_DEL_TEXT: W_T, W("delInstrText"): W_INSTR_TEXT}
_INSTR: Final = W("instr")
_FLD_CHAR: Final = W("fldChar")
_FLD_CHAR_TYPE: Final = W("fldCharType")
_FLD_DATA: Final = W("fldData")
_CELL_INS, _CELL_DEL = W("cellIns"), W("cellDel")
_OWN_MARKS: Final = _TRACKED | {_CELL_INS, _CELL_DEL}
_OWN_RANGES: Final = _TAGS | _MOVE_RANGES
_TBL_GRID: Final = W("tblGrid")
_KEPT_BY_CHANGE: Final = frozenset({W_RPR, W_SECT_PR})
# Last by the schema (17.3.1.26, pPr); LibreOffice writes w:sectPr first.
_PLACE_IN_PPR: Final = {W_RPR: 1, W_SECT_PR: 2}


def fingerprint(
    package: Package, ours: Collection[int], side: Side = "baseline"
) -> dict[str, tuple[str, ...]]:
    """The digests of all blocks of every part with text, in order."""
    parts = story_parts(package)
    gone = uncited(package, parts, ours, side)
    return {p: digests(container(package.tree(p)), ours, side, gone=gone) for p in parts}


def story_parts(package: Package) -> tuple[str, ...]:
    """The main part and its headers, footers, notes and comments."""
    found = [package.main]
    for kind in STORY_KINDS:
        found += package.related(package.main, kind)
    return tuple(dict.fromkeys(found))


def container(root: Element) -> Element:
    """The element whose children are the blocks of a part."""
    body = root.find(W_BODY)
    return root if body is None else body


def digests(
    blocks: Iterable[Element],
    ours: Collection[int],
    side: Side,
    blind: Collection[str] = (),
    gone: Collection[Element] = (),
    *,
    is_first: bool = True,
) -> tuple[str, ...]:
    """The digests of adjacent blocks; paragraphs whose mark goes are joined with the next one.

    `blind` names what is overlooked (`overlooked`), `gone` are notes that are not there on this
    side (`uncited`), `is_first` says that no block stands in front of them.
    """
    blocks = [block for block in blocks if block not in gone]
    canon = _Canon(ours, side, Overlooked(blind, blocks))
    return tuple(
        hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        for text in canon.blocks(blocks, is_first=is_first)
    )


def count(blocks: Iterable[Element], ours: Collection[int], gone: Collection[Element] = ()) -> int:
    """How many baseline blocks there are among adjacent blocks, without looking into them."""
    canon = _Canon(ours, "baseline")
    found = 0
    is_pending = False
    for element in blocks:
        if element in gone:
            continue
        if element.tag == W_P:
            if canon.is_mark_gone(element.find(W_PPR)):
                is_pending = is_pending or canon.has_inlines(element)
                continue
            is_pending = False
            found += 1
        elif element.tag in RANGE_ENDS:
            found += not canon.is_own_range(element)
        elif element.tag not in _SKIPPED and (element.tag != W_TBL or canon.table(element)):
            found += 1 + is_pending
            is_pending = False
    return found + is_pending


class _Canon:
    def __init__(
        self, ours: Collection[int], side: Side, overlooked: Overlooked | None = None
    ) -> None:
        self._ours = ours
        self._overlooked = overlooked or Overlooked()
        self._is_final = side == "final"
        self._gone = _STRUCK if self._is_final else _WRITTEN
        self._cell_gone = _CELL_DEL if self._is_final else _CELL_INS

    def blocks(
        self, elements: Iterable[Element], *, is_first: bool = True, is_cell: bool = False
    ) -> list[str]:
        """The canonical texts of blocks that are left on this side.

        A paragraph whose mark goes stands, empty, where nothing else would, or at the end of a
        cell behind a table (17.4.65, tc); the markers behind it stay behind it then.
        """
        found: list[str] = []
        pending: list[Item] = []
        held: Element | None = None
        last, at = "" if is_first else W_P, 0
        for element in elements:
            if element.tag == W_P:
                is_gone = self.is_mark_gone(element.find(W_PPR))
                self._inlines(element, pending, is_live=False)
                held, at = element, len(found)
                if not is_gone:
                    found.append(self._paragraph(element, pending))
                    pending, held, last = [], None, W_P
                continue
            said = self.table(element) if element.tag == W_TBL else self._other(element)
            if not said:
                continue
            if element.tag not in RANGE_ENDS:
                is_needed = element.tag == W_SECT_PR and not last
                if held is not None and (pending or is_needed):
                    found.insert(at, self._paragraph(held, pending))
                pending, held = [], None
                last = last if element.tag in _PROPERTIES else str(element.tag)
            found.append(said)
        is_needed = not last or (is_cell and last == W_TBL)
        if held is not None and (pending or is_needed):
            found.insert(at, self._paragraph(held, pending))
        return found

    def _paragraph(self, paragraph: Element, items: list[Item]) -> str:
        said = "".join([item.said() for item in items])
        return f"p{self._attributes(paragraph)}{self._properties_of(paragraph)}:{said}"

    def _is_ours(self, element: Element | None) -> bool:
        if element is None or not self._ours:
            return False
        identifier = element.get(W_ID, "")
        return identifier.isdecimal() and int(identifier) in self._ours

    def is_own_range(self, element: Element) -> bool:
        """Whether an element is an end of a range of ours, which neither side has."""
        return element.tag in _OWN_RANGES and self._is_ours(element)

    def is_mark_gone(self, properties: Element | None) -> bool:
        """Whether a paragraph with these properties joins the next one on this side."""
        if properties is None:
            return False
        mark = properties.find(W_RPR)
        return mark is not None and any(self._is_ours(mark.find(tag)) for tag in self._gone)

    def has_inlines(self, paragraph: Element) -> bool:
        """Whether anything is left in a paragraph on this side."""
        items: list[Item] = []
        self._inlines(paragraph, items, is_live=False)
        return bool(items)

    def _inlines(self, parent: Element, items: list[Item], *, is_live: bool) -> None:
        """Collect the pieces below a paragraph or wrapper; `is_live` inside a deletion undone."""
        for child in parent:
            tag = child.tag
            if tag == W_R:
                self._run(child, items, is_live=is_live)
            elif tag in _SKIPPED or tag in (W_PPR, _FLD_DATA) or self._overlooked.skips(child):
                continue
            elif (inner := self._opened(child)) is not None:
                self._inlines(inner, items, is_live=is_live)
            elif tag in _TRACKED:
                self._tracked(child, items, is_live=is_live)
            elif tag == W_FLD_SIMPLE:
                self._simple_field(child, items, is_live=is_live)
            else:
                said = self._other(child)
                if said and not closes(items, child):
                    items.append(Item(None, [said], child))

    def _simple_field(self, field: Element, items: list[Item], *, is_live: bool) -> None:
        """Collect a simple field as the complex one that says the same (17.16.19, fldSimple).

        A deletion of a field can only be written around a complex one.
        """
        inner: list[Item] = []
        self._inlines(field, inner, is_live=is_live)
        if not inner and holds_marks(field):
            return
        begin = etree.Element(_FLD_CHAR, {_FLD_CHAR_TYPE: "begin"})
        for name, value in field.items():
            if name != _INSTR:
                begin.set(name, value)
        begin.extend([deepcopy(child) for child in field if child.tag == _FLD_DATA])
        code = etree.Element(W_INSTR_TEXT)
        code.text = field.get(_INSTR, "")
        separate = etree.Element(_FLD_CHAR, {_FLD_CHAR_TYPE: "separate"})
        for node in (begin, code, separate):
            self._run(_run_of(node), items, is_live=False)
        self._inlines(field, items, is_live=is_live)
        self._run(_run_of(etree.Element(_FLD_CHAR, {_FLD_CHAR_TYPE: "end"})), items, is_live=False)

    def _opened(self, child: Element) -> Element | None:
        """What is looked into in the place of a wrapper that does not count, or None."""
        if self._overlooked.is_open(child):
            return child
        return laid_bare(child, self._is_ours) if self._is_final else None

    def _tracked(self, child: Element, items: list[Item], *, is_live: bool) -> None:
        tag = child.tag
        if self._is_ours(child):
            if tag not in self._gone:
                self._inlines(child, items, is_live=tag == W_DEL)
            return
        key = (tag, child.get(W("author"), ""), child.get(W("date"), ""))
        inner: list[Item] = []
        last = items[-1] if items else None
        if last is not None and last.key == key:
            inner = [part for part in last.parts if isinstance(part, Item)]
        self._inlines(child, inner, is_live=is_live)
        if last is not None and last.key == key:
            last.parts = list(inner)
        elif inner:
            items.append(Item(key, list(inner)))

    def _run(self, run: Element, items: list[Item], *, is_live: bool) -> None:
        properties = ""
        parts: list[str] = []
        for child in run:
            tag = child.tag
            if tag == W_RPR:
                properties = self._properties(child)
                continue
            parts.append(self._in_run(child, _LIVE.get(tag, tag) if is_live else tag))
        parts = [part for part in parts if part]
        if not parts:
            return
        key = ("r", properties)
        last = items[-1] if items else None
        if last is None or last.key != key:
            last = Item(key)
            items.append(last)
        for part in parts:
            before = last.parts[-1] if last.parts else ""
            is_text = isinstance(before, str) and before[:1] == part[:1] != "\0"
            if is_text and isinstance(before, str):
                last.parts[-1] = before + part[1:]
            else:
                last.parts.append(part)

    def _in_run(self, child: Element, tag: str) -> str:
        """A child of a run under the name it has on this side; text begins with its kind."""
        if self._overlooked.skips(child):
            return ""
        if tag in (W_T, W_DEL_TEXT):
            return f"{'t' if tag == W_T else 'd'}{child.text}" if child.text else ""
        return f"\0{tag}{self._other(child)[len(child.tag) :]}"

    def _attributes(self, element: Element) -> str:
        items = element.items()
        if not items:
            return ""
        is_revision = element.tag in _REVISIONS
        kept = [
            f"{name}={value}"
            for name, value in items
            if name not in _DROPPED
            and not (is_revision and name == W_ID)
            and not self._overlooked.drops(element, str(name))
        ]
        return f"[{';'.join(sorted(kept))}]" if kept else ""

    def _properties_of(self, paragraph: Element) -> str:
        properties = paragraph.find(W_PPR)
        return "" if properties is None else self._properties(properties)

    def _properties(self, properties: Element) -> str:
        """Properties of this side: of a format change of ours one half is taken."""
        children = list(properties)
        change = next((c for c in children if c.tag in _CHANGES and self._is_ours(c)), None)
        if change is not None:
            children.remove(change)
            if not self._is_final:
                kept = [child for child in children if child.tag in _KEPT_BY_CHANGE]
                marks = [child for child in children if child.tag in _TRACKED]
                old = change[0] if len(change) else None
                children = marks + ([] if old is None else list(old)) + kept
        if properties.tag == W_PPR:
            children.sort(key=lambda child: _PLACE_IN_PPR.get(str(child.tag), 0))
        said = "".join(
            [
                self._other(child)
                for child in children
                if not (child.tag in _OWN_MARKS and self._is_ours(child))
            ]
        )
        attributes = self._attributes(properties)
        # An empty w:sectPr in a paragraph still ends a section.
        is_said = said or attributes or properties.tag == W_SECT_PR
        return f"{properties.tag}{attributes}({said})" if is_said else ""

    def table(self, table: Element) -> str:
        """A table in canonical form, empty when all its rows are gone on this side."""
        said = [
            self._grid(child, table) if child.tag == _TBL_GRID else self._other(child)
            for child in table
        ]
        # Rows may stand in content controls too.
        if next(table.iter(W_TR), None) is not None and not any(W_TR in each for each in said):
            return ""
        return f"{W_TBL}({''.join(said)})"

    def _row(self, row: Element) -> str:
        properties = row.find(W("trPr"))
        if properties is not None and self._is_ours(properties.find(self._gone[0])):
            return ""
        # A row goes with the last of its cells.
        cells = [cell for cell in row.iter(W_TC) if next(cell.iterancestors(W_TR)) is row]
        if cells and all(map(self._is_cell_gone, cells)):
            return ""
        return f"{W_TR}{self._attributes(row)}({''.join([self._other(child) for child in row])})"

    def _grid(self, grid: Element, table: Element) -> str:
        gone = (self._gone[0], self._cell_gone)
        kept = columns(grid, table, self._is_ours, gone, is_final=self._is_final)
        said = "".join([self._other(each) for each in kept])
        return f"{grid.tag}({said})" if said else ""

    def _is_cell_gone(self, cell: Element) -> bool:
        return self._is_ours(cell.find(f"{W('tcPr')}/{self._cell_gone}"))

    def _other(self, element: Element) -> str:
        """Any element, with blocks and inlines in it in canonical form."""
        tag = element.tag
        if tag in _SKIPPED or self._overlooked.skips(element) or not isinstance(tag, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # comments
            return ""
        if tag in _PROPERTIES:
            return self._properties(element)
        if tag == W_TBL:
            return self.table(element)
        if tag == W_TR:
            return self._row(element)
        if tag == W_TC and self._is_cell_gone(element):
            return ""
        if self.is_own_range(element):
            return ""
        if tag in _DRAWN and next(element.iter(*TEXT_BOXES), None) is None:
            shown = self._overlooked.drawn(element)
            drawn = etree.tostring(shown, method="c14n", exclusive=True, with_tail=False)
            return f"{tag}({drawn.decode()})"
        if not len(element):
            return f"{tag}{self._attributes(element)}({_text(element)})"
        if tag in _BLOCK_HOLDERS and _holds_blocks(element):
            inner = "\n".join(self.blocks(element, is_cell=tag == W_TC))
        else:
            items: list[Item] = []
            self._inlines(element, items, is_live=False)
            inner = "".join([item.said() for item in items])
        is_emptied = not inner and tag in _EMPTIED and holds_marks(element)
        return "" if is_emptied else f"{tag}{self._attributes(element)}({inner})"


def _text(leaf: Element) -> str:
    """The text of an element, but not what indents the file around things that are gone."""
    text = leaf.text or ""
    return "" if text.isspace() and leaf.tag.rpartition("}")[2] not in _TEXTS else text


def _run_of(node: Element) -> Element:
    run = etree.Element(W_R)
    run.append(node)
    return run


def _holds_blocks(element: Element) -> bool:
    """Whether blocks stand in an element, those inside wrappers around blocks too."""
    return any(
        child.tag in _BLOCKS or (child.tag in _WRAPPERS and _holds_blocks(child))
        for child in element
    )
