"""Whole paragraphs and tables as a plan leaves them: new, deleted, moved, split, merged, styled."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from redraft.engine.errors import VerificationError
from redraft.engine.judge import new_text
from redraft.engine.judge.addresses import Addresses
from redraft.engine.judge.content import Block, Paragraph, Piece, Shape, Table, divide
from redraft.engine.judge.quoted_text import find
from redraft.engine.plan import (
    DeleteBlocks,
    DeleteTable,
    InsertBlocks,
    InsertBreak,
    MergeBlocks,
    MoveBlocks,
    Operation,
    SetList,
    SetParagraph,
    SetStyle,
    SplitBlock,
)

_FURNITURE: Final = ("header", "footer")
_NUMBERED: Final = re.compile(r"([a-z]+)([1-9])")


def stretch(at: Addresses, first: str, last: str) -> list[Block]:
    """Returns the blocks from one to another, which stand together."""
    blocks, start = at.siblings(first)
    others, end = at.siblings(last)
    if others is not blocks or end < start:
        message = "law 2 cannot be judged: a stretch of the plan is not one of the document"
        raise VerificationError(message)
    return blocks[start : end + 1]


def shapes_at(at: Addresses, operations: Sequence[Operation]) -> dict[str, Shape]:
    """Returns the shapes that new blocks take over from the block they stand beside."""
    shapes: dict[str, Shape] = {}
    for operation in operations:
        if isinstance(operation, InsertBlocks) and operation.block not in _FURNITURE:
            content = at.block(operation.block).opened()
            if isinstance(content, Paragraph) and content.shape is not None:
                shapes[operation.block] = content.shape
    return shapes


def insert(at: Addresses, operation: InsertBlocks, shapes: dict[str, Shape]) -> None:
    """Put new blocks beside a block; the first one fills an empty header."""
    new: list[Block] = []
    for block in operation.blocks:
        wanted = _wanted(block.kind, shapes.get(operation.block))
        new.append(_block(Paragraph(new_text.read(block.text), wanted=wanted)))
    is_before = operation.where == "before"
    if operation.block not in _FURNITURE:
        _beside(at.block(operation.block), operation.where, new)
        return
    blocks = at.furniture(operation.block)
    block = blocks[0 if is_before else -1]
    content = block.opened()
    fills = operation.blocks[0].kind in ("paragraph", "like_anchor")
    if fills and len(blocks) == 1 and isinstance(content, Paragraph) and content.says_nothing:
        content.pieces = new_text.read(operation.blocks[0].text)
        new, is_before = new[1:], False
    _beside(block, "before" if is_before else "after", new)


def _wanted(kind: str, shape: Shape | None) -> dict[str, str]:
    """What is wanted of the shape of a new paragraph."""
    if kind == "like_anchor":
        if shape is None:
            return {}
        named = {"style": shape.style, "list": shape.listed, "heading": str(shape.heading)}
        return named | {"level": str(shape.level)}
    numbered = _NUMBERED.fullmatch(kind)
    base = numbered[1] if numbered else kind
    if base == "heading" and numbered:
        return {"heading": numbered[2]}
    if base in ("bullet", "numbered"):
        return {"list": base} | ({"level": numbered[2]} if numbered else {})
    return {"heading": "0", "list": ""} if kind == "paragraph" else {}


def _beside(block: Block, where: str, new: Sequence[Block]) -> None:
    (block.before if where == "before" else block.after).extend(new)


def _block(content: Paragraph | Table) -> Block:
    kind = "paragraph" if isinstance(content, Paragraph) else "table"
    return Block((), kind, content=content)


def delete(at: Addresses, operation: DeleteBlocks | DeleteTable) -> None:
    """Take blocks away."""
    if isinstance(operation, DeleteTable):
        at.block(operation.target).is_gone = True
        return
    for block in stretch(at, operation.first, operation.last):
        block.is_gone = True


def move(at: Addresses, operation: MoveBlocks) -> None:
    """Take blocks away where they stand, and put what they say beside another one."""
    moved = stretch(at, operation.first, operation.last)
    target = at.block(operation.to)
    if target in moved:
        message = "law 2 cannot be judged: blocks of the plan are to be moved beside themselves"
        raise VerificationError(message)
    for paragraph in at.paragraphs_of(moved):
        paragraph.new_comments = []  # they stay where it stood
    copies = [Block((), block.kind, content=block.opened()) for block in moved]
    for block in moved:
        block.is_gone = True
    _beside(target, operation.where, copies)


def split(at: Addresses, operations: Sequence[Operation]) -> None:
    """Begin new paragraphs where quotes begin; all places of one paragraph are cut in one go."""
    places: dict[int, tuple[Block, str, set[int]]] = {}
    for operation in operations:
        if not isinstance(operation, SplitBlock):
            continue
        block = at.block(operation.block)
        if id(block) not in places:
            paragraph = block.opened()
            text = paragraph.text if isinstance(paragraph, Paragraph) else ""
            places[id(block)] = block, text, set()
        _, text, offsets = places[id(block)]
        hits = find(text, operation.find)
        index = (operation.occurrence or 1) - 1
        if index >= len(hits) or not hits[index][0]:
            message = "law 2 cannot be judged: the quote at which a paragraph is split is not there"
            raise VerificationError(message)
        offsets.add(hits[index][0])
    for block, _, offsets in places.values():
        _cut(block, offsets)


def _cut(whole: Block, offsets: set[int]) -> None:
    """Divide a paragraph; what stands at a place without letters stays in front of it."""
    paragraph = whole.opened()
    if not isinstance(paragraph, Paragraph):
        return
    halves: list[list[Piece]] = [[]]
    at = 0
    for piece in divide(paragraph.pieces, offsets):
        if piece.text and at in offsets:
            halves.append([])
        halves[-1].append(piece)
        at += len(piece.text)
    paragraph.pieces, paragraph.is_half = halves[0], True
    whole.after[:0] = [
        _block(Paragraph(each, paragraph.shape, wanted=dict(paragraph.wanted), is_half=True))
        for each in halves[1:]
    ]


def merge(at: Addresses, operation: MergeBlocks) -> None:
    """Join paragraphs, after they are split; what comes beside one of them stands beside all."""
    blocks = stretch(at, operation.first, operation.last)
    parts: list[Paragraph] = []
    beside: list[Block] = []
    for block in blocks:
        halves = [half for each in block.after if (half := _half(each)) is not None]
        own = [_half(block) or Paragraph(), *halves]
        if block.kind == "table":
            message = "law 2 cannot be judged: a table is among the blocks to be merged"
            raise VerificationError(message)
        if parts:
            _join(parts[-1], own[0])
            own = own[1:]
            beside += block.before
            block.before, block.is_gone = [], True
        parts += own
        beside += [each for each in block.after if _half(each) is None]
        block.after = []
    blocks[0].after = [*map(_block, parts[1:]), *beside]


def _half(block: Block) -> Paragraph | None:
    """A paragraph of the document, or a part of one that was split."""
    content = block.opened()
    is_own = bool(block.anchors) or (isinstance(content, Paragraph) and content.is_half)
    return content if is_own and isinstance(content, Paragraph) else None


def _join(whole: Paragraph, part: Paragraph) -> None:
    whole.pieces += part.pieces
    whole.loose += part.loose
    whole.boxes += part.boxes
    whole.copies += part.copies
    whole.new_comments += part.new_comments
    whole.shape = None


def insert_break(at: Addresses, operation: InsertBreak) -> None:
    """Put a paragraph with a break beside a block."""
    kind = operation.kind
    pieces = [] if kind == "section" else [Piece(object=f"{kind} break")]
    new = _block(Paragraph(pieces, has_section=kind == "section"))
    _beside(at.block(operation.block), operation.where, [new])


def shape(at: Addresses, operation: SetStyle | SetParagraph | SetList) -> None:
    """Want a style, a property or a list of paragraphs; empty ones are no items of a list."""
    if operation.first == operation.last:
        paragraphs = at.paragraphs_in(operation.first)
    else:
        blocks = stretch(at, operation.first, operation.last)
        paragraphs = [p for block in blocks for p in at.paragraphs_of([block])]
    for paragraph in paragraphs:
        if isinstance(operation, SetList) and not paragraph.text.strip():
            paragraph.shape = None
            continue
        match operation:
            case SetStyle():
                paragraph.wanted["style name"] = operation.style
                # It may make a list of its own.
                for name in ("list", "level"):
                    paragraph.wanted.pop(name, None)
            case SetParagraph():
                paragraph.wanted[operation.property] = operation.value
            case SetList():
                kind = operation.kind
                paragraph.wanted["list"] = "" if kind == "none" else kind
                if operation.level is not None and kind != "none":
                    paragraph.wanted["level"] = str(operation.level)
