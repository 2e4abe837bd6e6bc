"""An instruction becomes commands in canonical words: cut into sentences, words looked up.

The first language in whose words the sentence can be read is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product

from redraft.engine.interpreter.commands import Address, Value
from redraft.engine.interpreter.vocabulary import HALF_VERBS, LANGUAGES, OPTIONS, VERBS, Language
from redraft.engine.quotes import Lifted

_WORD = re.compile(
    r"\x00(?P<value>\d+)\x00"
    r"|(?P<newline>\n)"
    r"|(?P<arrow>-+>|=+>|[→⇒➔])"
    r"|(?P<word>[^\s\x00,;:!?()]+(?:[:,][^\s\x00,;:!?()]+)*)"
    r"|(?P<mark>[,;:!?()])"
)
# How many readings of ambiguous words are tried, and how long a sentence may be to be split.
_MOST_READINGS = 24
_LONGEST = 40
_LONGEST_NAME = 8

# Words of the grammar that may also be what a table is called.
_THINGS = frozenset({"noun", "bullet", "footnotes", "header", "body", "section", "line", "row"})
_THEN = frozenset({"then", "dann", "danach", "anschließend", "puis", "ensuite", "luego"})
# Words of the grammar at which what a new thing is called ends.
_BOUNDS = frozenset({"after", "before", "at", "top", "end", "withtext"})
_JOINTS = frozenset({",", "-", "•"}).union(*(language.joints for language in LANGUAGES))


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a sentence as written; `value` and `address` number a lifted stretch."""

    text: str
    value: int | None = None
    address: int | None = None

    @property
    def is_lifted(self) -> bool:
        """Whether it stands for a stretch that was lifted out."""
        return self.value is not None or self.address is not None

    @property
    def key(self) -> str:
        """The form that is looked up."""
        return self.text.casefold().replace("\u2019", "'")


@dataclass(frozen=True, slots=True)
class Canonical:
    """A sentence in canonical words, `q2` being `values[2]`."""

    words: str
    values: tuple[Value | Address, ...]


def split(lifted: Lifted) -> list[list[Word]]:
    """Cut into sentences at `;`, line ends, `then`, and full stops before more words."""
    sentences: list[list[Word]] = [[]]
    for word in _words(lifted.text):
        if word.text in (";", "\n", ".") or word.key in _THEN:
            sentences.append([])
        else:
            sentences[-1].append(word)
    trimmed = (_trimmed(sentence) for sentence in sentences)
    return [sentence for sentence in trimmed if sentence]


def _words(text: str) -> Iterator[Word]:
    for found in _WORD.finditer(text):
        if found["value"]:
            yield Word(found[0], int(found["value"]))
            continue
        word = found[0]
        if found["word"] and len(word) > 1 and word.endswith("."):
            # An abbreviation ("p.m.") keeps its stop; a sentence ends before a capital.
            rest = text[found.end() :].lstrip(" \t")
            is_end = not rest or rest[0] in "\n;\x00" or rest[0].isupper()
            if is_end and not re.fullmatch(r"(?:\w\.){2,}", word):
                yield Word(word[:-1])
                yield Word(".")
                continue
        yield Word(word)


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
        is_said = _has_value(parts[-1]) or _starts_with_verb(parts[-1], language)
        is_joint = word.key in ({","} | language.joints) and len(parts[-1]) > 1 and is_said
        if is_joint and _starts_with_verb(follows, language):
            parts.append([])
        elif (
            is_joint and _is_pair(follows, language) and _is_pair(_from_value(parts[-1]), language)
        ):
            first = next(i for i, before in enumerate(parts[-1]) if before.value is not None)
            parts.append(parts[-1][:first])
        else:
            parts[-1].append(word)
    return [trimmed for part in parts if (trimmed := _trimmed(part))]


def _is_pair(words: Sequence[Word], language: Language) -> bool:
    """Whether words go on like `"C" with "D"`."""
    if len(words) < 3 or words[0].value is None or words[2].value is None:
        return False
    return bool({"with", "to"} & set(language.phrases.get((words[1].key,), ())))


def _from_value(words: Sequence[Word]) -> Sequence[Word]:
    return words[next((i for i, word in enumerate(words) if word.value is not None), 0) :]


def _has_value(words: Sequence[Word]) -> bool:
    return any(word.value is not None for word in words)


def _starts_with_verb(words: Sequence[Word], language: Language) -> bool:
    verbs = VERBS | HALF_VERBS if _has_value(words[:4]) else VERBS
    for size in (3, 2, 1):
        found = language.phrases.get(tuple(word.key for word in words[:size]), ())
        if any(canonical in verbs for canonical in found):
            return True
    return False


def canonical(
    sentence: Sequence[Word], values: Sequence[Value | Address], language: Language
) -> Iterator[Canonical]:
    """Look the words of a sentence up; several results where a phrase has several meanings."""
    slots = list(_slots([word for word in sentence if word.key not in language.articles], language))
    for choice in islice(product(*slots), _MOST_READINGS):
        words = [word for word in choice if word]
        if words and words[-1] in VERBS and words[0] not in VERBS:
            # `„A“ durch „B“ ersetzen`: the verb comes last.
            words = [words[-1], *words[:-1]]
        yield Canonical(" ".join(words), tuple(values))


def _slots(words: Sequence[Word], language: Language) -> Iterator[tuple[str, ...]]:
    position = 0
    while position < len(words):
        word = words[position]
        size, found = longest(words[position : position + 6], language)
        if word.is_lifted:
            yield (f"q{word.value}" if word.value is not None else f"a{word.address}",)
        elif found:
            yield found
            position += size
            continue
        elif re.fullmatch(r"#?\d{1,6}", word.text):
            yield (f"n{word.text.lstrip('#')}",)
        elif size_in := re.fullmatch(r"(\d{1,3}(?:[.,]5)?)-?(?:pt|pts|points?)", word.key):
            yield (f"z{size_in[1].replace(',', '.')}",)
        elif re.fullmatch(r"\d{1,2}[.,]\d{1,2}", word.text):
            yield (f"d{word.text.replace(',', '.')}",)
        elif span := re.fullmatch(r"(\d{1,4})[-\u2013](\d{1,4})", word.text):
            yield (f"r{span[1]}-{span[2]}",)
        elif angle := re.fullmatch(r"(\d{1,3})\u00b0", word.text):
            yield (f"n{angle[1]}",)
        elif word.text in "→⇒➔" or re.fullmatch(r"[-=]+>", word.text):
            yield ("arrow",)
        else:
            yield ("u",)
        position += 1


def longest(words: Sequence[Word], language: Language) -> tuple[int, tuple[str, ...]]:
    """The longest phrase that words begin with: how many of them, and what it may mean."""
    for size in range(len(words), 0, -1):
        found = language.phrases.get(tuple(word.key for word in words[:size]))
        if found is not None:
            return size, found
    return 0, ()


def bare(
    sentence: Sequence[Word], values: Sequence[Value | Address], language: Language
) -> Iterator[tuple[list[Word], tuple[Value | Address, ...]]]:
    """Lift one or two unquoted stretches, in every way that takes in all words nobody knows."""
    if len(sentence) > _LONGEST:
        return
    for named, known in _with_title(sentence, values, language):
        yield list(named), known
        yield from _with_spans(named, known, language)
    yield from _with_spans(sentence, values, language)


def _with_title(
    sentence: Sequence[Word], values: Sequence[Value | Address], language: Language
) -> Iterator[tuple[list[Word], tuple[Value | Address, ...]]]:
    """Lift what a new thing is to be called: `a section titled Risks after …`.

    Nobody who says so can mean anything else by these words, so that they count as quoted. A name
    may have words that also say a place; every end that it may have is tried.
    """
    found = _titled(sentence, language)
    for end in _ends_of_title(sentence, found, language) if found else ():
        words, known = _lifted(sentence, values, ((found, end),), language)
        name = known[-1]
        text = name.text if isinstance(name, Value) else ""
        yield words, (*known[:-1], Value(text))


def _titled(sentence: Sequence[Word], language: Language) -> int:
    """Where the name of a new thing begins; 0 when there is none without quotes."""
    inserts = False
    for at, word in enumerate(sentence[:-1]):
        said = language.phrases.get((word.key,), ())
        inserts = inserts or "insert" in said
        if inserts and _BOUNDS & set(said):
            return 0  # what is titled is the place
        if inserts and "titled" in said:
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
        is_verb = last.key in language.joints and _starts_with_verb(sentence[end:], language)
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
    sentence: Sequence[Word], values: Sequence[Value | Address], language: Language
) -> Iterator[tuple[list[Word], tuple[Value | Address, ...]]]:
    sentence, values = _with_named_table(sentence, values, language)
    verbs = VERBS | HALF_VERBS
    if not any(verbs & set(language.phrases.get((word.key,), ())) for word in sentence):
        return
    unknown = _unknown(sentence, language)
    spans = [
        span for span in _spans(sentence, language) if not _ends_in_option(sentence, span, language)
    ]
    for first in spans:
        rest = [position for position in unknown if not first[0] <= position < first[1]]
        if not rest:
            yield _lifted(sentence, values, (first,), language)
        for second in spans:
            if second[0] > first[1] and all(second[0] <= at < second[1] for at in rest):
                yield _lifted(sentence, values, (first, second), language)


def _with_named_table(
    sentence: Sequence[Word], values: Sequence[Value | Address], language: Language
) -> tuple[Sequence[Word], Sequence[Value | Address]]:
    """Lift the word a table is called by: `in the financial table`."""
    for at in range(1, len(sentence)):
        word = sentence[at - 1]
        is_table = "table" in language.phrases.get((sentence[at].key,), ())
        is_word = word.value is None and word.key not in language.articles
        is_name = set(language.phrases.get((word.key,), ())) <= _THINGS
        if is_table and is_word and is_name and word.text[0].isalpha():
            return _lifted(sentence, values, ((at - 1, at),), language)
    return sentence, values


def _unknown(sentence: Sequence[Word], language: Language) -> list[int]:
    """Positions of words that belong to no phrase of the language.

    Between the verb and `from` they only say what it is that changes ("the meeting from 2 to 3").
    """
    keys = [language.phrases.get((word.key,), ()) for word in sentence]
    position = next((i for i, key in enumerate(keys) if "from" in key), 0)
    found: list[int] = []
    while position < len(sentence):
        size, _ = longest(sentence[position : position + 6], language)
        word = sentence[position]
        is_known = size or word.is_lifted or word.key in language.articles
        if not is_known:
            found.append(position)
        position += size or 1
    return found


def _spans(sentence: Sequence[Word], language: Language) -> Iterator[tuple[int, int]]:
    """Stretches without lifted values, neither the first word nor an article at their ends."""
    for start in range(1, len(sentence)):
        for end in range(start + 1, len(sentence) + 1):
            if sentence[end - 1].is_lifted:
                break
            if _is_like_a_quote(sentence[start:end], language):
                yield start, end


def _is_like_a_quote(words: Sequence[Word], language: Language) -> bool:
    """Names and numbers may be some words long, others two; nothing begins with an article."""
    edges = (words[0], words[-1])
    if any(word.key in language.articles or word.text in ",;:!?()" for word in edges):
        return False
    if _goes_on(words, language):
        return False
    is_name = any(char.isupper() or char.isdigit() for word in words for char in word.text)
    return len(words) <= (_LONGEST_NAME if is_name else 2)


def _goes_on(words: Sequence[Word], language: Language) -> bool:
    """Whether words hold another command: `Net 45 and make it bold`."""
    return any(
        (word.key in language.joints or word.text == ",")
        and _starts_with_verb(words[at + 1 :], language)
        for at, word in enumerate(words)
    )


def _ends_in_option(sentence: Sequence[Word], span: tuple[int, int], language: Language) -> bool:
    """Whether the last words of a stretch say how to search ("everywhere", "as whole words")."""
    start, end = span
    for first in range(max(start, end - 6), end):
        words = [word.key for word in sentence[first:end] if word.key not in language.articles]
        if OPTIONS & set(language.phrases.get(tuple(words), ())):
            return True
    return False


def _lifted(
    sentence: Sequence[Word],
    values: Sequence[Value | Address],
    spans: Sequence[tuple[int, int]],
    language: Language,
) -> tuple[list[Word], tuple[Value | Address, ...]]:
    words: list[Word] = []
    found = list(values)
    position = 0
    for start, end in spans:
        words += sentence[position:start]
        words.append(Word("", len(found)))
        has_article = sentence[start - 1].key in language.articles
        text = " ".join(word.text for word in sentence[start:end])
        text = re.sub(r" ([,;:!?)])", r"\1", text)
        found.append(Value(text, is_quoted=False, has_article=has_article))
        position = end
    words += sentence[position:]
    return words, tuple(found)
