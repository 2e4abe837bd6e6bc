"""Which words of a sentence may be the old value and which the new one, in any order.

An old value stands in the document, as it is typed or with its number written otherwise. A new one
follows a word like `to`, or stands opposite to what it should not be (`B, not A`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from redraft.engine.interpreter.frame_words import Item, Said, Stretch, is_alike, shape
from redraft.engine.interpreter.quantities import variants
from redraft.engine.interpreter.value_kinds import kind_of

_CHANGE = "change replace set raise correct use make put insert rename fill swap substitute apply"
CHANGE = frozenset(_CHANGE.split())
EVERY = frozenset({"replace", "rename", "correct", "use", "substitute"})
INTO = frozenset({"to", "with", "by", "as", "at", "arrow", "read", "becalled", "bereplaced", "is"})
OLD = frozenset({"instead", "contrast"})
IN = frozenset({"in", "for", "from", "on", "at", "with", "to", "by"})
NEUTRAL = frozenset({"noise", "", "titled", "it", "and", "be", "word", "inalldocument", "only"})
NOUN = frozenset({"noun", "word", "sentence", "line", "paragraph", "clause", "section", "item"})
STORIES = frozenset({"header", "footer", "footnotes", "title"})
# Words that say by themselves that something changes; others need a verb.
TELLING = frozenset({"arrow", "read", "becalled", "bereplaced"})
# Words that no new ones take in: what is said with them would be lost.
_SEARCHING = {"everywhere", "matchcase", "ignorecase", "wholeword", "insidewords", "only"}
_NEVER = OLD | _SEARCHING | {"never", "unless", "except", "allbut"}
# What new words are not, but are called: `turn it into a table`.
_STRUCTURE = (
    "table list heading headings bullet bulletlist numberlist title row column image link footnote"
    " comment plain quotation uppercase lowercase titlecase bold italic underline nothing"
)
STRUCTURE = frozenset(_STRUCTURE.split())
MARKS = frozenset(",:;.!()-\u2013\u2014")
LONGEST = 38
_LONGEST_NEW = 14
_LONGEST_OLD = 14


@dataclass(frozen=True, slots=True)
class Pair:
    """An old and a new value as stretches of the sentence; no old one where only a name is said."""

    old: Stretch | None
    new: Stretch

    @property
    def stretches(self) -> list[Stretch]:
        """Both, as they stand in the sentence."""
        return sorted(
            [one for one in (self.old, self.new) if one is not None], key=lambda one: one.start
        )


def pairs(said: Said, items: Sequence[Item]) -> Iterator[Pair]:
    """Yields the values that a sentence may have, its words between them not looked at."""
    starts = [item for item in items if item.roles & INTO]
    contrasts = [item for item in items if item.roles & OLD]
    if contrasts:
        if len(contrasts) == 1:
            yield from _contrasted(said, items, contrasts[0])
        return
    for item in starts:
        for new in _news(said, items, item.end):
            for old in _olds(said, items, new):
                yield Pair(old, new)
            yield Pair(None, new)


def _news(said: Said, items: Sequence[Item], start: int) -> Iterator[Stretch]:
    """New values that begin at a place: a quotation, or words to each place where they may end."""
    start = _begin(said, items, said.skip(start))
    if start >= len(said.words) or said.words[start].address is not None:
        return
    if said.value(start) is not None:
        yield Stretch(start, start + 1, "new")
        return
    seen: set[int] = set()
    for end in _ends(said, items, start):
        last = _trimmed(said, items, start, end)
        is_closed = _is_closed(said, start, last) and last not in seen
        seen.add(last)
        if (
            start < last <= start + _LONGEST_NEW
            and is_closed
            and not _has_lifted(said, start, last)
        ):
            yield Stretch(start, last, "new")


def _begin(said: Said, items: Sequence[Item], start: int) -> int:
    """Where a quotation stands that a noun announces: `to the words "A"`; else the place itself."""
    before = next((one for one in items if one.end <= start and one.roles & INTO), None)
    following = next((one for one in items if one.start == start), None)
    if before and before.roles & {"is", "read"} and following and following.roles & {"on", "in"}:
        # `the review is on 1 March`
        start = said.skip(following.end)
    at = start
    while True:
        item = next((one for one in items if one.start == at), None)
        if item is None or not item.roles & (NOUN | {"noise"}) or item.roles & INTO:
            return start
        at = said.skip(item.end)
        if at >= len(said.words):
            return start
        if said.value(at) is not None:
            return at


def _ends(said: Said, items: Sequence[Item], start: int) -> list[int]:
    """Where new words may end: at a word of a frame, none beyond one that they never take in."""
    ends: list[int] = []
    for item in items:
        if item.start < start:
            continue
        is_last = item.value is not None or item.address is not None or item.roles & _NEVER
        if is_last or (item.start > start and item.roles & (IN | CHANGE | {"noise"})):
            ends.append(item.start)
        if is_last:
            return ends
    return [*ends, len(said.words)]


def _trimmed(said: Said, items: Sequence[Item], start: int, end: int) -> int:
    """Where new words end that go on to a place: without verbs and words that carry nothing."""
    for item in reversed(items):
        if start < item.start < end and item.end >= end:
            text = said.words[item.start].text
            is_said = item.roles & (CHANGE | {"noise"}) and text.islower()
            if not (is_said or said.text(item.start, item.end) in ",;:!."):
                break
            end = item.start
    while end > start and said.is_article(end - 1):
        end -= 1
    return end


def _is_closed(said: Said, start: int, end: int) -> bool:
    texts = [word.text for word in said.words[start:end]]
    return texts.count("(") == texts.count(")")


def _olds(said: Said, items: Sequence[Item], new: Stretch) -> Iterator[Stretch]:
    """Quotations and words that stand in the document, outside of the new value."""
    quoted = [item for item in items if item.value is not None and item.start != new.start]
    if quoted:
        yield from (Stretch(item.start, item.end, "old") for item in quoted)
        return
    found: list[Stretch] = []
    for start in range(len(said.words)):
        limit = start
        while limit < min(len(said.words), start + _LONGEST_OLD) and said.is_there(limit):
            limit += 1
        for end in range(limit, start, -1):
            if _overlaps(start, end, new) or not _may_be_old(said, start, end):
                continue
            if any(one.start <= start and end <= one.end for one in found):
                continue
            if standing(said, said.text(start, end)):
                found.append(Stretch(start, end, "old"))
    text = said.text(new.start, new.end)
    for one in found:
        is_whole = is_alike(said.text(one.start, one.end), text) or shape(text) == "number"
        yield one if is_whole else _inner(said, one, text)


def _inner(said: Said, old: Stretch, new: str) -> Stretch:
    """The value at the end of longer words that stand there: the `30 days` of `term of 30 days`."""
    for start in range(old.start + 1, old.end):
        text = said.text(start, old.end)
        is_value = kind_of(text) is not None or shape(text) in ("name", "number")
        if is_value and not said.is_article(start) and is_alike(text, new):
            return Stretch(start, old.end, "old")
    return old


def standing(said: Said, text: str) -> str:
    """Returns how words stand in the document: as typed, or with their number written otherwise."""
    if said.stands(text):
        return text
    ways = [way for way in variants(text) if said.stands(way)]
    return ways[0] if len(ways) == 1 else ""


def _may_be_old(said: Said, start: int, end: int) -> bool:
    words = said.words[start:end]
    if any(word.is_lifted for word in words) or said.is_article(start) or said.is_article(end - 1):
        return False
    texts = [words[0].text, words[-1].text]
    return not any(text in ",;:!?" for text in texts) and _is_closed(said, start, end)


def _has_lifted(said: Said, start: int, end: int) -> bool:
    return any(word.is_lifted for word in said.words[start:end])


def _overlaps(start: int, end: int, other: Stretch) -> bool:
    return start < other.end and other.start < end


def _contrasted(said: Said, items: Sequence[Item], contrast: Item) -> Iterator[Pair]:
    """`B, not A`, `B instead of A`, `instead of A, B`: the word stands before the old value."""
    for old in _behind(said, items, contrast.end):
        for new in _beside(said, items, contrast, old):
            yield Pair(old, new)


def _behind(said: Said, items: Sequence[Item], start: int) -> Iterator[Stretch]:
    """The old value behind its word: the longest words there that stand in the document."""
    at = said.skip(start)
    for _ in range(4):
        if at >= len(said.words):
            return
        if said.value(at) is not None:
            yield Stretch(at, at + 1, "old")
            return
        for end in range(min(len(said.words), at + _LONGEST_OLD), at, -1):
            if _may_be_old(said, at, end) and standing(said, said.text(at, end)):
                yield Stretch(at, end, "old")
                return
        item = next((one for one in items if one.start == at), None)
        if item is None or not item.roles & (IN | NOUN | {"noise"}):
            return
        at = said.skip(item.end)


def _beside(said: Said, items: Sequence[Item], contrast: Item, old: Stretch) -> Iterator[Stretch]:
    """The new value on the other side of the word, or behind the old one."""
    quoted = [item for item in items if item.value is not None and item.start != old.start]
    if quoted:
        yield from (Stretch(item.start, item.end, "new") for item in quoted)
        return
    text = said.text(old.start, old.end)
    value = said.value(old.start)
    text = value.text if value is not None else text
    for low, end in ((0, contrast.start), (old.end, len(said.words))):
        spans = [
            (start, last)
            for start in range(low, end)
            for last in range(start + 1, min(end, start + _LONGEST_NEW) + 1)
            if _may_be_old(said, start, last)
            and is_alike(text, said.text(start, last))
            and not _joins(said, start, last)
        ]
        widest = [
            one
            for one in spans
            if not any(a <= one[0] and one[1] <= b and (a, b) != one for a, b in spans)
        ]
        for start, last in widest:
            yield Stretch(_unnamed(said, text, start, last), last, "new")


def _unnamed(said: Said, old: str, start: int, end: int) -> int:
    """Where a new name begins behind words that say what it is: `der Gerichtsstand Bremen`."""
    known = old.casefold().split()
    while start + 1 < end and shape(old) == "name":
        word = said.words[start].text
        is_told = said.stands(word) and word.casefold() not in known
        if not is_told or not is_alike(old, said.text(start + 1, end)):
            break
        start += 1
    return start


def _joins(said: Said, start: int, end: int) -> bool:
    """Whether a comma or an arrow stands within words."""
    return any(word.text in (",", "->", ":", ";") for word in said.words[start:end])
