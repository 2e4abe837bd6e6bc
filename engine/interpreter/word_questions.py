"""Small questions about words: sentences, blanks, letters."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from redraft.engine.already_applied import unsaid
from redraft.engine.errors import RefusedError
from redraft.engine.interpreter.commands import Case
from redraft.engine.interpreter.lines import Line
from redraft.engine.interpreter.search import Hit
from redraft.engine.locate import find
from redraft.engine.model import Break, CodeBlock, Table
from redraft.engine.plan import ReplaceText
from redraft.engine.tokens import FREE, Atom, escape, pieces

_STOPS = re.compile(r"[.!?…][\"”\u2019»)\]]*\s+(?=[\"“„«(\[]?[^\W_a-zäöüßàâçéèêëîïôûñ])")
_ABBREVIATIONS = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|No|Nos|Art|Sec|Inc|Ltd|Corp|Co|vs|cf|approx|Fig|Nr|Abs|bzw|ca"
    r"|etc|e\.g|i\.e|z\.B|d\.h)|\b\w|^\s*\d+)\.$"
)
# What is called by a letter, so that its stop ends the sentence: `as in Schedule A. The …`.
_LETTERED = re.compile(
    r"\b(?:Schedule|Annex|Exhibit|Appendix|Part|Section|Clause|Plan|Option|Anlage|Anhang|Annexe"
    r"|Anexo|Party|Table|Phase|Group|Attachment) [A-Z]\.$"
)
_SMALL = frozenset(
    [
        "a",
        "an",
        "and",
        "as",
        "at",
        "but",
        "by",
        "for",
        "from",
        "in",
        "of",
        "on",
        "or",
        "the",
        "to",
        "with",
    ]
)


def _edges(text: str) -> list[int]:
    edges = [0]
    for match in _STOPS.finditer(text):
        stop = text[: match.start() + 1]
        if _LETTERED.search(stop) or not _ABBREVIATIONS.search(stop):
            edges.append(match.end())
    return [*edges, len(text)]


def sentences(text: str, start: int = 0) -> list[tuple[int, int]]:
    """Returns the spans of all sentences behind an offset, the blanks after them left out."""
    rest = text[start:]
    edges = _edges(rest)
    return [
        (start + first, start + first + len(rest[first:last].rstrip()))
        for first, last in itertools.pairwise(edges)
        if rest[first:last].strip()
    ]


def sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen a span to the sentences it touches, the blank after them left out."""
    edges = _edges(text)
    first = max(edge for edge in edges if edge <= start)
    last = min(edge for edge in edges if edge >= end)
    return first, first + len(text[first:last].rstrip())


def without(hit: Hit) -> Hit:
    """Widen a hit by the blanks that must go with it: those behind it, between sentences two."""
    text, start, end = hit.line.text, hit.start, hit.end
    before, after = text[:start][-1:], text[end:][:1]
    if after.isspace() and (not before or before.isspace()):
        end += 1
        both = text[:start][-2:].isspace() and text[start - 2 : start] == text[end - 1 : end + 1]
        end += 1 if both and start > 1 else 0
    elif before.isspace() and (not after or after in ",.;:!?)"):
        start -= 1
    return Hit(hit.line, start, end)


def replaced(hit: Hit, by: str) -> ReplaceText:
    """Say that a hit becomes other words, counting it among equal ones in its block.

    It is counted too where it is the only one and the other words stand around it already: who
    counts means it all the same.
    """
    occurrence = number_of(hit)
    at = [(hit.start, hit.end)]
    if occurrence is None and unsaid(hit.line.text, at, by)[0] != at:
        occurrence = 1
    return ReplaceText(hit.line.anchor, hit.text, by, occurrence)


def number_of(hit: Hit) -> int | None:
    """Which of the places in its block that say the same a hit is, from 1; None for the only one.

    Raises:
        RefusedError: It is none of those that an operation would find.
    """
    spans = find(hit.line.text, hit.text)
    at = (hit.start, hit.end)
    if at not in spans:
        message = f"“{hit.text}” cannot be told from the text around it; name more words"
        raise RefusedError(message)
    return None if len(spans) == 1 else spans.index(at) + 1


def whole(line: Line) -> Hit:
    """The words of a line without outer blanks.

    Raises:
        RefusedError: Something that is no text stands among them.
    """
    block = line.block
    if not isinstance(block, (CodeBlock, Table, Break)):
        atoms = [
            piece.name
            for piece in pieces(block.content)
            if isinstance(piece, Atom) and piece.name not in FREE
        ]
        if atoms:
            message = (
                "The words to be replaced hold a field, note, picture or break that would be lost;"
                " name only the words that should change"
            )
            raise RefusedError(message)
    start = len(line.text) - len(line.text.lstrip())
    return Hit(line, start, len(line.text.rstrip()))


def say(text: str) -> str:
    """Write a person's literal words as one line of the view's syntax."""
    return escape(text).replace("\r\n", "\n").replace("\n", "⟦br⟧").replace("\t", "⟦tab⟧")


def beside(old: str, new: str, *, after: bool) -> str:
    """Put new words after (or before) old ones, with a blank where one is needed."""
    left, right = (old, new) if after else (new, old)
    needs = not left[-1:].isspace() and right[:1] not in " ,.;:!?)%\t\n" and left[-1:] not in "(["
    return say(left + (" " if needs else "") + right)


def in_case(text: str, case: Case) -> str:
    """Write words in capitals, small letters or as a title."""
    match case:
        case "upper":
            return text.upper()
        case "lower":
            return text.lower()
        case "sentence":
            return text[:1].upper() + text[1:].lower()
        case "title":
            return _title(text.split(" "))


def _title(words: Sequence[str]) -> str:
    return " ".join(
        word if index and word.lower() in _SMALL else word[:1].upper() + word[1:]
        for index, word in enumerate(words)
    )
