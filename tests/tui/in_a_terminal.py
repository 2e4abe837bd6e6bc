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
    folder, options = Path(sys.argv[1]), sys.argv[2:]
    service = Service()
    text = CONTRACT * 40 if "long" in options else CONTRACT
    text = f"A café in Łódź\n\n{text}" if "letters" in options else text
    service.add(text=text)
    situation = replace(
        service.situation(folder),
        slow_line="slow" in options,
        ascii_only="ascii" in options,
        store=SessionFile(folder / "session.json"),
        ticks="ticks" in options,
    )
    if "fitting" in options:
        situation = replace(situation, theme=fitting_theme(os.environ))
    app = RedraftApp(situation)
    if "crash" in options:
        app.main.action_explain_ttl = lambda: 1 / 0  # type: ignore[method-assign,assignment]
    return draw(app)


if __name__ == "__main__":
    raise SystemExit(main())
