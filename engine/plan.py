"""Plans: the operations an instruction becomes, whoever planned them.

An operation is defined here and nowhere else: its class is the value that the engine carries out,
its tag `op` and its fields are the JSON that models, HTTP clients and `redraft apply` write, and
`docs/operations.md` is made of the docstrings and field descriptions (`engine.plan_json`,
`engine.operations_guide`).

A plan is all or nothing. Operations address one snapshot of the document by the ids of its blocks
(see `engine.model`) and quote text of its *final* view; text they bring is Markdown-like:
`**bold**`, `*italic*`, `⟦…⟧` tokens of the view, nothing else. Quotes are matched by the ladder of
`engine.locate`; the document's own characters stay.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from redraft.engine.model import Format

Where: TypeAlias = Literal["before", "after"]
DOCUMENT_PROPERTIES = ("title", "subject", "author", "keywords", "comments", "category")
StampKind: TypeAlias = Literal["header", "footer", "page_numbers", "watermark"]
# A list item without a number is as deep as the nearest of its kind.
BlockKind: TypeAlias = Literal[
    "like_anchor",
    "paragraph",
    "heading1",
    "heading2",
    "heading3",
    "heading4",
    "bullet",
    "bullet2",
    "bullet3",
    "numbered",
    "numbered2",
    "numbered3",
    "quote",
]
TextProperty: TypeAlias = Literal[
    "bold",
    "italic",
    "underline",
    "strike",
    "small_caps",
    "all_caps",
    "size",
    "color",
    "highlight",
    "font",
    "vertical",
]
TEXT_PROPERTIES: tuple[TextProperty, ...] = get_args(TextProperty)
ParagraphProperty: TypeAlias = Literal[
    "alignment",
    "space_before",
    "space_after",
    "line_spacing",
    "indent_left",
    "indent_right",
    "first_line",
    "keep_with_next",
    "keep_together",
    "page_break_before",
]
PARAGRAPH_PROPERTIES: tuple[ParagraphProperty, ...] = get_args(ParagraphProperty)

BlockId: TypeAlias = Annotated[str, Meta(description="id of a paragraph, as `p12`")]
AnyBlockId: TypeAlias = Annotated[str, Meta(description="id of a paragraph or table: `p12`, `t1`")]
FirstBlock: TypeAlias = Annotated[str, Meta(description="id of the first block")]
LastBlock: TypeAlias = Annotated[str, Meta(description="id of the last block; the same for one")]
Quote: TypeAlias = Annotated[str, Meta(description="words of the block, quoted exactly")]
QuoteOrAll: TypeAlias = Annotated[str, Meta(description="words of the block; empty: all of it")]
NewText: TypeAlias = Annotated[str, Meta(description="the new text")]
Side: TypeAlias = Annotated[Where, Meta(description="on which side of the place")]
Occurrence: TypeAlias = Annotated[
    int | None, Meta(description="which hit, from 1; null: there is only one")
]
CellTexts: TypeAlias = Annotated[
    tuple[str, ...], Meta(description="texts of the cells; missing ones are empty")
]
Page: TypeAlias = Annotated[int, Meta(description="a page, from 1; -1 is the last")]


def _tag(class_name: str) -> str:
    """Returns the `op` of a class: `ReplaceText` is `replace_text`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", class_name).lower()


class _Operation(
    Struct, frozen=True, tag_field="op", tag=_tag, forbid_unknown_fields=True, omit_defaults=True
):
    """What all operations have in common: they are values, and `op` names them in JSON."""


CommentId: TypeAlias = Annotated[
    str, Meta(description="id of the comment, as `c2`, in a PDF `p2.a3`")
]


class ReplaceText(_Operation, frozen=True):
    """Replaces quoted words in one block."""

    block: BlockId
    find: Quote
    replace: NewText
    occurrence: Occurrence = None


class RewriteBlock(_Operation, frozen=True):
    """Gives a paragraph a new text; the `⟦…⟧` tokens of its view must come back."""

    block: BlockId
    text: NewText


class FindReplace(_Operation, frozen=True):
    """Replaces every hit of a text in a part of the document."""

    find: Annotated[str, Meta(description="the text to look for")]
    replace: NewText
    scope: Annotated[
        str,
        Meta(
            description="`all`, `body`, `headers`, `footers`, `notes`, `section:<heading id>`,"
            " `table:<id>`, `row:<id>` or `block:<id>`"
        ),
    ] = "all"
    match_case: Annotated[bool, Meta(description="whether upper and lower case differ")] = False
    whole_word: Annotated[bool, Meta(description="whether parts of words do not count")] = False
    limit: Annotated[
        int | None, Meta(description="only the first so many hits; negative: the last; null: all")
    ] = None


class NewBlock(Struct, frozen=True, forbid_unknown_fields=True):
    """A block to be inserted."""

    kind: Annotated[BlockKind, Meta(description="what kind of block")]
    text: NewText


class InsertBlocks(_Operation, frozen=True):
    """Inserts paragraphs beside a paragraph or table."""

    block: AnyBlockId
    where: Side
    blocks: Annotated[tuple[NewBlock, ...], Meta(description="new blocks, each `{kind, text}`")]


class DeleteBlocks(_Operation, frozen=True):
    """Deletes the blocks from `first` to `last`, both included, of one story or cell."""

    first: FirstBlock
    last: LastBlock
    close_up: Annotated[
        bool, Meta(description="PDF only: what follows on the page moves up to close the gap")
    ] = False


class MoveBlocks(_Operation, frozen=True):
    """Moves the blocks from `first` to `last` of one story or cell beside another block."""

    first: FirstBlock
    last: LastBlock
    to: Annotated[str, Meta(description="id of the block beside which they go")]
    where: Side


class SplitBlock(_Operation, frozen=True):
    """Begins a new paragraph where the quoted words begin."""

    block: BlockId
    find: Quote
    occurrence: Occurrence = None


class MergeBlocks(_Operation, frozen=True):
    """Joins the paragraphs from `first` to `last`, which then look like the first, as in Word."""

    first: FirstBlock
    last: LastBlock


class SetStyle(_Operation, frozen=True):
    """Gives the paragraphs from `first` to `last` a paragraph style."""

    first: FirstBlock
    last: LastBlock
    style: Annotated[
        str,
        Meta(
            description="a name as the document has it, or a built-in style (`Heading 2`, `Title`,"
            " `Quote`, `List Bullet`, `Normal`), which is added when it is missing"
        ),
    ]


class SetParagraph(_Operation, frozen=True):
    """Sets one property of the paragraphs from `first` to `last`."""

    first: FirstBlock
    last: LastBlock
    property: Annotated[ParagraphProperty, Meta(description="which property")]
    value: Annotated[
        str,
        Meta(
            description="`alignment`: left, center, right or justify; spaces and indents: points"
            " (`12`; a hanging `first_line` is negative); `line_spacing`: a factor (`1.5`); the"
            " others `on` or `off`"
        ),
    ]


class FormatText(_Operation, frozen=True):
    """Sets one character property of quoted words."""

    block: BlockId
    find: QuoteOrAll
    property: Annotated[TextProperty, Meta(description="which property")]
    value: Annotated[
        str,
        Meta(
            description="`on` or `off`; `size`: points (`10.5`); `color`: six hex digits, a CSS"
            " colour name or `auto`; `highlight`: a colour of Word's highlighter or `none`;"
            " `font`: its name; `vertical`: superscript, subscript or baseline"
        ),
    ]
    occurrence: Annotated[
        int | None, Meta(description="which hit, from 1; 0: every hit; null: there is only one")
    ] = None


class SetList(_Operation, frozen=True):
    """Makes list items of the paragraphs from `first` to `last`, or plain paragraphs of them."""

    first: FirstBlock
    last: LastBlock
    kind: Annotated[Literal["bullet", "numbered", "none"], Meta(description="which kind of list")]
    level: Annotated[int | None, Meta(description="the level, from 1; null keeps it")] = None
    restart: Annotated[bool, Meta(description="whether the numbers start again at `first`")] = False


class SetCell(_Operation, frozen=True):
    """Gives a table cell of one paragraph new text."""

    target: Annotated[str, Meta(description="id of the cell, as `t1.r2.c3`")]
    text: NewText


class InsertRow(_Operation, frozen=True):
    """Inserts a table row beside another."""

    target: Annotated[str, Meta(description="id of the row, as `t1.r2`")]
    where: Side
    cells: CellTexts


class InsertColumn(_Operation, frozen=True):
    """Inserts a table column beside that of a cell."""

    target: Annotated[str, Meta(description="id of a cell of the column, as `t1.r1.c2`")]
    where: Side
    cells: CellTexts


class DeleteRow(_Operation, frozen=True):
    """Deletes a table row."""

    target: Annotated[str, Meta(description="id of the row, as `t1.r2`")]


class DeleteColumn(_Operation, frozen=True):
    """Deletes the table column of a cell."""

    target: Annotated[str, Meta(description="id of a cell of the column, as `t1.r1.c2`")]


class DeleteTable(_Operation, frozen=True):
    """Deletes a table."""

    target: Annotated[str, Meta(description="id of the table, as `t1`")]


class InsertTable(_Operation, frozen=True):
    """Inserts a table beside a paragraph or table."""

    block: AnyBlockId
    where: Side
    rows: Annotated[
        tuple[tuple[str, ...], ...],
        Meta(description="the cells' texts, row by row; short rows are filled up"),
    ]
    header_row: Annotated[bool, Meta(description="whether the first row is a header")] = True


class SetLink(_Operation, frozen=True):
    """Links quoted words, or changes where they link to."""

    block: BlockId
    find: Quote
    url: Annotated[str, Meta(description="http, https, mailto or `#bookmark`")]
    occurrence: Occurrence = None


class RemoveLink(_Operation, frozen=True):
    """Removes the link from quoted words; the words stay.

    Only hits that are linked count.
    """

    block: BlockId
    find: Quote
    occurrence: Occurrence = None


class EditNote(_Operation, frozen=True):
    """Gives a footnote or endnote of one paragraph new text."""

    target: Annotated[str, Meta(description="id of the note, as `fn3` or `en1`")]
    text: NewText


class InsertFootnote(_Operation, frozen=True):
    """Inserts a footnote behind quoted words."""

    block: BlockId
    after_text: Annotated[str, Meta(description="words of the block; the mark stands after them")]
    text: NewText
    occurrence: Occurrence = None


class DeleteNote(_Operation, frozen=True):
    """Deletes a footnote or endnote and its mark."""

    target: Annotated[str, Meta(description="id of the note, as `fn3` or `en1`")]


class SetAltText(_Operation, frozen=True):
    """Gives a picture an alternative text."""

    target: Annotated[str, Meta(description="id of the picture, as `im1`")]
    text: NewText


class DeleteImage(_Operation, frozen=True):
    """Deletes a picture."""

    target: Annotated[str, Meta(description="id of the picture, as `im1`")]


class AddComment(_Operation, frozen=True):
    """Adds a comment on quoted words of the body, or of any block of a PDF."""

    block: BlockId
    find: QuoteOrAll
    text: NewText
    occurrence: Occurrence = None


class ReplyComment(_Operation, frozen=True):
    """Answers a comment; of a whole conversation any comment may be named."""

    target: CommentId
    text: NewText


class ResolveComment(_Operation, frozen=True):
    """Marks the conversation of a comment as resolved, or opens it again."""

    target: CommentId
    resolved: Annotated[bool, Meta(description="false opens it again")] = True


class DeleteComment(_Operation, frozen=True):
    """Deletes a comment; the first one of a conversation goes with all its answers."""

    target: CommentId


class InsertBreak(_Operation, frozen=True):
    """Inserts a break beside a block, which then begins on a new page or column, or ends there."""

    block: AnyBlockId
    where: Side
    kind: Annotated[Literal["page", "column", "section"], Meta(description="which kind of break")]


class SetField(_Operation, frozen=True):
    """Fills a content control or form field."""

    control: Annotated[str, Meta(description="its id, as `cc2`; in a PDF the field's name")]
    value: Annotated[
        str,
        Meta(description="a text, an option, a date (`2026-05-01`), `checked` or `unchecked`"),
    ]


class SetProperty(_Operation, frozen=True):
    """Sets a property of the file, not of the page."""

    name: Annotated[
        str,
        Meta(description="which property", extra_json_schema={"enum": list(DOCUMENT_PROPERTIES)}),
    ]
    value: Annotated[str, Meta(description="its new value")]


class SettleChange(_Operation, frozen=True):
    """Accepts or rejects one tracked change."""

    change: Annotated[str, Meta(description="its id in the list of changes")]
    action: Annotated[Literal["accept", "reject"], Meta(description="what becomes of it")]


class DeletePages(_Operation, frozen=True):
    """Deletes the pages from `first_page` to `last_page`, both included, of a PDF."""

    first_page: Page
    last_page: Page


class MovePages(_Operation, frozen=True):
    """Moves the pages from `first_page` to `last_page` of a PDF beside another page."""

    first_page: Page
    last_page: Page
    to_page: Annotated[int, Meta(description="the page beside which they go, none of them")]
    where: Side


class RotatePages(_Operation, frozen=True):
    """Turns the pages from `first_page` to `last_page` of a PDF clockwise."""

    first_page: Page
    last_page: Page
    degrees: Annotated[int, Meta(description="a multiple of 90")]


class InsertPage(_Operation, frozen=True):
    """Inserts a blank page beside a page of a PDF, as large as that."""

    page: Page
    where: Side


class Redact(_Operation, frozen=True):
    """Removes a text from a whole PDF, wherever it is written, and draws black boxes instead."""

    find: Annotated[str, Meta(description="the text to remove")]
    match_case: Annotated[bool, Meta(description="whether upper and lower case differ")] = False
    whole_word: Annotated[bool, Meta(description="whether parts of words do not count")] = False


class StampPages(_Operation, frozen=True):
    """Writes a line on every page of a PDF: above or below its content, or large across it."""

    kind: Annotated[StampKind, Meta(description="what kind of line")]
    text: Annotated[
        str,
        Meta(
            description="the line; `{page}` and `{pages}` are the number of the page and how many"
            " there are; `page_numbers` need none"
        ),
    ] = ""


Words: TypeAlias = ReplaceText | RewriteBlock | FindReplace | SetCell | SetField | EditNote
Blocks: TypeAlias = (
    InsertBlocks | DeleteBlocks | MoveBlocks | SplitBlock | MergeBlocks | InsertBreak
)
Looks: TypeAlias = SetStyle | SetParagraph | FormatText | SetList
Rows: TypeAlias = InsertRow | InsertColumn | DeleteRow | DeleteColumn | DeleteTable | InsertTable
Objects: TypeAlias = SetLink | RemoveLink | InsertFootnote | DeleteNote | SetAltText | DeleteImage
CommentThread: TypeAlias = ReplyComment | ResolveComment | DeleteComment
COMMENT_THREADS = (ReplyComment, ResolveComment, DeleteComment)
Others: TypeAlias = AddComment | CommentThread | SetProperty | SettleChange
# Pages are counted from 1 in the file as the plan found it, whatever labels are printed on them,
# and whatever other operations of the plan do.
PageOperation: TypeAlias = DeletePages | MovePages | RotatePages | InsertPage | Redact | StampPages
PAGE_OPERATIONS = (DeletePages, MovePages, RotatePages, InsertPage, Redact, StampPages)
Operation: TypeAlias = Words | Blocks | Looks | Rows | Objects | Others | PageOperation
OPERATIONS: tuple[type[Operation], ...] = get_args(Operation)
# What `engine.pdf` carries out; the rest is not offered for a PDF.
PDF_OPERATIONS: tuple[type[Operation], ...] = (
    ReplaceText,
    RewriteBlock,
    FindReplace,
    InsertBlocks,
    DeleteBlocks,
    FormatText,
    SetLink,
    RemoveLink,
    SetField,
    SetProperty,
    AddComment,
    *COMMENT_THREADS,
    *PAGE_OPERATIONS,
)
DOCX_OPERATIONS = tuple(kind for kind in OPERATIONS if kind not in PAGE_OPERATIONS)
# Which values of a field a PDF can do, where it cannot do all.
PDF_VALUES: Mapping[str, tuple[str, ...]] = {
    "property": ("bold", "italic", "color"),
    "kind": ("like_anchor", "paragraph", "bullet"),
}
# Fields that mean something in a PDF only.
PDF_FIELDS = frozenset({"close_up"})


def name_of(operation: type[Struct]) -> str:
    """Returns the `op` of an operation's class."""
    return str(operation.__struct_config__.tag)


def offered(kind: Format) -> frozenset[str]:
    """Returns the names of the operations that a language model may use on a file of a format.

    Comments of a PDF stand in no view, so that programs alone can name them.
    """
    operations = PDF_OPERATIONS if kind == "pdf" else DOCX_OPERATIONS
    hidden = COMMENT_THREADS if kind == "pdf" else ()
    return frozenset(name_of(one) for one in operations if one not in hidden)


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
