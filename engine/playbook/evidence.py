"""Words of a document that somebody names: whether they stand there, and exactly where.

A quote counts only if it stands in the block that is named, letter by letter but for blanks, case
and the forms of quotation marks and dashes; what is shown is what the document says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from redraft.engine.inline_pieces import visible
from redraft.engine.locate import occurrences
from redraft.engine.planner.retrieval import Entry
from redraft.engine.playbook.findings import Citation
from redraft.engine.tokens import parse

_CELL_END = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph as a reader sees it; `is_body` is false in headers, footers and notes."""

    block: str
    kind: str
    text: str

    @property
    def is_body(self) -> bool:
        """Whether it stands in the body, where a comment can hang on it."""
        return re.match(r"[pt]\d", self.block) is not None


class Evidence:
    """The paragraphs of a document by their ids, cells each for itself.

    Args:
        entries: The lines of the whole view.
    """

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries

    @cached_property
    def passages(self) -> Mapping[str, Passage]:
        """Everything that words can stand in."""
        return {one.block: one for entry in self._entries for one in _passages(entry)}

    @cached_property
    def title(self) -> Passage | None:
        """The paragraph that names the document: its title, a heading, or its first words."""
        body = [one for one in self.passages.values() if one.is_body and one.text.strip()]
        titles = (one for one in body if one.kind == "title")
        headings = (one for one in body if re.match(r"h[1-9]\b", one.kind))
        return next(titles, None) or next(headings, None) or next(iter(body), None)

    def cited(self, block: str, words: str) -> Citation | None:
        """Returns the words as they stand in a block; None where they do not.

        A row stands for its cells.
        """
        for passage in self._meant(block):
            spans = self.places(passage, words)
            if spans:
                start, end = spans[0]
                return Citation(passage.block, passage.text[start:end])
        return None

    def everywhere(
        self, words: str, *, whole_word: bool = True
    ) -> Iterator[tuple[Passage, tuple[int, int]]]:
        """Yields every place of words; `whole_word`: not those that are parts of longer words."""
        for passage in self.passages.values():
            for span in self.places(passage, words, whole_word=whole_word):
                yield passage, span

    def places(
        self, passage: Passage, words: str, *, whole_word: bool = False
    ) -> Sequence[tuple[int, int]]:
        """Returns where words stand in a passage, as half-open spans of its text."""
        if not words.strip():
            return ()
        return occurrences(passage.text, words, match_case=False, whole_word=whole_word)

    def _meant(self, block: str) -> list[Passage]:
        if block in self.passages:
            return [self.passages[block]]
        inside = re.compile(rf"{re.escape(block)}\.(?:c\d+\.)?p\d+")
        return [one for name, one in self.passages.items() if inside.fullmatch(name)]


def _passages(entry: Entry) -> Iterator[Passage]:
    is_row = re.search(r"\.r\d+$", entry.anchor) and entry.text.startswith("| ")
    if not is_row:
        yield Passage(entry.anchor, entry.kind, _seen(entry.text))
        return
    cells = _CELL_END.split(entry.text.strip().removeprefix("|").removesuffix("|"))
    for index, cell in enumerate(cells, start=1):
        text = cell.strip().replace("\\|", "|")
        if text != "^":
            yield Passage(f"{entry.anchor}.c{index}.p1", "", _seen(text))


def _seen(text: str) -> str:
    return visible(parse(text, ()).pieces)


def plain(words: str) -> str:
    """Returns words as a reader sees them, where they were copied with the marks of a view."""
    return _seen(words) if re.search(r"[*\u27e6]", words) else words
