"""The order in which the operations of a plan are carried out.

All operations of a plan name blocks and quote text of one snapshot. They are carried out in rounds,
each a complete edit with its own verification, in an order in which a round leaves to the next ones
every anchor and quote as the snapshot has them:

1. what Word does not track (properties, alternative texts, links, comments),
2. formatting and lists: no text changes,
3. objects in text: notes, pictures,
4. words,
5. whole blocks, rows and columns,
6. decisions on tracked changes.

Words and whole blocks go together where no step (`editing.step`) stands among the blocks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.plan import (
    AddComment,
    DeleteBlocks,
    DeleteImage,
    DeleteNote,
    DeleteTable,
    EditNote,
    EditPlan,
    FindReplace,
    FormatText,
    InsertBlocks,
    InsertFootnote,
    RemoveLink,
    ReplaceText,
    RewriteBlock,
    SetAltText,
    SetCell,
    SetField,
    SetLink,
    SetList,
    SetParagraph,
    SetProperty,
    SetStyle,
    SettleChange,
)

_FIRST: Final[tuple[frozenset[type], ...]] = (
    frozenset({SetProperty, SetAltText, SetLink, RemoveLink, AddComment}),
    frozenset({FormatText, SetStyle, SetParagraph, SetList}),
    frozenset({InsertFootnote, DeleteNote, DeleteImage}),
)
_WORDS: Final[frozenset[type]] = frozenset(
    {ReplaceText, RewriteBlock, FindReplace, SetCell, SetField, EditNote}
)
_PLAIN: Final[frozenset[type]] = frozenset({InsertBlocks, DeleteBlocks, DeleteTable})


def rounds(plan: EditPlan) -> list[EditPlan]:
    """The plan as one plan a round; their operations together are those of the plan."""
    known = frozenset[type]().union(*_FIRST, _WORDS, {SettleChange})
    kinds: set[type] = {type(operation) for operation in plan.operations}
    blocks = kinds - known
    last: list[frozenset[type]] = (
        [_WORDS | blocks] if blocks <= _PLAIN else [_WORDS, frozenset(blocks)]
    )
    found: list[EditPlan] = []
    for wanted in (*_FIRST, *last, frozenset({SettleChange})):
        operations = tuple(each for each in plan.operations if type(each) in wanted)
        if operations:
            found.append(replace(plan, operations=operations))
    return found or [plan]
