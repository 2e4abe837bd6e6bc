"""What is done in tables, in any order of words: `Stock of Widget A: 140`, `a row between A and B`.

The words beside the verb and the new value name a row, a column and a table
(`engine.interpreter.table_words`), each once; every other word must say what is done, say `row`,
`column`, `cell` or `table`, or carry nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from redraft.engine.errors import EditError
from redraft.engine.interpreter.commands import (
    Command,
    DeleteUnit,
    InsertRow,
    Options,
    Place,
    ReplaceUnit,
    SetValue,
    Unit,
    Value,
)
from redraft.engine.interpreter.frame_looks import Looks, Reading, commands_of, looks_of
from redraft.engine.interpreter.frame_words import Said
from redraft.engine.interpreter.grids import cells_of
from redraft.engine.interpreter.lines import Lines, folded
from redraft.engine.interpreter.structure import resolve
from redraft.engine.interpreter.table_words import Grids, Named, Role, Spot
from redraft.engine.interpreter.value_kinds import kind_of
from redraft.engine.interpreter.value_spans import CHANGE, IN, INTO, MARKS, OLD

_LONGEST = 30
_LONGEST_NAME = 8
_LONGEST_NEW = 12
_PIECES = frozenset(
    {"row", "column", "cell", "table", "list", "headrow", "heading", "header", "line", "title"}
)
_PLACES = frozenset({"after", "before", "top", "end", "between", "left", "right"})
_VERBS = CHANGE | {"delete", "bedeleted"}
_SKIPPED = IN | INTO | {"noise", "and", "titled", "inalldocument", "withtext", "saying", "contrast"}
_GENERIC = frozenset({"value", "entry", "figure", "amount", "number", "label", "name", "text"})
_SHOWN = re.compile(r"[+-]?[$€£]?\d[\d.,]*%?")


@dataclass(frozen=True, slots=True)
class _Reading:
    """What the words of a sentence name, and what else they say."""

    named: tuple[Named, ...] = ()
    said: frozenset[str] = frozenset()

    @property
    def looseness(self) -> int:
        """How many names are not all the words of what they name."""
        return sum(not one.is_exact for one in self.named)

    def of(self, role: Role) -> Named | None:
        return next((one for one in self.named if one.role == role), None)


class _Sentence:
    """Reads the words around a new value, which may be none."""

    def __init__(self, said: Said, grids: Grids, lines: Lines, new: tuple[int, int]) -> None:
        self._said = said
        self._grids = grids
        self._lines = lines
        self._new = new
        self._names: dict[tuple[int, int], list[Named]] = {}
        self.looks: Mapping[int, int] = {}

    def readings(self) -> list[_Reading]:
        """Returns the readings with the fewest loose names."""
        if not self._is_known():
            return []
        readings = list(self._from(0, _Reading()))
        best = min((one.looseness for one in readings), default=0)
        return [one for one in readings if one.looseness == best]

    def _is_known(self) -> bool:
        """Whether no word is left that neither the language nor a table has."""
        at = 0
        while at < len(self._said.words):
            if self._new[0] <= at < self._new[1]:
                at = self._new[1]
                continue
            end = self._skipped(at, frozenset())
            if end is None and not self._said.words[at].is_lifted:
                text = self._said.words[at].text
                if len(text) > 1 and not self._grids.has(text):
                    return False
                end = at + 1
            at = end or at + 1
        return True

    def _from(self, at: int, reading: _Reading) -> Iterator[_Reading]:
        if self._new[0] <= at < self._new[1]:
            at = self._new[1]
        if at >= len(self._said.words):
            yield reading
            return
        if self._said.words[at].is_lifted:
            for named in self._lifted(at):
                yield from self._with(at + 1, reading, named)
            return
        end = self._skipped(at, reading.said)
        if end is not None:
            _, roles = self._said.phrase(at, end)
            yield from self._from(end, _Reading(reading.named, reading.said | roles))
        limit = self._new[0] if at < self._new[0] else len(self._said.words)
        for last in range(at + 1, min(limit, at + _LONGEST_NAME) + 1):
            if self._said.words[last - 1].is_lifted or self._said.words[last - 1].text in ",:;":
                break
            for named in self._named(at, last):
                yield from self._with(last, reading, named)

    def _with(self, at: int, reading: _Reading, named: Named) -> Iterator[_Reading]:
        others = [one for one in reading.named if one.role == named.role]
        is_second = len(others) == 1 and named.role == "row" and "between" in reading.said
        if not others or is_second:
            yield from self._from(at, _Reading((*reading.named, named), reading.said))

    def _named(self, start: int, end: int) -> list[Named]:
        if (start, end) not in self._names:
            self._names[start, end] = self._grids.named(self._said.text(start, end))
        return self._names[start, end]

    def _lifted(self, at: int) -> list[Named]:
        value = self._said.value(at)
        if value is not None:
            named = self._grids.named(value.text)
            items = self._said.items()
            before = [item.roles for item in items if item.end <= at][-1:]
            behind = [item.roles for item in items if item.start > at][:1]
            is_piece = bool(behind and behind[0] & _PIECES)
            is_old = not is_piece and bool(before and before[0] & (CHANGE | {"from"}))
            return [one for one in named if one.role == "cell"] if is_old else named
        address = self._said.address(at)
        if address is None:
            return []
        try:
            regions = resolve(self._lines, address)
        except EditError:
            return []
        numbers = {grid.anchor: grid.number for grid in self._grids.all}
        tables = {line.table for region in regions for line in region.lines} - {""}
        if address.kind not in ("row", "column"):
            spots = frozenset(Spot(numbers[one]) for one in tables if one in numbers)
            return [Named("table", spots, is_exact=True)] if spots else []
        if len(regions) != 1:
            return []
        tops = regions[0].row or regions[0].column
        table = next((one for one in tables if tops.startswith(f"{one}.")), "")
        if table not in numbers:
            return []
        grid = next(one for one in self._lines.tables if one.anchor == table)
        if address.kind == "row":
            shown = [row.anchor for row in grid.rows if not row.is_repeated]
            spot = Spot(numbers[table], shown.index(tops) + 1)
            return [Named("row", frozenset({spot}), is_exact=True)]
        shown = [cell.anchor for cell in grid.rows[0].cells]
        spot = Spot(numbers[table], 0, shown.index(tops) + 1)
        return [Named("column", frozenset({spot}), is_exact=True)]

    def _skipped(self, at: int, seen: frozenset[str]) -> int | None:
        """Where a phrase ends that names nothing; None where it must."""
        word = self._said.words[at]
        if word.is_lifted:
            return None
        if at in self.looks:
            return self.looks[at]
        if self._said.is_article(at) and word.text.islower():
            return at + 1
        if word.text in MARKS or word.key in _GENERIC:
            return at + 1
        limit = self._new[0] if at < self._new[0] else len(self._said.words)
        end, roles = self._said.phrase(at, limit)
        is_verb = bool(roles & _VERBS) and not seen & _VERBS
        if any(re.fullmatch(r"o-?\d+", role) for role in roles) and end < limit:
            return end if "cell" in self._said.phrase(end, limit)[1] else None
        return end if is_verb or roles & (_PIECES | _PLACES | _SKIPPED) else None


def table_commands(said: Said, lines: Lines, grids: Grids) -> Sequence[Command | Reading]:
    """Returns the commands on tables that a sentence may mean; none where a word is left over."""
    items = said.items()
    if len(items) > _LONGEST or any("never" in item.roles for item in items) or not grids.all:
        return []
    roles = frozenset[str]().union(*(item.roles for item in items))
    if items and "is" in items[0].roles:
        return []
    reader = _Tables(said, lines, grids)
    if roles & {"delete", "bedeleted"}:
        return reader.deletions()
    pieces = reader.rows() or reader.columns()
    return pieces or (reader.formats() if reader.looks else reader.cells())


class _Tables:
    """The commands on tables that a sentence may mean."""

    def __init__(self, said: Said, lines: Lines, grids: Grids) -> None:
        self._said = said
        self._lines = lines
        self._grids = grids
        self.looks = looks_of(said)

    def _read(self, start: int, end: int, looks: Looks | None = None) -> list[_Reading]:
        sentence = _Sentence(self._said, self._grids, self._lines, (start, end))
        sentence.looks = looks.ends if looks else {}
        return sentence.readings()

    # looks

    def formats(self) -> list[Reading]:
        """`center the deadline column in the action items`, `highlight the row Ann Lee`."""
        count = len(self._said.words)
        readings: dict[Spot, Reading] = {}
        for reading in self._read(count, count, self.looks) if self.looks.is_sound else ():
            if reading.said & {"delete", "insert", "move", "rename"}:
                continue
            for spot in _spots(reading):
                kind = "cell" if spot.row and spot.column else "row" if spot.row else "column"
                if kind in reading.said and (spot.row or spot.column):
                    unit = Unit(kind, address=spot.address)
                    readings[spot] = commands_of(self.looks, unit, Options())
        return list(readings.values())

    # delete

    def deletions(self) -> list[Command]:
        """`remove task 2 from the action items table`, `drop the Price column`."""
        commands: dict[Spot, Command] = {}
        for reading in self._read(len(self._said.words), len(self._said.words)):
            is_column = "column" in reading.said
            is_row = bool({"row", "line"} & reading.said) or reading.of("table") is not None
            role: Role = "column" if is_column else "row"
            named = reading.of(role)
            roles = {one.role for one in reading.named}
            if named is None or not (is_column or is_row) or roles - {role, "table"}:
                continue
            if role == "row" and "cell" in reading.said:
                continue
            for spot in _spots(reading):
                unit = Unit(role, address=spot.address)
                commands[spot] = DeleteUnit(unit, Options())
        return list(commands.values())

    # rows

    def rows(self) -> list[Command]:
        """`add row to action items: 4 | Book the hall | …`, `a row between A and B: …`."""
        at, texts = self._tail()
        if not texts or self._count_of("column"):
            return []
        commands: dict[Spot, Command] = {}
        for reading in self._read(at, len(self._said.words)):
            is_row = "row" in reading.said or "list" in reading.said or reading.of("table")
            if not is_row or not reading.said & {"insert", "put", "row"}:
                continue
            if reading.of("column") or reading.of("cell"):
                continue
            for spot, place in self._row_places(reading):
                cells = cells_of(texts, self._grids.width(spot.table))
                if cells:
                    commands[spot] = InsertRow("row", cells, place, Options())
        return list(commands.values())

    def _tail(self) -> tuple[int, list[str]]:
        """The quotations with which a sentence ends, and where they begin."""
        at = len(self._said.words)
        texts: list[str] = []
        while at > 0:
            value = self._said.value(at - 1)
            if value is not None:
                texts.insert(0, value.text)
            elif self._said.words[at - 1].text not in ("|", ",", "/", ";", "and") or not texts:
                break
            at -= 1
        return at, texts

    def _row_places(self, reading: _Reading) -> Iterator[tuple[Spot, Place]]:
        rows = [one for one in reading.named if one.role == "row"]
        for spot in _spots(reading):
            if not rows:
                where = "top" if "top" in reading.said else "end"
                yield spot, Place(where, Unit("table", address=spot.address))
            elif len(rows) == 2 or "before" in reading.said:
                yield spot, Place("before", Unit("row", address=spot.address))
            elif "after" in reading.said:
                yield spot, Place("after", Unit("row", address=spot.address))

    def _count_of(self, role: str) -> int:
        return sum(role in item.roles for item in self._said.items())

    # columns

    def columns(self) -> list[Command]:
        """`new column "Signature" at the end of the attendance table`, `rename column A to B`."""
        if not self._count_of("column"):
            return []
        commands: dict[object, Command] = {}
        for start, end in self._new_names():
            value = self._said.value(start) or self._said.bare(start, end)
            for reading in self._read(start, end):
                if "column" not in reading.said or reading.of("row") or reading.of("cell"):
                    continue
                for spot in self._tables(reading):
                    command = self._column(reading, spot, value)
                    if command is not None:
                        commands[spot, value.text] = command
        return list(commands.values())

    def _tables(self, reading: _Reading) -> list[Spot]:
        """Where a column goes; the only table where none is named."""
        is_sole = not reading.named and len(self._grids.all) == 1
        return [Spot(1)] if is_sole else _spots(reading)

    def _column(self, reading: _Reading, spot: Spot, value: Value) -> Command | None:
        unit = Unit("column" if spot.column else "table", address=spot.address)
        if reading.said & {"after", "right", "end"} and reading.said & {"insert", "put", "column"}:
            where = "after" if spot.column else "end"
        elif reading.said & {"before", "left", "top"}:
            where = "before" if spot.column else "top"
        elif spot.column and reading.said & {"rename", "change", "replace", "becalled", "arrow"}:
            return ReplaceUnit(unit, value, Options(), renames=True)
        elif not spot.column and reading.said & {"insert", "put"}:
            where = "end"
        else:
            return None
        if reading.said & {"rename", "change", "replace", "raise"}:
            return None
        return InsertRow("column", (value,), Place(where, unit), Options())

    def _new_names(self) -> Iterator[tuple[int, int]]:
        """Where the name of a new column, or a new name, may stand."""
        words = self._said.words
        quoted = [at for at in range(len(words)) if self._said.value(at) is not None]
        if quoted:
            yield from ((at, at + 1) for at in quoted)
            return
        for item in self._said.items():
            if item.roles & (INTO | {"titled"}) and item.end < len(words):
                start = self._said.skip(item.end)
                if words[start : start + 1] and not words[start].is_lifted:
                    yield start, self._name_end(start)

    def _name_end(self, start: int) -> int:
        for item in self._said.items():
            if item.start > start and item.roles & (_PLACES | IN):
                return item.start
        return len(self._said.words)

    # cells

    def cells(self) -> list[Command]:
        """`Stock of Widget A: 140`, `put "A" in the last cell of row 2`."""
        commands: dict[tuple[Spot, str], tuple[int, Command]] = {}
        for start, end in self._values():
            value = self._said.value(start) or self._said.bare(start, end)
            for reading in self._read(start, end):
                for spot in self._meant(reading, value):
                    if spot.row and spot.column and self._fits(spot, value):
                        scope = Unit("cell", address=spot.address)
                        command = SetValue("the cell", value, Options(scopes=(scope,)))
                        # `yes in the attendance list`: who says the list says where.
                        is_placed = bool({"table", "list"} & reading.said) and len(reading.named)
                        commands[spot, value.text] = (int(is_placed), command)
        most = max((names for names, _ in commands.values()), default=0)
        return [command for names, command in commands.values() if names == most]

    def _fits(self, spot: Spot, value: Value) -> bool:
        """Whether a cell may take a value: a number for a number, where none is quoted."""
        old = self._grids.cell(spot)
        if value.is_quoted or not old:
            return old != folded(value.text)
        kinds = kind_of(old), kind_of(value.text)
        if kinds[1] is not None and kinds[0] != kinds[1]:
            return False
        has_digits = [any(map(str.isdigit, text)) for text in (old, value.text)]
        return has_digits[0] == has_digits[1] and old != folded(value.text)

    def _values(self) -> Iterator[tuple[int, int]]:
        """Where the new value of a cell may stand."""
        words = self._said.words
        count = len(words)
        quoted = [at for at in range(count) if self._said.value(at) is not None]
        if quoted:
            yield from ((at, at + 1) for at in quoted)
            return
        starts = {
            self._said.skip(item.end)
            for item in self._said.items()
            if item.roles & INTO or words[item.start].text == ":"
        }
        for start in sorted(starts):
            if start < count:
                ends = {
                    item.start
                    for item in self._said.items()
                    if item.start > start and item.roles & IN
                }
                yield from ((start, end) for end in sorted({*ends, count}) if self._new(start, end))
        if not starts:
            for start in range(max(1, count - 5), count):
                text = self._said.text(start, count)
                if kind_of(text) is not None or _SHOWN.fullmatch(text):
                    yield start, count
                    return

    def _new(self, start: int, end: int) -> bool:
        words = self._said.words[start:end]
        is_plain = not any(word.is_lifted or word.text in ":;" for word in words)
        if not is_plain or len(words) > _LONGEST_NEW or self._said.is_article(end - 1):
            return False
        inside = [item for item in self._said.items() if start <= item.start < end]
        return not any(item.roles & (CHANGE | INTO | OLD | _PIECES) for item in inside)

    def _meant(self, reading: _Reading, value: Value) -> Iterator[Spot]:
        """The cells that a reading means."""
        if reading.said & {"insert", "move"} or reading.said & {"after", "before", "between"}:
            return
        if reading.said & {"headrow", "heading", "header", "title"} and not reading.of("row"):
            return
        old = reading.of("cell")
        is_label = {"row", "rename"} <= reading.said
        if old is not None and len(reading.named) == 1 and not is_label:
            return
        for spot in _spots(reading):
            if spot.row and spot.column:
                yield spot
            elif spot.row and old is None:
                yield from self._column_in(reading, spot, value)

    def _column_in(self, reading: _Reading, spot: Spot, value: Value) -> Iterator[Spot]:
        """The cell of a row that is counted, or the only one of the new value's sort."""
        row = self._grids.row_of(spot)
        counted = [
            int(role[1:])
            for item in self._said.items()
            for role in item.roles
            if re.fullmatch(r"o-?\d+", role)
        ]
        if "cell" in reading.said and len(counted) == 1:
            number = counted[0] if counted[0] > 0 else len(row) + 1 + counted[0]
            if 0 < number <= len(row):
                yield Spot(spot.table, spot.row, number)
            return
        kind = kind_of(value.text)
        if kind is None or value.is_quoted:
            return
        fitting = [at for at, text in enumerate(row, 1) if kind_of(text) == kind]
        if len(fitting) == 1:
            yield Spot(spot.table, spot.row, fitting[0])


def _spots(reading: _Reading) -> list[Spot]:
    """The places on which all names of a reading agree; of two rows the second, beside the first.

    Where a table is named too, only its rows count.
    """
    spots: list[Spot] | None = None
    rows = [one for one in reading.named if one.role == "row"]
    for named in reading.named:
        if len(rows) == 2 and named is rows[0]:
            continue
        if spots is None:
            spots = list(named.spots)
            continue
        joined = [one.joined(other) for one in spots for other in named.spots]
        spots = [one for one in joined if one is not None]
    spots = spots or []
    if len(rows) == 2:
        before = {Spot(one.table, one.row + 1) for one in rows[0].spots}
        spots = [one for one in spots if Spot(one.table, one.row) in before]
    return list(dict.fromkeys(spots))
