"""Moves blocks: the stretch is deleted where it stood and inserted where it goes.

What we inserted ourselves is put there as it is and keeps its edits. The copy of everything else
carries the final text and notes of its own; other authors' changes in it stay with the original, as
do bookmarks and comments. What can be a native move is made one when the edit is done
(`engine.docx.native_moves`). A content control among words is tracked itself,
where it stood and where it went (17.13.5.4 to 17.13.5.7, customXmlDelRange, customXmlInsRange); one
around rows or cells of a table goes with these, which is said. The copy refers to notes of its own,
tracked as its references are (17.11), so that each side of the move has exactly one note.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from lxml import etree

from redraft.engine.docx.accept_reject import note_references
from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.alternate_copies import refuse_twin
from redraft.engine.docx.editing.anchored_elements import Finder, OperationError, container, unable
from redraft.engine.docx.editing.baseline_paragraphs import is_left
from redraft.engine.docx.editing.block_copies import Transcript, transcribe, written
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.placement import front, put_beside
from redraft.engine.docx.editing.step import Addition, Blind, Reach
from redraft.engine.docx.editing.tracked_blocks import (
    check_strike,
    ends_story,
    is_mark_deleted,
    is_mark_inserted,
    is_written_table,
    mark,
)
from redraft.engine.docx.judging.fingerprint import story_parts
from redraft.engine.docx.judging.validity import counts, written_counts
from redraft.engine.docx.names import (
    W_ID,
    W_INS,
    W_P,
    W_PPR,
    W_SDT,
    W_SDT_CONTENT,
    W_SECT_PR,
    W_TBL,
    W_TC,
    W_TR,
    Element,
    W,
)
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.redline.textmap import revision_id
from redraft.engine.errors import RefusedError
from redraft.engine.plan import MoveBlocks

_MISSING: Final = (
    "The text refers to a footnote or endnote that the document does not have; delete the "
    "reference first"
)
_STRANGE: Final = (
    "A footnote or endnote of the text holds something that cannot be copied as a tracked change; "
    "delete the note first, or move the text around it"
)
_PROOF: Final = W("proofErr")
_COMMENTS: Final = "Comments on the moved text stay where it stood"
_SECTION: Final = "A section break among the moved blocks stays where it was"
_LAST_SECTION: Final = (
    "A section break cannot be moved to the end of the document, where no part follows that it "
    "could divide off; delete the break instead, or move it before another block"
)
_CONTROLS: Final = (
    "A content control stands around rows or cells of the moved table. They are tracked, and the "
    "control itself is not: Word may leave an empty control where the table stood once the move is "
    "accepted, or where it went once it is rejected"
)
_REFERENCES: Final = (
    "Cross-references or links lead to the moved text: they keep the place where it stood, and "
    "lead nowhere once the move is accepted, until they are set anew"
)


@dataclass(frozen=True, slots=True)
class NoteCopy:
    """A note to be written: `kind` is `footnote` or `endnote`."""

    part: str
    kind: str
    id: int
    blocks: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class _Piece:
    """Adjacent blocks that go the same way: as they are, or as a copy."""

    places: tuple[Place, ...]
    copy: Transcript | None


@dataclass(frozen=True, slots=True)
class Move:
    """A stretch of blocks goes beside another block."""

    pieces: tuple[_Piece, ...]
    beside: Place
    where: Literal["before", "after"]
    reach: Reach
    warnings: tuple[str, ...]
    notes: tuple[NoteCopy, ...] = ()
    blind: frozenset[Blind] = frozenset()

    @property
    def places(self) -> tuple[Place, ...]:
        """All blocks that are moved, and the one they go to."""
        return (*(place for piece in self.pieces for place in piece.places), self.beside)

    @property
    def leaving(self) -> tuple[Place, ...]:
        """The blocks of which copies are written, to be deleted when all that is new is there."""
        return tuple(p for piece in self.pieces if piece.copy is not None for p in piece.places)

    def write(self, desk: Desk) -> bool:
        """Inserts the copies."""
        new: list[Element] = []
        for piece in self.pieces:
            if piece.copy is not None:
                new += written(desk, self.beside.part, piece.copy.blocks)
                continue
            for place in piece.places:
                desk.note_place(place).remove(place.element)
                parent = place.element.getparent()
                if parent is not None:
                    parent.remove(place.element)
                new.append(place.element)
        if new:
            put_beside(desk, self.beside, self.where, _apart(new, self.beside.element, self.where))
        for note in self.notes:
            write_note(desk, note)
        return True


def move(finder: Finder, operation: MoveBlocks) -> Move:
    """Resolves the moving of blocks.

    Raises:
        OperationError: they cannot go there, or cannot be moved.
    """
    stretch = finder.stretch(operation.first, operation.last)
    to = _target(finder, operation, stretch)
    ours = finder.survey.ours
    try:
        refuse_twin(to)
        _check(finder, stretch)
        pieces = _pieces(finder.survey.package, stretch, ours)
        _check_section(pieces, to, operation.where)
        copies = [piece.copy for piece in pieces if piece.copy is not None]
        notes = note_copies(finder, [block for copy in copies for block in copy.blocks])
    except RefusedError as error:
        raise OperationError("read_only", error) from error
    reach = _reach(pieces, to, operation.where, ours)
    return Move(
        tuple(pieces),
        to,
        operation.where,
        replace(reach, parts=frozenset(note.part for note in notes)),
        tuple(_warnings(finder.survey.package, copies)),
        tuple(notes),
    )


def _target(finder: Finder, operation: MoveBlocks, stretch: Sequence[Place]) -> Place:
    to = finder.place(operation.to)
    if to.kind not in ("paragraph", "table"):
        raise unable("wrong_kind", f"{operation.to} is no paragraph or table")
    moved = [place.element for place in stretch]
    if to.element in moved:
        message = f"{operation.to} is one of the blocks that are to be moved"
        raise unable("target_inside_range", message)
    holder = container(moved[0])
    inside = finder.blocks(holder)
    is_there = container(to.element) is holder and finder.index(to.element) >= 0
    if not is_there or _is_empty(finder, to.part, to.element):
        raise unable("crosses_story", "Blocks can only be moved inside their story or cell")
    step = -1 if operation.where == "after" else 1
    at = finder.index(moved[0] if operation.where == "after" else moved[-1]) + step
    while 0 <= at < len(inside) and _is_empty(finder, to.part, inside[at]):
        at += step
    if 0 <= at < len(inside) and inside[at] is to.element:
        raise unable("no_effect", "The blocks stand there already")
    return to


def _is_empty(finder: Finder, part: str, block: Element) -> bool:
    """Returns whether a paragraph has neither mark nor text in the final view."""
    if block.tag != W_P or not is_mark_deleted(block):
        return False
    return not finder.survey.line(Place("", part, "body", "paragraph", block)).text


def _check(finder: Finder, stretch: Sequence[Place]) -> None:
    """Sees whether the originals can be struck.

    Raises:
        RefusedError: a field reaches out of the stretch, or a control in it is locked.
    """
    for place in stretch:
        refuse_twin(place)
        paragraphs = place.element.iter(W_P) if place.kind == "table" else (place.element,)
        for paragraph in paragraphs:
            inner = Place("", place.part, place.story, "paragraph", paragraph)
            check_strike(finder.survey.line(inner))


def _check_section(pieces: Sequence[_Piece], to: Place, where: Literal["before", "after"]) -> None:
    """Sees that no section break of ours comes to end the document (17.6.17, sectPr).

    Raises:
        RefusedError: one would.
    """
    last = pieces[-1]
    is_break = last.places[-1].element.find(f"{W_PPR}/{W_SECT_PR}") is not None
    if last.copy is None and is_break and where == "after" and ends_story(to.element):
        raise RefusedError(_LAST_SECTION)


def _pieces(package: Package, stretch: Sequence[Place], ours: Mapping[int, str]) -> list[_Piece]:
    stretches: list[tuple[bool, list[Place]]] = []
    for place in stretch:
        is_own = _is_own(place.element, ours)
        if stretches and stretches[-1][0] == is_own:
            stretches[-1][1].append(place)
        else:
            stretches.append((is_own, [place]))
    if any(
        not is_own and is_mark_deleted(stretch_places[-1].element)
        for is_own, stretch_places in stretches
    ):
        stretches = [(False, list(stretch))]
    return [
        _Piece(
            tuple(stretch_places),
            None
            if is_own
            else transcribe(package, stretch_places[0].part, [p.element for p in stretch_places]),
        )
        for is_own, stretch_places in stretches
    ]


def _is_own(block: Element, ours: Mapping[int, str]) -> bool:
    """Returns whether all of a block is our insertion, which leaves nothing when moved."""
    if block.tag == W_TBL:
        return is_written_table(block, ours)
    if is_left(block, ours):
        return False
    return is_mark_inserted(block, ours) and all(
        child.tag in (W_PPR, _PROOF) or (child.tag == W_INS and revision_id(child) in ours)
        for child in block
    )


def _reach(
    pieces: Sequence[_Piece],
    to: Place,
    where: Literal["before", "after"],
    ours: Mapping[int, str],
) -> Reach:
    moved = frozenset(place.element for piece in pieces for place in piece.places)
    more: dict[Element, Mapping[str, int]] = {}
    come = Counter[str]()
    for piece in pieces:
        old = [place.element for place in piece.places]
        made = old if piece.copy is None else piece.copy.blocks
        come.update(counts(made))
        for element in old:
            lost = counts([element]) if piece.copy is None else written_counts(element, ours)
            more[element] = {name: -number for name, number in lost.items()}
    more[to.element] = come
    return Reach(gone=moved, added=(Addition(to.element, where),), counts=more)


def _warnings(package: Package, copies: Sequence[Transcript]) -> Iterator[str]:
    if any(copy.has_comments for copy in copies):
        yield _COMMENTS
    if any(copy.has_section for copy in copies):
        yield _SECTION
    if any(_is_around_rows(sdt) for c in copies for block in c.blocks for sdt in block.iter(W_SDT)):
        yield _CONTROLS
    names = {name.encode() for copy in copies for name in copy.names if name}
    parts = [package.read(part) for part in story_parts(package)] if names else []
    if any(
        re.search(rb"(?:REF\s+|anchor=[\"'])" + re.escape(name) + rb"\b", data)
        for name in names
        for data in parts
    ):
        yield _REFERENCES


def _is_around_rows(control: Element) -> bool:
    """Returns whether a content control stands around rows or cells."""
    return any(control.find(f"{W_SDT_CONTENT}/{tag}") is not None for tag in (W_TR, W_TC))


def _apart(new: list[Element], to: Element, where: str) -> list[Element]:
    """Returns new blocks with a paragraph where two tables would meet, or a table end the story."""
    before: Element | None = to
    after: Element | None = _beside(to, forward=True)
    if where == "before":
        before, after = _beside(front(to), forward=False), to
    if new[0].tag == W_TBL and before is not None and before.tag == W_TBL:
        new = [etree.Element(W_P), *new]
    is_last = where == "after" and ends_story(to)
    if new[-1].tag == W_TBL and (is_last or (after is not None and after.tag == W_TBL)):
        new = [*new, etree.Element(W_P)]
    return new


def _beside(block: Element, *, forward: bool) -> Element | None:
    """Returns the next paragraph or table beside it."""
    step = block.getnext if forward else block.getprevious
    other = step()
    while other is not None and other.tag not in (W_P, W_TBL):
        other = other.getnext() if forward else other.getprevious()
    return other


def note_copies(finder: Finder, blocks: Iterable[Element]) -> list[NoteCopy]:
    """Lets the references of copied blocks name new notes.

    Raises:
        RefusedError: a note is not there, or cannot be copied.
    """
    package = finder.survey.package
    copies: dict[note_references.Key, NoteCopy] = {}
    for node in [node for block in blocks for node in block.iter(*note_references.REFERENCES)]:
        key = note_references.REFERENCES[str(node.tag)], node.get(W_ID, "")
        if key not in copies:
            part, note = note_references.notes(package).get(key, ("", None))
            if note is None:
                raise RefusedError(_MISSING)
            number = finder.new_note(key[0])
            copies[key] = NoteCopy(part, key[0], number, _body(finder, part, note))
        node.set(W_ID, str(copies[key].id))
    return list(copies.values())


def _body(finder: Finder, part: str, note: Element) -> tuple[Element, ...]:
    if any(child.tag not in (W_P, W_TBL) for child in note):
        raise RefusedError(_STRANGE)
    made = transcribe(finder.survey.package, part, list(note)).blocks
    if any(True for block in made for _ in block.iter(*note_references.REFERENCES)):
        raise RefusedError(_STRANGE)
    return made


def write_note(desk: Desk, copy: NoteCopy) -> None:
    """Puts a note at the end of its part, all of it inserted by us."""
    note = etree.Element(W(copy.kind), {W_ID: str(copy.id)}, nsmap={"w": str(W)})
    blocks = written(desk, copy.part, copy.blocks)
    for block in blocks[:-1]:
        if block.tag == W_P:
            mark(block, W_INS, desk.ids, desk.stamp)
    note.extend(blocks)
    desk.append(copy.part, note)
