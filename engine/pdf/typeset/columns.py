"""How far a line may reach, and how the lines of a paragraph are aligned.

All positions are in the turned coordinates of the paragraph's frame.
"""

from __future__ import annotations

import itertools
import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Final, Literal, TypeAlias

from redraft.engine.pdf.glyphs.glyphs import Glyph, Ink
from redraft.engine.pdf.glyphs.lines import ASCENT, DESCENT, Frame, Piece, end_of, is_gap, start_of
from redraft.engine.pdf.glyphs.mapping import Row
from redraft.engine.pdf.reading.furniture import EDGE
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.typeset.levels import MARGIN, Level, level_of, limit_of, reach_of

Alignment: TypeAlias = Literal["left", "right", "centre", "justified"]

NEAR: Final = 1.0
CENTRED: Final = 0.3
"""How much nearer, in points, the middles of lines are to each other than their ends."""
RISE: Final = 0.75
DROP: Final = 0.22
HANGS: Final = 0.8
"""How much of a mark at the end of a line hangs over the edge of a justified paragraph at most."""
WIDE: Final = 12
FULL: Final = 3
PARTED, APART = 1.2, 1.25
BLANK: Final = 0.2
"""How wide a blank is at least, in ems."""
KEPT: Final = 2.2
"""So many lines of the distance to the next paragraph or heading are kept, where it is as much."""
TAB: Final = 1.0
"""A gap of so many ems is no blank but a tab stop."""
LABEL: Final = 12
"""A label before a line has so many letters at most."""
HANGING: Final = 0.5
"""The gap behind a label is so many ems wide at least, and twice as wide as any other."""
CLEAR: Final = 2.2
"""So many ems are left between what stands side by side at the edge of a page."""


@dataclass(frozen=True, slots=True)
class Column:
    """Where the lines of a paragraph may stand.

    `left` is where further lines begin; `right` is the edge lines are filled to. `leading` is the
    distance of baselines, `floor` the lowest place below the last line at which the distance to
    what follows stays one of paragraphs, `depth` the lowest that is free. `reach` is how
    far to the left a line may grow that keeps its right edge or its middle. `is_running`: the line
    is one of several side by side at an edge of the page, and stays one line. `flush` is the right
    edge that a right-aligned line keeps, or what stands behind the last tab stop of another one,
    None where that is its own edge, or where nothing shows it.
    """

    left: float
    right: float
    alignment: Alignment
    leading: float
    floor: float
    depth: float
    reach: float
    is_running: bool = False
    flush: float | None = None


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What else is on the page: pieces of lines, other ink, and the visible box of the page."""

    pieces: Sequence[Piece]
    inks: Sequence[Ink]
    page: Box
    _turned: dict[float, Sequence[Box]] = field(
        default_factory=dict[float, Sequence[Box]], init=False, repr=False, compare=False
    )

    def turned(self, frame: Frame) -> Sequence[Box]:
        """Returns the boxes of the other ink in turned coordinates."""
        boxes = self._turned.get(frame.angle)
        if boxes is None:
            boxes = self._turned[frame.angle] = [frame.turned(ink.box) for ink in self.inks]
        return boxes


@dataclass(frozen=True, slots=True)
class Setting:
    """Rows of a paragraph with where they begin and end, and what stands around them.

    `page` is the visible box of the page; all is in the turned coordinates of the rows.
    """

    rows: Sequence[Row]
    lefts: Sequence[float]
    rights: Sequence[float]
    levels: Sequence[Level]
    others: Sequence[Piece]
    inks: Sequence[Box]
    page: Box

    @property
    def alignment(self) -> Alignment:
        """How the rows are aligned."""
        return _alignment(self.rows, self.lefts, self.rights, self.others, self.inks)

    @property
    def edge(self) -> float:
        """The right edge of the column: that of lines that begin where these do."""
        size = self.rows[0].piece.size
        return _edge(min(self.lefts), max(self.rights), self.others, size)

    @property
    def limits(self) -> list[float]:
        """How far each row may reach before something is in the way."""
        return [limit_of(level, self.page) for level in self.levels]


def setting_of(rows: Sequence[Row], around: Surroundings) -> Setting:
    """Finds what stands around the rows of a paragraph."""
    frame = rows[0].piece.frame
    own = {id(row.piece) for row in rows}
    others = [
        piece
        for piece in around.pieces
        if id(piece) not in own and abs(piece.frame.angle - frame.angle) < 0.01
    ]
    inks = around.turned(frame)
    rights = [right_of(row) for row in rows]
    lefts = [left_of(row) for row in rows]
    levels = [
        level_of(row, left, right, others, inks)
        for row, left, right in zip(rows, lefts, rights, strict=True)
    ]
    return Setting(rows, lefts, rights, levels, others, inks, frame.turned(around.page))


def column(rows: Sequence[Row], around: Surroundings) -> Column:
    """Works out the column of a paragraph from its own lines and what stands around it."""
    setting = setting_of(rows, around)
    lefts, rights, others = setting.lefts, setting.rights, setting.others
    size = rows[0].piece.size
    edge = setting.edge
    if len(rows) == 1:
        edge = max(edge, _open_edge(rows[0], others, setting.page))
    else:
        edge = min(edge, _no_further(rows, rights, edge))
    right = max(*rights, min(edge, *setting.limits))
    alignment = setting.alignment
    if alignment == "justified" and len(rows) > 1:
        right = max(rights[:-1]) if _are_near(rights[:-1]) else max(_unhung(rows, rights))
    leading = _leading(rows, others, size)
    left = lefts[1] if len(lefts) > 1 else _left_below(rows[0], lefts[0])
    if len(lefts) > 2:
        left = median(lefts[1:])
    depth = _depth(rows, others, setting.inks, around, left, right)
    floor = max(depth, _floor(rows, others, leading, left, right))
    reach = max(reach_of(level, setting.page) for level in setting.levels)
    beside = _beside(rows[0], others, setting.page) if len(rows) == 1 else []
    if beside:
        floor = depth = rows[0].piece.v - DROP * size
        nearest = min((piece.left for piece in beside if piece.left > rights[0]), default=right)
        right = max(rights[0], min(right, nearest - CLEAR * size))
    flush = _tab_edge(setting) if len(rows) == 1 else None
    return Column(left, right, alignment, leading, floor, depth, reach, bool(beside), flush)


def sideways(row: Row, around: Surroundings, shape: Column) -> list[Column]:
    """Returns the columns in which a single line may grow that fills its own, the best first.

    It grows to the right as far as the text of the page goes and then as far as the page is free,
    or to the left where other lines end as it does. A long line grows by an em, and only where the
    lines around it do not share its edge: what it says goes on below.
    """
    setting = setting_of([row], around)
    size, left, right = row.piece.size, setting.lefts[0], setting.rights[0]
    beside = [piece for piece in setting.others if abs(piece.v - row.piece.v) < 0.3 * size]
    air = (CLEAR if shape.is_running else 2 * MARGIN) * size
    clip = _clip_of(row)
    limit = min([setting.limits[0], clip[1], *(p.left - air for p in beside if p.left > right)])
    reach = max([shape.reach, clip[0], *(p.right + air for p in beside if p.right < left)])
    alignment = "centre" if shape.alignment == "centre" else "left"
    if right - left > WIDE * size:
        sharing = sum(abs(piece.right - shape.right) < 0.6 for piece in setting.others)
        limit = min(limit, shape.right + size)
        return [replace(shape, right=limit, alignment=alignment)] if sharing < FULL else []
    text = max((piece.right for piece in setting.others), default=right)
    growing = [
        replace(shape, right=edge, alignment=alignment)
        for edge in (min(limit, max(text, right)), limit)
    ]
    kept = replace(shape, alignment="right", reach=reach, flush=right)
    between = replace(kept, flush=limit)
    if _is_flush(row, right, text, setting.others):
        return [kept, *growing, between]
    return [*growing, kept, between]


def _clip_of(row: Row) -> tuple[float, float]:
    """Returns between which places what is drawn of a row is seen."""
    clips = [glyph.show.state.clip for glyph in row.glyphs if glyph.show.state.clip is not None]
    boxes = [row.piece.frame.turned(clip) for clip in clips]
    left = max((box.x0 for box in boxes), default=-math.inf)
    return left, min((box.x1 for box in boxes), default=math.inf)


def _is_flush(row: Row, right: float, text: float, others: Sequence[Piece]) -> bool:
    """Whether a line ends where the text of the page does, or lines above and below it do."""
    size, v = row.piece.size, row.piece.v
    return right > text - 0.8 or any(
        abs(piece.right - right) < 0.8 and 0.3 * size < abs(piece.v - v) < 6 * size
        for piece in others
    )


def _left_below(row: Row, left: float) -> float:
    """Returns where a line below a single one begins: behind the gap after its label, if any."""
    frame = row.piece.frame
    inked = [glyph for glyph in row.glyphs if not glyph.is_blank]
    gaps = [start_of(frame, b) - end_of(frame, a) for a, b in itertools.pairwise(inked)]
    widest, second = sorted((*gaps, 0.0, 0.0), reverse=True)[:2]
    if widest < HANGING * row.piece.size or widest < 2 * second:
        return left
    number = gaps.index(widest) + 1
    is_label = number <= LABEL and 3 * number < len(inked)
    return start_of(frame, inked[number]) if is_label else left


def _tab_edge(setting: Setting) -> float | None:
    """Returns where what stands behind a tab stop ends, if lines above or below end there too."""
    (row,), (right,) = setting.rows, setting.rights
    if not is_parted(row):
        return None
    size, v = row.piece.size, row.piece.v
    near = (p for p in setting.others if 0.3 * size < abs(p.v - v) < 6 * size)
    return right if any(abs(piece.right - right) < 0.8 for piece in near) else None


def left_of(row: Row) -> float:
    """Returns where the first visible glyph of a row begins."""
    frame = row.piece.frame
    return min(frame.u(glyph.x, glyph.y) for glyph in row.glyphs if not glyph.is_blank)


def right_of(row: Row) -> float:
    """Returns where the last visible glyph of a row ends."""
    frame = row.piece.frame
    inked = [glyph for glyph in row.glyphs if not glyph.is_blank]
    return max(frame.u(glyph.x, glyph.y) + glyph.ink_width for glyph in inked)


def band(v: float, size: float) -> tuple[float, float]:
    """Returns the lowest and highest place of a line."""
    return v - DESCENT * size, v + ASCENT * size


def _beside(row: Row, others: Sequence[Piece], page: Box) -> list[Piece]:
    """Returns what is beside a line at the top or bottom of a page, if both are apart there."""
    v, size = row.piece.v, row.piece.size
    if page.y0 + EDGE * page.height < v < page.y1 - EDGE * page.height:
        return []
    level = [piece for piece in others if abs(piece.v - v) < 0.3 * size]
    if not all(abs(piece.v - v) > 2 * size for piece in others if piece not in level):
        return []
    return [piece for piece in level if piece.left > right_of(row) or piece.right < left_of(row)]


def _edge(left: float, right: float, others: Sequence[Piece], size: float) -> float:
    """Returns the right edge of the column: that of lines that begin where these do."""
    edge = right
    for piece in others:
        if abs(piece.left - left) < 4 * size and abs(piece.size - size) < 0.2 * size:
            edge = max(edge, piece.right)
    return edge


def _no_further(rows: Sequence[Row], rights: Sequence[float], edge: float) -> float:
    """Returns where lines end at the latest: the next line's first word did not fit.

    Lines that were broken by hand say nothing of it: `edge` is given back.
    """
    bounds = [
        right + BLANK * above.piece.size + first_word_width(below)
        for (above, below), right in zip(itertools.pairwise(rows), rights[:-1], strict=True)
        if above.page == below.page and not is_broken(above)
    ]
    bound = min(bounds, default=edge)
    return bound if bound >= max(rights) else edge


def first_word_width(row: Row) -> float:
    """Returns the width of the first word of a row."""
    frame = row.piece.frame
    inked = [glyph for glyph in row.glyphs if not glyph.is_blank]
    end = end_of(frame, inked[0])
    for before, after in itertools.pairwise(row.glyphs[row.glyphs.index(inked[0]) :]):
        if after.is_blank or is_gap(frame, before, after):
            break
        end = end_of(frame, after)
    return end - start_of(frame, inked[0])


def is_broken(row: Row) -> bool:
    """Whether a row ends with a hyphen: the word goes on, and may have been broken elsewhere."""
    last = next(glyph for glyph in reversed(row.glyphs) if not glyph.is_blank)
    return unicodedata.category(last.text[-1:] or " ") in ("Pd", "Cf")


def _open_edge(row: Row, others: Sequence[Piece], page: Box) -> float:
    """Returns how far a single line may grow: to the edge of text below or above, else of the page.

    The widest line of all shows no edge where nothing stands further to the right.
    The right margin of a page is taken to be as wide as the left one at most.
    """
    size, left = row.piece.size, left_of(row)
    column = [
        piece.right
        for piece in others
        if abs(piece.left - left) < 3 * size and piece.right - piece.left > WIDE * size
    ]
    end = right_of(row)
    is_widest = end > max(column, default=end) - NEAR and not any(p.left > end for p in others)
    if column and not is_widest:
        return max(column)
    pieces = (*others, row.piece)
    margin = min(piece.left for piece in pieces) - page.x0
    return max(*(piece.right for piece in pieces), page.x1 - max(margin, size))


def _leading(rows: Sequence[Row], others: Sequence[Piece], size: float) -> float:
    """Returns the distance of baselines: of the paragraph, else of lines of its size near it."""
    steps = [above.piece.v - below.piece.v for above, below in itertools.pairwise(rows)]
    if steps:
        return median(steps)
    baselines = sorted(
        (piece.v for piece in others if abs(piece.size - size) < 0.1 * size), reverse=True
    )
    gaps = [a - b for a, b in itertools.pairwise(baselines)]
    usual = [gap for gap in gaps if 1.0 * size <= gap <= 1.6 * size]
    return median(usual) if usual else 1.2 * size


def _floor(
    rows: Sequence[Row], others: Sequence[Piece], leading: float, left: float, right: float
) -> float:
    """Returns how far down lines may come so that what follows stands apart as it did.

    Of a distance of several lines as much is kept as parts two paragraphs.
    """
    last = rows[-1].piece
    below = [
        piece.v
        for piece in others
        if piece.v < last.v - 0.5 * last.size and piece.left < right and piece.right > left
    ]
    nearest = max(below, default=-math.inf)
    distance = last.v - nearest
    kept = min(distance, KEPT * leading)
    return nearest + kept - DROP * last.size if distance > PARTED * leading else -math.inf


def _depth(
    rows: Sequence[Row],
    others: Sequence[Piece],
    inks: Sequence[Box],
    around: Surroundings,
    left: float,
    right: float,
) -> float:
    """Returns the top of the next thing below the last row, in the column."""
    last = rows[-1].piece
    frame = last.frame
    page = frame.turned(around.page)
    bottom = last.v - DROP * last.size
    used = [piece.v for piece in (*others, last)]
    margin = min(used) - DROP * last.size
    floor = max(page.y0, min(margin, bottom))
    leading = _leading(rows, others, last.size)
    for piece in others:
        if piece.v >= last.v - 0.5 * last.size:
            continue
        if piece.left < right and piece.right > left:
            rise = RISE * piece.size
            if (
                last.v - piece.v > PARTED * leading
                and abs(piece.size - last.size) < 0.1 * last.size
            ):
                # One line closer, the next paragraph would read as a part of this one.
                rise = max(rise, APART * leading - DROP * last.size)
            floor = max(floor, min(piece.v + rise, bottom))
    for box in inks:
        if box.x1 <= left or box.x0 >= right:
            continue
        if box.y1 <= last.v:
            floor = max(floor, min(box.y1, bottom))
        elif box.y0 <= bottom:
            floor = max(floor, box.y0)
    return floor


def _alignment(
    rows: Sequence[Row],
    lefts: Sequence[float],
    rights: Sequence[float],
    others: Sequence[Piece],
    inks: Sequence[Box],
) -> Alignment:
    if len(rows) == 1:
        return _alignment_of_one(rows[0], others, inks)
    middles = [(left + right) / 2 for left, right in zip(lefts, rights, strict=True)]
    # Words of nearly one width end alike on both sides; they are centred if that is what fits best.
    if _spread(middles) + CENTRED < min(_spread(lefts), _spread(rights)) and _are_near(middles):
        return "centre"
    if len(rows) > 2 and _are_near(lefts[1:]) and _fill(rows, rights):
        return "justified"
    if _are_near(lefts[1:]) and (len(rows) > 2 or abs(lefts[0] - lefts[1]) < NEAR):
        shared = sum(abs(piece.right - rights[0]) < 0.6 for piece in others)
        fills = rights[1] < rights[0] + NEAR
        return "justified" if len(rows) == 2 and shared >= 3 and fills else "left"
    if len(rows) == 2 and _is_set_in(rows, others):
        return "justified"
    if _are_near(rights):
        return "right"
    return "centre" if _are_near(middles) else "left"


def _fill(rows: Sequence[Row], rights: Sequence[float]) -> bool:
    """Whether all rows but the last one end alike; marks at their ends may hang over the edge."""
    if _are_near(rights[:-1]):
        return True
    plain = _unhung(rows, rights)
    return (
        len(plain) > 1
        and _are_near(plain)
        and all(
            max(plain) - NEAR < right < max(plain) + HANGS * mark.ink_width + CENTRED
            for row, right in zip(rows[:-1], rights, strict=False)
            if (mark := _mark_of(row)) is not None
        )
    )


def _unhung(rows: Sequence[Row], rights: Sequence[float]) -> list[float]:
    """Returns where those rows end that do not end with a mark; the last row says nothing."""
    pairs = zip(rows[:-1], rights, strict=False)
    return [right for row, right in pairs if _mark_of(row) is None]


def _mark_of(row: Row) -> Glyph | None:
    """Returns the mark that a row ends with, if it is one that may hang over the edge."""
    last = next(glyph for glyph in reversed(row.glyphs) if not glyph.is_blank)
    kind = unicodedata.category(last.text[-1:] or " ")
    return last if kind in ("Pd", "Po", "Pf", "Cf") else None


def _is_set_in(rows: Sequence[Row], others: Sequence[Piece]) -> bool:
    """Whether two lines that end alike are a first line, set in or out, and a full line below it.

    Other lines that begin and end as the second one does show that it fills the column: lines that
    are flush on the right end alike too, but do not all begin where these do.
    """
    first, second = rows
    size, left, right = second.piece.size, left_of(second), right_of(second)
    if not _are_near((right_of(first), right)) or abs(left_of(first) - left) > 4 * size:
        return False
    full = sum(
        abs(other.left - left) < NEAR and abs(other.right - right) < NEAR for other in others
    )
    return right - left > WIDE * size and full >= FULL


def _alignment_of_one(row: Row, others: Sequence[Piece], inks: Sequence[Box]) -> Alignment:
    """Judges a single line by the lines above and below it, and by the box it stands in."""
    size, left, right = row.piece.size, left_of(row), right_of(row)
    if len(row.piece.inked) > len([g for g in row.glyphs if not g.is_blank]) or is_parted(row):
        return "left"
    near = [
        piece
        for piece in others
        if 0.3 * size < abs(piece.v - row.piece.v) < 6 * size
        and piece.left < right
        and piece.right > left
    ]
    same_left = sum(abs(piece.left - left) < 0.8 for piece in near)
    same_right = sum(abs(piece.right - right) < 0.8 for piece in near)
    middle = (left + right) / 2
    same_middle = sum(abs((piece.left + piece.right) / 2 - middle) < 0.8 for piece in near)
    if same_left >= max(same_right, same_middle) and same_left:
        return "left"
    if same_right > same_middle and right - left < WIDE * size:
        return "right"
    if same_middle:
        return "centre"
    if not same_left and right - left < WIDE * size and _ends_with_text(left, right, others):
        return "right"
    return "centre" if _is_centred_in_box(row, inks, middle) else "left"


def _ends_with_text(left: float, right: float, others: Sequence[Piece]) -> bool:
    """Whether a line ends where all text of the page does, and nothing begins where it does."""
    text = max((piece.right for piece in others), default=0.0)
    begins_alone = not any(abs(piece.left - left) < 0.8 for piece in others)
    return abs(text - right) < 0.8 and begins_alone


def is_parted(row: Row) -> bool:
    """Whether a row has a gap wider than any blank: its parts have each a place of their own."""
    frame, size = row.piece.frame, row.piece.size
    inked = [glyph for glyph in row.glyphs if not glyph.is_blank]
    return any(
        start_of(frame, after) - end_of(frame, before) > TAB * size
        for before, after in itertools.pairwise(inked)
    )


def _is_centred_in_box(row: Row, inks: Sequence[Box], middle: float) -> bool:
    """Whether the smallest drawn box around a line has it in its middle, with room beside it."""
    size = row.piece.size
    boxes = [
        box
        for box in inks
        if box.y0 <= row.piece.v <= box.y1
        and box.x0 < left_of(row) - size
        and box.x1 > right_of(row) + size
        and box.height > size
    ]
    if not boxes:
        return False
    nearest = min(boxes, key=lambda box: box.width)
    return abs((nearest.x0 + nearest.x1) / 2 - middle) < NEAR


def _are_near(values: Sequence[float]) -> bool:
    return bool(values) and _spread(values) < 1.5 * NEAR


def _spread(values: Sequence[float]) -> float:
    return max(values) - min(values)
