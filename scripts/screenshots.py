"""`make screenshots`: pictures of the real program, driven by keys against the real service.

Each picture is an .svg in screenshots/; where rsvg-convert is installed, a .png stands beside it.
The service is started as the program itself starts it, in a folder of its own that goes afterwards.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import sys
import tempfile
import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from textual.pilot import Pilot  # noqa: E402 - the path comes first

from tui.app import RedraftApp  # noqa: E402
from tui.client import Client  # noqa: E402
from tui.clock import SystemClock  # noqa: E402
from tui.local_server import Address, LocalServer  # noqa: E402
from tui.orders import Upload  # noqa: E402
from tui.service_line import Seams  # noqa: E402
from tui.situation import Situation  # noqa: E402
from tui.theme import ThemeName  # noqa: E402

PICTURES = ROOT / "screenshots"
SAMPLE = ROOT / "tui" / "sample" / "services-agreement.docx"
AUTHOR = "Alice Lee"
FONT_ADDRESS = re.compile(r",\s*url\([^)]*\) format\([^)]*\)")  # fonts come from the reader
PATIENCE = 60.0  # seconds for an edit
OTHERS = (("supply-terms.docx", 7200), ("nda-2026.docx", 300))
INSTRUCTIONS = (
    'Replace "Harbour Lane Foods plc" with "Harbour Lane Provisions plc" everywhere',
    'Change "£48,000" to "£52,500" in the section "Charges and payment"',
    'Delete the paragraph containing "Waiver."',
    'Replace "reasonable skill and care" with "the skill and care of a leading supplier"',
)


class Stage:
    """The running program with a pilot."""

    def __init__(self, app: RedraftApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    async def settle(self) -> None:
        """Wait until nothing is going on."""
        deadline = asyncio.get_running_loop().time() + PATIENCE
        quiet = 0
        while quiet < 4:
            if asyncio.get_running_loop().time() > deadline:
                message = f"the program does not come to rest: {self.app.main.status[0]}"
                raise TimeoutError(message)
            await self.pilot.pause(0.05)
            busy = any(worker.is_running for worker in self.app.workers if worker.group != "watch")
            quiet = 0 if busy or self.app.main.is_dirty else quiet + 1

    async def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    async def send(self, instruction: str) -> None:
        """Send an instruction and wait for its end."""
        self.app.main.prompt.focus()
        self.app.main.prompt.load_text(instruction)
        await self.press("enter")

    def picture(self, name: str) -> None:
        """Write what is on the screen."""
        path = PICTURES / f"{name}.svg"
        svg = self.app.export_screenshot(title="redraft")
        path.write_text(FONT_ADDRESS.sub("", svg), "utf-8")
        _to_png(path)
        sys.stdout.write(f"{path.relative_to(ROOT)}  {self.app.main.status[0]}\n")


def _to_png(path: Path) -> None:
    """Make a .png beside the .svg; the converter needs to be told that spaces count."""
    converter = shutil.which("rsvg-convert")
    if converter is None:
        return
    svg = path.read_text("utf-8").replace("&#160;", " ")
    spaced = re.sub(r"<text ", '<text xml:space="preserve" ', svg)
    target = path.with_suffix(".png")
    subprocess.run(
        [converter, "--width", "1400", "-o", str(target)],
        input=spaced.encode("utf-8"),
        check=True,
    )


@asynccontextmanager
async def playing(
    address: Address,
    size: tuple[int, int],
    theme: ThemeName = "dark",
    *,
    ascii_only: bool = False,
    demo: bool = True,
) -> AsyncGenerator[Stage]:
    """Run the program on a service."""
    clock = SystemClock(UTC)

    async def connect() -> Client:
        return Client(address.url, address.key, clock)

    situation = Situation(
        connect=connect,
        seams=Seams(clock, lambda: str(uuid.uuid4())),
        folder=SAMPLE.parent,
        demo=SAMPLE if demo else None,
        author=AUTHOR,
        theme=theme,
        ascii_only=ascii_only,
    )
    app = RedraftApp(replace(situation, ticks=False))
    async with app.run_test(size=size) as pilot:
        stage = Stage(app, pilot)
        await stage.settle()
        yield stage
        await app.main.desk.close()


async def furnish(address: Address) -> None:
    """Upload the sample under other names, to be kept for different times."""
    client = Client(address.url, address.key, SystemClock(UTC))
    data = SAMPLE.read_bytes()
    for name, seconds in OTHERS:
        await client.upload(Upload(name, data, seconds, True, AUTHOR), lambda _: None)
    await client.close()


async def wide(address: Address) -> None:
    """Pictures at 120x36."""
    async with playing(address, (120, 36)) as stage:
        for instruction in INSTRUCTIONS:
            await stage.send(instruction)
        await stage.press("escape", "g", "n", "n", "n")
        stage.picture("main-120x36")
        await stage.press("3")
        stage.picture("changes-120x36")
        await stage.press("v")
        stage.picture("split-120x36")
        await stage.press("v", "v", "v", "4")
        stage.picture("history-120x36")
        await stage.press("2", "question_mark")
        stage.picture("help-120x36")
        await stage.press("escape", "o")
        stage.picture("outline-120x36")
        await stage.press("escape", "s")
        stage.picture("save-120x36")
        await stage.press("escape", "u")
        stage.picture("upload-120x36")
        await stage.press("escape", "ctrl+p")
        stage.picture("palette-120x36")
        await stage.press("escape")
        await stage.send('Replace "unicorn" with "horse"')
        stage.picture("failed-120x36")


async def narrow(address: Address) -> None:
    """Pictures at 80x24, and in other colours."""
    async with playing(address, (80, 24)) as stage:
        await stage.press("escape", "g", "n")
        stage.picture("main-80x24")
        await stage.press("1")
        stage.picture("documents-80x24")
        await stage.press("3")
        stage.picture("changes-80x24")
    looks: tuple[tuple[ThemeName, bool, str], ...] = (
        ("light", False, "light"),
        ("ansi", False, "ansi"),
        ("mono", True, "ascii"),
    )
    for theme, ascii_only, name in looks:
        async with playing(address, (120, 36), theme, ascii_only=ascii_only) as stage:
            await stage.press("escape", "g", "n")
            stage.picture(f"{name}-120x36")


async def draw() -> None:
    """Start a service, draw everything, stop it."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        local = LocalServer(Path(folder) / "local")
        try:
            address = await local.open()
            await furnish(address)
            await wide(address)
            await narrow(address)
        finally:
            local.close(wait=True)


if __name__ == "__main__":
    asyncio.run(draw())
