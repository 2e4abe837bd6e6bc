"""How what the desk knows gets into the panes and lines of the main screen."""

from __future__ import annotations

import asyncio
from functools import partial

from textual import work

from redraft.tui.clock import elapsed, hour_minute
from redraft.tui.controllers.stage import PANES, Stage
from redraft.tui.keys import BY_ID, first_key, shown
from redraft.tui.launch_options import Situation
from redraft.tui.look import Look
from redraft.tui.panes import notices, status_lines
from redraft.tui.panes.bar import Tab, TabLine
from redraft.tui.panes.change_lines import ChangeMode
from redraft.tui.panes.document_list import Entry
from redraft.tui.panes.line_view import LineView
from redraft.tui.session.state import NEAR_END, Failure, Sheet, counted
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


class Presentation(Stage):
    """A stage that shows its desk."""

    def __init__(self, situation: Situation, look: Look) -> None:
        super().__init__(situation, look)
        self._shown_text: str | None = None
        self._shown_id = ""
        self._listed_id = ""

    def show(self) -> None:
        """Bring everything on the screen up to date."""
        self.is_dirty = False
        if not self.is_mounted:
            return
        self._choose_document()
        self._show_documents()
        self._show_preview()
        self._show_changes()
        self.show_bars()
        self._read_if_stale()

    def _choose_document(self) -> None:
        """Open the first document there is when none is open."""
        if self.open_id in self.desk.sheets or not self.desk.sheets:
            return
        alive = [sheet.id for sheet in self.desk.sheets.values() if not sheet.is_expired]
        self.open_document(alive[-1] if alive else next(iter(self.desk.sheets)))

    def open_document(self, document: str) -> None:
        """Show another document."""
        self.open_id = document
        self.desk_changed()

    def _show_documents(self) -> None:
        desk, steady = self.desk, self.desk.clock.steady()
        entries = [
            Entry(
                sheet=sheet,
                left=desk.left(sheet),
                jobs=tuple(job for job in desk.jobs if job.document == sheet.id),
                is_open=sheet.id == self.open_id,
            )
            for sheet in desk.sheets.values()
        ]
        entries.extend(
            Entry(transfer=transfer, seconds=steady - transfer.since) for transfer in desk.transfers
        )
        self.documents.show(entries, self._hint())

    def _hint(self) -> tuple[Line, ...]:
        if not self.desk.is_online:
            return ()
        states = {transfer.state for transfer in self.desk.transfers}
        rows: list[Line] = [()]
        if "sending" in states:
            rows.append((Run("    x", "key"), Run(" on its row cancels an upload", "muted")))
        if "failed" in states:
            keys = (Run("    r", "key"), Run(" tries again, ", "muted"), Run("x", "key"))
            rows.append((*keys, Run(" removes", "muted")))
        upload = (Run("  + ", "accent"), Run("u", "key"), Run(" upload, or paste a path", "muted"))
        return (*rows, upload)

    def _show_preview(self) -> None:
        sheet = self.sheet
        view = self.preview
        card = self._card(sheet)
        if card:
            self._shown_text, self._shown_id = None, ""
            view.show_card(card)
        elif sheet is not None and sheet.markdown is not None:
            self._show_text(sheet, sheet.markdown)
        view.set_class(sheet is not None and (sheet.is_expired or self._is_reading(sheet)), "-dim")

    def _is_reading(self, sheet: Sheet) -> bool:
        """Whether reading takes long enough to say so."""
        since = sheet.reading_since
        return since is not None and self.desk.clock.steady() - since >= 1

    def _card(self, sheet: Sheet | None) -> tuple[Line, ...]:
        """Return what stands in place of the document, if anything."""
        link, cells = self.desk.link, max(20, self.preview.size.width)
        if sheet is not None:
            if sheet.markdown is None and sheet.read_error:
                return notices.unreadable(sheet, cells)
            if sheet.markdown is None:
                taken = self.desk.clock.steady() - (sheet.reading_since or self.desk.clock.steady())
                return notices.reading(sheet, taken)
            return ()
        match link.state:
            case "starting":
                return notices.starting(self.situation.server)
            case "rejected":
                return notices.rejected(link, self._key_end(), cells)
            case "online":
                return notices.no_documents(cells, *self._ways_on())
            case _:
                local = self.situation.is_local
                server = self.situation.server
                return notices.unreachable(link, server, cells, retry=self._retry(), is_local=local)

    def _ways_on(self) -> list[tuple[str, str]]:
        """Return keys for who has nothing open; they work in the prompt too."""
        ways = (("doc.upload", "upload a file"), ("help", "help"), ("quit", "leave"))
        keys, ascii_only = self.situation.keys, self.look.is_ascii
        found = [(first_key(BY_ID[way], keys, is_typing=True), words) for way, words in ways]
        return [(shown(key, ascii_only=ascii_only), words) for key, words in found if key]

    def _retry(self) -> str:
        """Say when the service is asked again, if it is by itself."""
        link = self.desk.link
        if not link.retry_at:
            return ""
        seconds = max(0, round(link.retry_at - self.desk.clock.steady()))
        return f"Asked {counted(link.attempts, 'time')}; again in {seconds} s."

    def _show_text(self, sheet: Sheet, markdown: str) -> None:
        is_fresh = sheet.id != self._shown_id
        if markdown is self._shown_text and not is_fresh:
            return
        self._shown_text, self._shown_id = markdown, sheet.id
        if len(markdown) > LARGE:
            self._show_large(markdown, is_fresh=is_fresh)
        else:
            self.preview.show(markdown, fresh=is_fresh)
            self.text_shown(is_fresh=is_fresh)

    @work(exclusive=True, group="parse")
    async def _show_large(self, markdown: str, *, is_fresh: bool) -> None:
        blocks = await asyncio.to_thread(self.preview.reader.read, markdown)
        self.preview.show_blocks(blocks, fresh=is_fresh)
        self.text_shown(is_fresh=is_fresh)

    def text_shown(self, *, is_fresh: bool) -> None:
        """Do what follows a new state of the preview."""

    def _show_changes(self) -> None:
        sheet = self.sheet
        self.changes.set_empty(notices.no_changes(sheet))
        self.history.set_empty(notices.no_history(sheet))
        changes, history = (sheet.changes, sheet.history) if sheet else ((), ())
        is_fresh = self._listed_id != self.open_id
        self._listed_id = self.open_id
        self.changes.show(changes, history, fresh=is_fresh)
        self.history.show(history, changes)

    def _read_if_stale(self) -> None:
        view = READ_VIEWS[self.mode]
        if self.desk.is_online and self.desk.is_stale(self.open_id, view):
            self.desk.begin_read(self.open_id)
            self.run_worker(partial(self.desk.read, self.open_id, view), group="read")

    # Bars

    def _key_end(self) -> str:
        return self.desk.key_end

    def show_bars(self) -> None:
        """Bring the fixed lines up to date."""
        if not self.is_mounted:
            return
        self._show_title()
        self._show_tabs()
        self._show_details()
        self._show_note()
        self._show_prompt_title()
        self._show_card()
        cells = max(1, self.size.width)
        self.bar("keys").show(
            status_lines.key_line(
                self.where(),
                self.situation.keys,
                cells,
                self.look,
                searching=bool(self.wanted.text),
            )
        )
        self.bar("status").show(*self._status_lines(cells))

    def _show_title(self) -> None:
        desk = self.desk
        clock = desk.clock
        parts = status_lines.title(
            desk.link,
            self.situation.server or ("local service" if desk.is_online else ""),
            self._key_end(),
            (len(desk.sheets), len(desk.jobs)),
            (hour_minute(clock.now(), clock.zone), clock.steady()),
        )
        self.bar("title").show(status_lines.title_line(parts, max(1, self.size.width), self.look))

    def _show_tabs(self) -> None:
        sheet = self.sheet
        counts = {
            "documents": str(len(self.desk.sheets) or ""),
            "changes": str(len(sheet.changes) or "") if sheet else "",
        }
        focused = self.focused.id if self.focused is not None else ""
        tabs = tuple(
            Tab(
                pane,
                number,
                pane.capitalize(),
                counts.get(pane, ""),
                is_shown=self.shows(pane),
                has_focus=pane == focused,
            )
            for number, pane in enumerate(PANES, start=1)
        )
        name = one_line(sheet.info.name) if sheet else ""
        mode = "" if self.mode == "inline" else self.mode
        first = self.left_width() if self.shows_list() and self.is_wide else 0
        self.query_one(TabLine).show_tabs(tabs, mode, name, first)

    def _show_details(self) -> None:
        bar, sheet, desk = self.bar("details"), self.sheet, self.desk
        cells = max(20, self.query_one("#left").size.width - 1)
        rows: tuple[Line, ...] = ()
        if sheet is not None:
            zone = desk.clock.zone
            rows = status_lines.details(sheet, desk.left(sheet), cells, self.look, zone)
        waiting = status_lines.queue(desk.jobs, desk.clock.steady(), cells, self.look, self.tick)
        if waiting:
            rows = (*rows, (), *waiting)
        bar.show(*(rows or ((),)))

    def _show_note(self) -> None:
        sheet, view = self.sheet, self.preview
        note: Line = ()
        if sheet is not None and sheet.is_expired:
            note = (Run(" no longer on the server; this is what was read last", "error"),)
        elif sheet is not None and self._is_reading(sheet) and sheet.reading_since is not None:
            seconds = self.desk.clock.steady() - sheet.reading_since
            note = (Run(f" reading {elapsed(seconds)}", "warning"),)
        elif self.wanted.text:
            note = self._search_note()
        right = view.position() if self.right_pane() == "preview" else self._change_position()
        cells = max(1, self.query_one("#right").size.width - 1)
        self.bar("note").show(spread(note, right, cells, self.look.glyphs.ellipsis))

    def _search_note(self) -> Line:
        view = self.preview
        if self.right_pane() == "changes":
            where = f"{self.changes.hit_count()} of the changes"
        else:
            where = f"{view.hit + 1}/{len(view.hits)}" if view.hits else "not found"
        sign = "pattern " if self.wanted.is_pattern else "/"
        words = clip(one_line(self.wanted.text), MOST_SOUGHT, self.look.glyphs.ellipsis)
        return (
            Run(f" {sign}{words} ", "accent"),
            Run(f"{where}  ", "muted"),
            Run("n N", "key"),
            Run(" next, previous  ", "muted"),
            Run("esc", "key"),
            Run(" ends", "muted"),
        )

    def _change_position(self) -> Line:
        if self.right_pane() != "changes" or not self.changes.changes:
            return ()
        shown, total = len(self.changes.shown_changes()), len(self.changes.changes)
        number = self.changes.current_number()
        chosen = self.changes.filter
        filtered = f"  {one_line(chosen.words)}: {shown} of {total} shown" if chosen.is_on else ""
        return (Run(f"change {number}/{total}{filtered}", "muted"),)

    def _show_prompt_title(self) -> None:
        jobs, steady = self.jobs_here(), self.desk.clock.steady()
        prompt = self.prompt
        parts = status_lines.prompt_title(
            self.sheet, self.desk.models, prompt.lookup, large=prompt.large
        )
        reason = self._refusal()
        runs: list[Run] = []
        for text, role in parts:
            runs.append(Run("  " if runs else " "))
            runs.append(Run(text, role))
        right = status_lines.job_line(jobs, steady, self.look, self.tick)
        if reason and self.sheet is not None:
            right = (Run(f"{reason} ", "error"),)
        cells = max(1, self.size.width)
        if len(right) > 1 and width(runs) + width(right) > cells:
            right = (*right[:-1], Run(" "))
        self.bar("prompt-title").show(spread(tuple(runs), right, cells, self.look.glyphs.ellipsis))

    def _refusal(self) -> str:
        """Return why an instruction would not be sent now, or nothing."""
        sheet = self.sheet
        if sheet is None:
            return "open a document first"
        if sheet.is_expired:
            return notices.expired(sheet, self.desk.clock.zone)
        if not self.desk.is_online:
            return "offline: the text stays here"
        return ""

    def _show_card(self) -> None:
        """Say why the last edit failed, or what it warns of."""
        bar, sheet = self.bar("card"), self.sheet
        rows = self._card_rows(sheet) if sheet is not None else ()
        bar.display = bool(rows)
        if rows and sheet is not None:
            bar.shade = "alert" if sheet.failure is not None else "bar"
            bar.show(*(clip_line(row, self.size.width) for row in rows))

    def _card_rows(self, sheet: Sheet) -> tuple[Line, ...]:
        cells, room = max(20, self.size.width), max(3, min(8, self.size.height // 4))
        if sheet.failure is not None:
            failure, other = sheet.failure, self._other_model(sheet.failure)
            told = (item.summary for item in sheet.history if item.edit_uid == failure.uid)
            return notices.failed(failure, next(told, ""), cells, self.look, room, other)
        if sheet.summary is not None and sheet.summary.warnings:
            return notices.warned(sheet.summary.warnings, cells, self.look, room)
        return ()

    def _other_model(self, failure: Failure) -> str:
        """Name the model that did not fail, if there is one."""
        models = self.desk.models
        has_other = models is None or len(models) > 1
        return status_lines.model_name(models, large=not failure.large) if has_other else ""

    def _status_lines(self, cells: int) -> tuple[Line, ...]:
        text, role = self.status
        sheet = self.sheet
        right: Line = ()
        if sheet is not None and not sheet.is_expired and not self.shows_list():
            seconds = self.desk.left(sheet)
            shown = status_lines.shown_ttl(seconds)
            late = seconds is not None and seconds <= NEAR_END
            right = (Run(f"{shown} left ", "warning" if late else "muted"),) if shown else ()
        return status_lines.status(text, role, right, cells, self.look)

    def set_look(self, look: Look) -> None:
        """Draw with other signs and colours."""
        self.look = look
        for view in self.query(LineView):
            view.set_look(look)
        self.show()

    def forget_card(self) -> bool:
        """Close the message about the last edit; return whether there was one."""
        sheet = self.sheet
        if sheet is None or not self._card_rows(sheet):
            return False
        self.desk.dismiss(sheet.id)
        self.show()
        return True
