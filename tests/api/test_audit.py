"""The audit log: complete, without texts, and broken by whatever is done to it afterwards."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator
from pathlib import Path
from uuid import uuid4

import httpx
import msgspec
import pytest

from redraft.api.admin import commands
from redraft.api.app import Application, Externals, running
from redraft.api.auth.api_keys import new_key
from redraft.api.metadata.audit import BrokenChainError, Entry, verified
from redraft.api.metadata.sqlite import SqliteMetadata
from redraft.api.operations.mailbox import Answer, Mailbox
from redraft.api.sandbox.workers import InProcess
from redraft.api.settings import Settings
from redraft.api.stores import DATABASE
from tests.api import fake_engine, fake_planner
from tests.api.builders import HeldClock, document, version
from tests.api.fake_engine import FakeEngine

KEY = "a key of the settings"


@pytest.fixture
async def application(tmp_path: Path, clock: HeldClock) -> AsyncGenerator[Application]:
    externals = Externals(FakeEngine(InProcess()), fake_planner.plan, clock)
    settings = Settings(data_dir=tmp_path / "data", api_keys=(KEY,))
    async with running(settings, externals) as opened:
        yield opened


@pytest.fixture
async def client(application: Application) -> AsyncGenerator[httpx.AsyncClient]:
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(application.asgi),  # pyright: ignore[reportArgumentType] - the scope has another name
        base_url="http://here",
        headers={"Authorization": f"Bearer {KEY}"},
    ) as opened:
        yield opened


async def upload(client: httpx.AsyncClient) -> str:
    file = ("canary-name.docx", fake_engine.docx("canary text"))
    answer = await client.post("/v1/documents/", files={"file": file})
    assert answer.status_code == 200
    return answer.json()["docId"]


async def edit(client: httpx.AsyncClient, name: str) -> None:
    body = {"editUid": str(uuid4()), "editInstructions": "replace canary with bird"}
    answer = await client.post(f"/v1/documents/{name}/edits", json=body)
    assert answer.status_code == 200, answer.text


def log_of(data: Path) -> list[Entry]:
    """The entries as another program reads them."""
    with sqlite3.connect(data / DATABASE) as database:
        rows = database.execute("SELECT * FROM audit ORDER BY number").fetchall()
    database.close()
    return [Entry(*row) for row in rows]


async def test_the_log_tells_what_became_of_a_document_and_none_of_its_words(
    client: httpx.AsyncClient, application: Application, clock: HeldClock, tmp_path: Path
) -> None:
    name, other = await upload(client), await upload(client)
    await edit(client, name)
    await client.post(f"/v1/documents/{name}/undo")
    link = (await client.get(f"/v1/documents/{name}")).json()["downloadUrl"]
    assert (await client.get(link)).status_code == 200
    await client.delete(f"/v1/documents/{name}")
    clock.advance(4000)
    await application.sweep()
    entries = list(verified(log_of(tmp_path / "data")))
    deeds = [entry.what for entry in entries if entry.subject == name]
    assert deeds == ["upload", "edit", "undo", "link", "download", "delete", "erased"]
    one = [entry for entry in entries if entry.subject == name]
    assert (one[0].before, one[0].after) == (None, one[1].before)
    assert one[1].after == one[2].before != one[1].before
    assert one[2].after == one[0].after == one[5].before
    assert one[5].after is None
    assert [(e.what, e.who) for e in entries if e.subject == other] == [
        ("upload", one[0].who),
        ("expire", "service"),
        ("erased", "service"),
    ]
    written = msgspec.json.encode(entries)
    assert not any(word in written for word in (b"canary", b"bird", KEY.encode()))


async def test_an_edit_that_changes_nothing_and_a_failed_one_are_not_in_it(
    client: httpx.AsyncClient, tmp_path: Path
) -> None:
    name = await upload(client)
    body = {"editUid": str(uuid4()), "editInstructions": "break"}
    assert (await client.post(f"/v1/documents/{name}/edits", json=body)).status_code >= 400
    assert [entry.what for entry in log_of(tmp_path / "data")] == ["upload"]


async def test_a_delete_that_did_not_happen_leaves_the_file(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = await upload(client)

    async def late(*_: object) -> Answer:
        return Answer(408, b"{}")

    with monkeypatch.context() as patched:
        patched.setattr(Mailbox, "submit", late)
        assert (await client.delete(f"/v1/documents/{name}")).status_code == 408
    assert (await client.get(f"/v1/documents/{name}/download")).status_code == 200


async def test_entries_written_at_once_make_one_chain(
    metadata: SqliteMetadata, clock: HeldClock
) -> None:
    stored = [document(clock) for _ in range(20)]
    await asyncio.gather(*(metadata.documents.add(one, version()) for one in stored))
    entries = await metadata.audit.entries()
    assert len(list(verified(entries))) == 20
    assert {entry.subject for entry in entries} == {one.id for one in stored}
    assert await metadata.audit.head() == entries[-1]
    assert await metadata.audit.entries(after=18) == entries[18:]


async def filled(metadata: SqliteMetadata, clock: HeldClock) -> list[Entry]:
    for number in range(5):
        await metadata.keys.add(new_key(f"canary {number}", clock.now()).key)
    return list(await metadata.audit.entries())


async def test_whatever_is_done_to_the_log_breaks_it(
    metadata: SqliteMetadata, clock: HeldClock
) -> None:
    entries = await filled(metadata, clock)
    replaced = msgspec.structs.replace
    for number in range(5):
        without = entries[:number] + entries[number + 1 :]
        renumbered = [replaced(one, number=at) for at, one in enumerate(without, start=1)]
        forged = entries.copy()
        forged[number] = replaced(entries[number], who="somebody else")
        doubled = [*entries[:number], entries[number], *entries[number:]]
        for damaged in (forged, doubled, *([without, renumbered] if number < 4 else [])):
            with pytest.raises(BrokenChainError):
                list(verified(damaged))
    assert list(verified(entries)) == entries


@pytest.mark.parametrize("sql", ["UPDATE audit SET who = 'x'", "DELETE FROM audit"])
async def test_the_database_takes_no_change_of_the_log(
    sql: str, metadata: SqliteMetadata, clock: HeldClock, tmp_path: Path
) -> None:
    entries = await filled(metadata, clock)
    other = sqlite3.connect(tmp_path / "test.sqlite")
    with pytest.raises(sqlite3.IntegrityError, match="only added to"):
        other.execute(sql)
    other.close()
    assert list(await metadata.audit.entries()) == entries


def fill(data: Path) -> None:
    data.mkdir()

    async def work() -> None:
        metadata = await SqliteMetadata.open(data / DATABASE)
        await filled(metadata, HeldClock())
        await metadata.close()

    asyncio.run(work())


def cut(data: Path) -> None:
    with sqlite3.connect(data / DATABASE) as database:
        database.execute("DROP TRIGGER audit_kept")
        database.execute("DELETE FROM audit WHERE number > 3")
    database.close()


def test_the_command_exports_and_verifies_a_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(tmp_path / "data")
    folder = ["--data-dir", str(tmp_path / "data")]
    assert commands.audit(["verify", *folder]) == 0
    head = capsys.readouterr().out.strip()
    assert head.startswith("5:")
    assert commands.audit(["export", *folder]) == 0
    exported = tmp_path / "log"
    exported.write_text(capsys.readouterr().out, "utf-8")
    assert commands.audit(["verify", str(exported), "--head", head]) == 0
    assert commands.audit(["export", "--document", "none", *folder]) == 0
    assert commands.audit(["verify", *folder, "--head", head]) == 0
    lines = exported.read_text("utf-8").splitlines(keepends=True)
    exported.write_text("".join(lines[:2] + lines[3:]), "utf-8")
    assert commands.audit(["verify", str(exported)]) == 1
    assert "entry 3 is missing" in capsys.readouterr().err


def test_a_log_whose_end_was_cut_off_misses_the_head_that_was_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(tmp_path / "data")
    folder = ["--data-dir", str(tmp_path / "data")]
    assert commands.audit(["verify", *folder]) == 0
    head = capsys.readouterr().out.strip()
    cut(tmp_path / "data")
    assert commands.audit(["verify", *folder]) == 0
    assert commands.audit(["verify", *folder, "--head", head]) == 1
    assert "entry 5 of that hash is not there; the log ends at 3" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["verify"], ["export"], ["verify", "absent"]])
def test_a_log_that_is_not_there_is_a_sentence_and_makes_nothing(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert commands.audit([*words, "--data-dir", str(tmp_path / "data")]) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "data").exists()
