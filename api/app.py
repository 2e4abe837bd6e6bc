"""Puts the service together: parts, routes, and what happens at start and stop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from litestar import Litestar, Response
from litestar.config.cors import CORSConfig
from litestar.di import Provide
from litestar.types import ASGIApp, Receive, Scope, Send

from redraft.api.administration import Administration
from redraft.api.auth.api_keys import Authenticator
from redraft.api.auth.presign import Presigner
from redraft.api.auth.revoked_keys import keep
from redraft.api.clock import SET_BACK_SECONDS, Clock, DatabaseClock, SteadyClock
from redraft.api.context import ServiceContext
from redraft.api.downloads import Downloads
from redraft.api.errors import DownloadError, ServiceError, WorkerError, refusal
from redraft.api.events import Broadcaster
from redraft.api.expiry import Sweeper
from redraft.api.files.protocol import FileStore
from redraft.api.http_server.middleware import Middleware
from redraft.api.http_server.rate_limits import RequestLimiter
from redraft.api.logs import error_origin, logger_for
from redraft.api.metadata.protocol import Limits, Metadata, MetadataError, Note
from redraft.api.metrics import Metrics
from redraft.api.operations.execution import Execution
from redraft.api.operations.mailbox import Event, EventKind, Mailbox, Troubles, storage_error
from redraft.api.operations.planner import Planner
from redraft.api.operations.prices import Prices
from redraft.api.operations.renditions import Renditions
from redraft.api.routes import administration, document_edits, documents, downloads, status
from redraft.api.routes.answers import JSON, Dependencies, HttpRequest
from redraft.api.routes.methods import options
from redraft.api.sandbox.fair_slots import FairSlots
from redraft.api.sandbox.workers import Workers
from redraft.api.service import Service
from redraft.api.settings import SettingError, Settings, variable
from redraft.api.stores import open_stores
from redraft.api.tracing import NO_TRACES, Tracing
from redraft.engine.planner.captions import Captioner

if TYPE_CHECKING:
    from redraft.api.auth.openid import Tokens

UNCONFINED = (
    "worker processes can reach the network or other files of this user, and "
    f"{variable('confinement')} is `require`; `redraft doctor` says what is missing"
)
UPLOADS_AT_ONCE = 16
"""Each holds up to 10 MiB of memory."""
UPLOADS_WAITING = 64
"""Uploads of one key that may wait."""
ROUTES = (
    documents.upload,
    documents.listed,
    documents.exists,
    documents.link,
    documents.history,
    documents.undo,
    documents.redo,
    documents.remove,
    documents.events,
    document_edits.edit,
    document_edits.cancel,
    document_edits.read,
    documents.compare,
    document_edits.text_of,
    document_edits.write_text,
    document_edits.blocks,
    document_edits.changes,
    document_edits.comments,
    document_edits.resolve,
    downloads.download,
    downloads.stored,
    administration.keys,
    administration.make_key,
    administration.close_key,
    administration.set_quota,
    administration.drop_quota,
    administration.hold_of_key,
    administration.release_of_key,
    administration.hold,
    administration.release,
    administration.documents,
    administration.remove,
    administration.sweeps,
    administration.sweep,
    status.health,
    status.ready,
    status.exposed_metrics,
    status.schema_page,
    status.schema,
)
MOUNTED = "/mcp"
Mount: TypeAlias = "Callable[[Application], AbstractAsyncContextManager[ASGIApp]]"
log = logger_for("redraft.app")


@dataclass(frozen=True, slots=True)
class Externals:
    """What comes from outside the service, so that tests can put others in."""

    workers: Workers
    planner: Planner
    clock: Clock
    models: tuple[str, ...] = ()
    """The names of the language models to ask: the ordinary one, the large one."""
    mount: Mount | None = None
    """What else is served, below `MOUNTED`; None for nothing."""
    tracing: Tracing = NO_TRACES
    captioner: Captioner | None = None
    """Describes pictures; None without a model that sees."""


class Application:
    """The running service: parts, an ASGI application over them, start and stop."""

    def __init__(
        self,
        settings: Settings,
        metadata: Metadata,
        files: FileStore,
        externals: Externals,
        clock: SteadyClock,
        shared_clock: DatabaseClock | None = None,
    ) -> None:
        self._shared_clock = shared_clock
        files, externals = _traced(files, replace(externals, clock=clock))
        self.clock = clock
        self._metadata = metadata
        self.broadcaster = Broadcaster(externals.clock)
        metrics = Metrics(
            externals.clock, externals.workers.stops, Prices(settings), self._troubles
        )
        renditions = Renditions(
            files, metadata.documents, externals.workers, settings, externals.captioner
        )
        self._captions = renditions.captions
        self._forget = renditions.announce
        self._hearing: set[asyncio.Task[None]] = set()
        counted = _all(metrics.announce, self._tell_others)
        tell = _all(self.broadcaster.announce, renditions.announce, counted)
        context = _context(settings, metadata, files, renditions, externals, clock, metrics, tell)
        self.mailbox, self.presigner = context.mailbox, context.presigner
        self._workers = externals.workers
        self._requires_confinement = settings.confinement == "require"
        sweeping = (metadata, files, context.mailbox, tell, clock, settings.sweep_seconds)
        self._sweeper = Sweeper(*sweeping, self._before_sweep, metrics.swept)
        self.service = Service(context)
        self.authenticator = _authenticator(settings, metadata, clock)
        self.downloads = Downloads(context, self.authenticator)
        self.settings, self.models = settings, externals.models
        dependencies = self._dependencies(context, metrics)
        self._routes = _litestar(dependencies, settings)
        self._mounted: ASGIApp | None = None
        self.asgi: ASGIApp = Middleware(
            self._routed,
            self.authenticator,
            _limiter(metadata, clock, settings.requests_per_minute),
            metrics,
            externals.tracing,
            has_preflights=bool(settings.cors_origins),
        )
        self._tasks: list[asyncio.Task[None]] = []

    def _dependencies(self, context: ServiceContext, metrics: Metrics) -> Dependencies:
        return Dependencies(
            self.service,
            self.downloads,
            self.settings,
            self.broadcaster,
            self.authenticator,
            metrics,
            FairSlots(UPLOADS_AT_ONCE, UPLOADS_WAITING),
            Administration(context, self.service, self.sweep, lambda: self._sweeper.sweeps),
        )

    def _troubles(self) -> Troubles:
        return self.mailbox.troubles

    def mount(self, mounted: ASGIApp) -> None:
        """Serves something else below `MOUNTED`, behind the same gate."""
        self._mounted = mounted

    async def _routed(self, scope: Scope, receive: Receive, send: Send) -> None:
        mounted = self._mounted
        if mounted is not None and f"{scope['path']}/".startswith(f"{MOUNTED}/"):
            cast(dict[str, Any], scope)["path_template"] = MOUNTED
            await mounted(scope, receive, send)
        else:
            await self._routes(scope, receive, send)

    async def start(self) -> None:
        """Gets workers ready, takes up what was left, and begins to sweep."""
        await self._workers.start()
        if self._requires_confinement and not self._workers.is_confined:
            raise WorkerError(UNCONFINED)
        await self.presigner.prepare()
        # In this order: a sweep would wake operations that are still marked as running.
        await self.mailbox.recover()
        await self.sweep()
        self._tasks = [
            asyncio.create_task(self._sweeper.run()),
            asyncio.create_task(self.mailbox.run()),
            asyncio.create_task(self._metadata.channel.run(self._hear)),
        ]

    def _tell_others(self, event: Event) -> None:
        # Only words of ours go along; a summary may quote a document, and is looked up.
        text = event.note if event.kind == "progress" else ""
        note = Note(event.document, event.kind, event.operation, event.uid, text)
        self._metadata.channel.publish(note)

    def _hear(self, note: Note) -> None:
        """Passes on what another process tells."""
        self.mailbox.hear(note.document)
        task = asyncio.create_task(self._pass_on(note))
        self._hearing.add(task)
        task.add_done_callback(self._hearing.discard)

    async def _pass_on(self, note: Note) -> None:
        event = Event(
            cast(EventKind, note.kind), note.document, note.operation, note.uid, note.text
        )
        self._forget(event)
        if not self.broadcaster.is_watched(note.document):
            return
        if note.operation is not None and note.kind in ("applied", "unchanged", "failed"):
            with contextlib.suppress(MetadataError):  # then it is told without its summary
                ended = await self._metadata.operations.find(
                    note.document, note.operation, note.uid
                )
                event = replace(event, note="" if ended is None else ended.summary)
        self.broadcaster.announce(event)

    async def sweep(self) -> None:
        """Deletes what has expired, now."""
        await self._sweeper.sweep()

    async def _before_sweep(self) -> None:
        await self._follow_clock()
        await keep(self._metadata.keys, self.settings.data_dir, self.clock.now())

    async def _follow_clock(self) -> None:
        """Goes back to the time of a wall clock that was set back, with all that is kept."""
        if self._shared_clock is not None:
            await self._shared_clock.follow()
            return
        behind = self.clock.behind
        if behind > SET_BACK_SECONDS:
            log.warning("the clock was set back; times are moved with it", seconds=behind)
            await self._metadata.keys.set_back(self.clock.now() - behind, behind)
            self.clock.follow()
            await self.presigner.prepare()

    async def drain(self) -> None:
        """Takes no more work, and gives what runs its time."""
        self.broadcaster.close()
        await self.mailbox.drain(self.settings.drain_seconds)

    async def stop(self) -> None:
        """Ends sweeping and the workers."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._captions.stop()
        await self._workers.stop()


@asynccontextmanager
async def running(settings: Settings, externals: Externals) -> AsyncGenerator[Application]:
    """Opens the stores and runs the service on it; everything is closed at the end.

    Raises:
        MetadataError: the database cannot be opened.
    """
    async with open_stores(settings, externals.clock) as stores:
        application = Application(
            settings,
            stores.metadata,
            stores.files,
            externals,
            stores.clock,
            stores.shared_clock,
        )
        try:
            await application.start()
            async with _mounting(application, externals.mount):
                yield application
        finally:
            await application.drain()
            await application.stop()
            await _mark(stores.metadata, stores.clock)
            await asyncio.to_thread(externals.tracing.close)


@asynccontextmanager
async def _mounting(application: Application, mount: Mount | None) -> AsyncGenerator[None]:
    if mount is None:
        yield
        return
    async with mount(application) as mounted:
        application.mount(mounted)
        yield


async def _mark(metadata: Metadata, clock: Clock) -> None:
    """Notes the time: what has expired stays so, also when the clock is set back before a start."""
    try:
        await metadata.keys.mark(clock.now())
    except MetadataError as error:  # the volume is full, and what was answered is safe
        log.warning("the time of the stop could not be noted", origin=error_origin(error))


def _traced(files: FileStore, externals: Externals) -> tuple[FileStore, Externals]:
    tracing = externals.tracing
    return tracing.files(files), replace(externals, workers=tracing.workers(externals.workers))


def _authenticator(settings: Settings, metadata: Metadata, clock: Clock) -> Authenticator:
    tokens = _tokens(settings, clock)
    return Authenticator(metadata.keys, settings.api_keys, clock, tokens)


def _tokens(settings: Settings, clock: Clock) -> Tokens | None:
    """Returns what reads tokens of the issuer that is trusted; None where none is.

    Raises:
        SettingError: one is, and what it needs is not installed.
    """
    if not settings.openid_issuer:
        return None
    try:
        from redraft.api.auth.openid import Rules, Tokens  # brings what is not everywhere
    except ImportError as error:
        message = f"{variable('openid_issuer')} needs more packages; install redraft[openid]"
        raise SettingError(message) from error
    rules = Rules(
        settings.openid_issuer,
        settings.openid_audience,
        settings.openid_algorithm,
        settings.openid_owner_claim,
        settings.openid_role_claim,
    )
    return Tokens(rules, clock)


def _limiter(metadata: Metadata, clock: Clock, limit: int) -> RequestLimiter:
    shared = metadata.keys if metadata.operations.is_shared else None
    return RequestLimiter(clock, limit, shared)


def _context(
    settings: Settings,
    metadata: Metadata,
    files: FileStore,
    renditions: Renditions,
    externals: Externals,
    clock: SteadyClock,
    metrics: Metrics,
    tell: Callable[[Event], None],
) -> ServiceContext:
    workers = externals.workers
    presigner = Presigner(metadata.keys, clock)
    execution = Execution(
        metadata,
        files,
        renditions,
        workers,
        externals.tracing.planning(metrics.planning(externals.planner)),
        presigner,
        clock,
        settings,
        tell,
        metrics.unverified,
    )
    mailbox = Mailbox(
        metadata.operations,
        clock,
        metrics.executing(externals.tracing.executing(execution)),
        tell,
        Limits(settings.queue_limit, settings.pending_per_key),
        settings.lease_seconds,
    )
    return ServiceContext(
        metadata,
        files,
        workers,
        renditions,
        mailbox,
        presigner,
        clock,
        settings,
        externals.models,
    )


def _all(*hearers: Callable[[Event], None]) -> Callable[[Event], None]:
    def tell(event: Event) -> None:
        for hearer in hearers:
            hearer(event)

    return tell


def _litestar(dependencies: Dependencies, settings: Settings) -> Litestar:
    cors = CORSConfig(allow_origins=list(settings.cors_origins)) if settings.cors_origins else None
    return Litestar(
        route_handlers=(*options(ROUTES), *ROUTES),
        # One and no more: several are looked up by tasks of their own, at every request.
        dependencies={"dependencies": Provide(lambda: dependencies, sync_to_thread=False)},
        exception_handlers={Exception: _answered},
        openapi_config=None,
        cors_config=cors,
        logging_config=None,
        debug=False,
    )


def _answered(request: HttpRequest, error: Exception) -> Response[bytes]:
    """Answers an exception: the one place where an error becomes a body."""
    if isinstance(error, MetadataError):
        log.error("the database failed", origin=error_origin(error))
        error = storage_error(error)
    if isinstance(error, DownloadError):
        log.error("a download failed", origin=error_origin(error))
    answer = refusal(error)
    if answer.status >= 500 and not isinstance(error, ServiceError):
        log.error("unexpected error", origin=error_origin(error))
    return Response(
        b"" if request.method == "HEAD" else answer.body,
        status_code=answer.status,
        media_type=JSON,
        headers=dict(answer.headers),
    )
