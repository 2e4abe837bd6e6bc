"""Writes a resolved plan into the parsed parts of a package."""

from __future__ import annotations

from collections.abc import Sequence

from engine import tokens
from engine.docx import textmap
from engine.docx.anchors import Place
from engine.docx.desk import Desk
from engine.docx.filling import fill
from engine.docx.fold import fold
from engine.docx.names import (
    MC_ALTERNATE,
    MC_FALLBACK,
    TEXT_BOXES,
    W_DEL,
    W_P,
    W_TBL,
    W_TR,
    Element,
)
from engine.docx.openfields import open_fields
from engine.docx.redline import Edit, change
from engine.docx.structure import (
    closes,
    delete_paragraph,
    delete_row,
    give_back,
    insert_beside,
    is_mark_deleted,
    is_written_table,
    mark,
    new_paragraph,
    same_properties,
    strike_line,
)
from engine.docx.targets import Target, Work
from engine.docx.writing import write
from engine.errors import RefusedError
from engine.plan import InsertBlocks, NewBlock

_TWIN = (
    "The text box is stored a second time for older programs, in a form that cannot be edited "
    "along with it; the document is unchanged"
)


class Editor:
    """Carries out resolved work."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._survey = desk.survey
        self._stamp = desk.stamp
        self._ids = desk.ids
        self._tails: dict[Element, Element] = {}

    def carry_out(self, work: Work) -> bool:
        """Write marks into the trees, noting at the desk what changes.

        Returns:
            Whether anything differs.

        Raises:
            RefusedError: something cannot be tracked, or must not be edited.
        """
        for target in work.targets.values():
            self._text(target)
        for place, operation in work.insertions:
            self._insert(place, operation)
        for element, place in reversed(work.removals.items()):
            if place.kind == "table":
                self._delete_table(place)
            elif element.getparent() is not None:
                self._delete(place)
        written = [step.write(self._desk) for step in work.steps]
        return any(written) or bool(self._desk.changed)

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
        """Make the same edits in the form of a text box for older programs."""
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

    def _insert(self, place: Place, operation: InsertBlocks) -> None:
        anchor = place.element
        _refuse_twin(place)
        beside = anchor
        if operation.where == "before":
            before = beside.getprevious()
            while before is not None and before.tag == W_P and is_mark_deleted(before):
                beside, before = before, before.getprevious()
        else:
            beside = self._tails.get(anchor, anchor)
        patterns = [self._desk.patterns.of(block.kind, anchor) for block in operation.blocks]
        paragraphs = [new_paragraph(pattern.properties) for pattern in patterns]
        insert_beside(beside, operation.where, paragraphs, self._ids, self._stamp)
        standing = self._desk.note(place.part, beside if operation.where == "before" else anchor)
        if operation.where == "before":
            at = standing.index(beside)
            standing[at:at] = paragraphs
        else:
            at = standing.index(beside) + 1
            standing[at:at] = paragraphs
            self._tails[anchor] = paragraphs[-1]
        for paragraph, pattern, block in zip(paragraphs, patterns, operation.blocks, strict=True):
            fill(self._desk, paragraph, pattern, block.text)

    # Deletion

    def _delete(self, place: Place) -> None:
        paragraph = place.element
        _refuse_twin(place)
        standing = self._desk.note(place.part, paragraph)
        parent = paragraph.getparent()
        previous = paragraph.getprevious()
        line = self._survey.line(place)
        if delete_paragraph(line, self._ids, self._stamp):
            standing.remove(paragraph)
            if parent is not None:
                parent.remove(paragraph)
            return
        if previous is None or previous.tag != W_P or not closes(paragraph):
            return
        if give_back(paragraph, self._ids.ours):
            self._desk.note(place.part, previous)
            standing.remove(paragraph)
            if parent is not None:
                parent.remove(paragraph)
        elif not is_mark_deleted(previous) and same_properties(previous, paragraph):
            self._desk.note(place.part, previous)
            mark(previous, W_DEL, self._ids, self._stamp)

    def _delete_table(self, place: Place) -> None:
        table = place.element
        _refuse_twin(place)
        standing = self._desk.note(place.part, table)
        parent = table.getparent()
        if is_written_table(table, self._ids.ours) and parent is not None:
            standing.remove(table)
            parent.remove(table)
            return
        for paragraph in table.iter(W_P):
            inner = Place("", place.part, place.story, "paragraph", paragraph)
            line = self._survey.line(inner)
            strike_line(line, self._stamp)
            write(line, self._ids)
            if not is_mark_deleted(paragraph):
                mark(paragraph, W_DEL, self._ids, self._stamp)
        for row in table.iter(W_TR):
            delete_row(row, self._ids, self._stamp)


def twin_of(place: Place) -> Element | None:
    """The paragraph of the same text box in the form for older programs (`mc:Fallback`).

    Raises:
        RefusedError: the box has such a form, and it says something else.
    """
    if place.story != "textbox":
        return None
    box = next(place.element.iterancestors(*TEXT_BOXES), None)
    alternate = None if box is None else next(box.iterancestors(MC_ALTERNATE), None)
    if box is None or alternate is None:
        return None
    boxes = [b for b in alternate.iter(*TEXT_BOXES) if _is_fallback(b, alternate)]
    shown = [b for b in alternate.iter(*TEXT_BOXES) if not _is_fallback(b, alternate)]
    if not boxes or box not in shown:
        return None
    if len(boxes) != len(shown):
        raise RefusedError(_TWIN)
    twin = boxes[shown.index(box)]
    index = list(box.iter(W_P)).index(place.element)
    paragraphs = list(twin.iter(W_P))
    if index >= len(paragraphs):
        raise RefusedError(_TWIN)
    other = paragraphs[index]
    if textmap.read(other, {}).text != textmap.read(place.element, {}).text:
        raise RefusedError(_TWIN)
    return other


def _is_fallback(box: Element, alternate: Element) -> bool:
    for ancestor in box.iterancestors():
        if ancestor is alternate:
            return False
        if ancestor.tag == MC_FALLBACK:
            return True
    return False


def _refuse_twin(place: Place) -> None:
    if place.story == "textbox" and place.element.tag in (W_P, W_TBL):
        box = next(place.element.iterancestors(*TEXT_BOXES), None)
        alternate = None if box is None else next(box.iterancestors(MC_ALTERNATE), None)
        if alternate is not None and alternate.find(MC_FALLBACK) is not None:
            raise RefusedError(_TWIN)


def texts(blocks: Sequence[NewBlock]) -> list[str]:
    """What new blocks will say."""
    return [tokens.visible(tokens.parse(block.text, ()).pieces) for block in blocks]
