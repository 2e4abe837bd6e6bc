from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from redraft.api.files.local import LocalFiles
from redraft.api.files.protocol import AbsentError
from redraft.api.metadata.sqlite import SqliteMetadata
from redraft.api.operations.mailbox import Event, EventKind
from redraft.api.operations.renditions import Renditions, StoredReading
from redraft.api.sandbox.workers import InProcess
from redraft.api.settings import Settings
from tests.api import fake_engine
from tests.api.builders import HeldClock, document, version
from tests.api.fake_engine import FakeEngine


class Counting(LocalFiles):
    """A folder that counts how often an object is read."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.loads: list[str] = []

    async def load(self, key: str) -> bytes:
        self.loads.append(key)
        return await super().load(key)


@pytest.fixture
def files(tmp_path: Path) -> Counting:
    made = Counting(tmp_path)
    made.prepare()
    return made


@pytest.fixture
def renditions(files: Counting, metadata: SqliteMetadata) -> Renditions:
    return Renditions(files, metadata.documents, FakeEngine(InProcess()), Settings())


async def test_markdown_that_is_asked_for_again_is_read_once(
    renditions: Renditions, files: Counting, clock: HeldClock
) -> None:
    stored = document(clock)
    await files.put(fake_engine.docx("“hello”\n"), f"{stored.id}/0-blob")
    assert await renditions.stored_reading(stored, version(), "final") is None
    made = await renditions.reading(stored, version(), "final", 60)
    files.loads.clear()
    found = [await renditions.stored_reading(stored, version(), "final") for _ in range(3)]
    assert found == [made, made, made]
    assert made.text == "“hello”\n"
    assert files.loads == [f"{stored.id}/0-blob.final"]
    assert await renditions.stored_reading(stored, version(), "markup") is None
    assert await renditions.stored_reading(stored, version(1), "final") is None


@pytest.mark.parametrize("kind", ["deleted", "expired"])
async def test_markdown_of_a_document_that_is_no_more_is_forgotten(
    renditions: Renditions, files: Counting, clock: HeldClock, kind: EventKind
) -> None:
    stored, other = document(clock), document(clock)
    for each in (stored, other):
        await files.put(fake_engine.docx("hello"), f"{each.id}/0-blob")
        await renditions.reading(each, version(), "final", 60)
        assert await renditions.stored_reading(each, version(), "final")
    renditions.announce(Event("applied", stored.id))
    await files.discard(stored.id)
    await files.discard(other.id)
    assert await renditions.stored_reading(stored, version(), "final")
    renditions.announce(Event(kind, stored.id))
    assert await renditions.stored_reading(stored, version(), "final") is None
    assert await renditions.stored_reading(other, version(), "final")


async def test_a_reading_of_an_earlier_release_is_understood(
    renditions: Renditions, files: Counting, clock: HeldClock
) -> None:
    stored = document(clock)
    await files.put(
        b'{"markdown": "say \\"hi\\" \\u00e9", "notices": []}', f"{stored.id}/0-blob.final"
    )
    found = await renditions.stored_reading(stored, version(), "final")
    assert found is not None
    assert found.text == 'say "hi" é'
    assert msgspec.json.decode(msgspec.json.encode(found), type=StoredReading).text == found.text


async def test_a_document_without_its_file_cannot_be_read(
    renditions: Renditions, clock: HeldClock
) -> None:
    with pytest.raises(AbsentError):
        await renditions.reading(document(clock), version(), "final", 60)


async def test_blocks_that_are_asked_for_again_are_read_once(
    renditions: Renditions, files: Counting, clock: HeldClock
) -> None:
    stored = document(clock)
    await files.put(fake_engine.docx("hello\n"), f"{stored.id}/0-blob")
    windows = [await renditions.blocks(stored, version()) for _ in range(3)]
    assert windows[0].blocks[0].text.strip() == "hello"
    assert windows[1:] == windows[:2]
    await files.discard(stored.id)
    with pytest.raises(AbsentError):
        await renditions.blocks(stored, version())
