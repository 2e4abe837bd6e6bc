"""What is done to things, in any order of words: delete, insert and format.

A sentence has a verb (or a look, or words like `out`), things and places. A thing is a quotation,
an address, a kind such as `the table`, or words that stand in the document; the kind beside it
(`the Delivery row`) and the word before it (`after`, `in`) say what it is to the verb. Every other
word must carry nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from redraft.engine.interpreter.commands import (
    Address,
    Annotate,
    Command,
    DeleteText,
    DeleteUnit,
    Insert,
    Match,
    Move,
    Options,
    Place,
    Unit,
    UnitKind,
    Value,
)
from redraft.engine.interpreter.frame_looks import Reading, commands_of
from redraft.engine.interpreter.frame_words import Said
from redraft.engine.interpreter.lines import Lines
from redraft.engine.interpreter.outline import keys, previous
from redraft.engine.interpreter.thing_words import ALONE, Part, Sentence

_LONGEST = 38
_LONGEST_LINE = 14
ThingKind: TypeAlias = Literal["", "sentence", "paragraph", "bullet", "heading", "section"]


def thing_commands(said: Said, lines: Lines) -> Sequence[Command | Reading]:
    """Returns the commands on things that a sentence may mean; none where a word is left over."""
    if len(said.words) > _LONGEST or any("never" in item.roles for item in said.items()):
        return []
    sentence = Sentence(said)
    if not sentence.is_whole or not sentence.parts or not sentence.looks.is_sound:
        return []
    verbs = sentence.verbs
    if verbs & {"delete", "bedeleted"}:
        is_one = verbs <= {"delete", "bedeleted"} and not sentence.looks
        return [] if not is_one else _deletions(said, sentence, lines)
    if sentence.looks:
        return _formats(sentence)
    if verbs & {"comment", "footnote"}:
        return _comments(sentence)
    if "move" in verbs:
        return _moves(sentence)
    if verbs & {"insert", "put", "use"} or not verbs:
        return _insertions(sentence)
    return []


def _unit(part: Part, kind: UnitKind, match: Match = "contains") -> Unit:
    if part.address is not None:
        return Unit(_addressed_kind(part.address), address=part.address)
    return Unit(kind, part.value, part.match or match)


_NAMED: Mapping[UnitKind, UnitKind] = {
    "place": "section",
    "definition": "bullet",
    "item": "bullet",
    "signature": "table",
}


def _addressed_kind(address: Address) -> UnitKind:
    return _NAMED.get(address.kind, address.kind)


def _scopes(parts: Sequence[Part]) -> tuple[Unit, ...] | None:
    """Where things are looked for; None where a part says something else."""
    scopes: list[Unit] = []
    for part in parts:
        if not part.marks & {"in", "from", "to", "for"}:
            return None
        kind = part.kinds[0] if part.kinds else "document"
        if part.address is not None:
            scopes.append(Unit(_addressed_kind(part.address), address=part.address))
        elif part.value is not None:
            match = part.match or ("is" if kind in ("section", "heading") else "contains")
            scopes.append(Unit(kind, part.value, match))
        elif kind in ALONE:
            scopes.append(Unit(kind))
        else:
            return None
    return tuple(scopes)


def _nested(part: Part, scopes: tuple[Unit, ...]) -> tuple[Part, tuple[Unit, ...]]:
    """A counted thing in the place that is said: `in 2.1, delete the second sentence`."""
    outer = scopes[0].address if len(scopes) == 1 else None
    if part.address is None or part.address.within is not None or outer is None:
        return part, scopes
    return replace(part, address=replace(part.address, within=outer)), ()


# delete


def _deletions(said: Said, sentence: Sentence, lines: Lines) -> list[Command]:
    targets = [part for part in sentence.parts if not part.is_place]
    scopes = _scopes([part for part in sentence.parts if part.is_place])
    if len(targets) != 1 or scopes is None or sentence.everywhere:
        return []
    target, scopes = _nested(targets[0], scopes)
    is_in_table = any(scope.kind == "table" for scope in scopes)
    rest = tuple(scope for scope in scopes if scope.kind not in ("table", "list"))
    options = Options(scopes=rest if is_in_table else scopes)
    if target.address is not None:
        return [DeleteUnit(_unit(target, "section"), options)]
    if target.value is None:
        return []
    kinds: list[UnitKind] = [kind for kind in target.kinds if kind != "document"]
    if not kinds:
        if is_in_table:
            return [DeleteUnit(Unit("row", target.value, "contains"), Options())]
        return [DeleteText(target.value, options)] if _is_quoted(target.value) else []
    is_tabular = any(
        line.row for line in lines.lines if target.value.text.casefold() in line.text.casefold()
    )
    kind = kinds[0]
    if "line" in kinds:
        kind = _LINED[is_tabular]
        if kind == "line" and not _is_short(lines, target.value):
            return []
    if kind in ("table", "cell", "title", "header", "footer", "list", "headings"):
        return []
    is_whole = kind in ("section", "heading", "column")
    match: Match = "is" if is_whole else "contains"
    if kind in ("row", "column") and any(scope.address or scope.value for scope in scopes):
        return []
    scoped = Options() if kind in ("row", "column") else options
    return [DeleteUnit(Unit(kind, target.value, target.match or match), scoped)]


# What a `line` is, and a German Zeile: outside of tables, and in one.
_LINED: tuple[UnitKind, UnitKind] = ("line", "row")


def _is_short(lines: Lines, value: Value) -> bool:
    """Whether what is called a line is one: a long paragraph with the words is not meant."""
    wanted = value.text.casefold()
    fitting = [line.text for line in lines.lines if wanted in line.text.casefold()]
    begins = [text.casefold().startswith(wanted) for text in fitting]
    longest = [_LONGEST_LINE * (2 if is_first else 1) for is_first in begins]
    return value.is_quoted or all(
        len(text.split()) <= most for text, most in zip(fitting, longest, strict=True)
    )


def _is_quoted(value: Value) -> bool:
    return value.is_quoted


# looks


def _formats(sentence: Sentence) -> list[Reading]:
    if not sentence.verbs <= {"make", "set", "put", "change", "use"}:
        return []
    named = [part for part in sentence.parts if not part.is_place]
    places = [part for part in sentence.parts if part.is_place]
    if not named and len(places) == 1 and places[0].marks & {"for", "in"}:
        # `blue for all headings`: what has the look follows a word.
        named, places = places, []
    scopes = _scopes(places)
    if len(named) != 1 or scopes is None:
        return []
    target = _formatted(named[0])
    is_value = isinstance(target, Value)
    is_vague = isinstance(target, Unit) and target.address is None and bool(scopes)
    if target is None or is_vague or (is_value and "change" in sentence.verbs):
        # `the title of the table` is not the title; `change "A" to red` may mean the word.
        return []
    options = Options(scopes=scopes, everywhere=sentence.everywhere and is_value)
    return [commands_of(sentence.looks, target, options)]


def _formatted(part: Part) -> Unit | Value | None:
    if part.address is not None:
        return Unit(_addressed_kind(part.address), address=part.address)
    kind = part.kinds[0] if part.kinds else None
    if part.value is None:
        return Unit(kind) if kind in ("title", "document", "headings") else None
    if kind is None:
        return part.value if part.value.is_quoted else None
    if kind in ("paragraph", "line", "bullet", "sentence", "row"):
        return Unit(kind, part.value, part.match or "contains")
    return Unit(kind, part.value) if kind == "heading" else None


# insert


def _insertions(sentence: Sentence) -> list[Command]:
    texts = [part for part in sentence.parts if _is_text(part)]
    rest = [part for part in sentence.parts if not _is_text(part)]
    if not texts or sentence.everywhere:
        return []
    text = texts[-1]
    rest += texts[:-1]
    numbered = _numbered(rest, text)
    if numbered is not None:
        return [numbered]
    thing, place = _thing_and_place([*rest], text)
    if place is None or text.value is None:
        return []
    return [Insert(text.value, thing, place, None, None, Options())]


def _numbered(rest: Sequence[Part], text: Part) -> Insert | None:
    """A clause by the number that it is to have: `after 2.2 add a new clause 2.3: …`."""
    named = [part for part in rest if part.address is not None and not part.is_place]
    places = [part for part in rest if part.is_place]
    if len(named) != 1 or len(named) + len(places) != len(rest) or text.value is None:
        return None
    address = named[0].address
    if address is None or len(address.labels) != 1 or len(places) > 1:
        return None
    if places:
        before = places[0].address
        wanted = keys(address.labels[0])
        is_before = before is not None and len(before.labels) == 1 and "after" in places[0].marks
        if not is_before or before is None:
            return None
        if keys(before.labels[0]) != (*wanted[:-1], previous(wanted[-1])):
            return None
    place = Place("numbered", Unit("section", address=address))
    return Insert(text.value, "clause", place, None, None, Options())


def _is_text(part: Part) -> bool:
    is_new = part.value is not None and part.value.is_quoted
    return is_new and not part.marks & {"after", "before", "top", "end", "in"} and not part.match


_THINGS: Mapping[UnitKind, ThingKind] = {
    "sentence": "sentence",
    "paragraph": "paragraph",
    "line": "paragraph",
    "bullet": "bullet",
    "heading": "heading",
    "section": "section",
}


def _thing_and_place(rest: Sequence[Part], text: Part) -> tuple[ThingKind, Place | None]:
    """What the new words are, and where they go."""
    kinds = list(text.kinds)
    places: list[Part] = []
    for part in rest:
        if part.is_place:
            places.append(part)
        elif part.value is None and part.address is None and not kinds:
            kinds = list(part.kinds)
        else:
            return "", None
    known: list[ThingKind] = [_THINGS[kind] for kind in kinds if kind in _THINGS]
    if kinds and not known:
        return "", None
    thing: ThingKind = known[0] if known else ""
    between = [part for part in places if "between" in part.marks]
    if between:
        return thing, _between(between[0]) if len(places) == 1 else None
    if len(places) == 1 and "as" in places[0].marks:
        return thing, _counted_place(places[0])
    beside = [part for part in places if part.marks & {"after", "before"}]
    at_edge = [part for part in places if part.marks & {"top", "end", "to"} and part not in beside]
    inside = [part for part in places if part not in beside and part not in at_edge]
    if len(beside) == 1 and not at_edge:
        target = _beside(beside[0], inside)
        where = "after" if "after" in beside[0].marks else "before"
        return thing, Place(where, target) if target is not None else None
    if len(at_edge) == 1 and not beside and len(inside) == 1 and "list" in at_edge[0].kinds:
        # `exhibit B: … at the end of the list`
        last = 1 if "top" in at_edge[0].marks else -1
        counted = Address("bullet", ordinals=(last,), within=inside[0].address)
        target = Unit("bullet", address=counted)
        return thing, Place("before" if last > 0 else "after", target) if inside[
            0
        ].address else None
    if len(at_edge) == 1 and not beside and not inside:
        target = _edge(at_edge[0])
        where = "top" if "top" in at_edge[0].marks else "end"
        return thing, Place(where, target) if target is not None else None
    return "", None


def _between(part: Part) -> Place | None:
    """Behind the first of two numbers that follow each other: `between 3.1 and 3.2`."""
    address = part.address
    if address is None or len(address.labels) != 2:
        return None
    first, second = (keys(label) for label in address.labels)
    if first != (*second[:-1], previous(second[-1])):
        return None
    before = replace(address, labels=address.labels[:1])
    return Place("after", Unit(_addressed_kind(before), address=before))


def _counted_place(part: Part) -> Place | None:
    """`as the first item`, `as the last bullet of section 4`: beside the one that is counted."""
    address = part.address
    if address is None or len(address.ordinals) != 1 or address.kind not in _COUNTED:
        return None
    where = "before" if address.ordinals[0] > 0 else "after"
    return Place(where, Unit(_addressed_kind(address), address=address))


_COUNTED: frozenset[UnitKind] = frozenset({"item", "bullet", "paragraph"})


def _beside(part: Part, inside: Sequence[Part]) -> Unit | Value | None:
    if part.address is not None:
        return Unit(_addressed_kind(part.address), address=part.address)
    if part.value is None or (inside and len(inside) != 1):
        return None
    kind = part.kinds[0] if part.kinds else None
    if kind in ("paragraph", "line", "bullet", "sentence", "heading", "section"):
        match = part.match or ("is" if kind in ("heading", "section") else "contains")
        return Unit(kind, part.value, match)
    return part.value if kind is None else None


def _edge(part: Part) -> Unit | None:
    if part.address is not None:
        return Unit(_addressed_kind(part.address), address=part.address)
    kind = part.kinds[0] if part.kinds else None
    if part.value is not None and kind in ("paragraph", "line", "section", "bullet"):
        return Unit(kind, part.value, part.match or ("is" if kind == "section" else "contains"))
    return Unit(kind) if kind in ("document", "title") and part.value is None else None


# comment


def _comments(sentence: Sentence) -> list[Command]:
    """A comment or footnote: its text comes last, the words it hangs on follow `to` or `after`."""
    kind: Literal["comment", "footnote"] = "comment" if "comment" in sentence.verbs else "footnote"
    if len(sentence.verbs - {"insert", "put"}) != 1 or not sentence.parts:
        return []
    text = sentence.parts[-1]
    places = [part for part in sentence.parts[:-1] if part.is_place]
    if text.is_place and len(sentence.parts) == 2:
        places, text = [text], sentence.parts[0]
    if len(places) + 1 != len(sentence.parts) or text.value is None or not places:
        return []
    named = [part for part in places if part.value is not None]
    rest = [part for part in places if part.value is None]
    scopes = _scopes(rest) if named else ()
    if len(named) == 1 and scopes is not None:
        return [Annotate(kind, text.value, named[0].value or Value(""), Options(scopes=scopes))]
    address = places[0].address
    if named or len(places) != 1 or address is None:
        return []
    where = Unit(_addressed_kind(address), address=address)
    return [Annotate(kind, text.value, where, Options())]


# move


def _moves(sentence: Sentence) -> list[Command]:
    """`move the paragraph "A" directly below the heading B`."""
    targets = [part for part in sentence.parts if not part.is_place]
    places = [part for part in sentence.parts if part.is_place]
    if sentence.verbs - {"move"} or len(targets) != 1 or len(places) != 1:
        return []
    target, where = targets[0], places[0]
    _, place = _thing_and_place([where], Part(frozenset(), ()))
    kind = target.kinds[0] if target.kinds else None
    if place is None:
        return []
    if target.address is not None:
        return [Move(_unit(target, "section"), place, Options())]
    if target.value is None or kind not in ("paragraph", "bullet", "line", "section", "heading"):
        return []
    match: Match = "is" if kind in ("section", "heading") else "contains"
    return [Move(Unit(kind, target.value, target.match or match), place, Options())]
