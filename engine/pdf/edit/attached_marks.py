"""What belongs to words that move: links and drawn underlines go along, other marks forbid it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.glyphs.edited_words import Atom
from redraft.engine.pdf.glyphs.glyphs import Glyph
from redraft.engine.pdf.glyphs.lines import end_of, start_of
from redraft.engine.pdf.glyphs.mapping import Row
from redraft.engine.pdf.reading.layout import Box, around
from redraft.engine.pdf.stream import objects
from redraft.engine.pdf.typeset.measuring import offsets
from redraft.engine.pdf.typeset.page_edit import Annotation, PageEdit, Underline
from redraft.engine.pdf.typeset.placed_lines import Line, Placed

# Marks on words, which go along as links do.
_MARKUP: Final = frozenset(("Highlight", "Underline", "Squiggly", "StrikeOut", "Caret"))
# What is no mark on text: fields, notes and their windows stay where they are.
_APART: Final = frozenset(("Widget", "Popup", "Text", "FileAttachment", "FreeText"))
# Drawn by hand over a page; where they are does not depend on words, but may be about them.
_SHAPES: Final = frozenset(("Circle", "Square", "Line", "Polygon", "PolyLine", "Ink", "Stamp"))


@dataclass(slots=True)
class Follower:
    """Lets the annotations over a row follow its glyphs; `placed` are the new words by line."""

    page_edit: PageEdit
    row: Row
    glyphs: Sequence[Glyph]
    placed: Sequence[tuple[Line, Placed]]
    lines: Sequence[Underline] = ()

    def follow(self) -> None:
        """Move, stretch, break over lines or drop links, underlines and marks.

        Raises:
            RefusedError: another mark lies on the text.
        """
        deleted = self.page_edit.patch.deleted
        if not any(id(glyph) in deleted for glyph in self.glyphs):
            return
        frame = self.row.piece.frame
        for line in self.lines:
            self._carry_line(line)
        for annotation in self.page_edit.annotations:
            has_gone_along = annotation.row not in (None, id(self.row))
            if annotation.kind in _APART or annotation.is_gone or has_gone_along:
                continue
            if abs(frame.angle) <= 0.01 and _has_parts(annotation):
                self._carry_parts(annotation)
                continue
            box = frame.turned(annotation.box)
            under = self._under(box)
            if not any(id(glyph) in deleted for glyph in under):
                continue
            if annotation.kind in _SHAPES:
                message = (
                    f"A shape drawn over words on page {self.page_edit.number} was left in place"
                )
                self.page_edit.warnings.append(message)
                continue
            is_mark = annotation.kind in _MARKUP and len(_parts(annotation)) < 2
            if abs(frame.angle) > 0.01 or not (annotation.kind == "Link" or is_mark):
                message = (
                    f"The text on page {self.page_edit.number} carries an annotation that cannot "
                    "go along with its words; take it off and edit again"
                )
                raise RefusedError(message)
            self._carry(annotation, box, under)

    def _under(self, box: Box) -> list[Glyph]:
        """Returns the visible glyphs of the row that are in a box."""
        if not box.y0 <= self.row.piece.v + 0.3 * self.row.piece.size <= box.y1:
            return []
        return [
            glyph
            for glyph in self.glyphs
            if not glyph.is_blank and box.x0 <= _middle(self.row, glyph) <= box.x1
        ]

    def _carry_line(self, line: Underline) -> None:
        """Draws an underline where its words are now."""
        deleted = self.page_edit.patch.deleted
        frame = self.row.piece.frame
        inked = [glyph for glyph in self.glyphs if not glyph.is_blank]
        under = [g for g in inked if line.box.x0 <= _middle(self.row, g) <= line.box.x1]
        if not any(id(glyph) in deleted for glyph in under):
            return
        boxes = self._places_of(line.box, under)
        self.page_edit.patch.redraw(line.ink, boxes)
        for box in (line.box, *boxes):
            wide = Box(box.x0 - 1, box.y0 - 1, box.x1 + 1, box.y1 + 1)
            self.page_edit.declared.append(frame.upright(wide))

    def _carry(self, annotation: Annotation, box: Box, under: Sequence[Glyph]) -> None:
        """Puts a link or mark where its words are now; a link over two lines becomes two."""
        places = self._places_of(box, under)
        is_link = annotation.kind == "Link"
        if len(places) > 1 and not is_link and _is_redrawable(annotation):
            self._carry_parts(annotation)
            return
        if len(places) > 1 and not is_link:
            message = (
                f"An annotation on page {self.page_edit.number} would have to be broken over two "
                "lines"
            )
            raise RefusedError(message)
        if not is_link:
            self._declare(box, *places)
        if not places:
            self._drop(annotation)
            return
        quads = _moved_quads(annotation, box, places[0])
        annotation.box, annotation.row = places[0], id(self.row)
        self._store(annotation, quads)
        for place in places[1:]:
            self.page_edit.added.append(_copied(self.page_edit, annotation.holder, place))

    def _carry_parts(self, annotation: Annotation) -> None:
        """Puts the parts of a mark over several lines where their words are now."""
        deleted, frame = self.page_edit.patch.deleted, self.row.piece.frame
        boxes = _parts(annotation)
        rows = annotation.rows or [None] * len(boxes)
        parts: list[tuple[Box, int | None]] = []
        is_changed = False
        for area, row in zip(boxes, rows, strict=True):
            box = frame.turned(area)
            under = self._under(box) if row is None else []
            if not any(id(glyph) in deleted for glyph in under):
                parts.append((area, row))
                continue
            places = self._places_of(box, under)
            self._declare(box, *places)
            parts += [(frame.upright(place), id(self.row)) for place in places]
            is_changed = True
        if is_changed:
            self._store_parts(annotation, parts)

    def _store_parts(self, annotation: Annotation, parts: Sequence[tuple[Box, int | None]]) -> None:
        """Writes where the parts of a mark are; who opens the file draws it then."""
        import pikepdf

        self._declare(*_parts(annotation))
        if not parts:
            self._drop(annotation)
            return
        boxes = [box for box, _ in parts]
        annotation.box, annotation.rows = around(boxes), [row for _, row in parts]
        corners = [v for b in boxes for v in (b.x0, b.y1, b.x1, b.y1, b.x0, b.y0, b.x1, b.y0)]
        self._store(annotation, [round(corner, 4) for corner in corners])
        if "/AP" in annotation.holder:
            del annotation.holder[pikepdf.Name.AP]

    def _drop(self, annotation: Annotation) -> None:
        """Takes a mark off whose words are gone, with its window and the answers to it."""
        gone = [annotation]
        for dropped in gone:
            dropped.is_gone = True
            gone += [
                other
                for other in self.page_edit.annotations
                if not other.is_gone and _is_of(other.holder, dropped.holder) and other not in gone
            ]
        comments = [
            str(objects.entry(dropped.holder, "/Contents") or "").strip() for dropped in gone
        ]
        if annotation.kind != "Link" and any(comments):
            message = f"A comment on words of page {self.page_edit.number} went with them"
            self.page_edit.warnings.append(message)

    def _declare(self, *boxes: Box) -> None:
        """Says that a mark is seen in other places than before."""
        frame = self.row.piece.frame
        for box in boxes:
            wide = Box(box.x0 - 2, box.y0 - 2, box.x1 + 2, box.y1 + 2)
            self.page_edit.declared.append(frame.upright(wide))

    def _places_of(self, box: Box, under: Sequence[Glyph]) -> list[Box]:
        """Returns the boxes, one a line, around the words that were in a box.

        None when they went.
        """
        marked = {id(glyph) for glyph in under}
        ends: dict[int, tuple[Line, float, float]] = {}
        for line, placed in self.placed:
            for atom, offset in zip(placed.word.atoms, offsets(placed.word), strict=True):
                if _belongs(atom, marked):
                    left = placed.u + offset
                    _, low, high = ends.get(id(line), (line, left, left))
                    ends[id(line)] = line, min(low, left), max(high, left + atom.width)
        frame = self.row.piece.frame
        before = min(start_of(frame, glyph) for glyph in under) - box.x0
        behind = box.x1 - max(end_of(frame, glyph) for glyph in under)
        places: list[Box] = []
        for number, (line, left, right) in enumerate(ends.values(), start=1):
            shift = line.v - self.row.piece.v
            left -= before if number == 1 else 0.0
            right += behind if number == len(ends) else 0.0
            places.append(Box(left, box.y0 + shift, right, box.y1 + shift))
        return places

    def _store(self, annotation: Annotation, quads: Sequence[float]) -> None:
        import pikepdf

        box = annotation.box
        corners = [round(side, 4) for side in (box.x0, box.y0, box.x1, box.y1)]
        annotation.holder[pikepdf.Name.Rect] = pikepdf.Array(corners)
        if quads:
            annotation.holder[pikepdf.Name.QuadPoints] = pikepdf.Array(list(quads))
        elif "/QuadPoints" in annotation.holder:
            del annotation.holder["/QuadPoints"]


def _copied(page_edit: PageEdit, holder: Any, box: Box) -> Any:
    """Makes the same link for another line."""
    import pikepdf

    corners = [round(side, 4) for side in (box.x0, box.y0, box.x1, box.y1)]
    alone = ("/QuadPoints", "/StructParent", "/NM", "/AP")
    entries = {key: value for key, value in objects.items(holder) if key not in alone}
    made: Any = pikepdf.Dictionary({**entries, "/Rect": pikepdf.Array(corners)})
    return page_edit.shared.document.make_indirect(made)


def _parts(annotation: Annotation) -> list[Box]:
    """Returns the boxes of a mark's quadrilaterals (ISO 32000-2, 12.5.6.10)."""
    corners = objects.numbers(objects.entry(annotation.holder, "/QuadPoints"))
    quads = [corners[at : at + 8] for at in range(0, len(corners) - 7, 8)]
    return [Box(min(q[::2]), min(q[1::2]), max(q[::2]), max(q[1::2])) for q in quads]


def _is_of(holder: Any, mark: Any) -> bool:
    """Whether an annotation is the window of a mark, or an answer to it (12.5.6.2)."""
    return any(objects.entry(holder, key) == mark for key in ("/Parent", "/IRT"))


def _is_redrawable(annotation: Annotation) -> bool:
    """Whether a mark looks the same when whoever opens the file draws it: it says its colour."""
    is_mark = annotation.kind in _MARKUP and annotation.kind != "Caret"
    return is_mark and "/C" in annotation.holder


def _has_parts(annotation: Annotation) -> bool:
    """Whether a mark has several parts, which can be put in other places each."""
    return _is_redrawable(annotation) and len(_parts(annotation)) > 1


def _moved_quads(annotation: Annotation, old: Box, new: Box) -> list[float]:
    """Returns the corners of a mark in its new place; none for a link, which goes by its box."""
    if annotation.kind == "Link":
        return []
    corners = objects.numbers(objects.entry(annotation.holder, "/QuadPoints"))
    scale = new.width / old.width if old.width > 0 else 1.0
    return [
        round(new.x0 + (corner - old.x0) * scale if at % 2 == 0 else corner + new.y0 - old.y0, 4)
        for at, corner in enumerate(corners)
    ]


def _middle(row: Row, glyph: Glyph) -> float:
    return start_of(row.piece.frame, glyph) + glyph.ink_width / 2


def _belongs(atom: Atom, marked: set[int]) -> bool:
    """Whether a character was under a link, or stands for one that was."""
    glyph = atom.glyph or atom.voice.like
    return id(glyph) in marked
