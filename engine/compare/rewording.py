"""The text that a paragraph of the first version gets so that it reads as one of the second.

Both are cut into symbols: words, blanks, tabs, breaks, and objects. A computed field counts by what
it shows: where the words are equal the old paragraph keeps what it has, field or text. Objects
that only one side has are not brought or taken by a rewriting; `Rewording` names them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from redraft.engine import tokens
from redraft.engine.compare.versions import kind_of
from redraft.engine.diff import Token, hunks
from redraft.engine.diff import tokens as words_of
from redraft.engine.inline_pieces import Atom, Close, Open, Piece, Words
from redraft.engine.model import Mark

_BLANK: Final = frozenset({"tab", "br"})
_WIDE: Final = {"tab": "\t", "br": "\n"}


@dataclass(frozen=True, slots=True)
class Symbol:
    """A word, a blank or an object of a paragraph.

    Attributes:
        text: Its characters; empty for an object.
        object: The kind of an object (`fn`, `im`, `pb`), and what it shows.
        name: The token it stands for or is a part of, empty for plain words.
        holders: The links and controls around it, outermost first.
        marks: Bold and italic.
    """

    text: str
    object: str = ""
    name: str = ""
    holders: tuple[str, ...] = ()
    marks: Mark = Mark.NONE

    @property
    def token(self) -> Token:
        """What must be equal for two symbols to be the same."""
        return Token(self.text, self.object or None)


@dataclass(frozen=True, slots=True)
class Rewording:
    """What becomes of a paragraph's words and objects.

    Attributes:
        text: What `engine.plan.RewriteBlock` is given.
        is_changed: Whether any word differs.
        dropped: The tokens of objects that the second version does not have.
        added: The tokens, in its own names, of objects that only the second version has.
        fields: Tokens of fields whose shown text differs.
    """

    text: str
    is_changed: bool
    dropped: tuple[str, ...]
    added: tuple[str, ...]
    fields: tuple[str, ...]


def symbols(pieces: Sequence[Piece]) -> list[Symbol]:
    """Cuts the inlines of a paragraph into symbols."""
    found: list[Symbol] = []
    holders: tuple[str, ...] = ()
    for piece in pieces:
        match piece:
            case Words():
                found += [Symbol(w, "", "", holders, piece.marks) for w in words_of(piece.text)]
            case Open():
                holders = (*holders, piece.name)
            case Close():
                holders = tuple(name for name in holders if name != piece.name)
            case Atom() if piece.name in _BLANK:
                found.append(Symbol(_WIDE[piece.name], "", "", holders))
            case Atom() if kind_of(piece.name) == "x":
                words = words_of(piece.shown) or [""]
                found += [Symbol(word, "" if word else "x", piece.name, holders) for word in words]
            case Atom():
                shown = piece.shown if kind_of(piece.name) == "eq" else ""
                object_name = f"{kind_of(piece.name)} {shown}"
                found.append(Symbol("", object_name, piece.name, holders))
    return found


def reword(old: Sequence[Piece], new: Sequence[Piece], *, keeps_objects: bool = False) -> Rewording:
    """Returns what makes the first paragraph read as the second.

    Args:
        old: The inlines of the paragraph as it is.
        new: Those of the paragraph that it shall become.
        keeps_objects: Whether objects that the second version has not stay.
    """
    return _Rewriter(old, new, keeps_objects=keeps_objects).rewording()


class _Rewriter:
    def __init__(self, old: Sequence[Piece], new: Sequence[Piece], *, keeps_objects: bool) -> None:
        self._keeps_objects = keeps_objects
        self._pieces = old
        self._old = symbols(old)
        self._new = symbols(new)
        self._dropped: list[str] = []
        self._added: list[str] = []
        self._fields: list[str] = []

    def rewording(self) -> Rewording:
        changes = hunks(
            [symbol.token for symbol in self._old],
            [symbol.token for symbol in self._new],
            sentences=False,
        )
        stands = [True] * len(self._old)
        comes: dict[int, list[Symbol]] = {}
        for hunk in changes:
            for index in range(hunk.start, hunk.end):
                stands[index] = False
            comes[hunk.end] = list(self._new[hunk.new_start : hunk.new_end])
        self._keep_fields(stands, comes)
        self._objects(stands, comes)
        is_changed = any(
            symbol.text and not stands[index] and not self._is_field(index)
            for index, symbol in enumerate(self._old)
        ) or any(symbol.text for new in comes.values() for symbol in new)
        return Rewording(
            tokens.write(list(self._line(stands, comes))),
            is_changed,
            tuple(dict.fromkeys(self._dropped)),
            tuple(self._added),
            tuple(dict.fromkeys(self._fields)),
        )

    def _is_field(self, index: int) -> bool:
        return kind_of(self._old[index].name) == "x"

    def _keep_fields(self, stands: list[bool], comes: dict[int, list[Symbol]]) -> None:
        """Lets each field stand whole, and what comes beside it without what it shows already."""
        start = 0
        while start < len(self._old):
            name = self._old[start].name
            end = start + 1
            if kind_of(name) != "x":
                start = end
                continue
            while end < len(self._old) and self._old[end].name == name:
                end += 1
            if not all(stands[start:end]) or any(comes.get(at) for at in range(start + 1, end)):
                self._fields.append(name)
                for at in range(start, end):
                    stands[at] = True
                for at in range(start + 1, end + 1):
                    comes.pop(at, None)
            start = end

    def _objects(self, stands: list[bool], comes: dict[int, list[Symbol]]) -> None:
        """Notes objects that go; those that come are left out."""
        for index, symbol in enumerate(self._old):
            if symbol.object and not stands[index] and not self._keeps_objects:
                self._dropped.append(symbol.name)
        for at, new in comes.items():
            self._added += [symbol.name for symbol in new if symbol.object]
            comes[at] = [symbol for symbol in new if symbol.text]

    def _line(self, stands: Sequence[bool], comes: dict[int, list[Symbol]]) -> Iterator[Piece]:
        """Yields the pieces of the paragraph as it shall read.

        Where a link or control begins or ends, new words stand inside when the second version has
        them in one. One whose words all go stands empty.
        """
        at = 0
        for piece in self._pieces:
            match piece:
                case Words() | Atom():
                    size = self._size(piece)
                    for index in range(at, at + size):
                        yield from self._fresh(comes.pop(index, ()))
                        if stands[index] or self._is_kept_object(index):
                            yield from self._kept(index)
                    at += size
                case Open():
                    yield from self._at_edge(comes, at, is_inside=False)
                    yield piece
                case Close():
                    yield from self._at_edge(comes, at, is_inside=True)
                    yield piece
        yield from self._fresh(comes.pop(at, ()))

    def _at_edge(
        self, comes: dict[int, list[Symbol]], at: int, *, is_inside: bool
    ) -> Iterator[Piece]:
        """Yields the new words that stand in front of where a link or control begins or ends."""
        new = comes.get(at, [])
        taken = 0
        while taken < len(new) and bool(new[taken].holders) is is_inside:
            taken += 1
        yield from self._fresh(new[:taken])
        comes[at] = new[taken:]

    def _is_kept_object(self, index: int) -> bool:
        symbol = self._old[index]
        return bool(symbol.object) and symbol.name not in self._dropped

    def _size(self, piece: Words | Atom) -> int:
        if isinstance(piece, Words):
            return len(words_of(piece.text))
        if kind_of(piece.name) == "x":
            return len(words_of(piece.shown)) or 1
        return 1

    def _kept(self, index: int) -> Iterator[Piece]:
        symbol = self._old[index]
        if symbol.name:
            is_first = not index or self._old[index - 1].name != symbol.name
            if is_first:
                yield self._atom(symbol.name)
        elif symbol.text in ("\t", "\n"):
            yield Atom("tab" if symbol.text == "\t" else "br")
        else:
            yield Words(symbol.text, symbol.marks)

    def _atom(self, name: str) -> Atom:
        return next(p for p in self._pieces if isinstance(p, Atom) and p.name == name)

    def _fresh(self, new: Sequence[Symbol]) -> Iterator[Piece]:
        for symbol in new:
            if symbol.text in ("\t", "\n"):
                yield Atom("tab" if symbol.text == "\t" else "br")
            else:
                yield Words(symbol.text, symbol.marks)
