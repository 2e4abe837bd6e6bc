"""`redraft migrate`: moves a data folder into the shared stores of the settings, or out of them."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from redraft.api.admin.migration import MigrationError, Moved, Place, folder_place, move
from redraft.api.disk_errors import unusable
from redraft.api.files.protocol import StoreError
from redraft.api.metadata.protocol import MetadataError
from redraft.api.serve import StartError, take_folder
from redraft.api.settings import Settings, variable
from redraft.api.stores import DATABASE, NO_EXTRA

DONE, FAILED, WRONG_USE = 0, 1, 2
MOST_NAMED = 10


def migrate(settings: Settings, folder: Path, *, goes_in: bool) -> int:
    """Moves everything from a folder into the shared stores, or back; nobody may use the source.

    Returns:
        0; 1 when something failed, after which it can be started again; 2 for wrong use.
    """
    if not settings.database_url:
        names = f"{variable('database_url')} and {variable('files_url')}"
        return _refuse(f"set {names} to where documents are moved to or from", WRONG_USE)
    if goes_in and not (folder / DATABASE).is_file():
        return _refuse(f"there is no data folder of a service at {folder}", WRONG_USE)
    try:
        moved = asyncio.run(_moved(settings, folder, goes_in=goes_in))
    except ImportError:
        return _refuse(NO_EXTRA, WRONG_USE)
    except StoreError as error:
        name = type(error).__name__
        return _refuse(f"the files cannot be copied ({name}: {error}); start the move again")
    except (MigrationError, MetadataError, StartError) as error:
        return _refuse(str(error))
    except OSError as error:
        return _refuse(unusable(folder, error))
    _tell(moved, "the folder" if goes_in else f"the database of {variable('database_url')}")
    return DONE


async def _moved(settings: Settings, folder: Path, *, goes_in: bool) -> Moved:
    from redraft.api.admin.shared_place import opened  # only where it is installed

    async with _folder(folder) as local, opened(settings) as shared:
        source, target = (local, shared) if goes_in else (shared, local)
        return await move(source, target)


@asynccontextmanager
async def _folder(folder: Path) -> AsyncGenerator[Place]:
    with await asyncio.to_thread(take_folder, folder):
        async with folder_place(folder) as place:
            yield place


def _tell(moved: Moved, source: str) -> None:
    counts = f"{moved.documents} documents, {moved.rows} rows, {moved.objects} files"
    sys.stdout.write(f"moved\t{counts}, {moved.size} bytes\n")
    for side, digest in zip(("source", "target"), moved.digests, strict=True):
        sys.stdout.write(f"{side}\t{counts}, SHA-256 of the rows {digest}\n")
    if moved.missing:
        names = ", ".join(moved.missing[:MOST_NAMED])
        sys.stderr.write(
            f"redraft: {len(moved.missing)} files were lost before the move: {names}\n"
        )
    if not moved.has_log:
        sys.stderr.write(
            "redraft: the audit log stays where it is, since there is another one; "
            "keep it with `redraft audit export`\n"
        )
    sys.stderr.write(f"redraft: no service starts on {source} now; it is an old copy: delete it\n")


def _refuse(sentence: str, code: int = FAILED) -> int:
    sys.stderr.write(f"redraft: {sentence}\n")
    return code
