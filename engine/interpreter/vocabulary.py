"""The words of each language and the canonical word of the grammar they stand for.

They are data: `languages/*.toml`, one file a language, read once. Phrases are matched longest
first, in small letters and without articles. A phrase may stand for several canonical words, of
which the grammar picks; those that carry nothing (politeness) are dropped. To add a language, add a
file: the grammar stays.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# Canonical words that say how to search, never what to write.
OPTIONS = frozenset({"everywhere", "inalldocument", "matchcase", "ignorecase", "wholeword"})
_VERBS = (
    "replace change raise correct use substitute swap delete insert rename set put make"
    " uppercase lowercase titlecase apply move merge split start accept reject fill check uncheck"
    " align rotate redact mark"
)
VERBS = frozenset(_VERBS.split())
# Words that are verbs where something to do it to follows: bold "A" and underline "B".
_HALF_VERBS = (
    "bold italic underline highlighted link comment center justified superscript subscript"
)
HALF_VERBS = frozenset(_HALF_VERBS.split())


_Phrases = dict[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """The phrases of a language; `joints` are the words that tie commands together.

    `first` is the phrase of each canonical word that is said back: the first in its list;
    `vocabulary` all single words there are; `alternatives` and `places` the words that no new words
    without quotes have. `frame` is like `phrases`, for what only frames know.
    """

    name: str
    phrases: Mapping[tuple[str, ...], tuple[str, ...]]
    articles: frozenset[str]
    joints: frozenset[str]
    first: Mapping[str, str] = field(default_factory=dict[str, str])
    vocabulary: frozenset[str] = frozenset()
    alternatives: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    frame: Mapping[tuple[str, ...], tuple[str, ...]] = field(default_factory=_Phrases)


def _parts(phrase: str) -> list[str]:
    """The words of a phrase, French articles parted: `de l'article` has three."""
    return re.findall(r"(?:[ldn]|qu)'(?=\w)|\S+", phrase)


def read(path: Path) -> Language:
    """Reads one language from its table."""
    table: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    articles = frozenset[str](table["articles"])
    words: dict[str, list[str]] = {"": table["dropped"], **table["words"]}
    meanings = _looked_up(words, articles)
    for letter, table_name in (("o", "ordinals"), ("k", "colors"), ("n", "numbers")):
        for phrase, value in table.get(table_name, {}).items():
            meanings[tuple(phrase.split())] = (f"{letter}{value}",)
    first = {canonical: phrases[0] for canonical, phrases in words.items() if phrases}
    joints = frozenset[str](table["joints"])
    alternatives, places = (frozenset[str](table[name]) for name in ("alternatives", "places"))
    frame = _looked_up(table.get("frame", {}), articles)
    vocabulary = articles.union(*meanings, *frame)
    return Language(
        path.stem, meanings, articles, joints, first, vocabulary, alternatives, places, frame
    )


def _looked_up(words: Mapping[str, list[str]], articles: frozenset[str]) -> _Phrases:
    """What each phrase may mean, articles left out."""
    meanings: _Phrases = {}
    for canonical, phrases in words.items():
        for phrase in phrases:
            key = tuple(word for word in _parts(phrase) if word not in articles)
            if key and canonical not in meanings.get(key, ()):
                meanings[key] = (*meanings.get(key, ()), canonical)
    return meanings


_ORDER = ("english", "german", "french", "spanish")
LANGUAGES: tuple[Language, ...] = tuple(
    read(Path(__file__).with_name("languages") / f"{name}.toml") for name in _ORDER
)
"""In the order in which a sentence is tried."""
