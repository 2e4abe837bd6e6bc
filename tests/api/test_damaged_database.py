"""A database whose pages were overwritten is refused in one sentence, whatever is read of it."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest

from redraft.api.auth.api_keys import new_key
from redraft.api.metadata.protocol import Limits, MetadataError
from redraft.api.metadata.sqlite import SqliteMetadata
from tests.api.builders import HeldClock, document, submission, version

PAGE = 4096
SEEDS = range(40)


async def fill(path: Path, clock: HeldClock) -> None:
    metadata = await SqliteMetadata.open(path)
    for number in range(12):
        stored = document(clock, owner=f"ann-{number}")
        await metadata.documents.add(stored, version())
        for _ in range(3):
            await metadata.operations.accept(submission(stored), clock.now(), Limits())
        await metadata.keys.add(new_key(f"key {number}", clock.now()).key)
    await metadata.close()


async def use(path: Path, clock: HeldClock) -> None:
    """Ask for everything that a start, a list and a sweep ask for."""
    metadata = await SqliteMetadata.open(path)
    try:
        await metadata.keys.highest()
        await metadata.keys.signing()
        for key in await metadata.keys.list():
            assert isinstance(key.created_at, float)
        for name in await metadata.documents.known():
            await metadata.documents.current(name)
            for operation in await metadata.operations.history(name):
                assert isinstance(operation.request, bytes)
        for number in range(12):
            await metadata.documents.list(f"ann-{number}")
        await metadata.operations.recover()
        await metadata.documents.totals()
        await metadata.documents.expire(clock.now() + 400)
    finally:
        await metadata.close()


def scrambled(data: bytes, seed: int) -> bytes:
    """Data with bytes overwritten in one page: a few, a run of them, or all."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    start = chance.randrange(len(data) // PAGE) * PAGE
    page = bytearray(data[start : start + PAGE])
    length = chance.choice((1, 8, 64, PAGE))
    at = chance.randrange(PAGE - length + 1)
    page[at : at + length] = chance.randbytes(length)
    return data[:start] + bytes(page) + data[start + PAGE :]


@pytest.mark.thorough
async def test_scrambled_pages_are_refused_or_do_no_harm(tmp_path: Path, clock: HeldClock) -> None:
    whole = tmp_path / "whole.sqlite"
    await fill(whole, clock)
    data = whole.read_bytes()
    sentences: list[str] = []
    for seed in SEEDS:
        path = tmp_path / f"{seed}.sqlite"
        path.write_bytes(scrambled(data, seed))
        try:
            await use(path, clock)
        except MetadataError as error:
            sentences.append(str(error))
    assert len(sentences) > len(SEEDS) // 5
    assert not any("\n" in sentence for sentence in sentences)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE documents SET images = '[[[garbage'",
        "UPDATE documents SET images = '[7]'",
        "UPDATE documents SET created_at = 'yesterday'",
        "UPDATE documents SET name = x'ff00ff'",
        "UPDATE documents SET format = 'exe'",
        "UPDATE versions SET state = 7",
    ],
)
async def test_a_row_that_is_none_of_ours_is_damage(
    change: str, tmp_path: Path, clock: HeldClock
) -> None:
    metadata = await SqliteMetadata.open(tmp_path / "a.sqlite")
    stored = document(clock)
    await metadata.documents.add(stored, version())
    with sqlite3.connect(tmp_path / "a.sqlite") as other:
        other.execute(change)
    other.close()
    try:
        with pytest.raises(MetadataError, match="restore a backup"):
            await metadata.documents.current(stored.id)
    finally:
        await metadata.close()
