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
from typing import TYPE_CHECKING

from redraft.api.clock import Clock
from redraft.api.errors import UnauthenticatedError
from redraft.api.metadata.audit import SERVICE
from redraft.api.metadata.keys import Key, Keys, Role
from redraft.api.metadata.protocol import MetadataError

if TYPE_CHECKING:
    from redraft.api.auth.openid import Tokens

MARK = "rd"
NOBODY = "0" * 64
NO_DIGEST = ""
"""Of an account that has no secret here: no key has it."""
ACCOUNT = "an account of OpenID Connect; its token says its role"
DOTS_OF_TOKEN = 2


@dataclass(frozen=True, slots=True)
class Caller:
    """Who a request speaks for: documents belong to `owner`; `key` is the key's public id."""

    owner: str
    key: str
    role: Role = "edit"
    ends: float | None = None
    """When its token ends, if it has one that does."""


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
        tokens: Reads tokens of an issuer; None where none is trusted.
    """

    def __init__(
        self,
        keys: Keys,
        configured: Iterable[str],
        clock: Clock,
        tokens: Tokens | None = None,
    ) -> None:
        self._tokens = tokens
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
        if match is None and self._tokens is not None and text.count(".") == DOTS_OF_TOKEN:
            return await self._from_token(self._tokens, text)
        return match or await self._from_database(text, digest)

    async def still_opens(self, caller: Caller) -> bool:
        """Whether a caller that was let in before would be let in now.

        A key of the settings stays open as long as they name it.
        """
        if caller.ends is not None and caller.ends <= self._clock.now():
            return False
        if any(known.owner == caller.owner for _, known in self._configured):
            return True
        key = await self._keys.get(caller.key)
        return key is not None and key.owner == caller.owner and key.is_valid(self._clock.now())

    async def _from_token(self, tokens: Tokens, text: str) -> Caller:
        """Finds the account of a token, which is written down as a key at its first request."""
        account = await tokens.account(text)
        now = self._clock.now()
        key = await self._keys.get(account.owner)
        if key is None:
            key = Key(account.owner, account.owner, ACCOUNT, NO_DIGEST, now)
            try:
                await self._keys.add(key, SERVICE)
            except MetadataError:  # another request of it may have come first
                key = await self._keys.get(account.owner)
        if key is None or not key.is_valid(now):
            raise UnauthenticatedError
        await self._note_use(key, now)
        return Caller(key.owner, key.id, account.role, account.ends)

    async def _from_database(self, text: str, digest: str) -> Caller:
        parts = text.split("_")
        key = await self._keys.get(parts[1]) if len(parts) == 3 and parts[0] == MARK else None
        is_right = compare_digest(key.digest if key is not None else NOBODY, digest)
        now = self._clock.now()
        if key is None or not is_right or not key.is_valid(now):
            raise UnauthenticatedError
        await self._note_use(key, now)
        return Caller(key.owner, key.id, key.role)

    async def _note_use(self, key: Key, now: float) -> None:
        today = datetime.fromtimestamp(now, UTC).date().isoformat()
        if key.used_on != today:
            await self._keys.touch(key.id, today)


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
