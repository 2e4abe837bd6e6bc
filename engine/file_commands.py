"""`redraft read|outline|edit|apply|changes|accept|reject FILE`: the engine without a server.

A file opened here carries no map of ours. For a tracked edit the changes of the same author count
as ours, so that editing back leaves no mark, unless `--foreign` is given; all other changes are
somebody's. What a command does not need it does not import: `redraft read` starts as quickly as it
can.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeAlias

from redraft.engine import editor, formats
from redraft.engine.errors import AmbiguousError, EditError, VerificationError
from redraft.engine.model import Extra, Revision, View
from redraft.engine.report import EditReport, Selection, Signature, StoredVersion

if TYPE_CHECKING:
    from redraft.engine.instruct import Planned
    from redraft.engine.plan import EditPlan, Fault

DEADLINE = 300.0
"""Seconds an edit may take, the model's answers included (interface: 408)."""

DONE, FAILED, WRONG_USE, NOTHING_CHANGED = 0, 1, 2, 3


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """The flags that `redraft edit` and `redraft apply` share: what is written, where, by whom."""

    output: Path | None
    tracked: bool
    author: str
    force: bool
    as_json: bool
    foreign: bool = False
    dry_run: bool = False
    yes: bool = False

    @classmethod
    def of(cls, parsed: argparse.Namespace) -> WriteOptions:
        """Takes the flags from a parsed command line."""
        flags = (parsed.force, parsed.json, parsed.foreign, parsed.dry_run, parsed.yes)
        return cls(parsed.output, parsed.tracked, parsed.author, *flags)

    @property
    def own(self) -> str:
        """Whose changes in the file count as ours; empty for nobody's."""
        return self.author if self.tracked and not self.foreign else ""

    def target(self, file: Path) -> Path:
        """Returns where the edited version of a file goes."""
        return self.output or file.with_name(f"{file.stem}-edited{file.suffix}")


@dataclass(frozen=True, slots=True)
class EditOptions:
    """The flags of `redraft edit`; `explain` and `plan` print and write nothing."""

    instruction: str
    lookup: str | None
    large_model: bool
    explain: bool
    plan: bool
    write: WriteOptions

    @classmethod
    def of(cls, parsed: argparse.Namespace) -> EditOptions:
        """Takes the flags from a parsed command line."""
        return cls(
            parsed.instruction,
            parsed.lookup,
            parsed.large_model,
            parsed.explain,
            parsed.plan,
            WriteOptions.of(parsed),
        )


@dataclass(frozen=True, slots=True)
class ResolveOptions:
    """The flags of `redraft accept` and `redraft reject`."""

    output: Path | None
    selection: Selection
    force: bool

    @classmethod
    def of(cls, parsed: argparse.Namespace) -> ResolveOptions:
        """Take the flags from a parsed command line."""
        ids: tuple[str, ...] = tuple(parsed.id)
        everything = not ids and parsed.author is None
        return cls(parsed.output, Selection(ids, parsed.author, None, everything), parsed.force)


ALL: Final = "all"
PlaceAnswer: TypeAlias = int | Literal["all"] | None
"""The index of a candidate, all of them, or none."""


class Questions(Protocol):
    """Asks a person; who cannot be asked gets refusals instead."""

    def place(self, error: AmbiguousError, *, takes_all: bool) -> PlaceAnswer:
        """Asks which candidate is meant; `takes_all`: whether all of them can be."""
        ...

    def may_write(self, changes: Sequence[str], target: Path) -> bool:
        """Shows changes, and asks whether they are to be written."""
        ...


def read(file: Path, view: View, include: Collection[Extra], *, as_json: bool) -> int:
    """Print a document as Markdown, notices to stderr; or everything that was read, as JSON."""
    formats.detect(file.read_bytes(), file.name)
    reading = editor.read(StoredVersion(file), view, include)
    if as_json:
        sys.stdout.write(json_text(reading) + "\n")
        return DONE
    sys.stdout.write(reading.markdown)
    for notice in reading.notices:
        say(f"note: {notice.message}")
    return DONE


def changes(file: Path, *, as_json: bool) -> int:
    """Print the tracked changes, one a line, or as JSON."""
    revisions = editor.changes(StoredVersion(file, editor.inspect(file, file.name).state))
    if as_json:
        sys.stdout.write(json_text(revisions) + "\n")
        return DONE
    for change in revisions:
        sys.stdout.write(line(change) + "\n")
    if not revisions:
        say(f"{file.name} holds no tracked changes")
    return DONE


def edit(file: Path, options: EditOptions, questions: Questions | None = None) -> int:
    """Applies one instruction and writes the result; or only explains it, or prints its plan.

    Raises:
        EngineError: It cannot be done. An AmbiguousError only where there are no `questions`.
    """
    is_dry = options.explain or options.plan or options.write.dry_run
    if not (is_dry or may_write(options.write.target(file), file, force=options.write.force)):
        return WRONG_USE
    state = editor.inspect(file, file.name, options.write.own).state
    planned = _planned(file, options, questions)
    if planned is None:
        say("no place was chosen; nothing is written")
        return FAILED
    if options.explain:
        return _explain(file, options, planned)
    if options.plan:
        return _print_plan(file, options, planned.plan)
    return write_edit(file, state, planned.plan, planned.warnings, options.write, questions)


def apply(
    file: Path, plan_file: Path, options: WriteOptions, questions: Questions | None = None
) -> int:
    """Applies the plan of a JSON file (`-`: stdin) and writes the result, or says all its faults.

    Raises:
        PlanError: The file is no plan.
    """
    is_free = options.dry_run or may_write(options.target(file), file, force=options.force)
    if not is_free:
        return WRONG_USE
    from redraft.engine.plan_json import MalformedPlanError, read_plan

    written = sys.stdin.buffer.read() if str(plan_file) == "-" else plan_file.read_bytes()
    state = editor.inspect(file, file.name, options.own).state
    try:
        plan = read_plan(written)
    except MalformedPlanError as error:
        return _report_faults(error.faults, options)
    wrong = (
        editor.faults(StoredVersion(file), plan, tracked=options.tracked)
        if plan.decision == "edit"
        else ()
    )
    if wrong:
        return _report_faults(wrong, options)
    return write_edit(file, state, plan, (), options, questions)


def outline(file: Path, start: str, limit: int, *, as_json: bool) -> int:
    """Prints the blocks of a document with their ids, as a plan names them."""
    formats.detect(file.read_bytes(), file.name)
    window = editor.blocks(StoredVersion(file), start, limit)
    if as_json:
        sys.stdout.write(json_text(window) + "\n")
        return DONE
    for block in window.blocks:
        sys.stdout.write(f"[{' '.join(filter(None, (block.id, block.kind)))}] {block.text}\n")
    if window.next:
        say(f"{len(window.blocks)} of {window.total} blocks; go on with --start {window.next}")
    return DONE


def write_edit(
    file: Path,
    state: bytes,
    plan: EditPlan,
    warnings: tuple[str, ...],
    options: WriteOptions,
    questions: Questions | None,
) -> int:
    """Carries out a plan and writes the result, or tells what it would change."""
    target = options.target(file)
    if plan.decision != "edit":
        return tell(EditReport(applied=False, summary=plan.reason), warnings, target, options)
    signature = Signature.now(options.author, tracked=options.tracked)
    if questions is not None and not (options.yes or options.dry_run):
        from redraft.engine.instruct import wants_asking

        shown = carried_out(file, target, state, plan, signature, replace(options, dry_run=True))
        is_asked = shown.applied and wants_asking(plan, shown)
        if is_asked and not questions.may_write([*map(line, shown.revisions)], target):
            say("nothing is written")
            return NOTHING_CHANGED

    report = carried_out(file, target, state, plan, signature, options)
    return tell(report, warnings, target, options)


def carried_out(
    file: Path,
    target: Path,
    state: bytes,
    plan: EditPlan,
    signature: Signature,
    options: WriteOptions,
) -> EditReport:
    """Carries out a plan and writes the result, or only says what it would change."""
    carry_out = _previewed if options.dry_run else _carry_out
    return _folded(
        lambda current: carry_out(file, target, current, plan, signature), file, state, options
    )


def _folded(
    make: Callable[[bytes], EditReport], file: Path, state: bytes, options: WriteOptions
) -> EditReport:
    """Makes an edit that folds the author's earlier changes, or where it cannot, beside them."""
    try:
        return make(state)
    except VerificationError:
        if not options.own:
            raise
        # Other programs write an author's marks in forms that we never do: they stay as they are.
        return make(editor.inspect(file, file.name).state)


def _previewed(
    file: Path, _: Path, state: bytes, plan: EditPlan, signature: Signature
) -> EditReport:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        return editor.preview(StoredVersion(file, state), Path(folder) / "edited", plan, signature)


def resolve(action: str, file: Path, options: ResolveOptions) -> int:
    """Accept or reject tracked changes and write the result beside the file or to `-o`."""
    verb: Literal["accept", "reject"] = "accept" if action == "accept" else "reject"
    target = options.output or file.with_name(f"{file.stem}-{verb}ed{file.suffix}")
    if not may_write(target, file, force=options.force):
        return WRONG_USE
    state = editor.inspect(file, file.name).state
    done = editor.resolve(StoredVersion(file, state), target, verb, options.selection)
    amount = "1 change" if done.resolved == 1 else f"{done.resolved} changes"
    say(f"{amount} {verb}ed, written to {target}")
    return DONE if done.resolved else NOTHING_CHANGED


def line(change: Revision) -> str:
    """Show a change as `[-deleted-]{+inserted+}` with its author and place.

    A change of formatting shows its words and each property as `old → new`.
    """
    if change.formatting:
        formats = [f"{name}: {old or 'as styled'} → {new}" for name, old, new in change.formatting]
        words = f"“{change.after}” " if change.after else ""
        description = words + ", ".join(formats)
    else:
        struck = f"[-{change.before}-]" if change.before else ""
        added = f"{{+{change.after}+}}" if change.after else ""
        words = f"{change.lead}{struck}{added}{change.trail}" if struck or added else ""
        description = words or change.kind
    return f"{change.id}  {change.author}  {change.where}  {' '.join(description.split())}"


def _explain(file: Path, options: EditOptions, planned: Planned) -> int:
    """Print what a model is shown, what it was told, the plan and what was checked of it."""
    from redraft.engine.explanation import explained

    view = editor.show(StoredVersion(file), options.instruction, options.lookup, _nonce()).text
    faults = editor.check(StoredVersion(file), planned.plan, tracked=options.write.tracked)
    sys.stdout.write(explained(view, planned, faults))
    return FAILED if faults else DONE


def _print_plan(file: Path, options: EditOptions, plan: EditPlan) -> int:
    """Prints a plan as JSON for `redraft apply`; what is wrong with it goes to stderr."""
    from redraft.engine.plan_json import write_plan

    sys.stdout.write(write_plan(plan) + "\n")
    if plan.decision != "edit":
        return NOTHING_CHANGED
    wrong = editor.faults(StoredVersion(file), plan, tracked=options.write.tracked)
    for fault in wrong:
        say(_fault_line(fault))
    return FAILED if wrong else DONE


def _report_faults(faults: tuple[Fault, ...], options: WriteOptions) -> int:
    if options.as_json:
        sys.stdout.write(json_text({"applied": False, "faults": faults}) + "\n")
    for fault in faults:
        say(_fault_line(fault))
    return FAILED


def _fault_line(fault: Fault) -> str:
    return f"operation {fault.index + 1}: {fault.code}: {fault.message}"


def _nonce() -> str:
    from uuid import uuid4  # reading makes no id

    return uuid4().hex[:8]


def _planned(file: Path, options: EditOptions, questions: Questions | None) -> Planned | None:
    """Plans an edit, and asks which place is meant where several fit; None when none was chosen."""
    import asyncio

    places: tuple[str, ...] = ()
    while True:
        try:
            return asyncio.run(_plan(file, options, places))
        except AmbiguousError as error:
            is_asked_again = any(candidate.place in places for candidate in error.candidates)
            if questions is None or not error.candidates or is_asked_again:
                raise
            every = _for_all(file, options, error, places)
            answer = questions.place(error, takes_all=every is not None)
            if answer is None or answer == ALL:
                return every if answer == ALL else None
            places = (*places, error.candidates[answer].place)


def _for_all(
    file: Path, options: EditOptions, error: AmbiguousError, places: tuple[str, ...]
) -> Planned | None:
    """Plans the edit at each of the places; None where that is no sound answer.

    It is none when there are more places than candidates, when one of them cannot be done, or when
    what is done at them does not go together.
    """
    import asyncio

    if error.count != len(error.candidates):
        return None
    try:
        chosen = (*places, *(candidate.place for candidate in error.candidates))
        whole = asyncio.run(_plan(file, options, chosen))
    except EditError:
        return None
    is_sound = not editor.check(StoredVersion(file), whole.plan, tracked=options.write.tracked)
    return whole if is_sound else None


async def _plan(file: Path, options: EditOptions, places: tuple[str, ...]) -> Planned:
    import asyncio

    from redraft.engine.engine_calls import EngineCalls
    from redraft.engine.instruct import Instruction, instruct
    from redraft.engine.planner.configuration import models_from

    return await instruct(
        EngineCalls(StoredVersion(file), options.write.tracked),
        models_from(os.environ),
        Instruction(
            options.instruction,
            options.lookup,
            large=options.large_model,
            deadline=asyncio.get_running_loop().time() + DEADLINE,
            nonce=_nonce(),
            places=places,
        ),
    )


def _carry_out(
    file: Path, target: Path, state: bytes, plan: EditPlan, signature: Signature
) -> EditReport:
    """Edit a file; a tracked edit of a PDF gives the upload with annotations, or in Word."""
    in_word = target.suffix.lower() == ".docx" and formats.is_pdf(file.read_bytes())
    if not (signature.tracked or in_word):
        return editor.edit(StoredVersion(file, state), target, plan, signature)
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        edited = Path(folder) / "edited"
        report = editor.edit(StoredVersion(file, state), edited, plan, signature)
        if report.applied and in_word:
            base = file if signature.tracked else edited
            editor.as_word(StoredVersion(edited, report.state, base), target)
        elif report.applied:
            editor.redline(StoredVersion(edited, report.state, file), target)
    return report


def tell(report: EditReport, warnings: tuple[str, ...], target: Path, options: WriteOptions) -> int:
    """Prints what an edit did, and returns the exit code."""
    for warning in (*warnings, *report.warnings):
        say(f"warning: {warning}")
    if options.as_json:
        summary = {
            "applied": report.applied,
            "summary": report.summary,
            "output": str(target) if report.applied and not options.dry_run else None,
            "changes": report.revisions,
            "accepted": report.accepted,
            "rejected": report.rejected,
        }
        sys.stdout.write(json_text(summary) + "\n")
    else:
        for change in report.revisions:
            sys.stdout.write(line(change) + "\n")
        for verb, settled in (("accepted", report.accepted), ("rejected", report.rejected)):
            for change in settled:
                sys.stdout.write(f"{verb}  {line(change)}\n")
    where = "nothing is written (--dry-run)" if options.dry_run else f"written to {target}"
    say(f"{report.summary}; {where}" if report.applied else report.summary)
    return DONE if report.applied else NOTHING_CHANGED


def json_text(value: object) -> str:
    """Returns a value as JSON for people and programs."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def may_write(target: Path, source: Path, *, force: bool) -> bool:
    """Whether the result of a source may be written there; says why not."""
    if target.suffix.lower() == ".pdf" and source.suffix.lower() == ".docx":
        say(f"{target} would be a Word document; name it .docx")
        return False
    if target.suffix.lower() not in (".docx", source.suffix.lower()):
        say(f"{target} would be a {source.suffix} document; name it {source.suffix}")
        return False
    if target.exists() and not force:
        say(f"{target} exists; name another file with -o, or use --force to overwrite it")
        return False
    return True


def say(sentence: str) -> None:
    """Tells a person something beside the data that is printed."""
    sys.stderr.write(f"redraft: {sentence}\n")
