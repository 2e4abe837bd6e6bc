"""Addresses resolved against the structure of the document, never by searching their words.

An address that fits several places, or counts more than there are, is refused with what is there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from redraft.engine.errors import AmbiguousError, Candidate, NotFoundError, RefusedError
from redraft.engine.interpreter import search
from redraft.engine.interpreter.captions import captioned, tables_called
from redraft.engine.interpreter.commands import Address, UnitKind
from redraft.engine.interpreter.lines import Clause, Line, Lines, folded, label
from redraft.engine.interpreter.outline import (
    SIGNED,
    defined,
    in_case,
    keys,
    numbered,
    titled,
)
from redraft.engine.interpreter.search import Hit, hit_candidate
from redraft.engine.interpreter.word_questions import sentences
from redraft.engine.model import Heading, ListItem, Paragraph, Row, Table

_TITLES = {"title", "titel", "titre", "título", "titolo", "subtitle", "untertitel"}
_MOST_CANDIDATES = 9
_WORDS = 12
_RUN_IN_WORDS = 6
_ENDS = re.compile(r"[.!?:;,)”\"]\s*$")
_SECTIONS: frozenset[UnitKind] = frozenset({"section", "place"})
_ITEMS: frozenset[UnitKind] = frozenset({"bullet", "item", "definition"})


@dataclass(frozen=True, slots=True)
class Region:
    """One resolved place: its lines, and what of them is meant where that is less.

    `span` is a stretch of its only line; `row` and `table` are set for those kinds; `label` is what
    it is called.
    """

    kind: UnitKind
    lines: tuple[Line, ...]
    label: str = ""
    span: Hit | None = None
    row: str = ""
    column: str = ""
    table: str = ""

    @property
    def first(self) -> str:
        """The anchor of its first block outside of a table."""
        return self.table or self.lines[0].table or self.lines[0].anchor

    @property
    def last(self) -> str:
        """The anchor of its last block outside of a table."""
        return self.table or self.lines[-1].table or self.lines[-1].anchor


def resolve(lines: Lines, address: Address) -> tuple[Region, ...]:
    """Returns the places that an address means, in document order.

    Raises:
        NotFoundError: There is none, or fewer than are counted.
        AmbiguousError: The number or name is that of several places.
        RefusedError: It cannot be said what is counted.
    """
    outer = _outer(lines, address.within)
    pool = _pool(lines, address, outer)
    if address.labels:
        return tuple(_labelled(lines, address, pool, label) for label in address.labels)
    if address.name:
        return (_named(lines, address, pool),)
    if address.holding:
        pool = [one for one in pool if _holds(one, address.holding)]
        if len(pool) > 1:
            pool = [the_only(lines, pool)]
    if not pool:
        raise NotFoundError(reason=_none(address, outer))
    if address.kind in _ITEMS and address.ordinals and outer is None:
        items = _one_of_each_list(lines, address, pool)
        if items:
            return (_counted_or_chosen(lines, address, items),)
    return _counted(lines, address, pool)


def single(lines: Lines, regions: Sequence[Region]) -> Region:
    """Returns the only place, or the one of several that was chosen.

    Raises:
        AmbiguousError: There are several, and nobody chose.
        NotFoundError: There is none.
    """
    if not regions:
        raise NotFoundError
    return the_only(lines, regions)


def the_only(lines: Lines, regions: Sequence[Region]) -> Region:
    """Returns the only place of at least one, or the one that was chosen.

    Raises:
        AmbiguousError: There are several, and none or several of them were chosen.
    """
    left = regions
    if len(regions) > 1:
        left = [one for one in regions if place_of(one) in lines.chosen]
    if len(left) != 1:
        raise ambiguous(regions)
    return left[0]


def place_of(region: Region) -> str:
    """Returns the name of exactly this place in this version of the document."""
    if region.span is not None:
        return search.place_of(region.span)
    name = region.column or region.row or region.table
    if name:
        return name
    return region.first if region.first == region.last else f"{region.first}..{region.last}"


def _outer(lines: Lines, within: Address | None) -> Region | None:
    if within is None:
        return None
    return single(lines, resolve(lines, within))


def ambiguous(regions: Sequence[Region]) -> AmbiguousError:
    """Says that several places fit, and which."""
    places = tuple(candidate(region) for region in regions[:_MOST_CANDIDATES])
    names = "; ".join(one.label or one.words for one in places)
    return AmbiguousError(
        f"The instruction fits {len(regions)} places ({names}); say which one is meant",
        places,
        len(regions),
    )


def candidate(region: Region) -> Candidate:
    """Returns a place as it is shown to who must choose."""
    if region.span is not None:
        return hit_candidate(region.span, region.label)
    text = next((line.text for line in region.lines if line.text.strip()), "")
    anchor = region.row or region.table or region.first
    words = text.split()
    shown = " ".join(words[:_WORDS]) + ("…" if len(words) > _WORDS else "")
    return Candidate(anchor, region.label, shown, place_of(region))


def _only(pool: Sequence[Region]) -> str:
    return "There is only one" if len(pool) == 1 else f"There are only {len(pool)}"


def _holds(region: Region, quote: str) -> bool:
    return any(folded(quote) in folded(line.text) for line in region.lines)


def _none(address: Address, outer: Region | None) -> str:
    where = f" in {outer.label or 'that place'}" if outer else ""
    return f"There is no {address.kind}{where}"


# what is counted


def _pool(lines: Lines, address: Address, outer: Region | None) -> list[Region]:
    """All places of the kind that is said, inside the outer one."""
    match address.kind:
        case "table":
            return _tables(lines, outer)
        case "signature":
            return [one for one in _tables(lines, outer) if _is_signed(one)]
        case "row" | "column" | "cell":
            return _rows(lines, address, outer)
        case "sentence":
            return _sentences(lines, outer)
        case "image" | "footnote" | "header" | "footer":
            message = f"The built-in editor cannot look for a {address.kind} there"
            raise RefusedError(message)
        case "toc":
            return []
        case "title":
            return []
        case _:
            return _blocks(lines, address, outer)


def _blocks(lines: Lines, address: Address, outer: Region | None) -> list[Region]:
    inside = {line.anchor for line in outer.lines} if outer else None
    start = outer.lines[0].anchor if outer and outer.lines else ""
    body = [line for line in lines.body if not line.table and line.text.strip()]
    if inside is not None:
        body = [line for line in body if line.anchor in inside]
    match address.kind:
        case "section" | "place":
            clauses = [
                one
                for one in lines.clauses
                if inside is None or (one.line.anchor in inside and one.line.anchor != start)
            ]
            return [_region(lines, one, "section") for one in _top(clauses, address)]
        case "heading" | "headings":
            shown = [line for line in body if isinstance(line.block, Heading)]
            shown = [line for line in shown if not _is_title(line)]
            return [Region("heading", (line,), label(line.block)) for line in shown]
        case "bullet" | "item" | "definition":
            return _items(lines, body, address, start)
        case "line":
            return [Region("line", (line,)) for line in body]
        case "paragraph" | "paragraphs":
            return _paragraphs(lines, body, outer, start)
        case _:
            return []


def _top(clauses: Sequence[Clause], address: Address) -> list[Clause]:
    """The clauses that counting counts: those of the outermost level that occurs."""
    if address.labels or address.name:
        return list(clauses)
    shown = [one for one in clauses if not _is_title(one.line)]
    if shown and shown[0].level is not None:
        levels = [one.level for one in shown if one.level is not None]
        top = next((level for level in sorted(set(levels)) if levels.count(level) > 1), min(levels))
        return [one for one in shown if one.level == top]
    depths = [len(one.path) for one in shown if one.is_numbered]
    return [one for one in shown if one.is_numbered and len(one.path) == min(depths)]


def _items(lines: Lines, body: Sequence[Line], address: Address, start: str) -> list[Region]:
    clauses = {one.line.anchor: one for one in lines.clauses}
    shown: list[Region] = []
    depths: list[int] = []
    for line in body:
        clause = clauses.get(line.anchor)
        is_item = isinstance(line.block, ListItem) and not line.block.continuation
        # A typed number makes an item for who names it, and in brackets inside of a place.
        is_named = bool(address.labels or address.name or (start and _is_lettered(line)))
        is_typed = clause is not None and bool(clause.typed) and is_named
        if line.anchor == start or not (is_item or is_typed):
            continue
        depth = line.block.depth if isinstance(line.block, ListItem) else 0
        region = _region(lines, clause, "bullet") if clause else Region("bullet", (line,))
        shown.append(region)
        depths.append(depth)
    if address.labels or address.name or not depths:
        return shown
    # Who says bullets does not mean the numbered items beside them.
    bulleted = [not label(one.lines[0].block) for one in shown]
    if address.kind == "bullet" and any(bulleted) and not all(bulleted):
        shown = [one for one, keeps in zip(shown, bulleted, strict=True) if keeps]
        depths = [one for one, keeps in zip(depths, bulleted, strict=True) if keeps]
    return [one for one, depth in zip(shown, depths, strict=True) if depth == min(depths)]


def _is_lettered(line: Line) -> bool:
    return re.match(r"\s*\(?(?:[a-z]|[ivx]{1,4})\)\s", line.text) is not None


def _one_of_each_list(lines: Lines, address: Address, pool: Sequence[Region]) -> list[Region]:
    """Returns what is counted in each of several lists: each has a first. Empty for one list."""
    index = {line.anchor: at for at, line in enumerate(lines.body)}
    lists: list[list[Region]] = []
    for item in pool:
        last = lists[-1][-1] if lists else None
        end = index[last.lines[-1].anchor] if last else -2
        is_same = last is not None and bool(label(last.lines[0].block)) == bool(
            label(item.lines[0].block)
        )
        if is_same and index[item.lines[0].anchor] == end + 1:
            lists[-1].append(item)
        else:
            lists.append([item])
    if len(lists) < 2:
        return []
    number = address.ordinals[0]
    fitting = [one for one in lists if len(one) >= abs(number)]
    return [one[number - 1 if number > 0 else number] for one in fitting] or list(pool)


def _paragraphs(
    lines: Lines, body: Sequence[Line], outer: Region | None, start: str
) -> list[Region]:
    shown = [
        line
        for line in body
        if not isinstance(line.block, Heading)
        and not _is_title(line)
        and not (outer is not None and line.anchor == start and _is_only_title(lines, line))
    ]
    return [Region("paragraph", (line,)) for line in shown]


def _is_only_title(lines: Lines, line: Line) -> bool:
    return any(one.line.anchor == line.anchor and one.is_titled for one in lines.clauses)


def tables_in(lines: Lines) -> list[Region]:
    """Returns the tables of the body."""
    return _tables(lines, None)


def _tables(lines: Lines, outer: Region | None) -> list[Region]:
    inside = {line.table for line in outer.lines} if outer else None
    tables = [table for table in lines.tables if re.match(r"t\d", table.anchor)]
    return [
        _table(lines, table, number)
        for number, table in enumerate(tables, 1)
        if inside is None or table.anchor in inside
    ]


def _table(lines: Lines, table: Table, number: int) -> Region:
    inside = tuple(line for line in lines.lines if line.table == table.anchor)
    return Region("table", inside, f"Table {number}", table=table.anchor)


def _is_signed(region: Region) -> bool:
    return any(SIGNED.search(line.text) for line in region.lines)


def _rows(lines: Lines, address: Address, outer: Region | None) -> list[Region]:
    if outer is not None and outer.kind == "row" and address.kind == "cell":
        return _cells(lines, outer)
    if outer is not None and outer.kind not in ("table", "section", "signature"):
        raise RefusedError("Say in which table it stands, as: row 2 of table 1")
    anchor = outer.table if outer and outer.table else ""
    if not anchor:
        tables = _tables(lines, outer)
        if not tables:
            raise NotFoundError(reason="There is no table there")
        anchor = the_only(lines, tables).table
    table = next(table for table in lines.tables if table.anchor == anchor)
    if address.kind == "row":
        shown = [row for row in table.rows if not row.is_repeated]
        return [_row(lines, row, number) for number, row in enumerate(shown, 1)]
    if address.kind == "column":
        return [
            Region(
                "column", _column(lines, table, cell.column), f"Column {number}", column=cell.anchor
            )
            for number, cell in enumerate(table.rows[0].cells, 1)
        ]
    raise RefusedError("Say which cell is meant by the words of its row and its column")


def _cells(lines: Lines, outer: Region) -> list[Region]:
    row = next(row for table in lines.tables for row in table.rows if row.anchor == outer.row)
    return [
        Region("cell", tuple(line for line in outer.lines if line.cell == cell.anchor), cell.anchor)
        for cell in row.cells
    ]


def _row(lines: Lines, row: Row, number: int) -> Region:
    inside = tuple(line for line in lines.lines if line.row == row.anchor)
    return Region("row", inside, f"Row {number}", row=row.anchor)


def _column(lines: Lines, table: Table, column: int) -> tuple[Line, ...]:
    anchors = {cell.anchor for row in table.rows for cell in row.cells if cell.column == column}
    return tuple(line for line in lines.lines if line.cell in anchors)


def _sentences(lines: Lines, outer: Region | None) -> list[Region]:
    """The sentences of a place; a heading is none, nor is the number before the words."""
    if outer is None:
        raise RefusedError("Say in which paragraph or section the sentence stands")
    typed = {one.line.anchor: one.typed for one in lines.clauses}
    shown: list[Region] = []
    for line in outer.lines:
        is_title = isinstance(line.block, Heading) or (
            outer.kind in _SECTIONS and line is outer.lines[0] and not _ENDS.search(line.text)
        )
        if is_title or line.table:
            continue
        for start, end in sentences(line.text, typed.get(line.anchor, 0)):
            shown.append(Region("sentence", (line,), span=Hit(line, start, end)))
    return shown


# which of them


def _counted_or_chosen(lines: Lines, address: Address, pool: Sequence[Region]) -> Region:
    """Returns the chosen one of those that a single number may count.

    Raises:
        AmbiguousError: Nobody chose, or one place is no answer: several are counted, or the rest.
    """
    if len(address.ordinals) != 1 or address.rest:
        raise ambiguous(pool)
    return the_only(lines, pool)


def _counted(lines: Lines, address: Address, pool: Sequence[Region]) -> tuple[Region, ...]:
    if address.count is not None and address.count != len(pool):
        message = f"{_only(pool)}, not {address.count}"
        raise RefusedError(message)
    if not address.ordinals:
        if len(pool) > 1 and not address.every and address.count is None:
            return (the_only(lines, pool),)
        return tuple(pool)
    chosen: list[Region] = []
    for number in address.ordinals:
        index = number - 1 if number > 0 else number
        if not -len(pool) <= index < len(pool):
            raise NotFoundError(reason=_only(pool))
        chosen.append(pool[index])
    unclear = _unclear_count(address, pool)
    if unclear:
        return (_counted_or_chosen(lines, address, unclear),)
    if address.rest:
        return tuple(one for one in pool if one not in chosen)
    return tuple(dict.fromkeys(chosen))


def _unclear_count(address: Address, pool: Sequence[Region]) -> Sequence[Region]:
    """Returns the places that may be meant where what stands between may or may not be counted.

    Titles without a style, and a run-in title before a sentence: who counts may leave them out.

    Raises:
        RefusedError: List items stand among the paragraphs that are counted.
    """
    for number in address.ordinals:
        passed = pool[:number] if number > 0 else pool[number:]
        if number == -1:
            continue
        if address.kind == "line":
            _refuse_titles(passed)
        elif address.kind in ("paragraph", "paragraphs"):
            _refuse_items(passed)
            if any(_is_like_title(one.lines[0]) for one in passed) and len(pool) > 1:
                return passed
        elif address.kind == "sentence":
            for one in passed if number > 0 else ():
                span = one.span
                if span and _is_run_in(span.text):
                    return passed if len(passed) > 1 else pool[: number + 1]
    return ()


def _refuse_titles(passed: Sequence[Region]) -> None:
    if any(isinstance(one.lines[0].block, Heading) for one in passed):
        raise RefusedError("It is not clear whether titles count as lines here; name its words")


def _refuse_items(passed: Sequence[Region]) -> None:
    if len({isinstance(one.lines[0].block, ListItem) for one in passed}) > 1:
        message = (
            "It is not clear whether list items count as paragraphs here; name words of"
            ' the paragraph, as: the paragraph containing "A"'
        )
        raise RefusedError(message)


def _is_run_in(text: str) -> bool:
    """Whether a sentence may be a title before the text of a clause, as `Notices.` is."""
    words = text.split()
    names = [word for word in words if word[:1].isupper() or len(word) < 4]
    return text.endswith(".") and len(words) < _RUN_IN_WORDS and len(names) == len(words)


def _is_like_title(line: Line) -> bool:
    """Whether a paragraph without a heading's style looks like one: short, and no sentence."""
    text = line.text.strip()
    return (
        isinstance(line.block, Paragraph)
        and len(text.split()) < 10
        and not _ENDS.search(text)
        and (text.isupper() or text.istitle() or len(text.split()) < 6)
    )


def _labelled(lines: Lines, address: Address, pool: Sequence[Region], written: str) -> Region:
    """The place with a number that Word or a person wrote."""
    if address.kind in ("table", "row", "column", "cell"):
        named = captioned(lines, [one.table for one in pool], written)
        if address.kind == "table" and named:
            numbers = enumerate(pool, 1)
            return the_only(
                lines, [one for at, one in numbers if one.table in named or str(at) == written]
            )
        return _counted_one(pool, written)
    wanted = keys(written)
    inside = {one.first for one in pool}
    clauses = [one for one in lines.clauses if address.within is None or one.line.anchor in inside]
    fitting = in_case(numbered(clauses, wanted), written)
    if address.kind in _ITEMS:
        fitting = [one for one in fitting if one.line.anchor in inside]
    if address.kind == "heading":
        fitting = [one for one in fitting if isinstance(one.line.block, Heading)]
    places = [_region(lines, one, "section") for one in fitting]
    number = int(written) if written.isdecimal() else 0
    if number and address.kind in ("paragraph", "bullet", "item", "line"):
        return _numbered_or_counted(lines, address, pool, places, number)
    if not places:
        reason = f"There is no {address.kind} numbered {written}{_last_of(clauses, wanted)}"
        raise NotFoundError(reason=reason)
    return the_only(lines, places)


def _last_of(clauses: Sequence[Clause], wanted: tuple[str, ...]) -> str:
    """Says which number is the last beside one that is not there; nothing where there is none."""
    beside = [
        one.path
        for one in clauses
        if one.is_numbered and len(one.path) == len(wanted) and one.path[:-1] == wanted[:-1]
    ]
    return f"; the last one is {'.'.join(beside[-1])}" if beside else ""


def _counted_one(pool: Sequence[Region], written: str) -> Region:
    if not written.isdecimal():
        raise NotFoundError(reason=f"There is none with the number {written}")
    number = int(written)
    if not 0 < number <= len(pool):
        raise NotFoundError(reason=_only(pool))
    return pool[number - 1]


def _numbered_or_counted(
    lines: Lines, address: Address, pool: Sequence[Region], places: Sequence[Region], number: int
) -> Region:
    """`paragraph 3`: that with the number, or the third where nothing is numbered so."""
    third = pool[number - 1] if 0 < number <= len(pool) else None
    if not places:
        if address.kind in _ITEMS and any(label(one.lines[0].block) for one in pool):
            raise NotFoundError(reason=f"There is no item numbered {number}")
        if third is None:
            raise NotFoundError(reason=_only(pool))
        counted = Address(address.kind, ordinals=(number,))
        return _counted(lines, counted, pool)[0]
    if len(places) > 1 or (third is not None and third.first != places[0].first):
        others = [third] if third is not None and third.first != places[0].first else []
        if address.kind not in _ITEMS or len(places) > 1:
            return the_only(lines, [*places, *others])
    return places[0]


def _named(lines: Lines, address: Address, pool: Sequence[Region]) -> Region:
    """The place called so."""
    if address.kind == "table":
        named = tables_called(lines, [one.table for one in pool], address.name)
        fitting = [one for one in pool if one.table in named]
    elif address.kind == "definition" and (terms := defined(lines.body, address.name)):
        fitting = [
            Region("definition", (line,), f"the definition of {address.name}") for line in terms
        ]
    else:
        inside = {one.first for one in pool}
        clauses = [
            one for one in lines.clauses if address.within is None or one.line.anchor in inside
        ]
        places = titled([one for one in clauses if not _is_title(one.line)], address.name)
        top = [
            one
            for one in places
            if not any(other.start < one.start < other.end for other in places)
        ]
        fitting = [_region(lines, one, "section") for one in top]
        if address.kind in _ITEMS or address.kind == "paragraph":
            fitting = [one for one in fitting if one.first in inside]
    if not fitting:
        raise NotFoundError(reason=f"There is no {address.kind} called “{address.name}”")
    one = the_only(lines, fitting)
    if address.kind == "heading":
        return Region("heading", one.lines[:1], one.label)
    return one


def _region(lines: Lines, clause: Clause, kind: UnitKind) -> Region:
    inside = lines.body[clause.start : clause.end]
    while len(inside) > 1 and not inside[-1].text.strip() and not inside[-1].table:
        inside = inside[:-1]
    name = f"Section {clause.number}" if clause.number else ""
    title = f" “{clause.title}”" if clause.title else ""
    return Region(kind, tuple(inside), f"{name}{title}".strip())


def _is_title(line: Line) -> bool:
    style = getattr(line.block, "style", "")
    return isinstance(style, str) and style.casefold() in _TITLES
