"""`redraft db upgrade`: makes the schema of a shared database, or brings it up to date."""

from __future__ import annotations

import sys

from redraft.api.metadata.protocol import MetadataError
from redraft.api.settings import Settings, variable
from redraft.api.stores import NO_EXTRA

DONE, FAILED, WRONG_USE = 0, 1, 2


async def upgrade(settings: Settings) -> int:
    """Takes the steps that are missing; a folder with SQLite takes its own when it is opened."""
    if not settings.database_url:
        sys.stderr.write(f"redraft: set {variable('database_url')} to the database to upgrade\n")
        return WRONG_USE
    try:
        from redraft.api.metadata.postgres_database import upgrade as take_steps
    except ImportError:
        sys.stderr.write(f"redraft: {NO_EXTRA}\n")
        return WRONG_USE
    try:
        steps = await take_steps(settings.database_url)
    except MetadataError as error:
        sys.stderr.write(f"redraft: {error}\n")
        return FAILED
    taken = f"{steps} steps taken" if steps else "it is up to date already"
    sys.stderr.write(f"redraft: the database is ready; {taken}\n")
    return DONE
