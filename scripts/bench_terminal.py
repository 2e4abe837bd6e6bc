"""The terminal program's share of `make bench`: long documents and long lists of changes."""

from __future__ import annotations

import asyncio
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets import Markdown

from redraft.tui.look import Look
from redraft.tui.panes.change_view import ChangeView
from redraft.tui.panes.doc_view import DocView
from redraft.tui.theme import look
from redraft.tui.transport.wire import Change
from tests.tui.program import Program
from tests.tui.standin import Service
from tests.tui.terminal import Terminal

PAGE = """## {page}. Section {page}

The **Supplier** shall perform the services of section {page} with *reasonable* skill and care,
as set out in [Annex {page}](https://example.org/annex/{page}), and shall not assign its rights
under this Agreement without the prior written consent of the Client, which is not to be
withheld unreasonably.

Payment is due within {page} days after receipt of the invoice. Late payment bears interest at
the statutory rate, accruing daily from the due date until payment of the overdue amount in
full, whether before or after judgment; the debtor shall pay the interest together with the
overdue amount.

Each party shall keep confidential all information that it receives from the other in connection
with this Agreement and shall use it for the purposes of this Agreement only, during its term
and after it.

Neither party is liable for a delay or failure that results from circumstances beyond its
control. It shall inform the other party without delay and shall resume performance as soon as
that is possible.

The Client may inspect the books and records of the Supplier that concern this Agreement once in
each calendar year, at its own cost, during business hours and after written notice of {page}
days at least, and the Supplier shall give it every help that can reasonably be expected for
that purpose. **Findings** of such an inspection are confidential information of the Supplier.

Changes of this Agreement are made in writing and signed by both parties. If a provision is or
becomes void, the others stay in force, and the parties replace the void one by a valid one that
comes nearest to what they wanted. The same holds for a gap. Notices are sent to the addresses
on the cover page, and take effect when they are received; *e-mail* suffices where this
Agreement does not say otherwise.

- first obligation of section {page}
- second obligation, with a longer text that wraps over the edge of an ordinary pane of the screen
    - (a) a detail of it
    - (b) another one

1. one
2. two

| Item | Qty | Price |
|---|--:|--:|
| Licences | 25 | 12,500 |
| Support | {page} | 3,000 |

"""
SMALL, LARGE = 20, 200
CHANGES = 10_000
STEPS = 50
ROOT = Path(__file__).parent.parent


def document(pages: int) -> str:
    """Returns a contract of about so many pages as Markdown."""
    return "# Agreement\n\n" + "".join(PAGE.format(page=page) for page in range(1, pages + 1))


def changes(count: int) -> list[Change]:
    """Returns so many changes."""
    return [
        Change(
            id=str(number),
            kind="replacement",
            author=f"Author {number % 7}",
            date="2026-11-21T14:31:00Z",
            where=f"{number % 40}. Section",
            before=f"{number} days",
            after=f"{number + 15} days",
            lead="The Supplier shall invoice the Client monthly. Payment is due within ",
            trail=" after receipt of the invoice.",
        )
        for number in range(count)
    ]


class _Ours(App[None]):
    def __init__(self, drawn: Look) -> None:
        super().__init__()
        self.drawn = drawn

    def compose(self) -> ComposeResult:
        yield DocView(self.drawn)
        yield ChangeView(self.drawn, None)


class _Theirs(App[None]):
    def compose(self) -> ComposeResult:
        yield Markdown("")


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def measure_ours(pages: int) -> dict[str, float]:
    """Measures the preview on a document; seconds, and megabytes of growth."""
    app = _Ours(look("dark"))
    async with app.run_test(size=(120, 36)) as pilot:
        view = app.query_one(DocView)
        await pilot.pause()
        text, before = document(pages), _megabytes()
        taken = {"paint": await _timed(pilot, lambda: view.show(text, fresh=True))}
        view.move(200)
        await pilot.pause()
        changed = text.replace("within 7 days", "within {--7--}{++45++} days", 1)
        taken["replace"] = await _timed(pilot, lambda: view.show(changed))
        taken["scroll"] = await _timed(pilot, lambda: view.move(1))
        taken["memory"] = _megabytes() - before
    return taken


async def measure_changes(count: int) -> dict[str, float]:
    """Measures the list of changes; seconds, of steps the 95th of a hundred."""
    app = _Ours(look("dark"))
    async with app.run_test(size=(120, 36)) as pilot:
        view = app.query_one(ChangeView)
        await pilot.pause()
        given = changes(count)
        taken = {"load": await _timed(pilot, lambda: view.show(given, []))}
        steps = sorted([await _timed(pilot, lambda: view.move(1)) for _ in range(STEPS)])
        taken["next"] = steps[int(0.95 * STEPS)]
    return taken


async def measure_theirs(pages: int) -> float:
    """Measures Textual's own Markdown widget on the same document; seconds until it stands."""
    app = _Theirs()
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        start = time.perf_counter()
        await app.query_one(Markdown).update(document(pages))
        await pilot.pause()
        return time.perf_counter() - start


async def _timed(pilot: Pilot[None], act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    await pilot.pause()
    return time.perf_counter() - start


@asynccontextmanager
async def _stalls() -> AsyncGenerator[list[float]]:
    """Collects for how long the event loop was away, in seconds."""
    waits: list[float] = []

    async def tick() -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.005)
            waits.append(time.perf_counter() - before - 0.005)

    task = asyncio.create_task(tick())
    await asyncio.sleep(0.02)
    waits.clear()
    yield waits
    task.cancel()


async def measure_stalls(folder: Path) -> dict[str, float]:
    """Measures how long keys wait while a long document is opened, and while 10 MB go out."""
    service = Service()
    short, long = service.add("short.docx"), service.add("long.docx", document(LARGE))
    path = folder / "large.docx"
    path.write_bytes(b"PK\x03\x04" + bytes(10 * 1024 * 1024 - 4))
    taken: dict[str, float] = {}
    async with Program(service, folder).running() as redraft:
        redraft.main.open_document(short.id)
        await redraft.settle()
        async with _stalls() as waits:
            redraft.main.open_document(long.id)
            await redraft.settle()
        taken["open"] = max(waits)
        async with _stalls() as waits:
            await redraft.press("ctrl+o", "enter")
        taken["upload"] = max(waits)
    return taken


def measure_help() -> float:
    """Measures `redraft --help`, interpreter and all; seconds of the best of five."""
    return min(_run_help() for _ in range(5))


def _run_help() -> float:
    start = time.perf_counter()
    command = [sys.executable, "-m", "redraft", "--help"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return time.perf_counter() - start


def measure_first_frame(folder: Path) -> float:
    """Measures the way to the first frame where no service answers; seconds."""
    command = [sys.executable, "-m", "redraft", "--server", "http://127.0.0.1:9", "--key", "k"]
    start = time.perf_counter()
    terminal = Terminal(folder, command=command, XDG_CONFIG_HOME=str(folder))
    try:
        terminal.wait_for(b"redraft")
        return time.perf_counter() - start
    finally:
        terminal.__exit__(None, None, None)


def rows() -> Iterator[str]:
    """Measures and describes, a line each."""
    small, large = asyncio.run(measure_ours(SMALL)), asyncio.run(measure_ours(LARGE))
    theirs = asyncio.run(measure_theirs(SMALL))
    ratio = theirs / small["paint"]
    peer = f"Textual's Markdown {theirs:.2f} s: {ratio:.0f}x"
    yield f"{SMALL} pages first paint   {small['paint']:.2f} s, {peer}"
    yield f"{LARGE} pages first paint  {large['paint']:.2f} s (budget 1.0)"
    yield f"{LARGE} pages replaced     {large['replace']:.2f} s (budget 0.7)"
    yield f"{LARGE} pages memory       +{large['memory']:.0f} MB (budget 60)"
    yield f"{LARGE} pages, one line    {large['scroll'] * 1000:.0f} ms"
    listed = asyncio.run(measure_changes(CHANGES))
    yield f"{CHANGES} changes         {listed['load']:.2f} s (budget 2.0)"
    yield f"{CHANGES} changes, next   {listed['next'] * 1000:.0f} ms (budget 60)"
    with tempfile.TemporaryDirectory() as folder:
        away = asyncio.run(measure_stalls(Path(folder)))
        yield f"{LARGE} pages, loop away   {away['open'] * 1000:.0f} ms (budget 250)"
        yield f"upload, loop away      {away['upload'] * 1000:.0f} ms (budget 250)"
        yield f"redraft --help         {measure_help() * 1000:.0f} ms (budget 150)"
        yield f"first frame, no service {measure_first_frame(Path(folder)):.2f} s (budget 0.6)"


if __name__ == "__main__":
    for row in rows():
        sys.stdout.write(row + "\n")
