"""The keys part of the metadata in SQLite: API keys, signing keys, the clock mark."""

from __future__ import annotations

import sqlite3

from redraft.api.metadata.audit import OPERATOR, Deed
from redraft.api.metadata.database import Database, first
from redraft.api.metadata.keys import Key, Quota, SigningKey
from redraft.api.metadata.protocol import DEADLINE_SECONDS
from redraft.api.metadata.rows import checked
from redraft.api.metadata.sqlite_audit import append


class SqliteKeys:
    """API keys, signing keys, and the highest clock reading."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, key: Key, who: str = OPERATOR) -> None:
        """Stores a key."""
        row = (
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

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT INTO api_keys VALUES (?,?,?,?,?,?,?,?,?)", row)
            append(connection, key.created_at, who, "key created", key.id)

        await self._database.write(work)

    async def get(self, key: str) -> Key | None:
        """Returns a key by its id."""

        def work(connection: sqlite3.Connection) -> Key | None:
            row = first(connection, "SELECT * FROM api_keys WHERE id = ?", (key,))
            return None if row is None else checked(Key, row)

        return await self._database.remember(("key", key), work)

    async def list(self) -> tuple[Key, ...]:
        """Returns all keys, oldest first."""
        rows = await self._database.rows("SELECT * FROM api_keys ORDER BY created_at, id")
        return tuple(checked(Key, row) for row in rows)

    async def revoke(self, key: str, now: float, who: str = OPERATOR) -> bool:
        """Closes a key from now on; False when there is none or it is closed already."""
        return await self._change(
            "UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
            (now, key),
            "key revoked",
            now,
            who,
        )

    async def expire(self, key: str, moment: float, now: float) -> None:
        """Lets a key end at a moment."""
        await self._change(
            "UPDATE api_keys SET expires_at = ? WHERE id = ?", (moment, key), "key ends", now
        )

    async def quota(self, owner: str) -> Quota | None:
        """Returns the quota of an owner; None where that of the settings holds."""

        def work(connection: sqlite3.Connection) -> Quota | None:
            row = first(connection, "SELECT * FROM quotas WHERE owner = ?", (owner,))
            return None if row is None else checked(Quota, row)

        return await self._database.remember(("quota", owner), work)

    async def set_quota(self, owner: str, quota: Quota | None, now: float, who: str) -> None:
        """Gives an owner a quota of its own, or with None that of the settings again."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM quotas WHERE owner = ?", (owner,))
            if quota is not None:
                row = (owner, quota.documents, quota.size)
                connection.execute("INSERT INTO quotas VALUES (?,?,?)", row)
            append(connection, now, who, "quota", owner)

        await self._database.write(work)

    async def _change(
        self, sql: str, values: tuple[float, str], deed: Deed, now: float, who: str = OPERATOR
    ) -> bool:
        """Changes one key, whose id is the second value; False when there is none to change."""

        def work(connection: sqlite3.Connection) -> bool:
            if not connection.execute(sql, values).rowcount:
                return False
            append(connection, now, who, deed, values[1])
            return True

        return await self._database.write(work)

    async def touch(self, key: str, day: str) -> None:
        """Notes the day on which a key was used."""
        await self._database.change("UPDATE api_keys SET used_on = ? WHERE id = ?", (day, key))

    async def take_requests(self, caller: str, minute: int, share: int) -> int:
        """Returns the share: nobody else takes any."""
        return share

    async def add_signing(self, key: SigningKey) -> None:
        """Stores a new signing key and retire the others."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "UPDATE presign_keys SET retired_at = ? WHERE retired_at IS NULL",
                (key.created_at,),
            )
            connection.execute(
                "INSERT INTO presign_keys VALUES (?,?,?,?)",
                (key.id, key.secret, key.created_at, key.retired_at),
            )

        await self._database.write(work)

    async def signing(self, *, is_fresh: bool = False) -> tuple[SigningKey, ...]:
        """Returns the signing keys, the newest first."""

        def work(connection: sqlite3.Connection) -> tuple[SigningKey, ...]:
            rows = connection.execute(
                "SELECT * FROM presign_keys ORDER BY retired_at IS NOT NULL, created_at DESC"
            ).fetchall()
            return tuple(checked(SigningKey, row) for row in rows)

        return await self._database.remember("signing", work)

    async def drop_signing(self, retired_before: float) -> None:
        """Forgets signing keys that were retired before a moment."""
        await self._database.change(
            "DELETE FROM presign_keys WHERE retired_at < ?", (retired_before,)
        )

    async def highest(self) -> float:
        """Returns the latest wall time that was stored."""
        row = await self._database.row(
            """
            SELECT max((SELECT max(highest) FROM clock),
                       ifnull((SELECT max(updated_at) FROM documents), 0),
                       ifnull((SELECT max(received_at) FROM operations), 0)) AS highest
            """
        )
        return 0.0 if row is None else float(row["highest"])

    async def mark(self, now: float) -> None:
        """Stores the wall time."""
        await self._database.change("UPDATE clock SET highest = max(highest, ?)", (now,))

    async def set_back(self, now: float, seconds: float) -> None:
        """Moves all that is kept with a wall clock that was set back."""
        await self._database.write(lambda connection: _set_back(connection, now, seconds))


def _set_back(connection: sqlite3.Connection, now: float, seconds: float) -> None:
    connection.execute(
        """
        UPDATE documents SET expires_at = expires_at - :seconds,
            created_at = min(created_at, :now), updated_at = min(updated_at, :now)
        """,
        {"now": now, "seconds": seconds},
    )
    connection.execute(
        """
        UPDATE operations SET received_at = min(received_at, :now),
            started_at = min(started_at, :now), finished_at = min(finished_at, :now),
            deadline = min(deadline, :now + :most)
        """,
        {"now": now, "most": DEADLINE_SECONDS},
    )
    connection.execute("DELETE FROM presign_keys")  # their links would work for too long
    connection.execute("UPDATE clock SET highest = ?", (now,))
