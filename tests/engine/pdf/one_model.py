"""Holds what is read of a PDF against the glyphs that draw it, character by character.

MuPDF says where its characters stand; which glyphs a block has is what an edit would take.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from redraft.engine.model import ListItem
from redraft.engine.pdf.compare.character_looks import drawn
from redraft.engine.pdf.glyphs.edited_words import is_right_to_left
from redraft.engine.pdf.glyphs.glyphs import Glyph, PageModel
from redraft.engine.pdf.glyphs.mapping import Located
from redraft.engine.pdf.glyphs.target_blocks import Target, known_in
from redraft.engine.pdf.mupdf import TEXT
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.stream import objects
from redraft.engine.pdf.stream.matrices import Matrix, applied

NEAR = 0.5
"""Points from MuPDF's origin of a character to that of its glyph, at most."""
BESIDE = 2.0
"""Points by which the middle of a character may be outside of the boxes of its block's lines."""

Key = tuple[int, int]
"""A page and the number of a glyph on it, in the order of drawing."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A character as MuPDF has it, in points from the top left of the page before it is turned."""

    char: str
    x: float
    y: float
    middle: tuple[float, float]
    is_vertical: bool


@dataclass(slots=True)
class Tally:
    """What became of the characters of all blocks, and of the glyphs of all pages.

    `wrong` are ties that must not be; `untied` counts characters and `spare` glyphs by the reason.
    """

    blocks: int = 0
    whole: int = 0
    characters: int = 0
    tied: int = 0
    glyphs: int = 0
    wrong: list[str] = field(default_factory=list[str])
    untied: Counter[str] = field(default_factory=Counter[str])
    spare: Counter[str] = field(default_factory=Counter[str])
    examples: list[str] = field(default_factory=list[str])

    def add(self, other: Tally) -> None:
        """Count another file in."""
        self.blocks += other.blocks
        self.whole += other.whole
        self.characters += other.characters
        self.tied += other.tied
        self.glyphs += other.glyphs
        self.untied += other.untied
        self.spare += other.spare

    def __str__(self) -> str:
        return (
            f"{self.whole} of {self.blocks} blocks whole, {self.tied} of {self.characters} "
            f"characters tied, not {dict(self.untied)}; of {self.glyphs} glyphs spare "
            f"{dict(self.spare)}"
        )


def measured(data: bytes) -> Tally:
    """Tie all blocks of a file page by page, as an edit of the page does, and count."""
    known = [target for target in known_in(data) if target.text.strip()]
    held = _File.of(data)
    tally, ties = Tally(), _Ties()
    reasons: dict[str, str] = {}
    with objects.opened(data) as document:
        for page in range(len(document.pages)):
            models, located = drawn(document, known, {page})
            held.models[page] = models[page]
            ties.number(models)
            for target in known:
                if target.page != page:
                    continue
                found = located.get(target.anchor)
                _count(tally, held, target, found)
                if found is not None:
                    tally.tied += sum(glyph is not None for glyph in found.glyphs)
                    tally.wrong += _wrong(held, ties, target, found)
                    tally.wrong += ties.taken_twice(target.anchor, found)
                if found is None or not found.is_whole:
                    reasons[target.anchor] = held.reason(target)
                    _untied(tally, target, found, reasons[target.anchor])
    for key, glyph in held.glyphs():
        tally.glyphs += 1
        if key not in ties.owners:
            _spare(tally, held, key[0], glyph, known, reasons)
    return tally


@dataclass(slots=True)
class _Ties:
    """Which block has which glyph; pages are read anew for each page that is edited."""

    owners: dict[Key, str] = field(default_factory=dict[Key, str])
    keys: dict[int, Key] = field(default_factory=dict[int, Key])
    views: dict[int, Matrix] = field(default_factory=dict[int, Matrix])

    def number(self, models: Mapping[int, PageModel]) -> None:
        """Number the glyphs of some pages."""
        self.views = {page: model.view for page, model in models.items()}
        self.keys = {
            id(glyph): (page, number)
            for page, model in models.items()
            for number, glyph in enumerate(model.glyphs())
        }

    def place(self, glyph: Glyph) -> tuple[int, float, float]:
        """Give the page and the point where MuPDF must have a glyph."""
        page = self.keys[id(glyph)][0]
        return page, *applied(self.views[page], glyph.x, glyph.y)

    def taken_twice(self, anchor: str, found: Located) -> Iterator[str]:
        """Note whose glyphs these are, and say which of them are another's."""
        for glyph in (glyph for row in found.rows for glyph in row.glyphs):
            owner = self.owners.setdefault(self.keys[id(glyph)], anchor)
            if owner != anchor and not glyph.is_blank:
                yield f"{anchor}: {glyph.text!r} is of {owner} too"


def _count(tally: Tally, held: _File, target: Target, found: Located | None) -> None:
    inked = [char for char in target.text if not char.isspace()]
    tally.blocks += 1
    tally.characters += len(inked)
    tally.whole += found is not None and found.is_whole
    read = Counter(_folded("".join(each.char for each in held.seen_in(target))))
    # What the boxes of a block hold is at least what the block says: they are its own.
    missing = Counter(_folded("".join(inked))) - read
    if missing:
        tally.wrong.append(f"{target.anchor}: its place does not hold {dict(missing)}")


def _untied(tally: Tally, target: Target, found: Located | None, reason: str) -> None:
    nothing: Sequence[Glyph | None] = [None] * len(target.text)
    glyphs = nothing if found is None else found.glyphs
    pairs = zip(target.text, glyphs, strict=True)
    tally.untied[reason] += sum(g is None and not char.isspace() for char, g in pairs)
    tally.examples.append(f"{reason}: {target.anchor} {target.text[:60]!r}")


def _wrong(held: _File, ties: _Ties, target: Target, found: Located) -> Iterator[str]:
    """Hold every tie of a block against what it must be."""
    rows = {id(glyph) for row in found.rows for glyph in row.glyphs}
    for char, glyph in zip(target.text, found.glyphs, strict=True):
        if glyph is None:
            continue
        where = f"{target.anchor} {char!r} by {glyph.text!r} of {target.text[:40]!r}"
        if id(glyph) not in rows:
            yield f"{where}: the glyph is in no row of the block"
        if not _shows(glyph, char):
            yield f"{where}: the glyph draws another character"
        near = [each for each in held.near(*ties.place(glyph)) if _shows(glyph, each.char)]
        if not near:
            yield f"{where}: MuPDF has no such character there"
        elif not any(_is_in(target.place, *each.middle) for each in near):
            yield f"{where}: it does not stand in a line of the block"


def _spare(
    tally: Tally,
    held: _File,
    page: int,
    glyph: Glyph,
    known: Sequence[Target],
    reasons: dict[str, str],
) -> None:
    """Say why a glyph is of no block."""
    reason = _why(held, page, glyph, known, reasons)
    tally.spare[reason] += 1
    if reason == "lost":
        x, y = applied(held.models[page].view, glyph.x, glyph.y)
        tally.examples.append(f"lost: page {page + 1} {glyph.text!r} at {x:.0f}, {y:.0f}")


def _why(
    held: _File, page: int, glyph: Glyph, known: Sequence[Target], reasons: dict[str, str]
) -> str:
    x, y = applied(held.models[page].view, glyph.x, glyph.y)
    seen = [each for each in held.near(page, x, y) if _shows(glyph, each.char)]
    if not seen:
        return "not read by MuPDF"
    home = [
        target
        for target in known
        if target.page in (page - 1, page) and _is_in(target.place, *seen[0].middle)
    ]
    bad = [reasons[target.anchor] for target in home if target.anchor in reasons]
    if bad:
        return bad[0]
    if glyph.is_unknown:
        return "no character known"
    if not home:
        return "lost"
    if unicodedata.category(glyph.text[:1]) in ("Pd", "Cf"):
        return "hyphen at the end of a line"
    labelled = (each for each in home if each.label or isinstance(each.block, ListItem))
    is_first = any(x <= each.place[0].x1 and y <= each.place[0].y1 + BESIDE for each in labelled)
    return "label" if is_first else "lost"


@dataclass(slots=True)
class _File:
    """What MuPDF reads of a file, and the glyphs of its pages."""

    seen: list[list[Seen]]
    areas: list[list[Box]]
    models: dict[int, PageModel] = field(default_factory=dict[int, PageModel])
    grids: dict[int, dict[tuple[int, int], list[Seen]]] = field(
        default_factory=dict[int, dict[tuple[int, int], list[Seen]]]
    )

    @staticmethod
    def of(data: bytes) -> _File:
        import pymupdf

        seen: list[list[Seen]] = []
        areas: list[list[Box]] = []
        with pymupdf.open(stream=data, filetype="pdf") as opened:
            document: Any = opened
            for page in document:
                page.set_rotation(0)
                seen.append(list(_seen(page)))
                areas.append([Box(*each.rect) for each in (*page.annots(), *page.widgets())])
        return _File(seen, areas)

    def near(self, page: int, x: float, y: float) -> list[Seen]:
        """Give the characters whose origins are near a point."""
        if page not in self.grids:
            grid: dict[tuple[int, int], list[Seen]] = {}
            for each in self.seen[page]:
                grid.setdefault((round(each.x), round(each.y)), []).append(each)
            self.grids[page] = grid
        spots = ((round(x) + a, round(y) + b) for a in (-1, 0, 1) for b in (-1, 0, 1))
        held = (each for spot in spots for each in self.grids[page].get(spot, ()))
        return [each for each in held if max(abs(each.x - x), abs(each.y - y)) <= NEAR]

    def seen_in(self, target: Target) -> Iterator[Seen]:
        """Give the characters in the lines of a block; it may go on on the next two pages."""
        for page in self.seen[target.page : target.page + 3]:
            yield from (each for each in page if _is_in(target.place, *each.middle))

    def glyphs(self) -> Iterator[tuple[Key, Glyph]]:
        """Give the glyphs of all pages that are no blanks."""
        for page, model in self.models.items():
            for number, glyph in enumerate(model.glyphs()):
                if not glyph.is_blank:
                    yield (page, number), glyph

    def reason(self, target: Target) -> str:
        """Say why a block cannot be tied."""
        if is_right_to_left(target.text):
            return "right to left"
        if any(each.is_vertical for each in self.seen_in(target)):
            return "vertical"
        if any(_is_in(self.areas[target.page], *each.middle) for each in self.seen_in(target)):
            return "annotation or field"
        view = self.models[target.page].view
        inside = (
            glyph
            for glyph in self.models[target.page].glyphs()
            if glyph.is_unknown and _is_in(target.place, *applied(view, glyph.x, glyph.y))
        )
        return "no character known" if any(inside) else "order"


def _seen(page: Any) -> Iterator[Seen]:
    for block in page.get_text("rawdict", flags=TEXT)["blocks"]:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                for each in span["chars"]:
                    x0, y0, x1, y1 = each["bbox"]
                    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
                    # A lone surrogate is a code that names no character.
                    char = "\ufffd" if unicodedata.category(each["c"]) == "Cs" else each["c"]
                    # Of a character of vertical text MuPDF names the end.
                    x, y = (x0, y0) if line["wmode"] else each["origin"]
                    if char.strip():
                        yield Seen(char, x, y, middle, bool(line["wmode"]))


def _is_in(boxes: Sequence[Box], x: float, y: float) -> bool:
    return any(
        box.x0 - BESIDE <= x <= box.x1 + BESIDE and box.y0 - BESIDE <= y <= box.y1 + BESIDE
        for box in boxes
    )


def _folded(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


def _shows(glyph: Glyph, char: str) -> bool:
    """Whether a glyph draws a character; MuPDF reads the hyphen of some fonts as a soft one."""
    if glyph.is_unknown:
        return True
    one, other = _folded(glyph.text), _folded(char)
    is_hyphen = unicodedata.category(glyph.text[:1] or " ") == "Pd" and char == "\u00ad"
    return other in one or one in other or is_hyphen
