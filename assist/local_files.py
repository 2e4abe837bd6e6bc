"""`redraft mcp` on standard input and output: the tools over files of this machine.

The service runs in this process, on a private folder that goes with it. What a crash leaves behind
goes at the next start.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO
from uuid import uuid4

import anyio
import platformdirs
from mcp.server.stdio import stdio_server

from redraft.api.app import running
from redraft.api.auth.api_keys import Caller
from redraft.api.logs import start_logging
from redraft.api.sandbox.system_calls import hide
from redraft.api.serve import LOCK_FILE, is_taken, shipped, take_folder
from redraft.api.service import Upload
from redraft.api.settings import load
from redraft.assist import shapes
from redraft.assist.calls import Calls, Parts
from redraft.assist.protocol_server import (
    Call,
    Context,
    ProtocolServer,
    ToolEntry,
    shared_entries,
)
from redraft.assist.roots import LocalFile, Roots

LIFETIME = 365 * 86_400
"""Seconds that a document is kept; it goes with the server."""
ABANDONED_SECONDS = 3600
CALLER = Caller("local", "local")
DONE, FAILED = 0, 1
WRITING = ("edit", "resolve", "undo", "save")


@dataclass(frozen=True, slots=True)
class LocalOptions:
    """What `redraft mcp` was told."""

    roots: tuple[Path, ...]
    author: str
    reads_only: bool


class LocalDocuments:
    """Opens and saves local files for tools."""

    def __init__(self, roots: Roots, options: LocalOptions) -> None:
        self._roots = roots
        self._options = options
        self._opened: dict[str, LocalFile] = {}

    async def open(self, call: Call) -> shapes.Opened:
        """Copies a file into the service."""
        given: shapes.OpenFile = call.given
        file = await asyncio.to_thread(self._roots.read, given.path)
        upload = Upload(
            name=Path(given.path).name,
            data=file.data,
            ttl_seconds=LIFETIME,
            return_markdown=False,
            tracked=given.tracked,
            author=given.author or self._options.author or "Assistant",
            uid=str(uuid4()),
        )
        uploaded = await call.calls.parts.service.upload(CALLER.owner, upload)
        self._opened[uploaded.doc_id] = file
        return await call.calls.described(uploaded.doc_id, uploaded.warnings)

    async def save(self, call: Call) -> shapes.Saved:
        """Writes a copy to a file."""
        given: shapes.Save = call.given
        _, data = await call.calls.file(given.document, given.view)
        opened = self._opened.get(given.document.lower())
        saved = await asyncio.to_thread(
            self._roots.write, given.path, data, overwrite=given.overwrite, opened=opened
        )
        if opened is not None and saved.place == opened.place:
            self._opened[given.document.lower()] = saved
        return shapes.Saved(given.path, len(data), saved.digest)


def entries_of(files: LocalDocuments, options: LocalOptions, *, has_model: bool) -> list[ToolEntry]:
    """Returns the tools over local files."""
    entries = [
        ToolEntry(
            "open",
            "Open a .docx or .pdf by its path. Gives its id and outline; the file is not touched.",
            shapes.OpenFile,
            shapes.Opened,
            files.open,
            reads_only=True,
        ),
        *shared_entries(has_model=has_model, is_cancelled=lambda _: True),
        ToolEntry(
            "save",
            "Write a copy: with the changes marked (redline), accepted (clean), or as it was.",
            shapes.Save,
            shapes.Saved,
            files.save,
            destroys=True,
            idempotent=True,
        ),
    ]
    return [entry for entry in entries if not (options.reads_only and entry.name in WRITING)]


def serve_local(options: LocalOptions, environment: Mapping[str, str]) -> int:
    """Serves one client on standard input and output until it leaves.

    Raises:
        PathError: A root cannot be used.
        SettingError: A setting is wrong.
    """
    start_logging("console", "error")
    logging.getLogger("mcp").setLevel(logging.CRITICAL)  # it quotes what it was sent
    hide()
    roots = Roots(options.roots)
    home = Path(platformdirs.user_state_dir("redraft", appauthor=False)) / "mcp"
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    _clear(home)
    folder = home / uuid4().hex
    streams = _claimed()
    with take_folder(folder):
        try:
            code = asyncio.run(_serve(folder, streams, roots, options, environment))
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    return code


def _claimed() -> tuple[TextIO, TextIO]:
    """Takes standard input and output for the protocol alone.

    What a library prints goes to standard error, in this process and in those that it starts.
    """
    reader = os.fdopen(os.dup(0), "r", encoding="utf-8", errors="replace")
    writer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return reader, writer


def _clear(home: Path) -> None:
    """Removes the folders of servers that are no more."""
    for folder in home.iterdir():
        has_lock = (folder / LOCK_FILE).exists()
        age = time.time() - folder.stat().st_mtime
        if (has_lock and not is_taken(folder)) or (not has_lock and age > ABANDONED_SECONDS):
            shutil.rmtree(folder, ignore_errors=True)


async def _serve(
    folder: Path,
    streams: tuple[TextIO, TextIO],
    roots: Roots,
    options: LocalOptions,
    environment: Mapping[str, str],
) -> int:
    settings = load(environment, {"data_dir": str(folder), "drain_seconds": "0"})
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    externals = shipped(settings, environment)
    entries = entries_of(LocalDocuments(roots, options), options, has_model=bool(externals.models))
    ready: asyncio.Future[Calls] = asyncio.get_running_loop().create_future()

    async def calls_for(_: Context) -> Calls:
        return await asyncio.shield(ready)

    # It speaks while the workers start: a client lists the tools first, which needs none of them.
    speaking = asyncio.create_task(_speak(ProtocolServer(entries, calls_for), streams))
    stopping = asyncio.create_task(stopped.wait())
    async with running(settings, externals) as application:
        parts = Parts(application.service, application.downloads, application.broadcaster)
        ready.set_result(Calls(parts, CALLER))
        await asyncio.wait((speaking, stopping), return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if not speaking.done():
        # The SDK reads standard input in a thread that nothing can wake: it is not waited for.
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(DONE)
    return DONE if speaking.exception() is None else FAILED


async def _speak(protocol: ProtocolServer, streams: tuple[TextIO, TextIO]) -> None:
    reader, writer = streams
    async with stdio_server(anyio.wrap_file(reader), anyio.wrap_file(writer)) as (
        incoming,
        outgoing,
    ):
        options = protocol.server.create_initialization_options()
        await protocol.server.run(incoming, outgoing, options)
