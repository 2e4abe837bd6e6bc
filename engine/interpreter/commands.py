"""What a sentence says, before anyone has looked into the document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Match: TypeAlias = Literal["is", "contains", "starts", "ends"]
UnitKind: TypeAlias = Literal[
    "paragraph",
    "sentence",
    "line",
    "bullet",
    "heading",
    "section",
    "row",
    "column",
    "table",
    "cell",
    "footnote",
    "header",
    "footer",
    "title",
    "body",
    "notes",
    "document",
]
Case: TypeAlias = Literal["upper", "lower", "title", "sentence"]


@dataclass(frozen=True, slots=True)
class Value:
    """Words of the document or for it; `has_article` when a bare value followed `the` or `a`."""

    text: str
    is_quoted: bool = True
    has_article: bool = False


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of structure: the row containing V, the section V, table 2, the header."""

    kind: UnitKind
    value: Value | None = None
    match: Match = "is"
    number: int | None = None
    column: Value | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """How a text is searched; `nth` counts hits from 1, -1 is the last one."""

    everywhere: bool = False
    match_case: bool | None = None
    whole_word: bool = False
    nth: int | None = None
    scopes: tuple[Unit, ...] = ()


@dataclass(frozen=True, slots=True)
class Replace:
    """Put `by` where `find` stands; `every` when all hits are meant unless one is named."""

    find: Value
    by: Value
    every: bool
    options: Options


@dataclass(frozen=True, slots=True)
class ReplaceUnit:
    """Give a piece of structure new words."""

    unit: Unit
    by: Value
    options: Options


@dataclass(frozen=True, slots=True)
class DeleteText:
    """Take words out."""

    find: Value
    options: Options


@dataclass(frozen=True, slots=True)
class DeleteUnit:
    """Take a piece of structure out."""

    unit: Unit
    options: Options


@dataclass(frozen=True, slots=True)
class Place:
    """Beside what, or at which end of what; no target means the document."""

    where: Literal["before", "after", "top", "end"]
    target: Unit | Value | None = None


@dataclass(frozen=True, slots=True)
class Insert:
    """Put new words in; `thing` is what they are said to be, `body` goes under a new heading."""

    text: Value
    thing: Literal["", "text", "sentence", "paragraph", "heading", "section", "bullet", "numbered"]
    place: Place
    level: int | None
    body: Value | None
    options: Options


@dataclass(frozen=True, slots=True)
class Recase:
    """Write words in other letters."""

    find: Value
    case: Case
    options: Options


@dataclass(frozen=True, slots=True)
class Nothing:
    """Leave the document as it is."""


Command: TypeAlias = Replace | ReplaceUnit | DeleteText | DeleteUnit | Insert | Recase | Nothing
