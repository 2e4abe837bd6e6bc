"""What the tools do, by the use cases of the service, without a word of the protocol.

Text of documents is data here: it stands in fields and in lines of its own, never beside sentences
of ours that tell an assistant what to do.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar
from uuid import uuid4

import msgspec

from redraft.api import schemas
from redraft.api.auth.api_keys import Caller
from redraft.api.downloads import Downloads, DownloadView
from redraft.api.errors import MissingEditError, ServiceError
from redraft.api.events import Broadcaster
from redraft.api.files.protocol import Span
from redraft.api.operations.mailbox import Answer
from redraft.api.requests.bodies import EditRequest, ReadRequest, edit_request, resolve_request
from redraft.api.requests.fields import UUID
from redraft.api.service import Service
from redraft.assist import shapes, windows
from redraft.engine.model import View
from redraft.engine.report import BlockLine

T = TypeVar("T")
Item = TypeVar("Item", shapes.Change, shapes.Remark)
OK = 200
PREFIX = "Edit operation failed: "
MOST_CHANGES = MOST_FAULTS = 20
LONGEST_REMARK = 2000
LONGEST_REPORT = 20_000
TICK_SECONDS = 10.0
CANCEL_TRIES = 40


class RefusedCallError(Exception):
    """A call that cannot be done as it was made; the message says what to do."""


class Report(Protocol):
    """Tells the client how far a call is: seconds passed, and a word."""

    def __call__(self, seconds: float, word: str) -> Awaitable[None]:
        """Tells it; nothing happens where the client does not listen."""
        ...


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a running service that tools call."""

    service: Service
    downloads: Downloads
    broadcaster: Broadcaster


class Calls:
    """The tools that local files and a service have in common, for one caller.

    Args:
        parts: What is called.
        caller: Whose documents they are.
    """

    def __init__(self, parts: Parts, caller: Caller) -> None:
        self.parts = parts
        self.caller = caller
        self._kept_running: set[asyncio.Task[Any]] = set()

    async def described(self, document: str, notices: list[str]) -> shapes.Opened:
        """Says what an assistant needs to know of a document before it reads."""
        stored = await self.parts.service.watched(self.caller.owner, document)
        blocks = await self._blocks(document)
        changes = await self.parts.service.changes(self.caller.owner, document)
        info = schemas.info(stored)
        return shapes.Opened(
            document=stored.id,
            name=stored.name,
            format=stored.format,
            version=stored.version,
            blocks=len(blocks),
            tokens=sum(windows.tokens(block.text) for block in blocks),
            changes=changes.total_count,
            outline=windows.outline(blocks),
            notices=notices,
            expires_at=info.expires_at,
        )

    async def named(self, written: str) -> str:
        """Returns the id of a document that was named by its id or its name.

        Raises:
            RefusedCallError: There is none, or several; it lists what there is.
        """
        if UUID.fullmatch(written):
            return written
        listed = (await self.parts.service.listed(self.caller.owner)).documents
        named = [one.doc_id for one in listed if one.name == written]
        if len(named) == 1:
            return named[0]
        there = "; ".join(f"{one.doc_id} {one.name}" for one in listed[:20])
        message = (
            f"Name one of these documents by its id: {there}"
            if there
            else "There are no documents yet; `link` with upload: true gives an address for one"
        )
        raise RefusedCallError(message)

    async def read(self, given: shapes.Read) -> str:
        """Returns a window of a document as lines, below a line that says where it is."""
        stored = await self.parts.service.watched(self.caller.owner, given.document)
        if given.view == "final":
            blocks = await self._blocks(given.document)
        else:
            blocks = windows.paragraphs(await self.markdown(given.document, given.view))
        window = windows.window(blocks, given.start, given.limit)
        following = window.next or "none"
        last = window.first + window.count
        kind = "blocks" if given.view == "final" else "parts"
        span = f"{window.first + 1}-{last}" if window.count else "none"
        head = f"version {stored.version} · {kind} {span} of {len(blocks)} · next {following}"
        return "\n".join((head, *window.lines))

    async def markdown(self, document: str, view: View = "final") -> str:
        """Returns a whole document as Markdown.

        Raises:
            RefusedCallError: It cannot be read.
        """
        request = ReadRequest(read_uid=str(uuid4()), view=view)
        answer = await self.parts.service.read(self.caller.owner, document, request)
        if answer.status != OK:
            raise RefusedCallError(_detail(answer))
        return str(msgspec.json.decode(answer.body)["markdown"])

    async def search(self, given: shapes.Search) -> shapes.Found:
        """Finds the blocks that hold a text."""
        stored = await self.parts.service.watched(self.caller.owner, given.document)
        return await windows.search(
            await self._blocks(given.document),
            stored.version,
            given.text,
            is_regex=given.regex,
            limit=given.limit,
            start=given.start,
        )

    async def changes(self, given: shapes.Changes) -> shapes.Listed:
        """Lists tracked changes."""
        listed = await self.parts.service.changes(self.caller.owner, given.document)
        changes = [_change(one) for one in listed.changes if given.author in ("", one.author)]
        shown, following = _window(changes, given.start, given.limit)
        return shapes.Listed(listed.version, shown, len(changes), following)

    async def comments(self, given: shapes.Comments) -> shapes.Remarks:
        """Lists comments."""
        listed = await self.parts.service.comments(self.caller.owner, given.document)
        remarks = [
            shapes.Remark(
                one.id,
                one.author,
                one.date,
                one.on,
                shapes.shortened(one.words),
                shapes.shortened(one.text, LONGEST_REMARK),
                one.resolved,
                one.parent,
            )
            for one in listed.comments
        ]
        shown, following = _window(remarks, given.start, len(remarks))
        return shapes.Remarks(listed.version, shown, len(remarks), following)

    async def edit(
        self, given: shapes.Edit, report: Report, *, is_cancelled_with_call: bool
    ) -> shapes.Edited:
        """Edits a document, and answers within `given.wait` seconds whether it is done or not.

        Args:
            given: What is asked.
            report: Told how far it is.
            is_cancelled_with_call: Whether the edit ends when the call is cancelled.

        Raises:
            RefusedCallError: Both or neither is said of what to do, or the uid is none.
        """
        request = _requested(given)
        uid = request.edit_uid
        work = asyncio.create_task(
            self.parts.service.edit(self.caller.owner, given.document, request)
        )
        # Kept until it ends: the mailbox goes on, and nobody else may be holding it.
        self._keep(work)
        try:
            async with self._telling(given.document, report):
                await asyncio.wait((work,), timeout=given.wait)
        except asyncio.CancelledError:
            if is_cancelled_with_call:
                self._keep(asyncio.create_task(self._cancel(given.document, uid)))
            raise
        if not work.done():
            summary = (
                "Still running, and goes on; to wait on, call edit again with the same arguments "
                f"and edit_uid {uid}"
            )
            return await self._standing(given.document, "running", uid, summary)
        try:
            answer = work.result()
        except ServiceError as error:
            retry = f"; try again in {error.retry_after} s" if error.retry_after else ""
            return await self._standing(given.document, "failed", uid, f"{error.detail}{retry}")
        return await self._edited(given.document, uid, answer)

    async def resolve(self, given: shapes.Resolve) -> shapes.Settled:
        """Accepts or rejects changes.

        Raises:
            RefusedCallError: Not exactly one of the four ways to say which.
        """
        criteria = {
            "ids": given.ids,
            "author": given.author,
            "editUid": given.edit_uid,
            "all": given.all,
        }
        chosen = {name: value for name, value in criteria.items() if value}
        if len(chosen) != 1:
            message = "Say which changes by exactly one of ids, author, edit_uid, all: true"
            raise RefusedCallError(message)
        body = msgspec.json.encode({"action": given.action, **chosen})
        answer = await self.parts.service.resolve(
            self.caller.owner, given.document, resolve_request(body), str(uuid4())
        )
        if answer.status != OK:
            return await self._unsettled(given.document, answer)
        resolved = msgspec.json.decode(answer.body, type=schemas.Resolved)
        words = "change" if resolved.resolved == 1 else "changes"
        return shapes.Settled(
            "applied" if resolved.resolved else "unchanged",
            resolved.version,
            f"{resolved.resolved} {words} {given.action}ed",
        )

    async def undo(self, given: shapes.Undo) -> shapes.Settled:
        """Goes to the version before, or back."""
        answer = await self.parts.service.move(
            self.caller.owner, given.document, "redo" if given.redo else "undo", str(uuid4())
        )
        if answer.status != OK:
            return await self._unsettled(given.document, answer)
        moved = msgspec.json.decode(answer.body, type=schemas.Moved)
        state = "applied" if moved.applied else "unchanged"
        return shapes.Settled(state, moved.version, moved.summary)

    async def history(self, document: str) -> bytes:
        """Returns what was done to a document, as JSON."""
        return schemas.encode(await self.parts.service.history(self.caller.owner, document))

    async def file(self, document: str, view: DownloadView) -> tuple[str, bytes]:
        """Returns the name and the bytes of a copy."""
        downloads = self.parts.downloads
        download = await downloads.download(self.caller.owner, document, view)
        await downloads.check(download)
        return download.name, await downloads.loaded(download, Span(0, download.size))

    async def _blocks(self, document: str) -> tuple[BlockLine, ...]:
        return (await self.parts.service.all_blocks(self.caller.owner, document))[1].blocks

    async def _unsettled(self, document: str, answer: Answer) -> shapes.Settled:
        stored = await self.parts.service.watched(self.caller.owner, document)
        return shapes.Settled("failed", stored.version, _detail(answer))

    async def _standing(
        self, document: str, state: Literal["running", "failed"], uid: str, summary: str
    ) -> shapes.Edited:
        """Describes an edit that changed nothing, or nothing yet.

        Raises:
            MissingDocumentError: The document is gone.
        """
        stored = await self.parts.service.watched(self.caller.owner, document)
        return shapes.Edited(state, uid, stored.version, summary, [], 0, [], [], replayed=False)

    async def _edited(self, document: str, uid: str, answer: Answer) -> shapes.Edited:
        if answer.status != OK:
            error = msgspec.json.decode(answer.body, type=schemas.EditErrorBody)
            failed = await self._standing(document, "failed", uid, _unprefixed(error.detail))
            faults = [] if error.faults is msgspec.UNSET else error.faults
            places = [] if error.candidates is msgspec.UNSET else error.candidates
            failed.faults = [
                *(
                    shapes.Fault(one.index, one.code, one.message[:600])
                    for one in faults[:MOST_FAULTS]
                ),
                *(
                    shapes.Fault(index, "place", f"{place.anchor}: {place.words}"[:600])
                    for index, place in enumerate(places[:MOST_FAULTS])
                ),
            ]
            failed.replayed = answer.is_replay
            return failed
        edited = msgspec.json.decode(answer.body, type=schemas.Edited)
        # Of a review, the summary is its whole report.
        summary, most = edited.summary, 2000
        if edited.review is not msgspec.UNSET:
            summary, most = edited.review.report, LONGEST_REPORT
        return shapes.Edited(
            state="applied" if edited.edit_applied else "unchanged",
            edit_uid=uid,
            version=edited.version,
            summary=shapes.shortened(summary, most),
            changes=[_change(one) for one in edited.revisions[:MOST_CHANGES]],
            total=len(edited.revisions),
            warnings=[shapes.shortened(words) for words in edited.warnings[:MOST_FAULTS]],
            faults=[],
            replayed=answer.is_replay,
        )

    async def _cancel(self, document: str, uid: str) -> None:
        """Cancels an edit; one that was sent and not yet received is waited for."""
        for _ in range(CANCEL_TRIES):
            try:
                await self.parts.service.cancel(self.caller.owner, document, uid)
            except MissingEditError:
                await asyncio.sleep(0.05)
            except ServiceError:
                return
            else:
                return

    def _keep(self, work: asyncio.Task[T]) -> None:
        self._kept_running.add(work)
        work.add_done_callback(self._let_go)

    def _let_go(self, work: asyncio.Task[Any]) -> None:
        self._kept_running.discard(work)
        if not work.cancelled():
            work.exception()  # nobody may be waiting: that is no fault to report

    @asynccontextmanager
    async def _telling(self, document: str, report: Report) -> AsyncGenerator[None]:
        """Tells the client what happens to a document, and every ten seconds that it goes on."""
        telling = asyncio.create_task(self._tell(document, report))
        try:
            yield
        finally:
            telling.cancel()

    async def _tell(self, document: str, report: Report) -> None:
        loop = asyncio.get_running_loop()
        started, word = loop.time(), "waiting"
        with self.parts.broadcaster.listening(document.lower()) as events:
            while True:
                try:
                    event = await asyncio.wait_for(events.get(), TICK_SECONDS)
                except TimeoutError:
                    pass
                else:
                    if event is None:
                        return
                    word = event.note if event.kind == "progress" else word
                await report(loop.time() - started, word)


def _window(items: Sequence[Item], start: int, limit: int) -> tuple[list[Item], int | None]:
    """Returns as many items as fit into an answer, and where the following ones start."""
    shown: list[Item] = []
    room = windows.MOST_TOKENS
    for item in items[start : start + limit]:
        room -= windows.tokens(msgspec.json.encode(item).decode())
        if room < 0 and shown:
            break
        shown.append(item)
    end = start + len(shown)
    return shown, end if end < len(items) else None


def _requested(given: shapes.Edit) -> EditRequest:
    """Returns an edit as the service takes it.

    Raises:
        RefusedCallError: Both or neither is said of what to do, or the uid is none.
    """
    ways = (given.instruction.strip(), given.operations, given.playbook.strip())
    if sum(map(bool, ways)) != 1:
        message = "Give either an instruction, operations or a playbook"
        raise RefusedCallError(message)
    uid = given.edit_uid or str(uuid4())
    if not UUID.fullmatch(uid):
        message = "edit_uid must be a UUID"
        raise RefusedCallError(message)
    body: dict[str, Any] = {
        "editUid": uid,
        "lookupText": given.lookup or None,
        "editInstructions": given.instruction or None,
        "operations": given.operations or None,
        "baseVersion": given.base_version,
        "dryRun": given.dry_run,
        "playbook": given.playbook or None,
        "commentOnly": given.comment_only,
    }
    return edit_request(msgspec.json.encode(body))


def _change(one: schemas.ChangeItem) -> shapes.Change:
    return shapes.Change(
        id=one.id,
        kind=one.kind,
        author=one.author,
        date=one.date,
        where=one.where,
        before=shapes.shortened(one.before),
        after=shapes.shortened(one.after),
        edit_uid=one.edit_uid,
    )


def _detail(answer: Answer) -> str:
    return _unprefixed(msgspec.json.decode(answer.body, type=schemas.ErrorBody).detail)


def _unprefixed(detail: str) -> str:
    return detail.removeprefix(PREFIX)
