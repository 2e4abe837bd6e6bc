"""One command in canonical words becomes the commands it may mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

from lark import Lark, Token, Transformer, Tree
from lark.exceptions import UnexpectedInput, VisitError
from lark.visitors import CollapseAmbiguities

from engine.interpreter.commands import (
    Command,
    DeleteText,
    DeleteUnit,
    Insert,
    Match,
    Nothing,
    Options,
    Place,
    Recase,
    Replace,
    ReplaceUnit,
    Unit,
    UnitKind,
    Value,
)

# Some sentences say several things: delete "a" and "b".
Reading: TypeAlias = tuple[Command, ...]


@dataclass(frozen=True, slots=True)
class _Flag:
    """One thing said about how to search."""

    options: Options


@dataclass(frozen=True, slots=True)
class _Thing:
    """What new words are said to be."""

    kind: Literal["text", "sentence", "paragraph", "heading", "section", "bullet", "numbered"]
    level: int | None = None


@cache
def _grammar() -> Lark:
    text = Path(__file__).with_name("grammar.lark").read_text("utf-8")
    return Lark(text, parser="earley", lexer="basic", ambiguity="explicit")


def parse(words: str, values: Sequence[Value]) -> tuple[Reading, ...]:
    """Read one command, as every reading there is.

    Args:
        words: Canonical words, blanks between; `q2` stands for `values[2]`.
        values: The lifted values.

    Returns:
        Readings that differ, in no meaningful order; empty when the words are no sentence.
    """
    try:
        tree = _grammar().parse(words)  # pyright: ignore[reportUnknownMemberType]
    except UnexpectedInput:
        return ()
    readings: list[Reading] = []
    for reading in _trees(tree):
        try:
            meant = cast("Reading", _Meaning(values).transform(reading))
        except VisitError as error:
            if isinstance(error.orig_exc, _ContradictionError):
                continue
            raise
        if meant not in readings:
            readings.append(meant)
    return tuple(readings)


def _trees(tree: Tree[Token]) -> list[Tree[Token]]:
    """Every tree without ambiguity that an ambiguous one holds."""
    # lark types the result of this transformer by nothing.
    return cast("list[Tree[Token]]", CollapseAmbiguities().transform(tree))  # pyright: ignore[reportUnknownMemberType]


class _ContradictionError(Exception):
    """A reading says two things that exclude each other."""


def _named(kind: UnitKind, match: Match = "is") -> Any:
    def unit(self: _Meaning, parts: list[Any]) -> Unit:
        return Unit(kind, parts[-1], match)

    return unit


def _plain(kind: UnitKind) -> Any:
    def unit(self: _Meaning, parts: list[Any]) -> Unit:
        return Unit(kind)

    return unit


def _constant(value: object) -> Any:
    def constant(self: _Meaning, parts: list[Any]) -> object:
        return value

    return constant


def _flag(**said: Any) -> Any:
    def flag(self: _Meaning, parts: list[Any]) -> _Flag:
        return _Flag(Options(**said))

    return flag


def _placed(where: Literal["before", "after", "top", "end"]) -> Any:
    def place(self: _Meaning, parts: list[Any]) -> Place:
        targets = [part for part in parts if isinstance(part, (Unit, Value))]
        return Place(where, targets[0] if targets else None)

    return place


def _thing(kind: Any) -> Any:
    def thing(self: _Meaning, parts: list[Any]) -> _Thing:
        return _Thing(kind)

    return thing


class _Meaning(Transformer[Token, Any]):
    """Gives each rule of the grammar its meaning; a method's name is the rule's."""

    def __init__(self, values: Sequence[Value]) -> None:
        super().__init__()
        self._values = values

    # values and flags

    def value(self, parts: list[Token]) -> Value:
        return self._values[int(parts[0][1:])]

    def text(self, parts: list[Any]) -> list[Any]:
        return [part for part in parts if isinstance(part, Value)]

    def word(self, parts: list[Any]) -> list[Any]:
        return [*parts, _Flag(Options(whole_word=True))]

    def nth(self, parts: list[Token]) -> _Flag:
        return _Flag(Options(nth=int(parts[0][1:])))

    noun = label = _constant(None)
    every = everywhere = _flag(everywhere=True)
    option = everywhere
    whole = _flag()
    match_case = _flag(match_case=True)
    ignore_case = _flag(match_case=False)
    whole_word = _flag(whole_word=True)

    def scope(self, parts: list[Unit]) -> _Flag:
        return _Flag(Options(scopes=(parts[0],)))

    def in_named(self, parts: list[Value]) -> _Flag:
        return _Flag(Options(scopes=(Unit("document", parts[0]),)))

    # structure

    contains = _constant("contains")
    starts = _constant("starts")
    ends = _constant("ends")
    says = _constant("contains")
    paragraph = _constant("paragraph")
    sentence = _constant("sentence")
    line = _constant("line")
    bullet = _constant("bullet")
    heading = _constant("heading")
    row = _constant("row")
    cell = _constant("cell")
    column = _constant("column")
    footnote = _constant("footnote")
    paragraph_named = _named("paragraph")
    sentence_named = _named("sentence")
    heading_named = _named("heading")
    footnote_named = _named("footnote", "contains")
    row_named = _named("row", "contains")
    cell_named = _named("cell")
    column_named = _named("column")
    section_named = _named("section")
    table_only = _plain("table")
    table_named = _named("table", "contains")
    header = _plain("header")
    footer = _plain("footer")
    footnotes = _plain("notes")
    title = _plain("title")
    body = _plain("body")
    document = _plain("document")

    def matched(self, parts: list[Any]) -> Unit:
        kind, match, value = parts
        return Unit(kind, value, match)

    def contained(self, parts: list[Any]) -> Unit:
        return Unit(parts[0], parts[1], "contains")

    def started(self, parts: list[Any]) -> Unit:
        return Unit(parts[0], parts[1], "starts")

    def ended(self, parts: list[Any]) -> Unit:
        return Unit(parts[0], parts[1], "ends")

    def section_matched(self, parts: list[Any]) -> Unit:
        return Unit("section", parts[-1], parts[0])

    def footnote_number(self, parts: list[Token]) -> Unit:
        return Unit("footnote", number=int(parts[0][1:]))

    def table_number(self, parts: list[Token]) -> Unit:
        return Unit("table", number=int(parts[0][1:]))

    table_ordinal = table_number

    def cell_at(self, parts: list[Any]) -> Unit:
        row, column = [part for part in parts if isinstance(part, Value)]
        return Unit("cell", row, "contains", column=column)

    def cell_across(self, parts: list[Any]) -> Unit:
        column, row = [part for part in parts if isinstance(part, Value)]
        return Unit("cell", row, "contains", column=column)

    # places and things

    place_after = _placed("after")
    place_before = _placed("before")
    place_top = _placed("top")
    place_end = _placed("end")
    thing_text = _thing("text")
    thing_sentence = _thing("sentence")
    thing_paragraph = _thing("paragraph")
    thing_bullet = _thing("bullet")
    thing_numbered = _thing("numbered")
    thing_section = _thing("section")

    def thing_heading(self, parts: list[Token]) -> _Thing:
        numbers = [int(part[1:]) for part in parts]
        return _Thing("heading", numbers[0] if numbers else None)

    # actions: each returns a command, the outermost options are merged in by `command`

    def _replace(self, parts: list[Any], *, every: bool) -> Replace:
        values, options = _sorted(parts)
        return Replace(values[0], values[1], every, options)

    def change_text(self, parts: list[Any]) -> Replace:
        return self._replace(parts, every=False)

    def replace_text(self, parts: list[Any]) -> Replace:
        return self._replace(parts, every=True)

    def use_instead(self, parts: list[Any]) -> Replace:
        (by, find), options = _sorted(parts)
        return Replace(find, by, True, options)

    def change_within(self, parts: list[Any]) -> Replace:
        (place, find, by), options = _sorted(parts)
        return Replace(
            find, by, False, _merged(options, Options(scopes=(Unit("document", place),)))
        )

    def replace_unit(self, parts: list[Any]) -> ReplaceUnit:
        return ReplaceUnit(parts[0], parts[1], Options())

    def rename(self, parts: list[Any]) -> ReplaceUnit:
        return ReplaceUnit(Unit("heading", parts[0]), parts[1], Options())

    def delete_text(self, parts: list[Any]) -> list[DeleteText]:
        values, options = _sorted(parts)
        return [DeleteText(value, options) for value in values]

    def delete_unit(self, parts: list[Any]) -> DeleteUnit:
        _, options = _sorted(parts)
        return DeleteUnit(next(part for part in parts if isinstance(part, Unit)), options)

    def insert(self, parts: list[Any]) -> Insert:
        values, options = _sorted(parts)
        place = next(part for part in parts if isinstance(part, Place))
        things = [part for part in parts if isinstance(part, _Thing)]
        kind, level = (things[0].kind, things[0].level) if things else ("", None)
        body = values[1] if len(values) > 1 else None
        return Insert(values[0], kind, place, level, body, options)

    upper = _constant("upper")
    lower = _constant("lower")
    titled = _constant("title")

    def recase(self, parts: list[Any]) -> Recase:
        values, options = _sorted(parts)
        return Recase(values[0], _case(parts), options)

    def recase_unit(self, parts: list[Any]) -> Recase:
        unit = next(part for part in parts if isinstance(part, Unit))
        if unit.kind not in ("title", "heading") or (unit.kind == "heading" and not unit.value):
            raise _ContradictionError
        value = unit.value or Value("")
        _, options = _sorted(parts)
        return Recase(value, _case(parts), _merged(options, Options(scopes=(unit,))))

    def command(self, parts: list[Any]) -> Reading:
        action = next(part for part in parts if not isinstance(part, _Flag))
        _, options = _sorted([part for part in parts if isinstance(part, _Flag)])
        several = cast("list[Any]", action if isinstance(action, list) else [action])
        return tuple(replace(one, options=_merged(one.options, options)) for one in several)

    nothing = _constant((Nothing(),))


def _case(parts: list[Any]) -> Any:
    return next(part for part in parts if part in ("upper", "lower", "title"))


def _sorted(parts: list[Any]) -> tuple[list[Value], Options]:
    """Part the values of a rule from what is said about searching them."""
    values: list[Value] = []
    options = Options()
    for part in parts:
        if isinstance(part, Value):
            values.append(part)
        elif isinstance(part, _Flag):
            options = _merged(options, part.options)
        elif isinstance(part, list):
            inner, more = _sorted(cast("list[Any]", part))
            values += inner
            options = _merged(options, more)
    return values, options


def _merged(one: Options, other: Options) -> Options:
    if one.nth and other.nth and one.nth != other.nth:
        raise _ContradictionError
    return Options(
        everywhere=one.everywhere or other.everywhere,
        match_case=other.match_case if one.match_case is None else one.match_case,
        whole_word=one.whole_word or other.whole_word,
        nth=one.nth or other.nth,
        scopes=tuple(dict.fromkeys((*one.scopes, *other.scopes))),
    )
