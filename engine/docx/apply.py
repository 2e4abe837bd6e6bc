"""Carries out a plan on a Word document: all of it, tracked, verified; or nothing.

The route: resolve every operation against the file as it is, write the marks into the parsed parts,
put the changed blocks back into the bytes, open the result anew and hold it against the laws of the
redline (`engine.docx.inspection`). An untracked edit takes the same route and then accepts its own
marks. Nothing is kept between calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.docx.desk import Desk
from engine.docx.edits import Editor
from engine.docx.fingerprint import fingerprint, story_parts
from engine.docx.inspection import Inspector
from engine.docx.line import Stamp
from engine.docx.names import W
from engine.docx.package import Package
from engine.docx.redline import change
from engine.docx.revisions import changes_in
from engine.docx.rounds import rounds
from engine.docx.splice import Splicer
from engine.docx.structure import strike_line
from engine.docx.survey import Survey
from engine.docx.targets import Resolver, Work
from engine.docx.validity import present
from engine.errors import EditError, RefusedError
from engine.plan import EditPlan, Fault
from engine.report import EditReport, Signature
from engine.state import State, decode, encode

NOTHING = "No change was needed"
_PROTECTED = (
    "The document is protected against editing; the edit was made, and the protection is kept"
)
_TRACKED_KIND = "trackedChanges"
_LEFT_ALONE = (
    "The document is protected against editing, and this server does not edit protected documents; "
    "take the protection off and upload it again"
)
_TRACKED_ONLY = "The document allows tracked changes only, so the edit was made as tracked changes"
_SIGNED = "The document was digitally signed; the edit makes its signature invalid"


def initial_state(data: bytes) -> bytes:
    """The state of a file as uploaded: no mark in it is ours, and it is its own baseline."""
    return encode(State(baseline=fingerprint(Package.open(data), ())))


def faults(package: Package, plan: EditPlan) -> tuple[Fault, ...]:
    """Why operations of a plan cannot be carried out, each tried on its own; nothing is changed."""
    survey = Survey(package, State())
    resolver = Resolver(survey)
    found = list(resolver.faults(plan))
    if not found:
        found += _refusals(resolver.work, survey)
    return tuple(found)


def _refusals(work: Work, survey: Survey) -> Sequence[Fault]:
    """What would be refused only while it is written, tried on lines that nobody writes."""
    trial = Stamp("", "", "")
    found: list[Fault] = []
    for target in work.targets.values():
        try:
            change(target.line, target.edits, trial)
        except EditError as error:
            found.append(Fault(0, "read_only", f"{target.place.anchor}: {error}"))
    for element, place in work.removals.items():
        if place.kind == "paragraph" and element not in work.targets:
            try:
                strike_line(survey.line(place), trial)
            except EditError as error:
                found.append(Fault(0, "read_only", str(error)))
    return found


def apply(
    data: bytes,
    state: bytes,
    plan: EditPlan,
    signature: Signature,
    *,
    refuses_protected: bool = False,
) -> tuple[bytes, EditReport]:
    """Carry out a plan.

    Args:
        data: The file of a version.
        state: What is known of that version; empty when its marks are all foreign.
        plan: Operations against this file.
        signature: Who edits, when, and whether tracked.
        refuses_protected: Whether a document protected against editing is left alone.

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
    is_applied = False
    current = before
    for each in rounds(plan):
        done = _round(package, current, each, signature)
        if done is not None:
            is_applied = True
            data, current, package = done.data, done.state, done.opened
            warnings += tuple(said for said in done.warnings if said not in warnings)
    if not is_applied:
        return data, EditReport(applied=False, summary=NOTHING, warnings=warnings, state=state)
    revisions = tuple(
        revision
        for revision in changes_in(package, current)
        if signature.edit_uid in revision.edits
    )
    return data, EditReport(True, plan.reason, revisions, warnings, encode(current))


@dataclass(frozen=True, slots=True)
class _Done:
    """The file after a round, the same opened, what is known of it, and what to say of it."""

    data: bytes
    opened: Package
    state: State
    warnings: tuple[str, ...]


def _round(package: Package, before: State, plan: EditPlan, signature: Signature) -> _Done | None:
    """Carry out one round of a plan and verify it; None when it changes nothing."""
    survey = Survey(package, before)
    work = Resolver(survey).resolve(plan)
    inspector = Inspector(package, before)
    splicers = {part: Splicer(package, part) for part in story_parts(package)}
    desk = Desk(survey, before, Stamp(signature.edit_uid, signature.author, signature.date))
    inspector.expect(work)
    if not Editor(desk).carry_out(work):
        return None
    for part, blocks in desk.changed.items():
        package.replace(part, splicers[part].bytes(blocks))
    result = package.save()
    opened = Package.open(result)
    ids = present([opened.read(part) for part in story_parts(opened)])
    ours = {number: edit for number, edit in desk.ids.ours.items() if number in ids}
    after = State(ours, frozenset(desk.ids.formatted & ids), before.baseline)
    inspector.hold(opened, after)
    after = replace(after, baseline=inspector.baseline(opened, after))
    if not signature.tracked:
        after = inspector.accept(opened, after)
        result = opened.save()
    said = tuple(warning for step in work.steps for warning in step.warnings)
    return _Done(result, opened, after, (*_skipped(work), *said))


def _skipped(work: Work) -> tuple[str, ...]:
    if not work.skipped:
        return ()
    places = "1 place was" if work.skipped == 1 else f"{work.skipped} places were"
    return (f"{places} left as they are: computed fields, which Word updates itself",)


def _protection(package: Package) -> str | None:
    """Which editing an enforced protection leaves open; None when nothing is protected.

    ECMA-376 Part 1, 17.15.1.29 (documentProtection): without `w:edit` nothing is said to be open.
    """
    for part in package.related(package.main, "settings"):
        protection = package.tree(part).find(W("documentProtection"))
        if protection is not None and protection.get(W("enforcement"), "0") in ("1", "true", "on"):
            return protection.get(W("edit"), "none")
    return None


def _warnings(package: Package, protection: str | None) -> tuple[str, ...]:
    """What a person should know before relying on the edit: protection, signatures."""
    found: list[str] = []
    if protection is not None:
        found.append(_TRACKED_ONLY if protection == _TRACKED_KIND else _PROTECTED)
    if package.related("", "origin"):
        found.append(_SIGNED)
    return tuple(found)
