"""Which part of a long document a model is shown: the outline, and the blocks it may need.

In this order until the budget is full: the passage `lookup` quotes, what the instruction quotes,
blocks with several of its words in a row, the sections it names, those it names in another
language, then the blocks that share its words (BM25); each with its neighbours and the heading of
its section. What a model asks to read is found in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from redraft.engine.locate import find
from redraft.engine.planner.headwords import others
from redraft.engine.planner.ranking import ranked, terms
from redraft.engine.planner.view import framed, tokens
from redraft.engine.quotes import lift

_LINE = re.compile(r"\[(?P<anchor>[^\s\]]+)(?: (?P<kind>[^\]]*))?\] ?(?P<text>.*)")
_WORD = re.compile(r"\w+")
_AROUND_LOOKUP, _AROUND = 8, 3
_MOST_HITS = 60
# Words of an instruction in a row that stand in so few blocks are taken for a quotation.
_FEW_HITS, _LONGEST_PHRASE = 3, 5
# An outline names this much of a block; a document without headings is sampled.
_OUTLINE_WORDS = 90
_SAMPLE = 20
_LOWEST = 10
_FEWEST_WORDS = 10
# A plain paragraph without a word; its kind and remarks, if any, are worth a line.
_BLANK = re.compile(r"\[((?:\S+\.)?p\d+)\] ?")
OUTLINE_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a view."""

    anchor: str
    kind: str
    text: str
    line: str

    @property
    def is_title(self) -> bool:
        """Whether it can stand in an outline: a heading with words, or a short line all in bold."""
        is_bold = re.fullmatch(r"\*\*[^*]{3,120}\*\*", self.text.strip()) is not None
        words = re.sub("\u27e6[^\u27e7]*\u27e7", "", self.text)
        return any(map(str.isalnum, words)) and (self.level is not None or is_bold)

    @property
    def level(self) -> int | None:
        """The level of a heading of the body, else None."""
        heading = re.match(r"h([1-9])\b", self.kind)
        return int(heading[1]) if heading else None


def entries(view: str) -> list[Entry]:
    """Take a whole view apart, its frame left out."""
    document: list[Entry] = []
    for line in view.split("\n")[1:-1]:
        match = _LINE.fullmatch(line)
        if match:
            document.append(Entry(match["anchor"], match["kind"] or "", match["text"], line))
    return document


def preface(view: str) -> list[str]:
    """What a view says of the whole document before its blocks."""
    lines = view.split("\n")[1:-1]
    return [line for line in lines if line.startswith("# ")]


def chosen(
    document: Sequence[Entry], instruction: str, lookup: str | None, budget: int
) -> set[int]:
    """Choose the entries an instruction may need, within a budget of tokens."""
    shelf = _Shelf(document, budget)
    texts = [entry.text for entry in document]
    for part in (lookup or "").splitlines():
        shelf.take(_quoting(texts, part), _AROUND_LOOKUP)
    for quote in lift(instruction).values:
        shelf.take(_quoting(texts, quote), _AROUND)
    shelf.take(_phrased(texts, instruction), _AROUND)
    for index in _named(document, instruction):
        shelf.take(range(index, section_end(document, index)), 0)
    query = f"{instruction} {lookup or ''}"
    for index in _named_otherwise(document, query):
        shelf.take(range(index, section_end(document, index)), 0)
    shelf.take(ranked(texts, query)[:_MOST_HITS], _AROUND)
    if not shelf.taken:
        shelf.take(range(len(document)), 0)
    return shelf.taken


def wanted(
    document: Sequence[Entry], requests: Sequence[str], seen: set[int], budget: int
) -> set[int]:
    """Find what a model asks to read: `p120-p160`, `p12`, `find:some words`; no block twice."""
    shelf = _Shelf(document, budget, seen)
    places = {entry.anchor: index for index, entry in enumerate(document)}
    texts = [entry.text for entry in document]
    for request in requests:
        words = request.removeprefix("find:").strip()
        first, _, last = request.strip("[] ").partition("-")
        if request.startswith("find:"):
            shelf.take(_quoting(texts, words) or ranked(texts, words)[:_MOST_HITS], _AROUND)
        elif first in places:
            end = places.get(last.strip("[] "), places[first])
            if not last and document[places[first]].level:
                end = section_end(document, places[first]) - 1
            shelf.take(range(places[first], end + 1), 0)
    return shelf.taken


def outline(document: Sequence[Entry], budget: int, shown: Collection[int] = ()) -> str:
    """Names the headings with their ids; where there are hardly any, samples the blocks.

    Args:
        document: All of it.
        budget: Tokens of the whole view; the outline takes its share, and names fewer levels of
            headings, then every second of them and so on, where all are more than that.
        shown: Indices of what is shown in full and needs no mention.
    """
    named = {index for index, entry in enumerate(document) if entry.is_title}
    if len(named) * 40 < len(document):
        named.update([index for index, entry in enumerate(document) if entry.text][::_SAMPLE])
    heads = [document[index] for index in sorted(named - set(shown))]
    words = _OUTLINE_WORDS
    while True:
        parts = [
            " ".join(part for part in (entry.anchor, entry.kind, entry.text[:words]) if part)
            for entry in heads
        ]
        text = "# outline: " + " · ".join(parts)
        if tokens(text) <= budget * OUTLINE_SHARE or len(heads) < 2:
            return text
        if words > _FEWEST_WORDS:
            words //= 2
        else:
            heads = _fewer(heads)


def _fewer(heads: Sequence[Entry]) -> list[Entry]:
    """Returns headings without those of the lowest level; every second one where all are equal."""
    levels = {entry.level or _LOWEST for entry in heads}
    if len(levels) > 1:
        return [entry for entry in heads if (entry.level or _LOWEST) < max(levels)]
    return list(heads[::2])


def folded(view: str) -> str:
    """Returns a view whose runs of blank paragraphs are one line each: `[p4-p7 blank]`."""
    return "\n".join([*_folded(view.split("\n"))][:-1])


def _folded(lines: Iterable[str]) -> Iterator[str]:
    run: list[str] = []
    for line in (*lines, ""):
        blank = _BLANK.fullmatch(line)
        if run and not (blank and _follows(run[-1], blank[1])):
            yield f"[{run[0]}-{run[-1]} blank]" if len(run) > 1 else f"[{run[0]}] "
            run = []
        if blank:
            run.append(blank[1])
        else:
            yield line


def _follows(before: str, anchor: str) -> bool:
    """Returns whether two ids of one story are those of neighbours: `p4` and `p5`."""
    head, number = re.split(r"(?=\d+$)", before, maxsplit=1)
    return anchor == f"{head}{int(number) + 1}"


def excerpt(document: Sequence[Entry], taken: Iterable[int], nonce: str, first: str = "") -> str:
    """Frame the chosen entries, gaps marked with what is left out."""
    lines = [first] if first else []
    lines += list(_folded(_with_gaps(document, sorted(taken))))[:-1]
    return framed(lines, nonce, f' excerpt="of {len(document)} blocks"')


def _with_gaps(document: Sequence[Entry], taken: Sequence[int]) -> Iterator[str]:
    expected = 0
    for index in taken:
        if index > expected:
            yield f"… {index - expected} blocks not shown"
        yield document[index].line
        expected = index + 1
    if expected < len(document):
        yield f"… {len(document) - expected} blocks not shown"


class _Shelf:
    """Takes entries while the budget lasts."""

    def __init__(self, document: Sequence[Entry], budget: int, seen: Collection[int] = ()) -> None:
        self.taken: set[int] = set()
        self._known = set(seen)
        self._document = document
        self._headings = _headings(document)
        self._left = budget

    def take(self, indices: Iterable[int], around: int) -> None:
        for index in indices:
            if self._left <= 0:
                return
            near = range(max(0, index - around), min(len(self._document), index + around + 1))
            wanted = (*near, *self._headings[index])
            if not self._put(wanted):
                self._put((index,))

    def _put(self, indices: Iterable[int]) -> bool:
        """Take what is not known yet, if all of it fits."""
        group = {one for one in indices if one not in self._known}
        cost = sum(tokens(self._document[one].line) + 1 for one in group)
        if cost > self._left:
            return False
        self.taken |= group
        self._known |= group
        self._left -= cost
        return True


def _headings(document: Sequence[Entry]) -> list[tuple[int, ...]]:
    """For each entry the headings of the sections it stands in, and the head of its table."""
    paths: list[tuple[int, ...]] = []
    above: tuple[int, ...] = ()
    levels: tuple[int, ...] = ()
    places: dict[str, int] = {}
    for index, entry in enumerate(document):
        places[entry.anchor] = index
        level = entry.level if entry.is_title else None
        if level is not None:
            kept = sum(higher < level for higher in levels)
            above, levels = (*above[:kept], index), (*levels[:kept], level)
        table = places.get(entry.anchor.split(".")[0])
        first, top = next(iter(above), 0), next(iter(levels), _LOWEST)
        is_within = table is not None and (top > 1 or table >= first)
        paths.append((*above, table) if table is not None and is_within else above)
    return paths


def _quoting(texts: Sequence[str], quote: str) -> list[int]:
    if not quote.strip():
        return []
    return [index for index, text in enumerate(texts) if find(text, quote.strip())][:_MOST_HITS]


def _phrased(texts: Sequence[str], instruction: str) -> list[int]:
    """Returns the texts with words that follow each other in an instruction, the longest first.

    Words that follow each other in more than `_FEW_HITS` texts name none of them.
    """
    lines = [f" {' '.join(_WORD.findall(text.casefold()))} " for text in texts]
    words = _WORD.findall(instruction.casefold())
    hits: dict[int, None] = {}
    for size in range(_LONGEST_PHRASE, 1, -1):
        for start in range(len(words) - size + 1):
            phrase = f" {' '.join(words[start : start + size])} "
            places = [index for index, line in enumerate(lines) if phrase in line]
            if len(places) <= _FEW_HITS:
                hits.update(dict.fromkeys(places))
    return list(hits)


def _named(document: Sequence[Entry], instruction: str) -> list[int]:
    """Headings whose words all stand in the instruction."""
    asked_words = set(re.findall(r"\w+", instruction.casefold()))
    return [
        index
        for index, entry in enumerate(document)
        if entry.level
        and (words := set(re.findall(r"\w+", entry.text.casefold())))
        and words <= asked_words
    ]


def _named_otherwise(document: Sequence[Entry], query: str) -> list[int]:
    """Headings with another word for what a query speaks of; its own words stand in none."""
    heads = {i: set(terms(entry.text)) for i, entry in enumerate(document) if entry.level}
    written = {term for head_terms in heads.values() for term in head_terms}
    meant = {other for term in terms(query) if term not in written for other in others(term)}
    return [index for index, head_terms in heads.items() if head_terms & meant]


def section_end(document: Sequence[Entry], start: int) -> int:
    """The index after the last entry of the section a heading opens."""
    level = document[start].level or 9
    for index in range(start + 1, len(document)):
        level_here = document[index].level
        if (level_here is not None and level_here <= level) or not re.match(
            r"[pt]\d", document[index].anchor
        ):
            return index
    return len(document)
