"""Blocks and objects that only the second version has, brought as copies, all tracked.

New paragraphs and tables are copies of those of the second version, with their formatting, notes
and pictures, as insertions: what `engine.docx.steps.moves` does within a document. In a paragraph
that both versions have, notes, pictures and text boxes are brought the same way, each where it
stands, and text boxes are struck; no operation of a plan writes any of this. Equations are not
brought: programs disagree about what a tracked one is, and one that stays on both sides would be
worse than one that is named.

ECMA-376 Part 1, 17.13.5.18 (ins), 17.13.5.14 (del).
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Final, TypeAlias

from lxml import etree

from redraft.engine.compare.brought_lists import Lists, counterparts
from redraft.engine.compare.brought_looks import LookCopy, write_look
from redraft.engine.compare.brought_parts import Carrier, can_relate
from redraft.engine.compare.brought_styles import counterpart_ids
from redraft.engine.compare.versions import ComparedBlock, Version
from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.alternate_copies import TWIN, forms_of
from redraft.engine.docx.editing.block_copies import transcribe, written
from redraft.engine.docx.editing.document_index import Survey
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.placement import put_beside
from redraft.engine.docx.judging.fingerprint import fingerprint, story_parts
from redraft.engine.docx.judging.validity import present
from redraft.engine.docx.names import W_P, W_R, W_RPR, W_TBL, Element, M, W
from redraft.engine.docx.opc import new_parts
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.opc.splice import Splicer
from redraft.engine.docx.redline.line import Line, Stamp, Standing, Unit
from redraft.engine.docx.redline.tracked_runs import write
from redraft.engine.docx.redline.tracked_text import strike
from redraft.engine.docx.steps.footnotes import spot_behind
from redraft.engine.docx.steps.quote_places import beside
from redraft.engine.errors import RefusedError, VerificationError
from redraft.engine.plan import Where
from redraft.engine.report import Signature
from redraft.engine.state import State

_UNWRITTEN: Final = "The copy would not be undone by rejecting it"
_TABLES: Final = "A table cannot stand beside another table, or at the end of a story"
_GONE: Final = "The object of the paragraph cannot be found again"


@dataclass(frozen=True, slots=True)
class BlockCopy:
    """Adjacent blocks of the second version go beside a block of the first."""

    anchor: str
    where: Where
    blocks: tuple[ComparedBlock, ...]

    @property
    def key(self) -> tuple[str, ...]:
        """What is brought, whatever stands around it."""
        return tuple(block.anchor for block in self.blocks)


@dataclass(frozen=True, slots=True)
class ObjectCopy:
    """An object of a paragraph of the second version goes into one of the first.

    Attributes:
        anchor: The paragraph of the first version.
        offset: Behind how many characters of it.
        block: The paragraph of the second version.
        index: Which of the units of its line the object is.
    """

    anchor: str
    offset: int
    block: ComparedBlock
    index: int

    @property
    def key(self) -> tuple[str, ...]:
        """What is brought, whatever stands around it."""
        return self.block.anchor, f"+{self.index}"


@dataclass(frozen=True, slots=True)
class ObjectDeletion:
    """An object of a paragraph of the first version goes: which of the units of its line."""

    anchor: str
    index: int

    @property
    def key(self) -> tuple[str, ...]:
        """What goes."""
        return self.anchor, f"-{self.index}"


Transfer: TypeAlias = BlockCopy | ObjectCopy | ObjectDeletion | LookCopy


def bring(
    data: bytes,
    state: State,
    transfers: Sequence[Transfer],
    first: Version,
    source: Version,
    signed: Signature,
) -> tuple[bytes, State]:
    """Returns a document with copies of what another version has, as tracked changes.

    Args:
        data: The document.
        state: Whose marks stand in it.
        transfers: What goes where, in order.
        first: The document as read, for its lists.
        source: The version that copies are made of.
        signed: Under whose name.

    Raises:
        RefusedError: something cannot be copied, or not be put there.
        VerificationError: rejecting the copies would leave something.
    """
    package = Package.open(data)
    splicers = {part: Splicer(package, part) for part in story_parts(package)}
    baseline = fingerprint(package, state.ours)
    survey = Survey(package, state)
    desk = Desk(survey, state, Stamp(signed.edit_uid, signed.author, signed.date))
    lists = Lists(package, source.package, counterparts(first, source))
    styles = counterpart_ids(package, source.package)
    writer = _Writer(desk, source, Carrier(desk, source.package, lists, styles))
    # The last ones first: what stands before keeps its place.
    for transfer in reversed(transfers):
        writer.write(transfer)
    for part, blocks in desk.changed.items():
        is_known = part in splicers and part not in desk.whole
        package.replace(part, splicers[part].bytes(blocks) if is_known else package.serialize(part))
    for part, notes in desk.appended.items():
        new_parts.append(package, part, notes)
    result = package.save()
    opened = Package.open(result)
    ids = present([opened.read(part) for part in story_parts(opened)])
    ours = {number: edit for number, edit in desk.ids.ours.items() if number in ids}
    rejected = fingerprint(opened, ours)
    if any(rejected.get(part) != told for part, told in baseline.items()):
        raise VerificationError(_UNWRITTEN)
    return result, State(ours, frozenset(desk.ids.formatted & ids), rejected)


def is_copied(block: ComparedBlock, source: Version) -> bool:
    """Returns whether a block of the second version can be brought as a copy.

    Not one that says something else than its XML, as merged ones do.
    """
    if block.kind == "paragraph":
        place = source.place(block.anchor)
        if source.survey.line(place).text != block.text:
            return False
        if next(block.element.iter(M("oMath")), None) is not None:
            return False
        try:
            copies = transcribe(source.package, place.part, [block.element]).blocks
        except RefusedError:
            return False
        return can_relate(source.package, place.part, copies)
    cells = (cell for row in block.rows for cell in row.cells)
    return all(is_copied(inner, source) for cell in cells for inner in cell.blocks)


class _Writer:
    def __init__(self, desk: Desk, source: Version, carrier: Carrier) -> None:
        self._desk = desk
        self._source = source
        self._carrier = carrier

    def write(self, transfer: Transfer) -> None:
        place = self._desk.survey.place(transfer.anchor)
        if isinstance(transfer, LookCopy):
            write_look(self._desk, self._source, self._carrier, place, transfer)
            return
        if forms_of(place.element) is not None:
            raise RefusedError(TWIN)
        match transfer:
            case BlockCopy():
                self._blocks(place, transfer)
            case ObjectCopy():
                self._object(place, transfer)
            case ObjectDeletion():
                self._strike(place, transfer)

    def _blocks(self, place: Place, transfer: BlockCopy) -> None:
        elements = [block.element for block in transfer.blocks]
        new = self._copies(self._source.place(transfer.blocks[0].anchor).part, place.part, elements)
        _check_tables(place, transfer.where, new)
        put_beside(self._desk, place, transfer.where, written(self._desk, place.part, new))

    def _copies(self, home: str, part: str, elements: Sequence[Element]) -> tuple[Element, ...]:
        copies = transcribe(self._source.package, home, elements).blocks
        self._carrier.carry(home, part, copies)
        return copies

    def _object(self, place: Place, transfer: ObjectCopy) -> None:
        home = self._source.place(transfer.block.anchor)
        units = self._source.survey.line(home).units
        source = units[transfer.index]
        paragraph = etree.Element(W_P)
        run = etree.SubElement(paragraph, W_R)
        properties = None if source.run is None else source.run.find(W_RPR)
        if properties is not None:
            run.append(deepcopy(properties))
        run.append(deepcopy(source.node))
        copied = self._copies(home.part, place.part, [paragraph])[0].find(W_R)
        if copied is None:
            raise RefusedError(_GONE)
        line = self._desk.line(place)
        spot = spot_behind(line, 0, transfer.offset)
        self._desk.note_place(place)
        stamp = self._desk.stamp
        unit = Unit(
            "", copied[-1], copied, spot.box, Standing.WRITTEN, stamp, "object", source.token
        )
        entries = spot.box.entries
        if spot.behind is not None:
            entries.insert(beside(entries, spot.behind), unit)
        elif spot.before is not None:
            entries.insert(entries.index(spot.before), unit)
        else:
            entries.append(unit)
        spot.box.is_dirty = True
        write(line, self._desk.ids)

    def _strike(self, place: Place, transfer: ObjectDeletion) -> None:
        line: Line = self._desk.line(place)
        if transfer.index >= len(line.units):
            raise RefusedError(_GONE)
        self._desk.note_place(place)
        strike(line, [line.units[transfer.index]], self._desk.stamp)
        write(line, self._desk.ids)


def _check_tables(place: Place, where: Where, new: Sequence[Element]) -> None:
    """Sees that no table comes to stand beside another one, which would join both.

    Raises:
        RefusedError: one would, or would end a story (17.2.2, body; 17.4.65, tc).
    """
    element = place.element
    other = element.getnext() if where == "after" else element.getprevious()
    before, after = (element, other) if where == "after" else (other, element)
    is_joined = new[0].tag == W_TBL and before is not None and before.tag == W_TBL
    is_last = new[-1].tag == W_TBL and (after is None or after.tag in (W_TBL, W("sectPr")))
    if is_joined or is_last:
        raise RefusedError(_TABLES)
