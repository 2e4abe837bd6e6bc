"""Accepts and rejects revision marks in the tree of a part: every kind of ECMA-376 Part 1, 17.13.5.

[x] w:ins, w:del, w:moveFrom, w:moveTo around runs, math and blocks   [x] on paragraph marks
[x] w:trPr/w:ins, w:del   [x] w:cellIns, w:cellDel, w:cellMerge   [x] w:…PrChange, w:tblGridChange
[x] w:numPr/w:ins   [x] w:numberingChange   [x] move ranges   [x] w:customXml…Range…
A paragraph whose mark goes is joined with the next one, which keeps its properties.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final, Literal, TypeAlias

from redraft.engine.docx import tracked_wrappers
from redraft.engine.docx.accept_reject.cell_spans import stretched
from redraft.engine.docx.accept_reject.paragraph_joins import Joiner
from redraft.engine.docx.grid import drop_columns, vanishing
from redraft.engine.docx.names import (
    RANGE_ENDS,
    TAGS_ENDS,
    TAGS_STARTS,
    W_AUTHOR,
    W_DEL,
    W_DEL_TEXT,
    W_FLD_SIMPLE,
    W_HYPERLINK,
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
    W_VAL,
    Element,
    W,
)
from redraft.engine.docx.range_markers import POINTS
from redraft.engine.docx.tracked_wrappers import like

Action: TypeAlias = Literal["accept", "reject"]

TRACKED: Final = frozenset({W_INS, W_DEL, W_MOVE_FROM, W_MOVE_TO})
CHANGES: Final = frozenset(
    W(f"{name}Change")
    for name in ("rPr", "pPr", "sectPr", "tblPr", "tblGrid", "trPr", "tcPr", "tblPrEx", "numbering")
)
CELLS: Final = frozenset(map(W, ("cellIns", "cellDel", "cellMerge")))
MOVE_RANGES: Final = {
    W(f"{kind}Range{end}"): kind for kind in ("moveFrom", "moveTo") for end in ("Start", "End")
}
REVISIONS: Final = (*TRACKED, *CHANGES, *CELLS, *TAGS_STARTS)
_NUM_PR: Final = W("numPr")
_WRITTEN: Final = frozenset({W_INS, W_MOVE_TO})
_LIVE: Final = {W_DEL_TEXT: W_T, W("delInstrText"): W_INSTR_TEXT}
_DROPPED_EMPTY: Final = frozenset({W_RPR, W_PPR, W_TR_PR, W_TC_PR, _NUM_PR})
_KEPT_BESIDE: Final = {
    W_PPR: frozenset({W_RPR, W_SECT_PR}),
    W_SECT_PR: frozenset({W("headerReference"), W("footerReference")}),
    W_RPR: TRACKED,
    W_TR_PR: frozenset({W_INS, W_DEL}),
    W_TC_PR: CELLS,
}
_V_MERGE: Final = W("vMerge")
_NAME: Final = W("name")
_MOVES: Final = {W_MOVE_FROM: "moveFrom", W_MOVE_TO: "moveTo"}
_CELL_GONE: Final = {"accept": W("cellDel"), "reject": W("cellIns")}
_GONE: Final = {"accept": W_DEL, "reject": W_INS}
_GOING: Final = {"accept": (W_DEL, W_MOVE_FROM), "reject": (W_INS, W_MOVE_TO)}
_PROOF: Final = W("proofErr")
_EMPTIED: Final = frozenset({W_HYPERLINK, W_FLD_SIMPLE})


class Settler:
    """Settles marks in one part and remembers what must be written anew.

    `changed` maps paragraphs and tables of the part to whether they are still there; it is None
    once something outside all of them was changed.
    """

    def __init__(self, root: Element) -> None:
        self._root = root
        # As they were found: joined paragraphs may take the markers of a range apart.
        self._named: dict[Element, str] | None = None
        self._loose: list[Element] = []
        self.changed: set[Element] | None = set()

    def settle(
        self,
        marks: Collection[Element],
        action: Action,
        *,
        ours: Collection[str] = (),
        is_last: bool = False,
    ) -> None:
        """Accept or reject marks.

        Args:
            marks: Elements in the tree of the part, of the kinds of `REVISIONS` or `MOVE_RANGES`.
            action: What is to be done with all of them.
            ours: The ids of our marks, on which the same people decide whoever wrote them.
            is_last: Whether none may be left for a later decision (`Joiner.is_held`).
        """
        if self._named is None and any(_is_move(mark) for mark in marks):
            self._named = move_names(self._root)
        joined: list[tuple[Element, Element]] = []
        columns = _columns(marks, action)
        wrappers = self._wrappers(marks, action)
        wide = [] if is_last else stretched(marks)
        kept = {span.change for span in wide if span.is_open}
        for span in wide:
            self._touch(span.cell)
            span.settle(action)
        for mark in marks:
            parent = mark.getparent()
            if parent is None or mark in kept or not _is_in(mark, self._root):
                continue
            self._touch(mark)
            paragraph = self._one(mark, parent, action)
            if paragraph is not None:
                joined.append((paragraph, mark))
        for wrapper in wrappers:
            self._take_off(wrapper)
        # A marker left in a paragraph would keep it.
        self._drop_ranges([mark for _, mark in joined])
        joiner = Joiner(self.changed)
        for paragraph, mark in joined:
            is_going = _like(mark, _GOING[action], ours)
            if is_last or not joiner.is_held(paragraph, is_going):
                _drop(mark)
                joiner.join(paragraph)
        joiner.finish()
        by_us = any(mark.get(W_ID) in ours for mark in marks) if columns else False
        for table, lost in columns.items():
            drop_columns(table, lost, lambda change: (change.get(W_ID) in ours) is by_us)

    def sweep(self) -> list[Element]:
        """Remove the markers of moves of which nothing is left to decide.

        Returns:
            Those that stood between paragraphs and tables, which `changed` does not tell.
        """
        self._drop_ranges(())
        return self._loose

    def _drop_ranges(self, settled: Collection[Element]) -> None:
        """Remove the markers of moves whose marks are gone, or among those that are settled."""
        if self._named is None:
            return
        left = set(self._root.iter(*_MOVES, *TAGS_STARTS)).difference(settled)
        alive = {name for mark, name in self._named.items() if mark in left}
        opened: dict[str, str] = {}
        for node in list(self._root.iter(*MOVE_RANGES)):
            if node.get(_NAME) is not None:
                opened[node.get(W_ID, "")] = node.get(_NAME, "")
            parent = node.getparent()
            if opened.get(node.get(W_ID, ""), "") in alive or parent is None:
                continue
            if next(node.iterancestors(W_P, W_TBL), None) is None:
                self._loose.append(node)
            else:
                self._touch(node)
            parent.remove(node)

    def _one(self, mark: Element, parent: Element, action: Action) -> Element | None:
        """Settle one mark; the paragraph that it belonged to when that is now to be joined."""
        tag = mark.tag
        is_gone = tag in TRACKED and (tag in _WRITTEN) == (action == "reject")
        if tag in CHANGES:
            self._format(mark, parent, action)
        elif tag in CELLS:
            self._cell(mark, parent, action)
        elif tag in RANGE_ENDS:
            parent.remove(mark)
        elif parent.tag == W_RPR and _is_paragraph_mark(parent):
            if is_gone:
                return _paragraph_of(parent)
            _drop(mark)
        elif parent.tag == W_TR_PR:
            self._row(mark, parent, is_gone=is_gone)
        elif parent.tag == _NUM_PR:
            _drop(parent if is_gone else mark)
        elif is_gone:
            self._remove(mark)
        else:
            _unwrap(mark)
        return None

    def _touch(self, mark: Element) -> None:
        if self.changed is None:
            return
        for ancestor in mark.iterancestors(W_P, W_TBL):
            self.changed.add(ancestor)
            return
        self.changed = None

    def _format(self, mark: Element, parent: Element, action: Action) -> None:
        if action == "accept" or mark.tag == W("numberingChange"):
            _drop(mark)
            return
        kept = _KEPT_BESIDE.get(parent.tag, frozenset())
        inner = next(iter(mark), None)
        parent.remove(mark)
        beside = [child for child in parent if child.tag in kept]
        for child in list(parent):
            parent.remove(child)
        # Marks in what is recorded say how it stood then; those beside it say how it stands.
        old = [child for child in (() if inner is None else inner) if child.tag not in TRACKED]
        if parent.tag in (W_RPR, W_SECT_PR):
            parent.extend([*beside, *old])
        else:
            parent.extend([*old, *beside])
        if not len(parent) and parent.tag not in (W_SECT_PR, W("tblPr"), W("tblGrid")):
            _drop(parent)

    def _row(self, mark: Element, properties: Element, *, is_gone: bool) -> None:
        row = properties.getparent()
        _drop(mark)
        if is_gone and row is not None:
            self._drop_row(row)

    def _drop_row(self, row: Element) -> None:
        table = row.getparent()
        while table is not None and table.tag != W_TBL:
            table = table.getparent()
        _drop(row)
        if table is None or next(table.iter(W_TR), None) is not None:
            return
        holder = table.getparent()
        for ancestor in table.iterancestors(W_P, W_TBL):
            if self.changed is not None:
                self.changed.add(ancestor)
            break
        _drop(table)
        if holder is not None and holder.tag == W_TC and not _has_paragraph_last(holder):
            holder.append(holder.makeelement(W_P))

    def _cell(self, mark: Element, properties: Element, action: Action) -> None:
        cell = properties.getparent()
        tag = mark.tag
        if tag == W("cellMerge"):
            merge = mark.get(W("vMerge" if action == "accept" else "vMergeOrig"))
            _drop(mark)
            _set_merge(properties, merge)
            return
        is_gone = (tag == W("cellIns")) == (action == "reject")
        _drop(mark)
        if is_gone and cell is not None:
            row = cell.getparent()
            _drop(cell)
            if row is not None and row.tag == W_TR and next(row.iter(W_TC), None) is None:
                self._drop_row(row)

    def _remove(self, mark: Element) -> None:
        parent = mark.getparent()
        if parent is not None:
            parent.remove(mark)
            _drop_emptied(parent)

    def _wrappers(self, marks: Collection[Element], action: Action) -> list[Element]:
        """Take the ends of ranges of tags away; the wrappers of which both tags go with them."""
        starts = [mark for mark in marks if mark.tag in TAGS_STARTS]
        ranges = tracked_wrappers.pairs(self._root) if starts else {}
        ranges = {start: ranges[start] for start in starts if start in ranges}
        going = {start: end for start, end in ranges.items() if like(start) in _GOING[action]}
        wrappers = tracked_wrappers.around(self._root, going)
        for end in ranges.values():
            self._touch(end)
            _drop(end)
        return wrappers

    def _take_off(self, wrapper: Element) -> None:
        """Let what a content control or custom XML holds stand without it."""
        parent = wrapper.getparent()
        if parent is None or not _is_in(wrapper, self._root):
            return
        self._touch(wrapper)
        tracked_wrappers.take_off(wrapper, parent)
        _drop_emptied(parent)


def revisions(root: Element) -> Iterator[Element]:
    """Every revision mark of a part in document order, of the kinds of `REVISIONS`."""
    return root.iter(*REVISIONS)


def ranges(root: Element) -> Iterator[Element]:
    """The markers of moved ranges, and the ends of ranges of tags."""
    return root.iter(*MOVE_RANGES, *TAGS_ENDS)


def move_names(root: Element) -> dict[Element, str]:
    """For each moved stretch of a part the name that joins both ends of the move."""
    names: dict[Element, str] = {}
    current: dict[str, str] = {}
    for node in root.iter(*MOVE_RANGES, *_MOVES, *TAGS_STARTS):
        kind = MOVE_RANGES.get(str(node.tag))
        if kind is None:
            like = TAGS_STARTS.get(str(node.tag), node.tag)
            name = current.get(_MOVES.get(like, ""), "") or _name_of_end(node)
            if name:
                names[node] = name
        elif str(node.tag).endswith("Start"):
            current[kind] = node.get(_NAME, "")
        else:
            current.pop(kind, None)
    return names


def _is_move(mark: Element) -> bool:
    return TAGS_STARTS.get(str(mark.tag), mark.tag) in _MOVES


def _name_of_end(mark: Element) -> str:
    """The name of the move that begins in a paragraph whose mark moves: that stands before it."""
    properties = mark.getparent()
    holder = None if properties is None else properties.getparent()
    paragraph = None if holder is None or holder.tag != W_PPR else holder.getparent()
    start = None if paragraph is None else paragraph.find(f"{mark.tag}RangeStart")
    return "" if start is None else start.get(_NAME, "")


def ids_of(marks: Iterable[Element]) -> list[str]:
    """The `w:id` of each mark as written."""
    return [mark.get(W_ID, "") for mark in marks]


def _columns(marks: Collection[Element], action: Action) -> dict[Element, set[int]]:
    """For each table the columns of its grid that go with their cells."""
    gone: dict[Element, list[Element]] = {}
    for mark in marks:
        is_gone = mark.tag in (_CELL_GONE[action], _GONE[action])
        for holder in mark.iterancestors(W_TC, W_TR) if is_gone else ():
            if mark.getparent() in (holder.find(W_TC_PR), holder.find(W_TR_PR)):
                table = next(holder.iterancestors(W_TBL), None)
                if table is not None:
                    gone.setdefault(table, []).append(holder)
            break
    return {
        table: vanishing(table, set(holders))
        for table, holders in gone.items()
        if any(holder.tag == W_TC for holder in holders)
    }


def _like(mark: Element, tags: tuple[str, ...], ours: Collection[str]) -> Callable[[Element], bool]:
    """Tells marks of some kinds by the author of another mark, or ours where that is ours."""
    is_ours = mark.get(W_ID) in ours
    author = mark.get(W_AUTHOR)

    def is_like(other: Element) -> bool:
        if other.tag not in tags or (other.get(W_ID) in ours) is not is_ours:
            return False
        return is_ours or other.get(W_AUTHOR) == author

    return is_like


def _is_in(mark: Element, root: Element) -> bool:
    return mark is root or any(ancestor is root for ancestor in mark.iterancestors(root.tag))


def _is_paragraph_mark(properties: Element) -> bool:
    parent = properties.getparent()
    return parent is not None and parent.tag == W_PPR


def _paragraph_of(properties: Element) -> Element | None:
    outer = properties.getparent()
    return None if outer is None else outer.getparent()


def _drop(element: Element) -> None:
    """Remove an element, and the properties around it that it leaves empty."""
    parent = element.getparent()
    if parent is None:
        return
    parent.remove(element)
    if not len(parent) and parent.tag in _DROPPED_EMPTY and not parent.attrib:
        _drop(parent)


def _unwrap(mark: Element) -> None:
    """Put the children of a mark in its place; what a deletion held is live text again."""
    parent = mark.getparent()
    if parent is None:
        return
    if mark.tag == W_DEL:
        for node in mark.iter(*_LIVE):
            inner = next(node.iterancestors(W_DEL), None)
            if inner is mark:
                node.tag = _LIVE[node.tag]
    # Siblings are not counted: a paragraph may hold thousands of marks.
    for child in reversed(list(mark)):
        mark.addnext(child)
    parent.remove(mark)


def _is_emptied(element: Element) -> bool:
    """Whether a mark, link or simple field has lost the last of what it held."""
    if element.tag in TRACKED:
        return all(child.tag == _PROOF for child in element)
    return element.tag in _EMPTIED and all(
        child.tag == _PROOF or (child.tag == W_R and all(c.tag == W_RPR for c in child))
        for child in element
    )


def _drop_emptied(element: Element | None) -> None:
    """Remove a mark, link or simple field that has lost the last of what it held."""
    while element is not None and _is_emptied(element):
        empty, element = element, element.getparent()
        _drop(empty)


def _set_merge(properties: Element, value: str | None) -> None:
    for merge in properties.findall(_V_MERGE):
        properties.remove(merge)
    if value is not None:
        merge = properties.makeelement(_V_MERGE)
        merge.set(W_VAL, "restart" if value == "rest" else "continue")
        before = frozenset(map(W, ("tcW", "gridSpan", "hMerge", "cnfStyle")))
        at = 0
        while at < len(properties) and properties[at].tag in before:
            at += 1
        properties.insert(at, merge)


def _has_paragraph_last(cell: Element) -> bool:
    last = next((child for child in reversed(cell) if child.tag not in POINTS), None)
    return last is not None and last.tag == W_P
