"""Finding the service, following what happens there, and coming back to it."""

from __future__ import annotations

from dataclasses import replace

from redraft.tui.controllers.transfers import Transfers
from redraft.tui.controllers.workspace import Workspace
from redraft.tui.launch_options import Connect
from redraft.tui.screens.dialog import AskScreen
from redraft.tui.session.state import LAST_CALL, LinkState, shown_ttl
from redraft.tui.text.runs import one_line
from redraft.tui.transport.failures import ClientError


class ServiceConnection:
    """Reaches a service, polls it, and reaches it again when it was away."""

    def __init__(self, screen: Workspace, transfers: Transfers) -> None:
        self._screen = screen
        self._session = screen.session
        self._transfers = transfers
        self._warned: frozenset[str] = frozenset()
        self._last_link: LinkState = "starting"
        self._is_reopening = False

    def tick(self) -> None:
        """Asks the service when it is time, and warns of documents that are about to expire."""
        self._warn_of_expiry()
        self._screen.start(self._ask(), group="poll")

    async def _ask(self) -> None:
        """Ask the service if it is time; one of this machine that went away is started again.

        Its documents are in its folder, and edits under way are sent again to the new one.
        """
        is_lost = self._screen.options.is_local and self._session.store.link.state == "offline"
        if not is_lost:
            await self._session.updates.poll()
        elif self._session.updates.is_due and not self._is_reopening:
            self._is_reopening = True
            try:
                self._session.updates.connect(await self._screen.options.connect())
                await self._session.updates.poll()
            except ClientError as error:
                self._session.store.note_link("offline", str(error))
            finally:
                self._is_reopening = False

    def follow(self) -> None:
        """Follows the open document by its events."""
        updates, document_id = self._session.updates, self._screen.open_id
        if updates.should_watch(document_id):
            updates.begin_watch(document_id)
            self._screen.start(updates.watch(document_id), group="watch", exclusive=True)

    def note_link(self) -> None:
        """Says that the line is back; leave the prompt when there is nobody to write to."""
        state, before = self._session.store.link.state, self._last_link
        if state == before:
            return
        self._last_link = state
        if state == "online" and before in ("offline", "failing"):
            self._screen.say(f"{self._screen.look.glyphs.ok} the service is back", "ok")
        elif (
            state in ("refused", "rejected")
            and before == "starting"
            and not self._screen.prompt.text
        ):
            self._screen.panes.show_pane(
                "preview"
            )  # the card names keys, and in the prompt letters are text

    def connect(self) -> None:
        """Reaches the service, starting it where that is asked for."""
        self._screen.start(self._connect(), group="connect", exclusive=True)

    async def _connect(self) -> None:
        try:
            client = await self._screen.options.connect()
        except ClientError as error:
            self._session.updates.fail_to_start(error)
            return
        self._session.updates.connect(client)
        await self._session.updates.poll()
        self._upload_at_start()

    def _upload_at_start(self) -> None:
        if not self._session.store.is_online:
            return
        demo, files = self._screen.options.demo, self._screen.options.files
        self._screen.options = replace(self._screen.options, demo=None, files=())
        for path in files:
            self._transfers.open_file(path)
        if demo is not None:
            names = {
                document.info.name: document.id
                for document in self._session.store.documents.values()
            }
            if demo.name in names:
                self._screen.open_document(names[demo.name])
            else:
                self._transfers.upload_sample(demo)

    def _warn_of_expiry(self) -> None:
        for document in self._session.store.documents.values():
            left = self._session.updates.left(document)
            if document.is_expired or left is None or not 0 < left <= LAST_CALL:
                self._warned -= {document.id}
            elif document.id not in self._warned:
                self._warned |= {document.id}
                name = one_line(document.info.name)
                self._screen.program.bell()
                self._screen.say(f"{name} expires in {shown_ttl(left)}; s saves it", "error")

    # What a person does about it

    def reconnect(self) -> None:
        """Ask the service again, or start it again."""
        document = self._screen.document
        if document is not None and document.read_error:
            self._session.store.update(document.id, read_error="", read_version=None)
        self._session.updates.retry_now()
        if self._session.updates.has_client:
            self._screen.start(self._ask_again(), group="poll")
        else:
            self.connect()

    async def _ask_again(self) -> None:
        await self._ask()
        self._upload_at_start()

    def change_service(self) -> None:
        """Ask for the address of another service, then for its key."""
        dial = self._screen.options.dial
        if dial is None or self._session.store.jobs:
            reason = (
                "edits are under way"
                if self._session.store.jobs
                else "the service was fixed at start"
            )
            self._screen.say(f"not now: {reason}", "warning")
            return
        address = ""

        def keyed(key: str | None) -> None:
            if key is not None:
                self._switch(address, dial(address, key.strip()))

        def addressed(text: str | None) -> None:
            nonlocal address
            address = (text or "").strip().rstrip("/")
            if not address:
                return
            if "://" not in address:
                address = f"http://{address}"
            hint = "enter connects, esc leaves"
            screen = AskScreen(self._screen.look, f"Key for {address}", hint=hint, is_secret=True)
            self._screen.ask(screen, keyed)

        given = self._screen.options.server or "http://"
        screen = AskScreen(
            self._screen.look, "Address of the service", given, "enter goes on, esc leaves"
        )
        self._screen.ask(screen, addressed)

    def local_service(self) -> None:
        """Use the service of this machine; it is started when it does not run."""
        local = self._screen.options.local
        if local is None or self._session.store.jobs:
            reason = (
                "edits are under way"
                if self._session.store.jobs
                else "the service was fixed at start"
            )
            self._screen.say(f"not now: {reason}", "warning")
        else:
            self._switch("", local)

    def _switch(self, address: str, connect: Connect) -> None:
        """Let go of one service and reach another."""
        self._screen.open_document("")
        self._session.updates.disconnect()
        self._screen.options = replace(self._screen.options, server=address, connect=connect)
        self._screen.say(f"connecting to {address or 'the service of this machine'}")
        self.connect()
