"""Leaving the program without losing what is under way."""

from __future__ import annotations

from redraft.tui.controllers.drafts import Drafts
from redraft.tui.controllers.workspace import Workspace
from redraft.tui.screens.dialog import Choice, ChoiceScreen
from redraft.tui.session.state import counted
from redraft.tui.transport.failures import ClientError


class Leaving:
    """Ends the program, after a question when edits are under way."""

    def __init__(self, screen: Workspace, drafts: Drafts) -> None:
        self._screen = screen
        self._session = screen.session
        self._drafts = drafts

    def quit(self) -> None:
        """Leaves; asks first when edits are under way."""
        jobs = self._session.store.jobs
        if not jobs:
            self._leave()
            return
        choices = [
            Choice("leave", "leave; the service finishes them", "they are there next time"),
            Choice("cancel", "cancel them and leave"),
            Choice("stay", "stay"),
        ]

        def answered(choice: Choice | None) -> None:
            if choice is not None and choice.id == "leave":
                self._leave()
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
        self._leave()

    def _leave(self) -> None:
        self._drafts.save()
        self._screen.program.exit(0)
