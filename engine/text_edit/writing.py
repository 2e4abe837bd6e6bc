"""Carries an edited text out in a Word document: all of it, as one edit, or nothing.

One plan does not always say everything: a new paragraph looks like its neighbour, and may have to
lose its bold type; a paragraph that moves may have other words as well. So the text is planned
again on the result until nothing differs. What cannot be done is named by its line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from redraft.engine.docx import apply
from redraft.engine.docx.changes.revisions import changes_in
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading import reader
from redraft.engine.errors import EngineError
from redraft.engine.model import Document, Revision
from redraft.engine.plan import EditPlan, Operation, RewriteBlock
from redraft.engine.report import Signature
from redraft.engine.state import decode
from redraft.engine.text_edit import text_edit, text_plan, written_text
from redraft.engine.text_edit.edited_text import Entry
from redraft.engine.text_edit.text_plan import LineFault, TextFaultsError, TextPlan

_MOST_ROUNDS: Final = 4


@dataclass(frozen=True, slots=True)
class TextResult:
    """The edited document: its bytes and state, the changes of this edit, and whether any is."""

    data: bytes
    state: bytes
    revisions: tuple[Revision, ...]
    is_changed: bool


def carry_out(data: bytes, state: bytes, text: str, signature: Signature) -> TextResult:
    """Returns a Word document that says what an edited text of it says.

    Args:
        data: The document.
        state: That of `data`.
        text: The edited text.
        signature: Under whose name.

    Raises:
        TextFaultsError: Some lines cannot be carried out; nothing is.
    """
    writer = _Writer(data, state, signature)
    writer.run(text)
    package = Package.open(writer.data)
    revisions = changes_in(package, decode(writer.state)) if writer.state else ()
    mine = tuple(change for change in revisions if signature.edit_uid in change.edits)
    return TextResult(writer.data, writer.state, mine, writer.data != data)


def read(data: bytes) -> Document:
    """Returns a Word document in its final view."""
    return reader.read(Package.open(data), "final")


class _Writer:
    def __init__(self, data: bytes, state: bytes, signature: Signature) -> None:
        self.data = data
        self.state = state
        self._signature = signature

    def run(self, text: str) -> None:
        """Plans and writes until the document says what the text says."""
        document = read(self.data)
        entries = text_edit.entries_of(document, written_text.lines(document), text)
        current = entries
        for number in range(_MOST_ROUNDS):
            found = text_plan.plan(written_text.lines(document), current)
            if found.faults:
                if number:
                    break
                text_edit.edit_plan(found)
            if not found.operations:
                break
            self._write(found, document, current)
            document = read(self.data)
            current = text_edit.found_again(document, entries)
        faults = text_edit.differs(document, entries)
        if faults:
            raise TextFaultsError(faults)

    def _write(self, found: TextPlan, document: Document, entries: Sequence[Entry]) -> None:
        """Carries a plan out, or as much of it as leaves the rest to the next round."""
        error = self._apply(found.operations)
        if error is None:
            return
        simple = text_plan.plan(written_text.lines(document), entries, is_simple=True)
        ways: tuple[Callable[[], Sequence[Operation]], ...] = (
            lambda: () if simple.faults else simple.operations,
            lambda: [one for one in found.operations if isinstance(one, RewriteBlock)],
            lambda: [one for one in found.operations if not isinstance(one, RewriteBlock)],
        )
        for way in ways:
            operations = way()
            if len(operations) > 0 and self._apply(operations) is None:
                return
        raise TextFaultsError([self._culprit(found, error)])

    def _apply(self, operations: Sequence[Operation]) -> EngineError | None:
        plan = EditPlan("edit", "Edited as text", tuple(operations))
        try:
            data, report = apply.apply(self.data, self.state, plan, self._signature)
        except EngineError as error:
            return error
        if report.applied:
            self.data, self.state = data, report.state
        return None

    def _culprit(self, found: TextPlan, error: EngineError) -> LineFault:
        """Returns the line whose operation cannot be carried out, beside those before it."""
        good: list[Operation] = []
        kept = self.data, self.state
        for number, operation in zip(found.numbers, found.operations, strict=True):
            wrong = self._apply([*good, operation])
            self.data, self.state = kept
            if wrong is not None:
                return LineFault(number, str(wrong))
            good.append(operation)
        return LineFault(0, str(error))
