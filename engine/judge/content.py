"""What a document says, as plain values that a plan can be applied to and a result compared with.

The values know nothing of files: whoever reads a file (`engine.docx.judging.document_content`)
gives each block a `Source`, which opens it only when a plan or a difference asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, TypeAlias

# How exactly a piece is known: as it stood; as the plan words it, up to typography; one or the
# other; or not at all.
Certainty: TypeAlias = Literal["kept", "new", "either", "unknown"]
# A property of a run or paragraph: its local name, and its attributes in order.
Property: TypeAlias = tuple[str, tuple[tuple[str, str], ...]]
StoryKey: TypeAlias = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters of one look, or an object among them.

    Attributes:
        text: What a reader sees; empty for an object.
        object: Kind and identity of an object (`footnoteReference 3`), empty for characters.
        image: The ids of the pictures in the object, as the view names them.
        look: The run properties.
        link: Where a click on it leads.
        is_guarded: Whether it is computed, or stands in a control that is locked or holds a value.
        controls: The ids, titles and tags of the controls and form fields around it.
        binding: What the data of the innermost control are bound to.
        certainty: How exactly the text is known.
        former: The other text that may stand there (`either`).
        wanted: Character properties that the plan gives it, by name.
        is_optional: Whether the object may be gone.
        comments: Which of the new comments of the plan stand on it, from 1.
        is_cased: Whether capitals count in a new text; replacing everywhere takes over those of the
            words that were there.
    """

    text: str = ""
    object: str = ""
    image: frozenset[str] = frozenset()
    look: tuple[Property, ...] = ()
    link: str = ""
    is_guarded: bool = False
    controls: frozenset[str] = frozenset()
    binding: str = ""
    certainty: Certainty = "kept"
    former: str = ""
    wanted: tuple[tuple[str, str], ...] = ()
    is_optional: bool = False
    comments: frozenset[int] = frozenset()
    is_cased: bool = True


@dataclass(frozen=True, slots=True)
class Shape:
    """What a paragraph looks like as a whole.

    Attributes:
        style: The id of its style.
        style_names: The names of the style, in small letters.
        heading: Its level as a heading from 1, 0 for none.
        listed: `bullet` or `numbered`, empty for no list item.
        level: Its level in the list from 1, 0 for no list item.
        is_numbered: Whether a list is named, be it defined or not.
        properties: All that is set on the paragraph itself but style and list.
        run: What its style and the document give its runs.
    """

    style: str = ""
    style_names: frozenset[str] = frozenset()
    heading: int = 0
    listed: str = ""
    level: int = 0
    is_numbered: bool = False
    properties: tuple[Property, ...] = ()
    run: tuple[Property, ...] = ()


@dataclass(slots=True)
class Paragraph:
    """A paragraph of the final view, and what the plan wants of its shape.

    `wanted` maps `style`, `list`, `level`, `heading` or a paragraph property to a value; `shape` is
    None where the shape is not judged. `loose` are objects that may stand anywhere in it, `is_half`
    says that it is a part of one that was split. `comments` are the ids of the comments in the file
    that stand on it, each with its text there, `new_comments` those of the plan, from 1. `copies`
    are the same text boxes in their form for older programs, empty where there is none. `options`
    has for the names of controls that take words or one of a list what each value in small letters
    shows; a value that is not there shows itself.
    """

    pieces: list[Piece] = field(default_factory=list[Piece])
    shape: Shape | None = None
    boxes: list[list[Block]] = field(default_factory=list["list[Block]"])
    copies: list[list[Block]] = field(default_factory=list["list[Block]"])
    options: dict[str, Mapping[str, str]] = field(default_factory=dict[str, "Mapping[str, str]"])
    wanted: dict[str, str] = field(default_factory=dict[str, str])
    loose: list[Piece] = field(default_factory=list[Piece])
    comments: list[tuple[str, str]] = field(default_factory=list["tuple[str, str]"])
    new_comments: list[int] = field(default_factory=list[int])
    has_section: bool = False
    is_half: bool = False

    @property
    def text(self) -> str:
        """What a reader sees of it."""
        return "".join([piece.text for piece in self.pieces])

    @property
    def says_nothing(self) -> bool:
        """Whether it has neither text nor objects."""
        return not any(piece.text or piece.object for piece in self.pieces)


@dataclass(slots=True, eq=False)
class Cell:
    """A cell over the grid columns from `column` on; a covered one is merged into another."""

    anchor: str
    column: int = 0
    span: int = 1
    is_covered: bool = False
    blocks: list[Block] = field(default_factory=list["Block"])
    merge: str = ""

    @property
    def end(self) -> int:
        """The column behind it."""
        return self.column + self.span


@dataclass(slots=True, eq=False)
class Row:
    """A row of a table, and the rows that the plan puts beside it.

    `lead` is the number of grid columns before its first cell.
    """

    anchor: str
    cells: list[Cell] = field(default_factory=list[Cell])
    lead: int = 0
    before: list[Row] = field(default_factory=list["Row"])
    after: list[Row] = field(default_factory=list["Row"])
    is_gone: bool = False


@dataclass(slots=True)
class Table:
    """A table of the final view."""

    rows: list[Row] = field(default_factory=list[Row])

    def standing(self) -> Iterator[Row]:
        """Yields the rows as the plan leaves them; one goes with the last of its cells."""
        for row in self.rows:
            for each in (*row.before, row, *row.after):
                if not each.is_gone and each.cells:
                    yield each


class Source(Protocol):
    """Where a block comes from."""

    def open(self) -> Paragraph | Table:
        """Returns what the block says."""
        ...

    def letters(self) -> str:
        """Returns the letters of the block and of all in it, cheaply and roughly."""
        ...

    def has_objects(self) -> bool:
        """Tells whether notes, pictures, controls or form fields stand in the block."""
        ...

    def has_boxes(self) -> bool:
        """Tells whether text boxes hang on the block or on something in it."""
        ...

    def equals(self, other: Source) -> bool:
        """Tells whether another block is written with the same bytes."""
        ...


@dataclass(slots=True, eq=False)
class Block:
    """A paragraph or table at its place, and what the plan puts beside it.

    `anchors` are those of all physical paragraphs that are joined in it; `is_gone` says that the
    plan takes it away from this place, `is_beside_struck` that a table stands beside it in the file
    of which all rows are struck: if that comes back, the paragraph has to be there.
    """

    anchors: tuple[str, ...]
    kind: Literal["paragraph", "table"]
    source: Source | None = None
    content: Paragraph | Table | None = None
    before: list[Block] = field(default_factory=list["Block"])
    after: list[Block] = field(default_factory=list["Block"])
    is_gone: bool = False
    is_beside_struck: bool = False

    def opened(self) -> Paragraph | Table:
        """Returns what it says; read when it is first asked for."""
        if self.content is None:
            self.content = Paragraph() if self.source is None else self.source.open()
        return self.content

    @property
    def is_untouched(self) -> bool:
        """Whether nothing has asked for its content."""
        return self.content is None


@dataclass(slots=True)
class Story:
    """A stream of blocks: the body, a header, a note; `key` names it in both versions."""

    key: StoryKey
    anchor: str
    kind: str
    blocks: list[Block]
    purpose: str = ""
    is_changed: bool = True


@dataclass(slots=True)
class Content:
    """All stories of a document, and its core properties.

    `alt_texts` are those of all pictures, `cited` the notes to which something refers.
    """

    stories: dict[StoryKey, Story]
    properties: Mapping[str, str] = field(default_factory=dict[str, str])
    alt_texts: frozenset[str] = frozenset()
    cited: frozenset[StoryKey] = frozenset()


def cut(pieces: list[Piece], start: int, end: int) -> tuple[int, int]:
    """Divide pieces so that text[start:end] is whole pieces.

    Returns:
        The indices of the first of them and behind the last; objects at the edges are outside, and
        an empty stretch stands in front of the objects at its place.
    """
    first = _divided(pieces, start)
    if start == end:
        return first, first
    while not pieces[first].text:
        first += 1
    last = _divided(pieces, end)
    return first, last


def divide(pieces: list[Piece], offsets: Iterable[int]) -> list[Piece]:
    """Returns pieces divided at some offsets in their text, in one go."""
    cuts = sorted(set(offsets), reverse=True)
    found: list[Piece] = []
    at = 0
    for piece in pieces:
        text = piece.text
        while cuts and cuts[-1] <= at:
            cuts.pop()
        while cuts and cuts[-1] < at + len(text):
            size = cuts.pop() - at
            found.append(replace(piece, text=text[:size]))
            text, at = text[size:], at + size
        found.append(piece if text is piece.text else replace(piece, text=text))
        at += len(text)
    return found


def _divided(pieces: list[Piece], at: int) -> int:
    """The index of the first piece behind `at` characters; the piece around is divided."""
    seen = 0
    for index, piece in enumerate(pieces):
        if seen == at:
            return index
        size = len(piece.text)
        if seen + size > at:
            head, tail = piece.text[: at - seen], piece.text[at - seen :]
            pieces[index : index + 1] = [replace(piece, text=head), replace(piece, text=tail)]
            return index + 1
        seen += size
    return len(pieces)
