"""Validity rules of revision marks that a schema does not say, checked on blocks that changed.

[x] no w:t in w:del, no w:delText outside  [x] no w:ins in w:ins  [x] every range start has its end
[x] revision ids unique over all parts  [x] paragraph marks marked at most once each way
[x] a cell ends in a paragraph or a control, and a row has a cell  [x] a table has a row
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from redraft.engine.docx.names import (
    W_DEL,
    W_DEL_TEXT,
    W_FLD_CHAR,
    W_FLD_SIMPLE,
    W_HYPERLINK,
    W_ID,
    W_INS,
    W_P,
    W_PPR,
    W_R,
    W_RPR,
    W_SDT,
    W_SECT_PR,
    W_T,
    W_TBL,
    W_TC,
    W_TR,
    W_TR_PR,
    Element,
    W,
)
from redraft.engine.docx.range_markers import POINTS

_COUNTED: Final = {
    W(name): name
    for name in (
        "footnoteReference",
        "endnoteReference",
        "commentReference",
        "drawing",
        "pict",
        "object",
        "hyperlink",
        "sdt",
        "bookmarkStart",
        "bookmarkEnd",
        "commentRangeStart",
        "commentRangeEnd",
        "permStart",
        "permEnd",
        "moveFromRangeStart",
        "moveFromRangeEnd",
        "moveToRangeStart",
        "moveToRangeEnd",
        "sectPr",
    )
}
# What a field consists of (ECMA-376 Part 1, 17.16.18, fldChar).
FIELD_PARTS: Final = ("fldChar begin", "fldChar separate", "fldChar end")
_CELL_ENDS: Final = frozenset({W_P, W_SDT, W("customXml"), W("altChunk")})
_FLD_CHAR_TYPE: Final = W("fldCharType")
_REVISION: Final = re.compile(
    rb"<[A-Za-z0-9_]*:?(?:ins|del|moveFrom|moveTo|cellIns|cellDel|cellMerge|[a-zA-Z]+Change"
    rb"|customXml(?:Ins|Del|MoveFrom|MoveTo)RangeStart|move(?:From|To)RangeStart)\s"
    rb"[^<>]*?\bid=[\"'](\d+)[\"']"
)


def counts(blocks: Iterable[Element]) -> Counter[str]:
    """How many there are of everything that an edit of text must not lose.

    A simple field counts as the complex one that it becomes when it is struck.
    """
    numbers: Counter[str] = Counter()
    for block in blocks:
        numbers.update(map(_name, block.iter(*_COUNTED, W_FLD_CHAR)))
        simple = sum(1 for _ in block.iter(W_FLD_SIMPLE))
        if simple:
            numbers.update(dict.fromkeys(FIELD_PARTS, simple))
    return numbers


def _name(node: Element) -> str:
    """What a node is counted as."""
    return _COUNTED.get(str(node.tag)) or f"fldChar {node.get(_FLD_CHAR_TYPE, '')}"


def written_counts(block: Element, ours: Collection[int]) -> Counter[str]:
    """What is counted in our insertions in a block: it is gone once the block is deleted."""
    numbers = Counter[str]()
    if not ours:
        return numbers
    if block.tag == W_TBL:
        marks = [row.find(f"{W_TR_PR}/{W_INS}") for row in block.iter(W_TR)]
        if marks and all(mark is not None and _number(mark) in ours for mark in marks):
            return counts([block])
    for mark in block.iter(W_INS):
        parent = mark.getparent()
        if parent is None or _number(mark) not in ours:
            continue
        if parent.tag != W_RPR:
            numbers += counts([mark])
        elif parent.getnext() is not None and all(
            child.tag == W_PPR or (child.tag == W_INS and _number(child) in ours) for child in block
        ):
            numbers += counts(list(parent.itersiblings(W_SECT_PR)))
    return numbers


def written_links(blocks: Iterable[Element], ours: Collection[int]) -> list[Element]:
    """The links and fields of which all words are insertions of ours: they go with these.

    And the controls and the ends of fields that stand in insertions of ours.
    """
    return [
        link
        for block in (blocks if ours else ())
        for link in block.iter(W_HYPERLINK, W_FLD_SIMPLE, W_SDT, W_FLD_CHAR)
        if _is_written(link, ours)
    ]


def _is_written(link: Element, ours: Collection[int]) -> bool:
    if link.tag in (W_SDT, W_FLD_CHAR):
        parent = link.getparent()
        parent = parent.getparent() if parent is not None and parent.tag == W_R else parent
        return parent is not None and parent.tag == W_INS and _number(parent) in ours
    return len(link) > 0 and all(child.tag == W_INS and _number(child) in ours for child in link)


def links_lost(links: Iterable[Element]) -> Counter[str]:
    """Those of `written_links` that an edit has taken out of their paragraphs; fields whole."""
    gone = (link for link in links if next(link.iterancestors(W_P), None) is None)
    missing = Counter(map(_name, gone))
    if missing["fldChar begin"] != missing["fldChar end"]:
        return Counter({name: n for name, n in missing.items() if not name.startswith("fldChar")})
    return missing


def _number(mark: Element) -> int:
    number = mark.get(W_ID, "")
    return int(number) if number.isdecimal() else -1


def faults(blocks: Iterable[Element]) -> Iterator[str]:
    """What is wrong with the revision marks of some blocks."""
    for block in blocks:
        for node in block.iter(W_T, W_DEL_TEXT, W_INS):
            if node.tag == W_INS:
                if _is_around_runs(node) and _has_ancestor(node, (W_INS,)):
                    yield "w:ins inside w:ins"
            elif (node.tag == W_T) == _has_ancestor(node, (W_DEL,)):
                yield f"{'w:t inside' if node.tag == W_T else 'w:delText outside'} a deletion"
        for paragraph in block.iter(W_P):
            marks = paragraph.find(f"{W_PPR}/{W_RPR}")
            if marks is not None:
                tags = [child.tag for child in marks if child.tag in (W_INS, W_DEL)]
                if len(tags) != len(set(tags)):
                    yield "a paragraph mark marked twice"
        yield from _table_faults(block)


def _table_faults(block: Element) -> Iterator[str]:
    """What Word takes for damage in tables (17.4.65, tc; 17.4.78, tr; 17.4.37, tbl)."""
    for node in block.iter(W_TC, W_TR, W_TBL):
        if node.tag == W_TC:
            last = next((each for each in reversed(node) if each.tag not in POINTS), None)
            if last is None or last.tag not in _CELL_ENDS:
                yield "a cell that does not end in a paragraph"
        elif next(node.iter(W_TC if node.tag == W_TR else W_TR), None) is None:
            yield f"a {'row without cells' if node.tag == W_TR else 'table without rows'}"


def repeated(parts: Iterable[bytes], ours: Iterable[int]) -> list[int]:
    """Ids of ours that stand on more than one revision mark of the file."""
    found = Counter(int(number) for data in parts for number in _REVISION.findall(data))
    return [number for number in ours if found[number] > 1]


def present(parts: Iterable[bytes]) -> set[int]:
    """The ids of all revision marks in some parts."""
    return {int(number) for data in parts for number in _REVISION.findall(data)}


def unpaired(blocks: Iterable[Element]) -> set[str]:
    """Ranges of comments and bookmarks of which only one end stands in some blocks."""
    ends: dict[str, set[str]] = {}
    for block in blocks:
        for node in block.iter(*_RANGES):
            kind, side = _RANGES[str(node.tag)]
            ends.setdefault(f"{kind} {node.get(W_ID, '')}", set()).add(side)
    return {name for name, sides in ends.items() if len(sides) == 1}


_RANGES: Final = {
    W(f"{kind}{side}"): (kind, side)
    for kind in (
        *("bookmark", "commentRange", "moveFromRange", "moveToRange", "perm"),
        *(f"customXml{what}Range" for what in ("Ins", "Del", "MoveFrom", "MoveTo")),
    )
    for side in ("Start", "End")
}


def _is_around_runs(node: Element) -> bool:
    parent = node.getparent()
    return parent is not None and parent.tag != W_RPR and next(node.iter(W_R), None) is not None


def _has_ancestor(node: Element, tags: tuple[str, ...]) -> bool:
    for ancestor in node.iterancestors():
        if ancestor.tag in tags:
            return True
        if ancestor.tag == W_P:
            return False
    return False
