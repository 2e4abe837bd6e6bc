"""Groups of lines by the elements of the structure tree that hold them.

The tree says what is one paragraph, heading, item of a list, cell or note, in which order to read
them, and on which pages one goes on (ISO 32000-2, 14.8.4). It is believed page by page: where most
words of a page stand in elements that mean something. Text outside of the tree keeps no tag.

[x] P, H, H1 to H6, Title, LI, Lbl, LBody, TD, TH, Note, FENote, Caption, TOCI, Figure  [x] types by
role map  [-] ActualText beyond what MuPDF makes of it  [-] quotes, code: paragraphs
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from redraft.engine.pdf.mupdf import Corners, RawBlock
from redraft.engine.pdf.reading.layout import Place, Role, Tag

ENOUGH: Final = 0.8
"""The share of the letters of a page, less those of artifacts, that must be tagged."""

ARTIFACT: Final = "Artifact"
_INLINE: Final = frozenset(
    {"Span", "Link", "Reference", "Quote", "Em", "Strong", "Annot", "Ruby", "RB", "RT", "RP"}
    | {"Warichu", "WT", "WP", "BibEntry", "Code", "Form", "Formula", "NonStruct", "NonDtruct"}
)
"""Types that stand within a paragraph, or mean nothing; MuPDF misspells the last."""

_GROUPING: Final = frozenset(
    {"Document", "DocumentFragment", "Part", "Art", "Sect", "Div", "Aside", "BlockQuote", "TOC"}
    | {"Index", "Table", "THead", "TBody", "TFoot", "TR", "L", "Private", ARTIFACT}
)
"""Types that only hold others: text right in them is no paragraph that the tree knows."""

_SECTIONS: Final = frozenset({"Part", "Art", "Sect", "Div"})
_NOTES: Final = frozenset({"Note", "FENote"})
_CELLS: Final = frozenset({"TD", "TH"})
_HEADING = re.compile(r"H([1-6])")
_DEEPEST_HEADING: Final = 6

_MARKS = re.compile(rb'<struct idx="(\d+)"|</struct>|<image bbox="(\S+) (\S+) (\S+) (\S+)"')


class _Node(NamedTuple):
    """An element on the way to a text: which child of its parent it is, and its standard type."""

    number: int
    type: str


_Path = tuple[_Node, ...]


@dataclass(frozen=True, slots=True)
class TaggedText:
    """The text blocks of a page with their tags, and how many letters they have.

    `tagged` are those with a tag, `counted` all but those of artifacts.
    """

    blocks: tuple[tuple[Tag | None, RawBlock], ...]
    letters: int
    tagged: int
    counted: int

    def is_believed(self, plain: Iterable[RawBlock]) -> bool:
        """Whether the tree tells enough of the page, and loses none of its letters.

        Args:
            plain: The text of the page in the order of its content stream.
        """
        if not self.tagged or self.letters != sum(map(_letters, plain)):
            return False
        return self.tagged >= ENOUGH * self.counted


@dataclass(slots=True)
class Tags:
    """The tags of a document, told page by page in their order.

    An item of a list is its label with the first paragraph of its body; which paragraph that is,
    and which paragraphs have begun, is remembered.
    """

    _firsts: dict[Place, Place] = field(default_factory=dict[Place, Place])
    _begun: set[Place] = field(default_factory=set[Place])

    def of_page(self, blocks: Iterable[RawBlock]) -> TaggedText:
        """Returns the text blocks of a page, in the order of the tree, each with its tag."""
        tagged_blocks: list[tuple[Tag | None, RawBlock]] = []
        counted = tagged = everything = 0
        for path, block in _walk(blocks):
            tag = self._tag(path)
            tagged_blocks.append((tag, block))
            letters = _letters(block)
            everything += letters
            tagged += letters if tag is not None else 0
            counted += 0 if path and path[0].type == ARTIFACT else letters
        return TaggedText(tuple(tagged_blocks), everything, tagged, counted)

    def _tag(self, path: _Path) -> Tag | None:
        depth = _of_paragraph(path)
        if depth is None:
            return None
        path = path[: depth + 1]
        place, role, level = self._meaning(path)
        begins = place not in self._begun
        self._begun.add(place)
        return Tag(place, role, level, begins, _cells(path))

    def _meaning(self, path: _Path) -> tuple[Place, Role, int]:
        types = [node.type for node in path]
        place = _place(path)
        last = types[-1]
        if not _NOTES.isdisjoint(types):
            return place, "note", 0
        match = _HEADING.fullmatch(last)
        if match:
            return place, "heading", int(match[1])
        if last == "Title":
            return place, "heading", 1
        if last == "H":
            sections = sum(kind in _SECTIONS for kind in types)
            return place, "heading", min(max(sections, 1), _DEEPEST_HEADING)
        item = self._item(path)
        if item is not None:
            return item, "item", types.count("L") - 1
        return place, "figure" if "Figure" in types else "paragraph", 0

    def _item(self, path: _Path) -> Place | None:
        """Returns the place of the item whose label or first paragraph a path leads to."""
        at = next((n for n in range(len(path) - 1, -1, -1) if path[n].type == "LI"), None)
        if at is None or not _CELLS.isdisjoint(node.type for node in path[at:]):
            return None
        item, place = _place(path[: at + 1]), _place(path)
        if path[-1].type == "Lbl":
            return item
        return item if self._firsts.setdefault(item, place) == place else None


def _walk(blocks: Iterable[RawBlock]) -> Iterator[tuple[_Path, RawBlock]]:
    """Yields the text blocks with the elements on the way to them; a tree may be of any depth."""
    path: list[_Node] = []
    waiting = [iter(blocks)]
    while waiting:
        block = next(waiting[-1], None)
        if block is None:
            waiting.pop()
            del path[-1:]
        elif "blocks" in block:
            path.append(_Node(block.get("index", 0), block.get("std", "")))
            waiting.append(iter(block["blocks"]))
        else:
            yield tuple(path), block


def _of_paragraph(path: _Path) -> int | None:
    """Returns the depth of the element that is the paragraph of a text.

    None where there is none.
    """
    for depth in range(len(path) - 1, -1, -1):
        kind = path[depth].type
        if kind in _GROUPING:
            return None
        if kind not in _INLINE:
            return depth
    return None


def _place(path: _Path) -> Place:
    return tuple(node.number for node in path)


def _cells(path: _Path) -> tuple[tuple[Place, Place], ...]:
    pairs: list[tuple[Place, Place]] = []
    table: Place | None = None
    for depth, node in enumerate(path):
        if node.type == "Table":
            table = _place(path[: depth + 1])
        elif node.type in _CELLS and table is not None:
            pairs.append((table, _place(path[: depth + 1])))
            table = None
    return tuple(pairs)


def _letters(block: RawBlock) -> int:
    spans = (span for line in block.get("lines", ()) for span in line["spans"])
    return sum(sum(map(str.isalnum, span["text"])) for span in spans)


def figures(printed: bytes) -> dict[Corners, Place]:
    """Returns the innermost element that holds each image, by the image's corners.

    Args:
        printed: A page as XML, its images in the elements that hold them.
    """
    by_corners: dict[Corners, Place] = {}
    path: list[int] = []
    for index, x0, y0, x1, y1 in _MARKS.findall(printed):
        if index:
            path.append(int(index))
        elif x0:
            by_corners[float(x0), float(y0), float(x1), float(y1)] = tuple(path)
        elif path:
            path.pop()
    return by_corners
