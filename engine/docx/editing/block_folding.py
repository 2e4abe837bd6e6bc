"""Folding between paragraphs: what was deleted and what was written beside it become one.

A region is a run of adjacent paragraphs and tables whose ends our marks change, and the block after
it. Where it says the same with our marks rejected and accepted, in the same looks, all of them go.
Else each paragraph or table that was deleted is looked for among those written beside it: an equal
one stands again, without a mark; one that keeps at least two words in five is marked word by word.
All others stay struck and written whole. Only regions in which an edit changed something are
looked at.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from redraft.engine.diff import Token, hunks, tokens
from redraft.engine.docx.accept_reject import part_tree
from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.block_values import (
    Content,
    Item,
    items,
    look_of,
    mark_of,
    table_of,
)
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.judging.fingerprint import container
from redraft.engine.docx.judging.validity import counts
from redraft.engine.docx.names import W_P, W_PPR, W_RPR, W_TBL, Element, W
from redraft.engine.docx.range_markers import beside
from redraft.engine.docx.redline import textmap
from redraft.engine.docx.redline.fold import fold
from redraft.engine.docx.redline.line import Line, Standing, Unit
from redraft.engine.docx.redline.textmap import revision_id
from redraft.engine.docx.redline.tracked_runs import write

KEPT_SHARE: Final = 0.4
# More pairs than these are not compared word by word.
_MOST_PAIRS: Final = 400
_PROOF: Final = W("proofErr")
_PPR_CHANGE: Final = W("pPrChange")


@dataclass(slots=True)
class Block:
    """A block of a region: its end or, for a table, all of it stands so; both sides of it."""

    element: Element
    standing: Standing
    line: Line | None
    old: Content
    new: Content

    @property
    def is_struck(self) -> bool:
        """Whether nothing of it is left in the final view."""
        return self.standing is Standing.STRUCK and not self.new.items

    @property
    def is_written(self) -> bool:
        """Whether nothing of it is in the baseline."""
        return self.standing is Standing.WRITTEN and not self.old.items and self._is_bare()

    def _is_bare(self) -> bool:
        return self.line is None or all(
            isinstance(entry, Unit) or entry.element.tag in (W_PPR, _PROOF)
            for entry in self.line.root.entries
        )


@dataclass(frozen=True, slots=True)
class Folded:
    """A region that was folded: a former block, and what the region holds less of what is counted.

    `block` is one of the region, or what it stands in where that is in a block itself.

    """

    part: str
    block: Element
    less: Counter[str]


def fold_blocks(desk: Desk) -> list[Folded]:
    """Folds every region in which something changed; the desk knows of it afterwards."""
    folded: list[Folded] = []
    for part in list(desk.changed):
        seen: set[Element] = set()
        homes = {e: key for key, elements in desk.changed[part].items() for e in elements}
        touched = [e for elements in list(desk.changed[part].values()) for e in elements]
        for block in touched:
            if block in seen or block.getparent() is None:
                continue
            region = _region(block, desk)
            seen.update(region)
            if len(region) > 1 and not _is_part(region, desk):
                folded += _Region(desk, part, region, homes).fold()
    return folded


def _region(block: Element, desk: Desk) -> list[Element]:
    """Returns the blocks around one that hang together by our marks, in order."""
    ours = desk.ids.ours
    blocks = [block]
    before = _next(block, forward=False)
    while before is not None and mark_of(before, ours):
        blocks.insert(0, before)
        before = _next(before, forward=False)
    while mark_of(blocks[-1], ours):
        after = _next(blocks[-1], forward=True)
        if after is None:
            break
        blocks.append(after)
    return blocks


def _is_part(region: Sequence[Element], desk: Desk) -> bool:
    """Returns whether what our marks join goes on behind bookmarks or other points.

    What such a region says cannot be told without the rest.
    """
    ours = desk.ids.ours
    before = beside(region[0], forward=False)
    behind = beside(region[-1], forward=True)
    if before is not None and before.tag in (W_P, W_TBL) and mark_of(before, ours):
        return True
    return bool(behind is not None and behind.tag in (W_P, W_TBL) and mark_of(region[-1], ours))


def _next(block: Element, *, forward: bool) -> Element | None:
    """Returns the paragraph or table directly beside a block."""
    step = block.getnext if forward else block.getprevious
    other = step()
    while other is not None and other.tag == _PROOF:
        other = other.getnext() if forward else other.getprevious()
    return other if other is not None and other.tag in (W_P, W_TBL) else None


class _Region:
    """A region of a part; `homes` are the former blocks in whose places those of the part stand."""

    def __init__(
        self, desk: Desk, part: str, elements: Sequence[Element], homes: dict[Element, Element]
    ) -> None:
        self._desk = desk
        self._homes = homes
        self._part = part
        self._elements = list(elements)
        self._ours = desk.ids.ours
        # The former block in whose place the region is noted once it was changed.
        self._home: Element | None = None
        self._folded: list[Folded] = []

    def fold(self) -> list[Folded]:
        """Folds what can be folded."""
        if any(self._is_tracked_otherwise(element) for element in self._elements):
            return []
        blocks = [self._block(element) for element in self._elements]
        if self._is_restored(blocks):
            self._rewrite(lambda: self._reject(self._elements))
            return self._folded
        for run in runs(blocks):
            pairs = list(found_again(run))
            if pairs:
                self._rewrite(lambda run=run, pairs=pairs: self._fold_pairs(run, pairs))
        return self._folded

    # Reading

    def _block(self, element: Element) -> Block:
        ours, package = self._ours, self._desk.package
        standing = mark_of(element, ours)
        if element.tag == W_TBL:
            sides = [Content(), Content()]
            for at, side in enumerate((Standing.STRUCK, Standing.WRITTEN)):
                if standing in (Standing.KEPT, side):
                    sides[at] = (
                        Content((), [(f"\0{id(element)}", None)])
                        if standing is Standing.KEPT
                        else table_of(element, ours, side, package, self._part)
                    )
            return Block(element, standing, None, sides[0], sides[1])
        place = Place("", self._part, "body", "paragraph", element)
        opened = self._desk.survey.opened(place)
        line = textmap.read(element, ours, opened, frozenset(self._desk.ids.formatted))
        old, new = (
            Content(look_of(element, ours, side), list(items(line, side, package, self._part)))
            for side in (Standing.STRUCK, Standing.WRITTEN)
        )
        return Block(element, standing, line, old, new)

    def _is_tracked_otherwise(self, element: Element) -> bool:
        """Returns whether marks of ours other than deleted or written would be lost.

        Formatting is such, and whatever is tracked inside a table that itself stays.
        """
        if element.tag == W_TBL and mark_of(element, self._ours) is Standing.KEPT:
            return any(revision_id(m) in self._ours for m in part_tree.revisions(element))
        return any(
            revision_id(mark) in self._ours
            for mark in element.iter(*part_tree.CHANGES, *part_tree.CELLS)
            if mark.tag != _PPR_CHANGE
        )

    # All of it

    def _is_restored(self, blocks: Sequence[Block]) -> bool:
        old = joined(blocks, Standing.STRUCK)
        new = joined(blocks, Standing.WRITTEN)
        return len(old) == len(new) and all(
            mine.says(theirs) for mine, theirs in zip(new, old, strict=True)
        )

    def _reject(self, elements: Sequence[Element]) -> list[Element]:
        """Rejects our marks in some blocks; gives the blocks that are left."""
        root = self._desk.package.tree(self._part)
        for element in elements:
            marks = [m for m in part_tree.revisions(element) if revision_id(m) in self._ours]
            part_tree.Settler(root).settle(marks, "reject")
        return [element for element in elements if element.getparent() is not None]

    # One by one

    def _fold_pairs(self, run: Sequence[Block], pairs: Sequence[tuple[int, int, bool]]) -> None:
        """Lets deleted blocks stand again for written ones, and puts the others in order."""
        order: list[Element] = []
        apart = self._without_tables(run, pairs)
        struck = [at for at, block in enumerate(run) if block.is_struck]
        fresh = [at for at, block in enumerate(run) if block.is_written]
        ends = (len(run), len(run))
        for old, new, is_equal in [*pairs, (*ends, True)]:
            while struck and struck[0] < old:
                order.append(run[struck.pop(0)].element)
            while fresh and fresh[0] < new:
                order.append(run[fresh.pop(0)].element)
            if old == len(run):
                break
            struck.pop(0)
            fresh.pop(0)
            self._stand(run[old], run[new], is_equal=is_equal)
            order.append(run[old].element)
        order = [element for element in order if element not in apart]
        standing = [block.element for block in run if block.element.getparent() is not None]
        parent = standing[0].getparent()
        if parent is not None and standing != order:
            at = parent.index(standing[0])
            for offset, element in enumerate(order):
                parent.remove(element)
                parent.insert(at + offset, element)

    def _without_tables(
        self, run: Sequence[Block], pairs: Sequence[tuple[int, int, bool]]
    ) -> set[Element]:
        """Takes out empty paragraphs that kept a written table apart, once there is none left."""
        passed: set[Element] = set()
        folded = {run[new].element for _, new, _ in pairs}
        tables = [b for b in run if b.line is None and b.is_written and b.element not in folded]
        if tables or not any(element.tag == W_TBL for element in folded):
            return passed
        for block in run:
            parent = block.element.getparent()
            if block.is_written and not block.new.items and parent is not None:
                parent.remove(block.element)
                passed.add(block.element)
        return passed

    def _stand(self, old: Block, new: Block, *, is_equal: bool) -> None:
        parent = new.element.getparent()
        if parent is not None:
            parent.remove(new.element)
        if is_equal or old.line is None or new.line is None:
            self._reject([old.element])
            return
        marks = old.element.find(f"{W_PPR}/{W_RPR}")
        own_marks = [] if marks is None else [m for m in marks if revision_id(m) in self._ours]
        part_tree.Settler(self._desk.package.tree(self._part)).settle(own_marks, "reject")
        line = textmap.read(old.element, self._ours, (), frozenset(self._desk.ids.formatted))
        for unit in new.line.units:
            unit.box = line.root
            line.root.entries.append(unit)
            line.units.append(unit)
        line.root.is_dirty = True
        fold(line)
        write(line, self._desk.ids)

    # The desk

    def _rewrite(self, change: Callable[[], object]) -> None:
        """Changes the region, and notes what stands now in the place of what stood there."""
        changed = self._desk.changed[self._part]
        region = set(self._elements)
        homes = {element: self._homes.get(element, element) for element in self._elements}
        former = [element for element, key in homes.items() if key is element]
        home = next(iter(former), None) if self._home is None else self._home
        parent = self._elements[0].getparent()
        if home is None or parent is None:
            return
        before, after = self._elements[0].getprevious(), self._elements[-1].getnext()
        objects = counts(self._elements)
        change()
        standing = [e for e in _between(parent, before, after) if e.tag in (W_P, W_TBL)]
        in_front: list[Element] = []
        behind: list[Element] = []
        for key in dict.fromkeys((home, *former)):
            # What the edit put beside the region stays beside it.
            side = in_front
            for place_block in changed.get(key, ()):
                if place_block in region:
                    side = behind
                else:
                    side.append(place_block)
            changed[key] = []
        for key in changed.keys() & set(homes.values()):
            changed[key] = [element for element in changed[key] if element not in region]
        changed[home] = [*in_front, *standing, *behind]
        self._homes.update(dict.fromkeys(changed[home], home))
        objects.subtract(counts(standing))
        # A block of a cell may be gone by now, and nobody could tell where it stood.
        is_outer = parent is container(self._desk.package.tree(self._part))
        place = home if is_outer else parent
        self._folded.append(Folded(self._part, place, objects))
        self._elements, self._home = standing, home


def _between(parent: Element, before: Element | None, after: Element | None) -> Iterator[Element]:
    at = next(iter(parent), None) if before is None else before.getnext()
    while at is not None and at is not after:
        yield at
        at = at.getnext()


def joined(blocks: Sequence[Block], side: Standing) -> list[Content]:
    """Returns the blocks of one side: what has no mark there goes on in the next paragraph."""
    contents: list[Content] = []
    pending: list[Item] = []
    for block in blocks:
        content = block.old if side is Standing.STRUCK else block.new
        if block.line is None:
            if content.items:
                contents += [*([Content((), pending)] if pending else ()), content]
                pending = []
            continue
        pending = pending + content.items
        is_emptied = not pending and bool(block.old.items)
        if block.standing in (Standing.KEPT, side) and not is_emptied:
            contents.append(Content(content.look, pending))
            pending = []
    return [*contents, Content((), pending)] if pending else contents


def runs(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Yields adjacent blocks that are struck or written whole, where there are both."""
    for _, group in itertools.groupby(blocks, lambda b: b.is_struck or b.is_written):
        run = list(group)
        if any(b.is_struck for b in run) and any(b.is_written for b in run):
            yield run


def found_again(run: Sequence[Block]) -> Iterator[tuple[int, int, bool]]:
    """Yields which struck block is which written one, in order, and whether they are equal."""
    struck = [at for at, block in enumerate(run) if block.is_struck]
    written = [at for at, block in enumerate(run) if not block.is_struck]
    done = (0, 0)
    for old, new in [*_equal(run, struck, written), (len(struck), len(written))]:
        for pair in _similar(run, struck[done[0] : old], written[done[1] : new]):
            yield *pair, False
        if old < len(struck):
            yield struck[old], written[new], True
        done = old + 1, new + 1


def _equal(
    run: Sequence[Block], struck: Sequence[int], written: Sequence[int]
) -> list[tuple[int, int]]:
    """Returns the longest row of equal blocks in the same order, as places in both lists."""
    known: dict[object, list[int]] = {}
    for place, at in reversed(list(enumerate(struck))):
        known.setdefault(run[at].old.key, []).append(place)
    ends: list[int] = []
    chains: list[tuple[int, int, int]] = []
    tails: list[int] = []
    for place, at in enumerate(written):
        places = known.get(run[at].new.key)
        if not places or not run[at].new.says(run[struck[places[-1]]].old):
            continue
        old = places.pop()
        size = bisect_left(ends, old)
        chains.append((old, place, tails[size - 1] if size else -1))
        ends[size : size + 1] = [old]
        tails[size : size + 1] = [len(chains) - 1]
    pairs: list[tuple[int, int]] = []
    link = tails[-1] if tails else -1
    while link >= 0:
        old, new, link = chains[link]
        pairs.append((old, new))
    return pairs[::-1]


def _similar(
    run: Sequence[Block], struck: Sequence[int], written: Sequence[int]
) -> list[tuple[int, int]]:
    """Returns the pairs in order, of which together the largest shares of words stay."""
    if not struck or not written or len(struck) * len(written) > _MOST_PAIRS:
        return []
    best: list[list[tuple[float, list[tuple[int, int]]]]] = [
        [(0.0, [])] * (len(written) + 1) for _ in range(len(struck) + 1)
    ]
    for i, old in enumerate(struck, start=1):
        for j, new in enumerate(written, start=1):
            choice = max(best[i - 1][j], best[i][j - 1], key=lambda candidate: candidate[0])
            share = _share(run[old], run[new])
            before = best[i - 1][j - 1]
            if share >= KEPT_SHARE and before[0] + share > choice[0]:
                choice = before[0] + share, [*before[1], (old, new)]
            best[i][j] = choice
    return best[-1][-1][1]


def _share(old: Block, new: Block) -> float:
    """Returns how many of the words stay, of the longer one's, if one became the other.

    0: it cannot.
    """
    if not _is_plain(old) or not _is_plain(new) or old.old.look != new.new.look:
        return 0.0
    if {look for _, look in new.new.items} - {None, *(look for _, look in old.old.items)}:
        return 0.0
    before, after = (
        [Token(word) for word in tokens("".join([words for words, _ in content.items]))]
        for content in (old.old, new.new)
    )
    common = sum(not token.text.isspace() for token in before)
    most = max(common, sum(not token.text.isspace() for token in after))
    for hunk in hunks(before, after):
        common -= sum(not token.text.isspace() for token in before[hunk.start : hunk.end])
    return common / most if most else 0.0


def _is_plain(block: Block) -> bool:
    """Returns whether it is a paragraph of nothing but text, in no link or control."""
    if block.line is None or len(block.line.boxes) > 1:
        return False
    return all(not token.startswith("\0") for token, _ in (*block.old.items, *block.new.items))
