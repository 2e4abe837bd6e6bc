"""Copies of blocks as they read in the final view, to be written elsewhere as an insertion of ours.

A copy says what the original says and looks like it. Of tracked changes in the original the final
state is taken, whoever made them. What can be there only once stays with the original: bookmarks,
comments, permissions, section breaks, paragraph ids. References to notes name the notes of the
original; whoever writes the copy gives it notes of its own. Rejecting an insertion must leave
nothing, and `w:ins` holds neither hyperlinks nor simple fields: both become complex fields, which
are runs.

ECMA-376 Part 1, 17.13.5.18 (ins), 17.16.19 (fldSimple), 17.16.22 (hyperlink), 17.16.5.25
(HYPERLINK).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Final

from lxml import etree

from redraft.engine.docx import anchors
from redraft.engine.docx.accept_reject import part_tree
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.tracked_blocks import mark
from redraft.engine.docx.editing.tracked_controls import insert_controls
from redraft.engine.docx.editing.tracked_tables import insert_row_mark
from redraft.engine.docx.judging.fingerprint import story_parts
from redraft.engine.docx.names import (
    R_ID,
    TEXT_BOXES,
    W14,
    W_BODY,
    W_CUSTOM_XML,
    W_FLD_CHAR,
    W_FLD_SIMPLE,
    W_HYPERLINK,
    W_ID,
    W_INS,
    W_INSTR_TEXT,
    W_P,
    W_PPR,
    W_R,
    W_RPR,
    W_SDT,
    W_SDT_CONTENT,
    W_SDT_PR,
    W_SECT_PR,
    W_TBL,
    W_TC,
    W_TR,
    WP,
    Element,
    M,
    W,
)
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.redline.tracked_runs import revision, text_node
from redraft.engine.errors import RefusedError

_WRAPPERS: Final = frozenset({W_HYPERLINK, W_FLD_SIMPLE, W("smartTag"), W_CUSTOM_XML})
_SILENT: Final = frozenset(map(W, ("pPr", "smartTagPr", "customXmlPr", "fldData", "proofErr")))
_SINGLE: Final = frozenset(
    {
        *map(W, ("bookmarkStart", "bookmarkEnd", "permStart", "permEnd")),
        *map(W, ("commentRangeStart", "commentRangeEnd", "commentReference")),
        W("annotationRef"),
    }
)
_NOT_IN_RUNS: Final = frozenset({W("commentReference"), W("lastRenderedPageBreak")})
_MATH: Final = frozenset({M("oMath"), M("oMathPara")})
_TABLE_PARTS: Final = frozenset({W_TR, *map(W, ("tblPr", "tblGrid"))})
_ROW_PARTS: Final = frozenset({W_TC, *map(W, ("trPr", "tblPrEx"))})
_CELL_PARTS: Final = frozenset({W_P, W_TBL, W("tcPr")})
_IDS: Final = frozenset({W14("paraId"), W14("textId")})
_DOC_PR: Final = WP("docPr")
_OBJECT: Final = (
    "The text holds an object that cannot be copied as a tracked change; move the text around it"
)


@dataclass(frozen=True, slots=True)
class Transcript:
    """Blocks as they are to be written; `names` are the bookmarks that stay behind."""

    blocks: tuple[Element, ...]
    names: frozenset[str]
    has_comments: bool
    has_section: bool


@dataclass(slots=True)
class _Left:
    """What a copy leaves out."""

    names: set[str] = field(default_factory=set[str])
    has_comments: bool = False


def transcribe(package: Package, part: str, blocks: Sequence[Element]) -> Transcript:
    """Copies adjacent blocks, without marks.

    Raises:
        RefusedError: something in them cannot be copied so that rejecting the copy leaves nothing.
    """
    holder = etree.Element(W_BODY)
    holder.extend([deepcopy(block) for block in blocks])
    has_section = any(block.find(f"{W_PPR}/{W_SECT_PR}") is not None for block in blocks)
    settler = part_tree.Settler(holder)
    settler.settle(list(part_tree.revisions(holder)), "accept")
    settler.settle(list(part_tree.ranges(holder)), "accept")
    left = _Left()
    copier = _Copier(package, part, left)
    for block in holder:
        copier.block(block)
    return Transcript(tuple(holder), frozenset(left.names), left.has_comments, has_section)


def written(desk: Desk, part: str, blocks: Sequence[Element]) -> list[Element]:
    """Returns a transcript as our insertion.

    The marks of its own paragraphs are left to the caller.
    """
    made = [deepcopy(block) for block in blocks]
    for block in made:
        for paragraph in _paragraphs(block):
            _wrap(paragraph, desk)
            if paragraph is not block:
                mark(paragraph, W_INS, desk.ids, desk.stamp)
        for row in block.iter(W_TR):
            if next(row.iterancestors(W_R), None) is None:
                insert_row_mark(row, desk)
    _number(desk, part, made)
    return made


def _paragraphs(block: Element) -> Iterator[Element]:
    """Yields the paragraphs of a block that stand in no run.

    Those of text boxes go with the run.
    """
    for paragraph in block.iter(W_P):
        if next(paragraph.iterancestors(W_R), None) is None:
            yield paragraph


def _wrap(paragraph: Element, desk: Desk) -> None:
    """Puts all that a paragraph holds into one insertion."""
    content = [child for child in paragraph if child.tag != W_PPR]
    if not content:
        return
    stamp = desk.stamp
    identifier = desk.ids.ours_for(stamp.edit, formatted=True)
    inserted = revision(W_INS, identifier, stamp.author, stamp.date)
    inserted.extend(content)
    paragraph.append(inserted)
    insert_controls(inserted, desk.ids, stamp)


def _number(desk: Desk, part: str, blocks: Sequence[Element]) -> None:
    """Gives the drawings of copies ids of their own (20.4.2.5 of Part 1, docPr: unique)."""
    drawn = [node for block in blocks for node in block.iter(_DOC_PR)]
    if not drawn:
        return
    parts = {part, *story_parts(desk.package)}
    trees = [desk.package.tree(name) for name in sorted(parts)]
    known = [node.get("id", "") for tree in trees for node in tree.iter(_DOC_PR)]
    top = max((int(number) for number in known if number.isdecimal()), default=0)
    for number, node in enumerate(drawn, start=top + 1):
        node.set("id", str(number))


class _Copier:
    def __init__(self, package: Package, part: str, left: _Left) -> None:
        self._package = package
        self._part = part
        self._left = left

    def block(self, block: Element) -> None:
        if block.tag == W_P:
            self._paragraph(block)
        else:
            self._table(block)

    def _table(self, table: Element) -> None:
        self._keep(table, _TABLE_PARTS)
        for row in anchors.rows(table):
            _plain(row)
            self._keep(row, _ROW_PARTS)
            for cell in anchors.cells(row):
                self._keep(cell, _CELL_PARTS)
                for child in anchors.blocks(cell):
                    self.block(child)

    def _keep(self, holder: Element, tags: frozenset[str]) -> None:
        """Drops the markers among the children of a table, row or cell.

        Raises:
            RefusedError: something else stands among them.
        """
        for child in list(holder):
            if child.tag in _SINGLE:
                self._single(child)
                holder.remove(child)
            elif child.tag == W_SDT:
                self._control(child)
                content = child.find(W_SDT_CONTENT)
                if content is not None:
                    self._keep(content, tags)
            elif child.tag not in tags:
                raise RefusedError(_OBJECT)

    def _paragraph(self, paragraph: Element) -> None:
        _plain(paragraph)
        properties = paragraph.find(W_PPR)
        if properties is not None:
            for child in properties.findall(W_SECT_PR):
                properties.remove(child)
        content = [made for child in list(paragraph) for made in self._inline(child)]
        for child in list(paragraph):
            if child.tag != W_PPR:
                paragraph.remove(child)
        paragraph.extend(content)

    def _inline(self, child: Element) -> Iterator[Element]:
        tag = child.tag
        if tag == W_R:
            self._run(child)
            if any(inner.tag != W_RPR for inner in child):
                yield child
        elif tag in _SINGLE:
            self._single(child)
        elif tag in _WRAPPERS:
            yield from self._field(instruction(self._package, self._part, child), child)
        elif tag in _MATH:
            yield child
        elif tag == W_SDT:
            self._control(child)
            for content in child.findall(W_SDT_CONTENT):
                made = [inner for node in list(content) for inner in self._inline(node)]
                content[:] = made
            yield child
        elif tag not in _SILENT and isinstance(tag, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # comments
            raise RefusedError(_OBJECT)

    def _control(self, control: Element) -> None:
        """Takes off the id of a content control, which is its own (17.5.2.18, id)."""
        for properties in control.findall(W_SDT_PR):
            for identifier in properties.findall(W_ID):
                properties.remove(identifier)

    def _field(self, instruction: str, holder: Element) -> Iterator[Element]:
        content = [made for inner in list(holder) for made in self._inline(inner)]
        if not instruction:
            yield from content
            return
        instruction_text = text_node(f" {instruction.strip()} ", W_INSTR_TEXT)
        for node in (_character("begin"), instruction_text, _character("separate")):
            yield _run_of(node)
        yield from content
        yield _run_of(_character("end"))

    def _run(self, run: Element) -> None:
        _plain(run)
        for child in list(run):
            if child.tag in _NOT_IN_RUNS:
                self._single(child)
                run.remove(child)
        for box in run.iter(*TEXT_BOXES):
            self._box(box)

    def _box(self, box: Element) -> None:
        """A text box goes with its run: only what can be there once is taken out of it."""
        for node in list(box.iter()):
            parent = node.getparent()
            if node.tag in _SINGLE and parent is not None:
                self._single(node)
                parent.remove(node)
            elif node.tag in (W_P, W_TR):
                _plain(node)

    def _single(self, node: Element) -> None:
        name = str(node.tag).rpartition("}")[2]
        if name == "bookmarkStart":
            self._left.names.add(node.get(W("name"), ""))
        elif name.startswith("comment"):
            self._left.has_comments = True


def instruction(package: Package, part: str, wrapper: Element) -> str:
    """Returns the field that does what an element around runs does; empty when it does nothing."""
    if wrapper.tag != W_HYPERLINK:
        return wrapper.get(W("instr"), "").strip() if wrapper.tag == W_FLD_SIMPLE else ""
    relation = package.relationships(part).get(wrapper.get(R_ID, ""))
    words = ["HYPERLINK"]
    if relation is not None and relation.external:
        words.append(_quoted(relation.target))
    anchor, tip = wrapper.get(W("anchor"), ""), wrapper.get(W("tooltip"), "")
    if anchor:
        words += ["\\l", _quoted(anchor)]
    if len(words) == 1:
        return ""
    return " ".join([*words, *(("\\o", _quoted(tip)) if tip else ())])


def _plain(element: Element) -> None:
    """Takes the ids of sessions and paragraphs off an element."""
    for name in list(element.attrib):
        if name in _IDS or str(name).rpartition("}")[2].startswith("rsid"):
            del element.attrib[name]


def _character(kind: str) -> Element:
    return etree.Element(W_FLD_CHAR, {W("fldCharType"): kind})


def _run_of(node: Element) -> Element:
    run = etree.Element(W_R)
    run.append(node)
    return run


def _quoted(text: str) -> str:
    r"""Returns an argument of a field: quotes and backslashes are escaped (17.16.1)."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
