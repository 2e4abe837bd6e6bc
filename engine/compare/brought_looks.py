"""Formatting of the second version, written as it is there, with marks that keep the former one.

A stretch that looks otherwise takes all properties of the run that has its words in the second
version, a paragraph those of its counterpart; what no reader sees, as the language, stays. Text
that the comparison wrote itself carries no mark of formatting.

ECMA-376 Part 1, 17.13.5.31 (rPrChange), 17.13.5.29 (pPrChange).
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Final

from lxml import etree

from redraft.engine.compare.brought_parts import Carrier
from redraft.engine.compare.looks import UNSEEN, Look
from redraft.engine.compare.versions import ComparedBlock, Version
from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.alternate_copies import twin_of
from redraft.engine.docx.editing.baseline_paragraphs import is_left
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.tracked_blocks import is_mark_inserted
from redraft.engine.docx.formatting.format_marks import frozen, looks, rewrite, same, standing
from redraft.engine.docx.formatting.run_cuts import Cut, Span, cuts, join
from redraft.engine.docx.formatting.schema_order import put
from redraft.engine.docx.names import W_PPR, W_RPR, Element, W
from redraft.engine.errors import RefusedError

_LOCKED: Final = "The text stands in a locked content control"
_TEXT: Final = "The text"
_PARAGRAPH: Final = "The paragraph"
_KEPT: Final = frozenset(map(W, UNSEEN))


@dataclass(frozen=True, slots=True, eq=False)
class LookCopy:
    """A paragraph of the first version takes formatting of one of the second.

    Attributes:
        anchor: The paragraph of the first version.
        block: That of the second.
        texts: Stretches of its text that look otherwise, with the properties that they take.
        is_reshaped: Whether it takes the properties of the paragraph.
    """

    anchor: str
    block: ComparedBlock
    texts: tuple[Look, ...]
    is_reshaped: bool

    @property
    def key(self) -> tuple[str, ...]:
        """What is brought, whatever stands around it."""
        return self.anchor, self.block.anchor, "looks"


def write_look(desk: Desk, source: Version, carrier: Carrier, place: Place, copy: LookCopy) -> None:
    """Gives a paragraph the formatting of another.

    Raises:
        RefusedError: another author's mark of formatting stands there, or it is locked.
    """
    home = source.place(copy.block.anchor).part
    twin = twin_of(place)
    others = (
        [] if twin is None else [Place(place.anchor, place.part, place.story, "paragraph", twin)]
    )
    for paragraph in (place, *others):
        if copy.is_reshaped:
            _reshape(desk, carrier, home, paragraph, copy.block.element)
        for spans, properties in _groups(copy.texts):
            own = deepcopy(properties)
            carrier.carry(home, place.part, [own])
            _format(desk, paragraph, spans, own)


def _groups(texts: Sequence[Look]) -> list[tuple[list[Span], Element]]:
    """Returns stretches that take the same properties together."""
    groups: dict[object, tuple[list[Span], Element]] = {}
    for look in texts:
        group = groups.setdefault(frozen(look.properties), ([], look.properties))
        group[0].append((look.start, look.end))
    return list(groups.values())


def _reshape(desk: Desk, carrier: Carrier, home: str, place: Place, model: Element) -> None:
    paragraph = place.element
    before = looks(paragraph, W_PPR, desk.ids, _PARAGRAPH)
    now = standing(model, W_PPR)
    carrier.carry(home, place.part, [now])
    if same(now, before.now):
        return
    desk.note_place(place)
    ours = desk.ids.ours
    is_tracked = not is_mark_inserted(paragraph, ours) or is_left(paragraph, ours)
    rewrite(paragraph, now, before, desk.ids, desk.stamp, tracked=is_tracked)


def _format(desk: Desk, place: Place, spans: Sequence[Span], properties: Element) -> None:
    line = desk.line(place)
    pieces = cuts(line, spans, notes=False, is_whole=False)
    if any(unit.lock == "control" for piece in pieces for unit, _, taken in piece.pieces if taken):
        raise RefusedError(_LOCKED)
    due = [piece for piece in pieces if not same(_wanted(piece.run, properties), _now(piece.run))]
    if due:
        desk.note_place(place)
    join([run for piece in due for run in _run(desk, piece, properties)])


def _run(desk: Desk, piece: Cut, properties: Element) -> list[Element]:
    """Formats what is taken of a run; returns the runs that are as the baseline has them."""
    restored: list[Element] = []
    for run in piece.split(desk.ids):
        before = looks(run, W_RPR, desk.ids, _TEXT)
        now = _wanted(run, properties)
        rewrite(run, now, before, desk.ids, desk.stamp, tracked=not piece.is_written)
        if before.old is not None and same(now, before.old):
            restored.append(run)
        stamp = piece.unit.stamp
        if piece.is_written and stamp is not None and stamp.id is not None:
            desk.ids.formatted.add(stamp.id)
    return restored


def _now(run: Element) -> Element:
    return standing(run, W_RPR)


def _wanted(run: Element, properties: Element) -> Element:
    """Returns the properties that a run takes, with what nobody sees of its own."""
    wanted = etree.Element(W_RPR)
    wanted.extend([deepcopy(child) for child in properties if child.tag not in _KEPT])
    for child in _now(run):
        if child.tag in _KEPT:
            put(wanted, deepcopy(child))
    return wanted
