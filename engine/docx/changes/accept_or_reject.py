"""Accepts or rejects tracked changes of a file, by selection; and makes the clean copy.

Accepting ours moves the baseline to what rejecting the rest of ours gives and leaves the final
view; rejecting ours leaves the baseline. Both are checked. Deciding on another's change moves both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from redraft.engine import verify
from redraft.engine.docx.accept_reject import part_tree
from redraft.engine.docx.accept_reject.whole_package import settle, settle_each, settle_ours
from redraft.engine.docx.changes.revisions import Change, tracked
from redraft.engine.docx.judging.fingerprint import container, fingerprint, story_parts
from redraft.engine.docx.judging.validity import faults, present
from redraft.engine.docx.names import (
    W_INS,
    W_P,
    W_PPR,
    W_RPR,
    W_TC,
    W_TR,
    W_TR_PR,
    Element,
)
from redraft.engine.docx.opc.package import Package
from redraft.engine.errors import NotFoundError
from redraft.engine.model import Revision
from redraft.engine.report import Resolution, Selection
from redraft.engine.state import State, decode, encode


def resolve(
    data: bytes, state: bytes, action: Literal["accept", "reject"], selection: Selection
) -> tuple[bytes, Resolution]:
    """Accept or reject the selected changes.

    Returns:
        The new file, and how many changes are gone with the new state.

    Raises:
        NotFoundError: an id, author or edit that is not there.
        VerificationError: rejecting ours did not lead back to the baseline, or accepting ours
            changed the final view.
    """
    package = Package.open(data)
    before = decode(state)
    changes = tracked(package, before)
    chosen = select(changes, selection)
    if not chosen:
        return data, Resolution(0, state)
    law = _Law.of(package, before, {action: chosen})
    settle(package, _by_part(chosen, before, selection, action), action, ours=before.ours)
    result = package.save()
    opened = Package.open(result)
    after = _state(opened, before)
    law.hold(opened, after)
    return result, Resolution(len(chosen), encode(after))


def decide(
    data: bytes, state: State, chosen: Mapping[Literal["accept", "reject"], Sequence[str]]
) -> tuple[bytes, State, Mapping[Literal["accept", "reject"], tuple[Revision, ...]]]:
    """Accept and reject changes by their ids, all looked up in the file as it is.

    Returns:
        The new file and its state, and which changes were accepted and rejected.

    Raises:
        NotFoundError: there is no change of an id.
        VerificationError: a view that was to stay did not.
    """
    package = Package.open(data)
    changes = tracked(package, state)
    selected: dict[part_tree.Action, list[Change]] = {
        action: select(changes, Selection(ids=tuple(ids))) for action, ids in chosen.items() if ids
    }
    law = _Law.of(package, state, selected)
    marks: dict[part_tree.Action, dict[str, list[Element]]] = {
        action: _by_part(change, state, Selection(), action) for action, change in selected.items()
    }
    settle_each(package, marks, ours=state.ours)
    result = package.save()
    opened = Package.open(result)
    after = _state(opened, state)
    law.hold(opened, after)
    settled: dict[part_tree.Action, tuple[Revision, ...]] = {
        action: tuple(change.revision for change in selected.get(action, ())) for action in chosen
    }
    return result, after, settled


@dataclass(frozen=True, slots=True)
class _Law:
    """What decisions leave as it was.

    Rejecting ours leaves the baseline and accepting ours the final view; deciding on others'
    changes, or both on some of ours and on others of them, leaves neither. No decision makes a file
    less valid than it was.
    """

    action: part_tree.Action | None
    view: Mapping[str, tuple[str, ...]]
    faults: Counter[str]

    @classmethod
    def of(
        cls,
        package: Package,
        before: State,
        chosen: Mapping[part_tree.Action, Sequence[Change]],
    ) -> _Law:
        """Take down what is to stay, before anything is settled."""
        is_ours = all(change.revision.is_ours for changes in chosen.values() for change in changes)
        known = _faults(package)
        if len(chosen) != 1 or not is_ours:
            return cls(None, {}, known)
        action = next(iter(chosen))
        if action == "accept":
            return cls(action, fingerprint(package, before.ours, "final"), known)
        return cls(action if before.baseline else None, before.baseline, known)

    def hold(self, opened: Package, after: State) -> None:
        """Compare what was taken down with the result, opened anew.

        Raises:
            VerificationError: they differ, or the result is not valid.
        """
        verify.is_valid("the file", list(_faults(opened) - self.faults))
        if self.action == "reject":
            for part, digests in after.baseline.items():
                verify.stays_the_same(part, self.view.get(part, ()), digests)
        if self.action == "accept":
            # Where no mark of ours is left the final view is the baseline.
            now = fingerprint(opened, after.ours, "final") if after.ours else after.baseline
            for part, digests in now.items():
                verify.stays_the_same(part, self.view.get(part, ()), digests, law=2)


def _faults(package: Package) -> Counter[str]:
    return Counter(
        fault for part in story_parts(package) for fault in faults(container(package.tree(part)))
    )


def clean(data: bytes, state: bytes) -> bytes:
    """The file with our changes accepted; others' stand."""
    package = Package.open(data)
    settle_ours(package, decode(state).ours)
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
        selected = [change for change in changes if change.revision.author == selection.author]
        message = f"There is no change by {selection.author}"
    else:
        selected = [change for change in changes if selection.edit_uid in change.revision.edits]
        message = f"There is no change by the edit {selection.edit_uid}"
    if not selected:
        raise NotFoundError(message)
    return selected


def _by_part(
    changes: Iterable[Change], state: State, selection: Selection, action: part_tree.Action
) -> dict[str, list[Element]]:
    by_part: dict[str, list[Element]] = {}
    for change in changes:
        for part, mark in _marks(change, state, selection):
            by_part.setdefault(part, []).append(mark)
            if action == "accept":
                by_part[part] += _ends_of_cells(mark, state)
    return by_part


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
    marks = [*((change.part, mark) for mark in change.marks), *change.elsewhere]
    if selection.edit_uid is None or len(change.revision.edits) < 2:
        return marks
    return [(part, m) for part, m in marks if _edit_of(m, state) == selection.edit_uid]


def _edit_of(mark: Element, state: State) -> str | None:
    identifier = part_tree.ids_of([mark])[0]
    return state.ours.get(int(identifier)) if identifier.isdecimal() else None


def _state(package: Package, before: State) -> State:
    ids = present([package.read(part) for part in story_parts(package)])
    ours = {number: edit for number, edit in before.ours.items() if number in ids}
    return State(ours, before.formatted & ids, fingerprint(package, ours))
