"""Settles marks in a package: in all of its parts, with the notes that go along."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from engine.docx.names import Element
from engine.docx.package import Package
from engine.docx.settling import citations, settling
from engine.docx.splice import Splicer


def settle(
    package: Package, marks: Mapping[str, Collection[Element]], action: settling.Action
) -> None:
    """Accept or reject marks.

    A note whose last reference goes is dropped with it.

    Args:
        package: What they stand in.
        marks: For each part the marks in its tree that are meant.
        action: What is to be done with all of them.
    """
    settle_each(package, {action: marks})


def settle_each(
    package: Package, decisions: Mapping[settling.Action, Mapping[str, Collection[Element]]]
) -> None:
    """Accept some marks and reject others at once, all found in the package as it is.

    A mark that goes with another one is settled with it.
    """
    before = citations.cited(package)
    written: dict[str, bytes] = {}
    for part in dict.fromkeys(part for marks in decisions.values() for part in marks):
        splicer = Splicer(package, part)
        settler = settling.Settler(package.tree(part))
        for action, marks in decisions.items():
            settler.settle(marks.get(part, ()), action)
        settler.sweep()
        written[part] = splicer.settled(settler.changed)
    gone = citations.places(package, citations.orphans(package, before))
    for part, data in written.items():
        package.replace(part, data)
    citations.drop(package, gone)
