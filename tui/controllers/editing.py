"""What a person does to change a document: sending, cancelling, undoing, accepting, rejecting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from textual import work

from redraft.tui.clock import elapsed
from redraft.tui.controllers.reading import Reading
from redraft.tui.messages import CancelWanted, ModelWanted, Sent
from redraft.tui.panes.change_view import Filter
from redraft.tui.screens.dialog import Choice, ChoiceScreen, ConfirmScreen
from redraft.tui.session.state import Failure, Job, Summary, counted, reason_of, undoable
from redraft.tui.text.runs import clip, one_line
from redraft.tui.transport.failures import ClientError
from redraft.tui.transport.requests import Edit

KIND_NAMES = {
    "format": "format changes",
    "paragraph": "paragraph marks",
    "cell": "columns and cells",
    "other": "others",
}


class Editing(Reading):
    """A screen that edits."""

    restored_lines: dict[str, int]
    _awaited = ""

    # Sending

    def on_sent(self, message: Sent) -> None:
        """Send the instruction that is in the prompt."""
        refusal = self._refusal()
        if refusal:
            self.say(refusal, "warning")
            return
        prompt = self.prompt
        edit = Edit(
            self.situation.seams.new_uid(), message.text, prompt.lookup or None, prompt.large
        )
        prompt.remember(message.text)
        self.preview.end_flash()
        self.preview.was_moved = False
        self._awaited = self.open_id
        self.desk.start_edit(self.open_id, edit)
        position = len(self.jobs_here())
        self.say("sent" if position == 1 else f"waiting, {position - 1} before it")
        self._edit(self.open_id, edit)

    @work(group="edits", exit_on_error=True)
    async def _edit(self, document: str, edit: Edit) -> None:
        """Wait for the end of an edit and say how it was."""
        try:
            ended = await self.desk.finish_edit(document, edit)
        except ClientError as error:
            self.say(str(error), "error")
            return
        if ended is None:
            self.say("cancelled; the document is as it was", "warning")
        elif isinstance(ended, Failure):
            self.give_back(document, ended)
            words = "timed out" if ended.timed_out else "failed"
            self.say(f"{self.look.glyphs.failed} the edit {words}", "error")
        else:
            self._applied(ended)
        self.show()

    def give_back(self, document: str, failure: Failure) -> None:
        """Put the failed instruction back, unless something else is being written."""
        if document == self.open_id and not self.prompt.text:
            self.prompt.offer(failure.instructions)

    def _applied(self, summary: Summary) -> None:
        if not summary.applied:
            why = reason_of(one_line(summary.text))
            words = f": {why}" if why else "; the document is as it was"
            self.say(f"nothing to change{words}", "warning")
            if not self.prompt.text:
                self.prompt.offer(summary.instructions)
            return
        glyphs = self.look.glyphs
        words = f"{glyphs.ok} applied in {summary.seconds:.1f} s: {summary.text}"
        if summary.warnings:  # the card says them
            words += f"  {glyphs.warning} {counted(len(summary.warnings), 'warning')}"
        self.say(words, "warning" if summary.warnings else "ok")

    def text_shown(self, *, is_fresh: bool) -> None:
        """Show the first block that the person's own edit changed, if it is not on the screen.

        Who went elsewhere in the meantime, or asked for nothing, stays where they are.
        """
        new = self.preview.new_blocks()
        is_awaited = self._awaited == self.open_id and not self.preview.was_moved
        if is_fresh:
            self.preview.go_to_line(self.restored_lines.pop(self.open_id, 0))
            return
        if not new or not is_awaited:
            return
        if not any(self.preview.shows_block(index) for index in new):
            self.preview.go_to_block(new[0])

    def action_retry(self) -> None:
        """Take the failed instruction back into the prompt."""
        sheet = self.sheet
        if sheet is None or sheet.failure is None:
            self.say("there is no failed edit")
            return
        self.prompt.offer(sheet.failure.instructions)
        self.prompt.focus()
        self.forget_card()

    # The model

    def on_model_wanted(self, message: ModelWanted) -> None:
        """Ask the other model from now on, where there is one."""
        models = self.desk.models
        if models is None or len(models) > 1:
            self.prompt.large = not self.prompt.large
            self.show_bars()
        elif models:
            self.say(f"there is one model, {one_line(models[0])}", "warning")
        else:
            self.say("no language model is configured; plain sentences are understood", "warning")

    # Cancelling

    def on_cancel_wanted(self, message: CancelWanted) -> None:
        """Cancel was asked for in the prompt."""
        self.action_cancel()

    def action_cancel(self) -> None:
        """Cancel the last edit that waits, else the running one after asking."""
        jobs = [job for job in self.jobs_here() if not job.is_cancelling]
        if not jobs:
            self.say("no edit is under way")
        elif jobs[-1].state == "waiting":
            self._cancel(jobs[-1])
        else:
            job = jobs[-1]
            taken = elapsed(self.desk.clock.steady() - job.sent_at)
            words = (
                f"The edit has been running for {taken}: {clip(one_line(job.instructions), 200)}"
            )

            def answer(yes: bool | None) -> None:
                if yes:
                    self._cancel(job)

            screen = ConfirmScreen(self.look, "Cancel the edit?", words, "cancel it", "let it run")
            self.program.push_screen(screen, answer)

    @work(group="cancel")
    async def _cancel(self, job: Job) -> None:
        try:
            cancelled = await self.desk.cancel(job)
        except ClientError as error:
            self.say(f"could not cancel: {error}", "error")
            return
        if not cancelled:
            self.say("too late to cancel: the edit has ended", "warning")

    # Undoing

    def action_undo(self) -> None:
        """Undo the last edit, after asking."""
        sheet = self.sheet
        if sheet is None or not self._may_change():
            return
        last = undoable(sheet.history)
        if last is None:
            self.say("there is no edit to undo")
            return
        words = one_line(last.instruction) or f"{last.kind} changes"
        text = f"Undo the last change of {one_line(sheet.info.name)}: {clip(words, 300)}"

        def answer(yes: bool | None) -> None:
            if yes:
                self._move(sheet.id, "undo", words)

        screen = ConfirmScreen(self.look, "Undo?", text, "undo it", "leave it")
        self.program.push_screen(screen, answer)

    def action_redo(self) -> None:
        """Redo what was undone."""
        if self._may_change():
            self._move(self.open_id, "redo")

    @work(group="move")
    async def _move(
        self, document: str, direction: Literal["undo", "redo"], words: str = ""
    ) -> None:
        try:
            moved = await self.desk.move(document, direction)
        except ClientError as error:
            self.say(f"{direction} failed: {error}", "error")
            return
        if moved.applied:
            what = f": {clip(words, 60)}; R redoes it" if words else ""
            self.say(f"{direction}ne{what}", "ok")
        else:
            self.say(moved.summary or f"there is nothing to {direction}", "warning")

    def _may_change(self) -> bool:
        """Whether the document can be changed now; says why not."""
        refusal = self._refusal()
        if refusal:
            self.say(refusal, "warning")
        return not refusal

    # Accepting and rejecting

    def action_accept(self) -> None:
        """Accept the change under the cursor."""
        self._resolve_one("accept")

    def action_reject(self) -> None:
        """Reject the change under the cursor."""
        self._resolve_one("reject")

    def action_accept_all(self) -> None:
        """Accept all changes that are shown."""
        self._resolve_shown("accept")

    def action_reject_all(self) -> None:
        """Reject all changes that are shown."""
        self._resolve_shown("reject")

    def _resolve_one(self, action: Literal["accept", "reject"]) -> None:
        change = self.changes.current()
        if self.pane != "changes" or change is None:
            self.say("choose a change first (3 shows them)")
        elif self._may_change():
            self._resolve(self.open_id, action, {"ids": [change.id]})

    def action_accept_edit(self) -> None:
        """Accept every change of the edit that the change under the cursor belongs to."""
        self._resolve_edit("accept")

    def action_reject_edit(self) -> None:
        """Reject every change of the edit that the change under the cursor belongs to."""
        self._resolve_edit("reject")

    def _resolve_edit(self, action: Literal["accept", "reject"]) -> None:
        change = self.changes.current()
        if self.pane != "changes" or change is None:
            self.say("choose a change first (3 shows them)")
            return
        if not change.edit_uids:
            self.say("this change was in the file before; no edit of ours made it", "warning")
            return
        if not self._may_change():
            return
        uid = change.edit_uids[-1]
        count = sum(uid in other.edit_uids for other in self.changes.changes)
        words = f"{action.capitalize()} {counted(count, 'change')}?"
        history = self.sheet.history if self.sheet else ()
        asked = next((item.instruction for item in history if item.edit_uid == uid), "")
        document = self.open_id

        def answer(yes: bool | None) -> None:
            if yes:
                self._resolve(document, action, {"editUid": uid})

        text = f"All of the edit: {clip(one_line(asked), 300)}"
        screen = ConfirmScreen(self.look, words, text, action, "leave")
        self.program.push_screen(screen, answer)

    def _resolve_shown(self, action: Literal["accept", "reject"]) -> None:
        shown = self.changes.shown_changes()
        if self.pane != "changes" or not shown:
            self.say("there are no changes to resolve (3 shows them)")
            return
        if not self._may_change():
            return
        is_all = len(shown) == len(self.changes.changes)
        selection: dict[str, object] = (
            {"all": True} if is_all else {"ids": [change.id for change in shown]}
        )
        document = self.open_id
        words = counted(len(shown), "change")
        others = sum(not change.edit_uids for change in shown)
        text = f"{action.capitalize()} {words} of {one_line(self._document_name())}?"
        if others:
            text += f" {counted(others, 'of them was', 'of them were')} in the file before."

        def answer(yes: bool | None) -> None:
            if yes:
                self._resolve(document, action, selection)

        screen = ConfirmScreen(self.look, f"{action.capitalize()} {words}?", text, action, "leave")
        self.program.push_screen(screen, answer)

    def _document_name(self) -> str:
        return self.sheet.info.name if self.sheet else ""

    @work(group="resolve")
    async def _resolve(
        self, document: str, action: Literal["accept", "reject"], selection: Mapping[str, object]
    ) -> None:
        try:
            count = await self.desk.resolve(document, action, selection)
        except ClientError as error:
            self.say(f"could not {action}: {error}", "error")
            return
        self.say(f"{counted(count, 'change')} {action}ed; U undoes it", "ok")

    # Filtering

    def action_filter_changes(self) -> None:
        """Choose which changes are shown."""
        choices = [Choice("all", "all changes", str(len(self.changes.changes)))]
        choices.extend(self._author_choices())
        choices.extend(self._kind_choices())
        choices.extend(self._edit_choices())

        def choose(choice: Choice | None) -> None:
            if choice is None:
                return
            what, _, value = choice.id.partition(":")
            now = self.changes.filter
            chosen = {
                "author": replace(now, author=value),
                "kind": replace(now, kind=value),
                "edit": replace(now, edit=value),
            }.get(what, Filter())
            self.changes.set_filter(chosen)
            self.show_bars()

        self.program.push_screen(ChoiceScreen(self.look, "Show changes", choices), choose)

    def _author_choices(self) -> list[Choice]:
        counts: dict[str, int] = {}
        for change in self.changes.changes:
            counts[change.author] = counts.get(change.author, 0) + 1
        return [
            Choice(f"author:{author}", f"by {author or 'nobody'}", str(count))
            for author, count in counts.items()
        ]

    def _kind_choices(self) -> list[Choice]:
        counts: dict[str, int] = {}
        for change in self.changes.changes:
            counts[change.kind] = counts.get(change.kind, 0) + 1
        return [
            Choice(f"kind:{kind}", KIND_NAMES.get(kind, f"{kind}s"), str(count))
            for kind, count in counts.items()
        ]

    def _edit_choices(self) -> list[Choice]:
        sheet = self.sheet
        choices: list[Choice] = []
        for item in sheet.history if sheet else ():
            count = sum(item.edit_uid in change.edit_uids for change in self.changes.changes)
            if count:
                choices.append(
                    Choice(f"edit:{item.edit_uid}", f"edit: {item.instruction}", str(count))
                )
        return choices
