"""Find and take out glyphs that spell a text, in every content stream of a file.

[x] pages  [x] forms, drawn once, often, or not at all  [x] appearances of annotations and fields
[x] tiling patterns  [x] layers that are hidden  [x] replacement and alternative texts of marked
content (ISO 32000-2, 14.9.3 and 14.9.4), and then all the glyphs that they stand for
[-] letters that are pictures or outlines, and codes of which the file does not say what they are
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.glyphs.content_interpreter import interpret
from redraft.engine.pdf.glyphs.glyphs import Glyph, PageModel, Show, Stream
from redraft.engine.pdf.glyphs.lines import Frame, end_of, is_gap, pieces, start_of
from redraft.engine.pdf.glyphs.mapping import Finder
from redraft.engine.pdf.glyphs.shared_resources import SharedResources
from redraft.engine.pdf.glyphs.target_blocks import Target
from redraft.engine.pdf.page_operations.redacted_text import Wanted, folded
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.stream import objects
from redraft.engine.pdf.stream.lexer import Operator, Token, operators
from redraft.engine.pdf.typeset.page_edit import INVISIBLE
from redraft.engine.pdf.typeset.stream_writer import Patch

_SPOKEN: Final = (b"ActualText", b"Alt", b"E")
# A glyph by where it is written: its operator, its string there, its place in the string.
_Place = tuple[int, int, int]


@dataclass(slots=True)
class Canvas:
    """Something that is drawn: a page, or a form that no page draws.

    `boxes` are what is to be blackened, in its own space; `removed` are the characters taken out.
    `is_pictured`: it shows a picture and no text; `is_unknown`: some of its codes have no meaning.
    """

    holder: Any
    model: PageModel
    index: int | None
    is_pictured: bool = False
    is_unknown: bool = False
    boxes: list[Box] = field(default_factory=list[Box])
    removed: list[str] = field(default_factory=list[str])

    def close(self) -> None:
        """Forgets what is drawn, which may be much, but for what there is to say about it."""
        glyphs = [glyph for glyph in self.model.glyphs() if not glyph.is_blank]
        self.is_pictured = not glyphs and any(ink.kind == "image" for ink in self.model.inks)
        self.is_unknown = any(glyph.is_unknown for glyph in glyphs)
        self.model = PageModel((), (), ())


@dataclass(slots=True)
class _Cut:
    """What goes of one stream: glyphs, and spoken texts of marked content."""

    stream: Stream
    canvas: Canvas
    shows: dict[int, Show] = field(default_factory=dict[int, Show])
    places: set[_Place] = field(default_factory=set[_Place])
    marks: dict[int, Operator] = field(default_factory=dict[int, Operator])


def canvases(
    document: Any, shared: SharedResources, known: frozenset[int] = frozenset()
) -> Iterator[Canvas]:
    """Reads everything that draws: pages first, then forms and patterns that they do not draw.

    Args:
        document: the open file.
        shared: its fonts.
        known: pages, from 0, that are left out.
    """
    import pikepdf

    drawn: set[int] = set()
    for index, page in enumerate(document.pages):
        if index in known:
            continue
        canvas = Canvas(page.obj, interpret(page.obj, shared), index)
        drawn |= {stream.key for stream in canvas.model.streams}
        yield canvas
    for holder in document.objects:
        if not objects.is_stream(holder) or objects.identity(holder)[0] in drawn:
            continue
        is_form = objects.name(objects.entry(holder, "/Subtype")) == "Form"
        if is_form or objects.number(objects.entry(holder, "/PatternType")) == 1:
            page = pikepdf.Dictionary(Contents=holder)
            resources = objects.entry(holder, "/Resources")
            if resources is not None:
                page[pikepdf.Name.Resources] = resources
            yield Canvas(holder, interpret(page, shared), None)


def hits(canvas: Canvas, known: Sequence[Target], wanted: Wanted) -> list[list[Glyph]]:
    """Finds the glyphs of every place where a text stands, in drawing and in reading order."""
    lines = pieces(canvas.model)
    matches = _found([piece.glyphs for piece in lines], wanted)
    if canvas.index is None or not any(wanted.stands_in(target.text) for target in known):
        return matches
    finder = Finder()
    finder.add(0, lines, canvas.model.view)
    for target in known:
        if target.text.strip():
            located = finder.locate(target.text, target.label, 0, place=target.place)
            if located is not None and wanted.stands_in(target.text):
                matches += _found([row.glyphs for row in located.rows], wanted)
    return matches


def _found(rows: Sequence[Sequence[Glyph]], wanted: Wanted) -> list[list[Glyph]]:
    text: list[str] = []
    owners: list[Glyph | None] = []
    for row in rows:
        before: Glyph | None = None
        for glyph in row:
            if before is not None and is_gap(Frame(round(glyph.angle, 4)), before, glyph):
                text.append(" ")
                owners.append(None)
            drawn = folded(glyph.text)
            text.append(drawn)
            owners += [glyph] * len(drawn)
            before = glyph
        text.append("\n")
        owners.append(None)
    return [
        [glyph for glyph in dict.fromkeys(owners[hit.start() : hit.end()]) if glyph is not None]
        for hit in wanted.pattern.finditer("".join(text))
    ]


@dataclass(slots=True)
class Eraser:
    """Collects what goes from all streams, and then writes them anew."""

    document: Any
    wanted: Wanted
    cuts: dict[tuple[int, int], _Cut] = field(default_factory=dict[tuple[int, int], _Cut])

    def collect(self, canvas: Canvas, matches: Sequence[Sequence[Glyph]]) -> None:
        """Notes what a canvas must lose.

        Raises:
            RefusedError: the words are an invisible layer over a picture that shows them.
        """
        gone = {id(glyph): glyph for hit in matches for glyph in hit}
        for number, stream in enumerate(canvas.model.streams):
            for glyph in self._spoken(canvas, number, stream):
                gone[id(glyph)] = glyph
        for glyph in gone.values():
            show = glyph.show
            cut = self._cut(canvas, show.stream)
            cut.shows.setdefault(show.operator.start, show)
            cut.places.add((show.operator.start, glyph.element, glyph.offset))
        whole = [glyph for glyph in canvas.model.glyphs() if id(glyph) in gone]
        canvas.removed += [glyph.text for glyph in whole]
        canvas.boxes += _boxes(whole)
        _refuse_pictured(canvas, whole)

    def _cut(self, canvas: Canvas, number: int) -> _Cut:
        stream = canvas.model.streams[number]
        key = (stream.key, 0) if stream.key else (0, objects.identity(canvas.holder)[0])
        return self.cuts.setdefault(key, _Cut(stream, canvas))

    def _spoken(self, canvas: Canvas, number: int, stream: Stream) -> Iterator[Glyph]:
        """Yields the glyphs of marked content whose spoken text is wanted, and notes its mark."""
        if not any(name in stream.data for name in (b"BDC", b"DP")):
            return
        ranges: list[tuple[int, int]] = []
        stack: list[Operator | None] = []
        for operator in operators(stream.data):
            if operator.name in ("BMC", "BDC"):
                is_meant = operator.name == "BDC" and self._is_meant(operator)
                stack.append(operator if is_meant else None)
            elif operator.name == "EMC" and stack:
                opened = stack.pop()
                if opened is not None:
                    self._cut(canvas, number).marks[opened.start] = opened
                    canvas.removed += self._spoken_by(opened)
                    ranges.append((opened.start, operator.end))
        for show in canvas.model.shows if ranges else ():
            at = show.operator.start
            if show.stream == number and any(start < at < end for start, end in ranges):
                yield from show.glyphs

    def _spoken_by(self, operator: Operator) -> list[str]:
        entries = _entries(operator.operands[-1])
        return [text_of(value.data) for key, value in entries if key.data in _SPOKEN]

    def _is_meant(self, operator: Operator) -> bool:
        properties = operator.operands[-1] if operator.operands else None
        if properties is None or properties.kind != "dictionary":
            return False
        return any(
            key.data in _SPOKEN and self.wanted.stands_in(text_of(value.data))
            for key, value in _entries(properties)
        )

    def write(self) -> None:
        """Writes every stream that loses something."""
        import pikepdf

        for (key, _), cut in self.cuts.items():
            data = _written(cut)
            holder = cut.canvas.holder
            if key:
                self.document.get_object((key, 0)).write(data)
            elif objects.is_stream(holder):
                holder.write(data)
            else:
                holder[pikepdf.Name.Contents] = self.document.make_stream(data)


def _written(cut: _Cut) -> bytes:
    """Takes glyphs and spoken texts out of a stream."""
    patch = Patch()
    for show in cut.shows.values():
        # The same form drawn twice is two streams of the model, and one of the file.
        moved_show = replace(show, stream=0)
        patch.shows[id(moved_show)] = moved_show
        patch.deleted |= {
            id(glyph)
            for glyph in show.glyphs
            if (show.operator.start, glyph.element, glyph.offset) in cut.places
        }
    for mark in cut.marks.values():
        patch.redrawn[(0, mark.start, mark.end)] = _silenced(cut.stream.data, mark)
    return patch.streams([cut.stream]).get(0, cut.stream.data)


def _silenced(data: bytes, mark: Operator) -> bytes:
    """Writes the beginning of marked content without what it is spoken as."""
    tag, properties = mark.operands[0], mark.operands[-1]
    operands = [
        data[key.start : value.end]
        for key, value in _entries(properties)
        if key.data not in _SPOKEN
    ]
    return data[tag.start : tag.end] + b" <<" + b" ".join(operands) + b">> BDC"


def _entries(properties: Token) -> list[tuple[Token, Token]]:
    return list(zip(properties.items[::2], properties.items[1::2], strict=False))


def text_of(raw: bytes) -> str:
    """Decodes a text string (ISO 32000-2, 7.9.2.2)."""
    for mark, encoding in ((b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le")):
        if raw.startswith(mark):
            return raw[2:].decode(encoding, "replace")
    if raw.startswith(b"\xef\xbb\xbf"):
        return raw[3:].decode("utf-8", "replace")
    try:
        return raw.decode("pdfdoc")
    except UnicodeError:
        return raw.decode("latin-1")


def _boxes(glyphs: Sequence[Glyph]) -> list[Box]:
    """Returns a box for every stretch of glyphs beside each other on a line."""
    boxes: list[tuple[Frame, float, float, float, float]] = []
    for glyph in glyphs:
        frame = Frame(round(glyph.angle, 4))
        left, right, v = start_of(frame, glyph), end_of(frame, glyph), frame.v(glyph.x, glyph.y)
        size = glyph.size
        last = boxes[-1] if boxes else None
        is_level = last is not None and last[0] == frame and abs(last[3] - v) < 0.1 * size
        if last is not None and is_level and -0.5 * size < left - last[2] < size:
            boxes[-1] = (frame, last[1], max(last[2], right), v, max(last[4], size))
        else:
            boxes.append((frame, left, right, v, size))
    return [
        frame.upright(
            Box(left - 0.04 * size, v - 0.24 * size, right + 0.04 * size, v + 0.86 * size)
        )
        for frame, left, right, v, size in boxes
        if right > left
    ]


def _refuse_pictured(canvas: Canvas, glyphs: Sequence[Glyph]) -> None:
    """Refuses to redact words of an invisible layer: the picture below would still show them."""
    for glyph in glyphs:
        if glyph.show.state.mode not in INVISIBLE or glyph.is_blank:
            continue
        if any(
            ink.kind == "image" and ink.box.holds(glyph.x, glyph.y) for ink in canvas.model.inks
        ):
            where = f"page {canvas.index + 1}" if canvas.index is not None else "a form"
            message = (
                f"The words on {where} are a hidden layer over a scanned picture, which would "
                "still show them; redact the picture in the scan and upload it again"
            )
            raise RefusedError(message)
