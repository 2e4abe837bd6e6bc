"""A document in Python: read, edit, decide on its changes, save.

A `Document` keeps its versions in a folder of its own, which goes with it; the file it was opened
from is never written unless `save` is told to. Everything it does is done by `redraft.engine`, as
on the command line and in the service, and it gives the same bytes for the same plan.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
import uuid
import weakref
from collections.abc import Collection, Coroutine, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import TYPE_CHECKING, Any, Literal

from redraft.engine import editor
from redraft.engine.errors import EngineError, PlanError
from redraft.engine.model import Comment, Extra, Format, Revision, View
from redraft.engine.report import EditReport, Selection, Signature, StoredVersion

if TYPE_CHECKING:
    from redraft.engine.instruct import Planned
    from redraft.engine.plan import EditPlan
    from redraft.engine.playbook.findings import Review
    from redraft.engine.playbook.reviewing import Playbook
    from redraft.engine.report import BlockLine

Copy = Literal["redline", "clean", "original"]
"""What is saved: with the changes marked, with ours accepted, or the file as it was opened."""

PLANNING_SECONDS = 300.0
"""How long a language model may take over the plan of one edit, all its answers together."""


class Document:
    """One document and the versions that were made of it; `redraft.open` makes one."""

    def __init__(self, data: bytes, name: str, *, author: str, tracked: bool) -> None:
        """Takes the bytes of a file; see `open` for the arguments and what is raised."""
        self.name = name
        self.author = author
        self.tracked = tracked
        folder = mkdtemp(prefix="redraft-")
        self._delete = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        first = Path(folder) / f"0{Path(name).suffix}"
        first.write_bytes(data)
        inspection = editor.inspect(first, name)
        self.format: Format = inspection.format
        self._versions = [StoredVersion(first, inspection.state, first)]
        self._index = 0

    # Reading

    def markdown(self, view: View = "final", include: Collection[Extra] = ()) -> str:
        """Returns the document as GitHub-flavoured Markdown.

        Args:
            view: `final` shows it with all changes accepted, `original` with all of them rejected,
                `markup` with both as CriticMarkup.
            include: `headers` and `comments`, to be in it too.

        Raises:
            UnreadableError: It holds no text that could be read.
        """
        return self._reading(view, include).markdown

    @property
    def blocks(self) -> tuple[BlockLine, ...]:
        """All blocks in document order, with the ids that operations name."""
        return editor.blocks(self._now, limit=None).blocks

    @property
    def changes(self) -> tuple[Revision, ...]:
        """The tracked changes in document order, ours and those of others."""
        return editor.changes(self._now)

    @property
    def comments(self) -> tuple[Comment, ...]:
        """The comments, each with the words it hangs on, its answers' `parent`, and if resolved.

        Operations (`reply_comment`, `resolve_comment`, `delete_comment`) name them by `id`.
        """
        return editor.comments(self._now)

    # Editing

    def plan(self, instruction: str, lookup: str = "") -> str:
        """Returns what an instruction would do, as the JSON that `edit` takes; nothing is changed.

        Args:
            instruction: What should change, in plain sentences. Without a language model
                (`OPENAI_BASE_URL`, `REDRAFT_MODEL`) the sentences of docs/instructions.md work.
            lookup: An excerpt of the document that says where.

        Raises:
            EditError: There is no plan; its class and sentence say why.
        """
        from redraft.engine.plan_json import write_plan

        return write_plan(self._planned(instruction, lookup).plan)

    def edit(
        self,
        change: str | Sequence[Mapping[str, Any]],
        *,
        author: str = "",
        lookup: str = "",
        places: Sequence[str] = (),
    ) -> EditReport:
        """Carries out an instruction, a plan or operations: all of it or nothing.

        Args:
            change: An instruction in plain sentences, a plan as `plan` returns it, or operations
                as docs/operations.md has them.
            author: Under whose name; the document's author where it is empty.
            lookup: An excerpt that says where an instruction is meant.
            places: The `place` of each candidate of an `AmbiguousError` that is meant.

        Returns:
            What was done. `applied` is False where nothing had to change; `summary` says why.

        Raises:
            EditError: Nothing was changed; its class and sentence say why.
        """
        planned = self._given(change, lookup, tuple(places))
        plan = planned.plan
        if plan.decision != "edit":
            return EditReport(applied=False, summary=plan.reason, warnings=planned.warnings)
        report = self._carried_out(plan, author)
        return replace(report, warnings=(*planned.warnings, *report.warnings))

    def review(self, playbook: str, *, comment_only: bool = False, author: str = "") -> Review:
        """Checks the document by rules, and carries out what they ask for as one edit.

        Args:
            playbook: The rules as Markdown or TOML, as docs/playbooks.md has them: the text itself.
            comment_only: Whether changes are only proposed, in comments.
            author: Under whose name; the document's author where it is empty.

        Returns:
            What was found of each rule; `undo` takes back what was done.

        Raises:
            PlanError: The playbook cannot be read.
            EditError: Nothing was changed; its class and sentence say why.
        """
        from redraft.engine.playbook.findings import Review
        from redraft.engine.playbook.playbooks import read_playbook
        from redraft.engine.playbook.reviewing import Playbook

        rules = Playbook(read_playbook(playbook), comment_only)
        planned = self._planned("", "", playbook=rules)
        if planned.plan.decision == "edit":
            self._carried_out(planned.plan, author)
        return Review(planned.findings, planned.plan)

    def accept(self, *ids: str, author: str | None = None) -> int:
        """Accepts changes by id or author, all of them when neither is given; returns how many.

        Raises:
            NotFoundError: There is no such change.
        """
        return self._resolve("accept", ids, author)

    def reject(self, *ids: str, author: str | None = None) -> int:
        """Rejects changes by id or author, all of them when neither is given; returns how many.

        Raises:
            NotFoundError: There is no such change.
        """
        return self._resolve("reject", ids, author)

    def undo(self) -> bool:
        """Goes back to the version before; returns whether there was one."""
        if self._index == 0:
            return False
        self._index -= 1
        return True

    def redo(self) -> bool:
        """Goes forth to the version that was undone; returns whether there was one."""
        if self._index + 1 == len(self._versions):
            return False
        self._index += 1
        return True

    # Saving

    def to_bytes(self, copy: Copy = "redline") -> bytes:
        """Returns the file as it would be saved."""
        if copy == "original":
            return self._original.read_bytes()
        with TemporaryDirectory(prefix="redraft-") as folder:
            target = Path(folder) / "copy"
            if copy == "clean" or not self.tracked:
                editor.clean(self._now, target)
            else:
                editor.redline(self._now, target)
            return target.read_bytes()

    def save(
        self, path: str | os.PathLike[str], copy: Copy = "redline", *, force: bool = False
    ) -> Path:
        """Writes a copy to a file, whole or not at all, and returns its path.

        Raises:
            FileExistsError: There is a file of that name, and `force` is not set.
        """
        target = Path(path)
        if target.exists() and not force:
            message = f"{target} exists; give another path, or force=True to replace it"
            raise FileExistsError(message)
        partial = target.with_name(f".{target.name}.{uuid.uuid4().hex}.part")
        try:
            partial.write_bytes(self.to_bytes(copy))
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)
        return target

    def close(self) -> None:
        """Deletes the versions; the document cannot be used any more."""
        self._delete()

    def __enter__(self) -> Document:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<redraft.Document {self.name!r}, version {self._index}>"

    def _repr_html_(self) -> str:
        """Returns the redline for a notebook."""
        from redraft.engine.markdown.html import fragment

        return fragment(self.markdown("markup"))

    # Versions

    @property
    def _now(self) -> StoredVersion:
        return self._versions[self._index]

    @property
    def _original(self) -> Path:
        return self._versions[0].path

    def _reading(self, view: View, include: Collection[Extra]) -> editor.Reading:
        return editor.read(self._now, view, include)

    def _next_path(self) -> Path:
        return self._original.with_name(f"{uuid.uuid4().hex}{self._original.suffix}")

    def _carried_out(self, plan: EditPlan, author: str) -> EditReport:
        signature = Signature.now(author or self.author, tracked=self.tracked)
        target = self._next_path()
        report = editor.edit(self._now, target, plan, signature)
        if report.applied:
            self._go_on(target, report.state)
        return report

    def _go_on(self, path: Path, state: bytes) -> None:
        """Makes a file the newest version; what was undone is gone."""
        for undone in self._versions[self._index + 1 :]:
            undone.path.unlink()
        self._versions[self._index + 1 :] = [StoredVersion(path, state, self._original)]
        self._index += 1

    def _resolve(
        self, action: Literal["accept", "reject"], ids: tuple[str, ...], author: str | None
    ) -> int:
        if not self.changes and not ids and author is None:
            return 0
        selection = Selection(ids, author, None, all=not ids and author is None)
        target = self._next_path()
        resolution = editor.resolve(self._now, target, action, selection)
        self._go_on(target, resolution.state)
        return resolution.resolved

    # Planning

    def _given(
        self, change: str | Sequence[Mapping[str, Any]], lookup: str, places: tuple[str, ...]
    ) -> Planned:
        from redraft.engine.instruct import Planned
        from redraft.engine.plan_json import exact_plan, read_plan

        if isinstance(change, str) and not change.lstrip().startswith(("{", "[")):
            return self._planned(change, lookup, places)
        plan = read_plan(change) if isinstance(change, str) else exact_plan(change)
        wrong = editor.faults(self._now, plan, self.tracked)
        if wrong:
            lines = (f"operation {fault.index + 1}: {fault.message}" for fault in wrong)
            raise PlanError("; ".join(lines))
        return Planned(plan)

    def _planned(
        self,
        instruction: str,
        lookup: str,
        places: tuple[str, ...] = (),
        playbook: Playbook | None = None,
    ) -> Planned:
        from redraft.engine.engine_calls import EngineCalls
        from redraft.engine.instruct import Instruction, instruct
        from redraft.engine.planner.configuration import models_from

        async def planned() -> Planned:
            return await instruct(
                EngineCalls(self._now, self.tracked),
                models_from(os.environ),
                Instruction(
                    instruction,
                    lookup or None,
                    deadline=asyncio.get_running_loop().time() + PLANNING_SECONDS,
                    nonce=uuid.uuid4().hex[:8],
                    places=places,
                    playbook=playbook,
                ),
            )

        return _finished(planned())


def open(  # noqa: A001 - reads as `redraft.open`, like `tarfile.open` and `Image.open`
    source: str | os.PathLike[str] | bytes,
    *,
    name: str = "",
    author: str = "redraft",
    tracked: bool = True,
) -> Document:
    """Opens a `.docx` or `.pdf`.

    Args:
        source: A path, or the bytes of a file.
        name: What the file is called; of a path its last part, of bytes `document`.
        author: Whose name the tracked changes carry.
        tracked: Whether edits are tracked changes; False writes them plainly.

    Raises:
        UnsupportedFormatError: It is no such file, or one that needs a password.
        CorruptDocumentError: It cannot be read.
        OSError: The path cannot be opened.
    """
    if isinstance(source, bytes):
        return Document(source, name or "document", author=author, tracked=tracked)
    path = Path(source)
    return Document(path.read_bytes(), name or path.name, author=author, tracked=tracked)


def _finished(work: Coroutine[Any, Any, Planned]) -> Planned:
    """Returns what work gives, also where a loop is running already, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    outcome: list[Planned] = []
    failure: list[EngineError] = []

    def run() -> None:
        try:
            outcome.append(asyncio.run(work))
        except EngineError as error:
            failure.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failure:
        raise failure[0]
    return outcome[0]
