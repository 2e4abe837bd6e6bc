"""A stand-in for engine.editor over a trivial format, importable in worker processes.

A document is the line `FAKE DOCX` (or `%PDF-FAKE`) followed by text. An instruction
`replace A with B` replaces every A; other words make trouble on purpose (see `interpret`).
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from redraft.api.sandbox.workers import Workers
from redraft.engine.errors import (
    AmbiguousError,
    Candidate,
    CorruptDocumentError,
    NotFoundError,
    NotUnderstoodError,
    PlanError,
    RefusedError,
    UnreadableError,
    UnsupportedFormatError,
    VerificationError,
)
from redraft.engine.model import Extra, ImageNote, Revision, View
from redraft.engine.plan import EditPlan, Fault, FindReplace
from redraft.engine.report import (
    BlockLine,
    BlockWindow,
    EditReport,
    Inspection,
    ModelView,
    Reading,
    Resolution,
    Selection,
    Signature,
    StoredVersion,
)

T = TypeVar("T")
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
HEAD, PDF_HEAD = b"FAKE DOCX\n", b"%PDF-FAKE\n"


def docx(text: str) -> bytes:
    return HEAD + text.encode()


def pdf(text: str) -> bytes:
    return PDF_HEAD + text.encode()


def inspect(source: Path, name: str) -> Inspection:
    data = source.read_bytes()
    images = (ImageNote("im1", "a chart"),) if b"[image]" in data else ()
    _misbehave(data.decode("utf-8", "replace"))
    if data.startswith(HEAD):
        return Inspection("docx", DOCX, images, b"[]")
    if data.startswith(PDF_HEAD):
        return Inspection("pdf", "application/pdf", images, b"[]")
    if data.startswith(b"PK"):
        message = "The file is damaged: it is no readable zip archive"
        raise CorruptDocumentError(message)
    message = "not one of ours"
    raise UnsupportedFormatError(message, is_other=True)


def read(version: StoredVersion, view: View = "final", include: Collection[Extra] = ()) -> Reading:
    text = _text(version.path)
    if not text.strip():
        message = "no text"
        raise UnreadableError(message)
    _misbehave_on(text, "read")
    if version.original is not None:
        text += f" since {_text(version.original)}"
    return Reading(text if view == "final" else f"{view}: {text}")


def interpret(
    version: StoredVersion, instruction: str, lookup: str | None, places: Collection[str] = ()
) -> EditPlan:
    _misbehave(instruction)
    if instruction == "which" and not places:
        message = "The instruction matches 2 places"
        raise AmbiguousError(message, (Candidate("p1", "", "a ⟪b⟫", "p1@2-3"),), 2)
    if instruction == "count our changes":
        return EditPlan("no_change", f"{len(_revisions(version.state))} are ours")
    if instruction == "change nothing":
        return EditPlan("no_change", "It says so already")
    if instruction == "plan badly":
        message = "The plan does not fit the document"
        raise PlanError(message)
    if instruction == "refuse":
        message = "that must not be done"
        raise RefusedError(message)
    words = instruction.removeprefix("replace ").split(" with ")
    if not instruction.startswith("replace ") or len(words) != 2:
        message = "I can do: replace A with B"
        raise NotUnderstoodError(message)
    if words[0] not in _text(version.path):
        raise NotFoundError(closest="something like it")
    return EditPlan("edit", "", (FindReplace(words[0], words[1]),))


def show(version: StoredVersion, instruction: str, lookup: str | None, nonce: str) -> ModelView:
    return ModelView(_text(version.path), 1, True)


def check(version: StoredVersion, plan: EditPlan, tracked: bool = False) -> tuple[Fault, ...]:
    return ()


def edit(version: StoredVersion, target: Path, plan: EditPlan, signature: Signature) -> EditReport:
    data = version.path.read_bytes()
    revisions = list(_revisions(version.state))
    fresh: list[Revision] = []
    for operation in plan.operations:
        assert isinstance(operation, FindReplace)
        data = data.replace(operation.find.encode(), operation.replace.encode())
        fresh.append(
            Revision(
                id=str(len(revisions) + len(fresh) + 1),
                kind="replacement",
                author=signature.author,
                date=signature.date,
                story="body",
                anchor="p1",
                where="paragraph 1",
                before=operation.find,
                after=operation.replace,
                edits=(signature.edit_uid,),
            )
        )
    target.write_bytes(data)
    if b"half-way" in data:
        message = "The edit did not pass its checks"
        raise VerificationError(message)
    kept = (*revisions, *fresh) if signature.tracked else ()
    failed_check = "law 2 is broken in p1" if b"in full" in data else ""
    known = msgspec.json.encode(kept)
    return EditReport(
        True, f"{len(fresh)} replaced", tuple(fresh), ("protected",), known, (), (), failed_check
    )


preview = edit


def blocks(version: StoredVersion, start: str = "", limit: int | None = 100) -> BlockWindow:
    return BlockWindow("", 1, (BlockLine("p1", "", _text(version.path)),), None)


def faults(version: StoredVersion, plan: EditPlan, tracked: bool = False) -> tuple[Fault, ...]:
    return ()


def changes(version: StoredVersion) -> tuple[Revision, ...]:
    return _revisions(version.state)


def resolve(
    version: StoredVersion,
    target: Path,
    action: Literal["accept", "reject"],
    selection: Selection,
) -> Resolution:
    revisions = _revisions(version.state)
    chosen = [r for r in revisions if selection.all or r.id in selection.ids]
    if not chosen and not selection.all:
        message = "There is no such change"
        raise NotFoundError(message)
    data = version.path.read_bytes()
    if b"unsettled" in data:
        message = "law 1 is broken in word/document.xml: 1 blocks became 2"
        raise VerificationError(message)
    if action == "reject":
        for revision in reversed(chosen):
            data = data.replace(revision.after.encode(), revision.before.encode())
    target.write_bytes(data)
    left = [replace(r) for r in revisions if r not in chosen]
    return Resolution(len(chosen), msgspec.json.encode(left))


def clean(version: StoredVersion, target: Path) -> None:
    target.write_bytes(version.path.read_bytes() + b"(clean)")


def redline(version: StoredVersion, target: Path) -> None:
    assert version.original is not None
    target.write_bytes(version.original.read_bytes() + b"(changed to) " + version.path.read_bytes())


def as_word(version: StoredVersion, target: Path) -> None:
    original = version.original or version.path
    target.write_bytes(original.read_bytes() + b"(in Word) " + version.path.read_bytes())


class FakeEngine:
    """Workers that run the function of the same name here instead of the engine's."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self.start, self.stop, self.stops = workers.start, workers.stop, workers.stops

    @property
    def is_confined(self) -> bool:
        return self._workers.is_confined

    async def call(
        self, function: Callable[..., T], *arguments: Any, seconds: float, owner: str = ""
    ) -> T:
        acting: Callable[..., T] = globals().get(function.__name__, function)
        return await self._workers.call(acting, *arguments, seconds=seconds, owner=owner)


def as_plain_word(version: StoredVersion, target: Path) -> None:
    as_word(StoredVersion(version.path), target)


def _revisions(state: bytes) -> tuple[Revision, ...]:
    return msgspec.json.decode(state, type=tuple[Revision, ...])


def _text(source: Path) -> str:
    return source.read_bytes().split(b"\n", 1)[1].decode()


def _misbehave_on(text: str, what: str) -> None:
    for line in text.splitlines():
        if line.startswith(f"on {what}: "):
            _misbehave(line.removeprefix(f"on {what}: "))


def _misbehave(instruction: str) -> None:
    match instruction.split():
        case ["spin", seconds]:
            end = time.monotonic() + float(seconds)
            while time.monotonic() < end:
                time.sleep(0.01)
        case ["sleep", seconds, *_]:
            time.sleep(float(seconds))
        case ["die"]:
            os.kill(os.getpid(), signal.SIGSEGV)
        case ["allocate"]:
            bytearray(8 << 30)
        case ["break"]:
            message = "canary-in-a-message"
            raise ZeroDivisionError(message)
        case _:
            return
