"""Other ways to make an edit that fails a check.

First without folding between paragraphs: what was deleted earlier stays beside what is written now
in the same words. Then with paragraphs struck and written anew in the place of changed words.

A redline of words is the better one, and what breaks a law of it is a fault of the engine: it is
told in the report, so that it is counted and mended (`EditReport.failed_check`). Whoever asked gets
the edit nevertheless, held against the same laws. Tests and hunts call `engine.docx.apply`, which
hides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from redraft.engine import locate, tokens
from redraft.engine.docx.apply import apply
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading import reader
from redraft.engine.docx.view_hints import flat
from redraft.engine.errors import EditError, VerificationError
from redraft.engine.inline_pieces import Piece, Words, pieces, visible
from redraft.engine.model import Heading, ListItem, Paragraph, Quote
from redraft.engine.plan import (
    DeleteBlocks,
    EditPlan,
    InsertBlocks,
    NewBlock,
    Operation,
    ReplaceText,
    RewriteBlock,
)
from redraft.engine.report import EditReport, Signature

TOLD: Final = (
    "The change could not be marked word by word, so the whole paragraph is struck and written anew"
)


def edit(
    data: bytes,
    state: bytes,
    plan: EditPlan,
    signature: Signature,
    *,
    refuses_protected: bool = False,
) -> tuple[bytes, EditReport]:
    """Carries out a plan as `engine.docx.apply.apply` does, or unfolded, or with whole paragraphs.

    Raises:
        EditError: As `apply`; a VerificationError where no way passes its checks.
    """
    try:
        return apply(data, state, plan, signature, refuses_protected=refuses_protected)
    except VerificationError as error:
        for other, told in ((plan, ()), (in_full(data, plan), (TOLD,))):
            if other is None:
                continue
            with suppress(EditError):
                edited, report = apply(data, state, other, signature, folds=False)
                warnings = (*report.warnings, *told)
                return edited, replace(report, warnings=warnings, failed_check=str(error))
        raise


def in_full(data: bytes, plan: EditPlan) -> EditPlan | None:
    """Returns a plan that inserts the new paragraphs whole and deletes the old ones.

    None where it changes no words, or only of paragraphs that hold more than words.
    """
    known: dict[str, Sequence[Piece]] = {}
    for story in reader.read(Package.open(data), "final").stories:
        for block in flat(iter(story.blocks)):
            if isinstance(block, Paragraph | Heading | ListItem | Quote):
                known[block.anchor] = pieces(block.content)
    texts: dict[str, Sequence[Piece]] = {}
    operations: list[Operation] = []
    for operation in plan.operations:
        changed = _changed(operation, {**known, **texts})
        if changed is None:
            operations.append(operation)
        else:
            texts.update(changed)
    if not texts:
        return None
    for anchor, line in texts.items():
        new = NewBlock("like_anchor", tokens.write(line))
        operations += [InsertBlocks(anchor, "after", (new,)), DeleteBlocks(anchor, anchor)]
    return replace(plan, operations=tuple(operations))


def _changed(
    operation: Operation, known: Mapping[str, Sequence[Piece]]
) -> Mapping[str, Sequence[Piece]] | None:
    """Returns the new words of the block that an operation changes; None for another operation."""
    if not isinstance(operation, ReplaceText | RewriteBlock):
        return None
    line = known.get(operation.block)
    if line is None or not all(isinstance(piece, Words) for piece in line):
        return None
    if isinstance(operation, RewriteBlock):
        read = tokens.parse(operation.text, ())
        return (
            None
            if read.faults or not visible(read.pieces).strip()
            else {operation.block: read.pieces}
        )
    spans = locate.find(visible(line), operation.find)
    index = (operation.occurrence or 1) - 1
    if index >= len(spans) or (operation.occurrence is None and len(spans) != 1):
        return None
    return {operation.block: _replaced(line, spans[index], operation)}


def _replaced(line: Sequence[Piece], span: tuple[int, int], operation: ReplaceText) -> list[Piece]:
    """Returns words in which a stretch is replaced; new words without stars look like the old."""
    start, end = span
    letters = [
        (char, piece.marks) for piece in line if isinstance(piece, Words) for char in piece.text
    ]
    hit = visible(line)[start:end]
    new = tokens.parse(locate.adapted(operation.replace, hit, operation.find), ()).pieces
    marks = letters[start][1]
    own = any(isinstance(piece, Words) and piece.marks for piece in new)
    before = [Words(char, mark) for char, mark in letters[:start]]
    after = [Words(char, mark) for char, mark in letters[end:]]
    middle = [
        piece if own or not isinstance(piece, Words) else Words(piece.text, marks) for piece in new
    ]
    return [*before, *middle, *after]
