"""Asking a person about an edit before it is made: which place is meant, and whether to go on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from redraft.tui.controllers.drafts import Drafts
from redraft.tui.controllers.workspace import Workspace, may_change
from redraft.tui.screens.places_screen import PlacesScreen
from redraft.tui.screens.shown_edit import ShownEditScreen
from redraft.tui.session.state import Failure, OpenDocument, ShownEdit
from redraft.tui.text.runs import one_line
from redraft.tui.transport.requests import Edit


class Decisions:
    """Shows what waits for a person's word, and sends what was decided.

    A question opens by itself only where nobody is doing anything else: keys that were meant for a
    prompt or another dialog must never answer it.
    """

    def __init__(self, screen: Workspace, drafts: Drafts, send: Callable[[Edit], None]) -> None:
        self._screen = screen
        self._session = screen.session
        self._drafts = drafts
        self._send = send

    def ask(self, document_id: str) -> None:
        """Opens the question about an edit, unless the person is busy with something else."""
        screen = self._screen
        failure = screen.document.failure if screen.document is not None else None
        written = screen.prompt.text
        is_at_rest = not written or (failure is not None and written == failure.instructions)
        has_dialog = len(screen.program.screen_stack) > 1
        if document_id == screen.open_id and is_at_rest and not has_dialog:
            self.decide()

    def decide(self) -> None:
        """Opens the question that waits on the open document."""
        document = self._screen.document
        if document is not None and document.shown:
            self._show(document, document.shown[0])
        elif document is not None and document.failure is not None and document.failure.candidates:
            self._ask_which_place(document, document.failure)
        else:
            self._screen.say("no edit waits for your word")

    def _show(self, document: OpenDocument, shown: ShownEdit) -> None:
        def answered(yes: bool | None) -> None:
            if yes and not may_change(self._screen):
                return
            self._session.drop_shown(document.id, shown)
            if yes:
                self._make(document.id, shown)
            else:
                self._drafts.give_back(document.id, shown.edit.instructions)
                self._screen.say("not done; the document is as it was")

        self._screen.ask(ShownEditScreen(self._screen.look, shown), answered)

    def _make(self, document_id: str, shown: ShownEdit) -> None:
        """Makes what was shown; a document that has changed since then is shown again."""
        document = self._session.store.documents.get(document_id)
        is_same = document is not None and document.info.version == shown.version
        uid = self._screen.options.dependencies.new_uid()
        if is_same:
            edit = replace(shown.edit, uid=uid, asks_first=False, base_version=shown.version)
        else:
            edit = replace(shown.edit, uid=uid)
        self._send(edit)

    def _ask_which_place(self, document: OpenDocument, failure: Failure) -> None:
        """Lists the places that an instruction fits, and sends it again for what was chosen."""

        def answered(chosen: tuple[str, ...] | None) -> None:
            prompt = self._screen.prompt
            if not chosen or not may_change(self._screen):
                if document.id in self._drafts.rests:
                    prompt.load_text("" if prompt.text == failure.instructions else prompt.text)
                    self._drafts.give_back(document.id, failure.instructions)
                return
            if prompt.text == failure.instructions:
                prompt.load_text("")
            uid = self._screen.options.dependencies.new_uid()
            places = (*failure.edit.places, *chosen)
            self._send(replace(failure.edit, uid=uid, places=places))

        title = f"Which place? {one_line(failure.instructions)}"
        dialog = PlacesScreen(self._screen.look, title, failure.candidates)
        self._screen.ask(dialog, answered)
