"""`redraft gc`: deletes what the service would not keep, while no service runs on the folder.

A running service does the same at every sweep, and empties the scratch folder when it starts.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from redraft.api.clock import SteadyClock, SystemClock
from redraft.api.disk_errors import unusable
from redraft.api.files.local import LocalFiles, worker_folders_of
from redraft.api.metadata.audit import OPERATOR
from redraft.api.metadata.protocol import MetadataError
from redraft.api.metadata.sqlite import SqliteMetadata
from redraft.api.serve import StartError, take_folder
from redraft.api.settings import Settings
from redraft.api.stores import DATABASE

DONE, FAILED, WRONG_USE = 0, 1, 2


@dataclass(frozen=True, slots=True)
class _Litter:
    """What is to go: expired documents, and paths with what they are and how many bytes."""

    expired: tuple[str, ...]
    paths: tuple[tuple[str, Path, int], ...]

    def lines(self) -> Iterable[str]:
        for document in self.expired:
            yield f"expired document\t{document}"
        for kind, path, weight in self.paths:
            yield f"{kind}\t{path}\t{weight} bytes"


def collect(settings: Settings, *, is_trial: bool) -> int:
    """Deletes expired documents, files of no document, leftovers, and old copies of the database.

    Args:
        settings: Which data folder.
        is_trial: Only say what would go.

    Returns:
        0; 1 when the database cannot be read; 2 when a service holds the folder.
    """
    if settings.database_url:
        sys.stderr.write("redraft: services that share a database delete what is left themselves\n")
        return WRONG_USE
    if not (settings.data_dir / DATABASE).is_file():
        sys.stderr.write(f"redraft: there is no data folder of a service at {settings.data_dir}\n")
        return WRONG_USE
    try:
        with take_folder(settings.data_dir):
            litter = asyncio.run(_collected(settings, is_trial=is_trial))
    except StartError as error:
        sys.stderr.write(f"redraft: {error}; it deletes what expires by itself\n")
        return WRONG_USE
    except MetadataError as error:
        sys.stderr.write(f"redraft: the database in {settings.data_dir} cannot be used: {error}\n")
        return FAILED
    except OSError as error:
        sys.stderr.write(f"redraft: {unusable(settings.data_dir, error)}\n")
        return FAILED
    sys.stdout.writelines(f"{line}\n" for line in litter.lines())
    count = len(litter.expired) + len(litter.paths)
    sys.stderr.write(f"redraft: {count} {'would be deleted' if is_trial else 'deleted'}\n")
    return DONE


async def _collected(settings: Settings, *, is_trial: bool) -> _Litter:
    metadata = await SqliteMetadata.open(settings.data_dir / DATABASE, settings.durability)
    try:
        now = SteadyClock(SystemClock(), await metadata.keys.highest()).now()
        expired = await metadata.documents.expired(now)
        document_ids = await metadata.documents.known()
        litter = _Litter(expired, tuple(_litter(settings.data_dir, document_ids)))
        if not is_trial:
            files = LocalFiles(settings.data_dir)
            for document in await metadata.documents.expire(now):
                await files.discard(document)
                await metadata.audit.record(now, OPERATOR, "erased", document)
            for _, path, _ in litter.paths:
                await asyncio.to_thread(_delete, path)
            await metadata.documents.wipe()
        return litter
    finally:
        await metadata.close()


def _litter(folder: Path, document_ids: frozenset[str]) -> Iterable[tuple[str, Path, int]]:
    worker_folders = worker_folders_of(folder)
    for kind, path in (
        *(
            ("files of no document", path_found)
            for path_found in sorted((folder / "documents").glob("*"))
        ),
        *(("leftover", path_found) for path_found in sorted(worker_folders.inputs.glob("*"))),
        *(("leftover", path_found) for path_found in sorted(worker_folders.outputs.glob("*"))),
        *(
            ("copy from an upgrade", path_found)
            for path_found in sorted(folder.glob(f"{DATABASE}.before-*"))
        ),
    ):
        if path.name not in document_ids:
            yield kind, path, _weight(path)


def _weight(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else (path,)
    return sum(file.stat().st_size for file in files if file.is_file())


def _delete(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
