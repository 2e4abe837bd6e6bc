"""Puts revision marks together that a reviewer counts as one change.

A file is read paragraph by paragraph, only those that hold marks. Runs that are kept close a
change; a paragraph mark of the same author carries it on into the next paragraph. The content of a
tracked row or cell belongs to the change of the row or cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from redraft.engine.docx.accept_reject import part_tree
from redraft.engine.docx.anchors import Place
from redraft.engine.docx.changes.change_group import Group, Side
from redraft.engine.docx.changes.format_changes import Vocabulary, differences
from redraft.engine.docx.changes.marked_text import NoteTexts, Stretch, run_text, stretches
from redraft.engine.docx.changes.table_grouping import (
    TC_PR_CHANGE,
    Columns,
    around_table,
    block_marks,
    is_blank,
    moves_merge,
    row_above,
    settle_widths,
)
from redraft.engine.docx.grid import CELL_DEL, CELL_INS, TBL_GRID_CHANGE, table_of
from redraft.engine.docx.names import (
    TAGS_STARTS,
    TEXT_BOXES,
    W_AUTHOR,
    W_DEL,
    W_INS,
    W_MOVE_FROM,
    W_MOVE_TO,
    W_P,
    W_PPR,
    W_R,
    W_TBL,
    W_TR,
    Element,
    W,
)
from redraft.engine.docx.redline.textmap import revision_id
from redraft.engine.docx.tracked_wrappers import Wrappings

DATE: Final = W("date")
_OF_COLUMNS: Final = frozenset({TC_PR_CHANGE, TBL_GRID_CHANGE})
_R_PR_CHANGE: Final = W("rPrChange")
_NAME: Final = W("name")
_SIDES: Final[Mapping[str, Side]] = {
    W_INS: "written",
    W_MOVE_TO: "written",
    W_DEL: "struck",
    W_MOVE_FROM: "struck",
    CELL_INS: "written",
    CELL_DEL: "struck",
}
_TAG_SIDES: Final[Mapping[str, Side]] = {tag: _SIDES[like] for tag, like in TAGS_STARTS.items()}
_CONTROL: Final = "[content control]"
_MOVES: Final = {W_MOVE_FROM: "moveFrom", W_MOVE_TO: "moveTo"}
_RUNS: Final = frozenset({W_R})


class Grouper:
    """Groups the marks of one story, paragraph by paragraph in order."""

    def __init__(
        self,
        ours: Mapping[int, str],
        moves: Mapping[Element, str],
        notes: NoteTexts | None = None,
        vocabulary: Vocabulary | None = None,
        wrapped: Wrappings | None = None,
    ) -> None:
        self.groups: list[Group] = []
        self._vocabulary = vocabulary
        self._notes: NoteTexts = notes or {}
        self._ours = ours
        self._wrapped = wrapped or Wrappings()
        self._names = {**self._wrapped.names, **moves}
        self._moves = moves
        self._open: dict[object, Group] = {}
        self._named: dict[str, Group] = {}
        self._swallowed: dict[Element, Group] = {}
        self._columns = Columns()
        self._shapes: list[tuple[Place, Element]] = []

    def rows(self, place: Place) -> None:
        """A row or cell with a tracked property, before the paragraphs in it.

        Adjacent rows are one change, and the cells of a column that stand one below the other.
        """
        element = place.element
        for mark in block_marks(element):
            family = "row" if element.tag == W_TR else "cell"
            group = self._around(element, mark)
            if group is None:
                is_cell = family == "cell"
                before = self._columns.before(element, mark) if is_cell else row_above(element)
                group = None if before is None else self._swallowed.get(before)
                if group is not None and not self._is_like(group, mark):
                    group = None
            if group is None:
                group = self._new(place, mark, family)
            self._add_mark(group, mark)
            self._swallowed[element] = group

    def _around(self, element: Element, mark: Element) -> Group | None:
        """The change of a row around a nested one that goes or comes with it."""
        holders = self._holders(element) if element.tag == W_TR else []
        return next((holder for holder in holders if self._is_like(holder, mark)), None)

    def _is_like(self, group: Group, mark: Element) -> bool:
        first = group.marks[0]
        return (
            first.tag == mark.tag
            and group.author == mark.get(W_AUTHOR, "")
            and (self._edit(first) is None) == (self._edit(mark) is None)
        )

    def paragraph(self, place: Place, marks: Sequence[Element], *, follows: bool) -> None:
        """A paragraph that holds marks.

        Args:
            place: Which.
            marks: Those in it, and of tags of content controls around it.
            follows: Whether the paragraph before it held some too.
        """
        if not follows:
            self._open = {}
        starts = [mark for mark in marks if mark.tag in TAGS_STARTS]
        pieces = [Stretch("", (start,)) for start in starts if not is_inline(start)]
        pieces += stretches(place.element, self._notes, self._wrapped.of)
        final, original = _without(pieces, "struck"), _without(pieces, "written")
        before = was_before = ""
        touched: dict[Group, int] = {}
        for index, stretch in enumerate(pieces):
            for group in self._stretch(place, stretch, (before, was_before)):
                touched[group] = index
            before = (before + final[index])[-400:]
            was_before = (was_before + original[index])[-400:]
        for group, index in touched.items():
            group.trail = "".join(final[index + 1 :])
            group.original_trail = "".join(original[index + 1 :])
        self._formats(place)

    def _stretch(self, place: Place, stretch: Stretch, before: tuple[str, str]) -> list[Group]:
        holders = self._holders(place.element)
        keys: list[object] = []
        groups: list[Group] = []
        for mark in stretch.marks:
            name = self._names.get(mark, "")
            side = _side(mark)
            edit = self._edit(mark)
            is_move = mark.tag in _MOVES or mark in self._moves
            family = f"move:{name}" if is_move else "text"
            key = (family, mark.get(W_AUTHOR, ""), edit is not None)
            keys.append(key)
            own = [holder for holder in holders if holder.author == mark.get(W_AUTHOR, "")]
            if own:
                same = (holder for holder in own if _SIDES.get(holder.marks[0].tag) == side)
                group = next(same, own[0])
            else:
                group = self._named.get(name) or self._open.get(key)
                if group is None:
                    group = self._new(place, mark, family)
                    group.lead, group.original_lead = before
                self._open[key] = group
            if name:
                self._named[name] = group
            self._add_mark(group, mark)
            group.pieces.append((side, stretch.text))
            group.paragraphs += stretch.is_end
            groups.append(group)
        if stretch.text or stretch.is_end:
            self._open = {key: group for key, group in self._open.items() if key in keys}
        return groups

    def _holders(self, element: Element) -> list[Group]:
        """The changes of the rows and cells around an element, the innermost first."""
        around = (self._swallowed.get(ancestor) for ancestor in element.iterancestors())
        return [group for group in around if group is not None]

    def _formats(self, place: Place) -> None:
        """Tracked formatting in a paragraph, its own mark after the runs that it goes with."""
        changes = list(_own(place.element, part_tree.CHANGES))
        ends = [change for change in changes if _is_of_end(change)]
        made = self._run_formats(place, [c for c in changes if c not in ends] if ends else changes)
        for end in ends:
            formatting = differences(end, self._vocabulary)
            group = next((g for g in reversed(made) if self._goes_with(end, formatting, g)), None)
            if group is None:
                group = self._new(place, end, "format")
                group.formatting = formatting
            self._add_mark(group, end)
        for mark in _own(place.element, frozenset({W_INS})):
            parent = mark.getparent()
            if parent is not None and parent.tag == W("numPr"):
                group = self._new(place, mark, "format")
                group.formatting = (("numbering", "", "on"),)
                self._add_mark(group, mark)

    def _goes_with(
        self, end: Element, formatting: tuple[tuple[str, str, str], ...], group: Group
    ) -> bool:
        """Whether the change of a paragraph mark is the one that runs of the paragraph had."""
        return (
            group.marks[0].tag == end.tag
            and group.formatting == formatting
            and (group.author, group.date) == (end.get(W_AUTHOR, ""), end.get(DATE, ""))
            and bool(group.edits) == (self._edit(end) is not None)
        )

    def _run_formats(self, place: Place, changes: list[Element]) -> list[Group]:
        """Of a paragraph and its runs: neighbouring runs with the same change are one."""
        made: list[Group] = []
        runs = _own(place.element, _RUNS) if changes else ()
        shown = (run for run in runs if run_text(run, self._notes))
        order = {run: at for at, run in enumerate(shown)}
        last: Group | None = None
        at = -1
        for change in changes:
            properties = change.getparent()
            run = None if properties is None else properties.getparent()
            formatting = differences(change, self._vocabulary)
            is_run = run is not None and run.tag == W_R
            here = order.get(run, at) if run is not None and is_run else -1
            is_same = (
                last is not None
                and is_run
                and last.formatting == formatting
                and last.author == change.get(W_AUTHOR, "")
                and here <= at + 1
            )
            if last is None or not is_same:
                last = self._new(place, change, "format")
                last.formatting = formatting
                made.append(last)
            self._add_mark(last, change)
            if run is not None:
                text = run_text(run, self._notes) if is_run else ""
                last.pieces.append(("neither", text))
            at = here
        return made

    def others(self, place: Place, marks: list[Element]) -> None:
        """Format changes of tables, rows, cells and sections outside paragraphs.

        Of ours those of the grid and of cells belong to the row or column they were made for.
        """
        for mark in marks:
            edit = self._edit(mark)
            if edit is not None and mark.tag in _OF_COLUMNS:
                self._shapes.append((place, mark))
                if moves_merge(mark):
                    self._hand_over(place.element, edit)
                continue
            self._format_of(place, mark)

    def finish(self) -> None:
        """Put together what came with rows, columns and tables.

        These are changes of cells and grids, and the empty paragraphs around a new table.
        """
        for place, mark in self._shapes:
            group = self._of_table(place.element, self._edit(mark))
            if group is None:
                self._format_of(place, mark)
            else:
                self._add_mark(group, mark)
        for group in self.groups:
            if all(mark.tag in TAGS_STARTS for mark in group.marks):
                group.pieces = [(_side(group.marks[0]), _CONTROL)]
        self.groups = settle_widths(self.groups)
        blank = [group for group in self.groups if is_blank(group)]
        for group in [candidate for candidate in self.groups if candidate.family == "row"]:
            around = set(around_table(group))
            for single in [candidate for candidate in blank if around.issuperset(candidate.marks)]:
                if single.edits == group.edits and self._is_like(group, single.marks[0]):
                    self.groups.remove(single)
                    blank.remove(single)
                    for mark in single.marks:
                        self._add_mark(group, mark)

    def _hand_over(self, cell: Element, edit: str) -> None:
        """What a cell took over from a deleted row above it belongs to the change of that row."""
        group = self._of_table(cell, edit)
        if group is not None and edit in group.edits:
            self._swallowed[cell] = group

    def _of_table(self, element: Element, edit: str | None) -> Group | None:
        """The change of a column, else of a row, of a table; by the same edit if there is one."""
        table = element if element.tag == W_TBL else table_of(element)
        candidates = [
            group
            for group in self.groups
            if group.family in ("row", "cell")
            and group.edits
            and table_of(group.place.element) is table
        ]
        candidates.sort(key=lambda group: (edit not in group.edits, group.family != "cell"))
        return next(iter(candidates), None)

    def _format_of(self, place: Place, mark: Element) -> None:
        group = self._new(place, mark, "format")
        group.formatting = differences(mark)
        self._add_mark(group, mark)

    def _new(self, place: Place, mark: Element, family: str) -> Group:
        group = Group(place, mark.get(W_AUTHOR, ""), mark.get(DATE, ""), family)
        self.groups.append(group)
        return group

    def _add_mark(self, group: Group, mark: Element) -> None:
        if mark in group.known:
            return
        group.known.add(mark)
        group.marks.append(mark)
        edit = self._edit(mark)
        if edit is not None and edit not in group.edits:
            group.edits.append(edit)

    def _edit(self, mark: Element) -> str | None:
        return self._ours.get(revision_id(mark))


def is_inline(mark: Element) -> bool:
    """Whether a mark stands in a paragraph, and not around blocks."""
    holder = next(mark.iterancestors(W_P, *TEXT_BOXES), None)
    return holder is not None and holder.tag == W_P


def _without(pieces: Sequence[Stretch], side: Side) -> list[str]:
    """What each stretch says where the words of one side do not count."""
    return [
        "" if piece.is_end or any(_side(mark) == side for mark in piece.marks) else piece.text
        for piece in pieces
    ]


def _side(mark: Element) -> Side:
    return _SIDES.get(str(mark.tag)) or _TAG_SIDES[str(mark.tag)]


def _is_of_end(change: Element) -> bool:
    """Whether a format change is that of the mark of a paragraph (17.13.5.30)."""
    properties = change.getparent()
    holder = None if properties is None else properties.getparent()
    return change.tag == _R_PR_CHANGE and holder is not None and holder.tag == W_PPR


def _own(paragraph: Element, tags: frozenset[str]) -> Iterator[Element]:
    """The marks in a paragraph that do not stand in a text box in it."""
    for mark in paragraph.iter(*tags):
        holder = next(mark.iterancestors(W_P, *TEXT_BOXES), None)
        if holder is paragraph:
            yield mark
