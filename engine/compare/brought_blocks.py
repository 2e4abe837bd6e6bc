"""Paragraphs with text boxes that only the second version has, brought as copies.

No operation writes a text box. The paragraph of the second version is copied behind the one of the
first, as an insertion, and the first one is deleted, both as tracked changes: what
`engine.docx.steps.moves` does with a paragraph of the same document. A copy that refers to other
parts (pictures, notes) is not brought. Equations are not: programs disagree about what a tracked
one is, and one that stays on both sides would be worse than one that is named.

ECMA-376 Part 1, 17.13.5.18 (ins), 20.4.2.38 (txbxContent).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from redraft.engine.compare.alignment import Item, align
from redraft.engine.compare.versions import ComparedBlock, Version
from redraft.engine.docx.editing.block_copies import transcribe, written
from redraft.engine.docx.editing.document_index import Survey
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.placement import put_beside
from redraft.engine.docx.judging.fingerprint import fingerprint, story_parts
from redraft.engine.docx.judging.validity import present
from redraft.engine.docx.names import TEXT_BOXES, Element, M, R, W
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.opc.splice import Splicer
from redraft.engine.docx.redline.line import Stamp
from redraft.engine.errors import RefusedError, VerificationError
from redraft.engine.report import Signature
from redraft.engine.state import State

_REFERENCES: Final = (W("footnoteReference"), W("endnoteReference"), W("object"))
_RELATIONS: Final = R("id").removesuffix("id")
_UNWRITTEN: Final = "The copy would not be undone by rejecting it"
_ELSEWHERE: Final = "The paragraph refers to other parts of its document"


def missing(old: Version, new: Version) -> list[tuple[str, ComparedBlock]]:
    """Returns blocks of the first version with those of the second that shall stand there instead.

    The last ones come first, so that carrying one out leaves the ids of those that follow.
    """
    bodies = [
        next(story.blocks for story in version.stories if story.kind == "body")
        for version in (old, new)
    ]
    return list(_missing(*bodies))[::-1]


def _missing(
    old: Sequence[ComparedBlock], new: Sequence[ComparedBlock]
) -> Iterator[tuple[str, ComparedBlock]]:
    items = [[Item(b.content, b.text, b.kind) for b in side] for side in (old, new)]
    for pair in align(*items):
        if pair.old is None or pair.new is None:
            continue
        first, second = old[pair.old], new[pair.new]
        if first.content == second.content:
            continue
        is_copied = not (_has_equations(first) or _has_equations(second))
        if first.kind == "paragraph" and is_copied and _boxes(first) != _boxes(second):
            yield first.anchor, second
        for row, other in zip(first.rows, second.rows, strict=False):
            for cell, twin in zip(row.cells, other.cells, strict=False):
                yield from _missing(cell.blocks, twin.blocks)


def _boxes(block: ComparedBlock) -> list[str]:
    """Returns the words of the text boxes that hang on a paragraph."""
    return [
        "".join(text.text or "" for text in box.iter(W("t")))
        for box in block.element.iter(*TEXT_BOXES)
    ]


def _has_equations(block: ComparedBlock) -> bool:
    return next(block.element.iter(M("oMath")), None) is not None


def insert_copy(
    data: bytes, state: State, anchor: str, block: ComparedBlock, source: Version, signed: Signature
) -> tuple[bytes, State]:
    """Returns a document with a copy of a block behind one of its own, as a tracked insertion.

    Args:
        data: The document.
        state: Whose marks stand in it.
        anchor: The block behind which the copy goes.
        block: What is copied.
        source: The version in which that stands.
        signed: Under whose name.

    Raises:
        RefusedError: it cannot be copied, or not be put there.
        VerificationError: rejecting the copy would leave something.
    """
    package = Package.open(data)
    survey = Survey(package, state)
    desk = Desk(survey, state, Stamp(signed.edit_uid, signed.author, signed.date))
    splicers = {part: Splicer(package, part) for part in story_parts(package)}
    baseline = fingerprint(package, state.ours)
    place = survey.place(anchor)
    home = source.place(block.anchor).part
    copy = transcribe(source.package, home, [block.element])
    if any(_refers(element) for element in copy.blocks):
        raise RefusedError(_ELSEWHERE)
    put_beside(desk, place, "after", written(desk, place.part, copy.blocks))
    for part, blocks in desk.changed.items():
        package.replace(part, splicers[part].bytes(blocks))
    result = package.save()
    opened = Package.open(result)
    ids = present([opened.read(part) for part in story_parts(opened)])
    ours = {number: edit for number, edit in desk.ids.ours.items() if number in ids}
    if fingerprint(opened, ours) != baseline:
        raise VerificationError(_UNWRITTEN)
    return result, State(ours, frozenset(desk.ids.formatted & ids), state.baseline)


def _refers(element: Element) -> bool:
    """Whether something in a copy stands in another part of the document it comes from."""
    return any(
        node.tag in _REFERENCES or any(str(name).startswith(_RELATIONS) for name in node.attrib)
        for node in element.iter()
    )
