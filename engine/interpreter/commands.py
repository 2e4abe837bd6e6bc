"""What a sentence says, before anyone has looked into the document."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from redraft.engine.plan import ParagraphProperty, StampKind, TextProperty

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
    "headings",
    "paragraphs",
    "image",
    "cells",
    "toc",
    "signature",
    "definition",
    "item",
    "list",
    "place",
]
Case: TypeAlias = Literal["upper", "lower", "title", "sentence"]


@dataclass(frozen=True, slots=True)
class Value:
    """Words of the document or for it; `article` is the word before a bare value: `the`, `a`.

    `unit` is what a quoted number counts where that stands outside of the quotes: `"30" days`. It
    begins with the blank before it, if there is one.
    """

    text: str
    is_quoted: bool = True
    article: str = ""
    unit: str = ""

    @property
    def has_article(self) -> bool:
        """Whether a bare value followed `the` or `a`."""
        return bool(self.article)

    @property
    def with_article(self) -> Value:
        """The value with the article before it, as new words are written that bring one."""
        return replace(self, text=f"{self.article} {self.text}".strip(), article="")


@dataclass(frozen=True, slots=True)
class Address:
    """Where something stands by the structure of the document: the last sentence of 4(c).

    `ordinals` count from 1, -1 is the last; `labels` are numbers as they are written (`3.2`,
    `4(c)`, `b`), `name` what it is called. `count` says how many there are (`both tables`). `rest`:
    all but those are meant. `holding` is words that stand in it. With nothing said all are meant.
    """

    kind: UnitKind
    ordinals: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()
    name: str = ""
    count: int | None = None
    rest: bool = False
    every: bool = False
    within: Address | None = None
    holding: str = ""


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of structure: the row containing V, the section V, table 2, the header.

    `number` counts from 1 and -1 is the last; of `headings` it is their level. `table` is where a
    row, column or cell counted by number is looked for. `address` says where it stands by the
    structure of the document; then nothing else is said.
    """

    kind: UnitKind
    value: Value | None = None
    match: Match = "is"
    number: int | None = None
    column: Value | None = None
    table: Unit | None = None
    address: Address | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """How a text is searched; `nth` counts hits from 1, -1 is the last one.

    `scopes` are where, `excepts` where not. `inside_words`: parts of longer words count.
    `close_up` is of deletions: what follows on the page of a PDF moves up.
    """

    everywhere: bool = False
    match_case: bool | None = None
    whole_word: bool = False
    nth: int | None = None
    scopes: tuple[Unit, ...] = ()
    excepts: tuple[Unit, ...] = ()
    close_up: bool = False
    inside_words: bool = False


@dataclass(frozen=True, slots=True)
class Replace:
    """Put `by` where `find` stands.

    `every` when the verb replaces words, and what stands in several places is a question unless a
    place or `everywhere` is said; `renames` when all are meant, since something is called so now.
    `sets` when the verb was `set`, which also speaks of what belongs to a label. `about` are words
    that say what changes, and quote nothing: "rent" of `change the rent from $4 to $5`.
    """

    find: Value
    by: Value
    every: bool
    options: Options
    sets: bool = False
    about: tuple[str, ...] = ()
    renames: bool = False


@dataclass(frozen=True, slots=True)
class SetValue:
    """Give what is called so (`the due date`) another value."""

    label: str
    by: Value
    options: Options


@dataclass(frozen=True, slots=True)
class ReplaceUnit:
    """Give a piece of structure new words; `renames` when only its heading is meant."""

    unit: Unit
    by: Value
    options: Options
    renames: bool = False


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
    """Beside what, or at which end of what; no target means the document.

    `numbered`: where a new section or clause has the number of the target.
    """

    where: Literal["before", "after", "top", "end", "numbered"]
    target: Unit | Value | None = None


@dataclass(frozen=True, slots=True)
class Insert:
    """Put new words in; `thing` is what they are said to be, `body` goes under a new heading."""

    text: Value
    thing: Literal[
        "", "text", "sentence", "paragraph", "heading", "section", "bullet", "numbered", "clause"
    ]
    place: Place
    level: int | None
    body: Value | None
    options: Options

    @property
    def as_block(self) -> bool:
        """Whether what is said of it makes it a block of its own."""
        return self.thing not in ("", "text", "sentence")


@dataclass(frozen=True, slots=True)
class Recase:
    """Write words in other letters."""

    find: Value
    case: Case
    options: Options


@dataclass(frozen=True, slots=True)
class Look:
    """One property of characters, as `engine.plan.FormatText` has it."""

    property: TextProperty
    value: str


@dataclass(frozen=True, slots=True)
class Format:
    """Give words or pieces of structure looks."""

    target: Value | Unit
    looks: tuple[Look, ...]
    options: Options


@dataclass(frozen=True, slots=True)
class Restyle:
    """Give paragraphs a style by its name."""

    target: Value | Unit
    style: str
    options: Options


@dataclass(frozen=True, slots=True)
class Align:
    """Set a property of paragraphs."""

    target: Value | Unit
    property: ParagraphProperty
    value: str
    options: Options


@dataclass(frozen=True, slots=True)
class Listed:
    """Make list items of paragraphs."""

    target: Value | Unit
    kind: Literal["bullet", "numbered", "none"]
    options: Options


@dataclass(frozen=True, slots=True)
class Move:
    """Put blocks elsewhere."""

    what: Value | Unit
    place: Place
    options: Options


@dataclass(frozen=True, slots=True)
class Swap:
    """Let two places change places."""

    one: Unit
    other: Unit
    options: Options


@dataclass(frozen=True, slots=True)
class Merge:
    """Make one paragraph of two; without `other` of this one and the next."""

    one: Value | Unit
    other: Value | Unit | None
    options: Options


@dataclass(frozen=True, slots=True)
class Split:
    """Begin a new paragraph where words stand."""

    at: Value
    options: Options


@dataclass(frozen=True, slots=True)
class NewPage:
    """Break the page beside a block."""

    place: Place
    options: Options


@dataclass(frozen=True, slots=True)
class InsertRow:
    """Put a row, or a column, beside one or at an end of a table."""

    kind: Literal["row", "column"]
    cells: tuple[Value, ...]
    place: Place | None
    options: Options


@dataclass(frozen=True, slots=True)
class NewTable:
    """Put a table in, its first row given."""

    cells: tuple[Value, ...]
    place: Place
    options: Options


@dataclass(frozen=True, slots=True)
class LinkTo:
    """Link words to an address; no address takes the link off."""

    find: Value
    url: Value | None
    options: Options


@dataclass(frozen=True, slots=True)
class Relink:
    """Let all links to an address go to another one."""

    old: Value
    url: Value
    options: Options


@dataclass(frozen=True, slots=True)
class Name:
    """Set a property; a `document title` is what a reader sees as such, and the property."""

    name: str
    value: Value
    options: Options


@dataclass(frozen=True, slots=True)
class Describe:
    """Give an image an alternative text."""

    image: Unit
    text: Value
    options: Options


@dataclass(frozen=True, slots=True)
class Annotate:
    """Put a footnote or a comment to words."""

    kind: Literal["footnote", "comment"]
    text: Value
    target: Value | Unit
    options: Options


@dataclass(frozen=True, slots=True)
class OnComment:
    """Do something to the comment with these words; to the only one when none are said."""

    action: Literal["delete", "reply", "resolve", "reopen"]
    comment: Value | None
    text: Value | None
    options: Options


@dataclass(frozen=True, slots=True)
class Settle:
    """Accept or reject tracked changes: all of them, or one author's."""

    action: Literal["accept", "reject"]
    author: Value | None
    options: Options


@dataclass(frozen=True, slots=True)
class Fill:
    """Fill a form field."""

    field: Value
    value: str
    options: Options


@dataclass(frozen=True, slots=True)
class OnPages:
    """Do something to pages of a PDF, from 1, -1 being the last; a blank one goes beside `to`."""

    action: Literal["delete", "move", "rotate", "insert"]
    ranges: tuple[tuple[int, int], ...]
    to: int
    where: Literal["before", "after"] | None
    degrees: int
    options: Options


@dataclass(frozen=True, slots=True)
class RedactText:
    """Take words out of the whole file for good."""

    find: Value
    options: Options


@dataclass(frozen=True, slots=True)
class StampAll:
    """Write a line on every page."""

    kind: StampKind
    text: Value
    options: Options


@dataclass(frozen=True, slots=True)
class Nothing:
    """Leave the document as it is."""


Command: TypeAlias = (
    Replace
    | SetValue
    | ReplaceUnit
    | DeleteText
    | DeleteUnit
    | Insert
    | Recase
    | Format
    | Restyle
    | Align
    | Listed
    | Move
    | Swap
    | Merge
    | Split
    | NewPage
    | InsertRow
    | NewTable
    | LinkTo
    | Relink
    | Name
    | Describe
    | Annotate
    | OnComment
    | Settle
    | Fill
    | OnPages
    | RedactText
    | StampAll
    | Nothing
)
