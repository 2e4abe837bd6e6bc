"""Folding: what was struck and written again in the same words loses its marks.

Where all marks of a paragraph, or those with no more than a few kept words between them, say
together what the baseline says, all of them go, also across hyperlinks, notes and other authors'
marks. Else regions are compared anew, word by word, if that leaves less marked. A region is a
stretch of a box in which only kept text and our marks stand: objects, other authors' marks and
boxes end it; bookmarks and comment ranges do not, they belong to the baseline and keep their place
in it.

Equal words become the baseline's own runs again, with their formatting. Words that we inserted keep
the edit that wrote them. A word whose bold or italic was asked for is equal only to one that looks
the same; new text that merely inherited its formatting is equal by its letters.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Final

from lxml import etree

from redraft.engine.diff import Token, hunks, tokens
from redraft.engine.docx.names import W_DEL_TEXT, W_R, W_RPR, W_T, W_VAL, Element, W
from redraft.engine.docx.redline.line import Box, Entry, Line, Opaque, Stamp, Standing, Unit
from redraft.engine.docx.redline.tracked_runs import text_node
from redraft.engine.docx.redline.tracked_text import slice_of

BRIDGE: Final = 3
_TEXT: Final = frozenset({W_T, W_DEL_TEXT})
_B: Final = W("b")
_I: Final = W("i")
_RPR_CHANGE: Final = W("rPrChange")
_OFF: Final = frozenset({"0", "false", "off"})


def fold(line: Line) -> None:
    """Folds every region of a line; the boxes it changes become dirty."""
    _restore(line)
    for box in line.boxes:
        if not any(isinstance(entry, Unit) and entry.standing for entry in box.entries):
            continue
        entries: list[Entry] = []
        for region, is_region in _regions(box):
            entries += _folded(region, box) if is_region else region
        box.entries = entries


def _restore(line: Line) -> None:
    """Takes away marks that say together what the baseline says, whatever stands between them."""
    if not all(_units(line.units, s) for s in (Standing.STRUCK, Standing.WRITTEN)):
        return
    removed: set[Entry] = set()
    for bridge in (len(line.units), BRIDGE, 0):
        for cluster in _clusters(list(line.units), bridge):
            struck = _units(cluster, Standing.STRUCK)
            written = _units(cluster, Standing.WRITTEN)
            if not struck or not written or removed & set(written):
                continue
            # An object that is kept has no place among the words but the baseline's.
            content: list[Entry] = [u for u in cluster if _is_said(u)]
            if _Comparison(content, with_fields=True).is_restored:
                removed |= set(written)
                for unit in struck:
                    unit.standing, unit.stamp = Standing.KEPT, None
                for unit in (*struck, *written):
                    unit.box.is_dirty = True
        line.units = [unit for unit in line.units if unit not in removed]
    for box in line.boxes:
        box.entries = [entry for entry in box.entries if entry not in removed]


def _is_said(entry: Entry) -> bool:
    return isinstance(entry, Unit) and bool(entry.text or entry.standing)


def _regions(box: Box) -> Iterator[tuple[list[Entry], bool]]:
    """Yields the entries in order, in regions and the walls between them."""
    region: list[Entry] = []
    for entry in box.entries:
        is_wall = (
            not entry.is_marker
            if isinstance(entry, Opaque)
            else isinstance(entry, Box) or _is_wall(entry)
        )
        if is_wall:
            if region:
                yield region, True
            yield [entry], False
            region = []
        else:
            region.append(entry)
    if region:
        yield region, True


def _is_wall(unit: Unit) -> bool:
    return bool(unit.lock) and unit.standing is not Standing.STRUCK


def _units(entries: Sequence[Entry], *standings: Standing) -> list[Unit]:
    return [e for e in entries if isinstance(e, Unit) and e.standing in standings]


def _folded(region: list[Entry], box: Box) -> list[Entry]:
    if not _units(region, Standing.STRUCK) or not _units(region, Standing.WRITTEN):
        return region
    out: list[Entry] = []
    for cluster in _clusters(region):
        smaller = _less(cluster)
        if smaller is not cluster:
            box.is_dirty = True
        out += smaller
    return out


def _clusters(region: Sequence[Entry], bridge: int = BRIDGE) -> Iterator[list[Entry]]:
    """Cuts entries where more than `bridge` kept words stand between marks."""
    cluster: list[Entry] = []
    gap: list[Entry] = []
    for entry in region:
        if not isinstance(entry, Unit) or entry.standing is Standing.KEPT:
            gap.append(entry)
            continue
        if not cluster or _words(gap) > bridge:
            if cluster:
                yield cluster
            yield gap
            cluster = []
        else:
            cluster += gap
        gap = []
        cluster.append(entry)
    if cluster:
        yield cluster
    yield gap


def _words(entries: Sequence[Entry]) -> int:
    text = "".join([unit.text for unit in _units(entries, Standing.KEPT)])
    return sum(not word.isspace() for word in tokens(text)) if text else 0


def _less(cluster: list[Entry]) -> list[Entry]:
    """Returns the cluster compared anew, or as it is when that would mark as much."""
    if not _units(cluster, Standing.STRUCK) or not _units(cluster, Standing.WRITTEN):
        return cluster
    comparison = _Comparison(cluster)
    before = sum(len(u.text) for u in _units(cluster, Standing.STRUCK, Standing.WRITTEN))
    if comparison.marked < before:
        return comparison.entries()
    parts = [
        list(part)
        for _, part in itertools.groupby(
            cluster, lambda e: isinstance(e, Unit) and e.standing is Standing.KEPT
        )
    ]
    return [e for part in parts for e in _less(part)] if len(parts) > 1 else cluster


@dataclass(frozen=True, slots=True)
class _Piece:
    """A token of one side with the places in units that it covers."""

    token: Token
    parts: tuple[tuple[Unit, int, int], ...]


class _Comparison:
    """Baseline and current text of some entries, compared by words."""

    def __init__(self, entries: list[Entry], *, with_fields: bool = False) -> None:
        self._entries = entries
        old_units = _units(entries, Standing.KEPT, Standing.STRUCK)
        self._old = _pieces(old_units, with_fields=with_fields)
        self._new = _pieces(_units(entries, Standing.KEPT, Standing.WRITTEN))
        old, new = _alike(self._old, self._new)
        self._hunks = hunks(old, new)
        self.is_restored = not self._hunks
        self.marked = sum(
            len(piece.token.text)
            for hunk in self._hunks
            for piece in (
                *self._old[hunk.start : hunk.end],
                *self._new[hunk.new_start : hunk.new_end],
            )
        )

    def entries(self) -> list[Entry]:
        """Returns the entries, marked only where the texts differ.

        Markers where the baseline has them.
        """
        struck_by = self._stamps(Standing.STRUCK)
        written_by = self._stamps(Standing.WRITTEN)
        struck: dict[Unit, list[tuple[int, int]]] = {}
        behind: dict[tuple[Unit | None, int], list[Unit]] = {}
        for hunk in self._hunks:
            for piece in self._old[hunk.start : hunk.end]:
                for unit, start, end in piece.parts:
                    struck.setdefault(unit, []).append((start, end))
            written = [
                _written(unit, start, end, written_by)
                for piece in self._new[hunk.new_start : hunk.new_end]
                for unit, start, end in piece.parts
            ]
            place: tuple[Unit | None, int] = (None, 0)
            if hunk.end:
                unit, _, end = self._old[hunk.end - 1].parts[-1]
                place = unit, end
            behind.setdefault(place, []).extend(written)
        out: list[Entry] = list(behind.get((None, 0), ()))
        for entry in self._entries:
            if not isinstance(entry, Unit):
                out.append(entry)
            elif entry.standing is not Standing.WRITTEN:
                out += _marked(entry, struck.get(entry, []), behind, struck_by)
        return _merged(out)

    def _stamps(self, standing: Standing) -> dict[Unit, Stamp]:
        """Returns for each unit the nearest stamp of a standing, for words that change sides."""
        stamps: dict[Unit, Stamp] = {}
        last: Stamp | None = None
        units = _units(self._entries, *Standing)
        for unit in (*units, *reversed(units)):
            if unit.standing is standing and unit.stamp is not None:
                last = unit.stamp
                stamps[unit] = last
            elif last is not None:
                stamps.setdefault(unit, last)
        return stamps


def _pieces(units: Sequence[Unit], *, with_fields: bool = False) -> list[_Piece]:
    """Returns tokens over the text of units; a struck object is a token of its own.

    A struck field is one too, in all its pieces, unless it is to come back by its words
    (`with_fields`).
    """
    pieces: list[_Piece] = []
    buffer: list[Unit] = []
    for unit in [*units, None]:
        is_field = unit is not None and _is_struck_field(unit)
        if unit is not None and unit.text and (with_fields or not is_field):
            buffer.append(unit)
            continue
        if unit is not None and (not unit.lock or (with_fields and is_field)):
            continue
        pieces += _cut(buffer)
        buffer = []
        if unit is not None:
            pieces.append(_Piece(Token("", unit), ((unit, 0, len(unit.text)),)))
    return pieces


def _is_struck_field(unit: Unit) -> bool:
    return unit.lock == "field" and unit.standing is Standing.STRUCK


def _cut(units: Sequence[Unit]) -> Iterator[_Piece]:
    words = iter(tokens("".join([unit.text for unit in units])))
    parts: list[tuple[Unit, int, int]] = []
    word = next(words, "")
    left = len(word)
    for unit in units:
        at = 0
        while at < len(unit.text):
            take = min(left, len(unit.text) - at)
            parts.append((unit, at, at + take))
            at, left = at + take, left - take
            if not left:
                yield _Piece(Token(word), tuple(parts))
                parts = []
                word = next(words, "")
                left = len(word)


def _alike(old: list[_Piece], new: list[_Piece]) -> tuple[list[Token], list[Token]]:
    """Returns tokens to compare.

    By looks as well, where bold or italic of new text was asked for.
    """
    by_looks = any(
        unit.stamp is not None and unit.stamp.formatted and unit.standing is Standing.WRITTEN
        for piece in new
        for unit, _, _ in piece.parts
    )
    if not by_looks:
        return [piece.token for piece in old], [piece.token for piece in new]
    return [_looks(piece) for piece in old], [_looks(piece) for piece in new]


def _looks(piece: _Piece) -> Token:
    if not piece.token.text or piece.token.text.isspace():
        return piece.token
    return Token(piece.token.text, frozenset(_emphasis(unit) for unit, _, _ in piece.parts))


def _emphasis(unit: Unit) -> tuple[bool, bool]:
    properties = None if unit.run is None else unit.run.find(W_RPR)
    if properties is None:
        return False, False
    toggles = [properties.find(tag) for tag in (_B, _I)]
    bold, italic = (
        toggle is not None and toggle.get(W_VAL, "true") not in _OFF for toggle in toggles
    )
    return bold, italic


def _written(unit: Unit, start: int, end: int, stamps: dict[Unit, Stamp]) -> Unit:
    """Returns text of the current side as inserted text; of a kept unit it is a copy."""
    part = slice_of(unit, start, end)
    if unit.standing is Standing.WRITTEN:
        part.whole = unit.whole and len(part.text) == len(unit.text)
    else:
        part.run = etree.Element(W_R)
        properties = None if unit.run is None else unit.run.find(W_RPR)
        if properties is not None:
            part.run.append(_settled(properties))
        part.node = text_node(part.text) if unit.node.tag in _TEXT else deepcopy(unit.node)
        part.run.append(part.node)
        part.whole = True
    part.standing, part.stamp = Standing.WRITTEN, stamps[unit]
    return part


def _settled(properties: Element) -> Element:
    """Returns a copy of the properties of a run without the record of former ones.

    It is new text.
    """
    copy = deepcopy(properties)
    for change in copy.findall(_RPR_CHANGE):
        copy.remove(change)
    return copy


def _marked(
    unit: Unit,
    struck: list[tuple[int, int]],
    behind: dict[tuple[Unit | None, int], list[Unit]],
    stamps: dict[Unit, Stamp],
) -> list[Entry]:
    """Returns a unit of the baseline cut into kept and struck parts, with new text behind each."""
    size = len(unit.text)
    if not size and not unit.lock:
        unit.standing, unit.stamp = Standing.KEPT, None
        return [unit]
    edges = {0, size, *(edge for span in struck for edge in span)}
    edges |= {at for owner, at in behind if owner is unit}
    cuts = sorted(edges)
    spans = list(itertools.pairwise(cuts)) or [(0, 0)]
    entries: list[Entry] = []
    for start, end in spans:
        part = unit if len(spans) == 1 else slice_of(unit, start, end)
        if any(low <= start and end <= high for low, high in struck):
            part.standing, part.stamp = Standing.STRUCK, stamps[unit]
        else:
            part.standing, part.stamp = Standing.KEPT, None
        entries.append(part)
        entries += behind.get((unit, end), ())
    return entries


def _merged(entries: list[Entry]) -> list[Entry]:
    """Joins neighbouring slices of one text that share their standing, so that runs stay whole."""
    merged: list[Entry] = []
    for entry in entries:
        last = merged[-1] if merged else None
        if (
            isinstance(entry, Unit)
            and isinstance(last, Unit)
            and not entry.whole
            and not last.whole
            and entry.node is last.node
            and (entry.standing, entry.stamp) == (last.standing, last.stamp)
        ):
            joined = slice_of(last, 0, len(last.text))
            joined.text = last.text + entry.text
            joined.whole = joined.text == (entry.node.text or "")
            merged[-1] = joined
        else:
            merged.append(entry)
    return merged
