"""`redraft encryption`: keys of the operator, and what is encrypted with them."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
from collections import Counter

from redraft.api.clock import SteadyClock, SystemClock
from redraft.api.disk_errors import unusable
from redraft.api.encryption.master_keys import MasterKeys, UnknownKeyError, new_master_key
from redraft.api.encryption.migration import migrate
from redraft.api.metadata.audit import OPERATOR
from redraft.api.metadata.protocol import MetadataError
from redraft.api.serve import StartError, take_folder
from redraft.api.settings import Settings, variable
from redraft.api.stores import (
    DATABASE,
    OTHER_KEY,
    every_document,
    open_master_keys,
    open_metadata,
    where,
)

DONE, FAILED, WRONG_USE = 0, 1, 2
SHARED = (
    "documents of services that share a database stay as they are until they expire; new ones are "
    f"encrypted as soon as all services have {variable('encryption_key')}"
)


def run(settings: Settings, action: str) -> int:
    """Does what the command line asks.

    Returns:
        0; 1 when it cannot be done; 2 where it is of no use, or a service holds the folder.

    Raises:
        SettingError: the key cannot be read.
    """
    if action == "new-key":
        sys.stdout.write(new_master_key() + "\n")
        return DONE
    master = asyncio.run(open_master_keys(settings))
    if master is None:
        return _refuse(f"set {variable('encryption_key')} to a key", WRONG_USE)
    if not settings.database_url and not (settings.data_dir / DATABASE).is_file():
        return _refuse(f"there is no data folder of a service at {settings.data_dir}", WRONG_USE)
    try:
        if action == "migrate":
            return _migrate(settings, master)
        return asyncio.run(_rotate(settings, master, is_trial=action == "status"))
    except (MetadataError, sqlite3.Error) as error:
        return _refuse(f"{where(settings)} cannot be changed: {error}", FAILED)
    except UnknownKeyError:
        return _refuse(f"{where(settings)} holds documents that {OTHER_KEY}", FAILED)
    except OSError as error:
        return _refuse(unusable(settings.data_dir, error), FAILED)


def _migrate(settings: Settings, master: MasterKeys) -> int:
    if settings.database_url:
        return _refuse(SHARED, WRONG_USE)
    os.umask(0o077)
    try:
        with take_folder(settings.data_dir):
            now = asyncio.run(_now(settings))
            documents, files = migrate(settings.data_dir / DATABASE, settings.data_dir, master, now)
    except StartError as error:
        return _refuse(str(error), WRONG_USE)
    _tell(f"{documents} documents and {files} files were encrypted")
    _tell("what they were before may still be on the disk, and in backups and copies of upgrades")
    return DONE


async def _now(settings: Settings) -> float:
    """Brings the schema up to date, and returns the time of the service."""
    metadata = await open_metadata(settings)
    try:
        return SteadyClock(SystemClock(), await metadata.keys.highest()).now()
    finally:
        await metadata.close()


async def _rotate(settings: Settings, master: MasterKeys, *, is_trial: bool) -> int:
    """Seals keys anew that another key has sealed, or only counts; a service may run."""
    metadata = await open_metadata(settings)
    counts: Counter[str] = Counter()
    try:
        now = SteadyClock(SystemClock(), await metadata.keys.highest()).now()
        async for document in every_document(metadata.documents):
            sealed_key = document.sealed_key
            if sealed_key is None:
                counts["not encrypted"] += 1
            elif not master.is_known(sealed_key):
                counts["encrypted with a key that is not given"] += 1
            elif master.is_first(sealed_key):
                counts["encrypted with the first key"] += 1
            elif is_trial:
                counts["encrypted with a later key"] += 1
            else:
                anew = master.sealed(master.opened(sealed_key, document.id), document.id)
                if await metadata.documents.rewrap(document.id, sealed_key, anew):
                    counts["sealed anew"] += 1
                    await metadata.audit.record(now, OPERATOR, "key sealed anew", document.id)
        await metadata.documents.wipe()
    finally:
        await metadata.close()
    for kind, count in sorted(counts.items()):
        sys.stdout.write(f"{count}\t{kind}\n")
    return FAILED if counts["encrypted with a key that is not given"] else DONE


def _tell(sentence: str) -> None:
    sys.stderr.write(f"redraft: {sentence}\n")


def _refuse(sentence: str, code: int) -> int:
    _tell(sentence)
    return code
