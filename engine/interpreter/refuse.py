"""What a person is told when the built-in interpreter cannot help, and how it read a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import AmbiguousError, NotUnderstoodError
from engine.interpreter.commands import (
    Command,
    DeleteText,
    DeleteUnit,
    Insert,
    Nothing,
    Options,
    Recase,
    Replace,
    ReplaceUnit,
    Unit,
    Value,
)

HELP = (
    "This server has no language model configured, and its built-in editor did not understand the"
    " instruction. It can replace, delete, insert, rename, correct and change letters, in the whole"
    " document or in a section, table, row, header, footer or footnotes; for example: replace"
    ' "A" with "B" everywhere; delete the paragraph containing "A"; add the paragraph "A" after the'
    ' heading "B". To use free instructions set OPENAI_BASE_URL, OPENAI_API_KEY and REDRAFT_MODEL.'
)

_HINTS = {
    "replace": 'I read "replace", but not what with what; write: replace "A" with "B".',
    "change": 'I read "change", but not what to what; write: change "A" to "B".',
    "correct": 'I read "correct", but not what to what; write: correct "A" to "B".',
    "delete": 'I read "delete", but not what to delete; put the text in quotes.',
    "insert": 'I read "insert", but not what and where; write: insert "A" after "B".',
    "rename": 'I read "rename", but not what to what; write: rename the heading "A" to "B".',
    "uppercase": 'I read "upper case", but not which words; put them in quotes.',
    "set": 'I read "set", but not what to what; write: set the footer to "A".',
}


def not_understood(words: Sequence[str], *, is_open: bool) -> NotUnderstoodError:
    """Say what can be done; `words` are the canonical words that were recognised."""
    if is_open:
        return NotUnderstoodError(f"A quotation mark is opened and not closed. {HELP}")
    hint = next((_HINTS[word] for word in words if word in _HINTS), "")
    return NotUnderstoodError(f"{hint} {HELP}".strip())


def two_readings(one: Sequence[Command], other: Sequence[Command]) -> AmbiguousError:
    """Name two readings of one sentence."""
    first, second = (" and ".join(describe(part) for part in parts) for parts in (one, other))
    return AmbiguousError(
        f"The instruction can be read in two ways: {first}; or: {second}."
        " Put the texts in quotes, or say it in other words"
    )


def describe(command: Command) -> str:
    """Say a command in plain words."""
    match command:
        case Replace():
            where = _options(command.options)
            return f"replace {_value(command.find)} with {_value(command.by)}{where}"
        case ReplaceUnit():
            return f"give {_unit(command.unit)} the words {_value(command.by)}"
        case DeleteText():
            return f"delete {_value(command.find)}{_options(command.options)}"
        case DeleteUnit():
            return f"delete {_unit(command.unit)}{_options(command.options)}"
        case Recase():
            where = _options(command.options)
            return f"write {_value(command.find)} in {command.case} case{where}"
        case Insert():
            return _insert(command)
        case Nothing():
            return "change nothing"


def _insert(command: Insert) -> str:
    target = command.place.target
    beside = _unit(target) if isinstance(target, Unit) else _value(target) if target else ""
    thing = f"the {command.thing} " if command.thing else ""
    where = {"top": "at the top of", "end": "at the end of"}.get(
        command.place.where, command.place.where
    )
    return f"insert {thing}{_value(command.text)} {where} {beside or 'the document'}"


def _value(value: Value) -> str:
    return f"“{value.text}”" if value.text else "all of it"


def _unit(unit: Unit) -> str:
    verbs = {
        "is": "",
        "contains": "containing ",
        "starts": "starting with ",
        "ends": "ending with ",
    }
    words = f" {verbs[unit.match]}{_value(unit.value)}" if unit.value else ""
    number = f" {unit.number}" if unit.number is not None else ""
    return f"the {unit.kind}{number}{words}"


def _options(options: Options) -> str:
    said = [f" in {_unit(scope)}" for scope in options.scopes]
    said += [" everywhere"] * options.everywhere
    said += [" matching case"] * (options.match_case is True)
    said += [" as whole words"] * options.whole_word
    said += [f" (number {options.nth})"] * (options.nth is not None)
    return "".join(said)
