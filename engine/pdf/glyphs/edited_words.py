"""The words of a paragraph after an edit: old glyphs that stay, new characters between them."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.fonts.fonts import Char, Font
from redraft.engine.pdf.glyphs.glyphs import Glyph
from redraft.engine.pdf.glyphs.mapping import Located, Row

# How large a glyph is at most, against its row, that is a raised mark.
MARK: Final = 0.85
CANNOT_FOLLOW: Final = "The text of this paragraph cannot be followed glyph by glyph"


@dataclass(frozen=True, slots=True)
class Voice:
    """How a character is drawn: as `like` is, perhaps in another font, or `squeeze` as wide.

    `fill` is the operator of another colour, None for the glyph's own. `scale` makes the letters of
    another font as large as those of the glyph's own look.
    """

    like: Glyph
    font: Font
    font_name: str
    squeeze: float = 1.0
    fill: bytes | None = None
    scale: float = 1.0

    @property
    def unit(self) -> float:
        """Points on the page for one unit of the font's em along the baseline."""
        return self.like.show.state.size * self.scale * self.like.unit * self.squeeze


@dataclass(frozen=True, slots=True, eq=False)
class Atom:
    """A character to be drawn: an old glyph, or a new code in a voice.

    `width` is its ink and `pitch` its ink with the character spacing, in points on the page.
    """

    text: str
    voice: Voice
    char: Char
    glyph: Glyph | None = None

    @property
    def width(self) -> float:
        """The advance without spacing."""
        return self.char.width * self.voice.unit

    @property
    def pitch(self) -> float:
        """The advance with character spacing."""
        state = self.voice.like.show.state
        along = self.voice.like.unit * self.voice.squeeze
        return self.width + state.spacing * along


@dataclass(slots=True, eq=False)
class Word:
    """Characters that stay on one line.

    `is_glued` says that no blank stands before it. `hyphen` is the glyph that is drawn only where
    the line breaks after the word. `row` is the row in which it stood, whole and unchanged;
    `is_whole` says that its glyphs stood beside each other, though it cannot stay where it is.
    `measured` is where its characters begin, with what that was measured of.
    """

    atoms: list[Atom] = field(default_factory=list[Atom])
    is_glued: bool = False
    hyphen: Atom | None = None
    row: Row | None = None
    is_whole: bool = False
    measured: tuple[tuple[int, bool], Sequence[float]] | None = field(default=None, repr=False)

    @property
    def text(self) -> str:
        """Its characters."""
        return "".join(atom.text for atom in self.atoms)


@dataclass(frozen=True, slots=True)
class Change:
    """Characters [start, end) of a block's text become `text`."""

    start: int
    end: int
    text: str


def is_right_to_left(text: str) -> bool:
    """Whether some of a text is written from right to left."""
    return any(unicodedata.bidirectional(char) in ("R", "AL") for char in text)


def voice_of(glyph: Glyph) -> Voice:
    """Speaks as a glyph does."""
    state = glyph.show.state
    if state.font is None:
        raise RefusedError(CANNOT_FOLLOW)
    return Voice(glyph, state.font, state.font_name)


def old(glyph: Glyph) -> Atom:
    """Keeps a glyph."""
    char = Char(glyph.code, glyph.text, glyph.width)
    return Atom(glyph.text, voice_of(glyph), char, glyph)


def trimmed(text: str, change: Change) -> Change:
    """Takes off what a change only repeats at its ends."""
    before, after = text[change.start : change.end], change.text
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    most = min(len(before), len(after)) - head
    while tail < most and before[len(before) - 1 - tail] == after[len(after) - 1 - tail]:
        tail += 1
    return Change(change.start + head, change.end - tail, after[head : len(after) - tail])


def slid(text: str, change: Change) -> Change:
    """Moves a change to where it takes or gives whole words, where it may stand in several places.

    `end` + `. More` + `.` is `end.` + ` More.` too, and that leaves the word `end.` as it is.
    """
    removed = text[change.start : change.end]
    if removed and change.text:
        return change
    best, moved = change, change
    while not _is_between(text, best):
        if moved.end >= len(text) or text[moved.end] != (removed or moved.text)[0]:
            return change
        step = text[moved.end]
        removed = removed[1:] + step if removed else ""
        new = moved.text[1:] + step if moved.text else ""
        moved = best = Change(moved.start + 1, moved.end + 1, new)
    return best


def _is_between(text: str, change: Change) -> bool:
    """Whether a change begins between two words, or is of nothing."""
    is_nothing = change.start == change.end and not change.text
    ends = (text[change.start - 1 : change.start], text[change.end : change.end + 1])
    return is_nothing or any(not char or char.isspace() for char in ends)


def widened(located: Located, change: Change) -> Change:
    """Takes in the whole of a glyph that draws several characters, of which some change."""
    start, end, text = change.start, change.end, change.text
    glyphs = located.glyphs
    while 0 < start < len(glyphs) and _is_one(glyphs[start - 1], glyphs[start]):
        start -= 1
        text = located.text[start] + text
    while 0 < end < len(glyphs) and _is_one(glyphs[end - 1], glyphs[end]):
        text += located.text[end]
        end += 1
    return Change(start, end, text)


def _is_one(first: Glyph | None, second: Glyph | None) -> bool:
    return first is not None and first is second


@dataclass(slots=True)
class Composer:
    """Makes the words of a part of a block: the characters whose glyphs stand in `rows`.

    `goes_on`: the block goes on elsewhere behind them, so that a hyphen at their end stays.
    `looks` says, for changes that keep their characters, in which voice each glyph speaks then.
    """

    located: Located
    rows: Sequence[Row]
    changes: Sequence[Change]
    goes_on: bool = False
    looks: Mapping[tuple[int, int], Callable[[Glyph], Voice]] = field(
        default_factory=dict[tuple[int, int], Callable[[Glyph], Voice]]
    )
    words: list[Word] = field(default_factory=list[Word])
    is_open: bool = False
    last: Atom | None = None

    def compose(self) -> list[Word]:
        """Returns the words after all changes."""
        self._row_of = {id(glyph): row for row in self.rows for glyph in row.glyphs}
        self._strays = self._between()
        indexes = [n for n, g in enumerate(self.located.glyphs) if g and id(g) in self._row_of]
        at, stop = min(indexes), max(indexes) + 1
        for change in sorted(self.changes, key=lambda hunk: hunk.start):
            self._keep(at, change.start)
            look = self.looks.get((change.start, change.end))
            if look is None:
                self._write(change)
            else:
                self._restyle(change, look)
            at = max(at, change.end)
        self._keep(at, stop)
        for word in self.words:
            word.row = self._home(word)
            word.is_whole = word.row is not None
        if self.goes_on and self.words:
            last = self.words[-1]
            last.hyphen = self._hyphen(last.atoms[-1])
        return self.words

    _row_of: dict[int, Row] = field(default_factory=dict[int, Row])
    _strays: dict[int, list[Glyph]] = field(default_factory=dict[int, list[Glyph]])
    _inked: dict[int, list[Glyph]] = field(default_factory=dict[int, list[Glyph]])

    @property
    def mapped(self) -> frozenset[int]:
        """The glyphs that the words are made of, by identity, those taken out included."""
        strays = {id(glyph) for glyphs in self._strays.values() for glyph in glyphs}
        return frozenset({id(glyph) for glyph in self.located.glyphs if glyph} | strays)

    def _between(self) -> dict[int, list[Glyph]]:
        """Finds glyphs that no character stands for, by the glyph they stand before in a row."""
        known = {id(glyph) for glyph in self.located.glyphs if glyph}
        by_glyph: dict[int, list[Glyph]] = {}
        for row in self.rows:
            waiting: list[Glyph] = []
            has_begun = False
            for glyph in row.glyphs:
                if id(glyph) in known:
                    if waiting:
                        by_glyph[id(glyph)] = waiting
                    waiting, has_begun = [], True
                elif has_begun and not glyph.is_blank:
                    waiting.append(glyph)
        return by_glyph

    def _keep(self, start: int, end: int) -> None:
        for index in range(start, end):
            glyph = self.located.glyphs[index]
            char = self.located.text[index]
            if char.isspace():
                self.is_open = False
            elif glyph is None:
                raise RefusedError(CANNOT_FOLLOW)
            elif index == 0 or glyph is not self.located.glyphs[index - 1]:
                for stray in self._strays.get(id(glyph), ()):
                    self.is_open = False
                    self._add(old(stray), self._row_of.get(id(stray)))
                    self.is_open = False
                self._add(old(glyph), self._row_of.get(id(glyph)))

    def _write(self, change: Change) -> None:
        if not change.text:
            return
        voice = voice_of(self._model(change))
        for char in change.text:
            if char.isspace():
                self.is_open = False
                continue
            code = voice.font.encode(char)
            self._add(Atom(char, voice, code or Char(b"", char, 0.0)), None)

    def _restyle(self, change: Change, look: Callable[[Glyph], Voice]) -> None:
        """Writes characters again in another voice."""
        for index in range(change.start, change.end):
            glyph, char = self.located.glyphs[index], self.located.text[index]
            if char.isspace():
                self.is_open = False
                continue
            if glyph is None or id(glyph) not in self._row_of or id(glyph) in self._strays:
                raise RefusedError(CANNOT_FOLLOW)
            voice = look(glyph)
            code = voice.font.encode(char)
            self._add(Atom(char, voice, code or Char(b"", char, 0.0)), None)

    def _model(self, change: Change) -> Glyph:
        """Returns the glyph that new text is to look like: what it replaces, else what is before.

        What is inserted behind a raised mark looks like the words around it, unless it is glued on.
        """
        glyphs = self.located.glyphs
        places = [*range(change.start, change.end), *range(change.start - 1, -1, -1)]
        places += range(change.end, len(glyphs))
        nearby = (glyphs[index] for index in places if 0 <= index < len(glyphs))
        candidates = (glyph for glyph in nearby if glyph is not None and id(glyph) in self._row_of)
        first = next(candidates, None)
        if first is None:
            raise RefusedError(CANNOT_FOLLOW)
        if change.start == change.end and not change.text[:1].isalnum() and self._is_small(first):
            return next(
                (candidate for candidate in candidates if not self._is_small(candidate)), first
            )
        return first

    def _is_small(self, glyph: Glyph) -> bool:
        """Whether a glyph is clearly smaller than its row."""
        return glyph.size < MARK * self._row_of[id(glyph)].piece.size

    def _add(self, atom: Atom, row: Row | None) -> None:
        last = self.last if self.is_open else None
        if last is None:
            self.words.append(Word([atom]))
        elif _may_break(last.text, atom.text):
            self.words.append(Word([atom], is_glued=True))
        elif self._is_broken(last, row) and not self._is_compound(last):
            self.words[-1].hyphen = self._hyphen(last)
            self.words.append(Word([atom], is_glued=True))
        else:
            self.words[-1].atoms.append(atom)
        self.is_open, self.last = True, atom

    def _is_broken(self, last: Atom, row: Row | None) -> bool:
        """Whether a word goes on in another row than it began."""
        before = self._row_of.get(id(last.glyph)) if last.glyph else None
        return before is not None and row is not None and before is not row

    def _is_compound(self, last: Atom) -> bool:
        """Whether a new word goes on behind a hyphen of its own.

        Broken there it would read as one word without the hyphen, for nothing else writes it so.
        """
        is_new = any(atom.glyph is None for atom in self.words[-1].atoms)
        return is_new and unicodedata.category(last.text[:1]) == "Pd"

    def _hyphen(self, last: Atom) -> Atom | None:
        """Finds the hyphen that a row ends with and the block's text does not have."""
        row = self._row_of.get(id(last.glyph))
        if row is None or last.glyph is None:
            return None
        following = row.glyphs[row.glyphs.index(last.glyph) + 1 :]
        marks = [glyph for glyph in following if not glyph.is_blank]
        is_hyphen = len(marks) == 1 and unicodedata.category(marks[0].text[:1]) in ("Pd", "Cf")
        return old(marks[0]) if is_hyphen else None

    def _home(self, word: Word) -> Row | None:
        """Returns the row in which all of a word's glyphs stand beside each other."""
        glyphs = [atom.glyph for atom in word.atoms]
        first = glyphs[0]
        row = self._row_of.get(id(first)) if first else None
        if first is None or row is None:
            return None
        inked = self._inked.get(id(row))
        if inked is None:
            inked = self._inked[id(row)] = [glyph for glyph in row.glyphs if not glyph.is_blank]
        at = inked.index(first)
        return row if inked[at : at + len(glyphs)] == glyphs else None


def _may_break(before: str, after: str) -> bool:
    """Whether a line may break between two characters without a blank (CJK)."""
    if not before or not after:
        return False
    is_closing = unicodedata.category(after[0]) in ("Pe", "Po", "Pf")
    is_opening = unicodedata.category(before[-1]) in ("Ps", "Pi")
    return (_is_cjk(before[-1]) or _is_cjk(after[0])) and not is_closing and not is_opening


def _is_cjk(char: str) -> bool:
    return "\u3000" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff" or char >= "\uff00"


def first_changed(words: Sequence[Word]) -> int:
    """Returns the first word of the row in which the first change is."""
    first = next((n for n, word in enumerate(words) if word.row is None), len(words) - 1)
    row = words[first].row or (words[first - 1].row if first else None)
    while first and words[first - 1].row is row and row is not None:
        first -= 1
    return first


def squeezed(word: Word, squeeze: float) -> Word:
    """Makes a word so many times as wide as it is; it has to be written anew then."""
    narrow = [_narrower(atom, squeeze) for atom in word.atoms]
    hyphen = None if word.hyphen is None else _narrower(word.hyphen, squeeze)
    return Word(narrow, word.is_glued, hyphen, None, word.is_whole)


def _narrower(atom: Atom, squeeze: float) -> Atom:
    return replace(atom, voice=replace(atom.voice, squeeze=atom.voice.squeeze * squeeze))


def in_voice(word: Word, font: Font, font_name: str, scale: float = 1.0) -> Word:
    """Sets a whole word in another font, which must hold all of its characters."""
    atoms: list[Atom] = []
    for atom in word.atoms:
        for char in atom.text:
            code = font.encode(char)
            if code is None:
                message = f"No font at hand has the character {char!r}"
                raise RefusedError(message)
            voice = replace(atom.voice, font=font, font_name=font_name, scale=scale)
            atoms.append(Atom(char, voice, code))
    return Word(atoms, word.is_glued, None, None)
