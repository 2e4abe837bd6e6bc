"""Footnotes of a page: the small lines at its foot whose marks stand raised in its text.

What holds for every document:

    Every word is read once. A line is either part of a note or stays where it was, and of a mark
    only its look is lost: it becomes the reference of a note.
    A mark counts only if a note with its label is at the foot of the same page, and a note only if
    its mark is on the page. Both stay what they were without the other.
    A note is smaller than the text of the document, or has a small label and stands apart from the
    text; and nothing but notes and what pages repeat is below it in its column. Or the structure
    tree says that it is a note.
    A note goes on on the next page only in the middle of a sentence, at the head of its notes.

Labels are numbers, `*`, `†` and their like, letters and small Roman numerals, and may begin anew on
each page. Exponents and ordinals are no marks; see `engine.pdf.footnotes.note_marks`.

[x] two columns, each with its notes  [x] several paragraphs  [x] notes over pages and columns
[-] text from right to left: its notes stay where they stand  [-] labels in brackets or with a bar
[-] notes as large as the text whose label is so too  [-] endnotes
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace

from redraft.engine.pdf.footnotes.foot_lines import (
    LEADING,
    Column,
    Row,
    columns_at_foot,
    from_first_label,
)
from redraft.engine.pdf.footnotes.note_marks import Marks, led, marked
from redraft.engine.pdf.reading.layout import Box, Group, Line, Page, Span, around
from redraft.engine.pdf.reading.paragraphs import Passage, Typography, is_code, joined, passages

_ENDS = (".", "!", "?", ":", ";", "\u3002", "\uff01", "\uff1f")


@dataclass(slots=True)
class Note:
    """A note: its anchor (`p2.n1`), label, and what is drawn before its words, blank included.

    `parts` are its lines page by page, each with the page's number and the box of its column.
    """

    anchor: str
    label: str
    head: str
    parts: list[tuple[int, Box, list[Line]]]

    def passages(self, ordinary: Typography) -> list[Passage]:
        """Returns its paragraphs."""
        texts: list[Passage] = []
        for page, column, lines in self.parts:
            texts += passages(Group(column, tuple(lines)), page, ordinary)
        return joined(texts)

    @property
    def is_open(self) -> bool:
        """Whether its last sentence is not finished."""
        return not self.parts[-1][2][-1].text.rstrip().endswith(_ENDS)

    @property
    def size(self) -> float:
        """The size of its last line, in points."""
        return self.parts[-1][2][-1].size


@dataclass(frozen=True, slots=True)
class Parted:
    """Pages without their notes, whose marks lead to them, and the notes in order."""

    pages: tuple[Page, ...]
    notes: tuple[Note, ...]


def parted(
    pages: Sequence[Page],
    ordinary: Typography,
    left: Container[str] = (),
) -> Parted:
    """Takes the notes off the pages.

    Args:
        pages: The pages without their running headers and footers.
        ordinary: What is ordinary in the document.
        left: Anchors of notes that are to stay what they were.
    """
    notes: list[Note] = []
    made: list[Page] = []
    for page in pages:
        before = notes[-1] if notes and notes[-1].parts[-1][0] == page.number - 1 else None
        page_notes, page = _of_page(page, ordinary, before, left)
        notes += page_notes
        made.append(page)
    return Parted(tuple(made), tuple(notes))


def _of_page(
    page: Page, ordinary: Typography, before: Note | None, left: Container[str]
) -> tuple[list[Note], Page]:
    """Returns the notes of a page, and the page without them; `before` is the last one so far."""
    columns = columns_at_foot(page, ordinary.body_size)
    labels = {row.label for column in columns for row in column.rows if row.label}
    is_on = before is not None and before.is_open
    if not labels and not is_on:
        return [], page
    own = {id(line) for column in columns for line in from_first_label(column)}
    others = [
        line
        for group in page.groups
        for line in group.lines
        if id(line) not in own and not is_code(line, ordinary)
    ]
    raised = {row.label for column in columns for row in column.rows if row.is_raised}
    marks = marked(others, labels, raised) if labels else {}
    cited = {label for placed_marks in marks.values() for label, _, _ in placed_marks}
    taker = _Taker(page.number, cited, left, before if is_on else None)
    for column in columns:
        taker.take(column)
    if not taker.gone:
        return [], page
    anchors = {note.label: note.anchor for note in taker.notes}
    return taker.notes, _without(page, taker.gone, marks, anchors)


@dataclass(slots=True)
class _Taker:
    """Takes rows for notes; `before` is a note of the page before that may go on."""

    page: int
    cited: Container[str]
    left: Container[str]
    before: Note | None
    notes: list[Note] = field(default_factory=list[Note])
    gone: set[int] = field(default_factory=set[int])
    count: int = 0
    seen: set[str] = field(default_factory=set[str])

    def take(self, column: Column) -> None:
        """Takes the notes of a column."""
        now, above = self._rest(column), None
        for row in column.rows:
            if row.label:
                now = self._begun(column, row)
            elif above is not None and row.box.y0 - above.y1 > LEADING * row.lines[0].size:
                now = None
            elif now is not None:
                now.parts[-1][2].append(_line(row, 0))
            if now is not None:
                self.gone |= {id(line) for line in row.lines}
            above = row.box

    def _rest(self, column: Column) -> Note | None:
        """Returns the note of the page or column before that continues at the head of a column."""
        note, self.before = self.notes[-1] if self.notes else self.before, None
        if note is None or not note.is_open:
            return None
        head = column.rows[0]
        at = next((n for n, row in enumerate(column.rows) if row.label), len(column.rows))
        is_whole = all(
            below.box.y0 - above.box.y1 <= LEADING * note.size
            for above, below in zip(column.rows[:at], column.rows[1:at], strict=False)
        )
        if head.label or abs(head.lines[0].size - note.size) > 0.2 or not is_whole:
            return None
        if not head.text.lstrip()[:1].islower():
            return None
        note.parts.append((self.page, column.box, []))
        return note

    def _begun(self, column: Column, row: Row) -> Note | None:
        """Begins a note, where its mark is on the page and it has words."""
        self.count += 1
        anchor = f"p{self.page}.n{self.count}"
        is_new = row.label in self.cited and row.label not in self.seen
        line = _line(row, row.head)
        if not is_new or anchor in self.left or not any(map(str.isalnum, line.text)):
            return None
        self.seen.add(row.label)
        head = " ".join(row.text[: row.head].split())
        blank = " " if row.text[: row.head][-1:].isspace() else ""
        note = Note(anchor, row.label, head + blank, [(self.page, column.box, [line])])
        self.notes.append(note)
        return note


def _line(row: Row, drop: int) -> Line:
    """Returns a row as one line, without the first characters."""
    spans: list[Span] = []
    for line in row.lines:
        if spans and not (spans[-1].text.endswith(" ") or line.text.startswith(" ")):
            edge = spans[-1].box
            box = Box(edge.x1, line.box.y0, max(edge.x1, line.box.x0), line.box.y1)
            spans.append(Span(" ", box, line.size))
        for span in line.spans:
            rest = span.text[drop:]
            drop = max(0, drop - len(span.text))
            if rest:
                spans.append(span if rest == span.text else replace(span, text=rest))
    return Line(row.box, tuple(spans))


def _without(
    page: Page,
    gone: Container[int],
    marks: Marks,
    anchors: Mapping[str, str],
) -> Page:
    """Takes lines off a page, and makes marks of those that stay lead to their notes."""
    groups: list[Group] = []
    for group in page.groups:
        if any(id(line) in gone or id(line) in marks for line in group.lines):
            lines = tuple(
                led(line, marks[id(line)], anchors) if id(line) in marks else line
                for line in group.lines
                if id(line) not in gone
            )
            if not lines:
                continue
            group = replace(group, lines=lines, box=around(line.box for line in lines))
        groups.append(group)
    return replace(page, groups=tuple(groups))
