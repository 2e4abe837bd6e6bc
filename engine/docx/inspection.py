"""Holds an edited file against the laws of the redline before it is saved.

Only stretches around changed blocks are looked into: all other blocks have the same bytes. Before
the edit the stretches' baseline digests, their wording and what stands in them are taken down;
afterwards the result, opened anew, is compared with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine import verify
from engine.docx import settling
from engine.docx.edits import texts, twin_of
from engine.docx.fingerprint import container, count, digests, fingerprint, story_parts
from engine.docx.names import W_P, W_PPR, W_RPR, Element
from engine.docx.package import Package
from engine.docx.splice import Splicer
from engine.docx.targets import Target, Work
from engine.docx.textmap import revision_id
from engine.docx.validity import counts, faults, repeated, unpaired
from engine.docx.wording import Part, Said, said
from engine.errors import VerificationError
from engine.state import State

_Block = tuple[str, list[str]]


@dataclass(slots=True)
class _Stretch:
    """Adjacent blocks of a part that may change.

    `start`, `end` index its blocks as they were, `at` the digests of its baseline.
    """

    part: str
    start: int
    end: int
    at: int = 0
    baseline: tuple[str, ...] = ()
    expected: list[_Block] = field(default_factory=list[_Block])
    counts: Counter[str] = field(default_factory=Counter[str])
    faults: Counter[str] = field(default_factory=Counter[str])
    unpaired: set[str] = field(default_factory=set[str])


class Inspector:
    """Takes down what stands before an edit and judges what stands after it."""

    def __init__(self, package: Package, before: State) -> None:
        self.before = before
        self._package = package
        self._parts = story_parts(package)
        self._bytes = {part: package.read(part) for part in self._parts}
        self._holders = {part: container(package.tree(part)) for part in self._parts}
        self._blocks = {part: list(holder) for part, holder in self._holders.items()}
        self._stretches: list[_Stretch] = []
        self._twins: dict[Element, Target] = {}
        self._results: dict[str, tuple[dict[Element, int], list[Element]]] = {}

    def expect(self, work: Work) -> None:
        """Take down what stands where a plan will change something, and what should stand then.

        Raises:
            VerificationError: the file is not the one that its state was stored for, or the text
                map misread it.
        """
        touched: dict[str, set[Element]] = {}
        for target in work.targets.values():
            twin = twin_of(target.place)
            if twin is not None:
                self._twins[twin] = target
            touched.setdefault(target.place.part, set()).add(target.place.element)
        for place, _ in work.insertions:
            touched.setdefault(place.part, set()).add(place.element)
        for element, place in work.removals.items():
            touched.setdefault(place.part, set()).add(element)
        for part, elements in touched.items():
            counted = at = 0
            for start, end in self._ranges(part, elements):
                at += count(self._blocks[part][counted:start], self.before.ours)
                counted = start
                self._stretches.append(self._taken_down(part, start, end, at, work))

    def hold(self, opened: Package, after: State) -> None:
        """Judge the result.

        Raises:
            VerificationError: a law or a validity rule is broken.
        """
        touched = {stretch.part for stretch in self._stretches}
        for part in self._parts:
            if part not in touched and opened.read(part) != self._bytes[part]:
                message = f"{part} was not to be changed"
                raise VerificationError(message)
        for stretch in self._stretches:
            blocks = self._now(stretch, opened)
            found = digests(blocks, after.ours, "baseline")
            verify.baseline_is_kept(stretch.part, stretch.baseline, found)
            verify.says_what_was_planned(
                stretch.part,
                stretch.expected,
                [(block.text, block.objects) for block in said(blocks)],
            )
            verify.nothing_is_lost(stretch.part, stretch.counts, counts(blocks))
            new = Counter(faults(blocks)) - stretch.faults
            verify.is_valid(stretch.part, [*new, *sorted(unpaired(blocks) - stretch.unpaired)])
        twice = repeated([opened.read(part) for part in self._parts], after.ours)
        verify.is_valid("the file", [f"id {number} is not unique" for number in twice])

    def accept(self, opened: Package, after: State) -> State:
        """Accept all marks of ours in the result: the file of an untracked document.

        Raises:
            VerificationError: it then says something else.
        """
        expected = {part: list(found) for part, found in self.before.baseline.items()}
        for stretch in sorted(self._stretches, key=lambda each: -each.start):
            now = digests(self._now(stretch, opened), after.ours, "final")
            expected[stretch.part][stretch.at : stretch.at + len(stretch.baseline)] = now
        settle_ours(opened, after)
        found = fingerprint(opened, ())
        if not self.before.ours:
            for part, digests_found in found.items():
                verify.baseline_is_kept(part, expected.get(part, ()), digests_found)
        return State({}, frozenset(), found)

    def _now(self, stretch: _Stretch, opened: Package) -> list[Element]:
        """The blocks of a stretch in the opened result."""
        part = stretch.part
        place, found = self._found(part, opened)
        blocks = self._blocks[part]
        start = place[blocks[stretch.start - 1]] + 1 if stretch.start else 0
        end = place[blocks[stretch.end]] if stretch.end < len(blocks) else len(found)
        return found[start:end]

    def _found(self, part: str, opened: Package) -> tuple[dict[Element, int], list[Element]]:
        """Where the blocks of the edited tree stand now, and the blocks of the opened result."""
        known = self._results.get(part)
        if known is None:
            live = list(self._holders[part])
            found = list(container(opened.tree(part)))
            if len(found) != len(live):
                message = f"{part} has {len(found)} blocks, not {len(live)}"
                raise VerificationError(message)
            known = {element: index for index, element in enumerate(live)}, found
            self._results[part] = known
        return known

    def _ranges(self, part: str, elements: set[Element]) -> list[tuple[int, int]]:
        """The stretches of blocks around some elements, with a neighbour on each side."""
        blocks = self._blocks[part]
        holder = self._holders[part]
        place = {element: index for index, element in enumerate(blocks)}
        indices = sorted({place[_top(element, holder)] for element in elements})
        found: list[tuple[int, int]] = []
        for index in indices:
            start, end = max(index - 1, 0), min(index + 2, len(blocks))
            while start and _is_marked(blocks[start - 1]):
                start -= 1
            while end < len(blocks) and _is_marked(blocks[end - 1]):
                end += 1
            if found and start <= found[-1][1]:
                found[-1] = (found[-1][0], max(end, found[-1][1]))
            else:
                found.append((start, end))
        return found

    def _taken_down(self, part: str, start: int, end: int, at: int, work: Work) -> _Stretch:
        blocks = self._blocks[part][start:end]
        ours = self.before.ours
        baseline = digests(blocks, ours, "baseline")
        if self.before.baseline.get(part, ())[at : at + len(baseline)] != baseline:
            message = f"the stored baseline is not that of {part}"
            raise VerificationError(message)
        return _Stretch(
            part,
            start,
            end,
            at,
            baseline,
            _expected(said(blocks), work, {**work.targets, **self._twins}),
            counts(blocks),
            Counter(faults(blocks)),
            unpaired(blocks),
        )


def settle_ours(package: Package, state: State) -> None:
    """Accept every mark of ours in a package."""
    for part in story_parts(package):
        root = package.tree(part)
        marks = [mark for mark in settling.revisions(root) if revision_id(mark) in state.ours]
        if marks:
            splicer = Splicer(package, part)
            settler = settling.Settler(root)
            settler.settle(marks, "accept")
            package.replace(part, splicer.settled(settler.changed))


def _expected(
    blocks: Sequence[Said], work: Work, targets: Mapping[Element, Target]
) -> list[_Block]:
    """What a stretch will say: the wording of its blocks with the plan applied to it."""
    found: list[_Block] = []
    anchors: Mapping[Element, list[tuple[str, list[str]]]] = _insertions(work)
    inside = _holders(blocks)
    for index, block in enumerate(blocks):
        here = inside[index]
        behind = inside[index - 1] if index else set[Element]()
        ahead = inside[index + 1] if index + 1 < len(blocks) else set[Element]()
        for element in here - behind:
            for where, new in anchors.get(element, ()):
                if where == "before":
                    found += [(text, []) for text in new]
        kept = [part for part in block.parts if not _is_removed(part, work)]
        text = "".join([_edited(part, targets) for part in kept])
        found.append((text, [name for part in kept for name in part.objects]))
        for element in here - ahead:
            for where, new in anchors.get(element, ()):
                if where == "after":
                    found += [(text, []) for text in new]
    return found


def _holders(blocks: Sequence[Said]) -> list[set[Element]]:
    """For each block all elements it stands in; for one in a text box also those of its host."""
    found: list[set[Element]] = []
    host: set[Element] = set()
    for block in blocks:
        here = {element for part in block.parts for element in _around(part.element)}
        own = {part.element for part in block.parts}
        if host & here - own:
            here |= host
        else:
            host = own
        found.append(here)
    return found


def _insertions(work: Work) -> dict[Element, list[tuple[str, list[str]]]]:
    found: dict[Element, list[tuple[str, list[str]]]] = {}
    for place, operation in work.insertions:
        entry = (operation.where, texts(operation.blocks))
        found.setdefault(place.element, []).append((entry[0], entry[1]))
    return found


def _is_removed(part: Part, work: Work) -> bool:
    return any(element in work.removals for element in _around(part.element))


def _edited(part: Part, targets: Mapping[Element, Target]) -> str:
    target = targets.get(part.element)
    if target is None:
        return part.text
    if len(target.line.text) != len(part.text):
        message = f"the text map of {target.place.anchor} does not fit its wording"
        raise VerificationError(message)
    text = part.text
    for edit in reversed(target.edits):
        new = "".join([fresh.text for fresh in edit.new])
        text = text[: edit.start] + new + text[edit.end :]
    return text


def _around(element: Element) -> list[Element]:
    return [element, *element.iterancestors()]


def _top(element: Element, holder: Element) -> Element:
    """The block of a part in which an element stands."""
    at = element
    for ancestor in element.iterancestors():
        if ancestor is holder:
            return at
        at = ancestor
    return at


def _is_marked(block: Element) -> bool:
    """Whether the mark of a paragraph is tracked, so that it may join the next one."""
    marks = block.find(f"{W_PPR}/{W_RPR}") if block.tag == W_P else None
    return marks is not None and any(child.tag in settling.TRACKED for child in marks)
