"""What a plan means on a PDF: changes of characters by block, and blocks to be taken out.

[x] replace_text  [x] find_replace  [x] rewrite_block  [x] delete_blocks  [-] insert_blocks: refused
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.diff import Token, hunks
from engine.diff import tokens as words_of
from engine.errors import AmbiguousError, NotFoundError, PlanError, RefusedError
from engine.locate import adapted, closest, find, occurrences
from engine.model import Block, CodeBlock, Document, Heading, ListItem, Paragraph, Quote, Table
from engine.pdf.content.words import Change
from engine.plan import (
    DeleteBlocks,
    EditPlan,
    FindReplace,
    InsertBlocks,
    Operation,
    ReplaceText,
    RewriteBlock,
)
from engine.tokens import parse, pieces, visible

_PAGE = re.compile(r"p(\d+)\.")


@dataclass(frozen=True, slots=True)
class Target:
    """A block with text: its anchor, 0-based page, text as quotes are matched, and label."""

    anchor: str
    page: int
    text: str
    label: str
    block: Block
    section: tuple[str, ...] = ()


@dataclass(slots=True)
class Edits:
    """What is to be done: changes of text by anchor, and the anchors of blocks that go."""

    changes: dict[str, list[Change]] = field(default_factory=dict[str, list[Change]])
    deleted: list[str] = field(default_factory=list[str])


def targets(document: Document) -> list[Target]:
    """List the blocks of a document that have text, those of cells among them, in order."""
    return list(_walk(document.body.blocks, []))


def _walk(blocks: Sequence[Block], open_headings: list[Heading]) -> Iterator[Target]:
    for block in blocks:
        if isinstance(block, Table):
            for row in block.rows:
                for cell in row.cells:
                    yield from _walk(cell.blocks, open_headings)
            continue
        match = _PAGE.match(block.anchor)
        if match is None or not isinstance(
            block, Paragraph | Heading | ListItem | Quote | CodeBlock
        ):
            continue
        if isinstance(block, Heading):
            while open_headings and open_headings[-1].level >= block.level:
                open_headings.pop()
            open_headings.append(block)
        text = block.text if isinstance(block, CodeBlock) else visible(pieces(block.content))
        label = block.label if isinstance(block, Heading | ListItem) else ""
        section = tuple(each.anchor for each in open_headings)
        yield Target(block.anchor, int(match[1]) - 1, text, label, block, section)


def resolve(plan: EditPlan, known: Sequence[Target]) -> Edits:
    """Find what a plan names.

    Raises:
        NotFoundError, AmbiguousError, PlanError, RefusedError: as the operation deserves.
    """
    edits = Edits()
    by_anchor = {target.anchor: target for target in known}
    for operation in plan.operations:
        _add(edits, operation, known, by_anchor)
    for anchor, changes in edits.changes.items():
        changes.sort(key=lambda each: (each.start, each.end))
        for first, second in itertools.pairwise(changes):
            if second.start < first.end:
                message = f"Two changes of {anchor} overlap"
                raise PlanError(message)
        if anchor in edits.deleted:
            message = f"{anchor} is both changed and deleted"
            raise PlanError(message)
    return edits


def _add(
    edits: Edits, operation: Operation, known: Sequence[Target], by_anchor: Mapping[str, Target]
) -> None:
    if isinstance(operation, ReplaceText):
        target = _of(by_anchor, operation.anchor)
        start, end = _hit(target, operation, known)
        change = Change(start, end, _plain(operation.replace))
        edits.changes.setdefault(target.anchor, []).append(change)
    elif isinstance(operation, RewriteBlock):
        target = _of(by_anchor, operation.anchor)
        edits.changes.setdefault(target.anchor, []).extend(_rewritten(target, operation.text))
    elif isinstance(operation, FindReplace):
        _everywhere(edits, operation, known)
    elif isinstance(operation, DeleteBlocks):
        edits.deleted += _range(operation, known)
    else:
        _refuse_insertion(operation)


def _refuse_insertion(_: InsertBlocks) -> None:
    raise RefusedError("New paragraphs cannot be inserted into a PDF yet; change an existing one")


def _of(by_anchor: Mapping[str, Target], anchor: str) -> Target:
    target = by_anchor.get(anchor)
    if target is None:
        raise NotFoundError
    return target


def _hit(target: Target, operation: ReplaceText, known: Sequence[Target]) -> tuple[int, int]:
    hits = find(target.text, operation.find)
    if not hits:
        raise NotFoundError(closest=closest((each.text for each in known), operation.find))
    if operation.occurrence is None:
        if len(hits) > 1:
            message = f'"{operation.find}" stands {len(hits)} times there; say which one is meant'
            raise AmbiguousError(message)
        return hits[0]
    if not 1 <= operation.occurrence <= len(hits):
        raise NotFoundError
    return hits[operation.occurrence - 1]


def _rewritten(target: Target, text: str) -> list[Change]:
    """Give the smallest changes of words that make a block's text another one."""
    block = target.block
    new = text
    if isinstance(block, Paragraph | Heading | ListItem | Quote):
        parsed = parse(text, pieces(block.content))
        if parsed.faults:
            raise PlanError(parsed.faults[0].message)
        new = visible(parsed.pieces)
    old_words = [Token(each) for each in words_of(target.text)]
    new_words = [Token(each) for each in words_of(new)]
    starts = [0]
    for word in old_words:
        starts.append(starts[-1] + len(word.text))
    return [
        Change(
            starts[hunk.start],
            starts[hunk.end],
            "".join(word.text for word in new_words[hunk.new_start : hunk.new_end]),
        )
        for hunk in hunks(old_words, new_words)
    ]


def _everywhere(edits: Edits, operation: FindReplace, known: Sequence[Target]) -> None:
    replacement = _plain(operation.replace)
    hits: list[tuple[Target, int, int]] = []
    for target in known:
        if not _is_in(target, operation.scope):
            continue
        spans = occurrences(
            target.text,
            operation.find,
            match_case=operation.match_case,
            whole_word=operation.whole_word,
        )
        hits += [(target, start, end) for start, end in spans]
    if operation.limit is not None:
        hits = hits[: operation.limit] if operation.limit >= 0 else hits[operation.limit :]
    if not hits:
        raise NotFoundError(closest=closest((each.text for each in known), operation.find))
    for target, start, end in hits:
        text = replacement
        if not operation.match_case:
            text = adapted(replacement, target.text[start:end], operation.find)
        edits.changes.setdefault(target.anchor, []).append(Change(start, end, text))


def _is_in(target: Target, scope: str) -> bool:
    if scope in ("all", "body"):
        return True
    kind, _, anchor = scope.partition(":")
    if kind == "section":
        return anchor in target.section
    if kind in ("table", "row", "block"):
        return target.anchor == anchor or target.anchor.startswith(f"{anchor}.")
    return False


def _range(operation: DeleteBlocks, known: Sequence[Target]) -> list[str]:
    anchors = [target.anchor for target in known]
    first = [n for n, each in enumerate(anchors) if _is_within(each, operation.first)]
    last = [n for n, each in enumerate(anchors) if _is_within(each, operation.last)]
    if not first or not last or first[0] > last[-1]:
        raise NotFoundError
    return anchors[first[0] : last[-1] + 1]


def _is_within(anchor: str, outer: str) -> bool:
    return anchor == outer or anchor.startswith(f"{outer}.")


def _plain(text: str) -> str:
    """Give the words of a text that comes with Markdown marks."""
    parsed = parse(text, ())
    return text if parsed.faults else visible(parsed.pieces)
