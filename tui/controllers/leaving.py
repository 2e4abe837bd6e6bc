"""Leaving the program without losing what is under way."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.tui.controllers.drafts import Drafts
from redraft.tui.controllers.safekeeping import Safekeeping
from redraft.tui.controllers.workspace import Workspace
from redraft.tui.screens.dialog import Choice, ChoiceScreen
from redraft.tui.session.state import OpenDocument, counted, shown_ttl
from redraft.tui.text.runs import one_line
from redraft.tui.transport.failures import ClientError


class Leaving:
    """Ends the program; asks first when edits are under way, or when changes are in no file."""

    def __init__(self, screen: Workspace, drafts: Drafts, safekeeping: Safekeeping) -> None:
        self._screen = screen
        self._session = screen.session
        self._drafts = drafts
        self._safekeeping = safekeeping

    def quit(self) -> None:
        """Leaves, after the questions that there are."""
        jobs = self._session.store.jobs
        if not jobs:
            self._leave_with_changes()
            return
        choices = [
            Choice("leave", "leave; the service finishes them", "they are there next time"),
            Choice("cancel", "cancel them and leave"),
            Choice("stay", "stay"),
        ]

        def answered(choice: Choice | None) -> None:
            if choice is not None and choice.id == "leave":
                self._leave_with_changes()
            elif choice is not None and choice.id == "cancel":
                self._screen.start(self._cancel_all_and_leave(), group="quit")

        title = f"{counted(len(jobs), 'edit')} under way"
        self._screen.ask(ChoiceScreen(self._screen.look, title, choices), answered)

    async def _cancel_all_and_leave(self) -> None:
        for job in list(self._session.store.jobs):
            try:
                await self._session.cancel(job)
            except ClientError as error:
                self._screen.say(f"could not cancel: {error}", "error")
                return
        self._leave_with_changes()

    def _leave_with_changes(self) -> None:
        """Leaves when every change is in a file; else asks what becomes of them."""
        if self._safekeeping.unsaved():
            self._screen.start(self._finish_and_ask(), group="quit")
        else:
            self._leave()

    async def _finish_and_ask(self) -> None:
        await self._safekeeping.finish()
        unsaved = self._safekeeping.unsaved()
        if unsaved:
            self._ask_what_becomes_of(unsaved)
        else:
            self._leave()

    def _ask_what_becomes_of(self, unsaved: Sequence[OpenDocument]) -> None:
        name = one_line(unsaved[0].info.name)
        title = f"Unsaved changes: {name}"
        if len(unsaved) > 1:
            title = f"Unsaved changes in {len(unsaved)} documents"
        left = min(self._session.updates.left(document) or 0.0 for document in unsaved)
        choices = [
            Choice(
                "leave", "leave without saving", f"the service deletes them in {shown_ttl(left)}"
            ),
            Choice("stay", "stay"),
        ]
        if self._screen.options.reach != "service":
            choices.insert(0, Choice("save", "save the redline, then leave"))

        def answered(choice: Choice | None) -> None:
            if choice is not None and choice.id == "leave":
                self._leave()
            elif choice is not None and choice.id == "save":
                self._screen.start(self._save_all_and_leave(), group="quit")

        self._screen.ask(ChoiceScreen(self._screen.look, title, choices), answered)

    async def _save_all_and_leave(self) -> None:
        if await self._safekeeping.save_all():
            self._leave()

    def _leave(self) -> None:
        self._drafts.save()
        self._screen.program.exit(0)
