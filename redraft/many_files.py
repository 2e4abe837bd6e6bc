"""One command over many documents: a pool of processes, a table or JSON lines; none stops the rest.

Each file is worked on as if the command had been called with it alone, in a process that takes the
next one when it is done. What is written is written whole, so that after a break `--resume` goes on
where results are missing.
"""

from __future__ import annotations

import argparse
import contextlib
import glob
import io
import json
import os
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:  # a command over one file starts no pool, and does not load what makes one
    from concurrent.futures import Future, ProcessPoolExecutor

DONE, FAILED, WRONG_USE, NOTHING_CHANGED = 0, 1, 2, 3
COMMANDS = ("read", "edit", "apply", "review", "changes")
WRITING = {"edit": "-edited", "apply": "-edited", "review": "-reviewed"}
"""Commands that write, and what they add to the name of a file."""
SUFFIXES = (".docx", ".pdf")
STANDARD = "-"
FILES_OF_A_PROCESS = 200
"""After so many files a process is replaced, so that what libraries keep does not grow."""
BAR = 24
CarryOut: TypeAlias = Callable[[str, argparse.Namespace], int]
State: TypeAlias = Literal["done", "unchanged", "failed", "kept"]


@dataclass(frozen=True, slots=True)
class Task:
    """A file and where its result goes; None beside it, under the name that the command gives."""

    file: Path
    target: Path | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a file: `output` is what was printed, `kept` that it was done before."""

    file: str
    state: State
    message: str = ""
    seconds: float = 0.0
    output: str = ""


def add_arguments(parser: argparse.ArgumentParser, command: str) -> None:
    """Adds the flags that only matter for many files."""
    cores = os.cpu_count() or 1
    parser.add_argument(
        "--jobs", type=int, default=cores, metavar="N", help=f"files at once ({cores})"
    )
    if command in WRITING:
        parser.add_argument(
            "--resume", action="store_true", help="of many files, skip those whose result is there"
        )


def is_many(files: Sequence[Path]) -> bool:
    """Whether a command line names more than one plain file."""
    return len(files) > 1 or (files[0].is_dir() or _is_pattern(files[0]))


def run(command: str, options: argparse.Namespace, carry_out: CarryOut) -> int:
    """Carries a command out on every file, and says what became of each.

    Returns:
        0, or 1 if a file failed, 2 if the files cannot be worked on together, 3 if nothing changed.
    """
    tasks = tuple(_tasks(options.file, getattr(options, "output", None)))
    refusal = _refusal(command, options, tasks)
    if refusal:
        sys.stderr.write(f"redraft: {refusal}\n")
        return WRONG_USE
    counts: Counter[str] = Counter()
    with contextlib.closing(_outcomes(command, options, tasks, carry_out)) as outcomes:
        for outcome in outcomes:
            counts[outcome.state] += 1
            _show_progress("")
            _print(command, outcome, as_json=options.json)
            _show_progress(_bar(sum(counts.values()), len(tasks)))
    _show_progress("")
    said = ", ".join(f"{number:,} {state}" for state, number in counts.items())
    sys.stderr.write(f"redraft: {len(tasks):,} files: {said}\n")
    if counts["failed"]:
        return FAILED
    is_idle = command in WRITING and counts["unchanged"] == len(tasks)
    return NOTHING_CHANGED if is_idle else DONE


def _refusal(command: str, options: argparse.Namespace, tasks: Sequence[Task]) -> str:
    """Returns why files cannot be worked on together, or nothing."""
    if not tasks:
        return "there are no .docx or .pdf files"
    if any(str(task.file) == STANDARD for task in tasks):
        return "- is one document, and cannot be given with others"
    if command == "apply" and str(options.plan) == STANDARD:
        return "for many files the plan must be a file"
    if any(getattr(options, flag, None) for flag in ("in_editor", "explain", "report")):
        return "this can only be done with one file"
    output: Path | None = getattr(options, "output", None)
    if output is not None and (str(output) == STANDARD or output.is_file()):
        return "for many files -o names a folder"
    if options.jobs < 1:
        return "--jobs must be at least 1"
    doubled = [t for t, n in Counter(task.target for task in tasks).items() if t and n > 1]
    return f"two files would be written to {doubled[0]}" if doubled else ""


def _tasks(named: Iterable[Path], folder: Path | None) -> Iterator[Task]:
    """Yields every file once: as named, below folders, and what patterns match."""
    seen: set[Path] = set()
    for path in named:
        for file, base in _below(path):
            if file.resolve() in seen:
                continue
            seen.add(file.resolve())
            yield Task(file, None if folder is None else folder / file.relative_to(base))


def _below(path: Path) -> Iterator[tuple[Path, Path]]:
    """Yields the files that a path stands for, each with the folder it is named relative to."""
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if _is_document(file))
        yield from ((file, path) for file in files)
    elif _is_pattern(path):
        matches = sorted(Path(match) for match in glob.glob(str(path), recursive=True))  # noqa: PTH207 - may be absolute
        yield from ((file, file.parent) for file in matches if _is_document(file))
    else:
        yield path, path.parent


def _is_pattern(path: Path) -> bool:
    return glob.has_magic(str(path)) and not path.exists()


def _is_document(file: Path) -> bool:
    """Whether a file of a folder is meant: no lock of Word, nothing hidden, no result of ours."""
    if file.suffix.lower() not in SUFFIXES or file.name.startswith(("~$", ".")):
        return False
    is_result = any(
        file.stem.endswith(added)
        and file.with_name(file.stem.removesuffix(added) + file.suffix).exists()
        for added in WRITING.values()
    )
    return file.is_file() and not is_result


def _outcomes(
    command: str, options: argparse.Namespace, tasks: Sequence[Task], carry_out: CarryOut
) -> Generator[Outcome]:
    """Yields what becomes of each file, in their order."""
    from concurrent.futures.process import BrokenProcessPool

    waiting = deque(tasks)
    under_way: deque[tuple[Task, Future[Outcome] | None]] = deque()
    pool = _pool(options.jobs)
    try:
        while waiting or under_way:
            while waiting and len(under_way) < 2 * options.jobs:
                task = waiting.popleft()
                is_kept = getattr(options, "resume", False) and _is_there(task, WRITING[command])
                future = None if is_kept else _begun(pool, command, options, task, carry_out)
                under_way.append((task, future))
            task, future = under_way.popleft()
            if future is None:
                yield Outcome(str(task.file), "kept", "its result is there")
                continue
            try:
                yield future.result()
            except BrokenProcessPool:
                # One of those under way ended its process; each of them is tried alone.
                again = [task, *(one for one, later in under_way if later is not None)]
                kept = [one for one, later in under_way if later is None]
                under_way.clear()
                for one in again:
                    yield _alone(command, options, one, carry_out)
                yield from (Outcome(str(one.file), "kept", "its result is there") for one in kept)
                pool = _pool(options.jobs)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _pool(jobs: int) -> ProcessPoolExecutor:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    return ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), max_tasks_per_child=FILES_OF_A_PROCESS
    )


def _begun(
    pool: ProcessPoolExecutor,
    command: str,
    options: argparse.Namespace,
    task: Task,
    carry_out: CarryOut,
) -> Future[Outcome]:
    given = argparse.Namespace(**vars(options))
    given.file = task.file
    if command in WRITING:
        given.output = task.target
    return pool.submit(_work, carry_out, command, given)


def _alone(command: str, options: argparse.Namespace, task: Task, carry_out: CarryOut) -> Outcome:
    from concurrent.futures.process import BrokenProcessPool

    with _pool(1) as pool:
        try:
            return _begun(pool, command, options, task, carry_out).result()
        except BrokenProcessPool:
            return Outcome(str(task.file), "failed", "the process that worked on it was ended")


def _work(carry_out: CarryOut, command: str, options: argparse.Namespace) -> Outcome:
    """Works on one file, in a process of the pool."""
    started = time.monotonic()
    output, narration = io.StringIO(), io.StringIO()
    states: dict[int, State] = {DONE: "done", NOTHING_CHANGED: "unchanged"}
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(narration):
        try:
            if not options.file.is_file():
                raise FileNotFoundError(2, "No such file")
            target: Path | None = getattr(options, "output", None)
            if target is not None:
                target.parent.mkdir(parents=True, exist_ok=True)
            code = carry_out(command, options)
        except OSError as error:
            code = FAILED
            narration.write(f"redraft: {error.strerror or error}\n")
        except Exception as error:  # noqa: BLE001, RUF100 - the outermost frame of one file
            code = FAILED
            narration.write(f"redraft: something in redraft went wrong ({type(error).__name__})\n")
    lines = [line.removeprefix("redraft: ") for line in narration.getvalue().splitlines()]
    seconds = round(time.monotonic() - started, 3)
    state = states.get(code, "failed")
    return Outcome(str(options.file), state, "; ".join(lines), seconds, output.getvalue())


def _is_there(task: Task, added: str) -> bool:
    """Whether the result of a file is there and no older than the file."""
    file = task.file
    target = task.target or file.with_name(f"{file.stem}{added}{file.suffix}")
    return target.is_file() and file.is_file() and _time(target) >= _time(file)


def _time(file: Path) -> float:
    return file.stat().st_mtime


def _print(command: str, outcome: Outcome, *, as_json: bool) -> None:
    if as_json:
        fields: dict[str, Any] = asdict(outcome)
        written = fields.pop("output")
        fields["result"] = json.loads(written) if written.strip() else None
        line = json.dumps(fields, ensure_ascii=False)
    elif command in WRITING or outcome.state == "failed":
        line = f"{outcome.state:10} {outcome.file}  {outcome.message}".rstrip()
        if command == "review" and outcome.output:
            line += f"\n\n{outcome.output.rstrip()}\n"
    else:
        line = f"==> {outcome.file} <==\n{outcome.output.rstrip()}\n"
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _bar(done: int, total: int) -> str:
    filled = BAR * done // total
    return f"[{'#' * filled}{'.' * (BAR - filled)}] {done:,} of {total:,}"


def _show_progress(words: str) -> None:
    """Shows how far it is on a terminal; nothing takes it away."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{words}")
        sys.stderr.flush()
