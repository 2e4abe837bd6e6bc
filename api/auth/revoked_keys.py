"""Revoked keys stay revoked when an older database takes the place of the present one.

In the data folder a file lists the ids of keys that were revoked; no backup holds it. Whatever
opens the data folder closes those that a restored database would open again. Services that share a
database each have a list: what one of them revokes, the others have written down a sweep later.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from pathlib import Path

from redraft.api.logs import logger_for
from redraft.api.metadata.keys import Keys

FILE = "revoked-keys"
log = logger_for("redraft.keys")


def note(folder: Path, keys: Iterable[str]) -> None:
    """Adds the ids of revoked keys to the list."""
    new = sorted(set(keys) - noted(folder))
    if not new:
        return
    descriptor = os.open(folder / FILE, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(descriptor, "".join(f"{key}\n" for key in new).encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def noted(folder: Path) -> frozenset[str]:
    """Returns the ids of all keys on the list."""
    try:
        return frozenset((folder / FILE).read_text("utf-8").split())
    except (OSError, UnicodeDecodeError):
        return frozenset()


async def keep(keys: Keys, folder: Path, now: float) -> None:
    """Writes down which keys are revoked, and closes those that were and are open.

    Raises:
        MetadataError: the database refused.
        OSError: the list cannot be written.
    """
    revoked = [key.id for key in await keys.list() if key.revoked_at is not None]
    await asyncio.to_thread(note, folder, revoked)
    await close_again(keys, folder, now)


async def close_again(keys: Keys, folder: Path, now: float) -> int:
    """Revokes the keys on the list that are open, and says how many there were.

    Raises:
        MetadataError: the database refused.
    """
    count = 0
    for key in sorted(noted(folder)):  # noqa: ASYNC240, RUF100 - a few lines of a local file
        if await keys.revoke(key, now):
            count += 1
            log.warning("a revoked key was open again, as after a restore; it is closed", key=key)
    return count
