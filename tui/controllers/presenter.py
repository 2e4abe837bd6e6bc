"""Brings what the session knows into the panes and lines of the main screen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from redraft.tui.clock import elapsed, hour_minute
from redraft.tui.controllers.pane_layout import PANES
from redraft.tui.controllers.workspace import Workspace
from redraft.tui.keys import BY_ID, first_key, shown
from redraft.tui.panes import notices, status_lines
from redraft.tui.panes.bar import Tab
from redraft.tui.panes.change_lines import SPLIT_WIDTH, ChangeMode
from redraft.tui.panes.document_list import Entry
from redraft.tui.screens.comments_screen import counts as comment_counts
from redraft.tui.session.state import NEAR_END, Failure, OpenDocument, counted
from redraft.tui.text.runs import Line, Run, clip, clip_line, one_line, spread, width
from redraft.tui.transport.requests import View

LARGE = 200_000  # characters of Markdown from which on it is parsed in a thread
MOST_SOUGHT = 24  # cells of what is searched, in the note
READ_VIEWS: dict[ChangeMode, View] = {
    "inline": "markup",
    "split": "markup",
    "final": "final",
    "original": "original",
}


class Presenter:
    """Draws the session on a screen; `text_shown` is called after the preview got a new text."""

    def __init__(self, screen: Workspace, text_shown: Callable[[bool], None]) -> None:
        """Begins with nothing shown.

        Args:
            screen: Where it is shown.
            text_shown: Is told whether the text is that of another document than before.
        """
        self._screen = screen
        self._session = screen.session
        self._text_shown = text_shown
        self._shown_text: str | None = None
        self._shown_id = ""
        self._listed_id = ""
        self._ticks = 0

    def tick(self) -> None:
        """Moves what shows that time passes."""
        self._ticks += 1

    def show(self) -> None:
        """Brings everything on the screen up to date."""
        self._choose_document()
        self._show_documents()
        self._show_preview()
        self._show_changes()
        self.show_bars()
        self._read_if_stale()

    def _choose_document(self) -> None:
        """Opens the newest document when none is open."""
        documents = self._session.store.documents
        if self._screen.open_id in documents or not documents:
            return
        alive = [document.id for document in documents.values() if not document.is_expired]
        self._screen.open_document(alive[-1] if alive else next(iter(documents)))

    def _show_documents(self) -> None:
        store = self._session.store
        entries = [
            Entry(
                document=document,
                left=self._session.updates.left(document),
                jobs=tuple(job for job in store.jobs if job.document_id == document.id),
                is_open=document.id == self._screen.open_id,
            )
            for document in store.documents.values()
        ]
        entries.extend(
            Entry(transfer=transfer, seconds=store.clock.steady() - transfer.since)
            for transfer in store.transfers
        )
        self._screen.documents.show(entries, self._hint())

    def _hint(self) -> tuple[Line, ...]:
        if not self._session.store.is_online:
            return ()
        states = {transfer.state for transfer in self._session.store.transfers}
        rows: list[Line] = [()]
        if "sending" in states:
            rows.append((Run("    x", "key"), Run(" on its row cancels an upload", "muted")))
        if "failed" in states:
            keys = (Run("    r", "key"), Run(" tries again, ", "muted"), Run("x", "key"))
            rows.append((*keys, Run(" removes", "muted")))
        upload = (Run("  + ", "accent"), Run("u", "key"), Run(" upload, or paste a path", "muted"))
        return (*rows, upload)

    def show_notice(self) -> None:
        """Brings what stands in place of the document up to date."""
        card = self._card(self._screen.document)
        if card:
            self._screen.preview.show_card(card)

    def _show_preview(self) -> None:
        document = self._screen.document
        view = self._screen.preview
        card = self._card(document)
        if card:
            self._shown_text, self._shown_id = None, ""
            view.show_card(card)
        elif document is not None and document.markdown is not None:
            self._show_text(document, document.markdown)

    def _is_reading(self, document: OpenDocument) -> bool:
        """Whether reading takes long enough to say so."""
        since = document.reading_since
        return since is not None and self._session.store.clock.steady() - since >= 1

    def _card(self, document: OpenDocument | None) -> tuple[Line, ...]:
        """Return what stands in place of the document, if anything."""
        link, cells = self._session.store.link, max(20, self._screen.preview.size.width)
        if document is not None:
            if document.markdown is None and document.read_error:
                return notices.unreadable(document, cells)
            if document.markdown is None:
                taken = self._session.store.clock.steady() - (
                    document.reading_since or self._session.store.clock.steady()
                )
                return notices.reading(document, taken)
            return ()
        match link.state:
            case "starting":
                return notices.starting(self._screen.options.server)
            case "rejected":
                return notices.rejected(
                    link, self._session.updates.key_end, cells, is_typing=self._is_typing()
                )
            case "online":
                has_model = self._session.store.models != ()
                return notices.no_documents(cells, *self._ways_on(), has_model=has_model)
            case _:
                local = self._screen.options.is_local
                server = self._screen.options.server
                return notices.unreachable(
                    link,
                    server,
                    cells,
                    retry=self._retry(),
                    is_local=local,
                    is_typing=self._is_typing(),
                )

    def _is_typing(self) -> bool:
        return self._screen.where() == "prompt"

    def _ways_on(self) -> list[tuple[str, str]]:
        """Return keys for who has nothing open; they work in the prompt too."""
        ways = (("doc.upload", "upload a file"), ("help", "help"), ("quit", "leave"))
        keyed = [(self._key(way), words) for way, words in ways]
        return [(key, words) for key, words in keyed if key]

    def _key(self, action: str) -> str:
        """Returns the key of an action that works in the prompt too, as people know it."""
        key = first_key(BY_ID[action], self._screen.options.keys, is_typing=True)
        return shown(key, ascii_only=self._screen.look.is_ascii) if key else ""

    def _retry(self) -> str:
        """Say when the service is asked again, if it is by itself."""
        link = self._session.store.link
        if not link.retry_at:
            return ""
        seconds = max(0, round(link.retry_at - self._session.store.clock.steady()))
        return f"Asked {counted(link.attempts, 'time')}; again in {seconds} s."

    def _show_text(self, document: OpenDocument, markdown: str) -> None:
        is_fresh = document.id != self._shown_id
        if markdown is self._shown_text and not is_fresh:
            return
        self._shown_text, self._shown_id = markdown, document.id
        if len(markdown) > LARGE:
            work = self._show_large(markdown, is_fresh=is_fresh)
            self._screen.start(work, group="parse", exclusive=True)
        else:
            self._screen.preview.show(markdown, fresh=is_fresh)
            self._text_shown(is_fresh)

    async def _show_large(self, markdown: str, *, is_fresh: bool) -> None:
        blocks = await asyncio.to_thread(self._screen.preview.reader.read, markdown)
        self._screen.preview.show_blocks(blocks, fresh=is_fresh)
        self._text_shown(is_fresh)

    def _show_changes(self) -> None:
        document = self._screen.document
        self._screen.preview.show_comments(document.comments if document is not None else ())
        self._screen.changes.set_empty(notices.no_changes(document))
        self._screen.history.set_empty(notices.no_history(document))
        changes, history = (document.changes, document.history) if document else ((), ())
        is_fresh = self._listed_id != self._screen.open_id
        self._listed_id = self._screen.open_id
        self._screen.changes.show(changes, history, fresh=is_fresh)
        self._screen.history.show(history, changes)

    def _read_if_stale(self) -> None:
        view = READ_VIEWS[self._screen.mode]
        if self._session.store.is_online and self._session.is_stale(self._screen.open_id, view):
            self._session.begin_read(self._screen.open_id)
            self._screen.start(self._session.read(self._screen.open_id, view), group="read")

    # Bars

    def show_bars(self) -> None:
        """Brings the fixed lines up to date."""
        self._show_title()
        self._show_tabs()
        self._show_details()
        self._show_note()
        self._show_prompt_title()
        self._show_card()
        cells = max(1, self._screen.size.width)
        self._screen.bar("keys").show(
            status_lines.key_line(
                self._screen.where(),
                self._screen.options.keys,
                cells,
                self._screen.look,
                searching=bool(self._screen.search_query.text),
            )
        )
        self._screen.bar("status").show(*self._status_lines(cells))

    def _show_title(self) -> None:
        store = self._session.store
        clock = store.clock
        parts = status_lines.title(
            store.link,
            self._screen.options.server or ("local service" if store.is_online else ""),
            self._session.updates.key_end,
            (len(store.documents), len(store.jobs)),
            (hour_minute(clock.now(), clock.zone), clock.steady()),
        )
        self._screen.bar("title").show(
            status_lines.title_line(parts, max(1, self._screen.size.width), self._screen.look)
        )

    def _show_tabs(self) -> None:
        document = self._screen.document
        counts = {
            "documents": str(len(self._session.store.documents) or ""),
            "changes": str(len(document.changes) or "") if document else "",
        }
        focused = self._screen.panes.focused_id()
        tabs = tuple(
            Tab(
                pane,
                number,
                pane.capitalize(),
                counts.get(pane, ""),
                is_shown=self._screen.panes.shows(pane),
                has_focus=pane == focused,
            )
            for number, pane in enumerate(PANES, start=1)
        )
        name = one_line(document.info.name) if document else ""
        mode = self._mode_shown()
        first = (
            self._screen.panes.left_width()
            if self._screen.panes.shows_list() and self._screen.panes.is_wide
            else 0
        )
        self._screen.tabs.show_tabs(tabs, mode, name, first)

    def _mode_shown(self) -> str:
        """Returns how changes are shown where that is not inline; the preview is never split."""
        mode = self._screen.mode
        if mode == "split":
            cells = self._screen.changes.content_width
            is_split = self._screen.panes.right_pane() == "changes" and cells >= SPLIT_WIDTH
            return "split: original, final" if is_split else ""
        return "" if mode == "inline" else mode

    def _show_details(self) -> None:
        document, store = self._screen.document, self._session.store
        cells = max(20, self._screen.panes.column_width("left") - 1)
        rows: tuple[Line, ...] = ()
        if document is not None:
            zone = store.clock.zone
            rows = status_lines.details(
                document, self._session.updates.left(document), cells, self._screen.look, zone
            )
        waiting = status_lines.queue(
            store.jobs, store.clock.steady(), cells, self._screen.look, self._ticks
        )
        if waiting:
            rows = (*rows, (), *waiting)
        self._screen.bar("details").show(*(rows or ((),)))

    def _show_note(self) -> None:
        document, view = self._screen.document, self._screen.preview
        note: Line = ()
        if document is not None and document.is_expired:
            note = (Run(" no longer on the server; this is what was read last", "error"),)
        elif (
            document is not None
            and self._is_reading(document)
            and document.reading_since is not None
        ):
            seconds = self._session.store.clock.steady() - document.reading_since
            note = (Run(f" reading {elapsed(seconds)}", "warning"),)
        elif self._screen.search_query.text:
            note = self._search_note()
        elif self._screen.panes.right_pane() == "changes":
            note = (Run(f" {self._screen.changes.counts()}", "muted"),)
        elif document is not None and document.comments:
            words = f" {comment_counts(document.comments)}; "
            key = "esc C" if self._is_typing() else "C"
            note = (Run(words, "muted"), Run(key, "key"), Run(" shows them", "muted"))
        right = (
            view.position()
            if self._screen.panes.right_pane() == "preview"
            else self._change_position()
        )
        cells = max(1, self._screen.panes.column_width("right") - 1)
        self._screen.bar("note").show(spread(note, right, cells, self._screen.look.glyphs.ellipsis))

    def _search_note(self) -> Line:
        view = self._screen.preview
        if self._screen.panes.right_pane() == "changes":
            where = f"{self._screen.changes.hit_count()} of the changes"
        else:
            where = f"{view.hit + 1}/{len(view.hits)}" if view.hits else "not found"
        sign = "pattern " if self._screen.search_query.is_pattern else "/"
        words = clip(
            one_line(self._screen.search_query.text), MOST_SOUGHT, self._screen.look.glyphs.ellipsis
        )
        return (
            Run(f" {sign}{words} ", "accent"),
            Run(f"{where}  ", "muted"),
            Run("n N", "key"),
            Run(" next, previous  ", "muted"),
            Run("esc", "key"),
            Run(" ends", "muted"),
        )

    def _change_position(self) -> Line:
        if self._screen.panes.right_pane() != "changes" or not self._screen.changes.changes:
            return ()
        shown, total = len(self._screen.changes.shown_changes()), len(self._screen.changes.changes)
        number = self._screen.changes.current_number()
        chosen = self._screen.changes.filter
        filtered = f"  {one_line(chosen.words)}: {shown} of {total} shown" if chosen.is_on else ""
        return (Run(f"change {number}/{total}{filtered}", "muted"),)

    def _show_prompt_title(self) -> None:
        jobs, steady = self._screen.jobs_here(), self._session.store.clock.steady()
        prompt = self._screen.prompt
        parts = status_lines.prompt_title(
            self._screen.document, self._session.store.models, prompt.lookup, large=prompt.large
        )
        reason = self._screen.refusal()
        runs: list[Run] = []
        for text, role in parts:
            runs.append(Run("  " if runs else " "))
            runs.append(Run(text, role))
        right = status_lines.job_line(jobs, steady, self._screen.look, self._ticks)
        if reason and self._screen.document is not None:
            right = (Run(f"{reason} ", "error"),)
        cells = max(1, self._screen.size.width)
        if len(right) > 1 and width(runs) + width(right) > cells:
            right = (*right[:-1], Run(" "))
        self._screen.bar("prompt-title").show(
            spread(tuple(runs), right, cells, self._screen.look.glyphs.ellipsis)
        )

    def _show_card(self) -> None:
        """Say why the last edit failed, or what it warns of."""
        bar, document = self._screen.bar("card"), self._screen.document
        rows = self._card_rows(document) if document is not None else ()
        bar.display = bool(rows)
        if rows and document is not None:
            bar.shade = "alert" if document.failure is not None else "bar"
            bar.show(*(clip_line(row, self._screen.size.width) for row in rows))

    def _card_rows(self, document: OpenDocument) -> tuple[Line, ...]:
        cells, room = (
            max(20, self._screen.size.width),
            max(3, min(8, self._screen.size.height // 4)),
        )
        if document.failure is not None:
            failure, other = document.failure, self._other_model(document.failure)
            told = (item.summary for item in document.history if item.edit_uid == failure.edit.uid)
            more = next(told, "")
            key = self._key("edit.decide") if failure.candidates else ""
            return notices.failed(failure, more, cells, self._screen.look, room, other, key)
        if document.shown:
            return notices.waiting(
                document.shown, self._key("edit.decide"), cells, self._screen.look
            )
        if document.summary is not None and document.summary.warnings:
            return notices.warned(document.summary.warnings, cells, self._screen.look, room)
        return ()

    def _other_model(self, failure: Failure) -> str:
        """Name the model that did not fail, if there is one."""
        models = self._session.store.models
        has_other = models is None or len(models) > 1
        return status_lines.model_name(models, large=not failure.edit.large) if has_other else ""

    def _status_lines(self, cells: int) -> tuple[Line, ...]:
        text, role = self._screen.status
        document = self._screen.document
        right: Line = ()
        if document is not None and not document.is_expired and not self._screen.panes.shows_list():
            seconds = self._session.updates.left(document)
            shown = status_lines.shown_ttl(seconds)
            late = seconds is not None and seconds <= NEAR_END
            right = (Run(f"{shown} left ", "warning" if late else "muted"),) if shown else ()
            if document.saved_as:
                right = (Run("saved  ", "ok"), *right)
        return status_lines.status(text, role, right, cells, self._screen.look)

    def has_card(self) -> bool:
        """Whether a message about the last edit, which can be closed, stands above the prompt."""
        document = self._screen.document
        if document is None:
            return False
        warnings = document.summary.warnings if document.summary is not None else ()
        return document.failure is not None or bool(warnings and not document.shown)
