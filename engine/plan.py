"""Plans: the operations an instruction becomes, whoever planned them.

A plan is all or nothing. Operations address one snapshot of the document by anchor (see
`engine.model`) and quote text of its *final* view; text they bring is Markdown-like: `**bold**`,
`*italic*`, `⟦…⟧` tokens of the view, nothing else.
Quotes are matched by the ladder of `engine.locate`; the document's own characters stay.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from redraft.engine.page_operations import PageOperation
from redraft.engine.plan_values import BlockKind, ParagraphProperty, TextProperty


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
    """Delete the blocks from `first` to `last`, both included, of one story or cell.

    `close_up`: what follows on the page of a PDF moves up; other documents always close the gap.
    """

    first: str
    last: str
    close_up: bool = False


@dataclass(frozen=True, slots=True)
class MoveBlocks:
    """Move the blocks from `first` to `last` of one story or cell beside the block `to`."""

    first: str
    last: str
    to: str
    where: Literal["before", "after"]


@dataclass(frozen=True, slots=True)
class SplitBlock:
    """Begin a new paragraph in `anchor` where the quote `find` begins.

    `occurrence` is the hit that is meant, from 1; None says that it must be the only one.
    """

    anchor: str
    find: str
    occurrence: int | None = None


@dataclass(frozen=True, slots=True)
class MergeBlocks:
    """Join the paragraphs from `first` to `last`, which then look as the first, as in Word."""

    first: str
    last: str


@dataclass(frozen=True, slots=True)
class SetStyle:
    """Give the paragraphs from `first` to `last` a paragraph style.

    `style` is a name as the document has it, or that of a built-in style (`Heading 2`, `Title`,
    `Quote`, `List Bullet`, `Normal`), which is made when the document lacks it.
    """

    first: str
    last: str
    style: str


@dataclass(frozen=True, slots=True)
class SetParagraph:
    """Set one property of the paragraphs from `first` to `last`; see `engine.plan_values`."""

    first: str
    last: str
    property: ParagraphProperty
    value: str


@dataclass(frozen=True, slots=True)
class FormatText:
    """Set one character property of quoted text; see `engine.plan_values`.

    An empty `find` means the whole block. `occurrence` is the hit that is meant, from 1; None says
    that it must be the only one, 0 means all hits of the block.
    """

    anchor: str
    find: str
    property: TextProperty
    value: str
    occurrence: int | None = None


@dataclass(frozen=True, slots=True)
class SetList:
    """Make list items of the paragraphs from `first` to `last`, or plain paragraphs of them.

    `level` counts from 1; None keeps the level. `restart` begins the numbers anew at `first`.
    """

    first: str
    last: str
    kind: Literal["bullet", "numbered", "none"]
    level: int | None = None
    restart: bool = False


@dataclass(frozen=True, slots=True)
class SetCell:
    """Give a cell (`t1.r2.c3`) of one paragraph new text."""

    cell: str
    text: str


@dataclass(frozen=True, slots=True)
class InsertRow:
    """Insert a row beside the row `at` (`t1.r2`); missing cells are empty."""

    at: str
    where: Literal["before", "after"]
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InsertColumn:
    """Insert a column beside that of the cell `at` (`t1.r1.c2`); `cells` from the first row on."""

    at: str
    where: Literal["before", "after"]
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeleteRow:
    """Delete the row `at` (`t1.r2`)."""

    at: str


@dataclass(frozen=True, slots=True)
class DeleteColumn:
    """Delete the column of the cell `at` (`t1.r1.c2`)."""

    at: str


@dataclass(frozen=True, slots=True)
class DeleteTable:
    """Delete the table `at` (`t1`)."""

    at: str


@dataclass(frozen=True, slots=True)
class InsertTable:
    """Insert a table beside the block `anchor`; short rows are filled with empty cells."""

    anchor: str
    where: Literal["before", "after"]
    rows: tuple[tuple[str, ...], ...]
    header_row: bool = True


@dataclass(frozen=True, slots=True)
class SetLink:
    """Link the quoted text to `url` (http, https, mailto, or `#bookmark`), or change its link.

    `occurrence` is the hit that is meant, from 1; None says that it must be the only one.
    """

    anchor: str
    find: str
    url: str
    occurrence: int | None = None


@dataclass(frozen=True, slots=True)
class RemoveLink:
    """Take the link off the quoted text; the text stays.

    Only hits that are linked count: `occurrence` is the one that is meant, from 1; None says that
    it must be the only one.
    """

    anchor: str
    find: str
    occurrence: int | None = None


@dataclass(frozen=True, slots=True)
class EditNote:
    """Give the footnote or endnote `note` (`fn3`, `en1`), which has one paragraph, new text."""

    note: str
    text: str


@dataclass(frozen=True, slots=True)
class InsertFootnote:
    """Insert a footnote behind the quote `after_text` in the block `anchor`.

    `occurrence` is the hit that is meant, from 1; None says that it must be the only one.
    """

    anchor: str
    after_text: str
    text: str
    occurrence: int | None = None


@dataclass(frozen=True, slots=True)
class DeleteNote:
    """Delete the footnote or endnote `note` and its reference."""

    note: str


@dataclass(frozen=True, slots=True)
class SetAltText:
    """Give the image `image` (`im1`) an alternative text."""

    image: str
    text: str


@dataclass(frozen=True, slots=True)
class DeleteImage:
    """Delete the image `image` (`im1`)."""

    image: str


@dataclass(frozen=True, slots=True)
class AddComment:
    """Comment on the quoted text of a body block; an empty `find` means the whole block.

    `occurrence` is the hit that is meant, from 1; None says that it must be the only one.
    """

    anchor: str
    find: str
    text: str
    occurrence: int | None = None


@dataclass(frozen=True, slots=True)
class InsertBreak:
    """Insert a break beside the block `anchor`: before it, it begins on a new page or column."""

    anchor: str
    where: Literal["before", "after"]
    kind: Literal["page", "column", "section"]


@dataclass(frozen=True, slots=True)
class SetField:
    """Fill a content control or form field (`cc2`): text, an option, a date, `checked`/`unchecked`.

    In a PDF a form field by its name.
    """

    control: str
    value: str


@dataclass(frozen=True, slots=True)
class SetProperty:
    """Set a document property: title, subject, author, keywords, comments, category."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class SettleChange:
    """Accept or reject one tracked change, by its id in the list of changes."""

    change: str
    action: Literal["accept", "reject"]


Words: TypeAlias = ReplaceText | RewriteBlock | FindReplace | SetCell | SetField | EditNote
Blocks: TypeAlias = (
    InsertBlocks | DeleteBlocks | MoveBlocks | SplitBlock | MergeBlocks | InsertBreak
)
Looks: TypeAlias = SetStyle | SetParagraph | FormatText | SetList
Rows: TypeAlias = InsertRow | InsertColumn | DeleteRow | DeleteColumn | DeleteTable | InsertTable
Objects: TypeAlias = SetLink | RemoveLink | InsertFootnote | DeleteNote | SetAltText | DeleteImage
Others: TypeAlias = AddComment | SetProperty | SettleChange
Operation: TypeAlias = Words | Blocks | Looks | Rows | Objects | Others | PageOperation


@dataclass(frozen=True, slots=True)
class EditPlan:
    """What should be done; `reason` is for the person who asked.

    `snapshot` tells of which bytes the operations speak (see `engine.editor`); an empty one of any.
    """

    decision: Literal["edit", "no_change", "refuse"]
    reason: str
    operations: tuple[Operation, ...] = ()
    snapshot: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Fault:
    """Why one operation cannot be carried out.

    `index` of the operation from 0, a code, and a sentence with the block's true text.
    """

    index: int
    code: str
    message: str
