"""What a quote means: find it in a text although it was typed, not copied.

A ladder; the first rung with hits wins, and the text's own characters are what is hit:

1. exact
2. composed accents, quotes, dashes and blanks of any kind alike, soft hyphens and joiners ignored
3. any stretch of blanks as one blank; the tokens for tab and line break are blanks too
4. the quote without a list number, Markdown marks and other tokens
5. upper and lower case alike
6. for long quotes: at least 90 % of the words in order, and nothing else nearly as alike

Offsets count characters of the text; spans are half-open, in order, and never overlap.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

Span = tuple[int, int]

FUZZY_WORDS: Final = 6
FUZZY_SHARE: Final = 0.9
FUZZY_LEAD: Final = 0.15

_ALIKE: Final = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4`", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    **dict.fromkeys("\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009", " "),
    **dict.fromkeys("\u200a\u202f\u205f\u3000", " "),
    **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", ""),
    "\u2026": "...",
}
_BLANK_TOKENS = re.compile(r"\u27e6(?:tab|br)\u27e7")
_TOKENS = re.compile(r"\u27e6[^\u27e7]*\u27e7")
# A full stop ends a list number only before a blank: `2.0`, `e.g.` and `U.S.` begin with none.
_LABEL = re.compile(
    r"^\s*(?:#{1,6}\s+|[-*\u2022\u00b7]\s+"
    r"|\(?(?:\d+(?:\.\d+)*|[A-Za-z]|[ivxlcIVXLC]+)(?:\)\s*|\.\s+)|\d+(?:\.\d+)+\s+)"
)
_MARKS = re.compile(r"(?<!\\)(?:\*{1,3}|__|~~|`)|\\(?=[*\u27e6\u27e7])")
_WORD = re.compile(r"\w+")
_ASCII_WORD = re.compile("[a-z0-9]+")
_BLANK = re.compile(r"\s+")
# Where a number goes on before and behind a hit. The year of 31.12.2026 is a number of its own, and
# a full stop with nothing behind it ends a sentence.
_DIGITS = re.compile(r"\d+")
_YEAR = 4
_BEGAN_BEFORE = re.compile(r"\d[.,]?$")
_BEGAN_BEFORE_YEAR = re.compile(r"\d,?$")
_GOES_ON = re.compile(r"\d|[.,]\d")
_IRREGULAR_BLANK = re.compile(r"\s\s|[^\S ]")
_ONE_TO_ONE = str.maketrans({key: value for key, value in _ALIKE.items() if len(value) == 1})
_RESIZED = re.compile("[" + "".join(key for key, value in _ALIKE.items() if len(value) != 1) + "]")


@dataclass(frozen=True, slots=True)
class _Folded:
    """A text in which alike is equal; `starts[i]`, `ends[i]` are the source span of character i."""

    text: str
    starts: list[int] | None = None
    ends: list[int] | None = None

    def span(self, start: int, end: int) -> Span:
        if self.starts is None or self.ends is None:
            return start, end
        return self.starts[start], self.ends[end - 1]


def find(text: str, quote: str, *, whole_word: bool = False) -> list[Span]:
    """Where a text says what the quote means; the hits of the first rung that has any."""
    for wanted in (quote, _bare(quote)):
        ways = [_places(text, wanted, match_case=match_case) for match_case in (True, False)]
        for inside_numbers in (False, True):
            for spans in ways:
                kept = _kept(text, spans, whole_word=whole_word, inside_numbers=inside_numbers)
                if kept:
                    return kept
    return [] if whole_word else _fuzzy(text, quote)


def occurrences(text: str, quote: str, *, match_case: bool, whole_word: bool) -> list[Span]:
    """Every place of a literal quote by rungs 1 to 3: what replacing everywhere means.

    A number is one of its own: `30` is in `30 days` and `FY30`, not in `130`, `30,000` or `30.5`.
    """
    spans = _places(text, quote, match_case=match_case)
    return _kept(text, spans, whole_word=whole_word, inside_numbers=False)


def core(quote: str) -> str:
    """The longest word of a quote, folded, which `occurrences` of it have; empty for none."""
    folded = _fold(_BLANK_TOKENS.sub(" ", quote), case=True).text
    return max(_ASCII_WORD.findall(folded), key=len, default="")


def has_core(text: str, word: str) -> bool:
    """Whether a text has the `core` of a quote: cheaper than looking for the quote itself."""
    return word in _fold(text, case=True).text


def unsaid(
    text: str, hits: Sequence[Span], new: str, *, keeps: bool = True
) -> tuple[list[Span], int]:
    """The hits of a quote that new words are to replace, and in how many places these stand.

    Who replaces `ACME` with `ACME Corp` does not mean the places that say so: `the ACME Corp's`,
    but not `ACME Corporation`. They keep their own letters (`ACME CORP`); one that lacks a capital
    of the new words is replaced as a whole.

    Args:
        text: What the hits are in.
        hits: In order; they do not overlap.
        new: The new words, without marks.
        keeps: Whether the words stay that say so; not where the new ones look otherwise.
    """
    found: list[Span] = []
    kept = 0
    places = iter(_places(text, new, match_case=False))
    place = next(places, None)
    seen: Span | None = None
    for hit in hits:
        while place is not None and place[1] < hit[1]:
            place = next(places, None)
        if place is None or not _says_around(text, place, hit):
            found.append(hit)
        elif place == seen:
            continue
        elif found and place[0] < found[-1][1]:
            found.append(hit)
        else:
            seen = place
            is_kept = keeps and _has_capitals(text[slice(*place)], new)
            kept += is_kept
            found += [] if is_kept else [place]
    return found, kept


def _says_around(text: str, place: Span, hit: Span) -> bool:
    """Whether a hit is a part of a place, which adds whole words or signs to it."""
    is_inside = place[0] <= hit[0] and hit[1] <= place[1] and place != hit
    return (
        is_inside
        and (place[0] == hit[0] or _is_edge(text, place[0]))
        and (place[1] == hit[1] or _is_edge(text, place[1]))
        and not _cuts_number(text, place)
    )


def _has_capitals(there: str, new: str) -> bool:
    """Whether words have a capital wherever new ones that say the same have one."""
    pairs = zip(_fold(there, case=False).text, _fold(new, case=False).text, strict=False)
    return all(own.isupper() or not wanted.isupper() for own, wanted in pairs)


def longer_word(text: str, span: Span) -> str:
    """The word that a hit is only a part of; empty when it begins and ends where words do."""
    if _is_whole(text, span):
        return ""
    start, end = span
    while _is_letter(text[start - 1 : start]):
        start -= 1
    while _is_letter(text[end : end + 1]):
        end += 1
    return text[start:end]


def _kept(text: str, spans: list[Span], *, whole_word: bool, inside_numbers: bool) -> list[Span]:
    return [
        span
        for span in spans
        if (inside_numbers or not _cuts_number(text, span))
        and (not whole_word or _is_whole(text, span))
    ]


def _cuts_number(text: str, span: Span) -> bool:
    start, end = span
    leading = _DIGITS.match(text, start, end)
    if leading:
        is_year = leading.end() - start >= _YEAR
        before = text[max(0, start - 2) : start]
        if (_BEGAN_BEFORE_YEAR if is_year else _BEGAN_BEFORE).search(before):
            return True
    return text[end - 1 : end].isdecimal() and bool(_GOES_ON.match(text, end))


def _places(text: str, quote: str, *, match_case: bool) -> list[Span]:
    spans: list[Span] = []
    if match_case:
        spans = _literal(_Folded(text), quote)
    if not spans:
        wanted = _fold(quote, case=not match_case).text
        spans = _literal(_fold(text, case=not match_case), wanted)
    if not spans:
        wanted = _BLANK.sub(" ", _fold(_BLANK_TOKENS.sub(" ", quote), case=not match_case).text)
        spans = _with_blanks(_fold(text, case=not match_case), wanted.strip())
    return spans


def closest(texts: Iterable[str], quote: str) -> str:
    """The text that has most in common with the quote, by its words; empty when none has any."""
    wanted = set(_words(quote))
    best, best_score = "", 0.0
    for text in texts:
        there = set(_words(text))
        score = len(wanted & there) / (len(wanted) + 0.1 * len(there)) if wanted else 0.0
        if score > best_score:
            best, best_score = text, score
    return best


def adapted(replacement: str, hit: str, quote: str) -> str:
    """The replacement in the case of what it replaces, as Word's Replace does without match case.

    A hit in capitals gets capitals, a capitalised hit of a quote in small letters a capital: each
    word its own, as in a title, where hit and replacement have as many words.
    """
    if hit == quote or not quote or not replacement:
        return replacement
    if hit.isupper() and not quote.isupper() and sum(map(str.isalpha, hit)) > 1:
        return replacement.upper()
    if quote == quote.lower() and all(word[:1].isupper() for word in hit.split()):
        words, size = re.split(r"(\s+)", replacement), len(hit.split())
        if size > 1 and len(words) == 2 * size - 1:
            return "".join(word[:1].upper() + word[1:] for word in words)
    if hit[:1].isupper() and quote[:1].islower() and replacement[:1].islower():
        return replacement[:1].upper() + replacement[1:]
    return replacement


def _literal(folded: _Folded, wanted: str) -> list[Span]:
    spans: list[Span] = []
    at = folded.text.find(wanted) if wanted else -1
    while at >= 0:
        end = at + len(wanted)
        spans.append(folded.span(at, end))
        at = folded.text.find(wanted, end)
    return spans


def _with_blanks(folded: _Folded, wanted: str) -> list[Span]:
    """Hits of a quote whose blanks may be longer or others in the text."""
    if " " not in wanted or not all(word in folded.text for word in wanted.split()):
        return []
    return _literal(_fold_blanks(folded), wanted)


def _is_whole(text: str, span: Span) -> bool:
    return all(_is_edge(text, at) for at in span)


def _is_edge(text: str, at: int) -> bool:
    """Whether no word goes on over a place between two characters."""
    return not (_is_letter(text[at - 1 : at]) and _is_letter(text[at : at + 1]))


def _is_letter(char: str) -> bool:
    return bool(char) and (char.isalnum() or char == "_" or unicodedata.combining(char) > 0)


def _fold(text: str, *, case: bool) -> _Folded:
    """Composed accents, quotes, dashes, blanks alike; small letters if `case`."""
    if unicodedata.is_normalized("NFC", text) and not _RESIZED.search(text):
        plain = text if text.isascii() and "`" not in text else text.translate(_ONE_TO_ONE)
        small = plain.casefold() if case else plain
        if len(small) == len(text):
            return _Folded(small)
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    while at < len(text):
        end = at + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        cluster = unicodedata.normalize("NFC", text[at:end])
        piece = "".join(_ALIKE.get(char, char) for char in cluster)
        piece = piece.casefold() if case else piece
        pieces.append(piece)
        starts += [at] * len(piece)
        ends += [end] * len(piece)
        at = end
    return _Folded("".join(pieces), starts, ends)


def _fold_blanks(folded: _Folded) -> _Folded:
    if not _IRREGULAR_BLANK.search(folded.text):
        return folded
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for match in re.finditer(r"\s+|\S", folded.text):
        start, end = folded.span(match.start(), match.end())
        pieces.append(" " if match[0].isspace() else match[0])
        starts.append(start)
        ends.append(end)
    return _Folded("".join(pieces), starts, ends)


def _bare(quote: str) -> str:
    """The quote without what a view adds: a label, Markdown marks, tokens."""
    text = _TOKENS.sub("", _BLANK_TOKENS.sub(" ", quote))
    text = _MARKS.sub("", text)
    words = _LABEL.sub("", text)
    # What has no words is no text behind a number, but another number.
    text = (words if any(map(str.isalpha, words)) else text).strip()
    return "" if text == quote else text


def _words(text: str) -> list[str]:
    return _WORD.findall(_fold(text, case=True).text)


def _fuzzy(text: str, quote: str) -> list[Span]:
    """One passage that has nearly all words of a long quote in order, if no other comes near."""
    wanted = _words(quote)
    folded = _fold(text, case=True)
    matches = list(_WORD.finditer(folded.text))
    if len(wanted) < FUZZY_WORDS or len(matches) < len(wanted) // 2:
        return []
    words = [match[0] for match in matches]
    scored: list[tuple[float, int, int]] = []
    for start in _candidates(words, wanted):
        window = words[start : start + len(wanted) + 2]
        matcher = difflib.SequenceMatcher(None, wanted, window, autojunk=False)
        blocks = [block for block in matcher.get_matching_blocks() if block.size]
        if blocks:
            first, last = start + blocks[0].b, start + blocks[-1].b + blocks[-1].size
            kept = sum(block.size for block in blocks)
            scored.append((2 * kept / (len(wanted) + last - first), first, last))
    scored.sort(key=lambda item: (-item[0], item[1]))
    if not scored or scored[0][0] < FUZZY_SHARE:
        return []
    best = scored[0]
    others = [score for score, first, last in scored if first >= best[2] or last <= best[1]]
    if others and others[0] > best[0] - FUZZY_LEAD:
        return []
    return [folded.span(matches[best[1]].start(), matches[best[2] - 1].end())]


def _candidates(words: list[str], wanted: list[str]) -> list[int]:
    """Where a passage may begin: one of its first words stands at its place, a few at most."""
    places: dict[str, list[int]] = {}
    for index, word in enumerate(words):
        places.setdefault(word, []).append(index)
    votes: dict[int, int] = {}
    for offset, word in enumerate(wanted):
        for index in places.get(word, ())[:200]:
            start = max(index - offset, 0)
            votes[start] = votes.get(start, 0) + 1
    likely = sorted(votes, key=lambda start: -votes[start])[:24]
    good = [start for start in likely if votes[start] * 3 >= len(wanted)]
    return sorted({max(start - back, 0) for start in good for back in range(3)})
