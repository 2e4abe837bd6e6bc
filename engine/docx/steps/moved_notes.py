"""Notes of moved text: the copy refers to a note of its own, the original keeps the old one.

A note is there as long as something refers to it, so that either side of the move has exactly one.
The new note is a tracked insertion, as its reference is (ECMA-376 Part 1, 17.11).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from lxml import etree

from redraft.engine.docx.accept_reject import note_references
from redraft.engine.docx.editing.anchored_elements import Finder
from redraft.engine.docx.editing.block_copies import transcribe, written
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.tracked_blocks import mark
from redraft.engine.docx.names import W_ID, W_INS, W_P, W_TBL, Element, W
from redraft.engine.errors import RefusedError

_MISSING: Final = (
    "The text refers to a footnote or endnote that the document does not have; delete the "
    "reference first"
)
_STRANGE: Final = (
    "A footnote or endnote of the text holds something that cannot be copied as a tracked change; "
    "delete the note first, or move the text around it"
)


@dataclass(frozen=True, slots=True)
class NoteCopy:
    """A note to be written: `kind` is `footnote` or `endnote`."""

    part: str
    kind: str
    id: int
    blocks: tuple[Element, ...]


def note_copies(finder: Finder, blocks: Iterable[Element]) -> list[NoteCopy]:
    """Let the references of copied blocks name new notes.

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
    """Put a note at the end of its part, all of it inserted by us."""
    note = etree.Element(W(copy.kind), {W_ID: str(copy.id)}, nsmap={"w": str(W)})
    blocks = written(desk, copy.part, copy.blocks)
    for block in blocks[:-1]:
        if block.tag == W_P:
            mark(block, W_INS, desk.ids, desk.stamp)
    note.extend(blocks)
    desk.append(copy.part, note)
