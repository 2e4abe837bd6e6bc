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

Words and whole blocks go together where no step (`editing.step`) stands among the blocks. What
quotes words that the same plan writes comes behind the words, and is resolved against the new text.

A plan names notes as they stood before it (`fn3`), counted by their first references: a round that
adds or drops notes shifts the names of those behind it, and later rounds get the new names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from msgspec import structs

from redraft.engine import locate
from redraft.engine.docx.anchors import stories
from redraft.engine.docx.names import W_ID
from redraft.engine.docx.opc.package import Package
from redraft.engine.plan import (
    COMMENT_THREADS,
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
    Operation,
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

# Anchor of a note -> its kind and id.
Names: TypeAlias = Mapping[str, tuple[str, str]]
_SHIFTING: Final = (InsertFootnote, DeleteNote)
_ANCHORS: Final = frozenset({"block", "first", "last", "to", "target", "scope"})
_ANCHOR: Final = re.compile(r"(?:(?<=:)|^)((?:fn|en)[0-9]+)(?=\.|$)")
_TOKEN: Final = re.compile(r"(?<=\u27e6)((?:fn|en)[0-9]+)(?=\u27e7)")
_FIRST: Final[tuple[frozenset[type], ...]] = (
    frozenset({SetProperty, SetAltText, SetLink, RemoveLink, AddComment}),
    frozenset({FormatText, SetStyle, SetParagraph, SetList}),
    frozenset({InsertFootnote, DeleteNote, DeleteImage}),
)
_WORDS: Final[frozenset[type]] = frozenset(
    {ReplaceText, RewriteBlock, FindReplace, SetCell, SetField, EditNote}
)
_PLAIN: Final[frozenset[type]] = frozenset({InsertBlocks, DeleteBlocks, DeleteTable})
_AT_THE_END: Final[tuple[frozenset[type], ...]] = (
    frozenset(COMMENT_THREADS),
    frozenset({SettleChange}),
)
_MARKUP: Final = re.compile("\u27e6[^\u27e7]*\u27e7|\\*")
_Quoting: TypeAlias = SetLink | RemoveLink | AddComment | FormatText | InsertFootnote


def rounds(plan: EditPlan) -> list[EditPlan]:
    """Returns the plan as one plan a round; their operations together are those of the plan."""
    known = frozenset[type]().union(*_FIRST, _WORDS, COMMENT_THREADS, {SettleChange})
    kinds: set[type] = {type(operation) for operation in plan.operations}
    blocks = kinds - known
    late = _late(plan.operations)
    early = [current for at, current in enumerate(plan.operations) if at not in late]
    later = [plan.operations[at] for at in late]
    last: list[tuple[Sequence[Operation], frozenset[type]]] = (
        [(early, _WORDS | blocks)]
        if blocks <= _PLAIN and not later
        else [(early, _WORDS), *((later, wanted) for wanted in _FIRST), (early, frozenset(blocks))]
    )
    plans: list[EditPlan] = []
    first = [(early, wanted) for wanted in _FIRST]
    for group, wanted in (*first, *last, *((early, wanted) for wanted in _AT_THE_END)):
        operations = tuple(current for current in group if type(current) in wanted)
        if operations:
            plans.append(replace(plan, operations=operations))
    return plans or [plan]


def lent(plan: EditPlan) -> set[str]:
    """Returns the blocks that the plan changes and that new ones are modelled on."""
    shaped: set[str] = set()
    for operation in plan.operations:
        match operation:
            case SetStyle() | SetParagraph() | SetList():
                shaped |= {operation.first, operation.last}
            case FormatText():
                shaped.add(operation.block)
            case _:
                pass
    return shaped & {
        operation.block
        for operation in plan.operations
        if isinstance(operation, InsertBlocks)
        and any(block.kind == "like_anchor" for block in operation.blocks)
    }


def _late(operations: Sequence[Operation]) -> list[int]:
    """Returns which operations quote what others of the plan write into the same block."""
    wholes: dict[str, str] = {}
    swaps: dict[str, list[tuple[str, str]]] = {}
    for operation in operations:
        match operation:
            case RewriteBlock():
                wholes[operation.block] = _said(operation.text)
            case SetCell():
                wholes[operation.target] = wholes[f"{operation.target}.p1"] = _said(operation.text)
            case ReplaceText():
                swaps.setdefault(operation.block, []).append(
                    (operation.find, _said(operation.replace))
                )
            case _:
                pass
    return [
        at
        for at, operation in enumerate(operations if wholes or swaps else ())
        if isinstance(operation, _Quoting) and _is_late(operation, wholes, swaps)
    ]


def _is_late(
    operation: _Quoting, wholes: dict[str, str], swaps: dict[str, list[tuple[str, str]]]
) -> bool:
    quote = operation.after_text if isinstance(operation, InsertFootnote) else operation.find
    whole = wholes.get(operation.block)
    if whole is not None:
        return not quote or bool(locate.find(whole, quote))
    return bool(quote) and any(
        locate.find(new, quote) and not locate.find(old, quote)
        for old, new in swaps.get(operation.block, ())
    )


def _said(text: str) -> str:
    """Returns what new text says, without its markup and tokens."""
    return _MARKUP.sub("", text)


def shifts(plan: EditPlan) -> bool:
    """Returns whether a round of a plan adds or drops notes."""
    return any(isinstance(operation, _SHIFTING) for operation in plan.operations)


def names(package: Package) -> Names:
    """Returns what the anchors of notes mean now."""
    return {
        story.anchor: (story.kind, story.container.get(W_ID, ""))
        for story in stories(package)
        if story.kind in ("footnote", "endnote")
    }


def renamed(plan: EditPlan, before: Names, after: Names) -> EditPlan:
    """Returns a plan that names notes as they are counted after a round."""
    now = {note: anchor for anchor, note in after.items()}
    changed = {old: now[note] for old, note in before.items() if now.get(note, old) != old}
    if not changed:
        return plan
    return replace(
        plan, operations=tuple(_renamed(operation, changed) for operation in plan.operations)
    )


def _renamed(operation: Operation, changed: Mapping[str, str]) -> Operation:
    def name(match: re.Match[str]) -> str:
        return changed.get(match[1], match[1])

    values: dict[str, object] = {}
    for field, value in structs.asdict(operation).items():
        if isinstance(value, str):
            pattern = _ANCHOR if field in _ANCHORS else _TOKEN
            values[field] = pattern.sub(name, value)
    return structs.replace(operation, **values)
