"""An instruction becomes commands in canonical words: cut into sentences, words looked up.

The first language in whose words the sentence can be read is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, product

from redraft.engine.interpreter.commands import Address, Value
from redraft.engine.interpreter.value_kinds import MONTHS
from redraft.engine.interpreter.vocabulary import HALF_VERBS, LANGUAGES, VERBS, Language
from redraft.engine.quotes import Lifted

_WORD = re.compile(
    r"\x00(?P<value>\d+)\x00"
    r"|(?P<newline>\n)"
    r"|(?P<arrow>-+>|=+>|[→⇒➔])"
    r"|(?P<elided>(?:[ldn]|qu)['\u2019])(?=[^\W\d_])"
    r"|(?P<word>[^\s\x00,;:!?()]+(?:[:,][^\s\x00,;:!?()]+)*)"
    r"|(?P<mark>[,;:!?()])",
    re.IGNORECASE,
)
# How many readings of ambiguous words are tried, and how long a sentence may be to be split.
_MOST_READINGS = 24

_THEN = frozenset({"then", "dann", "danach", "anschließend", "puis", "ensuite", "luego"})
_JOINTS = frozenset({",", "-", "•"}).union(*(language.joints for language in LANGUAGES))


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a sentence as written; `value` and `address` number a lifted stretch.

    `before` is the blank before it, `meant` the word of the language it is a misspelling of.
    """

    text: str
    value: int | None = None
    address: int | None = None
    before: str = ""
    meant: str = ""

    @property
    def is_lifted(self) -> bool:
        """Whether it stands for a stretch that was lifted out."""
        return self.value is not None or self.address is not None

    @property
    def key(self) -> str:
        """The form that is looked up."""
        return (self.meant or self.text).casefold().replace("\u2019", "'")


@dataclass(frozen=True, slots=True)
class Canonical:
    """A sentence in canonical words, `q2` being `values[2]`.

    `unknown` are the words that nobody knows, and nouns such as `price`.
    """

    words: str
    values: tuple[Value | Address, ...]
    unknown: tuple[str, ...] = ()


def split(lifted: Lifted) -> list[list[Word]]:
    """Cut into sentences at `;`, line ends, `then`, and full stops before more words."""
    sentences: list[list[Word]] = [[]]
    words = list(_words(lifted.text))
    for at, word in enumerate(words):
        if word.text == "\n" and not (_says(sentences[-1]) and _begins_line(words[at + 1 :])):
            continue
        if word.text in (";", "\n", ".") or word.key in _THEN:
            sentences.append([])
        else:
            sentences[-1].append(word)
    trimmed = (_trimmed(sentence) for sentence in sentences)
    return [sentence for sentence in trimmed if sentence]


def _says(words: Sequence[Word]) -> bool:
    """Whether words say more than `please could you`."""
    verbs = VERBS | HALF_VERBS
    return any(
        word.is_lifted or verbs & set(language.phrases.get((word.key,), ()))
        for word in words
        for language in LANGUAGES
    )


def _begins_line(words: Sequence[Word]) -> bool:
    """Whether a line begins a sentence of its own, and does not go on with the one before."""
    rest = list(words)
    while rest and (rest[0].key in _JOINTS or rest[0].text == "\n"):
        rest = rest[1:]
    is_marked = len(rest) < len(words) or (bool(rest) and rest[0].text[:1].isupper())
    return is_marked or any(starts_with_verb(rest, language) for language in LANGUAGES)


def _words(text: str) -> Iterator[Word]:
    end = 0
    for token in _WORD.finditer(text):
        before, end = text[end : token.start()], token.end()
        if token["value"]:
            yield Word(token[0], int(token["value"]), before=before)
            continue
        word = token[0]
        if token["word"] and len(word) > 1 and word.endswith("."):
            # An abbreviation ("p.m.") keeps its stop; a sentence ends before a capital.
            rest = text[token.end() :].lstrip(" \t")
            is_end = not rest or rest[0] in "\n;\x00" or rest[0].isupper()
            if is_end and not _goes_on(word, rest):
                yield Word(word[:-1], before=before)
                yield Word(".")
                continue
        yield Word(word, before=before)


# Words whose stop ends no sentence where more follows: titles, initials, the day of a date.
_SHORT = re.compile(
    r"(?:\w\.){2,}|[A-Z]\.|(?:Dr|Mr|Mrs|Ms|Prof|St|No|Nr|Abs|Art|Sec|Ziff|Fr|Hr|Mme|Sr|Sra|cl|para)\.",
    re.IGNORECASE,
)
_MONTH = re.compile(rf"(?:{MONTHS})\b", re.IGNORECASE)


def _goes_on(word: str, rest: str) -> bool:
    """Whether the stop of a word belongs to it: `Dr. Inga`, `14. Februar`."""
    is_day = re.fullmatch(r"\d{1,2}\.", word) is not None and _MONTH.match(rest) is not None
    is_short = _SHORT.fullmatch(word) is not None and bool(rest) and rest[0].isalnum()
    return is_day or is_short or re.fullmatch(r"(?:\w\.){2,}", word) is not None


def _trimmed(sentence: list[Word]) -> list[Word]:
    """Without the joints of a sentence: leading `and`, outer commas."""
    start, end = 0, len(sentence)
    while start < end and sentence[start].key in _JOINTS:
        start += 1
    while end > start and sentence[end - 1].text in {",", "!", "?", ".", ":"}:
        end -= 1
    return sentence[start:end]


def joined(sentence: Sequence[Word], language: Language) -> list[list[Word]]:
    """Cut `replace … and delete …` before each verb that follows `and` or a comma.

    `replace A with B and C with D` says the verb once; the second part gets it, too.
    """
    parts: list[list[Word]] = [[]]
    for index, word in enumerate(sentence):
        follows = sentence[index + 1 :]
        is_said = _has_value(parts[-1]) or _begins(parts[-1], language)
        is_joint = word.key in ({","} | language.joints) and len(parts[-1]) > 1 and is_said
        if is_joint and _begins(follows, language):
            parts.append([])
        elif (
            is_joint and _is_pair(follows, language) and _is_pair(_from_value(parts[-1]), language)
        ):
            first = next(i for i, before in enumerate(parts[-1]) if before.value is not None)
            parts.append(parts[-1][:first])
        else:
            parts[-1].append(word)
    return [trimmed for part in parts if (trimmed := _trimmed(part))]


def _begins(words: Sequence[Word], language: Language) -> bool:
    """Whether words begin a command, or one behind a numbered place: `in 7.1 change …`."""
    if starts_with_verb(words, language):
        return True
    rest = [word for word in words[:5] if word.key not in language.joints | {","}]
    is_place = len(rest) > 2 and "in" in language.phrases.get((rest[0].key,), ())
    number = next((at for at, word in enumerate(rest) if word.text[:1].isdigit()), None)
    return is_place and number is not None and starts_with_verb(rest[number + 1 :], language)


def _is_pair(words: Sequence[Word], language: Language) -> bool:
    """Whether words go on like `"C" with "D"`."""
    if len(words) < 3 or words[0].value is None or words[2].value is None:
        return False
    return bool({"with", "to"} & set(language.phrases.get((words[1].key,), ())))


def _from_value(words: Sequence[Word]) -> Sequence[Word]:
    return words[next((i for i, word in enumerate(words) if word.value is not None), 0) :]


def _has_value(words: Sequence[Word]) -> bool:
    return any(word.value is not None for word in words)


def starts_with_verb(words: Sequence[Word], language: Language) -> bool:
    """Whether words begin a command."""
    verbs = VERBS | HALF_VERBS if _has_value(words[:4]) else VERBS
    for size in (3, 2, 1):
        meanings = language.phrases.get(tuple(word.key for word in words[:size]), ())
        if any(canonical in verbs for canonical in meanings):
            return True
    return False


def is_undo(sentence: Sequence[Word]) -> bool:
    """Whether a sentence only takes back the last edit."""
    words = [word for word in sentence if word.key not in LANGUAGES[0].articles]
    return any(
        longest(words, language) == (len(words), ("undo",)) for language in LANGUAGES if words
    )


def canonical(
    sentence: Sequence[Word], values: Sequence[Value | Address], language: Language
) -> Iterator[Canonical]:
    """Look the words of a sentence up; several results where a phrase has several meanings."""
    shown = [
        word
        for at, word in enumerate(sentence)
        if word.key not in language.articles or (at and word.text == "A")
    ]
    pairs = list(_slots(shown, language))
    slots, texts = [slot for slot, _ in pairs], [text for _, text in pairs]
    for choice in islice(product(*slots), _MOST_READINGS):
        unknown = [text for word, text in zip(choice, texts, strict=True) if word in ("u", "noun")]
        words = [word for word in choice if word]
        if words and words[-1] in VERBS and words[0] not in VERBS:
            # `„A“ durch „B“ ersetzen`: the verb comes last.
            words = [words[-1], *words[:-1]]
        yield Canonical(" ".join(words), tuple(values), tuple(unknown))


def _slots(words: Sequence[Word], language: Language) -> Iterator[tuple[tuple[str, ...], str]]:
    """What each phrase may mean, and the phrase."""
    position = 0
    while position < len(words):
        word = words[position]
        size, meanings = longest(words[position : position + 6], language)
        if meanings and not word.is_lifted:
            text = " ".join(word.key for word in words[position : position + size])
            yield meanings, text
            position += size
        else:
            yield (_token(word),), word.key
            position += 1


def _token(word: Word) -> str:
    """The canonical word of a lifted stretch, a number or sign; `u` for any other word."""
    if word.is_lifted:
        return f"q{word.value}" if word.value is not None else f"a{word.address}"
    if re.fullmatch(r"#?\d{1,6}", word.text):
        return f"n{word.text.lstrip('#')}"
    if size := re.fullmatch(r"(\d{1,3}(?:[.,]5)?)-?(?:pt|pts|points?)", word.key):
        return f"z{size[1].replace(',', '.')}"
    if re.fullmatch(r"\d{1,2}[.,]\d{1,2}", word.text):
        return f"d{word.text.replace(',', '.')}"
    if span := re.fullmatch(r"(\d{1,4})[-\u2013](\d{1,4})", word.text):
        return f"r{span[1]}-{span[2]}"
    if angle := re.fullmatch(r"(\d{1,3})\u00b0", word.text):
        return f"n{angle[1]}"
    is_arrow = word.text in "→⇒➔" or re.fullmatch(r"[-=]+>", word.text)
    return "arrow" if is_arrow else "u"


def longest(words: Sequence[Word], language: Language) -> tuple[int, tuple[str, ...]]:
    """The longest phrase that words begin with: how many of them, and what it may mean."""
    for size in range(len(words), 0, -1):
        meanings = language.phrases.get(tuple(word.key for word in words[:size]))
        if meanings is not None:
            return size, meanings
    return 0, ()


_FAR = 4
_VOCABULARY = frozenset[str]().union(*(language.vocabulary for language in LANGUAGES))


def spelled(
    sentence: Sequence[Word], language: Language, is_known: Callable[[str], bool]
) -> list[Word]:
    """Returns the sentence with misspelt words of the language recognised.

    A word counts as misspelt when it is in no phrase and not in the document, and exactly one word
    of the language differs from it by one letter, or two letters that changed places.
    """
    return [_spelled(word, language, is_known) for word in sentence]


def _spelled(word: Word, language: Language, is_known: Callable[[str], bool]) -> Word:
    key = word.key
    if word.is_lifted or len(key) < _FAR or not key.isalpha() or key in _VOCABULARY:
        return word
    if is_known(key):
        return word
    meant = _nearest(key, language.name)
    return replace(word, meant=meant) if meant else word


@lru_cache(4096)
def _nearest(key: str, name: str) -> str:
    """The only word of a language that is nearly this one; empty when there is none."""
    language = next(one for one in LANGUAGES if one.name == name)
    likely = (one for one in language.vocabulary if one[0] == key[0])
    near = [one for one in likely if len(one) >= _FAR and _is_near(key, one)]
    return near[0] if len(near) == 1 else ""


def _is_near(one: str, other: str) -> bool:
    """Whether two words differ by one letter, or by two neighbours that changed places."""
    if abs(len(one) - len(other)) > 1 or one[0] != other[0]:
        return False
    start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    if start is None:
        return len(one) != len(other)
    a, b = one[start:], other[start:]
    is_swapped = len(a) > 1 and len(b) > 1 and a[0] == b[1] and a[1] == b[0] and a[2:] == b[2:]
    is_plural = one.rstrip("s") == other.rstrip("s")
    return is_swapped or (not is_plural and (a[1:] == b[1:] or a[1:] == b or a == b[1:]))
