"""Tracked changes of a PDF: the net difference between its baseline and the edited file.

The edited file carries no marks. What changed is found by comparing, who changed it is kept in a
log of edits, which is the opaque `state` of a version. The redline is the baseline with
annotations; to reject a change is to carry out all the others on the baseline, to accept it is to
carry it out there. Until something is accepted the baseline is the upload, byte for byte.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, Literal

from engine.errors import EditError, NotFoundError, RefusedError
from engine.model import Revision, RevisionKind
from engine.pdf.annotations import Note, Remark, annotate
from engine.pdf.apply import apply, meant
from engine.pdf.authors import NOBODY, author_of
from engine.pdf.content.colours import fill_of
from engine.pdf.content.comparison import Difference, compare
from engine.pdf.content.dressing import Formatting, said
from engine.pdf.content.edits import Edits, Insertion, Linking, Look, merged
from engine.pdf.content.log import Entry, Log, decode, encode, entry
from engine.pdf.content.settings import Setting, settings
from engine.pdf.content.words import Change
from engine.pdf.replaying import replayed
from engine.pdf.tracing import (
    UNTRACED,
    is_of_looks,
    refuse_unseen,
    refuse_untraceable,
    wishes,
    with_gaps,
    words_changed,
)
from engine.plan import EditPlan
from engine.report import EditReport, Resolution, Selection, Signature

HIDDEN: Final = 2


@dataclass(frozen=True, slots=True)
class Tracked:
    """A change with its id and the edit that made it; one that runs over pages has several parts.

    The id is made of what changed and where, so that it stays while other changes come and go.
    A field or property that changed has no parts, but a `setting`.
    """

    id: str
    parts: tuple[Difference, ...]
    entry: Entry
    setting: Setting | None = None

    @property
    def is_look(self) -> bool:
        """Whether words stay and look otherwise, or link to something else."""
        return bool(self.parts) and self.parts[0].formatting is not None


def edit(
    original: bytes,
    working: bytes,
    state: bytes,
    plan: EditPlan,
    signature: Signature,
    *,
    breaks_signature: bool = False,
) -> tuple[bytes, EditReport]:
    """Carry out a plan on the edited file, and make sure that what it did can be shown.

    Of a signed PDF, which is edited only where `breaks_signature` says so, the annotated upload
    keeps every signed byte.

    Raises:
        EditError: as `engine.pdf.apply.apply`; also when a change has no place in the upload.
    """
    refuse_untraceable(plan)
    plan, warned = with_gaps(plan)
    log = decode(state)
    base = baseline(original, log)
    wished = wishes(base, working, plan)
    words = words_changed(compare(base, working)) if is_of_looks(plan) else None
    read = meant(working, plan)
    edited, report = apply(
        working, plan, signature, breaks_signature=breaks_signature, may_star=False, read=read
    )
    if not report.applied:
        return edited, replace(report, state=state)
    entries = (*log.entries, entry(signature, report.revisions))
    log = replace(log, entries=entries, made=(*log.made, read.edits))
    comparison = compare(base, edited, log.asked)
    if not comparison.is_whole:
        raise RefusedError(UNTRACED)
    refuse_unseen(comparison, wished)
    if words is not None and words_changed(comparison) != words:
        raise RefusedError(UNTRACED)
    found = [*_tracked(comparison.found, log), *_set(settings(base, edited), log)]
    revisions = [_revision(each) for each in found]
    ours = tuple(each for each in revisions if signature.edit_uid in each.edits)
    warnings = (*report.warnings, *warned)
    revisions_of_it = ours or report.revisions
    return edited, replace(report, revisions=revisions_of_it, state=encode(log), warnings=warnings)


def changes(original: bytes, working: bytes, state: bytes) -> tuple[Revision, ...]:
    """List the net changes in document order."""
    log = decode(state)
    return tuple(_revision(each) for each in _all(baseline(original, log), working, log))


def accounted(original: bytes, working: bytes, state: bytes) -> tuple[bytes, list[Tracked]]:
    """Give the baseline, and the net changes with the edits that made them."""
    log = decode(state)
    base = baseline(original, log)
    return base, _all(base, working, log)


def annotated(original: bytes, working: bytes, state: bytes) -> bytes:
    """Give the baseline with every change as annotations; the baseline's bytes come first.

    Raises:
        VerificationError: the annotations do not read back.
    """
    log = decode(state)
    base = baseline(original, log)
    notes: list[Note | Remark] = []
    for each in _all(base, working, log):
        if each.setting is not None:
            page, name = each.setting.page, f"{each.entry.uid}.{each.id}"
            notes.append(
                Remark(page, each.setting.sentence, each.entry.author, each.entry.date, name)
            )
        for number, part in enumerate(each.parts):
            name = f"{each.entry.uid}.{each.id}" + (f".{number + 1}" if number else "")
            notes.append(Note(part, each.entry.author, each.entry.date, name))
    if not notes and log.accepted:
        return working
    return annotate(base, notes)


def resolve(
    original: bytes,
    working: bytes,
    state: bytes,
    action: Literal["accept", "reject"],
    selection: Selection,
) -> tuple[bytes, Resolution]:
    """Accept or reject changes; gives the edited file as it is then.

    Raises:
        NotFoundError: an id, author or edit that is not there.
        RefusedError, VerificationError: the pages cannot be set so; nothing is resolved.
    """
    log = decode(state)
    base = baseline(original, log)
    found = _all(base, working, log)
    chosen = _selected(found, selection)
    if not chosen:
        return working, Resolution(0, state)
    ids = {each.id for each in chosen}
    if action == "reject":
        kept = _edits([each for each in found if each.id not in ids])
        data = base if kept.is_empty else replayed(base, kept)[0]
        made = log.accepted if kept.is_empty else (*log.accepted, kept)
        return data, Resolution(len(chosen), encode(replace(log, made=made)))
    try:
        log = _accepted(original, log, _edits(chosen))
    except EditError:
        if len(chosen) < len(found):
            raise
        return working, Resolution(len(chosen), encode(_as_made(original, working, log)))
    for _ in range(HIDDEN if selection.all else 0):
        # A look of new words is a change by itself once the words are accepted.
        left = _all(baseline(original, log), working, log)
        if not left:
            break
        log = _accepted(original, log, _edits(left))
    if any(each.is_look for each in chosen) and not selection.all:
        most = sum(not each.is_look for each in found if each.id not in ids)
        _check_words(original, working, log, most)
    return working, Resolution(len(chosen), encode(log))


def _as_made(original: bytes, working: bytes, log: Log) -> Log:
    """Accept everything as it was made, edit by edit, where it cannot be done in one step.

    Raises:
        RefusedError: how it was made is not known, as with a state of an older version.
    """
    log = replace(log, accepted=log.made)
    if not log.made or _all(baseline(original, log), working, log):
        message = "These changes cannot be accepted at once; accept them one after the other"
        raise RefusedError(message)
    return log


def _check_words(original: bytes, working: bytes, log: Log, most: int) -> None:
    """Make sure that accepting a look brings no changes of words, as a page is read.

    Raises:
        RefusedError: it does.
    """
    left = _all(baseline(original, log), working, log)
    if sum(not each.is_look for each in left) > most:
        message = (
            "This look cannot be accepted by itself: the page reads differently with it; accept "
            "all changes at once, or reject this one"
        )
        raise RefusedError(message)


def _accepted(original: bytes, log: Log, step: Edits) -> Log:
    """Add a step to the baseline: as one with the step before where that can be."""
    longer = replace(log, accepted=(*log.accepted, step))
    both = merged(log.accepted[-1], step) if log.accepted else None
    if both is not None:
        shorter = replace(log, accepted=(*log.accepted[:-1], both))
        with suppress(EditError):
            baseline(original, shorter)
            return shorter
    baseline(original, longer)
    return longer


def baseline(original: bytes, log: Log) -> bytes:
    """Give the upload with what was accepted."""
    for step in log.accepted:
        original = replayed(original, step)[0]
    return original


def _all(base: bytes, working: bytes, log: Log) -> list[Tracked]:
    comparison = compare(base, working, log.asked)
    return [*_tracked(comparison.found, log), *_set(settings(base, working), log)]


def _set(found: Sequence[Setting], log: Log) -> Iterator[Tracked]:
    """Give fields and properties that changed their ids, and the edit they came from."""
    for each in found:
        digest = hashlib.sha256(f"{each.kind}\0{each.name}\0{each.after}".encode()).hexdigest()
        entry = next(
            (
                held
                for held in reversed(log.entries)
                if any(place.after == each.after for place in held.places)
            ),
            log.entries[-1] if log.entries else NOBODY,
        )
        yield Tracked(f"c{digest[:8]}", (), entry, each)


def _tracked(found: Sequence[Difference], log: Log) -> list[Tracked]:
    """Give each change its id, and the edit it came from."""
    made: list[Tracked] = []
    counts: Counter[tuple[str, ...]] = Counter()
    for each in found:
        first = made[-1].parts[0] if made else None
        if first is not None and each.stretches and _is_one(first, each):
            made[-1] = replace(made[-1], parts=(*made[-1].parts, each))
            continue
        what = (each.target.anchor, each.before, each.after, *(each.formatting or ()))
        counts[what] += 1
        words = "\0".join((*what, str(counts[what])))
        digest = hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()
        made.append(Tracked(f"c{digest[:8]}", (each,), author_of(each, log)))
    return made


def _is_one(first: Difference, second: Difference) -> bool:
    """Whether two differences are one that goes on on the next page."""
    return (first.place, first.formatting) == (second.place, second.formatting)


def _selected(found: Sequence[Tracked], selection: Selection) -> list[Tracked]:
    if selection.all:
        return list(found)
    if selection.ids:
        by_id = {each.id: each for each in found}
        missing = [each for each in selection.ids if each not in by_id]
        if missing:
            message = f"There is no change {missing[0]}"
            raise NotFoundError(message)
        return [by_id[each] for each in dict.fromkeys(selection.ids)]
    if selection.author is not None:
        chosen = [each for each in found if each.entry.author == selection.author]
        message = f"There is no change by {selection.author}"
    else:
        chosen = [each for each in found if each.entry.uid == selection.edit_uid]
        message = f"There is no change by the edit {selection.edit_uid}"
    if not chosen:
        raise NotFoundError(message)
    return chosen


def _edits(chosen: Sequence[Tracked]) -> Edits:
    """Say in one step what some changes do."""
    edits = Edits()
    for each in chosen:
        if each.setting is not None:
            held = edits.fields if each.setting.kind == "field" else edits.properties
            held[each.setting.name] = each.setting.after
            continue
        part = each.parts[0]
        anchor = part.target.anchor
        if part.formatting is not None:
            _dress(edits, part, part.formatting)
        elif part.is_block:
            edits.insert(Insertion(anchor, part.after, part.is_bullet))
        elif part.start == 0 and part.end == len(part.target.text) and not part.after:
            edits.deleted.append(anchor)
        else:
            change = Change(part.start, part.end, part.after)
            edits.changes.setdefault(anchor, []).append(change)
    return edits


def _dress(edits: Edits, part: Difference, formatting: Formatting) -> None:
    """Add a look or a link."""
    name, _, value = formatting
    place = part.place
    if name == "link":
        edits.links.append(Linking(*place, value))
    elif name == "colour":
        edits.looks.append(Look(*place, fill=fill_of(value)))
    elif name == "bold":
        edits.looks.append(Look(*place, bold=value == "on"))
    else:
        edits.looks.append(Look(*place, italic=value == "on"))


def _revision(change: Tracked) -> Revision:
    if change.setting is not None:
        return _revision_of_setting(change, change.setting)
    part, made = change.parts[0], change.entry
    before, after, text = part.before, part.after, part.target.text
    kind: RevisionKind = "replacement" if before else "insertion"
    kind = "format" if part.formatting else kind if after else "deletion"
    return Revision(
        change.id,
        kind,
        made.author,
        made.date,
        "body",
        part.target.anchor,
        f"page {part.page + 1}",
        before,
        after,
        text[max(0, part.start - 60) : part.start],
        text[part.end : part.end + 60],
        (made.uid,) if made.uid else (),
        (said(part.formatting),) if part.formatting else (),
    )


def _revision_of_setting(change: Tracked, setting: Setting) -> Revision:
    made = change.entry
    is_field = setting.kind == "field"
    return Revision(
        change.id,
        "other",
        made.author,
        made.date,
        "body",
        setting.name if is_field else "",
        f"page {setting.page + 1}" if is_field else f"property {setting.name}",
        setting.before,
        setting.after,
        edits=(made.uid,) if made.uid else (),
    )
