"""`redraft review FILE --playbook P`: a document checked by rules, and changed where they ask."""

from __future__ import annotations

import argparse
import os
import sys
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from redraft.engine import editor
from redraft.engine.file_commands import (
    DONE,
    FAILED,
    NOTHING_CHANGED,
    WRONG_USE,
    WriteOptions,
    carried_out,
    json_text,
    may_write,
    say,
)
from redraft.engine.report import EditReport, Signature, StoredVersion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from redraft.engine.instruct import Planned
    from redraft.engine.playbook.playbooks import Rule

SECONDS_OF_A_RULE = 120.0
"""How long a language model may take over a rule, on the average; an hour over all at most."""
_LONGEST = 3600.0


@dataclass(frozen=True, slots=True)
class ReviewOptions:
    """The flags of `redraft review`."""

    playbook: Path
    comment_only: bool
    report: Path | None
    large_model: bool
    write: WriteOptions

    @classmethod
    def of(cls, parsed: argparse.Namespace) -> ReviewOptions:
        """Takes the flags from a parsed command line."""
        parsed.foreign = False
        parsed.yes = True
        flags = (parsed.playbook, parsed.comment_only, parsed.report, parsed.large_model)
        return cls(*flags, WriteOptions.of(parsed))

    def target(self, file: Path) -> Path:
        """Returns where the reviewed version of a file goes."""
        return self.write.output or file.with_name(f"{file.stem}-reviewed{file.suffix}")


def review(file: Path, options: ReviewOptions) -> int:
    """Checks a document by a playbook, writes the result, and prints the report.

    Returns:
        0, or 1 where a rule is undecided, 3 where no rule asks for anything.

    Raises:
        PlaybookError: The playbook cannot be read.
        EngineError: The document cannot, or what the rules ask for cannot be done.
    """
    from redraft.engine.playbook.playbooks import read_playbook

    write, target = options.write, options.target(file)
    rules = read_playbook(options.playbook.read_bytes())
    is_free = write.dry_run or may_write(target, file, force=write.force)
    if not is_free or not _may_report(options):
        return WRONG_USE
    state = editor.inspect(file, file.name, write.own).state
    planned = _planned(file, rules, options)
    report = EditReport(applied=False, summary=planned.plan.reason)
    if planned.plan.decision == "edit":
        signature = Signature.now(write.author, tracked=write.tracked)
        report = carried_out(file, target, state, planned.plan, signature, write)
    _tell(file, target, planned, report, options)
    if any(finding.outcome == "undecided" for finding in planned.findings):
        return FAILED
    return DONE if report.applied else NOTHING_CHANGED


def _may_report(options: ReviewOptions) -> bool:
    path = options.report
    if path is None:
        return True
    if path.suffix.lower() not in (".md", ".json"):
        say(f"{path} would be a report; name it .md or .json")
        return False
    if path.exists() and not options.write.force:
        say(f"{path} exists; name another file, or use --force to overwrite it")
        return False
    return True


def _planned(file: Path, rules: Sequence[Rule], options: ReviewOptions) -> Planned:
    import asyncio

    from redraft.engine.engine_calls import EngineCalls
    from redraft.engine.instruct import Instruction, instruct
    from redraft.engine.planner.configuration import models_from
    from redraft.engine.playbook.reviewing import Playbook

    async def planned() -> Planned:
        seconds = min(_LONGEST, SECONDS_OF_A_RULE * len(rules))
        return await instruct(
            EngineCalls(StoredVersion(file), options.write.tracked),
            models_from(os.environ),
            Instruction(
                "",
                None,
                deadline=asyncio.get_running_loop().time() + seconds,
                nonce=uuid.uuid4().hex[:8],
                large=options.large_model,
                playbook=Playbook(tuple(rules), options.comment_only),
            ),
        )

    return asyncio.run(planned())


def _tell(
    file: Path, target: Path, planned: Planned, report: EditReport, options: ReviewOptions
) -> None:
    from redraft.engine.playbook.findings import markdown

    is_written = report.applied and not options.write.dry_run
    as_json = {
        "document": file.name,
        "summary": planned.plan.reason,
        "output": str(target) if is_written else None,
        "findings": planned.findings,
        "changes": report.revisions,
    }
    if options.write.as_json:
        sys.stdout.write(json_text(as_json) + "\n")
    else:
        sys.stdout.write(markdown(file.name, planned.findings))
    if options.report is not None:
        is_json = options.report.suffix.lower() == ".json"
        text = json_text(as_json) + "\n" if is_json else markdown(file.name, planned.findings)
        options.report.write_text(text, "utf-8")
    for warning in (*planned.warnings, *report.warnings):
        say(f"warning: {warning}")
    where = f"written to {target}" if is_written else "nothing is written"
    say(f"{planned.plan.reason}; {where}")
