"""How long a document lives at the service: explaining it, and ending it."""

from __future__ import annotations

from redraft.tui.controllers.drafts import Drafts
from redraft.tui.controllers.transfers import Transfers
from redraft.tui.controllers.workspace import Workspace
from redraft.tui.screens.dialog import ConfirmScreen, TellScreen
from redraft.tui.session.state import shown_ttl
from redraft.tui.text.runs import one_line
from redraft.tui.transport.failures import ClientError


class DocumentLife:
    """Explains when a document expires, and deletes one before its time."""

    def __init__(self, screen: Workspace, drafts: Drafts, transfers: Transfers) -> None:
        self._screen = screen
        self._session = screen.session
        self._drafts = drafts
        self._transfers = transfers

    def delete(self) -> None:
        """Deletes the document under the cursor after asking; an expired one leaves the list."""
        entry = self._screen.documents.current()
        if entry is None:
            return
        if entry.transfer is not None:
            self._transfers.stop(entry.transfer)
            return
        document = entry.document
        if document is None:
            return
        if document.is_expired:
            self._drafts.forget(document.id)
            self._session.store.forget(document.id)
            return
        text = f"Delete {one_line(document.info.name)} and all its edits from the service now?"

        def answered(yes: bool | None) -> None:
            if yes:
                self._screen.start(self._delete(document.id), group="delete")

        dialog = ConfirmScreen(self._screen.look, "Delete?", text, "delete it", "keep it")
        self._screen.ask(dialog, answered)

    async def _delete(self, document_id: str) -> None:
        try:
            await self._session.delete(document_id)
        except ClientError as error:
            self._screen.say(f"not deleted: {error}", "error")
            return
        self._screen.say("deleted", "ok")

    def explain_time_left(self) -> None:
        """Says when the document expires and what keeps it."""
        document = self._screen.document
        if document is None:
            return
        left = shown_ttl(self._session.updates.left(document))
        minutes = round(document.info.ttl_seconds / 60)
        words = (
            f"A document is kept for {minutes} minutes after its upload or the last edit that was "
            "applied. Reading does not count. When the time is up it is deleted on the server; "
            "what was read stays readable here, and u uploads it again."
        )
        screen = self._screen
        screen.tell(TellScreen(screen.look, f"{left} left", words, screen.size.width))
