"""The session on disk: one small JSON file in the state folder, written whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import msgspec

from redraft.tui.transport.failures import refused


@dataclass(frozen=True, slots=True)
class SavedCopy:
    """The copy with the changes of a document that was opened from a file.

    `source` is that file and `source_digest` its content; `path` is the copy, `written` the digest
    of what was written there last, and `version` the document's version in it.
    """

    source: str
    source_digest: str
    path: str
    written: str
    version: int


@dataclass(frozen=True, slots=True)
class SavedSession:
    """What is remembered from one start to the next.

    `drafts` are instructions not sent and `copies` the files that changes are saved to, both by
    the document's id.
    """

    document: str = ""
    past: tuple[str, ...] = ()
    drafts: Mapping[str, str] = field(default_factory=dict[str, str])
    lines: Mapping[str, int] = field(default_factory=dict[str, int])
    list_width: int = 0
    copies: Mapping[str, SavedCopy] = field(default_factory=dict[str, SavedCopy])


class SessionStore(Protocol):
    """Where a session is kept."""

    def load(self) -> SavedSession:
        """Return the last session, or an empty one."""
        ...

    def save(self, session: SavedSession) -> str:
        """Keep a session; return why it was not kept, or nothing."""
        ...


class SessionFile:
    """Keeps a session in a file that only its owner can read."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> SavedSession:
        """Return the last session; an empty one when there is none or it cannot be read."""
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=SavedSession)
        except (OSError, msgspec.DecodeError):
            return SavedSession()

    def save(self, session: SavedSession) -> str:
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
