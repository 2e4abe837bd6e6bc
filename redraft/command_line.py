"""The front door: parses the command line and calls the terminal, the service or the engine.

Each of the three is imported only when it is called, so that `redraft --help` stays quick.
Exit codes: 0 done, 1 failed, 2 wrong use or no terminal, 3 nothing changed, 130 interrupted. Data
goes to stdout, narration to stderr.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from redraft.terminal_output import harmless_output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from redraft.api.app import Mount
    from redraft.questions import TerminalQuestions

VERSION = "0.1.0"
DONE, FAILED, WRONG_USE, NOTHING_CHANGED, INTERRUPTED = 0, 1, 2, 3, 130
_SERVICE = "redraft.api.admin.commands"
_DOORS = "redraft.remote.door_commands"
_OF_SERVICE = "keys admin audit backup restore hold release encryption doctor config gc db migrate"
ELSEWHERE = {
    **{name: (_SERVICE, name) for name in _OF_SERVICE.split()},
    "reset-terminal": ("redraft.tui.config_command", "reset_terminal"),
    "ssh-serve": (_DOORS, "ssh_serve"),
    "web": (_DOORS, "web"),
    "model": ("redraft.tui.model_command", "model"),
    "mcp": ("redraft.assist.mcp_command", "mcp"),
    "diff": ("redraft.diff_command", "diff"),
    "git-setup": ("redraft.git_setup", "git_setup"),
    "git-merge": ("redraft.git_merge", "git_merge"),
    "tutor": ("redraft.tui.launch", "tutor"),
    "completion": ("redraft.shell_completion", "completion"),
}
"""Commands and the function that each is, imported when it is called."""
FILE_COMMANDS = (
    *("read", "outline", "edit", "apply", "review", "changes", "accept", "reject"),
    *("compare", "combine", "export"),
)
COMMANDS = ("serve", *ELSEWHERE, *FILE_COMMANDS)
STANDARD = "-"  # standard input, in place of a file
USAGE = "redraft [FILE ...] [--server URL --key KEY]; `redraft --help` tells of commands and flags"

HELP = f"""\
usage: redraft [FILE ...] [--server URL --key KEY] [--demo]    the terminal program
       redraft COMMAND ...                                     one of these

commands:
  serve      run the service that the terminal program and other clients speak to
  read       print a .docx or .pdf as Markdown
  outline    print the blocks of a .docx or .pdf with the ids that a plan names
  edit       change a .docx or .pdf by saying what should change
  apply      change a .docx or .pdf by a plan of exact operations (docs/operations.md)
  review     check a .docx or .pdf by a playbook of rules (docs/playbooks.md)
  changes    list the tracked changes of a .docx or .pdf
  accept     accept tracked changes of a .docx
  reject     reject tracked changes of a .docx
  compare    write what differs between two .docx as tracked changes (docs/compare.md)
  combine    write the changes of several reviewers into the document they were sent
  export     write a .docx or .pdf as one page of HTML, or a .docx as PDF
  diff       print what differs between two documents, word by word
  git-setup  let git show what changed in .docx and .pdf files
  git-merge  what git calls to merge Word files, once git-setup has said so
  model      set up the language model that plans edits, or show, test or forget it
  keys       create, list and revoke the keys of a service
  admin      keys, quotas, documents, holds and sweeps of a running service
  audit      verify or export the audit log of a service
  backup     copy the data folder of a service, also while it runs, and verify the copy
  restore    put such a copy back
  hold       keep documents of a service beyond their time, and refuse to delete them
  release    end that; their time begins anew
  encryption  make keys, encrypt what is there already, seal with another key
  doctor     check the set-up: data folder, worker, language model
  config     `config show`: the settings of the service and where they come from;
             `config path|edit|show --terminal|validate|schema`: those of the terminal program
  gc         delete what expired while no service was running
  db         `db upgrade`: make the schema of a shared database (docs/scaling.md)
  migrate    move a data folder into a shared database and bucket, or back
  ssh-serve  let people use the terminal program by `ssh`, each with a key of their own
  mcp        let an assistant work on the documents of a folder (docs/mcp.md)
  web        show the terminal program in a browser of this machine
  tutor      learn redraft in ten steps on a sample contract
  completion bash|zsh|fish  print what your shell needs to complete commands and flags
  reset-terminal  restore the terminal after a crash

options:
  FILE ...        documents to upload at start
  --server URL    a service that runs elsewhere; without it redraft starts its own
  --key KEY       the key for that service (or REDRAFT_KEY)
  --demo          open the sample contract
  --ascii         draw with ASCII only; --unicode: with all signs; else as the terminal needs
  --plain         speak in lines, for screen readers, slow lines and pipes
  --no-mouse      leave the mouse to the terminal
  --theme NAME    dark, light, ansi or mono
  --reach WHAT    what may be reached: machine, files (no other program), or service (no files)
  --version       print the version
  -h, --help      print this; `redraft COMMAND --help` tells more

redraft {VERSION}. Exit codes: 0 done, 1 failed, 2 wrong use, 3 nothing changed, 130 interrupted."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        return _run(given)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is still held
        return FAILED
    except Exception as error:  # the outermost frame of the program
        print(f"redraft: {_report_of(error)}", file=sys.stderr)
        return FAILED


def _report_of(error: Exception) -> str:
    """Writes a report of a fault of redraft itself, and returns the sentence that names it.

    The report holds the places in the program and the kind of the fault, and no text of a document:
    the message of an exception may quote one.
    """
    import platform
    import traceback

    import platformdirs

    frames = "".join(traceback.format_tb(error.__traceback__))
    report = f"redraft {VERSION}, Python {platform.python_version()}, {platform.platform()}\n"
    report += f"{frames}{type(error).__name__}\n"
    path = Path(platformdirs.user_state_dir("redraft", appauthor=False)) / "command-crash.txt"
    words = f"something in redraft went wrong ({type(error).__name__})"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(report, "utf-8")
    except OSError:
        return f"{words}; please report it with the command that you typed"
    return f"{words}; please report it with {path}, which quotes no document"


def _run(given: list[str]) -> int:
    if not given or given[0] not in COMMANDS:
        if not {"-h", "--help"}.isdisjoint(given):
            print(HELP)
            return DONE
        if "--version" in given:
            print(f"redraft {VERSION}")
            return DONE
        return _terminal(given)
    command, rest = given[0], given[1:]
    if command == "config" and ("--terminal" in rest or rest[:1] != ["show"]):
        from redraft.tui.config_command import configure

        return configure(rest)
    if command == "serve":
        from redraft.api.admin.commands import serve

        return serve(rest, _mount)
    if command == "mcp":
        from redraft.tui import language_model

        os.environ.update(language_model.completed(os.environ))
    if command in ELSEWHERE:
        module, function = ELSEWHERE[command]
        return getattr(import_module(module), function)(rest)
    with harmless_output():
        code = _document(command, rest)
    sys.stdout.flush()
    return code


def _mount() -> Mount | None:
    """Returns what answers assistants at `/mcp`; None where its library is not installed."""
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        return None
    from redraft.assist.mount import mounted

    return mounted


def _terminal(given: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="redraft", add_help=False, usage=USAGE)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--server")
    parser.add_argument("--key")
    parser.add_argument("--demo", action="store_true")
    signs = parser.add_mutually_exclusive_group()
    signs.add_argument("--ascii", action="store_true", default=None)
    signs.add_argument("--unicode", action="store_false", dest="ascii", default=None)
    parser.add_argument("--no-mouse", action="store_true")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--theme", choices=("dark", "light", "ansi", "mono"))
    parser.add_argument("--reach", choices=("machine", "files", "service"), default="machine")
    options = parser.parse_args(given)
    files: list[Path] = options.files
    refusal = next((words for words in map(_no_file, files) if words), "")
    if refusal:
        print(f"redraft: {refusal}{_meant(given[0])}", file=sys.stderr)
        return WRONG_USE
    from redraft.tui.launch import run

    return run(
        options.files,
        server=options.server,
        key=options.key,
        demo=options.demo,
        ascii_only=options.ascii,
        mouse=not options.no_mouse,
        theme=options.theme,
        reach=options.reach,
        is_plain=options.plain,
    )


def _no_file(path: Path) -> str:
    """Return why a path cannot be read, or nothing."""
    if path.is_dir():
        return f"{path} is a folder"
    return "" if path.is_file() else f"there is no file {path}"


def _meant(word: str) -> str:
    """Return which command a first word that is no file was likely meant to be, or nothing."""
    if Path(word).suffix or Path(word).exists():
        return ""
    from difflib import get_close_matches

    near = get_close_matches(word, COMMANDS, 1)
    return f", and no command; did you mean `{near[0]}`?" if near else ""


def _document(command: str, rest: list[str]) -> int:
    from redraft import many_files
    from redraft.file_arguments import document_parser

    parser = document_parser(command, rest)
    if command not in many_files.COMMANDS:
        return _one_document(command, parser.parse_args(rest))
    options = parser.parse_intermixed_args(rest)
    if many_files.is_many(options.file):
        refusal = _misuse_of_edit(options, options.file) if command == "edit" else ""
        if refusal:
            print(f"redraft: {refusal}", file=sys.stderr)
            return WRONG_USE
        return many_files.run(command, options, _engine)
    [options.file] = options.file
    return _one_document(command, options)


def _one_document(command: str, options: argparse.Namespace) -> int:
    refusal = _misuse_of(command, options)
    if refusal:
        print(f"redraft: {refusal}", file=sys.stderr)
        return WRONG_USE
    if command in ("compare", "combine"):
        return _engine(command, options)
    is_sent_on = str(getattr(options, "output", None)) == STANDARD
    if str(options.file) != STANDARD and not is_sent_on:
        return _engine(command, options)
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        if str(options.file) == STANDARD:
            data = sys.stdin.buffer.read()
            options.file = Path(folder) / ("input.pdf" if b"%PDF-" in data[:1024] else "input.docx")
            options.file.write_bytes(data)
        return _sent_on(command, options, folder) if is_sent_on else _engine(command, options)


def _misuse_of_edit(options: argparse.Namespace, too_many: Sequence[object]) -> str:
    """Returns why an edit is wrong use; `too_many` is what an editor would open besides."""
    if options.in_editor and too_many:
        return f"--in-editor takes one file, no instruction: {', '.join(map(str, too_many))}"
    is_empty = not options.in_editor and not options.instruction.strip()
    return "the instruction is empty; say what should change" if is_empty else ""


def _sent_on(command: str, options: argparse.Namespace, folder: str) -> int:
    """Carries a command out and writes the document to standard output, as it was if unchanged."""
    options.output = Path(folder) / f"output{options.file.suffix}"
    with contextlib.redirect_stdout(sys.stderr):
        code = _engine(command, options)
    if code in (DONE, NOTHING_CHANGED):
        written = options.output if options.output.exists() else options.file
        sys.stdout.buffer.write(written.read_bytes())
    return code


def _misuse_of(command: str, options: argparse.Namespace) -> str:
    """Returns why a command cannot be carried out as it was typed, or nothing."""
    if command == "compare":
        return _no_file(options.file) or _no_file(options.second)
    if command == "combine":
        files: list[Path] = [options.file, *options.reviewed]
        return next((words for words in map(_no_file, files) if words), "")
    is_piped = str(options.file) == STANDARD
    if str(getattr(options, "output", None)) == STANDARD and sys.stdout.isatty():
        return "a document is not written to a terminal; name the result with -o"
    if is_piped and command == "apply" and str(options.plan) == STANDARD:
        return "only one of FILE and PLAN can come from standard input"
    if is_piped and sys.stdin.isatty():
        return "- reads a document from standard input, and there is none"
    if command == "edit" and (refusal := _misuse_of_edit(options, ["-"] if is_piped else [])):
        return refusal
    if is_piped and command not in ("read", "outline", "changes") and options.output is None:
        return "name the result with -o: a document from standard input has no name"
    return "" if is_piped else _no_file(options.file)


def _engine(command: str, options: argparse.Namespace) -> int:
    """Calls the engine, and says in one line what it could not do."""
    from redraft.engine.errors import (
        AmbiguousError,
        EngineError,
        NotFoundError,
        VerificationError,
    )

    try:
        return _file_command(command, options)
    except VerificationError as error:
        print(f"redraft: {error.text}; the file is unchanged", file=sys.stderr)
        return FAILED
    except EngineError as error:
        print(f"redraft: {error}", file=sys.stderr)
        if isinstance(error, NotFoundError) and error.more:
            print(f"redraft: {error.more}", file=sys.stderr)
        if isinstance(error, AmbiguousError):
            from redraft.questions import candidate_lines

            for line in candidate_lines(error):
                print(line, file=sys.stderr)
        return FAILED
    except BrokenPipeError:
        raise
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        print(f"redraft: {error.strerror or error}{where}", file=sys.stderr)
        return FAILED


def _author() -> str:
    """Returns whose name the changes carry: the configured one, else git's, else the system's."""
    from redraft.tui import config

    try:
        configuration = config.load(config.default_path())
    except config.ConfigurationError as error:
        print(f"redraft: warning: {error}", file=sys.stderr)
        configuration = config.Configuration()
    return config.author_name(configuration, os.environ)


def _file_command(command: str, options: argparse.Namespace) -> int:
    from redraft.engine import file_commands as documents

    match command:
        case "read":
            return documents.read(options.file, options.view, options.include, as_json=options.json)
        case "changes":
            return documents.changes(options.file, as_json=options.json)
        case "outline":
            return documents.outline(
                options.file, options.start, options.limit, as_json=options.json
            )
        case "apply":
            options.author = options.author or _author()
            flags = documents.WriteOptions.of(options)
            return documents.apply(options.file, options.plan, flags, _questions())
        case "review":
            return _review(options)
        case "compare" | "combine" | "export":
            return _other_document(command, options)
        case "edit":
            from redraft.tui import language_model

            os.environ.update(language_model.completed(os.environ))
            options.author = options.author or _author()
            if options.in_editor:
                return _edit_text(options)
            return documents.edit(options.file, documents.EditOptions.of(options), _questions())
        case _:
            return documents.resolve(command, options.file, documents.ResolveOptions.of(options))


def _other_document(command: str, options: argparse.Namespace) -> int:
    """Makes another document of one or several."""
    from redraft.engine import compare_commands, export_commands

    if command == "export":
        from redraft.libreoffice import as_pdf

        flags = export_commands.ExportOptions.of(options)
        return export_commands.export(options.file, flags, as_pdf)
    if command == "combine":
        flags = compare_commands.CombineOptions.of(options)
        return compare_commands.combine(options.file, options.reviewed, flags)
    options.author = options.author or _author()
    flags = compare_commands.CompareOptions.of(options)
    return compare_commands.compare(options.file, options.second, flags)


def _review(options: argparse.Namespace) -> int:
    from redraft.engine import review_commands
    from redraft.tui import language_model

    os.environ.update(language_model.completed(os.environ))
    options.author = options.author or _author()
    return review_commands.review(options.file, review_commands.ReviewOptions.of(options))


def _edit_text(options: argparse.Namespace) -> int:
    from redraft.engine.file_commands import WriteOptions
    from redraft.engine.text_edit_commands import edit_text
    from redraft.text_editor import edited

    file: Path = options.file
    return edit_text(file, WriteOptions.of(options), lambda text: edited(text, file.stem))


def _questions() -> TerminalQuestions | None:
    """Returns who can be asked: a person at a terminal."""
    from redraft.questions import TerminalQuestions

    return TerminalQuestions() if sys.stdin.isatty() else None
