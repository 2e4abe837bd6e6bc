"""What all SSH connections share: the folder, the service, who is here, and what is under way."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from redraft.remote.sessions import Sessions
from redraft.remote.ssh.authorized_keys import Person, read
from redraft.remote.ssh.login_limits import LoginLimits
from redraft.tui.clock import Clock


@dataclass(frozen=True, slots=True)
class ServerContext:
    """The inside of the door.

    `folder` holds the list of people and their homes, `server` is the service's address, `command`
    the program with its words, `environment` the server's own; `strangers` are connections that
    have not said who they are.
    """

    folder: Path
    server: str
    command: Sequence[str]
    environment: Mapping[str, str]
    sessions: Sessions
    clock: Clock
    login_limits: LoginLimits
    _work: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])

    def authorized_keys(self) -> Mapping[bytes, Person]:
        """Returns who may come in now.

        Raises:
            PeopleError: the list cannot be used.
        """
        return read(self.folder, self.environment)

    def home(self, person: Person) -> Path:
        """Returns the folder of a person's drafts and settings; it is made when it is not there."""
        mark = hashlib.sha256(person.name.encode()).hexdigest()[:8]  # `A` and `a` may be one file
        home = self.folder / "homes" / f"{person.name}-{mark}"
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        return home

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Does something that does not end with the connection it belongs to."""
        task = asyncio.get_running_loop().create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def finish(self, patience: float) -> int:
        """Waits for what is under way; returns how much of it did not end in time."""
        if not self._work:
            return 0
        _, late = await asyncio.wait(self._work, timeout=patience)
        return len(late)
