"""Writes a resolved plan into the parsed parts of a package."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final, Literal

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.alternate_copies import twin_of
from redraft.engine.docx.editing.block_deletion import delete
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.new_paragraph import fill
from redraft.engine.docx.editing.placement import put_beside
from redraft.engine.docx.editing.step import Step
from redraft.engine.docx.editing.tracked_blocks import ends_story, new_paragraph
from redraft.engine.docx.names import Element
from redraft.engine.docx.redline import textmap
from redraft.engine.docx.redline.fold import fold
from redraft.engine.docx.redline.open_fields import open_fields
from redraft.engine.docx.redline.tracked_runs import write
from redraft.engine.docx.redline.tracked_text import Edit, change
from redraft.engine.docx.resolution.resolve import Target, Work
from redraft.engine.docx.steps.breaks import Break
from redraft.engine.docx.steps.columns import ColumnDeletion
from redraft.engine.docx.steps.moves import Move
from redraft.engine.docx.steps.new_tables import TableInsertion
from redraft.engine.docx.steps.rows import RowDeletion
from redraft.engine.docx.steps.splitting import in_halves
from redraft.engine.plan import InsertBlocks

_ADDING: Final = (TableInsertion, Move, Break)
_LAST: Final[dict[type[Step], int]] = {RowDeletion: 1, ColumnDeletion: 2}


class Editor:
    """Carries out resolved work."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._survey = desk.survey
        self._stamp = desk.stamp
        self._ids = desk.ids

    def carry_out(self, work: Work) -> bool:
        """Writes marks into the trees, noting at the desk what changes.

        Returns:
            Whether anything differs.

        Raises:
            RefusedError: something cannot be tracked, or must not be edited.
        """
        for target in work.targets.values():
            self._text(target)
        moves = [step for step in work.steps if isinstance(step, Move)]
        leaving = [*work.removals.values(), *(place for step in moves for place in step.leaving)]
        leaving_elements = {place.element for place in leaving}
        # Deleting the end of a story joins what stands in front of it: what is new comes before.
        for where in ("before", "after"):
            self._add(work, where, leaving_elements)
        delete(self._desk, leaving)
        others = [step for step in work.steps if not isinstance(step, _ADDING)]
        written = [step.write(self._desk) for step in _in_order(others)]
        return any(written) or bool(self._desk.changed)

    def _add(
        self, work: Work, where: Literal["before", "after"], leaving: Collection[Element]
    ) -> None:
        """Puts new and moved blocks on one side of others, in the order of the plan.

        Before a last block that goes: behind it they would take over its mark.
        """

        def side(place: Place) -> Literal["before", "after"]:
            is_last = place.element in leaving and ends_story(place.element)
            return "before" if is_last else where

        insertions: dict[int, list[tuple[Place, InsertBlocks]]] = {}
        for rank, (place, operation) in zip(work.ranks, work.insertions, strict=True):
            if operation.where == where:
                insertions.setdefault(rank, []).append((place, operation))
        for rank in range(len(work.steps) + 1):
            for place, operation in insertions.get(rank, ()):
                self._insert(place, operation, side(place))
            step = work.steps[rank] if rank < len(work.steps) else None
            if isinstance(step, _ADDING) and step.where == where:
                replace(step, where=side(step.beside)).write(self._desk)

    # Text

    def _text(self, target: Target) -> None:
        line = target.line
        twin = twin_of(target.place)
        had_ours = line.has_ours
        if not change(line, target.edits, self._stamp):
            return
        if had_ours:
            fold(line)
        write(line, self._ids)
        self._desk.note(target.place.part, target.place.element)
        if twin is not None:
            self._twin(twin, target)

    def _twin(self, twin: Element, target: Target) -> None:
        """Makes the same edits in the form of a text box for older programs."""
        part = target.place.part
        opened = open_fields(self._survey.package.tree(part)).get(twin, ())
        line = textmap.read(twin, self._ids.ours, opened, frozenset(self._ids.formatted))
        edits = [
            Edit(edit.start, edit.end, edit.new, old_marks=edit.old_marks) for edit in target.edits
        ]
        had_ours = line.has_ours
        if change(line, edits, self._stamp):
            if had_ours:
                fold(line)
            write(line, self._ids)
            self._desk.note(part, twin)

    # Insertion

    def _insert(
        self, place: Place, operation: InsertBlocks, where: Literal["before", "after"]
    ) -> None:
        shown = self._desk.shown.get(operation.block, place.element)
        patterns = [
            self._desk.patterns.of(
                block.kind, shown if block.kind == "like_anchor" else place.element
            )
            for block in operation.blocks
        ]
        paragraphs = [new_paragraph(pattern.properties) for pattern in patterns]
        put_beside(self._desk, place, where, paragraphs)
        for paragraph, pattern, block in zip(paragraphs, patterns, operation.blocks, strict=True):
            fill(self._desk, paragraph, pattern, block.text)


def _in_order(steps: Sequence[Step]) -> list[Step]:
    """Returns steps in the order in which they are written: what others are modelled on goes last.

    Rows and columns of ours are gone at once when they are deleted.
    """
    return sorted(in_halves(steps), key=lambda step: _LAST.get(type(step), 0))
