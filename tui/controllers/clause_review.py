"""The review: settling, commenting and copying changes, clause by clause."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from redraft.tui.controllers.reading import Reading
from redraft.tui.controllers.workspace import Workspace, may_change
from redraft.tui.panes.change_lines import Context, with_whole_tokens
from redraft.tui.panes.change_locations import locate
from redraft.tui.screens.dialog import AskScreen
from redraft.tui.screens.review_screen import Deed, ReviewScreen, clauses
from redraft.tui.session.state import counted, moved
from redraft.tui.text import change_text
from redraft.tui.text.markdown_blocks import Block
from redraft.tui.text.runs import Run, clip, one_line
from redraft.tui.transport.failures import ClientError
from redraft.tui.transport.requests import Edit
from redraft.tui.transport.wire import Change

SHORT = 12  # characters; fewer are commented on with the words around them
BESIDE = 24


class ClauseReview:
    """Opens the review, and does what is wanted there, one thing at a time."""

    def __init__(self, screen: Workspace, reading: Reading, send: Callable[[Edit], None]) -> None:
        self._screen = screen
        self._session = screen.session
        self._reading = reading
        self._send = send
        self._review: ReviewScreen | None = None
        self._document_id = ""
        self._is_busy = False

    def begin(self) -> None:
        """Opens the review of the changes that are shown."""
        screen, document = self._screen, self._screen.document
        changes = screen.changes.shown_changes()
        if document is None or not changes:
            screen.say("there are no changes to review")
            return
        edits = {item.edit_uid: item for item in document.history if item.instruction}
        authors = tuple(dict.fromkeys(change.author for change in changes))
        zone = screen.options.dependencies.clock.zone
        context = Context(edits, authors, "inline", zone, moved(changes))
        self._document_id = document.id
        self._review = ReviewScreen(screen.look, document.info.name, context, self._act)
        screen.say("")
        self.refresh()
        screen.ask(self._review, self._left)

    def refresh(self) -> None:
        """Shows the review what the document holds now."""
        if self._review is None or self._screen.open_id != self._document_id:
            return
        changes = self._screen.changes.shown_changes()
        self._review.show(clauses(changes, self._original_of), self._screen.status)

    def _left(self, _: None) -> None:
        self._review = None

    def _original_of(self, changes: Sequence[Change]) -> tuple[str, ...]:
        """Returns the paragraphs that changes stand in as they were before any change."""
        view = self._screen.preview
        if self._screen.mode != "final":
            located = dict(
                zip(
                    (change.id for change in self._screen.changes.changes),
                    locate(self._screen.changes.changes, view.places()),
                    strict=True,
                )
            )
            places = [located.get(change.id) for change in changes]
            numbers = dict.fromkeys(place.block for place in places if place is not None)
            if numbers:
                texts = (_original_text(view.blocks[number]) for number in numbers)
                return tuple(text for text in texts if text)
        return tuple(dict.fromkeys(filter(None, map(_excerpt, changes))))

    # What is done

    def _act(self, deed: Deed, changes: Sequence[Change]) -> None:
        match deed:
            case "accept" | "reject":
                ids = [change.id for change in changes]
                self._begin(self._settle(deed, ids))
            case "undo":
                self._begin(self._undo())
            case "comment":
                self._ask_comment(changes[0])
            case "text" | "markdown":
                write = change_text.as_text if deed == "text" else change_text.as_markdown
                kind = "text" if deed == "text" else "Markdown"
                self._reading.send_to_clipboard(write(changes[0]), f"the change as {kind}: ")
            case "show":
                self._screen.panes.show_pane("preview")
                self._reading.show_in_preview(changes[0])

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Begins a step, unless another is under way: ids are those of what is shown."""
        if self._is_busy or not may_change(self._screen):
            work.close()
            return
        self._is_busy = True
        self._screen.start(self._step(work), group="resolve")

    async def _step(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except ClientError as error:
            self._screen.say(str(error), "error")
        finally:
            self._is_busy = False

    async def _settle(self, action: Deed, ids: Sequence[str]) -> None:
        how = "accept" if action == "accept" else "reject"
        count = await self._session.resolve(self._document_id, how, {"ids": list(ids)})
        self._screen.say(f"{counted(count, 'change')} {how}ed; u undoes it", "ok")

    async def _undo(self) -> None:
        done = await self._session.move(self._document_id, "undo")
        words = "undone" if done.applied else done.summary or "there is nothing to undo"
        self._screen.say(words, "ok" if done.applied else "warning")

    def _ask_comment(self, change: Change) -> None:
        def answered(text: str | None) -> None:
            if text and text.strip() and may_change(self._screen):
                self._comment(change, text.strip())

        words = one_line(change.after or change.before) or one_line(change.where)
        dialog = AskScreen(self._screen.look, f"Comment on: {words}", hint="enter adds, esc leaves")
        self._screen.ask(dialog, answered)

    def _comment(self, change: Change, text: str) -> None:
        document = self._screen.document
        uid = self._screen.options.dependencies.new_uid()
        operation = {
            "op": "add_comment",
            "block": change.anchor,
            "find": _quoted(with_whole_tokens(change)),
            "text": text,
        }
        version = document.read_version if document is not None else None
        words = f"comment: {clip(one_line(text), 60)}"
        self._send(Edit(uid, words, operations=(operation,), base_version=version))


def _quoted(change: Change) -> str:
    """Returns the words that a comment on a change hangs on; empty for the whole paragraph."""
    words = change.after.partition("\n")[0]
    if len(words.strip()) >= SHORT:
        return words.strip()
    lead = change.lead.rpartition("\n")[2][-BESIDE:]
    trail = change.trail.partition("\n")[0][:BESIDE]
    return f"{lead}{words}{trail}".strip()


def _original_text(block: Block) -> str:
    if block.rows:
        rows = ("  |  ".join(_without_new(cell) for cell in row) for row in block.rows)
        return "\n".join(rows)
    label = f"{block.marker} " if block.marker and block.marker != "*" else ""
    text = _without_new(block.runs)
    return f"{label}{text}" if text else ""


def _without_new(runs: Sequence[Run]) -> str:
    return "".join(run.text for run in runs if run.role != "ins")


def _excerpt(change: Change) -> str:
    lead = change.lead if change.original_lead is None else change.original_lead
    trail = change.trail if change.original_trail is None else change.original_trail
    return one_line(f"{lead}{change.before}{trail}")
