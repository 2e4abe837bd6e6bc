"""`redraft backup` and `redraft restore`."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from redraft.api.admin.backup import (
    BackupError,
    Opening,
    keep_log,
    make,
    put_back,
    revoked,
    unopened,
    verify,
)
from redraft.api.auth.revoked_keys import close_again, note
from redraft.api.clock import SystemClock, iso
from redraft.api.disk_errors import unusable
from redraft.api.metadata.audit import OPERATOR
from redraft.api.metadata.protocol import MetadataError
from redraft.api.metadata.sqlite import SqliteMetadata
from redraft.api.serve import StartError, take_folder
from redraft.api.settings import Settings
from redraft.api.stores import DATABASE, OTHER_KEY, open_master_keys

DONE, FAILED, WRONG_USE = 0, 1, 2
SHARED = (
    "this is for a data folder alone; back up PostgreSQL by pg_dump and the bucket by its own tools"
)
ENCRYPTED = "whoever holds the backup and the key can read what is encrypted"
READABLE = "whoever holds the backup can read them"


def back_up(settings: Settings, target: Path) -> int:
    """Makes a backup, also while the service runs.

    Returns:
        0; 1 when it cannot be made, or a damaged document is not in it; 2 where it is of no use.
    """
    if settings.database_url or settings.files_url:
        return _refuse(SHARED, WRONG_USE)
    try:
        opening = _opening(settings)
        backup = make(settings.data_dir, target, iso(SystemClock().now()), opening)
        verify(target, opening)
    except BackupError as error:
        return _refuse(str(error), FAILED)
    except OSError as error:
        return _refuse(f"the backup cannot be written: {error.strerror}: {target}", FAILED)
    for document in backup.damaged:
        _tell(f"document {document} is damaged and not in the backup; restore it from an older one")
    _tell(
        f"{backup.documents} documents, {backup.files} files, {backup.size} bytes, all verified; "
        f"{ENCRYPTED if settings.encryption_key else READABLE}"
    )
    return FAILED if backup.damaged else DONE


def restore(settings: Settings, backup: Path, *, may_replace: bool) -> int:
    """Puts a backup into a data folder that no service uses.

    Returns:
        0; 1 when the backup is not whole; 2 when the folder is in use, or holds something else.
    """
    if settings.database_url or settings.files_url:
        return _refuse(SHARED, WRONG_USE)
    os.umask(0o077)
    try:
        manifest = verify(backup, _opening(settings))
        with take_folder(settings.data_dir):
            if (settings.data_dir / DATABASE).exists() and not may_replace:
                return _refuse(
                    f"{settings.data_dir} holds a database; --replace deletes what is there, and "
                    "puts the backup in its place",
                    WRONG_USE,
                )
            if (settings.data_dir / DATABASE).exists():
                note(settings.data_dir, revoked(settings.data_dir / DATABASE))
                log = keep_log(settings.data_dir / DATABASE, settings.data_dir)
                _tell(f"the audit log that was there is in {log}" if log else "no audit log there")
            put_back(backup, settings.data_dir)
            asyncio.run(_told(settings, manifest.made_at))
    except (BackupError, MetadataError) as error:
        return _refuse(str(error), FAILED)
    except StartError as error:
        return _refuse(str(error), WRONG_USE)
    except OSError as error:
        return _refuse(unusable(settings.data_dir, error), FAILED)
    return DONE


def _opening(settings: Settings) -> Opening:
    """Returns what opens sealed files.

    Raises:
        SettingError: the key cannot be read.
    """
    master = asyncio.run(open_master_keys(settings))
    if master is None:
        return unopened
    from redraft.api.encryption.master_keys import UnknownKeyError
    from redraft.api.encryption.sealing import SealError, open_file

    def opening(stored: bytes, sealed_key: bytes, name: str) -> bytes:
        try:
            return open_file(stored, master.opened(sealed_key, name.partition("/")[0]), name)
        except UnknownKeyError as error:
            message = f"it holds documents that {OTHER_KEY}"
            raise BackupError(message) from error
        except SealError:
            return b""  # it is damaged, which its digest says, too

    return opening


async def _told(settings: Settings, made_at: str) -> None:
    """Closes keys that are known to be revoked, and says which ones of the backup work again."""
    metadata = await SqliteMetadata.open(settings.data_dir / DATABASE, settings.durability)
    try:
        now = SystemClock().now()
        count = await close_again(metadata.keys, settings.data_dir, now)
        await metadata.audit.record(now, OPERATOR, "restored", made_at)
        keys = [key for key in await metadata.keys.list() if key.is_valid(now)]
        documents = len(await metadata.documents.known())
    finally:
        await metadata.close()
    _tell(f"{documents} documents as they were at {made_at}")
    if count:
        _tell(f"{count} keys of the backup that were revoked here since stay revoked")
    if keys:
        _tell(
            "these keys of the backup work again; revoke those that were revoked elsewhere since:"
        )
    for key in keys:
        sys.stdout.write(f"{key.id}\t{iso(key.created_at)}\t{key.name}\n")


def _tell(sentence: str) -> None:
    sys.stderr.write(f"redraft: {sentence}\n")


def _refuse(sentence: str, code: int) -> int:
    _tell(sentence)
    return code
