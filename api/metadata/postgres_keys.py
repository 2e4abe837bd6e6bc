"""The keys part of the metadata in PostgreSQL.

Keys are looked up at every request, so what was found is believed for a few seconds: a key that is
revoked at one process is refused at the others after that.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, TypeVar

from redraft.api.metadata.audit import OPERATOR, Deed
from redraft.api.metadata.keys import Key, Quota, SigningKey
from redraft.api.metadata.postgres_audit import NO_FILE, append
from redraft.api.metadata.postgres_database import BEGIN_LIGHTLY, NOW, PostgresDatabase
from redraft.api.metadata.rows import checked

BELIEVED_SECONDS = 3.0
MOST_REMEMBERED = 2_000
T = TypeVar("T")


class PostgresKeys:
    """API keys and signing keys; the clock is the database's."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database
        self._answers: dict[Hashable, tuple[float, Any]] = {}

    async def add(self, key: Key, who: str = OPERATOR) -> None:
        """Stores a key."""
        await self._recorded(
            "key created",
            who,
            key.id,
            "INSERT INTO api_keys VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9)",
            key.id,
            key.owner,
            key.name,
            key.digest,
            key.created_at,
            key.expires_at,
            key.revoked_at,
            key.used_on,
            key.role,
        )

    async def get(self, key: str) -> Key | None:
        """Returns a key by its id, as it was at most a few seconds ago."""

        async def work() -> Key | None:
            async with self._database.transaction(BEGIN_LIGHTLY) as connection:
                row = await connection.fetchrow("SELECT * FROM api_keys WHERE id = $1", key)
            return None if row is None else checked(Key, row)

        return await self._believed(("key", key), work)

    async def list(self) -> tuple[Key, ...]:
        """Returns all keys, oldest first."""
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            rows = await connection.fetch("SELECT * FROM api_keys ORDER BY created_at, id")
        return tuple(checked(Key, row) for row in rows)

    async def revoke(self, key: str, now: float, who: str = OPERATOR) -> bool:
        """Closes a key from now on; False when there is none or it is closed already."""
        return await self._recorded(
            "key revoked",
            who,
            key,
            "UPDATE api_keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL",
            now,
            key,
        )

    async def expire(self, key: str, moment: float, now: float) -> None:
        """Lets a key end at a moment."""
        await self._recorded(
            "key ends",
            OPERATOR,
            key,
            "UPDATE api_keys SET expires_at = $1 WHERE id = $2",
            moment,
            key,
        )

    async def quota(self, owner: str) -> Quota | None:
        """Returns the quota of an owner; None where that of the settings holds."""

        async def work() -> Quota | None:
            async with self._database.transaction(BEGIN_LIGHTLY) as connection:
                row = await connection.fetchrow("SELECT * FROM quotas WHERE owner = $1", owner)
            return None if row is None else checked(Quota, row)

        return await self._believed(("quota", owner), work)

    async def set_quota(self, owner: str, quota: Quota | None, now: float, who: str) -> None:
        """Gives an owner a quota of its own, or with None that of the settings again."""
        async with self._database.transaction() as connection:
            await connection.execute("DELETE FROM quotas WHERE owner = $1", owner)
            if quota is not None:
                row = (owner, quota.documents, quota.size)
                await connection.execute("INSERT INTO quotas VALUES ($1,$2,$3)", *row)
            await append(connection, who, "quota", ((owner, NO_FILE),))
        self._answers.clear()

    async def _recorded(self, deed: Deed, who: str, key: str, sql: str, *values: object) -> bool:
        """Makes or changes one key, and writes it down; False when there is none to change."""
        async with self._database.transaction() as connection:
            changed = (await connection.execute(sql, *values)).endswith(" 1")
            if changed:
                await append(connection, who, deed, ((key, NO_FILE),))
        self._answers.clear()
        return changed

    async def touch(self, key: str, day: str) -> None:
        """Notes the day on which a key was used."""
        await self._change("UPDATE api_keys SET used_on = $1 WHERE id = $2", day, key)

    async def take_requests(self, caller: str, minute: int, share: int) -> int:
        """Takes requests of a caller out of a minute; returns how many all processes have taken."""
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            return await connection.fetchval(
                """
                INSERT INTO windows VALUES ($1, $2, $3)
                ON CONFLICT (caller, minute) DO UPDATE SET taken = windows.taken + excluded.taken
                RETURNING taken
                """,
                caller,
                minute,
                share,
            )

    async def add_signing(self, key: SigningKey) -> None:
        """Stores a new signing key and retires the others."""
        async with self._database.transaction() as connection:
            await connection.execute("LOCK TABLE presign_keys IN EXCLUSIVE MODE")
            await connection.execute(
                "UPDATE presign_keys SET retired_at = $1 WHERE retired_at IS NULL", key.created_at
            )
            await connection.execute(
                "INSERT INTO presign_keys VALUES ($1,$2,$3,$4)",
                key.id,
                key.secret,
                key.created_at,
                key.retired_at,
            )
        self._answers.clear()

    async def signing(self, *, is_fresh: bool = False) -> tuple[SigningKey, ...]:
        """Returns the signing keys, the newest first; `is_fresh` also those of this second."""
        if is_fresh:
            self._answers.pop("signing", None)

        async def work() -> tuple[SigningKey, ...]:
            async with self._database.transaction(BEGIN_LIGHTLY) as connection:
                rows = await connection.fetch(
                    "SELECT * FROM presign_keys ORDER BY retired_at IS NOT NULL, created_at DESC"
                )
            return tuple(checked(SigningKey, row) for row in rows)

        return await self._believed("signing", work)

    async def drop_signing(self, retired_before: float) -> None:
        """Forgets signing keys that were retired before a moment."""
        await self._change("DELETE FROM presign_keys WHERE retired_at < $1", retired_before)

    async def highest(self) -> float:
        """Returns the time of the database."""
        async with self._database.transaction(BEGIN_LIGHTLY) as connection:
            return await connection.fetchval(f"SELECT {NOW}")

    async def mark(self, now: float) -> None:
        """Does nothing: the database knows the time."""

    async def set_back(self, now: float, seconds: float) -> None:
        """Does nothing: the clock of one process says nothing about what all of them share."""

    async def _change(self, sql: str, *values: object) -> str:
        async with self._database.transaction() as connection:
            status = await connection.execute(sql, *values)
        self._answers.clear()
        return status

    async def _believed(self, question: Hashable, work: Callable[[], Awaitable[T]]) -> T:
        now = time.monotonic()
        asked, answer = self._answers.get(question, (-BELIEVED_SECONDS, None))
        if now - asked < BELIEVED_SECONDS:
            return answer
        found = await work()
        if len(self._answers) >= MOST_REMEMBERED:
            self._answers.clear()
        self._answers[question] = (now, found)
        return found
