"""Where words stand in the document, within scopes, and which of several places is meant.

Letters: a text in small letters means any letters; one with a capital means exactly itself where it
is there, as a defined term is not the common word. `match case` and `ignore case` overrule this.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from redraft.engine import locate
from redraft.engine.errors import AmbiguousError, Candidate, NotFoundError
from redraft.engine.interpreter.commands import Options
from redraft.engine.interpreter.lines import Line, Lines, looked_for
from redraft.engine.interpreter.nearest import nearest
from redraft.engine.locate import FUZZY_WORDS, find, occurrences

_NEAR = 3
_MOST_CANDIDATES = 9
_LONGEST_SHOWN = 80
_WORD = re.compile(r"[^\W_]+")
_TOKEN = re.compile("\u27e6[^\u27e7]*\u27e7")


@dataclass(frozen=True, slots=True)
class Hit:
    """Words found: offsets in the line's text."""

    line: Line
    start: int
    end: int

    @property
    def text(self) -> str:
        """The document's own characters."""
        return self.line.text[self.start : self.end]


def hits(lines: Sequence[Line], quote: str, options: Options) -> list[Hit]:
    """Find all places of a quote in lines, in order; typed loosely only when it is nowhere else."""
    likely = _likely(lines, quote)
    for match_case in _ways(quote, options):
        places = [
            Hit(line, *span)
            for line in likely
            for span in occurrences(
                line.text, quote, match_case=match_case, whole_word=not options.inside_words
            )
        ]
        if places:
            return places
    if options.match_case:
        return []
    # A long quote may be found though one of its words differs.
    return [
        Hit(line, *span)
        for line in (lines if len(quote.split()) >= FUZZY_WORDS else likely)
        for span in find(line.text, quote, whole_word=not options.inside_words)
    ]


def unsaid(places: Sequence[Hit], by: str) -> list[Hit]:
    """The hits around which the words that are to replace them do not stand already."""
    left: list[Hit] = []
    for _, group in groupby(places, key=lambda hit: hit.line.anchor):
        same = list(group)
        line = same[0].line
        spans, _ = locate.unsaid(line.text, [(hit.start, hit.end) for hit in same], by)
        left += [Hit(line, *span) for span in spans]
    return left


def _likely(lines: Sequence[Line], quote: str) -> Sequence[Line]:
    """The lines that have the longest word of a quote; no other can say the same."""
    key = looked_for(_TOKEN.sub(" ", quote))
    longest = max(_WORD.findall(key), key=len, default="")
    return [line for line in lines if longest in line.key]


def _ways(quote: str, options: Options) -> tuple[bool, ...]:
    if options.match_case is not None:
        return (options.match_case,)
    return (False,) if quote == quote.lower() else (True, False)


def matches_case(places: Sequence[Hit], quote: str, options: Options) -> bool | None:
    """Whether a plan that replaces everywhere must match case to hit these; None: it cannot."""
    texts = {hit.line.text for hit in places}
    for match_case in _ways(quote, options):
        spans = {
            text: set(
                occurrences(text, quote, match_case=match_case, whole_word=not options.inside_words)
            )
            for text in texts
        }
        if all((hit.start, hit.end) in spans[hit.line.text] for hit in places):
            return match_case
    return None


def not_found(lines: Lines, quote: str) -> NotFoundError:
    """Say that a quote is nowhere, with the passage most like it."""
    wanted = [word for word in _WORD.findall(looked_for(quote)) if len(word) > 3]
    near = [line.text for line in lines.lines if any(word in line.key for word in wanted)]
    passage, more = nearest(near or lines.texts(), quote)
    return NotFoundError(closest=passage, reason=more)


def ambiguous(count: int, candidates: Sequence[Hit] = ()) -> AmbiguousError:
    """Says that several places fit, and which."""
    places = tuple(hit_candidate(hit) for hit in candidates[:_MOST_CANDIDATES])
    return AmbiguousError(
        f'The instruction matches {count} places; say which one or write "everywhere"',
        places,
        count,
    )


def the_only(lines: Lines, meant: Sequence[Hit]) -> Hit:
    """Returns the only hit, or the one of several that was chosen.

    Raises:
        AmbiguousError: There are several, and none or several of them were chosen.
    """
    left = meant
    if len(meant) > 1:
        left = [hit for hit in meant if place_of(hit) in lines.chosen]
    if len(left) != 1:
        raise ambiguous(len(meant), meant)
    return left[0]


def place_of(hit: Hit) -> str:
    """Returns the name of exactly these words in this version of the document."""
    return f"{hit.line.anchor}@{hit.start}-{hit.end}"


def hit_candidate(hit: Hit, label: str = "") -> Candidate:
    """Returns found words as they are shown to who must choose: marked, with some around them."""
    before, after = hit.line.text[: hit.start], hit.line.text[hit.end :]
    lead = before if len(before) <= 40 else "…" + before[-40:].partition(" ")[2]
    trail = after if len(after) <= 40 else after[:40].rpartition(" ")[0] + "…"
    shown = hit.text if len(hit.text) <= _LONGEST_SHOWN else hit.text[:_LONGEST_SHOWN] + "…"
    words = f"{lead}\u27ea{shown}\u27eb{trail}".strip()
    return Candidate(hit.line.anchor, label, words, place_of(hit))


def the_one(
    lines: Lines, candidates: Sequence[Hit], quote: str, options: Options, lookup: str | None
) -> Hit:
    """Choose the hit that is meant: the only one, the n-th one, or the only one near `lookup`.

    Raises:
        NotFoundError: There is none.
        AmbiguousError: There are several.
    """
    if not candidates:
        raise not_found(lines, quote)
    if options.nth is not None:
        index = options.nth - 1 if options.nth > 0 else options.nth
        if index >= len(candidates):
            raise not_found(lines, quote)
        return candidates[index]
    return the_only(
        lines, narrowed(lines, candidates, lookup) if len(candidates) > 1 else candidates
    )


def narrowed(lines: Lines, candidates: Sequence[Hit], lookup: str | None) -> Sequence[Hit]:
    """Keep the hits inside the passage `lookup` quotes, else those close to it, else all."""
    inside = passages(lines, lookup)
    within = [hit for hit in candidates if any(covers(place, hit) for place in inside)]
    if within:
        return within
    anchors = {place.line.anchor for place in inside}
    same = [hit for hit in candidates if hit.line.anchor in anchors]
    if same:
        return same
    positions = [i for i, line in enumerate(lines.lines) if line.anchor in anchors]
    close = {
        lines.lines[at].anchor
        for i in positions
        for at in range(max(0, i - _NEAR), min(len(lines.lines), i + _NEAR + 1))
    }
    return [hit for hit in candidates if hit.line.anchor in close] or candidates


def passages(lines: Lines, lookup: str | None) -> list[Hit]:
    """Find the passage that `lookup` quotes, line by line of it."""
    wanted = [part.strip() for part in (lookup or "").splitlines() if part.strip()]
    return [
        Hit(line, start, end)
        for part in wanted
        for line in _likely_for(lines, part)
        for start, end in find(line.text, part)
    ]


def _likely_for(lines: Lines, part: str) -> Sequence[Line]:
    return lines.lines if len(part.split()) >= FUZZY_WORDS else _likely(lines.lines, part)


def covers(place: Hit, hit: Hit) -> bool:
    """Whether a place takes in another one."""
    same = place.line.anchor == hit.line.anchor
    return same and place.start <= hit.start and hit.end <= place.end
