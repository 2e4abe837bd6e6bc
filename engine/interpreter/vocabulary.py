"""The words of each language and the canonical word of the grammar they stand for.

Phrases are matched longest first, in small letters and without articles. A phrase may stand for
several canonical words, of which the grammar picks; the empty one is dropped (politeness). To add a
language, add a module of words: the grammar stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from redraft.engine.interpreter import english, french, german, spanish

# Canonical words that say how to search, never what to write.
OPTIONS = frozenset({"everywhere", "inalldocument", "matchcase", "ignorecase", "wholeword"})
_VERBS = (
    "replace change correct use substitute swap delete insert rename set put make"
    " uppercase lowercase titlecase apply move merge split start accept reject fill check uncheck"
    " align rotate redact"
)
VERBS = frozenset(_VERBS.split())
# Words that are verbs where something to do it to follows: bold "A" and underline "B".
_HALF_VERBS = (
    "bold italic underline highlighted link comment center justified superscript subscript"
)
HALF_VERBS = frozenset(_HALF_VERBS.split())


@dataclass(frozen=True, slots=True)
class Language:
    """The phrases of a language; `joints` are the words that tie commands together."""

    phrases: Mapping[tuple[str, ...], tuple[str, ...]]
    articles: frozenset[str]
    joints: frozenset[str]


def _language(
    words: Mapping[str, str],
    ordinals: Mapping[str, int],
    colors: Mapping[str, str],
    articles: frozenset[str],
    joints: frozenset[str],
) -> Language:
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for canonical, phrases in words.items():
        for phrase in phrases.split("|"):
            key = tuple(word for word in phrase.split() if word not in articles)
            if key and canonical not in found.get(key, ()):
                found[key] = (*found.get(key, ()), canonical)
    for phrase, number in ordinals.items():
        found[tuple(phrase.split())] = (f"o{number}",)
    for phrase, color in colors.items():
        found[tuple(phrase.split())] = (f"k{color}",)
    return Language(found, articles, joints)


LANGUAGES: tuple[Language, ...] = tuple(
    _language(module.WORDS, module.ORDINALS, module.COLORS, module.ARTICLES, module.JOINTS)
    for module in (english, german, french, spanish)
)
