"""The things, places, verbs and looks of a sentence, in whatever order they stand.

A thing is a quotation, an address, a kind such as `the table`, or words that stand in the document;
the kind beside it (`the Delivery row`) and the word before it (`after`, `in`) say what it is to the
verb. Every other word must carry nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from redraft.engine.interpreter.commands import Address, Match, UnitKind, Value
from redraft.engine.interpreter.frame_looks import looks_of
from redraft.engine.interpreter.frame_words import Item, Said

_KINDS: Mapping[str, UnitKind] = {
    "paragraph": "paragraph",
    "clause": "paragraph",
    "sentence": "sentence",
    "line": "line",
    "bullet": "bullet",
    "item": "bullet",
    "numbered": "bullet",
    "definition": "bullet",
    "heading": "heading",
    "section": "section",
    "row": "row",
    "column": "column",
    "cell": "cell",
    "table": "table",
    "title": "title",
    "doctitle": "title",
    "header": "header",
    "footer": "footer",
    "document": "document",
    "list": "list",
    "headings": "headings",
}
# Kinds that mean one thing although nothing says which; others need words, or an address.
ALONE: frozenset[UnitKind] = frozenset(
    {"title", "header", "footer", "document", "headings", "table", "list"}
)
_MARKS = frozenset({"after", "before", "top", "end", "in", "from", "to", "for", "as", "between"})
_MATCHES: Mapping[str, Match] = {
    "containing": "contains",
    "starting": "starts",
    "ending": "ends",
}
_VERBS = frozenset(
    {"delete", "bedeleted", "insert", "put", "make", "set", "change", "use", "comment", "move"}
    | {"footnote"}
)
_QUIET = frozenset(
    {"noise", "inalldocument", "everything", "withtext", "saying", "titled", "containing"}
    | {"with", "becalled", "and"}
)
_STOPS = frozenset(",:;.!-\u2013\u2014")


@dataclass(frozen=True, slots=True)
class Part:
    """A thing of the sentence: what stands before it, of what kind it is, and what it is."""

    marks: frozenset[str]
    kinds: tuple[UnitKind, ...]
    value: Value | None = None
    address: Address | None = None
    match: Match | None = None

    @property
    def is_place(self) -> bool:
        """Whether it says where, and not what."""
        return bool(self.marks & _MARKS)


class Sentence:
    """The parts, verbs and looks of a sentence; `is_whole` when no word is left over."""

    def __init__(self, said: Said) -> None:
        self._said = said
        self.parts: list[Part] = []
        self.verbs: set[str] = set()
        self.looks = looks_of(said)
        self.things: set[str] = set()
        self.everywhere = False
        self.is_whole = True
        self._marks: frozenset[str] = frozenset()
        self._match: Match | None = None
        self._kinds: list[tuple[UnitKind, ...]] = []
        self._end = 0
        self._at = 0
        self._read()

    def _read(self) -> None:
        at = 0
        while at < len(self._said.words) and self.is_whole:
            items = self._said.items_from(at)
            if not items:
                break
            start = self._at = items[0].start
            at = self.looks.ends.get(start) or self._take(items)
        self._close_edge()

    def _take(self, items: Sequence[Item]) -> int:
        """Takes what stands at a place, and returns where the next word is."""
        item = items[0]
        if item.value is not None or item.address is not None:
            self._add(item.value, item.address)
            self._end = item.end
            return item.end
        run = self._run(item)
        if run:
            self._add(self._said.bare(item.start, run), None)
            self._end = run
            return run
        self._word(item)
        return item.end

    def _run(self, item: Item) -> int:
        """Where the longest words end that begin at a place and stand in the document; 0: none."""
        words = self._said.words
        is_name = words[item.start].text[:1].isupper() and item.start > 0
        is_said = bool(item.roles) and not (is_name and not item.roles & (_VERBS | _MARKS))
        if is_said and self._match is None:
            return 0
        best = 0
        for end in range(item.start + 1, min(len(words), item.start + 10) + 1):
            last = words[end - 1]
            if last.is_lifted or last.text in ",;:!?":
                break
            if not self._said.is_article(end - 1) and self._said.stands(
                self._said.text(item.start, end)
            ):
                best = end
        return best

    def _add(self, value: Value | None, address: Address | None) -> None:
        is_text = value is not None and value.is_quoted and self._is_last()
        if is_text and self._marks & {"end", "top"} and not self._has_text():
            self._close_edge()
        kinds = self._kinds[-1] if self._kinds else ()
        self._kinds = []
        last = self.parts[-1] if self.parts else None
        if last is not None and address is not None and self._joins(last, address):
            first = last.address or address
            both = replace(first, labels=(*first.labels, *address.labels))
            self.parts[-1] = replace(last, address=both)
            return
        if not self._at and address is not None and self._is_headed():
            self._marks = frozenset({"in"})
        self.parts.append(Part(self._marks, kinds, value, address, self._match))
        self._marks, self._match = frozenset(), None

    def _joins(self, last: Part, address: Address) -> bool:
        """Whether a number is the second of `between 3.1 and 3.2`."""
        before = last.address if "between" in last.marks and not self._marks else None
        return before is not None and len(before.labels) == 1 and bool(address.labels)

    def _is_headed(self) -> bool:
        """Whether a colon follows the first word: a place that stands before the sentence."""
        return len(self._said.words) > 1 and self._said.words[1].text == ":"

    def _is_last(self) -> bool:
        """Whether what is taken now is the last word: new words that a colon announces."""
        return self._said.words[-1].value is not None and self._at == len(self._said.words) - 1

    def _has_text(self) -> bool:
        return any(part.value is not None and not part.is_place for part in self.parts)

    def _word(self, item: Item) -> None:
        roles = item.roles
        kinds: tuple[UnitKind, ...] = tuple(
            dict.fromkeys(_KINDS[role] for role in sorted(roles) if role in _KINDS)
        )
        marks = roles & _MARKS
        match: Match | None = next(
            (_MATCHES[role] for role in sorted(roles) if role in _MATCHES), None
        )
        if "everywhere" in roles or "every" in roles:
            self.everywhere = True
        elif roles & _VERBS and not (marks and self.verbs):
            self.verbs |= roles & _VERBS
        elif kinds and not marks:
            self._kind(kinds, is_adjacent=item.start == self._end)
        elif match is not None and self._kinds and not self._is_before_address(item.end):
            self._match = match
        elif "one" in roles:
            # `the one about the permit` is of the kind that was said before.
            before = next((part.kinds for part in reversed(self.parts) if part.kinds), None)
            self._close()
            self._kinds = [before or ("paragraph",)]
        elif marks:
            self._close()
            self._marks = marks
        elif not self._announces(item) and not roles & _QUIET:
            self.is_whole = self._said.text(item.start, item.end) in _STOPS

    def _announces(self, item: Item) -> bool:
        """Whether a word only says what a quotation behind it is."""
        if item.roles & {"noun", "word"}:
            return self._is_before_value(item.end)
        return not item.roles and self._is_before_quoted_kind(item.end)

    def _is_before_value(self, at: int) -> bool:
        """Whether a quotation follows what announces it: `the words "A"`."""
        following = self._said.skip(at)
        is_there = following < len(self._said.words)
        return is_there and self._said.value(following) is not None

    def _is_before_address(self, at: int) -> bool:
        following = self._said.skip(at)
        return following < len(self._said.words) and self._said.address(following) is not None

    def _is_before_quoted_kind(self, at: int) -> bool:
        """Whether `sentence "A"` follows, of which a word before it says more: `the decision`."""
        items = self._said.items_from(at)
        is_kind = bool(items) and bool(items[0].roles & _KINDS.keys())
        return is_kind and self._is_before_value(items[0].end)

    def _kind(self, kinds: tuple[UnitKind, ...], *, is_adjacent: bool) -> None:
        last = self.parts[-1] if self.parts else None
        is_free = is_adjacent and not self._marks and not self._kinds
        if last is not None and last.value is not None and not last.kinds and is_free:
            # `the Delivery row`: the kind stands behind its name.
            self.parts[-1] = Part(last.marks, kinds, last.value, None, last.match)
            return
        self._close()
        self._kinds = [kinds]

    def _close(self) -> None:
        """Lets a kind without words stand for itself."""
        for kinds in self._kinds:
            self.parts.append(Part(self._marks, kinds))
            self._marks = frozenset()
        self._kinds = []

    def _close_edge(self) -> None:
        """Lets `at the end` stand for the end of the document where nothing follows it."""
        self._close()
        if self._marks & {"end", "top"}:
            self.parts.append(Part(self._marks, ("document",)))
            self._marks = frozenset()
