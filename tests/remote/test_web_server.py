"""The page, its web socket and the program behind it, with a client that can say anything."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from redraft.remote.program import command_line
from redraft.remote.web.server import Settings, Site
from tests.interface.server_process import ServerProcess, wait_for
from tests.remote.conftest import MARKER, PATIENCE, key_of
from tests.remote.test_program import is_running

ROOT = Path(__file__).parents[2]
pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal"),
]


@dataclass
class Opened:
    """A site in this process, and a client."""

    site: Site
    address: str
    client: aiohttp.ClientSession

    @property
    def root(self) -> str:
        return self.address.partition("/?")[0]

    @property
    def socket(self) -> str:
        return f"{self.root}/window/{self.site.access.window}/terminal?width=100&height=30"

    async def get(self, path: str = "", **headers: str) -> tuple[int, str]:
        """Ask for a path, or for the address that was printed."""
        url = f"{self.root}{path}" if path else self.address
        async with self.client.get(url, headers=headers, allow_redirects=False) as answer:
            return answer.status, await answer.text()

    async def connect(self, **headers: str) -> Tab:
        """Open the terminal of a tab."""
        given = {"Origin": self.root, **headers}
        return Tab(await self.client.ws_connect(self.socket, headers=given))


@dataclass
class Tab:
    """The browser's side of a terminal."""

    socket: aiohttp.ClientWebSocketResponse
    seen: bytes = b""

    async def say(self, *said: object) -> None:
        await self.socket.send_str(json.dumps(said))

    async def wait_for(self, wanted: bytes) -> bytes:
        async with asyncio.timeout(PATIENCE):
            while wanted not in self.seen:
                message = await self.socket.receive()
                assert message.type == aiohttp.WSMsgType.BINARY, (message, self.seen[-1000:])
                self.seen += message.data
        return self.seen

    async def end(self) -> int | None:
        """Read to the end; return the code of the close."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await self.socket.receive()
                if message.type != aiohttp.WSMsgType.BINARY:
                    return self.socket.close_code
                self.seen += message.data

    def pid(self) -> int:
        return int(self.seen.partition(b"pid=")[2].split()[0])


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions begin in the current folder, and what runs in them writes there."""
    monkeypatch.chdir(tmp_path)


@asynccontextmanager
async def opened(**settings: Any) -> AsyncGenerator[Opened]:
    given: dict[str, Any] = {"command": MARKER, **settings}
    site = Site(Settings(**given), os.environ)
    address = await site.open()
    async with aiohttp.ClientSession() as client:
        yield Opened(site, address, client)
    await site.close()


async def gone(pid: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while is_running(pid):  # noqa: ASYNC110 - nobody tells when a process has gone
            await asyncio.sleep(0.01)


# Coming in


async def test_the_address_opens_the_window_once() -> None:
    async with opened() as site:
        async with site.client.get(site.address) as answer:
            assert answer.status == 200
            assert answer.url.path == f"/window/{site.site.access.window}"
            assert "textual-terminal" in await answer.text()
        status, words = await site.get()
        assert (status, "works only once" in words) == (403, True)


@pytest.mark.parametrize(
    "path", ["/", "/?token=", "/?token=wrong", "/window/wrong", "/window/wrong/terminal"]
)
async def test_without_the_token_there_is_nothing(path: str) -> None:
    async with opened() as site:
        assert (await site.get(path))[0] == 403
        status, _ = await site.get()
        assert status == 303


async def test_only_opening_the_address_spends_it() -> None:
    async with opened() as site:
        for method in ("HEAD", "POST", "PUT", "OPTIONS"):
            async with site.client.request(method, site.address) as answer:
                assert answer.status == 405
        assert (await site.get())[0] == 303


@pytest.mark.parametrize("path", ["", "/page.css", "/static/js/textual.js"])
@pytest.mark.parametrize(
    "headers",
    [{"Host": "evil.example"}, {"Host": "127.0.0.1:1"}, {"Origin": "http://evil.example"}],
)
async def test_another_name_or_another_page_gets_nothing_and_spends_nothing(
    path: str, headers: dict[str, str]
) -> None:
    async with opened() as site:
        status, words = await site.get(path, **headers)
        assert status == 403
        assert len(words) < 200
        assert (await site.get())[0] == 303


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Host": "evil.example"},
    ],
)
async def test_a_web_socket_from_elsewhere_is_refused(headers: dict[str, str]) -> None:
    async with opened() as site:
        with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
            await site.connect(**headers)
        assert caught.value.status == 403


async def test_a_web_socket_without_an_origin_is_refused() -> None:
    async with opened() as site:
        with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
            await site.client.ws_connect(site.socket)
        assert caught.value.status == 403


async def test_a_web_socket_with_another_secret_is_refused() -> None:
    async with opened() as site:
        wrong = f"{site.root}/window/{'x' * 43}/terminal"
        with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
            await site.client.ws_connect(wrong, headers={"Origin": site.root})
        assert caught.value.status == 403


async def test_it_listens_on_this_machine_alone() -> None:
    async with opened() as site:
        assert site.root.startswith("http://127.0.0.1:")
        sockets = await asyncio.to_thread(Path("/proc/self/net/tcp").read_text)
        port = f":{int(site.root.rpartition(':')[2]):04X} "
        listening = [line.split()[1] for line in sockets.splitlines() if port in line]
        assert listening
        assert all(address.startswith("0100007F:") for address in listening)


# The page


class Links(HTMLParser):
    """Every address that a page names."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inline: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("src", "href") and value:
                self.found.append(value)
            if name.startswith("on") or name == "style":
                self.inline.append(name)


async def test_everything_that_the_page_needs_comes_from_this_machine() -> None:
    async with opened() as site:
        _, text = await site.get(f"/window/{site.site.access.window}")
        links = Links()
        links.feed(text)
        assert links.inline == []
        ours = [link for link in links.found if not link.startswith("data:")]
        assert len(ours) == 4
        for link in ours:
            status, body = await site.get(link)
            assert (status, bool(body)) == (200, True)
        _, style = await site.get("/page.css")
        for font in re.findall(r'url\("([^"]+)"\)', style):
            async with site.client.get(f"{site.root}{font}") as answer:
                assert answer.status == 200


async def test_a_browser_may_load_run_and_reach_nothing_else() -> None:
    async with (
        opened() as site,
        site.client.get(f"{site.root}/window/{site.site.access.window}") as answer,
    ):
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "frame-ancestors 'none'" in policy
        assert f"connect-src ws://{site.root.partition('//')[2]};" in policy
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Cache-Control"] == "no-store"


async def test_only_the_files_of_the_terminal_are_served() -> None:
    async with opened() as site:
        for path in ("/static/", "/static/../server.py", "/static/%2e%2e/server.py", "/etc/passwd"):
            assert (await site.get(path))[0] in (403, 404)


def test_the_script_speaks_as_the_server_expects() -> None:
    script = resources.files("textual_serve") / "static" / "js" / "textual.js"
    text = script.read_text("utf-8")
    for word in ('["stdin",', '["resize",', '["ping",', "sessionWebsocketUrl", "-first-byte"):
        assert word in text


# The terminal


async def test_a_tab_has_a_program_of_its_own_of_the_size_of_its_window() -> None:
    async with opened() as site:
        one, other = await site.connect(), await site.connect()
        assert b"TERM=xterm-256color" in await one.wait_for(b"size=100x30")
        assert b"COLORTERM=truecolor" in one.seen
        await other.wait_for(b"size=100x30")
        assert one.pid() != other.pid()
        await one.say("resize", {"width": 60, "height": 15})
        await one.wait_for(b"size=60x15")
        await one.say("stdin", "aé")
        await one.wait_for(b"keys=61c3a9")
        assert b"keys=" not in other.seen


@pytest.mark.parametrize(
    "odd",
    [
        "",
        "no json",
        "[]",
        "[1]",
        '["stdin", 5]',
        '["resize", {"width": "x", "height": -3}]',
        '["resize", []]',
        '["resize", {"width": 1e99, "height": true}]',
        '["shell", "id"]',
        '["stdin", "a", "b"]',
        "{}",
        "[" * 5000,
    ],
)
async def test_odd_messages_change_nothing(odd: str) -> None:
    async with opened() as site:
        tab = await site.connect()
        await tab.wait_for(b"size=100x30")
        await tab.socket.send_str(odd)
        await tab.socket.send_bytes(b"x")
        await tab.say("stdin", "z")
        assert b"keys=61" not in await tab.wait_for(b"keys=7a")


async def test_a_ping_is_answered() -> None:
    async with opened() as site:
        tab = await site.connect()
        await tab.wait_for(b"size=")
        await tab.say("ping", "12")
        async with asyncio.timeout(PATIENCE):
            message = await tab.socket.receive()
        assert json.loads(message.data) == ["pong", "12"]


async def test_leaving_the_program_closes_the_socket() -> None:
    async with opened() as site:
        tab = await site.connect()
        await tab.wait_for(b"size=")
        await tab.say("stdin", "q")
        assert await tab.end() == aiohttp.WSCloseCode.OK


async def test_closing_the_tab_ends_the_program() -> None:
    async with opened() as site:
        tab = await site.connect()
        await tab.wait_for(b"size=")
        await tab.socket.close()
        await gone(tab.pid())


async def test_one_window_too_many_is_told_so() -> None:
    async with opened(windows=1) as site:
        first = await site.connect()
        await first.wait_for(b"size=")
        more = await site.connect()
        await more.end()
        assert b"too many windows are open" in more.seen
        await first.say("stdin", "q")
        await first.end()
        await gone(first.pid())
        again = await site.connect()
        await again.wait_for(b"size=")


async def test_stopping_closes_the_windows_and_ends_their_programs() -> None:
    async with opened() as site:
        tab = await site.connect()
        await tab.wait_for(b"size=")
        closing = asyncio.create_task(site.site.close())
        assert await tab.end() == aiohttp.WSCloseCode.GOING_AWAY
        await closing
        assert not is_running(tab.pid())


async def test_the_real_program_is_drawn(documents: ServerProcess, tmp_path: Path) -> None:
    environment = {f"XDG_{name}_HOME": str(tmp_path) for name in ("STATE", "CONFIG", "DATA")}
    settings = Settings(server=documents.url, key=key_of("alice"))
    site = Site(settings, {**os.environ, **environment, "PYTHONPATH": str(ROOT)})
    await site.open()
    try:
        async with aiohttp.ClientSession() as client:
            opened_site = Opened(site, site.access.address, client)
            tab = await opened_site.connect()
            seen = await tab.wait_for(b"online")
            assert b"\x1b[?1049h" in seen
            assert b"\x1b[38;2;" in seen
            await tab.say("stdin", "\x05")
            await tab.wait_for(b"no other program is started here")
    finally:
        await site.close()


def test_the_program_may_reach_files_and_no_other_program() -> None:
    assert command_line("--reach", "files")[-2:] == ["--reach", "files"]


class Process:
    """`redraft web` as a process."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "redraft", "web", *words],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.said: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line.strip())


async def test_the_command_prints_the_address_and_ends_in_order() -> None:
    started = Process("--server", "http://127.0.0.1:9")
    try:
        await asyncio.to_thread(wait_for, lambda: started.said, 60)
        (address,) = started.said
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{43}", address)
        async with aiohttp.ClientSession() as client, client.get(address) as answer:
            assert answer.status == 200
    finally:
        started.process.send_signal(signal.SIGTERM)
        _, said = await asyncio.to_thread(started.process.communicate, None, 60)
    assert started.process.returncode == 0
    assert "works once" in said
    assert "token=" not in said
