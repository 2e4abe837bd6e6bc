"""Searching the preview and the changes, for words or by a regular expression."""

from __future__ import annotations

from textual import work

from redraft.tui.controllers.presentation import Presentation
from redraft.tui.screens.search_screen import SearchScreen
from redraft.tui.session.state import counted
from redraft.tui.text import pattern
from redraft.tui.text.text_search import Hit, Query


class Searching(Presentation):
    """A screen that can be searched."""

    _searched: tuple[object, object] = (None, None)  # what the hits are in

    def show(self) -> None:
        """Bring everything on the screen up to date, the hits too."""
        super().show()
        texts, changes = self._searched
        is_old = texts is not self.preview.blocks or changes is not self.changes.changes
        if is_old and self.wanted.text and self.preview.blocks:
            self._find()

    def action_search(self) -> None:
        """Ask what to search for."""

        def asked(query: Query | None) -> None:
            if query is not None:
                self.search(query)

        self.program.push_screen(SearchScreen(self.look, self.wanted), asked)

    def search(self, query: Query) -> None:
        """Search from here on; nothing to search for ends it."""
        self.wanted = query
        self._find(is_new=True)

    def _find(self, *, is_new: bool = False) -> None:
        self._searched = (self.preview.blocks, self.changes.changes)
        if self.wanted.is_pattern and self.wanted.text:
            self._find_pattern(self.wanted, is_new=is_new)
        else:
            self.preview.search(self.wanted.text)
            self.changes.search(self.wanted.text)
            self._tell(is_new=is_new)

    @work(group="search", exclusive=True)
    async def _find_pattern(self, query: Query, *, is_new: bool) -> None:
        """Find what fits a pattern, in a process of its own; a newer search ends this one."""
        if is_new:
            self.say("searching")
        begun = self._searched
        texts, changes = self.preview.texts(), self.changes.texts()
        error = ""
        found: tuple[tuple[str, ...], ...] = ()
        try:
            found = await pattern.find([*texts, *changes], query.text)
        except pattern.PatternError as refusal:
            error = str(refusal)
        if self._searched is not begun or self.preview.blocks is not begun[0]:
            return  # something else is searched by now, or another text
        if error:
            self.search(Query())
            self.say(error, "error")
            return
        in_text, in_changes = found[: len(texts)], found[len(texts) :]
        hits = tuple(
            Hit(block, number, words)
            for block, here in enumerate(in_text)
            for number, words in enumerate(here)
        )
        self.preview.show_hits(query, hits)
        self.changes.show_hits([index for index, here in enumerate(in_changes) if here])
        self._tell(is_new=is_new)
        if is_new and sum(map(len, found)) >= pattern.MOST:
            self.say(f"the first {pattern.MOST} hits; there may be more", "warning")

    def _tell(self, *, is_new: bool) -> None:
        """Say how much was found by a search that somebody just asked for."""
        if is_new and self.wanted.text:
            is_list = self.right_pane() == "changes"
            count = self.changes.hit_count() if is_list else len(self.preview.hits)
            if is_list:
                self.changes.next_hit(1)
            words = counted(count, "change" if is_list else "hit")
            self.say(words if count else "not found", "ok" if count else "warning")
        self.show_bars()

    def next_hit(self, step: int) -> None:
        """Go to the next (or previous) hit, round the end."""
        if self.right_pane() == "changes":
            self.changes.next_hit(step)
        else:
            self.preview.next_hit(step)
        self.show_bars()
