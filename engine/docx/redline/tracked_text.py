"""Tracked edits of one paragraph's text: what is struck, what is written, and where it stands.

An edit replaces a stretch of the final text. It is narrowed to the words that differ
(`engine.diff`); struck characters of the baseline become `Standing.STRUCK`, characters that we
wrote earlier simply go, new ones are `Standing.WRITTEN`. Objects (notes, drawings, bookmarks) stay
where they are. New text stands behind what it replaces, in the formatting of the run that gave most
of the replaced characters; it enters a hyperlink or a control only when all it replaces is in it,
and never a computed field. A reference to a note is deleted with the words on both sides of it.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from redraft.engine.diff import Token, hunks, tokens
from redraft.engine.docx.redline.insertion_point import MOVED, Places, Spot, notes_of
from redraft.engine.docx.redline.line import Box, Entry, Line, Stamp, Standing, Unit
from redraft.engine.docx.redline.new_runs import new_units
from redraft.engine.docx.redline.whole_fields import whole_fields
from redraft.engine.errors import RefusedError
from redraft.engine.model import Mark

_WIDE: Final = frozenset("\t\n")


@dataclass(frozen=True, slots=True)
class Fresh:
    """New text; `marks` None takes bold and italic from where it stands."""

    text: str
    marks: Mark | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace text[start:end] of a line's final text.

    `new` is what comes instead. For a stretch between objects `after` is the object that new text
    must follow or `before` the one it must precede, and `box` the element that it must not leave.
    `old_marks`, one for each character of the line, makes words that differ in bold or italic
    differ.
    """

    start: int
    end: int
    new: tuple[Fresh, ...]
    after: Unit | None = None
    before: Unit | None = None
    box: Box | None = None
    old_marks: Sequence[Mark] | None = None


@dataclass(frozen=True, slots=True)
class _Hunk:
    """A narrowed edit: text[start:end] goes, `new` comes."""

    start: int
    end: int
    new: tuple[Fresh, ...]
    edit: Edit


@dataclass(slots=True)
class _Plan:
    """Where new units go: before or behind an entry, or at the end of a box."""

    before: dict[Entry, list[Unit]] = field(default_factory=dict["Entry", "list[Unit]"])
    behind: dict[Entry, list[Unit]] = field(default_factory=dict["Entry", "list[Unit]"])
    removed: set[Unit] = field(default_factory=set[Unit])


def change(line: Line, edits: Sequence[Edit], stamp: Stamp) -> bool:
    """Carries out edits on a line; nothing of its XML changes before `writing.write`.

    Args:
        line: As read; its offsets no longer hold afterwards.
        edits: In order of their places, not overlapping.
        stamp: Who writes; its id is not used.

    Returns:
        Whether anything differs.

    Raises:
        RefusedError: computed or locked text would change.
    """
    text = line.text
    changes = [hunk for edit in edits for hunk in narrowed(text, edit)]
    if not changes:
        return False
    cut(line, {at for hunk in changes for at in (hunk.start, hunk.end)})
    places, notes = Places(line), notes_of(line)
    plan = _Plan()
    for hunk in changes:
        struck = places.between(hunk.start, hunk.end)
        if not hunk.new:
            struck += [unit for at, unit in notes if hunk.start < at < hunk.end]
        struck = whole_fields(line, struck, is_replaced=bool(hunk.new))
        if hunk.new:
            _write(places, hunk, struck, stamp, plan)
        for unit in struck:
            _strike(unit, stamp, plan)
    _settle(line, plan)
    return True


def narrowed(text: str, edit: Edit) -> list[_Hunk]:
    """Returns the words of an edit that differ, as smaller edits."""
    old_text = text[edit.start : edit.end]
    new_text = "".join(fresh.text for fresh in edit.new)
    marks: list[Mark | None] = [fresh.marks for fresh in edit.new for _ in fresh.text]
    old_marks = edit.old_marks
    if old_marks is None:
        old = [Token(word) for word in tokens(old_text)]
        new = [Token(word) for word in tokens(new_text)]
    else:
        old = _keyed(old_text, old_marks[edit.start : edit.end])
        new = _keyed(new_text, [mark or Mark.NONE for mark in marks])
    old_at, new_at = _offsets(old), _offsets(new)
    return [
        _Hunk(
            edit.start + old_at[hunk.start],
            edit.start + old_at[hunk.end],
            _stretches(new_text, marks, new_at[hunk.new_start], new_at[hunk.new_end]),
            edit,
        )
        for hunk in hunks(old, new)
    ]


def cited(text: str, edit: Edit, notes: Sequence[tuple[int, Unit]]) -> list[Unit]:
    """Returns the references to notes among words that an edit deletes: they go with these.

    Args:
        text: Of the line.
        edit: What is to be done to it.
        notes: All references in it (`placing.notes_of`).
    """
    inside = [(at, unit) for at, unit in notes if edit.start < at < edit.end]
    deleted = [hunk for hunk in narrowed(text, edit) if not hunk.new] if inside else []
    return [unit for at, unit in inside if any(hunk.start < at < hunk.end for hunk in deleted)]


def with_blanks_of(old: str, new: Sequence[Fresh]) -> tuple[Fresh, ...]:
    """Returns new text with the tabs and breaks of the old one where it has blanks for them.

    Whoever reads a tab as a blank writes a blank. New text that has tabs or breaks itself is meant.
    """
    text = "".join(fresh.text for fresh in new)
    if not _WIDE & set(old) or _WIDE & set(text):
        return tuple(new)
    before, after = tokens(old), tokens(text)
    folded = [Token(" " if word in _WIDE else word) for word in before]
    start = new_start = 0
    changes = hunks(folded, [Token(word) for word in after])
    ends = [(hunk.start, hunk.end, hunk.new_start, hunk.new_end) for hunk in changes]
    for low, high, new_low, new_high in [*ends, (len(before), 0, len(after), 0)]:
        after[new_start:new_low] = before[start:low]
        start, new_start = high, new_high
    text = "".join(after)
    edges = [0, *itertools.accumulate(len(fresh.text) for fresh in new)]
    return tuple(
        Fresh(text[low:high], fresh.marks)
        for fresh, (low, high) in zip(new, itertools.pairwise(edges), strict=True)
    )


def _keyed(text: str, marks: Sequence[Mark]) -> list[Token]:
    """Returns tokens that know their bold and italic; those of blanks are no opinion."""
    keyed: list[Token] = []
    at = 0
    for word in tokens(text):
        own = marks[at : at + len(word)]
        at += len(word)
        key = None if word.isspace() else own[0] if len(set(own)) == 1 else tuple(own)
        keyed.append(Token(word, key))
    return keyed


def _offsets(line: Sequence[Token]) -> list[int]:
    offsets = [0]
    for token in line:
        offsets.append(offsets[-1] + len(token.text))
    return offsets


def _stretches(text: str, marks: Sequence[Mark | None], start: int, end: int) -> tuple[Fresh, ...]:
    stretches: list[Fresh] = []
    for at in range(start, end):
        if stretches and stretches[-1].marks == marks[at]:
            stretches[-1] = Fresh(stretches[-1].text + text[at], marks[at])
        else:
            stretches.append(Fresh(text[at], marks[at]))
    return tuple(stretches)


def cut(line: Line, offsets: set[int]) -> None:
    """Splits the units of text that have one of these offsets inside.

    Raises:
        RefusedError: one of them goes as one piece.
    """
    cuts = sorted(offsets)
    split: dict[Unit, list[Unit]] = {}
    units: list[Unit] = []
    at = 0
    for unit in line.units:
        if not unit.is_visible:
            units.append(unit)
            continue
        end = at + len(unit.text)
        inside = cuts[bisect_right(cuts, at) : bisect_left(cuts, end)]
        if inside and unit.run is None:
            raise RefusedError(MOVED)
        if inside:
            edges = [at, *inside, end]
            parts = [slice_of(unit, low - at, high - at) for low, high in itertools.pairwise(edges)]
            split[unit] = parts
            units += parts
        else:
            units.append(unit)
        at = end
    line.units = units
    for box in {unit.box for unit in split}:
        box.entries = [
            part
            for entry in box.entries
            for part in (split.get(entry, [entry]) if isinstance(entry, Unit) else [entry])
        ]


def slice_of(unit: Unit, start: int, end: int) -> Unit:
    """Returns a part of a unit of text."""
    return Unit(
        unit.text[start:end],
        unit.node,
        unit.run,
        unit.box,
        unit.standing,
        unit.stamp,
        unit.lock,
        unit.token,
        unit.frame,
        whole=False,
    )


def strike(line: Line, units: Sequence[Unit], stamp: Stamp) -> None:
    """Strikes objects of a line, with the fields that hold nothing else; ours go at once.

    Raises:
        RefusedError: one of them is part of a computed field, or locked.
    """
    plan = _Plan()
    for unit in whole_fields(line, units, is_replaced=False):
        _strike(unit, stamp, plan)
    _settle(line, plan)


def _strike(unit: Unit, stamp: Stamp, plan: _Plan) -> None:
    unit.box.is_dirty = True
    if unit.standing is Standing.WRITTEN:
        plan.removed.add(unit)
    else:
        unit.standing, unit.stamp = Standing.STRUCK, stamp


def _write(places: Places, hunk: _Hunk, struck: Sequence[Unit], stamp: Stamp, plan: _Plan) -> None:
    """Makes the units of new text and notes where they go."""
    edit = hunk.edit
    if struck:
        like, spot = places.of_replacement(struck)
    else:
        bounds = places.bounds(hunk.start, edit.start, edit.end)
        like, spot = places.of_insertion(bounds, edit.after, edit.before, edit.box)
    box = spot.box
    box.is_dirty = True
    written = Stamp(stamp.edit, stamp.author, stamp.date)
    base = None
    if edit.old_marks is not None and like is not None:
        base = edit.old_marks[places.origin[like]]
    units = [
        unit
        for fresh in hunk.new
        for unit in new_units(places.line, box, like, fresh.text, fresh.marks, base, written)
    ]
    _note(spot, units, plan)


def _note(spot: Spot, units: list[Unit], plan: _Plan) -> None:
    if spot.behind is not None:
        plan.behind.setdefault(spot.behind, []).extend(units)
    elif spot.before is not None:
        plan.before.setdefault(spot.before, []).extend(units)
    else:
        spot.box.entries.extend(units)


def _settle(line: Line, plan: _Plan) -> None:
    """Brings the entries in order: struck text first, then what was written for it."""
    for box in line.boxes:
        if not box.is_dirty:
            continue
        entries: list[Entry] = []
        waiting: list[Unit] = []
        for entry in box.entries:
            is_struck = isinstance(entry, Unit) and entry.standing is Standing.STRUCK
            if waiting and not is_struck:
                entries += waiting
                waiting = []
            entries += plan.before.get(entry, ())
            if not (isinstance(entry, Unit) and entry in plan.removed):
                entries.append(entry)
            waiting += plan.behind.get(entry, ())
        box.entries = entries + waiting
    line.units = line.root.units()
