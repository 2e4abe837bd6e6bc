"""A program on the stand-in service: `python -m tests.tui.in_a_terminal FOLDER [OPTION ...]`."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

from redraft.tui.app import RedraftApp
from redraft.tui.launch import draw, fitting_theme
from redraft.tui.session.session_file import SessionFile
from tests.tui.standin import CONTRACT, Service


def main() -> int:
    """Run it; options are `slow`, `ascii`, `crash`, `long`, `letters`, `ticks`, `fitting`."""
    folder, words = Path(sys.argv[1]), sys.argv[2:]
    service = Service()
    text = CONTRACT * 40 if "long" in words else CONTRACT
    text = f"A café in Łódź\n\n{text}" if "letters" in words else text
    service.add(text=text)
    options = replace(
        service.options(folder),
        slow_line="slow" in words,
        ascii_only="ascii" in words,
        store=SessionFile(folder / "session.json"),
        ticks="ticks" in words,
    )
    if "fitting" in words:
        options = replace(options, theme=fitting_theme(os.environ))
    app = RedraftApp(options)
    if "crash" in words:
        app.main.document_life.explain_time_left = lambda: 1 / 0  # type: ignore[method-assign,assignment]
    return draw(app)


if __name__ == "__main__":
    raise SystemExit(main())
