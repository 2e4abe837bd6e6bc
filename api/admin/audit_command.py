"""`redraft audit`: verifies and exports the audit log, also while the service runs."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from redraft.api.disk_errors import unusable
from redraft.api.metadata.audit import Audit, BrokenChainError, Entry, verified
from redraft.api.metadata.protocol import MetadataError
from redraft.api.settings import Settings
from redraft.api.stores import DATABASE, open_metadata, where

DONE, FAILED = 0, 1


async def run(settings: Settings, options: argparse.Namespace) -> int:
    """Does what the command line asks; the export goes to stdout, everything else to stderr.

    Returns:
        0; 1 when the log is not what was written, or cannot be read.
    """
    try:
        if options.action == "export":
            return _export(await _stored(settings), options.document)
        if options.file is not None:
            entries = await asyncio.to_thread(lambda: tuple(_exported(options.file)))
        else:
            entries = await _stored(settings)
        return _verify(entries, options.head)
    except BrokenChainError as error:
        return _refuse(f"the audit log is not what was written: {error}")
    except MetadataError as error:
        return _refuse(f"{where(settings)} cannot be read: {error}")
    except OSError as error:
        return _refuse(unusable(options.file or settings.data_dir, error))


def _verify(entries: Iterable[Entry], expected: tuple[int, str] | None) -> int:
    number, head, was_there = 0, "", expected is None
    for entry in verified(entries):
        number, head = entry.number, entry.hash
        was_there = was_there or expected == (number, head)
    if not was_there and expected is not None:
        message = f"entry {expected[0]} of that hash is not there; the log ends at {number}"
        raise BrokenChainError(message)
    sys.stderr.write(f"redraft: {number} entries, all as they were written\n")
    sys.stdout.write(f"{number}:{head}\n")
    return DONE


def _export(entries: Iterable[Entry], subject: str) -> int:
    for entry in verified(entries):
        if not subject or entry.subject == subject:
            sys.stdout.write(msgspec.json.encode(entry).decode() + "\n")
    return DONE


async def _stored(settings: Settings) -> Sequence[Entry]:
    path = settings.data_dir / DATABASE
    if not settings.database_url and not await asyncio.to_thread(path.is_file):
        message = "there is none; name the data folder of a service with --data-dir"
        raise MetadataError(message)
    metadata = await open_metadata(settings)
    try:
        return await _all(metadata.audit)
    finally:
        await metadata.close()


async def _all(audit: Audit) -> Sequence[Entry]:
    entries: list[Entry] = []
    while more := await audit.entries(len(entries)):
        entries += more
        if more[-1].number != len(entries):  # one is missing, which the caller finds out
            break
    return entries


def _exported(file: Path) -> Iterator[Entry]:
    with file.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                yield msgspec.json.decode(line, type=Entry)
            except msgspec.MsgspecError as error:
                message = f"line {number} is no entry"
                raise BrokenChainError(message) from error


def _refuse(sentence: str) -> int:
    sys.stderr.write(f"redraft: {sentence}\n")
    return FAILED
