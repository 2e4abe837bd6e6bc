"""Which blocks an instruction bears on, and which operations of a plan lie outside of them.

Who asks for one fee to be raised does not ask for another clause to be struck out, whatever the
document told the model. An instruction is local when it names something that few blocks speak of:
a quotation, the passage given with it, a heading, a rare word. It bears on those blocks, their
neighbours and the sections it names. An operation is connected when it lies there, when it is about
words that are changed there too, or when what it writes has words of the instruction.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msgspec import structs

from redraft.engine.locate import find
from redraft.engine.plan import EditPlan, FindReplace, NewBlock, Operation, ReplaceText, SetProperty
from redraft.engine.planner.ranking import terms
from redraft.engine.planner.retrieval import Entry, section_end
from redraft.engine.quotes import lift

_NEAR = 3
# A word that stands in more blocks than this share names none of them.
_RARE = 0.2
_FEW = 3
_HALF = 0.5
_WIDE = re.compile(
    r"\b(all|every|everywhere|each|any|throughout|whole|entire|document|text|translat\w*|both"
    r"|tone|style|rewrite|shorten|simplif\w*|proofread|typos?|grammar|consisten\w*|depend\w*"
    r"|headings|paragraphs|tables|rows|columns|cells|images|pictures|links|footnotes|notes|lists"
    r"|bullets|items|sections|headers|footers|comments|changes|two|three|four|five"
    r"|first|second|third|fourth|fifth|last|final|next|previous|beginning|end|top|bottom"
    r"|erste\w*|zweite\w*|dritte\w*|letzte\w*|premi\w+|derni\w+|primer\w*|último\w*"
    r"|alle\w*|überall|jede\w*|ganze\w*|gesamt\w*|dokument\w*|übersetz\w*|sämtliche\w*"
    r"|tous|toutes|partout|chaque|entier|tradui\w*|todos|todas|cada|entero|traduc\w*)\b",
    re.IGNORECASE,
)
_COMMON = frozenset(
    terms(
        "change replace delete remove add insert make update with from into that this these the and"
        " should would please after before below above between under section paragraph heading"
        " title table row column cell bold italic clause sentence word line page text new first"
        " second last have been will must can for not its their our your them they one two"
        " ersetze ändere lösche füge nach vor durch mit und der die das den dem ein eine einen"
        " remplacez changez supprimez ajoutez avec dans pour les des une sur cambia elimina añade"
        " reemplaza por con para los las del"
    )
)


@dataclass(frozen=True, slots=True)
class Bearing:
    """Indices of the entries that an instruction bears on; `is_local` when it names some."""

    entries: frozenset[int]
    is_local: bool


def bearing(document: Sequence[Entry], instruction: str, lookup: str | None) -> Bearing:
    """Find what an instruction bears on."""
    if _WIDE.search(instruction):
        return Bearing(frozenset(), is_local=False)
    quotes = [*lift(instruction).values, *(lookup or "").splitlines()]
    seeds = {
        index
        for quote in quotes
        if quote.strip()
        for index, entry in enumerate(document)
        if find(entry.text, quote.strip())
    }
    seeds |= _sharing(document, _content(instruction))
    near = {n for at in seeds for n in range(at - _NEAR, at + _NEAR + 1) if 0 <= n < len(document)}
    for at in seeds:
        end = section_end(document, at) if document[at].level is not None else at
        # The heading of everything names nothing.
        if end - at <= len(document) * _HALF:
            near |= set(range(at, end))
    return Bearing(frozenset(near), is_local=bool(seeds))


def _content(text: str) -> set[str]:
    return {term for term in terms(text) if len(term) > 1 or term.isdigit()} - _COMMON


def _sharing(document: Sequence[Entry], wanted: set[str]) -> set[int]:
    """Entries with a term of few entries."""
    counted = [set(terms(entry.text)) & wanted for entry in document]
    spread = Counter(term for terms in counted for term in terms)
    most = max(_FEW, _RARE * len(document))
    return {
        index for index, terms in enumerate(counted) if any(spread[term] <= most for term in terms)
    }


def outside(
    plan: EditPlan, document: Sequence[Entry], instruction: str, lookup: str | None
) -> list[Operation]:
    """The operations of a plan that are not connected with a local instruction."""
    scope = bearing(document, instruction, lookup)
    if not scope.is_local:
        return []
    wanted = _content(f"{instruction} {lookup or ''}")
    places = {entry.anchor: index for index, entry in enumerate(document)}
    inside: list[Operation] = []
    left: list[Operation] = []
    for operation in plan.operations:
        touched = [places[anchor] for anchor in anchors(operation) if anchor in places]
        is_near = not touched or any(index in scope.entries for index in touched)
        is_about = bool(wanted & _content(" ".join(_texts(operation))))
        (inside if is_near or is_about else left).append(operation)
    known = {one.find for one in inside if isinstance(one, ReplaceText | FindReplace)}
    return [one for one in left if not (isinstance(one, ReplaceText) and one.find in known)]


def anchors(operation: Operation) -> Iterator[str]:
    """The lines of a view that an operation addresses: rows for cells, notes by their text."""
    if isinstance(operation, SetProperty):
        return
    for name in ("block", "first", "last", "target"):
        written = str(getattr(operation, name, ""))
        if not written:
            continue
        yield written
        yield f"{written}.p1"
        yield written.split(".c")[0]


def _texts(operation: Operation) -> Iterator[str]:
    """What an operation writes."""
    for field, value in structs.asdict(operation).items():
        if field in ("replace", "text", "url", "value") and isinstance(value, str):
            yield value
        elif field in ("blocks", "cells", "rows"):
            yield from _flat(value)


def _flat(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, NewBlock):
        yield value.text
    elif isinstance(value, tuple):
        for item in value:  # pyright: ignore[reportUnknownVariableType]
            yield from _flat(item)  # pyright: ignore[reportUnknownArgumentType]
