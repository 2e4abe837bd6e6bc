"""The operations as a model writes them: one struct each, named by the field `op`.

Operations whose fields are the same share one shape of the schema (see `engine.planner.wire`), so
that a strict server's limit of a hundred properties holds. Which operations a file type can do is
said here once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

import msgspec

from redraft.engine.model import Format
from redraft.engine.page_operations import StampKind
from redraft.engine.plan_values import BlockKind, ParagraphProperty, TextProperty

Where: TypeAlias = Literal["before", "after"]
PropertyName: TypeAlias = Literal["title", "subject", "author", "keywords", "comments", "category"]


class _Struct(msgspec.Struct, tag_field="op"):
    """What all operations have in common."""


class ReplaceText(_Struct, tag="replace_text"):
    """Replace a quote in one block."""

    block: str
    find: str
    replace: str
    occurrence: int | None = None


class RewriteBlock(_Struct, tag="rewrite_block"):
    """Give one block new text."""

    block: str
    text: str


class FindReplace(_Struct, tag="find_replace"):
    """Replace a text everywhere in a scope."""

    find: str
    replace: str
    scope: str = "all"
    match_case: bool = True
    whole_word: bool = False


class NewBlock(msgspec.Struct):
    """A block to insert."""

    kind: BlockKind
    text: str


class InsertBlocks(_Struct, tag="insert_blocks"):
    """Insert blocks beside one."""

    block: str
    where: Where
    blocks: list[NewBlock]


class _Stretch(_Struct):
    first: str
    last: str


class DeleteBlocks(_Stretch, tag="delete_blocks"):
    """Delete a stretch of blocks."""


class CloseUpBlocks(_Stretch, tag="close_up_blocks"):
    """Delete a stretch of blocks of a PDF and close the gap."""


class MergeBlocks(_Stretch, tag="merge_blocks"):
    """Join a stretch of paragraphs."""


class MoveBlocks(_Stretch, tag="move_blocks"):
    """Move a stretch of blocks."""

    to: str
    where: Where


class SplitBlock(_Struct, tag="split_block"):
    """Begin a new paragraph at a quote."""

    block: str
    find: str
    occurrence: int | None = None


class RemoveLink(_Struct, tag="remove_link"):
    """Take the link off a quote."""

    block: str
    find: str
    occurrence: int | None = None


class SetStyle(_Stretch, tag="set_style"):
    """Give a stretch of paragraphs a style."""

    style: str


class SetParagraph(_Stretch, tag="set_paragraph"):
    """Set a property of a stretch of paragraphs."""

    property: ParagraphProperty
    value: str


class FormatText(_Struct, tag="format_text"):
    """Set a property of quoted characters."""

    block: str
    find: str
    property: TextProperty
    value: str
    occurrence: int | None = None


class SetList(_Stretch, tag="set_list"):
    """Make a list of a stretch of paragraphs."""

    kind: Literal["bullet", "numbered", "none"]
    level: int | None = None
    restart: bool = False


class _Filled(_Struct):
    target: str
    text: str


class SetCell(_Filled, tag="set_cell"):
    """Give a cell new text."""


class EditNote(_Filled, tag="edit_note"):
    """Give a note new text."""


class SetAltText(_Filled, tag="set_alt_text"):
    """Give an image an alternative text."""


class _Cells(_Struct):
    target: str
    where: Where
    cells: list[str]


class InsertRow(_Cells, tag="insert_row"):
    """Insert a row beside one."""


class InsertColumn(_Cells, tag="insert_column"):
    """Insert a column beside one."""


class _Target(_Struct):
    target: str


class DeleteRow(_Target, tag="delete_row"):
    """Delete a row."""


class DeleteColumn(_Target, tag="delete_column"):
    """Delete a column."""


class DeleteTable(_Target, tag="delete_table"):
    """Delete a table."""


class DeleteNote(_Target, tag="delete_note"):
    """Delete a note and its mark."""


class DeleteImage(_Target, tag="delete_image"):
    """Delete an image."""


class InsertTable(_Struct, tag="insert_table"):
    """Insert a table beside a block."""

    block: str
    where: Where
    rows: list[list[str]]
    header_row: bool = True


class SetLink(_Struct, tag="set_link"):
    """Link a quote."""

    block: str
    find: str
    url: str
    occurrence: int | None = None


class InsertFootnote(_Struct, tag="insert_footnote"):
    """Insert a footnote behind a quote."""

    block: str
    after_text: str
    text: str
    occurrence: int | None = None


class AddComment(_Struct, tag="add_comment"):
    """Comment on a quote."""

    block: str
    find: str
    text: str
    occurrence: int | None = None


class InsertBreak(_Struct, tag="insert_break"):
    """Insert a break beside a block."""

    block: str
    where: Where
    kind: Literal["page", "column", "section"]


class SetField(_Struct, tag="set_field"):
    """Fill a content control or form field."""

    control: str
    value: str


class SetProperty(_Struct, tag="set_property"):
    """Set a property of the document."""

    name: PropertyName
    value: str


class _Change(_Struct):
    change: str


class AcceptChange(_Change, tag="accept_change"):
    """Accept a tracked change."""


class RejectChange(_Change, tag="reject_change"):
    """Reject a tracked change."""


class DeletePages(_Struct, tag="delete_pages"):
    """Delete a stretch of pages."""

    first_page: int
    last_page: int


class MovePages(_Struct, tag="move_pages"):
    """Move a stretch of pages beside one."""

    first_page: int
    last_page: int
    to_page: int
    where: Where


class RotatePages(_Struct, tag="rotate_pages"):
    """Turn a stretch of pages."""

    first_page: int
    last_page: int
    degrees: int


class InsertPage(_Struct, tag="insert_page"):
    """Insert a blank page beside one."""

    page: int
    where: Where


class Redact(_Struct, tag="redact"):
    """Take a text out of the whole file."""

    find: str
    match_case: bool = False
    whole_word: bool = False


class StampPages(_Struct, tag="stamp_pages"):
    """Write a line on every page."""

    kind: StampKind
    text: str = ""


PageShape: TypeAlias = DeletePages | MovePages | RotatePages | InsertPage | Redact | StampPages
Shape: TypeAlias = (
    ReplaceText
    | RewriteBlock
    | FindReplace
    | InsertBlocks
    | DeleteBlocks
    | CloseUpBlocks
    | MergeBlocks
    | MoveBlocks
    | SplitBlock
    | SetStyle
    | SetParagraph
    | FormatText
    | SetList
    | SetCell
    | InsertRow
    | InsertColumn
    | DeleteRow
    | DeleteColumn
    | DeleteTable
    | InsertTable
    | SetLink
    | RemoveLink
    | EditNote
    | InsertFootnote
    | DeleteNote
    | SetAltText
    | DeleteImage
    | AddComment
    | InsertBreak
    | SetField
    | SetProperty
    | AcceptChange
    | RejectChange
    | PageShape
)


def tag_of(shape: type[msgspec.Struct]) -> str:
    """The name of an operation."""
    return str(shape.__struct_config__.tag)


PAGE_OPERATIONS = frozenset(map(tag_of, get_args(PageShape)))
OPERATIONS = frozenset(map(tag_of, get_args(Shape)))
# Other documents close every gap by themselves.
DOCX_OPERATIONS = OPERATIONS - PAGE_OPERATIONS - {tag_of(CloseUpBlocks)}
# What `engine.pdf` carries out; the rest is not offered for a PDF.
PDF_OPERATIONS = frozenset(
    {
        "replace_text",
        "rewrite_block",
        "find_replace",
        "insert_blocks",
        "delete_blocks",
        "close_up_blocks",
        "format_text",
        "set_link",
        "remove_link",
        "set_field",
        "set_property",
        *PAGE_OPERATIONS,
    }
)
# Which values of a field a PDF can do, where it cannot do all.
PDF_VALUES: Mapping[str, tuple[str, ...]] = {
    "property": ("bold", "italic", "color"),
    "kind": ("like_anchor", "paragraph", "bullet"),
}


def offered(kind: Format) -> frozenset[str]:
    """The names of the operations that a file of a format can do."""
    return PDF_OPERATIONS if kind == "pdf" else DOCX_OPERATIONS
