"""Tracked changes of a PDF: the net difference between its baseline and the edited file.

The edited file carries no marks. What changed is found by comparing, who changed it is kept in a
log of edits, which is the opaque `state` of a version. The redline is the baseline with
annotations; to reject a change is to carry out all the others on the baseline, to accept it is to
carry it out there. Until something is accepted the baseline is the upload, byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count
from typing import Final, Literal

from redraft.engine.errors import EditError, RefusedError
from redraft.engine.model import Revision
from redraft.engine.pdf.apply import apply, resolve_plan
from redraft.engine.pdf.compare.comparison import Comparison, compare
from redraft.engine.pdf.compare.field_changes import field_changes
from redraft.engine.pdf.edit.replay import replayed
from redraft.engine.pdf.glyphs.target_blocks import each_read_once, known_in
from redraft.engine.pdf.page_operations.execute_steps import of_pages
from redraft.engine.pdf.page_operations.step_codec import encode_steps
from redraft.engine.pdf.resolved_edits import Edits, changed, merged
from redraft.engine.pdf.tracked.change_log import (
    Log,
    Shaping,
    decode,
    encode,
    entry,
    without_rejected,
)
from redraft.engine.pdf.tracked.note_steps import NoteStep, with_notes
from redraft.engine.pdf.tracked.open_changes import (
    Tracked,
    edits_of,
    is_whole,
    listed,
    revision,
    selected,
    tracked,
)
from redraft.engine.pdf.tracked.page_changes import (
    Remarked,
    Shaped,
    accepted,
    added,
    carried_over,
    refuse_deleted,
    refuse_hidden,
    rejected,
    shaped,
    stamps,
)
from redraft.engine.pdf.tracked.traceability import (
    UNTRACED,
    is_of_looks,
    refuse_moved,
    refuse_unseen,
    refuse_untraceable,
    wanted_looks,
    with_gaps,
    words_changed,
)
from redraft.engine.pdf.tracked.write_annotations import Note, Remark, annotate
from redraft.engine.plan import EditPlan, PageOperation
from redraft.engine.report import EditReport, Resolution, Selection, Signature

HIDDEN: Final = 2
RUNNING: Final = ("header", "footer")


@each_read_once()
def edit(
    original: bytes,
    working: bytes,
    state: bytes,
    plan: EditPlan,
    signature: Signature,
    *,
    breaks_signature: bool = False,
) -> tuple[bytes, EditReport]:
    """Carries out a plan on the edited file, and makes sure that what it did can be shown.

    Of a signed PDF, which is edited only where `breaks_signature` says so, the annotated upload
    keeps every signed byte.

    Raises:
        EditError: as `engine.pdf.apply.apply`; also when a change has no place in the upload.
    """
    refuse_untraceable(plan)
    plan, warned = with_gaps(plan)
    log = decode(state)
    base = baseline(original, log)
    base_now = shaped(base, log.shapings, is_verified=False)
    wanted = wanted_looks(base_now.data, working, plan)
    of_whole = of_pages(plan.operations)
    is_of_words = len(of_whole) < len(plan.operations) and not is_of_looks(plan)
    before = None if is_of_words and not of_whole else compare(base_now.data, working, log.asked)
    if of_whole and before is not None:
        pages = _pages_changed(before, base_now.data, working)
        refuse_deleted(pages, of_whole, len(base_now.pages))
    read = resolve_plan(working, plan)
    edited, report = apply(
        working, plan, signature, breaks_signature=breaks_signature, may_emphasize=False, read=read
    )
    if not report.applied:
        return edited, replace(report, state=state)
    log = _lengthened(log, signature, report, read.edits, of_whole, len(base_now.pages))
    now = shaped(base, log.shapings)
    comparison = compare(now.data, edited, log.asked)
    if not comparison.is_whole:
        raise RefusedError(UNTRACED)
    refuse_hidden(comparison, now)
    refuse_unseen(comparison, wanted)
    refuse_moved(comparison, lambda: compare(base_now.data, working), report.revisions)
    settled = None if is_of_words else before
    if settled is not None and words_changed(comparison) != words_changed(settled):
        raise RefusedError(UNTRACED)
    tracked_changes = map(revision, listed(base, now, edited, comparison, log))
    ours = tuple(change for change in tracked_changes if signature.edit_uid in change.edits)
    revisions, warnings = ours or report.revisions, (*report.warnings, *warned)
    return edited, replace(report, revisions=revisions, state=encode(log), warnings=warnings)


def _pages_changed(comparison: Comparison, base: bytes, working: bytes) -> Iterator[int]:
    """Yields the pages, from 0, on which words, looks or fields have changed."""
    yield from (change.page for change in comparison.differences)
    yield from (change.page for change in field_changes(base, working) if change.kind == "field")


def _lengthened(
    log: Log,
    signature: Signature,
    report: EditReport,
    edits: Edits,
    of_whole: Sequence[PageOperation],
    pages: int,
) -> Log:
    """Adds an edit of a file of so many pages to the log."""
    made = replace(edits, pages=encode_steps(of_whole))
    entries = (*log.entries, entry(signature, report.revisions))
    log = replace(log, entries=entries, made=(*log.made, made))
    if not of_whole:
        return log
    return added(log, Shaping(signature.edit_uid, tuple(made.pages)), pages)


def noted(state: bytes, steps: Sequence[NoteStep]) -> bytes:
    """Returns a state that says what was done to notes, too."""
    log = decode(state)
    return encode(replace(log, notes=(*log.notes, *steps)))


def changes(original: bytes, working: bytes, state: bytes) -> tuple[Revision, ...]:
    """Lists the net changes in document order."""
    log = decode(state)
    return tuple(
        revision(tracked_change) for tracked_change in _all(baseline(original, log), working, log)
    )


def accounted(original: bytes, working: bytes, state: bytes) -> tuple[bytes, list[Tracked]]:
    """Returns the baseline, and the net changes of its text with the edits that made them.

    The words of pages that went are struck, and those of pages that moved come elsewhere; what was
    stamped on all pages is in the baseline, and what pages repeat does not go with one of them.
    """
    log = decode(state)
    base = baseline(original, log)
    if not log.shapings:
        return base, _all(base, working, log)
    base = shaped(base, stamps(log.shapings), is_verified=False).data
    entries = {difference.uid: difference for difference in log.entries}
    unlisted = [
        difference
        for difference in compare(base, working).differences
        if difference.target.story not in RUNNING or not is_whole(difference)
    ]
    return base, tracked(unlisted, log, entries[log.shapings[-1].uid])


def annotated(original: bytes, working: bytes, state: bytes) -> bytes:
    """Returns the baseline with every change as annotations; the baseline's bytes come first.

    Raises:
        VerificationError: the annotations do not read back.
    """
    log = decode(state)
    base = baseline(original, log)
    now = shaped(base, log.shapings, is_verified=False)
    notes: list[Note | Remark] = []
    for tracked_change in listed(base, now, working, compare(now.data, working, log.asked), log):
        notes += _notes(tracked_change, now)
    if not notes and log.accepted:
        return working
    return annotate(base, notes)


def _notes(change: Tracked, now: Shaped) -> Iterator[Note | Remark]:
    """Yields the notes of a change on the pages of the baseline, each with a name of its own."""
    made = change.entry
    remarks = [] if change.page_note is None else list(change.page_note.remarks)
    if change.field_change is not None:
        remarks.append(
            Remarked(now.pages[change.field_change.page] or 0, change.field_change.sentence)
        )
    # Of what was done, not of the edit's own id: the same plan gives the same file.
    names = (f"{made.date}.{change.id}" + (f".{n}" if n > 1 else "") for n in count(1))
    for remark, name in zip(remarks, names, strict=False):
        yield Remark(remark.page, remark.sentence, made.author, made.date, name)
    for part, name in zip(change.parts, names, strict=False):
        placed = replace(part, page=now.pages[part.page] or 0)
        yield Note(placed, made.author, made.date, name)


@each_read_once()
def resolve(
    original: bytes,
    working: bytes,
    state: bytes,
    action: Literal["accept", "reject"],
    selection: Selection,
) -> tuple[bytes, Resolution]:
    """Accepts or reject changes; gives the edited file as it is then.

    Raises:
        NotFoundError: an id, author or edit that is not there.
        RefusedError, VerificationError: the pages cannot be set so; nothing is resolved.
    """
    log = decode(state)
    base = baseline(original, log)
    open_changes = _all(base, working, log)
    chosen = selected(open_changes, selection)
    if not chosen:
        return working, Resolution(0, state)
    if action == "reject":
        return _rejected(base, log, open_changes, chosen)
    return working, Resolution(
        len(chosen), encode(_resolved(original, working, log, open_changes, chosen))
    )


def _rejected(
    base: bytes, log: Log, open_changes: Sequence[Tracked], chosen: Sequence[Tracked]
) -> tuple[bytes, Resolution]:
    """Carries out on the baseline what is not rejected."""
    ids = {tracked_change.id for tracked_change in chosen}
    before = shaped(base, log.shapings, is_verified=False)
    log = rejected(log, ids, base)
    after = shaped(base, log.shapings)
    left = [change for change in open_changes if change.id not in ids]
    edits = carried_over(edits_of(left), before, after)
    data = after.data if edits.is_empty else replayed(after.data, edits)[0]
    pages = (Edits(pages=list(tracked_change.steps)) for tracked_change in log.shapings)
    made = (*log.accepted, *pages, *(() if edits.is_empty else (edits,)))
    log = without_rejected(log, {change.entry.uid for change in left})
    return data, Resolution(len(chosen), encode(replace(log, made=made)))


def _resolved(
    original: bytes,
    working: bytes,
    log: Log,
    open_changes: Sequence[Tracked],
    chosen: Sequence[Tracked],
) -> Log:
    """Carries out on the baseline what is accepted."""
    ids = {tracked_change.id for tracked_change in chosen}
    if len(chosen) == len(open_changes):
        return _all_accepted(original, working, log, chosen)
    log = _accepted_of(original, log, chosen)
    if any(tracked_change.is_look for tracked_change in chosen):
        most = sum(
            not tracked_change.is_look
            for tracked_change in open_changes
            if tracked_change.id not in ids
        )
        _check_words(original, working, log, most)
    return log


def _all_accepted(original: bytes, working: bytes, log: Log, chosen: Sequence[Tracked]) -> Log:
    """Accepts everything: in one step, or else as it was made."""
    with suppress(EditError):
        whole = _accepted_of(original, log, chosen)
        for _ in range(HIDDEN):
            # A look of new words is a change by itself once the words are accepted.
            left = _all(baseline(original, whole), working, whole)
            if not left:
                return whole
            whole = _accepted(original, whole, edits_of(left))
        if not _all(baseline(original, whole), working, whole):
            return whole
    return _as_made(original, working, log)


def _accepted_of(original: bytes, log: Log, chosen: Sequence[Tracked]) -> Log:
    """Adds changes to the baseline, those of pages first."""
    edits = edits_of(chosen)
    if not log.shapings:
        return _accepted(original, log, edits)
    base = baseline(original, log)
    before = shaped(base, log.shapings, is_verified=False)
    log, after = accepted(log, {tracked_change.id for tracked_change in chosen}, base)
    if edits.is_empty:
        return log
    return _accepted(original, log, carried_over(edits, before, after))


def _as_made(original: bytes, working: bytes, log: Log) -> Log:
    """Accepts everything as it was made, edit by edit, where it cannot be done in one step.

    Raises:
        RefusedError: how it was made is not known, as with a state of an older version.
    """
    log = replace(log, accepted=log.made, shapings=())
    if not log.made or _all(baseline(original, log), working, log):
        message = "These changes cannot be accepted at once; accept them one after the other"
        raise RefusedError(message)
    return log


def _check_words(original: bytes, working: bytes, log: Log, most: int) -> None:
    """Makes sure that accepting a look brings no changes of words, as a page is read.

    Raises:
        RefusedError: it does.
    """
    left = _all(baseline(original, log), working, log)
    if sum(not tracked_change.is_look for tracked_change in left) > most:
        message = (
            "This look cannot be accepted by itself: the page reads differently with it; accept "
            "all changes at once, or reject this one"
        )
        raise RefusedError(message)


def _accepted(original: bytes, log: Log, step: Edits) -> Log:
    """Adds a step to the baseline: as one with the step before where that can be."""
    longer = replace(log, accepted=(*log.accepted, step))
    both = merged(log.accepted[-1], step) if log.accepted else None
    if both is not None and _names_the_same(original, log, step):
        shorter = replace(log, accepted=(*log.accepted[:-1], both))
        with suppress(EditError):
            baseline(original, shorter)
            return shorter
    baseline(original, longer)
    return longer


def _names_the_same(original: bytes, log: Log, step: Edits) -> bool:
    """Whether the blocks of a step had the same anchors before the last step that was accepted."""
    touched = step.touched()
    if not touched:
        return True
    first = log.accepted[-1].changes
    base = baseline(original, replace(log, accepted=log.accepted[:-1]))
    before = {target.anchor: target.text for target in known_in(base)}
    now = {target.anchor: target.text for target in known_in(replayed(base, log.accepted[-1])[0])}
    return all(
        anchor in before and now[anchor] == changed(before[anchor], first.get(anchor, ()))
        for anchor in touched
    )


def baseline(original: bytes, log: Log) -> bytes:
    """Returns the upload with its notes as they are now, and with what was accepted."""
    original = with_notes(original, log.notes)
    for step in log.accepted:
        original = replayed(original, step)[0]
    return original


def _all(base: bytes, working: bytes, log: Log) -> list[Tracked]:
    now = shaped(base, log.shapings, is_verified=False)
    return listed(base, now, working, compare(now.data, working, log.asked), log)
