"""What blocks will say when a plan is carried out: the small applier that law 2 is held against.

It applies a resolved plan to the wording of blocks (`engine.docx.wording`) and knows nothing of
revision marks, runs or how anything is written.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.docx.edits import texts
from engine.docx.names import Element
from engine.docx.step import Wording
from engine.docx.targets import Target, Work
from engine.docx.wording import Part, Said
from engine.errors import VerificationError

_Block: TypeAlias = tuple[str, list[str]]
_Added: TypeAlias = list[tuple[str, list[_Block]]]


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

    @classmethod
    def of(cls, work: Work, targets: Mapping[Element, Target]) -> Expectation:
        """The expectation of a resolved plan."""
        found = cls(targets, set(work.removals))
        for place, operation in work.insertions:
            new = [(text, list[str]()) for text in texts(operation.blocks)]
            found.added.setdefault(place.element, []).append((operation.where, new))
        for step in work.steps:
            forecast = step.forecast
            found.gone |= forecast.gone
            found.joined |= forecast.joined
            found.said.update(forecast.said)
            found.cut.update(forecast.cut)
            for addition in forecast.added:
                new = [(text, list(objects)) for text, objects in addition.blocks]
                found.added.setdefault(addition.beside, []).append((addition.where, new))
        return found

    def blocks(self, before: Sequence[Said]) -> list[_Block]:
        """What some adjacent blocks will say.

        Raises:
            VerificationError: the text map of a paragraph does not fit its wording.
        """
        found: list[_Block] = []
        inside = _holders(before)
        open_block: _Block | None = None
        for index, block in enumerate(before):
            here = inside[index]
            behind = inside[index - 1] if index else set[Element]()
            ahead = inside[index + 1] if index + 1 < len(before) else set[Element]()
            for element in here - behind:
                found += self._beside(element, "before")
            kept = [part for part in block.parts if not self._is_gone(part)]
            pieces = self._pieces(kept)
            if open_block is not None:
                text, objects = pieces[0]
                open_block[1].extend(objects)
                pieces[0] = (open_block[0] + text, open_block[1])
                open_block = None
            if block.parts and block.parts[-1].element in self.joined:
                open_block = pieces.pop()
            found += pieces
            for element in here - ahead:
                found += self._beside(element, "after")
        return found if open_block is None else [*found, open_block]

    def _beside(self, element: Element, where: str) -> list[_Block]:
        return [
            (text, list(objects))
            for side, new in self.added.get(element, ())
            if side == where
            for text, objects in new
        ]

    def _is_gone(self, part: Part) -> bool:
        return any(element in self.gone for element in _around(part.element))

    def _pieces(self, parts: Sequence[Part]) -> list[_Block]:
        """One block, or several where a part is cut."""
        found: list[_Block] = [("", [])]
        for part in parts:
            text, objects = self._said(part)
            edges = [0, *self.cut.get(part.element, ()), len(text)]
            for number, (start, end) in enumerate(itertools.pairwise(edges)):
                if number:
                    found.append(("", []))
                last = found[-1]
                found[-1] = (last[0] + text[start:end], last[1])
            found[-1][1].extend(objects)
        return found

    def _said(self, part: Part) -> Wording:
        said = self.said.get(part.element)
        if said is not None:
            return said
        return _edited(part, self.targets), tuple(part.objects)


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
