"""The nearest sentence that would work: the document's words that were typed, in quotes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from redraft.engine.interpreter.commands import Value
from redraft.engine.interpreter.sentences import Word
from redraft.engine.interpreter.vocabulary import LANGUAGES

_LONGEST = 8
_INTO = frozenset({"to", "with", "by", "arrow", "read", "becalled"})
_FORMS = {
    "delete": ('delete "{0}"', 'delete the paragraph containing "{0}"'),
    "make": ('make "{0}" bold',),
    "insert": ('insert "{1}" after "{0}"',),
    "change": ('change "{0}" to "{1}"',),
}
_KINDS = {
    **dict.fromkeys(("replace", "change", "correct", "set", "raise", "use", "rename"), "change"),
    **dict.fromkeys(("delete", "bedeleted"), "delete"),
    **dict.fromkeys(("insert", "put"), "insert"),
    "make": "make",
}


def suggestions(
    recognised: Sequence[str],
    sentence: Sequence[Word],
    values: Sequence[Value],
    stands: Callable[[str], bool],
) -> Iterator[str]:
    """Yields sentences in canonical form that a person may have meant, the likeliest first."""
    kind = next((_KINDS[word] for word in recognised if word in _KINDS), "")
    quoted = [value.text for value in values]
    old = next((text for text in quoted if stands(text)), "") or _standing(sentence, stands)
    new = next((text for text in quoted if text != old), "") or _behind(sentence)
    for form in _FORMS.get(kind, ()):
        if old and (new or "{1}" not in form) and '"' not in old + new:
            yield form.format(old, new)


def _known(word: Word) -> bool:
    return any(word.key in one.vocabulary or word.key in one.articles for one in LANGUAGES)


def _standing(sentence: Sequence[Word], stands: Callable[[str], bool]) -> str:
    """The longest words of a sentence that stand in the document and are more than its grammar."""
    best = ""
    for start in range(len(sentence)):
        for end in range(start + 1, min(len(sentence), start + _LONGEST) + 1):
            part = sentence[start:end]
            text = _text(part)
            is_plain = not any(word.is_lifted for word in part) and not all(map(_known, part))
            is_named = is_plain and not _known(part[0]) and not _known(part[-1])
            if is_named and len(text) > max(len(best), 2) and stands(text):
                best = text
    return best


def _behind(sentence: Sequence[Word]) -> str:
    """The words behind the last `to`."""
    places = [
        at
        for at, word in enumerate(sentence)
        for one in LANGUAGES
        if _INTO & set(one.phrases.get((word.key,), ()))
    ]
    rest = sentence[max(places) + 1 :] if places else ()
    return _text(rest) if not any(word.is_lifted for word in rest) else ""


def _text(words: Sequence[Word]) -> str:
    return "".join(word.before + word.text for word in words).strip()
