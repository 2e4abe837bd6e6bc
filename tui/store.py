"""The session on disk: one small JSON file in the state folder, written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import msgspec

from redraft.tui.errors import refused
from redraft.tui.situation import Session


class SessionFile:
    """Keeps a session in a file that only its owner can read."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> Session:
        """Return the last session; an empty one when there is none or it cannot be read."""
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=Session)
        except (OSError, msgspec.DecodeError):
            return Session()

    def save(self, session: Session) -> str:
        """Keep a session; return why it was not kept, or nothing."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            partial = self._path.with_suffix(".part")
            partial.touch(mode=0o600)
            partial.write_bytes(msgspec.json.encode(session))
            partial.replace(self._path)
        except OSError as error:
            return refused(error, "set XDG_STATE_HOME to another folder")
        return ""
