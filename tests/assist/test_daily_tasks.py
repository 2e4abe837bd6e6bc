"""Ten tasks of daily work: in at most three calls of tools, five lines of Python, one command.

The assistant is a stand-in: it makes the calls that a task needs, and no other. It speaks through
the official client to local files on standard input and output, and to a service over HTTP.
"""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client

import redraft
from redraft import command_line
from redraft.engine import editor
from redraft.engine.report import StoredVersion
from tests.assist.connections import (
    SAMPLE,
    call,
    http_client,
    local_client,
    stdio_client,
    text_of,
)
from tests.interface.server_process import KEY, ServerProcess

MOVED = 'Replace "Harbour Lane" with "Quay Street" everywhere'
DATED = {"op": "replace_text", "block": "p1", "find": "14", "replace": "15"}
ANSWER = {"op": "reply_comment", "text": "All of them."}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A contract with changes of two authors and a comment, and the plain one."""
    folder = tmp_path / "root"
    folder.mkdir()
    shutil.copy(SAMPLE, folder / "plain.docx")
    with redraft.open(SAMPLE, author="Ann") as contract:
        contract.edit(MOVED)
        contract.edit([DATED], author="Bob")
        ask = {"op": "add_comment", "block": "p3", "find": "Services", "text": "Which?"}
        contract.edit([ask], author="Ann")
        contract.save(folder / "marked.docx")
    return folder


class Assistant:
    """Counts what it calls; `folder` is where it saves, over HTTP what it fetches."""

    def __init__(self, client: Client, folder: Path, *, is_http: bool) -> None:
        self._client = client
        self._folder = folder
        self._is_http = is_http
        self.calls = 0

    async def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        self.calls += 1
        return await call(self._client, tool, **arguments)

    async def open(self, name: str) -> dict[str, Any]:
        return await self("open", **{"document" if self._is_http else "path": name})

    async def read(self, **arguments: Any) -> str:
        self.calls += 1
        return text_of(await self._client.call_tool("read", arguments))

    async def save(self, document: str, name: str, view: str = "redline") -> StoredVersion:
        target = self._folder / name
        if self._is_http:
            link = await self("link", document=document, view=view)
            async with httpx.AsyncClient(timeout=60) as plain:
                data = (await plain.get(link["url"])).content
            await asyncio.to_thread(target.write_bytes, data)
        else:
            await self("save", document=document, path=name, view=view)
        return StoredVersion(target)


async def open_and_see_what_it_is_about(ask: Assistant) -> None:
    assert "[p3 h1] Services Agreement" in (await ask.open("plain.docx"))["outline"]


async def find_a_term(ask: Assistant) -> None:
    document = (await ask.open("plain.docx"))["document"]
    hits = await ask("search", document=document, text="public holiday")
    assert [hit["block"] for hit in hits["hits"]] == ["p19"]


async def read_one_part(ask: Assistant) -> None:
    document = (await ask.open("plain.docx"))["document"]
    assert "[p19" in await ask.read(document=document, start="p17", limit=5)


async def change_by_words_and_save(ask: Assistant) -> None:
    document = (await ask.open("plain.docx"))["document"]
    assert (await ask("edit", document=document, instruction=MOVED))["total"] == 7
    saved = await ask.save(document, "words.docx")
    assert "Quay Street" in editor.read(saved).markdown


async def change_a_clause_exactly(ask: Assistant) -> None:
    document = (await ask.open("exact.docx"))["document"]
    edited = await ask("edit", document=document, operations=[DATED], base_version=0)
    assert [change["after"] for change in edited["changes"]] == ["15"]


async def list_the_changes(ask: Assistant) -> None:
    document = (await ask.open("marked.docx"))["document"]
    listed = await ask("changes", document=document, author="Bob")
    assert [change["after"] for change in listed["changes"]] == ["15"]


async def answer_a_comment(ask: Assistant) -> None:
    document = (await ask.open("comment.docx"))["document"]
    comments = (await ask("comments", document=document))["comments"]
    target = next(one["id"] for one in comments if one["text"] == "Which?")
    answered = await ask("edit", document=document, operations=[{**ANSWER, "target": target}])
    assert answered["state"] == "applied"


async def accept_one_author(ask: Assistant) -> None:
    document = (await ask.open("bob.docx"))["document"]
    settled = await ask("resolve", document=document, action="accept", author="Bob")
    assert settled["summary"] == "1 change accepted"
    saved = await ask.save(document, "accepted.docx")
    assert {one.author for one in editor.changes(saved)} == {"Ann"}


async def save_clean(ask: Assistant) -> None:
    document = (await ask.open("clean.docx"))["document"]
    await ask("resolve", document=document, action="accept", all=True)
    saved = await ask.save(document, "all.docx", "clean")
    assert editor.changes(saved) == ()


async def take_an_edit_back(ask: Assistant) -> None:
    document = (await ask.open("undo.docx"))["document"]
    await ask("edit", document=document, instruction=MOVED)
    assert (await ask("undo", document=document))["summary"] == "Undone"


TASKS: tuple[Callable[[Assistant], Awaitable[None]], ...] = (
    *(open_and_see_what_it_is_about, find_a_term, read_one_part, change_by_words_and_save),
    *(change_a_clause_exactly, list_the_changes, answer_a_comment, accept_one_author),
    *(save_clean, take_an_edit_back),
)
FILES = {
    "plain.docx": ("plain.docx", "exact.docx", "undo.docx"),
    "marked.docx": ("marked.docx", "comment.docx", "bob.docx", "clean.docx"),
}


async def do_all(client: Client, folder: Path, *, is_http: bool = False) -> None:
    for task in TASKS:
        assistant = Assistant(client, folder, is_http=is_http)
        await task(assistant)
        assert assistant.calls <= 3, task.__name__


def copied(root: Path) -> None:
    for source, names in FILES.items():
        for name in names:
            if name != source:
                shutil.copy(root / source, root / name)


async def test_an_assistant_does_each_within_this_process(root: Path) -> None:
    copied(root)
    async with local_client(root, root.parent / "data") as client:
        await do_all(client, root)


@pytest.mark.process
@pytest.mark.thorough
async def test_an_assistant_does_each_on_standard_input_and_output(root: Path) -> None:
    copied(root)
    async with stdio_client(root, root.parent / "home") as client:
        await do_all(client, root)


@pytest.mark.process
@pytest.mark.thorough
async def test_an_assistant_does_each_over_http(root: Path) -> None:
    copied(root)
    with served(root) as service:
        async with http_client(service.url, KEY) as client:
            await do_all(client, root, is_http=True)


@contextmanager
def served(root: Path) -> Generator[ServerProcess]:
    """A service with the files of a folder."""
    server = ServerProcess(root.parent, staged=True, real_engine=True, mcp="on").start()
    try:
        with server.client() as client:
            for file in sorted(root.glob("*.docx")):
                form = {"tracked_changes": "true", "ttl_seconds": "3600"}
                sent = {"file": (file.name, file.read_bytes())}
                assert client.post("/v1/documents", files=sent, data=form).status_code < 300
        yield server
    finally:
        server.close()


# What follows `contract = redraft.open("…")`; `seen` is what is looked at afterwards.
IN_PYTHON: dict[str, tuple[str, str]] = {
    "open": ("plain.docx", "seen = [b.text for b in contract.blocks if b.kind.startswith('h1')]"),
    "find": ("plain.docx", "seen = [b.id for b in contract.blocks if 'public holiday' in b.text]"),
    "read": ("plain.docx", "seen = [b.text for b in contract.blocks[16:21]]"),
    "change by words": ("plain.docx", f"contract.edit({MOVED!r})\nseen = contract.save('1.docx')"),
    "change exactly": ("plain.docx", f"seen = contract.edit([{DATED!r}]).revisions"),
    "changes": ("marked.docx", "seen = [one.after for one in contract.changes]"),
    "comment": (
        "marked.docx",
        "[one] = [one for one in contract.comments if one.text == 'Which?']\n"
        "contract.edit([{'op': 'reply_comment', 'target': one.id, 'text': 'All.'}])\n"
        "seen = contract.comments[-1].parent",
    ),
    "accept": ("marked.docx", "seen = contract.accept(author='Bob')"),
    "clean": ("marked.docx", "contract.accept()\nseen = contract.save('2.docx', 'clean')"),
    "undo": ("plain.docx", f"contract.edit({MOVED!r})\nseen = contract.undo()"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("task", IN_PYTHON)
def test_each_is_five_lines_of_python(
    task: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    file, lines = IN_PYTHON[task]
    program = f"import redraft\ncontract = redraft.open({file!r})\n{lines}"
    assert len(program.splitlines()) <= 5
    names: dict[str, Any] = {}
    exec(program, names)  # noqa: S102 - it is written above
    assert names["seen"]


# Each prints or writes what was asked for; `--yes` answers what a person at a terminal is asked.
ON_THE_COMMAND_LINE: dict[str, tuple[list[str], str]] = {
    "open": (["outline", "plain.docx", "--limit", "5"], "[p3 h1] Services Agreement"),
    "find": (["read", "plain.docx"], "public holiday"),
    "read": (["outline", "plain.docx", "--start", "p17", "--limit", "5"], "[p19"),
    "change by words": (["edit", "plain.docx", MOVED, "-o", "1.docx", "--yes"], "{+Quay Street+}"),
    "change exactly": (["apply", "plain.docx", "plan.json", "-o", "2.docx"], "{+15+}"),
    "changes": (["changes", "marked.docx"], "{+15+}"),
    "comment": (
        ["edit", "marked.docx", 'Reply "All." to the comment "Which"', "-o", "3.docx"],
        "",
    ),
    "accept": (["accept", "marked.docx", "--author", "Bob", "-o", "4.docx"], ""),
    "clean": (["accept", "marked.docx", "-o", "5.docx"], ""),
    "undo": (["reject", "marked.docx", "--author", "Bob", "-o", "6.docx"], ""),
}


@pytest.mark.process
@pytest.mark.thorough
@pytest.mark.parametrize("task", ON_THE_COMMAND_LINE)
def test_each_is_one_command(
    task: str, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(root)
    (root / "plan.json").write_text(json.dumps([DATED]), "utf-8")
    words, seen = ON_THE_COMMAND_LINE[task]
    assert command_line.main(words) == 0
    assert seen in capsys.readouterr().out
    if "-o" in words:
        assert (root / words[words.index("-o") + 1]).stat().st_size
