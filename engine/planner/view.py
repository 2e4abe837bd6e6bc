"""What a model is shown of a document: one block a line, its anchor in front.

    <document blocks="214" nonce="k7Qd">
    [p9 h2 num="2."] Term
    [p10] This Agreement starts on the **Effective Date**⟦fn1⟧.
    [p11 li1 num="a)"] Notice goes to ⟦a1⟧legal@acme.example⟦/a1⟧.
    [t1 table 2x2]
    [t1.r1 header] | Item | Fee |
    [t1.r2] | Support | 1,200 |
    [h1.p1 header] ACME
    [fn1.p1 footnote 1] Calendar days.
    </document nonce="k7Qd">

The words are those of the final view, hidden text left out, in the syntax of `engine.tokens`; marks
that are not for reading (zero-width, bidirectional overrides, tags) are stripped, and so is the
nonce, so that no document can close its own frame. A number that Word writes is in `num`, never in
the text. A row is one line when each of its cells is one paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from engine.model import (
    Block,
    Break,
    Cell,
    CodeBlock,
    Document,
    Heading,
    ListItem,
    Paragraph,
    Quote,
    Row,
    Story,
    Table,
)
from engine.report import ModelView
from engine.tokens import escape, pieces, write

_CHARACTERS_PER_TOKEN = 4
_COMMENTS = re.compile(r"comment|kommentar|commentaire|comentario|remark|annotation", re.IGNORECASE)
_ATTRIBUTE = str.maketrans({"]": ")", "[": "(", '"': "'", "\n": " "})


def render(document: Document, instruction: str, lookup: str | None, nonce: str) -> ModelView:
    """Render the whole view of a document.

    Args:
        document: In its final view.
        instruction: Comments are shown only where it speaks of them.
        lookup: Not needed here: the planner chooses from the whole view.
        nonce: A word that stands in no document.
    """
    wants_comments = bool(_COMMENTS.search(instruction))
    stories = [story for story in document.stories if story.kind != "comment" or wants_comments]
    lines = [line.replace(nonce, "") for story in stories for line in _story(story)]
    text = framed(lines, nonce)
    return ModelView(text, tokens(text), whole=True)


def framed(lines: Iterable[str], nonce: str, note: str = "") -> str:
    """Put lines of a view between the marks that say where the document begins and ends."""
    inside = list(lines)
    opening = f'<document blocks="{len(inside)}"{note} nonce="{nonce}">'
    return "\n".join([opening, *inside, f'</document nonce="{nonce}">'])


def tokens(text: str) -> int:
    """Estimate how many tokens a model counts; a quarter of the characters, more for ideographs."""
    wide = sum(1 for char in text if ord(char) > 0x2E7F)
    return (len(text) - wide) // _CHARACTERS_PER_TOKEN + wide


def _story(story: Story) -> Iterator[str]:
    kind = "" if story.kind == "body" else story.kind
    label = f" {story.label}" if story.label else ""
    suffix = f"{kind}{label}" if kind else ""
    for block in story.blocks:
        yield from _block(block, suffix)


def _block(block: Block, suffix: str) -> Iterator[str]:
    match block:
        case Table():
            header = " header" if any(row.is_header for row in block.rows) else ""
            yield _head(block.anchor, f"table {len(block.rows)}x{block.columns}{header}", suffix)
            for row in block.rows:
                yield from _row(row, suffix)
        case CodeBlock():
            yield f"{_head(block.anchor, 'code', suffix)} {_line(escape(block.text))}"
        case Break():
            yield _head(block.anchor, "rule", suffix)
        case _:
            text = _line(write(pieces(block.content)))
            yield f"{_head(block.anchor, _kind(block), suffix)} {text}"


def _head(anchor: str, kind: str, suffix: str) -> str:
    return f"[{' '.join(word for word in (anchor, kind, suffix) if word)}]"


def _kind(block: Paragraph | Heading | ListItem | Quote) -> str:
    match block:
        case Heading():
            return f"h{block.level}{_number(block.label)}"
        case ListItem():
            return f"li{block.depth + 1}{_number(block.label)}"
        case Quote():
            return "quote"
        case Paragraph():
            return "title" if block.style.casefold() == "title" else ""


def _number(label: str) -> str:
    return f' num="{label.translate(_ATTRIBUTE)}"' if label else ""


def _row(row: Row, suffix: str) -> Iterator[str]:
    header = "header" if row.is_header else ""
    if all(_is_plain(row, index, cell) for index, cell in enumerate(row.cells, 1)):
        cells = " | ".join(_cell(cell) for cell in row.cells)
        yield f"{_head(row.anchor, header, suffix)} | {cells} |"
        return
    yield _head(row.anchor, f"row of {len(row.cells)} cells {header}".strip(), suffix)
    for cell in row.cells:
        for block in () if cell.continues else cell.blocks:
            yield from _block(block, suffix)


def _is_plain(row: Row, index: int, cell: Cell) -> bool:
    """Whether a cell's place in its row says its anchor, and its one paragraph is all it holds."""
    if cell.anchor != f"{row.anchor}.c{index}":
        return False
    if cell.continues:
        return True
    one = cell.blocks[0] if len(cell.blocks) == 1 else None
    return isinstance(one, Paragraph) and one.anchor == f"{cell.anchor}.p1"


def _cell(cell: Cell) -> str:
    if cell.continues:
        return "^"
    one = cell.blocks[0]
    text = write(pieces(one.content)) if isinstance(one, Paragraph) else ""
    return _line(text).replace("|", "\\|")


def _line(text: str) -> str:
    """One line without marks that are not for reading."""
    return text.replace("\r", "").replace("\n", "⟦br⟧").replace("\u2028", " ").replace("\x85", " ")
