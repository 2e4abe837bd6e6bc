"""An SSH connection from its first byte on: who may come in, and how many at once.

People show a public key that is in the list; there are no passwords. Ports, agents and screens
are not forwarded: what is not answered here is refused by the base class.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping

import asyncssh
from asyncssh.constants import DISC_BY_APPLICATION, DISC_NO_MORE_AUTH_METHODS_AVAILABLE

from redraft.remote.sessions import Reason, Session
from redraft.remote.ssh.authorized_keys import AuthorizedKeysError, Person
from redraft.remote.ssh.server_context import ServerContext
from redraft.remote.ssh.session import WORDS, SshSession

MOST_VISITS = 8  # on one connection
log = logging.getLogger("redraft.ssh")


class SshConnection(asyncssh.SSHServer):
    """One connection."""

    def __init__(self, context: ServerContext) -> None:
        self._context = context
        self._authorized_keys: Mapping[bytes, Person] = {}
        self._person: Person | None = None
        self._tries = 0
        self._is_trying = self._is_in = False
        self._watched: Session | None = None
        self._connection: asyncssh.SSHServerConnection | None = None
        self._ssh_sessions: set[SshSession] = set()

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        """Hears of a connection; too many that do not say who they are get no answer."""
        self._connection = conn
        stopping = self._context.sessions.is_stopping
        if stopping or not self._context.login_limits.enter(self, self._address(), conn.abort):
            conn.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets the connection."""
        self._context.login_limits.leave(self, failed=self._is_trying and not self._is_in)
        self._unwatch()

    # Coming in

    def begin_auth(self, username: str) -> bool:
        """Reads who may come in, so that a line taken out of the list acts from now on."""
        self._is_trying = True
        try:
            self._authorized_keys = self._context.authorized_keys()
        except AuthorizedKeysError as error:
            log.error("logins are refused: %s", error)
            self._authorized_keys = {}
        return True

    def public_key_auth_supported(self) -> bool:
        """Lets people in by a public key, and by nothing else."""
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Says whether a key is in the list; whether the client holds it is seen after this."""
        self._person = self._authorized_keys.get(key.export_public_key("openssh").split()[1])
        if self._person is None:
            self._tries += 1
            if self._tries >= self._context.sessions.limits.tries and self._connection is not None:
                self._connection.disconnect(
                    DISC_NO_MORE_AUTH_METHODS_AVAILABLE, "too many keys were tried"
                )
        return self._person is not None

    def auth_completed(self) -> None:
        """Hears that the client has shown that the last key is its own."""
        self._is_in = True
        self._context.login_limits.leave(self)
        if self._person is not None:
            self._watch(self._person)
            log.info("%s logged in from %s", self._person.name, self._address())

    def _address(self) -> str:
        place = self._connection.get_extra_info("peername") if self._connection else None
        return str(place[0]) if place else "?"

    # Sessions

    def session_requested(self) -> SshSession | bool:
        """Opens a session; one too many for the person is told so in words."""
        if self._person is None or len(self._ssh_sessions) >= MOST_VISITS:
            return False
        self._unwatch()
        ssh_session = SshSession(self._context, self._person, self._left)
        self._ssh_sessions.add(ssh_session)
        return ssh_session

    def _left(self, ssh_session: SshSession) -> None:
        self._ssh_sessions.discard(ssh_session)
        if self._ssh_sessions or self._person is None:
            return
        if self._context.sessions.is_stopping:
            self._end("stopping")
        else:
            self._watch(self._person)

    def _watch(self, person: Person) -> None:
        """Sees to it that a connection without a session does not stay for ever."""
        self._watched = self._context.sessions.watch(person.name, self._end)

    def _unwatch(self) -> None:
        if self._watched is not None:
            self._watched.close()

    def _end(self, reason: Reason) -> None:
        """Ends a connection that holds no session."""
        if self._connection is not None:
            self._connection.disconnect(DISC_BY_APPLICATION, WORDS[reason])
