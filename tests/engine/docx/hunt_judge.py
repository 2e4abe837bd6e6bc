"""Holds random edits of a document against the laws, by the independent judge of `tests.oracle`."""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from redraft.engine import tokens
from redraft.engine.docx.apply import apply, initial_state
from redraft.engine.docx.changes.accept_or_reject import clean, resolve
from redraft.engine.docx.changes.revisions import changes, tracked
from redraft.engine.docx.judging.fingerprint import story_parts
from redraft.engine.docx.names import W_AUTHOR, W_ID, W_P, W_SDT, W_TC, Element, W
from redraft.engine.docx.opc.package import Package
from redraft.engine.errors import EditError, VerificationError
from redraft.engine.plan import (
    AddComment,
    EditPlan,
    FormatText,
    Operation,
    RemoveLink,
    ReplaceText,
    SetAltText,
    SetField,
    SetLink,
    SetList,
    SetParagraph,
    SetProperty,
    SetStyle,
    SettleChange,
)
from redraft.engine.report import Selection, Signature
from redraft.engine.state import State, decode
from tests.engine.docx.hunting import Scene, sensible
from tests.oracle import Paragraph, judged, keep, members, only, texts

US = "us of redraft"
DATE = "2026-11-21T06:30:00Z"
BLIND = (SetLink, RemoveLink, AddComment, SetAltText, SetField, SetProperty)
LOOKS = (FormatText, SetList, SetParagraph, SetStyle, AddComment, SetAltText, SetProperty)
# What an edit may add to beside the parts with text.
ADDITIVE = re.compile(
    r"((styles|numbering)\d*|core|app|settings|customXml/item\d+)\.xml$|\.rels$|_Types\].xml$"
)
# What may stand behind the last paragraph of a cell.
RANGES = tuple(
    W(f"{kind}{end}") for kind in ("bookmark", "commentRange") for end in ("Start", "End")
)
# They carry an author and are no change by themselves.
UNCOUNTED = frozenset(map(W, ("comment", "moveFromRangeStart", "moveToRangeStart")))
Said = dict[str, list[Paragraph]]


class LawError(AssertionError):
    """A law does not hold."""


@dataclass(slots=True)
class Tally:
    """What became of the operations of a hunt, and the processor time of each."""

    made: Counter[str] = field(default_factory=Counter[str])
    refused: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    seconds: list[tuple[float, str]] = field(default_factory=list[tuple[float, str]])

    @property
    def rate(self) -> float:
        """The part of the operations that were applied."""
        return sum(self.made.values()) / max(1, sum(self.made.values()) + self.refused.total())


@dataclass(slots=True)
class Hunt:
    """A document under random edits: `most` operations at once, judged whole at `every` one."""

    data: bytes
    chance: random.Random
    tally: Tally = field(default_factory=Tally)
    state: bytes = b""
    baseline: Said = field(default_factory=dict[str, list[Paragraph]])
    number: int = 0
    every: int = 4
    most: int = 1
    last: tuple[bytes, bytes, object] = (b"", b"", None)
    has_grids: bool = True

    def __post_init__(self) -> None:
        self.state = initial_state(self.data)
        self.baseline = judged(self.data, keep)
        self.has_grids = not any(b"tblGridChange" in held for held in members(self.data).values())

    def _same(self, what: str, was: Said, now: Said) -> None:
        """Compare two readings; without columns where an upload has changes of these by nobody.

        A judge who goes by authors cannot tell them from ours (17.13.5.33, tblGridChange).
        """
        sides = (was, now) if self.has_grids else (without_grids(was), without_grids(now))
        same(what, *sides)

    def step(self) -> None:
        """One edit or decision, and all laws."""
        self.number += 1
        if self.chance.random() < 0.12 and self._decide():
            return
        count = self.chance.randint(2, self.most) if self.most > 1 else 1
        found = [sensible(Scene(self.data, self.state, self.chance)) for _ in range(count)]
        operations = [operation for operation in found if operation is not None]
        if operations:
            self.edit(*operations, is_tracked=self.chance.random() < 0.85)

    def edit(self, *operations: Operation, is_tracked: bool = True) -> None:
        """Carry out a plan and judge it."""
        name = " + ".join(sorted(type(operation).__name__ for operation in operations))
        meant = operations[0] if len(operations) == 1 else operations
        self.last = self.data, self.state, (meant, is_tracked, f"e{self.number}")
        start = time.process_time()
        try:
            data, state = self._applied(operations, is_tracked=is_tracked)
        except VerificationError:
            raise
        except EditError as error:
            self.tally.refused[name, str(error)] += 1
            return
        finally:
            spent = time.process_time() - start
            self.tally.seconds.append((spent, name))
        self.tally.made[name] += 1
        self._judge_edit(operations, data, is_tracked=is_tracked)
        if isinstance(meant, ReplaceText) and not decode(self.state).ours:
            self._judge_inverse(meant)
        self.data, self.state = data, state
        if self.number % self.every == 0:
            self.judge()

    def _applied(self, operations: Sequence[Operation], *, is_tracked: bool) -> tuple[bytes, bytes]:
        signature = Signature(f"e{self.number}", US, DATE, tracked=is_tracked)
        plan = EditPlan("edit", "", tuple(operations))
        data, report = apply(self.data, self.state, plan, signature)
        return data, report.state

    def _judge_edit(
        self, operations: Sequence[Operation], data: bytes, *, is_tracked: bool
    ) -> None:
        """The baseline stays, or moves along as it must; other members keep their bytes."""
        rejected = judged(data, only(US, "reject"))
        # What a plan decides on becomes part of the baseline.
        if not any(isinstance(operation, SettleChange) for operation in operations):
            self._judge_baseline(operations, data, rejected, is_tracked=is_tracked)
        if all(isinstance(operation, LOOKS) for operation in operations):
            was, now = (words(judged(each, only(US, "accept"))) for each in (self.data, data))
            same("words behind a format", was, now)
        self.baseline = rejected
        self._judge_members(operations, data)

    def _judge_baseline(
        self, operations: Sequence[Operation], data: bytes, rejected: Said, *, is_tracked: bool
    ) -> None:
        if not is_tracked:
            marked, _ = self._applied(operations, is_tracked=True)
            self._same(
                "untracked", judged(marked, only(US, "accept")), judged(data, only(US, "accept"))
            )
        elif any(isinstance(operation, BLIND) for operation in operations):
            came = {name for name, said in words(rejected).items() if not said} - {*self.baseline}
            kept = {name: said for name, said in words(rejected).items() if name not in came}
            same("words of the baseline", words(self.baseline), kept)
        else:
            known = {name: said for name, said in rejected.items() if name in self.baseline}
            self._same("baseline", self.baseline, known)

    def _judge_members(self, operations: Sequence[Operation], data: bytes) -> None:
        before, after = members(self.data), members(data)
        stories = set(story_parts(Package.open(data)))
        for name, held in before.items():
            if name in stories or ADDITIVE.search(name):
                continue
            if after.get(name) != held:
                message = f"{name} was changed by {operations}"
                raise LawError(message)

    def _judge_inverse(self, operation: ReplaceText) -> None:
        """Words replaced and put back leave no mark."""
        there = ReplaceText(operation.block, operation.find, "Qzx7", operation.occurrence)
        back = ReplaceText(operation.block, "Qzx7", tokens.escape(operation.find), None)
        data, state = self.data, self.state
        for each in (there, back):
            plan = EditPlan("edit", "", (each,))
            data, report = apply(data, state, plan, Signature("i", US, DATE, tracked=True))
            state = report.state
        if decode(state).ours:
            message = f"an inverse left marks: {operation}"
            raise LawError(message)
        self._same("inverse", judged(self.data, keep), judged(data, keep))

    def _decide(self) -> bool:
        """Accept or reject some changes of ours."""
        ours = [change for change in changes(self.data, self.state) if change.is_ours]
        if not ours:
            return False
        change = self.chance.choice(ours)
        choices = [Selection(ids=(change.id,))] * 3
        choices += [Selection(edit_uid=change.edits[0])] * 2 + [Selection(author=US)]
        action = self.chance.choice(["accept", "reject"])
        self.decide(action, self.chance.choice(choices))
        return True

    def decide(self, action: str, selection: Selection) -> None:
        """Decide on changes of ours; one of both views stays."""
        verdict = "accept" if action == "accept" else "reject"
        self.last = self.data, self.state, (action, selection)
        was = judged(self.data, only(US, verdict))
        data, done = resolve(self.data, self.state, verdict, selection)
        now = judged(data, only(US, verdict))
        self._same(action, was, now)
        self.tally.made[action] += 1
        self.data, self.state = data, done.state
        self.baseline = judged(data, only(US, "reject"))
        self.judge()

    def judge(self) -> None:
        """What holds of every version."""
        accepted = judged(self.data, only(US, "accept"))
        self._same("clean", accepted, judged(clean(self.data, self.state), keep))
        package, state = Package.open(self.data), decode(self.state)
        marks: set[Element] = set()
        for part in story_parts(package):
            root = package.tree(part)
            for cell in root.iter(W_TC):
                if not len(cell) or cell[-1].tag not in (W_P, W_SDT, *RANGES):
                    message = "a cell does not end in a paragraph"
                    raise LawError(message)
            signed = (mark for mark in root.iter() if mark.get(W_AUTHOR) is not None)
            marks |= {mark for mark in signed if mark.tag not in UNCOUNTED and is_in(mark, state)}
        found = Counter(_covered(package, state))
        twice = [mark for mark, count in found.items() if count > 1]
        lost = marks - found.keys()
        if twice or lost:
            message = f"of our marks {len(twice)} stand in two changes, {len(lost)} in none"
            raise LawError(message)

    def decide_others(self) -> None:
        """Accept and reject all changes of each other author, ours standing.

        A change that names no author (17.13.5.33, tblGridChange) is nobody's: where one stands, no
        one can say with whose changes it goes.
        """
        known = {change.author for change in changes(self.data, self.state)} - {US}
        for author in sorted(known) if "" not in known else ():
            for action in ("accept", "reject"):
                self.last = self.data, self.state, (action, Selection(author=author))
                data, _ = resolve(self.data, self.state, action, Selection(author=author))
                was = judged(self.data, only(author, action))
                now = judged(data, keep)
                self._same(f"{action} what {author} changed", was, now)

    def decide_all(self) -> None:
        """Reject all of ours one by one, in any order."""
        self.decide_others()
        if any(change.is_ours for change in changes(self.data, self.state)):
            accepted = judged(self.data, only(US, "accept"))
            data, _ = resolve(self.data, self.state, "accept", Selection(author=US))
            self._same("accept all", accepted, judged(data, keep))
        baseline = self.baseline
        for _ in range(400):
            ours = [change.id for change in changes(self.data, self.state) if change.is_ours]
            if not ours:
                break
            self.last = self.data, self.state, ("reject", ours)
            chosen = self.chance.sample(ours, max(1, len(ours) // 8))
            self.data, done = resolve(self.data, self.state, "reject", Selection(ids=tuple(chosen)))
            self.state = done.state
            self._same("reject one by one", baseline, judged(self.data, only(US, "reject")))
        else:
            message = "rejecting does not come to an end"
            raise LawError(message)
        self._same("reject one by one", baseline, judged(self.data, keep))


def _covered(package: Package, state: State) -> Iterator[Element]:
    for change in tracked(package, state):
        for mark in (*change.marks, *(mark for _, mark in change.elsewhere)):
            if change.revision.is_ours and mark.get(W_AUTHOR) is not None:
                yield mark


def is_in(mark: Element, state: State) -> bool:
    """Whether a mark is ours."""
    number = mark.get(W_ID, "")
    return number.isdecimal() and int(number) in state.ours


def without_grids(said: Said) -> Said:
    """A reading without the columns of tables."""
    return {
        name: [each for each in found if not (each.properties or ("",))[0].endswith("}tblGrid")]
        for name, found in said.items()
    }


def words(said: Said) -> dict[str, list[str]]:
    """The texts of all parts but the comments."""
    return {name: found for name, found in texts(said).items() if "comments" not in name}


def same(
    what: str, was: Mapping[str, Sequence[object]], now: Mapping[str, Sequence[object]]
) -> None:
    """Raise a `LawError` where two readings differ."""
    if was != now:
        raise LawError(difference(what, was, now))


def difference(
    what: str, was: Mapping[str, Sequence[object]], now: Mapping[str, Sequence[object]]
) -> str:
    """Where two readings part."""
    for name in sorted({*was, *now}):
        old, new = was.get(name), now.get(name)
        if old is None or new is None:
            return f"{what}: {name} {'came' if old is None else 'went'}"
        for index, (one, other) in enumerate(zip(old, new, strict=False)):
            if one != other:
                return f"{what}: {name}[{index}]\n  was {one}\n  now {other}"
        if len(old) != len(new):
            return f"{what}: {name} has {len(new)} paragraphs, not {len(old)}"
    return f"{what}: equal"
