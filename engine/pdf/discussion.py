"""Adds notes to a PDF, answers, resolves and deletes those that are there.

Operations speak of the document as it was before the plan, so notes are written before words are
edited; marks move with their words then (`engine.pdf.edit.attached_marks`). The file is appended
to, and what came of the notes is judged by another reader (`engine.pdf.verify.note_remarks`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, Final, TypeAlias
from uuid import NAMESPACE_OID, uuid5

from redraft.engine.errors import (
    AmbiguousError,
    NotFoundError,
    PlanError,
    RefusedError,
    VerificationError,
)
from redraft.engine.judge.conversations import judge_comments
from redraft.engine.locate import closest, find
from redraft.engine.model import Comment
from redraft.engine.pdf.comments import comments
from redraft.engine.pdf.compare.comparison import corners_of
from redraft.engine.pdf.glyphs.target_blocks import Target, editable_in, known_in
from redraft.engine.pdf.mupdf import opened
from redraft.engine.pdf.stream import objects
from redraft.engine.pdf.stream.protection import refuse_protected
from redraft.engine.pdf.tracked.note_steps import (
    NoteStep,
    name_of,
    names_in,
    refuse_odd,
    with_notes,
)
from redraft.engine.pdf.verify.note_remarks import remarks
from redraft.engine.plan import (
    COMMENT_THREADS,
    AddComment,
    CommentThread,
    DeleteComment,
    EditPlan,
    ReplyComment,
    ResolveComment,
)
from redraft.engine.report import Signature

UNTRACKED: Final = (
    "Comments of a PDF are not tracked: what is done to them is undone by undoing the edit"
)
Discussing: TypeAlias = AddComment | CommentThread
_STATES: Final = {True: "Completed", False: "None"}


def split(plan: EditPlan) -> tuple[tuple[Discussing, ...], EditPlan]:
    """Returns what a plan does to notes, and the plan of all the rest."""
    notes: list[Discussing] = []
    others = list(plan.operations)
    for operation in plan.operations:
        if isinstance(operation, (AddComment, *COMMENT_THREADS)):
            notes.append(operation)
            others.remove(operation)
    return tuple(notes), replace(plan, operations=tuple(others))


def discuss(
    data: bytes,
    operations: Sequence[Discussing],
    signature: Signature,
    *,
    breaks_signature: bool = False,
) -> tuple[bytes, tuple[NoteStep, ...]]:
    """Carries out operations on the notes of a PDF.

    Returns:
        The file, and the steps that were made of them; none where all of it is so already.

    Raises:
        NotFoundError, AmbiguousError, PlanError, RefusedError: one of them cannot be carried out.
        VerificationError: it was, and the notes are not what the operations make of them.
    """
    with objects.opened(data) as document:
        refuse_protected(document, breaks_signature=breaks_signature)
    steps = _Discussion(data, signature).steps(operations)
    if not steps:
        return data, ()
    result = with_notes(data, steps)
    _hold(data, operations, signature, result)
    return result, steps


def check(data: bytes, operation: Discussing) -> None:
    """Says nothing where an operation can be carried out by itself.

    Raises:
        NotFoundError, AmbiguousError, PlanError, RefusedError: it cannot.
    """
    _Discussion(data, Signature("", "", "", tracked=False)).steps((operation,))


def on_upload(steps: Sequence[NoteStep], data: bytes, upload: bytes) -> tuple[NoteStep, ...]:
    """Returns steps for the upload of an edited file: with the places of their words there.

    Words that the upload does not have keep the place that they have in the edited file.
    """
    placed: list[NoteStep] = []
    known = known_in(upload) if any(step.kind == "add" for step in steps) else []
    with objects.opened(upload) as document:
        pages = len(document.pages)
    for step in steps:
        words = words_at(data, step) if step.kind == "add" else ""
        near = sorted(known, key=lambda target, page=step.page: abs(target.page - page))
        for target in near if words else ():
            hits = find(target.text, words)
            if hits:
                page, quads = corners_of(upload, known, target, *hits[0])
                step = replace(step, page=page, quads=quads) if quads else step
                break
        placed.append(replace(step, page=min(step.page, pages - 1)))
    return tuple(placed)


def words_at(data: bytes, step: NoteStep) -> str:
    """Returns the words that a step puts a note on, as a reader of the file finds them."""
    listed = comments(with_notes(data, [step]))
    added = [one for one in listed if one.text == step.text and one.author == step.author]
    return added[-1].words if added else ""


def summary(steps: Sequence[NoteStep]) -> str:
    """Returns what was done to notes, in words."""
    words = {
        "add": "added",
        "reply": "answered",
        "state": "resolved or opened again",
        "delete": "deleted",
    }
    counts = Counter(step.kind for step in steps)
    parts = [f"{counts[kind]} {word}" for kind, word in words.items() if counts[kind]]
    return f"Comments: {', '.join(parts)}" if parts else "No change was needed"


class _Discussion:
    """Makes steps of operations on one file."""

    def __init__(self, data: bytes, signature: Signature) -> None:
        self._data = data
        self._signature = signature
        self._known: Sequence[Target] | None = None
        self._listed: Mapping[str, Comment] = {one.id: one for one in comments(data)}
        self._deleted: set[str] = set()
        self._roots: set[str] = set()

    def steps(self, operations: Sequence[Discussing]) -> tuple[NoteStep, ...]:
        made = [
            step
            for number, operation in enumerate(operations, start=1)
            for step in self._of(operation, number)
        ]
        if self._deleted & self._roots:
            message = "A comment is to be deleted and answered or resolved"
            raise PlanError(message)
        # Deleting comes last: ids speak of the notes as they were.
        return tuple(sorted(made, key=lambda step: step.kind == "delete"))

    def _of(self, operation: Discussing, number: int) -> Sequence[NoteStep]:
        signature = self._signature
        name = _new_name(self._data, number)
        step = NoteStep("add", name, author=signature.author, date=signature.date)
        match operation:
            case AddComment():
                _say(operation.text)
                return [self._added(operation, step)]
            case ReplyComment(target, text):
                _say(text)
                root = self._root(target)
                self._roots.add(root)
                return [replace(step, kind="reply", host=self._name(root), text=text)]
            case ResolveComment(target, resolved):
                root = self._root(target)
                self._roots.add(root)
                if self._listed[root].resolved == resolved:
                    return []
                state = _STATES[resolved]
                return [replace(step, kind="state", host=self._name(root), text=state)]
            case DeleteComment(target):
                self._deleted.add(self._comment(target).id)
                return [replace(step, kind="delete", name=self._name(target, for_good=True))]

    def _added(self, operation: AddComment, step: NoteStep) -> NoteStep:
        if self._known is None:
            self._known = editable_in(self._data)
        target = next((one for one in self._known if one.anchor == operation.block), None)
        if target is None:
            message = f"There is no block {operation.block[:60]}"
            raise NotFoundError(message)
        start, end = self._span(target, operation)
        page, quads = corners_of(self._data, self._known, target, start, end)
        if not quads:
            message = "The words cannot be followed to their place on the page"
            raise RefusedError(message)
        return replace(step, page=page, quads=quads, text=operation.text)

    def _span(self, target: Target, operation: AddComment) -> tuple[int, int]:
        if not operation.find:
            return 0, len(target.text)
        hits = find(target.text, operation.find)
        if not hits:
            known = self._known or ()
            raise NotFoundError(closest=closest((one.text for one in known), operation.find))
        if operation.occurrence is None and len(hits) > 1:
            message = f'"{operation.find}" stands {len(hits)} times there; say which one is meant'
            raise AmbiguousError(message)
        at = (operation.occurrence or 1) - 1
        if not 0 <= at < len(hits):
            raise NotFoundError
        return hits[at]

    def _comment(self, target: str) -> Comment:
        if target not in self._listed:
            message = f"There is no comment {target[:60]}"
            raise NotFoundError(message)
        return self._listed[target]

    def _root(self, target: str) -> str:
        comment, seen = self._comment(target), {target}
        while comment.parent in self._listed and comment.parent not in seen:
            seen.add(comment.parent)
            comment = self._listed[comment.parent]
        return comment.id

    def _name(self, identifier: str, *, for_good: bool = False) -> str:
        """Returns what a note is called on every copy of the document."""
        page, _, place = identifier.removeprefix("p").partition(".a")
        with opened(self._data) as document:
            anything: Any = document
            annotation = list(anything[int(page) - 1].annots())[int(place) - 1]
            number = int(annotation.xref)
            name = name_of(document, int(page) - 1, number)
            known = names_in(document).get(name)
            if known is None or known.number != number:
                message = "Another note of the document says the same; they cannot be told apart"
                raise RefusedError(message)
            if for_good:
                refuse_odd(document, known)
        return name


def _new_name(data: bytes, number: int) -> str:
    """Returns the name of a new note: the same one for the same plan on the same file."""
    return str(uuid5(NAMESPACE_OID, f"{sha256(data).hexdigest()} note {number}"))


def _say(text: str) -> None:
    if not text.strip():
        message = "The comment says nothing"
        raise PlanError(message)


def _hold(
    before: bytes, operations: Sequence[Discussing], signature: Signature, after: bytes
) -> None:
    """Sees that the notes are what operations make of them, by another reader.

    Raises:
        VerificationError: they are not.
    """
    identifiers = {one.id: number for number, one in enumerate(comments(before), start=1)}
    known, left = remarks(before), remarks(after)
    if len(known) != len(identifiers):
        message = "law 2 is broken in the comments: two readers find other notes"
        raise VerificationError(message)
    ours = [
        _new_name(before, number)
        for number, operation in enumerate(operations, start=1)
        if isinstance(operation, AddComment)
    ]
    added = [operation for operation in operations if isinstance(operation, AddComment)]
    for name, operation in zip(ours, added, strict=True):
        new = left.get(name)
        if new is None or (new.author, new.text) != (signature.author, operation.text):
            message = "law 2 is broken in the comments: a new one says something else"
            raise VerificationError(message)
    kept = [name for name in left if name not in ours]
    # Those that were there come first, then what is new.
    order = [
        *(name for name in known if name in left),
        *(name for name in kept if name not in known),
    ]
    named = {name: at for at, name in enumerate(order)}
    threads = [
        _renamed(operation, identifiers)
        for operation in operations
        if not isinstance(operation, AddComment)
    ]
    judge_comments(
        [one.numbered({name: at for at, name in enumerate(known)}) for one in known.values()],
        threads,
        signature.author,
        [left[name].numbered(named) for name in order],
    )


def _renamed(operation: CommentThread, identifiers: Mapping[str, int]) -> CommentThread:
    """Returns an operation with its target by number, as the judge counts."""
    target = f"c{identifiers[operation.target]}"
    match operation:
        case ReplyComment(_, text):
            return ReplyComment(target, text)
        case ResolveComment(_, resolved):
            return ResolveComment(target, resolved)
        case DeleteComment():
            return DeleteComment(target)
