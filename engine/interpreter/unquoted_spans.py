"""Stretches of a sentence that may be words of the document, or words for it, without quotes.

A stretch is bounded by words of the language. It stands in the document as it is typed, follows a
word like `to` and goes on to the end of what is said, or looks like a name. It never takes in a
word that says how to search, an address, or another command.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from redraft.engine.interpreter.commands import Address, Value
from redraft.engine.interpreter.sentences import Word, longest, starts_with_verb
from redraft.engine.interpreter.value_kinds import kind_of
from redraft.engine.interpreter.vocabulary import HALF_VERBS, OPTIONS, VERBS, Language

_LONGEST = 38
_LONGEST_NAME = 8
_LONGEST_QUOTE = 25
_LONGEST_LABEL = 6

# Words of the grammar that may also be what a table is called.
_THINGS = frozenset({"noun", "bullet", "footnotes", "header", "body", "section", "line", "row"})
# Words of the grammar at which what a new thing is called ends.
_BOUNDS = frozenset({"after", "before", "at", "top", "end", "withtext"})
# Words that new words follow.
_CONNECTORS = frozenset(
    {
        "becalled",
        "bereplaced",
        "it",
        "to",
        "with",
        "by",
        "as",
        "at",
        "read",
        "arrow",
        "use",
        "insert",
        "instead",
        "withtext",
    }
)
# What no stretch takes in: what is said with it would be lost.
_NEVER = OPTIONS | {"only", "except", "insidewords", "instead", "closeup", "unless"}
_VERB_WORDS = VERBS | HALF_VERBS


def bare(
    sentence: Sequence[Word],
    values: Sequence[Value | Address],
    language: Language,
    stands: Callable[[str], bool],
) -> Iterator[tuple[list[Word], tuple[Value | Address, ...]]]:
    """Yields the sentence with one or two unquoted stretches lifted, all words accounted for.

    Args:
        sentence: Its words, addresses lifted.
        values: What was lifted.
        language: Whose words bound the stretches.
        stands: Whether the document has words as they are typed.
    """
    if len(sentence) > _LONGEST:
        return
    for named, known in _with_title(sentence, values, language):
        yield list(named), known
        yield from _with_spans(named, known, language, stands)
    yield from _with_spans(sentence, values, language, stands)


def _with_title(
    sentence: Sequence[Word], values: Sequence[Value | Address], language: Language
) -> Iterator[tuple[list[Word], tuple[Value | Address, ...]]]:
    """Lift what a new thing is to be called: `a section titled Risks after …`.

    Nobody who says so can mean anything else by these words, so that they count as quoted. A name
    may have words that also say a place; every end that it may have is tried.
    """
    start = _titled(sentence, language)
    for end in _ends_of_title(sentence, start, language) if start else ():
        words, known = _lifted(sentence, values, ((start, end),), language)
        name = known[-1]
        text = name.text if isinstance(name, Value) else ""
        yield words, (*known[:-1], Value(text))


def _titled(sentence: Sequence[Word], language: Language) -> int:
    """Where the name of a new thing begins; 0 when there is none without quotes."""
    inserts = False
    for at, word in enumerate(sentence[:-1]):
        meanings = language.phrases.get((word.key,), ())
        inserts = inserts or "insert" in meanings
        if inserts and _BOUNDS & set(meanings):
            return 0  # what is titled is the place
        if inserts and "titled" in meanings:
            # "titled appropriately" describes a name; a name itself begins with a capital.
            name = sentence[at + 1]
            is_name = name.value is None and (name.text[0].isupper() or name.text[0].isdigit())
            return at + 1 if is_name else 0
    return 0


def _ends_of_title(sentence: Sequence[Word], start: int, language: Language) -> Iterator[int]:
    """Each place word behind a name, else the end of the sentence."""
    is_bounded = False
    for end in range(start + 1, min(len(sentence), start + _LONGEST_NAME) + 1):
        last = sentence[end - 1]
        is_verb = last.key in language.joints and starts_with_verb(sentence[end:], language)
        if last.is_lifted or last.text in ",;:!?()" or is_verb:
            return
        following = [word for word in sentence[end:] if word.key not in language.articles]
        is_bound = bool(_BOUNDS & set(longest(following[:6], language)[1]))
        if is_bound and sentence[end].key not in language.articles:
            is_bounded = True
            yield end
        elif end == len(sentence) and not is_bounded:
            yield end


def _with_spans(
    sentence: Sequence[Word],
    values: Sequence[Value | Address],
    language: Language,
    stands: Callable[[str], bool],
) -> Iterator[tuple[list[Word], tuple[Value | Address, ...]]]:
    sentence, values = _with_named_table(sentence, values, language)
    meanings = {
        meaning.split()[0]
        for at in range(len(sentence))
        for meaning in longest(sentence[at : at + 6], language)[1]
        if meaning
    }
    if not meanings & (_VERB_WORDS | _TELLING) and not any(w.text in _ARROWS for w in sentence):
        return
    unknown = _unknown(sentence, language)
    spans = list(_spans(sentence, language, stands))
    makes = "make" in longest(sentence[:3], language)[1]
    for first in spans:
        rest = [position for position in unknown if not first[0] <= position < first[1]]
        if not rest:
            yield _lifted(sentence, values, (first,), language)
        if "instead" in meanings:
            # What comes before says what it is that changes.
            rest = [position for position in rest if position > first[0]]
        for second in spans:
            is_behind = second[0] > first[1] or (makes and second[0] == first[1])
            if is_behind and all(second[0] <= at < second[1] for at in rest):
                if "instead" in meanings and not _is_like(sentence, first, second, language):
                    continue
                yield _lifted(sentence, values, (first, second), language)


def _is_like(
    sentence: Sequence[Word],
    first: tuple[int, int],
    second: tuple[int, int],
    language: Language,
) -> bool:
    """Whether two stretches are values of one kind, or the first begins the sentence."""
    one, other = (written(sentence[start:end]) for start, end in (first, second))
    kinds = kind_of(one), kind_of(other)
    if kinds[0] is None and kinds[1] is None:
        before = sentence[first[0] - 1] if first[0] else None
        if before is None or before.is_lifted or before.text == ":":
            return True
        return bool(VERBS & set(language.phrases.get((before.key,), ())))
    # `14 days instead of 21`: what a bare number counts stands behind it in the document.
    return kinds[0] == kinds[1] or one.isdecimal() or other.isdecimal()


# Words of the grammar that make a sentence of words without a verb.
_TELLING = frozenset(
    {"read", "arrow", "becalled", "bereplaced", "bedeleted", "instead", "unlook", "for"}
)
_ARROWS = frozenset({"->", "=>", "\u2192", "\u21d2", "\u2794", "-->"})


def _with_named_table(
    sentence: Sequence[Word], values: Sequence[Value | Address], language: Language
) -> tuple[Sequence[Word], Sequence[Value | Address]]:
    """Lift the word a table is called by: `in the financial table`."""
    for at in range(1, len(sentence)):
        word = sentence[at - 1]
        is_table = "table" in language.phrases.get((sentence[at].key,), ())
        is_word = word.value is None and word.key not in language.articles
        is_name = set(language.phrases.get((word.key,), ())) <= _THINGS
        if is_table and is_word and is_name and word.text[:1].isalpha():
            return _lifted(sentence, values, ((at - 1, at),), language)
    return sentence, values


def _unknown(sentence: Sequence[Word], language: Language) -> list[int]:
    """Positions of words that belong to no phrase of the language.

    Between the verb and `from` they only say what it is that changes ("the meeting from 2 to 3").
    """
    keys = [language.phrases.get((word.key,), ()) for word in sentence]
    position = next((i for i, key in enumerate(keys) if "from" in key), 0)
    positions: list[int] = []
    while position < len(sentence):
        size, _ = longest(sentence[position : position + 6], language)
        word = sentence[position]
        is_known = size or word.is_lifted or word.key in language.articles
        if not is_known:
            positions.append(position)
        position += size or 1
    return positions


def _spans(
    sentence: Sequence[Word], language: Language, stands: Callable[[str], bool]
) -> Iterator[tuple[int, int]]:
    """Stretches without lifted values, those that the document has and the longest first."""
    view = _View(sentence, language)
    candidates: list[tuple[bool, int, int, int]] = []
    for start, end in view.stretches():
        words = sentence[start:end]
        is_there = stands(written(words))
        is_new = end in view.bounds and view.follows_connector(start) and view.is_whole(start, end)
        is_label = end in view.bounds and view.follows_change(start, end)
        is_new = is_new or ("instead" in view.all and kind_of(written(words)) is not None)
        is_name = (
            view.is_whole(start, end) and _is_like_a_quote(words) and (start > 0 or view.has_arrow)
        )
        if is_there or is_new or is_label or is_name:
            candidates.append((not is_there, -(end - start), start, end))
    for _, _, start, end in sorted(candidates):
        yield start, end


class _View:
    """What the words of a sentence mean, each place looked up once."""

    def __init__(self, sentence: Sequence[Word], language: Language) -> None:
        self._sentence = sentence
        self._language = language
        self._at = [longest(sentence[at : at + 6], language) for at in range(len(sentence))]
        self.all = {meaning for _, meanings in self._at for meaning in meanings}
        self._never = _never(sentence, language)
        self._commands = _commands(sentence, language)
        self._inside = self._middles()
        self.bounds = self._bounds()
        self.has_arrow = any(
            word.text in _ARROWS
            or {"read", "becalled", "bereplaced", "bedeleted", "instead"} & set(meanings)
            for word, (_, meanings) in zip(sentence, self._at, strict=True)
        )
        self._connected = {at for at in range(len(sentence)) if self._is_connected(at)}

    def stretches(self) -> Iterator[tuple[int, int]]:
        """Yields the stretches that take in nothing that is said otherwise."""
        sentence = self._sentence
        for start in range(len(sentence)):
            first = sentence[start]
            if start in self._inside or first.key in self._language.articles:
                continue
            if first.is_lifted or first.text in ",;:!?)":
                continue
            for end in range(start + 1, self._limit(start) + 1):
                last = sentence[end - 1]
                if last.text in ",;:!?" or last.key in self._language.articles:
                    continue
                if not _is_cut(sentence, start, end) and _is_closed(sentence[start:end]):
                    yield start, end

    def _limit(self, start: int) -> int:
        """Where stretches from a place on end at the latest."""
        limit = min(len(self._sentence), start + _LONGEST_QUOTE)
        lifted = (at for at in range(start, limit) if self._sentence[at].is_lifted)
        limit = min(limit, next(lifted, limit))
        limit = min([limit, *(end - 1 for first, end in self._never if first >= start)])
        return min([limit, *(at for at in self._commands if at > start)])

    def _middles(self) -> set[int]:
        """Where no stretch begins: in the middle of a phrase like `should be called`."""
        places: set[int] = set()
        at = 0
        while at < len(self._at):
            size, meanings = self._at[at]
            if size > 1 and (_CONNECTORS | _VERB_WORDS) & set(meanings):
                places |= set(range(at + 1, at + size))
            at += size or 1
        return places

    def _bounds(self) -> set[int]:
        """Where new words may end: at the end, and before a word of the grammar."""
        ends = {len(self._sentence)}
        for at, word in enumerate(self._sentence):
            meanings = set(self._at[at][1]) - {"", "noun"}
            if word.is_lifted or meanings or word.text == "," or self._is_article(at):
                ends.add(at)
        return ends

    def _is_article(self, at: int) -> bool:
        return self._sentence[at].key in self._language.articles

    def follows_connector(self, start: int) -> bool:
        """Whether a word that new words follow stands before a place."""
        return start in self._connected

    def is_whole(self, start: int, end: int) -> bool:
        """Whether new words neither end in a word of the grammar nor begin another pair."""
        last = self._sentence[end - 1]
        meanings = set(self._language.phrases.get((last.key,), ()))
        if last.text.islower() and meanings & ({"", "and"} | _CONNECTORS):
            return False
        first = self._sentence[start]
        if first.text.islower() and "" in self._language.phrases.get((first.key,), ()):
            return False
        words = self._sentence[start:end]
        joints = [at for at, word in enumerate(words) if word.key in self._language.joints]
        rest: Sequence[Word] = words[joints[0] :] if joints else ()
        return not any(
            {"to", "with", "by"} & set(self._language.phrases.get((word.key,), ())) for word in rest
        )

    def _before(self, start: int) -> int:
        at = start - 1
        while at >= 0 and self._is_article(at):
            at -= 1
        return at

    def _is_connected(self, start: int) -> bool:
        at = self._before(start)
        if at < 0:
            return False
        if self._sentence[at].text in _ARROWS:
            return True
        for size in (1, 2, 3, 4):
            phrase = tuple(word.key for word in self._sentence[max(0, at - size + 1) : at + 1])
            if _CONNECTORS & set(self._language.phrases.get(phrase, ())):
                return True
        return False

    def follows_change(self, start: int, end: int) -> bool:
        """Whether it says what changes: it stands between `change` and `to`, before `should`."""
        if end - start > _LONGEST_LABEL or end >= len(self._sentence):
            return False
        verb = self._language.phrases.get((self._sentence[0].key,), ())
        if start and "make" in verb:
            return self._sentence[end].text[:1] in "$€£0123456789"
        goes_on = set(self._at[end][1])
        at = self._before(start)
        if at < 0:
            return bool({"read", "becalled", "bereplaced"} & goes_on)
        meanings = set(self._language.phrases.get((self._sentence[at].key,), ()))
        return bool({"change", "set", "make", "correct", "raise"} & meanings and {"to"} & goes_on)


def _is_closed(words: Sequence[Word]) -> bool:
    opened = sum(word.text == "(" for word in words)
    return opened == sum(word.text == ")" for word in words)


def _is_cut(sentence: Sequence[Word], start: int, end: int) -> bool:
    """Whether a stretch is cut out of brackets, or of a name (`New` before `York`)."""
    before = sentence[start - 1].text if start else ""
    after = sentence[end].text if end < len(sentence) else ""
    if (before == "(") != (after == ")") or before == "(":
        return True
    return start > 1 and before[:1].isupper() and not sentence[start - 1].is_lifted


def _never(sentence: Sequence[Word], language: Language) -> list[tuple[int, int]]:
    """Where words say how to search ("everywhere", "only"), the ends excluded."""
    ranges: list[tuple[int, int]] = []
    for at in range(len(sentence)):
        for end in range(at + 1, min(len(sentence), at + 7) + 1):
            words = tuple(w.key for w in sentence[at:end] if w.key not in language.articles)
            if words and _NEVER & set(language.phrases.get(words, ())):
                ranges.append((at, end))
                break
    return ranges


def _is_like_a_quote(words: Sequence[Word]) -> bool:
    """Names and numbers may be some words long, others two."""
    if any(word.text in "()" for word in words):
        return False
    is_name = any(char.isupper() or char.isdigit() for word in words for char in word.text)
    return len(words) <= (_LONGEST_NAME if is_name else 2)


def written(words: Sequence[Word]) -> str:
    """Returns words as they were typed, blanks evened out."""
    text = "".join(word.before + word.text for word in words)
    return re.sub(r"\s+", " ", text).strip()


def _commands(sentence: Sequence[Word], language: Language) -> list[int]:
    """Where another command begins: `Net 45 and make it bold`."""
    return [
        at
        for at, word in enumerate(sentence)
        if (word.key in language.joints or word.text == ",")
        and starts_with_verb(sentence[at + 1 :], language)
    ]


def _lifted(
    sentence: Sequence[Word],
    values: Sequence[Value | Address],
    spans: Sequence[tuple[int, int]],
    language: Language,
) -> tuple[list[Word], tuple[Value | Address, ...]]:
    words: list[Word] = []
    known = list(values)
    position = 0
    for start, end in spans:
        words += sentence[position:start]
        words.append(Word("", len(known)))
        article = sentence[start - 1] if start else None
        is_article = article is not None and article.key in language.articles
        text = written(sentence[start:end])
        known.append(
            Value(text, is_quoted=False, article=article.text if article and is_article else "")
        )
        position = end
    words += sentence[position:]
    return words, tuple(known)
