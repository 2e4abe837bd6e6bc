"""From the bytes of a PDF to the layout of its pages.

Covers: [x] text, fonts' bold, italic and fixed pitch  [x] link annotations with a URI  [x] ruled
lines  [x] raster images  [x] outline  [x] structure tree  [-] form fields  [-] vertical writing:
each line by itself
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from redraft.engine.errors import CorruptDocumentError
from redraft.engine.model import Notice
from redraft.engine.pdf.mupdf import (
    COLLECT_STRUCTURE,
    TEXT,
    Drawn,
    MuDocument,
    MuPage,
    MuText,
    RawBlock,
    Recording,
    failures,
    opened,
    web_links,
)
from redraft.engine.pdf.reading.drawings import pictures, rules
from redraft.engine.pdf.reading.layout import Box, Group, Outlined, Page, Picture, Place
from redraft.engine.pdf.reading.right_to_left import in_reading_order
from redraft.engine.pdf.reading.side_by_side import parted
from redraft.engine.pdf.reading.textlines import Tagged, groups
from redraft.engine.pdf.tagged.artifacts import Artifacts
from redraft.engine.pdf.tagged.elements import Elements, TaggedTable
from redraft.engine.pdf.tagged.line_groups import Tags, figures

HIGHEST_MARGIN = 80.0

_PAGINATION = re.compile(
    rb"/Artifact\s*<<[^>]*/Type\s*/Pagination[^>]*/BBox\s*\[([-+.\d\s]+)\][^>]*>>\s*BDC"
)

# A character reference to a letter of the blocks from Hebrew to Arabic, their presentation forms,
# or the scripts of the supplementary plane that run to the left.
_RUNS_LEFT = re.compile(
    rb"&#x(?:5[b-f][\da-f]|[678][\da-f]{2}|fb[1-9a-f][\da-f]|f[cd][\da-f]{2}|fe[7-9a-f][\da-f]"
    rb"|1[0e][89a-f][\da-f]{2});"
)

_EXTRACT = 1 << 4  # ISO 32000-2, table 22: bit 5, copy or otherwise extract text


@dataclass(frozen=True, slots=True)
class Source:
    """Everything the reader needs of a file; `tables` are those of the structure tree by place."""

    pages: tuple[Page, ...]
    notices: tuple[Notice, ...]
    properties: tuple[tuple[str, str], ...]
    tables: dict[Place, TaggedTable]


def load(data: bytes, *, with_text: bool = True) -> Source:
    """Takes the layout of every page that can be read.

    Args:
        data: The file.
        with_text: False leaves the groups of lines out, which are most of the work; a page that
            cannot be read is found all the same.

    Raises:
        ProtectedFileError, CorruptDocumentError, TooLargeError: as `opened`; also when no page at
            all can be read.
    """
    with opened(data) as document:
        notices = _about(document)
        outline = _outline(document)
        tree = _Tree(Elements.of(document), Artifacts(document))
        pages: list[Page] = []
        for index in range(document.page_count):
            try:
                entries = tuple(outline.get(index, ()))
                pages.append(_page(tree.page(index), entries, tree, with_text=with_text))
            except failures():
                message = "This page is damaged and was left out"
                notices.append(Notice("damaged-page", message, f"page {index + 1}"))
        if not pages:
            message = "The PDF is damaged: none of its pages can be read"
            raise CorruptDocumentError(message)
        tables = tree.tables(pages)
        return Source(tuple(pages), tuple(notices), _properties(document), tables)


def _about(document: MuDocument) -> list[Notice]:
    notices: list[Notice] = []
    if document.is_repaired:
        notices.append(Notice("repaired", "The file was damaged and has been repaired for reading"))
    if not document.permissions & _EXTRACT:
        message = "The author of this PDF asks that its text not be copied"
        notices.append(Notice("no-extraction", message))
    return notices


def _properties(document: MuDocument) -> tuple[tuple[str, str], ...]:
    metadata = document.metadata or {}
    return tuple((key, metadata.get(key) or "") for key in ("title", "author") if metadata.get(key))


def _outline(document: MuDocument) -> dict[int, list[Outlined]]:
    """Returns the entries of the outline by 0-based page."""
    entries: dict[int, list[Outlined]] = {}
    try:
        rows = document.get_toc(simple=True)
    except (*failures(), AttributeError, TypeError):
        return {}  # a damaged outline is no reason not to read the pages
    for level, title, number, *_ in rows:
        entries.setdefault(int(number) - 1, []).append(Outlined(int(level), str(title)))
    return entries


@dataclass(frozen=True, slots=True)
class _Tree:
    """The structure tree of a file, and what of it the pages so far have told.

    `asked` are the pages, by 0-based index, of which it can be asked.
    """

    elements: Elements
    artifacts: Artifacts
    tags: Tags = field(default_factory=Tags)
    asked: set[int] = field(default_factory=set[int])

    def page(self, index: int) -> MuPage:
        """Loads a page by its 0-based index."""
        if not self.elements.is_there:
            return self.artifacts.document.load_page(index)
        page, is_told = self.artifacts.page(index)
        if is_told:
            self.asked.add(index)
        return page

    def described(
        self, page: MuPage, recording: Recording, shown: Sequence[Picture]
    ) -> Iterator[Picture]:
        """Yields pictures with what the tree says they show."""
        is_told = shown and page.number in self.asked
        placed_figures = figures(recording.by_element()) if is_told else {}
        for picture in shown:
            box = picture.box
            place = placed_figures.get((box.x0, box.y0, box.x1, box.y1))
            yield replace(picture, alt=self.elements.alt(place)) if place else picture

    def tables(self, pages: Sequence[Page]) -> dict[Place, TaggedTable]:
        """Returns the cells of the tables that hold text."""
        lines = (line for page in pages for group in page.groups for line in group.lines)
        places = {table for line in lines if line.tag is not None for table, _ in line.tag.cells}
        by_place = {place: self.elements.table(place) for place in places}
        return {place: table for place, table in by_place.items() if table is not None}


def _page(page: MuPage, outline: tuple[Outlined, ...], tree: _Tree, *, with_text: bool) -> Page:
    recording = Recording.of(page)
    drawn = recording.drawn(with_paths=with_text)
    printed = drawn.printed()
    drawn_rules = rules(page, printed) if with_text else ()
    box = Box(*page.rect)
    lines: tuple[Group, ...] = ()
    is_tagged = False
    if with_text:
        links = [(Box(*area), target) for area, target in web_links(page)]
        text = _text(page, recording, drawn, printed)
        blocks = _blocks(text, printed)
        tagged = _tagged(page, recording, tree, blocks, printed)
        is_tagged = tagged is not None
        text, spoken = tagged or (text, [(None, block) for block in blocks])
        lines = groups(text, links, drawn_rules, spoken)
        lines = lines if is_tagged else parted(lines, box.height)
    shown = tuple(pictures(printed))
    shown = tuple(tree.described(page, recording, shown))
    margins = tuple(_margins(page))
    size = box.width, box.height
    return Page(page.number + 1, *size, lines, drawn_rules, shown, outline, margins, is_tagged)


def _tagged(
    page: MuPage,
    recording: Recording,
    tree: _Tree,
    plain: Sequence[RawBlock],
    printed: bytes,
) -> tuple[MuText, Sequence[Tagged]] | None:
    """Takes the text off in the order of the structure tree, where that is to be believed."""
    if page.number not in tree.asked:
        return None
    runs_left = _RUNS_LEFT.search(printed) is not None
    flags = TEXT | COLLECT_STRUCTURE
    text = page.get_textpage(flags=flags) if runs_left else recording.text(by_element=True)
    tagged_text = tree.tags.of_page(_blocks(text, printed))
    return (text, tagged_text.blocks) if tagged_text.is_believed(plain) else None


def _text(page: MuPage, recording: Recording, drawn: Drawn, printed: bytes) -> MuText:
    """Takes the text off; between words that run to the left only the file tells of blanks."""
    if _RUNS_LEFT.search(printed) is not None:
        return page.get_textpage(flags=TEXT)
    is_alone = b"<vector " not in printed and b"<image " not in printed
    return drawn.text() if is_alone else recording.text()


def _blocks(text: MuText, printed: bytes) -> list[RawBlock]:
    """Returns the blocks of a page's text; lines from right to left as they are read."""
    if _RUNS_LEFT.search(printed) is None:
        return text.extractDICT()["blocks"]
    return in_reading_order(text.extractRAWDICT()["blocks"])


def _margins(page: MuPage) -> Iterator[Box]:
    """Yields the boxes of pagination artifacts, which no reader takes for text of the page.

    ISO 32000-2, 14.8.2.2: only those that say their box are known, and a large one may hold more
    than what is meant.
    """
    content = page.read_contents()
    if b"/Pagination" not in content:
        return
    import pymupdf  # loaded already: it gave the page

    for match in _PAGINATION.finditer(content):
        corners = [float(value) for value in match[1].split()]
        if len(corners) == 4:
            rect: Any = pymupdf.Rect(*corners)
            box = Box(*tuple(rect * page.transformation_matrix * page.rotation_matrix))
            if box.height <= HIGHEST_MARGIN:
                yield box
