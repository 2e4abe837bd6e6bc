"""`redraft tutor`: ten steps on a sample contract, each of them checked; `skip` goes on."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

from redraft.tui.launch_options import LaunchOptions
from redraft.tui.line_program import DONE, FAILED, LineProgram
from redraft.tui.transport.failures import ClientError
from redraft.tui.transport.wire import Change


@dataclass(frozen=True, slots=True)
class Step:
    """What is learnt, a line that does it, and whether what was typed did.

    `is_done` gets the line and the tracked changes after it.
    """

    words: str
    example: str
    is_done: Callable[[str, Sequence[Change]], bool]


def _typed(pattern: str) -> Callable[[str, Sequence[Change]], bool]:
    return lambda line, _: re.match(pattern, line) is not None


STEPS = (
    Step(
        "Say what should change, with the words in quotes.",
        'replace "thirty (30) days of receiving it" with "forty-five (45) days of receiving it"',
        lambda _, changes: any("forty-five" in change.after for change in changes),
    ),
    Step("Every edit is a tracked change. List them.", ":changes", _typed(":changes")),
    Step(
        "Quotes are not always needed.",
        "change the annual subscription from £48,000 to £52,500",
        lambda _, changes: any("52,500" in change.after for change in changes),
    ),
    Step("Read what the contract says about something.", ":find interest", _typed(":find .")),
    Step(
        "A deletion is shown before it is done; answer y.",
        "delete the first sentence of clause 7.2",
        lambda _, changes: any(change.before and not change.after for change in changes),
    ),
    Step("Take the last edit back.", ":undo", _typed(":undo")),
    Step(
        "A format is a change, too.",
        'make "without delay" bold',
        lambda _, changes: any(change.formatting for change in changes),
    ),
    Step("Accept a change by its number: it is text from then on.", ":accept 1", _typed(":accept")),
    Step("Reject the others.", ":reject all", lambda _, changes: not changes),
    Step(
        "Save a copy, clean or with the changes marked; the original is never written over.",
        ":save clean {folder}/clean.docx",
        _typed(":save .+"),
    ),
)


class Tutor(LineProgram):
    """Goes through the steps, on a copy of the sample that goes afterwards."""

    def __init__(
        self, options: LaunchOptions, source: TextIO, target: TextIO, sample: Path
    ) -> None:
        super().__init__(options, source, target)
        self._sample = sample

    async def run(self) -> int:
        """Returns 0 when all steps were gone through, and 1 when they were left."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            contract = folder / "contract.docx"
            contract.write_bytes(self._sample.read_bytes())
            self._options = replace(self._options, files=())
            try:
                self._client = await self._options.connect()
            except ClientError as error:
                self._fail(str(error))
                return FAILED
            try:
                await self._guarded(self._open, str(contract))
                return await self._go_through(folder)
            finally:
                await self.client.close()

    async def _go_through(self, folder: Path) -> int:
        self._say("Ten steps. Type the line of each, or one of your own; skip goes on, :quit ends.")
        for number, step in enumerate(STEPS, 1):
            example = step.example.format(folder=folder)
            self._say(f"\n{number} of {len(STEPS)}. {step.words}\n   {example}")
            while (line := await self._line("> ")) != "skip":
                if line is None or line in (":quit", ":q"):
                    return FAILED
                self._has_failed = False
                await self._do(line)
                changes = await self.client.changes(self._document)
                if not self._has_failed and step.is_done(line, changes):
                    self._say("Done.")
                    break
                self._say(f"Not yet. Try:\n   {example}")
        self._say("\nThat is all. `redraft FILE` draws the same on a screen; f1 explains its keys.")
        return DONE
