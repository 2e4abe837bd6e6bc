"""Read a born-digital PDF as the tree that every reader gives.

[x] paragraphs joined and de-hyphenated  [x] prose columns  [x] headings by outline, size and bold
[x] lists with their labels  [x] ruled tables  [x] links, bold, italic, code  [x] images by id
[x] running headers and footers as stories of their own  [x] tables without rules  [x] tables over
several pages
[x] footnotes, where a page has both mark and note: see `engine.pdf.footnotes.page_footnotes`
[x] tags: paragraphs, headings, lists, tables and their order as the structure tree says
[-] scanned pages: left out with a notice

Anchors are `p2.b7`, the 7th block of page 2; in a table `p2.b7.r1.c2.b1`; in its header `p2.h1`.
The 3rd footnote that page 2 has at its foot, read or not, is `p2.n3`, its first paragraph
`p2.n3.p1`; one that begins on the next page is `p3.n0.p1`.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, groupby

from redraft.engine.errors import UnreadableError
from redraft.engine.model import (
    Block,
    Document,
    ImageNote,
    Notice,
    Paragraph,
    Story,
    StoryKind,
    Text,
)
from redraft.engine.pdf.footnotes.note_stories import noted
from redraft.engine.pdf.page_layouts import Source, load
from redraft.engine.pdf.reading.aligned_tables import find_aligned, is_box
from redraft.engine.pdf.reading.block_types import Figure, Item, blocks, outline
from redraft.engine.pdf.reading.continued_tables import with_continuations
from redraft.engine.pdf.reading.furniture import Running, without_furniture
from redraft.engine.pdf.reading.layout import Group, Page, Picture, Places
from redraft.engine.pdf.reading.paragraphs import Passage, Typography, joined, passages, typography
from redraft.engine.pdf.reading.reading_order import in_reading_order, interleaved
from redraft.engine.pdf.reading.ruled_tables import Grid, find_grids
from redraft.engine.pdf.tagged.table_elements import Tables, TaggedGrids, tagged_grids
from redraft.engine.pdf.tagged.tagged_pages import by_tree

Placed = Group | Grid | Picture


def check(data: bytes) -> None:
    """Says nothing of a PDF that can be opened.

    A PDF without a text layer passes; reading it is what fails.

    Raises:
        ProtectedFileError: a password is needed.
        CorruptDocumentError: it cannot be opened, has no pages, or none that can be read.
        TooLargeError: more than 2,000 pages.
    """
    load(data, with_text=False)


def images(data: bytes) -> tuple[ImageNote, ...]:
    """Lists the images of a PDF with the ids that the Markdown uses.

    PDFs seldom say what they show.

    Raises:
        as `check`.
    """
    pages, _ = _shown(load(data, with_text=False))
    return _notes(pages)


def read(data: bytes) -> Document:
    """Reads a PDF.

    Raises:
        UnreadableError: no page has a text layer.
        ProtectedFileError, CorruptDocumentError, TooLargeError: as `check`.
    """
    return read_all(data).document


@dataclass(frozen=True, slots=True)
class Reading:
    """A PDF as it is edited: also the running headers and footers of every page.

    `heads`: what is drawn before the words of each footnote, by the anchor of its first paragraph.
    `places` are the lines of each block.
    """

    document: Document
    running: tuple[Running, ...]
    heads: Mapping[str, str]
    places: Places


def read_all(data: bytes) -> Reading:
    """Reads a PDF, and returns what an editor must know of its pages besides.

    Raises:
        as `read`.
    """
    with _uncollected():
        return _read(load(data))


@contextmanager
def _uncollected() -> Generator[None]:
    """Keeps the search for reference cycles from starting.

    A tenth of reading, for none are made.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _read(source: Source) -> Reading:
    if not any(page.groups for page in source.pages):
        message = "Unsupported document format"
        raise UnreadableError(message)
    pages, lines = _shown(source)
    ordinary = typography(pages)
    places: Places = {}
    made = noted(pages, ordinary, partial(_body, ordinary, source.tables, places), places)
    body = Story("body", "", made.blocks)
    notices = (*source.notices, *_scanned(source))
    stories = (body, *made.stories, *_running_stories(lines))
    document = Document("pdf", stories, _notes(pages), notices, source.properties)
    return Reading(document, lines, made.heads, places)


def anchored(lines: Sequence[Running]) -> Iterator[tuple[str, Running]]:
    """Yields running lines their anchors: `p2.h1` is the first of the header of page 2."""
    counts: Counter[tuple[int, str]] = Counter()
    for line in lines:
        letter = "h" if line.edge == "top" else "f"
        counts[line.page, letter] += 1
        yield f"p{line.page}.{letter}{counts[line.page, letter]}", line


def _running_stories(lines: Sequence[Running]) -> Iterator[Story]:
    """Yields what pages repeat once, as it stands on the first of them."""
    seen: set[str] = set()
    by_edge: dict[str, list[Block]] = {"top": [], "bottom": []}
    for anchor, line in anchored(lines):
        if line.key not in seen:
            seen.add(line.key)
            by_edge[line.edge].append(Paragraph(anchor, (Text(line.text),)))
    kinds: tuple[tuple[str, StoryKind, str], ...] = (
        ("top", "header", "h1"),
        ("bottom", "footer", "f1"),
    )
    for edge, kind, name in kinds:
        if by_edge[edge]:
            yield Story(kind, name, tuple(by_edge[edge]), name="default")


def _scanned(source: Source) -> tuple[Notice, ...]:
    message = "No text layer: this page is an image, and its words cannot be read"
    return tuple(
        Notice("no-text-layer", message, f"page {page.number}")
        for page in source.pages
        if not page.groups and page.pictures
    )


def _shown(source: Source) -> tuple[tuple[Page, ...], tuple[Running, ...]]:
    """Returns the pages without their furniture, their pictures numbered, and the furniture."""
    numbers = count(1)
    cleared = without_furniture(source.pages)
    pages = tuple(
        replace(page, pictures=tuple(replace(p, id=f"im{next(numbers)}") for p in page.pictures))
        if page.pictures
        else page
        for page in cleared.pages
    )
    return pages, cleared.running


def _notes(pages: Sequence[Page]) -> tuple[ImageNote, ...]:
    return tuple(ImageNote(picture.id, picture.alt) for page in pages for picture in page.pictures)


def _body(
    ordinary: Typography, tables: Tables, places: Places, pages: Sequence[Page]
) -> tuple[Block, ...]:
    grids = tagged_grids(pages, tables)
    items: list[Item] = []
    for page in pages:
        items += _items(page, grids, ordinary)
    items = with_continuations(_joined(items))
    texts = [item for item in items if isinstance(item, Passage)]
    shape = outline(texts, ordinary)
    shape.entries.update({page.number: page.outline for page in pages})
    return blocks(items, shape, places)


def _items(page: Page, grids: TaggedGrids, ordinary: Typography) -> list[Item]:
    """Returns what a page holds in the order of reading.

    Pictures in cells stay with their table.
    """
    ordered, page = by_tree(page, grids) if page.is_tagged else ((), page)
    placed = in_reading_order(_placed(page))
    items: list[Item] = []
    for thing in interleaved(ordered, placed) if ordered else placed:
        if isinstance(thing, Group):
            items += passages(thing, page.number, ordinary)
        elif isinstance(thing, Grid):
            items.append(thing)
        else:
            items.append(Figure(page.number, thing.id, thing.alt))
    return items


def _placed(page: Page) -> list[Placed]:
    ruled, rest = find_grids(page, is_box)
    aligned, groups = find_aligned(rest, page.number)
    in_cells = {picture.id for grid in ruled for cell in grid.cells for picture in cell.pictures}
    pictures = [picture for picture in page.pictures if picture.id not in in_cells]
    return [*groups, *ruled, *aligned, *pictures]


def _joined(items: list[Item]) -> list[Item]:
    """Joins paragraphs that only a line, column or page break parts."""
    result: list[Item] = []
    for is_text, run in groupby(items, key=lambda item: isinstance(item, Passage)):
        members = list(run)
        text = [item for item in members if isinstance(item, Passage)]
        result += joined(text) if is_text else members
    return result
