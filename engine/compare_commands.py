"""`redraft compare A B`: two versions of a document beside each other, without a server."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

from redraft.engine import editor
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
    target = options.output or second.with_name(f"{second.stem}-redline{first.suffix}")
    if not may_write(target, first, force=options.force):
        return WRONG_USE
    signature = Signature.now(options.author, tracked=True)
    found = editor.compare(first, second, target, signature)
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
