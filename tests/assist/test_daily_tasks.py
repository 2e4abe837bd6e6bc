"""Ten tasks of daily work in at most three calls of tools.

The assistant is a stand-in: it makes the calls that a task needs, and no other. Python does each in
at most five lines.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

import redraft
from redraft.engine import editor
from redraft.engine.report import StoredVersion
from tests.assist.connections import SAMPLE, call, local_client, text_of

pytestmark = pytest.mark.thorough

MOVED = 'Replace "Harbour Lane" with "Quay Street" everywhere'
DATED = {"op": "replace_text", "block": "p1", "find": "14", "replace": "15"}


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
    """Counts what it calls."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.calls = 0

    async def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        self.calls += 1
        return await call(self._client, tool, **arguments)

    async def read(self, **arguments: Any) -> str:
        self.calls += 1
        return text_of(await self._client.call_tool("read", arguments))


@asynccontextmanager
async def assistant(root: Path) -> AsyncGenerator[Assistant]:
    async with local_client(root, root.parent / "data") as client:
        made = Assistant(client)
        yield made
        assert made.calls <= 3


def markdown(path: Path) -> str:
    return editor.read(StoredVersion(path)).markdown


async def test_open_and_see_what_it_is_about(root: Path) -> None:
    async with assistant(root) as ask:
        opened = await ask("open", path="plain.docx")
        assert "[p3 h1] Services Agreement" in opened["outline"]


async def test_find_a_term(root: Path) -> None:
    async with assistant(root) as ask:
        document = (await ask("open", path="plain.docx"))["document"]
        hits = await ask("search", document=document, text="public holiday")
        assert [hit["block"] for hit in hits["hits"]] == ["p19"]


async def test_read_one_part(root: Path) -> None:
    async with assistant(root) as ask:
        document = (await ask("open", path="plain.docx"))["document"]
        assert "[p19" in await ask.read(document=document, start="p17", limit=5)


async def test_change_a_clause_by_words_and_save_the_redline(root: Path) -> None:
    async with assistant(root) as ask:
        document = (await ask("open", path="plain.docx"))["document"]
        assert (await ask("edit", document=document, instruction=MOVED))["total"] == 7
        await ask("save", document=document, path="out.docx")
    with redraft.open(root / "plain.docx") as contract:
        assert len(contract.edit(MOVED).revisions) == 7
        contract.save(root / "python.docx")
    assert markdown(root / "out.docx") == markdown(root / "python.docx")


async def test_change_a_clause_exactly(root: Path) -> None:
    async with assistant(root) as ask:
        document = (await ask("open", path="plain.docx"))["document"]
        edited = await ask("edit", document=document, operations=[DATED], base_version=0)
        assert [change["after"] for change in edited["changes"]] == ["15"]


async def test_list_the_changes(root: Path) -> None:
    async with assistant(root) as ask:
        document = (await ask("open", path="marked.docx"))["document"]
        listed = await ask("changes", document=document, author="Bob")
        assert [change["after"] for change in listed["changes"]] == ["15"]
    with redraft.open(root / "marked.docx") as contract:
        assert [one.after for one in contract.changes if one.author == "Bob"] == ["15"]


async def test_answer_a_comment(root: Path) -> None:
    answer = {"op": "reply_comment", "text": "All of them."}
    async with assistant(root) as ask:
        document = (await ask("open", path="marked.docx"))["document"]
        comments = (await ask("comments", document=document))["comments"]
        target = next(one["id"] for one in comments if one["text"] == "Which?")
        await ask("edit", document=document, operations=[{**answer, "target": target}])
    with redraft.open(root / "marked.docx") as contract:
        [question] = [one for one in contract.comments if one.text == "Which?"]
        contract.edit([{**answer, "target": question.id}])
        assert contract.comments[-1].parent == question.id


async def test_accept_one_author(root: Path) -> None:
    async with assistant(root) as ask:
        document = (await ask("open", path="marked.docx"))["document"]
        settled = await ask("resolve", document=document, action="accept", author="Bob")
        assert settled["summary"] == "1 change accepted"
        await ask("save", document=document, path="bob.docx")
    with redraft.open(root / "marked.docx") as contract:
        assert contract.accept(author="Bob") == 1
        contract.save(root / "python.docx")
    assert (root / "bob.docx").read_bytes() == (root / "python.docx").read_bytes()


async def test_save_clean(root: Path) -> None:
    async with assistant(root) as ask:
        document = (await ask("open", path="marked.docx"))["document"]
        await ask("resolve", document=document, action="accept", all=True)
        await ask("save", document=document, path="clean.docx", view="clean")
    with redraft.open(root / "clean.docx") as contract:
        assert contract.changes == ()


async def test_take_an_edit_back(root: Path) -> None:
    async with assistant(root) as ask:
        document = (await ask("open", path="plain.docx"))["document"]
        await ask("edit", document=document, instruction=MOVED)
        assert (await ask("undo", document=document))["summary"] == "Undone"
