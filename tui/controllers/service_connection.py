"""How the screen finds its service, follows what happens there, and comes back to it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from textual import work

from redraft.tui.controllers.transfers import Delivery
from redraft.tui.launch_options import Connect
from redraft.tui.screens.dialog import AskScreen
from redraft.tui.screens.file_screens import UploadOrder
from redraft.tui.session.state import LAST_CALL, LinkState, shown_ttl
from redraft.tui.text.runs import one_line
from redraft.tui.transport.failures import ClientError


class Connecting(Delivery):
    """A screen that reaches a service."""

    _warned: frozenset[str] = frozenset()
    _last_link: LinkState = "starting"
    _is_reopening = False

    def on_tick(self) -> None:
        """Once a second: count down, and ask the service when it is time."""
        self.tick += 1
        self._warn_of_expiry()
        self.show()
        self.run_worker(self._ask, group="poll")

    async def _ask(self) -> None:
        """Ask the service if it is time; one of this machine that went away is started again.

        Its documents are in its folder, and edits under way are sent again to the new one.
        """
        is_lost = self.situation.is_local and self.desk.link.state == "offline"
        if not is_lost:
            await self.desk.poll()
        elif self.desk.is_due and not self._is_reopening:
            self._is_reopening = True
            try:
                self.desk.connect(await self.situation.connect())
                await self.desk.poll()
            except ClientError as error:
                self.desk.note_link("offline", str(error))
            finally:
                self._is_reopening = False

    def desk_changed(self) -> None:
        """Show what the desk knows; what it says of the line comes first."""
        self._note_link()
        super().desk_changed()

    def show(self) -> None:
        """Bring everything on the screen up to date, and follow what is open."""
        super().show()
        self._note_link()  # the answer may have come before the screen was there
        if self.is_mounted and self.desk.should_watch(self.open_id):
            self.desk.begin_watch(self.open_id)
            self.run_worker(partial(self.desk.watch, self.open_id), group="watch", exclusive=True)

    def _note_link(self) -> None:
        """Say that the line is back; leave the prompt when there is nobody to write to."""
        state, before = self.desk.link.state, self._last_link
        if state == before or not self.is_mounted:
            return
        self._last_link = state
        if state == "online" and before in ("offline", "failing"):
            self.say(f"{self.look.glyphs.ok} the service is back", "ok")
        elif state in ("refused", "rejected") and before == "starting" and not self.prompt.text:
            self.show_pane("preview")  # the card names keys, and in the prompt letters are text

    @work(group="connect", exclusive=True)
    async def connect(self) -> None:
        """Reach the service, starting it where that is asked for."""
        try:
            client = await self.situation.connect()
        except ClientError as error:
            self.desk.fail_to_start(error)
            return
        self.desk.connect(client)
        await self.desk.poll()
        self._upload_at_start()

    def _upload_at_start(self) -> None:
        if not self.desk.is_online:
            return
        demo, files = self.situation.demo, self.situation.files
        self.situation = replace(self.situation, demo=None, files=())
        for path in files:
            self.upload_path(UploadOrder(path, self._minutes, self._tracked, self._author))
        if demo is not None:
            names = {sheet.info.name: sheet.id for sheet in self.desk.sheets.values()}
            if demo.name in names:
                self.open_document(names[demo.name])
            else:
                self.upload_path(UploadOrder(demo, self._minutes, True, self._author))

    def _warn_of_expiry(self) -> None:
        for sheet in self.desk.sheets.values():
            left = self.desk.left(sheet)
            if sheet.is_expired or left is None or not 0 < left <= LAST_CALL:
                self._warned -= {sheet.id}
            elif sheet.id not in self._warned:
                self._warned |= {sheet.id}
                name = one_line(sheet.info.name)
                self.program.bell()
                self.say(f"{name} expires in {shown_ttl(left)}; s saves it", "error")

    # What a person does about it

    def action_reconnect(self) -> None:
        """Ask the service again, or start it again."""
        sheet = self.sheet
        if sheet is not None and sheet.read_error:
            self.desk.update(sheet.id, read_error="", read_version=None)
        self.desk.retry_now()
        if self.desk.has_client:
            self.run_worker(self._ask_again, group="poll")
        else:
            self.connect()

    async def _ask_again(self) -> None:
        await self._ask()
        self._upload_at_start()

    def action_retry(self) -> None:
        """Ask the service again while it does not answer, else try again what failed."""
        if self.desk.is_online or self.transfer_here() is not None:
            super().action_retry()
        else:
            self.action_reconnect()

    def action_change_service(self) -> None:
        """Ask for the address of another service, then for its key."""
        dial = self.situation.dial
        if dial is None or self.desk.jobs:
            reason = "edits are under way" if self.desk.jobs else "the service was fixed at start"
            self.say(f"not now: {reason}", "warning")
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
            screen = AskScreen(self.look, f"Key for {address}", hint=hint, is_secret=True)
            self.program.push_screen(screen, keyed)

        given = self.situation.server or "http://"
        screen = AskScreen(self.look, "Address of the service", given, "enter goes on, esc leaves")
        self.program.push_screen(screen, addressed)

    def action_local_service(self) -> None:
        """Use the service of this machine; it is started when it does not run."""
        local = self.situation.local
        if local is None or self.desk.jobs:
            reason = "edits are under way" if self.desk.jobs else "the service was fixed at start"
            self.say(f"not now: {reason}", "warning")
        else:
            self._switch("", local)

    def _switch(self, address: str, connect: Connect) -> None:
        """Let go of one service and reach another."""
        self.open_document("")
        self.desk.disconnect()
        self.situation = replace(self.situation, server=address, connect=connect)
        self.say(f"connecting to {address or 'the service of this machine'}")
        self.connect()
