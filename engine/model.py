"""The tree: what a document says, without any pointer into its file.

A document has stories (body, headers, footers, notes, comments, text boxes), a story has blocks, a
block has inlines. Every block carries an anchor, its address in one revision of the document;
anchors are positions and die with the revision. The tree is plain, printable, comparable and
picklable. Edits go through anchors to the live file.

Anchors (1-based, counted in document order within their story; physical paragraphs of the file,
whatever a view shows):

    p12              12th paragraph of the body that is not in a table
    t2               2nd table of the body; t2.r3 its 3rd row; t2.r3.c1 that row's 1st cell
    t2.r3.c1.p2      2nd paragraph of that cell; t2.r3.c1.t1 a table nested in it
    h1 f2            1st header part, 2nd footer part, by first reference
    h1.p1            a paragraph of it; h1.t1.r1.c1.p1 one in its table
    fn3 en1          3rd footnote, 1st endnote, by first reference in the body; fn3.p1 a paragraph
    c2 tb4           2nd comment, 4th text box; c2.p1, tb4.p1 a paragraph
    p2.b7            PDF: 7th block of the 2nd page
    p2.n3            PDF: 3rd footnote of the 2nd page; p2.n3.p1 a paragraph
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntFlag
from typing import Literal, TypeAlias

Format: TypeAlias = Literal["docx", "pdf"]
View: TypeAlias = Literal["final", "original", "markup"]
Extra: TypeAlias = Literal["headers", "comments"]
"""What a reader may ask for besides the body; `headers` are the footers too."""
StoryKind: TypeAlias = Literal[
    "body", "header", "footer", "footnote", "endnote", "comment", "textbox"
]
RevisionKind: TypeAlias = Literal[
    "insertion",
    "deletion",
    "replacement",
    "format",
    "paragraph",
    "move",
    "row",
    "cell",
    "table",
    "other",
]


class Mark(IntFlag):
    """Character formatting that Markdown can say."""

    NONE = 0
    BOLD = 1
    ITALIC = 2
    STRIKE = 4
    UNDERLINE = 8
    SUPERSCRIPT = 16
    SUBSCRIPT = 32
    CODE = 64


@dataclass(frozen=True, slots=True)
class Change:
    """A tracked change that a piece of text is part of; only in the markup view."""

    kind: Literal["insertion", "deletion"]
    author: str
    revision: str


@dataclass(frozen=True, slots=True)
class Text:
    """Characters of equal marks; a tab is U+0009, a no-break hyphen U+2011."""

    text: str
    marks: Mark = Mark.NONE
    change: Change | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A hyperlink; `target` is a URL, or `#bookmark` inside the document."""

    target: str
    content: tuple[Inline, ...]
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Image:
    """A picture; `id` (`im1`) is stable for one file, `name` is as `media/image1.png`.

    `target` is where a click on it leads, said of the picture itself and not by a `Link` around it.
    """

    id: str
    alt: str
    name: str = ""
    target: str = ""


@dataclass(frozen=True, slots=True)
class LineBreak:
    """A break inside a paragraph."""

    kind: Literal["line", "page", "column"] = "line"


@dataclass(frozen=True, slots=True)
class NoteReference:
    """The mark of a note: `anchor` of its story (`fn3`), `label` as a reader sees it."""

    kind: Literal["footnote", "endnote"]
    anchor: str
    label: str


@dataclass(frozen=True, slots=True)
class Field:
    """A computed value and its cached result; read only."""

    id: str
    instruction: str
    content: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Control:
    """A content control around inlines (`w:sdt`), or a form field of old (FORMTEXT and its kin)."""

    id: str
    content: tuple[Inline, ...]
    locked: bool = False
    placeholder: bool = False


@dataclass(frozen=True, slots=True)
class Math:
    """An equation as LaTeX."""

    latex: str
    display: bool = False


Inline: TypeAlias = Text | Link | Image | LineBreak | NoteReference | Field | Control | Math


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text; `leads`: a drop cap, its letters begin the first word of the next one."""

    anchor: str
    content: tuple[Inline, ...]
    style: str = ""
    leads: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; `level` 1-9, `label` its visible number (`§ 1.1`) or empty."""

    anchor: str
    level: int
    content: tuple[Inline, ...]
    label: str = ""
    style: str = ""


@dataclass(frozen=True, slots=True)
class ListItem:
    """One paragraph of a list.

    `depth` from 0, counted in the list around it, not by the level of its definition; `label` as a
    reader sees it (`(a)`, `1.1`; empty for a bullet). `ordered` says that it is numbered. A task
    (`checked`) keeps its box in `content`. A `continuation` is a further paragraph of the item
    before, without a label of its own.
    """

    anchor: str
    depth: int
    content: tuple[Inline, ...]
    label: str = ""
    ordered: bool = False
    checked: bool | None = None
    continuation: bool = False
    style: str = ""


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Lines of code, one paragraph of the file; adjacent ones are one listing."""

    anchor: str
    text: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """A quoted paragraph."""

    anchor: str
    content: tuple[Inline, ...]
    style: str = ""


@dataclass(frozen=True, slots=True)
class Break:
    """A thematic break: a paragraph that is only a horizontal rule."""

    anchor: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell at 0-based grid column `column`; `continues`: merged into the one above."""

    anchor: str
    blocks: tuple[Block, ...]
    column: int = 0
    column_span: int = 1
    continues: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table; `change`: the row itself is tracked (markup view).

    `is_repeated`: the header drawn again at the top of a page; it is there to be edited, not read.
    """

    anchor: str
    cells: tuple[Cell, ...]
    is_header: bool = False
    change: Change | None = None
    is_repeated: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table on a grid of `columns` columns."""

    anchor: str
    rows: tuple[Row, ...]
    columns: int
    style: str = ""


Block: TypeAlias = Paragraph | Heading | ListItem | CodeBlock | Quote | Table | Break


@dataclass(frozen=True, slots=True)
class Story:
    """A stream of blocks; `anchor` is empty for the body, else `h1`, `fn3` and so on.

    `label` is a note's visible number; `name` says more: a comment's author, a header's purpose
    (`default`, `first`, `even`). `host` is the anchor of the block that a text box or comment hangs
    on, empty when it hangs on none. `date` is that of a comment as it stands in the file.
    """

    kind: StoryKind
    anchor: str
    blocks: tuple[Block, ...]
    label: str = ""
    name: str = ""
    host: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class ImageNote:
    """What the service tells about an image: the id used in the Markdown, and its alt text.

    `source` says whose words the caption is: `existing` are those of the file.
    """

    image_id: str
    caption: str
    source: str = "existing"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something odd in the file that a reader may want to know; never a reason to stop."""

    code: str
    message: str
    where: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A whole document in one view; `bookmarks` are (name, anchor of the block it begins in)."""

    format: Format
    stories: tuple[Story, ...]
    images: tuple[ImageNote, ...] = ()
    notices: tuple[Notice, ...] = ()
    properties: tuple[tuple[str, str], ...] = ()
    bookmarks: tuple[tuple[str, str], ...] = ()
    view: View = "final"

    @property
    def body(self) -> Story:
        """The story of kind body."""
        return next(story for story in self.stories if story.kind == "body")


@dataclass(frozen=True, slots=True)
class Revision:
    """One change as a reviewer counts it.

    `id` addresses it in one revision of the file; `edits` are the editUids that wrote it, empty for
    a foreign change. `before` and `after` are the words struck and inserted; `lead` and `trail` are
    up to 60 characters of context in the final view, `original_lead` and `original_trail` in the
    original one, None where they are not known. `formatting` holds (property, old, new).
    """

    id: str
    kind: RevisionKind
    author: str
    date: str
    story: StoryKind
    anchor: str
    where: str
    before: str
    after: str
    lead: str = ""
    trail: str = ""
    edits: tuple[str, ...] = ()
    formatting: tuple[tuple[str, str, str], ...] = field(default=())
    original_lead: str | None = None
    original_trail: str | None = None

    @property
    def is_ours(self) -> bool:
        """Whether an edit of this service wrote it."""
        return bool(self.edits)


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment as it stands in the file.

    Attributes:
        id: Its anchor, `c2`; operations name it so.
        author: Its author, as the file says.
        date: As the file says, ISO 8601; empty where it says none.
        text: What it says, as Markdown.
        on: The id of the block that it hangs on; empty where it hangs on none.
        words: The text of the final view that it hangs on.
        resolved: Whether its conversation is marked as done.
        parent: The id of the comment that it answers; empty for the first of a conversation.
    """

    id: str
    author: str
    date: str
    text: str
    on: str
    words: str
    resolved: bool
    parent: str = ""
