"""API keys, the quotas of their owners, and the keys that sign links.

A quota belongs to an owner, who may have several keys.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from redraft.api.metadata.audit import OPERATOR

Role: TypeAlias = Literal["read", "edit", "admin"]
ROLES: tuple[Role, ...] = ("read", "edit", "admin")


@dataclass(frozen=True, slots=True)
class Quota:
    """What the documents of one key may come to: how many, and bytes of all versions (0: any)."""

    documents: int = 0
    size: int = 0

    def is_exceeded(self, documents: int, size: int) -> bool:
        """Whether so many documents of so many bytes are more than allowed."""
        return bool(
            (self.documents and documents > self.documents) or (self.size and size > self.size)
        )


NO_QUOTA = Quota()
QUOTA_USED = "The quota of this key is used up; delete documents or wait until they expire"


@dataclass(frozen=True, slots=True)
class Key:
    """An API key; only the SHA-256 of its secret is kept.

    `read` looks at the documents of its owner, `edit` also changes them, and `admin` also runs the
    service. Keys of one owner open the same documents.
    """

    id: str
    owner: str
    name: str
    digest: str
    created_at: float
    expires_at: float | None = None
    revoked_at: float | None = None
    used_on: str = ""
    role: Role = "edit"

    def is_valid(self, now: float) -> bool:
        """Whether it still opens anything."""
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > now)


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A key for presigned URLs; the newest signs, a retired one still verifies for a while."""

    id: str
    secret: bytes
    created_at: float
    retired_at: float | None = None


class Keys(Protocol):
    """API keys, signing keys, and the highest clock reading."""

    async def add(self, key: Key, who: str = OPERATOR) -> None:
        """Stores a key; `who` is written into the audit log."""
        ...

    async def get(self, key: str) -> Key | None:
        """Returns a key by its id."""
        ...

    async def list(self) -> tuple[Key, ...]:
        """Returns all keys, oldest first."""
        ...

    async def revoke(self, key: str, now: float, who: str = OPERATOR) -> bool:
        """Closes a key from now on; False when there is none or it is closed already."""
        ...

    async def expire(self, key: str, moment: float, now: float) -> None:
        """Lets a key end at a moment."""
        ...

    async def quota(self, owner: str) -> Quota | None:
        """Returns the quota of an owner; None where that of the settings holds."""
        ...

    async def set_quota(self, owner: str, quota: Quota | None, now: float, who: str) -> None:
        """Gives an owner a quota of its own, or with None that of the settings again."""
        ...

    async def touch(self, key: str, day: str) -> None:
        """Notes the day on which a key was used."""
        ...

    async def take_requests(self, caller: str, minute: int, share: int) -> int:
        """Takes requests of a caller out of a minute; returns how many all processes have taken."""
        ...

    async def add_signing(self, key: SigningKey) -> None:
        """Stores a new signing key and retire the others."""
        ...

    async def signing(self, *, is_fresh: bool = False) -> tuple[SigningKey, ...]:
        """Returns the signing keys, the newest first; `is_fresh` also those of this second."""
        ...

    async def drop_signing(self, retired_before: float) -> None:
        """Forgets signing keys that were retired before a moment."""
        ...

    async def highest(self) -> float:
        """Returns the latest wall time that was stored."""
        ...

    async def mark(self, now: float) -> None:
        """Stores the wall time."""
        ...

    async def set_back(self, now: float, seconds: float) -> None:
        """Moves all that is kept with a wall clock that was set back.

        What documents have left of their time stays the same; download links end.

        Args:
            now: The time from now on.
            seconds: By how much it is less than before.
        """
        ...
