"""Writes the differences between two versions into the first one, as tracked changes.

The comparison is a loop: what differs becomes a plan, the plan is carried out with its laws
(`engine.docx.apply`), the result is compared again, until nothing is left that a plan can say.
All rounds are one edit: rejecting it gives the first version, accepting it the second. An operation
that cannot be carried out is left out, and what it was for is done in another way or named.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from redraft.engine.compare import brought_styles, versions
from redraft.engine.compare.brought_blocks import Transfer, bring
from redraft.engine.compare.differences import differences
from redraft.engine.compare.remains import remains
from redraft.engine.docx import apply
from redraft.engine.docx.accept_reject import part_tree
from redraft.engine.docx.accept_reject.whole_package import settle
from redraft.engine.docx.changes.revisions import changes_in
from redraft.engine.docx.judging.fingerprint import story_parts
from redraft.engine.docx.names import W_AUTHOR
from redraft.engine.docx.opc.package import Package
from redraft.engine.errors import EngineError
from redraft.engine.model import Revision
from redraft.engine.plan import EditPlan, Operation
from redraft.engine.report import Signature
from redraft.engine.state import State, decode, encode

_MOST_ROUNDS: Final = 8


@dataclass(frozen=True, slots=True)
class Redline:
    """The first version with the changes that make it the second.

    Attributes:
        data: The file; the first version itself where nothing differs.
        state: Which marks in it are those of the comparison.
        revisions: The changes, in order.
        remains: Sentences on what differs and is not in the changes.
    """

    data: bytes
    state: bytes
    revisions: tuple[Revision, ...]
    remains: tuple[str, ...]


def compare(
    first: bytes,
    second: bytes,
    signature: Signature,
    *,
    state: bytes = b"",
    words_only: bool = False,
    has_placeholders: bool = False,
) -> Redline:
    """Returns the first document with tracked changes that make it the second.

    Tracked changes that either document has already count as accepted; those of the first stay in
    it under their authors' names.

    Args:
        first: A Word document.
        second: Another version of it.
        signature: Under whose name and date the changes are.
        state: What is known of the first document; empty where its marks are all others'.
        words_only: Whether formatting and objects are left as they are, and not told of.
        has_placeholders: Whether words in the second stand for pictures that the first has.

    Raises:
        EngineError: one of them is no Word document.
    """
    target = versions.read(settled(Package.open(second), "accept"), State())
    if has_placeholders:
        target = versions.without_placeholders(target)
    writer = Writer(first, target, signature, state=state, words_only=words_only)
    writer.write()
    writer.look()
    package = Package.open(writer.data)
    revisions = changes_in(package, decode(writer.state)) if writer.state else ()
    mine = tuple(r for r in revisions if signature.edit_uid in r.edits)
    return Redline(writer.data, writer.state, mine, writer.remains)


def settled(
    package: Package, action: part_tree.Action, authors: Collection[str] | None = None
) -> Package:
    """Returns a document with tracked changes accepted or rejected.

    Args:
        package: The document; it may be changed.
        action: What becomes of them.
        authors: Whose changes; None for all.
    """
    marks = {
        part: [
            mark
            for mark in part_tree.revisions(package.tree(part))
            if authors is None or mark.get(W_AUTHOR, "") in authors
        ]
        for part in story_parts(package)
    }
    marked = {part: found for part, found in marks.items() if found}
    if marked:
        settle(package, marked, action, is_last=authors is None)
        return Package.open(package.save())
    return package


class Writer:
    """Writes what leads from a document to another version over the document.

    Attributes:
        data: The document.
        state: Which marks in it are ours, those of this edit among them.
        remains: Sentences on what differs still, after `look`.
    """

    def __init__(
        self,
        data: bytes,
        target: versions.Version,
        signature: Signature,
        *,
        state: bytes = b"",
        words_only: bool = False,
    ) -> None:
        self._words_only = words_only
        self.data = data
        self.state = state
        self.remains: tuple[str, ...] = ()
        self._target = target
        self._signature = signature
        self._refused: set[Operation] = set()
        self._done: set[tuple[Operation, ...]] = set()
        self._transferred: set[tuple[str, ...]] = set()
        self._warnings: dict[str, None] = {}

    def write(self) -> None:
        """Compares and writes until nothing is left that a plan can say."""
        self.state = self.state or apply.initial_state(self.data)
        first = versions.read(Package.open(self.data), decode(self.state))
        package = Package.open(self.data)
        is_styled = not self._words_only and brought_styles.bring(package, first, self._target)
        with_styles = package.save() if is_styled else self.data
        untouched, self.data = self.data, with_styles
        for _ in range(_MOST_ROUNDS):
            current = versions.read(Package.open(self.data), decode(self.state))
            found = differences(
                current,
                self._target,
                self._refused,
                self._transferred,
                words_only=self._words_only,
            )
            if found.transfers:
                self._bring(found.transfers, current)
                continue
            operations = tuple(found.operations)
            is_new = operations and operations not in self._done
            self._done.add(operations)
            if not is_new or not self._carry_out(operations):
                self._bring(found.looks, current)
                break
        if self.data == with_styles:
            self.data = untouched

    def _bring(self, transfers: Sequence[Transfer], current: versions.Version) -> None:
        """Brings what can be; the last first, so that what could not be moves no other's id."""
        if not transfers:
            return
        self._transferred |= {transfer.key for transfer in transfers}
        try:
            self.data, state = bring(
                self.data, decode(self.state), transfers, current, self._target, self._signature
            )
        except EngineError:
            if len(transfers) > 1:
                half = len(transfers) // 2
                self._bring(transfers[half:], current)
                self._bring(transfers[:half], current)
            return
        self.state = encode(state)

    def look(self) -> None:
        """Names what still differs."""
        accepted = settled(Package.open(self.data), "accept")
        sentences = remains(
            versions.read(accepted, State()), self._target, words_only=self._words_only
        )
        self.remains = (*sentences, *self._warnings)

    def _carry_out(self, operations: Sequence[Operation]) -> bool:
        """Carries out what can be; returns whether another look is worth it."""
        failed = self._apply(operations)
        if failed is None:
            return True
        refused = {operations[index] for index in self._faults(operations)}
        if not refused:
            refused = self._culprits(operations)
        self._refused |= refused
        return bool(refused)

    def _apply(self, operations: Sequence[Operation]) -> EngineError | None:
        plan = EditPlan("edit", "", tuple(operations))
        try:
            data, report = apply.apply(self.data, self.state, plan, self._signature)
        except EngineError as error:
            return error
        standing = apply.standing_warnings(Package.open(self.data))
        self._warnings |= dict.fromkeys(w for w in report.warnings if w not in standing)
        if report.applied:
            self.data, self.state = data, report.state
        return None

    def _faults(self, operations: Sequence[Operation]) -> list[int]:
        """Returns which operations cannot be resolved."""
        plan = EditPlan("edit", "", tuple(operations))
        package = Package.open(self.data)
        survey = apply.Survey(package, decode(self.state))
        return [fault.index for fault in apply.Resolver(survey).faults(plan)]

    def _culprits(self, operations: Sequence[Operation]) -> set[Operation]:
        """Returns an operation without which the others get further, found by halving."""
        suspects = list(operations)
        good: list[Operation] = []
        while len(suspects) > 1:
            half = suspects[: len(suspects) // 2]
            if self._fails([*good, *half]):
                suspects = half
            else:
                good += half
                suspects = suspects[len(half) :]
        return set(suspects)

    def _fails(self, operations: Sequence[Operation]) -> bool:
        plan = EditPlan("edit", "", tuple(operations))
        try:
            apply.apply(self.data, self.state, plan, self._signature)
        except EngineError:
            return True
        return False
