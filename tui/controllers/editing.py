"""Sending instructions, cancelling them, and undoing and redoing edits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from redraft.tui.clock import elapsed
from redraft.tui.controllers.decisions import Decisions
from redraft.tui.controllers.drafts import Drafts
from redraft.tui.controllers.edit_list import Rest, instructions_in
from redraft.tui.controllers.workspace import Workspace, may_change
from redraft.tui.screens.dialog import Choice, ChoiceScreen, ConfirmScreen
from redraft.tui.session.state import (
    Failure,
    Job,
    JobState,
    ShownEdit,
    Summary,
    counted,
    reason_of,
    redoable,
    undoable,
)
from redraft.tui.text.runs import clip, one_line
from redraft.tui.transport.failures import ClientError
from redraft.tui.transport.requests import Edit

JOB_WORDS: Mapping[JobState, str] = {
    "running": "running",
    "waiting": "waiting",
    "unknown": "asking again",
}


class Editing:
    """Sends instructions, and undoes what they did."""

    def __init__(self, screen: Workspace, drafts: Drafts) -> None:
        self._screen = screen
        self._session = screen.session
        self._drafts = drafts
        self.decisions = Decisions(screen, drafts, self.begin)
        self._awaited = ""  # the document whose own edit was sent last

    # Sending

    def send(self, instruction: str) -> None:
        """Sends the instruction in the prompt for the open document."""
        refusal = self._screen.refusal()
        if refusal:
            self._screen.say(refusal, "warning")
            return
        first, *following = instructions_in(instruction)
        document_id, rests = self._screen.open_id, self._drafts.rests
        if following and document_id in rests:
            self._screen.say("a list of edits is still under way; this one waits here", "warning")
            return
        if following:
            rests[document_id] = Rest(following, len(following) + 1)
        edit = self._new_edit(first)
        self._screen.prompt.remember(instruction)
        self._drafts.save()
        self.begin(edit)

    def _new_edit(self, instruction: str) -> Edit:
        prompt, options = self._screen.prompt, self._screen.options
        uid, asks_first = options.dependencies.new_uid(), options.asks_first
        return Edit(uid, instruction, prompt.lookup or None, prompt.large, asks_first=asks_first)

    def begin(self, edit: Edit, document_id: str = "") -> None:
        """Sends an edit, of the open document if none is named, and says how it went."""
        document_id = document_id or self._screen.open_id
        if document_id == self._screen.open_id:
            self._screen.preview.end_flash()
            self._screen.preview.was_moved = False
            self._awaited = document_id
        self._session.start_edit(document_id, edit)
        position = len(self._screen.jobs_here())
        rest = self._drafts.rests.get(document_id)
        place = f" {rest.place}" if rest is not None else ""
        words = f"sent{place}" if position == 1 else f"waiting, {position - 1} before it"
        self._screen.say(words)
        self._screen.start(self._edit(document_id, edit), group="edits")

    def _go_on(self, document_id: str) -> None:
        """Sends the next instruction of a list; the text of the last one stays what it said."""
        rest = self._drafts.rests.get(document_id)
        if rest is None:
            return
        if not rest.instructions:
            del self._drafts.rests[document_id]
            self._screen.say(f"all {rest.count} done; {self._screen.status[0]}", "ok")
            return
        self.begin(self._new_edit(rest.instructions.pop(0)), document_id)
        self._drafts.save()

    async def _edit(self, document_id: str, edit: Edit) -> None:
        """Wait for the end of an edit and say how it was."""
        try:
            ended = await self._session.finish_edit(document_id, edit)
        except ClientError as error:
            if document_id in self._drafts.rests:
                self._drafts.give_back(document_id, edit.instructions)
            self._screen.say(str(error), "error")
            return
        if ended is None:
            if document_id in self._drafts.rests:
                self._drafts.give_back(document_id, edit.instructions)
            self._screen.say("cancelled; the document is as it was", "warning")
        elif isinstance(ended, Failure):
            self._failed(document_id, ended)
        elif isinstance(ended, ShownEdit):
            self._screen.say("nothing is done yet: look at what would be", "warning")
            self.decisions.ask(document_id)
        else:
            self._applied(ended)
            self._go_on(document_id)
        self._screen.show()

    def _failed(self, document_id: str, failure: Failure) -> None:
        """Gives back what failed; where a place can be chosen a list waits for that."""
        rest = self._drafts.rests.pop(document_id, None) if failure.candidates else None
        self._drafts.give_back(document_id, failure.instructions)
        if rest is not None:
            self._drafts.rests[document_id] = rest
        if failure.candidates:
            self._screen.say("the instruction fits several places; choose one", "warning")
            self.decisions.ask(document_id)
        else:
            words = "timed out" if failure.timed_out else "failed"
            self._screen.say(f"{self._screen.look.glyphs.failed} the edit {words}", "error")

    def _applied(self, summary: Summary) -> None:
        if not summary.applied:
            why = reason_of(one_line(summary.text))
            words = f": {why}" if why else "; the document is as it was"
            self._screen.say(f"nothing to change{words}", "warning")
            if not self._screen.prompt.text:
                self._screen.prompt.offer(summary.instructions)
            return
        glyphs = self._screen.look.glyphs
        words = f"{glyphs.ok} applied in {summary.seconds:.1f} s: {summary.text}"
        if summary.warnings:  # the card says them
            words += f"  {glyphs.warning} {counted(len(summary.warnings), 'warning')}"
        self._screen.say(words, "warning" if summary.warnings else "ok")

    def text_shown(self, is_fresh: bool) -> None:
        """Show the first block that the person's own edit changed, if it is not on the screen.

        Who went elsewhere in the meantime, or asked for nothing, stays where they are.
        """
        new = self._screen.preview.new_blocks()
        is_awaited = self._awaited == self._screen.open_id and not self._screen.preview.was_moved
        if is_fresh:
            self._screen.preview.go_to_line(self._drafts.lines.pop(self._screen.open_id, 0))
            return
        if not new or not is_awaited:
            return
        if not any(self._screen.preview.shows_block(index) for index in new):
            self._screen.preview.go_to_block(new[0])

    def retry(self) -> None:
        """Take the failed instruction back into the prompt."""
        document = self._screen.document
        if document is None or document.failure is None:
            self._screen.say("there is no failed edit")
            return
        self._screen.prompt.offer(document.failure.instructions)
        self._screen.prompt.focus()
        self._screen.forget_card()

    # The model

    def switch_model(self) -> None:
        """Ask the other model from now on, where there is one."""
        models = self._session.store.models
        if models is None or len(models) > 1:
            self._screen.prompt.large = not self._screen.prompt.large
            self._screen.show_bars()
        elif models:
            self._screen.say(f"there is one model, {one_line(models[0])}", "warning")
        else:
            self._screen.say(
                "no language model is configured; simple instructions are understood", "warning"
            )

    # Cancelling

    def cancel(self) -> None:
        """Cancels the edit under way after asking; of several, the one that is chosen."""
        jobs = [job for job in self._screen.jobs_here() if not job.is_cancelling]
        if not jobs:
            self._screen.say("no edit is under way")
        elif len(jobs) > 1:
            self._choose_to_cancel(jobs)
        elif jobs[0].state == "waiting":
            self._begin_cancel(jobs[0])
        else:
            self._ask_to_cancel(jobs[0])

    def _choose_to_cancel(self, jobs: Sequence[Job]) -> None:
        """Lists the edits in the order in which they run, the last one chosen already."""
        choices = [
            Choice(job.uid, one_line(job.instructions), JOB_WORDS[job.state])
            for job in reversed(jobs)
        ]
        by_uid = {job.uid: job for job in jobs}

        def answered(choice: Choice | None) -> None:
            if choice is not None:
                self._begin_cancel(by_uid[choice.id])

        dialog = ChoiceScreen(self._screen.look, "Cancel which edit?", choices)
        self._screen.ask(dialog, answered)

    def _ask_to_cancel(self, job: Job) -> None:
        taken = elapsed(self._session.store.clock.steady() - job.sent_at)
        words = f"The edit has been running for {taken}: {clip(one_line(job.instructions), 200)}"

        def answered(yes: bool | None) -> None:
            if yes:
                self._begin_cancel(job)

        dialog = ConfirmScreen(
            self._screen.look, "Cancel the edit?", words, "cancel it", "let it run"
        )
        self._screen.ask(dialog, answered)

    def _begin_cancel(self, job: Job) -> None:
        self._screen.start(self._cancel(job), group="cancel")

    async def _cancel(self, job: Job) -> None:
        try:
            cancelled = await self._session.cancel(job)
        except ClientError as error:
            self._screen.say(f"could not cancel: {error}", "error")
            return
        if not cancelled:
            self._screen.say("too late to cancel: the edit has ended", "warning")

    # Undoing

    def undo(self) -> None:
        """Undo the last edit, after asking."""
        document = self._screen.document
        if document is None or not may_change(self._screen):
            return
        last = undoable(document.history)
        if last is None:
            self._screen.say("there is no edit to undo")
            return
        words = one_line(last.instruction) or f"{last.kind} changes"
        text = f"Undo the last change of {one_line(document.info.name)}: {clip(words, 300)}"

        def answer(yes: bool | None) -> None:
            if yes:
                self._begin_move(document.id, "undo", words)

        screen = ConfirmScreen(self._screen.look, "Undo?", text, "undo it", "leave it")
        self._screen.ask(screen, answer)

    def redo(self) -> None:
        """Redoes what was undone, after asking."""
        document = self._screen.document
        if document is None or not may_change(self._screen):
            return
        undone = redoable(document.history)
        if undone is None:
            self._screen.say("there is nothing to redo")
            return
        words = one_line(undone.instruction) or f"{undone.kind} changes"
        text = f"Redo in {one_line(document.info.name)}: {clip(words, 300)}"

        def answered(yes: bool | None) -> None:
            if yes:
                self._begin_move(document.id, "redo", words)

        dialog = ConfirmScreen(self._screen.look, "Redo?", text, "redo it", "leave it")
        self._screen.ask(dialog, answered)

    def _begin_move(
        self, document_id: str, direction: Literal["undo", "redo"], words: str = ""
    ) -> None:
        self._screen.start(self._move(document_id, direction, words), group="move")

    async def _move(
        self, document_id: str, direction: Literal["undo", "redo"], words: str = ""
    ) -> None:
        try:
            moved = await self._session.move(document_id, direction)
        except ClientError as error:
            self._screen.say(f"{direction} failed: {error}", "error")
            return
        if moved.applied:
            way_back = "R redoes it" if direction == "undo" else "U undoes it"
            what = f": {clip(words, 60)}; {way_back}" if words else ""
            self._screen.say(f"{direction}ne{what}", "ok")
        else:
            self._screen.say(moved.summary or f"there is nothing to {direction}", "warning")
