"""What a disk refuses, as a sentence for the operator: what, where, and what to do about it."""

from __future__ import annotations

import errno
from pathlib import Path

from redraft.api.settings import variable

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
ADVICE = {
    errno.EACCES: "give it to the user that redraft runs as",
    errno.EPERM: "give it to the user that redraft runs as",
    errno.EROFS: "let its volume be written",
    errno.ENOSPC: "make room there",
    errno.EDQUOT: "make room there",
    errno.EEXIST: "move away the file that stands where a folder belongs",
    errno.ENOTDIR: "move away the file that stands where a folder belongs",
    errno.EISDIR: "move away the folder that stands where a file belongs",
    errno.EMFILE: "let redraft open more files (ulimit -n)",
}
OTHER_FOLDER = f"set {variable('data_dir')} to another folder"


def unusable(folder: Path, error: OSError) -> str:
    """Says what the system said of a data folder or of something else, and what helps."""
    what = error.strerror or str(error)
    where = f": {error.filename}" if error.filename else ""
    advice = [ADVICE[error.errno]] if error.errno in ADVICE else []
    of_folder = str(error.filename or "").startswith(str(folder)) or error.errno in NO_ROOM
    if of_folder:
        advice.append(OTHER_FOLDER)
    subject = f"the data folder {folder} cannot be used" if of_folder else "redraft cannot work"
    return "; ".join((f"{subject}: {what}{where}", *([", or ".join(advice)] if advice else ())))
