"""What a plan means in this file: operations resolved to paragraphs, spans and places.

Nothing is changed here. Every operation addresses the file as it stands before the plan; two that
touch the same words are a fault. What is more than words and whole blocks becomes a step
(`engine.docx.editing.step`), which the catalogue of steps resolves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from engine import locate, tokens
from engine.docx.anchors import Place
from engine.docx.editing.finding import Finder, OperationError, unable
from engine.docx.editing.furniture import FURNITURE
from engine.docx.editing.step import Step
from engine.docx.editing.survey import Survey
from engine.docx.judging.fingerprint import story_parts
from engine.docx.judging.validity import present
from engine.docx.names import Element
from engine.docx.steps import controls, kept_controls, notes
from engine.docx.steps.catalogue import step_of
from engine.docx.steps.table_places import only_paragraph, whole_table
from engine.docx.text.line import Line
from engine.docx.text.redline import Edit, Fresh, narrowed
from engine.docx.text.segments import parts, segments, within
from engine.errors import AmbiguousError, NotFoundError, PlanError, RefusedError
from engine.pieces import Words
from engine.plan import (
    DeleteBlocks,
    DeleteTable,
    EditNote,
    EditPlan,
    Fault,
    FindReplace,
    InsertBlocks,
    Operation,
    ReplaceText,
    RewriteBlock,
    SetCell,
    SetField,
    SettleChange,
)


@dataclass(slots=True)
class Target:
    """A paragraph with the edits that fall on it."""

    place: Place
    line: Line
    edits: list[Edit] = field(default_factory=list[Edit])


@dataclass(slots=True)
class Work:
    """Everything a plan does, resolved; `skipped` hits stand in text that cannot be edited.

    `longer` are the words of which a text replaced everywhere was only a part.
    """

    targets: dict[Element, Target] = field(default_factory=dict[Element, Target])
    insertions: list[tuple[Place, InsertBlocks]] = field(
        default_factory=list[tuple[Place, InsertBlocks]]
    )
    removals: dict[Element, Place] = field(default_factory=dict[Element, Place])
    steps: list[Step] = field(default_factory=list[Step])
    skipped: int = 0
    longer: Counter[str] = field(default_factory=Counter[str])


class Resolver:
    """Resolves the operations of a plan against a survey of the document."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        self.work = Work()
        self._finder = Finder(survey)

    def resolve(self, plan: EditPlan) -> Work:
        """All operations of a plan.

        Raises:
            EditError: the first operation that cannot be carried out.
        """
        for operation in plan.operations:
            try:
                self.operation(operation)
            except OperationError as failed:
                raise failed.error from None
        self._check_overlaps()
        return self.work

    def faults(self, plan: EditPlan) -> Iterator[Fault]:
        """Why operations cannot be carried out, each tried on its own."""
        for index, operation in enumerate(plan.operations):
            try:
                self.operation(operation)
            except OperationError as failed:
                yield Fault(index, failed.code, str(failed.error))
                continue
            try:
                self._check_overlaps()
            except PlanError as error:
                yield Fault(index, "overlap", str(error))
                self.work = Work()

    def operation(self, operation: Operation) -> None:
        """Resolve one operation.

        Raises:
            OperationError: it cannot be carried out.
        """
        match operation:
            case ReplaceText():
                self._replace(operation)
            case RewriteBlock():
                self._rewrite(operation)
            case FindReplace():
                self._everywhere(operation)
            case InsertBlocks():
                self._insert(operation)
            case DeleteBlocks() | DeleteTable():
                self._delete(operation)
            case _:
                self._other(operation)

    def _other(self, operation: Operation) -> None:
        """Resolve an operation that is another one in this file, or a step."""
        match operation:
            case SettleChange():
                self._decide(operation)
            case SetCell():
                block = only_paragraph(self._finder, operation.cell)
                self._rewrite(RewriteBlock(block, operation.text))
            case EditNote():
                self._rewrite(notes.rewriting(self._finder, operation))
            case SetField():
                found = controls.filling(self._finder, operation)
                for edit in found.edits:
                    self._put_down(found.place, found.line, edit)
                self.work.steps += found.steps
            case _:
                self.work.steps.append(step_of(self._finder, operation))

    # Text

    def _add(self, place: Place, line: Line, edit: Edit) -> None:
        self.work.steps += kept_controls.filled(self.survey.package, place, line, edit)
        self._put_down(place, line, edit)

    def _put_down(self, place: Place, line: Line, edit: Edit) -> None:
        target = self.work.targets.get(place.element)
        if target is None:
            target = self.work.targets[place.element] = Target(place, line)
        target.edits.append(edit)

    def _replace(self, operation: ReplaceText) -> None:
        lines = self._finder.lines(self._finder.paragraph(operation.anchor))
        text = "".join(line.text for _, line in lines)
        hits = locate.find(text, operation.find)
        if not hits:
            raise OperationError("text_not_found", NotFoundError(closest=text))
        index = operation.occurrence
        if index is None and len(hits) > 1:
            message = f"The text stands {len(hits)} times in {operation.anchor}; say which is meant"
            raise OperationError("ambiguous", AmbiguousError(message))
        if index is not None and not 1 <= index <= len(hits):
            raise OperationError("text_not_found", NotFoundError(closest=text))
        start, end = hits[(index or 1) - 1]
        self._put(lines, start, end, operation.replace)

    def _put(self, lines: Sequence[tuple[Place, Line]], start: int, end: int, replace: str) -> None:
        """Replace text[start:end] of a block, whose text may run over joined paragraphs."""
        if "\u27e6" in replace and len(lines) == 1:
            names, _ = parts(tokens.parse(replace, ()).pieces)
            if names:
                place, line = lines[0]
                for edit in _refused(lambda: self._with_tokens(line, start, end, replace)):
                    self._add(place, line, edit)
                return
        fresh = _fresh(replace)
        at = 0
        for place, line in lines:
            size = len(line.text)
            if at <= start and end <= at + size:
                marks = self.survey.emphasis(line) if _has_marks(fresh) else None
                edit = Edit(start - at, end - at, fresh, old_marks=marks)
                self._add(place, line, edit)
                return
            at += size
        self._across(lines, start, end, fresh)

    def _across(
        self,
        lines: Sequence[tuple[Place, Line]],
        start: int,
        end: int,
        fresh: tuple[Fresh, ...],
    ) -> None:
        """An edit over joined paragraphs: each word goes to the paragraph it begins in."""
        text = "".join(line.text for _, line in lines)
        for hunk in narrowed(text, Edit(start, end, fresh)):
            at = 0
            new = hunk.new
            for index, (place, line) in enumerate(lines):
                size = len(line.text)
                low, high = max(hunk.start, at), min(hunk.end, at + size)
                is_here = low < high or (
                    hunk.start == hunk.end
                    and at <= hunk.start <= at + size
                    and (hunk.start < at + size or index == len(lines) - 1)
                )
                if is_here:
                    self._add(place, line, Edit(low - at, max(high, low) - at, new))
                    new = ()
                    if hunk.start == hunk.end:
                        break
                at += size

    def _with_tokens(self, line: Line, start: int, end: int, replace: str) -> list[Edit]:
        return within(
            line, start, end, tokens.parse(replace, ()).pieces, self.survey.emphasis(line)
        )

    def _rewrite(self, operation: RewriteBlock) -> None:
        lines = self._finder.lines(self._finder.paragraph(operation.anchor))
        known = self.survey.known(lines[-1][0].anchor)
        parsed = tokens.parse(operation.text, known)
        if parsed.faults:
            fault = parsed.faults[0]
            raise OperationError(fault.code, PlanError(f"{operation.anchor}: {fault.message}"))
        if len(lines) == 1:
            place, line = lines[0]
            marks = self.survey.emphasis(line)
            for edit in _refused(lambda: segments(line, known, parsed.pieces, marks)):
                self._add(place, line, edit)
            return
        names, chunks = parts(parsed.pieces)
        if names:
            message = "The paragraph was joined from others; replace words in it instead"
            raise OperationError("read_only", RefusedError(message))
        text = "".join(line.text for _, line in lines)
        self._across(lines, 0, len(text), chunks[0].fresh)

    def _everywhere(self, operation: FindReplace) -> None:
        fresh = _fresh(operation.replace)
        found: list[tuple[Place, Line, int, int, str]] = []
        for place in self._scope(operation.scope):
            line = self.survey.line(place)
            text = line.text
            found += [
                (place, line, start, end, text[start:end])
                for start, end in locate.occurrences(
                    text,
                    operation.find,
                    match_case=operation.match_case,
                    whole_word=operation.whole_word,
                )
            ]
        if operation.limit is not None:
            limit = operation.limit
            found = found[:limit] if limit >= 0 else found[limit:]
        if not found:
            raise OperationError("no_match", NotFoundError())
        skipped = 0
        for place, line, start, end, said in found:
            is_kept = kept_controls.is_kept(self.survey.package, place, line, start, end)
            if is_kept or self.survey.is_locked(line, start, end):
                skipped += 1
                continue
            new = fresh if operation.match_case else _adapted(fresh, said, operation.find)
            marks = self.survey.emphasis(line) if _has_marks(fresh) else None
            self._add(place, line, Edit(start, end, new, old_marks=marks))
            longer = locate.longer_word(line.text, (start, end))
            if longer:
                self.work.longer[longer] += 1
        if skipped == len(found):
            message = (
                "The text stands only in computed fields or locked controls, which Word fills; "
                "the document is unchanged"
            )
            raise OperationError("read_only", RefusedError(message))
        self.work.skipped += skipped

    def _scope(self, scope: str) -> Iterator[Place]:
        try:
            yield from self.survey.paragraphs(scope)
        except (NotFoundError, PlanError) as error:
            raise OperationError("unknown_scope", PlanError(str(error))) from error

    # Blocks

    def _insert(self, operation: InsertBlocks) -> None:
        for block in operation.blocks:
            _fresh(block.text)
        if operation.anchor in FURNITURE:
            # It is made or found before this round (`engine.docx.editing.furniture`).
            return
        place = self._finder.place(operation.anchor)
        if place.kind not in ("paragraph", "table"):
            raise unable("wrong_kind", f"{operation.anchor} is no paragraph or table")
        self.work.insertions.append((place, operation))

    def _delete(self, operation: DeleteBlocks | DeleteTable) -> None:
        if isinstance(operation, DeleteTable):
            table = whole_table(self._finder, operation.at)
            operation = DeleteBlocks(table, table)
        for place in self._finder.stretch(operation.first, operation.last):
            self.work.removals[place.element] = place

    def _decide(self, operation: SettleChange) -> None:
        """See that a change is there: by the id of its first mark, or a mark's that repeats it."""
        package = self.survey.package
        number = operation.change.partition(".")[0]
        known = present([package.read(part) for part in story_parts(package)])
        if not number.isdecimal() or int(number) not in known:
            message = f"There is no change {operation.change[:60]}"
            raise OperationError("unknown_change", NotFoundError(message))

    def _check_overlaps(self) -> None:
        for element, target in self.work.targets.items():
            target.edits.sort(key=lambda edit: (edit.start, edit.end))
            at = 0
            for edit in target.edits:
                if edit.start < at or any(
                    a is element or a in self.work.removals
                    for a in element.iterancestors(element.tag)
                ):
                    break
                at = edit.end
            else:
                if element not in self.work.removals:
                    continue
            message = f"Two operations touch the same words of {target.place.anchor}"
            raise PlanError(message)


def _refused(make: Callable[[], list[Edit]]) -> list[Edit]:
    try:
        return make()
    except PlanError as error:
        raise OperationError("crosses_placeholder", error) from error
    except RefusedError as error:
        raise OperationError("read_only", error) from error


def _fresh(text: str) -> tuple[Fresh, ...]:
    """New text that brings no tokens; without any emphasis it inherits its looks.

    Raises:
        OperationError: the markup is broken, or tokens stand in it.
    """
    parsed = tokens.parse(text, ())
    if parsed.faults:
        fault = parsed.faults[0]
        raise OperationError(fault.code, PlanError(fault.message))
    _, chunks = parts(parsed.pieces)
    fresh = chunks[0].fresh
    if any(isinstance(piece, Words) and piece.marks for piece in parsed.pieces):
        return fresh
    return (Fresh("".join(each.text for each in fresh)),) if fresh else ()


def _has_marks(fresh: Sequence[Fresh]) -> bool:
    return any(each.marks is not None for each in fresh)


def _adapted(fresh: tuple[Fresh, ...], found: str, quote: str) -> tuple[Fresh, ...]:
    if len(fresh) != 1:
        return fresh
    return (Fresh(locate.adapted(fresh[0].text, found, quote), fresh[0].marks),)
