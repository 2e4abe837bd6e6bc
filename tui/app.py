"""The program: theme, driver, signals, clipboard; everything else is on the main screen."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
import signal
import sys
from collections.abc import Sequence

from textual.app import App
from textual.css.query import NoMatches
from textual.driver import Driver
from textual.filter import LineFilter, NoColor
from textual.screen import Screen

from tui import theme
from tui.look import Look
from tui.main_screen import MainScreen
from tui.situation import Situation


class RedraftApp(App[int]):
    """redraft in the terminal."""

    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    TITLE = "redraft"
    BINDINGS = []  # noqa: RUF012 - ours are on the main screen

    def __init__(self, situation: Situation) -> None:
        driver = _driver(slow_line=situation.slow_line)
        super().__init__(driver_class=driver)
        self.situation = situation
        self.theme_name: theme.ThemeName = situation.theme
        for value in theme.THEMES.values():
            self.register_theme(value)
        self.theme = theme.THEMES[situation.theme].name
        self.main = MainScreen(situation, self.look)
        if situation.slow_line:
            self.animation_level = "none"
        self.set_keymap(situation.keys)
        self._no_color = NoColor()

    @property
    def look(self) -> Look:
        """How things are drawn."""
        return theme.look(self.theme_name, ascii_only=self.situation.ascii_only)

    def get_default_screen(self) -> Screen[None]:
        """Return the main screen."""
        return self.main

    def on_mount(self) -> None:
        """Listen to signals and ready the look."""
        self.main.set_class(self.situation.ascii_only, "-ascii")
        self.main.pending = self._pending_output
        # Textual draws only what differs after `fg`, and the terminal has forgotten everything.
        self.app_resume_signal.subscribe(self, self._draw_again)  # pyright: ignore[reportUnknownMemberType]
        self._listen()

    def _draw_again(self, _: object) -> None:
        self.refresh(layout=True)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Take every colour away in the theme without colours."""
        filters = super().get_line_filters()
        return [*filters, self._no_color] if self.theme_name == "mono" else filters

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
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self._end, 128 + number)

    def _end(self, code: int) -> None:
        self.main.save_session()
        self.exit(code, return_code=code)

    def _handle_exception(self, error: Exception) -> None:
        """Keep the draft before the program ends by its own fault."""
        with contextlib.suppress(NoMatches):  # the screen may be half made
            self.main.save_session()
        super()._handle_exception(error)

    async def action_quit(self) -> None:
        """Leave by way of the main screen, which asks when edits are under way."""
        self.main.action_quit()

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
    from tui.driver import RedraftDriver  # termios is not everywhere

    if slow_line:
        return type("SlowLineDriver", (RedraftDriver,), {"slow_line": True})
    return RedraftDriver
