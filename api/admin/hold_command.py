"""`redraft hold` and `redraft release`: work on the database, also while the service runs."""

from __future__ import annotations

import asyncio
import sys

from redraft.api.clock import SteadyClock, SystemClock
from redraft.api.metadata.protocol import Metadata, MetadataError
from redraft.api.settings import Settings
from redraft.api.stores import DATABASE, open_metadata, where

DONE, FAILED = 0, 1


async def run(settings: Settings, document: str, key: str, *, begins: bool) -> int:
    """Begins or ends the legal hold of a document, or of all that a key has now.

    Returns:
        0; 1 when there is nothing to hold or release, or the database does not do it.
    """
    path = settings.data_dir / DATABASE
    if not settings.database_url and not await asyncio.to_thread(path.is_file):
        return _refuse(f"there is no data folder of a service at {settings.data_dir}")
    try:
        metadata = await open_metadata(settings)
        try:
            changed = await _changed(metadata, document, key, begins=begins)
        finally:
            await metadata.close()
    except MetadataError as error:
        return _refuse(f"{where(settings)} cannot be changed: {error}")
    state = "on hold" if begins else "released"
    if not changed:
        other = "that is not on hold yet" if begins else "on hold"
        return _refuse(f"there is no such document {other}")
    for identifier in changed:
        sys.stdout.write(f"{identifier}\t{state}\n")
    return DONE


async def _changed(metadata: Metadata, document: str, key: str, *, begins: bool) -> tuple[str, ...]:
    subject = document
    if key:
        stored = await metadata.keys.get(key)
        if stored is None:
            return ()
        subject = stored.owner
    # The time of the service, which does not go back with a wall clock.
    now = SteadyClock(SystemClock(), await metadata.keys.highest()).now()
    return await metadata.documents.legal_hold(subject, now, is_owner=bool(key), begins=begins)


def _refuse(sentence: str) -> int:
    sys.stderr.write(f"redraft: {sentence}\n")
    return FAILED
