"""What the program is started with, and what it may take from outside."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from redraft.tui.config import ThemeName
from redraft.tui.session.service_updates import Dependencies
from redraft.tui.session.session_file import SessionStore

if TYPE_CHECKING:  # httpx takes a tenth of a second, and the first frame does not need it
    from redraft.tui.transport.client import Client

Connect = Callable[[], Awaitable["Client"]]
Dial = Callable[[str, str], Connect]
Reach = Literal["machine", "files", "service"]
"""What the person may reach: this machine, its files but no other program, or only the service."""


@dataclass(frozen=True, slots=True)
class LaunchOptions:
    """How the program was started.

    `connect` gives a client, starting a service first when there is none; `server` is its address
    when it is known before. `dial` makes the way to another address with a key, `local` the way to
    the service of this machine, `restart` ends that service first, so that it takes another
    language model; without them the service cannot be changed. `environment` is the program's own.
    `crash_log` is the file
    that faults of the program itself are written to; without one they end it. `ticks` False leaves
    the clock to tests. `slow_line` saves bytes, for terminals that are far away. `reach` says how
    much of this machine is the person's, who may come from elsewhere. `redline_folder` is where
    the changes of local files are saved; None: beside each file. `asks_first`: a deletion, or a
    change in more than one place, is shown before it is made.
    """

    connect: Connect
    dependencies: Dependencies
    folder: Path
    server: str = ""
    files: tuple[Path, ...] = ()
    demo: Path | None = None
    author: str = "Anonymous"
    theme: ThemeName = "dark"
    ascii_only: bool = False
    slow_line: bool = False
    keys: Mapping[str, str] = field(default_factory=dict[str, str])
    store: SessionStore | None = None
    dial: Dial | None = None
    local: Connect | None = None
    restart: Connect | None = None
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    crash_log: Path | None = None
    redline_folder: Path | None = None
    asks_first: bool = True
    ticks: bool = True
    reach: Reach = "machine"

    @property
    def is_local(self) -> bool:
        """Whether the service is one that redraft starts itself."""
        return not self.server
