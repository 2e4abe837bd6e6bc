"""Who is asking: bearer keys from the settings or from the database, only ever kept as hashes.

A key of the database is `rd_<id>_<secret>` with 256 random bits, so a fast hash is enough. A key
of the settings may be any text; its owner is named after its hash, so that its documents stay its
own after a restart.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from hmac import compare_digest

from redraft.api.clock import Clock
from redraft.api.errors import UnauthenticatedError
from redraft.api.metadata.keys import Key, Keys, Role

MARK = "rd"
NOBODY = "0" * 64


@dataclass(frozen=True, slots=True)
class Caller:
    """Who a request speaks for: documents belong to `owner`; `key` is the key's public id."""

    owner: str
    key: str
    role: Role = "edit"


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was just made; `text` is shown once and kept nowhere."""

    key: Key
    text: str


class Authenticator:
    """Finds the caller of a request.

    Args:
        keys: The keys of the database.
        configured: The keys of the settings.
        clock: When it is.
    """

    def __init__(self, keys: Keys, configured: Iterable[str], clock: Clock) -> None:
        self._keys = keys
        self._clock = clock
        self._configured = tuple(
            (_digest(text), Caller(_owner(text), f"set-{number}"))
            for number, text in enumerate(configured, start=1)
        )

    async def caller(self, authorization: str | None) -> Caller:
        """Finds who the Authorization header of a request speaks for.

        Raises:
            UnauthenticatedError: nobody.
        """
        scheme, _, text = (authorization or "").partition(" ")
        text = text.strip()
        if scheme.lower() != "bearer" or not text:
            raise UnauthenticatedError
        # A header comes as one character a byte; what was meant is UTF-8, as the settings are.
        digest = _digest(text.encode("latin-1", "replace").decode("utf-8", "surrogateescape"))
        match: Caller | None = None
        for key_digest, caller in self._configured:  # all of them, whichever fits
            if compare_digest(key_digest, digest):
                match = caller
        return match or await self._from_database(text, digest)

    async def still_opens(self, caller: Caller) -> bool:
        """Whether a caller that was let in before would be let in now.

        A key of the settings stays open as long as they name it.
        """
        if any(known.owner == caller.owner for _, known in self._configured):
            return True
        key = await self._keys.get(caller.key)
        return key is not None and key.owner == caller.owner and key.is_valid(self._clock.now())

    async def _from_database(self, text: str, digest: str) -> Caller:
        parts = text.split("_")
        key = await self._keys.get(parts[1]) if len(parts) == 3 and parts[0] == MARK else None
        is_right = compare_digest(key.digest if key is not None else NOBODY, digest)
        now = self._clock.now()
        if key is None or not is_right or not key.is_valid(now):
            raise UnauthenticatedError
        today = datetime.fromtimestamp(now, UTC).date().isoformat()
        if key.used_on != today:
            await self._keys.touch(key.id, today)
        return Caller(key.owner, key.id, key.role)


def new_key(
    name: str,
    now: float,
    expires_at: float | None = None,
    role: Role = "edit",
    owner: str | None = None,
) -> NewKey:
    """Makes a key, with an owner of its own unless one is named."""
    identifier = secrets.token_hex(6)
    text = f"{MARK}_{identifier}_{secrets.token_hex(32)}"
    return NewKey(
        Key(
            id=identifier,
            owner=owner or identifier,
            name=name,
            digest=_digest(text),
            created_at=now,
            expires_at=expires_at,
            role=role,
        ),
        text,
    )


def rotated(old: Key, now: float) -> NewKey:
    """Makes a key that opens what an older one opens."""
    return new_key(old.name, now, None, old.role, old.owner)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _owner(text: str) -> str:
    # It stands in the database alone: a log that names it would tell of a short key by its hash.
    return f"set-{_digest(text)[:12]}"
