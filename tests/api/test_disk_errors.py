from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from redraft.api.disk_errors import ADVICE, unusable
from redraft.tui.transport import failures

FOLDER = Path("/srv/redraft")
FOLDER_OR = ", or set REDRAFT_DATA_DIR to another folder"


@pytest.mark.parametrize(
    ("number", "file", "sentence"),
    [
        (errno.EACCES, "/x", "Permission denied: /srv/redraft/x; give it to the user that redraft"),
        (errno.EROFS, "/x", "Read-only file system: /srv/redraft/x; let its volume be written"),
        (errno.ENOSPC, "/x", "No space left on device: /srv/redraft/x; make room there"),
        (errno.ENOTDIR, "/x", "Not a directory: /srv/redraft/x; move away the file that stands"),
        (errno.EIO, "", "Input/output error: /srv/redraft; set REDRAFT_DATA_DIR"),
    ],
)
def test_a_refusal_of_the_disk_says_what_where_and_what_helps(
    number: int, file: str, sentence: str
) -> None:
    told = unusable(FOLDER, OSError(number, os.strerror(number), f"{FOLDER}{file}"))
    assert told.startswith(f"the data folder {FOLDER} cannot be used: {sentence}")
    assert told.endswith("set REDRAFT_DATA_DIR to another folder")


def test_a_full_disk_is_that_of_the_folder_although_no_file_is_named() -> None:
    told = unusable(FOLDER, OSError(errno.ENOSPC, "No space left on device"))
    assert told == (
        f"the data folder {FOLDER} cannot be used: No space left on device; make room there"
        + FOLDER_OR
    )


def test_what_is_no_matter_of_the_folder_does_not_blame_it() -> None:
    told = unusable(FOLDER, OSError(errno.ENOMEM, "Cannot allocate memory"))
    assert told == "redraft cannot work: Cannot allocate memory"


def test_the_terminal_gives_the_advice_of_the_service() -> None:
    """Neither may import the other, so that the table stands in both."""
    assert failures.ADVICE.items() <= ADVICE.items()
    assert {ADVICE[number] for number in (errno.EACCES, errno.EROFS, errno.EISDIR)} <= set(
        failures.ADVICE.values()
    )
