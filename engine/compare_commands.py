"""`redraft compare A B` and `redraft combine BASE ONE TWO`, without a server."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from redraft.engine import several_files
from redraft.engine.file_commands import (
    DONE,
    NOTHING_CHANGED,
    WRONG_USE,
    json_text,
    line,
    may_write,
    say,
)
from redraft.engine.report import Signature

_SAME = "The documents say the same and look the same"


@dataclass(frozen=True, slots=True)
class CompareOptions:
    """The flags of `redraft compare`."""

    output: Path | None
    author: str
    force: bool
    as_json: bool

    @classmethod
    def of(cls, parsed: argparse.Namespace) -> CompareOptions:
        """Takes the flags from a parsed command line."""
        return cls(parsed.output, parsed.author, parsed.force, parsed.json)


def compare(first: Path, second: Path, options: CompareOptions) -> int:
    """Writes the first document with tracked changes that make it the second; lists them."""
    target = options.output or second.with_name(f"{second.stem}-redline.docx")
    if target.suffix.lower() != ".docx":
        say(f"{target} would be a Word document; name it .docx")
        return WRONG_USE
    if not may_write(target, first, force=options.force):
        return WRONG_USE
    signature = Signature.now(options.author, tracked=True)
    found = several_files.compare(first, second, target, signature)
    if options.as_json:
        told = {
            "output": str(target) if found.revisions else None,
            "changes": found.revisions,
            "remains": found.remains,
        }
        sys.stdout.write(json_text(told) + "\n")
    else:
        for change in found.revisions:
            sys.stdout.write(line(change) + "\n")
    for sentence in found.remains:
        say(f"not in the redline: {sentence}")
    if not found.revisions:
        say(
            "nothing was written: no difference can be a tracked change" if found.remains else _SAME
        )
        return NOTHING_CHANGED
    count = len(found.revisions)
    say(f"{count} change{'' if count == 1 else 's'}; written to {target}")
    return DONE


@dataclass(frozen=True, slots=True)
class CombineOptions:
    """The flags of `redraft combine`; `names` are those of files whose changes bear none."""

    output: Path | None
    names: tuple[str, ...]
    force: bool
    as_json: bool

    @classmethod
    def of(cls, parsed: argparse.Namespace) -> CombineOptions:
        """Takes the flags from a parsed command line."""
        return cls(parsed.output, parsed.names, parsed.force, parsed.json)


def combine(base: Path, reviewed: Sequence[Path], options: CombineOptions) -> int:
    """Writes a document with all reviewers' changes; lists them, and where they meet."""
    target = options.output or base.with_name(f"{base.stem}-combined{base.suffix}")
    names = options.names or tuple(file.stem for file in reviewed)
    if len(names) != len(reviewed):
        say(f"{len(reviewed)} files need {len(reviewed)} names, and --names has {len(names)}")
        return WRONG_USE
    if not may_write(target, base, force=options.force):
        return WRONG_USE
    outcome = several_files.combine(base, reviewed, names, target, Signature.now("", tracked=True))
    if options.as_json:
        told = {
            "output": str(target) if outcome.revisions else None,
            "changes": outcome.revisions,
            "conflicts": outcome.conflicts,
            "remains": outcome.remains,
        }
        sys.stdout.write(json_text(told) + "\n")
    else:
        for change in outcome.revisions:
            sys.stdout.write(line(change) + "\n")
    for conflict in outcome.conflicts:
        say(f"conflict in {conflict.anchor}: {conflict.told()}")
    for sentence in outcome.remains:
        say(f"not in the result: {sentence}")
    if not outcome.revisions:
        say("nothing was written: nobody changed anything that can be a tracked change")
        return NOTHING_CHANGED
    count = len(outcome.revisions)
    say(f"{count} change{'' if count == 1 else 's'}; written to {target}")
    return DONE
