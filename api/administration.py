"""What administrators do: keys, quotas, holds, and the documents of all owners.

An administrator sees of a document of somebody else whose it is, how large and until when it is
kept; neither its name nor a word of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from redraft.api.auth.api_keys import Caller, new_key
from redraft.api.auth.revoked_keys import note
from redraft.api.clock import iso
from redraft.api.context import ServiceContext
from redraft.api.errors import MissingDocumentError, MissingKeyError
from redraft.api.metadata.keys import Key, Quota, Role
from redraft.api.metrics import Sweeps
from redraft.api.operations.mailbox import Answer
from redraft.api.requests.fields import document_id
from redraft.api.schemas import (
    AdminDocument,
    AdminDocumentList,
    AdminKey,
    AdminKeyList,
    HoldList,
    KeyClosed,
    KeyMade,
    SweepReport,
)
from redraft.api.service import Service

SECONDS_PER_DAY = 86_400


@dataclass(frozen=True, slots=True)
class KeyWish:
    """A key that is to be made; `beside` is the id of one whose documents it opens, or empty."""

    name: str
    role: Role
    days: int | None
    beside: str


class Administration:
    """The use cases of administrators.

    Args:
        context: The parts.
        service: Deletes documents.
        sweep: Sweeps now.
        sweeps: Says what sweeps came to.
    """

    def __init__(
        self,
        context: ServiceContext,
        service: Service,
        sweep: Callable[[], Awaitable[None]],
        sweeps: Callable[[], Sweeps],
    ) -> None:
        self._context = context
        self._service = service
        self._keys = context.metadata.keys
        self._documents = context.metadata.documents
        self._sweep = sweep
        self._sweeps = sweeps

    async def keys(self) -> AdminKeyList:
        """Lists all keys with what their owners keep and may keep."""
        keys = await self._keys.list()
        usage = {owner: await self._documents.usage(owner) for owner in {key.owner for key in keys}}
        quotas = {owner: await self._context.quota(owner) for owner in usage}
        items = [self._item(key, usage[key.owner], quotas[key.owner]) for key in keys]
        return AdminKeyList(keys=items, total_count=len(items))

    async def make_key(self, caller: Caller, wish: KeyWish) -> KeyMade:
        """Makes a key, whose text is told this once.

        Raises:
            MissingKeyError: the one that it shall stand beside is not there.
        """
        now = self._context.clock.now()
        owner = (await self._open(wish.beside)).owner if wish.beside else None
        ends = None if wish.days is None else now + wish.days * SECONDS_PER_DAY
        new = new_key(wish.name, now, ends, wish.role, owner)
        await self._keys.add(new.key, caller.owner)
        return KeyMade(
            id=new.key.id,
            key=new.text,
            owner=new.key.owner,
            role=new.key.role,
            expires_at=None if ends is None else iso(ends),
        )

    async def close_key(self, caller: Caller, identifier: str) -> KeyClosed:
        """Revokes a key: it, its links and its event streams end.

        Raises:
            MissingKeyError: there is none, or it is closed already.
        """
        if not await self._keys.revoke(identifier, self._context.clock.now(), caller.owner):
            raise MissingKeyError
        await asyncio.to_thread(note, self._context.settings.data_dir, (identifier,))
        return KeyClosed(id=identifier, closed=True)

    async def set_quota(self, caller: Caller, identifier: str, quota: Quota | None) -> AdminKey:
        """Gives the owner of a key a quota of its own, or with None that of the settings.

        Raises:
            MissingKeyError: there is no such key.
        """
        key = await self._open(identifier)
        await self._keys.set_quota(key.owner, quota, self._context.clock.now(), caller.owner)
        usage = await self._documents.usage(key.owner)
        return self._item(key, usage, await self._context.quota(key.owner))

    async def documents(self, after: str, limit: int) -> AdminDocumentList:
        """Lists documents of all owners, in the order of their ids, from behind one on."""
        documents = await self._documents.every(after, limit)
        items = [
            AdminDocument(
                doc_id=document.id,
                owner=document.owner,
                size=document.size,
                version=document.version,
                created_at=iso(document.created_at),
                expires_at=iso(document.expires_at),
                on_hold=document.is_on_legal_hold,
                pending=document.pending,
            )
            for document in documents
        ]
        return AdminDocumentList(
            documents=items, next=documents[-1].id if len(documents) == limit else None
        )

    async def delete(self, caller: Caller, written: str) -> Answer:
        """Deletes a document of any owner, behind what waits on it.

        Raises:
            MissingDocumentError: there is none.
        """
        document = await self._documents.get(document_id(written))
        if document is None:
            raise MissingDocumentError
        now = self._context.clock.now()
        await self._context.metadata.audit.record(now, caller.owner, "ordered", document.id)
        return await self._service.delete(document.owner, document.id)

    async def hold(self, caller: Caller, written: str, *, is_key: bool, begins: bool) -> HoldList:
        """Begins or ends the legal hold of a document, or of all that the owner of a key has now.

        Raises:
            MissingDocumentError, MissingKeyError: there is none.
        """
        if is_key:
            subject = (await self._open(written)).owner
        else:
            subject = document_id(written)
            if await self._documents.get(subject) is None:
                raise MissingDocumentError
        changed = await self._documents.legal_hold(
            subject,
            self._context.clock.now(),
            is_owner=is_key,
            begins=begins,
            who=caller.owner,
        )
        return HoldList(documents=list(changed), on_hold=begins)

    async def sweep(self) -> SweepReport:
        """Deletes what has expired, now."""
        await self._sweep()
        return self.sweeps()

    def sweeps(self) -> SweepReport:
        """Says what the sweeps of this process came to."""
        sweeps = self._sweeps()
        return SweepReport(
            count=sweeps.count,
            failed=sweeps.failed,
            expired=sweeps.expired,
            last_at=iso(sweeps.last_at) if sweeps.last_at else None,
            last_seconds=sweeps.last_seconds,
            every_seconds=self._context.settings.sweep_seconds,
        )

    async def _open(self, identifier: str) -> Key:
        key = await self._keys.get(identifier)
        if key is None or not key.is_valid(self._context.clock.now()):
            raise MissingKeyError
        return key

    def _item(self, key: Key, usage: tuple[int, int], quota: Quota) -> AdminKey:
        now = self._context.clock.now()
        state = "valid" if key.is_valid(now) else "revoked" if key.revoked_at else "expired"
        return AdminKey(
            id=key.id,
            owner=key.owner,
            name=key.name,
            role=key.role,
            state=state,
            created_at=iso(key.created_at),
            expires_at=None if key.expires_at is None else iso(key.expires_at),
            used_on=key.used_on or None,
            documents=usage[0],
            stored_bytes=usage[1],
            most_documents=quota.documents,
            most_bytes=quota.size,
        )
