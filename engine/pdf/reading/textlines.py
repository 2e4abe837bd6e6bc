"""The text of a page, as MuPDF gives it, into groups of lines.

Spans of one look become one. A span is cut only where something may begin inside it: a link, the
cell of a ruled table, or the text after a label.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

from redraft.engine.model import Mark
from redraft.engine.pdf.mupdf import Corners, MuText, RawBlock, RawLine, RawSpan, RawWord
from redraft.engine.pdf.reading.layout import Box, Group, Line, Span, Tag, around
from redraft.engine.pdf.reading.paragraphs import head_of

_PIECE = re.compile(r"\S*\s|\S+")
_BETWEEN = re.compile("[\x00-\x20\xa0\u202a-\u202e]")  # what MuPDF counts to no word


class Piece(NamedTuple):
    """Characters of a span, where they stand, and where they do without the space after them."""

    text: str
    box: Corners
    ink: Corners


@dataclass(slots=True)
class Words:
    """The words of a page by the block and line they stand in, both counted from 0."""

    text: MuText
    _held: dict[tuple[int, int], list[RawWord]] | None = field(default=None, init=False)

    def of(self, block: int, line: int) -> list[RawWord]:
        """Returns the words of a line in the order of its characters."""
        if self._held is None:
            self._held = {}
            for word in self.text.extractWORDS():
                self._held.setdefault((word[5], word[6]), []).append(word)
        return self._held.get((block, line), [])


def pieces(spans: Sequence[RawSpan], words: Sequence[RawWord]) -> list[list[Piece]]:
    """Cuts the spans of a line behind every white space.

    Returns:
        The pieces of each span; a span whole where the words are not its own.
    """
    inks = [_BETWEEN.sub("", span["text"]) for span in spans]
    if not words or "".join(inks) != "".join([word[4] for word in words]):
        return [[Piece(span["text"], span["bbox"], span["bbox"])] for span in spans]
    places = _Places(words, list(accumulate([len(word[4]) for word in words], initial=0)))
    starts = accumulate([len(ink) for ink in inks], initial=0)
    return [list(_pieces(span, start, places)) for span, start in zip(spans, starts, strict=False)]


@dataclass(slots=True)
class _Places:
    """Words of a line, and at which character of its ink each begins; the end comes last.

    `at` is the word that holds the last character asked for: what is asked for goes from the first
    character to the last.
    """

    words: Sequence[RawWord]
    starts: Sequence[int]
    at: int = 0

    def box(self, start: int, end: int, within: Corners) -> Corners:
        """Returns where characters stand.

        `within` is the box of their span, and more than one word's.

        Of a word that is only in part meant, an end is known as long as the span ends there too.
        """
        starts, at = self.starts, self.at
        while starts[at + 1] <= start:
            at += 1
        x0, y0, x1, y1, *_ = self.words[at]
        while starts[at + 1] < end:
            at += 1
            word = self.words[at]
            x0, y0 = min(x0, word[0]), min(y0, word[1])
            x1, y1 = max(x1, word[2]), max(y1, word[3])
        self.at = at
        left, top, right, bottom = within
        return (
            x0 if x0 > left else left,
            y0 if y0 > top else top,
            x1 if x1 < right else right,
            y1 if y1 < bottom else bottom,
        )


def _inked(text: str) -> int:
    """Counts the characters of a piece that are of a word."""
    if text.isascii() and text.isprintable():
        return len(text) - text.endswith(" ")
    return len(_BETWEEN.sub("", text))


def _pieces(span: RawSpan, start: int, places: _Places) -> Iterator[Piece]:
    texts = _PIECE.findall(span["text"])
    inks: list[Corners | None] = []
    for text in texts:
        length = _inked(text)
        inks.append(places.box(start, start + length, span["bbox"]) if length else None)
        start += length
    left, y0, x1, y1 = span["bbox"]
    inks.append((x1, y0, x1, y1))
    for text, (ink, after) in zip(texts, pairwise(inks), strict=True):
        right = after[0] if after else left
        if ink is None:
            box = left, y0, max(left, right), y1
        elif 0 < right - ink[2] < ink[3] - ink[1]:
            box = ink[0], ink[1], right, ink[3]
        else:
            box = ink
        yield Piece(text, box, ink or box)
        left = box[2]


GAP = 0.8
TWIN = 0.1  # times the size of the letters
SPACE, MONO_SPACE = 0.45, 1.3
SMALL, RAISED = 0.85, 0.1

# Characters by category: control, separator, lone surrogate (a font that names no character).
_REPLACED = {"Cc": " ", "Zs": " ", "Zl": " ", "Zp": " ", "Cs": "\ufffd"}
_SUPERSCRIPT, _ITALIC, _MONO, _BOLD = 1, 2, 8, 16

Link = tuple[Box, str]
Tagged = tuple[Tag | None, RawBlock]


def groups(
    text: MuText, links: Sequence[Link], rules: Iterable[Box], blocks: Sequence[Tagged]
) -> tuple[Group, ...]:
    """Returns the lines of a page, grouped by the elements of the tree, or as in its stream.

    Args:
        text: The page's text.
        links: Areas and their targets; where areas overlap, the first one counts.
        rules: Ruled lines of the page; a span ends where an upright one may part two cells.
        blocks: The blocks of the text, all of them in their order, with their tags.
    """
    reader = _Reader(Words(text), _Links.of(links), _Uprights.of(rules))
    made: list[Group] = []
    for _, run in groupby(enumerate(blocks), key=_element):
        pieces = (piece for number, tagged in run for piece in reader.lines(number, *tagged))
        for lines in _in_columns(_on_baselines(pieces)):
            made.append(Group(around([line.box for line in lines]), lines))
    return tuple(made)


def _in_columns(lines: Sequence[Line]) -> Iterator[tuple[Line, ...]]:
    """Parts the lines of an element where it goes on in the next column, above what is before."""
    gathered: list[Line] = []
    for line in lines:
        if gathered and line.tag is not None and line.box.y1 < gathered[-1].box.y0:
            yield tuple(gathered)
            gathered = []
        gathered.append(line)
    if gathered:
        yield tuple(gathered)


def _element(numbered: tuple[int, Tagged]) -> object:
    """Returns what the blocks of one element have in common; a block without one stands alone."""
    number, (tag, _) = numbered
    return number if tag is None else tag.place


@dataclass(frozen=True, slots=True)
class _Uprights:
    """Upright rules by their places from left to right, and where the highest begins."""

    places: tuple[float, ...]
    boxes: tuple[Box, ...]
    top: float
    bottom: float

    @staticmethod
    def of(rules: Iterable[Box]) -> _Uprights:
        uprights = [rule for rule in rules if rule.height > rule.width]
        uprights.sort(key=lambda rule: rule.x0 + rule.x1)
        places = tuple((rule.x0 + rule.x1) / 2 for rule in uprights)
        top = min((rule.y0 for rule in uprights), default=0.0)
        return _Uprights(places, tuple(uprights), top, max((r.y1 for r in uprights), default=0.0))

    def cross(self, x0: float, y0: float, x1: float, y1: float) -> bool:
        """Whether a rule stands between the sides of a rectangle, at most its height away."""
        reach = y1 - y0
        if not self.places or y1 + reach < self.top or y0 - reach > self.bottom:
            return False
        near = slice(bisect_right(self.places, x0), bisect_left(self.places, x1))
        return any(box.y0 <= y1 + reach and box.y1 >= y0 - reach for box in self.boxes[near])


@dataclass(frozen=True, slots=True)
class _Links:
    """The links of a page by the tops of their areas."""

    tops: tuple[float, ...]
    links: tuple[tuple[int, Link], ...]
    tallest: float

    @staticmethod
    def of(links: Sequence[Link]) -> _Links:
        by_top = sorted(enumerate(links), key=lambda numbered: numbered[1][0].y0)
        tops = tuple(area.y0 for _, (area, _) in by_top)
        return _Links(tops, tuple(by_top), max((area.height for area, _ in links), default=0.0))

    def near(self, corners: Corners) -> list[Link]:
        """Returns the links that touch a rectangle in the order of the page."""
        if not self.tops:
            return []
        _, y0, _, y1 = corners
        # An area as tall as the tallest may begin a little lower by the rounding of its height.
        first, end = bisect_left(self.tops, y0 - self.tallest - 1), bisect_right(self.tops, y1)
        touching = [
            numbered for numbered in self.links[first:end] if _touches(numbered[1][0], corners)
        ]
        return [link for _, link in sorted(touching, key=lambda numbered: numbered[0])]


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """What spans that become one have in common; a blank wider than `widest` is a gap."""

    marks: Mark
    size: float
    widest: float


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the lines of one page."""

    words: Words
    links: _Links
    uprights: _Uprights
    drawn: dict[str, list[Box]] = field(default_factory=dict[str, list[Box]])

    def lines(self, number: int, tag: Tag | None, block: RawBlock) -> Iterator[Line]:
        """Yields the pieces of lines of a block that are neither blank nor drawn a second time."""
        for row, piece in enumerate(block.get("lines", ())):
            corners = piece["bbox"]
            line = Line(
                Box(*corners),
                tuple(self.spans(piece["spans"], corners, (number, row))),
                _is_level(piece),
                tag,
            )
            if line.text.strip() and not self._is_drawn(line):
                yield line

    def _is_drawn(self, line: Line) -> bool:
        """Whether a line was drawn before in the same place, so that it looks bold."""
        boxes = self.drawn.setdefault(line.text.strip(), [])
        near = TWIN * line.size
        is_twin = any(
            abs(box.x0 - line.box.x0) + abs(box.y0 - line.box.y0) < near
            and abs(box.x1 - line.box.x1) < near
            for box in boxes
        )
        boxes.append(line.box)
        return is_twin

    def spans(
        self, raws: Sequence[RawSpan], corners: Corners, place: tuple[int, int]
    ) -> list[Span]:
        """Returns the spans of the line at a place, counted in blocks and lines from 0.

        A damaged page may have lines without any.
        """
        if not raws:
            return []
        links = self.links.near(corners)
        is_ruled = self.uprights.cross(*corners)
        looks = [_look_of(raw["flags"], raw["font"], raw["size"]) for raw in raws]
        texts = _texts(raws, looks)
        whole = texts[0] if len(texts) == 1 else "".join(texts)
        head = head_of(whole)
        if not (links or is_ruled or head):
            first = looks[0]
            if looks.count(first) == len(looks) and "\t" not in texts:
                return [Span(_plain(whole), Box(*corners), first.size, first.marks)]
            parts = zip(raws, looks, texts, strict=True)
            return _spans([(text, raw["bbox"], look, "", False) for raw, look, text in parts])
        tokens: list[_Token] = []
        cut: list[list[Piece]] = []
        start = 0
        for number, (raw, look, text) in enumerate(zip(raws, looks, texts, strict=True)):
            box, end = raw["bbox"], start + len(text)
            if text == "\t":
                tokens.append((text, box, look, "", True))
            elif text.split() != [text] and (
                start < head < end or _cross(links, box) or self.uprights.cross(*box)
            ):
                cut = cut or pieces(raws, self.words.of(*place))
                for word, box, ink in cut[number]:
                    tokens.append((word, box, look, _target(links, ink), is_ruled or start < head))
                    start += len(word)
            else:
                tokens.append((text, box, look, _target(links, box), is_ruled or start < head))
            start = end
        return _spans(tokens)


def _texts(raws: Sequence[RawSpan], looks: Sequence[_Look]) -> list[str]:
    """Returns the texts of spans; a blank one is a gap or spaces, by how wide it is."""
    texts: list[str] = []
    for raw, look in zip(raws, looks, strict=True):
        text = raw["text"]
        if not text.strip():
            box = raw["bbox"]
            text = "\t" if box[2] - box[0] > look.widest else text.replace("\t", " ")
        texts.append(text)
    return texts


# Characters, where they stand, their look and link target, and whether they stay a span alone.
_Token = tuple[str, Corners, _Look, str, bool]


def _spans(tokens: Sequence[_Token]) -> list[Span]:
    """Makes spans: tokens of one look and one target become one, but for gaps and those alone."""
    spans: list[Span] = []
    run: list[_Token] = []
    for token in tokens:
        if run:
            text, _, look, target, is_alone = token
            before, _, former, aim, was_alone = run[-1]
            is_other = look is not former or target != aim or "\t" in (text, before)
            if is_other or is_alone or was_alone:
                spans.append(_span(run))
                run = []
        run.append(token)
    if run:
        spans.append(_span(run))
    return spans


def _span(run: Sequence[_Token]) -> Span:
    text, corners, look, target, _ = run[0]
    if len(run) > 1:
        text = "".join([token[0] for token in run])
        x0, y0, x1, y1 = zip(*[token[1] for token in run], strict=True)
        corners = min(x0), min(y0), max(x1), max(y1)
    plain = text if text == "\t" else _plain(text)
    return Span(plain, Box(*corners), look.size, look.marks, target)


def _target(links: Sequence[Link], corners: Corners) -> str:
    """Returns where the first of the links leads that holds the middle of a rectangle."""
    x, y = (corners[0] + corners[2]) / 2, (corners[1] + corners[3]) / 2
    return next((uri for area, uri in links if area.holds(x, y)), "")


def _cross(links: Sequence[Link], corners: Corners) -> bool:
    """Whether the first of the links that touch a span does not hold all of it."""
    area = next((area for area, _ in links if _touches(area, corners)), None)
    if area is None:
        return False
    x0, y0, x1, y1 = corners
    return not (area.x0 <= x0 and area.x1 >= x1 and area.y0 <= y0 and area.y1 >= y1)


def _is_level(piece: RawLine) -> bool:
    along, down = piece["dir"]
    return abs(down) < 0.1 and along > 0


def _touches(area: Box, corners: Corners) -> bool:
    x0, y0, x1, y1 = corners
    return area.x0 <= x1 and area.x1 >= x0 and area.y0 <= y1 and area.y1 >= y0


def _on_baselines(pieces: Iterable[Line]) -> tuple[Line, ...]:
    """Joins the pieces of a baseline, in the order of the stream."""
    lines: list[Line] = []
    baseline: _Baseline | None = None
    for piece in pieces:
        if lines and _continues(lines[-1], piece, baseline.box if baseline else lines[-1].box):
            baseline = baseline or _Baseline(lines[-1].box, list(lines[-1].spans), lines[-1].tag)
            baseline.add(piece)
            continue
        if baseline:
            lines[-1], baseline = baseline.line(), None
        lines.append(piece)
    if baseline:
        lines[-1] = baseline.line()
    return tuple(lines)


def _continues(before: Line, after: Line, one: Box) -> bool:
    """Whether a piece goes on on the baseline of another; `one` is where that ends by now."""
    other = after.box
    if not (before.is_level and after.is_level) or other.x0 < one.x1 - 0.3 * after.size:
        return False
    overlap = min(one.y1, other.y1) - max(one.y0, other.y0)
    return overlap > 0.5 * min(one.height, other.height)


@dataclass(slots=True)
class _Baseline:
    """Pieces of one baseline so far: where and what they are together."""

    box: Box
    spans: list[Span]
    tag: Tag | None = None
    _sizes: dict[float, int] = field(default_factory=dict[float, int])
    _sized: int = 0

    def line(self) -> Line:
        return Line(self.box, tuple(self.spans), tag=self.tag)

    def add(self, after: Line) -> None:
        # A space drawn over the end of the line before parts nothing.
        edge = self.box.x1 + 0.1 * after.size
        spans = [s for s in after.spans if s.text.strip() or s.box.x1 > edge]
        box = around([span.box for span in spans])
        if self.tag is not None and self._is_under(after):
            spans = [_raised(span) for span in spans]
        self.spans += self._joint(box, spans[0], after.size)
        self.spans += spans
        self.box = around((self.box, box))

    def _joint(self, box: Box, begins: Span, after: float) -> list[Span]:
        """Returns what stands between the pieces so far and one of another size.

        A gap, or nothing.
        """
        last = self.spans[-1]
        gap = box.x0 - self.box.x1
        size = max(self._size(), after)
        is_parted = last.text.endswith(" ") or begins.text.startswith((" ", *",.;:!?)"))
        space = " " if gap > 0.12 * size and not is_parted else ""
        joint = "\t" if gap > GAP * size else space
        between = Box(self.box.x1, box.y0, box.x0, box.y1)
        return [Span(joint, between, size, last.marks)] if joint else []

    def _is_under(self, after: Line) -> bool:
        """Whether a piece that stands in an element of its own is small and raised."""
        size = self._size()
        return after.size < SMALL * size and after.box.y1 < self.box.y1 - RAISED * size

    def _size(self) -> float:
        """Returns the size of most characters so far."""
        for span in self.spans[self._sized :]:
            self._sizes[span.size] = self._sizes.get(span.size, 0) + span.inked
        self._sized = len(self.spans)
        return max(self._sizes, key=self._sizes.__getitem__)


def _raised(span: Span) -> Span:
    return Span(span.text, span.box, span.size, span.marks | Mark.SUPERSCRIPT, span.target)


@lru_cache(maxsize=4096)
def _look_of(flags: int, name: str, exact: float) -> _Look:
    size = round(exact * 2) / 2
    marks = Mark.NONE
    font = name.lower()
    if flags & _BOLD or "bold" in font or "black" in font:
        marks |= Mark.BOLD
    if flags & _ITALIC:
        marks |= Mark.ITALIC
    if flags & _SUPERSCRIPT:
        marks |= Mark.SUPERSCRIPT
    if flags & _MONO:
        marks |= Mark.CODE
    return _interned(marks, size, (MONO_SPACE if flags & _MONO else SPACE) * size)


@lru_cache(maxsize=4096)
def _interned(marks: Mark, size: float, widest: float) -> _Look:
    """Returns one object for one look, so that looks are told apart by `is`."""
    return _Look(marks, size, widest)


def _plain(text: str) -> str:
    """Returns control characters and spaces of any kind as a space, surrogates as U+FFFD."""
    if text.isprintable():
        return text
    return "".join(_REPLACED.get(unicodedata.category(c), c) for c in text)
