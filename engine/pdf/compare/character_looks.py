"""What the characters of blocks look like and link to, and where two versions differ in that.

[x] bold and italic faces  [x] fill colour  [x] links, also those inside the file
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from redraft.engine.pdf.glyphs.content_interpreter import interpret
from redraft.engine.pdf.glyphs.edited_words import Change
from redraft.engine.pdf.glyphs.glyphs import Glyph, PageModel
from redraft.engine.pdf.glyphs.lines import end_of, pieces, start_of
from redraft.engine.pdf.glyphs.mapping import Finder, Located
from redraft.engine.pdf.glyphs.shared_resources import shelf
from redraft.engine.pdf.glyphs.target_blocks import Target
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.stream import objects

INSIDE: Final = "in the document"
"""What a link says that leads to a place of the same file."""
NONE: Final = "none"
Formatting = tuple[str, str, str]
"""A property of words, what it was, and what it is; empty where there is none."""
PROPERTIES: Final = ("bold", "italic", "colour", "link")
_COMPONENTS: Final = {b"g": 1, b"rg": 3, b"k": 4}
_SPACES: Final = {
    "DeviceGray": 1, "CalGray": 1, "DeviceRGB": 3, "CalRGB": 3, "DeviceCMYK": 4,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Dress:
    """The look of one character: `on` or `off`, six hex digits (empty: not known), and its link."""

    bold: str
    italic: str
    colour: str
    link: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What edits have asked for: a property and its new value, on a page (from 0)."""

    page: int
    property: str
    value: str


@dataclass(frozen=True, slots=True)
class Dressed:
    """The blocks of some pages: where their characters are drawn, and what they look like."""

    located: Mapping[str, Located]
    dresses: Mapping[str, Sequence[Dress | None]]


def dressed(data: bytes, known: Sequence[Target], pages: set[int]) -> Dressed:
    """Read how the blocks of pages (from 0) look."""
    with objects.opened(data) as document:
        models, located = drawn(document, known, pages)
        links = {page: _links(document.pages[page].obj) for page in models}
        places = {id(g): page for page, model in models.items() for g in model.glyphs()}
        frames = {
            id(glyph): row.piece.frame
            for each in located.values()
            for row in each.rows
            for glyph in row.glyphs
        }

        def dress(glyph: Glyph | None) -> Dress | None:
            if glyph is None or id(glyph) not in frames or glyph.show.state.font is None:
                return None
            state, page = glyph.show.state, places[id(glyph)]
            frame, style = frames[id(glyph)], glyph.show.state.font.style
            middle = (start_of(frame, glyph) + end_of(frame, glyph)) / 2
            x, y = frame.point(middle, frame.v(glyph.x, glyph.y) + 0.3 * glyph.size)
            over = (url for box, url in links[page] if _holds(box, x, y))
            return Dress(
                _said(is_on=style.is_bold),
                _said(is_on=style.is_italic),
                colour_of(state.fill, models[page].streams[glyph.show.stream].resources),
                next(over, ""),
            )

        dresses = {
            anchor: [dress(glyph) for glyph in each.glyphs] for anchor, each in located.items()
        }
    return Dressed(located, dresses)


def drawn(
    document: Any, known: Sequence[Target], pages: set[int]
) -> tuple[dict[int, PageModel], dict[str, Located]]:
    """Find the glyphs of the blocks of pages (from 0), of which the last ones may go on behind."""
    held = shelf(document)
    count = len(document.pages)
    needed = sorted({page + n for page in pages for n in (0, 1) if page + n < count})
    models = {page: interpret(document.pages[page].obj, held) for page in needed}
    finder = Finder()
    for page, model in models.items():
        finder.add(page, pieces(model), model.view)
    return models, finder.find(each for each in known if each.page in needed)


def redressed(
    old: Sequence[Dress | None],
    new: Sequence[Dress | None],
    kept: Sequence[int | None],
    asked: set[tuple[str, str]],
) -> Iterator[tuple[int, int, Formatting]]:
    """Give the stretches of a block that look otherwise, one property at a time.

    Args:
        old: the look of each character of the block.
        new: that of each character of the block as it is now.
        kept: where each character is now, None for those that went.
        asked: the properties with their new values that count; what a font of another name looks
            like, or white text on another ground, is nobody's edit.
    """
    for name in PROPERTIES:
        run: tuple[int, int, Formatting] | None = None
        for at, place in enumerate(kept):
            one = old[at] if at < len(old) else None
            two = new[place] if place is not None and place < len(new) else None
            if place is not None and (one is None or two is None):
                continue  # a blank goes with what is around it
            said = None if one is None or two is None else _difference(name, one, two, asked)
            if run is not None and said == run[2]:
                run = (run[0], at + 1, run[2])
                continue
            if run is not None:
                yield run
            run = None if said is None else (at, at + 1, said)
        if run is not None:
            yield run


def _difference(
    name: str, old: Dress, new: Dress, asked: set[tuple[str, str]]
) -> Formatting | None:
    was, now = str(getattr(old, name)), str(getattr(new, name))
    return (name, was, now) if was != now and (name, now) in asked else None


def kept_places(length: int, changes: Sequence[Change]) -> list[int | None]:
    """Say where each character of a text is after changes; None for those that went."""
    places: list[int | None] = []
    shift = 0
    for change in sorted(changes, key=lambda each: (each.start, each.end)):
        places += [at + shift for at in range(len(places), change.start)]
        places += [None] * (change.end - len(places))
        shift += len(change.text) - (change.end - change.start)
    return [*places, *(at + shift for at in range(len(places), length))]


def colour_of(fill: bytes, resources: Any = None) -> str:
    """Give the colour that operators set as six hex digits; empty where that cannot be told.

    Args:
        fill: the operators (ISO 32000-2, 8.6.8).
        resources: those of the stream, which name its colour spaces.
    """
    *operands, operator = fill.split() or [b"0", b"g"]
    count = _COMPONENTS.get(operator, 0)
    if b"cs" in operands:
        space = operands[operands.index(b"cs") - 1].decode("latin-1")
        operands = operands[operands.index(b"cs") + 1 :]
        count = _components(objects.entry(resources, "/ColorSpace", space) or space)
    try:
        parts = [min(1.0, max(0.0, float(each))) for each in operands]
    except ValueError:
        return ""  # a pattern
    if len(parts) != count or not count:
        return ""
    if count == 1:
        parts *= 3
    elif len(parts) == 4:
        parts = [(1 - part) * (1 - parts[3]) for part in parts[:3]]
    return "".join(f"{round(255 * part):02X}" for part in parts)


def _components(space: Any) -> int:
    """Count the components of a colour space whose values are grey, RGB or CMYK; 0 for others."""
    held = objects.elements(space)
    if held and objects.name(held[0]) == "ICCBased" and len(held) > 1:
        number = objects.entry(held[1], "/N")
        return int(number) if number is not None else 0
    return _SPACES.get(objects.name(held[0]) if held else str(space).removeprefix("/"), 0)


def said(formatting: Formatting) -> Formatting:
    """Give a change of look in words for people: no link is `none`."""
    name, was, now = formatting
    return (name, was or NONE, now or NONE) if name == "link" else formatting


def _said(*, is_on: bool) -> str:
    return "on" if is_on else "off"


def _links(page: Any) -> list[tuple[Box, str]]:
    """Give the boxes of a page's links with where they lead."""
    found: list[tuple[Box, str]] = []
    for each in objects.elements(objects.entry(page, "/Annots")):
        corners = objects.numbers(objects.entry(each, "/Rect"))
        if objects.name(objects.entry(each, "/Subtype")) != "Link" or len(corners) != 4:
            continue
        x0, y0, x1, y1 = corners
        uri = objects.entry(each, "/A", "/URI")
        box = Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
        found.append((box, INSIDE if uri is None else str(uri)))
    return found


def _holds(box: Box, x: float, y: float) -> bool:
    return box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1
