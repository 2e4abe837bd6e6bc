from __future__ import annotations

from collections.abc import Callable

import pytest

from redraft.remote.ssh.virtual_files import (
    CACHED,
    COPIES,
    FRESH,
    Arrived,
    File,
    Folder,
    ForbiddenError,
    MissingError,
    VirtualFileError,
    VirtualFiles,
    parts_of,
)
from redraft.tui.transport import wire
from redraft.tui.transport.failures import UnreachableError
from redraft.tui.transport.requests import Copy, Upload
from tests.remote.conftest import HandClock


class Standin:
    """Documents in memory, and a count of what was asked."""

    def __init__(self, *held: wire.DocumentInfo) -> None:
        self.held = list(held)
        self.asked: list[str] = []
        self.sent: list[Upload] = []
        self.is_down = False
        self.size = 5

    async def documents(self) -> wire.DocumentList:
        self._note("list")
        return wire.DocumentList(documents=self.held)

    async def download(self, document: str, copy: Copy) -> bytes:
        self._note(f"{copy} {document}")
        return f"{copy} {document} ".encode().ljust(self.size)

    async def upload(self, upload: Upload, told: Callable[[int], None]) -> wire.Uploaded:
        self._note("upload")
        told(1)
        self.sent.append(upload)
        return wire.Uploaded(doc_id="new", name=upload.name, warnings=["it is protected"])

    def _note(self, what: str) -> None:
        self.asked.append(what)
        if self.is_down:
            message = "connection refused"
            raise UnreachableError(message)


def info(identifier: str, name: str, version: int = 0) -> wire.DocumentInfo:
    return wire.DocumentInfo(
        doc_id=identifier, name=name, version=version, size=7, created_at="2026-11-21T14:31:00Z"
    )


def shelf(standin: Standin, clock: HandClock | None = None) -> VirtualFiles:
    return VirtualFiles(standin, "Alice Lee", (clock or HandClock()).steady)


async def names(of: VirtualFiles, path: str) -> list[str]:
    return [entry.name for entry in await of.entries(path)]


async def test_there_is_a_folder_for_each_kind_of_copy() -> None:
    holding = shelf(Standin(info("d1", "contract.docx")))
    assert await names(holding, "/") == list(COPIES)
    for copy in COPIES:
        (file,) = await holding.entries(f"/{copy}")
        assert file == File("contract.docx", copy, "d1", 0, 7, 1795271460.0)


@pytest.mark.parametrize(
    "path",
    [
        "/etc",
        "/etc/passwd",
        "/redline/../../etc/passwd",
        "../../../etc/passwd",
        "/redline/missing.docx",
        "/redline/contract.docx/x",
        "/redline//../contract.docx",
        "/Redline/contract.docx",
        "/redline/contract.docx\0",
    ],
)
async def test_nothing_but_documents_is_found(path: str) -> None:
    holding = shelf(Standin(info("d1", "contract.docx")))
    with pytest.raises(MissingError):
        await holding.find(path)
    with pytest.raises(MissingError):
        await holding.entries(path)


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("", []),
        (".", []),
        ("//", []),
        ("/..", []),
        ("redline", ["redline"]),
        ("/redline/./x/../y", ["redline", "y"]),
        ("../../redline", ["redline"]),
    ],
)
def test_a_path_goes_up_and_never_past_the_root(path: str, parts: list[str]) -> None:
    assert parts_of(path) == parts


async def test_documents_of_one_name_are_told_apart_by_their_ids() -> None:
    held = info("aaaaaaaa-1", "a.docx"), info("bbbbbbbb-2", "a.docx"), info("c", "b.pdf")
    holding = shelf(Standin(*held))
    assert await names(holding, "/clean") == ["a (aaaaaaaa).docx", "a (bbbbbbbb).docx", "b.pdf"]
    found = await holding.find("/clean/a (bbbbbbbb).docx")
    assert isinstance(found, File)
    assert found.document == "bbbbbbbb-2"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../x.docx", ".._.._x.docx"),
        ("..", "document .."),
        ("a\\b.docx", "a_b.docx"),
        ("a\x1b[31mb.docx", "a_[31mb.docx"),
        ("a\u202eb.docx", "a_b.docx"),
        ("Überweisung 日本.docx", "Überweisung 日本.docx"),
    ],
)
async def test_a_name_is_one_harmless_component(name: str, shown: str) -> None:
    holding = shelf(Standin(info("d1", name)))
    assert await names(holding, "/original") == [shown]
    assert isinstance(await holding.find(f"/original/{shown}"), File)


async def test_a_copy_is_fetched_once_for_a_version_and_its_size_is_known_then() -> None:
    standin, clock = Standin(info("d1", "a.docx")), HandClock()
    holding = shelf(standin, clock)
    file = await holding.find("/redline/a.docx")
    assert isinstance(file, File)
    assert await holding.fetch(file) == await holding.fetch(file) == b"redline d1 "
    again = await holding.find("/redline/a.docx")
    assert isinstance(again, File)
    assert again.size == len(b"redline d1 ")
    assert standin.asked == ["list", "redline d1"]
    standin.held = [info("d1", "a.docx", version=1)]
    clock.seconds += FRESH
    newer = await holding.find("/redline/a.docx")
    assert isinstance(newer, File)
    await holding.fetch(newer)
    assert standin.asked == ["list", "redline d1", "list", "redline d1"]


async def test_copies_beyond_a_size_are_forgotten_the_oldest_first() -> None:
    standin = Standin(*(info(f"d{number}", f"{number}.docx") for number in range(3)))
    standin.size = CACHED // 2
    holding = shelf(standin)
    for number in (0, 1, 2, 2, 0):
        file = await holding.find(f"/clean/{number}.docx")
        assert isinstance(file, File)
        await holding.fetch(file)
    assert standin.asked == ["list", "clean d0", "clean d1", "clean d2", "clean d0"]


async def test_what_is_put_is_uploaded_tracked_in_the_persons_name_and_seen() -> None:
    standin = Standin()
    holding = shelf(standin)
    assert holding.check_name("/contract.docx") == "contract.docx"
    said = await holding.upload("contract.docx", b"data", 12.0)
    assert "uploaded" in said
    assert "it is protected" in said
    assert standin.sent == [Upload("contract.docx", b"data", 3600, True, "Alice Lee")]
    assert await holding.find("/contract.docx") == Arrived("contract.docx", 4, 12.0)
    assert (await holding.entries("/"))[-1] == Arrived("contract.docx", 4, 12.0)


async def test_an_upload_is_in_the_folders_at_once() -> None:
    standin = Standin()
    holding = shelf(standin)
    assert await names(holding, "/clean") == []
    standin.held.append(info("new", "contract.docx"))
    await holding.upload("contract.docx", b"data", 0.0)
    assert isinstance(await holding.find("/clean/contract.docx"), File)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/contract.doc", "not supported"),
        ("/.ssh/authorized_keys", "not to a folder"),
        ("/redline/contract.docx", "not to a folder"),
        ("/redline", "not to a folder"),
        ("/", "not to a folder"),
    ],
)
def test_only_documents_are_put_and_only_at_the_root(path: str, words: str) -> None:
    with pytest.raises(ForbiddenError, match=words):
        shelf(Standin()).check_name(path)


def test_a_document_is_at_most_as_large_as_the_service_takes() -> None:
    holding = shelf(Standin())
    holding.check_size(10 * 1024 * 1024)
    with pytest.raises(ForbiddenError, match="10MB"):
        holding.check_size(10 * 1024 * 1024 + 1)


async def test_a_service_that_does_not_answer_is_told_in_its_words() -> None:
    standin = Standin(info("d1", "a.docx"))
    holding = shelf(standin)
    file = await holding.find("/clean/a.docx")
    assert isinstance(file, File)
    standin.is_down = True
    for work in (holding.fetch(file), holding.entries("/clean"), holding.upload("a.docx", b"", 0)):
        with pytest.raises(VirtualFileError, match="connection refused"):
            await work
    assert await holding.find("/") == Folder("")
