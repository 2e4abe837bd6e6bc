"""The file store in a bucket, of a real S3 server."""

from __future__ import annotations

import asyncio
from pathlib import Path

import obstore
import pytest

from redraft.api.files import s3
from redraft.api.files.protocol import AbsentError, DamagedError, Span, UnwritableError
from redraft.api.files.s3 import S3Files, bucket, listed
from tests.cluster.s3_server import S3Server

LONG = bytes(range(256)) * 12_000
SHORT_DIGEST = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"


@pytest.fixture
def files(bucket_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> S3Files:
    monkeypatch.setattr(s3, "RETRY_SECONDS", 1)
    made = S3Files(bucket(bucket_url), tmp_path)
    made.prepare()
    return made


async def test_an_object_is_kept_read_in_parts_and_discarded_with_its_document(
    files: S3Files,
) -> None:
    async with files.scratch() as path:
        path.write_bytes(LONG)
        kept = await files.keep(path, "doc/1-a")
    assert kept.size == len(LONG) == await files.size("doc/1-a")
    await files.verify("doc/1-a", kept.digest)
    parts = [part async for part in files.read("doc/1-a", Span(100, 2_500_000))]
    assert b"".join(parts) == LONG[100:2_500_000]
    await files.put(b"other", "doc2/0-a")
    await files.discard("doc")
    await files.discard("doc")
    with pytest.raises(AbsentError):
        await files.load("doc/1-a")
    assert await files.load("doc2/0-a") == b"other"


async def test_what_is_at_hand_goes_again_and_is_what_was_stored(files: S3Files) -> None:
    await files.put(b"hello", "doc/0-a")
    async with files.at_hand("doc/0-a", SHORT_DIGEST) as path:
        assert path.read_bytes() == b"hello"
        assert path.parent == files.worker_folders.inputs
    assert not path.exists()
    with pytest.raises(DamagedError):
        async with files.at_hand("doc/0-a", "0" * 64):
            pass


async def test_an_object_is_never_overwritten(files: S3Files, bucket_url: str) -> None:
    await asyncio.gather(*(files.put(b"%d" % number, "doc/0-a") for number in range(20)))
    first = await files.load("doc/0-a")
    await files.put(b"later", "doc/0-a")
    assert await files.load("doc/0-a") == first
    await files.probe()
    assert await listed(bucket(bucket_url), "probe/") == []


async def test_a_store_that_overwrites_is_refused(
    files: S3Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = obstore.put_async

    async def overwrite(store: object, key: str, data: bytes, **_: object) -> object:
        return await create(store, key, data)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(obstore, "put_async", overwrite)
    with pytest.raises(UnwritableError, match="overwrites"):
        await files.probe()


async def test_what_is_wrong_with_a_bucket_is_said_in_words(
    files: S3Files, bucket_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "another")
    with pytest.raises(UnwritableError, match="refuses the key of AWS_ACCESS_KEY_ID"):
        await S3Files(bucket(bucket_url), tmp_path).probe()
    nowhere = bucket_url.rpartition(":")[0] + ":9"
    with pytest.raises(UnwritableError, match="look at its `endpoint`"):
        await S3Files(bucket(nowhere), tmp_path).probe()


@pytest.mark.thorough
async def test_a_store_that_is_gone_is_told_as_such_and_serves_again_when_it_is_back(
    files: S3Files, bucket_server: S3Server
) -> None:
    await files.put(b"hello", "doc/0-a")
    await asyncio.to_thread(bucket_server.kill)
    for work in (files.load("doc/0-a"), files.put(b"x", "doc/1-a"), files.free()):
        with pytest.raises(UnwritableError):
            await work
    await asyncio.to_thread(bucket_server.start)
    async with asyncio.timeout(60):
        while True:
            try:
                assert await files.load("doc/0-a") == b"hello"
            except (UnwritableError, AbsentError):
                await asyncio.sleep(0.5)
            else:
                break
