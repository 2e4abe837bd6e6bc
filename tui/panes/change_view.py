"""The tracked changes: one list, drawn a line at a time, with filter and four ways of showing."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from textual import events

from redraft.tui.look import Look
from redraft.tui.panes.change_lines import KINDS, MODES, ChangeMode, Context, draw
from redraft.tui.panes.entry_view import EntryView
from redraft.tui.session.state import counted, moved, tally
from redraft.tui.text.runs import BOLD, Line, Run, one_line, spread
from redraft.tui.text.text_search import find
from redraft.tui.transport.wire import Change, HistoryItem


@dataclass(frozen=True, slots=True)
class Filter:
    """Which changes are shown; None: all."""

    author: str | None = None
    kind: str | None = None
    edit: str | None = None

    def takes(self, change: Change) -> bool:
        """Whether a change is shown."""
        return (
            (self.author is None or change.author == self.author)
            and (self.kind is None or change.kind == self.kind)
            and (self.edit is None or self.edit in change.edit_uids)
        )

    @property
    def words(self) -> str:
        """What it lets through, in a few words."""
        by = "" if self.author is None else f"by {self.author or 'nobody'}"
        kind = "" if self.kind is None else KINDS.get(self.kind, self.kind)
        return ", ".join(filter(None, (by, kind, "one edit" if self.edit else "")))

    @property
    def is_on(self) -> bool:
        """Whether it leaves anything out."""
        return self != Filter()


class ChangeView(EntryView):
    """The changes of the open document."""

    def __init__(
        self,
        look: Look,
        zone: tzinfo | None,
        *,
        id: str = "changes",  # noqa: A002 - Textual's name
    ) -> None:
        super().__init__(look, id=id)
        self.changes: tuple[Change, ...] = ()
        self.filter = Filter()
        self.mode: ChangeMode = "inline"
        self._history: tuple[HistoryItem, ...] = ()
        self._passing: list[int] = []  # the filter
        self._shown: list[int] = []  # of these, one for each folded clause
        self._folded: frozenset[str] = frozenset()
        self._hits: frozenset[str] = frozenset()
        self._zone = zone
        self._drawing = Context({}, (), "inline", zone)

    def show(
        self, changes: Sequence[Change], history: Sequence[HistoryItem], *, fresh: bool = False
    ) -> None:
        """Show the changes of a document; the cursor stays on the change it was on.

        Args:
            changes: The changes in document order.
            history: The edits that made them.
            fresh: Another document than before: from its first change on, without a filter.
        """
        if fresh:
            self.cursor, self.filter, self._folded = 0, Filter(), frozenset()
        elif self.changes == tuple(changes) and self._history == tuple(history):
            return
        here = None if fresh else self.current()
        self.changes = tuple(changes)
        self._history = tuple(history)
        self._refilter(here)

    def set_filter(self, chosen: Filter) -> None:
        """Show only some changes."""
        here = self.current()
        self.filter = chosen
        self._refilter(here)

    def set_mode(self, mode: ChangeMode) -> None:
        """Show changes another way."""
        self.mode = mode
        self._refilter(self.current())

    def _refilter(self, here: Change | None) -> None:
        self._passing = [
            index for index, change in enumerate(self.changes) if self.filter.takes(change)
        ]
        self._shown = []
        for index in self._passing:
            clause = clause_of(self.changes[index])
            before = clause_of(self.changes[self._shown[-1]]) if self._shown else None
            if clause != before or clause not in self._folded:
                self._shown.append(index)
        authors = tuple(dict.fromkeys(change.author for change in self.changes))
        edits = {item.edit_uid: item for item in self._history if item.instruction}
        self._drawing = Context(edits, authors, self.mode, self._zone, moved(self.changes))
        self.cursor = max(0, min(self.cursor, len(self._shown) - 1))
        if here is not None:
            at = next((at for at in self._passing if self.changes[at].id == here.id), None)
            if at is not None:  # itself, or the folded clause that it is in
                self.cursor = bisect_right(self._shown, at) - 1
        self.relayout()

    # Folding

    def fold(self) -> None:
        """Shows the clause under the cursor as one line, or its changes again."""
        here = self.current()
        if here is not None:
            self._folded ^= {clause_of(here)}
            self._refilter(here)

    def fold_all(self) -> None:
        """Shows every clause as one line, or all changes again."""
        everything = frozenset(clause_of(change) for change in self.changes)
        self._folded = frozenset() if self._folded else everything
        self._refilter(self.current())

    def unfold(self) -> None:
        """Shows all changes again."""
        if self._folded:
            self.fold_all()

    def current_group(self) -> list[Change]:
        """Returns the change under the cursor, or all of the folded clause there."""
        here = self.current()
        if here is None:
            return []
        following = self._shown[self.cursor + 1 : self.cursor + 2] or [len(self.changes)]
        start = self._shown[self.cursor]
        group = [self.changes[at] for at in self._passing if start <= at < following[0]]
        return group if clause_of(here) in self._folded else [here]

    def current(self) -> Change | None:
        """Return the change under the cursor."""
        if not self._shown or self.cursor >= len(self._shown):
            return None
        return self.changes[self._shown[self.cursor]]

    def current_number(self) -> int:
        """Return the number, from 1, of the change under the cursor."""
        return self._shown[self.cursor] + 1 if self._shown else 0

    def shown_changes(self) -> list[Change]:
        """Return the changes that pass the filter."""
        return [self.changes[index] for index in self._passing]

    def counts(self) -> str:
        """Returns how many changes there are by author and by kind, in a few words."""
        return counts(self.shown_changes(), self.look)

    def entry_count(self) -> int:
        """Return how many changes are shown."""
        return len(self._shown)

    def draw_entry(self, index: int, cells: int) -> Sequence[Line]:
        """Draw a change."""
        number = self._shown[index]
        change = self.changes[number]
        if clause_of(change) in self._folded:
            return [self._folded_line(index, cells)]
        previous = self.changes[number - 1] if number else None
        leads = previous is None or previous.edit_uids != change.edit_uids
        return draw(change, number + 1, cells, self.look, self._drawing, leads=leads)

    def _folded_line(self, index: int, cells: int) -> Line:
        end = self._shown[index + 1] if index + 1 < len(self._shown) else len(self.changes)
        group = [self.changes[at] for at in self._passing if self._shown[index] <= at < end]
        clause = clause_of(group[0]) or "(no heading)"
        left = (Run("+ ", "key"), Run(clause, "strong", BOLD))
        right = (Run(f"{counted(len(group), 'change')}: {tally(group)} ", "muted"),)
        return spread(left, right, cells, self.look.glyphs.ellipsis)

    async def on_key(self, event: events.Key) -> None:
        """Takes space, which turns a page elsewhere, to accept what is under the cursor."""
        if event.key == "space" and self.current() is not None:
            event.stop()
            event.prevent_default()
            await self.run_action("screen.perform('change.accept')")

    def backdrop(self, number: int) -> str:
        """Mark the head of the change under the cursor."""
        role = super().backdrop(number)
        if role and self.entry_count() and number != self._starts[self.cursor]:
            return ""
        return role

    # Searching

    def texts(self) -> list[str]:
        """Return the text of each change, shown or not, as it is searched."""
        return [_text(change) for change in self.changes]

    def search(self, query: str) -> None:
        """Find the changes that have a text, without regard to case."""
        hits = {hit.block for hit in find(self.texts(), query)}
        self.show_hits(hits)

    def show_hits(self, hits: Collection[int]) -> None:
        """Keep which of `texts()` have what is searched."""
        self._hits = frozenset(self.changes[index].id for index in hits)

    def next_hit(self, step: int) -> bool:
        """Go to the next (or previous) change that is a hit; return whether there is one."""
        count = len(self._shown)
        for offset in range(1, count + 1):
            at = (self.cursor + step * offset) % count
            if self.changes[self._shown[at]].id in self._hits:
                self.select(at)
                return True
        return False

    def hit_count(self) -> int:
        """Count the shown changes that are hits."""
        return sum(change.id in self._hits for change in self.shown_changes())


def clause_of(change: Change) -> str:
    """Returns the heading that a change stands under, and the story where that is not the body."""
    heading = one_line(change.where).partition(" · ")[0]
    return heading if change.story == "body" else f"{change.story}: {heading}"


def counts(changes: Sequence[Change], look: Look) -> str:
    """Returns how many changes there are by author and by kind, in a few words."""
    authors = Counter(one_line(change.author) or "nobody" for change in changes)
    kinds = Counter(KINDS.get(change.kind, change.kind) for change in changes)
    by = ", ".join(f"{name} {count}" for name, count in authors.most_common())
    what = ", ".join(f"{count} {name}" for name, count in kinds.most_common())
    return f"{by} {look.glyphs.dot} {what}" if changes else ""


def next_mode(mode: ChangeMode) -> ChangeMode:
    """Return the way of showing that comes after this one."""
    return MODES[(MODES.index(mode) + 1) % len(MODES)]


def _text(change: Change) -> str:
    parts = (change.author, change.where, change.lead, change.before, change.after, change.trail)
    return one_line(" ".join(parts))
