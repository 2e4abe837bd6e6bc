"""A session over SSH: the program in a terminal of its own, or sftp on the shelf.

There is no shell and no command; of the environment that a client sends, only LANG and COLORTERM
are looked at.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from collections.abc import Callable, Mapping
from typing import cast

import asyncssh
from asyncssh.channel import SSHChannel, SSHServerChannel

from redraft.remote.program import ENDING, Program, Start, kept
from redraft.remote.sessions import FullError, Reason, Session
from redraft.remote.ssh.authorized_keys import OTHER_FOLDER, Person
from redraft.remote.ssh.screen import RESTORED, Screen
from redraft.remote.ssh.server_context import ServerContext
from redraft.remote.ssh.sftp import DocumentServer
from redraft.remote.ssh.virtual_files import VirtualFiles
from redraft.tui.transport.client import Client
from redraft.tui.transport.failures import refused

WRONG_USE, FAILED = 2, 1
CHUNK = 4096
UPLOADING = 15.0  # seconds for a document that is on its way when the server stops
NO_COMMAND = (
    "commands cannot be run here; use `ssh` without a command for the program, "
    "`sftp` or `scp` for documents"
)
NO_TERMINAL = "the program needs a terminal (`ssh -t`); use `sftp` or `scp` for documents"
NO_PROGRAM = "the program could not be started; the reason is in the log of this server"
WORDS: Mapping[Reason, str] = {
    "idle": "this session was closed because it was idle; drafts are kept",
    "stopping": "this server is stopping; drafts are kept, and running edits continue",
}
TERM = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,63}")
LANG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")
log = logging.getLogger("redraft.ssh")


class SshSession(asyncssh.SSHServerProcess[bytes]):
    """One session of a person."""

    def __init__(
        self, context: ServerContext, person: Person, left: Callable[[SshSession], None]
    ) -> None:
        """Prepares; nothing is started before the client has said what it wants.

        Args:
            context: What is shared.
            person: Whose session it is.
            left: Called at the end.
        """
        self._context = context
        self._person = person
        self._left = left
        self._slot: Session | None = None
        self._client: Client | None = None
        self._reason: Reason | None = None
        self._told = asyncio.Event()
        self._held = 0
        self._free = asyncio.Event()
        self._free.set()
        self._refusal = ""
        self._opened: SSHChannel[bytes] | None = None
        self._is_begun = False
        self._screen = Screen()
        self.has_gone = False
        try:
            self._slot = context.sessions.enter(person.name, self._end)
        except FullError as error:
            self._refusal = str(error)
        files = None if self._refusal else self._serve_files
        super().__init__(self._serve, files, 3, False)  # pyright: ignore[reportUnknownMemberType]

    def connection_made(self, chan: SSHChannel[bytes]) -> None:
        """Hears that the channel is open; what for is asked next."""
        self._opened = chan
        super().connection_made(chan)  # pyright: ignore[reportUnknownMemberType]

    def session_started(self) -> None:
        """Begins what the client asked for."""
        self._is_begun = True
        super().session_started()

    def eof_received(self) -> bool:
        """Hears that the client sends nothing any more."""
        self.has_gone = True
        return super().eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """Hears of the end of the session, whatever ended it."""
        self.has_gone = True
        self._told.set()
        self._give_room()
        self._left(self)
        super().connection_lost(exc)

    def touch(self) -> None:
        """Notes that the person did something."""
        if self._slot is not None:
            self._slot.touch()

    def _end(self, reason: Reason) -> None:
        """Ends the session in order, or at once when nothing was asked of it yet."""
        self._reason = reason
        self._told.set()
        if not self._is_begun and self._opened is not None:
            self._opened.close()
            self._give_room()

    def _give_room(self) -> None:
        """Lets somebody else in; the client may never say that it has heard of the end."""
        if self._slot is not None:
            self._slot.close()

    # sftp

    def _serve_files(self, channel: SSHChannel[bytes]) -> DocumentServer:
        clock = self._context.clock
        self._client = Client(self._context.server, self._person.api_key, clock)
        self._context.run(self._watch_files(channel, self._client))
        shelf = VirtualFiles(self._client, self._person.author, clock.steady)
        return DocumentServer(cast("SSHServerChannel[bytes]", channel), shelf, self, clock.now)

    def hold(self, count: int) -> None:
        """Counts the documents that are on their way to the service."""
        self._held += count
        if self._held:
            self._free.clear()
        else:
            self._free.set()

    async def _watch_files(self, channel: SSHChannel[bytes], client: Client) -> None:
        """Waits for the end of sftp; a document on its way may arrive before that."""
        await self._told.wait()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._free.wait(), UPLOADING)
        if self._reason is not None:
            self._say(self._reason)
        channel.close()
        self._give_room()
        await client.close()

    # The program

    def _serve(self, _: asyncssh.SSHServerProcess[bytes]) -> None:
        """Runs the program, or says why not."""
        refusal, code = self._why_not()
        if refusal:
            self.stderr.write(f"redraft: {refusal}\r\n".encode())
            self.exit(code)
        else:
            self._context.run(self._live())

    def _why_not(self) -> tuple[str, int]:
        """Returns why there is no program for this session, and the exit code that says so."""
        if self._refusal:
            return self._refusal, FAILED
        if self.command is not None or self.subsystem is not None:
            return NO_COMMAND, WRONG_USE
        if not TERM.fullmatch(self.term_type or ""):
            return NO_TERMINAL, WRONG_USE
        return "", 0

    async def _live(self) -> None:
        """Runs the program from its start to its end; it never outlives the connection."""
        try:
            home = await asyncio.to_thread(self._context.home, self._person)
            start = Start(self._context.command, self._surroundings(str(home)), home)
            columns, rows, *_ = self.term_size
            program = await Program.start(start, (columns, rows))
        except OSError as error:
            log.error("the program cannot be started: %s", refused(error, OTHER_FOLDER))
            self._tell(NO_PROGRAM)
            self._leave(FAILED)
            return
        shown = asyncio.create_task(self._show(program))
        tasks = [shown, asyncio.create_task(self._type(program))]
        tasks.append(asyncio.create_task(_wait(self._told)))
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if self._reason is not None and not self.has_gone:
                program.hang_up()
                await asyncio.wait((shown,), timeout=ENDING)  # it gives the screen back
        finally:
            is_left = shown.done()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            code = await (program.finish() if is_left else program.end())
        self._leave(code)

    def _leave(self, code: int) -> None:
        """Restores the screen of a killed program, says why the session ends, and ends it."""
        if self._screen.is_taken:
            with contextlib.suppress(OSError):
                self.stdout.write(RESTORED.encode())
        if self._reason is not None:
            self._say(self._reason)
        with contextlib.suppress(OSError):
            self.exit(code)
        self._give_room()

    def _say(self, reason: Reason) -> None:
        self._tell(WORDS[reason])

    def _tell(self, words: str) -> None:
        with contextlib.suppress(OSError):
            self.channel.write_stderr(f"redraft: {words}\r\n".encode())

    async def _show(self, program: Program) -> None:
        """Passes on what the program draws, no faster than the line takes it."""
        while data := await program.read():
            self._screen.note(data)
            self.stdout.write(data)
            await self.stdout.drain()

    async def _type(self, program: Program) -> None:
        """Passes on what is typed, and the size of the window."""
        while True:
            try:
                data = await self.stdin.read(CHUNK)
            except asyncssh.TerminalSizeChanged as change:
                program.resize(change.width, change.height)
                continue
            except (asyncssh.SignalReceived, asyncssh.BreakReceived):
                continue  # keys are bytes; nobody but us sends signals to the program
            if not data:
                return
            self.touch()
            await program.write(data)

    def _surroundings(self, home: str) -> dict[str, str]:
        """Returns the environment of the program."""
        sent = self.env
        variables = {
            **kept(self._context.environment),
            "HOME": home,
            "XDG_STATE_HOME": f"{home}/state",
            "XDG_CONFIG_HOME": f"{home}/config",
            "XDG_DATA_HOME": f"{home}/data",
            "XDG_CACHE_HOME": f"{home}/cache",
            "PYTHONUTF8": "1",  # whatever the client's LANG says, we speak UTF-8
            "TERM": self.term_type or "",
            "REDRAFT_KEY": self._person.api_key,
            "REDRAFT_AUTHOR": self._person.author,
            "SSH_CONNECTION": " ".join((*self._place("peername"), *self._place("sockname"))),
        }
        if LANG.fullmatch(sent.get("LANG", "")):
            variables["LANG"] = sent["LANG"]
        if sent.get("COLORTERM") in ("truecolor", "24bit"):
            variables["COLORTERM"] = sent["COLORTERM"]
        return variables

    def _place(self, name: str) -> tuple[str, str]:
        """Returns one end of the connection as host and port."""
        place = self.channel.get_extra_info(name)
        return (str(place[0]), str(place[1])) if place else ("-", "-")


async def _wait(event: asyncio.Event) -> None:
    await event.wait()
