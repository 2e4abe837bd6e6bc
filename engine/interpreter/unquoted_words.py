"""Which words without quotes may be taken at their word.

`change 2:00 PM to 3:30 PM` quotes the document without quotation marks; `change the tone to
something warmer` does not. Only what looks like a quotation is taken as one: names, numbers, dates,
single words of a plain replacement.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import cast

from redraft.engine.interpreter.commands import (
    Annotate,
    Command,
    DeleteText,
    DeleteUnit,
    Describe,
    Fill,
    Format,
    Insert,
    InsertRow,
    NewTable,
    Nothing,
    Recase,
    Replace,
    ReplaceUnit,
    SetValue,
    Unit,
    Value,
)
from redraft.engine.interpreter.value_kinds import kind_of

# Words with which new words are described, or how they should look, rather than quoted.
_DESCRIBED = (
    "bold italic italics cursive underline underlined highlight highlighted strikethrough"
    " superscript subscript caps uppercase lowercase capital capitals letters case"
    " pt points size font style heading title text format spelling wording"
    " red blue green yellow orange purple black white gray grey pink brown"
    " arial calibri cambria helvetica verdana georgia courier garamond tahoma times roman"
    " next today tomorrow yesterday later earlier sooner soon now current correct right proper same"
    " more less catchier warmer friendlier formal informal appropriate"
    " plural singular tense passive voice synonym synonyms abbreviation"
    " placeholder placeholders blank blanks empty nothing something anything"
    " euros dollars pounds percent words numerals digits better shorter longer clearer simpler"
    " fett kursiv unterstrichen großbuchstaben kleinbuchstaben nichts"
    " gras italique souligné majuscules minuscules rien"
    " negrita cursiva subrayado mayúsculas minúsculas nada"
)
_DESCRIPTIONS = frozenset(_DESCRIBED.split())
_FONT_WORDS = frozenset(
    {"arial", "calibri", "cambria", "helvetica", "verdana", "georgia", "courier", "garamond"}
    | {"tahoma", "times", "new", "roman"}
)
# A number that clauses have: who deletes it means the clause.
_NUMBERED = re.compile(r"\d+(?:\.\d+)*\.?(?:\s?\(\w+\))*|\(\w{1,4}\)")
# What is counted rather than called by a number; a section is called by it.
_COUNTED = frozenset(
    {"paragraph", "sentence", "line", "bullet", "heading", "cell", "column", "document"}
)
# New words with one of these may just as well say where the old ones stand.
_PLACES = frozenset({"in", "within", "inside", "throughout", "under", "on", "after", "before"})


def describes(value: Value) -> bool:
    """Whether new words without quotes say what words there should be, and are none themselves."""
    words = set(re.split(r"[\s-]+", value.text))
    rest = {word for word in _words(value) if not re.fullmatch(r"\d+(?:pt)?", word)}
    is_font = bool(rest) and rest <= _FONT_WORDS
    return not value.is_quoted and (bool(_DESCRIPTIONS & words) or is_font)


def plausible(command: Command, stands: Callable[[str], bool]) -> Command | None:
    """Returns a command whose unquoted values may be taken at their word; None for others.

    `change the due date to 3 May` says what it is that changes, and does not quote it.
    """
    if isinstance(command, Replace) and not _is_swap(command, stands):
        return _labelled(command, stands)
    return command if is_plausible(command, stands) else None


def _labelled(command: Replace, stands: Callable[[str], bool]) -> Command | None:
    """The value that is called by what would be replaced."""
    find, by = command.find, command.by
    is_vague = not by.is_quoted and (
        _DESCRIPTIONS & _words(by)
        or _PLACES & set(by.text.split())
        or not (_is_concrete(by) or stands(f"{find.text}:"))
    )
    options = command.options
    is_amount = find.has_article and kind_of(by.text) is not None
    if (
        (command.every and not is_amount)
        or is_vague
        or options.everywhere
        or options.nth is not None
    ):
        return None
    if find.is_quoted or _has_digit(find) or _is_vaguely_placed(command):
        return None
    return SetValue(find.text, by, options)


def is_plausible(command: Command, stands: Callable[[str], bool]) -> bool:
    """Whether the unquoted values of a command look like quotations."""
    if any(map(_counts, _units(command))) or _is_vaguely_placed(command) or _looks_at(command):
        return False
    match command:
        case Replace():
            return _is_swap(command, stands)
        case ReplaceUnit():
            return command.by.is_quoted or _is_concrete(command.by)
        case DeleteText():
            return _is_deletable(command.find, stands)
        case Insert():
            return _is_insertable(command, stands)
        case Fill() if command.value in ("checked", "unchecked"):
            return command.field.is_quoted or stands(command.field.text)
        case Recase():
            return command.find.is_quoted or _is_name(command.find) or _is_word(command.find)
        case DeleteUnit() if command.unit.kind in ("row", "column"):
            return all(map(_is_likely, _values(command)))
        case InsertRow() | NewTable() | Describe() | Annotate():
            return all(map(_is_likely, _values(command))) and _brings_quotes(command)
        case _:
            is_named = all(map(_is_likely, _values(command)))
            return is_named or isinstance(command, DeleteUnit | Nothing)


def _is_insertable(command: Insert, stands: Callable[[str], bool]) -> bool:
    target = command.place.target
    is_named = (
        not isinstance(target, Value)
        or target.is_quoted
        or _is_concrete(target)
        or _is_phrase(target, stands)
        or (command.thing == "bullet" and stands(target.text))
    )
    is_item = isinstance(target, Unit) and target.kind == "list"
    is_short = is_item and not _DESCRIPTIONS & _words(command.text)
    has_words = command.text.is_quoted and (not command.body or command.body.is_quoted)
    return (has_words and is_named) or (is_short and not command.body)


def _looks_at(command: Command) -> bool:
    """Whether a number of a clause would be formatted as words."""
    return isinstance(command, Format) and any(map(_is_number_of_clause, _values(command)))


def _is_number_of_clause(value: Value) -> bool:
    return not value.is_quoted and _NUMBERED.fullmatch(value.text) is not None


def _is_deletable(find: Value, stands: Callable[[str], bool]) -> bool:
    is_number = _is_number_of_clause(find)
    return find.is_quoted or (not is_number and (_is_name(find) or _is_phrase(find, stands)))


def _is_phrase(value: Value, stands: Callable[[str], bool]) -> bool:
    """Whether words are several and stand in the document as they are typed."""
    return len(value.text.split()) > 1 and stands(value.text)


def _is_vaguely_placed(command: Command) -> bool:
    """Whether words without quotes are taken for a place only because `in` stands before them."""
    scopes = () if isinstance(command, Nothing) else command.options.scopes
    return any(
        unit.kind == "document" and unit.value is not None and not unit.value.is_quoted
        for unit in scopes
    )


def _brings_quotes(command: InsertRow | NewTable | Describe | Annotate) -> bool:
    """Whether what a command writes is quoted: words of its own are never guessed."""
    new = command.cells if isinstance(command, InsertRow | NewTable) else (command.text,)
    return all(value.is_quoted for value in new)


def _values(command: object) -> Iterator[Value]:
    """Every value of a command, those in its units and places, too."""
    if isinstance(command, Value):
        yield command
    elif isinstance(command, tuple):
        for part in cast("tuple[object, ...]", command):
            yield from _values(part)
    elif is_dataclass(command) and not isinstance(command, type):
        for part in fields(command):
            yield from _values(getattr(command, part.name))


def _units(command: object) -> Iterator[Unit]:
    """Every piece of structure of a command."""
    if isinstance(command, Unit):
        yield command
    if isinstance(command, tuple):
        for part in cast("tuple[object, ...]", command):
            yield from _units(part)
    elif is_dataclass(command) and not isinstance(command, type):
        for part in fields(command):
            yield from _units(getattr(command, part.name))


def _counts(unit: Unit) -> bool:
    """Whether a bare number counts pieces of structure (paragraph 2), and is no word of them."""
    value = unit.value
    return (
        unit.kind in _COUNTED
        and value is not None
        and not value.is_quoted
        and re.fullmatch(r"[\d.,]+", value.text) is not None
    )


def _is_likely(value: Value) -> bool:
    return value.is_quoted or _is_concrete(value)


def _is_swap(command: Replace, stands: Callable[[str], bool]) -> bool:
    find, by = command.find, command.by
    if find.is_quoted and by.is_quoted:
        return True
    if not by.is_quoted and _PLACES & set(by.text.split()) - set(find.text.split()):
        return False
    if not by.is_quoted and _DESCRIPTIONS & _words(by) - _words(find):
        return False
    is_there = find.is_quoted or stands(find.text)
    if is_there and not by.is_quoted and _is_parallel(command):
        return True
    if find.is_quoted:
        return (_is_word(by) or _is_concrete(by)) and _has_digit(find) == _has_digit(by)
    if command.every and _is_word(find) and (by.is_quoted or _is_word(by)):
        return True
    if not _is_name(find):
        return False
    return by.is_quoted or (_is_concrete(by) and _has_digit(find) == _has_digit(by))


def _is_parallel(command: Replace) -> bool:
    """Whether new words are of the kind of the old ones, so that they quote the document.

    Both numbers, both names or both plain; in a plain change they share a word, or are one each.
    """
    find, by = command.find, command.by
    if _has_digit(find) != _has_digit(by) or find.has_article != by.has_article:
        return False
    if command.every or find.is_quoted or _has_digit(find):
        return True
    if _words(find) & _words(by):
        return True
    return (_is_concrete(find) and _is_concrete(by)) or (_is_word(find) and _is_word(by))


def _words(value: Value) -> set[str]:
    return set(re.split(r"[\s-]+", value.text.casefold()))


def _is_name(value: Value) -> bool:
    """A name or number; after an article it is a thing ("the Effective Date"), not a quotation."""
    return _is_concrete(value) and (not value.has_article or _has_digit(value))


def _is_concrete(value: Value) -> bool:
    is_address = "://" in value.text
    is_amount = kind_of(value.text) is not None
    return (
        is_address
        or is_amount
        or any(char.isupper() or char.isdigit() or char in "@€$£%" for char in value.text)
    )


def _is_word(value: Value) -> bool:
    return value.text.isalpha() and not value.has_article


def _has_digit(value: Value) -> bool:
    return any(char.isdigit() for char in value.text)
