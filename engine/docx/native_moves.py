"""Tracked moves as Word writes them, made of a deletion and an insertion of ours, and back.

While a document is edited there are no moves of ours in it: `as_pairs` makes each one a deletion
and an insertion, which editing, folding and the text map know. When an edit is done, `as_moves`
writes as moves what the same edit deleted and inserted again: whole paragraphs in the same words.

[x] w:moveFrom, w:moveTo around runs and on paragraph marks  [x] ranges with a name
    (ECMA-376 Part 1, 17.13.5.21 to 17.13.5.28)
[-] tables, whose rows have no mark for it (17.4.79, trPr)
[-] fields, links, notes, comments, controls, empty paragraphs and the end of a story: after such a
    move programs leave a blank paragraph or a note too much (docs/word-compatibility.md)
[-] text boxes, which stand in the file twice
"""

from __future__ import annotations

import itertools
import re
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from lxml import etree

from redraft.engine import verify
from redraft.engine.docx.accept_reject import part_tree
from redraft.engine.docx.judging.fingerprint import digests, story_parts
from redraft.engine.docx.names import (
    TEXT_BOXES,
    W_AUTHOR,
    W_DEL,
    W_DEL_TEXT,
    W_ID,
    W_INS,
    W_INSTR_TEXT,
    W_MOVE_FROM,
    W_MOVE_TO,
    W_P,
    W_PPR,
    W_R,
    W_RPR,
    W_SECT_PR,
    W_T,
    W_TBL,
    W_TC,
    W_TC_PR,
    W_TR,
    W_TR_PR,
    Element,
    W,
)
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.opc.splice import Splicer, without_range_ends
from redraft.engine.docx.redline.revision_ids import Ids, taken
from redraft.engine.docx.redline.textmap import revision_id

_DATE: Final = W("date")
_NAME: Final = W("name")
_DEL_INSTR: Final = W("delInstrText")
_MARKS: Final = {W_MOVE_FROM: W_DEL, W_MOVE_TO: W_INS}
_MOVED: Final = {mark: move for move, mark in _MARKS.items()}
_STARTS: Final = {W_DEL: W("moveFromRangeStart"), W_INS: W("moveToRangeStart")}
_ENDS: Final = {W_DEL: W("moveFromRangeEnd"), W_INS: W("moveToRangeEnd")}
_STRUCK_TEXTS: Final = {W_DEL_TEXT: W_T, _DEL_INSTR: W_INSTR_TEXT}
_LIVE_TEXTS: Final = {live: struck for struck, live in _STRUCK_TEXTS.items()}
_BESIDE_RUNS: Final = frozenset(map(W, ("pPr", "proofErr", "bookmarkStart", "bookmarkEnd")))
_PLAIN: Final = frozenset(
    map(
        W,
        (
            *("rPr", "t", "delText", "tab", "br", "cr", "sym", "noBreakHyphen", "softHyphen"),
            *("drawing", "lastRenderedPageBreak"),
        ),
    )
)
_WORDS: Final = frozenset({W_T, W_DEL_TEXT})
_END_NAMES: Final = ("moveFromRangeEnd", "moveToRangeEnd")
_MOVE: Final = re.compile(rb"moveFrom\s")
_Content: TypeAlias = tuple[str, ...]
_LOOKED_AT: Final = 8


@dataclass(frozen=True, slots=True)
class Moves:
    """Moves that were made deletions and insertions.

    `edits` wrote them; `ranges` are the id and the name of each range by the id of its first mark.
    """

    edits: frozenset[str] = frozenset()
    ranges: Mapping[int, tuple[int, str]] = field(default_factory=dict[int, tuple[int, str]])


def has_moves(package: Package, ours: Collection[int]) -> bool:
    """Returns whether there may be moves of ours in a package."""
    return bool(ours) and any(_MOVE.search(package.read(part)) for part in story_parts(package))


def as_pairs(package: Package, ours: Mapping[int, str]) -> Moves:
    """Makes our moves in a package deletions and insertions; their ranges go."""
    edits: set[str] = set()
    ranges: dict[int, tuple[int, str]] = {}
    for part in story_parts(package) if ours else ():
        if not _MOVE.search(package.read(part)):
            continue
        splicer, root = Splicer(package, part), package.tree(part)
        marks = [mark for mark in root.iter(*_MARKS) if revision_id(mark) in ours]
        changed = dict.fromkeys(map(_paragraph, marks))
        starts = [node for node in root.iter(*_STARTS.values()) if revision_id(node) in ours]
        numbers = {revision_id(node) for node in starts}
        for start in starts:
            ranges[_first([_paragraph(start)])] = revision_id(start), start.get(_NAME, "")
        for mark in marks:
            edits.add(ours[revision_id(mark)])
            _rename(mark)
        for node in list(root.iter(*_STARTS.values(), *_ENDS.values())):
            parent = node.getparent()
            if revision_id(node) in numbers and parent is not None:
                parent.remove(node)
        data = splicer.bytes({paragraph: [paragraph] for paragraph in changed})
        ends = {(name, str(number)) for number in numbers for name in _END_NAMES}
        package.replace(part, without_range_ends(data, ends)[0])
    return Moves(frozenset(edits), ranges)


def as_moves(
    package: Package, ours: Mapping[int, str], moves: Moves, edit: str
) -> tuple[Mapping[int, str], Collection[str]]:
    """Writes as moves what `edit`, or one that had moves before, deleted and inserted again.

    Args:
        package: The result of an edit; its parts get new bytes.
        ours: Our marks in it.
        moves: Those that were there before: their ranges keep their ids and names.
        edit: The edit that moved blocks, or an empty name.

    Returns:
        Our marks, those of the ranges too, and the edits of which there are moves.

    Raises:
        VerificationError: the document would say something else.
    """
    edits = moves.edits | frozenset([edit] if edit else [])
    marks, moved = dict(ours), set[str]()
    ids: Ids | None = None
    for part in story_parts(package) if edits else ():
        root = package.tree(part)
        pairs = list(_pairs(root, ours, edits))
        if not pairs:
            continue
        ids = ids or _free_ids(package, moves)
        splicer = Splicer(package, part)
        changed: dict[Element, list[Element]] = {}
        for pair in pairs:
            around = [_with_neighbours(blocks) for blocks in pair]
            sides = [_sides(blocks, marks) for blocks in around]
            known = [moves.ranges.get(_first(blocks)) for blocks in pair]
            numbers = [range_[0] if range_ else ids.fresh() for range_ in known]
            name = next((range_[1] for range_ in known if range_), f"move{numbers[0]}")
            owner = ours[_first(pair[0])]
            for blocks, tag, number in zip(pair, (W_DEL, W_INS), numbers, strict=True):
                changed |= _write(blocks, tag, number, name)
                marks[number] = owner
            moved.add(owner)
            for blocks, side in zip(around, sides, strict=True):
                verify.stays_the_same(part, side, _sides(blocks, marks))
        package.replace(part, splicer.bytes(changed))
    return marks, moved


def _free_ids(package: Package, moves: Moves) -> Ids:
    """Returns ids that neither a part has nor a range that comes back."""
    used = taken([package.read(name) for name in story_parts(package)])
    return Ids(used | {number for number, _ in moves.ranges.values()}, {}, frozenset())


def inserting(package: Package, ours: Mapping[int, str]) -> set[str]:
    """Returns the edits of which insertions stand in a package."""
    parts = story_parts(package)
    marks = (mark for part in parts for mark in package.tree(part).iter(W_INS))
    return {ours[number] for number in map(revision_id, marks) if number in ours}


def _rename(mark: Element) -> None:
    """Makes a move a deletion or an insertion, with the texts that stand in one."""
    for node in mark.iter(*_LIVE_TEXTS) if mark.tag == W_MOVE_FROM else ():
        node.tag = _LIVE_TEXTS[str(node.tag)]
    mark.tag = _MARKS[str(mark.tag)]


def _write(
    blocks: Sequence[Element], tag: str, number: int, name: str
) -> dict[Element, list[Element]]:
    """Makes one end of a move of a stretch; returns what stands in the place of each paragraph."""
    marks = [mark for block in blocks for mark in block.iter(tag)]
    start = etree.Element(_STARTS[tag], {W_ID: str(number)})
    for attribute in (W_AUTHOR, _DATE):
        value = marks[0].get(attribute)
        if value is not None:
            start.set(attribute, value)
    start.set(_NAME, name)
    for mark in marks:
        mark.tag = _MOVED[tag]
        for node in mark.iter(*_STRUCK_TEXTS) if tag == W_DEL else ():
            node.tag = _STRUCK_TEXTS[str(node.tag)]
    blocks[0].insert(1, start)
    end = etree.Element(_ENDS[tag], {W_ID: str(number)})
    blocks[-1].addnext(end)
    return {block: [block] if block is not blocks[-1] else [block, end] for block in blocks}


def _first(blocks: Sequence[Element]) -> int:
    """Returns the id of the first mark of a stretch."""
    return revision_id(next(part_tree.revisions(blocks[0])))


def _with_neighbours(blocks: Sequence[Element]) -> list[Element]:
    """Returns a stretch with the blocks before and behind it, which its marks may join."""
    before, behind = blocks[0].getprevious(), blocks[-1].getnext()
    return [block for block in (before, *blocks, behind) if block is not None]


def _sides(blocks: Sequence[Element], ours: Collection[int]) -> tuple[str, ...]:
    """Returns what blocks say with our marks rejected and accepted."""
    return (*digests(blocks, ours, "baseline"), *digests(blocks, ours, "final"))


def _pairs(
    root: Element, ours: Mapping[int, str], edits: Collection[str]
) -> Iterator[tuple[list[Element], list[Element]]]:
    """Yields stretches that were deleted with those in which the same edit says the same again.

    No paragraph stands in two pairs. Of many equal paragraphs only the first ones that are left are
    looked at for the longest stretch, so that the work grows as the paragraphs do.
    """
    struck = list(_stretches(root, W_DEL, ours, edits))
    left: dict[tuple[str, _Content], deque[_Struck]] = {}
    for edit, blocks in struck:
        told = [_Struck(block, (edit, _content(block))) for block in blocks]
        for one, following in itertools.zip_longest(told, told[1:]):
            one.following = following
            left.setdefault(one.key, deque()).append(one)
    for edit, written in _stretches(root, W_INS, ours, edits) if struck else ():
        keys = [(edit, _content(block)) for block in written]
        at = 0
        while at < len(written):
            equal = left.get(keys[at], deque[_Struck]())
            while equal and equal[0].is_used:
                equal.popleft()
            first = [one for one in itertools.islice(equal, _LOOKED_AT) if not one.is_used]
            old = max((_run(one, keys, at) for one in first), key=len, default=list[_Struck]())
            for one in old:
                one.is_used = True
            if old:
                yield [one.block for one in old], written[at : at + len(old)]
            at += max(1, len(old))


@dataclass(slots=True, eq=False)
class _Struck:
    """A deleted paragraph: who deleted it and what it holds, and the deleted one behind it."""

    block: Element
    key: tuple[str, _Content]
    following: _Struck | None = None
    is_used: bool = False


def _run(first: _Struck, keys: Sequence[tuple[str, _Content]], at: int) -> list[_Struck]:
    """Returns deleted paragraphs from one on that say what the inserted ones from `at` on say."""
    run: list[_Struck] = []
    one: _Struck | None = first
    for key in itertools.islice(keys, at, None):
        if one is None or one.is_used or one.key != key:
            break
        run.append(one)
        one = one.following
    return run


def _content(paragraph: Element) -> _Content:
    """Returns what the runs of a paragraph hold, words in one piece."""
    pieces: list[str] = []
    for run in paragraph.iter(W_R):
        for node in run:
            if node.tag in _WORDS:
                pieces.append(node.text or "")
            elif node.tag not in (W_RPR, W("lastRenderedPageBreak")):
                pieces.append(f"\0{str(node.tag).rpartition('}')[2]}\0")
    return tuple("".join(pieces).split("\0"))


def _stretches(
    root: Element, tag: str, ours: Mapping[int, str], edits: Collection[str]
) -> Iterator[tuple[str, list[Element]]]:
    """Yields adjacent paragraphs of which an edit deleted or inserted all, with that edit.

    A stretch with anything in it that cannot be moved is left out.
    """
    blocks: list[Element] = []
    owner, is_plain = "", True
    for block, edit in _marked(root, tag, ours, edits):
        if not blocks or edit != owner or block.getprevious() is not blocks[-1]:
            if blocks and is_plain:
                yield owner, blocks
            blocks, owner, is_plain = [], edit, True
        blocks.append(block)
        is_plain = is_plain and _is_plain(block, tag, ours, edit)
    if blocks and is_plain:
        yield owner, blocks


def _marked(
    root: Element, tag: str, ours: Mapping[int, str], edits: Collection[str]
) -> Iterator[tuple[Element, str]]:
    """Yields the paragraphs and tables whose mark or first row an edit deleted or inserted."""
    last: Element | None = None
    for mark in root.iter(tag):
        edit = ours.get(revision_id(mark), "")
        parent = mark.getparent()
        if parent is None or edit not in edits:
            continue
        holder = parent.getparent() if parent.tag == W_RPR else None
        block: Element | None = None
        if holder is not None and holder.tag == W_PPR:
            block = holder.getparent()
        elif parent.tag == W_TR_PR:
            block = next(parent.iterancestors(W_TBL), None)
        if block is not None and block is not last and not _goes_with_cells(block):
            last = block
            yield block, edit


def _goes_with_cells(block: Element) -> bool:
    """Returns whether a block stands in a row or cell that is inserted or deleted itself."""
    return any(
        mark.tag in (W_INS, W_DEL, *part_tree.CELLS)
        for holder in block.iterancestors(W_TR, W_TC)
        for properties in holder.iterchildren(W_TR_PR, W_TC_PR)
        for mark in properties
    )


def _is_plain(block: Element, tag: str, ours: Mapping[int, str], edit: str) -> bool:
    """Returns whether a block is a paragraph of plain words that one edit marked, and no other."""
    if block.tag != W_P or next(block.iterancestors(*TEXT_BOXES), None) is not None:
        return False
    marks = list(part_tree.revisions(block))
    return (
        all(mark.tag == tag and ours.get(revision_id(mark)) == edit for mark in marks)
        and all(child.tag in _BESIDE_RUNS or child.tag == tag for child in block)
        and all(node.tag == W_R for mark in block.iterchildren(tag) for node in mark)
        and all(node.tag in _PLAIN for run in block.iter(W_R) for node in run)
        and block.find(f"{W_PPR}/{W_SECT_PR}") is None
        and next(block.iter(*TEXT_BOXES), None) is None
        and bool("".join(_content(block)).strip())
    )


def _paragraph(mark: Element) -> Element:
    """Returns the paragraph that a mark stands in."""
    return next(mark.iterancestors(W_P))
