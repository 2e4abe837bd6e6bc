"""sftp with a client that is a library, on a real service."""

from __future__ import annotations

import asyncio
import inspect
import io
import posixpath
import zipfile
from pathlib import Path
from typing import Any, cast

import asyncssh
import pytest

from redraft.remote.ssh import sftp as door
from redraft.remote.ssh.sftp import DocumentServer
from tests.interface.server_process import ServerProcess, edit, wait_for
from tests.remote.conftest import PATIENCE, Running, Serve, key_of

SAMPLE = Path(__file__).parents[2] / "tui" / "sample" / "services-agreement.docx"
DATA = SAMPLE.read_bytes()
HARMLESS = {
    "__init__",
    "channel",
    "connection",
    "env",
    "logger",
    "convert_attrs",
    "format_longname",
}


def test_every_request_that_could_reach_the_disk_is_answered_by_us() -> None:
    inherited = {
        name
        for name, _ in inspect.getmembers(asyncssh.SFTPServer)
        if not name.startswith("_") and name not in vars(DocumentServer)
    }
    assert inherited <= HARMLESS


async def files(running: Running, name: str = "alice") -> asyncssh.SFTPClient:
    connection = await running.connect(name)
    return await connection.start_sftp_client()  # pyright: ignore[reportUnknownMemberType]


async def put(client: asyncssh.SFTPClient, name: str, data: bytes) -> None:
    async with client.open(name, "wb") as file:
        await file.write(data)


async def got(client: asyncssh.SFTPClient, name: str) -> bytes:
    async with client.open(name, "rb") as file:
        return cast("bytes", await file.read())


async def listed(client: asyncssh.SFTPClient, path: str) -> list[str]:
    names = cast("list[str]", await client.listdir(path))
    return sorted(name for name in names if name not in (".", ".."))


async def test_a_document_is_put_edited_and_got_in_three_copies(
    serving: Serve, documents: ServerProcess
) -> None:
    async with serving(server=documents.url) as running:
        client = await files(running)
        await put(client, "treaty.docx", DATA)
        with documents.client(key_of("alice")) as service:
            held = service.get("/v1/documents/").json()["documents"]
            (document,) = [one["docId"] for one in held if one["name"] == "treaty.docx"]
            words = 'Replace "Harbour Lane" with "Quay Street" everywhere'
            answer = await asyncio.to_thread(edit, service, document, words)
            assert answer.json()["editApplied"], answer.text
        assert await got(client, "/original/treaty.docx") == DATA
        await asyncio.sleep(0)
        texts: dict[str, str] = {}
        for copy in ("redline", "clean"):
            data = await got(client, f"/{copy}/treaty.docx")
            texts[copy] = zipfile.ZipFile(io.BytesIO(data)).read("word/document.xml").decode()
            assert (await client.stat(f"/{copy}/treaty.docx")).size == len(data)
        assert "Alice Lee" in texts["redline"]
        assert "<w:del " in texts["redline"]
        assert "<w:del " not in texts["clean"]
        assert "Quay Street" in texts["clean"]


async def test_documents_of_others_are_not_there(serving: Serve, documents: ServerProcess) -> None:
    async with serving(server=documents.url) as running:
        alice, bob = await files(running, "alice"), await files(running, "bob")
        await put(alice, "of-alice.docx", DATA)
        await put(bob, "of-bob.docx", DATA)
        assert "of-alice.docx" in await listed(alice, "/redline")
        assert "of-bob.docx" not in await listed(alice, "/redline")
        with pytest.raises(asyncssh.SFTPNoSuchFile):
            await got(bob, "/redline/of-alice.docx")


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "../../../../etc/passwd",
        "/redline/../../etc/passwd",
        "/redline/..%2f..%2fetc/passwd",
        "/proc/self/environ",
        "authorized_keys",
        "/keys/alice",
        "/host_key",
    ],
)
async def test_no_file_of_the_machine_is_reached(
    serving: Serve, documents: ServerProcess, path: str
) -> None:
    async with serving(server=documents.url) as running:
        client = await files(running)
        for asked in (client.stat(path), client.lstat(path), got(client, path)):
            with pytest.raises(asyncssh.SFTPNoSuchFile):
                await asked
        if posixpath.dirname(path) not in ("", "/"):
            with pytest.raises(asyncssh.SFTPNoSuchFile):
                await client.listdir(posixpath.dirname(path))
        with pytest.raises(asyncssh.SFTPError):
            await put(client, path, b"x")
        assert (running.folder / "keys" / "alice").read_text().strip() == key_of("alice")


async def test_nothing_is_changed_removed_or_linked(
    serving: Serve, documents: ServerProcess
) -> None:
    async with serving(server=documents.url) as running:
        client = await files(running)
        await put(client, "kept.docx", DATA)
        place = "/redline/kept.docx"
        attempts: list[Any] = [
            client.remove(place),
            client.rename(place, "/redline/other.docx"),
            client.posix_rename(place, "/other.docx"),
            client.mkdir("/new"),
            client.rmdir("/redline"),
            client.symlink("/etc", "/redline/etc"),
            client.link("/etc/passwd", "/passwd"),
            client.readlink("/redline"),
            client.chmod(place, 0o777),
            client.utime(place, (1, 1)),
            client.truncate(place, 0),
            client.statvfs("/"),
            put(client, place, DATA),
        ]
        for attempt in attempts:
            with pytest.raises(asyncssh.SFTPError):
                await attempt
        assert await got(client, place) == DATA


async def test_a_file_of_another_kind_is_refused_before_its_bytes(
    serving: Serve, documents: ServerProcess
) -> None:
    async with serving(server=documents.url) as running:
        client = await files(running)
        with pytest.raises(asyncssh.SFTPPermissionDenied, match="not supported"):
            await put(client, "macro.docm", DATA)


async def test_what_the_service_refuses_is_told_in_its_words(
    serving: Serve, documents: ServerProcess
) -> None:
    async with serving(server=documents.url) as running:
        client = await files(running)
        with pytest.raises(asyncssh.SFTPFailure, match="not supported"):
            await put(client, "no.docx", b"not a document")
        assert "no.docx" not in await listed(client, "/")


async def test_a_document_that_grows_too_large_is_refused_and_never_sent(
    serving: Serve, documents: ServerProcess
) -> None:
    async with serving(server=documents.url) as running:
        client = await files(running)
        file = await client.open("large.pdf", "wb")
        await file.write(b"%PDF-1.4\n")
        with pytest.raises(asyncssh.SFTPPermissionDenied, match="10MB"):
            await file.write(b"x", 10 * 1024 * 1024)
        with pytest.raises(asyncssh.SFTPFailure, match="was not uploaded"):
            await file.close()
        assert "large.pdf" not in await listed(client, "/clean")


async def test_pieces_may_come_in_any_order(serving: Serve, documents: ServerProcess) -> None:
    async with serving(server=documents.url) as running:
        client = await files(running)
        middle = len(DATA) // 2
        async with client.open("pieces.docx", "wb") as file:
            await file.write(DATA[middle:], middle)
            await file.write(DATA[:middle], 0)
        assert await got(client, "/original/pieces.docx") == DATA


async def test_a_line_that_breaks_in_the_middle_uploads_nothing(
    serving: Serve, documents: ServerProcess
) -> None:
    async with serving(server=documents.url) as running:
        connection = await running.connect()
        client = await connection.start_sftp_client()  # pyright: ignore[reportUnknownMemberType]
        file = await client.open("half.docx", "wb")
        await file.write(DATA)  # whole, as far as we can know, and the service would take it
        connection.abort()
        async with asyncio.timeout(PATIENCE):
            while len(running.host.context.sessions):  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)
            assert await running.host.context.finish(PATIENCE) == 0
        again = await files(running)
        assert "half.docx" not in await listed(again, "/clean")


async def test_a_client_that_ends_its_side_without_closing_a_file_uploads_nothing(
    serving: Serve, documents: ServerProcess
) -> None:
    async with serving(server=documents.url) as running:
        connection = await running.connect()
        process: asyncssh.SSHClientProcess[bytes] = await connection.create_process(  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
            subsystem="sftp", encoding=None
        )
        init = bytes([1]) + (3).to_bytes(4, "big")
        name = b"half.docx"
        opened = bytes([3]) + (1).to_bytes(4, "big") + len(name).to_bytes(4, "big") + name
        opened += (0x1A).to_bytes(4, "big") + (0).to_bytes(4, "big")
        for packet in (init, opened):
            process.stdin.write(len(packet).to_bytes(4, "big") + packet)
            size = int.from_bytes(await process.stdout.readexactly(4), "big")
            handle = await process.stdout.readexactly(size)
        assert handle[0] == 102  # SSH_FXP_HANDLE
        written = bytes([6]) + (2).to_bytes(4, "big") + handle[5:] + bytes(8)
        written += len(DATA).to_bytes(4, "big") + DATA
        process.stdin.write(len(written).to_bytes(4, "big") + written)
        await process.stdout.readexactly(4)
        process.stdin.write_eof()
        async with asyncio.timeout(PATIENCE):
            await process.wait_closed()
        assert "half.docx" not in await listed(await files(running), "/clean")


async def test_no_more_than_a_few_files_are_open_at_once(
    serving: Serve, documents: ServerProcess
) -> None:
    async with serving(server=documents.url) as running:
        client = await files(running)
        opened = [await client.open(f"{number}.docx", "wb") for number in range(door.MOST_OPEN)]
        with pytest.raises(asyncssh.SFTPFailure, match="open at once"):
            await client.open("more.docx", "wb")
        with pytest.raises(asyncssh.SFTPFailure):
            await opened[0].close()  # empty, so the service refuses it
        await client.open("more.docx", "wb")


async def test_stopping_waits_for_a_document_on_its_way(
    serving: Serve, documents: ServerProcess
) -> None:
    async with serving(server=documents.url) as running:
        client = await files(running)
        file = await client.open("late.docx", "wb")
        await file.write(DATA)
        closing = asyncio.create_task(running.host.close())
        await asyncio.sleep(0)
        await file.close()
        await closing
        with documents.client(key_of("alice")) as service:
            held = service.get("/v1/documents/").json()["documents"]
        assert "late.docx" in [one["name"] for one in held]


async def test_files_that_idle_end_like_sessions(serving: Serve, documents: ServerProcess) -> None:
    async with serving(server=documents.url) as running:
        client = await files(running)
        running.clock.seconds += 1800
        assert running.host.sweep() == 1
        async with asyncio.timeout(PATIENCE):
            await client.wait_closed()


def test_the_service_of_these_tests_is_real(documents: ServerProcess) -> None:
    with documents.client(key_of("erin")) as service:
        wait_for(lambda: service.get("/ready").status_code == 200)
