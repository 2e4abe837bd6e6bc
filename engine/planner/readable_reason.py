"""A model's reason as a person reads it: places by their words, without the ids of a view."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from redraft.engine.planner.retrieval import Entry

_WORDS: Final = 6
_ID: Final = r"(?:chg\d+(?:\.\d+)?|cc\d+|(?:[a-z]{1,2}\d+)(?:\.[a-z]\d+)*)"
_ASIDE: Final = re.compile(rf"\s*\((?:{_ID}(?:\s*[-\u2013,;]\s*|\s+and\s+)?)+\)")
_BARE: Final = re.compile(
    rf"(?<![\w“\"'.])(?:\[({_ID})\]|\u27e6({_ID})[^\u27e7]*\u27e7|({_ID})(?![\w”\"']|\.\w))"
)
_TOKEN_NAME: Final = re.compile("\u27e6((?:im|cc|fn|en)[0-9]+)")
_KINDS: Final = {
    "t": "the table",
    "r": "the row",
    "c": "the cell",
    "im": "the picture",
    "cc": "the field",
    "fn": "the footnote",
    "en": "the endnote",
}
_TOKEN: Final = re.compile("\u27e6[^\u27e7]*\u27e7|[*\\\\]")


def readable(reason: str, document: Sequence[Entry]) -> str:
    """Returns a reason in which ids of the document give way to the words that stand there.

    Words that look like an id and are none (`h2` in a text on headings) stay.
    """
    if not _BARE.search(reason) and not _ASIDE.search(reason):
        return reason
    words = {entry.anchor: _first_words(entry.text) for entry in document}
    for anchor in list(words):
        while "." in anchor:
            anchor = anchor.rpartition(".")[0]
            words.setdefault(anchor, "")
    for entry in document:
        words |= dict.fromkeys(_TOKEN_NAME.findall(entry.text), "")

    def aside(match: re.Match[str]) -> str:
        ids = re.findall(_ID, match[0])
        return "" if any(one in words for one in ids) else match[0]

    def bare(match: re.Match[str]) -> str:
        name = next(filter(None, match.groups()))
        if name not in words:
            return match[0]
        return f"“{words[name]}”" if words[name] else _kind(name)

    return " ".join(_BARE.sub(bare, _ASIDE.sub(aside, reason)).split())


def _first_words(text: str) -> str:
    words = _TOKEN.sub("", text).replace("|", " ").split()
    return " ".join(words[:_WORDS]) + (" …" if len(words) > _WORDS else "")


def _kind(anchor: str) -> str:
    last = anchor.rpartition(".")[2].rstrip("0123456789")
    return _KINDS.get(last, "the paragraph")
