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
from redraft.engine.pdf.compare.character_looks import Formatting, said
from redraft.engine.pdf.compare.comparison import Comparison, Difference
from redraft.engine.pdf.compare.field_changes import Setting, settings
from redraft.engine.pdf.glyphs.edited_words import Change
from redraft.engine.pdf.resolved_edits import Edits, Insertion, Linking, Look
from redraft.engine.pdf.tracked import page_changes
from redraft.engine.pdf.tracked.change_log import Entry, Log
from redraft.engine.pdf.tracked.edit_of_change import NOBODY, author_of
from redraft.engine.pdf.tracked.page_changes import Shaped, Told, told
from redraft.engine.pdf.typeset.colours import fill_of
from redraft.engine.report import Selection


@dataclass(frozen=True, slots=True)
class Tracked:
    """A change with its id and the edit that made it; one that runs over pages has several parts.

    The id is made of what changed and where, so that it stays while other changes come and go.
    A field or property that changed has no parts, but a `setting`; of whole pages that were it is
    `told`.
    """

    id: str
    parts: tuple[Difference, ...]
    entry: Entry
    setting: Setting | None = None
    told: Told | None = None

    @property
    def is_look(self) -> bool:
        """Whether words stay and look otherwise, or link to something else."""
        return bool(self.parts) and self.parts[0].formatting is not None


def listed(
    base: bytes, now: Shaped, working: bytes, comparison: Comparison, log: Log
) -> list[Tracked]:
    """Give all changes: of words and looks, of fields and properties, of pages."""
    found = [*tracked(comparison.found, log), *_set(settings(now.data, working), log)]
    entries = {each.uid: each for each in log.entries}
    for each in told(base, log.shapings):
        made = entries.get(each.shaping.uid, NOBODY)
        found.append(Tracked(page_changes.name(each.shaping), (), made, told=each))
    return found


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


def tracked(found: Sequence[Difference], log: Log, shaper: Entry | None = None) -> list[Tracked]:
    """Give each change its id, and the edit it came from.

    Whole blocks that go or come, and that no edit has named, are of the edit `shaper`.
    """
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
        maker = author_of(each, log)
        if shaper is not None and is_whole(each) and not _is_named(each, log):
            maker = shaper
        made.append(Tracked(f"c{digest[:8]}", (each,), maker))
    return made


def is_whole(change: Difference) -> bool:
    """Whether a change is a block that went, or a new one."""
    is_all = change.start == 0 and change.end == len(change.target.text)
    return change.is_block or (is_all and not change.after)


def _is_named(change: Difference, log: Log) -> bool:
    words = change.before, change.after
    return any((p.before, p.after) == words for each in log.entries for p in each.places)


def _is_one(first: Difference, second: Difference) -> bool:
    """Whether two differences are one that goes on on the next page."""
    return (first.place, first.formatting) == (second.place, second.formatting)


def selected(found: Sequence[Tracked], selection: Selection) -> list[Tracked]:
    """Give the changes that are chosen.

    Raises:
        NotFoundError: an id, author or edit that is not there.
    """
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


def edits_of(chosen: Sequence[Tracked]) -> Edits:
    """Say in one step what some changes do."""
    edits = Edits()
    for each in chosen:
        if each.told is not None:
            continue
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


def revision(change: Tracked) -> Revision:
    """Give a change as a reviewer counts it."""
    if change.setting is not None:
        return _revision_of_setting(change, change.setting)
    if change.told is not None:
        return _revision_of_pages(change, change.told)
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


def _revision_of_pages(change: Tracked, told: Told) -> Revision:
    made = change.entry
    return Revision(
        change.id,
        "other",
        made.author,
        made.date,
        "body",
        "",
        f"page {told.page + 1}",
        "",
        page_changes.sentence(told.shaping),
        edits=(made.uid,) if made.uid else (),
    )
