"""The program: theme, driver, signals, clipboard; everything else is on the main screen."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
import signal
import sys
from collections.abc import Sequence

from rich.text import Text
from textual import events
from textual.app import App
from textual.css.query import NoMatches
from textual.driver import Driver
from textual.filter import LineFilter, NoColor
from textual.screen import Screen
from textual.worker import WorkerFailed

from redraft.tui import config, theme
from redraft.tui.error_boundary import ErrorBoundary
from redraft.tui.launch_options import LaunchOptions
from redraft.tui.look import Look
from redraft.tui.main_screen import MainScreen
from redraft.tui.screens import crash_screen
from redraft.tui.screens.dialog import Dialog

FAULT_SPAN = 10.0  # seconds
MOST_FAULTS = 3  # within them
MOST_KEPT = 20_000  # keys
NEVER_KEPT = ("escape", "ctrl+c", "ctrl+q")  # the ways out of what does not open


class RedraftApp(ErrorBoundary, App[int]):
    """redraft in the terminal."""

    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    TITLE = "redraft"
    BINDINGS = []  # noqa: RUF012 - ours are on the main screen

    def __init__(self, options: LaunchOptions) -> None:
        driver = _driver(slow_line=options.slow_line)
        super().__init__(driver_class=driver)
        self.options = options
        self.theme_name: config.ThemeName = options.theme
        for value in theme.THEMES.values():
            self.register_theme(value)
        self.theme = theme.THEMES[options.theme].name
        self.main = MainScreen(options, self.look)
        if options.slow_line:
            self.animation_level = "none"
        self.set_keymap(options.keys)
        self._no_color = NoColor()
        self._faults: list[float] = []
        self._ahead: list[events.Key | events.Paste] = []

    @property
    def look(self) -> Look:
        """How things are drawn."""
        return theme.look(self.theme_name, ascii_only=self.options.ascii_only)

    def get_default_screen(self) -> Screen[None]:
        """Return the main screen."""
        return self.main

    def on_mount(self) -> None:
        """Listen to signals and ready the look."""
        self.main.set_class(self.options.ascii_only, "-ascii")
        self.main.pending_output = self._pending_output
        # Textual draws only what differs after `fg`, and the terminal has forgotten everything.
        self.app_resume_signal.subscribe(self, self._draw_again)  # pyright: ignore[reportUnknownMemberType]
        self._listen()

    def _draw_again(self, _: object) -> None:
        self.refresh(layout=True)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Take every colour away in the theme without colours."""
        filters = super().get_line_filters()
        return [*filters, self._no_color] if self.theme_name == "mono" else filters

    # Typing ahead

    async def on_event(self, event: events.Event) -> None:
        """Keep what is typed while a dialog opens; nothing in it could take it yet."""
        screen = self.screen_stack[-1] if self.screen_stack else None
        if isinstance(screen, Dialog) and not screen.is_open and self._keep(event):
            return
        await super().on_event(event)

    def _keep(self, event: events.Event) -> bool:
        if not isinstance(event, (events.Key, events.Paste)) or len(self._ahead) >= MOST_KEPT:
            return False
        if isinstance(event, events.Key) and event.key in NEVER_KEPT:
            return False
        self._ahead.append(event)
        return True

    async def on_dialog_opened(self, message: Dialog.Opened) -> None:
        """Hand the dialog what was typed ahead; what it was left before is dropped."""
        message.dialog.is_open = True
        ahead, self._ahead = self._ahead, []
        is_meant = self.screen is message.dialog and message.dialog.TAKES_AHEAD
        for event in ahead if is_meant else ():
            is_key = isinstance(event, events.Key)
            again = events.Key(event.key, event.character) if is_key else events.Paste(event.text)
            await super().on_event(again)

    # Colours

    def action_next_theme(self) -> None:
        """Switch the colours."""
        at = theme.NAMES.index(self.theme_name)
        self.theme_name = theme.NAMES[(at + 1) % len(theme.NAMES)]
        self.theme = theme.THEMES[self.theme_name].name
        self.main.set_look(self.look)
        self.main.say(f"colours: {self.theme_name}")

    def _pending_output(self) -> int:
        """How many pieces of output the terminal has not taken yet."""
        return int(getattr(self._driver, "pending", 0))

    # Ending

    def _listen(self) -> None:
        """Leave in order when the system asks, so that the terminal is usable afterwards."""
        if self.is_headless or sys.platform == "win32":
            return
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            loop.add_signal_handler(number, self._end, 128 + number)

    def _end(self, code: int) -> None:
        self.main.save_session()
        self.exit(code, return_code=code)

    # Faults of our own

    def recover(self, error: Exception) -> bool:
        """Write a fault down and tell it; return False when there is no going on.

        That is so where there is no place for the report, and after a few faults on end: then what
        draws or counts is broken, and asking the person again and again would be worse.
        """
        log = self.options.crash_log
        self._keep_draft()
        if log is None:
            return False
        crash_screen.write_down(log, error)
        now = self.options.dependencies.clock.steady()
        self._faults = [moment for moment in self._faults if now - moment < FAULT_SPAN] + [now]
        if len(self._faults) > MOST_FAULTS or self._is_closing():
            return False
        if not isinstance(self.screen, crash_screen.CrashScreen):

            def answer(goes_on: bool | None) -> None:
                if not goes_on:
                    self._end(1)

            self.push_screen(crash_screen.CrashScreen(self.look, error, log), answer)
        return True

    def _is_closing(self) -> bool:
        return not self.is_running or not self.main.is_mounted

    def _keep_draft(self) -> None:
        with contextlib.suppress(NoMatches):  # the screen may be half made
            self.main.save_session()

    def _handle_exception(self, error: Exception) -> None:
        """Go on after a fault of a worker; after any other end, with the draft kept."""
        fault = error.error if isinstance(error, WorkerFailed) else error
        cause = fault if isinstance(fault, Exception) else error
        if isinstance(error, WorkerFailed) and self.recover(cause):
            return
        self._keep_draft()
        log = self.options.crash_log
        if log is None:
            super()._handle_exception(error)
            return
        crash_screen.write_down(log, cause)
        self._return_code = 1
        words = f"redraft: {crash_screen.describe(cause)}\n"
        words += (
            f"{'' if self.main.drafts.not_kept else 'The draft is kept; '}the report is in {log}"
        )
        self.panic(Text(words, no_wrap=True, overflow="ignore"))

    async def action_quit(self) -> None:
        """Leave by way of the main screen, which asks when edits are under way."""
        self.main.action_perform("quit")

    def action_suspend_process(self) -> None:
        """Go back to the shell, where there is one."""
        if self.options.reach == "machine":
            super().action_suspend_process()
        else:
            self.main.say("there is no shell to go back to", "warning")

    # The clipboard

    def copy_to_clipboard(self, text: str) -> None:
        """Hand text to the terminal's clipboard (OSC 52), also through tmux."""
        super().copy_to_clipboard(text)
        driver = self._driver
        if driver is not None and os.environ.get("TMUX"):
            written = base64.b64encode(text.encode("utf-8", "replace")).decode("ascii")
            driver.write(f"\x1bPtmux;\x1b\x1b]52;c;{written}\x07\x1b\\")


def _driver(*, slow_line: bool) -> type[Driver] | None:
    """Return our driver; Windows keeps Textual's."""
    if sys.platform == "win32":
        return None
    from redraft.tui.driver import RedraftDriver  # termios is not everywhere

    if slow_line:
        return type("SlowLineDriver", (RedraftDriver,), {"slow_line": True})
    return RedraftDriver
