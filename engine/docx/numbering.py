"""List numbers: Word's exact labels.

[x] counters on the abstract definition, shared by its lists  [x] startOverride, once a list
[x] lvlRestart  [x] isLgl  [x] definitions through numbering styles, which count for themselves
[x] overridden levels  [x] levels bound to a style  [x] custom formats  [x] each story counts alone
[-] picture bullets (a bullet is a bullet)
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TypeAlias

from redraft.engine.docx.names import MC_ALTERNATE, W_PPR, W_VAL, Element, W
from redraft.engine.docx.number_formats import numeral
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.property_values import is_on, number, value
from redraft.engine.docx.styles import ParagraphStyle, Styles, left_indent

LEVELS = 9
_PLACE = re.compile(r"%([1-9])")
_LEGAL_FORMS = frozenset({"decimalZero", "bullet", "none"})
_LINE_END = re.compile(r"[\r\n]+")


_Counters: TypeAlias = dict[str, list[int | None]]
_Opened: TypeAlias = set[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Level:
    """A level of a list: how it counts and how it writes its number (`pieces`, see `_pieces`).

    `restart` is the number of the level (from 1) that restarts it, 0 never, None any higher one.
    `indent` in twips.
    """

    start: int = 0
    form: str = "decimal"
    pattern: str = ""
    pieces: tuple[str | int, ...] = ()
    restart: int | None = None
    is_legal: bool = False
    indent: int | None = None
    style: str = ""

    @property
    def is_bullet(self) -> bool:
        """Whether it shows a sign instead of a number."""
        return self.form == "bullet"


@dataclass(frozen=True, slots=True)
class Label:
    """What stands before a paragraph: `text` is empty for a bullet and where nothing is shown."""

    text: str
    is_bullet: bool
    ilvl: int
    indent: int | None
    family: str


class Numbering:
    """The lists of a document, and how far each has counted."""

    __slots__ = (
        "_abstracts",
        "_counters",
        "_families",
        "_levels",
        "_nums",
        "_opened",
        "_single",
        "_stories",
        "_styles",
    )

    def __init__(self, root: Element | None, styles: Styles) -> None:
        self._styles = styles
        self._abstracts: dict[str, Element] = {}
        self._nums: dict[str, Element] = {}
        self._families: dict[str, str] = {}
        self._levels: dict[str, tuple[Level, ...]] = {}
        self._single: set[str] = set()
        self._stories: dict[str, tuple[_Counters, _Opened]] = {}
        self.begin("")
        if root is not None:
            for abstract in root.iter(_ABSTRACT):
                self._abstracts.setdefault(abstract.get(_ABSTRACT_ID, ""), abstract)
            for num in root.iter(_NUM):
                self._nums.setdefault(num.get(_NUM_ID, ""), num)

    @classmethod
    def of(cls, package: Package, styles: Styles) -> Numbering:
        """The lists of the main part."""
        parts = package.related(package.main, "numbering")
        return cls(package.tree(parts[0]) if parts else None, styles)

    def begin(self, story: str) -> None:
        """Count in a story from now on, on from where it was left; stories do not share counts."""
        self._counters, self._opened = self._stories.setdefault(story, ({}, set()))

    def is_bound_elsewhere(self, num: str, ilvl: int, style: ParagraphStyle) -> bool:
        """Whether a level belongs to another style, so that it is no level of this one.

        A paragraph of this style then has no number by it (ECMA-376 Part 1, 17.9.23, pStyle).
        """
        levels = self._levels_of(num)
        bound = levels[ilvl].style if 0 <= ilvl < len(levels) else ""
        is_there = bool(bound) and self._styles.has(bound)
        return is_there and not self._styles.is_based_on(style.id, bound)

    def level_of(self, num: str, style: ParagraphStyle) -> int:
        """The level of a paragraph by its style: the level bound to it, else the one it says."""
        for index, level in enumerate(self._levels_of(num)):
            if level.style and level.style == style.id:
                return index
        return style.ilvl or 0

    def label(self, num: str, ilvl: int, *, counts: bool = True) -> Label | None:
        """Count a paragraph of a list and write its label; None when the list is not defined.

        Args:
            num: The list (`w:numId`).
            ilvl: Its level, from 0.
            counts: Whether it takes a number; a paragraph whose mark is deleted shows the number
                that the next one takes.
        """
        levels = self._levels_of(num)
        if not levels:
            return None
        ilvl = 0 if num in self._single else max(0, min(ilvl, LEVELS - 1))
        family = self._families[num]
        counters = self._counters.setdefault(family, [None] * LEVELS)
        if not counts:
            counters = list(counters)
        self._advance(num, ilvl, levels, counters, counts=counts)
        level = levels[ilvl]
        text = "" if level.is_bullet else _written(level, levels, counters)
        return Label(text, level.is_bullet, ilvl, level.indent, family)

    def _advance(
        self,
        num: str,
        ilvl: int,
        levels: tuple[Level, ...],
        counters: list[int | None],
        *,
        counts: bool,
    ) -> None:
        override = self._start_override(num, ilvl) if (num, ilvl) not in self._opened else None
        if counts:
            self._opened.add((num, ilvl))
        before = counters[ilvl]
        if override is not None:
            counters[ilvl] = override
        else:
            counters[ilvl] = levels[ilvl].start if before is None else before + 1
        for higher in range(ilvl):
            # A level that is left out has begun all the same: its next item is the second one.
            if counters[higher] is None:
                counters[higher] = levels[higher].start
        for deeper in range(ilvl + 1, LEVELS):
            restart = levels[deeper].restart
            if restart is None or (restart > 0 and ilvl < restart):
                counters[deeper] = None

    def _start_override(self, num: str, ilvl: int) -> int | None:
        for override in self._nums[num].iter(_OVERRIDE):
            if number(override.get(_ILVL)) == ilvl:
                return number(value(override, _START_OVERRIDE))
        return None

    def _levels_of(self, num: str) -> tuple[Level, ...]:
        levels = self._levels.get(num)
        if levels is None:
            levels = self._levels[num] = self._resolve(num)
        return levels

    def _resolve(self, num: str) -> tuple[Level, ...]:
        element = self._nums.get(num)
        if element is None:
            return ()
        abstract = self._abstract_of(element)
        if abstract is None:
            return ()
        self._families[num] = value(element, _ABSTRACT_ID) or ""
        if value(abstract, _KIND) == "singleLevel":
            self._single.add(num)
        levels = [Level() for _ in range(LEVELS)]
        _fill(levels, abstract)
        for override in element.iter(_OVERRIDE):
            _fill(levels, override)
        return tuple(levels)

    def _abstract_of(self, num: Element) -> Element | None:
        """A list's definition, perhaps through a numbering style (ECMA-376 Part 1, 17.9.21)."""
        abstract = self._abstracts.get(value(num, _ABSTRACT_ID) or "")
        link = value(abstract, _NUM_STYLE_LINK)
        if link is None:
            return abstract
        target = self._nums.get(self._styles.list_of(link) or "")
        linked = self._abstracts.get(value(target, _ABSTRACT_ID) or "")
        return abstract if linked is None else linked


def _fill(levels: list[Level], definition: Element) -> None:
    """Take the levels of a definition, or of an override, into the list of levels."""
    for element in definition.iter(_LVL):
        index = number(element.get(_ILVL))
        if index is not None and 0 <= index < LEVELS:
            levels[index] = _level(element)


def _level(element: Element) -> Level:
    text = element.find(_TEXT)
    form = element.find(_FORMAT)
    if form is None:
        form = next(iter(element.iterfind(f"{MC_ALTERNATE}/*/{_FORMAT}")), None)
    level = Level(
        start=number(value(element, _START)) or 0,
        pieces=() if text is None else _pieces(text.get(W_VAL, "")),
        restart=number(value(element, _RESTART)),
        is_legal=is_on(element.find(_LEGAL)),
        indent=left_indent(element.find(W_PPR)),
        style=value(element, _STYLE) or "",
    )
    if form is None:
        return level
    return replace(level, form=form.get(W_VAL, "decimal"), pattern=form.get(_PATTERN, ""))


def _written(level: Level, levels: tuple[Level, ...], counters: list[int | None]) -> str:
    """A level's text with its places filled; deeper levels than it show their start."""
    out: list[str] = []
    for piece in level.pieces:
        if isinstance(piece, str):
            out.append(piece)
            continue
        other, count = levels[piece], counters[piece]
        # A leading zero stays: Word's own `Section 1.01` is written so.
        form = "decimal" if level.is_legal and other.form not in _LEGAL_FORMS else other.form
        out.append(numeral(other.start if count is None else count, form, other.pattern))
    return "".join(out).strip()


def _pieces(text: str) -> tuple[str | int, ...]:
    """A level's text as words and, for each `%n`, the index of the level that stands there."""
    parts = _PLACE.split(_LINE_END.sub(" ", text))
    return tuple(int(part) - 1 if index % 2 else part for index, part in enumerate(parts) if part)


_ABSTRACT, _ABSTRACT_ID = W("abstractNum"), W("abstractNumId")
_NUM, _NUM_ID, _LVL, _ILVL = W("num"), W("numId"), W("lvl"), W("ilvl")
_OVERRIDE, _START_OVERRIDE = W("lvlOverride"), W("startOverride")
_START, _FORMAT, _TEXT, _RESTART = W("start"), W("numFmt"), W("lvlText"), W("lvlRestart")
_LEGAL, _STYLE, _PATTERN = W("isLgl"), W("pStyle"), W("format")
_NUM_STYLE_LINK, _KIND = W("numStyleLink"), W("multiLevelType")
