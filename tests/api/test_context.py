"""Who may see which document, and that nothing else tells two cases apart."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any, cast
from uuid import uuid4

import pytest

from redraft.api.context import ServiceContext
from redraft.api.errors import MissingDocumentError
from redraft.api.metadata.database import Database
from redraft.api.metadata.sqlite import SqliteMetadata
from tests.api.builders import HeldClock, document, version

LOOKS: dict[str, Callable[[ServiceContext, str, str], Awaitable[object]]] = {
    "visible": lambda context, owner, written: context.visible(owner, written),
    "visible_version": lambda context, owner, written: context.visible_version(owner, written),
}


@pytest.mark.parametrize("look", LOOKS)
async def test_another_keys_document_is_as_much_work_as_an_unknown_one(
    metadata: SqliteMetadata, clock: HeldClock, monkeypatch: pytest.MonkeyPatch, look: str
) -> None:
    stored = document(clock)
    await metadata.documents.add(stored, version())
    context = cast("ServiceContext", SimpleNamespace(metadata=metadata, clock=clock))
    for name in ("visible", "visible_version", "_is_visible"):
        setattr(context, name, getattr(ServiceContext, name).__get__(context))
    hops: list[int] = []
    read = Database.read

    async def counted(self: Database, work: Callable[[sqlite3.Connection], Any]) -> Any:
        hops.append(1)
        return await read(self, work)

    monkeypatch.setattr(Database, "read", counted)
    assert await LOOKS[look](context, "ann", stored.id)
    hops.clear()
    work: list[int] = []
    for owner, identifier in (("bob", stored.id), ("bob", str(uuid4()))):
        # Asked for the first time each, as by somebody who guesses.
        await metadata.keys.mark(clock.now())
        hops.clear()
        with pytest.raises(MissingDocumentError) as raised:
            await LOOKS[look](context, owner, identifier)
        assert str(raised.value) == "Document not found or has expired"
        work.append(len(hops))
    assert work == [1, 1]
