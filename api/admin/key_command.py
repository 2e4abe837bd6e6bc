"""`redraft keys`: works on the database directly, also while the service runs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from redraft.api.auth.api_keys import NewKey, new_key, rotated
from redraft.api.auth.presign import Presigner
from redraft.api.auth.revoked_keys import close_again, note
from redraft.api.clock import SystemClock, iso
from redraft.api.disk_errors import unusable
from redraft.api.metadata.keys import Key, Keys
from redraft.api.metadata.protocol import MetadataError
from redraft.api.settings import Settings
from redraft.api.stores import open_metadata, where

DONE, FAILED, WRONG_USE = 0, 1, 2
SECONDS_PER_DAY = 86_400


async def run(settings: Settings, options: argparse.Namespace) -> int:
    """Does what the command line asks; a new key goes to stdout, everything else to stderr."""
    try:
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        metadata = await open_metadata(settings)
    except OSError as error:
        return _refuse(unusable(settings.data_dir, error))
    except MetadataError as error:
        return _refuse(f"{where(settings)} cannot be opened: {error}")
    try:
        await close_again(metadata.keys, settings.data_dir, SystemClock().now())
        return await _do(metadata.keys, settings.data_dir, options)
    except MetadataError as error:
        return _refuse(f"{where(settings)} cannot be changed: {error}")
    finally:
        await metadata.close()


def _refuse(sentence: str) -> int:
    sys.stderr.write(f"redraft: {sentence}\n")
    return FAILED


async def _do(keys: Keys, folder: Path, options: argparse.Namespace) -> int:
    clock = SystemClock()
    now = clock.now()
    match options.action:
        case "create":
            return await _create(keys, options, now)
        case "list":
            for key in await keys.list():
                sys.stdout.write(_line(key, now) + "\n")
        case "revoke":
            if not await keys.revoke(options.id, now):
                return _unknown(options.id)
            note(folder, (options.id,))
            sys.stderr.write(f"redraft: {options.id} is closed\n")
        case "revoke-all":
            count = 0
            for key in await keys.list():
                count += await keys.revoke(key.id, now)
                note(folder, (key.id,))
            await Presigner(keys, clock).replace()
            sys.stderr.write(f"redraft: {count} keys are closed, and no download link works\n")
            sys.stderr.write(
                "redraft: keys of REDRAFT_API_KEYS stay open until a restart without them\n"
            )
        case "rotate":
            old = await keys.get(options.id)
            if old is None or not old.is_valid(now):
                return _unknown(options.id)
            await _show(keys, rotated(old, now))
            await keys.expire(old.id, now + options.hours * 3600, now)
        case _:
            await Presigner(keys, clock).rotate()
            sys.stderr.write("redraft: links are signed with a new key\n")
    return DONE


async def _create(keys: Keys, options: argparse.Namespace, now: float) -> int:
    ends = None if options.days is None else now + options.days * SECONDS_PER_DAY
    beside = await keys.get(options.beside) if options.beside else None
    if options.beside and (beside is None or not beside.is_valid(now)):
        return _unknown(options.beside)
    owner = None if beside is None else beside.owner
    await _show(keys, new_key(options.name, now, ends, options.role, owner))
    return DONE


async def _show(keys: Keys, new: NewKey) -> None:
    await keys.add(new.key)
    sys.stdout.write(new.text + "\n")
    sys.stderr.write("redraft: this is the only time the key is shown\n")


def _line(key: Key, now: float) -> str:
    state = "valid" if key.is_valid(now) else "revoked" if key.revoked_at else "expired"
    ends = "never" if key.expires_at is None else iso(key.expires_at)
    used = key.used_on or "never"
    fields = (key.id, state, iso(key.created_at), f"ends {ends}", f"used {used}", key.role)
    return "\t".join((*fields, key.name))


def _unknown(identifier: str) -> int:
    sys.stderr.write(f"redraft: there is no valid key {identifier}\n")
    return FAILED
