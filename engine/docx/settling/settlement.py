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
    before = citations.cited(package)
    written: dict[str, bytes] = {}
    for part, found in marks.items():
        splicer = Splicer(package, part)
        settler = settling.Settler(package.tree(part))
        settler.settle(found, action)
        settler.sweep()
        written[part] = splicer.settled(settler.changed)
    gone = citations.places(package, citations.orphans(package, before))
    for part, data in written.items():
        package.replace(part, data)
    citations.drop(package, gone)
