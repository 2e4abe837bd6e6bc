"""What the role of a key allows, decided by method and path before a body is read."""

from __future__ import annotations

from redraft.api.errors import RoleError
from redraft.api.metadata.keys import Role

ADMINISTRATION = "/v1/admin"
READING = ("GET", "HEAD", "OPTIONS")
READ_BY_POST = "/markdown"
"""The end of a path at which a read is asked for by POST, as the interface has it."""
READS_ONLY = "This key may only read"
NO_ADMINISTRATOR = "This needs the key of an administrator"


def check(role: Role, method: str, path: str) -> None:
    """Lets a request through that the role of its key allows.

    Raises:
        RoleError: it does not.
    """
    if f"{path}/".startswith(f"{ADMINISTRATION}/") and role != "admin":
        raise RoleError(NO_ADMINISTRATOR)
    is_read = method in READING or (method == "POST" and path.endswith(READ_BY_POST))
    if role == "read" and not is_read:
        raise RoleError(READS_ONLY)
