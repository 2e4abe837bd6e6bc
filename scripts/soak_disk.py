"""Soak: a volume that fills up under clients, and is freed again (needs the right to mount).

While there is no space, every answer is 507, 503 or a 500 that says so; nothing that was answered
200 is lost, no file of a document is half of one, and once there is space again edits succeed.
"""

from __future__ import annotations

import asyncio
import errno
import os
import subprocess
import tempfile
from pathlib import Path
from uuid import uuid4

import httpx

from scripts import bench_documents, serving
from scripts.counted import Count

MEGABYTES = 48
DOCUMENTS = 6
ALLOWED = (200, 500, 503, 507)
BLOCK = 64 * 1024


def run(rounds: int) -> list[Count]:
    """Fills and frees the volume so many times; no figure where a volume cannot be mounted."""
    with tempfile.TemporaryDirectory() as folder:
        size = f"size={MEGABYTES}m"
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", size, "tmpfs", folder], capture_output=True, check=False
        )
        if mounted.returncode:
            return [Count("not run: no right to mount a volume", 0, is_fault=False)]
        try:
            with serving.Serving(serving.settings(Path(folder) / "data")) as service:
                return asyncio.run(_run(service.url, Path(folder), rounds))
        finally:
            subprocess.run(["umount", folder], check=False)


async def _run(url: str, volume: Path, rounds: int) -> list[Count]:
    headers = {"Authorization": f"Bearer {serving.KEY}"}
    async with httpx.AsyncClient(
        base_url=f"{url}/v1/documents/", headers=headers, timeout=330
    ) as client:
        tight = Tight(client)
        await tight.begin()
        for _ in range(rounds):
            _fill(volume / "filler")
            await asyncio.gather(*(tight.press(name) for name in tight.words))
            (volume / "filler").unlink()
            await tight.check()
        return tight.counts()


def _fill(path: Path) -> None:
    block = os.urandom(BLOCK)
    with path.open("wb", buffering=0) as file:
        try:
            while file.write(block):
                pass
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise


class Tight:
    """Clients of a service without space, and what they were told."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.words: dict[str, list[str]] = {}
        self._client = client
        self._number = self._full = self._lost = self._unasked = self._after = 0
        self._strange: list[str] = []

    async def begin(self) -> None:
        """Uploads while there is space."""
        for _ in range(DOCUMENTS):
            self.words[(await self._upload()).json()["docId"]] = []

    async def press(self, name: str) -> None:
        """Edits, reads and uploads while there is none."""
        for _ in range(4):
            await self._edit(name)
            self._note(await self._client.post(f"{name}/markdown", json={"readUid": str(uuid4())}))
            self._note(await self._client.get(f"{name}/download"))
            self._note(await self._upload())

    async def check(self) -> None:
        """Compares every text with what was acknowledged, now that there is space."""
        for name, words in self.words.items():
            read = await self._client.post(f"{name}/markdown", json={"readUid": str(uuid4())})
            words_there = read.json().get("markdown", "").split()
            self._lost += sum(words_there.count(word) != 1 for word in words)
            self._unasked += len(set(words_there) - set(words) - {"END"})
            self._after += not await self._edit(name)

    async def _upload(self) -> httpx.Response:
        files = {"file": ("disk.docx", bench_documents.paragraph("END"))}
        return await self._client.post("", files=files)

    async def _edit(self, name: str) -> bool:
        self._number += 1
        word = f"w{self._number}"
        body = {"editUid": str(uuid4()), "editInstructions": f'Replace "END" with "{word} END"'}
        answer = await self._client.post(f"{name}/edits", json=body)
        self._note(answer)
        is_applied = answer.status_code == 200 and bool(answer.json()["editApplied"])
        if is_applied:
            self.words[name].append(word)
        return is_applied

    def _note(self, answer: httpx.Response) -> None:
        self._full += answer.status_code != 200
        if answer.status_code not in ALLOWED:
            self._strange.append(f"{answer.status_code} {answer.text}"[:200])

    def counts(self) -> list[Count]:
        """Returns what came of it."""
        acknowledged = sum(len(words) for words in self.words.values())
        return [
            Count("edits acknowledged", acknowledged, is_fault=False),
            Count("requests refused for want of space", self._full, is_fault=False),
            Count("acknowledged edits lost or doubled", self._lost),
            Count("words nobody was told of", self._unasked),
            Count("edits that failed although there was space again", self._after),
            Count("unexpected answers", len(self._strange), note=" | ".join(self._strange[:3])),
        ]
