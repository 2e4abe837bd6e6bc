"""`make screenshots`: pictures of the real program, driven by keys against the real service.

Each picture is an .svg in screenshots/; where rsvg-convert is installed, a .png stands beside it.
The service is started as the program itself starts it, in a folder of its own that goes afterwards.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import uuid
import zipfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from textual.pilot import Pilot  # noqa: E402 - the path comes first

from redraft.tui.app import RedraftApp  # noqa: E402
from redraft.tui.clock import SystemClock  # noqa: E402
from redraft.tui.launch_options import LaunchOptions  # noqa: E402
from redraft.tui.screens.file_screens import UploadOrder  # noqa: E402
from redraft.tui.session.service_updates import Dependencies  # noqa: E402
from redraft.tui.theme import ThemeName  # noqa: E402
from redraft.tui.transport.client import Client  # noqa: E402
from redraft.tui.transport.local_server import Address, LocalServer  # noqa: E402
from redraft.tui.transport.requests import Edit, Upload  # noqa: E402
from scripts.demo import order_form  # noqa: E402

PICTURES = ROOT / "screenshots"
SAMPLE = ROOT / "tui" / "sample" / "services-agreement.docx"
AUTHOR = "Alice Lee"
COLLEAGUE = "Priya Raman"
FONT_ADDRESS = re.compile(r",\s*url\([^)]*\) format\([^)]*\)")  # fonts come from the reader
PATIENCE = 120.0  # seconds for an edit
NAME, PDF_NAME = "services-agreement.docx", "order-form.pdf"
OTHERS = (("supply-terms.docx", 7200), ("nda-2026.docx", 300))
BEFORE = (  # what a colleague marked up before the document came here
    'Replace "thirty-six (36) months" with "twenty-four (24) months"',
    'Make "four equal instalments" italic',
    'Delete the sentence that starts with "No interest accrues"',
    'Change "£250,000" to "£400,000"',
)
INSTRUCTIONS = (
    'Replace "thirty (30) days of receiving it" with "forty-five (45) days of receiving it"',
    'Highlight "without delay"',
    'Make "purchase order number" bold and 12pt',
    'Add a row "Migration of old data" "Data engineer" "Day" "£1,300" '
    'after the row containing "Trainer"',
    'Delete the row containing "Consultant"',
    'Move the paragraph containing "Counterparts." before the paragraph containing "Waiver."',
)
OF_THE_PDF = (
    'Replace "Harbour Lane Foods plc" with "Harbour Lane Provisions plc"',
    'Replace "thirty days" with "forty-five days"',
    'Replace "twelve" with "fourteen"',
    'Change "1 March" to "1 April"',
    'Change "£48,000" to "£52,500"',
    'Replace "without tax" with "net of value added tax"',
)
NOT_SENT = 'Replace "annual subscription" with "yearly fee" in the section "Charges and payment"'


class Stage:
    """The running program with a pilot."""

    def __init__(self, app: RedraftApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    async def settle(self) -> None:
        """Waits until nothing is going on."""
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
        """Presses keys one after the other."""
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    async def send(self, instruction: str) -> None:
        """Sends an instruction and waits for its end."""
        self.app.main.prompt.focus()
        self.app.main.prompt.load_text(instruction)
        await self.press("enter")

    async def open(self, name: str) -> None:
        """Shows a document by its name."""
        documents = self.app.main.session.store.documents.values()
        self.app.main.open_document(
            next(document.id for document in documents if document.info.name == name)
        )
        await self.settle()

    async def jump(self, heading: str) -> None:
        """Goes to a heading by letters of it."""
        await self.press("escape", "2", "o")
        for letter in heading:
            await self.pilot.press("space" if letter == " " else letter)
        await self.press("enter")

    async def show_changes(self, mode: str = "inline") -> None:
        """Shows the list of changes from its beginning."""
        await self.press("escape", "3")
        while self.app.main.mode != mode:
            await self.press("v")
        await self.press("g")

    def say(self, words: str) -> None:
        """Writes into the prompt without sending."""
        self.app.main.prompt.focus()
        self.app.main.prompt.load_text(words)
        self.app.main.prompt.move_cursor(self.app.main.prompt.document.end)

    def picture(self, name: str) -> None:
        """Writes what is on the screen."""
        path = PICTURES / f"{name}.svg"
        svg = self.app.export_screenshot(title="redraft")
        path.write_text(FONT_ADDRESS.sub("", svg), "utf-8")
        _to_png(path)
        sys.stdout.write(f"{path.relative_to(ROOT)}  {self.app.main.status[0]}\n")


def _to_png(path: Path) -> None:
    """Makes a .png beside the .svg.

    The converter needs to be told that spaces count, and it does not stretch text to the given
    length: its letters are a little narrower than the cells.
    """
    converter = shutil.which("rsvg-convert")
    if converter is None:
        return
    svg = path.read_text("utf-8").replace("&#160;", " ")
    spaced = re.sub(r"<text ", '<text xml:space="preserve" letter-spacing="0.2" ', svg)
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
    files: tuple[Path, ...] = (),
    folder: Path = SAMPLE.parent,
) -> AsyncGenerator[Stage]:
    """Runs the program on a service."""
    clock = SystemClock(UTC)

    async def connect() -> Client:
        return Client(address.url, address.key, clock)

    options = LaunchOptions(
        connect=connect,
        dependencies=Dependencies(clock, lambda: str(uuid.uuid4())),
        folder=folder,
        files=files,
        author=AUTHOR,
        theme=theme,
        ascii_only=ascii_only,
    )
    app = RedraftApp(replace(options, ticks=False))
    async with app.run_test(size=size) as pilot:
        stage = Stage(app, pilot)
        await stage.settle()
        yield stage
        await app.main.session.updates.close()


async def furnish(address: Address, folder: Path) -> Path:
    """Puts documents there; returns one that a colleague has marked up."""
    client = Client(address.url, address.key, SystemClock(UTC))
    data = SAMPLE.read_bytes()
    marked = await _edited(client, Upload(NAME, data, 3600, True, COLLEAGUE), BEFORE)
    place = folder / "documents" / NAME
    for name in (NAME, PDF_NAME, "2025/lease-of-the-depot.docx", *(name for name, _ in OTHERS)):
        path = place.parent / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(order_form() if name == PDF_NAME else data)
    place.write_bytes(await client.download(marked, "redline"))
    await client.delete(marked)
    await _edited(client, Upload(PDF_NAME, order_form(), 3600, True, AUTHOR), OF_THE_PDF)
    for name, seconds in OTHERS:
        await client.upload(Upload(name, data, seconds, True, AUTHOR), _unheard)
    await client.close()
    return place


async def _edited(client: Client, upload: Upload, instructions: Sequence[str]) -> str:
    """Uploads a document and edits it; returns its id."""
    document = (await client.upload(upload, _unheard)).doc_id
    for instruction in instructions:
        answer = await client.edit(document, Edit(str(uuid.uuid4()), instruction))
        if not answer.edit_applied:
            message = f"{instruction}: {answer.summary}"
            raise RuntimeError(message)
    return document


def _unheard(sent: int) -> None:
    """Ignores how far an upload of the scenery is."""


async def wide(address: Address, contract: Path) -> None:
    """Takes the pictures at 120x36."""
    folder = contract.parent
    async with playing(address, (120, 36), files=(contract,), folder=folder) as stage:
        for instruction in INSTRUCTIONS:
            await stage.send(instruction)
        await stage.jump("5. charges")
        stage.say(NOT_SENT)
        await stage.settle()
        stage.picture("main-120x36")
        stage.say("")
        await stage.show_changes()
        stage.picture("changes-120x36")
        await stage.show_changes("split")
        await stage.press("G")
        stage.picture("split-120x36")
        await stage.press("v", "v", "v", "4")
        stage.picture("history-120x36")
        await stage.jump("schedule 1")
        stage.picture("table-120x36")
        await stage.press("question_mark")
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
        await stage.open(PDF_NAME)
        await stage.show_changes()
        await stage.press("2", "g")
        stage.picture("pdf-120x36")
        await stage.open(NAME)
        await stage.send('Replace "unicorn" with "horse"')
        stage.picture("failed-120x36")


async def busy(address: Address, folder: Path) -> None:
    """Edits that run and wait, and a file on its way: the service is held still meanwhile."""
    large = folder / "tender-with-annexes.docx"
    large.write_bytes(SAMPLE.read_bytes())
    with zipfile.ZipFile(large, "a", zipfile.ZIP_STORED) as archive:
        archive.writestr("word/media/annex.bin", os.urandom(8 << 20))
    async with playing(address, (120, 36)) as stage:
        await stage.open(NAME)
        await stage.jump("5. charges")
        main = stage.app.main
        os.kill(address.pid, signal.SIGSTOP)
        try:
            main.transfers.upload_path(UploadOrder(large, 60, tracked=True, author=AUTHOR))
            for instruction in ('Replace "Day" with "Working day" in table 1', NOT_SENT):
                main.prompt.load_text(instruction)
                main.prompt.action_send()
                await stage.pilot.pause(1.5)
            main.on_tick()
            await stage.pilot.pause(0.5)
            stage.picture("queue-120x36")
        finally:
            os.kill(address.pid, signal.SIGCONT)
        await stage.settle()


async def narrow(address: Address) -> None:
    """Takes pictures of smaller terminals, and in other colours."""
    for size in ((80, 24), (60, 15)):
        async with playing(address, size) as stage:
            at = f"{size[0]}x{size[1]}"
            await stage.open(NAME)
            await stage.jump("5. charges")
            stage.picture(f"main-{at}")
            await stage.show_changes()
            stage.picture(f"changes-{at}")
            await stage.press("1")
            stage.picture(f"documents-{at}")
    looks: tuple[tuple[ThemeName, bool, str], ...] = (
        ("light", False, "light"),
        ("ansi", False, "ansi"),
        ("mono", True, "ascii"),
    )
    for theme, ascii_only, name in looks:
        async with playing(address, (120, 36), theme, ascii_only=ascii_only) as stage:
            await stage.open(NAME)
            await stage.jump("5. charges")
            stage.picture(f"{name}-120x36")


async def draw() -> None:
    """Starts a service, draws everything, stops it."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        local = LocalServer(folder / "local")
        try:
            address = await local.open()
            contract = await furnish(address, folder)
            await wide(address, contract)
            await narrow(address)
            await busy(address, folder)
        finally:
            local.close(wait=True)


if __name__ == "__main__":
    asyncio.run(draw())
