"""What a person does to read: moving, jumping, switching views, copying."""

from __future__ import annotations

import os
from collections.abc import Sequence

from redraft.tui.controllers.searching import Searching
from redraft.tui.controllers.workspace import Workspace
from redraft.tui.panes.change_lines import describe
from redraft.tui.panes.change_locations import Place, locate
from redraft.tui.panes.change_view import Filter, next_mode
from redraft.tui.panes.doc_view import DocView, Outline
from redraft.tui.panes.entry_view import EntryView
from redraft.tui.screens.dialog import Choice, ChoiceScreen
from redraft.tui.session.state import counted
from redraft.tui.text import change_text
from redraft.tui.text.runs import clip, one_line
from redraft.tui.transport.wire import Change, HistoryItem

MOST_OF_CLAUSE = 300  # characters that are shown, and searched


class Reading:
    """Moves through documents, changes and headings, and copies what the cursor is on."""

    def __init__(self, screen: Workspace, searching: Searching) -> None:
        self._screen = screen
        self._searching = searching
        self._stopped: tuple[Change | None, int] = (None, 0)  # the last change shown, and its line

    # Documents

    def cursor_moved(self, view: EntryView) -> None:
        """Shows the document that the cursor is on now."""
        screen = self._screen
        entry = screen.documents.current() if view is screen.documents else None
        if entry is not None and entry.document is not None:
            if entry.document.id != screen.open_id:
                screen.open_document(entry.document.id)
        else:
            screen.show_bars()

    def chosen(self, view: EntryView) -> None:
        """Opens the document, the operation or the change that was chosen."""
        screen = self._screen
        if view is screen.documents:
            entry = screen.documents.current()
            if entry is not None and entry.document is not None:
                screen.open_document(entry.document.id)
                screen.panes.show_pane(screen.panes.last_right, focus=False)
                screen.prompt.focus()
        elif view is screen.history:
            item = screen.history.current()
            if item is not None:
                self.show_changes_of(item)
        elif view is screen.changes:
            change = screen.changes.current()
            if change is not None:
                screen.panes.show_pane("preview")
                self.show_in_preview(change)

    def show_changes_of(self, item: HistoryItem) -> None:
        """Show the changes of one edit alone."""
        if not any(item.edit_uid in change.edit_uids for change in self._screen.changes.changes):
            self._screen.say("no open changes belong to this operation")
            return
        self._screen.changes.set_filter(Filter(edit=item.edit_uid))
        self._screen.panes.show_pane("changes")
        self._screen.say("the changes of this edit alone; f shows others")

    def show_in_preview(self, change: Change) -> bool:
        """Scroll the preview to a change; return whether it is in the text."""
        shown = self._screen.changes.changes
        located = dict(
            zip([revision.id for revision in shown], self._places_of(shown), strict=True)
        )
        place = located.get(change.id)
        if place is not None:
            self._screen.preview.visit(place.block, place.number)
            return True
        if change.formatting and self._visit_unmarked(change):
            return True
        return self._screen.preview.go_to_words(change.lead, change.before, change.after)

    def _visit_unmarked(self, change: Change) -> bool:
        """Go to the words of a change of format, which Markdown does not mark.

        The block that begins as the change's place says goes before others with the same words.
        """
        start = one_line(change.where).rpartition(" · ")[2].rstrip("…")
        words = one_line(change.after or change.before)
        best, target = 0, -1
        for index, block in enumerate(self._screen.preview.blocks if words else ()):
            text = one_line(block.text)
            score = (words in text) + (words in text and text.startswith(start))
            if score > best:
                best, target = score, index
        if best:
            self._screen.preview.visit(target)
        return bool(best)

    def _places_of(self, shown: Sequence[Change]) -> list[Place | None]:
        """Return where changes stand in the text; changes of a filtered list keep their places."""
        everything = self._screen.changes.changes
        located = locate(everything, self._screen.preview.places())
        at = {change.id: place for change, place in zip(everything, located, strict=True)}
        return [at.get(change.id) for change in shown]

    # Changes

    def next_change(self, step: int) -> None:
        """Go to the next change, or hit."""
        if self._screen.search_query.text:
            self._searching.next_hit(step)
        elif self._screen.panes.right_pane() == "changes":
            self._screen.changes.move(step)
        elif self._screen.changes.shown_changes():
            self._next_listed(step)
        else:
            place = self._screen.preview.next_change(step)
            if place is None:
                self._screen.say("no tracked changes in the text")
            else:
                self._screen.say(f"change {place[0]} of {place[1]} in the text")

    def _next_listed(self, step: int) -> None:
        """Go to the next change of the list, in the text and in the list."""
        self._screen.changes.unfold()
        view, shown = self._screen.preview, self._screen.changes.shown_changes()
        located = self._places_of(shown)
        if self._stopped == (self._screen.changes.current(), view.scroll_offset.y):
            at = (self._screen.changes.cursor + step) % len(shown)
        else:
            at = self._nearest(located, step)
        self._screen.changes.select(at)
        place, change = located[at], shown[at]
        words = f"change {at + 1} of {len(shown)}"
        if place is not None:
            view.visit(place.block, place.number)
        elif change.formatting and self._visit_unmarked(change):
            words += f": {describe(change)}"
        else:
            words += f": {describe(change)}, not in the text; 3 shows it"
        self._stopped = (change, view.scroll_offset.y)
        self._screen.say(words)

    def _nearest(self, located: Sequence[Place | None], step: int) -> int:
        """Return the first change below the top of the screen, or the last one above it."""
        view = self._screen.preview
        below = [at for at, place in enumerate(located) if place and view.starts_below(place.block)]
        first = below[0] if below else len(located) if step < 0 else 0
        return first if step > 0 else (first - 1) % len(located)

    def switch_view(self) -> None:
        """Show changes another way."""
        self._screen.mode = next_mode(self._screen.mode)
        self._screen.changes.set_mode(self._screen.mode)
        is_elsewhere = self._screen.mode == "split" and self._screen.panes.right_pane() != "changes"
        self._screen.say(
            f"view: {self._screen.mode}{' of the changes; 3 shows them' if is_elsewhere else ''}"
        )
        self._screen.show()

    # Jumping

    def _heading_choices(self) -> tuple[list[Outline], list[Choice]]:
        outline = self._screen.preview.outline()
        top = min((entry.level for entry in outline), default=1)
        choices = [
            Choice(str(number), entry.title, indent=entry.level - top)
            for number, entry in enumerate(outline)
        ]
        return outline, choices

    def outline(self) -> None:
        """Choose a heading and go there."""
        outline, choices = self._heading_choices()
        clauses = self._screen.preview.clauses()
        outline += clauses
        numbered = [
            Choice(str(number), clip(one_line(clause.title), MOST_OF_CLAUSE))
            for number, clause in enumerate(clauses, len(choices))
        ]

        def go(choice: Choice | None) -> None:
            if choice is not None:
                self._screen.panes.show_pane("preview")
                self._screen.preview.go_to_block(outline[int(choice.id)].block, above=0)
                self._screen.show_bars()

        title = "Go to a heading, or a clause by its number" if numbered else "Go to a heading"
        if outline:
            self._screen.ask(ChoiceScreen(self._screen.look, title, choices, numbered), go)
        else:
            self._screen.say("the document has no headings and no numbers")

    def point_at(self) -> None:
        """Choose the section that the next instruction is about."""
        outline, choices = self._heading_choices()
        here = self._screen.preview.heading_here()
        choices.sort(key=lambda choice: choice.words != here)

        def point(choice: Choice | None) -> None:
            self._screen.prompt.focus()
            if choice is not None:
                self._screen.prompt.point_at(outline[int(choice.id)].title)

        if choices:
            self._screen.ask(ChoiceScreen(self._screen.look, "Point at a section", choices), point)
        else:
            self._screen.say("the document has no headings to point at")

    # Copying

    def copy(self, selected: str | None) -> None:
        """Copies the selected text, or what the cursor is on."""
        text = selected or self._text_here()
        if text:
            self.send_to_clipboard(text)
        else:
            self._screen.say("nothing to copy here")

    def copy_markdown(self) -> None:
        """Copies the change under the cursor as Markdown, its words marked."""
        change = self._screen.changes.current()
        if self._screen.panes.right_pane() != "changes" or change is None:
            self._screen.say("choose a change first (3 shows them)")
        else:
            self.send_to_clipboard(change_text.as_markdown(change), "the change as Markdown: ")

    def send_to_clipboard(self, text: str, what: str = "") -> None:
        """Hands text to the terminal's clipboard; `what` says what it is, where that helps."""
        self._screen.program.copy_to_clipboard(text)
        size = counted(len(text), "character")
        self._screen.say(f"{what}{size} sent to the clipboard{_clipboard_hint()}", "ok")

    def _text_here(self) -> str:
        if self._screen.panes.right_pane() == "changes":
            change = self._screen.changes.current()
            return change_text.as_text(change) if change is not None else ""
        if self._screen.panes.pane == "history":
            item = self._screen.history.current()
            return item.instruction if item else ""
        if self._screen.panes.focused_id() == "documents":
            return self._screen.document.info.name if self._screen.document else ""
        return self._block_here(self._screen.preview)

    @staticmethod
    def _block_here(view: DocView) -> str:
        if not view.blocks:
            return ""
        index = view.hits[view.hit].block if view.hits else view.first_block()
        return view.blocks[index].text


def _clipboard_hint() -> str:
    """Say what may keep a terminal from taking what is copied; it never answers."""
    if os.environ.get("TMUX"):
        return "; tmux needs set-clipboard on"
    return " (OSC 52)"
