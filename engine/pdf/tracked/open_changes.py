"""The open changes of a tracked PDF, each with its id and the edit that made it.

They are those of words and looks, of form fields and properties, and of whole pages.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from redraft.engine.errors import NotFoundError
from redraft.engine.model import Revision, RevisionKind
from redraft.engine.pdf.compare.character_looks import Formatting, as_said
from redraft.engine.pdf.compare.comparison import Comparison, Difference
from redraft.engine.pdf.compare.field_changes import FieldChange, field_changes
from redraft.engine.pdf.glyphs.edited_words import Change
from redraft.engine.pdf.resolved_edits import Edits, Insertion, Linking, Look
from redraft.engine.pdf.tracked import page_changes
from redraft.engine.pdf.tracked.authorship import NOBODY, author_of, touches
from redraft.engine.pdf.tracked.change_log import Entry, Log
from redraft.engine.pdf.tracked.page_changes import PageChangeNote, Shaped, notes_of
from redraft.engine.pdf.typeset.colours import fill_of
from redraft.engine.report import Selection


@dataclass(frozen=True, slots=True)
class Tracked:
    """A change with its id and the edit that made it; one that runs over pages has several parts.

    The id is made of what changed and where, so that it stays while other changes come and go.
    A field or property that changed has no parts, but a `setting`; of whole pages that were it is
    `page_note`.
    """

    id: str
    parts: tuple[Difference, ...]
    entry: Entry
    field_change: FieldChange | None = None
    page_note: PageChangeNote | None = None

    @property
    def is_look(self) -> bool:
        """Whether words stay and look otherwise, or link to something else."""
        return bool(self.parts) and self.parts[0].formatting is not None


def listed(
    base: bytes, now: Shaped, working: bytes, comparison: Comparison, log: Log
) -> list[Tracked]:
    """Returns all changes: of words and looks, of fields and properties, of pages."""
    changes = [*tracked(comparison.differences, log), *_set(field_changes(now.data, working), log)]
    entries = {entry.uid: entry for entry in log.entries}
    for note in notes_of(base, log.shapings):
        made = entries.get(note.shaping.uid, NOBODY)
        changes.append(Tracked(page_changes.name(note.shaping), (), made, page_note=note))
    return changes


def _set(setting_changes: Sequence[FieldChange], log: Log) -> Iterator[Tracked]:
    """Yields fields and properties that changed their ids, and the edit they came from."""
    for field_change in setting_changes:
        digest = hashlib.sha256(
            f"{field_change.kind}\0{field_change.name}\0{field_change.after}".encode()
        ).hexdigest()
        entry = next(
            (
                logged
                for logged in reversed(log.entries)
                if any(place.after == field_change.after for place in logged.places)
            ),
            log.entries[-1] if log.entries else NOBODY,
        )
        yield Tracked(f"c{digest[:8]}", (), entry, field_change)


def tracked(
    differences: Sequence[Difference], log: Log, shaper: Entry | None = None
) -> list[Tracked]:
    """Returns each change with its id and the edit it came from.

    Whole blocks that go or come, and that no edit has named, are of the edit `shaper`.
    """
    made: list[Tracked] = []
    traced = touches(log)
    counts: Counter[tuple[str, ...]] = Counter()
    for difference in differences:
        first = made[-1].parts[0] if made else None
        if first is not None and difference.stretches and _is_one(first, difference):
            made[-1] = replace(made[-1], parts=(*made[-1].parts, difference))
            continue
        what = (
            difference.target.anchor,
            difference.before,
            difference.after,
            *(difference.formatting or ()),
        )
        counts[what] += 1
        words = "\0".join((*what, str(counts[what])))
        digest = hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()
        maker = author_of(difference, log, traced)
        if shaper is not None and is_whole(difference) and not _is_named(difference, log):
            maker = shaper
        made.append(Tracked(f"c{digest[:8]}", (difference,), maker))
    return made


def is_whole(change: Difference) -> bool:
    """Whether a change is a block that went, or a new one."""
    is_all = change.start == 0 and change.end == len(change.target.text)
    return change.is_block or (is_all and not change.after)


def _is_named(change: Difference, log: Log) -> bool:
    words = change.before, change.after
    return any((p.before, p.after) == words for entry in log.entries for p in entry.places)


def _is_one(first: Difference, second: Difference) -> bool:
    """Whether two differences are one that goes on on the next page."""
    return (first.place, first.formatting) == (second.place, second.formatting)


def selected(open_changes: Sequence[Tracked], selection: Selection) -> list[Tracked]:
    """Returns the changes that are chosen.

    Raises:
        NotFoundError: an id, author or edit that is not there.
    """
    if selection.all:
        return list(open_changes)
    if selection.ids:
        by_id = {tracked_change.id: tracked_change for tracked_change in open_changes}
        missing = [
            tracked_change for tracked_change in selection.ids if tracked_change not in by_id
        ]
        if missing:
            message = f"There is no change {missing[0]}"
            raise NotFoundError(message)
        return [by_id[tracked_change] for tracked_change in dict.fromkeys(selection.ids)]
    if selection.author is not None:
        chosen = [
            tracked_change
            for tracked_change in open_changes
            if tracked_change.entry.author == selection.author
        ]
        message = f"There is no change by {selection.author}"
    else:
        chosen = [
            tracked_change
            for tracked_change in open_changes
            if tracked_change.entry.uid == selection.edit_uid
        ]
        message = f"There is no change by the edit {selection.edit_uid}"
    if not chosen:
        raise NotFoundError(message)
    return chosen


def edits_of(chosen: Sequence[Tracked]) -> Edits:
    """Says in one step what some changes do."""
    edits = Edits()
    for tracked_change in chosen:
        if tracked_change.page_note is not None:
            continue
        if tracked_change.field_change is not None:
            values = (
                edits.fields if tracked_change.field_change.kind == "field" else edits.properties
            )
            values[tracked_change.field_change.name] = tracked_change.field_change.after
            continue
        part = tracked_change.parts[0]
        anchor = part.target.anchor
        if part.formatting is not None:
            _apply_look(edits, part, part.formatting)
        elif part.is_block:
            edits.insert(Insertion(anchor, part.after, part.is_bullet))
        elif part.start == 0 and part.end == len(part.target.text) and not part.after:
            edits.deleted.append(anchor)
        else:
            change = Change(part.start, part.end, part.after)
            edits.changes.setdefault(anchor, []).append(change)
    return edits


def _apply_look(edits: Edits, part: Difference, formatting: Formatting) -> None:
    """Adds a look or a link."""
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


def revision(change: Tracked) -> Revision:
    """Returns a change as a reviewer counts it."""
    if change.field_change is not None:
        return _revision_of_field(change, change.field_change)
    if change.page_note is not None:
        return _revision_of_pages(change, change.page_note)
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
        (as_said(part.formatting),) if part.formatting else (),
    )


def _revision_of_field(change: Tracked, field_change: FieldChange) -> Revision:
    made = change.entry
    is_field = field_change.kind == "field"
    return Revision(
        change.id,
        "other",
        made.author,
        made.date,
        "body",
        field_change.name if is_field else "",
        f"page {field_change.page + 1}" if is_field else f"property {field_change.name}",
        field_change.before,
        field_change.after,
        edits=(made.uid,) if made.uid else (),
    )


def _revision_of_pages(change: Tracked, page_note: PageChangeNote) -> Revision:
    made = change.entry
    return Revision(
        change.id,
        "other",
        made.author,
        made.date,
        "body",
        "",
        f"page {page_note.page + 1}",
        "",
        page_changes.sentence(page_note.shaping),
        edits=(made.uid,) if made.uid else (),
    )
