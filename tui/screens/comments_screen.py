"""The comments of a document: who said what about which words, and the answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Literal, TypeAlias

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical

from redraft.tui.clock import shown_date
from redraft.tui.look import Look
from redraft.tui.panes.bar import Bar
from redraft.tui.panes.entry_view import EntryView
from redraft.tui.screens.dialog import Dialog
from redraft.tui.text.runs import BOLD, Line, Run, one_line, plain, spread
from redraft.tui.text.wrap import wrap
from redraft.tui.transport.wire import Comment

Wish: TypeAlias = Literal["show", "answer", "resolve"]
KEYS = (("enter", "shows the words"), ("r", "answers"), ("x", "resolves, or opens again"))


@dataclass(frozen=True, slots=True)
class CommentWish:
    """What a person wants with a comment."""

    wish: Wish
    comment: Comment


class CommentEntries(EntryView):
    """The comments, answers below what they answer."""

    def __init__(self, look: Look, comments: Sequence[Comment], zone: tzinfo | None) -> None:
        super().__init__(look, id="comments")
        self._comments = in_conversations(comments)
        self._zone = zone

    def entry_count(self) -> int:
        """Returns the number of comments."""
        return len(self._comments)

    def current(self) -> Comment:
        """Returns the comment under the cursor."""
        return self._comments[self.cursor]

    def draw_entry(self, index: int, cells: int) -> Sequence[Line]:
        """Draws a comment."""
        comment = self._comments[index]
        margin = "    " if comment.parent else " "
        author = Run(f"{margin}{one_line(comment.author) or 'nobody'}  ", "author0", BOLD)
        date = Run(shown_date(comment.date, self._zone) if comment.date else "", "muted")
        state = (Run("resolved ", "ok"),) if comment.resolved else ()
        head = spread((author, date), state, cells, self.look.glyphs.ellipsis)
        indent = (Run(f"{margin}  "),)
        lines = [head]
        if comment.words and not comment.parent:
            quote = f"{self.look.glyphs.left_quote}{one_line(comment.words)}"
            words = [Run(f"{quote}{self.look.glyphs.right_quote}", "quote")]
            lines.extend(wrap(words, max(10, cells - 8), indent, indent)[:2])
        lines.extend(wrap([Run(plain(comment.text))], max(10, cells - 8), indent, indent))
        return (*lines, ())


class CommentsScreen(Dialog[CommentWish | None]):
    """The comments in a box; what is done with one closes it."""

    BINDINGS = [  # noqa: RUF012 - Textual reads a plain list
        Binding("r", "wish('answer')", show=False),
        Binding("x", "wish('resolve')", show=False),
        Binding("C,q", "leave", show=False),
    ]

    def __init__(self, look: Look, comments: Sequence[Comment], zone: tzinfo | None) -> None:
        super().__init__(look, counts(comments))
        self._entries = CommentEntries(look, comments, zone)

    def compose(self) -> ComposeResult:
        """Makes the box."""
        keys = Bar(self.look, id="options", shade="card")
        keys.rows = (
            tuple(
                run
                for key, words in KEYS
                for run in (Run(f" {key}", "key"), Run(f" {words}  ", "muted"))
            ),
        )
        with Vertical(id="dialog", classes="-tall -broad"):
            yield self.title_bar()
            yield self._entries
            yield keys

    @on(EntryView.Chosen)
    def _chosen(self, event: EntryView.Chosen) -> None:
        event.stop()
        self.action_wish("show")

    def action_wish(self, wish: Wish) -> None:
        """Closes with what is wanted."""
        self.dismiss(CommentWish(wish, self._entries.current()))


def in_conversations(comments: Sequence[Comment]) -> list[Comment]:
    """Returns comments in the order of the document, each followed by its answers."""
    known = {comment.id for comment in comments}
    roots = [comment for comment in comments if comment.parent not in known]
    ordered: list[Comment] = []
    for root in roots:
        ordered.append(root)
        ordered.extend(comment for comment in comments if comment.parent == root.id)
    ordered.extend(comment for comment in comments if comment not in ordered)
    return ordered


def counts(comments: Sequence[Comment]) -> str:
    """Returns how many conversations there are, and how many of them are open."""
    roots = [comment for comment in comments if comment.parent is None]
    still_open = sum(not comment.resolved for comment in roots)
    noun = "comment" if len(roots) == 1 else "comments"
    return f"{len(roots)} {noun}, {still_open} open"
