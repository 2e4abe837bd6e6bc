"""Searching the preview and the changes, for words or by a regular expression."""

from __future__ import annotations

from redraft.tui.controllers.workspace import Workspace
from redraft.tui.screens.search_screen import SearchScreen
from redraft.tui.session.state import counted
from redraft.tui.text import pattern
from redraft.tui.text.text_search import Hit, Query


class Searching:
    """Searches the preview and the changes, and walks the hits."""

    def __init__(self, screen: Workspace) -> None:
        self._screen = screen
        self._searched: tuple[object, object] = (None, None)  # what the hits are in

    def refresh(self) -> None:
        """Searches again when the texts are others than those that were searched."""
        texts, changes = self._searched
        is_old = (
            texts is not self._screen.preview.blocks or changes is not self._screen.changes.changes
        )
        if is_old and self._screen.search_query.text and self._screen.preview.blocks:
            self._find()

    def ask(self) -> None:
        """Asks what to search for."""

        def asked(query: Query | None) -> None:
            if query is not None:
                self.search(query)

        self._screen.ask(SearchScreen(self._screen.look, self._screen.search_query), asked)

    def search(self, query: Query) -> None:
        """Search from here on; nothing to search for ends it."""
        self._screen.search_query = query
        self._find(is_new=True)

    def _find(self, *, is_new: bool = False) -> None:
        self._searched = (self._screen.preview.blocks, self._screen.changes.changes)
        if self._screen.search_query.is_pattern and self._screen.search_query.text:
            work = self._find_pattern(self._screen.search_query, is_new=is_new)
            self._screen.start(work, group="search", exclusive=True)
        else:
            self._screen.preview.search(self._screen.search_query.text)
            self._screen.changes.search(self._screen.search_query.text)
            self._tell(is_new=is_new)

    async def _find_pattern(self, query: Query, *, is_new: bool) -> None:
        """Finds what fits a pattern, in a thread; the answer to an older search is dropped."""
        if is_new:
            self._screen.say("searching")
        begun = self._searched
        texts, changes = self._screen.preview.texts(), self._screen.changes.texts()
        error = ""
        words_found: tuple[tuple[str, ...], ...] = ()
        try:
            words_found = await pattern.find([*texts, *changes], query.text)
        except pattern.PatternError as refusal:
            error = str(refusal)
        if self._searched is not begun or self._screen.preview.blocks is not begun[0]:
            return  # something else is searched by now, or another text
        if error:
            self.search(Query())
            self._screen.say(error, "error")
            return
        in_text, in_changes = words_found[: len(texts)], words_found[len(texts) :]
        hits = tuple(
            Hit(block, number, words)
            for block, here in enumerate(in_text)
            for number, words in enumerate(here)
        )
        self._screen.preview.show_hits(query, hits)
        self._screen.changes.show_hits([index for index, here in enumerate(in_changes) if here])
        self._tell(is_new=is_new)
        if is_new and sum(map(len, words_found)) >= pattern.MOST:
            self._screen.say(f"the first {pattern.MOST} hits; there may be more", "warning")

    def _tell(self, *, is_new: bool) -> None:
        """Say how much was found by a search that somebody just asked for."""
        if is_new and self._screen.search_query.text:
            is_list = self._screen.panes.right_pane() == "changes"
            count = self._screen.changes.hit_count() if is_list else len(self._screen.preview.hits)
            if is_list:
                self._screen.changes.next_hit(1)
            words = counted(count, "change" if is_list else "hit")
            self._screen.say(words if count else "not found", "ok" if count else "warning")
        self._screen.show_bars()

    def next_hit(self, step: int) -> None:
        """Go to the next (or previous) hit, round the end."""
        if self._screen.panes.right_pane() == "changes":
            self._screen.changes.next_hit(step)
        else:
            self._screen.preview.next_hit(step)
        self._screen.show_bars()
