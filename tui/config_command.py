"""`redraft config path|edit|show --terminal|validate|schema` and `redraft reset-terminal`."""

from __future__ import annotations

import argparse
import contextlib
import json
import subprocess
import sys
from pathlib import Path

from redraft.tui import config

DONE, WRONG_USE = 0, 2
# Alternate screen, mouse reports of every kind, bracketed paste, focus reports, synchronised
# output, kitty's keyboard protocol, colours; then the cursor is shown and lines wrap again.
RESTORED = (
    "\x1b[?1049l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l"
    "\x1b[?2004l\x1b[?1004l\x1b[?2026l\x1b[?2048l\x1b[<u\x1b[0m\x1b[?25h\x1b[?7h"
)


def configure(given: list[str]) -> int:
    """Run `redraft config` and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="redraft config",
        description="The configuration of the terminal program; `show` without --terminal is that "
        "of the service.",
    )
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="path|edit|show|validate|schema"
    )
    commands.add_parser("path", help="print where the file is looked for")
    commands.add_parser("edit", help="open the file in $VISUAL; a new one explains each setting")
    show = commands.add_parser("show", help="print what is in force: of the service, or --terminal")
    show.add_argument(
        "--terminal", action="store_true", help="that of the terminal program, as TOML"
    )
    validate = commands.add_parser("validate", help="check the file; exit code 2 when it is wrong")
    validate.add_argument("file", nargs="?", type=Path, metavar="FILE", help="instead of your own")
    commands.add_parser("schema", help="print the JSON Schema of the file")
    options = parser.parse_args(given)
    try:
        return _run(options)
    except config.ConfigurationError as error:
        sys.stderr.write(f"redraft: {error}\n")
        return WRONG_USE


def _run(options: argparse.Namespace) -> int:
    path = config.default_path()
    match options.command:
        case "path":
            sys.stdout.write(f"{path}\n")
        case "edit":
            return _edit(path)
        case "show":
            sys.stdout.write(config.written(config.load(path)))
        case "schema":
            sys.stdout.write(json.dumps(config.schema(), indent=2) + "\n")
        case _:
            return _validate(options.file or path, is_own=options.file is None)
    return DONE


def _edit(path: Path) -> int:
    """Opens the file in the person's editor, and says whether what was saved is in order."""
    from redraft import text_editor

    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(config.template(), "utf-8", newline="\n")
        text_editor.edit(path)
    except OSError as error:
        sys.stderr.write(f"redraft: {error.strerror or error}\n")
        return WRONG_USE
    return _validate(path, is_own=True)


def _validate(path: Path, *, is_own: bool) -> int:
    if not path.is_file():
        words = "there is no configuration, and none is needed" if is_own else "there is no file"
        sys.stderr.write(f"redraft: {words}: {path}\n")
        return DONE if is_own else WRONG_USE
    config.load(path)
    sys.stderr.write(f"redraft: {path} is in order\n")
    return DONE


def reset_terminal(given: list[str]) -> int:
    """Give a terminal back that a killed program left unusable; return the exit code."""
    argparse.ArgumentParser(
        prog="redraft reset-terminal",
        description="Leave the other screen, switch mouse reports off, show the cursor, and let "
        "the terminal echo again, after a program was killed.",
    ).parse_args(given)
    if not sys.stdout.isatty():
        sys.stderr.write("redraft: there is no terminal to reset\n")
        return WRONG_USE
    sys.stdout.write(RESTORED)
    sys.stdout.flush()
    with contextlib.suppress(OSError):  # a system without stty has nothing of that kind to mend
        subprocess.run(["stty", "sane"], check=False)  # noqa: S607 - where it is differs
    return DONE
