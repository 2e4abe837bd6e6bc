"""Where a quote stands in a text: the judge's own, naive locator.

One regular expression per quote: characters of one family (quotation marks, dashes, blanks) are
alike, invisible characters are skipped, and a number is one of its own. It knows no fuzzy match: a
long quote with other words is located by its words in order.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_FAMILIES: Final = (
    "'\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4`",
    '"\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb',
    "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
)
_INVISIBLE: Final = (
    "[\u00ad\u200b-\u200d\u2060-\u2064\ufeff\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]*"
)
_SKIPPED: Final = re.compile(_INVISIBLE.replace("]*", "]+"))
_MARKUP: Final = re.compile(
    r"\u27e6(?:tab|br)\u27e7|(\u27e6[^\u27e7]*\u27e7|(?<!\\)\*{1,3}|__|~~|`|\\(?=[*\u27e6\u27e7]))"
)
_LABEL: Final = re.compile(
    r"^\s*(?:#{1,6}\s+|[-*\u2022\u00b7]\s+"
    r"|\(?(?:\d+(?:\.\d+)*|[A-Za-z]|[ivxlcIVXLC]+)(?:\)\s*|\.\s+)|\d+(?:\.\d+)+\s+)"
)
_ELLIPSES: Final = ("...", "\u2026")
_SIGNS: Final = re.compile(r"\.{3}|.", re.DOTALL)
_YEAR: Final = 4


def pattern_of(text: str) -> str:
    """Returns an expression for all that reads as a text: its typography does not count."""
    found: list[str] = []
    for word in re.split(r"(\s+)", _SKIPPED.sub("", unicodedata.normalize("NFC", text))):
        if not word:
            continue
        if word.isspace():
            found.append(r"[\s\u00a0\u00ad]+")
            continue
        found += map(_alike, _SIGNS.findall(word))
    return _INVISIBLE.join(found)


def _alike(char: str) -> str:
    if char in _ELLIPSES:
        return r"(?:\.\.\.|\u2026)"
    family = next((family for family in _FAMILIES if char in family), "")
    if family:
        return f"[{re.escape(family)}]"
    apart = unicodedata.normalize("NFD", char)
    if apart != char:
        return f"(?:{re.escape(char)}|{re.escape(apart)})"
    return re.escape(char)


def find(text: str, quote: str, *, match_case: bool = False) -> list[tuple[int, int]]:
    """Returns where a quote stands in a text, as half-open spans in order.

    The quote as it is, with and without regard to case, then without what a view adds to it, then
    by its words alone.
    """
    bare = _MARKUP.sub(lambda mark: "" if mark[1] else " ", quote)
    for wanted in dict.fromkeys((quote, bare, _LABEL.sub("", bare).strip())):
        for flags in (0, re.IGNORECASE):
            if flags and match_case:
                continue
            for is_apart in (True, False):
                spans = _spans(text, wanted, flags, is_apart=is_apart)
                if spans:
                    return spans
    return _by_words(text, bare)


def everywhere(
    text: str, quote: str, *, match_case: bool, whole_word: bool
) -> list[tuple[int, int]]:
    """Returns every place of a literal quote that replacing everywhere means."""
    spans = _spans(text, quote, 0 if match_case else re.IGNORECASE, is_apart=True)
    if not whole_word:
        return spans
    return [
        (start, end)
        for start, end in spans
        if not (re.match(r"\w\w", text[max(start - 1, 0) : start + 1]) and start)
        and not re.match(r"\w\w", text[end - 1 : end + 1])
    ]


def _spans(text: str, quote: str, flags: int, *, is_apart: bool) -> list[tuple[int, int]]:
    """The places of an expression; `is_apart`: a number in it does not go on outside."""
    spans = _exact(text, quote, flags) or [
        (start + len(hit) - len(hit.lstrip(_BLANKS)), end)
        for match in (re.finditer(pattern_of(quote.strip()), text, flags) if quote.strip() else ())
        for start, end, hit in [(*match.span(), match[0])]
        if hit
    ]
    return [span for span in spans if not (is_apart and _cuts_number(text, *span))]


def _exact(text: str, quote: str, flags: int) -> list[tuple[int, int]]:
    """The places of a quote letter by letter; an expression is made only where case is alike."""
    if not quote:
        return []
    if flags:
        return [match.span() for match in re.finditer(re.escape(quote), text, flags)]
    spans: list[tuple[int, int]] = []
    at = text.find(quote)
    while at >= 0:
        spans.append((at, at + len(quote)))
        at = text.find(quote, at + len(quote))
    return spans


def _cuts_number(text: str, start: int, end: int) -> bool:
    digits = re.match(r"\d+", text[start:end])
    if digits is not None:
        before = text[max(start - 2, 0) : start]
        if re.search(r"\d,?$" if len(digits[0]) >= _YEAR else r"\d[.,]?$", before):
            return True
    return text[end - 1 : end].isdecimal() and bool(re.match(r"\d|[.,]\d", text[end:]))


def _by_words(text: str, quote: str) -> list[tuple[int, int]]:
    """The shortest stretch from the first to the last word of a long quote, if there is one."""
    words = re.findall(r"\w+", quote)
    if len(words) < _FUZZY:
        return []
    for lead in range(2):
        for tail in range(2):
            ends = pattern_of(words[lead]), pattern_of(words[-1 - tail])
            size = 2 * len(quote)
            match = re.search(rf"\b{ends[0]}\b.{{0,{size}}}?\b{ends[1]}\b", text, _ANY)
            if match is not None:
                return [match.span()]
    return []


_BLANKS: Final = " \t\n\u00a0\u00ad"
_FUZZY: Final = 6
_ANY: Final = re.IGNORECASE | re.DOTALL
