"""`make demo`: the main job with no key and no terminal.

Starts the real service as a child process on a free loopback port with a data folder of its own,
uploads the sample contract with tracked changes on, reads it, applies instructions one after the
other, prints each answer, prints the tracked changes, and writes the redline and the clean copy
into `demo-output/`. Then the same with a one-page PDF drawn on the spot, whose redline is written
as notes on its page and as a Word document. Exits 0 when every step did what it should.
"""

from __future__ import annotations

import os
import re
import secrets
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).parent.parent
SAMPLE = ROOT / "tui" / "sample" / "services-agreement.docx"
OUTPUT = ROOT / "demo-output"
START_SECONDS = 30.0
LISTENING = re.compile(r"listening on (\S+)\n")

INSTRUCTIONS = (
    'Replace "Harbour Lane Foods plc" with "Harbour Lane Provisions plc" everywhere',
    'Change "£48,000" to "£52,500" in the section "Charges and payment"',
    'Replace "Draft 3" with "Draft 4" in the header',
    'Delete the paragraph containing "Waiver."',
    'Add the paragraph "The parties shall first try to settle a dispute about the Charges within '
    'five (5) Business Days." after the heading "Governing law and disputes"',
    'Replace "substantial remedy" with "fair and substantial remedy" in the footnotes',
)

PDF_NAME = "order-form.pdf"
PDF_LINES = (
    (80, 18, "hebo", "Order form"),
    (120, 11, "helv", "Harbour Lane Foods plc orders the maintenance of twelve refrigerated"),
    (134, 11, "helv", "vehicles. The work begins on 1 March and is paid for within thirty"),
    (148, 11, "helv", "days of each invoice."),
    (184, 11, "helv", "The price is \u00a348,000 a year, without tax."),
)
PDF_INSTRUCTIONS = (
    'Replace "Harbour Lane Foods plc" with "Harbour Lane Provisions plc"',
    'Replace "thirty days" with "forty-five days"',
    'Change "\u00a348,000" to "\u00a352,500"',
)


@contextmanager
def service(folder: Path) -> Generator[httpx.Client]:
    """Yields a service of its own: started, waited for, stopped by SIGTERM."""
    key = secrets.token_urlsafe(24)
    command = [sys.executable, "-m", "redraft", "serve", "--host", "127.0.0.1", "--port", "0"]
    command += ["--data-dir", str(folder / "data")]
    environment = {**os.environ, "REDRAFT_API_KEYS": key}
    written = folder / "service.log"
    log = written.open("wb")
    child = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
    try:
        until = time.monotonic() + START_SECONDS
        while (listening := LISTENING.search(written.read_text())) is None:
            if child.poll() is not None or time.monotonic() > until:
                sys.exit(f"the service did not start:\n{written.read_text()}")
            time.sleep(0.05)
        address = listening[1]
        headers = {"Authorization": f"Bearer {key}"}
        with httpx.Client(base_url=address, headers=headers, timeout=310) as client:
            yield client
    finally:
        child.terminate()
        child.wait(timeout=40)
        log.close()


def answer(response: httpx.Response) -> dict[str, Any]:
    """Returns the JSON body of a success; anything else ends the demo."""
    body: dict[str, Any] = response.json()
    if response.status_code != 200:
        sys.exit(f"{response.request.method} {response.request.url.path}: {body['detail']}")
    return body


def marked(change: dict[str, Any]) -> str:
    """Returns a change as `[-deleted-]{+inserted+}` in its context."""
    struck = f"[-{change['before']}-]" if change["before"] else ""
    added = f"{{+{change['after']}+}}" if change["after"] else ""
    return " ".join(f"{change['lead']}{struck}{added}{change['trail']}".split())


def main() -> int:
    """Runs the demo."""
    OUTPUT.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="redraft-demo-") as folder,
        service(Path(folder)) as client,
    ):
        run(client)
    return 0


def run(client: httpx.Client) -> None:
    """Takes the contract through everything, then the PDF."""
    views = {"redline": ("redline", ""), "clean": ("clean", "")}
    walk(client, SAMPLE.name, SAMPLE.read_bytes(), INSTRUCTIONS, views)
    print()
    views["redline-in-word"] = ("redline", "docx")
    walk(client, PDF_NAME, order_form(), PDF_INSTRUCTIONS, views)


def order_form() -> bytes:
    """Draws a PDF of one page."""
    import pymupdf

    document: Any = pymupdf.open()
    page = document.new_page(width=595, height=842)
    for y, size, font, words in PDF_LINES:
        page.insert_text((72, y), words, fontsize=size, fontname=font)
    return bytes(document.tobytes())


def walk(
    client: httpx.Client,
    name: str,
    data: bytes,
    instructions: Sequence[str],
    views: Mapping[str, tuple[str, str]],
) -> None:
    """Uploads, reads, edits, lists the changes, downloads.

    Args:
        client: Of the service.
        name: Of the document.
        data: The document.
        instructions: What should change.
        views: The view and the format of each file to be written, by what its name ends with.
    """
    uploaded = answer(
        client.post(
            "/v1/documents/",
            files={"file": (name, data)},
            data={"tracked_changes": "true", "author_name": "Dana Whitfield"},
        )
    )
    path = f"/v1/documents/{uploaded['docId']}"
    print(f"uploaded {uploaded['name']} as {uploaded['docId']}")
    reading = answer(client.post(f"{path}/markdown", json={"readUid": str(uuid.uuid4())}))
    words = len(reading["markdown"].split())
    print(f"read {words} words of Markdown in {reading['timeToGenerate']:.2f} s\n")
    for instruction in instructions:
        print(f"> {instruction}")
        body = {"editUid": str(uuid.uuid4()), "editInstructions": instruction}
        edited = answer(client.post(f"{path}/edits", json=body))
        if not edited["editApplied"]:
            sys.exit(f"  not applied: {edited['summary']}")
        print(f"  {edited['summary']} ({edited['timeToEdit']:.2f} s)")
    print("\ntracked changes")
    changes = answer(client.get(f"{path}/changes"))["changes"]
    for number, change in enumerate(changes, 1):
        print(f"{number:3}  {change['author']}  {change['where']}\n     {marked(change)}")
    if not changes:
        sys.exit("no tracked change in the document")
    for ending, (view, kind) in views.items():
        target = OUTPUT / f"{Path(name).stem}-{ending}.{kind or Path(name).suffix[1:]}"
        query = {"view": view} | ({"format": kind} if kind else {})
        downloaded = client.get(f"{path}/download", params=query)
        downloaded.raise_for_status()
        target.write_bytes(downloaded.content)
        print(f"wrote {target.relative_to(ROOT)} ({len(downloaded.content)} bytes)")


if __name__ == "__main__":
    raise SystemExit(main())
