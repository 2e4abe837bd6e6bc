"""Marks of notes in the text of blocks: edits name words as they are read, without the marks.

A mark stays where words around it change, and goes where all of them are deleted. With its last
mark a note goes, and its marks go with a note.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from redraft.engine.diff import Token, hunks
from redraft.engine.diff import tokens as words_of
from redraft.engine.errors import PlanError, RefusedError
from redraft.engine.inline_pieces import Atom, Piece
from redraft.engine.model import Break, CodeBlock, Table
from redraft.engine.pdf.glyphs.edited_words import Change
from redraft.engine.pdf.glyphs.target_blocks import Cited, Target
from redraft.engine.pdf.resolved_edits import Edits
from redraft.engine.tokens import parse, pieces, visible


def as_read(known: Sequence[Target]) -> list[Target]:
    """Returns blocks with the text that is read: without the marks of notes."""
    return [replace(target, text=_read(target)) if target.marks else target for target in known]


def as_drawn(edits: Edits, known: Sequence[Target], new_texts: Mapping[str, str]) -> None:
    """Says where edits of the text that is read are in the text with its marks.

    Args:
        edits: They are changed in place.
        known: The blocks.
        new_texts: What whole blocks with marks become, in the syntax of the view.

    Raises:
        PlanError, RefusedError: the marks of a new text are not those of the old one.
    """
    marked = {change.anchor: change for change in known if change.marks}
    if not marked:
        return
    for anchor, target in marked.items():
        if anchor in edits.changes:
            changes = edits.changes[anchor]
            edits.changes[anchor] = [part for change in changes for part in _drawn(target, change)]
        if anchor in new_texts:
            edits.changes.setdefault(anchor, []).extend(_rewritten(target, new_texts[anchor]))
    edits.looks = [
        replace(change, start=place[0], end=place[1])
        for change in edits.looks
        for place in [_place(marked.get(change.anchor), change.start, change.end)]
    ]
    edits.links = [
        replace(change, start=place[0], end=place[1])
        for change in edits.links
        for place in [_place(marked.get(change.anchor), change.start, change.end)]
    ]
    _delete_marks(edits, known)
    _delete_notes(edits, known)


def _read(target: Target) -> str:
    parts: list[str] = []
    at = 0
    for mark in target.marks:
        parts.append(target.text[at : mark.start])
        at = mark.end
    return "".join([*parts, target.text[at:]])


def _place(target: Target | None, start: int, end: int) -> tuple[int, int]:
    """Returns where characters of the text that is read are drawn.

    Marks at their edges are left out.

    A place between two characters is behind the marks that stand there.
    """
    if target is None:
        return start, end
    first, last = start, end
    for mark in target.marks:
        size = mark.end - mark.start
        if mark.start <= first:
            first += size
        if mark.start < last:
            last += size
    return (first, first) if start == end else (first, last)


def _drawn(target: Target, change: Change) -> Iterator[Change]:
    """Yields a change of the text that is read, without the marks inside unless all of it goes."""
    start, end = _place(target, change.start, change.end)
    inside = [mark for mark in target.marks if start < mark.start and mark.end < end]
    if not (inside and change.text):
        yield Change(start, end, change.text)
        return
    old = _read(target)[change.start : change.end]
    for small in smallest(old, change.text, change.start):
        start, end = _place(target, small.start, small.end)
        text = small.text
        for mark in inside:
            if start < mark.start and mark.end < end:
                yield Change(start, mark.start, text)
                start, text = mark.end, ""
        yield Change(start, end, text)


def smallest(old: str, new: str, at: int = 0) -> Iterator[Change]:
    """Yields the smallest changes of words that make one text another; `at` is where it begins."""
    before = [Token(token) for token in words_of(old)]
    after = [Token(token) for token in words_of(new)]
    starts = [at]
    for word in before:
        starts.append(starts[-1] + len(word.text))
    for hunk in hunks(before, after):
        text = "".join(word.text for word in after[hunk.new_start : hunk.new_end])
        yield Change(starts[hunk.start], starts[hunk.end], text)


def _rewritten(target: Target, text: str) -> Iterator[Change]:
    """Yields the changes that make a block another text; every mark stays between its words."""
    block = target.block
    if isinstance(block, CodeBlock | Break | Table):
        return
    before = pieces(block.content)
    parsed = parse(text, before)
    if parsed.faults:
        raise PlanError(parsed.faults[0].message)
    old, new = _stretches(before), _stretches(parsed.pieces)
    if [name for name, _ in old] != [name for name, _ in new]:
        message = "The marks of notes cannot change places in a PDF; keep them in their order"
        raise RefusedError(message)
    ends = [*(mark for mark in target.marks if mark.anchor), None]
    head = next((mark for mark in target.marks if not mark.anchor), None)
    at = head.end if head else 0
    for (_, was), (_, becomes), mark in zip(old, new, ends, strict=True):
        yield from smallest(was, becomes, at)
        at = mark.end if mark else 0


def _stretches(line: Sequence[Piece]) -> list[tuple[str, str]]:
    """Returns the words before each mark of a line with its name, and those behind the last one."""
    stretches: list[tuple[str, str]] = []
    pieces: list[Piece] = []
    for piece in line:
        if isinstance(piece, Atom) and piece.name.startswith("fn"):
            stretches.append((piece.name, visible(pieces)))
            pieces = []
        else:
            pieces.append(piece)
    return [*stretches, ("", visible(pieces))]


def _delete_marks(edits: Edits, known: Sequence[Target]) -> None:
    """Deletes the marks of notes that are deleted."""
    gone = _gone(edits, known)
    if not gone:
        return
    for target in known:
        if target.anchor in edits.deleted:
            continue
        for mark in target.marks:
            if mark.anchor in gone and not _is_struck(edits, target.anchor, mark):
                change = Change(mark.start, mark.end, "")
                edits.changes.setdefault(target.anchor, []).append(change)


def _delete_notes(edits: Edits, known: Sequence[Target]) -> None:
    """Deletes the notes that have no mark any more."""
    deleted = set(edits.deleted)
    cited: dict[str, bool] = {}
    for target in known:
        for mark in target.marks:
            if mark.anchor:
                is_gone = target.anchor in deleted or _is_struck(edits, target.anchor, mark)
                cited[mark.anchor] = cited.get(mark.anchor, False) or not is_gone
    orphans = {anchor for anchor, is_left in cited.items() if not is_left}
    for target in known:
        if target.note in orphans and target.anchor not in deleted:
            edits.changes.pop(target.anchor, None)
            edits.deleted.append(target.anchor)


def _gone(edits: Edits, known: Sequence[Target]) -> set[str]:
    """Returns the notes all of whose paragraphs are deleted."""
    deleted = set(edits.deleted)
    notes = {target.note for target in known if target.note and target.anchor in deleted}
    return notes - {target.note for target in known if target.anchor not in deleted}


def _is_struck(edits: Edits, anchor: str, mark: Cited) -> bool:
    changes = edits.changes.get(anchor, ())
    return any(change.start <= mark.start and mark.end <= change.end for change in changes)
