from __future__ import annotations

import errno
import hashlib
import os
import time
from pathlib import Path

import pytest

from redraft.api.files.local import LocalFiles
from redraft.api.files.protocol import AbsentError, FullError, Span, UnwritableError
from redraft.api.operations.mailbox import DEADLINE_SECONDS


@pytest.fixture
def files(tmp_path: Path) -> LocalFiles:
    made = LocalFiles(tmp_path)
    made.prepare()
    return made


async def test_what_is_kept_can_be_read_in_spans(files: LocalFiles) -> None:
    data = bytes(range(256)) * 8192
    kept = await files.put(data, "doc/0-a")
    assert (kept.size, kept.digest) == (len(data), hashlib.sha256(data).hexdigest())
    assert await files.size("doc/0-a") == len(data)
    assert await files.load("doc/0-a") == data
    chunks = [chunk async for chunk in files.read("doc/0-a", Span(10, len(data) - 10))]
    assert b"".join(chunks) == data[10:-10]
    assert max(len(chunk) for chunk in chunks) <= 1024 * 1024
    async with files.at_hand("doc/0-a") as path:
        assert path.read_bytes() == data


async def test_scratch_files_vanish_unless_they_are_kept(files: LocalFiles, tmp_path: Path) -> None:
    async with files.scratch() as path:
        path.write_bytes(b"left")
    async with files.scratch() as path:
        path.write_bytes(b"kept")
        await files.keep(path, "doc/1-b")
    assert list((tmp_path / "scratch").iterdir()) == []
    assert await files.load("doc/1-b") == b"kept"


async def test_what_is_at_hand_has_a_name_of_its_own_that_goes(
    files: LocalFiles, tmp_path: Path
) -> None:
    await files.put(b"x", "doc/0-a")
    async with files.at_hand("doc/0-a") as one, files.at_hand("doc/0-a") as other:
        assert one != other
        assert one.parent == other.parent == files.worker_folders.inputs
        await files.discard("doc")
        assert one.read_bytes() == b"x"
    assert list((tmp_path / "at-hand").iterdir()) == []


async def test_a_volume_without_second_names_gets_copies(
    files: LocalFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(Path, "hardlink_to", refused)
    await files.put(b"x", "doc/0-a")
    async with files.at_hand("doc/0-a") as path:
        assert path.read_bytes() == b"x"
    assert list(files.worker_folders.inputs.iterdir()) == []


async def test_scratch_files_are_cleared_once_no_operation_can_work_on_them(
    files: LocalFiles,
) -> None:
    for name, age in (("old", 2 * DEADLINE_SECONDS + 1), ("young", 2 * DEADLINE_SECONDS - 60)):
        path = files.worker_folders.outputs / name
        path.touch()
        moment = time.time() - age
        os.utime(path, (moment, moment))
    await files.clear()
    assert [path.name for path in files.worker_folders.outputs.iterdir()] == ["young"]


async def test_what_a_worker_writes_while_it_is_being_ended_goes_at_the_next_sweeps(
    files: LocalFiles,
) -> None:
    async with files.scratch() as path:
        pass
    path.write_bytes(b"a word too many")
    async with files.scratch() as mine:
        mine.write_bytes(b"")
        await files.clear()
        assert list(files.worker_folders.outputs.iterdir()) == [mine]
        path.write_bytes(b"and one more")
        await files.clear()
        assert list(files.worker_folders.outputs.iterdir()) == [mine]


async def test_a_discarded_document_is_absent(files: LocalFiles) -> None:
    await files.put(b"x", "doc/0-a")
    await files.put(b"y", "other/0-a")
    assert await files.documents() == ("doc", "other")
    await files.discard("doc")
    await files.discard("doc")
    assert await files.documents() == ("other",)
    with pytest.raises(AbsentError):
        await files.size("doc/0-a")
    with pytest.raises(AbsentError):
        await files.load("doc/0-a")
    with pytest.raises(AbsentError):
        async with files.at_hand("doc/0-a"):
            pass
    with pytest.raises(AbsentError):
        assert [chunk async for chunk in files.read("doc/0-a", Span(0, 1))]


@pytest.mark.parametrize("key", ["../x", "doc/../../x", "doc", "/etc/passwd", "doc/a/b", "doc/.x"])
async def test_a_key_is_never_a_path(files: LocalFiles, key: str) -> None:
    with pytest.raises(AbsentError):
        await files.load(key)


@pytest.mark.parametrize("name", ["scratch", "documents", "at-hand"])
async def test_free_space_is_a_number_as_long_as_every_folder_is_there(
    files: LocalFiles, tmp_path: Path, name: str
) -> None:
    assert await files.free() > 0
    (tmp_path / name).rmdir()
    with pytest.raises(UnwritableError):
        await files.free()


@pytest.mark.parametrize("name", ["scratch", "documents"])
@pytest.mark.parametrize("is_gone", [True, False], ids=["gone", "a file in its place"])
async def test_what_cannot_be_written_is_said_to_be_so_and_not_to_be_absent(
    files: LocalFiles, tmp_path: Path, name: str, is_gone: bool
) -> None:
    (tmp_path / name).rmdir()
    if not is_gone:
        (tmp_path / name).touch()
    with pytest.raises(UnwritableError):
        await files.put(b"x", "doc/0-a")


async def test_an_object_that_cannot_be_handed_to_a_worker_is_not_absent(
    files: LocalFiles, tmp_path: Path
) -> None:
    await files.put(b"x", "doc/0-a")
    (tmp_path / "at-hand").rmdir()
    with pytest.raises(UnwritableError):
        async with files.at_hand("doc/0-a"):
            pass
    assert await files.load("doc/0-a") == b"x"


async def test_a_volume_without_space_is_full(
    files: LocalFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", refused)
    with pytest.raises(FullError):
        await files.put(b"x", "doc/0-a")


async def test_scratch_that_cannot_be_removed_hides_no_other_fault(
    files: LocalFiles, tmp_path: Path
) -> None:
    async def work() -> None:
        async with files.scratch():
            (tmp_path / "scratch").rmdir()
            (tmp_path / "scratch").touch()
            message = "of the work"
            raise ValueError(message)

    with pytest.raises(ValueError, match="of the work"):
        await work()
