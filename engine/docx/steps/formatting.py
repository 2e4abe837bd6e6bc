"""Sets character properties of quoted text or of whole blocks: `engine.plan.FormatText`.

A run that stands in the baseline gets a `w:rPrChange`; text that we inserted is formatted as it
stands. A whole paragraph is formatted with its mark, as Word does when all of it is selected.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from redraft.engine import locate
from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.alternate_copies import twin_of
from redraft.engine.docx.editing.anchored_elements import Finder, OperationError
from redraft.engine.docx.editing.baseline_paragraphs import is_left
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.step import Blind, Reach
from redraft.engine.docx.editing.tracked_blocks import is_mark_deleted, is_mark_inserted
from redraft.engine.docx.formatting.format_marks import Looks, looks, rewrite, same, standing
from redraft.engine.docx.formatting.run_cuts import Cut, Span, computed, cuts, join
from redraft.engine.docx.formatting.style_cascade import Cascade
from redraft.engine.docx.formatting.text_properties import Wish, applied, wish
from redraft.engine.docx.names import W_PPR, W_RPR, Element, W
from redraft.engine.docx.redline.line import Line
from redraft.engine.docx.redline.textmap import revision_id
from redraft.engine.errors import AmbiguousError, NotFoundError, PlanError, RefusedError
from redraft.engine.plan import FormatText

_LOCKED = "The text stands in a locked content control; the document is unchanged"
_COMPUTED = (
    "The text is part of a computed field; Word may give it other formatting when it updates the "
    "field"
)
_RPR_CHANGE = W("rPrChange")
_TEXT = "The text"
# They would undo what makes the reference of a note look like one.
_NOT_FOR_NOTES = frozenset({"vertical", "size", "all_caps", "small_caps"})


@dataclass(frozen=True, slots=True)
class _Stretch:
    """What is formatted of one paragraph; `is_whole` says that it is all of it and its mark."""

    place: Place
    spans: tuple[Span, ...]
    is_whole: bool


@dataclass(frozen=True, slots=True)
class FormatStep:
    """A character property for stretches of text."""

    wish: Wish
    stretches: tuple[_Stretch, ...]
    warnings: tuple[str, ...] = ()
    reach: Reach = field(default_factory=Reach)
    blind: frozenset[Blind] = frozenset()

    @property
    def places(self) -> tuple[Place, ...]:
        """The paragraphs."""
        return tuple(stretch.place for stretch in self.stretches)

    def write(self, desk: Desk) -> bool:
        """Formats the runs.

        Raises:
            RefusedError: another author's change of formatting stands on one of them.
        """
        cascade = desk.cascade
        done = False
        for stretch in self.stretches:
            place = stretch.place
            twin = twin_of(place)
            done |= self._paragraph(desk, cascade, place, stretch)
            if twin is not None:
                other = Place(place.anchor, place.part, place.story, "paragraph", twin)
                self._paragraph(desk, cascade, other, stretch)
        return done

    def _paragraph(self, desk: Desk, cascade: Cascade, place: Place, stretch: _Stretch) -> bool:
        line = desk.line(place)
        notes = self.wish.property not in _NOT_FOR_NOTES
        pieces = cuts(line, stretch.spans, notes=notes, is_whole=stretch.is_whole)
        changes = [piece for piece in pieces if self._is_due(desk, cascade, line, piece)]
        if changes:
            desk.note_place(place)
        join([run for cut in changes for run in self._run(desk, cascade, line, cut)])
        is_due = bool(changes) or not pieces
        if stretch.is_whole and is_due and not is_mark_deleted(place.element):
            return self._mark(desk, cascade, place) or bool(changes)
        return bool(changes)

    def _is_due(self, desk: Desk, cascade: Cascade, line: Line, cut: Cut) -> bool:
        """Returns whether a run looks otherwise than wished.

        Another author's mark matters only then.
        """
        seen = Looks(standing(cut.run, W_RPR), None)
        if applied(self.wish, seen, line.paragraph, cascade, cut.text) is None:
            return False
        looks(cut.run, W_RPR, desk.ids, _TEXT)
        return True

    def _run(self, desk: Desk, cascade: Cascade, line: Line, cut: Cut) -> list[Element]:
        """Formats what is taken of a run; what is new text of ours carries no mark.

        Returns:
            The runs that are as the baseline has them again.
        """
        restored: list[Element] = []
        for run in cut.split(desk.ids):
            before = looks(run, W_RPR, desk.ids, _TEXT)
            now = applied(self.wish, before, line.paragraph, cascade, cut.text)
            assert now is not None  # it was due before it was cut
            tracked = not cut.is_written
            rewrite(run, now, before, desk.ids, desk.stamp, tracked=tracked)
            if before.old is not None and same(now, before.old):
                restored.append(run)
            stamp = cut.unit.stamp
            if cut.is_written and stamp is not None and stamp.id is not None:
                desk.ids.formatted.add(stamp.id)
        return restored

    def _mark(self, desk: Desk, cascade: Cascade, place: Place) -> bool:
        """Formats the mark of a paragraph, which its list number looks like."""
        paragraph = place.element
        change = paragraph.find(f"{W_PPR}/{W_RPR}/{_RPR_CHANGE}")
        if change is not None and revision_id(change) not in desk.ids.ours:
            return False
        properties = paragraph.find(W_PPR)
        owner = paragraph.makeelement(W_PPR) if properties is None else properties
        before = looks(owner, W_RPR, desk.ids, "The paragraph mark")
        now = applied(self.wish, before, paragraph, cascade, "")
        if now is None:
            return False
        desk.note_place(place)
        if properties is None:
            paragraph.insert(0, owner)
        ours = desk.ids.ours
        tracked = not is_mark_inserted(paragraph, ours) or is_left(paragraph, ours)
        rewrite(owner, now, before, desk.ids, desk.stamp, tracked=tracked)
        if not len(owner):
            paragraph.remove(owner)
        return True


def resolve(finder: Finder, operation: FormatText) -> FormatStep:
    """Returns what a plan's operation means here.

    Raises:
        OperationError: no such text, no such value, or it is locked.
    """
    try:
        wanted = wish(operation.property, operation.value)
    except PlanError as error:
        raise OperationError("bad_value", error) from error
    blocks = _blocks(finder, operation.block)
    chosen = _whole(blocks) if not operation.find else _quoted(blocks, operation)
    for place, line, spans in chosen:
        _check(line, spans)
        _checked_twin(place)
    stretches = tuple(
        _Stretch(place, spans, is_whole=not operation.find) for place, _, spans in chosen
    )
    is_computed = any(computed(line, spans) for _, line, spans in chosen)
    return FormatStep(wanted, stretches, (_COMPUTED,) if is_computed else ())


_Lines = list[tuple[Place, Line]]
_Chosen = list[tuple[Place, Line, tuple[Span, ...]]]


def _blocks(finder: Finder, anchor: str) -> list[_Lines]:
    """Returns the blocks that an anchor names, each as its physical paragraphs.

    Of a table all cells.
    """
    place = finder.place(anchor)
    if place.kind == "paragraph":
        return [finder.lines(place)]
    survey = finder.survey
    return [
        [(paragraph, survey.line(paragraph))] for paragraph in survey.paragraphs(f"block:{anchor}")
    ]


def _whole(blocks: list[_Lines]) -> _Chosen:
    return [
        (place, line, ((0, len(line.text)),) if line.text else ())
        for lines in blocks
        for place, line in lines
    ]


def _quoted(blocks: list[_Lines], operation: FormatText) -> _Chosen:
    texts = ["".join(line.text for _, line in lines) for lines in blocks]
    hits = [
        (lines, start, end)
        for lines, text in zip(blocks, texts, strict=True)
        for start, end in locate.find(text, operation.find)
    ]
    closest = "\n".join(texts)
    if not hits:
        raise OperationError("text_not_found", NotFoundError(closest=closest))
    wanted = operation.occurrence
    if wanted is None and len(hits) > 1:
        message = f"The text stands {len(hits)} times in {operation.block}; say which is meant"
        raise OperationError("ambiguous", AmbiguousError(message))
    if wanted is not None and wanted != 0:
        if not 1 <= wanted <= len(hits):
            raise OperationError("text_not_found", NotFoundError(closest=closest))
        hits = [hits[wanted - 1]]
    spans: dict[Element, tuple[Place, Line, list[Span]]] = {}
    for lines, start, end in hits:
        at = 0
        for place, line in lines:
            low, high = max(start - at, 0), min(end - at, len(line.text))
            if low < high:
                spans.setdefault(place.element, (place, line, []))[2].append((low, high))
            at += len(line.text)
    return [(place, line, tuple(ranges)) for place, line, ranges in spans.values()]


def _check(line: Line, spans: tuple[Span, ...]) -> None:
    for cut in cuts(line, spans, notes=False, is_whole=False):
        if any(unit.lock == "control" for unit, _, taken in cut.pieces if taken):
            raise OperationError("read_only", RefusedError(_LOCKED))


def _checked_twin(place: Place) -> None:
    try:
        twin_of(place)
    except RefusedError as error:
        raise OperationError("read_only", error) from error
