r"""A document as text for an editor: a block a paragraph, its anchor in front.

    [p1] # Supply Agreement

    [p2] This agreement starts on the **Effective Date**⟦fn1⟧.

    [p3 (a)] Delivery within ten days.

    [p4] - A bullet

    [t1.r1] | Item | Fee |
    [t1.r2] | Support | 1,200 |

    <!-- footnotes -->

    [fn1.p1] Calendar days.

Words are written as in `engine.tokens`. A number that Word counts stands beside the anchor; signs
of Markdown say headings, bullets and quotes. A row is one line when each of its cells is one plain
paragraph; otherwise the cells follow, and a line `[t1 end]` behind the table. A text that begins
like a sign has a backslash in front. The words are those of the final view.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from redraft.engine import tokens
from redraft.engine.docx.editing.document_index import content
from redraft.engine.inline_pieces import Piece
from redraft.engine.model import (
    Block,
    Break,
    Document,
    Heading,
    ListItem,
    Paragraph,
    Quote,
    Row,
    Story,
    StoryKind,
    Table,
)

Form: TypeAlias = Literal["paragraph", "row", "row_head", "end", "rule"]

_HEADS: Final[dict[StoryKind, str]] = {
    "header": "headers",
    "footer": "footers",
    "footnote": "footnotes",
    "endnote": "endnotes",
    "textbox": "text boxes",
}
_SIGN_LIKE: Final = re.compile(r"(?=\\*(?:#{1,9}(?: |$)|[-+>](?: |$)|\|))")
_LEAD: Final = re.compile(r" *")
COVERED: Final = "^"
GUIDE: Final = """\
<!-- Change the text, save and close: what differs becomes tracked changes. [p1] and the like say
which paragraph a line is; a paragraph without one is new, one whose line is gone is deleted, one
that stands elsewhere is moved. A blank line ends a paragraph. ⟦…⟧ stands for what text cannot hold,
as notes and pictures: leave it in its paragraph. -->
"""


@dataclass(frozen=True, slots=True)
class Sign:
    """What kind of paragraph it is: `#` heading, `-` bullet, `1` numbered, `>` quote, or plain.

    `level` is that of a heading from 1, the depth of a list item from 0.
    """

    kind: Literal["", "#", "-", "1", ">"] = ""
    level: int = 0

    def written(self) -> str:
        """Returns what stands in front of the text; nothing for a number that Word counts."""
        match self.kind:
            case "#":
                return "#" * self.level + " "
            case "-":
                return "  " * self.level + "- "
            case ">":
                return "> "
            case _:
                return ""


PLAIN: Final = Sign()


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of the text, with what it stands for.

    Attributes:
        anchor: The block or row; of an end, the table.
        form: What it is.
        sign: What kind of paragraph.
        text: Its words in the syntax of `engine.tokens`; of a row empty.
        pieces: Its inlines.
        cells: The cells of a row: (anchor of its paragraph or empty, text).
        label: The number that Word counts.
        path: The containers around it and the item in each, outermost first: `("", "t1")`.
        kind: The kind of its story.
    """

    anchor: str
    form: Form
    path: tuple[tuple[str, str], ...]
    kind: StoryKind
    sign: Sign = PLAIN
    text: str = ""
    pieces: tuple[Piece, ...] = ()
    cells: tuple[tuple[str, str], ...] = ()
    label: str = ""

    @property
    def head(self) -> str:
        """The anchor in brackets."""
        if self.form == "end":
            return f"[{self.anchor} end]"
        words = "row" if self.form == "row_head" else self.label
        label = " ".join(words.replace("]", ")").split())
        return f"[{self.anchor} {label}]" if label else f"[{self.anchor}]"

    def written(self) -> str:
        """Returns the line as it stands in the text."""
        match self.form:
            case "paragraph":
                return f"{self.head} {self.sign.written()}{escaped(self.text)}"
            case "row":
                inside = " | ".join(cell_escaped(text) for _, text in self.cells)
                return f"{self.head} | {inside} |"
            case "rule":
                return f"{self.head} ---"
            case "row_head" | "end":
                return self.head


def lines(document: Document) -> list[TextLine]:
    """Returns the lines of a document in its final view, without comments."""
    return [
        line
        for story in document.stories
        if story.kind == "body" or story.kind in _HEADS
        for line in _Story(story).lines()
    ]


def write(document_lines: Sequence[TextLine]) -> str:
    """Returns the text of a document for an editor, ending in a line feed."""
    page: list[str] = [GUIDE]
    last: TextLine | None = None
    for line in document_lines:
        if line.kind in _HEADS and (last is None or last.kind != line.kind):
            page.append(f"<!-- {_HEADS[line.kind]} -->\n")
        elif (
            last is not None
            and line.form == last.form == "row"
            and line.path[:-1] == last.path[:-1]
        ):
            page[-1] = page[-1].removesuffix("\n")
        page.append(line.written() + "\n")
        last = line
    return "\n".join(page)


def escaped(text: str) -> str:
    """Returns a text with a backslash in front where it begins like a sign."""
    lead = _LEAD.match(text)
    at = 0 if lead is None else lead.end()
    return f"{text[:at]}\\{text[at:]}" if _SIGN_LIKE.match(text, at) else text


def cell_escaped(text: str) -> str:
    """Returns the text of a cell with bars that are text marked as such."""
    return re.sub(r"(\\*)\|", r"\1\1\\|", text)


class _Story:
    def __init__(self, story: Story) -> None:
        self._story = story

    def lines(self) -> Iterator[TextLine]:
        """Yields the lines of a story."""
        yield from self._blocks(self._story.blocks, self._story.anchor, ())

    def _blocks(
        self, blocks: Sequence[Block], container: str, path: tuple[tuple[str, str], ...]
    ) -> Iterator[TextLine]:
        for block in blocks:
            place = (*path, (container, block.anchor))
            if isinstance(block, Table):
                yield from self._table(block, place)
            elif isinstance(block, Break):
                yield TextLine(block.anchor, "rule", place, self._story.kind)
            else:
                inlines = tokens.pieces(content(block))
                yield TextLine(
                    block.anchor,
                    "paragraph",
                    place,
                    self._story.kind,
                    _sign(block),
                    tokens.write(inlines).replace("\n", "⟦br⟧"),
                    inlines,
                    (),
                    getattr(block, "label", ""),
                )

    def _table(self, table: Table, path: tuple[tuple[str, str], ...]) -> Iterator[TextLine]:
        is_plain = True
        for row in table.rows:
            place = (*path, (table.anchor, row.anchor))
            if _is_plain(row):
                cells = tuple(_cell(cell.blocks[0], continues=cell.continues) for cell in row.cells)
                yield TextLine(row.anchor, "row", place, self._story.kind, cells=cells)
                continue
            is_plain = False
            yield TextLine(row.anchor, "row_head", place, self._story.kind)
            for cell in row.cells:
                if not cell.continues:
                    yield from self._blocks(cell.blocks, cell.anchor, place)
        if not is_plain:
            yield TextLine(table.anchor, "end", path, self._story.kind)


def _cell(block: Block, *, continues: bool) -> tuple[str, str]:
    if continues:
        return "", COVERED
    return block.anchor, tokens.write(tokens.pieces(content(block))).replace("\n", "⟦br⟧")


def _is_plain(row: Row) -> bool:
    """Whether each cell of a row is one plain paragraph."""
    return all(
        (cell.continues and bool(cell.blocks))
        or (
            len(cell.blocks) == 1
            and isinstance(cell.blocks[0], Paragraph)
            and cell.blocks[0].anchor.rpartition(".")[0] == cell.anchor
        )
        for cell in row.cells
    )


def _sign(block: Block) -> Sign:
    match block:
        case Heading():
            return Sign("#", block.level)
        case ListItem() if not block.continuation:
            return Sign("1" if block.ordered else "-", block.depth)
        case Quote():
            return Sign(">")
        case _:
            return PLAIN
