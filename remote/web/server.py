"""The web server: a page, a web socket for each tab, and the program behind each."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, cast

from aiohttp import WSCloseCode, WSMsgType, web

from redraft.remote.address import unheard
from redraft.remote.program import Program, Start, command_line
from redraft.remote.web.access import NO_TOKEN, Access
from redraft.remote.web.page import SCRIPT, STYLE, headers, page

DONE, WRONG_USE = 0, 2
HOST = "127.0.0.1"
LARGEST = 1 << 20  # characters of one message: a long text that is pasted
BEAT = 20.0  # seconds between questions whether a silent browser is there
LEFT_OUT = ("TMUX", "TMUX_PANE", "STY", "COLUMNS", "LINES", "COLORFGBG")
FULL = "redraft: too many windows are open; close one and try again\r\n"
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class Settings:
    """How the server is run; `server` is a service that runs elsewhere, `command` is for tests."""

    server: str = ""
    key: str = ""
    port: int = 0
    windows: int = 4
    command: Sequence[str] = ()


class Site:
    """The server of one run."""

    def __init__(self, settings: Settings, environment: Mapping[str, str]) -> None:
        """Prepares.

        Args:
            settings: How it is run.
            environment: That of the person who starts it, whose machine and files these are.
        """
        self._settings = settings
        self._start = Start(_command(settings), _surroundings(settings, environment), Path.cwd())
        self._windows: set[web.WebSocketResponse] = set()
        self._runner: web.AppRunner | None = None
        self._access: Access | None = None

    @property
    def access(self) -> Access:
        """Who may come in; known once it listens."""
        assert self._access is not None
        return self._access

    async def open(self) -> str:
        """Listens; returns the address that works once.

        Raises:
            OSError: the port cannot be opened for listening.
        """
        application = web.Application(middlewares=[self._guard])
        application.router.add_get("/", self._enter, allow_head=False)  # a look spends nothing
        application.router.add_get("/page.css", self._style)
        application.router.add_get("/page.js", self._script)
        application.router.add_get("/window/{window}", self._page)
        application.router.add_get("/window/{window}/terminal", self._terminal)
        static = Path(str(resources.files("textual_serve") / "static"))
        application.router.add_static("/static", static)
        application.on_response_prepare.append(self._prepare)
        application.on_shutdown.append(self._shut)
        self._runner = web.AppRunner(application, access_log=None, handle_signals=False)
        await self._runner.setup()
        site = web.TCPSite(self._runner, HOST, self._settings.port)
        await site.start()
        self._access = Access(int(self._runner.addresses[0][1]))
        return self.access.address

    async def close(self) -> None:
        """Closes every window; the programs keep their drafts."""
        if self._runner is not None:
            await self._runner.cleanup()

    async def _shut(self, _: web.Application) -> None:
        for window in list(self._windows):
            await window.close(code=WSCloseCode.GOING_AWAY)

    # Who may come in

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuses other names of this machine, and other pages."""
        is_socket = request.headers.get("Upgrade") is not None
        refusal = self.access.refusal_of_host(request.headers.get("Host"))
        refusal = refusal or self.access.refusal_of_origin(
            request.headers.get("Origin"), is_needed=is_socket
        )
        if refusal:
            return _refused(refusal)
        return await handler(request)

    async def _prepare(self, request: web.Request, response: web.StreamResponse) -> None:
        host = request.headers.get("Host", "")
        allowed_host = "127.0.0.1" if self.access.refusal_of_host(host) else host
        for name, value in headers(allowed_host).items():
            response.headers[name] = value

    async def _enter(self, request: web.Request) -> web.StreamResponse:
        """Spends the token, and go on to the window."""
        refusal = self.access.refusal_of_token(request.query.get("token"))
        if refusal:
            return _refused(refusal)
        return web.Response(status=303, headers={"Location": f"/window/{self.access.window}"})

    async def _style(self, _: web.Request) -> web.StreamResponse:
        return web.Response(text=STYLE, content_type="text/css")

    async def _script(self, _: web.Request) -> web.StreamResponse:
        return web.Response(text=SCRIPT, content_type="text/javascript")

    async def _page(self, request: web.Request) -> web.StreamResponse:
        if not self.access.opens(request.match_info["window"]):
            return _refused(NO_TOKEN)
        socket = f"ws://{request.headers['Host']}{request.path}/terminal"
        return web.Response(text=page(socket), content_type="text/html")

    # The terminal

    async def _terminal(self, request: web.Request) -> web.StreamResponse:
        """Runs a program for a tab, until either of them ends."""
        if not self.access.opens(request.match_info["window"]):
            return _refused(NO_TOKEN)
        if "websocket" not in request.headers.get("Upgrade", "").lower():
            return _refused(NO_TOKEN)
        window = web.WebSocketResponse(heartbeat=BEAT, max_msg_size=LARGEST, compress=False)
        await window.prepare(request)
        if len(self._windows) >= self._settings.windows:
            await window.send_bytes(FULL.encode())
            await window.close()
            return window
        self._windows.add(window)
        try:
            size = _number(request.query.get("width")), _number(request.query.get("height"))
            await _run(window, await Program.start(self._start, size))
        finally:
            self._windows.discard(window)
        return window


async def _run(window: web.WebSocketResponse, program: Program) -> None:
    shown = asyncio.create_task(_show(window, program))
    typed = asyncio.create_task(_type(window, program))
    try:
        await asyncio.wait((shown, typed), return_when=asyncio.FIRST_COMPLETED)
    finally:
        is_left = shown.done()
        for task in (shown, typed):
            task.cancel()
        await asyncio.gather(shown, typed, return_exceptions=True)
        await (program.finish() if is_left else program.end())
        with contextlib.suppress(OSError, RuntimeError):
            await window.close()


async def _show(window: web.WebSocketResponse, program: Program) -> None:
    """Passes on what the program draws, no faster than the browser takes it."""
    while data := await program.read():
        await window.send_bytes(data)


async def _type(window: web.WebSocketResponse, program: Program) -> None:
    """Passes on what is typed, and the size of the window."""
    async for message in window:
        if message.type != WSMsgType.TEXT:
            continue
        kind, value = _decoded(str(message.data))
        if kind == "stdin" and isinstance(value, str):
            await program.write(value.encode("utf-8", "replace"))
        elif kind == "resize" and isinstance(value, dict):
            size = cast("dict[str, object]", value)
            program.resize(_number(size.get("width")), _number(size.get("height")))
        elif kind == "ping" and isinstance(value, str):
            await window.send_json(["pong", value])


def _decoded(text: str) -> tuple[str, object]:
    """Returns what the terminal in the browser says: a kind and a value; odd ones are empty."""
    try:
        decoded: Any = json.loads(text)
        kind, value = decoded if isinstance(decoded, list) and len(decoded) == 2 else ("", None)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    except (ValueError, RecursionError):
        return "", None
    return str(kind), cast("object", value)  # pyright: ignore[reportUnknownArgumentType]


def _number(value: object) -> int:
    """Returns a size; 0 for what is none."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 6:
        return int(value)
    return max(0, value) if isinstance(value, int) else 0


def _refused(words: str) -> web.Response:
    return web.Response(status=403, text=f"{words}\n")


def _command(settings: Settings) -> Sequence[str]:
    if settings.command:
        return settings.command
    words = ["--server", settings.server] if settings.server else []
    return command_line("--reach", "files", *words)


def _surroundings(settings: Settings, environment: Mapping[str, str]) -> Mapping[str, str]:
    kept = {name: value for name, value in environment.items() if name not in LEFT_OUT}
    if settings.key:
        kept["REDRAFT_KEY"] = settings.key
    return {**kept, "TERM": "xterm-256color", "COLORTERM": "truecolor"}


def serve(settings: Settings) -> int:
    """Runs the server until SIGTERM or Ctrl+C."""
    try:
        asyncio.run(_serve(settings))
    except OSError as error:
        words = (
            f"port {settings.port} cannot be opened for listening: {unheard(error)}; omit --port"
        )
        sys.stderr.write(f"redraft: {words}\n")
        return WRONG_USE
    return DONE


async def _serve(settings: Settings) -> None:
    site = Site(settings, os.environ)
    address = await site.open()
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    sys.stderr.write("redraft: open this address in a browser on this machine; it works once\n")
    sys.stdout.write(f"{address}\n")
    sys.stdout.flush()
    await stopping.wait()
    await site.close()
