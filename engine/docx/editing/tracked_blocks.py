"""Tracked insertion and deletion of whole paragraphs and tables.

A paragraph is inserted or deleted by its mark (`w:ins`, `w:del` in the properties of the mark) and
its runs. What we inserted ourselves and delete again is gone. The mark of a paragraph stays where
the file needs it: at the end of a cell, of a story, before a section break, between two tables; the
paragraph is emptied then.

[x] w:rPr/w:ins, w:rPr/w:del of marks   [x] w:trPr/w:del with all content   [x] sectPr carried
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import deepcopy
from typing import Final, Literal, TypeAlias

from lxml import etree

from redraft.engine.docx.editing.tracked_controls import strike_controls
from redraft.engine.docx.names import (
    TEXT_BOXES,
    W14,
    W_BODY,
    W_DEL,
    W_INS,
    W_P,
    W_PPR,
    W_RPR,
    W_SDT,
    W_SDT_CONTENT,
    W_SECT_PR,
    W_TBL,
    W_TC,
    W_TR,
    W_TR_PR,
    Element,
    W,
)
from redraft.engine.docx.reading.controls import is_kept
from redraft.engine.docx.redline.insertion_point import KEPT, LOCKED
from redraft.engine.docx.redline.line import Entry, Line, Opaque, Stamp, Standing, Unit
from redraft.engine.docx.redline.revision_ids import Ids
from redraft.engine.docx.redline.textmap import revision_id
from redraft.engine.docx.redline.tracked_runs import revision, write
from redraft.engine.errors import RefusedError

# For deleted paragraphs the block behind them that is kept, as long as no block is inserted: what
# lies between is not walked again for each paragraph of a long deletion.
Skips: TypeAlias = dict[Element, Element]

_MARK_INS: Final = f"{W_PPR}/{W_RPR}/{W_INS}"
_MARK_DEL: Final = f"{W_PPR}/{W_RPR}/{W_DEL}"
_BLOCKS: Final = frozenset({W_P, W_TBL})
_PPR_CHANGE: Final = W("pPrChange")
_NOT_COPIED: Final = frozenset({W_SECT_PR, _PPR_CHANGE, W("framePr")})
_MARK_CHILDREN: Final = frozenset(
    {W_INS, W_DEL, *map(W, ("moveFrom", "moveTo", "rPrChange", "numberingChange"))}
)
_PARAGRAPH_IDS: Final = frozenset({W14("paraId"), W14("textId")})
_ENDED: Final = frozenset({*TEXT_BOXES, *map(W, ("hdr", "ftr", "footnote", "endnote"))})
_TBL_PR_EX: Final = W("tblPrEx")
# Children of w:rPr that come before w:del (ECMA-376 Part 1, 17.3.1.29).
_MARK_ORDER: Final = (W_INS, W_DEL, W("moveFrom"), W("moveTo"))
_PARTIAL: Final = (
    "A computed field begins or ends in this paragraph and reaches beyond it; delete all "
    "paragraphs of the field together"
)


def strike_line(line: Line, stamp: Stamp) -> None:
    """Strikes all that a paragraph holds, objects and whole fields included, comment marks not.

    Raises:
        RefusedError: a locked control, or a field that reaches into another paragraph.
    """
    check_strike(line)
    for box in line.boxes:
        box.entries = [entry for entry in box.entries if not _is_written(entry)]
        box.is_dirty = True
    for box in line.boxes:
        for entry in box.entries:
            if (
                isinstance(entry, Unit)
                and entry.standing is Standing.KEPT
                and (entry.text or entry.lock)
            ):
                entry.standing, entry.stamp = Standing.STRUCK, stamp
    line.units = [unit for unit in line.units if unit.standing is not Standing.WRITTEN]


def check_strike(line: Line) -> None:
    """Sees whether all that a paragraph holds can be struck.

    Raises:
        RefusedError: a locked control, or a field that reaches into another paragraph.
    """
    frames = {unit.frame for unit in line.units if unit.frame is not None}
    if any(frame.is_carried or not frame.is_closed for frame in frames):
        raise RefusedError(_PARTIAL)
    if any(unit.lock == "control" and unit.standing is not Standing.WRITTEN for unit in line.units):
        raise RefusedError(LOCKED)
    if any(box.outer is not None and is_kept(box.outer) for box in line.boxes):
        raise RefusedError(KEPT)


def _is_written(entry: Entry) -> bool:
    return isinstance(entry, Unit) and entry.standing is Standing.WRITTEN


def is_mark_inserted(paragraph: Element, ours: Mapping[int, str]) -> bool:
    """Returns whether the mark of a paragraph is an insertion of ours."""
    mark = paragraph.find(_MARK_INS)
    return mark is not None and revision_id(mark) in ours


def is_mark_deleted(paragraph: Element) -> bool:
    """Returns whether the mark of a paragraph is deleted, by whomever."""
    return (
        paragraph.find(_MARK_DEL) is not None
        or paragraph.find(f"{W_PPR}/{W_RPR}/{W('moveFrom')}") is not None
    )


def is_needed(paragraph: Element, skips: Skips, leaving: Collection[Element] = ()) -> bool:
    """Returns whether the mark of a paragraph must stay, so that deleting it can only empty it.

    Args:
        paragraph: What is to be deleted.
        skips: Of one run of deletions.
        leaving: All that the run deletes, what stands in front of the paragraph not yet struck.
    """
    if paragraph.find(f"{W_PPR}/{W_SECT_PR}") is not None:
        return True
    after = _next_kept(paragraph, skips)
    if after is None:
        return True
    return after.tag == W_TBL and _is_behind_none_or_table(paragraph, leaving)


def _next_kept(block: Element, skips: Skips) -> Element | None:
    """Returns the next block behind it that the final view keeps, in the same element."""
    passed: list[Element] = []
    other = block.getnext()
    while other is not None and not _is_kept(other):
        if other.tag == W_P:
            passed.append(other)
        known = skips.get(other)
        is_there = known is not None and known.getparent() is block.getparent()
        other = known if is_there else other.getnext()
    if other is not None:
        skips.update(dict.fromkeys(passed, other))
    return other


def _is_behind_none_or_table(block: Element, leaving: Collection[Element]) -> bool:
    other = block.getprevious()
    while other is not None and (other in leaving or not _is_kept(other)):
        kept = _last_kept(other, leaving) if other.tag == W_SDT else None
        if kept is not None:
            return kept.tag == W_TBL
        other = other.getprevious()
    return other is None or other.tag == W_TBL


def _last_kept(control: Element, leaving: Collection[Element]) -> Element | None:
    """Returns the last block in a control around blocks that the final view keeps."""
    content = control.find(W_SDT_CONTENT)
    for block in () if content is None else content.iterchildren(reversed=True):
        if block in leaving:
            continue
        if _is_kept(block):
            return block
        inner = _last_kept(block, leaving) if block.tag == W_SDT else None
        if inner is not None:
            return inner
    return None


def _is_kept(element: Element) -> bool:
    """Returns whether an element is a block that the final view keeps."""
    if element.tag == W_P:
        return not is_mark_deleted(element)
    return element.tag == W_TBL and not is_struck_table(element)


def is_struck_table(table: Element) -> bool:
    """Returns whether all rows of a table are deleted, by whomever."""
    rows = [row for row in table.iter(W_TR) if next(row.iterancestors(W_TBL)) is table]
    return bool(rows) and all(row.find(f"{W_TR_PR}/{W_DEL}") is not None for row in rows)


def delete_paragraph(
    line: Line, ids: Ids, stamp: Stamp, skips: Skips, leaving: Collection[Element] = ()
) -> bool:
    """Deletes a paragraph, tracked.

    Args:
        line: The paragraph as it stands.
        ids: Our marks.
        stamp: Who deletes.
        skips: Of one run of deletions.
        leaving: All that the run deletes.

    Returns:
        Whether its element is to be removed at once, because all of it was ours.
    """
    paragraph = line.paragraph
    is_ours = is_mark_inserted(paragraph, ids.ours)
    strike_line(line, stamp)
    write(line, ids)
    strike_controls(line, ids, stamp)
    if is_ours and not _holds_baseline(line):
        is_end = _is_only_end(paragraph)
        properties = paragraph.find(W_PPR)
        if is_end and properties is not None:
            _without(properties, frozenset({W_SECT_PR}))  # it was inserted with the mark
        return not is_end
    if not is_mark_deleted(paragraph) and not is_needed(paragraph, skips, leaving):
        mark(paragraph, W_DEL, ids, stamp)
    return False


def _is_only_end(paragraph: Element) -> bool:
    """Returns whether its cell or story would not end in a paragraph without it (17.4.65, tc)."""
    before = paragraph.getprevious()
    while before is not None and before.tag not in _BLOCKS:
        before = before.getprevious()
    return ends_story(paragraph) and (before is None or before.tag != W_P)


def _holds_baseline(line: Line) -> bool:
    """Returns whether anything of the baseline or of others stands in a paragraph."""
    return any(
        not isinstance(entry, Opaque) or entry.element.tag not in (W_PPR, W("proofErr"))
        for entry in line.root.entries
    )


def mark(paragraph: Element, tag: str, ids: Ids, stamp: Stamp) -> None:
    """Marks the mark of a paragraph as inserted or deleted by us."""
    properties = paragraph.find(W_PPR)
    if properties is None:
        properties = etree.Element(W_PPR)
        paragraph.insert(0, properties)
    run = properties.find(W_RPR)
    if run is None:
        run = etree.Element(W_RPR)
        last = [child for child in properties if child.tag in (W_SECT_PR, _PPR_CHANGE)]
        properties.insert(properties.index(last[0]) if last else len(properties), run)
    at = 0
    while at < len(run) and run[at].tag in _MARK_ORDER[: _MARK_ORDER.index(tag)]:
        at += 1
    run.insert(at, revision(tag, ids.ours_for(stamp.edit), stamp.author, stamp.date))


def delete_row(row: Element, ids: Ids, stamp: Stamp) -> None:
    """Marks a row as deleted (ECMA-376 Part 1, 17.13.5.12); its content is marked by others."""
    properties = row.find(W_TR_PR)
    if properties is None:
        properties = etree.Element(W_TR_PR)
        at = 1 if len(row) and row[0].tag == _TBL_PR_EX else 0
        row.insert(at, properties)
    if properties.find(W_DEL) is None:
        change = properties.find(W("trPrChange"))
        at = len(properties) if change is None else properties.index(change)
        deleted = revision(W_DEL, ids.ours_for(stamp.edit), stamp.author, stamp.date)
        properties.insert(at, deleted)


def is_written_table(table: Element, ours: Mapping[int, str]) -> bool:
    """Returns whether all rows of a table are insertions of ours."""
    marks = [row.find(f"{W_TR_PR}/{W_INS}") for row in table.iter(W_TR)]
    return bool(marks) and all(mark is not None and revision_id(mark) in ours for mark in marks)


def new_paragraph(properties: Element | None) -> Element:
    """Returns a paragraph with the properties of another: no section, no marks, no frame."""
    paragraph = etree.Element(W_P)
    if properties is not None:
        copy = deepcopy(properties)
        copy.tail = None
        _without(copy, _NOT_COPIED)
        for path in (W_RPR, W("numPr")):
            inner = copy.find(path)
            if inner is not None:
                _without(inner, _MARK_CHILDREN)
        run = copy.find(W_RPR)
        if run is not None and not len(run):
            copy.remove(run)
        if len(copy):
            paragraph.append(copy)
    return paragraph


def _without(element: Element, tags: frozenset[str]) -> None:
    for child in list(element):
        if child.tag in tags:
            element.remove(child)


def insert_beside(
    block: Element,
    where: Literal["before", "after"],
    paragraphs: Sequence[Element],
    ids: Ids,
    stamp: Stamp,
) -> None:
    """Puts new blocks beside a block and marks the marks of the paragraphs as inserted.

    Behind the last paragraph of a story the mark that is new is that of the paragraph before: the
    last one keeps the mark that was there, as Word writes it.
    """
    parent = block.getparent()
    if parent is None:
        message = "The block stands nowhere in the document"
        raise RefusedError(message)
    at = parent.index(block) + (where == "after")
    for offset, paragraph in enumerate(paragraphs):
        parent.insert(at + offset, paragraph)
    if where == "after" and block.tag == W_P and ends_story(paragraphs[-1]) and _is_plain(block):
        last = paragraphs[-1]
        _take_over(block, last, ids, stamp)
        marked = [block, *paragraphs[:-1]]
    else:
        marked = list(paragraphs)
    for paragraph in marked:
        if paragraph.tag == W_P and not is_mark_inserted(paragraph, ids.ours):
            mark(paragraph, W_INS, ids, stamp)


def _is_plain(paragraph: Element) -> bool:
    """Returns whether the mark of a paragraph carries no change and no section."""
    properties = paragraph.find(W_PPR)
    if properties is None:
        return True
    run = properties.find(W_RPR)
    return not any(child.tag in (W_SECT_PR, _PPR_CHANGE) for child in properties) and not (
        run is not None and any(child.tag in _MARK_CHILDREN for child in run)
    )


def _take_over(former: Element, last: Element, ids: Ids, stamp: Stamp) -> None:
    """Lets a new last paragraph own the mark that was there, with its attributes and properties."""
    for name, value in former.items():
        last.set(name, value)
        if name in _PARAGRAPH_IDS:
            del former.attrib[name]
    old, new = former.find(W_PPR), last.find(W_PPR)
    if new is None:
        new = etree.Element(W_PPR)
        last.insert(0, new)
    _without(new, frozenset({W_RPR}))
    run = None if old is None else old.find(W_RPR)
    children = [] if old is None else [child for child in old if child.tag != W_RPR]
    # Compared where they stand: a copy under a new parent may spell its namespace otherwise.
    is_equal = [_canonical(child) for child in children] == [_canonical(child) for child in new]
    record = etree.Element(W_PPR)
    record.extend([deepcopy(child) for child in children])
    if run is not None:
        new.append(deepcopy(run))
    if not is_equal:
        change = revision(_PPR_CHANGE, ids.ours_for(stamp.edit), stamp.author, stamp.date)
        change.append(record)
        new.append(change)
    if not len(new):
        last.remove(new)


def _canonical(element: Element) -> bytes:
    return etree.tostring(element, method="c14n", exclusive=True, with_tail=False)


def give_back(last: Element, ids: Ids, stamp: Stamp) -> bool:
    """Undoes what `insert_beside` did at the end of a story, when the new last paragraph is empty.

    The paragraph before may have been given other properties since: they are recorded then.

    Returns:
        Whether it was so; the paragraph before then ends the story again, and `last` is to go.
    """
    former = last.getprevious()
    if former is None or former.tag != W_P or not is_mark_inserted(former, ids.ours):
        return False
    old, new = last.find(W_PPR), former.find(W_PPR)
    change = None if old is None else old.find(_PPR_CHANGE)
    if change is not None and revision_id(change) not in ids.ours:
        return False
    if any(child.tag != W_PPR for child in last) or new is None or new.find(W_SECT_PR) is not None:
        return False
    attributes = [
        *last.items(),
        *(attribute for attribute in former.items() if attribute[0] not in last.attrib),
    ]
    for name in list(former.attrib):
        del former.attrib[name]
    for name, value in attributes:
        former.set(name, value)
    holder = old if change is None else change.find(W_PPR)
    children = [] if holder is None else [c for c in holder if c.tag not in (W_RPR, _PPR_CHANGE)]
    run = None if old is None else old.find(W_RPR)
    _without(new, frozenset({W_RPR, _PPR_CHANGE}))
    is_equal = [_canonical(child) for child in children] == [_canonical(child) for child in new]
    if run is not None:
        new.append(run)
    if not is_equal:
        record = revision(_PPR_CHANGE, ids.ours_for(stamp.edit), stamp.author, stamp.date)
        etree.SubElement(record, W_PPR).extend(children)
        new.append(record)
    if not len(new):
        former.remove(new)
    return True


def same_properties(first: Element, second: Element) -> bool:
    """Returns whether two paragraphs have the same properties, those of their marks left aside."""
    sides = [
        []
        if properties is None
        else [_canonical(child) for child in properties if child.tag not in (W_RPR, _PPR_CHANGE)]
        for properties in (first.find(W_PPR), second.find(W_PPR))
    ]
    return sides[0] == sides[1]


def closes(paragraph: Element) -> bool:
    """Returns whether a paragraph ends its story or cell and carries no section."""
    return ends_story(paragraph) and paragraph.find(f"{W_PPR}/{W_SECT_PR}") is None


def ends_story(block: Element) -> bool:
    """Returns whether no block follows one in its story or cell, nor in controls around it."""
    other = block.getnext()
    while other is not None:
        if other.tag in _BLOCKS or other.tag == W_SDT:
            return False
        other = other.getnext()
    parent = block.getparent()
    if parent is None:
        return False
    control = parent.getparent() if parent.tag == W_SDT_CONTENT else None
    if control is not None:
        return ends_story(control)
    return parent.tag in (W_BODY, W_TC) or parent.tag in _ENDED
