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
from redraft.engine.pdf.glyphs.shared_resources import shared_resources_of
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
class CharacterLook:
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
class BlockLooks:
    """The blocks of some pages: where their characters are drawn, and what they look like."""

    located: Mapping[str, Located]
    looks: Mapping[str, Sequence[CharacterLook | None]]


def block_looks(data: bytes, known: Sequence[Target], pages: set[int]) -> BlockLooks:
    """Reads how the blocks of pages (from 0) look."""
    with objects.opened(data) as document:
        models, located = drawn(document, known, pages)
        links = {page: _links(document.pages[page].obj) for page in models}
        places = {id(g): page for page, model in models.items() for g in model.glyphs()}
        frames = {
            id(glyph): row.piece.frame
            for block in located.values()
            for row in block.rows
            for glyph in row.glyphs
        }

        def dress(glyph: Glyph | None) -> CharacterLook | None:
            if glyph is None or id(glyph) not in frames or glyph.show.state.font is None:
                return None
            state, page = glyph.show.state, places[id(glyph)]
            frame, style = frames[id(glyph)], glyph.show.state.font.style
            middle = (start_of(frame, glyph) + end_of(frame, glyph)) / 2
            x, y = frame.point(middle, frame.v(glyph.x, glyph.y) + 0.3 * glyph.size)
            over = (url for box, url in links[page] if _holds(box, x, y))
            return CharacterLook(
                _said(is_on=style.is_bold),
                _said(is_on=style.is_italic),
                colour_of(state.fill, models[page].streams[glyph.show.stream].resources),
                next(over, ""),
            )

        looks = {
            anchor: [dress(glyph) for glyph in block.glyphs] for anchor, block in located.items()
        }
    return BlockLooks(located, looks)


def drawn(
    document: Any, known: Sequence[Target], pages: set[int]
) -> tuple[dict[int, PageModel], dict[str, Located]]:
    """Finds the glyphs of the blocks of pages (from 0), of which the last ones may go on behind."""
    resources = shared_resources_of(document)
    count = len(document.pages)
    needed = sorted({page + n for page in pages for n in (0, 1) if page + n < count})
    models = {page: interpret(document.pages[page].obj, resources) for page in needed}
    finder = Finder()
    for page, model in models.items():
        finder.add(page, pieces(model), model.view)
    return models, finder.find(target for target in known if target.page in needed)


def changed_looks(
    old: Sequence[CharacterLook | None],
    new: Sequence[CharacterLook | None],
    places: Sequence[int | None],
    asked: set[tuple[str, str]],
) -> Iterator[tuple[int, int, Formatting]]:
    """Yields the stretches of a block that look otherwise, one property at a time.

    Args:
        old: the look of each character of the block.
        new: that of each character of the block as it is now.
        places: where each character is now, None for those that went.
        asked: the properties with their new values that count; what a font of another name looks
            like, or white text on another ground, is nobody's edit.
    """
    for name in PROPERTIES:
        run: tuple[int, int, Formatting] | None = None
        for at, place in enumerate(places):
            one = old[at] if at < len(old) else None
            two = new[place] if place is not None and place < len(new) else None
            if place is not None and (one is None or two is None):
                continue  # a blank goes with what is around it
            difference = None if one is None or two is None else _difference(name, one, two, asked)
            if run is not None and difference == run[2]:
                run = (run[0], at + 1, run[2])
                continue
            if run is not None:
                yield run
            run = None if difference is None else (at, at + 1, difference)
        if run is not None:
            yield run


def _difference(
    name: str, old: CharacterLook, new: CharacterLook, asked: set[tuple[str, str]]
) -> Formatting | None:
    was, now = str(getattr(old, name)), str(getattr(new, name))
    return (name, was, now) if was != now and (name, now) in asked else None


def kept_places(length: int, changes: Sequence[Change]) -> list[int | None]:
    """Says where each character of a text is after changes; None for those that went."""
    places: list[int | None] = []
    shift = 0
    for change in sorted(changes, key=lambda hunk: (hunk.start, hunk.end)):
        places += [at + shift for at in range(len(places), change.start)]
        places += [None] * (change.end - len(places))
        shift += len(change.text) - (change.end - change.start)
    return [*places, *(at + shift for at in range(len(places), length))]


def colour_of(fill: bytes, resources: Any = None) -> str:
    """Returns the colour that operators set as six hex digits; empty where that cannot be told.

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
        parts = [min(1.0, max(0.0, float(operand))) for operand in operands]
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
    """Counts the components of a colour space whose values are grey, RGB or CMYK; 0 for others."""
    parts = objects.elements(space)
    if parts and objects.name(parts[0]) == "ICCBased" and len(parts) > 1:
        number = objects.entry(parts[1], "/N")
        return int(number) if number is not None else 0
    return _SPACES.get(objects.name(parts[0]) if parts else str(space).removeprefix("/"), 0)


def as_said(formatting: Formatting) -> Formatting:
    """Returns a change of look in words for people: no link is `none`."""
    name, was, now = formatting
    return (name, was or NONE, now or NONE) if name == "link" else formatting


def _said(*, is_on: bool) -> str:
    return "on" if is_on else "off"


def _links(page: Any) -> list[tuple[Box, str]]:
    """Returns the boxes of a page's links with where they lead."""
    areas: list[tuple[Box, str]] = []
    for annotation in objects.elements(objects.entry(page, "/Annots")):
        corners = objects.numbers(objects.entry(annotation, "/Rect"))
        if objects.name(objects.entry(annotation, "/Subtype")) != "Link" or len(corners) != 4:
            continue
        x0, y0, x1, y1 = corners
        uri = objects.entry(annotation, "/A", "/URI")
        box = Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
        areas.append((box, INSIDE if uri is None else str(uri)))
    return areas


def _holds(box: Box, x: float, y: float) -> bool:
    return box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1
