"""Files made to harm: each gets its sentence, costs little memory, and leaves nothing behind.

The documents are made here, so that these rows of the security list are proven everywhere.
"""

from __future__ import annotations

import io
import stat
import struct
import threading
import zipfile
from collections.abc import Callable, Generator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import httpx
import pikepdf
import pytest

from tests.interface.server_process import ServerProcess, edit, read, uid, upload
from tests.interface.situation_documents import linked_word, text_pdf, word

pytestmark = pytest.mark.process

TOO_SLOW = "took longer"
"""What the sentence says when it was the limit of time that ended the work."""
GROWTH = 50 * 1024 * 1024
MIB = 1024 * 1024
MAIN = "word/document.xml"
OTHER_TYPE = "File type not supported. Please upload a .docx or .pdf file"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[ServerProcess]:
    made = ServerProcess(tmp_path_factory.mktemp("hostile"), staged=False, inspect_seconds=120)
    yield made.start()
    made.close()


@pytest.fixture
def client(server: ServerProcess) -> Generator[httpx.Client]:
    with server.client() as opened:
        yield opened


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(content: dict[str, bytes], *more: tuple[zipfile.ZipInfo, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
        for info, data in more:
            archive.writestr(info, data)
    return target.getvalue()


def with_member(name: str, data: bytes, mode: int = 0) -> bytes:
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = mode << 16
    return zipped(members(word("hello")), (info, data))


def lying_about_its_size() -> bytes:
    """A main part that unpacks to 300 MiB and says that it has 3,000 bytes."""
    content = members(word("hello"))
    text = content[MAIN].replace(b"hello", b"hello " + b"x" * (300 * MIB))
    data = bytearray(zipped({**content, MAIN: text}))
    at = 0
    while (at := data.find(b"PK\x01\x02", at)) >= 0:
        length = struct.unpack_from("<H", data, at + 28)[0]
        if bytes(data[at + 46 : at + 46 + length]) == MAIN.encode():
            struct.pack_into("<L", data, at + 24, 3000)
            local = struct.unpack_from("<L", data, at + 42)[0]
            struct.pack_into("<L", data, local + 22, 3000)
        at += 4
    return bytes(data)


def duplicated(name: str) -> bytes:
    """Two members of one name, which readers of zips pick from as they like."""
    content = members(word("hello"))
    stand_in = "#" * len(name)
    data = zipped(content, (zipfile.ZipInfo(stand_in), content[name]))
    return data.replace(stand_in.encode(), name.encode())


BOMBS: dict[str, Callable[[], bytes]] = {
    "size": lambda: with_member("word/media/big.bin", bytes(210 * MIB)),
    "ratio": lambda: with_member("word/media/big.bin", bytes(30 * MIB)),
    "count": lambda: zipped(
        {**members(word("hello")), **{f"word/media/{n}.bin": b"" for n in range(6000)}}
    ),
    "lying header": lying_about_its_size,
    "main part twice": lambda: duplicated(MAIN),
    "relationships twice": lambda: duplicated("_rels/.rels"),
}


def _memory(pid: int, field: str = "VmHWM") -> int:
    """The most memory that a process has ever taken, or what it has now (bytes)."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split(f"{field}:")[1].split()[0]) * 1024


def _forget_the_most(pid: int) -> int:
    """Count the most memory from now on; return what it is now."""
    Path(f"/proc/{pid}/clear_refs").write_text("5")
    return _memory(pid, "VmRSS")


def refused(server: ServerProcess, client: httpx.Client, name: str, data: bytes) -> str:
    """Upload, and return the sentence: in time, for little memory, and nothing is left."""
    before, listed = _forget_the_most(server.pid), _listing(server)
    answer = client.post("/v1/documents/", files={"file": (name, data)})
    assert _memory(server.pid) - before < GROWTH
    assert answer.status_code == 400, answer.text
    assert _listing(server) == listed
    detail = answer.json()["detail"]
    assert detail[0].isupper()
    assert "Traceback" not in detail
    assert TOO_SLOW not in detail
    return detail


def _listing(server: ServerProcess) -> set[str]:
    return {
        str(path)
        for path in server.folder.rglob("*")
        if not path.name.startswith("redraft.sqlite") and path.name != "clock"
    }


@pytest.mark.parametrize("bomb", BOMBS)
def test_an_archive_that_is_a_bomb_or_ambiguous_is_refused(
    server: ServerProcess, client: httpx.Client, bomb: str
) -> None:
    refused(server, client, "a.docx", BOMBS[bomb]())


def test_an_archive_within_an_archive_is_never_opened(
    server: ServerProcess, client: httpx.Client
) -> None:
    inner = zipped({"bomb": bytes(100 * MIB)})
    before = _forget_the_most(server.pid)
    document = upload(client, with_member("word/embeddings/inner.zip", inner))["docId"]
    assert "hello" in read(client, document).json()["markdown"]
    assert _memory(server.pid) - before < GROWTH


# Each with what the text says then: were it not for the DOCTYPE, the part would be well-formed.
DOCTYPES = {
    "plain": ("<!DOCTYPE x>", ""),
    "external entity": ('<!DOCTYPE x [<!ENTITY e SYSTEM "file://{canary}">]>', "&e;"),
    "external subset": ('<!DOCTYPE x SYSTEM "file://{canary}">', ""),
    "parameter entity": ('<!DOCTYPE x [<!ENTITY % e SYSTEM "file://{canary}"> %e;]>', ""),
    "billion laughs": (
        "<!DOCTYPE x [<!ENTITY a 'ha'>"
        + "".join(f"<!ENTITY b{n} '{f'&b{n - 1};' * 10 if n else '&a;' * 10}'>" for n in range(9))
        + "]>",
        "&b8;",
    ),
}


@pytest.mark.parametrize("part", [MAIN, "_rels/.rels", "[Content_Types].xml", "word/styles.xml"])
@pytest.mark.parametrize("doctype", DOCTYPES)
def test_a_part_with_a_document_type_is_refused_and_no_entity_is_read(
    server: ServerProcess, client: httpx.Client, tmp_path: Path, doctype: str, part: str
) -> None:
    canary = tmp_path / "canary.txt"
    canary.write_text("canary-of-the-file")
    declared, text = DOCTYPES[doctype]
    content = members(word(f"hello {text if part == MAIN else ''}"))
    head = declared.replace("{canary}", str(canary)).encode()
    start = content[part].index(b"?>") + 2
    xml = content[part][:start] + head + content[part][start:]
    hostile = zipped({**content, part: xml.replace(b"&amp;", b"&")})
    detail = refused(server, client, "a.docx", hostile)
    assert "canary" not in detail


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("../outside.xml", 0),
        ("../../../../../../tmp/outside.xml", 0),
        ("/tmp/outside.xml", 0),  # noqa: S108 - where it must not go
        ("..\\..\\outside.xml", 0),
        ("C:\\outside.xml", 0),
        ("word/nul\0outside.xml", 0),
        ("word/link.xml", stat.S_IFLNK | 0o777),
    ],
)
def test_the_name_of_a_member_is_never_a_path(
    server: ServerProcess, client: httpx.Client, name: str, mode: int
) -> None:
    data = with_member(name, b"/etc/passwd", mode)
    before = _listing(server)
    answer = client.post("/v1/documents/", files={"file": ("a.docx", data)})
    assert answer.status_code in (200, 400)
    if answer.status_code == 200:
        document = answer.json()["docId"]
        told = edit(client, document, 'Replace "hello" with "goodbye"')
        assert told.status_code == 200, told.text
        assert "root:x" not in read(client, document).json()["markdown"]
        client.delete(f"/v1/documents/{document}")
    assert _listing(server) == before
    assert not Path("/tmp/outside.xml").exists()  # noqa: S108 - where it must not go


def macros() -> bytes:
    content = members(word("hello"))
    content["[Content_Types].xml"] = content["[Content_Types].xml"].replace(
        b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
        b"application/vnd.ms-word.document.macroEnabled.main+xml",
    )
    return zipped({**content, "word/vbaProject.bin": b"macro"})


def workbook() -> bytes:
    content = members(word("hello"))
    content["[Content_Types].xml"] = content["[Content_Types].xml"].replace(
        b"wordprocessingml.document.main+xml", b"spreadsheetml.sheet.main+xml"
    )
    return zipped(content)


@pytest.mark.parametrize(
    ("name", "data", "word_in_sentence"),
    [
        ("a.docx", macros, "macro"),
        ("a.docx", workbook, ""),
        ("a.docx", lambda: zipped({"readme.txt": b"a zip"}), ""),
        ("a.docx", lambda: b"<html><body>hello</body></html>", OTHER_TYPE),
        ("a.pdf", lambda: b"#!/bin/sh\necho hello\n", OTHER_TYPE),
        ("a.docx", lambda: text_pdf("hello") + word("hello"), ""),
        ("a.pdf", lambda: word("hello"), ".docx"),
        ("a.docx", lambda: text_pdf("hello"), ".pdf"),
    ],
    ids=[
        "macros",
        "workbook",
        "another zip",
        "html",
        "script",
        "two formats in one",
        "docx called pdf",
        "pdf called docx",
    ],
)
def test_a_file_is_what_its_content_says(
    server: ServerProcess,
    client: httpx.Client,
    name: str,
    data: Callable[[], bytes],
    word_in_sentence: str,
) -> None:
    assert word_in_sentence in refused(server, client, name, data())


def active_pdf() -> bytes:
    """JavaScript at opening, a program to launch, and an embedded file."""
    target = io.BytesIO()
    with pikepdf.open(io.BytesIO(text_pdf("hello"))) as pdf:
        pdf.Root.OpenAction = pikepdf.Dictionary(
            S=pikepdf.Name.JavaScript, JS=pikepdf.String("app.launchURL('http://127.0.0.1:9')")
        )
        launch = pikepdf.Dictionary(S=pikepdf.Name.Launch, F=pikepdf.String("/bin/true"))
        pdf.pages[0].AA = pikepdf.Dictionary(O=launch)
        pdf.attachments["a.sh"] = b"#!/bin/sh"
        pdf.save(target)
    return target.getvalue()


def locked_pdf() -> bytes:
    target = io.BytesIO()
    with pikepdf.open(io.BytesIO(text_pdf("hello"))) as pdf:
        pdf.save(target, encryption=pikepdf.Encryption(owner="o", user="u"))
    return target.getvalue()


def long_pdf() -> bytes:
    target = io.BytesIO()
    with pikepdf.new() as pdf:
        for _ in range(2001):
            pdf.add_blank_page(page_size=(10, 10))
        pdf.save(target)
    return target.getvalue()


@pytest.mark.parametrize(
    ("data", "word_in_sentence"),
    [
        (locked_pdf, "password"),
        (long_pdf, "2,000"),
        (lambda: b"%PDF-1.7\n" + b"x" * 5000, ""),
        (lambda: text_pdf("hello")[:200], ""),
    ],
    ids=["encrypted", "too many pages", "no objects", "cut off"],
)
def test_a_pdf_that_cannot_be_accepted_is_refused(
    server: ServerProcess, client: httpx.Client, data: Callable[[], bytes], word_in_sentence: str
) -> None:
    assert word_in_sentence.replace(",", "") in refused(server, client, "a.pdf", data()).replace(
        ",", ""
    )


def _descendants(pid: int) -> set[str]:
    found: set[str] = set()
    pending = [str(pid)]
    while pending:
        tasks = Path(f"/proc/{pending.pop()}/task")
        children = [c for t in tasks.iterdir() for c in (t / "children").read_text().split()]
        found.update(children)
        pending += children
    return found


def test_what_a_pdf_wants_to_run_is_never_run(server: ServerProcess, client: httpx.Client) -> None:
    data = active_pdf()
    before = _descendants(server.pid)
    document = upload(client, data, "a.pdf")["docId"]
    assert "hello" in read(client, document).json()["markdown"]
    assert client.get(f"/v1/documents/{document}/download").content == data
    assert len(_descendants(server.pid)) <= len(before)


def test_no_target_outside_a_document_is_ever_fetched(client: httpx.Client) -> None:
    visits: list[str] = []

    class Listener(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            visits.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            pass

    listener = HTTPServer(("127.0.0.1", 0), Listener)
    thread = threading.Thread(target=listener.serve_forever, daemon=True)
    thread.start()
    try:
        address = f"http://127.0.0.1:{listener.server_port}"
        document = upload(client, linked_word(address), tracked_changes=True)["docId"]
        path = f"/v1/documents/{document}"
        assert read(client, document).status_code == 200
        body = {"editUid": uid(), "editInstructions": 'Replace "thirty" with "sixty"'}
        assert client.post(f"{path}/edits", json=body).status_code == 200
        assert client.get(f"{path}/changes").status_code == 200
        for view in ("clean", "redline", "original"):
            assert client.get(f"{path}/download?view={view}").status_code == 200
        httpx.get(f"{address}/control")
        assert visits == ["/control"]
    finally:
        listener.shutdown()
        listener.server_close()
        thread.join()
