"""Accepts or rejects tracked changes of a file, by selection; and makes the clean copy.

Accepting ours moves the baseline to what rejecting the rest of ours gives; rejecting ours leaves
it, and that is checked. Deciding on another's change moves both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from engine import verify
from engine.docx.changes.revisions import Change, tracked
from engine.docx.inspection import settle_ours
from engine.docx.judging.fingerprint import fingerprint, story_parts
from engine.docx.judging.validity import present
from engine.docx.names import (
    W_INS,
    W_P,
    W_PPR,
    W_RPR,
    W_TC,
    W_TR,
    W_TR_PR,
    Element,
)
from engine.docx.package import Package
from engine.docx.settling import settling
from engine.docx.settling.settlement import settle, settle_each
from engine.errors import NotFoundError
from engine.model import Revision
from engine.report import Resolution, Selection
from engine.state import State, decode, encode


def resolve(
    data: bytes, state: bytes, action: Literal["accept", "reject"], selection: Selection
) -> tuple[bytes, Resolution]:
    """Accept or reject the selected changes.

    Returns:
        The new file, and how many changes are gone with the new state.

    Raises:
        NotFoundError: an id, author or edit that is not there.
        VerificationError: rejecting ours did not lead back to the baseline.
    """
    package = Package.open(data)
    before = decode(state)
    changes = tracked(package, before)
    chosen = select(changes, selection)
    if not chosen:
        return data, Resolution(0, state)
    settle(package, _by_part(chosen, before, selection, action), action)
    result = package.save()
    opened = Package.open(result)
    after = _state(opened, before)
    if action == "reject" and before.baseline and all(change.revision.is_ours for change in chosen):
        for part, digests in after.baseline.items():
            verify.baseline_is_kept(part, before.baseline.get(part, ()), digests)
    return result, Resolution(len(chosen), encode(after))


def decide(
    data: bytes, state: State, chosen: Mapping[Literal["accept", "reject"], Sequence[str]]
) -> tuple[bytes, State, Mapping[Literal["accept", "reject"], tuple[Revision, ...]]]:
    """Accept and reject changes by their ids, all looked up in the file as it is.

    Returns:
        The new file and its state, and which changes were accepted and rejected.

    Raises:
        NotFoundError: there is no change of an id.
    """
    package = Package.open(data)
    changes = tracked(package, state)
    marks: dict[settling.Action, dict[str, list[Element]]] = {}
    settled: dict[settling.Action, tuple[Revision, ...]] = {}
    for action, ids in chosen.items():
        found = select(changes, Selection(ids=tuple(ids))) if ids else []
        marks[action] = _by_part(found, state, Selection(), action)
        settled[action] = tuple(each.revision for each in found)
    settle_each(package, marks)
    result = package.save()
    after = _state(Package.open(result), state)
    return result, after, settled


def clean(data: bytes, state: bytes) -> bytes:
    """The file with our changes accepted; others' stand."""
    package = Package.open(data)
    settle_ours(package, decode(state))
    return package.save()


def select(changes: Sequence[Change], selection: Selection) -> list[Change]:
    """The changes that a selection means.

    Raises:
        NotFoundError: it names something that is not there.
    """
    if selection.all:
        return list(changes)
    if selection.ids:
        known = {change.revision.id: change for change in changes}
        missing = [identifier for identifier in selection.ids if identifier not in known]
        if missing:
            message = f"There is no change {missing[0]}"
            raise NotFoundError(message)
        return [known[identifier] for identifier in dict.fromkeys(selection.ids)]
    if selection.author is not None:
        found = [change for change in changes if change.revision.author == selection.author]
        message = f"There is no change by {selection.author}"
    else:
        found = [change for change in changes if selection.edit_uid in change.revision.edits]
        message = f"There is no change by the edit {selection.edit_uid}"
    if not found:
        raise NotFoundError(message)
    return found


def _by_part(
    changes: Iterable[Change], state: State, selection: Selection, action: settling.Action
) -> dict[str, list[Element]]:
    found: dict[str, list[Element]] = {}
    for change in changes:
        for part, mark in _marks(change, state, selection):
            found.setdefault(part, []).append(mark)
            if action == "accept":
                found[part] += _ends_of_cells(mark, state)
    return found


def _ends_of_cells(mark: Element, state: State) -> Iterator[Element]:
    """Our marks of the paragraphs that the cells of an accepted row cannot do without.

    They are part of another change when the table was deleted since. Left behind, rejecting that
    change would leave a cell without a paragraph (17.4.65, tc).
    """
    properties = mark.getparent()
    is_row = properties is not None and properties.tag == W_TR_PR and mark.tag == W_INS
    row = properties.getparent() if is_row and properties is not None else None
    if row is None or _edit_of(mark, state) is None:
        return
    for cell in row.iter(W_TC):
        last = next(cell.iterchildren(W_P, reversed=True), None)
        inserted = None if last is None else last.find(f"{W_PPR}/{W_RPR}/{W_INS}")
        is_own = next(cell.iterancestors(W_TR), None) is row
        if is_own and inserted is not None and _edit_of(inserted, state) is not None:
            yield inserted


def _marks(change: Change, state: State, selection: Selection) -> list[tuple[str, Element]]:
    """The marks of a change that a selection means, with their parts.

    Of a change by several edits those of one are meant, when an edit is named.
    """
    found = [*((change.part, mark) for mark in change.marks), *change.elsewhere]
    if selection.edit_uid is None or len(change.revision.edits) < 2:
        return found
    return [(part, m) for part, m in found if _edit_of(m, state) == selection.edit_uid]


def _edit_of(mark: Element, state: State) -> str | None:
    identifier = settling.ids_of([mark])[0]
    return state.ours.get(int(identifier)) if identifier.isdecimal() else None


def _state(package: Package, before: State) -> State:
    ids = present([package.read(part) for part in story_parts(package)])
    ours = {number: edit for number, edit in before.ours.items() if number in ids}
    return State(ours, before.formatted & ids, fingerprint(package, ours))
