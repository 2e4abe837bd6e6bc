"""What blocks hold with our marks rejected and with them accepted, as values that can be compared.

Used to see whether what was deleted here is what was written here. A hyperlink counts as the field
that does the same, since a copy holds it as one; other authors' changes are read as accepted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from lxml import etree

from redraft.engine.docx.accept_reject import note_references, part_tree
from redraft.engine.docx.editing.block_copies import instruction, transcribe
from redraft.engine.docx.names import (
    W14,
    W_BODY,
    W_DEL,
    W_FLD_CHAR,
    W_ID,
    W_INS,
    W_INSTR_TEXT,
    W_P,
    W_PPR,
    W_RPR,
    W_SDT,
    W_SECT_PR,
    W_TBL,
    W_TR,
    W_TR_PR,
    W_VAL,
    WP,
    Element,
    W,
)
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.redline.line import Box, Line, Opaque, Standing, Unit
from redraft.engine.docx.redline.textmap import revision_id
from redraft.engine.errors import RefusedError

# Bold, italic, and the other properties of a run.
Look: TypeAlias = tuple[bool, bool, tuple[bytes, ...]]
# A character of text, or what an object is, and the look that was asked for it; None: inherited.
Item: TypeAlias = tuple[str, "Look | None"]

_PPR_CHANGE: Final = W("pPrChange")
_OWN: Final = frozenset({W_RPR, W_SECT_PR, _PPR_CHANGE})
_MARKS: Final = f"{W_PPR}/{W_RPR}"
_EMPHASIS: Final = frozenset(map(W, ("b", "bCs", "i", "iCs")))
_OFF: Final = frozenset({"0", "false", "off"})
_DOC_PR: Final = WP("docPr")
_PARA_IDS: Final = frozenset({W14("paraId"), W14("textId")})


@dataclass(slots=True)
class Content:
    """A block on one side; `look` are its properties. A table is one item."""

    look: tuple[bytes, ...] = ()
    items: list[Item] = field(default_factory=list[Item])

    def says(self, other: Content) -> bool:
        """Returns whether it is what another one, whose looks are known, is."""
        return (
            self.look == other.look
            and len(self.items) == len(other.items)
            and all(
                mine == theirs and (look is None or mine.isspace() or look == known)
                for (mine, look), (theirs, known) in zip(self.items, other.items, strict=True)
            )
        )

    @property
    def key(self) -> tuple[object, ...]:
        """What is equal when contents are, looks of characters aside."""
        return (self.look, *(token for token, _ in self.items))


def mark_of(block: Element, ours: Mapping[int, str]) -> Standing:
    """Returns what our marks say of the end of a paragraph, or of a whole table."""
    if block.tag == W_P:
        marks = block.find(_MARKS)
        for child in () if marks is None else marks:
            if child.tag in (W_INS, W_DEL) and revision_id(child) in ours:
                return Standing.WRITTEN if child.tag == W_INS else Standing.STRUCK
        return Standing.KEPT
    standings = {_row(row, ours) for row in block.iter(W_TR)}
    return standings.pop() if len(standings) == 1 else Standing.KEPT


def _row(row: Element, ours: Mapping[int, str]) -> Standing:
    for tag, standing in ((W_INS, Standing.WRITTEN), (W_DEL, Standing.STRUCK)):
        mark = row.find(f"{W_TR_PR}/{tag}")
        if mark is not None and revision_id(mark) in ours:
            return standing
    return Standing.KEPT


def look_of(paragraph: Element, ours: Mapping[int, str], side: Standing) -> tuple[bytes, ...]:
    """Returns the properties of a paragraph on the side of what is struck or of what is written."""
    properties = paragraph.find(W_PPR)
    if properties is None:
        return ()
    change = properties.find(_PPR_CHANGE)
    if side is Standing.STRUCK and change is not None and revision_id(change) in ours:
        properties = change[0] if len(change) else change
    return tuple(canonical(child) for child in properties if child.tag not in _OWN)


def canonical(element: Element) -> bytes:
    """Returns an element as bytes that are equal when it is."""
    return etree.tostring(element, method="c14n", exclusive=True, with_tail=False)


def items(line: Line, side: Standing, package: Package, part: str) -> Iterator[Item]:
    """Returns what a paragraph holds on the side of what is struck (the baseline) or written."""
    return _of_box(line.root, side, package, part)


def _of_box(box: Box, side: Standing, package: Package, part: str) -> Iterator[Item]:
    code = ""
    items = [item for e in box.entries for item in _of_entry(e, side, package, part)]
    if box.kind in ("link", "field") and box.parent is not None:
        code = instruction(package, part, box.element) if items else ""
        if code:
            yield from (("\0begin", None), (f"\0{code.strip()}", None), ("\0separate", None))
        yield from items
        if code:
            yield "\0end", None
        return
    # A control that our marks leave empty on this side is no part of it.
    if box.kind == "control" and (items or not box.entries):
        yield "\0control", None
    yield from items


def _of_entry(
    entry: Box | Unit | Opaque, side: Standing, package: Package, part: str
) -> Iterator[Item]:
    if isinstance(entry, Box):
        yield from _of_box(entry, side, package, part)
    elif isinstance(entry, Unit) and entry.standing in (Standing.KEPT, side):
        is_asked = (
            side is Standing.STRUCK
            or entry.standing is Standing.KEPT
            or (entry.stamp is not None and entry.stamp.formatted)
        )
        look = _look(entry) if is_asked else None
        if entry.node.tag == W_SDT:
            yield "\0control", None
            yield from ((char, None) for char in entry.text)
        elif entry.text:
            yield from ((char, look) for char in entry.text)
        elif entry.lock:
            yield _object(entry.node, package), None


def _look(unit: Unit) -> Look:
    properties = None if unit.run is None else unit.run.find(W_RPR)
    if properties is None:
        return False, False, ()
    bold, italic = (_is_on(properties.find(W(name))) for name in ("b", "i"))
    return bold, italic, tuple(canonical(c) for c in properties if c.tag not in _EMPHASIS)


def _is_on(toggle: Element | None) -> bool:
    return toggle is not None and toggle.get(W_VAL, "true") not in _OFF


def _object(node: Element, package: Package) -> str:
    if node.tag in note_references.REFERENCES:
        return _reference(node, package)
    if node.tag == W_FLD_CHAR:
        return f"\0{node.get(W('fldCharType'), '')}"
    if node.tag in (W_INSTR_TEXT, W("delInstrText")):
        return f"\0{(node.text or '').strip()}"
    copy = deepcopy(node)
    for part_of_copy in copy.iter():
        own = _PARA_IDS | {"id"} if part_of_copy.tag == _DOC_PR else _PARA_IDS
        for name in [name for name in part_of_copy.attrib if name in own]:
            del part_of_copy.attrib[name]
    return "\0" + canonical(copy).decode()


def _reference(node: Element, package: Package) -> str:
    """Returns what a reference stands for.

    The note as it reads in the final view, whichever copy it is.
    """
    key = note_references.REFERENCES[str(node.tag)], node.get(W_ID, "")
    part, note = note_references.notes(package).get(key, ("", None))
    try:
        body = [] if note is None else [child for child in note if child.tag in (W_P, W_TBL)]
        blocks = transcribe(package, part, body).blocks
    except RefusedError:
        return f"\0{key[0]} {key[1]}"
    return "\0".join(["", key[0], *(canonical(block).decode() for block in blocks)])


def table_of(
    table: Element, ours: Mapping[int, str], side: Standing, package: Package, part: str
) -> Content:
    """Returns a table on one side."""
    holder = etree.Element(W_BODY)
    holder.append(deepcopy(table))
    marks = [mark for mark in part_tree.revisions(holder) if revision_id(mark) in ours]
    action = "reject" if side is Standing.STRUCK else "accept"
    part_tree.Settler(holder).settle(marks, action)
    try:
        copy = transcribe(package, part, list(holder.iterchildren(W_TBL)))
    except RefusedError:
        # It cannot have been copied, so that it is equal to nothing.
        return Content((b"",), [(str(id(table)), None)])
    return Content((), [("\0" + canonical(block).decode(), None) for block in copy.blocks])
