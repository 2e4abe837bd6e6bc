"""Bold and italic of new words that a plan writes with Markdown emphasis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.edit.execute import execute
from redraft.engine.pdf.edit.resolution import Emphasis, emphasized, looks_of, resolve
from redraft.engine.pdf.glyphs.edited_words import Change
from redraft.engine.pdf.glyphs.target_blocks import Target, known_in
from redraft.engine.pdf.resolved_edits import Edits, Look, changed
from redraft.engine.plan import EditPlan, FindReplace, ReplaceText

NOT_SHOWN = (
    "The new words look like those they replace: a tracked PDF shows no bold or italic of new words"
)


def has_emphasis(plan: EditPlan) -> bool:
    """Whether a plan writes words in a face of their own."""
    return any(_spans(operation) for operation in plan.operations)


def with_emphasis(
    edited: bytes,
    plan: EditPlan,
    edits: Edits,
    known: Sequence[Target],
    *,
    breaks_signature: bool = False,
) -> tuple[bytes, tuple[str, ...]]:
    """Sets new words in the faces that a plan gives them; returns the file and warnings.

    Args:
        edited: the file with the new words.
        plan: what was done to it.
        edits: all changes that were made of it.
        known: the blocks before them.
        breaks_signature: whether a signed PDF may be edited, with a warning.

    Raises:
        EditError: it cannot be done without damage.
    """
    after = known_in(edited)
    texts = {target.anchor: target.text for target in known}
    looks: list[Look] = []
    for anchor, change, parts in _written(plan, known):
        others = edits.changes.get(anchor, ())
        target = _there(after, anchor, changed(texts[anchor], others))
        at = change.start + sum(
            len(other.text) - (other.end - other.start)
            for other in others
            if other.start < change.start
        )
        looks += looks_of(target.anchor, at, parts)
    return execute(edited, Edits(looks=looks), after, breaks_signature=breaks_signature)


def _written(
    plan: EditPlan, known: Sequence[Target]
) -> Iterator[tuple[str, Change, Sequence[Emphasis]]]:
    for operation in plan.operations:
        spans = _spans(operation)
        if spans:
            alone = resolve(replace(plan, operations=(operation,)), known)
            for anchor, changes in alone.changes.items():
                for change in changes:
                    yield anchor, change, spans


def _spans(operation: object) -> list[Emphasis]:
    return emphasized(operation.replace) if isinstance(operation, ReplaceText | FindReplace) else []


def _there(after: Sequence[Target], anchor: str, text: str) -> Target:
    """Finds a block that was changed."""
    same = [target for target in after if target.text == text]
    block = next((target for target in same if target.anchor == anchor), None)
    if block is None and len(same) == 1:
        block = same[0]
    if block is None:
        message = (
            "The new words cannot be made bold or italic in this place of the PDF; give them "
            "without stars, and change their look by a second edit"
        )
        raise RefusedError(message)
    return block
