"""Holds an edited Word document against what its plan says (law 2 of the redline)."""

from __future__ import annotations

from collections.abc import Mapping

from redraft.engine.docx.anchors import stories
from redraft.engine.docx.judging.document_content import Named, content
from redraft.engine.docx.names import Element
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading import reader
from redraft.engine.docx.reading.images import Images
from redraft.engine.judge.comparison import compare
from redraft.engine.judge.expectation import expected
from redraft.engine.plan import DeleteImage, EditPlan, RewriteBlock, SetField, SettleChange


def judge(before: bytes, plan: EditPlan, after: Package) -> None:
    """Sees that a document says what a plan makes of it.

    Args:
        before: The file of the version before.
        plan: What was to be done; its decisions on tracked changes are not judged here.
        after: The result.

    Raises:
        VerificationError: it does not.
    """
    operations = tuple(o for o in plan.operations if not isinstance(o, SettleChange))
    if not operations:
        return
    former = Package.open(before)
    named = _named(former, operations)
    compare(expected(content(former, after, named), operations), content(after, former))


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
