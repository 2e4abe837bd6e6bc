"""What a plan means in this file: operations resolved to paragraphs, spans and places.

Nothing is changed here. Every operation addresses the file as it stands before the plan; two that
touch the same words are a fault. What is more than words and whole blocks becomes a step
(`engine.docx.editing.step`), which the catalogue of steps resolves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from redraft.engine import already_applied, locate, tokens
from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.anchored_elements import Finder, OperationError, unable
from redraft.engine.docx.editing.document_index import Survey
from redraft.engine.docx.editing.headers_footers import FURNITURE
from redraft.engine.docx.editing.step import Step
from redraft.engine.docx.judging.fingerprint import story_parts
from redraft.engine.docx.judging.validity import present
from redraft.engine.docx.names import W_PPR, W_VAL, Element, W
from redraft.engine.docx.reading.comment_threads import elements_of
from redraft.engine.docx.redline.insertion_point import notes_of
from redraft.engine.docx.redline.line import Line, Opaque, Unit
from redraft.engine.docx.redline.segments import parts, segments, within
from redraft.engine.docx.redline.tracked_text import Edit, Fresh, cited, narrowed, with_blanks_of
from redraft.engine.docx.resolution.conflicts import check_conflicts
from redraft.engine.docx.steps import controls, footnotes
from redraft.engine.docx.steps.catalogue import step_of
from redraft.engine.docx.steps.table_places import only_paragraph, whole_table
from redraft.engine.docx.styles import Styles
from redraft.engine.errors import AmbiguousError, NotFoundError, PlanError, RefusedError
from redraft.engine.inline_pieces import Words
from redraft.engine.plan import (
    DeleteBlocks,
    DeleteComment,
    DeleteTable,
    EditNote,
    EditPlan,
    Fault,
    FindReplace,
    InsertBlocks,
    Operation,
    ReplaceText,
    ReplyComment,
    ResolveComment,
    RewriteBlock,
    SetCell,
    SetField,
    SettleChange,
)

_NUM_ID: Final = f"{W('numPr')}/{W('numId')}"
_STYLE: Final = W("pStyle")


@dataclass(slots=True)
class Target:
    """A paragraph with the edits that fall on it, and the references to notes in it."""

    place: Place
    line: Line
    edits: list[Edit] = field(default_factory=list[Edit])
    notes: list[tuple[int, Unit]] = field(default_factory=list[tuple[int, Unit]])


@dataclass(slots=True)
class Work:
    """Everything a plan does, resolved; `skipped` hits stand in text that cannot be edited.

    `longer` are the words of which a text replaced everywhere was only a part, `cited` the
    references to notes that go with the words around them, `said` the new words that stood already
    around what they were to replace. `ranks` has for each of the `insertions` how many of the
    `steps` the plan names before it.
    """

    targets: dict[Element, Target] = field(default_factory=dict[Element, Target])
    insertions: list[tuple[Place, InsertBlocks]] = field(
        default_factory=list[tuple[Place, InsertBlocks]]
    )
    ranks: list[int] = field(default_factory=list[int])
    removals: dict[Element, Place] = field(default_factory=dict[Element, Place])
    steps: list[Step] = field(default_factory=list[Step])
    skipped: int = 0
    cited: list[tuple[Place, Unit]] = field(default_factory=list[tuple[Place, Unit]])
    longer: Counter[str] = field(default_factory=Counter[str])
    repeated: Counter[str] = field(default_factory=Counter[str])


class Resolver:
    """Resolves the operations of a plan against a survey of the document."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        self.work = Work()
        self._finder = Finder(survey)
        self._data: set[Element] = set()
        self._present: Collection[int] | None = None

    def resolve(self, plan: EditPlan) -> Work:
        """Returns all operations of a plan.

        Raises:
            EditError: the first operation that cannot be carried out.
        """
        for operation in plan.operations:
            try:
                self.operation(operation)
            except OperationError as failed:
                raise failed.error from None
        self._check(self.work.steps)
        for element, target in list(self.work.targets.items()):
            if is_emptied_item(target.line, target.edits, self.survey.styles):
                del self.work.targets[element]
                self.work.removals[element] = target.place
        return self.work

    def faults(self, plan: EditPlan) -> list[Fault]:
        """Returns why operations cannot be carried out, each tried on its own."""
        faults = self._faults(plan, is_checked=False)
        try:
            self._check()
        except PlanError:
            self.work, self._data = Work(), set()
            return self._faults(plan, is_checked=True)
        return faults

    def _faults(self, plan: EditPlan, *, is_checked: bool) -> list[Fault]:
        """Returns the same; `is_checked`: each together with those before it, which is slow."""
        faults: list[Fault] = []
        for index, operation in enumerate(plan.operations):
            try:
                self.operation(operation)
                if is_checked:
                    self._check()
            except OperationError as failed:
                faults.append(Fault(index, failed.code, str(failed.error)))
            except PlanError as error:
                faults.append(Fault(index, "overlap", str(error)))
                self.work = Work()
        return faults

    def operation(self, operation: Operation) -> None:
        """Resolves one operation.

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
        """Resolves an operation that is another one in this file, or a step."""
        match operation:
            case SettleChange():
                self._decide(operation)
            case ReplyComment() | ResolveComment() | DeleteComment():
                if operation.target not in elements_of(self.survey.package):
                    message = f"There is no comment {operation.target[:60]}"
                    raise OperationError("unknown_comment", NotFoundError(message))
            case SetCell():
                block = only_paragraph(self._finder, operation.target)
                self._rewrite(RewriteBlock(block, operation.text))
            case EditNote():
                self._rewrite(footnotes.rewriting(self._finder, operation))
            case SetField():
                fill = controls.filling(self._finder, operation)
                for edit in fill.edits:
                    self._put_down(fill.place, fill.line, edit)
                self.work.steps += fill.steps
            case _:
                self.work.steps.append(step_of(self._finder, operation))

    def _add(self, place: Place, line: Line, edit: Edit) -> None:
        self.work.steps += controls.filled(self.survey.package, place, line, edit, self._data)
        self._put_down(place, line, edit)

    def _put_down(self, place: Place, line: Line, edit: Edit) -> None:
        target = self.work.targets.get(place.element)
        if target is None:
            target = Target(place, line, notes=notes_of(line))
            self.work.targets[place.element] = target
        target.edits.append(edit)
        if target.notes:
            self.work.cited += [(place, unit) for unit in cited(line.text, edit, target.notes)]

    def _replace(self, operation: ReplaceText) -> None:
        lines = self._finder.lines(self._finder.paragraph(operation.block))
        text = "".join(line.text for _, line in lines)
        hits = locate.find(text, operation.find)
        if not hits:
            raise OperationError("text_not_found", NotFoundError(closest=text))
        index = operation.occurrence
        if index is None:
            hits = self._unsaid(text, hits, operation.replace)
            if not hits:
                return
            if len(hits) > 1:
                where = f"{len(hits)} times in {operation.block}"
                message = f"The text stands {where}; say which is meant"
                raise OperationError("ambiguous", AmbiguousError(message))
        elif not 1 <= index <= len(hits):
            raise OperationError("text_not_found", NotFoundError(closest=text))
        start, end = hits[(index or 1) - 1]
        is_exact = any(sign in operation.find for sign in "\t\n\u27e6")
        self._put(lines, start, end, operation.replace, is_exact=is_exact)

    def _put(
        self,
        lines: Sequence[tuple[Place, Line]],
        start: int,
        end: int,
        new: str,
        *,
        is_exact: bool,
    ) -> None:
        """Replaces text[start:end] of a block, whose text may run over joined paragraphs.

        `is_exact`: tabs and breaks were quoted as such, and blanks instead of them are meant.
        """
        if "\u27e6" in new and len(lines) == 1:
            pieces = tokens.parse(new, ()).pieces
            if parts(pieces)[0]:
                place, line = lines[0]
                marks = self.survey.emphasis(line)
                for edit in refused(lambda: within(line, start, end, pieces, marks)):
                    self._add(place, line, edit)
                return
        fresh = fresh_of(new)
        if not is_exact:
            text = "".join(line.text for _, line in lines)
            fresh = with_blanks_of(text[start:end], fresh)
        at = 0
        for place, line in lines:
            size = len(line.text)
            if at <= start and end <= at + size:
                marks = self.survey.emphasis(line) if has_marks(fresh) else None
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

    def _rewrite(self, operation: RewriteBlock) -> None:
        lines = self._finder.lines(self._finder.paragraph(operation.block))
        known = self.survey.known(lines[-1][0].anchor)
        parsed = tokens.parse(operation.text, known)
        if parsed.faults:
            fault = parsed.faults[0]
            raise OperationError(fault.code, PlanError(f"{operation.block}: {fault.message}"))
        if len(lines) == 1:
            place, line = lines[0]
            if not line.text and place.element in self.work.targets:
                message = f"Two operations write into the empty {operation.block}"
                raise OperationError("overlap", PlanError(message))
            marks = self.survey.emphasis(line)
            edits = refused(lambda: segments(line, known, parsed.pieces, marks))
            for edit in with_blanks(line, edits):
                self._add(place, line, edit)
            return
        names, chunks = parts(parsed.pieces)
        if names:
            message = "The paragraph was joined from others; replace words in it instead"
            raise OperationError("read_only", RefusedError(message))
        text = "".join(line.text for _, line in lines)
        self._across(lines, 0, len(text), with_blanks_of(text, chunks[0].fresh))

    def _everywhere(self, operation: FindReplace) -> None:
        fresh = fresh_of(operation.replace)
        occurrences = self._occurrences(operation)
        skipped = 0
        for place, line, start, end, text in occurrences:
            is_kept = controls.is_kept(self.survey.package, place, line, start, end)
            if is_kept or self.survey.is_locked(line, start, end):
                skipped += 1
                continue
            new = fresh if operation.match_case else adapted(fresh, text[start:end], operation.find)
            marks = self.survey.emphasis(line) if has_marks(fresh) else None
            self._add(place, line, Edit(start, end, new, old_marks=marks))
            longer = locate.longer_word(text, (start, end))
            if longer:
                self.work.longer[longer] += 1
        if occurrences and skipped == len(occurrences):
            message = (
                "The text stands only in computed fields or locked controls, which Word fills; "
                "the document is unchanged"
            )
            raise OperationError("read_only", RefusedError(message))
        self.work.skipped += skipped

    def _occurrences(self, operation: FindReplace) -> list[tuple[Place, Line, int, int, str]]:
        """Returns the places that an operation replaces, each with the text of its line."""
        occurrences: list[tuple[Place, Line, int, int, str]] = []
        known = self.work.repeated.total()
        core, limit = locate.core(operation.find), operation.limit
        for place in self._scope(operation.scope):
            if limit is not None and 0 <= limit <= len(occurrences):
                break
            if not self.survey.may_say(place, core):
                continue
            line = self.survey.line(place)
            text = line.text
            hits = locate.occurrences(
                text,
                operation.find,
                match_case=operation.match_case,
                whole_word=operation.whole_word,
            )
            if hits and limit is None:
                hits = self._unsaid(text, hits, operation.replace)
            occurrences += [(place, line, start, end, text) for start, end in hits]
        if limit is not None:
            occurrences = occurrences[:limit] if limit >= 0 else occurrences[limit:]
        if not occurrences and self.work.repeated.total() == known:
            raise OperationError("no_match", NotFoundError())
        return occurrences

    def _unsaid(self, text: str, hits: Sequence[locate.Span], new: str) -> list[locate.Span]:
        """Returns the hits around which the new words do not stand already.

        The others are counted.
        """
        left, words, repeated = already_applied.unsaid(text, hits, new)
        if repeated:
            self.work.repeated[words] += repeated
        return left

    def _scope(self, scope: str) -> Iterator[Place]:
        try:
            yield from self.survey.paragraphs(scope)
        except (NotFoundError, PlanError) as error:
            raise OperationError("unknown_scope", PlanError(str(error))) from error

    def _insert(self, operation: InsertBlocks) -> None:
        for block in operation.blocks:
            fresh_of(block.text)
        if operation.block in FURNITURE:
            # It is made or found before this round (`engine.docx.editing.headers_footers`).
            return
        place = self._finder.place(operation.block)
        if place.kind not in ("paragraph", "table"):
            raise unable("wrong_kind", f"{operation.block} is no paragraph or table")
        self.work.insertions.append((place, operation))
        self.work.ranks.append(len(self.work.steps))

    def _delete(self, operation: DeleteBlocks | DeleteTable) -> None:
        if isinstance(operation, DeleteTable):
            table = whole_table(self._finder, operation.target)
            operation = DeleteBlocks(table, table)
        for place in self._finder.stretch(operation.first, operation.last):
            self.work.removals[place.element] = place

    def _decide(self, operation: SettleChange) -> None:
        """Sees that a change is there: by the id of its first mark, or a mark's that repeats it."""
        package = self.survey.package
        number = operation.change.partition(".")[0]
        if self._present is None:
            self._present = present([package.read(part) for part in story_parts(package)])
        if not number.isdecimal() or int(number) not in self._present:
            message = f"There is no change {operation.change[:60]}"
            raise OperationError("unknown_change", NotFoundError(message))

    def _check(self, steps: Sequence[Step] = ()) -> None:
        """Sees that operations go together, and with steps that are of the same round."""
        self._check_overlaps()
        added = [(place.element, insertion.where) for place, insertion in self.work.insertions]
        check_conflicts(self.work.removals, added, steps)

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


def is_emptied_item(line: Line, edits: Sequence[Edit], styles: Styles) -> bool:
    """Returns whether edits leave nothing of a list item: then it goes with its number.

    Not where something else than words stands in it, which stays.
    """
    properties = line.paragraph.find(W_PPR)
    text = line.text
    if properties is None or not text or any(edit.new for edit in edits):
        return False
    if sum(edit.end - edit.start for edit in edits) < len(text):
        return False
    is_bare = all(unit.text or not unit.lock for unit in line.units if not unit.standing) and all(
        isinstance(e, Unit | Opaque) for e in line.root.entries
    )
    style, number = properties.find(_STYLE), properties.find(_NUM_ID)
    if number is None:
        own = styles.paragraph("" if style is None else style.get(W_VAL, "")).num
    else:
        own = number.get(W_VAL)
    return is_bare and own not in (None, "0")


def with_blanks(line: Line, edits: Sequence[Edit]) -> list[Edit]:
    """Returns edits of a whole block.

    Where no tab or break is written, those that are there stay.
    """
    if any(sign in fresh.text for edit in edits for fresh in edit.new for sign in "\t\n"):
        return list(edits)
    return [
        replace(edit, new=with_blanks_of(line.text[edit.start : edit.end], edit.new))
        for edit in edits
    ]


def refused(make: Callable[[], list[Edit]]) -> list[Edit]:
    """Makes edits.

    Raises:
        OperationError: they cannot be made.
    """
    try:
        return make()
    except PlanError as error:
        raise OperationError("crosses_placeholder", error) from error
    except RefusedError as error:
        raise OperationError("read_only", error) from error


def fresh_of(text: str) -> tuple[Fresh, ...]:
    """Returns new text that brings no tokens; without any emphasis it inherits its looks.

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
    return (Fresh("".join(part.text for part in fresh)),) if fresh else ()


def has_marks(fresh: Sequence[Fresh]) -> bool:
    """Returns whether bold or italic is asked for in new text."""
    return any(piece.marks is not None for piece in fresh)


def adapted(fresh: tuple[Fresh, ...], standing: str, quote: str) -> tuple[Fresh, ...]:
    """Returns new text in the case of the text that was found for a quote."""
    if len(fresh) != 1:
        return fresh
    return (Fresh(locate.adapted(fresh[0].text, standing, quote), fresh[0].marks),)
