"""What a person does to read: moving, jumping, switching views, copying."""

from __future__ import annotations

import os
from collections.abc import Sequence

from redraft.tui.controllers.searching import Searching
from redraft.tui.controllers.stage import PANES
from redraft.tui.messages import PlaceWanted, PromptChanged, Said, TabChosen
from redraft.tui.panes.change_lines import describe
from redraft.tui.panes.change_locations import Place, locate
from redraft.tui.panes.change_view import Filter, next_mode
from redraft.tui.panes.doc_view import DocView, Outline
from redraft.tui.panes.entry_view import EntryView
from redraft.tui.screens.dialog import Choice, ChoiceScreen
from redraft.tui.session.state import counted
from redraft.tui.text.runs import one_line
from redraft.tui.text.text_search import Query
from redraft.tui.transport.wire import Change, HistoryItem


class Reading(Searching):
    """A screen that can be read."""

    _stopped: tuple[Change | None, int] = (None, 0)  # the last change gone to, and the line then

    # Panes

    def action_pane(self, pane: str) -> None:
        """Show a pane and go there."""
        self.show_pane(pane)

    def on_tab_chosen(self, message: TabChosen) -> None:
        """A tab was clicked."""
        self.show_pane(message.pane)

    def action_next_pane(self, step: int) -> None:
        """Go to the next pane."""
        order = self.panes_in_order()
        focused = self.focused.id if self.focused is not None else ""
        at = order.index(focused) if focused in order else 0
        target = order[(at + step) % len(order)]
        if target == "prompt":
            self.prompt.focus()
        else:
            self.show_pane(target)
        self.show_bars()

    def action_focus_prompt(self) -> None:
        """Go to the prompt."""
        self.prompt.focus()

    def action_leave(self) -> None:
        """Leave the prompt, and close the message about the last edit."""
        self.forget_card()
        self.show_pane(self.pane)

    def action_zoom(self) -> None:
        """Give the document the whole width, or give it back."""
        self.is_zoomed = not self.is_zoomed
        self.arrange_panes()
        if self.is_zoomed and self.focused is self.documents:
            self.show_pane(self.last_right)

    def action_toggle_list(self) -> None:
        """Hide the documents, or show them."""
        self.is_list_hidden = not self.is_list_hidden
        self.is_zoomed = False
        if self.is_list_hidden and self.focused is self.documents:
            self.show_pane(self.last_right)
        self.arrange_panes()

    def action_widen(self, cells: int) -> None:
        """Make the list wider, or narrower."""
        self.list_width = max(26, min(self.size.width - 50, self.left_width() + cells))
        self.arrange_panes()

    def on_descendant_focus(self) -> None:
        """The keys that work are others now."""
        name = self.focused.id if self.focused is not None else None
        if name in PANES:
            self.pane = name
        self.show_bars()

    def on_said(self, message: Said) -> None:
        """A pane has something to say."""
        self.say(message.text, message.role)

    def on_prompt_changed(self, message: PromptChanged) -> None:
        """The prompt points elsewhere, or another model is chosen."""
        self.show_bars()

    # Documents

    def on_entry_view_moved(self, message: EntryView.Moved) -> None:
        """The cursor is on another document: show it."""
        if message.view is self.documents:
            entry = self.documents.current()
            if entry is not None and entry.sheet is not None and entry.sheet.id != self.open_id:
                self.open_document(entry.sheet.id)
        else:
            self.show_bars()

    def on_entry_view_chosen(self, message: EntryView.Chosen) -> None:
        """A document or a change was chosen."""
        if message.view is self.documents:
            entry = self.documents.current()
            if entry is not None and entry.sheet is not None:
                self.open_document(entry.sheet.id)
                self.show_pane(self.last_right, focus=False)
                self.prompt.focus()
        elif message.view is self.history:
            item = self.history.current()
            if item is not None:
                self.show_changes_of(item)
        elif message.view is self.changes:
            change = self.changes.current()
            if change is not None:
                self.show_pane("preview")
                self.show_in_preview(change)

    def show_changes_of(self, item: HistoryItem) -> None:
        """Show the changes of one edit alone."""
        if not any(item.edit_uid in change.edit_uids for change in self.changes.changes):
            self.say("no open changes belong to this operation")
            return
        self.changes.set_filter(Filter(edit=item.edit_uid))
        self.show_pane("changes")
        self.say("the changes of this edit alone; f shows others")

    def show_in_preview(self, change: Change) -> bool:
        """Scroll the preview to a change; return whether it is in the text."""
        shown = self.changes.changes
        located = dict(zip([each.id for each in shown], self._places_of(shown), strict=True))
        place = located.get(change.id)
        if place is not None:
            self.preview.visit(place.block, place.number)
            return True
        if change.formatting and self._visit_unmarked(change):
            return True
        return self.preview.go_to_words(change.lead, change.before, change.after)

    def _visit_unmarked(self, change: Change) -> bool:
        """Go to the words of a change of format, which Markdown does not mark.

        The block that begins as the change's place says goes before others with the same words.
        """
        start = one_line(change.where).rpartition(" · ")[2].rstrip("…")
        words = one_line(change.after or change.before)
        best, target = 0, -1
        for index, block in enumerate(self.preview.blocks if words else ()):
            text = one_line(block.text)
            score = (words in text) + (words in text and text.startswith(start))
            if score > best:
                best, target = score, index
        if best:
            self.preview.visit(target)
        return bool(best)

    def _places_of(self, shown: Sequence[Change]) -> list[Place | None]:
        """Return where changes stand in the text; changes of a filtered list keep their places."""
        everything = self.changes.changes
        found = locate(everything, self.preview.places())
        at = {change.id: place for change, place in zip(everything, found, strict=True)}
        return [at.get(change.id) for change in shown]

    # Changes

    def action_next_change(self, step: int) -> None:
        """Go to the next change, or hit."""
        if self.wanted.text:
            self.next_hit(step)
        elif self.right_pane() == "changes":
            self.changes.move(step)
        elif self.changes.shown_changes():
            self._next_listed(step)
        else:
            place = self.preview.next_change(step)
            if place is None:
                self.say("no tracked changes in the text")
            else:
                self.say(f"change {place[0]} of {place[1]} in the text")

    def _next_listed(self, step: int) -> None:
        """Go to the next change of the list, in the text and in the list."""
        view, shown = self.preview, self.changes.shown_changes()
        located = self._places_of(shown)
        if self._stopped == (self.changes.current(), view.scroll_offset.y):
            at = (self.changes.cursor + step) % len(shown)
        else:
            at = self._nearest(located, step)
        self.changes.select(at)
        place, change = located[at], shown[at]
        words = f"change {at + 1} of {len(shown)}"
        if place is not None:
            view.visit(place.block, place.number)
        elif change.formatting and self._visit_unmarked(change):
            words += f": {describe(change)}"
        else:
            words += f": {describe(change)}, not in the text; 3 shows it"
        self._stopped = (change, view.scroll_offset.y)
        self.say(words)

    def _nearest(self, located: Sequence[Place | None], step: int) -> int:
        """Return the first change below the top of the screen, or the last one above it."""
        view = self.preview
        below = [at for at, place in enumerate(located) if place and view.starts_below(place.block)]
        first = below[0] if below else len(located) if step < 0 else 0
        return first if step > 0 else (first - 1) % len(located)

    def action_switch_view(self) -> None:
        """Show changes another way."""
        self.mode = next_mode(self.mode)
        self.changes.set_mode(self.mode)
        is_elsewhere = self.mode == "split" and self.right_pane() != "changes"
        self.say(f"view: {self.mode}{' of the changes; 3 shows them' if is_elsewhere else ''}")
        self.show()

    def action_back(self) -> None:
        """Leave the search, else the message, else say how to go on."""
        if self.wanted.text:
            self.search(Query())
        elif self.forget_card():
            pass
        elif self.is_zoomed:
            self.action_zoom()
        else:
            self.say("i goes to the prompt, ? explains the keys")
        self.show_bars()

    # Jumping

    def _heading_choices(self) -> tuple[list[Outline], list[Choice]]:
        outline = self.preview.outline()
        top = min((entry.level for entry in outline), default=1)
        choices = [
            Choice(str(number), entry.title, indent=entry.level - top)
            for number, entry in enumerate(outline)
        ]
        return outline, choices

    def action_outline(self) -> None:
        """Choose a heading and go there."""
        outline, choices = self._heading_choices()

        def go(choice: Choice | None) -> None:
            if choice is not None:
                self.show_pane("preview")
                self.preview.go_to_block(outline[int(choice.id)].block, above=0)
                self.show_bars()

        if choices:
            self.program.push_screen(ChoiceScreen(self.look, "Go to a heading", choices), go)
        else:
            self.say("the document has no headings")

    def on_place_wanted(self, message: PlaceWanted) -> None:
        """`@` was typed in the prompt."""
        self.action_point_at()

    def action_point_at(self) -> None:
        """Choose the section that the next instruction is about."""
        outline, choices = self._heading_choices()
        here = self.preview.heading_here()
        choices.sort(key=lambda choice: choice.words != here)

        def point(choice: Choice | None) -> None:
            self.prompt.focus()
            if choice is not None:
                self.prompt.point_at(outline[int(choice.id)].title)

        if choices:
            self.program.push_screen(ChoiceScreen(self.look, "Point at a section", choices), point)
        else:
            self.say("the document has no headings to point at")

    # Copying

    def action_copy(self) -> None:
        """Copy the selection, or what the cursor is on."""
        text = self.get_selected_text() or self._text_here()
        if not text:
            self.say("nothing to copy here")
            return
        self.program.copy_to_clipboard(text)
        size = counted(len(text), "character")
        self.say(f"{size} sent to the clipboard{_clipboard_hint()}", "ok")

    def _text_here(self) -> str:
        if self.right_pane() == "changes":
            change = self.changes.current()
            if change is None:
                return ""
            return f"{change.lead}[-{change.before}-]{{+{change.after}+}}{change.trail}"
        if self.pane == "history":
            item = self.history.current()
            return item.instruction if item else ""
        if self.focused is self.documents:
            return self.sheet.info.name if self.sheet else ""
        return self._block_here(self.preview)

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
