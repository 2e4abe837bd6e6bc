"""New words without quotes: whether they are words to write, and nothing else is said with them.

`550 ml and round the prices` holds a second instruction, `45 days, or maybe 60` an alternative,
`clause 3.2: 14 days` an address. None of that may be written into a document.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from redraft.engine.errors import RefusedError
from redraft.engine.interpreter.commands import (
    Command,
    Insert,
    Name,
    Replace,
    ReplaceUnit,
    SetValue,
    Value,
)
from redraft.engine.interpreter.search import Hit
from redraft.engine.interpreter.value_kinds import kind_of
from redraft.engine.interpreter.vocabulary import LANGUAGES, VERBS, Language

_TOKEN = re.compile(r"[^\s,;:!?()]+(?:[:,.][^\s,;:!?()]+)*|[,;:!?()]")
# Canonical words of what a number or letter behind makes an address.
_ADDRESSED = frozenset(
    {"section", "clause", "paragraph", "item", "bullet", "row", "column", "page", "sentence"}
)
_TELLING = frozenset({"instead", "becalled", "bereplaced", "bedeleted", "read"})
_COPULAS = frozenset(
    {"is", "are", "was", "were", "ist", "sind", "est", "sont", "es", "son", "está"}
)
# Words of any language that name alternatives or places.
_SAID_OTHERWISE = frozenset[str]().union(
    *(language.alternatives | language.places for language in LANGUAGES)
)
_ASIDE = re.compile(r"\([^()]*[^\W\d_]{2}[^()]*\)$")
_NUMBER = re.compile(r"[\divxIVX]+[\d.]*|[a-zA-Z]|\(")


def says_more(command: Command, language: Language) -> bool:
    """Returns whether new words without quotes hold words that say something else."""
    match command:
        case Replace():
            return _holds_more(command.by, command.find.text, language)
        case ReplaceUnit() | SetValue():
            return _holds_more(command.by, "", language)
        case Insert():
            return _holds_more(command.text, "", language)
        case Name():
            return _holds_more(command.value, "", language)
        case _:
            return False


def _holds_more(value: Value, old: str, language: Language) -> bool:
    text = value.text
    if value.is_quoted or not text or kind_of(text) is not None:
        return False
    words = _TOKEN.findall(text)
    known = {word.casefold() for word in _TOKEN.findall(old)}
    keys = [word.casefold() for word in words]
    said = set(keys) - known
    return (
        bool(said & (_SAID_OTHERWISE | {":", ";", "?", "!"}))
        or (bool(old) and "(" not in old and _ASIDE.search(text) is not None)
        or _begins_with_verb(words, old, language)
        or _joins_more(words, known, language)
        or _has_address(keys, known, language)
    )


def _begins_with_verb(words: Sequence[str], old: str, language: Language) -> bool:
    """Whether a verb of the language, or any small word before a name for a name, begins them."""
    first = words[0]
    if len(words) < 2 or not first[:1].islower() or old.startswith(first):
        return False
    is_verb = bool(VERBS & set(language.phrases.get((first.casefold(),), ())))
    is_before_name = old[:1].isupper() and words[1][:1].isupper()
    return is_verb or (is_before_name and first.casefold() not in language.articles)


def _joins_more(words: Sequence[str], known: set[str], language: Language) -> bool:
    """Whether small words follow an `and` or comma that the old words do not have."""
    for at, word in enumerate(words[:-1]):
        if word.casefold() in known or word.casefold() not in language.joints | {","}:
            continue
        if any(after[:1].islower() for after in words[at + 1 :]):
            return True
    return False


def _has_address(keys: Sequence[str], known: set[str], language: Language) -> bool:
    """Whether they name a numbered place, or say what they stand for."""
    for at, key in enumerate(keys):
        meanings = set(language.phrases.get((key,), ()))
        if key in known:
            continue
        if key.startswith("§") or key in _COPULAS or meanings & _TELLING:
            return True
        is_numbered = at + 1 < len(keys) and _NUMBER.fullmatch(keys[at + 1]) is not None
        if meanings & _ADDRESSED and is_numbered:
            return True
    return False


def fitted(places: Sequence[Hit], quote: str, by: Value) -> str:
    """Returns new words without those at their ends that stand beside each place already.

    Raises:
        RefusedError: They stand beside some places only, or nothing else is new.
    """
    if by.is_quoted or not places:
        return by.text
    fitting = {_fitted(hit, quote, by.text) for hit in places}
    if len(fitting) == 1 and (text := fitting.pop()):
        return text
    message = (
        f"Words of “{by.text}” stand beside “{quote}” already; put all the words that change in"
        ' quotes, as: change "A" to "B"'
    )
    raise RefusedError(message)


def _fitted(hit: Hit, quote: str, by: str) -> str:
    old, new = quote.split(), by.split()
    before, after = hit.line.text[: hit.start].split(), hit.line.text[hit.end :].split()
    after = [word.strip(".,;:") for word in after]
    for size in range(min(len(before), len(new)), 0, -1):
        if before[-size:] == new[:size] and old[:size] != new[:size]:
            new = new[size:]
            break
    for size in range(min(len(after), len(new)), 0, -1):
        if after[:size] == new[-size:] and old[-size:] != new[-size:]:
            new = new[:-size]
            break
    return " ".join(new) if len(new) < len(by.split()) else by
