"""Steps that change properties of whole paragraphs: which paragraphs, and how they are written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.alternate_copies import twin_of
from redraft.engine.docx.editing.anchored_elements import Finder, OperationError
from redraft.engine.docx.editing.baseline_paragraphs import is_left
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.step import Blind, Reach
from redraft.engine.docx.editing.tracked_blocks import is_mark_deleted, is_mark_inserted
from redraft.engine.docx.formatting.format_marks import Looks, looks, rewrite, same
from redraft.engine.docx.formatting.style_cascade import Cascade
from redraft.engine.docx.names import TEXT_BOXES, W_INS, W_P, W_PPR, Element, W
from redraft.engine.docx.reading.controls import is_locked_around
from redraft.engine.docx.redline.insertion_point import LOCKED
from redraft.engine.errors import RefusedError

_TRACKED_NUMBERING = (f"{W('numPr')}/{W_INS}", f"{W('numPr')}/{W('numberingChange')}")
_THEIRS = (
    "The paragraph carries another author's tracked change of its numbering; accept or reject that "
    "change first"
)


class Change(Protocol):
    """Works out new properties of paragraphs; made anew for each step that is written."""

    def __call__(self, place: Place, before: Looks) -> Element | None:
        """Returns the new `w:pPr` of a paragraph without marks; None when it stays as it is."""
        ...


@dataclass(frozen=True, slots=True)
class ParagraphStep:
    """A change of properties of paragraphs, tracked as `w:pPrChange`.

    `make` makes what works out the new properties; it may add styles and lists to the package.
    """

    paragraphs: tuple[Place, ...]
    make: Callable[[Desk, Cascade], Change]
    warnings: tuple[str, ...] = ()
    reach: Reach = field(default_factory=Reach)
    blind: frozenset[Blind] = frozenset()

    @property
    def places(self) -> tuple[Place, ...]:
        """The paragraphs."""
        return self.paragraphs

    def write(self, desk: Desk) -> bool:
        """Gives the paragraphs their new properties.

        Raises:
            RefusedError: another author's change of formatting stands on one of them.
        """
        change = self.make(desk, desk.cascade)
        written = [self._written(desk, change, place) for place in self.paragraphs]
        return any(written)

    def _written(self, desk: Desk, change: Change, place: Place) -> bool:
        twin = twin_of(place)
        paragraph = place.element
        before = looks(paragraph, W_PPR, desk.ids, "The paragraph")
        if any(before.now.find(path) is not None for path in _TRACKED_NUMBERING):
            raise RefusedError(_THEIRS)
        now = change(place, before)
        if now is None or same(now, before.now):
            return False
        for target in (paragraph,) if twin is None else (paragraph, twin):
            desk.note(place.part, target)
            own = looks(target, W_PPR, desk.ids, "The paragraph")
            ours = desk.ids.ours
            tracked = not is_mark_inserted(target, ours) or is_left(target, ours)
            rewrite(target, now, own, desk.ids, desk.stamp, tracked=tracked)
        return True


def paragraphs(finder: Finder, first: str, last: str) -> tuple[Place, ...]:
    """Returns the paragraphs from one anchor to another.

    Of a table, row or cell all that stand in it.

    A paragraph whose mark is deleted has no properties of its own any longer.

    Raises:
        OperationError: there is none, or they are not of one story or cell.
    """
    places = tuple(_paragraphs(finder, first, last))
    for place in places:
        try:
            twin_of(place)
            if is_locked_around(place.element):
                raise RefusedError(LOCKED)
        except RefusedError as error:
            raise OperationError("read_only", error) from error
    return places


def _paragraphs(finder: Finder, first: str, last: str) -> Iterator[Place]:
    if first == last:
        place = finder.place(first)
        places = [place]
        if place.kind != "paragraph":
            places = list(finder.survey.paragraphs(f"block:{first}"))
    else:
        places = finder.stretch(first, last)
    for place in places:
        if place.kind == "paragraph":
            if not is_mark_deleted(place.element):
                yield place
            continue
        for element in place.element.iter(W_P):
            box = next(element.iterancestors(*TEXT_BOXES, place.element.tag), None)
            if (box is None or box.tag not in TEXT_BOXES) and not is_mark_deleted(element):
                yield Place(place.anchor, place.part, place.story, "paragraph", element)
