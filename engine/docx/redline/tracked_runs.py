"""Writes a changed line back into its paragraph: runs, our `w:ins` and `w:del`, others' split.

Runs of which all is as it was are kept as they are, element and attributes; only runs that a change
cuts are copied, each piece with the run's properties and rsids. Our marks stand directly around
runs, inside the box that holds them, never around markers of ranges, bookmarks or comments.

[x] w:ins inside another author's w:ins: theirs is split, both halves keep author and date
[x] w:fldSimple of which all is struck becomes a complex field in w:del
[x] w:t and w:delText, w:instrText and w:delInstrText by where they stand
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Final, TypeGuard

from lxml import etree

from redraft.engine.docx.names import (
    W_DEL,
    W_DEL_TEXT,
    W_FLD_SIMPLE,
    W_HYPERLINK,
    W_ID,
    W_INS,
    W_INSTR_TEXT,
    W_R,
    W_RPR,
    W_SDT,
    W_SDT_CONTENT,
    W_T,
    XML,
    Element,
    W,
)
from redraft.engine.docx.redline.line import Box, Line, Opaque, Stamp, Standing, Unit
from redraft.engine.docx.redline.revision_ids import Ids
from redraft.engine.errors import RefusedError

TAGS_INSERTED: Final = (W("customXmlInsRangeStart"), W("customXmlInsRangeEnd"))
_DEL_INSTR_TEXT: Final = W("delInstrText")
_AUTHOR: Final = W("author")
_DATE: Final = W("date")
_SPACE: Final = XML("space")
_RPR_CHANGE: Final = W("rPrChange")
_LAST_RENDERED: Final = W("lastRenderedPageBreak")
_PROOF: Final = W("proofErr")
_INSTR: Final = W("instr")
_FLD_CHAR: Final = W("fldChar")
_FLD_CHAR_TYPE: Final = W("fldCharType")
_FLD_DATA: Final = W("fldData")
_OF_FIELD: Final = frozenset({W("fldLock"), W("dirty")})
_LINKS: Final = frozenset({W_HYPERLINK, W_FLD_SIMPLE})
_TO_STRUCK: Final = {W_T: W_DEL_TEXT, W_INSTR_TEXT: _DEL_INSTR_TEXT}
_TO_LIVE: Final = {W_DEL_TEXT: W_T, _DEL_INSTR_TEXT: W_INSTR_TEXT}


def write(line: Line, ids: Ids, *others: Line) -> None:
    """Brings the XML of a paragraph in step with its line.

    Boxes that are not dirty are not touched.

    Lines that were one before, and share runs and marks, are written together.

    Raises:
        RefusedError: new text stands where no tracked insertion can.
    """
    writer = _Writer(ids)
    for target in (line, *others):
        for box in reversed(target.boxes):
            if box.is_dirty:
                writer.box(box)


def revision(tag: str, identifier: int, author: str, date: str) -> Element:
    """Returns a revision mark (ECMA-376 Part 1, 17.13.4.2).

    `w:ins` or `w:del` with id, author and date.
    """
    return etree.Element(tag, {W_ID: str(identifier), _AUTHOR: author, _DATE: date})


def tags_end(start: Element) -> Element:
    """Returns the end of a range in which the tags of content controls are tracked."""
    return etree.Element(str(start.tag).removesuffix("Start") + "End", {W_ID: start.get(W_ID, "")})


def text_node(text: str, tag: str = W_T) -> Element:
    """Returns a `w:t` or `w:delText`; blanks at its edges are kept (`xml:space`)."""
    node = etree.Element(tag)
    node.text = text
    if text[:1].isspace() or text[-1:].isspace():
        node.set(_SPACE, "preserve")
    return node


class _Writer:
    def __init__(self, ids: Ids) -> None:
        self._ids = ids
        self._written: set[int] = set()
        self._split: dict[Box, list[Element]] = {}
        self._cut: set[Element] = set()

    def box(self, box: Box) -> None:
        element = box.element
        had = len(element) > 0
        groups = list(self._groups(box))
        for child in list(element):
            element.remove(child)
        if box.kind == "foreign" and any(is_new for is_new, _ in groups):
            self._split[box] = self._halves(box, groups)
            if box.parent is None or box.parent.kind == "foreign":
                raise _no_place()
            box.parent.is_dirty = True
            return
        if _is_inside_foreign(box) and any(is_new for is_new, _ in groups):
            raise _no_place()
        for _, elements in groups:
            element.extend(elements)
        stamp = _struck_field(box)
        if stamp is not None and box.parent is not None:
            self._split[box] = self._complex(element, stamp)
            box.parent.is_dirty = True
            return
        if box.parent is not None and element.tag in _LINKS and had and not len(element):
            self._drop(box, box.parent)

    def _complex(self, field: Element, stamp: Stamp) -> list[Element]:
        """Returns a simple field of which all is struck as a complex one in deletions.

        A `w:fldSimple` cannot stand in a `w:del`, and struck inside only it would be left, and
        computed again, when the deletion is accepted (ECMA-376 Part 1, 17.16.19).
        """
        children = [child for child in field if child.tag != _FLD_DATA]
        begin = etree.Element(_FLD_CHAR, {_FLD_CHAR_TYPE: "begin"})
        begin.extend([child for child in field if child.tag == _FLD_DATA])
        for name in _OF_FIELD & set(field.attrib):
            begin.set(name, field.attrib[name])
        code = text_node(field.get(_INSTR, ""), _DEL_INSTR_TEXT)
        separate = etree.Element(_FLD_CHAR, {_FLD_CHAR_TYPE: "separate"})
        opened = [_run_of(node) for node in (begin, code, separate)]
        closed = _run_of(etree.Element(_FLD_CHAR, {_FLD_CHAR_TYPE: "end"}))
        first, last = children[0], children[-1]
        if first.tag == W_DEL and self._is_ours(first):
            first[:0] = opened
        else:
            children[:0] = self._wrapped(opened, Standing.STRUCK, stamp)
        if last.tag == W_DEL and self._is_ours(last):
            last.append(closed)
        else:
            children += self._wrapped([closed], Standing.STRUCK, stamp)
        return children

    def _is_ours(self, mark: Element) -> bool:
        return int(mark.get(W_ID, "-1")) in self._ids.ours

    def _drop(self, box: Box, parent: Box) -> None:
        """Takes out a link or field of which all words were ours and are gone."""
        parent.entries = [entry for entry in parent.entries if entry is not box]
        parent.is_dirty = True
        holder = box.element.getparent()
        if holder is not None:
            holder.remove(box.element)

    def _groups(self, box: Box) -> Iterator[tuple[bool, list[Element]]]:
        """Yields the children of a box in order; (True, …) for those that are our new text."""
        run: list[Unit] = []
        wrapped: list[Element] = []
        proofing: list[Element] = []
        key: object = None
        stamp: Stamp | None = None
        standing = Standing.KEPT
        for unit in [*_settled(box), None]:
            is_unit = isinstance(unit, Unit)
            here = _key(unit) if is_unit else None
            if run and (not is_unit or unit.run is not run[-1].run or here != key):
                wrapped.append(self._run(run))
                run = []
            if wrapped and key is not None and _is_proofing(unit):
                proofing += self._other(unit)
                continue
            if is_unit and here == key:
                wrapped += proofing
                proofing = []
            if wrapped and (not is_unit or here != key):
                yield standing is Standing.WRITTEN, self._wrapped(wrapped, standing, stamp)
                wrapped = []
            if proofing:
                yield False, proofing
                proofing = []
            if not is_unit:
                yield False, self._other(unit)
                continue
            key, stamp, standing = here, unit.stamp, unit.standing
            if unit.run is None:
                wrapped.append(unit.node)
            else:
                run.append(unit)

    def _other(self, entry: Box | Opaque | None) -> list[Element]:
        if entry is None:
            return []
        if isinstance(entry, Opaque):
            return [entry.element]
        outer = entry.element if entry.outer is None else entry.outer
        return self._split.get(entry, [outer])

    def _wrapped(
        self, elements: list[Element], standing: Standing, stamp: Stamp | None
    ) -> list[Element]:
        if standing is Standing.KEPT or stamp is None:
            return elements
        identifier = stamp.id
        if identifier is None or identifier in self._written:
            identifier = self._ids.ours_for(stamp.edit, formatted=stamp.formatted)
        self._written.add(identifier)
        tag = W_INS if standing is Standing.WRITTEN else W_DEL
        mark = revision(tag, identifier, stamp.author, stamp.date)
        mark.extend(elements)
        for control in mark.findall(W_SDT) if standing is Standing.WRITTEN else ():
            _flank(control, stamp)
        return [mark]

    def _halves(self, box: Box, groups: list[tuple[bool, list[Element]]]) -> list[Element]:
        """Returns another author's insertion around our new text: cut, as Word does it."""
        out: list[Element] = []
        half: Element | None = None
        used = False
        for is_new, elements in groups:
            if is_new:
                out += elements
                half = None
                continue
            if half is None:
                half = box.element if not used else self._copy(box.element)
                used = True
                out.append(half)
            half.extend(elements)
        return [element for element in out if len(element)]

    def _copy(self, mark: Element) -> Element:
        half = _like(mark)
        half.set(W_ID, str(self._ids.fresh()))
        return half

    def _run(self, units: list[Unit]) -> Element:
        run = units[0].run
        assert run is not None  # grouped by run
        is_struck = units[0].standing is Standing.STRUCK
        properties = run.find(W_RPR)
        size = len(run) - (properties is not None)
        if len(units) == size and all(unit.whole for unit in units):
            for unit in units:
                _set_tag(unit.node, is_struck=is_struck)
            return run
        piece = _like(run)
        if properties is not None:
            piece.append(self._properties(run, properties))
        for node in _nodes(units):
            _set_tag(node, is_struck=is_struck)
            piece.append(node)
        return piece

    def _properties(self, run: Element, properties: Element) -> Element:
        """Returns a copy for a piece of a run.

        A tracked format keeps its id in the first piece only.
        """
        copy = deepcopy(properties)
        if run in self._cut:
            for change in copy.iter(_RPR_CHANGE):
                edit = self._ids.ours.get(int(change.get(W_ID, "-1")))
                fresh = self._ids.fresh() if edit is None else self._ids.ours_for(edit)
                change.set(W_ID, str(fresh))
        self._cut.add(run)
        return copy


def _is_proofing(entry: Box | Unit | Opaque | None) -> TypeGuard[Opaque]:
    """Returns whether an entry is a mark of the spelling checker, which may stand in a revision."""
    return isinstance(entry, Opaque) and entry.element.tag == _PROOF


def _struck_field(box: Box) -> Stamp | None:
    """Returns who struck all of a simple field; None when something of it stays."""
    units = list(box.units()) if box.element.tag == W_FLD_SIMPLE else []
    if not units or any(unit.standing is not Standing.STRUCK for unit in units):
        return None
    return units[0].stamp


def _run_of(node: Element) -> Element:
    run = etree.Element(W_R)
    run.append(node)
    return run


def _flank(control: Element, stamp: Stamp) -> None:
    """Puts the outer ends of the ranges around the tags of an inserted control beside it again."""
    content = control.find(W_SDT_CONTENT)
    if content is None or not len(content):
        return
    if content[0].tag == TAGS_INSERTED[1]:
        number = int(content[0].get(W_ID, "-1"))
        control.addprevious(revision(TAGS_INSERTED[0], number, stamp.author, stamp.date))
    if content[-1].tag == TAGS_INSERTED[0]:
        control.addnext(tags_end(content[-1]))


def _nodes(units: list[Unit]) -> list[Element]:
    """Returns the children of a run's piece; adjacent slices of one text become one."""
    nodes: list[Element] = []
    last: Element | None = None
    for unit in units:
        if unit.whole:
            nodes.append(unit.node)
            last = None
        elif unit.node is last:
            nodes[-1].text = (nodes[-1].text or "") + unit.text
        else:
            nodes.append(text_node(unit.text))
            last = unit.node
    return nodes


def _set_tag(node: Element, *, is_struck: bool) -> None:
    other = (_TO_STRUCK if is_struck else _TO_LIVE).get(node.tag)
    if other is not None:
        node.tag = other


def _like(element: Element) -> Element:
    copy = etree.Element(element.tag)
    for name, value in element.items():
        copy.set(name, value)
    return copy


def _key(unit: Unit) -> object:
    """Returns what units must share to stand in one mark: kind and edit, not the revision."""
    stamp = unit.stamp
    if unit.standing is Standing.KEPT or stamp is None:
        return None
    return unit.standing, stamp.edit, stamp.author, stamp.date, stamp.formatted


def _settled(box: Box) -> list[Box | Unit | Opaque]:
    """Returns the entries; a page break that Word once rendered goes with the text beside it."""
    entries = box.entries
    for index, entry in enumerate(entries):
        if isinstance(entry, Unit) and entry.node.tag == _LAST_RENDERED:
            around = entries[index + 1 : index + 2] + entries[max(index - 1, 0) : index]
            beside = [e for e in around if isinstance(e, Unit) and e.run is entry.run]
            if beside:
                entry.standing, entry.stamp = beside[0].standing, beside[0].stamp
    return entries


def _is_inside_foreign(box: Box) -> bool:
    parent = box.parent
    while parent is not None:
        if parent.kind == "foreign":
            return True
        parent = parent.parent
    return False


def _no_place() -> RefusedError:
    message = (
        "The text stands inside another author's tracked insertion in a way that leaves no place "
        "for a tracked change; accept or reject that insertion first"
    )
    return RefusedError(message)
