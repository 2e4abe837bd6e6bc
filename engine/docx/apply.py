"""Carries out a plan on a Word document: all of it, tracked, verified; or nothing.

The route: resolve every operation against the file as it is, write the marks into the parsed parts,
put the changed blocks back into the bytes, open the result anew and hold it against the laws of the
redline (`engine.docx.verification`). An untracked edit takes the same route and then accepts its
own marks. Nothing is kept between calls.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from redraft.engine import already_applied
from redraft.engine.docx import stale_fields
from redraft.engine.docx.accept_reject import note_references
from redraft.engine.docx.accept_reject.untracked_edit import accept
from redraft.engine.docx.alternate_content import Mirror
from redraft.engine.docx.changes.planned_decisions import Settled, decide
from redraft.engine.docx.changes.revisions import changes_in
from redraft.engine.docx.discussion import UNTRACKED, discuss
from redraft.engine.docx.editing.block_folding import fold_blocks
from redraft.engine.docx.editing.document_index import Survey
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.headers_footers import furnish
from redraft.engine.docx.editing.tracked_blocks import strike_line
from redraft.engine.docx.editing.tracked_controls import keep_live_controls
from redraft.engine.docx.judging.fingerprint import fingerprint, story_parts
from redraft.engine.docx.judging.validity import present
from redraft.engine.docx.names import Element, W
from redraft.engine.docx.native_moves import Moves, as_moves, as_pairs, has_moves, inserting
from redraft.engine.docx.opc import new_parts
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.opc.splice import Splicer
from redraft.engine.docx.plan_judgement import judge
from redraft.engine.docx.redline.line import Stamp
from redraft.engine.docx.redline.revision_ids import by_author
from redraft.engine.docx.redline.tracked_text import change
from redraft.engine.docx.resolution.execution_order import lent, names, renamed, rounds, shifts
from redraft.engine.docx.resolution.resolve import Resolver, Work
from redraft.engine.docx.verification import Inspector
from redraft.engine.docx.write_plan import Editor
from redraft.engine.errors import (
    AmbiguousError,
    EditError,
    NotFoundError,
    PlanError,
    RefusedError,
    VerificationError,
)
from redraft.engine.model import Revision
from redraft.engine.plan import COMMENT_THREADS, EditPlan, Fault, MoveBlocks, SettleChange
from redraft.engine.report import EditReport, Signature
from redraft.engine.state import State, decode, encode

_SHOWN: Final = 5
_EARLIER = "earlier"
NOTHING = "No change was needed"
_PROTECTED = (
    "The document is protected against editing; the edit was made, and the protection is kept"
)
_CODES = {NotFoundError: "text_not_found", AmbiguousError: "ambiguous", PlanError: "overlap"}
_TRACKED_KIND = "trackedChanges"
_LEFT_ALONE = (
    "The document is protected against editing, and this server does not edit protected documents; "
    "take the protection off and upload it again"
)
_TRACKED_ONLY = "The document allows tracked changes only, so the edit was made as tracked changes"
_NOT_MOVED = (
    "The moved blocks are marked as deleted and inserted, not as moved: of tables, fields, links, "
    "notes, comments, empty paragraphs and the end of a text not every program reads a tracked move"
)
_MOVED_ON = (
    "Text that was moved has been edited, so it is marked as deleted and inserted from now on"
)
_SIGNED = "The document was digitally signed; the edit makes its signature invalid"


def initial_state(data: bytes, author: str = "") -> bytes:
    """Returns the state of a file as uploaded: no mark in it is ours, and it is its own baseline.

    Args:
        data: The file.
        author: Whose marks are ours nevertheless, in a file that carries no map of them: editing
            back then leaves no marks of marks. The baseline is the file without these.
    """
    package = Package.open(data)
    ours = by_author((package.tree(part) for part in story_parts(package) if author), author)
    # Which of them were asked to look bold or italic is not known: all are held to their looks.
    known = frozenset(ours)
    return encode(State(dict.fromkeys(ours, _EARLIER), known, fingerprint(package, ours)))


def faults(package: Package, plan: EditPlan, state: bytes = b"") -> tuple[Fault, ...]:
    """Returns why operations of a plan cannot be carried out, each tried on its own.

    Nothing is changed.

    Args:
        package: The file as it is.
        plan: Operations against it.
        state: What is known of the file; empty when its marks are all foreign.
    """
    before = decode(state)
    if has_moves(package, before.ours):
        package = package.as_opened()
        as_pairs(package, before.ours)
    survey = Survey(package, before)
    resolver = Resolver(survey)
    faults = resolver.faults(plan)
    if faults:
        return tuple(faults)
    if len(rounds(plan)) > 1 or resolver.work.steps:
        return _tried(package.save(), before, plan)
    return tuple(_refusals(resolver.work, survey))


def _tried(data: bytes, before: State, plan: EditPlan) -> tuple[Fault, ...]:
    """Returns what is refused only while it is written, tried on a copy that is thrown away."""
    error = _failure(data, before, plan)
    if error is None:
        return ()
    for index, operation in enumerate(plan.operations if len(plan.operations) > 1 else ()):
        own = _failure(data, before, replace(plan, operations=(operation,)))
        if own is not None:
            return (Fault(index, _code(own), str(own)),)
    return (Fault(0, _code(error), str(error)),)


def _failure(data: bytes, before: State, plan: EditPlan) -> EditError | None:
    """Returns why a plan cannot be carried out; that it breaks a law is said when it is meant."""
    package = Package.open(data)
    if not before.baseline:
        before = replace(before, baseline=fingerprint(package, before.ours))
    try:
        _carried_out(data, package, before, plan, Signature("", "", "", tracked=True))
    except VerificationError:
        return None
    except EditError as error:
        return error
    return None


def _code(error: EditError) -> str:
    return next((code for kind, code in _CODES.items() if isinstance(error, kind)), "read_only")


def _refusals(work: Work, survey: Survey) -> Sequence[Fault]:
    """Returns what would be refused only while it is written, tried on lines that nobody writes."""
    trial = Stamp("", "", "")
    refusals: list[Fault] = []
    for target in work.targets.values():
        try:
            change(target.line, target.edits, trial)
        except EditError as error:
            refusals.append(Fault(0, "read_only", f"{target.place.anchor}: {error}"))
    for element, place in work.removals.items():
        if place.kind == "paragraph" and element not in work.targets:
            try:
                strike_line(survey.line(place), trial)
            except EditError as error:
                refusals.append(Fault(0, "read_only", str(error)))
    try:
        Mirror.of(work, survey.ours)
    except EditError as error:
        refusals.append(Fault(0, "read_only", str(error)))
    return refusals


def apply(
    data: bytes,
    state: bytes,
    plan: EditPlan,
    signature: Signature,
    *,
    refuses_protected: bool = False,
    folds: bool = True,
) -> tuple[bytes, EditReport]:
    """Carries out a plan.

    Args:
        data: The file of a version.
        state: What is known of that version; empty when its marks are all foreign.
        plan: Operations against this file.
        signature: Who edits, when, and whether tracked.
        refuses_protected: Whether a document protected against editing is left alone.
        folds: Whether a paragraph that is struck and written anew is marked word by word.

    Returns:
        The new file and what was done; the file as it was when nothing changed.

    Raises:
        NotFoundError, AmbiguousError, PlanError, RefusedError: an operation cannot be carried out.
        VerificationError: it was carried out and does not hold the laws.
    """
    package = Package.open(data)
    before = decode(state)
    if not before.baseline:
        before = replace(before, baseline=fingerprint(package, before.ours))
    protection = _protection(package)
    if refuses_protected and protection is not None:
        raise RefusedError(_LEFT_ALONE)
    if protection == _TRACKED_KIND:
        signature = replace(signature, tracked=True)
    warnings = _warnings(package, protection)
    if plan.decision != "edit":
        return data, EditReport(applied=False, summary=plan.reason or NOTHING, state=state)
    done = _carried_out(data, package, before, plan, signature, folds=folds)
    if done.data is data:
        all_warnings = tuple(dict.fromkeys((*warnings, *done.warnings)))
        return data, EditReport(applied=False, summary=NOTHING, warnings=all_warnings, state=state)
    warnings = (*warnings, *stale_fields.warnings(package.as_opened(), done.opened))
    return done.data, _report(plan, signature, done, warnings)


@dataclass(frozen=True, slots=True)
class _Done:
    """The file after a round, the same opened, what is known of it, and what to say of it."""

    data: bytes
    opened: Package
    state: State
    warnings: tuple[str, ...]
    settled: Settled = field(
        default_factory=dict[Literal["accept", "reject"], "tuple[Revision, ...]"]
    )


def _report(
    plan: EditPlan, signature: Signature, done: _Done, warnings: tuple[str, ...]
) -> EditReport:
    """Returns what was done, with the changes that are in the file for it."""
    revisions = tuple(
        revision
        for revision in changes_in(done.opened, done.state)
        if signature.edit_uid in revision.edits
    )
    return EditReport(
        True,
        plan.reason,
        revisions,
        tuple(dict.fromkeys((*warnings, *done.warnings))),
        encode(done.state),
        done.settled.get("accept", ()),
        done.settled.get("reject", ()),
    )


def _carried_out(
    data: bytes,
    package: Package,
    before: State,
    plan: EditPlan,
    signature: Signature,
    *,
    folds: bool = True,
) -> _Done:
    """Carries out all rounds of a plan, each on what the one before left.

    Where nothing changes, the file that comes back is `data` itself.
    """
    unchanged = _Done(data, package, before, ())
    moves = Moves()
    if _is_edit(plan) and has_moves(package, before.ours):
        package = package.as_opened()
        moves = as_pairs(package, before.ours)
        data = package.save()
        package = Package.open(data)
    furnished = furnish(package, before, plan)
    whole = furnished.data or data
    done = _Done(whole, furnished.package, furnished.state, furnished.warnings)
    shown = _shown(furnished.package, furnished.state, furnished.plan)
    left = rounds(furnished.plan)
    decisions = left.pop() if _is_decision(left[-1]) else None
    threads = left.pop() if left and _is_thread(left[-1]) else None
    # Of a single round what it wrote is accepted as it is judged, of several at their end.
    is_tracked = signature.tracked or len(left) > 1
    while left:
        current = left.pop(0)
        noted = names(done.opened) if left and shifts(current) else None
        after = _round(done, current, signature, shown, is_tracked=is_tracked, folds=folds)
        is_changed = after.data is not done.data
        done = replace(after, warnings=(*done.warnings, *after.warnings))
        if is_changed and noted is not None:
            known = names(done.opened)
            left = [renamed(later, noted, known) for later in left]
    if is_tracked and not signature.tracked:
        done = _accepted(done, signature.edit_uid)
    if done.data is data:
        done = replace(unchanged, warnings=done.warnings)
    else:
        judge(package.as_opened(), plan, done.opened)
        done = _with_moves(done, moves, plan, signature)
    if threads is not None:
        done = _discussed(done, threads, signature)
    return done if decisions is None else _settled(done, decisions)


def _is_edit(plan: EditPlan) -> bool:
    """Returns whether a plan does more than decide on changes and comments."""
    return not all(isinstance(op, (SettleChange, *COMMENT_THREADS)) for op in plan.operations)


def _with_moves(done: _Done, moves: Moves, plan: EditPlan, signature: Signature) -> _Done:
    """Writes as moves what an edit moved, and what was moved before and stands as it stood then."""
    is_move = signature.tracked and any(isinstance(op, MoveBlocks) for op in plan.operations)
    edit = signature.edit_uid if is_move else ""
    if not edit and not moves.edits:
        return done
    ours, moved = as_moves(done.opened, done.state.ours, moves, edit)
    pairs = set(ours.values()) - set(moved)
    warnings = [_NOT_MOVED] if edit in pairs else []
    warnings += [_MOVED_ON] if moves.edits & pairs & inserting(done.opened, ours) else []
    data = done.opened.save()
    opened, state = Package.open(data), replace(done.state, ours=ours)
    return _Done(data, opened, state, (*done.warnings, *warnings), done.settled)


def _accepted(done: _Done, edit: str) -> _Done:
    """Accepts what all rounds of an untracked edit wrote."""
    if edit not in done.state.ours.values():
        return done
    state = accept(done.opened, done.state, edit)
    return replace(done, data=done.opened.save(), state=state)


def _shown(package: Package, state: State, plan: EditPlan) -> dict[str, Element]:
    """Returns what new blocks shall look like although an earlier round makes it look otherwise."""
    anchors = lent(plan)
    elements: dict[str, Element] = {}
    if not anchors:
        return elements
    survey = Survey(package, state)
    for anchor in anchors:
        with suppress(NotFoundError):  # whoever carries the insertion out says so
            elements[anchor] = deepcopy(survey.place(anchor).element)
    return elements


def _round(
    done: _Done,
    plan: EditPlan,
    signature: Signature,
    shown: Mapping[str, Element],
    *,
    is_tracked: bool,
    folds: bool,
) -> _Done:
    """Carries out one round of a plan and verify it; the file stays where nothing changes."""
    package, before = done.opened, done.state
    survey = Survey(package, before)
    work = Resolver(survey).resolve(plan)
    inspector = Inspector(package, before)
    splicers = {part: Splicer(package, part) for part in story_parts(package)}
    desk = Desk(survey, before, Stamp(signature.edit_uid, signature.author, signature.date), shown)
    mirror = Mirror.of(work, before.ours)
    inspector.expect(work, mirror.pairs)
    before_cited = note_references.cited(package)
    warnings = _round_warnings(work)
    if not Editor(desk).carry_out(work):
        return _Done(done.data, package, before, already_applied.told(work.repeated))
    mirror.write(desk)
    if folds:
        inspector.give_up(fold_blocks(desk))
    keep_live_controls(desk)
    _put_back(desk, splicers, inspector, before_cited)
    result = package.save()
    opened = Package.open(result)
    ids = present([opened.read(part) for part in story_parts(opened)])
    ours = {number: edit for number, edit in desk.ids.ours.items() if number in ids}
    after = State(ours, frozenset(desk.ids.formatted & ids), before.baseline)
    inspector.hold(opened, after)
    after = replace(after, baseline=inspector.baseline(opened, after))
    if not is_tracked:
        after = inspector.accept(opened, after, signature.edit_uid)
        result = opened.save()
    step_warnings = tuple(dict.fromkeys(w for step in work.steps for w in step.warnings))
    return _Done(result, opened, after, (*warnings, *step_warnings))


def _is_decision(plan: EditPlan) -> bool:
    return any(isinstance(operation, SettleChange) for operation in plan.operations)


def _is_thread(plan: EditPlan) -> bool:
    return any(isinstance(operation, COMMENT_THREADS) for operation in plan.operations)


def _discussed(before: _Done, plan: EditPlan, signature: Signature) -> _Done:
    """Carries out what a plan says of comments that are there, which changes no text."""
    operations = [op for op in plan.operations if isinstance(op, COMMENT_THREADS)]
    data, after = discuss(before.data, before.state, operations, signature)
    if data is before.data:
        return before
    warnings = tuple(dict.fromkeys((*before.warnings, UNTRACKED)))
    return _Done(data, Package.open(data), after, warnings, before.settled)


def _settled(before: _Done, plan: EditPlan) -> _Done:
    """Carries out the round of decisions on tracked changes, which is the last one of a plan."""
    decisions = [operation for operation in plan.operations if isinstance(operation, SettleChange)]
    data, after, settled = decide(before.data, before.state, decisions)
    return _Done(data, Package.open(data), after, before.warnings, settled)


def _put_back(
    desk: Desk,
    splicers: Mapping[str, Splicer],
    inspector: Inspector,
    cited: Collection[note_references.Key],
) -> None:
    """Brings the bytes of the parts in step with what was written.

    Notes of ours to which nothing refers any longer are dropped.
    """
    package = desk.package
    orphans = note_references.orphans(package, cited)
    reference_places = note_references.places(package, orphans)
    for part, blocks in desk.changed.items():
        is_known = part in splicers and part not in desk.whole
        data = splicers[part].bytes(blocks) if is_known else package.serialize(part)
        package.replace(part, data)
    for part, added in desk.appended.items():
        new_parts.append(package, part, added)
    note_references.drop(package, reference_places)
    inspector.reckon(desk.appended, [note for notes in orphans.values() for note in notes])


def _protection(package: Package) -> str | None:
    """Returns which editing an enforced protection leaves open; None when nothing is protected.

    ECMA-376 Part 1, 17.15.1.29 (documentProtection): without `w:edit` nothing is said to be open.
    """
    for part in package.related(package.main, "settings"):
        protection = package.tree(part).find(W("documentProtection"))
        if protection is not None and protection.get(W("enforcement"), "0") in ("1", "true", "on"):
            return protection.get(W("edit"), "none")
    return None


def standing_warnings(package: Package) -> tuple[str, ...]:
    """Returns the warnings that any edit of a document has: protection, signatures."""
    return _warnings(package, _protection(package))


def _warnings(package: Package, protection: str | None) -> tuple[str, ...]:
    """Returns what a person should know before relying on the edit: protection, signatures."""
    warnings: list[str] = []
    if protection is not None:
        warnings.append(_TRACKED_ONLY if protection == _TRACKED_KIND else _PROTECTED)
    if package.related("", "origin"):
        warnings.append(_SIGNED)
    return tuple(warnings)


def _round_warnings(work: Work) -> tuple[str, ...]:
    """Returns the warnings of a round that is resolved and not yet carried out."""
    return (*_skipped(work), *already_applied.told(work.repeated), *_in_words(work), *_cited(work))


def _skipped(work: Work) -> tuple[str, ...]:
    if not work.skipped:
        return ()
    places = "1 place was" if work.skipped == 1 else f"{work.skipped} places were"
    return (f"{places} left as they are: computed fields, which Word updates itself",)


def _in_words(work: Work) -> tuple[str, ...]:
    """Warns of hits inside longer words, which a person may not have meant."""
    if not work.longer:
        return ()
    words = ", ".join(f"“{word}”" for word, _ in work.longer.most_common(_SHOWN))
    more = " and others" if len(work.longer) > _SHOWN else ""
    places = "1 place" if work.longer.total() == 1 else f"{work.longer.total()} places"
    return (
        f"Also changed inside longer words, in {places}: {words}{more}; "
        "say “as whole words” to leave these as they are",
    )


def _cited(work: Work) -> tuple[str, ...]:
    """Warns of notes that went with the words around them."""
    if not work.cited:
        return ()
    count = len(work.cited)
    notes = "A note was" if count == 1 else f"{count} notes were"
    return (f"{notes} deleted along with the words on both sides of the reference to it",)
