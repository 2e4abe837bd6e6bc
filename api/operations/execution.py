"""Does the work of one operation: plan, run the engine in a worker, keep the new file.

Nothing here changes the document: the new file lies under a key that nobody knows until the
mailbox commits it, and is thrown away with the document when it never does.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import msgspec

from redraft.api.auth.presign import Presigner
from redraft.api.clock import Clock, iso, iso_seconds
from redraft.api.errors import (
    OK,
    InexactError,
    InexactTextError,
    LegalHoldError,
    MissingDocumentError,
    ServiceError,
    StaleVersionError,
)
from redraft.api.files.protocol import FileStore, StoreError
from redraft.api.metadata.protocol import (
    Change,
    Document,
    Metadata,
    Operation,
    OperationState,
    Outcome,
    Quota,
    Spending,
    Version,
)
from redraft.api.operations.mailbox import Event, Work, failure
from redraft.api.operations.metering import Meter
from redraft.api.operations.picture_captions import CaptionedCalls
from redraft.api.operations.planner import Planner
from redraft.api.operations.prices import Prices, together
from redraft.api.operations.renditions import Renditions, StoredReading, as_service_error
from redraft.api.requests.bodies import AnyEdit, EditRequest, ReadRequest, ResolveRequest
from redraft.api.sandbox.workers import Workers
from redraft.api.schemas import (
    Deleted,
    Edited,
    Moved,
    ReadOut,
    Resolved,
    change_item,
    encode,
    notice_items,
    review_item,
)
from redraft.api.settings import Settings
from redraft.engine import editor, several_files
from redraft.engine.engine_calls import EngineCalls
from redraft.engine.errors import AmbiguousError, EngineError, RefusedError, VerificationError
from redraft.engine.instruct import Instruction, Planned, wants_asking
from redraft.engine.model import Revision
from redraft.engine.plan import EditPlan
from redraft.engine.plan_json import exact_plan, without_texts
from redraft.engine.playbook.playbooks import read_playbook
from redraft.engine.playbook.reviewing import Playbook
from redraft.engine.report import EditReport, Selection, Signature, StoredVersion

MOST_SHOWN = 100
"""Plans kept while a person decides about them; one that is gone is made again."""


@dataclass(frozen=True, slots=True)
class _Edit:
    """An edit on its way: what is asked, of which version, since when."""

    request: AnyEdit
    operation: Operation
    document: Document
    version: Version
    started: float
    places: tuple[str, ...]

    @property
    def asked(self) -> Hashable:
        """What a plan depends on: the version, and what is to be done there."""
        request = self.request
        wish = (request.edit_instructions, request.lookup_text, request.use_large_model)
        rules = (request.playbook, request.comment_only)
        return (self.document.id, self.document.version, *wish, *rules, self.places)


@dataclass(frozen=True, slots=True)
class UnverifiedEdit:
    """An edit or decision that the engine threw away because a law of the redline did not hold.

    The edit may have been made in another way, with whole paragraphs.

    Attributes:
        format: Of the document, `docx` or `pdf`.
        digest: The SHA-256 of the file that was to be edited.
        plan: Its operations as JSON, with the lengths of texts in the place of these; of a decision
            what was to be done with which changes.
        check: What did not hold; names the law and the part.
    """

    format: str
    digest: str
    plan: str
    check: str


class Execution:
    """Runs operations.

    Args:
        metadata: Where documents and versions are looked up, and what a model took is noted.
        files: Where files are.
        derived: What is kept beside them.
        workers: Runs the engine.
        planner: Turns instructions into plans.
        presigner: Gives the word that frames a document for a model.
        clock: When it is.
        settings: How long a call may take, and what a model costs.
        announce: Told about progress.
        report: Told of an edit that did not pass the checks of the engine.
    """

    def __init__(
        self,
        metadata: Metadata,
        files: FileStore,
        renditions: Renditions,
        workers: Workers,
        planner: Planner,
        presigner: Presigner,
        clock: Clock,
        settings: Settings,
        announce: Callable[[Event], None],
        report: Callable[[UnverifiedEdit], None],
    ) -> None:
        self._documents = metadata.documents
        self._operations = metadata.operations
        self._keys = metadata.keys
        self._files = files
        self._renditions = renditions
        self._workers = workers
        self._planner = planner
        self._presigner = presigner
        self._clock = clock
        self._seconds = settings.edit_seconds
        self._most_bytes = settings.bytes_per_key
        self._prices = Prices(settings)
        self._announce = announce
        self._report = report
        self._shown_plans: dict[Hashable, Planned] = {}

    async def __call__(self, operation: Operation, remaining: float) -> Work:
        """Runs an operation within `remaining` seconds; what it raises becomes the answer."""
        try:
            current = await self._documents.current(operation.document)
            if current is None:
                raise MissingDocumentError
            document, version = current
            match operation.kind:
                case "read":
                    return await self._read(operation, document, version, remaining)
                case "edit" | "preview":
                    return await self._edit(operation, document, version, remaining)
                case "accept" | "reject":
                    return await self._resolve(operation, document, version, remaining)
                case "undo" | "redo":
                    return await self._move(operation, document, version)
                case "delete":
                    if document.is_on_legal_hold:
                        raise LegalHoldError
                    body = encode(Deleted(document_id=document.id, deleted=True))
                    return Work(_outcome("applied", body), Change(is_deletion=True))
        except StoreError as error:
            raise as_service_error(error) from error

    async def _read(
        self, operation: Operation, document: Document, version: Version, remaining: float
    ) -> Work:
        request = msgspec.json.decode(operation.request, type=ReadRequest)
        started = self._clock.monotonic()
        reading = await self._renditions.reading(document, version, request.view, remaining)
        spent = self._clock.monotonic() - started
        reading = await self._renditions.captioned(document, version, reading)
        body = read_body(request, document, version, reading, spent)
        return Work(_outcome("done", body, final=False))

    async def _edit(
        self, operation: Operation, document: Document, version: Version, remaining: float
    ) -> Work:
        started = self._clock.monotonic()
        request = msgspec.json.decode(operation.request, type=AnyEdit)
        places = _places_in(request, document)
        if request.base_version not in (None, document.version):
            raise StaleVersionError(request.base_version, document.version)
        edit = _Edit(request, operation, document, version, started, places)
        meter = Meter()
        async with self._renditions.at_hand(document, version) as stored:
            try:
                if request.other:
                    work = await self._compared(edit, stored)
                else:
                    self._progress(operation, "planning")
                    planned = await self._plan(edit, stored, remaining, meter)
                    work = await self._carry_out(edit, stored, planned)
            except AmbiguousError as error:
                work = Work(failure(_of_version(error, document.version), "edit"))
            except (EngineError, ServiceError) as error:
                work = Work(failure(error, "edit"))
            except StoreError as error:
                work = Work(failure(as_service_error(error), "edit"))
            except asyncio.CancelledError:
                # Who ended it could not know what a model had taken by then.
                spending = self._spending(operation, meter)
                if spending is not None:
                    await self._operations.charge(operation.id, spending)
                raise
        spending = self._spending(operation, meter)
        is_final = work.outcome.final and not request.dry_run
        return replace(work, outcome=replace(work.outcome, spending=spending, final=is_final))

    async def _plan(
        self, edit: _Edit, stored: StoredVersion, remaining: float, meter: Meter
    ) -> Planned:
        seconds = min(self._seconds, remaining)
        run = partial(self._workers.call, seconds=seconds, owner=edit.document.owner)
        if edit.request.markdown:
            text = edit.request.markdown
            plan, faults = await run(editor.text_plan, stored, text, edit.document.tracked)
            if faults:
                raise InexactTextError(faults)
            return Planned(plan)
        if edit.request.operations:
            plan = exact_plan(edit.request.operations)
            faults = await run(editor.faults, stored, plan, edit.document.tracked)
            if faults:
                raise InexactError(faults)
            return Planned(plan)
        shown = self._shown_plans.pop(edit.asked, None)
        if shown is not None and not edit.request.ask_first:
            return shown
        instruction = Instruction(
            edit.request.edit_instructions,
            edit.request.lookup_text,
            deadline=asyncio.get_running_loop().time() + remaining,
            nonce=await self._presigner.nonce(edit.document.id),
            large=edit.request.use_large_model,
            places=edit.places,
            playbook=_playbook_in(edit.request),
        )
        captions = await self._renditions.captions.current(edit.document, edit.version)
        calls = CaptionedCalls(EngineCalls(stored, edit.document.tracked, run), captions)
        return await self._planner(calls, instruction, meter)

    async def _compared(self, edit: _Edit, stored: StoredVersion) -> Work:
        """Gives a document the changes that make it another one, always tracked.

        Raises:
            MissingDocumentError: the other one is gone by now.
        """
        document = edit.document
        current = await self._documents.current(edit.request.other)
        if current is None or current[0].owner != document.owner:
            raise MissingDocumentError
        signature = Signature(
            edit.operation.uid, document.author, iso_seconds(self._clock.now()), tracked=True
        )
        self._progress(edit.operation, "comparing")
        async with (
            self._renditions.at_hand(*current) as other,
            self._files.scratch() as target,
        ):
            report = await self._workers.call(
                several_files.compare_versions,
                stored,
                other,
                target,
                signature,
                seconds=self._seconds,
                owner=document.owner,
            )
            done = Planned(EditPlan("edit", ""), warnings=report.warnings)
            if not report.applied or edit.request.dry_run:
                return self._unchanged(edit, report.summary, done, report.revisions)
            change = await self._new_version(document, edit.version, target, report.state)
        body = self._edited(edit, report.summary, done, change, report.revisions)
        outcome = _outcome("applied", body, summary=report.summary, warnings=report.warnings)
        return Work(outcome, change, document.version)

    def _spending(self, operation: Operation, meter: Meter) -> Spending | None:
        """Says what models took for an operation, earlier attempts at it included."""
        return together(operation.spending, self._prices.spending(meter))

    async def _carry_out(self, edit: _Edit, stored: StoredVersion, planned: Planned) -> Work:
        if planned.plan.decision == "refuse":
            raise RefusedError(planned.plan.reason)
        if planned.plan.decision == "no_change":
            return self._unchanged(edit, planned.plan.reason, planned)
        self._progress(edit.operation, "applying")
        try:
            return await self._apply(edit, stored, planned)
        except VerificationError as error:
            self._unverified(edit, planned, str(error))
            raise

    def _unverified(self, edit: _Edit, planned: Planned, check: str) -> None:
        """Tells whoever mends the engine what it takes to look for a broken law."""
        plan = without_texts(planned.plan)
        self._report(UnverifiedEdit(edit.document.format, edit.version.digest, plan, check))

    async def _apply(self, edit: _Edit, stored: StoredVersion, planned: Planned) -> Work:
        document, version, request = edit.document, edit.version, edit.request
        # The changes of an edit that is not tracked are only known from one that is.
        is_tried = request.dry_run or (request.ask_first and not document.tracked)
        signature = Signature(
            edit.operation.uid, document.author, iso_seconds(self._clock.now()), document.tracked
        )
        async with self._files.scratch() as target:

            def carried_out(run: Callable[..., EditReport]) -> Awaitable[EditReport]:
                return self._workers.call(
                    run,
                    stored,
                    target,
                    planned.plan,
                    signature,
                    seconds=self._seconds,
                    owner=document.owner,
                )

            report = await carried_out(editor.preview if is_tried else editor.edit)
            if report.failed_check:
                self._unverified(edit, planned, report.failed_check)
            is_asked = report.applied and request.ask_first and wants_asking(planned.plan, report)
            if is_asked:
                self._keep(edit, planned)
            planned = replace(planned, warnings=(*planned.warnings, *report.warnings))
            if not report.applied or request.dry_run or is_asked:
                is_trial = request.dry_run or is_asked
                return self._unchanged(
                    edit, report.summary, planned, report.revisions, is_trial=is_trial
                )
            if is_tried:
                report = await carried_out(editor.edit)
            change = await self._new_version(document, version, target, report.state)
        body = self._edited(edit, report.summary, planned, change, report.revisions)
        return Work(
            _outcome("applied", body, summary=report.summary, warnings=planned.warnings),
            change,
            document.version,
        )

    async def _resolve(
        self, operation: Operation, document: Document, version: Version, remaining: float
    ) -> Work:
        request = msgspec.json.decode(operation.request, type=ResolveRequest)
        selection = Selection(request.ids, request.author, request.edit_uid, request.all)
        async with (
            self._renditions.at_hand(document, version) as stored,
            self._files.scratch() as target,
        ):
            try:
                resolution = await self._workers.call(
                    editor.resolve,
                    stored,
                    target,
                    request.action,
                    selection,
                    seconds=min(self._seconds, remaining),
                    owner=document.owner,
                )
            except VerificationError as error:
                wish = msgspec.json.encode({"action": request.action, "ids": request.ids}).decode()
                self._report(UnverifiedEdit(document.format, version.digest, wish, str(error)))
                raise
            change = Change()
            if resolution.resolved:
                change = await self._new_version(document, version, target, resolution.state)
        body = Resolved(
            document_id=document.id,
            action=request.action,
            resolved=resolution.resolved,
            version=_number(document, change),
            expires_at=_expiry(document, change),
        )
        changes = "change" if resolution.resolved == 1 else "changes"
        summary = f"{resolution.resolved} {changes} {request.action}ed"
        state: OperationState = "applied" if resolution.resolved else "unchanged"
        return Work(_outcome(state, encode(body), summary=summary), change, document.version)

    async def _move(self, operation: Operation, document: Document, version: Version) -> Work:
        number = version.back if operation.kind == "undo" else version.forward
        target = None if number is None else await self._documents.version(document.id, number)
        change = Change()
        summary = f"There is nothing to {operation.kind}"
        if target is not None:
            is_undo = operation.kind == "undo"
            moved = Version(
                number=document.version + 1,
                blob=target.blob,
                size=target.size,
                digest=target.digest,
                state=target.state,
                back=target.back if is_undo else version.number,
                forward=version.number if is_undo else target.forward,
            )
            change = Change(moved, self._clock.now() + document.ttl_seconds)
            summary = "Undone" if is_undo else "Redone"
        body = Moved(
            document_id=document.id,
            applied=target is not None,
            version=_number(document, change),
            summary=summary,
            expires_at=_expiry(document, change),
        )
        state: OperationState = "unchanged" if target is None else "applied"
        return Work(_outcome(state, encode(body), summary=summary), change, document.version)

    async def _new_version(
        self, document: Document, version: Version, scratch: Path, state: bytes
    ) -> Change:
        number = document.version + 1
        # The random part keeps a second attempt apart from what a first one may have left.
        blob = f"{number}-{secrets.token_hex(6)}"
        kept = await self._files.keep(scratch, f"{document.id}/{blob}")
        new = Version(
            number=number,
            blob=blob,
            size=kept.size,
            digest=kept.digest,
            state=state,
            back=version.number,
        )
        own = await self._keys.quota(document.owner)
        size = self._most_bytes if own is None else own.size
        quota = Quota(size=size)  # a new version is no new document
        return Change(new, self._clock.now() + document.ttl_seconds, quota=quota)

    def _unchanged(
        self,
        edit: _Edit,
        reason: str,
        planned: Planned,
        revisions: tuple[Revision, ...] = (),
        *,
        is_trial: bool = False,
    ) -> Work:
        is_trial = is_trial or edit.request.dry_run
        body = self._edited(edit, reason, planned, Change(), revisions, is_trial=is_trial)
        state: OperationState = "done" if is_trial else "unchanged"
        warnings, is_final = planned.warnings, not is_trial
        return Work(_outcome(state, body, final=is_final, summary=reason, warnings=warnings))

    def _edited(
        self,
        edit: _Edit,
        summary: str,
        planned: Planned,
        change: Change,
        revisions: tuple[Revision, ...],
        *,
        is_trial: bool = False,
    ) -> bytes:
        body = Edited(
            edit_uid=edit.request.edit_uid,
            edit_applied=change.version is not None,
            time_to_edit=round(self._clock.monotonic() - edit.started, 6),
            document_name=edit.document.name,
            document_id=edit.document.id,
            summary=summary,
            warnings=list(planned.warnings),
            revisions=[change_item(revision) for revision in revisions],
            version=_number(edit.document, change),
            expires_at=_expiry(edit.document, change),
            dry_run=True if is_trial else msgspec.UNSET,
            review=review_item(edit.document.name, planned.findings),
        )
        return encode(body)

    def _keep(self, edit: _Edit, planned: Planned) -> None:
        """Keeps a plan that a person is asked about: what is shown is what is then made."""
        self._shown_plans[edit.asked] = planned
        while len(self._shown_plans) > MOST_SHOWN:
            del self._shown_plans[next(iter(self._shown_plans))]

    def _progress(self, operation: Operation, note: str) -> None:
        event = Event("progress", operation.document, operation.kind, operation.uid, note)
        self._announce(event)


def _playbook_in(request: EditRequest) -> Playbook | None:
    if not request.playbook:
        return None
    return Playbook(read_playbook(request.playbook), request.comment_only)


def _of_version(error: AmbiguousError, version: int) -> AmbiguousError:
    """Returns the error with candidates whose places say of which version they are."""
    candidates = tuple(
        replace(candidate, place=f"{version}:{candidate.place}") for candidate in error.candidates
    )
    return AmbiguousError(error.message, candidates, error.count)


def _places_in(request: EditRequest, document: Document) -> tuple[str, ...]:
    """Returns the chosen places as the engine names them.

    Raises:
        StaleVersionError: they are places of another version.
    """
    places: list[str] = []
    for place in request.places:
        version, _, name = place.partition(":")
        if int(version) != document.version:
            raise StaleVersionError(int(version), document.version)
        places.append(name)
    return tuple(places)


def read_body(
    request: ReadRequest,
    document: Document,
    version: Version,
    reading: StoredReading,
    seconds: float,
) -> bytes:
    """Writes the answer to a read."""
    return encode(
        ReadOut(
            read_uid=request.read_uid,
            markdown=reading.markdown,
            time_to_generate=round(seconds, 6),
            document_name=document.name,
            document_id=document.id,
            view=request.view,
            version=version.number,
            notices=notice_items(reading.notices),
        )
    )


def _outcome(
    state: OperationState,
    body: bytes,
    *,
    final: bool = True,
    summary: str = "",
    warnings: tuple[str, ...] = (),
) -> Outcome:
    return Outcome(state, OK, body, final, summary, warnings)


def _number(document: Document, change: Change) -> int:
    return document.version if change.version is None else change.version.number


def _expiry(document: Document, change: Change) -> str:
    return iso(document.expires_at if change.expires_at is None else change.expires_at)
