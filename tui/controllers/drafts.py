"""Instructions that were written and not sent, and what else is remembered between starts."""

from __future__ import annotations

from redraft.tui.controllers.edit_list import Rest, as_list
from redraft.tui.controllers.safekeeping import Safekeeping
from redraft.tui.controllers.workspace import Workspace
from redraft.tui.screens.dialog import Choice, ChoiceScreen
from redraft.tui.session.session_file import SavedSession
from redraft.tui.text.runs import one_line

MOST_DRAFTS = 50
MOST_COPIES = 500


class Drafts:
    """Keeps an instruction for each document, and hands it back when the document is opened."""

    def __init__(self, screen: Workspace, safekeeping: Safekeeping) -> None:
        self._screen = screen
        self._session = screen.session
        self._safekeeping = safekeeping
        self._by_document: dict[str, str] = {}
        self.lines: dict[str, int] = {}  # where the preview was left, by document
        self.rests: dict[str, Rest] = {}  # of lists of instructions, by document
        self.not_kept = ""  # why the session could not be saved; nothing when it was
        self._saved_text = ("", "")  # the document and what was written for it, when last saved

    def restore(self, saved: SavedSession) -> None:
        """Takes over what the last session left."""
        self._by_document = dict(saved.drafts)
        self._screen.prompt.past = list(saved.past)
        self._screen.panes.list_width = saved.list_width
        draft = self._by_document.pop(saved.document, "") or self._by_document.pop("", "")
        self._screen.prompt.restore(draft)
        self.lines = dict(saved.lines)
        self._safekeeping.copies = dict(saved.copies)

    def recall(self) -> None:
        """Chooses one of the instructions that were sent before, of any document."""
        prompt = self._screen.prompt
        past = list(dict.fromkeys(reversed(prompt.past)))
        if not past:
            self._screen.say("nothing was asked before")
            return
        choices = [Choice(str(number), one_line(text)) for number, text in enumerate(past)]

        def chosen(choice: Choice | None) -> None:
            if choice is not None:
                prompt.restore(past[int(choice.id)])

        dialog = ChoiceScreen(self._screen.look, "What was asked before", choices)
        self._screen.ask(dialog, chosen)

    def switch(self, left_id: str, opened_id: str) -> None:
        """Puts away what is written for one document, and restores what was for another."""
        prompt = self._screen.prompt
        written, draft = prompt.text, self._by_document.pop(opened_id, "")
        if left_id or draft or not opened_id:
            if written.strip():
                self._by_document[left_id] = written
            prompt.restore(draft)
        if left_id:
            prompt.point_at("")

    def take_over(self, document_id: str, name: str) -> None:
        """Offers what was written for an expired document of that name to its new upload."""
        for document in self._session.store.documents.values():
            if not document.is_expired or document.info.name != name:
                continue
            if document.id == self._screen.open_id:
                self._by_document[document.id] = self._screen.prompt.text
                self._screen.prompt.load_text("")
            written = self._by_document.pop(document.id, "")
            if written.strip():
                self._by_document[document_id] = written

    def give_back(self, document_id: str, instructions: str) -> None:
        """Puts back what was not done, and what was to follow, unless something else is written."""
        rest = self.rests.pop(document_id, None)
        if rest is not None:
            instructions = as_list([instructions, *rest.instructions])
        if document_id == self._screen.open_id:
            if not self._screen.prompt.text:
                self._screen.prompt.offer(instructions)
        elif not self._by_document.get(document_id):
            self._by_document[document_id] = instructions

    def forget(self, document_id: str) -> None:
        """Drops what was written for a document."""
        self._by_document.pop(document_id, None)

    def saved_session(self) -> SavedSession:
        """Returns what is to be remembered."""
        screen = self._screen
        drafts = {**self._by_document, screen.open_id: screen.prompt.text}
        for document_id, rest in self.rests.items():
            if not drafts.get(document_id, "").strip():
                drafts[document_id] = as_list(rest.instructions)
        written = [(document_id, text) for document_id, text in drafts.items() if text.strip()]
        return SavedSession(
            document=screen.open_id,
            past=tuple(screen.prompt.past),
            drafts=dict(written[-MOST_DRAFTS:]),
            lines={screen.open_id: screen.preview.scroll_offset.y} if screen.open_id else {},
            list_width=screen.panes.list_width,
            copies=dict(list(self._safekeeping.copies.items())[-MOST_COPIES:]),
        )

    def save(self) -> None:
        """Saves the session; remembers why that failed."""
        store = self._screen.options.store
        self._saved_text = self._written_here()
        if store is not None:
            self.not_kept = store.save(self.saved_session())

    def save_what_is_written(self) -> None:
        """Saves the session when the prompt holds other text than when it was saved last.

        Called once a second, so that a program that is killed loses no more than the keys of the
        last second.
        """
        if self._written_here() != self._saved_text:
            self.save()

    def _written_here(self) -> tuple[str, str]:
        return self._screen.open_id, self._screen.prompt.text
