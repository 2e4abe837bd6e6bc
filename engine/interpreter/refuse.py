"""What a person is told when the built-in interpreter cannot help, and how it read a sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence

from redraft.engine.errors import AmbiguousError, NotUnderstoodError, RefusedError
from redraft.engine.interpreter.commands import (
    Command,
    DeleteText,
    DeleteUnit,
    Insert,
    Nothing,
    Recase,
    Replace,
    ReplaceUnit,
)
from redraft.engine.interpreter.paraphrase import options, placed, saying, unit, value

NO_MODEL = (
    "There is no language model for free instructions; OPENAI_BASE_URL, OPENAI_API_KEY and"
    " REDRAFT_MODEL set one."
)
_EXAMPLE = 'I read no command in it; write for example: replace "A" with "B".'

_MOST_UNKNOWN = 4
_HINTS = {
    "replace": 'I read "replace", but not what with what; write: replace "A" with "B".',
    "change": 'I read "change", but not what to what; write: change "A" to "B".',
    "correct": 'I read "correct", but not what to what; write: correct "A" to "B".',
    "delete": 'I read "delete", but not what to delete; put the text in quotes.',
    "make": 'I read "make", but not what to make of what; write: make "A" bold.',
    "move": 'I read "move", but not what and where; write: move the section "A" before "B".',
    "link": 'I read "link", but not what to where; write: link "A" to "https://…".',
    "accept": 'I read "accept", but not which changes; write: accept all changes by A.',
    "reject": 'I read "reject", but not which changes; write: reject all changes by A.',
    "insert": 'I read "insert", but not what and where; write: insert "A" after "B".',
    "rename": 'I read "rename", but not what to what; write: rename the heading "A" to "B".',
    "uppercase": 'I read "upper case", but not which words; put them in quotes.',
    "set": 'I read "set", but not what to what; write: set the footer to "A".',
}


def undo_elsewhere() -> RefusedError:
    """Says where an edit is taken back: it is no edit of the text."""
    return RefusedError(
        "Taking back an edit is not an edit of the text: choose Undo in the terminal program, or"
        " call undo of the service; a file edited on the command line is still as it was"
    )


def not_understood(
    words: Sequence[str],
    *,
    is_open: bool = False,
    quoted: Sequence[str] = (),
    unknown: Sequence[str] = (),
    nearest: str = "",
) -> NotUnderstoodError:
    """Say in one line what was read and what was not, and what sentence would work.

    Args:
        words: The canonical words that were recognised.
        is_open: Whether a quotation was never closed.
        quoted: The quotations, which are put into the sentence that would work.
        unknown: Words that neither the interpreter nor the document has.
        nearest: A sentence like this one that works on the document; empty where none is known.
    """
    if is_open:
        return NotUnderstoodError(f"A quotation mark is opened and not closed. {NO_MODEL}")
    hint = next((_HINTS[word] for word in words if word in _HINTS), _EXAMPLE)
    for letter, text in zip("AB", quoted, strict=False):
        hint = hint.replace(f'"{letter}"', f'"{text}"')
    if nearest:
        hint = f"{re.split('[;,.] (?:write|put)', hint)[0].rstrip('.')}; write: {nearest}."
    rest = ", ".join(f"“{word}”" for word in unknown[:_MOST_UNKNOWN])
    missed = f"What does {rest} mean here?" if rest else ""
    return NotUnderstoodError(" ".join(part for part in (hint, missed, NO_MODEL) if part))


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
            where = options(command.options)
            where += " matching case" * (command.options.match_case is True)
            return f"replace {value(command.find)} with {value(command.by)}{where}"
        case ReplaceUnit():
            return f"give {unit(command.unit)} the words {value(command.by)}"
        case DeleteText():
            return f"delete {value(command.find)}{options(command.options)}"
        case DeleteUnit():
            return f"delete {unit(command.unit)}{options(command.options)}"
        case Recase():
            where = options(command.options)
            return f"write {value(command.find)} in {command.case} case{where}"
        case Insert():
            return _insert(command)
        case Nothing():
            return "change nothing"
        case _:
            return saying(command)


def _insert(command: Insert) -> str:
    thing = f"the {command.thing} " if command.thing else ""
    return f"insert {thing}{value(command.text)} {placed(command.place)}"
