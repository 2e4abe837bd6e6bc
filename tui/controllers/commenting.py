"""Reading comments, going to their words, answering and resolving them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from redraft.tui.controllers.workspace import Workspace, may_change
from redraft.tui.screens.comments_screen import CommentsScreen, CommentWish
from redraft.tui.screens.dialog import AskScreen
from redraft.tui.text.runs import one_line
from redraft.tui.transport.requests import Edit
from redraft.tui.transport.wire import Comment


class Commenting:
    """Shows the comments of the open document, and does what is wanted with one."""

    def __init__(self, screen: Workspace, send: Callable[[Edit], None]) -> None:
        self._screen = screen
        self._send = send

    def show(self) -> None:
        """Opens the comments."""
        document = self._screen.document
        if document is None or not document.comments:
            self._screen.say("there are no comments; one is added by: comment on " + _EXAMPLE)
            return
        zone = self._screen.options.dependencies.clock.zone
        dialog = CommentsScreen(self._screen.look, document.comments, zone)
        self._screen.ask(dialog, self._wished)

    def _wished(self, wish: CommentWish | None) -> None:
        if wish is None:
            return
        comment = wish.comment
        if wish.wish == "show":
            self._screen.panes.show_pane("preview")
            if not self._screen.preview.go_to_comment(comment):
                self._screen.say("its words are not in the text that is shown", "warning")
        elif not may_change(self._screen):
            return
        elif wish.wish == "answer":
            self._ask_answer(comment)
        else:
            verb = "open again" if comment.resolved else "resolve"
            fields = {"op": "resolve_comment", "target": comment.id}
            words = f"{verb} the comment of {one_line(comment.author)}"
            self._change(words, {**fields, "resolved": not comment.resolved})

    def _ask_answer(self, comment: Comment) -> None:
        def answered(text: str | None) -> None:
            if text and text.strip():
                fields = {"op": "reply_comment", "target": comment.id, "text": text.strip()}
                self._change(f"answer the comment of {one_line(comment.author)}", fields)

        title = f"Answer {one_line(comment.author)}: {one_line(comment.text)}"
        self._screen.ask(AskScreen(self._screen.look, title), answered)

    def _change(self, words: str, operation: Mapping[str, object]) -> None:
        document = self._screen.document
        uid = self._screen.options.dependencies.new_uid()
        version = document.read_version if document is not None else None
        self._send(Edit(uid, words, operations=(operation,), base_version=version))


_EXAMPLE = '"these words" saying "Agreed?"'
