"""Content streams carried out, as far as text needs it (ISO 32000-2, 8.4 and 9).

[x] q Q cm gs  [x] BT ET Tf Tm Td TD T* Tc Tw Tz TL Ts Tr  [x] Tj TJ ' "  [x] colours of all spaces
[x] BMC BDC EMC with properties, hidden layers  [x] Do of forms, nested  [x] boxes of paths, images,
shadings; clipping by boxes  [-] fonts set by graphics state dictionaries  [-] programs of Type 3
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from redraft.engine.pdf.fonts.fonts import Char, Font
from redraft.engine.pdf.glyphs.glyphs import (
    Glyph,
    Ink,
    InkKind,
    PageModel,
    Show,
    Stream,
    Tag,
    TextState,
    bounds,
    common,
)
from redraft.engine.pdf.glyphs.shared_resources import SharedResources
from redraft.engine.pdf.glyphs.twins import twins_of
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.stream import objects
from redraft.engine.pdf.stream.lexer import Operator, Token, operators
from redraft.engine.pdf.stream.matrices import IDENTITY, Matrix, applied, moved, product

_LETTER: Final = Box(0.0, 0.0, 612.0, 792.0)


def view(page: Any) -> Matrix:
    """Returns what leads from page space to the top left of what is shown (ISO 32000-2, 14.11.2).

    The page is taken as it is before it is turned, and in the points of the reader.
    """
    boxes = [objects.numbers(objects.inherited(page, key)) for key in ("/MediaBox", "/CropBox")]
    areas = [bounds([(box[0], box[1]), (box[2], box[3])]) for box in boxes if len(box) == 4]
    seen = [box for box in areas if box.width > 0 and box.height > 0] or [_LETTER]
    box = common(seen[0], seen[-1])
    unit = objects.number(objects.entry(page, "/UserUnit")) or 1.0
    return unit, 0.0, 0.0, -unit, -unit * box.x0, unit * box.y1


DEEPEST_FORM: Final = 12
MOST_STREAMS: Final = 2000
DEEPEST_STATE: Final = 500
MOST_INKS: Final = 50_000

_FILLS: Final = frozenset(("f", "F", "f*"))
_STROKES: Final = frozenset(("S", "s"))
_BOTH: Final = frozenset(("B", "B*", "b", "b*"))
_SHOWS: Final = frozenset(("Tj", "TJ", "'", '"'))


def interpret(page: Any, shared: SharedResources) -> PageModel:
    """Reads a page, given as its page dictionary.

    Never raises on what is merely wrong in a stream: such operators are passed over.
    """
    resources = objects.inherited(page, "/Resources")
    machine = _Machine(shared)
    machine.run(Stream(0, contents(page), resources), _State())
    shows = tuple(machine.shows)
    inks = tuple(machine.inks)
    return PageModel(tuple(machine.streams), shows, inks, view(page), twins_of(shows))


def contents(page: Any) -> bytes:
    """Returns a page's content, its parts joined by a newline (ISO 32000-2, 7.7.3.3)."""
    value = objects.entry(page, "/Contents")
    if objects.is_stream(value):
        return objects.decoded(value)
    return b"\n".join(objects.decoded(stream) for stream in objects.elements(value))


@dataclass(slots=True)
class _State:
    """The graphics state: what a string needs, and the operators that set the colour spaces."""

    text: TextState = field(default_factory=TextState)
    leading: float = 0.0
    fill_space: bytes = b""
    stroke_space: bytes = b""


@dataclass(slots=True)
class _Machine:
    """Runs streams; collects what they draw."""

    shared: SharedResources
    streams: list[Stream] = field(default_factory=list[Stream])
    shows: list[Show] = field(default_factory=list[Show])
    inks: list[Ink] = field(default_factory=list[Ink])
    tags: list[Tag] = field(default_factory=list[Tag])
    depth: int = 0

    def run(self, stream: Stream, state: _State) -> None:
        if self.depth >= DEEPEST_FORM or len(self.streams) >= MOST_STREAMS:
            return
        self.streams.append(stream)
        self.depth += 1
        opened = len(self.tags)
        _Run(self, stream, len(self.streams) - 1, state).execute()
        del self.tags[opened:]
        self.depth -= 1


@dataclass(slots=True)
class _Run:
    """One stream being carried out."""

    machine: _Machine
    stream: Stream
    number: int
    state: _State
    stack: list[_State] = field(default_factory=list[_State])
    groups: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    line: Matrix = IDENTITY
    offset: float = 0.0
    drop: float = 0.0
    points: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    path: list[Operator] = field(default_factory=list[Operator])
    is_clipping: bool = False

    def execute(self) -> None:
        for index, operator in enumerate(operators(self.stream.data)):
            name = operator.name
            if name in _SHOWS:
                self._show(index, operator)
            elif name in _HANDLERS:
                _HANDLERS[name](self, operator)
            elif name in _POINTS:
                self._point(operator)
            elif name in _FILLS or name in _STROKES or name in _BOTH or name == "n":
                self._paint(operator)

    def set(self, **changes: Any) -> None:
        self.state.text = replace(self.state.text, **changes)

    def save(self, operator: Operator) -> None:
        if len(self.stack) < DEEPEST_STATE:
            self.stack.append(copy.copy(self.state))
            self.groups.append((operator.start, len(self.machine.inks), len(self.machine.shows)))

    def restore(self, operator: Operator) -> None:
        if not self.stack:
            return
        self.state, (start, inks, shows) = self.stack.pop(), self.groups.pop()
        inks_since = self.machine.inks[inks:]
        if len(inks_since) == 1 and not inks_since[0].is_free and len(self.machine.shows) == shows:
            # Drawn alone between the two, it can be moved with the clip that is set there.
            text, place = self.state.text, (self.number, start, operator.end)
            self.machine.inks[-1] = Ink(
                inks_since[0].kind, inks_since[0].box, *place, text.ctm, "", text.clip
            )

    def concatenate(self, operator: Operator) -> None:
        matrix = operator.numbers(6)
        if matrix:
            a, b, c, d, e, f = matrix
            self.set(ctm=product((a, b, c, d, e, f), self.state.text.ctm))

    def look(self, operator: Operator) -> None:
        name = _name(operator)
        if name and name not in self.state.text.looks:
            self.set(looks=(*self.state.text.looks, name))

    def begin(self, _: Operator) -> None:
        self._place(IDENTITY)

    def font(self, operator: Operator) -> None:
        if len(operator.operands) < 2 or operator.operands[-2].kind != "name":
            return
        name = operator.operands[-2].data.decode("latin-1")
        holder = objects.entry(self.stream.resources, "/Font", f"/{name}")
        font = self.machine.shared.font(holder) if holder is not None else None
        self.set(font=font, font_name=name, size=operator.operands[-1].number)

    def matrix(self, operator: Operator) -> None:
        matrix = operator.numbers(6)
        if matrix:
            a, b, c, d, e, f = matrix
            self._place((a, b, c, d, e, f))

    def move(self, operator: Operator) -> None:
        shift = operator.numbers(2)
        if shift:
            if operator.name == "TD":
                self.state.leading = -shift[1]
            self._place(moved(self.line, shift[0], shift[1]))

    def next_line(self, _: Operator | None = None) -> None:
        self._place(moved(self.line, 0, -self.state.leading))

    def parameter(self, operator: Operator) -> None:
        value = operator.numbers(1)
        if not value:
            return
        if operator.name == "TL":
            self.state.leading = value[0]
        elif operator.name == "Tz":
            self.set(scale=value[0] / 100)
        elif operator.name == "Tr":
            self.set(mode=int(value[0]))
        else:
            self.set(**{_PARAMETERS[operator.name]: value[0]})

    def colour(self, operator: Operator) -> None:
        raw = self.stream.data[operator.start : operator.end]
        if operator.name in ("cs", "g", "rg", "k"):
            self.state.fill_space = raw if operator.name == "cs" else b""
            self.set(fill=raw)
        elif operator.name in ("sc", "scn"):
            self.set(fill=b" ".join(part for part in (self.state.fill_space, raw) if part))
        elif operator.name in ("CS", "G", "RG", "K"):
            self.state.stroke_space = raw if operator.name == "CS" else b""
            self.set(stroke=raw)
        else:
            self.set(stroke=b" ".join(part for part in (self.state.stroke_space, raw) if part))

    def open_tag(self, operator: Operator) -> None:
        name = operator.operands[0].data.decode("latin-1") if operator.operands else ""
        if operator.name == "BMC" or len(operator.operands) < 2:
            self.machine.tags.append(Tag(name))
            return
        self.machine.tags.append(self._tag(name, operator.operands[1]))

    def close_tag(self, _: Operator) -> None:
        if self.machine.tags:
            self.machine.tags.pop()

    def draw(self, operator: Operator) -> None:
        form = objects.entry(self.stream.resources, "/XObject", f"/{_name(operator)}")
        if not objects.is_stream(form):
            return
        if objects.name(objects.entry(form, "/Subtype")) == "Image":
            self.square(operator)
            return
        if objects.identity(objects.entry(form, "/OC")) in self.machine.shared.hidden:
            return
        self._form(form)

    def shade(self, _: Operator) -> None:
        clip = self.state.text.clip
        if clip is not None:
            self._ink("shading", clip)

    def clip(self, _: Operator) -> None:
        self.is_clipping = True

    def _place(self, matrix: Matrix) -> None:
        self.line, self.offset, self.drop = matrix, 0.0, 0.0

    def _tag(self, name: str, properties: Token) -> Tag:
        if properties.kind == "name":
            key = f"/{properties.data.decode('latin-1')}"
            entry = objects.entry(self.stream.resources, "/Properties", key)
            mcid = objects.number(objects.entry(entry, "/MCID"))
            has_text = objects.entry(entry, "/ActualText") is not None
            is_hidden = name == "OC" and objects.identity(entry) in self.machine.shared.hidden
            return Tag(name, None if mcid is None else int(mcid), has_text, is_hidden)
        entries = dict(zip(properties.items[::2], properties.items[1::2], strict=False))
        named = {key.data: value for key, value in entries.items()}
        mcid = named.get(b"MCID")
        return Tag(name, int(mcid.number) if mcid else None, b"ActualText" in named)

    def _form(self, form: Any) -> None:
        matrix = objects.numbers(objects.entry(form, "/Matrix"))
        ctm = self.state.text.ctm
        if len(matrix) == 6:
            a, b, c, d, e, f = matrix
            ctm = product((a, b, c, d, e, f), ctm)
        state = copy.copy(self.state)
        state.text = replace(state.text, ctm=ctm, fill=b"", stroke=b"", looks=())
        box = objects.numbers(objects.entry(form, "/BBox"))
        if len(box) == 4:
            corners = [applied(ctm, x, y) for x in box[::2] for y in box[1::2]]
            state.text = replace(state.text, clip=common(state.text.clip, bounds(corners)))
        key = objects.identity(form)[0]
        resources = objects.entry(form, "/Resources") or self.stream.resources
        self.machine.run(Stream(key, objects.decoded(form), resources), state)

    def _point(self, operator: Operator) -> None:
        """Collects the corners of a path; the control points of a curve count as corners."""
        self.path.append(operator)
        values = [token.number for token in operator.operands if token.kind == "number"]
        if operator.name == "re" and len(values) >= 4:
            x, y, width, height = values[-4:]
            values = [x, y, x + width, y, x, y + height, x + width, y + height]
        pairs = zip(values[::2], values[1::2], strict=False)
        self.points += [applied(self.state.text.ctm, x, y) for x, y in pairs]

    def _paint(self, operator: Operator) -> None:
        name = operator.name
        if self.points:
            box = bounds(self.points)
            if name != "n":
                self._ink("stroke" if name in _STROKES else "fill", box, operator)
            if self.is_clipping:
                self.set(clip=common(self.state.text.clip, box))
        self.points, self.path, self.is_clipping = [], [], False

    def square(self, operator: Operator) -> None:
        """Notes an image: it fills the unit square."""
        ctm = self.state.text.ctm
        box = bounds([applied(ctm, x, y) for x in (0, 1) for y in (0, 1)])
        self._ink("image", box, operator)

    def _ink(self, kind: InkKind, box: Box, paint: Operator | None = None) -> None:
        clip, ctm = self.state.text.clip, self.state.text.ctm
        seen = common(clip, box)
        if len(self.machine.inks) >= MOST_INKS or seen.x1 < seen.x0 or seen.y1 < seen.y0:
            return
        ink = Ink(kind, seen, clip=clip)
        if paint is not None and not self.is_clipping:
            shape = tuple(segment.name for segment in self.path)
            start = self.path[0].start if self.path else paint.start
            place = (self.number, start, paint.end, ctm, paint.name)
            ink = Ink(kind, seen, *place, clip, is_plain=seen == box and shape in _SIMPLE)
        self.machine.inks.append(ink)

    def _show(self, index: int, operator: Operator) -> None:
        """Shows strings (ISO 32000-2, 9.4.3)."""
        if operator.name in ("'", '"'):
            self._next_and_spacing(operator)
        font = self.state.text.font
        if font is None or not operator.operands:
            return
        last = operator.operands[-1]
        pieces = last.items if operator.name == "TJ" and last.kind == "array" else (last,)
        tags = tuple(self.machine.tags)
        state = self.state.text
        show = Show(self.number, index, operator, state, self.line, self.offset, tags=tags)
        is_seen = not any(tag.is_hidden for tag in tags)
        for element, piece in enumerate(pieces):
            if piece.kind == "number":
                self._kern(font, piece.number)
            elif piece.kind == "string":
                self._string(show, font, element, piece.data)
        show.after = self.offset
        if is_seen:
            self.machine.shows.append(show)

    def _next_and_spacing(self, operator: Operator) -> None:
        if operator.name == '"' and len(operator.operands) >= 3:
            word, char = (token.number for token in operator.operands[-3:-1])
            self.set(word_spacing=word, spacing=char)
        self.next_line()

    def _kern(self, font: Font, amount: float) -> None:
        shift = -amount / 1000 * self.state.text.size
        if font.is_vertical:
            self.drop += shift
        else:
            self.offset += shift * self.state.text.scale

    def _string(self, show: Show, font: Font, element: int, data: bytes) -> None:
        state = self.state.text
        base = product((state.scale, 0.0, 0.0, 1.0, 0.0, state.rise), self.line)
        page = product(base, state.ctm)
        # Where one unit of text space along the baseline leads on the page.
        step = product(self.line, state.ctm)
        at, is_vertical, size = 0, font.is_vertical, state.size
        for char in font.decode(data):
            along, across = self.offset, self.drop
            if is_vertical:
                down, left, up = font.pen(char)
                along, across = along - left * size * state.scale, across - up * size
                self.drop += down * size + state.spacing
            x = page[4] + along * step[0] + across * step[2]
            y = page[5] + along * step[1] + across * step[3]
            matrix = (page[0], page[1], page[2], page[3], x, y)
            advance = self._advance(font, char)
            show.glyphs.append(
                Glyph(char.text, char.code, show, element, at, matrix, char.width, advance)
            )
            at += len(char.code)
            self.offset += 0.0 if is_vertical else advance

    def _advance(self, font: Font, char: Char) -> float:
        state = self.state.text
        word = state.word_spacing if char.code == b" " else 0.0
        return (char.width * state.size + state.spacing + word) * state.scale


def _name(operator: Operator) -> str:
    operands = operator.operands
    return operands[-1].data.decode("latin-1") if operands and operands[-1].kind == "name" else ""


_PARAMETERS: Final = {"Tc": "spacing", "Tw": "word_spacing", "Ts": "rise"}
_SIMPLE: Final = frozenset((("re",), ("m", "l")))
_POINTS: Final = frozenset(("m", "l", "c", "v", "y", "re"))
_COLOURS: Final = ("g", "G", "rg", "RG", "k", "K", "cs", "CS", "sc", "SC", "scn", "SCN")
_HANDLERS: Final[dict[str, Callable[[_Run, Operator], None]]] = {
    "q": _Run.save,
    "Q": _Run.restore,
    "cm": _Run.concatenate,
    "gs": _Run.look,
    "BT": _Run.begin,
    "Tf": _Run.font,
    "Tm": _Run.matrix,
    **dict.fromkeys(("Td", "TD"), _Run.move),
    "T*": _Run.next_line,
    **dict.fromkeys(("Tc", "Tw", "Tz", "TL", "Ts", "Tr"), _Run.parameter),
    **dict.fromkeys(_COLOURS, _Run.colour),
    **dict.fromkeys(("BMC", "BDC"), _Run.open_tag),
    "EMC": _Run.close_tag,
    "Do": _Run.draw,
    "BI": _Run.square,
    "sh": _Run.shade,
    **dict.fromkeys(("W", "W*"), _Run.clip),
}
