"""The document as the interpreter looks at it: its lines in order, each knowing where it stands."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from redraft.engine.inline_pieces import INVISIBLE
from redraft.engine.model import (
    Block,
    Break,
    CodeBlock,
    Document,
    Heading,
    ListItem,
    Revision,
    Story,
    StoryKind,
    Table,
)
from redraft.engine.tokens import plain

# Comments are talk about the document, not its text.
_SILENT: frozenset[StoryKind] = frozenset({"comment"})


@dataclass(frozen=True, slots=True)
class Line:
    """One block with words; `headings` are the sections it stands in, outermost first.

    `table`, `row` and `cell` are those of the outermost table, empty outside of one. `key` is the
    text as words are looked for in it (see `looked_for`).
    """

    block: Block
    text: str
    story: Story
    headings: tuple[str, ...] = ()
    table: str = ""
    row: str = ""
    cell: str = ""
    key: str = ""

    @property
    def anchor(self) -> str:
        """The block's address."""
        return self.block.anchor


@dataclass(frozen=True, slots=True)
class Clause:
    """A numbered or headed place of the body (see `engine.interpreter.outline`).

    `path` is its number from the outermost part on, in small letters; empty where it has none.
    `start` and `end` count lines of the body, the end excluded. `level` is that of a heading.
    `typed` counts the characters of a typed number. `is_titled`: its first line is only its title.
    `key` is the title as names are compared.
    """

    path: tuple[str, ...]
    title: str
    line: Line
    start: int
    end: int
    level: int | None = None
    typed: int = 0
    is_numbered: bool = False
    is_titled: bool = False
    key: str = ""

    @property
    def number(self) -> str:
        """Its number as a person writes it."""
        return ".".join(self.path)


@dataclass(frozen=True, slots=True)
class Lines:
    """All lines of a document in order, its tables, and its tracked changes.

    `chosen` names the places that are meant where several fit (see `engine.errors.Candidate`).
    """

    document: Document
    lines: tuple[Line, ...]
    tables: tuple[Table, ...] = field(default=())
    changes: tuple[Revision, ...] = ()
    body: tuple[Line, ...] = ()
    clauses: tuple[Clause, ...] = ()
    chosen: frozenset[str] = frozenset()

    def texts(self) -> list[str]:
        """The words of every line."""
        return [line.text for line in self.lines]

    def of(self, anchor: str) -> Line | None:
        """The line at an anchor."""
        return next((line for line in self.lines if line.anchor == anchor), None)


def lines(document: Document, changes: Sequence[Revision] = ()) -> Lines:
    """Lay a document out in lines."""
    stories = [story for story in document.stories if story.kind not in _SILENT]
    laid_out = [line for story in stories for line in _story(story)]
    tables = [block for story in stories for block in story.blocks if isinstance(block, Table)]
    return Lines(document, tuple(laid_out), tuple(tables), tuple(changes))


def _story(story: Story) -> Iterator[Line]:
    open_headings: list[Heading] = []
    for block in story.blocks:
        if isinstance(block, Heading):
            while open_headings and open_headings[-1].level >= block.level:
                open_headings.pop()
            open_headings.append(block)
        headings = tuple(heading.anchor for heading in open_headings)
        if isinstance(block, Table):
            yield from _table(block, story, headings)
        elif not isinstance(block, Break):
            yield _line(block, story, headings)


def _table(table: Table, story: Story, headings: tuple[str, ...]) -> Iterator[Line]:
    for row in table.rows:
        for cell in row.cells:
            if cell.continues:
                continue
            for block in _flat(cell.blocks):
                yield _line(block, story, headings, table.anchor, row.anchor, cell.anchor)


def _line(block: Block, story: Story, headings: tuple[str, ...], *where: str) -> Line:
    text = words(block)
    table, row, cell = where or ("", "", "")
    return Line(block, text, story, headings, table, row, cell, looked_for(text))


def looked_for(text: str) -> str:
    """A text in the form in which its words are alike however they are typed."""
    return INVISIBLE.sub("", unicodedata.normalize("NFC", text)).casefold()


def _flat(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        if isinstance(block, Table):
            for row in block.rows:
                for cell in row.cells:
                    yield from _flat(cell.blocks)
        elif not isinstance(block, Break):
            yield block


def words(block: Block) -> str:
    """What a reader sees of one block, list labels left out."""
    if isinstance(block, CodeBlock):
        return block.text
    if isinstance(block, (Table, Break)):
        return ""
    return plain(block.content)


def label(block: Block) -> str:
    """The visible number of a block, or nothing."""
    return block.label if isinstance(block, (Heading, ListItem)) else ""


def folded(text: str) -> str:
    """Words for comparing names: small letters, blanks and outer punctuation evened out."""
    return re.sub(r"\s+", " ", text.casefold().replace("\u2019", "'")).strip(" \t.:;,")


_NUMBERING = re.compile(
    r"^(?:(?:§+|section|article|chapter|clause|part|appendix|annex|artikel|abschnitt)\s*)?"
    r"(?:\d+|[ivxlc]+(?=[.)])|[a-z](?=[.)]))(?:\.\d+)*[.):]?\s+",
    re.IGNORECASE,
)


def unnumbered(text: str) -> str:
    """Words without the number before them."""
    rest = _NUMBERING.sub("", text.strip())
    return rest or text
