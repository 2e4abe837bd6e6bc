"""Settles marks in a package: in all of its parts, with the notes that go along."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from redraft.engine.docx.accept_reject import note_references, part_tree
from redraft.engine.docx.judging.fingerprint import story_parts
from redraft.engine.docx.names import Element
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.opc.splice import Splicer
from redraft.engine.docx.redline.textmap import revision_id


def settle(
    package: Package,
    marks: Mapping[str, Collection[Element]],
    action: part_tree.Action,
    *,
    ours: Collection[int] = (),
    is_last: bool = False,
) -> None:
    """Accept or reject marks.

    A note whose last reference goes is dropped with it.

    Args:
        package: What they stand in.
        marks: For each part the marks in its tree that are meant.
        action: What is to be done with all of them.
        ours: The ids of our marks, on which the same people decide whoever wrote them.
        is_last: Whether none may be left for a later decision (`joining.Joiner.is_held`).
    """
    settle_each(package, {action: marks}, ours=ours, is_last=is_last)


def settle_each(
    package: Package,
    decisions: Mapping[part_tree.Action, Mapping[str, Collection[Element]]],
    *,
    ours: Collection[int] = (),
    is_last: bool = False,
) -> None:
    """Accept some marks and reject others at once, all found in the package as it is.

    A mark that goes with another one is settled with it. All else is as in `settle`.
    """
    numbers = frozenset(map(str, ours))
    before = note_references.cited(package)
    written: dict[str, bytes] = {}
    for part in dict.fromkeys(part for marks in decisions.values() for part in marks):
        splicer = Splicer(package, part)
        settler = part_tree.Settler(package.tree(part))
        for action, marks in decisions.items():
            settler.settle(marks.get(part, ()), action, ours=numbers, is_last=is_last)
        loose = settler.sweep()
        written[part] = splicer.settled(settler.changed, loose)
    gone = note_references.places(package, note_references.orphans(package, before))
    for part, data in written.items():
        package.replace(part, data)
    note_references.drop(package, gone)


def settle_ours(package: Package, ours: Collection[int], left: Collection[int] = ()) -> None:
    """Accept our marks in a package, but for some that are left to be decided on."""
    marks = {
        part: [
            mark
            for mark in part_tree.revisions(package.tree(part))
            if revision_id(mark) in ours and revision_id(mark) not in left
        ]
        for part in story_parts(package)
    }
    marked_parts = {part: part_marks for part, part_marks in marks.items() if part_marks}
    settle(package, marked_parts, "accept", ours=ours, is_last=not left)
