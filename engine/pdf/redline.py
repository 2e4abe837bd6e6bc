"""Tracked changes of a PDF: the net difference between the upload and the edited file.

The edited file carries no marks. What changed is found by comparing, who changed it is kept in a
log of edits, which is the opaque `state` of a version. The redline is the upload with annotations;
to reject a change is to carry out all the others on the upload.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import NotFoundError
from engine.model import Revision
from engine.pdf.annotations import Note, annotate
from engine.pdf.apply import carry_out
from engine.pdf.content.comparison import Difference, differences
from engine.pdf.content.log import Entry, entries
from engine.pdf.content.targets import Edits
from engine.pdf.content.words import Change


def changes(original: bytes, working: bytes, state: bytes) -> tuple[Revision, ...]:
    """List the net changes of the upload in document order; ids are `c1`, `c2` and so on."""
    log = entries(state)
    return tuple(
        _revision(f"c{number}", change, log)
        for number, change in enumerate(differences(original, working), start=1)
    )


def annotated(original: bytes, working: bytes, state: bytes) -> bytes:
    """Give the upload with every change as annotations; the upload's bytes come first.

    Raises:
        VerificationError: the annotations do not read back.
    """
    log = entries(state)
    notes: list[Note] = []
    for number, change in enumerate(differences(original, working), start=1):
        entry = _author_of(change, log)
        notes.append(Note(change, entry.author, entry.date, f"{entry.uid}.c{number}"))
    return annotate(original, notes)


def without(original: bytes, working: bytes, rejected: frozenset[str]) -> bytes:
    """Give the edited file without some changes: the others are carried out on the upload anew.

    Args:
        original: the upload.
        working: the edited file.
        rejected: ids as `changes` gives them.

    Raises:
        NotFoundError: an id is not there.
        RefusedError, VerificationError: as for an edit.
    """
    found = {f"c{number}": each for number, each in enumerate(differences(original, working), 1)}
    if not rejected <= found.keys():
        raise NotFoundError
    edits = Edits()
    done: set[tuple[str, int]] = set()
    for name, each in found.items():
        place = (each.target.anchor, each.start)
        if name in rejected or place in done:
            continue
        done.add(place)
        change = Change(each.start, each.end, each.after)
        edits.changes.setdefault(each.target.anchor, []).append(change)
    for anchor, listed in list(edits.changes.items()):
        text = next(e.target.text for e in found.values() if e.target.anchor == anchor)
        if len(listed) == 1 and listed[0] == Change(0, len(text), ""):
            del edits.changes[anchor]
            edits.deleted.append(anchor)
    return carry_out(original, edits)[0] if edits.changes or edits.deleted else original


def _author_of(change: Difference, log: Sequence[Entry]) -> Entry:
    """Give the last edit that brought or took the words of a change, else the last one of all."""
    for entry in reversed(log):
        brought = any(each and each in change.after for each in entry.after)
        took = not change.after and any(each and each in change.before for each in entry.before)
        if brought or took:
            return entry
    return log[-1] if log else Entry("", "Anonymous", "1970-01-01T00:00:00Z")


def _revision(name: str, change: Difference, log: Sequence[Entry]) -> Revision:
    entry = _author_of(change, log)
    before, after, text = change.before, change.after, change.target.text
    kind = "replacement" if before and after else "insertion" if after else "deletion"
    return Revision(
        name,
        kind,
        entry.author,
        entry.date,
        "body",
        change.target.anchor,
        f"page {change.page + 1}",
        before,
        after,
        text[max(0, change.start - 60) : change.start],
        text[change.end : change.end + 60],
        (entry.uid,) if entry.uid else (),
    )
