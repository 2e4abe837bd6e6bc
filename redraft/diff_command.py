"""`redraft diff A B`: what differs between two documents, in colour on a terminal.

Exit codes are those of diff: 0 the same, 1 different, 2 trouble.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from redraft.terminal_output import harmless

if TYPE_CHECKING:
    from redraft.engine.compare.word_diff import Passage, Span

SAME, DIFFERENT, TROUBLE = 0, 1, 2
_NOTHING: Final = (os.devnull, "nul")
_SIGNS: Final = {"struck": ("[-", "-]"), "written": ("{+", "+}"), "same": ("", "")}
_COLOURS: Final = {
    "struck": ("\x1b[31;9m", "\x1b[0m"),
    "written": ("\x1b[32;1m", "\x1b[0m"),
    "same": ("", ""),
}
_HEAD: Final = ("\x1b[36m", "\x1b[0m")


def diff(given: Sequence[str]) -> int:
    """Prints what differs between two documents.

    Args:
        given: The words behind `redraft diff`.
    """
    options = _parser().parse_args(given)
    from redraft.engine.compare.word_diff import passages
    from redraft.engine.errors import EngineError

    try:
        old, new = _reading(options.first), _reading(options.second)
    except (EngineError, OSError) as error:
        said = getattr(error, "strerror", None) or str(error)
        sys.stderr.write(f"redraft: {harmless(said)}\n")
        return TROUBLE
    found = passages(old, new)
    changed = [passage for passage in found if passage.is_changed]
    if options.json:
        _print_json(changed)
    elif options.stat:
        _print_counts(changed)
    elif changed:
        is_coloured = options.color == "always" or (
            options.color == "auto" and sys.stdout.isatty() and "NO_COLOR" not in os.environ
        )
        _print_text(found, options, is_coloured=is_coloured)
    return DIFFERENT if changed else SAME


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="redraft diff")
    parser.add_argument("first", type=Path, metavar="A", help="a .docx or .pdf")
    parser.add_argument("second", type=Path, metavar="B", help="another version of it")
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--stat", action="store_true", help="print only how many words differ")
    kinds.add_argument("--json", action="store_true", help="print what differs as JSON")
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="auto: on a terminal, unless NO_COLOR is set",
    )
    parser.add_argument(
        "-U", "--context", type=int, default=1, metavar="N", help="lines around a change (1)"
    )
    return parser


def _reading(path: Path) -> str:
    """Returns a document as Markdown; what git calls /dev/null is empty."""
    if str(path).lower() in _NOTHING:
        return ""
    from redraft.engine import formats
    from redraft.engine.markdown import document as markdown
    from redraft.engine.reading import document_of

    data = path.read_bytes()
    formats.detect(data, path.name)
    return markdown.write(document_of(data, "final"), ("headers",))


def _print_text(
    found: Sequence[Passage], options: argparse.Namespace, *, is_coloured: bool
) -> None:
    from redraft.engine.compare.word_diff import shown

    is_terminal = sys.stdout.isatty()
    signs = _COLOURS if is_coloured else _SIGNS
    head = _HEAD if is_coloured else ("", "")

    def text_of(span: Span) -> str:
        opened, closed = signs[span.kind]
        return f"{opened}{harmless(span.text) if is_terminal else span.text}{closed}"

    for sign, path in (("---", options.first), ("+++", options.second)):
        sys.stdout.write(f"{head[0]}{sign} {harmless(str(path))}{head[1]}\n")
    for group in shown(found, max(options.context, 0)):
        sys.stdout.write(f"{head[0]}@@ {_place(group)} @@{head[1]}\n")
        for passage in group:
            sys.stdout.write("".join(map(text_of, passage.spans)) + "\n")


def _place(group: Sequence[Passage]) -> str:
    old = next((passage.old for passage in group if passage.old), 0)
    new = next((passage.new for passage in group if passage.new), 0)
    return f"-{old} +{new}"


def _print_counts(changed: Sequence[Passage]) -> None:
    struck = sum(passage.words("struck") for passage in changed)
    written = sum(passage.words("written") for passage in changed)
    if not changed:
        sys.stdout.write("nothing differs\n")
        return
    passages = "1 passage differs" if len(changed) == 1 else f"{len(changed)} passages differ"
    words = "1 word" if struck == 1 else f"{struck} words"
    sys.stdout.write(f"{passages}: {words} struck, {written} written\n")


def _print_json(changed: Sequence[Passage]) -> None:
    import msgspec

    told = [
        {
            "old_line": passage.old,
            "new_line": passage.new,
            "spans": [{"kind": span.kind, "text": span.text} for span in passage.spans],
        }
        for passage in changed
    ]
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(told), indent=2).decode() + "\n")
