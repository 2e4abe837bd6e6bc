"""One command in canonical words becomes the commands it may mean."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput, VisitError
from lark.visitors import CollapseAmbiguities

from redraft.engine.interpreter.commands import (
    Address,
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
    Settle,
    SetValue,
    Unit,
    UnitKind,
    Value,
)
from redraft.engine.interpreter.meanings import MoreMeanings
from redraft.engine.interpreter.page_meanings import PageMeanings
from redraft.engine.interpreter.rule_values import (
    ContradictionError,
    Flag,
    Thing,
    constant,
    merged,
    sorted_parts,
    things,
)

# Some sentences say several things: delete "a" and "b".
Reading: TypeAlias = tuple[Command, ...]


# A family of commands and the words of which each of its sentences has one.
_FAMILIES: Mapping[str, frozenset[str]] = {
    name: frozenset(signs.split())
    for name, signs in {
        "replacing": "change set fill raise bereplaced replace correct use insert put instead"
        " substitute swap read arrow rename becalled make",
        "deleting": "delete clear bedeleted",
        "inserting": "insert put use prepend",
        "recasing": "uppercase lowercase titlecase",
        "looking": "bold italic underline strikethrough smallcaps highlighted superscript subscript"
        " size points fontsize fontname color fontcolor style linespacing center left right"
        " justified align bulletlist numberlist plain quotation make apply unlook",
        "placing": "move put swap merge split start pagebreak newpage",
        "tabulating": "row column table",
        "handling": "resolve reopen reply link alttext image footnote comment revision field box"
        " check uncheck checked unchecked author subject keywords"
        " category doctitle titleproperty",
        "paging": "page blankpage watermark pagenumber redact header footer",
        "nothing": "nothing",
    }.items()
}


@cache
def _grammar() -> Lark:
    text = Path(__file__).with_name("grammar.lark").read_text("utf-8")
    return Lark(text, parser="earley", lexer="basic", ambiguity="explicit", start=[*_FAMILIES])


def parse(words: str, values: Sequence[Value | Address]) -> tuple[Reading, ...]:
    """Read one command, as every reading there is.

    Args:
        words: Canonical words, blanks between; `q2` stands for `values[2]`.
        values: The lifted values.

    Returns:
        Readings that differ, in no meaningful order; empty when the words are no sentence.
    """
    readings: list[Reading] = []
    for reading in _trees(words):
        try:
            meant = cast("Reading", _Meaning(values).transform(reading))
        except VisitError as error:
            if isinstance(error.orig_exc, ContradictionError):
                continue
            raise
        if meant not in readings:
            readings.append(meant)
    return tuple(readings)


@lru_cache(4096)
def _trees(words: str) -> tuple[Tree[Token], ...]:
    """Every tree without ambiguity that words have; none when they are no sentence."""
    spoken = set(words.split())
    has_level = bool(spoken & {"heading", "level"}) and any(word[1:].isdecimal() for word in spoken)
    is_look = has_level or any(re.match(r"[kz][a-z0-9]", word) for word in spoken)
    trees: list[Tree[Token]] = []
    for family, signs in _FAMILIES.items():
        if not signs & spoken and not (family == "looking" and is_look):
            continue
        try:
            tree = _grammar().parse(words, start=family)  # pyright: ignore[reportUnknownMemberType]
        except UnexpectedInput:
            continue
        # lark types the result of this transformer by nothing.
        trees += cast("list[Tree[Token]]", CollapseAmbiguities().transform(tree))  # pyright: ignore[reportUnknownMemberType]
    return tuple(trees)


# Kinds of addresses that commands know by another name.
_UNITS: Mapping[UnitKind, UnitKind] = {
    "place": "section",
    "definition": "bullet",
    "signature": "table",
    "item": "bullet",
}


def _named(kind: UnitKind, match: Match = "is") -> Any:
    def unit(self: _Meaning, parts: list[Any]) -> Unit:
        return Unit(kind, parts[-1], match)

    return unit


def _plain(kind: UnitKind) -> Any:
    def unit(self: _Meaning, parts: list[Any]) -> Unit:
        return Unit(kind)

    return unit


def _flag(**options: Any) -> Any:
    def flag(self: _Meaning, parts: list[Any]) -> Flag:
        return Flag(Options(**options))

    return flag


def _placed(where: Literal["before", "after", "top", "end"]) -> Any:
    def place(self: _Meaning, parts: list[Any]) -> Place:
        targets = [part for part in parts if isinstance(part, (Unit, Value))]
        return Place(where, targets[0] if targets else None)

    return place


def _thing(kind: Any) -> Any:
    def thing(self: _Meaning, parts: list[Any]) -> Thing:
        return Thing(kind)

    return thing


class _Meaning(MoreMeanings, PageMeanings):
    """Gives each rule of the grammar its meaning; a method's name is the rule's."""

    # values and flags

    def text(self, parts: list[Any]) -> list[Any]:
        return [part for part in parts if isinstance(part, Value)]

    def word(self, parts: list[Any]) -> list[Any]:
        return [*parts, Flag(Options(whole_word=True))]

    def nth(self, parts: list[Token]) -> Flag:
        return Flag(Options(nth=int(parts[0][1:])))

    noun = label = constant(None)
    every = everywhere = _flag(everywhere=True)
    option = everywhere
    whole = _flag()
    match_case = _flag(match_case=True)
    ignore_case = _flag(match_case=False)
    whole_word = _flag(whole_word=True)
    close_up = _flag(close_up=True)
    inside_words = _flag(inside_words=True)

    def scope(self, parts: list[Unit]) -> Flag:
        address = parts[0].address
        several = address is not None and len(address.labels) > 1
        return Flag(Options(scopes=(parts[0],), everywhere=several))

    def only_in(self, parts: list[Unit]) -> Flag:
        return Flag(Options(scopes=(parts[0],), everywhere=True))

    def not_in(self, parts: list[Unit]) -> Flag:
        return Flag(Options(excepts=(parts[0],), everywhere=True))

    def led(self, parts: list[Token]) -> Flag:
        return Flag(Options(scopes=(self.addressed(parts),)))

    def in_named(self, parts: list[Value]) -> Flag:
        return Flag(Options(scopes=(Unit("document", parts[0]),)))

    # structure

    contains = constant("contains")
    starts = constant("starts")
    ends = constant("ends")
    says = constant("contains")
    paragraph = constant("paragraph")
    sentence = constant("sentence")
    line = constant("line")
    bullet = constant("bullet")
    heading = constant("heading")
    row = constant("row")
    cell = constant("cell")
    column = constant("column")
    footnote = constant("footnote")
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

    def addressed(self, parts: list[Token]) -> Unit:
        address = self._values[int(parts[0][1:])]
        if not isinstance(address, Address):
            raise ContradictionError
        return Unit(_UNITS.get(address.kind, address.kind), address=address)

    def footnote_number(self, parts: list[Token]) -> Unit:
        return Unit("footnote", number=int(parts[0][1:]))

    in_body = constant(Flag(Options(scopes=(Unit("body"),))))
    in_title = constant(Flag(Options(scopes=(Unit("title"),))))

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

    def thing_heading(self, parts: list[Token]) -> Thing:
        numbers = [int(part[1:]) for part in parts]
        return Thing("heading", numbers[0] if numbers else None)

    # actions: each returns a command, the outermost options are merged in by `command`

    def _replace(self, parts: list[Any], *, every: bool) -> Replace:
        values, options = sorted_parts(parts)
        find, by = values[0], values[1]
        # `replace Human Resources by the HR team`: the article is a part of the new words.
        is_name = any(char.isupper() or char.isdigit() for char in by.text)
        by = by.with_article if is_name and not find.has_article else by
        return Replace(find, by, every, options)

    def change_text(self, parts: list[Any]) -> Replace:
        return self._replace(parts, every=False)

    def set_text(self, parts: list[Any]) -> Replace:
        return replace(self._replace(parts, every=False), sets=True)

    def replace_several(self, parts: list[Any]) -> list[Replace]:
        values, options = sorted_parts(parts)
        return [Replace(find, values[-1], True, options) for find in values[:-1]]

    def replace_by_nothing(self, parts: list[Any]) -> DeleteText:
        values, options = sorted_parts(parts)
        return DeleteText(values[0], merged(options, Options(everywhere=True)))

    def replace_text(self, parts: list[Any]) -> Replace:
        return self._replace(parts, every=True)

    def call_text(self, parts: list[Any]) -> Replace:
        return replace(self._replace(parts, every=True), renames=True)

    def make_value(self, parts: list[Any]) -> SetValue:
        label, by = things(parts)
        if label.is_quoted or not any(char.isdigit() for char in by.text):
            raise ContradictionError
        return SetValue(label.text, by, Options())

    def swap_texts(self, parts: list[Any]) -> list[Replace]:
        (one, other), options = sorted_parts(parts)
        return [Replace(one, other, False, options), Replace(other, one, False, options)]

    def about(self, parts: list[Token]) -> None:
        return None

    change_from = change_text

    def change_by(self, parts: list[Any]) -> Replace:
        command = self._replace(parts, every=True)
        # `change the fee by $500` says how much comes or goes.
        if not (command.find.is_quoted and command.by.is_quoted):
            raise ContradictionError
        return command

    def change_instead(self, parts: list[Any]) -> Replace:
        (by, find), options = sorted_parts(parts)
        return Replace(find, by, False, options)

    def use_instead(self, parts: list[Any]) -> Replace:
        (by, find), options = sorted_parts(parts)
        return Replace(find, by, True, options)

    def change_within(self, parts: list[Any]) -> Replace:
        (place, find, by), options = sorted_parts(parts)
        return Replace(find, by, False, merged(options, Options(scopes=(Unit("document", place),))))

    def change_in_story(self, parts: list[Any]) -> Replace:
        (find, by), options = sorted_parts(parts[1:])
        return Replace(find, by, False, merged(options, Options(scopes=(parts[0],))))

    def replace_unit(self, parts: list[Any]) -> ReplaceUnit:
        return ReplaceUnit(parts[0], parts[1], Options())

    def rename_unit(self, parts: list[Any]) -> ReplaceUnit:
        return ReplaceUnit(parts[0], parts[1], Options(), renames=True)

    def rename(self, parts: list[Any]) -> ReplaceUnit:
        return ReplaceUnit(Unit("heading", parts[0]), parts[1], Options(), renames=True)

    def delete_text(self, parts: list[Any]) -> list[DeleteText]:
        values, options = sorted_parts(parts)
        return [DeleteText(value, options) for value in values]

    def delete_units(self, parts: list[Any]) -> list[DeleteUnit]:
        _, options = sorted_parts(parts)
        return [DeleteUnit(part, options) for part in parts if isinstance(part, Unit)]

    def delete_from_list(self, parts: list[Any]) -> DeleteUnit:
        values, options = sorted_parts(parts)
        return DeleteUnit(Unit("bullet", values[0]), options)

    every_list = constant(Unit("list"))

    def delete_from(self, parts: list[Any]) -> list[DeleteText]:
        unit = next(part for part in parts if isinstance(part, Unit))
        value = next(part for part in things(parts) if isinstance(part, Value))
        _, options = sorted_parts(parts)
        return [DeleteText(value, merged(options, Options(scopes=(unit,))))]

    def clear_cell(self, parts: list[Unit]) -> DeleteUnit:
        if parts[0].kind != "cell":
            raise ContradictionError
        return DeleteUnit(parts[0], Options())

    def delete_unit(self, parts: list[Any]) -> DeleteUnit:
        _, options = sorted_parts(parts)
        return DeleteUnit(next(part for part in parts if isinstance(part, Unit)), options)

    def insert(self, parts: list[Any]) -> Insert:
        values, options = sorted_parts(parts)
        place = next(part for part in parts if isinstance(part, Place))
        things = [part for part in parts if isinstance(part, Thing)]
        kind, level = (things[0].kind, things[0].level) if things else ("", None)
        body = values[1] if len(values) > 1 else None
        return Insert(values[0], kind, place, level, body, options)

    def insert_in_list(self, parts: list[Any]) -> Insert:
        return replace(self.insert(parts), thing="bullet")

    def insert_at_end_of_list(self, parts: list[Any]) -> Insert:
        return replace(self.insert([*parts[:-1], Place("end", parts[-1])]), thing="bullet")

    def insert_clause(self, parts: list[Any]) -> Insert:
        """A clause by the number it is to have, which one of the places has not."""
        addresses = [self.addressed([part]).address for part in parts if isinstance(part, Token)]
        numbers = [one for one in addresses if one and one.kind == "place" and one.labels]
        if not numbers or len(numbers[0].labels) != 1:
            raise ContradictionError
        within = next((one for one in addresses if one is not numbers[0]), numbers[0].within)
        unit = Unit("section", address=replace(numbers[0], within=within))
        values, options = sorted_parts(parts)
        return Insert(values[0], "clause", Place("numbered", unit), None, None, options)

    def insert_in_story(self, parts: list[Any]) -> Insert:
        return self.insert([*parts[:-1], Place("end", parts[-1])])

    def insert_numbered(self, parts: list[Any]) -> Insert:
        unit = self.addressed(parts[:1])
        if unit.address is None or unit.address.kind != "section":
            raise ContradictionError
        values, options = sorted_parts(parts)
        body = values[1] if len(values) > 1 else None
        return Insert(values[0], "section", Place("numbered", unit), None, body, options)

    def prepend(self, parts: list[Any]) -> Insert:
        return self.insert([*parts[:-1], Place("top", parts[-1])])

    upper = constant("upper")
    lower = constant("lower")
    titled = constant("title")

    def recase(self, parts: list[Any]) -> Recase:
        values, options = sorted_parts(parts)
        return Recase(values[0], _case(parts), options)

    def recase_unit(self, parts: list[Any]) -> Recase:
        unit = next(part for part in parts if isinstance(part, Unit))
        if unit.kind not in ("title", "heading") or (unit.kind == "heading" and not unit.value):
            raise ContradictionError
        value = unit.value or Value("")
        _, options = sorted_parts(parts)
        return Recase(value, _case(parts), merged(options, Options(scopes=(unit,))))

    def command(self, parts: list[Any]) -> Reading:
        action = next(part for part in parts if not isinstance(part, Flag))
        _, options = sorted_parts([part for part in parts if isinstance(part, Flag)])
        several = cast("list[Any]", action if isinstance(action, list) else [action])
        if isinstance(action, Settle) and any(_is_named(scope) for scope in options.scopes):
            # "of V" says whose changes are meant, not where they stand.
            raise ContradictionError
        return tuple(_nested(replace(one, options=merged(one.options, options))) for one in several)

    nothing = constant((Nothing(),))


def _nested(command: Any) -> Any:
    """Put a counted place into the one named before it: `in 2.1, delete the last sentence`."""
    scopes = command.options.scopes
    pieces = [getattr(command, name, None) for name in ("unit", "target", "what")]
    addresses = [piece.address for piece in pieces if isinstance(piece, Unit)]
    if command.options.everywhere and any(one and one.ordinals for one in addresses):
        # `every second sentence` is not the second one.
        raise ContradictionError
    if len(scopes) != 1 or scopes[0].address is None:
        return command
    for name in ("unit", "target", "what"):
        unit = getattr(command, name, None)
        address = unit.address if isinstance(unit, Unit) else None
        if isinstance(unit, Unit) and address is not None and address.within is None:
            inner = replace(unit, address=replace(address, within=scopes[0].address))
            options = replace(command.options, scopes=())
            return replace(command, **{name: inner}, options=options)
    return command


def _is_named(scope: Unit) -> bool:
    return scope.kind == "document" and scope.value is not None


def _case(parts: list[Any]) -> Any:
    return next(part for part in parts if part in ("upper", "lower", "title"))
