"""The tree as GitHub-flavoured Markdown.

[x] headings with their number  [x] nested lists with Word's labels  [x] tasks  [x] pipe tables
[x] fenced code  [x] quotes  [x] footnotes, endnotes  [x] text boxes behind the block they hang on
[x] equations  [x] change marks (CriticMarkup)  [x] headers, footers, comments when asked for
[-] HTML tables, page breaks, fonts, colours
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from redraft.engine.errors import TooLargeError
from redraft.engine.markdown.escapes import (
    Surroundings,
    at_line_start,
    code_span,
    escape,
    slug,
)
from redraft.engine.markdown.inline_markup import (
    Setting,
    lines_of,
    together,
    write_inlines,
)
from redraft.engine.markdown.nesting import Output
from redraft.engine.markdown.tables import flat, is_wrapper, wrapped, write_table
from redraft.engine.model import (
    Block,
    Break,
    Cell,
    CodeBlock,
    Control,
    Document,
    Extra,
    Field,
    Heading,
    Inline,
    LineBreak,
    Link,
    ListItem,
    Math,
    NoteReference,
    Paragraph,
    Quote,
    Row,
    Story,
    StoryKind,
    Table,
    Text,
)

if TYPE_CHECKING:
    from redraft.engine.report import StoryReading

_HARD_BREAK = "\\\n"
_CELL_BREAK = "<br>"
_CLOSING_SIGNS = re.compile(r"(?:(?<=\s)|^)(#+)$")
_NO_WORD = re.compile(r"\W+")
_NOTHING = Paragraph("", ())
_KINDS: dict[Extra, tuple[StoryKind, ...]] = {
    "headers": ("header", "footer"),
    "comments": ("comment",),
}
# A sign of a change, or a character that is escaped and so is none.
_SIGNS = {"++": re.compile(r"(\\.)|\{\+\+|\+\+\}"), "--": re.compile(r"(\\.)|\{--|--\}")}
_BOX = re.compile(r"^\s*[☐☒☑]\s*")


def write(document: Document, include: Collection[Extra] = ()) -> str:
    """Returns a document as Markdown, ending in a line feed; empty for a document without text.

    Args:
        document: In any view; changes are marked where the tree has them.
        include: `headers`: also headers and footers, around the body; `comments`: also comments, as
            notes.

    Raises:
        TooLargeError: nested deeper than can be written.
    """
    with _not_too_deep():
        return _Writer(document, frozenset(include)).document()


def stories(document: Document, include: Collection[Extra]) -> Iterator[StoryReading]:
    """Yields the headers, footers and comments that are asked for, each as Markdown.

    Raises:
        TooLargeError: nested deeper than can be written.
    """
    from redraft.engine.report import StoryReading  # whoever only writes needs none of it

    asked = {kind for extra in include for kind in _KINDS[extra]}
    writer = _Writer(document, frozenset())
    for story in document.stories:
        if story.kind in asked:
            by, purpose = (story.name, "") if story.kind == "comment" else ("", story.name)
            with _not_too_deep():
                text = writer.story(story)
            yield StoryReading(story.kind, story.anchor, text, purpose, by, story.date, story.host)


@contextmanager
def _not_too_deep() -> Generator[None]:
    try:
        yield
    except RecursionError as error:
        message = "The document is nested too deeply to be read"
        raise TooLargeError(message) from error


@dataclass(frozen=True, slots=True)
class _Places:
    """How inlines are written in running text, in a heading, and in a table's cell."""

    running: Setting
    title: Setting
    cell: Setting


class _Writer:
    """Writes one document."""

    def __init__(self, document: Document, include: frozenset[Extra]) -> None:
        self._document = document
        self._include = include
        self._boxes = _hanging(document, "textbox")
        self._comments = _hanging(document, "comment") if "comments" in include else {}
        self._lead = ""
        self._cited: dict[str, str] = {}
        self._taken: set[str] = set()
        self._slugs: dict[str, str] | None = None
        marked = document.view == "markup"
        plain = Surroundings(in_markup=marked)
        cell = Surroundings(in_table=True, in_markup=marked)
        self._places = _Places(
            Setting(plain, _HARD_BREAK, self._slug_of, self._note),
            Setting(plain, " ", self._slug_of, self._note),
            Setting(cell, _CELL_BREAK, self._slug_of, self._note),
        )
        self._writers: dict[type[Block], Callable[..., None]] = {
            Paragraph: self._paragraph,
            Heading: self._heading,
            ListItem: self._item,
            CodeBlock: self._code,
            Quote: self._quote,
            Table: self._table,
            Break: self._rule,
        }

    def document(self) -> str:
        output = Output()
        if "headers" in self._include:
            self._furniture("header", output)
        self._blocks(self._document.body.blocks, output)
        if "headers" in self._include:
            self._furniture("footer", output)
        self._notes(output)
        text = output.text()
        return f"{text}\n" if text else ""

    def _furniture(self, kind: str, output: Output) -> None:
        for story in self._document.stories:
            if story.kind == kind:
                text = self.story(story)
                if text:
                    purpose = _NO_WORD.sub(" ", story.name).split()
                    output.block(" ".join(["<!--", kind, *purpose, "-->"]))
                    output.block(text)

    def story(self, story: Story) -> str:
        """Returns one story alone."""
        output = Output()
        self._blocks(story.blocks, output)
        return output.text()

    def _blocks(self, blocks: Iterable[Block], output: Output) -> None:
        for block in blocks:
            if self._lead and not isinstance(block, Paragraph):
                self._paragraph(_NOTHING, output)
            self._writers[type(block)](block, output)
            if self._boxes:
                for box in self._boxes.get(block.anchor, ()):
                    output.block(self.story(box))
        if self._lead:
            self._paragraph(_NOTHING, output)

    def _paragraph(self, block: Paragraph, output: Output) -> None:
        equations = _displayed(block.content)
        if equations:
            for equation in equations:
                output.block(f"$$\n{equation}\n$$")
            output.block(self._comment_marks(block))
        elif block.leads:
            self._lead += self._line(block)
        else:
            output.block(lines_of(self._lead + self._line(block)))
            self._lead = ""

    def _heading(self, block: Heading, output: Output) -> None:
        text, marks = write_inlines(block.content, self._places.title), self._comment_marks(block)
        if text:
            label = f"{escape(block.label)} " if block.label else ""
            line = _CLOSING_SIGNS.sub(r"\\\1", label + text) + marks
            output.block(f"{'#' * min(block.level, 6)} {line}")
        else:
            output.block(marks)

    def _item(self, block: ListItem, output: Output) -> None:
        label = escape(block.label)
        if block.checked is not None:
            block = replace(block, content=_without_box(block.content))
            label = f"{label} [{'x' if block.checked else ' '}]".lstrip()
        output.item(block, label, lines_of(self._line(block), follows=bool(label)))

    def _code(self, block: CodeBlock, output: Output) -> None:
        output.code(block.text)
        output.block(self._comment_marks(block))

    def _quote(self, block: Quote, output: Output) -> None:
        output.quote(lines_of(self._line(block)))

    def _rule(self, _block: Break, output: Output) -> None:
        output.block("---")

    def _table(self, block: Table, output: Output) -> None:
        if is_wrapper(block):
            self._blocks(wrapped(block), output)
        else:
            output.block(write_table(block, self._cell_text, _row_mark))

    def _line(self, block: Paragraph | ListItem | Quote) -> str:
        return write_inlines(block.content, self._places.running) + self._comment_marks(block)

    def _comment_marks(self, block: Block) -> str:
        marks = ""
        for story in self._comments.get(block.anchor, ()):
            self._cited[story.anchor] = story.anchor
            marks += f"[^{story.anchor}]"
        return marks

    def _cell_text(self, cell: Cell) -> str:
        setting = self._places.cell
        if len(cell.blocks) > 1:
            setting = together([*_contents(cell.blocks)], setting)
        lines = [line for line in self._cell_lines(cell.blocks, setting) if line]
        return _CELL_BREAK.join(_without_emphasis_across(lines))

    def _cell_lines(self, blocks: Iterable[Block], setting: Setting) -> Iterator[str]:
        """Yields the blocks of a cell, each as one line in which no pipe is bare."""
        for block in blocks:
            if isinstance(block, Table):
                if is_wrapper(block):
                    yield from self._cell_lines(wrapped(block), setting)
                else:
                    yield flat(map(self._cell_text, row.cells) for row in block.rows)
            elif isinstance(block, CodeBlock):
                lines = block.text.split("\n")
                yield _CELL_BREAK.join(code_span(line, in_table=True) for line in lines if line)
            elif not isinstance(block, Break):
                yield _cell_line(block, setting) + self._comment_marks(block)
            for box in self._boxes.get(block.anchor, ()):
                yield from self._cell_lines(box.blocks, setting)

    def _notes(self, output: Output) -> None:
        """Writes the notes that were referred to, in that order; a note may refer to another."""
        stories = {story.anchor: story for story in self._document.stories}
        written: set[str] = set()
        while len(written) < len(self._cited):
            for anchor, name in list(self._cited.items()):
                if anchor not in written:
                    written.add(anchor)
                    self._note_text(name, stories.get(anchor), output)

    def _note_text(self, name: str, story: Story | None, output: Output) -> None:
        body = "" if story is None else self.story(story)
        if story is not None and story.kind == "comment":
            author = at_line_start(escape(" ".join(story.name.split())))
            body = f"{author}: {body}"
        indented = re.sub(r"\n(?=.)", "\n    ", body)
        output.block(f"[^{name}]: {indented}".rstrip())

    def _note(self, reference: NoteReference) -> str:
        name = self._cited.get(reference.anchor)
        if name is None:
            prefix = "e" if reference.kind == "endnote" else ""
            name = prefix + reference.label
            # Names of notes are compared without regard to case.
            if not reference.label.isalnum() or name.casefold() in self._taken:
                name = reference.anchor
            self._taken.add(name.casefold())
            self._cited[reference.anchor] = name
        return f"[^{name}]"

    def _slug_of(self, bookmark: str) -> str:
        if self._slugs is None:
            by_anchor = _heading_slugs(self._document.body.blocks)
            self._slugs = {}
            for name, anchor in self._document.bookmarks:
                if anchor in by_anchor:
                    self._slugs.setdefault(name, by_anchor[anchor])
        return self._slugs.get(bookmark, "")


def _cell_line(block: Paragraph | Heading | ListItem | Quote, setting: Setting) -> str:
    """Returns a block of a cell as one line, with its label."""
    text = write_inlines(block.content, setting)
    if isinstance(block, Heading):
        return f"{escape(block.label, setting.where)} {text}".strip() if text else ""
    if not isinstance(block, ListItem) or block.continuation:
        return text
    label = escape(block.label, setting.where) or "-"
    return f"{label} {text}" if text else "" if label == "-" else label


_TRAILING_UNDERSCORES = re.compile(r"(?<![\\_])_+$")
_CLOSING_UNDERSCORE = re.compile(r"[^\s\\_]_")


def _without_emphasis_across(lines: Sequence[str]) -> Iterator[str]:
    """Yields the lines of a cell with underscores escaped that would emphasise a later line.

    At the end of a paragraph underscores are plain text, but the line break of a cell stands right
    behind them, so that they may open emphasis (CommonMark 0.31, 6.2).
    """
    closing = [_CLOSING_UNDERSCORE.search(line) is not None for line in lines]
    for index, line in enumerate(lines):
        if line.endswith("_") and any(closing[index + 1 :]):
            yield _TRAILING_UNDERSCORES.sub(lambda run: run[0].replace("_", "\\_"), line)
        else:
            yield line


def _contents(blocks: Iterable[Block]) -> Iterator[Sequence[Inline]]:
    """Yields the inlines of blocks, of those in tables too."""
    for block in blocks:
        if isinstance(block, Table):
            for row in block.rows:
                for cell in row.cells:
                    yield from _contents(cell.blocks)
        elif isinstance(block, CodeBlock):
            yield (Text(block.text),)
        elif not isinstance(block, Break):
            yield block.content


def _hanging(document: Document, kind: str) -> dict[str, list[Story]]:
    parts: dict[str, list[Story]] = {}
    for story in document.stories:
        if story.kind == kind and story.host:
            parts.setdefault(story.host, []).append(story)
    return parts


def _displayed(content: Sequence[Inline]) -> list[str]:
    """Returns the equations of a paragraph that has nothing but displayed ones."""
    equations: list[str] = []
    for inline in content:
        if isinstance(inline, Math) and inline.display:
            equations.append(inline.latex)
        elif not isinstance(inline, LineBreak) and not (
            isinstance(inline, Text) and inline.text.isspace()
        ):
            return []
    return equations


def _without_box(content: tuple[Inline, ...]) -> tuple[Inline, ...]:
    """Returns a task without the box that begins it."""
    for index, inline in enumerate(content):
        if isinstance(inline, Text):
            if inline.text.isspace():
                continue
            rest = Text(_BOX.sub("", inline.text, count=1), inline.marks, inline.change)
            return (rest, *content[index + 1 :]) if rest.text else content[index + 1 :]
        if isinstance(inline, Control):
            control = replace(inline, content=_without_box(inline.content))
            return (control, *content[index + 1 :])
        break
    return content


def _row_mark(row: Row, text: str) -> str:
    """Returns the text of a cell in a tracked row: all of it is new or deleted."""
    if row.change is None:
        return text
    sign = "++" if row.change.kind == "insertion" else "--"
    once = _SIGNS[sign].sub(lambda match: match[1] or "", text)
    return f"{{{sign}{once}{sign}}}"


def _headings(blocks: Iterable[Block]) -> Iterator[Heading]:
    """Yields the headings that are written as such, those in frames too."""
    for block in blocks:
        if isinstance(block, Heading):
            yield block
        elif isinstance(block, Table) and is_wrapper(block):
            yield from _headings(wrapped(block))


def _heading_slugs(blocks: Iterable[Block]) -> dict[str, str]:
    """Returns each heading's fragment by its anchor; repeated ones are numbered as GitHub does."""
    slugs: dict[str, str] = {}
    seen: dict[str, int] = {}
    for block in _headings(blocks):
        text = _words(block.content)
        if text.strip():
            name = slug(f"{block.label} {text}")
            count = seen.get(name, 0)
            seen[name] = count + 1
            slugs[block.anchor] = f"{name}-{count}" if count else name
    return slugs


def _words(content: Iterable[Inline]) -> str:
    parts: list[str] = []
    for inline in content:
        if isinstance(inline, Text):
            parts.append(inline.text)
        elif isinstance(inline, Link | Field | Control):
            parts.append(_words(inline.content))
        elif isinstance(inline, LineBreak):
            parts.append(" ")
    return "".join(parts)
