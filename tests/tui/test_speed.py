"""Budgets of work and memory.

Work is counted, which gives the same figure on every machine: calls of functions, lines drawn,
turns of the event loop, bytes in one piece. `make bench` has the seconds and their bars.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from redraft.tui.panes import change_view, doc_view
from redraft.tui.panes.change_view import ChangeView
from redraft.tui.panes.doc_view import DocView
from redraft.tui.panes.line_view import LineView
from redraft.tui.text.inline_runs import Inlines
from redraft.tui.text.layout import lines as lay_out
from redraft.tui.text.markdown_blocks import Block, Reader
from redraft.tui.text.runs import Line
from redraft.tui.theme import look
from redraft.tui.transport.client import PIECE, Client
from redraft.tui.transport.requests import Upload
from redraft.tui.transport.wire import Change
from scripts.bench_terminal import changes, document
from tests.tui.counting import Calls, Loop
from tests.tui.program import Program
from tests.tui.standin import KEY, FrozenClock, Service
from tests.tui.terminal import LIMIT, Terminal

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]
ROWS = 36
MEGABYTE = 1 << 20
LARGEST = 10 * MEGABYTE
PER_PAGE = 9_000  # calls to read, wrap and show a page; 6,900 measured
AGAIN_PER_PAGE = 7_000  # to show it once more; 5,400 measured
PER_CHANGE = 330  # to list a change; 260 measured
PER_STEP = 70_000  # to go on by a change and repaint; 48,000 measured
STRETCH = 600_000  # calls without a turn for others; 430,000 measured, the wrapping of 200 pages


class Stand(App[None]):
    """The preview and the list of changes, and nothing else."""

    def compose(self) -> ComposeResult:
        yield DocView(look("dark"))
        yield ChangeView(look("dark"), None)


@asynccontextmanager
async def stand() -> AsyncGenerator[tuple[Pilot[None], DocView, ChangeView]]:
    app = Stand()
    async with app.run_test(size=(120, ROWS)) as pilot:
        await pilot.pause()
        yield pilot, app.query_one(DocView), app.query_one(ChangeView)


def edited(text: str) -> str:
    return text.replace("within 7 days", "within {--7--}{++45++} days", 1)


async def calls_of_a_document(pages: int) -> tuple[int, int, int]:
    """Count the calls to show a document, to show it edited, and the widgets it takes."""
    async with stand() as (pilot, view, _):
        text = document(pages)
        with Calls().counted() as shown:
            view.show(text, fresh=True)
        await pilot.pause()
        with Calls().counted() as again:
            assert view.show(edited(text)) == 1
        return shown.count, again.count, len(pilot.app.query("*"))


async def test_the_work_for_a_document_grows_with_its_pages_and_no_faster() -> None:
    half, half_again, widgets = await calls_of_a_document(100)
    whole, whole_again, widgets_of_whole = await calls_of_a_document(200)
    assert whole < 2.2 * half
    assert whole_again < 2.2 * half_again
    assert whole < 200 * PER_PAGE
    assert whole_again < 200 * AGAIN_PER_PAGE
    assert widgets == widgets_of_whole == 2


async def test_after_an_edit_one_block_of_two_hundred_pages_is_read_and_wrapped_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wrapped: list[str] = []
    read: list[str] = []
    reading = Inlines._read  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]

    def wrap(block: Block, *given: object) -> list[Line]:
        wrapped.append(block.text)
        return lay_out(block, *given)  # type: ignore[arg-type]

    def inline(self: Inlines, source: str, role: str, flags: int) -> object:
        read.append(source)
        return reading(self, source, role, flags)

    async with stand() as (_, view, _changes):
        text = document(200)
        view.show(text, fresh=True)
        monkeypatch.setattr(doc_view, "draw", wrap)
        monkeypatch.setattr(Inlines, "_read", inline)
        view.show(edited(text))
    assert len(wrapped) == len(read) == 1
    assert "745 days" in wrapped[0]


async def test_only_the_lines_of_the_screen_are_drawn_however_long_the_document_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[int] = []
    strip = LineView._strip  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]

    def counted(self: LineView, number: int) -> object:
        drawn.append(number)
        return strip(self, number)

    monkeypatch.setattr(LineView, "_strip", counted)
    async with stand() as (pilot, view, _):
        drawn.clear()
        view.show(document(200), fresh=True)
        await pilot.pause()
        assert view.line_count() > 5000
        assert len(drawn) <= 2 * ROWS
        for _ in range(10):
            drawn.clear()
            view.move(1)
            await pilot.pause()
            assert len(drawn) <= 2, "of a line further, only the new line is drawn"


async def test_two_hundred_pages_take_little_memory() -> None:
    async with stand() as (pilot, view, _):
        text = document(200)
        tracemalloc.start()
        try:
            before, _ = tracemalloc.get_traced_memory()
            view.show(text, fresh=True)
            await pilot.pause()
            view.show(edited(text))
            await pilot.pause()
            after, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert after - before < 60 * MEGABYTE


async def test_after_an_edit_of_a_long_document_the_same_block_is_on_top(
    service: Service, program: Callable[..., Program]
) -> None:
    held = service.add(text=document(200))
    async with program().running() as redraft:
        view = redraft.main.preview
        view.go_to_line(3000)
        top = view.blocks[view.first_block()].text
        held.text = held.text.replace("within 7 days", "within seven days and nights", 1)
        held.version += 1
        service.announce(held.id, "applied", "another")
        await redraft.settle()
        assert "seven days and nights" in held.text
        assert any("seven days and nights" in block.text for block in view.blocks)
        assert view.blocks[view.first_block()].text == top


async def calls_of_changes(count: int) -> int:
    async with stand() as (_, _preview, view):
        given = changes(count)
        with Calls().counted() as listed:
            view.show(given, [])
        assert len(view.shown_changes()) == count
        return listed.count


async def test_the_work_for_a_list_of_changes_grows_with_its_length_and_no_faster() -> None:
    thousand, ten_thousand = await calls_of_changes(1000), await calls_of_changes(10_000)
    assert thousand < 1000 * PER_CHANGE
    assert ten_thousand < 12 * thousand


async def test_going_to_the_next_change_costs_the_same_however_many_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def steps(count: int) -> list[int]:
        async with stand() as (pilot, _, view):
            view.show(changes(count), [])
            await pilot.pause()
            drawn: list[Change] = []
            drawing = change_view.draw

            def draw(change: Change, *given: object, **named: object) -> Sequence[Line]:
                drawn.append(change)
                return drawing(change, *given, **named)  # type: ignore[arg-type]

            monkeypatch.setattr(change_view, "draw", draw)
            taken: list[int] = []
            for _ in range(50):
                with Calls().counted() as step:
                    view.move(1)
                    await pilot.pause()
                taken.append(step.count)
            monkeypatch.undo()
            assert view.cursor == 50
            assert drawn == []
            return sorted(taken)

    short, long = await steps(1000), await steps(10_000)
    assert long[47] < PER_STEP
    assert long[25] < 1.3 * short[25]


async def test_a_long_document_is_read_beside_the_loop_which_stays_free_for_keys(
    service: Service, program: Callable[..., Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    held = service.add("short.docx")
    long = service.add("long.docx", document(200))
    threads: list[int] = []
    reading = Reader.read

    def read(self: Reader, markdown: str) -> tuple[Block, ...]:
        if len(markdown) > MEGABYTE // 4:
            threads.append(threading.get_ident())
        return reading(self, markdown)

    monkeypatch.setattr(Reader, "read", read)
    async with program().running() as redraft:
        redraft.main.open_document(held.id)
        await redraft.settle()
        threads.clear()
        with Loop().watched() as loop:
            redraft.main.open_document(long.id)
            await redraft.settle()
            long.text = long.text.replace("within 7 days", "within 9 days", 1)
            long.version += 1
            service.announce(long.id, "applied", "another")
            await redraft.settle()
        assert redraft.main.preview.line_count() > 5000
    assert len(threads) == 2
    assert threading.get_ident() not in threads
    assert loop.longest < STRETCH


class Swallowing(httpx.AsyncBaseTransport):
    """A line that takes everything at once; notes each piece and the loop's turns until then."""

    def __init__(self, loop: Loop) -> None:
        self.pieces: list[int] = []
        self.turns: list[int] = []
        self.loop = loop

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        assert isinstance(request.stream, httpx.AsyncByteStream)
        async for piece in request.stream:
            self.pieces.append(len(piece))
            self.turns.append(self.loop.turns)
        assert int(request.headers["content-length"]) == sum(self.pieces)
        return httpx.Response(200, json={"docId": "d", "name": "large.docx"})


async def test_an_upload_goes_out_in_pieces_and_the_loop_has_a_turn_after_each() -> None:
    told: list[int] = []
    upload = Upload("large.docx", bytes(LARGEST), 60, tracked=True, author="A")
    with Loop().watched() as loop:
        line = Swallowing(loop)
        client = Client("http://redraft.test", KEY, FrozenClock(), transport=line)
        await client.upload(upload, told.append)
    await client.close()
    assert sum(line.pieces) > LARGEST
    assert max(line.pieces) <= PIECE
    assert told[-1] == LARGEST
    assert len(set(line.turns)) == len(line.turns) > LARGEST // PIECE


async def test_ten_megabytes_are_uploaded_without_holding_the_loop(
    service: Service, program: Callable[..., Program], tmp_path: Path
) -> None:
    path = tmp_path / "large.docx"
    path.write_bytes(b"PK\x03\x04" + bytes(LARGEST - 4))
    async with program().running() as redraft:
        with Loop().watched() as loop:
            await redraft.press("ctrl+o", "enter")
        assert "large.docx uploaded" in redraft.status
    assert loop.turns > LARGEST // PIECE
    assert loop.longest < STRETCH // 2


def test_help_loads_few_modules() -> None:
    code = (
        "import sys; before = len(sys.modules); from redraft import command_line; "
        "command_line.main(['--help']); "
        "import json; sys.stderr.write(json.dumps(len(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)
    assert json.loads(done.stderr) < 60


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_the_first_frame_is_there_before_the_service_says_anything(tmp_path: Path) -> None:
    """The service takes the call and is silent until the screen stands."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(LIMIT)
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        command = [sys.executable, "-m", "redraft", "--server", url, "--key", "k"]
        folders = {name: str(tmp_path) for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME")}
        terminal = Terminal(tmp_path, command=command, size=(120, 36), **folders)
        try:
            terminal.wait_for(b"redraft")
            terminal.wait_for(b"Documents")
            assert b"No answer from the service" not in terminal.seen
            connection, _ = silent.accept()
            connection.close()
            silent.close()
            terminal.wait_for(b"No answer from the service")
            terminal.type(b"q")
            assert terminal.end() == 0
        finally:
            terminal.__exit__(None, None, None)
