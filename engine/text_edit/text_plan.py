"""The plan that an edited text stands for, and what of it cannot be done, by line.

A line whose anchor still stands in front of it is that block; its words may differ. Blocks whose
lines are gone are deleted, new lines are inserted, and lines in another order are moved: those
outside of the longest chain that keeps the order. A paragraph that was only cut in two, or only
joined with the next one, is split or merged, which keeps what text cannot hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from redraft.engine import tokens
from redraft.engine.compare.alignment import chain
from redraft.engine.errors import EditError
from redraft.engine.plan import (
    BlockKind,
    DeleteBlocks,
    DeleteRow,
    InsertBlocks,
    InsertRow,
    InsertTable,
    MergeBlocks,
    MoveBlocks,
    NewBlock,
    Operation,
    RewriteBlock,
    SetList,
    SetStyle,
    Where,
)
from redraft.engine.text_edit.cuts import cut, head_of, starts
from redraft.engine.text_edit.edited_text import Entry, is_numbered
from redraft.engine.text_edit.written_text import COVERED, PLAIN, Sign, TextLine

Path: TypeAlias = tuple[tuple[str, str], ...]
"""The containers around a line and the item in each, outermost first."""
_NOTES: Final = ("footnote", "endnote")
_NAME: Final = re.compile(r"⟦(/?[a-z]+[0-9]*)")


@dataclass(frozen=True, slots=True)
class LineFault:
    """Why a line cannot be carried out; `number` from 1, 0 for the text as a whole."""

    number: int
    message: str


class TextFaultsError(EditError):
    """Lines of an edited text cannot be carried out; `faults` say which, and why."""

    def __init__(self, faults: Sequence[LineFault]) -> None:
        self.faults = tuple(faults)
        first = self.faults[0]
        where = f"line {first.number}: " if first.number else ""
        super().__init__(f"{where}{first.message}")


@dataclass(slots=True)
class TextPlan:
    """The operations of an edited text, the line that each comes from, and what is wrong."""

    operations: list[Operation] = field(default_factory=list[Operation])
    numbers: list[int] = field(default_factory=list[int])
    faults: list[LineFault] = field(default_factory=list[LineFault])


def plan(
    lines: Sequence[TextLine], entries: Sequence[Entry], *, is_simple: bool = False
) -> TextPlan:
    """Returns what leads from a document to its edited text.

    Args:
        lines: The document as it was written.
        entries: The edited text.
        is_simple: Whether paragraphs are neither split nor merged, but rewritten.
    """
    planner = _Planner(lines, is_simple=is_simple)
    planner.place(entries)
    planner.containers()
    return planner.found


@dataclass(slots=True)
class _Items:
    """What shall stand in a container, in order: anchors of blocks and rows, and new entries."""

    wanted: list[str | Entry] = field(default_factory=list["str | Entry"])
    present: set[str] = field(default_factory=set[str])


class _Planner:
    def __init__(self, lines: Sequence[TextLine], *, is_simple: bool) -> None:
        self.found = TextPlan()
        self._is_simple = is_simple
        self._lines = {line.anchor: line for line in lines if line.form != "end"}
        self._original: dict[str, list[str]] = {}
        for line in lines:
            for container, item in line.path:
                items = self._original.setdefault(container, [])
                if not items or items[-1] != item:
                    items.append(item)
        self._paths: dict[str, Path] = {line.anchor: line.path for line in lines}
        self._around: dict[str, Path] = {
            container: line.path[:depth]
            for line in lines
            for depth, (container, _) in enumerate(line.path)
        }
        self._items: dict[str, _Items] = {}
        self._entries: dict[str, Entry] = {}

    def _put(self, number: int, operation: Operation) -> None:
        self.found.operations.append(operation)
        self.found.numbers.append(number)

    def _fault(self, number: int, message: str) -> None:
        self.found.faults.append(LineFault(number, message))

    # Where each line stands

    def place(self, entries: Sequence[Entry]) -> None:
        """Puts every entry into its container."""
        last: Entry | None = None
        path: Path | None = None
        waiting: list[Entry] = []
        for entry in entries:
            if entry.form == "separator" and not entry.anchor:
                self._loose(waiting)
                waiting, path = [], None
            elif entry.form == "separator":
                path = self._paths.get(entry.anchor, path)
            elif entry.anchor and self._is_known(entry):
                path = self._paths[entry.anchor]
                self._at_start(waiting, path)
                waiting = []
                self._present(path)
            elif path is None:
                waiting.append(entry)
            else:
                self._new(entry, last, path)
            last = entry
        self._loose(waiting)

    def _is_known(self, entry: Entry) -> bool:
        """Takes an anchored entry; one whose anchor stands twice is a copy, and new."""
        if entry.anchor in self._entries:
            return False
        self._entries[entry.anchor] = entry
        return True

    def _present(self, path: Path) -> None:
        for container, item in path:
            items = self._items.setdefault(container, _Items())
            if item not in items.present:
                items.present.add(item)
                items.wanted.append(item)

    def _new(self, entry: Entry, last: Entry | None, path: Path) -> None:
        """Puts a new entry behind the last one."""
        line = None if last is None or not last.anchor else self._lines.get(last.anchor)
        is_in_row = line is not None and line.form in ("row", "row_head")
        if last is not None and last.form == "head":
            self._fault(entry.number, "text cannot stand before the cells of a row")
            return
        if is_in_row or self._ends_in_row(path):
            container = path[-1][0]
            if entry.form == "row" and not entry.is_apart:
                self._items[container].wanted.append(entry)
                return
            path = path[:-1]
        self._items[path[-1][0]].wanted.append(entry)

    def _ends_in_row(self, path: Path) -> bool:
        line = self._lines.get(path[-1][1])
        return line is not None and line.form in ("row", "row_head")

    def _at_start(self, waiting: Sequence[Entry], path: Path) -> None:
        """Puts new entries before the first one that stands."""
        for entry in waiting:
            is_row = entry.form == "row" and entry is waiting[-1] and self._ends_in_row(path)
            container = path[-1][0] if is_row else path[0][0]
            self._items.setdefault(container, _Items()).wanted.append(entry)

    def _loose(self, waiting: Sequence[Entry]) -> None:
        """Puts entries beside which nothing stands that was there: into the body."""
        for entry in waiting:
            self._items.setdefault("", _Items()).wanted.append(entry)

    # What becomes of each container

    def containers(self) -> None:
        """Plans every container whose surroundings stand, in the order of the document."""
        for container, original in self._original.items():
            if not self._stands(container):
                continue
            items = self._items.get(container, _Items())
            self._container(container, original, items.wanted)
        for anchor, entry in self._entries.items():
            self._words(self._lines[anchor], entry)

    def _stands(self, container: str) -> bool:
        """Whether nothing around a container is deleted; a story stands while its file does."""
        around = self._around[container]
        return all(item in self._items.get(outer, _Items()).present for outer, item in around)

    def _container(
        self, container: str, original: Sequence[str], wanted: Sequence[str | Entry]
    ) -> None:
        standing = [item for item in wanted if isinstance(item, str)]
        kept = {original[index] for index, _ in chain(original, standing)}
        gone = [item for item in original if item not in set(standing)]
        if not standing and not any(isinstance(item, Entry) for item in wanted):
            self._emptied(original)
            return
        is_rows = self._is_rows(original)
        merged = () if is_rows else self._merged(wanted, set(gone), original)
        self._gone(original, [item for item in gone if item not in merged], is_rows=is_rows)
        self._moves(wanted, kept, is_rows=is_rows)
        self._insertions(original, wanted, kept, is_rows=is_rows)

    def _is_rows(self, items: Sequence[str]) -> bool:
        line = self._lines.get(items[0])
        return line is not None and line.form in ("row", "row_head")

    def _emptied(self, original: Sequence[str]) -> None:
        """Empties a cell, a header or the body, which keeps one paragraph."""
        first = self._lines.get(original[0])
        if first is None or first.form != "paragraph":
            self._fault(0, f"nothing is left where {original[0]} stood; leave a paragraph there")
        elif first.kind in _NOTES:
            name = first.anchor.partition(".")[0]
            self._fault(0, f"the text of {name} is gone; delete the note by an instruction")
        else:
            self._entries.setdefault(first.anchor, Entry(0, "paragraph", first.anchor, first.sign))
            if len(original) > 1:
                self._put(0, DeleteBlocks(original[1], original[-1]))

    def _gone(self, original: Sequence[str], gone: Sequence[str], *, is_rows: bool) -> None:
        if is_rows:
            for item in gone:
                self._put(self._before(original, original.index(item)), DeleteRow(item))
            return
        lost = set(gone)
        index = 0
        while index < len(original):
            end = index
            while end < len(original) and original[end] in lost:
                end += 1
            if end > index:
                number = self._before(original, index)
                self._put(number, DeleteBlocks(original[index], original[end - 1]))
            index = end + 1

    def _before(self, original: Sequence[str], index: int) -> int:
        """Returns the number of the line behind which blocks are gone; 1 for none."""
        standing = (self._entries.get(item) for item in reversed(original[:index]))
        return next((entry.number for entry in standing if entry is not None), 1)

    def _moves(self, wanted: Sequence[str | Entry], kept: set[str], *, is_rows: bool) -> None:
        """Moves what stands outside of the order, in runs."""
        last: str | None = None
        for index, item in enumerate(wanted):
            if not isinstance(item, str):
                continue
            if item in kept:
                last = item
                continue
            entry = self._entries.get(item)
            number = 0 if entry is None else entry.number
            following = next((i for i in wanted[index:] if isinstance(i, str) and i in kept), None)
            place, where = (last, "after") if last is not None else (following, "before")
            if is_rows:
                self._fault(
                    number, "rows cannot be moved as text; delete the row and write it anew"
                )
            elif place is not None:
                self._put(number, MoveBlocks(item, item, place, where))  # pyright: ignore[reportArgumentType]

    def _insertions(
        self,
        original: Sequence[str],
        wanted: Sequence[str | Entry],
        kept: set[str],
        *,
        is_rows: bool,
    ) -> None:
        """Inserts new entries, group by group, beside what stands."""
        last: str | None = None
        group: list[Entry] = []
        for item in (*wanted, None):
            if isinstance(item, Entry):
                group.append(item)
                continue
            if item is not None and item not in kept:
                continue
            if group:
                self._group(original, group, last, item, is_rows=is_rows)
                group = []
            last = item

    def _group(
        self,
        original: Sequence[str],
        group: Sequence[Entry],
        before: str | None,
        after: str | None,
        *,
        is_rows: bool,
    ) -> None:
        if is_rows:
            place, where = (before, "after") if before is not None else (after, "before")
            for entry in group:
                self._row(entry, place or original[0], "after" if where == "after" else "before")
            return
        rest = list(self._split(before, group))
        if not rest:
            return
        if before is None and after is None:
            self._blocks(rest, original[0], "before")
        elif before is not None and (after is None or not self._is_better(after, before, rest[0])):
            self._blocks(rest, before, "after")
        else:
            self._blocks(rest, after or original[0], "before")

    def _is_better(self, after: str, before: str, entry: Entry) -> bool:
        """Whether a new paragraph looks like what stands behind it, and not like what is before."""
        return self._sign(after) == entry.sign != self._sign(before)

    def _sign(self, anchor: str) -> Sign | None:
        """Returns the sign of a paragraph as it shall be; None for a table or a rule."""
        line = self._lines.get(anchor)
        return None if line is None or line.form != "paragraph" else line.sign

    # New blocks

    def _row(self, entry: Entry, place: str, where: Where) -> None:
        if entry.form != "row":
            self._fault(entry.number, "a paragraph cannot stand between the rows of a table")
            return
        cells = tuple(text for text in entry.cells if text != COVERED)
        if all(self._is_sound(entry, text) for text in cells):
            self._put(entry.number, InsertRow(place, where, cells))

    def _is_sound(self, entry: Entry, text: str) -> bool:
        """Whether a new text says nothing that only an old one can hold."""
        faults = tokens.parse(text, ()).faults
        names = sorted(set(_NAME.findall(text)) - tokens.FREE)
        if names and any(fault.code == "invented_token" for fault in faults):
            message = f"⟦{names[0]}⟧ cannot be in a new paragraph: it stays where it was, once"
            self._fault(entry.number, message)
        elif faults:
            self._fault(entry.number, faults[0].message)
        return not faults

    def _blocks(self, group: Sequence[Entry], place: str, where: Where) -> None:
        """Inserts paragraphs and tables, one operation for each run of either."""
        runs: list[list[Entry]] = []
        for entry in group:
            if entry.form == "rule":
                self._fault(entry.number, "a rule cannot be inserted as text")
            elif runs and runs[-1][0].form == entry.form:
                runs[-1].append(entry)
            else:
                runs.append([entry])
        for run in runs if where == "before" or len(runs) == 1 else runs[::-1]:
            if run[0].form == "row":
                self._table(run, place, where)
            else:
                sound = [entry for entry in run if self._is_sound(entry, entry.text)]
                blocks = tuple(self._block(entry, place) for entry in sound)
                if blocks:
                    self._put(run[0].number, InsertBlocks(place, where, blocks))

    def _block(self, entry: Entry, place: str) -> NewBlock:
        sign = entry.sign
        own = self._sign(place)
        is_same = own is not None and (own == sign or own.kind == sign.kind == "1")
        if sign.kind == "1" and own == PLAIN and is_numbered(self._lines[place].text):
            return NewBlock("like_anchor", entry.lead + entry.text)
        if is_same:
            return NewBlock("like_anchor", entry.text)
        return NewBlock(_kind(sign), entry.text)

    def _table(self, rows: Sequence[Entry], place: str, where: Where) -> None:
        cells = tuple(row.cells for row in rows)
        if all(self._is_sound(row, text) for row in rows for text in row.cells):
            self._put(rows[0].number, InsertTable(place, where, cells, rows[0].has_header))

    # Splitting and merging

    def _split(self, before: str | None, group: Sequence[Entry]) -> Iterator[Entry]:
        """Splits the paragraph before new ones that are only its end; yields the others."""
        line = None if before is None else self._lines.get(before)
        entry = None if before is None else self._entries.get(before)
        is_cut = line is not None and line.form == "paragraph" and not self._is_simple
        if line is None or entry is None or not is_cut or line.sign != entry.sign:
            yield from group
            return
        for size in range(len(group), 0, -1):
            ends = [one.text for one in group[:size]]
            is_plain = all(
                one.form == "paragraph" and one.sign in (PLAIN, line.sign) for one in group[:size]
            )
            head = head_of(line, entry.text, ends) if is_plain else None
            if head is not None:
                whole = entry.text.rstrip() + line.text[len(head) :]
                is_same = head == entry.text.rstrip()
                self._entries[line.anchor] = replace(entry, text=line.text if is_same else whole)
                for one, start in zip(group[:size], starts(line, [head, *ends]), strict=True):
                    self._put(one.number, cut(line, start))
                yield from group[size:]
                return
        yield from group

    def _merged(
        self, wanted: Sequence[str | Entry], gone: set[str], original: Sequence[str]
    ) -> set[str]:
        """Merges paragraphs whose text is that of a paragraph and of those behind it."""
        merged: set[str] = set()
        for index, item in enumerate(original[:-1] if gone and not self._is_simple else ()):
            line, entry = self._lines.get(item), self._entries.get(item)
            is_kept = item in wanted and line is not None and line.form == "paragraph"
            if (
                not is_kept
                or line is None
                or entry is None
                or entry.text.strip() == line.text.strip()
            ):
                continue
            text = line.text
            for follower in original[index + 1 :]:
                other = self._lines.get(follower)
                if follower not in gone or other is None or not other.text.strip():
                    break
                text += other.text
                merged.add(follower)
                if text.strip() == entry.text.strip():
                    self._put(entry.number, MergeBlocks(item, follower))
                    self._entries[item] = replace(entry, text=line.text)
                    break
            else:
                continue
            if text.strip() != entry.text.strip():
                merged -= set(original[index + 1 :])
        return merged

    # Words

    def _words(self, line: TextLine, entry: Entry) -> None:
        if line.form == "rule" and entry.text.strip() != "---":
            self._fault(entry.number, f"{line.anchor} is a rule and cannot get words")
        elif line.form == "row":
            self._cells(line, entry)
        elif line.form == "paragraph":
            if entry.form == "row":
                self._fault(entry.number, f"{line.anchor} is a paragraph and cannot become a row")
                return
            self._rewrite(entry.number, line.anchor, line.text, entry.text, line)
            self._shape(line, entry)

    def _rewrite(
        self, number: int, anchor: str, old: str, new: str, line: TextLine | None = None
    ) -> None:
        text = _with_margins(old, new)
        if text == old:
            return
        known = tokens.parse(old, ()).pieces if line is None else line.pieces
        faults = tokens.parse(text, known).faults
        for fault in faults:
            self._fault(number, _told(fault.code, fault.message))
        if not faults:
            self._put(number, RewriteBlock(anchor, text))

    def _cells(self, line: TextLine, entry: Entry) -> None:
        if entry.form != "row" or len(entry.cells) != len(line.cells):
            have = len(entry.cells) if entry.form == "row" else 0
            self._fault(
                entry.number,
                f"{line.anchor} has {len(line.cells)} cells, and the line {have}; a bar that is"
                " text is written \\|",
            )
            return
        for (anchor, old), new in zip(line.cells, entry.cells, strict=True):
            if anchor:
                self._rewrite(entry.number, anchor, old, new)
            elif new.strip() not in (COVERED, ""):
                self._fault(entry.number, "a cell that is merged into the one above has no text")

    def _shape(self, line: TextLine, entry: Entry) -> None:
        """Makes a heading, list item or quote of a paragraph, or a plain one again."""
        sign, old = entry.sign, line.sign
        if sign == old or {sign.kind, old.kind} <= {"1"} or (sign.kind == "1" and line.label):
            return
        anchor = line.anchor
        match sign.kind:
            case "#":
                self._put(entry.number, SetStyle(anchor, anchor, f"Heading {sign.level}"))
            case ">":
                self._put(entry.number, SetStyle(anchor, anchor, "Quote"))
            case "-":
                self._put(entry.number, SetList(anchor, anchor, "bullet", sign.level + 1))
            case "1":
                pass
            case "" if old.kind == "-":
                self._put(entry.number, SetList(anchor, anchor, "none"))
            case "" if old.kind in ("#", ">"):
                self._put(entry.number, SetStyle(anchor, anchor, "Normal"))
            case _:
                pass


def _kind(sign: Sign) -> BlockKind:
    match sign.kind:
        case "#":
            return ("heading1", "heading2", "heading3", "heading4")[min(sign.level, 4) - 1]
        case "-":
            return ("bullet", "bullet2", "bullet3")[min(sign.level, 2)]
        case "1":
            return ("numbered", "numbered2", "numbered3")[min(sign.level, 2)]
        case ">":
            return "quote"
        case "":
            return "paragraph"


def _told(code: str, message: str) -> str:
    """Returns a fault of a text in the words of whoever edits it."""
    if code == "dropped_token":
        return f"⟦{message.split('⟧')[0].lstrip('⟦')}⟧ is missing; put it back where it belongs"
    if code == "invented_token":
        return f"⟦{message.split('⟧')[0].lstrip('⟦')}⟧ is there more often than before"
    return message


def _with_margins(old: str, new: str) -> str:
    """Returns a new text with the blanks at its ends as they were, if it has none of its own.

    Editors take blanks at the ends of lines away.
    """
    core = new.strip(" ")
    if not core:
        return old if not old.strip(" ") else ""
    lead = old[: len(old) - len(old.lstrip(" "))]
    trail = old[len(old.rstrip(" ")) :]
    return (
        (new[: len(new) - len(new.lstrip(" "))] or lead)
        + core
        + (new[len(new.rstrip(" ")) :] or trail)
    )
