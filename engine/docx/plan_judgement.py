"""Holds an edited Word document against what its plan says (law 2 of the redline)."""

from __future__ import annotations

from collections.abc import Mapping

from redraft.engine.docx.anchors import stories
from redraft.engine.docx.judging.document_content import Inflated, Named, content
from redraft.engine.docx.names import Element
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading import reader
from redraft.engine.docx.reading.images import Images
from redraft.engine.judge.comparison import compare
from redraft.engine.judge.expectation import expected
from redraft.engine.plan import (
    COMMENT_THREADS,
    DeleteImage,
    EditPlan,
    RewriteBlock,
    SetAltText,
    SetField,
    SetProperty,
    SettleChange,
)


def judge(before: Package, plan: EditPlan, after: Package) -> None:
    """Sees that a document says what a plan makes of it.

    Args:
        before: The version before, as it was opened.
        plan: What was to be done; its decisions on tracked changes and comments are judged
            where they are carried out.
        after: The result.

    Raises:
        VerificationError: it does not.
    """
    later = (SettleChange, *COMMENT_THREADS)
    operations = tuple(o for o in plan.operations if not isinstance(o, later))
    if not operations:
        return
    named = _named(before, operations)
    inflated = Inflated()
    is_described = any(isinstance(o, SetAltText | SetProperty) for o in operations)
    former = content(before, after, named, inflated, is_described=is_described)
    found = content(after, before, None, inflated, is_described=is_described)
    compare(expected(former, operations), found)


def _named(package: Package, operations: tuple[object, ...]) -> Named:
    """What the view calls pictures and controls, where the plan speaks of them."""
    images: dict[Element, str] = {}
    controls: Mapping[str, Element] = {}
    if any(isinstance(o, DeleteImage | RewriteBlock) for o in operations):
        shown = Images(package, stories(package))
        images = {node: name for name in shown.identifiers() for node in shown.showing(name)}
    if any(isinstance(o, SetField) for o in operations):
        controls = reader.controls(package)
    return Named(images, {element: name for name, element in controls.items()})
