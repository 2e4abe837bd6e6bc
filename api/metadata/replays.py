"""What an operation that was accepted before stands for, and how much may wait."""

from __future__ import annotations

from redraft.api.errors import OverloadedError, UidReusedError
from redraft.api.metadata.protocol import Accepted, Replayed, Submission
from redraft.api.metadata.rows import Row, operation_of

HISTORY_KINDS = ("edit", "accept", "reject", "undo", "redo")
UNRECORDED = ("read", "preview")
"""What changes nothing and is in no history."""
ON_DOCUMENT, OF_OWNER = "on this document", "of this key"
RETRY_SECONDS = 5


def stands_for(row: Row, submission: Submission) -> Accepted | Replayed | None:
    """Returns what an operation of the same uid stands for; None when it may be tried again.

    Raises:
        UidReusedError: it stands for something else.
    """
    is_open = row["state"] in ("queued", "running")
    if row["digest"] != submission.digest:
        # A read that has ended stands for nothing any more: the next one of its uid reads again.
        if is_open or submission.kind not in UNRECORDED:
            raise _reused(submission)
        return None
    if is_open:
        return Accepted(operation_of(row), joined=True)
    return Replayed(row["status"], row["body"]) if row["final"] else None


def check_waiting(waiting: int, limit: int, scope: str) -> None:
    """Raises OverloadedError when as many operations wait as may."""
    if limit and waiting >= limit:
        message = f"Too many operations {scope} are waiting; try again later"
        raise OverloadedError(message, retry_after=RETRY_SECONDS)


def _reused(submission: Submission) -> UidReusedError:
    if submission.kind == "read":
        return UidReusedError("readUid was already used for a different read")
    return UidReusedError()
