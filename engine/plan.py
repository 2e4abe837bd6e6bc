"""Plans: the operations an instruction becomes, whoever planned them.

A plan is all or nothing. Operations address one snapshot of the document by anchor (see
`engine.model`) and quote text of its *final* view; text they bring is Markdown-like: `**bold**`,
`*italic*`, `⟦…⟧` tokens of the view, nothing else.
Quotes are matched by the ladder of `engine.locate`; the document's own characters stay.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

BlockKind: TypeAlias = Literal[
    "like_anchor",
    "paragraph",
    "heading1",
    "heading2",
    "heading3",
    "heading4",
    "bullet",
    "numbered",
    "quote",
]


@dataclass(frozen=True, slots=True)
class ReplaceText:
    """In block `anchor`, replace the quoted `find`.

    `occurrence` is the hit that is meant, from 1; None says that it must be the only one.
    """

    anchor: str
    find: str
    replace: str
    occurrence: int | None = None


@dataclass(frozen=True, slots=True)
class RewriteBlock:
    """Give the paragraph `anchor` the text `text`; tokens of its view must come back."""

    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class FindReplace:
    """Replace every hit in `scope`.

    Scopes: `all`, `body`, `headers`, `footers`, `notes`, `section:<heading anchor>`,
    `table:<table anchor>`, `row:<row anchor>`, `block:<anchor>`. `limit` keeps only the first hits
    in document order (None: all); a negative one the last.
    """

    find: str
    replace: str
    scope: str = "all"
    match_case: bool = False
    whole_word: bool = False
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class NewBlock:
    """A block to be inserted."""

    kind: BlockKind
    text: str


@dataclass(frozen=True, slots=True)
class InsertBlocks:
    """Insert blocks beside the block `anchor` (a paragraph or a table)."""

    anchor: str
    where: Literal["before", "after"]
    blocks: tuple[NewBlock, ...]


@dataclass(frozen=True, slots=True)
class DeleteBlocks:
    """Delete the blocks from `first` to `last`, both included, of one story or cell."""

    first: str
    last: str


Operation: TypeAlias = ReplaceText | RewriteBlock | FindReplace | InsertBlocks | DeleteBlocks


@dataclass(frozen=True, slots=True)
class EditPlan:
    """What should be done; `reason` is for the person who asked."""

    decision: Literal["edit", "no_change", "refuse"]
    reason: str
    operations: tuple[Operation, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """Why one operation cannot be carried out.

    `index` of the operation from 0, a code, and a sentence with the block's true text.
    """

    index: int
    code: str
    message: str
