"""Lines as they are to be: which words they have, and where each of them stands."""

from __future__ import annotations

from dataclasses import dataclass, field

from redraft.engine.pdf.glyphs.edited_words import Word
from redraft.engine.pdf.glyphs.mapping import Row
from redraft.engine.pdf.typeset.measuring import width_of


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A word whose first glyph's origin is at `u`; `is_moved` False: it stands there already."""

    word: Word
    u: float
    is_moved: bool


@dataclass(slots=True, eq=False)
class Line:
    """A line as it is to be; `row` is the one that it replaces, None for a further line."""

    row: Row | None
    v: float
    placed: list[Placed] = field(default_factory=list[Placed])
    has_hyphen: bool = False

    @property
    def right(self) -> float:
        """Where the last word ends."""
        last = self.placed[-1]
        return last.u + width_of(last.word)


def too_long(lines: int, characters: int, page: int) -> str:
    """Says that text has no room, and how much shorter it would have to be."""
    more = "1 more line" if lines == 1 else f"{lines} more lines"
    return (
        f"The new text needs {more} but there is no free space for it on page {page}; "
        f"shorten it by about {characters} characters"
    )
