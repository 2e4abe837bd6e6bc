"""Paragraphs of a page into blocks of the tree: headings, list items, code, running text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from redraft.engine.model import Block, CodeBlock, Heading, Image, Mark, Paragraph
from redraft.engine.pdf.reading.layout import Line, Outlined, Places
from redraft.engine.pdf.reading.paragraphs import Passage, Typography, is_code, spans_of
from redraft.engine.pdf.reading.ruled_tables import Grid
from redraft.engine.pdf.reading.span_inlines import inlines
from redraft.engine.pdf.reading.tables import list_item, table

DEEPEST = 6
LONGEST_HEADING = 200
STEP = 1.0
FAR = 150.0

_ENDS = (".", ",", ";", ":")


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture at its place in the order of reading."""

    page: int
    id: str
    alt: str


Item = Passage | Grid | Figure


@dataclass(slots=True)
class Outline:
    """Which paragraphs are headings, and of which level."""

    type: Typography
    is_tagged: bool = False
    steps: list[float] = field(default_factory=list[float])
    entries: dict[int, tuple[Outlined, ...]] = field(
        default_factory=dict[int, tuple[Outlined, ...]]
    )

    def level(self, passage: Passage) -> int | None:
        """Returns the level of a heading, 1-6; None for what is not one.

        The structure tree decides where it has headings; else an outline entry of the page with the
        same words, then the size, in steps of one point over the size of the text, and last comes a
        bold line of the text's own size.
        """
        tag = passage.tag
        if tag is not None and self.is_tagged:
            return min(tag.level, DEEPEST) if tag.role == "heading" else None
        entries = self.entries.get(passage.page, ())
        if entries:
            written = plain(passage.text), plain(f"{passage.label or ''} {passage.text}")
            for entry in entries:
                if plain(entry.title) in written:
                    return min(entry.level, DEEPEST)
        if not may_be_heading(passage):
            return None
        if is_larger(passage, self.type):
            return min(1 + sum(step > passage.size for step in self.steps), DEEPEST)
        is_bold = all(line.has_all(Mark.BOLD) for line in passage.lines)
        if not is_bold or len(passage.lines) > 2 or passage.size < self.type.body_size:
            return None
        bare = plain(passage.text)
        if len(bare) > LONGEST_HEADING / 2 or bare.endswith(_ENDS):
            return None
        return min(1 + len(self.steps), DEEPEST)


def plain(text: str) -> str:
    """Returns text with single spaces, for comparing."""
    return " ".join(text.split())


def may_be_heading(passage: Passage) -> bool:
    """Whether a paragraph is short enough and has letters."""
    if len(passage.lines) > 3:
        return False
    text = passage.text
    is_short = len(text) <= LONGEST_HEADING
    is_level = all(line.is_level for line in passage.lines)
    has_words = any(c.isalpha() for c in text) and "....." not in text
    return is_short and is_level and has_words and passage.label != "•"


def is_larger(passage: Passage, ordinary: Typography) -> bool:
    """Whether every line is clearly larger than the text of the document."""
    return all(line.size >= ordinary.body_size * 1.12 for line in passage.lines)


def outline(texts: Sequence[Passage], ordinary: Typography) -> Outline:
    """Sorts the sizes of larger lines into steps; sizes within a point of each other share one."""
    sizes = sorted(
        {p.size for p in texts if may_be_heading(p) and is_larger(p, ordinary)}, reverse=True
    )
    steps: list[float] = []
    for size in sizes:
        if not steps or steps[-1] - size > STEP:
            steps.append(size)
    # A step is known by its smallest size, so that every size within it counts as the step itself.
    floors = [min(size for size in sizes if step - STEP <= size <= step) for step in steps]
    tags = (passage.tag for passage in texts)
    is_tagged = any(tag is not None and tag.role == "heading" for tag in tags)
    return Outline(ordinary, is_tagged, floors)


def blocks(items: Sequence[Item], shape: Outline, places: Places) -> tuple[Block, ...]:
    """Makes the blocks of a document, and notes their `places`.

    Anchors count the blocks of each page from 1.
    """
    writer = _Writer(shape, places)
    for item in items:
        if isinstance(item, Passage):
            writer.add_passage(item)
        elif isinstance(item, Grid):
            writer.add_table(item)
        else:
            writer.add_figure(item)
    return tuple(writer.made)


@dataclass(slots=True)
class _Writer:
    """Blocks so far, the number of the last one of each page, and what is still open."""

    shape: Outline
    places: Places
    made: list[Block] = field(default_factory=list[Block])
    counts: dict[int, int] = field(default_factory=dict[int, int])
    depths: list[float] = field(default_factory=list[float])
    code: list[Line] = field(default_factory=list[Line])

    def anchor(self, page: int) -> str:
        self.counts[page] = self.counts.get(page, 0) + 1
        return f"p{page}.b{self.counts[page]}"

    def add_passage(self, passage: Passage) -> None:
        ordinary = self.shape.type
        if all(is_code(line, ordinary) for line in passage.lines) and passage.label is None:
            self.add_code(passage)
            return
        anchor = self.anchor(passage.page)
        self.places[anchor] = passage.lines
        level = self.shape.level(passage)
        spans = spans_of(passage, ordinary.hyphens)
        if level is not None:
            self.depths.clear()
            label = passage.label or ""
            content = inlines(spans, without=Mark.BOLD | Mark.CODE)
            self.made.append(Heading(anchor, level, content, label))
        elif passage.label is not None:
            self.made.append(list_item(passage, anchor, self.depth(passage), inlines(spans)))
        else:
            without = Mark.CODE if ordinary.is_mono else Mark.NONE
            self.depths.clear()
            self.made.append(Paragraph(anchor, inlines(spans, without)))

    def depth(self, passage: Passage) -> int:
        """Returns the depth of a list item by how far it is set in, against the items before it.

        Where the structure tree has the item, it says the depth.
        """
        if passage.tag is not None and passage.tag.role == "item":
            self.depths.clear()
            return passage.tag.level
        left = passage.box.x0
        if self.depths and abs(left - self.depths[-1]) > FAR:
            self.depths.clear()  # the list goes on in another column
        while self.depths and self.depths[-1] > left + 3:
            self.depths.pop()
        if not self.depths or left > self.depths[-1] + 3:
            self.depths.append(left)
        return len(self.depths) - 1

    def add_code(self, passage: Passage) -> None:
        if not (self.made and isinstance(self.made[-1], CodeBlock)):
            self.code = []
            self.made.append(CodeBlock(self.anchor(passage.page), ""))
        self.code += passage.lines
        anchor = self.made[-1].anchor
        self.made[-1] = CodeBlock(anchor, code_text(self.code))
        self.places[anchor] = tuple(self.code)

    def add_figure(self, figure: Figure) -> None:
        self.depths.clear()
        content = (Image(figure.id, figure.alt, figure.id),)
        self.made.append(Paragraph(self.anchor(figure.page), content))

    def add_table(self, grid: Grid) -> None:
        self.depths.clear()
        self.made.append(table(grid, self.anchor, self.shape.type, self.places))


def code_text(lines: Sequence[Line]) -> str:
    """Returns lines of code with the indentation that their places show."""
    left = min(line.box.x0 for line in lines)
    rows: list[str] = []
    for line in lines:
        text = line.text.rstrip().replace("\t", "  ")
        width = line.box.width / max(1, len(line.text))
        rows.append(" " * round((line.box.x0 - left) / width if width else 0) + text)
    return "\n".join(rows)
