"""Accepting and rejecting tracked changes, and choosing which are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from redraft.tui.controllers.workspace import Workspace, may_change
from redraft.tui.panes.change_view import Filter, clause_of
from redraft.tui.screens.dialog import Choice, ChoiceScreen, ConfirmScreen
from redraft.tui.session.state import counted
from redraft.tui.text.runs import clip, one_line
from redraft.tui.transport.failures import ClientError
from redraft.tui.transport.wire import Change

KIND_NAMES = {
    "format": "format changes",
    "paragraph": "paragraph marks",
    "cell": "columns and cells",
    "other": "others",
}


class Reviewing:
    """Accepts and rejects changes: one, those of an edit, or all that are shown."""

    def __init__(self, screen: Workspace) -> None:
        self._screen = screen
        self._session = screen.session

    # Accepting and rejecting

    def accept(self) -> None:
        """Accept the change under the cursor."""
        self._resolve_one("accept")

    def reject(self) -> None:
        """Reject the change under the cursor."""
        self._resolve_one("reject")

    def accept_all(self) -> None:
        """Accept all changes that are shown."""
        self._resolve_shown("accept")

    def reject_all(self) -> None:
        """Reject all changes that are shown."""
        self._resolve_shown("reject")

    def _resolve_one(self, action: Literal["accept", "reject"]) -> None:
        group = self._screen.changes.current_group()
        if self._screen.panes.pane != "changes" or not group:
            self._screen.say("choose a change first (3 shows them)")
        elif may_change(self._screen) and len(group) == 1:
            self._begin_resolve(self._screen.open_id, action, {"ids": [group[0].id]})
        elif may_change(self._screen):
            self._ask_about_clause(action, group)

    def _ask_about_clause(self, action: Literal["accept", "reject"], group: list[Change]) -> None:
        """Asks before all changes of a folded clause are resolved."""
        document_id, words = self._screen.open_id, counted(len(group), "change")

        def answered(yes: bool | None) -> None:
            if yes:
                ids = [change.id for change in group]
                self._begin_resolve(document_id, action, {"ids": ids})

        title = f"{action.capitalize()} {words}?"
        text = f"All of the clause: {clause_of(group[0])}"
        self._screen.ask(ConfirmScreen(self._screen.look, title, text, action, "leave"), answered)

    def accept_edit(self) -> None:
        """Accept every change of the edit that the change under the cursor belongs to."""
        self._resolve_edit("accept")

    def reject_edit(self) -> None:
        """Reject every change of the edit that the change under the cursor belongs to."""
        self._resolve_edit("reject")

    def _resolve_edit(self, action: Literal["accept", "reject"]) -> None:
        change = self._screen.changes.current()
        if self._screen.panes.pane != "changes" or change is None:
            self._screen.say("choose a change first (3 shows them)")
            return
        if not change.edit_uids:
            self._screen.say(
                "this change was in the file before; no edit of ours made it", "warning"
            )
            return
        if not may_change(self._screen):
            return
        uid = change.edit_uids[-1]
        count = sum(uid in other.edit_uids for other in self._screen.changes.changes)
        words = f"{action.capitalize()} {counted(count, 'change')}?"
        history = self._screen.document.history if self._screen.document else ()
        asked = next((item.instruction for item in history if item.edit_uid == uid), "")
        document_id = self._screen.open_id

        def answer(yes: bool | None) -> None:
            if yes:
                self._begin_resolve(document_id, action, {"editUid": uid})

        text = f"All of the edit: {clip(one_line(asked), 300)}"
        screen = ConfirmScreen(self._screen.look, words, text, action, "leave")
        self._screen.ask(screen, answer)

    def _resolve_shown(self, action: Literal["accept", "reject"]) -> None:
        shown = self._screen.changes.shown_changes()
        if self._screen.panes.pane != "changes" or not shown:
            self._screen.say("there are no changes to resolve (3 shows them)")
            return
        if not may_change(self._screen):
            return
        is_all = len(shown) == len(self._screen.changes.changes)
        selection: dict[str, object] = (
            {"all": True} if is_all else {"ids": [change.id for change in shown]}
        )
        document_id = self._screen.open_id
        words = counted(len(shown), "change")
        others = sum(not change.edit_uids for change in shown)
        text = f"{action.capitalize()} {words} of {one_line(self._document_name())}?"
        if others:
            text += f" {counted(others, 'of them was', 'of them were')} in the file before."

        def answer(yes: bool | None) -> None:
            if yes:
                self._begin_resolve(document_id, action, selection)

        screen = ConfirmScreen(
            self._screen.look, f"{action.capitalize()} {words}?", text, action, "leave"
        )
        self._screen.ask(screen, answer)

    def _document_name(self) -> str:
        return self._screen.document.info.name if self._screen.document else ""

    def _begin_resolve(
        self, document_id: str, action: Literal["accept", "reject"], selection: Mapping[str, object]
    ) -> None:
        self._screen.start(self._resolve(document_id, action, selection), group="resolve")

    async def _resolve(
        self, document_id: str, action: Literal["accept", "reject"], selection: Mapping[str, object]
    ) -> None:
        try:
            count = await self._session.resolve(document_id, action, selection)
        except ClientError as error:
            self._screen.say(f"could not {action}: {error}", "error")
            return
        self._screen.say(f"{counted(count, 'change')} {action}ed; U undoes it", "ok")

    # Filtering

    def filter_changes(self) -> None:
        """Choose which changes are shown."""
        choices = [Choice("all", "all changes", str(len(self._screen.changes.changes)))]
        choices.extend(self._author_choices())
        choices.extend(self._kind_choices())
        choices.extend(self._edit_choices())

        def choose(choice: Choice | None) -> None:
            if choice is None:
                return
            what, _, value = choice.id.partition(":")
            now = self._screen.changes.filter
            chosen = {
                "author": replace(now, author=value),
                "kind": replace(now, kind=value),
                "edit": replace(now, edit=value),
            }.get(what, Filter())
            self._screen.changes.set_filter(chosen)
            self._screen.show_bars()

        self._screen.ask(ChoiceScreen(self._screen.look, "Show changes", choices), choose)

    def _author_choices(self) -> list[Choice]:
        counts: dict[str, int] = {}
        for change in self._screen.changes.changes:
            counts[change.author] = counts.get(change.author, 0) + 1
        return [
            Choice(f"author:{author}", f"by {author or 'nobody'}", str(count))
            for author, count in counts.items()
        ]

    def _kind_choices(self) -> list[Choice]:
        counts: dict[str, int] = {}
        for change in self._screen.changes.changes:
            counts[change.kind] = counts.get(change.kind, 0) + 1
        return [
            Choice(f"kind:{kind}", KIND_NAMES.get(kind, f"{kind}s"), str(count))
            for kind, count in counts.items()
        ]

    def _edit_choices(self) -> list[Choice]:
        document = self._screen.document
        choices: list[Choice] = []
        for item in document.history if document else ():
            count = sum(
                item.edit_uid in change.edit_uids for change in self._screen.changes.changes
            )
            if count:
                choices.append(
                    Choice(f"edit:{item.edit_uid}", f"edit: {item.instruction}", str(count))
                )
        return choices
