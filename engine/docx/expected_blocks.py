"""What blocks will say when a plan is carried out: the small applier that law 2 is held against.

It applies a resolved plan to the wording of blocks (`engine.docx.judging.final_text`) and knows
nothing of revision marks, runs or how anything is written.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias, TypeVar

from redraft.engine.docx.editing.step import Wording
from redraft.engine.docx.judging.final_text import Part, Said
from redraft.engine.docx.names import W_ENDNOTE_REFERENCE, W_FOOTNOTE_REFERENCE, Element, W
from redraft.engine.docx.redline.tracked_text import narrowed
from redraft.engine.docx.resolution.resolve import Target, Work
from redraft.engine.docx.write_plan import texts
from redraft.engine.errors import VerificationError

_Block: TypeAlias = tuple[str, list[str]]
_Added: TypeAlias = list[tuple[str, list[_Block]]]
_What = TypeVar("_What")
_NOTES: Final = frozenset({W_FOOTNOTE_REFERENCE, W_ENDNOTE_REFERENCE})
_OWN_MARK: Final = W("customMarkFollows")


@dataclass(slots=True)
class Expectation:
    """All that a plan will do, by element of the untouched tree.

    `targets` are the paragraphs with edits of their text, twins of text boxes included.
    """

    targets: Mapping[Element, Target]
    gone: set[Element] = field(default_factory=set[Element])
    added: dict[Element, _Added] = field(default_factory=dict[Element, _Added])
    said: dict[Element, Wording] = field(default_factory=dict[Element, Wording])
    cut: dict[Element, tuple[int, ...]] = field(default_factory=dict[Element, "tuple[int, ...]"])
    joined: set[Element] = field(default_factory=set[Element])
    struck: dict[Element, set[int]] = field(default_factory=dict[Element, "set[int]"])
    placed: dict[Element, list[tuple[int, int, str]]] = field(
        default_factory=dict[Element, "list[tuple[int, int, str]]"]
    )

    @classmethod
    def of(cls, work: Work, targets: Mapping[Element, Target]) -> Expectation:
        """The expectation of a resolved plan."""
        expectation = cls(targets, set(work.removals))
        for place, operation in work.insertions:
            new = [(text, list[str]()) for text in texts(operation.blocks)]
            expectation.added.setdefault(place.element, []).append((operation.where, new))
        for step in work.steps:
            forecast = step.forecast
            expectation.gone |= forecast.gone
            expectation.joined |= forecast.joined
            expectation.said.update(forecast.said)
            for element, cuts in forecast.cut.items():
                expectation.cut[element] = tuple(sorted({*expectation.cut.get(element, ()), *cuts}))
            for element, places in forecast.struck.items():
                expectation.struck.setdefault(element, set()).update(places)
            for element, names in forecast.placed.items():
                expectation.placed.setdefault(element, []).extend(names)
            for addition in forecast.added:
                new = [(text, list(objects)) for text, objects in addition.blocks]
                expectation.added.setdefault(addition.beside, []).append((addition.where, new))
        return expectation

    def mirror(self, twins: Mapping[Element, Element]) -> None:
        """Expect of the second form of text boxes what is expected of the first one.

        Args:
            twins: Former blocks of first forms with those of second ones.
        """
        for first, second in twins.items():
            for elements in (self.gone, self.joined):
                elements.update({second} if first in elements else ())
            _repeat(self.added, first, second)
            _repeat(self.said, first, second)
            _repeat(self.cut, first, second)
            _repeat(self.struck, first, second)
            _repeat(self.placed, first, second)

    def blocks(self, before: Sequence[Said], outside: Collection[Element] = ()) -> list[_Block]:
        """What some adjacent blocks will say.

        Args:
            before: What they say now.
            outside: What they all stand in; nothing that is added beside it belongs to them.

        Raises:
            VerificationError: the text map of a paragraph does not fit its wording.
        """
        wordings: list[_Block] = []
        inside = [here.difference(outside) for here in _holders(before)]
        group: _Group | None = None
        for index, block in enumerate(before):
            here = inside[index]
            behind = inside[index - 1] if index else set[Element]()
            ahead = inside[index + 1] if index + 1 < len(before) else set[Element]()
            host = None if group is None else group.takes(here, block)
            if group is not None and host is not None:
                group.behind += self._beside((here - ahead).intersection(_around(host)), "after")
                continue
            if group is not None and not group.is_open:
                wordings += group.blocks(self)
                group = None
            pieces = self._pieces([part for part in block.parts if not self._is_gone(part)])
            wordings += self._beside(here - behind, "before")
            is_joined = bool(block.parts) and block.parts[-1].element in self.joined
            if group is None and not is_joined and len(pieces) == 1:
                wordings += [*pieces, *self._beside(here - ahead, "after")]
                continue
            group = group or _Group()
            group.go_on(block, pieces, self.cut, is_open=is_joined)
            group.behind += self._beside(here - ahead, "after")
        return wordings if group is None else [*wordings, *group.blocks(self)]

    def _beside(self, elements: Collection[Element], where: str) -> list[_Block]:
        """What is added beside elements that begin or end at one place, in the order it stands."""
        hosts = [element for element in elements if element in self.added]
        if len(hosts) > 1:
            ranks = {element: rank for rank, element in enumerate(self.added)}
            hosts.sort(key=lambda element: ranks[element])
            hosts.sort(key=lambda element: len(_around(element)), reverse=where == "after")
        return [
            (text, list(objects))
            for element in hosts
            for side, new in self.added[element]
            if side == where
            for text, objects in new
        ]

    def _is_gone(self, part: Part) -> bool:
        return any(element in self.gone for element in _around(part.element))

    def _pieces(self, parts: Sequence[Part]) -> list[_Block]:
        """One block, or several where a part is cut."""
        pieces: list[_Block] = [("", [])]
        for part in parts:
            text, objects = self._said(part)
            cuts = self.cut.get(part.element, ())
            first = len(pieces) - 1
            edges = [0, *cuts, len(text)]
            for number, (start, end) in enumerate(itertools.pairwise(edges)):
                if number:
                    pieces.append(("", []))
                last = pieces[-1]
                pieces[-1] = (last[0] + text[start:end], last[1])
            if not cuts:
                pieces[-1][1].extend(objects)
                continue
            for (_, offset), name in zip(part.nodes, part.objects, strict=True):
                pieces[first + _piece_at(cuts, offset)][1].append(name)
        return pieces

    def _said(self, part: Part) -> Wording:
        wording = self.said.get(part.element)
        if wording is not None:
            return wording
        return _edited(part, self.targets), self._objects(part)

    def _objects(self, part: Part) -> tuple[str, ...]:
        """The objects of a part that stay, and those that come."""
        struck = {*self.struck.get(part.element, ()), *_cited(part, self.targets)}
        stay = [(at, 1, 0, name) for at, name in enumerate(part.objects) if at not in struck]
        come = [(at, 0, offset, name) for at, offset, name in self.placed.get(part.element, ())]
        # Of those that come to one place the first one asked for stands first.
        return tuple(name for *_, name in sorted([*stay, *come], key=lambda ranked: ranked[:3]))


@dataclass(slots=True)
class _Group:
    """Blocks that are cut or joined; what stands in a text box follows the piece that holds it.

    `hosts` has for each physical paragraph the number of its first piece, and where it is cut.
    """

    pieces: list[_Block] = field(default_factory=list[_Block])
    boxes: list[list[Said]] = field(default_factory=list["list[Said]"])
    behind: list[_Block] = field(default_factory=list[_Block])
    hosts: dict[Element, tuple[int, tuple[int, ...], Part]] = field(
        default_factory=dict[Element, "tuple[int, tuple[int, ...], Part]"]
    )
    is_open: bool = False

    def go_on(
        self,
        block: Said,
        pieces: list[_Block],
        cut: Mapping[Element, tuple[int, ...]],
        *,
        is_open: bool,
    ) -> None:
        """Take the next block; its first piece goes on the last one when that is open."""
        if self.is_open:
            text, objects = self.pieces.pop()
            pieces = [(text + pieces[0][0], [*objects, *pieces[0][1]]), *pieces[1:]]
        at = len(self.pieces)
        self.pieces += pieces
        self.boxes += [[] for _ in range(len(self.pieces) - len(self.boxes))]
        for part in block.parts:
            cuts = cut.get(part.element, ())
            self.hosts[part.element] = at, cuts, part
            at += len(cuts)
        self.is_open = is_open

    def takes(self, inside: set[Element], block: Said) -> Element | None:
        """Take a block that stands in a text box of one of the blocks; gives that one."""
        for host, (first, cuts, part) in self.hosts.items():
            if host in inside:
                at = next((offset for node, offset in part.nodes if node in inside), 0)
                self.boxes[first + _piece_at(cuts, at)].append(block)
                return host
        return None

    def blocks(self, expectation: Expectation) -> list[_Block]:
        """What all of them will say, in order."""
        wordings: list[_Block] = []
        outside = {element for host in self.hosts for element in _around(host)}
        for piece, boxes in zip(self.pieces, self.boxes, strict=True):
            wordings += [piece, *expectation.blocks(boxes, outside)]
        return [*wordings, *self.behind]


def _piece_at(cuts: Sequence[int], offset: int) -> int:
    """The piece that an object at an offset goes with: before a cut it stays in front."""
    return sum(1 for cut in cuts if cut < offset or not cut)


def _holders(blocks: Sequence[Said]) -> list[set[Element]]:
    """For each block all elements it stands in; for one in a text box also those of its host."""
    holders: list[set[Element]] = []
    host: set[Element] = set()
    for block in blocks:
        here = {element for part in block.parts for element in _around(part.element)}
        own = {part.element for part in block.parts}
        if host & here - own:
            here |= host
        else:
            host = own
        holders.append(here)
    return holders


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


def _repeat(table: dict[Element, _What], first: Element, second: Element) -> None:
    """Say of one element what is said of another one."""
    if first in table:
        table[second] = table[first]


def _cited(part: Part, targets: Mapping[Element, Target]) -> list[int]:
    """The places among the objects of a part of notes that go with the words on both sides."""
    target = targets.get(part.element)
    notes = [
        (at, offset)
        for at, (node, offset) in enumerate(part.nodes if target is not None else ())
        if node.tag in _NOTES and node.get(_OWN_MARK, "0") not in ("1", "true", "on")
    ]
    if target is None or not notes:
        return []
    gone = [h for e in target.edits for h in narrowed(part.text, e) if not h.new]
    return [at for at, offset in notes if any(h.start < offset < h.end for h in gone)]


def _around(element: Element) -> list[Element]:
    return [element, *element.iterancestors()]
