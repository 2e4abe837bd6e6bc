"""Holds an edited file against the laws of the redline before it is saved.

Only stretches around changed blocks are looked into: all other blocks have the same bytes. Before
the edit the stretches' baseline digests, their wording and what stands in them are taken down;
afterwards the result, opened anew, is compared with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from redraft.engine import verify
from redraft.engine.docx.accept_reject import part_tree
from redraft.engine.docx.accept_reject.note_references import NOTES
from redraft.engine.docx.accept_reject.untracked_edit import accept
from redraft.engine.docx.accept_reject.whole_package import settle_ours
from redraft.engine.docx.editing.block_folding import Folded
from redraft.engine.docx.judging.fingerprint import (
    container,
    count,
    digests,
    fingerprint,
    story_parts,
)
from redraft.engine.docx.judging.unreferenced_notes import uncited
from redraft.engine.docx.judging.untrackable import link_styles
from redraft.engine.docx.judging.validity import (
    counts,
    faults,
    links_lost,
    repeated,
    unpaired,
    written_counts,
    written_links,
)
from redraft.engine.docx.names import W_P, W_PPR, W_RPR, W_TBL, W_TR, W_TR_PR, Element
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.range_markers import POINTS
from redraft.engine.docx.resolution.resolve import Work
from redraft.engine.errors import VerificationError
from redraft.engine.state import State


@dataclass(slots=True)
class _Stretch:
    """Adjacent blocks of a part that may change.

    `start`, `end` index its blocks as they were, `at` the digests of its baseline.
    """

    part: str
    start: int
    end: int
    at: int = 0
    size: int = 0
    baseline: tuple[str, ...] = ()
    notes: list[Element] = field(default_factory=list["Element"])
    counts: Counter[str] = field(default_factory=Counter[str])
    faults: Counter[str] = field(default_factory=Counter[str])
    unpaired: set[str] = field(default_factory=set[str])
    links: list[Element] = field(default_factory=list["Element"])


class Inspector:
    """Takes down what stands before an edit and judges what stands after it."""

    def __init__(self, package: Package, before: State) -> None:
        self.before = before
        self._package = package
        self._parts = story_parts(package)
        self._bytes = {part: package.read(part) for part in self._parts}
        self._holders = {part: container(package.tree(part)) for part in self._parts}
        self._blocks = {part: list(holder) for part, holder in self._holders.items()}
        self._at = {p: {e: i for i, e in enumerate(b)} for p, b in self._blocks.items()}
        self._stretches: list[_Stretch] = []
        self._written: frozenset[str] = frozenset()
        self._blind: frozenset[str] = frozenset()
        self._uncited = uncited(package, self._parts, before.ours, "baseline")
        self._appended: dict[str, int] = {}
        self._dropped: frozenset[Element] = frozenset()
        self._results: dict[str, tuple[dict[Element, int], list[Element]]] = {}

    def expect(self, work: Work, twins: Mapping[Element, Element]) -> None:
        """Take down what stands where a plan will change something, and what should stand then.

        Args:
            work: The resolved plan.
            twins: Blocks of text boxes with those that change along with them (`mirroring`).

        Raises:
            VerificationError: the file is not the one that its state was stored for.
        """
        touched: dict[str, set[Element]] = {}
        for target in work.targets.values():
            touched.setdefault(target.place.part, set()).add(target.place.element)
        for place, _ in work.insertions:
            touched.setdefault(place.part, set()).add(place.element)
        for element, place in work.removals.items():
            touched.setdefault(place.part, set()).add(element)
        for step in work.steps:
            self._written |= step.reach.parts
            self._blind |= step.blind
            for place in step.places:
                touched.setdefault(place.part, set()).add(place.element)
        if "links" in self._blind:
            self._blind |= link_styles(self._package)
        for part, elements in touched.items():
            counted = at = 0
            for start, end in self._ranges(part, elements):
                at += count(self._blocks[part][counted:start], self.before.ours, self._uncited)
                counted = start
                self._stretches.append(self._taken_down(part, start, end, at))
        self._count(work, twins)

    def reckon(self, appended: Mapping[str, Sequence[Element]], dropped: Iterable[Element]) -> None:
        """Take into account what was put at the end of parts, and which notes were dropped.

        That no baseline block is lost with them is checked all the same.
        """
        for part, added in appended.items():
            self._appended[part] = len(added)
            if part in self._holders:
                self._holders[part].extend(added)
        self._dropped = frozenset(dropped)
        for part, holder in self._holders.items():
            if any(note.getparent() is holder for note in self._dropped):
                self._written |= {part}
        for note in self._dropped:
            parent = note.getparent()
            if parent is not None:
                parent.remove(note)

    def hold(self, opened: Package, after: State) -> None:
        """Judge the result.

        Raises:
            VerificationError: a law or a validity rule is broken.
        """
        touched = {stretch.part for stretch in self._stretches}
        for part in self._parts:
            if part in self._written:
                continue
            if part not in touched and opened.read(part) != self._bytes[part]:
                message = f"{part} was not to be changed"
                raise VerificationError(message)
        gone = uncited(opened, story_parts(opened), after.ours, "baseline")
        for stretch in self._stretches:
            blocks = self._now(stretch, opened)
            is_first = not stretch.start
            baseline = digests(blocks, after.ours, "baseline", self._blind, gone, is_first=is_first)
            verify.stays_the_same(stretch.part, stretch.baseline, baseline)
            lost = counts([note for note in stretch.notes if note in self._dropped])
            present = counts(blocks)
            # A link of which all words were ours may have gone with them.
            lost += (stretch.counts - lost - present) & links_lost(stretch.links)
            verify.nothing_is_lost(stretch.part, stretch.counts - lost, present)
            new = Counter(faults(blocks)) - stretch.faults
            verify.is_valid(stretch.part, [*new, *sorted(unpaired(blocks) - stretch.unpaired)])
        twice = repeated([opened.read(part) for part in self._parts], after.ours)
        verify.is_valid("the file", [f"id {number} is not unique" for number in twice])

    def baseline(self, opened: Package, after: State) -> Mapping[str, tuple[str, ...]]:
        """The baseline of the result, which `hold` has judged.

        It is the one that was there, but for what Word cannot track and parts that steps wrote.

        Raises:
            VerificationError: a part that steps added to has lost a block.
        """
        known = self.before.baseline
        if not self._written and not self._blind:
            return known
        fingerprints = fingerprint(opened, after.ours)
        for part, now in fingerprints.items():
            if part in self._written:
                verify.blocks_are_kept(part, known.get(part, ()), now)
        return (
            fingerprints
            if self._blind
            else {**fingerprints, **known, **{p: fingerprints[p] for p in self._written}}
        )

    def accept(self, opened: Package, after: State, edit: str) -> State:
        """Accept the marks of an untracked edit in the result; those of earlier edits stay.

        Raises:
            VerificationError: it then says something else.
        """
        expected = {part: list(digested) for part, digested in self.before.baseline.items()}
        gone = uncited(opened, story_parts(opened), after.ours, "final")
        for stretch in sorted(self._stretches, key=lambda judged: -judged.start):
            now = digests(
                self._now(stretch, opened),
                after.ours,
                "final",
                gone=gone,
                is_first=not stretch.start,
            )
            expected[stretch.part][stretch.at : stretch.at + stretch.size] = now
        for part in self._parts:
            root = container(opened.tree(part))
            if any(note.getparent() is root for note in gone):
                expected[part] = list(digests(root, after.ours, "final", gone=gone))
        if any(other != edit for other in after.ours.values()):
            return accept(opened, after, edit)
        settle_ours(opened, after.ours)
        fingerprints = fingerprint(opened, ())
        if not self.before.ours:
            for part, digests_found in fingerprints.items():
                if part in self._written:
                    continue
                verify.stays_the_same(part, expected.get(part, ()), digests_found)
        return State({}, frozenset(), fingerprints)

    def _now(self, stretch: _Stretch, opened: Package) -> list[Element]:
        """The blocks of a stretch in the opened result."""
        part = stretch.part
        place, result = self._found(part, opened)
        blocks = self._blocks[part]
        before = next((b for b in reversed(blocks[: stretch.start]) if b in place), None)
        behind = next((b for b in blocks[stretch.end :] if b in place), None)
        start = 0 if before is None else place[before] + 1
        last = len(result) - self._appended.get(part, 0)
        return result[start : last if behind is None else place[behind]]

    def _found(self, part: str, opened: Package) -> tuple[dict[Element, int], list[Element]]:
        """Where the blocks of the edited tree stand now, and the blocks of the opened result."""
        known = self._results.get(part)
        if known is None:
            live = list(self._holders[part])
            result = list(container(opened.tree(part)))
            if len(result) != len(live):
                message = f"{part} has {len(result)} blocks, not {len(live)}"
                raise VerificationError(message)
            known = {element: index for index, element in enumerate(live)}, result
            self._results[part] = known
        return known

    def _ranges(self, part: str, elements: set[Element]) -> list[tuple[int, int]]:
        """The stretches of blocks around some elements, with a neighbour on each side."""
        blocks, place = self._blocks[part], self._at[part]
        ranges: list[tuple[int, int]] = []
        for index in sorted({place[_top(element, self._holders[part])] for element in elements}):
            start, end = max(index - 1, 0), min(index + 2, len(blocks))
            last = ranges[-1][1] if ranges else 0
            if end <= last:
                continue
            while start > last and _is_marked(blocks[start - 1]):
                start -= 1
            while end < len(blocks) and _is_marked(blocks[end - 1]):
                end += 1
            if ranges and start <= last:
                start = ranges.pop()[0]
            ranges.append((start, end))
        return ranges

    def _taken_down(self, part: str, start: int, end: int, at: int) -> _Stretch:
        blocks = self._blocks[part][start:end]
        ours, gone = self.before.ours, self._uncited
        baseline = digests(blocks, ours, "baseline", gone=gone, is_first=not start)
        if self.before.baseline.get(part, ())[at : at + len(baseline)] != baseline:
            message = f"the stored baseline is not that of {part}"
            raise VerificationError(message)
        return _Stretch(
            part,
            start,
            end,
            at,
            len(baseline),
            digests(blocks, ours, "baseline", self._blind, gone, is_first=not start)
            if self._blind
            else baseline,
            blocks if blocks and blocks[0].tag in NOTES else [],
            counts(blocks),
            Counter(faults(blocks)),
            unpaired(blocks),
            written_links(blocks, ours),
        )

    def _count(self, work: Work, twins: Mapping[Element, Element]) -> None:
        """Add what steps will bring to what is counted where they bring it.

        What goes with a whole row, cell or table goes once, whatever else takes it along.
        """
        self._take_off(work, twins)
        goes = [set(step.reach.counts) & step.reach.gone for step in work.steps]
        wholes = set(work.removals).union(*goes)
        taken = set(work.removals)
        for step in work.steps:
            for element, more in step.reach.counts.items():
                if element in step.reach.gone:
                    if element in taken or not wholes.isdisjoint(element.iterancestors()):
                        continue
                    taken.add(element)
                for stretch in self._stretches:
                    holder = self._holders[stretch.part]
                    top = _top(element, holder)
                    if top in self._blocks[stretch.part][stretch.start : stretch.end]:
                        for _ in _forms(element, twins):
                            stretch.counts.update(more)

    def _take_off(self, work: Work, twins: Mapping[Element, Element]) -> None:
        """Take off what goes with blocks that are deleted, and with words."""
        for element, place in work.removals.items():
            for form in _forms(element, twins):
                lost = written_counts(form, self.before.ours)
                if lost:
                    self._stretch_of(place.part, form).counts.subtract(lost)
        for place, unit in work.cited:
            if unit.standing:
                self._stretch_of(place.part, place.element).counts.subtract(counts([unit.node]))

    def give_up(self, folded: Iterable[Folded]) -> None:
        """Expect less of what is counted where inserted blocks were folded away."""
        for fold in folded:
            self._stretch_of(fold.part, fold.block).counts.subtract(fold.less)

    def _stretch_of(self, part: str, element: Element) -> _Stretch:
        top = _top(element, self._holders[part])
        at = self._at[part][top]
        return next(s for s in self._stretches if s.part == part and s.start <= at < s.end)


def _forms(element: Element, twins: Mapping[Element, Element]) -> tuple[Element, ...]:
    """A block, and the same one in the other form of its text box."""
    return (element, twins[element]) if element in twins else (element,)


def _top(element: Element, holder: Element) -> Element:
    """The block of a part in which an element stands."""
    at = element
    for ancestor in element.iterancestors():
        if ancestor is holder:
            return at
        at = ancestor
    return at


def _is_marked(block: Element) -> bool:
    """Whether a block may join what stands beside it, or stands between two that may."""
    if block.tag == W_TBL:
        return any(
            child.tag in part_tree.TRACKED
            for properties in block.iterfind(f"{W_TR}/{W_TR_PR}")
            for child in properties
        )
    if block.tag in POINTS:
        return True
    marks = block.find(f"{W_PPR}/{W_RPR}") if block.tag == W_P else None
    return marks is not None and any(child.tag in part_tree.TRACKED for child in marks)
