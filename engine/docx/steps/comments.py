"""Adds comments (ECMA-376 Part 1, 17.13.4); Word does not track them.

The markers of the range stand around the quoted words, never in a deletion; the reference stands
behind them, outside links, fields and other authors' insertions. Only names of the standard are
written, so that nothing needs to be declared; what other parts say of comments is left alone.

[x] the part is made where it is missing  [x] a range over paragraphs that are joined
[-] headers, footers, notes, text boxes (Word cannot comment there)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lxml import etree

from redraft.engine import tokens
from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.anchored_elements import Finder, OperationError
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.step import Blind, Reach
from redraft.engine.docx.names import (
    STRICT,
    W14,
    W_AUTHOR,
    W_ID,
    W_P,
    W_PPR,
    W_R,
    W_RPR,
    W_VAL,
    Element,
    W,
)
from redraft.engine.docx.opc import new_parts
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.redline.line import Box, Entry, Line, Opaque, Standing, Unit
from redraft.engine.docx.redline.open_fields import Frame
from redraft.engine.docx.redline.tracked_runs import text_node, write
from redraft.engine.docx.steps.named_styles import style_named
from redraft.engine.docx.steps.quote_places import Span, beside, entry_in, pieces, quoted
from redraft.engine.errors import PlanError, RefusedError
from redraft.engine.inline_pieces import Words
from redraft.engine.model import Mark
from redraft.engine.plan import AddComment

_PART_TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"
_TO_STRICT: Final = {value: key for key, value in STRICT.items()}
_WARNING: Final = (
    "Word does not track comments: a comment is removed by hand or by undoing the edit"
)
_ELSEWHERE: Final = (
    "Word has comments on the text of the body only; comment on a paragraph of the body instead"
)
_START, _END, _REFERENCE = (
    W("commentRangeStart"),
    W("commentRangeEnd"),
    W("commentReference"),
)


@dataclass(frozen=True, slots=True)
class CommentStep:
    """A comment on words, which run over the paragraphs of one block."""

    spans: tuple[Span, ...]
    text: str
    reach: Reach
    blind: frozenset[Blind] = frozenset({"comments"})
    warnings: tuple[str, ...] = (_WARNING,)

    @property
    def places(self) -> tuple[Place, ...]:
        """The paragraphs of the block."""
        return tuple(span.place for span in self.spans)

    def write(self, desk: Desk) -> bool:
        """Writes the markers and the comment."""
        known = desk.numbers.get("comment")
        desk.numbers["comment"] = 1 + (highest_number(desk.package) if known is None else known)
        number = str(desk.numbers["comment"])
        first, last = self.spans[0], self.spans[-1]
        start = desk.line(first.place)
        end = start if last.place.element is first.place.element else desk.line(last.place)
        for place in {first.place.element: first.place, last.place.element: last.place}.values():
            desk.note_place(place)
        units = pieces(start, first.start, first.end)
        _begin(start, units, number)
        if end is not start:
            units = pieces(end, last.start, last.end)
        _finish(desk, end, units, number)
        for line in {id(start): start, id(end): end}.values():
            write(line, desk.ids)
        stamp = desk.stamp
        comment = written_comment(desk.package, stamp.author, stamp.date, number, self.text)
        desk.append(_part(desk.package), comment)
        return True


def resolve(finder: Finder, operation: AddComment) -> CommentStep:
    """Returns what a comment means here.

    Raises:
        OperationError: no such text, or nothing can be commented on there.
    """
    if not operation.text.strip():
        raise OperationError("bad_value", PlanError("The comment says nothing"))
    spans = quoted(finder, operation.block, operation.find, operation.occurrence)
    if any(span.place.story != "body" for span in spans):
        raise OperationError("read_only", RefusedError(_ELSEWHERE))
    package = finder.survey.package
    known = package.related(package.main, "comments")
    part = known[0] if known else new_parts.free_name(package, package.main, "comments")
    counts: dict[Element, dict[str, int]] = {}
    counts.setdefault(spans[0].place.element, {})["commentRangeStart"] = 1
    counts.setdefault(spans[-1].place.element, {}).update(
        {"commentRangeEnd": 1, "commentReference": 1}
    )
    reach = Reach(counts=counts, parts=frozenset({part}))
    return CommentStep(tuple(spans), operation.text, reach)


def _begin(line: Line, units: Sequence[Unit], number: str) -> None:
    marker = Opaque(etree.Element(_START, {W_ID: number}), is_marker=True)
    if not units:
        line.root.entries.append(marker)
        line.root.is_dirty = True
        return
    unit = _edge(line, units[0], first=True)
    box = unit.box
    at = box.entries.index(unit)
    box.entries.insert(at, marker)
    box.is_dirty = True


def _finish(desk: Desk, line: Line, units: Sequence[Unit], number: str) -> None:
    marker = Opaque(etree.Element(_END, {W_ID: number}), is_marker=True)
    run = etree.Element(W_R)
    style = style_named(desk.package, "annotation reference", "character")
    if style is not None:
        etree.SubElement(etree.SubElement(run, W_RPR), W("rStyle"), {W_VAL: style})
    node = etree.SubElement(run, _REFERENCE, {W_ID: number})
    root = line.root
    reference = Unit("", node, run, root, Standing.KEPT)
    root.is_dirty = True
    if not units:
        root.entries += [marker, reference]
        return
    last = _edge(line, units[-1], first=False)
    box = last.box
    at = beside(box.entries, last) if box is root else box.entries.index(last) + 1
    box.entries.insert(at, marker)
    box.is_dirty = True
    outer: Entry | None = marker if box is root else entry_in(root, last)
    assert outer is not None  # every unit stands in the root
    root.entries.insert(root.entries.index(outer) + 1, reference)


def _edge(line: Line, unit: Unit, *, first: bool) -> Unit:
    """Returns the unit, or the first or last one of the outermost field around it."""
    frame = unit.frame
    while frame is not None and frame.parent is not None:
        frame = frame.parent
    if frame is None or _is_simple(unit.box):
        return unit
    inside = [other for other in line.units if frame in _frames(other)]
    return inside[0 if first else -1]


def _is_simple(box: Box) -> bool:
    return box.kind in ("field", "link") and box.parent is not None


def _frames(unit: Unit) -> list[Frame]:
    frames: list[Frame] = []
    frame = unit.frame
    while frame is not None:
        frames.append(frame)
        frame = frame.parent
    return frames


def highest_number(package: Package) -> int:
    """Returns the highest id of a comment, or of a marker in the text."""
    used = [-1]
    for part in package.related(package.main, "comments"):
        used += [_number(node) for node in package.tree(part).iter(W("comment"))]
    used += [_number(node) for node in package.tree(package.main).iter(_START, _END, _REFERENCE)]
    return max(used)


def _number(node: Element) -> int:
    try:
        return int(node.get(W_ID, ""))
    except ValueError:
        return -1


def _part(package: Package) -> str:
    """Returns the part of the comments, made where there is none."""
    known = package.related(package.main, "comments")
    if known:
        return known[0]
    uri = _TO_STRICT[str(W)] if package.strict else str(W)
    data = (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'
        f'<w:comments xmlns:w="{uri}"></w:comments>'
    )
    return new_parts.add(package, package.main, "comments", _PART_TYPE, data.encode())


def written_comment(
    package: Package, author: str, date: str, number: str, text: str, paragraph_id: str = ""
) -> Element:
    """Returns a comment with a paragraph for each line of its text; the last one gets the id."""
    initials = "".join(word[0] for word in author.split()).upper()
    attributes = {
        W_ID: number,
        W_AUTHOR: author,
        W("date"): date,
        W("initials"): initials,
    }
    names = {"w14": str(W14)} if paragraph_id else {}
    comment = etree.Element(W("comment"), attributes, nsmap={"w": str(W), **names})
    style = style_named(package, "annotation text", "paragraph")
    mark = style_named(package, "annotation reference", "character")
    for index, words in enumerate(line for line in text.splitlines() if line.strip()):
        paragraph = etree.SubElement(comment, W_P)
        if style is not None:
            etree.SubElement(etree.SubElement(paragraph, W_PPR), W("pStyle"), {W_VAL: style})
        if not index:
            run = etree.SubElement(paragraph, W_R)
            if mark is not None:
                etree.SubElement(etree.SubElement(run, W_RPR), W("rStyle"), {W_VAL: mark})
            etree.SubElement(run, W("annotationRef"))
        paragraph.extend(_runs(words))
    if paragraph_id:
        comment[-1].set(W14("paraId"), paragraph_id)
    return comment


def _runs(text: str) -> list[Element]:
    """Returns the runs of a line; what is not valid markup is meant literally."""
    parsed = tokens.parse(text, ())
    words = [Words(text)] if parsed.faults else [p for p in parsed.pieces if isinstance(p, Words)]
    runs: list[Element] = []
    for piece in words:
        run = etree.Element(W_R)
        for name, mark in (("b", Mark.BOLD), ("i", Mark.ITALIC)):
            if piece.marks & mark:
                properties = run.find(W_RPR)
                if properties is None:
                    properties = etree.SubElement(run, W_RPR)
                etree.SubElement(properties, W(name))
        run.append(text_node(piece.text))
        runs.append(run)
    return runs
