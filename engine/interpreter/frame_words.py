"""The words of a sentence as a frame sees them: what each may mean, in whatever order they stand.

A frame (`engine.interpreter.frames`) takes some stretches for the values of a command. `items` lays
the rest out: what each word means, and which words nobody knows. Nothing is left out, so that a
frame that accounts for each item accounts for the whole sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from redraft.engine.interpreter.commands import Address, Value
from redraft.engine.interpreter.quantities import is_spoken
from redraft.engine.interpreter.sentences import Word
from redraft.engine.interpreter.value_kinds import kind_of
from redraft.engine.interpreter.vocabulary import Language

_LONGEST_PHRASE = 6
_ARROW = re.compile(r"[-=]+>|[→⇒➔]")
_JOINERS = frozenset({"of", "and", "&", "de", "du", "des", "von", "und", "y", "et", "the", "la"})


@dataclass(frozen=True, slots=True)
class Item:
    """Some words that mean one thing: a phrase, a lifted stretch, or one word nobody knows.

    `roles` are canonical words and those of the table `frame` of the language; empty for unknown
    words. `name` is that of the stretch which a frame takes for a value.
    """

    start: int
    end: int
    roles: frozenset[str] = frozenset()
    name: str = ""
    value: Value | None = None
    address: Address | None = None


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words that a frame takes for a value, the end excluded."""

    start: int
    end: int
    name: str


class Said:
    """A sentence whose quotations and addresses are lifted, in one language, about a document."""

    def __init__(
        self,
        words: Sequence[Word],
        values: Sequence[Value | Address],
        language: Language,
        stands: Callable[[str], bool],
    ) -> None:
        self.words = words
        self.language = language
        self.stands = stands
        self._values = values
        self._there: dict[int, bool] = {}
        self._phrases: dict[tuple[int, int], tuple[int, frozenset[str]]] = {}

    def is_there(self, at: int) -> bool:
        """Whether a word may be one of words that stand in the document."""
        if at not in self._there:
            word = self.words[at]
            is_plain = word.text.isalpha() and not word.is_lifted and not is_spoken(word.text)
            # Numbers may be written otherwise, and marks stand for themselves.
            self._there[at] = self.stands(word.text) if is_plain else not word.is_lifted
        return self._there[at]

    def value(self, at: int) -> Value | None:
        """Returns the quotation that stands at a place."""
        number = self.words[at].value
        value = self._values[number] if number is not None else None
        return value if isinstance(value, Value) else None

    def address(self, at: int) -> Address | None:
        """Returns the address that stands at a place."""
        number = self.words[at].address
        address = self._values[number] if number is not None else None
        return address if isinstance(address, Address) else None

    def is_article(self, at: int) -> bool:
        """Whether an article stands at a place."""
        word = self.words[at]
        # A capital within a sentence is a name: `Widget A`.
        is_name = bool(at) and word.text == "A"
        return not word.is_lifted and word.key in self.language.articles and not is_name

    def skip(self, at: int) -> int:
        """Returns the next place that is no article."""
        while at < len(self.words) and self.is_article(at):
            at += 1
        return at

    def text(self, start: int, end: int) -> str:
        """Returns words as they were typed, blanks evened out."""
        typed = "".join(word.before + word.text for word in self.words[start:end])
        return re.sub(r"\s+", " ", typed).strip()

    def bare(self, start: int, end: int) -> Value:
        """Returns words without quotes as a value, with the article before them."""
        at = start - 1
        article = self.words[at].text if at >= 0 and self.is_article(at) else ""
        return Value(self.text(start, end), is_quoted=False, article=article)

    def phrase(self, start: int, limit: int) -> tuple[int, frozenset[str]]:
        """Returns where the longest phrase at a place ends, and what it may mean.

        Articles within it do not count; `limit` is where it ends at the latest.
        """
        limit = min(limit, start + 2 * _LONGEST_PHRASE)
        if (start, limit) not in self._phrases:
            self._phrases[start, limit] = self._longest(start, limit)
        return self._phrases[start, limit]

    def _longest(self, start: int, limit: int) -> tuple[int, frozenset[str]]:
        ends: list[int] = []
        keys: list[str] = []
        at = start
        while at < limit and len(keys) < _LONGEST_PHRASE and not self.words[at].is_lifted:
            if not self.is_article(at):
                keys.append(self.words[at].key)
                ends.append(at + 1)
            at += 1
        for size in range(len(keys), 0, -1):
            roles = self._roles(tuple(keys[:size]))
            if roles:
                return ends[size - 1], roles
        if _ARROW.fullmatch(self.words[start].text):
            return start + 1, frozenset({"arrow"})
        return start + 1, frozenset()

    def _roles(self, keys: tuple[str, ...]) -> frozenset[str]:
        meanings = self.language.phrases.get(keys, ())
        known = {word for meaning in meanings for word in (meaning.split() or ["noise"])}
        return frozenset(known | set(self.language.frame.get(keys, ())))

    def items_from(self, start: int) -> list[Item]:
        """Returns what stands first behind a place, articles left out; nothing at the end."""
        at = self.skip(start)
        if at >= len(self.words):
            return []
        if self.words[at].is_lifted:
            return [Item(at, at + 1, value=self.value(at), address=self.address(at))]
        end, roles = self.phrase(at, len(self.words))
        return [Item(at, end, roles)]

    def items(self, stretches: Sequence[Stretch] = ()) -> list[Item]:
        """Returns the whole sentence in order, articles left out."""
        taken = {stretch.start: stretch for stretch in stretches}
        laid_out: list[Item] = []
        at = 0
        while at < len(self.words):
            if at in taken:
                stretch = taken[at]
                laid_out.append(Item(at, stretch.end, name=stretch.name))
                at = stretch.end
            elif self.words[at].is_lifted:
                value, address = self.value(at), self.address(at)
                laid_out.append(Item(at, at + 1, value=value, address=address))
                at += 1
            elif self.is_article(at):
                at += 1
            else:
                limit = min([len(self.words), *(start for start in taken if start > at)])
                end, roles = self.phrase(at, limit)
                laid_out.append(Item(at, end, roles))
                at = end
        return laid_out


def shape(text: str) -> str:
    """Returns what a value looks like: what sort it is, or `number`, `code`, `name`, `words`."""
    kind = kind_of(text)
    if kind is not None:
        return f"{kind.name}:{kind.unit if kind.name == 'duration' else ''}"
    if re.fullmatch(r"\d+(?:[.,]\d+)*", text):
        return "number"
    words = text.split()
    if len(words) == 1 and any(char.isdigit() for char in text):
        return "code:" + re.sub(r"[^\W\d_]", "a", re.sub(r"\d", "9", text))
    if words and all(word[:1].isupper() or word in _JOINERS for word in words):
        return "name" if words[0][:1].isupper() and words[-1][:1].isupper() else "words"
    return "words"


def is_alike(old: str, new: str) -> bool:
    """Whether new words look like the old ones, so that one can stand for the other."""
    one, other = shape(old), shape(new)
    if one == other and one != "words":
        return True
    is_counted = {one.split(":")[0], other.split(":")[0]} & {"duration", "money", "percent"}
    if is_counted and "number" in (one, other):
        return True
    if one.startswith("code") and other.startswith("code"):
        return any(char.isalpha() for char in old) == any(char.isalpha() for char in new)
    olds, news = old.casefold().split(), new.casefold().split()
    if len(olds) != len(news) or olds == news:
        return False
    is_numbered = [_has_digit(word) for word in olds] == [_has_digit(word) for word in news]
    if len(olds) == 1:
        return is_numbered and old[:1].isupper() == new[:1].isupper()
    return is_numbered and any(a == b for a, b in zip(olds, news, strict=True))


def _has_digit(text: str) -> bool:
    return any(char.isdigit() for char in text)
