"""The manual page, `man redraft`: made from the help and the parsers of the command line.

`python -m redraft.manual_page > docs/redraft.1`; the wheel installs it.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable

from redraft.command_line import FILE_COMMANDS, HELP, VERSION
from redraft.file_arguments import document_parser

EXIT_CODES = (
    ("0", "done"),
    ("1", "failed, with one line on standard error that says why"),
    ("2", "wrong use, or no terminal"),
    ("3", "nothing changed"),
    ("130", "interrupted"),
)
VARIABLES = (
    ("VISUAL, EDITOR", "the editor for `edit --in-editor`, `config edit` and ctrl+e in the prompt"),
    ("PAGER", "what the terminal program shows the preview in"),
    ("NO_COLOR", "no colours"),
    ("REDRAFT_KEY", "the key for --server"),
    ("REDRAFT_AUTHOR", "whose changes they are"),
    ("XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME", "where settings, documents and logs are"),
)
ENTRY = re.compile(r"^  (\S.*?)(?:  +|\t)(.+)$")


def page() -> str:
    """Returns the page in the macros of man(7)."""
    commands, options = (_section(HELP, name) for name in ("commands", "options"))
    lines = [
        f'.TH REDRAFT 1 "" "redraft {VERSION}" "User Commands"',
        ".SH NAME",
        r"redraft \- edit .docx and .pdf documents by saying what should change",
        ".SH SYNOPSIS",
        *_synopsis(),
        ".SH DESCRIPTION",
        "Without a command redraft is a terminal program: it opens documents, shows them as text, "
        "takes instructions, and saves each file with real tracked changes beside the original. "
        "F1 there explains the keys.",
        ".SH COMMANDS",
        *_entries(commands),
        ".SH OPTIONS",
        *_entries(options),
    ]
    for name in FILE_COMMANDS:
        lines.extend(_command(name))
    lines.extend([".SH EXIT STATUS", *_entries(EXIT_CODES)])
    lines.extend([".SH ENVIRONMENT", *_entries(VARIABLES)])
    lines.extend([".SH FILES", *_entries((("config.toml", "settings; `redraft config path`"),))])
    return "\n".join(lines) + "\n"


def _synopsis() -> list[str]:
    usage = HELP.partition("\n\n")[0].removeprefix("usage:").strip().splitlines()
    return [f".nf\n{_plain(line.strip().split('    ')[0])}\n.fi" for line in usage]


def _section(text: str, name: str) -> list[tuple[str, str]]:
    """Returns the terms of a section of the help with their words."""
    body = text.partition(f"\n{name}:\n")[2].partition("\n\n")[0]
    entries: list[tuple[str, str]] = []
    for line in body.splitlines():
        match = ENTRY.match(line)
        if match is not None:
            entries.append((match.group(1), match.group(2)))
        elif entries:
            term, words = entries[-1]
            entries[-1] = (term, f"{words} {line.strip()}")
    return entries


def _entries(entries: Iterable[tuple[str, str]]) -> list[str]:
    lines: list[str] = []
    for term, words in entries:
        lines.extend([".TP", f".B {_plain(term)}", _plain(words)])
    return lines


def _command(name: str) -> list[str]:
    """Returns what a command on documents takes."""
    parser = document_parser(name, [])
    usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
    lines = [f".SH REDRAFT {name.upper()}", _plain(usage)]
    for action in _actions(parser):
        if action.help == argparse.SUPPRESS or "--help" in action.option_strings:
            continue
        names = ", ".join(action.option_strings) or str(action.metavar or action.dest)
        value = action.metavar or (action.dest.upper() if action.nargs != 0 else "")
        term = f"{names} {value}" if action.option_strings and value else names
        lines.extend(_entries([(term, action.help or "")]))
    return lines


def _actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return parser._actions  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] - it has no other list


def _plain(text: str) -> str:
    """Returns text in which roff sees no command and hyphens stay hyphens."""
    written = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{written}" if written.startswith((".", "'")) else written


if __name__ == "__main__":
    sys.stdout.write(page())
