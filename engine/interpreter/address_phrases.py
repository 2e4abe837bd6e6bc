"""Which words of a sentence are an address: `the first two sentences of section 4(c)`.

    phrase  = [which] kind [number | name] [in phrase] | number of a clause
    which   = ordinal {and ordinal} [count] | count [ordinal] | all | all but ordinal
    number  = 5, 3.2, 4(c), (b), IV, 2-4, 1 and 3

What is only a name must be that of a place of the document; a phrase that says no more than a kind
(`the table`) is left to the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from redraft.engine.errors import EditError
from redraft.engine.interpreter.commands import Address, UnitKind, Value
from redraft.engine.interpreter.lines import Lines, folded
from redraft.engine.interpreter.outline import defined, keys, numbered, previous, titled
from redraft.engine.interpreter.sentences import Word, longest, starts_with_verb
from redraft.engine.interpreter.structure import resolve
from redraft.engine.interpreter.vocabulary import Language

_KINDS: Mapping[str, UnitKind] = {
    "paragraph": "paragraph",
    "paragraphs": "paragraph",
    "clause": "section",
    "section": "section",
    "sentence": "sentence",
    "line": "line",
    "bullet": "bullet",
    "item": "item",
    "numbered": "bullet",
    "definition": "definition",
    "heading": "heading",
    "headings": "heading",
    "row": "row",
    "column": "column",
    "table": "table",
    "toc": "toc",
    "signature": "signature",
}
_FUNCTION = frozenset(
    {
        "in",
        "from",
        "to",
        "with",
        "after",
        "before",
        "except",
        "only",
        "every",
        "allbut",
        "containing",
    }
)
_LETTERED: frozenset[UnitKind] = frozenset({"bullet", "item", "definition", "section"})
_NUMBER = re.compile(r"§?\s*(?:\d+(?:\.\d+)*[a-z]?|[IVXLC]+)\.?")
_LETTER = re.compile(r"[A-Za-z]")
_INNER = re.compile(r"[A-Za-z]{1,5}|\d{1,3}")
_SPAN = re.compile(r"(\d{1,3})[-\u2013](\d{1,3})")
_ABSATZ = frozenset({"abs.", "abs", "absatz", "al.", "alinéa"})
_LONGEST_NAME = 7
_MOST_COUNTED = 20
_DEEPEST = 3
_MOST_PHRASES = 3


@dataclass(frozen=True, slots=True)
class Phrase:
    """An address and the words it takes, the end excluded."""

    start: int
    end: int
    address: Address


@dataclass(frozen=True, slots=True)
class _Which:
    """What is said before the kind."""

    end: int
    ordinals: tuple[int, ...] = ()
    count: int | None = None
    rest: bool = False
    every: bool = False

    @property
    def says_something(self) -> bool:
        return bool(self.ordinals) or self.count is not None


class Recogniser:
    """Finds the addresses in a sentence of one language, about one document."""

    def __init__(
        self,
        words: Sequence[Word],
        values: Sequence[Value | Address],
        language: Language,
        lines: Lines,
    ) -> None:
        self._words = words
        self._values = values
        self._language = language
        self._lines = lines

    def phrases(self) -> list[list[Phrase]]:
        """Returns the longest addresses in order, those that take the same words together."""
        groups: list[list[Phrase]] = []
        at = 0
        while at < len(self._words):
            here = self._is_article(at)
            ends = [] if here else [*self._phrase(at, 0), *self._scope_name(at)]
            if ends:
                end = max(one.end for one in ends)
                groups.append([one for one in ends if one.end == end])
                at = end
            else:
                at += 1
        return groups

    def _scope_name(self, at: int) -> Iterator[Phrase]:
        """The exact name of a section behind `in` at either end: `in Repairs, change …`."""
        if not at:
            # `Payment: add …`
            phrases = list(self._bare_name(0, 0))
            yield from (one for one in phrases if self._text_at(one.end) == ":")
            return
        before = at - 1
        while before > 0 and self._is_article(before):
            before -= 1
        if "in" not in self._language.phrases.get((self._words[before].key,), ()):
            return
        for phrase in self._bare_name(at, at):
            rest = self._words[phrase.end :]
            is_last = not rest or (before == 0 and starts_with_verb(rest, self._language))
            if is_last or (before == 0 and self._words[phrase.end].text == ","):
                yield phrase

    def _meanings(self, at: int) -> tuple[int, tuple[str, ...]]:
        return longest(self._words[at : at + 6], self._language)

    def _is_article(self, at: int) -> bool:
        if at >= len(self._words) or (at and self._words[at].text == "A"):
            # `in Exhibit A`
            return False
        return self._words[at].key in self._language.articles

    def _text_at(self, at: int) -> str:
        return self._words[at].text if at < len(self._words) else ""

    def _skip(self, at: int) -> int:
        while self._is_article(at):
            at += 1
        return at

    def _phrase(self, start: int, depth: int) -> Iterator[Phrase]:
        at = self._skip(start)
        if at >= len(self._words) or depth > _DEEPEST:
            return
        for which in self._which(at):
            yield from self._kind(start, which, depth)
        if depth:
            yield from self._quoted_name(start, at)
        if not depth or at > 0:
            yield from self._bare_number(start, at)
        if depth:
            yield from self._bare_name(start, at)

    def _which(self, at: int) -> Iterator[_Which]:
        yield _Which(at)
        size, meanings = self._meanings(at)
        if "allbut" in meanings:
            for which in self._ordinals(self._skip(at + size)):
                yield replace(which, rest=True)
            return
        if "every" in meanings and "both" not in meanings:
            after = self._skip(at + size)
            number, end = self._count(after)
            yield _Which(end, count=number, every=True)
            return
        if "both" in meanings:
            yield _Which(at + size, count=2, every=True)
            return
        number, end = self._count(at)
        if number is not None:
            yield _Which(end, count=number)
            for which in self._ordinals(end):
                if len(which.ordinals) == 1:
                    yield replace(which, ordinals=_run(which.ordinals[0], number))
        for which in self._ordinals(at):
            yield which
            number, end = self._count(which.end)
            if number is not None and len(which.ordinals) == 1:
                yield replace(which, end=end, ordinals=_run(which.ordinals[0], number))

    def _ordinals(self, at: int) -> Iterator[_Which]:
        numbers: list[int] = []
        end = at
        while True:
            size, meanings = self._meanings(end)
            ordinal = next((one for one in meanings if re.fullmatch(r"o-?\d+", one)), "")
            if not ordinal:
                break
            numbers.append(int(ordinal[1:]))
            end += size
            yield _Which(end, tuple(numbers))
            if end < len(self._words) and self._is_joint(end):
                end = self._skip(end + 1)
            else:
                break

    def _is_joint(self, at: int) -> bool:
        return self._words[at].text in (",", "&") or "and" in self._meanings(at)[1]

    def _count(self, at: int) -> tuple[int | None, int]:
        if at >= len(self._words) or self._words[at].value is not None:
            return None, at
        size, meanings = self._meanings(at)
        number = next((one for one in meanings if re.fullmatch(r"n\d+", one)), "")
        if not number and self._words[at].text.isdecimal():
            number, size = f"n{self._words[at].text}", 1
        if not number or not 0 < int(number[1:]) <= _MOST_COUNTED:
            return None, at
        return int(number[1:]), at + size

    # the kind, and what follows it

    def _kind(self, start: int, which: _Which, depth: int) -> Iterator[Phrase]:
        yield from self._named_before(start, which, depth)
        at = self._skip(which.end)
        if at >= len(self._words):
            return
        size, meanings = self._meanings(at)
        if "headrow" in meanings and not which.says_something:
            yield from self._tails(start, at + size, Address("row", (1,)), depth)
        kinds: list[UnitKind] = [_KINDS[one] for one in meanings if one in _KINDS]
        for kind in dict.fromkeys(kinds):
            is_plural = kind in ("bullet", "item") and self._words[at + size - 1].key[-1:] == "s"
            if is_plural and self._is_named_so(start) and not which.says_something:
                # `the action items` are called so.
                continue
            every = which.every or is_plural or bool({"headings", "paragraphs"} & set(meanings))
            address = Address(kind, which.ordinals, (), "", which.count, which.rest, every)
            says = which.says_something or (is_plural and not self._has_label(at + size))
            for phrase in self._rest(start, at + size, address, depth, says):
                is_loose = "clause" in meanings and says and phrase.address.within is None
                # Where sections have headings, the last clause is not the last section.
                if not (is_loose and any(one.level for one in self._lines.clauses)):
                    yield phrase

    def _is_named_so(self, at: int) -> bool:
        """Whether a word that says nothing else stands before a place."""
        if not at or self._words[at - 1].is_lifted or self._is_article(at - 1):
            return False
        word = self._words[at - 1]
        return word.text.isalpha() and not self._language.phrases.get((word.key,))

    def _rest(
        self, start: int, at: int, address: Address, depth: int, says: bool
    ) -> Iterator[Phrase]:
        if not says:
            for end, labels in self._labels(at, address.kind):
                titled_end = self._titled_end(end, labels)
                yield from self._tails(start, titled_end, replace(address, labels=labels), depth)
            for end, name in self._name_after(at, address):
                yield from self._tails(start, end, replace(address, name=name), depth)
        if depth and not says and at < len(self._words):
            for end, words in self._holding(at):
                yield from self._tails(start, end, replace(address, holding=words), depth)
        is_whole = says or address.kind in ("toc", "signature")
        tails = list(self._tails(start, at, address, depth))
        for phrase in tails:
            if not is_whole and address.kind in ("row", "column"):
                # `the Price column in Exhibit A`: its name stands before it.
                return
            if is_whole or phrase.address.within is not None or (depth and address.kind == "table"):
                yield phrase

    def _holding(self, at: int) -> Iterator[tuple[int, str]]:
        at = self._skip(at)
        size, meanings = self._meanings(at)
        is_said = {"containing", "with", "saying", "starting"} & set(meanings)
        after = self._skip(at + size) if is_said else at
        if after < len(self._words):
            value = self._words[after].value
            if value is not None and isinstance(words := self._values[value], Value):
                yield after + 1, words.text
        if is_said:
            for end in range(min(len(self._words), after + _LONGEST_NAME), after, -1):
                name = self._text(after, end).casefold()
                if name and any(line.key.startswith(name) for line in self._lines.body):
                    yield end, name
                    return

    def _tails(self, start: int, end: int, address: Address, depth: int) -> Iterator[Phrase]:
        """The phrase as it is, and in every place that follows `in`."""
        yield Phrase(start, end, address)
        size, meanings = self._meanings(end)
        if "sentence" in meanings and address.labels and end + size < len(self._words):
            number = self._words[end + size].text
            if number.isdecimal():
                # `§ 2 Abs. 2 Satz 1`
                inner = Address("sentence", ordinals=(int(number),), within=address)
                yield Phrase(start, end + size + 1, inner)
        if not {"in", "from"} & set(meanings):
            return
        for inner in self._phrase(end + size, depth + 1):
            yield Phrase(start, inner.end, replace(address, within=inner.address))

    # numbers

    def _titled_end(self, end: int, labels: tuple[str, ...]) -> int:
        """Where a number ends that its title follows in brackets: `section 4 (Liability)`."""
        if len(labels) != 1 or end >= len(self._words) or self._words[end].text != "(":
            return end
        texts = [word.text for word in self._words[end:]]
        close = end + texts.index(")") if ")" in texts else end
        name = folded(self._text(end + 1, close))
        clauses = numbered(self._lines.clauses, keys(labels[0]))
        return close + 1 if name and any(one.key == name for one in clauses) else end

    def _labels(self, at: int, kind: UnitKind) -> Iterator[tuple[int, tuple[str, ...]]]:
        first = self._label(at, kind)
        if first is None:
            return
        end, label = first
        span = _SPAN.fullmatch(label)
        if span:
            low, high = int(span[1]), int(span[2])
            if low < high <= low + _MOST_COUNTED:
                yield end, tuple(map(str, range(low, high + 1)))
            return
        labels = [label]
        yield end, (label,)
        size, meanings = self._meanings(end)
        if {"to", "through"} & set(meanings) and label.isdecimal():
            last = self._label(end + size, kind)
            if last is not None and last[1].isdecimal() and int(label) < int(last[1]) < 99:
                yield last[0], tuple(map(str, range(int(label), int(last[1]) + 1)))
        while end < len(self._words) and self._is_joint(end):
            after = end + 1
            if after < len(self._words) and self._words[end].text == "," and self._is_joint(after):
                after += 1
            size, meanings = self._meanings(self._skip(after))
            if any(_KINDS.get(one) == kind for one in meanings):
                after = self._skip(after) + size
            further = self._label(after, kind)
            is_inner = further is not None and further[1].startswith("(")
            if further is None or (is_inner and not labels[0].startswith("(")):
                break
            end, label = further
            labels.append(label)
            yield end, tuple(labels)

    def _has_label(self, at: int) -> bool:
        return self._label(at, "item") is not None

    def _label(self, at: int, kind: UnitKind) -> tuple[int, str] | None:
        if at >= len(self._words) or self._words[at].value is not None:
            return None
        text = self._words[at].text
        if _SPAN.fullmatch(text):
            return at + 1, text
        label, end = "", at
        is_letter = kind in _LETTERED and _LETTER.fullmatch(text)
        if _NUMBER.fullmatch(text) or is_letter:
            label, end = text.strip("§ .#"), at + 1
        while (
            end + 2 < len(self._words)
            and self._words[end].text == "("
            and _INNER.fullmatch(self._words[end + 1].text)
            and self._words[end + 2].text == ")"
        ):
            label += f"({self._words[end + 1].text})"
            end += 3
        return self._inner_label(end, label) if label else None

    def _inner_label(self, end: int, label: str) -> tuple[int, str]:
        """A number with that of a paragraph in it, as lawyers write it: `§ 2 Abs. 2` is 2(2)."""
        if end + 1 < len(self._words) and self._words[end].key in _ABSATZ:
            inner = self._words[end + 1].text.strip("().")
            if inner.isdecimal() and "(" not in label:
                return end + 2, f"{label}({inner})"
        return end, label

    def _bare_number(self, start: int, at: int) -> Iterator[Phrase]:
        """A number without a kind, as 3.2 and 4(c), where a clause has it."""
        numbered_end = self._label(at, "section")
        if numbered_end is None:
            return
        end, label = numbered_end
        is_telling = len(keys(label)) > 1 or label.startswith("(") or "§" in self._words[at].text
        if is_telling and self._is_numbered(keys(label)):
            yield from self._tails(start, end, Address("place", labels=(label,)), 0)

    def _bare_name(self, start: int, at: int) -> Iterator[Phrase]:
        """The exact name of a section in which something is: `the first sentence under Pets`."""
        for end, name in self._name_after(at, Address("section")):
            yield Phrase(start, end, Address("section", name=name))

    def _is_numbered(self, wanted: tuple[str, ...]) -> bool:
        """Whether a clause has a number, or the one before it: that of a clause to be added."""
        return bool(
            numbered(self._lines.clauses, wanted)
            or numbered(self._lines.clauses, (*wanted[:-1], previous(wanted[-1])))
        )

    # names

    def _name_after(self, at: int, address: Address) -> Iterator[tuple[int, str]]:
        size, meanings = self._meanings(at)
        if address.kind not in ("section", "heading", "definition", "table"):
            return
        if not {"titled", "containing", "in", "for"} & set(meanings):
            size = 0
        begin = self._skip(at + size)
        if begin >= len(self._words) or self._words[begin].value is not None:
            return
        for end in range(min(len(self._words), begin + _LONGEST_NAME), begin, -1):
            name = self._text(begin, end)
            if name and self._is_called(address.kind, name, is_exact=not size):
                yield end, name
                return

    def _quoted_name(self, start: int, at: int) -> Iterator[Phrase]:
        """`the "Payment" section`, `section "Payment"`, in which something is."""
        size, meanings = self._meanings(at)
        kinds = [_KINDS[one] for one in meanings if _KINDS.get(one) in ("section", "heading")]
        quoted = self._skip(at + size) if kinds else at
        if quoted >= len(self._words) or (value := self._words[quoted].value) is None:
            return
        end = quoted + 1
        if not kinds:
            size, meanings = self._meanings(end)
            kinds = [_KINDS[one] for one in meanings if _KINDS.get(one) in ("section", "heading")]
            end += size
        name = self._values[value]
        if (
            kinds
            and isinstance(name, Value)
            and self._is_called("section", name.text, is_exact=False)
        ):
            yield Phrase(start, end, Address("section", name=name.text))
        elif isinstance(name, Value) and self._is_called("section", name.text, is_exact=True):
            # `the paragraph under "Payment"`
            yield Phrase(start, quoted + 1, Address("section", name=name.text))

    def _named_before(self, start: int, which: _Which, depth: int) -> Iterator[Phrase]:
        """`the Payment section`, `the signature table`, `the fees table`."""
        begin = self._skip(which.end)
        if which.says_something:
            return
        for end in range(begin + 1, min(len(self._words), begin + _LONGEST_NAME)):
            if self._words[end - 1].value is not None or self._is_function(end - 1):
                return
            size, meanings = self._meanings(end)
            kinds = [_KINDS[one] for one in meanings if one in _KINDS]
            for kind in kinds:
                if kind not in ("section", "heading", "paragraph", "table"):
                    continue
                name = self._text(begin, end)
                if name and self._is_called(kind, name, is_exact=False):
                    address = Address(kind, name=name)
                    yield from self._tails(start, end + size, address, depth)

    def _is_function(self, at: int) -> bool:
        """Whether a word says where or which, and is no part of a name."""
        meanings = self._language.phrases.get((self._words[at].key,), ())
        return any(one in _FUNCTION or re.fullmatch(r"o-?\d+", one) for one in meanings)

    def _text(self, begin: int, end: int) -> str:
        words = self._words[begin:end]
        if any(word.value is not None or word.text in ",;:!?()" for word in words):
            return ""
        if self._is_article(end - 1):
            return ""
        return " ".join(word.text for word in words)

    def _is_called(self, kind: UnitKind, name: str, *, is_exact: bool) -> bool:
        """Whether something of the document has this name."""
        if kind == "table":
            try:
                resolve(self._lines, Address(kind, name=name))
            except EditError:
                return False
            return True
        if kind == "definition" and defined(self._lines.body, name):
            return True
        places = titled(self._lines.clauses, name)
        if is_exact:
            return any(one.title.casefold() == name.casefold() for one in places)
        return bool(places)


def with_addresses(
    sentence: Sequence[Word],
    values: tuple[Value | Address, ...],
    language: Language,
    lines: Lines,
) -> Iterator[tuple[list[Word], tuple[Value | Address, ...]]]:
    """Yields the sentence with its addresses lifted out, all of them first, none of them last."""
    groups = Recogniser(sentence, values, language, lines).phrases()[:_MOST_PHRASES]
    choices = [[*group, None] for group in groups]
    for chosen in sorted(product(*choices), key=lambda one: one.count(None)):
        phrases = [phrase for phrase in chosen if phrase is not None]
        words: list[Word] = []
        known = list(values)
        at = 0
        for phrase in phrases:
            words += sentence[at : phrase.start]
            words.append(Word("", address=len(known)))
            known.append(phrase.address)
            at = phrase.end
        yield [*words, *sentence[at:]], tuple(known)


def _run(ordinal: int, count: int) -> tuple[int, ...]:
    """The first two are 1 and 2, the last two -2 and -1."""
    if ordinal == -1:
        return tuple(range(-count, 0))
    return tuple(range(ordinal, ordinal + count))
