"""What the commands on files take: their arguments and flags."""

from __future__ import annotations

import argparse
from pathlib import Path

from redraft import many_files

IN_EDITOR = "--in-editor"
EXTRAS = ("headers", "comments")


def document_parser(command: str, rest: list[str]) -> argparse.ArgumentParser:
    """Returns the parser of a command on files; `rest` is what was typed after it."""
    parser = argparse.ArgumentParser(prog=f"redraft {command}")
    if command in ("compare", "combine"):
        (_compare_arguments if command == "compare" else _combine_arguments)(parser)
        return parser
    kinds = "a .docx" if command in ("accept", "reject") else "a .docx or .pdf"
    kinds += ", or - for standard input"
    if command in many_files.COMMANDS:
        kinds += "; several, folders and patterns for many files at once"
        parser.add_argument("file", type=Path, metavar="FILE", nargs="+", help=kinds)
        many_files.add_arguments(parser, command)
    else:
        parser.add_argument("file", type=Path, metavar="FILE", help=kinds)
    if command == "read":
        _read_arguments(parser)
    elif command == "export":
        _export_arguments(parser)
    elif command == "changes":
        parser.add_argument("--json", action="store_true", help="print a JSON list")
    elif command == "outline":
        parser.add_argument("--start", default="", metavar="ID", help="the first block to print")
        parser.add_argument(
            "--limit", type=int, default=100, metavar="N", help="how many blocks (100; at most 500)"
        )
        parser.add_argument("--json", action="store_true", help="print the blocks as JSON")
    elif command == "edit":
        _edit_arguments(parser, takes_instruction=IN_EDITOR not in rest)
    elif command == "apply":
        parser.add_argument(
            "plan",
            type=Path,
            metavar="PLAN",
            help="JSON as `edit --plan` prints it; - is standard input",
        )
        _write_arguments(parser)
    elif command == "review":
        _review_arguments(parser)
    else:
        _resolve_arguments(parser)
    return parser


def _review_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--playbook",
        type=Path,
        required=True,
        metavar="P",
        help="rules in Markdown or TOML (docs/playbooks.md)",
    )
    parser.add_argument(
        "--comment-only",
        action="store_true",
        help="change nothing; propose what the rules ask for in comments",
    )
    parser.add_argument(
        "--report", type=Path, metavar="FILE", help="write the report to a .md or .json, too"
    )
    parser.add_argument("--large-model", action="store_true", help="ask the larger model")
    _result_arguments(parser, "FILE-reviewed")


def _read_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--view",
        choices=("final", "original", "markup"),
        default="final",
        help="tracked changes applied (default), undone, or shown as CriticMarkup",
    )
    parser.add_argument(
        "--include",
        type=_extras,
        default=(),
        metavar="headers,comments",
        help="headers and footers, or comments, or both",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print the Markdown, images, notices and what --include names as JSON",
    )


def _compare_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="A", help="a .docx")
    parser.add_argument("second", type=Path, metavar="B", help="another version of it")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="OUT", help="A with the changes; default: B-redline"
    )
    parser.add_argument(
        "--author", help="whose changes they are; default: as configured, else git's user.name"
    )
    parser.add_argument("--force", action="store_true", help="overwrite an existing OUT")
    parser.add_argument("--json", action="store_true", help="print what differs as JSON")


def _combine_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="BASE", help="the .docx that was sent")
    parser.add_argument(
        "reviewed", type=Path, metavar="FILE", nargs="+", help="a .docx that came back"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="OUT", help="default: BASE-combined")
    parser.add_argument(
        "--names",
        type=_names,
        default=(),
        metavar="A,B",
        help="whose changes those without a mark are, in the order of the files; default: the"
        " files' names",
    )
    parser.add_argument("--force", action="store_true", help="overwrite an existing OUT")
    parser.add_argument("--json", action="store_true", help="print changes and conflicts as JSON")


def _names(given: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in given.split(","))


def _export_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="OUT", help="a name in .html or .pdf"
    )
    parser.add_argument(
        "--view",
        choices=("markup", "clean", "original"),
        default="markup",
        help="tracked changes shown (default), all of them accepted, or all rejected",
    )
    parser.add_argument("--force", action="store_true", help="overwrite an existing OUT")


def _extras(given: str) -> tuple[str, ...]:
    extras = tuple(name.strip() for name in given.split(","))
    for name in extras:
        if name not in EXTRAS:
            message = f"{name!r} is none of {', '.join(EXTRAS)}"
            raise argparse.ArgumentTypeError(message)
    return extras


def _edit_arguments(parser: argparse.ArgumentParser, *, takes_instruction: bool) -> None:
    if takes_instruction:
        parser.add_argument("instruction", metavar="INSTRUCTION", help="what should change")
    parser.add_argument(
        IN_EDITOR,
        action="store_true",
        help="instead of an instruction: change the document as text in $VISUAL (docs/text.md)",
    )
    _write_arguments(parser)
    parser.add_argument("--lookup", metavar="TEXT", help="text near the place to edit")
    parser.add_argument("--large-model", action="store_true", help="ask the larger model")
    parser.add_argument(
        "--plan", action="store_true", help="write nothing; print the plan for `redraft apply`"
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="write nothing; print what a model is shown and told, the plan, and what was checked",
    )


def _write_arguments(parser: argparse.ArgumentParser) -> None:
    _result_arguments(parser, "FILE-edited")
    parser.add_argument(
        "--foreign", action="store_true", help="keep your earlier changes apart from this edit"
    )
    parser.add_argument(
        "--yes", action="store_true", help="do not ask before a deletion or several changes"
    )


def _result_arguments(parser: argparse.ArgumentParser, name: str) -> None:
    parser.add_argument("-o", "--output", type=Path, metavar="OUT", help=f"default: {name}")
    marks = parser.add_mutually_exclusive_group()
    marks.add_argument(
        "--tracked", action="store_true", default=True, help="as tracked changes (the default)"
    )
    marks.add_argument(
        "--untracked", action="store_false", dest="tracked", help="without a mark of the changes"
    )
    parser.add_argument(
        "--author", help="whose changes they are; default: as configured, else git's user.name"
    )
    parser.add_argument("--force", action="store_true", help="overwrite an existing OUT")
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")
    parser.add_argument(
        "--dry-run", action="store_true", help="write nothing; print what would be changed"
    )


def _resolve_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o", "--output", type=Path, metavar="OUT", help="default: FILE-accepted or FILE-rejected"
    )
    parser.add_argument("--id", action="append", default=[], help="a change (see redraft changes)")
    parser.add_argument("--author", help="every change of one author")
    parser.add_argument("--force", action="store_true", help="overwrite an existing OUT")
