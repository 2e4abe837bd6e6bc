"""The session on disk: one small JSON file in the state folder, written whole or not at all."""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec

from tui.situation import Session


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

    def save(self, session: Session) -> None:
        """Keep a session; a disk that does not take it is no reason to fail."""
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            partial = self._path.with_suffix(".part")
            partial.touch(mode=0o600)
            partial.write_bytes(msgspec.json.encode(session))
            partial.replace(self._path)
