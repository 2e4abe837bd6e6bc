"""Random edits of a PDF, one after the other on the same file, plain or tracked; all are judged."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass, field

from redraft.engine.errors import EditError
from redraft.engine.pdf import form_fields
from redraft.engine.pdf.apply import apply
from redraft.engine.pdf.glyphs.target_blocks import known_in
from redraft.engine.pdf.reader import read
from redraft.engine.pdf.tracked import redline
from redraft.engine.pdf.tracked.change_log import decode
from redraft.engine.pdf.tracked.markup_view import marked
from redraft.engine.pdf.tracked.page_changes import shaped
from redraft.engine.plan import DeleteBlocks, EditPlan, SetField
from redraft.engine.report import Selection, Signature
from tests.engine.pdf.hunt_judge import judge, judge_field, opens, same_look
from tests.engine.pdf.hunt_readers import is_repaired, require, sheets
from tests.engine.pdf.hunt_sides import sides
from tests.engine.pdf.hunting import MAKERS, TRACKED, Scene, attempt

DATE = "2026-11-21T06:30:00Z"


@dataclass(slots=True)
class Tally:
    """What became of the edits."""

    made: Counter[str] = field(default_factory=Counter[str])
    refused: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])

    @property
    def rate(self) -> float:
        """The part of the edits that were made."""
        return self.made.total() / max(1, self.made.total() + self.refused.total())

    def __str__(self) -> str:
        reasons: Counter[str] = Counter()
        for (_, reason), count in self.refused.items():
            reasons[reason] += count
        total = self.made.total() + reasons.total()
        lines = [f"{count} x {reason}" for reason, count in reasons.most_common()]
        return "\n".join([f"{self.made.total()} of {total} edits were made", *lines])

    def refuse(self, kind: str, error: EditError) -> None:
        """Count a refusal by its reason."""
        reason = re.sub(r'"[^"]*"', '"…"', str(error))
        self.refused[kind, re.sub(r"\d+", "#", reason)] += 1


@dataclass(slots=True)
class Hunt:
    """A PDF under random edits, one after the other on the same file."""

    data: bytes
    chance: random.Random
    tally: Tally = field(default_factory=Tally)
    number: int = 0
    last: object = None

    def scene(self) -> Scene:
        """What there is to be edited now."""
        values = {name: held.value for name, held in form_fields.fields(self.data).items()}
        return Scene(known_in(self.data), len(sheets(self.data)), values, self.chance)

    def step(self) -> None:
        """One edit, judged."""
        chosen = attempt(self.scene(), MAKERS)
        if chosen is None:
            return
        self.number += 1
        self.last = (self.data, chosen)
        signature = Signature(f"e{self.number}", "Ann Lee", DATE, tracked=False)
        try:
            data, report = apply(self.data, EditPlan("edit", "", (chosen.operation,)), signature)
        except EditError as error:
            self.tally.refuse(chosen.kind, error)
            return
        self.tally.made[chosen.kind] += 1
        require(bool(report.summary), "the answer says nothing")
        if not report.applied:
            require(data == self.data, "nothing was to be done, and the file is another")
            return
        if isinstance(chosen.operation, SetField):
            judge_field(self.data, data, chosen.operation)
        else:
            judge(self.data, data, chosen)
        self.data = data


@dataclass(slots=True)
class Tracked:
    """A PDF under random tracked edits; in the end all are settled."""

    upload: bytes
    chance: random.Random
    tally: Tally = field(default_factory=Tally)
    data: bytes = b""
    state: bytes = b""
    number: int = 0
    last: object = None

    def __post_init__(self) -> None:
        """Begin with the upload."""
        self.data = self.upload

    def step(self) -> None:
        """One edit: what is marked is judged, and that the file is what it were without marks."""
        values = {name: held.value for name, held in form_fields.fields(self.data).items()}
        scene = Scene(known_in(self.data), len(sheets(self.data)), values, self.chance)
        chosen = attempt(scene, TRACKED)
        if chosen is None:
            return
        self.number += 1
        self.last = (self.upload, self.data, self.state, chosen)
        plan = EditPlan("edit", "", (chosen.operation,))
        author = self.chance.choice(("Ann Lee", "Bob"))
        signature = Signature(f"e{self.number}", author, DATE, tracked=True)
        try:
            data, report = redline.edit(self.upload, self.data, self.state, plan, signature)
        except EditError as error:
            self.tally.refuse(f"tracked {chosen.kind}", error)
            return
        self.tally.made[f"tracked {chosen.kind}"] += 1
        closes = isinstance(chosen.operation, DeleteBlocks) and chosen.operation.close_up
        if not closes and report.applied:
            plain, _ = apply(self.data, plan, signature)
            same_look(plain, data, "the tracked and the plain edit")
        if report.applied:
            self.data, self.state = data, report.state
            self.judge_marked()

    def judge_marked(self) -> None:
        """The download shows the changes on the upload, whose bytes come first."""
        marked = redline.annotated(self.upload, self.data, self.state)
        # A damaged file has to be written anew.
        is_kept = marked.startswith(self.upload) or is_repaired(self.upload)
        require(is_kept, "the upload is no longer the beginning")
        opens(marked, self.upload)
        found = redline.changes(self.upload, self.data, self.state)
        require(len({each.id for each in found}) == len(found), "two changes have one id")
        texts = [[sheet.text for sheet in sheets(each)] for each in (self.upload, marked)]
        require(texts[0] == texts[1], "the marked copy says something else than the upload")
        self.judge_markup()

    def judge_markup(self) -> None:
        """Read with its changes, one side is the edited file, and the other has the old words."""
        document = marked(self.upload, self.data, self.state)
        now = [text for text in sides(document.body.blocks, "deletion") if text.strip()]
        plain = sides(read(self.data).body.blocks, "")
        require(now == [text for text in plain if text.strip()], "the markup reads otherwise")
        is_filled = form_fields.fields(self.upload) != form_fields.fields(
            self.data
        )  # no text of the page
        if is_filled or any(each.code == "unmarked-changes" for each in document.notices):
            return
        log = decode(self.state)
        before = shaped(self.upload, log.shapings).data
        old, first = (
            Counter(word for text in side for word in text.split())
            for side in (
                sides(document.body.blocks, "insertion"),
                sides(read(before).body.blocks, ""),
            )
        )
        require(old == first, f"the markup's old words differ: {(old - first) + (first - old)}")

    def settle(self) -> None:
        """Accept all, reject all, and reject one by one."""
        found = redline.changes(self.upload, self.data, self.state)
        if not found:
            return
        whole = Selection(all=True)
        self.last = (self.upload, self.data, self.state, "accept all")
        data, done = redline.resolve(self.upload, self.data, self.state, "accept", whole)
        same_look(self.data, data, "accepting all")
        left = redline.changes(self.upload, data, done.state)
        require(not left, f"after accepting all {len(left)} changes are left")
        self.last = (self.upload, self.data, self.state, "reject all")
        data, _ = redline.resolve(self.upload, self.data, self.state, "reject", whole)
        same_look(self.upload, data, "rejecting all")
        self.reject_one_by_one()

    def reject_one_by_one(self) -> None:
        """Reject the changes in any order; a refusal must leave them as they are."""
        data, state = self.data, self.state
        found = [each.id for each in redline.changes(self.upload, data, state)]
        while found:
            chosen = self.chance.choice(found)
            action = "reject" if self.chance.random() < 0.7 else "accept"
            self.last = (self.upload, data, state, f"{action} {chosen}")
            before = {each.id for each in redline.changes(self.upload, data, state)}
            verdict = "accept" if action == "accept" else "reject"
            selection = Selection(ids=(chosen,))
            try:
                now, done = redline.resolve(self.upload, data, state, verdict, selection)
            except EditError as error:
                self.tally.refuse(f"{action} one", error)
                found.remove(chosen)
                continue
            self.tally.made[f"{action} one"] += 1
            if action == "accept":
                same_look(data, now, "accepting one")
            data, state = now, done.state
            left = redline.changes(self.upload, data, state)
            require(len(left) < len(before), f"{len(before)} changes, {len(left)} after {action}")
            found = [each.id for each in left]
