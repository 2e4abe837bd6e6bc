"""Each measure of the security list taken out, for the tests that show what then goes wrong.

`tests.interface.staged_server --without NAME` takes one out of a service before it starts. Where a
measure is that something is never done, taking it out means doing it.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import urllib.request
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import openai
from litestar.types import Receive, Scope, Send

import redraft.api.auth.api_keys
import redraft.api.auth.presign
import redraft.api.context
import redraft.api.http_server.middleware
import redraft.api.requests.filenames
import redraft.api.routes.document_edits
import redraft.api.sandbox.workers
import redraft.engine.archive
import redraft.engine.docx.opc.package
import redraft.engine.formats
import redraft.engine.pdf.mupdf
import redraft.engine.planner.planning
import redraft.engine.planner.wire
from redraft.api.auth.presign import Presigner
from redraft.api.files.local import LocalFiles
from redraft.api.http_server.http_connection import HttpConnection
from redraft.api.http_server.rate_limits import RequestLimiter
from redraft.api.metadata import database
from redraft.api.metadata.keys import Key
from redraft.api.metadata.protocol import Quota
from redraft.api.metadata.sqlite import SqliteDocuments
from redraft.api.metadata.sqlite_keys import SqliteKeys
from redraft.api.operations.execution import Execution
from redraft.api.sandbox.workers import WorkerProcesses
from redraft.api.service import Service
from redraft.api.settings import Settings
from redraft.engine import editor
from redraft.engine.report import Inspection, Reading, StoredVersion

PLENTY = 1 << 40


def _replace(owner: object, name: str, value: Any) -> None:
    setattr(owner, name, value)


def _always(value: object) -> Callable[..., Any]:
    def give(*_: Any) -> Any:
        return value

    return give


def _as_given(text: str) -> str:
    return text


def _archives_have_no_limits() -> None:
    for name in ("MAX_MEMBERS", "MAX_TOTAL", "MAX_RATIO"):
        _replace(redraft.engine.archive, name, PLENTY)


def _a_member_is_as_long_as_it_says() -> None:
    def inflate(raw: bytes, _member: object) -> bytes:
        return zlib.decompress(raw, -zlib.MAX_WBITS)

    _replace(redraft.engine.archive, "_inflate", inflate)


def _document_types_are_read() -> None:
    _replace(redraft.engine.docx.opc.package, "_check_prolog", _always(None))


def _before_inspection(act: Callable[[Path], object]) -> None:
    inspect = editor.inspect

    def acting(source: Path, name: str) -> Inspection:
        act(source)
        return inspect(source, name)

    _replace(editor, "inspect", acting)


def _members_are_unpacked() -> None:
    def unpack(source: Path) -> None:
        with zipfile.ZipFile(source) as archive:
            for member in archive.infolist():
                with contextlib.suppress(OSError, ValueError):
                    (source.parent / member.filename).write_bytes(archive.read(member))

    _before_inspection(unpack)


def _names_are_taken_as_given() -> None:
    _replace(redraft.api.requests.filenames, "cleaned", _as_given)


def _names_stand_in_headers_as_given() -> None:
    _names_are_taken_as_given()

    def disposition(name: str) -> str:
        return f"attachment; filename={name}"

    _replace(redraft.api.requests.filenames, "disposition", disposition)


def _any_main_part_will_do() -> None:
    kept = tuple((kind, "") for kind, _ in redraft.engine.formats._REFUSED_MAIN)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    _replace(redraft.engine.formats, "_REFUSED_MAIN", kept)


def _targets_are_fetched() -> None:
    read = editor.read

    def fetching(version: StoredVersion, *rest: Any) -> Reading:
        with zipfile.ZipFile(version.path) as archive:
            for name in archive.namelist():
                for address in re.findall(rb'Target="(http[^"]+)"', archive.read(name)):
                    with contextlib.suppress(OSError):
                        urllib.request.urlopen(address.decode(), timeout=5).close()  # noqa: S310 - what must not be done
        return read(version, *rest)

    _replace(editor, "read", fetching)


def _programs_are_run() -> None:
    _before_inspection(lambda _: subprocess.Popen(["sleep", "5"]))


def _any_pdf_will_do() -> None:
    _replace(redraft.engine.pdf.mupdf, "_refuse", _always(None))


def _unknown_operations_are_made_something_of() -> None:
    reply = redraft.engine.planner.wire._reply  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]

    def lenient(text: str) -> object:
        fields = msgspec.json.decode(text)
        for operation in fields.get("operations", []):
            code = operation.pop("code", None)
            if code is not None:
                changed = {"op": "replace_text", "find": "forty", "occurrence": None}
                operation.update(changed, replace=code)
        return reply(msgspec.json.encode(fields).decode())

    _replace(redraft.engine.planner.wire, "_reply", lenient)


def _a_plan_names_its_author() -> None:
    apply = Execution._apply  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]

    async def as_mallory(self: Execution, edit: Any, *rest: Any) -> Any:
        document = replace(edit.document, author="Mallory")
        return await apply(self, replace(edit, document=document), *rest)

    _replace(Execution, "_apply", as_mallory)


def _links_lead_anywhere() -> None:
    _replace(redraft.engine.planner.planning, "unlawful", _always([]))


def _far_reaching_plans_are_carried_out() -> None:
    _replace(redraft.engine.planner.planning, "extent", _always(""))


def _the_model_is_told_which_document() -> None:
    async def nonce(_: Presigner, document: str) -> str:
        return document

    _replace(Presigner, "nonce", nonce)


def _redirects_are_followed() -> None:
    client: Any = openai.DefaultAsyncHttpxClient

    def following(**options: Any) -> Any:
        return client(**{**options, "follow_redirects": True})

    _replace(openai, "DefaultAsyncHttpxClient", following)


def _keys_are_kept_as_they_are() -> None:
    _replace(redraft.api.auth.api_keys, "_digest", _as_given)


def _keys_never_end() -> None:
    _replace(Key, "is_valid", _always(True))


def _only_the_newest_key_signs() -> None:
    signing = SqliteKeys.signing

    async def newest(self: SqliteKeys) -> object:
        return (await signing(self))[:1]

    _replace(SqliteKeys, "signing", newest)


def _signatures_are_not_compared() -> None:
    hmac: Any = redraft.api.auth.presign.hmac
    lax = SimpleNamespace(digest=hmac.digest, new=hmac.new, compare_digest=_always(True))
    _replace(redraft.api.auth.presign, "hmac", lax)


def _everybody_sees_everything() -> None:
    _replace(redraft.api.context.ServiceContext, "_is_visible", _always(True))


def _the_log_says_what_was_asked() -> None:
    def route(scope: Scope) -> str:
        return scope["path"]

    _replace(redraft.api.http_server.middleware, "_route", route)


def _bodies_are_read_first() -> None:
    passing = redraft.api.http_server.middleware.Middleware._pass  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]

    async def reading(
        self: redraft.api.http_server.middleware.Middleware,
        scope: Scope,
        receive: Receive,
        send: Send,
    ) -> None:
        while (await receive()).get("more_body"):
            pass
        await passing(self, scope, receive, send)  # pyright: ignore[reportArgumentType]

    _replace(redraft.api.http_server.middleware.Middleware, "_pass", reading)


def _bodies_may_take_for_ever() -> None:
    async def patient(request: Any, _seconds: float) -> bytes:
        return await request.body()

    _replace(redraft.api.routes.document_edits, "body_of", patient)


def unconfined(*_: object) -> None:
    """What a worker does at its start when nothing is taken from it."""


def _workers_are_not_confined() -> None:
    _replace(redraft.api.sandbox.workers, "confine", unconfined)


def _workers_inherit_the_environment() -> None:
    _replace(redraft.api.sandbox.workers, "KEPT_VARIABLES", tuple(os.environ))
    _workers_are_not_confined()


def _calls_may_take_for_ever() -> None:
    call = WorkerProcesses.call

    async def patient(self: WorkerProcesses, *given: Any, seconds: float, owner: str = "") -> Any:
        del seconds
        return await call(self, *given, seconds=3600, owner=owner)

    _replace(WorkerProcesses, "call", patient)


def _the_disk_is_never_full() -> None:
    async def free(_: LocalFiles) -> int:
        return PLENTY

    _replace(LocalFiles, "free", free)


def _keys_hold_what_they_like() -> None:
    async def check(*_: object) -> None:
        pass

    _replace(Service, "_check_room", check)
    _replace(Quota, "is_exceeded", _always(False))


def _no_connection_makes_room() -> None:
    _replace(HttpConnection, "is_idle", property(_always(False)))


def _requests_are_not_counted() -> None:
    async def uncounted(*_: object) -> tuple[()]:
        return ()

    _replace(RequestLimiter, "count", uncounted)


def _traces_are_left() -> None:
    async def wipe(_: SqliteDocuments) -> None:
        pass

    _replace(SqliteDocuments, "wipe", wipe)


def _deleted_rows_are_not_overwritten() -> None:
    pragmas = database._pragmas  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]

    def lax(durability: Any) -> tuple[str, ...]:
        return tuple(
            pragma.replace("secure_delete=ON", "secure_delete=OFF")
            for pragma in pragmas(durability)
        )

    _replace(database, "_pragmas", lax)


def _anybody_may_be_let_in() -> None:
    _replace(Settings, "is_loopback", property(_always(True)))


TAKEN_OUT: dict[str, Callable[[], None]] = {
    "archives have no limits": _archives_have_no_limits,
    "a member is as long as it says": _a_member_is_as_long_as_it_says,
    "document types are read": _document_types_are_read,
    "members are unpacked": _members_are_unpacked,
    "names are taken as given": _names_are_taken_as_given,
    "names stand in headers as given": _names_stand_in_headers_as_given,
    "any main part will do": _any_main_part_will_do,
    "targets are fetched": _targets_are_fetched,
    "programs are run": _programs_are_run,
    "any pdf will do": _any_pdf_will_do,
    "unknown operations are made something of": _unknown_operations_are_made_something_of,
    "a plan names its author": _a_plan_names_its_author,
    "links lead anywhere": _links_lead_anywhere,
    "far reaching plans are carried out": _far_reaching_plans_are_carried_out,
    "the model is told which document": _the_model_is_told_which_document,
    "redirects are followed": _redirects_are_followed,
    "keys are kept as they are": _keys_are_kept_as_they_are,
    "keys never end": _keys_never_end,
    "only the newest key signs": _only_the_newest_key_signs,
    "signatures are not compared": _signatures_are_not_compared,
    "everybody sees everything": _everybody_sees_everything,
    "the log says what was asked": _the_log_says_what_was_asked,
    "bodies are read first": _bodies_are_read_first,
    "bodies may take for ever": _bodies_may_take_for_ever,
    "workers are not confined": _workers_are_not_confined,
    "workers inherit the environment": _workers_inherit_the_environment,
    "calls may take for ever": _calls_may_take_for_ever,
    "the disk is never full": _the_disk_is_never_full,
    "keys hold what they like": _keys_hold_what_they_like,
    "requests are not counted": _requests_are_not_counted,
    "traces are left": _traces_are_left,
    "deleted rows are not overwritten": _deleted_rows_are_not_overwritten,
    "no connection makes room for another": _no_connection_makes_room,
    "anybody may be let in": _anybody_may_be_let_in,
}


def take_out(name: str) -> None:
    """Take a measure out of this process; the empty name takes out nothing."""
    if name:
        TAKEN_OUT[name]()
