"""What a model is shown of a document: one block a line, its anchor in front.

    <document blocks="214" nonce="k7Qd">
    [p9 h2 num="2."] Term
    [p10] This Agreement starts on the **Effective Date**⟦fn1⟧.
    [p11 li1 num="a)"] Notice goes to ⟦a1⟧legal@acme.example⟦/a1⟧.
    [t1 table 2x2]
    [t1.r1 header] | Item | Fee |
    [t1.r2 rev] | Support | 1,200 |
    [h1.p1 header first] ACME
    [fn1.p1 footnote 1] Calendar days.
    </document nonce="k7Qd">

The words are those of the final view, hidden text left out, in the syntax of `engine.tokens`; marks
that are not for reading (zero-width, bidirectional overrides, tags) are stripped, and so is the
nonce, so that no document can close its own frame. A number that Word writes is in `num`, never in
the text. A row is one line when each of its cells is one paragraph. `rev` marks a block with other
people's pending changes, `words` one that cannot be rewritten whole, `sect` one that ends a
section; `"Fee" empty` names a control and says that it shows its placeholder; the changes
themselves, the styles in use and the properties are listed only where the instruction speaks of
them (see `engine.planner.topics`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from redraft.engine.model import (
    Block,
    Break,
    Cell,
    CodeBlock,
    Document,
    Heading,
    ListItem,
    Paragraph,
    Quote,
    Revision,
    Row,
    Story,
    Table,
)
from redraft.engine.planner import topics
from redraft.engine.report import ModelView
from redraft.engine.tokens import escape, pieces, write

_CHARACTERS_PER_TOKEN = 4
_CONTROL = re.compile("(?<!\\\\)⟦(cc[0-9]+)⟧")


def render(
    document: Document,
    instruction: str,
    lookup: str | None,
    nonce: str,
    changes: Sequence[Revision] = (),
    remarks: Mapping[str, str] | None = None,
) -> ModelView:
    """Render the whole view of a document.

    Args:
        document: In its final view.
        instruction: Comments and the like are shown only where it speaks of them.
        lookup: Not needed here: the planner chooses from the whole view.
        nonce: A word that stands in no document.
        changes: The tracked changes of the document.
        remarks: What else is said of blocks and controls, by name, and under an empty name of
            the document (`engine.docx.view_hints`).
    """
    wants_comments = topics.speaks_of_comments(instruction)
    stories = [story for story in document.stories if story.kind != "comment" or wants_comments]
    revised = frozenset(change.anchor for change in changes if not change.is_ours)
    writer = _Writer(revised, remarks or {})
    lines = [line for story in stories for line in writer.story(story)]
    if topics.speaks_of_changes(instruction):
        lines += topics.changes(changes)
    of_all = (remarks or {}).get("", "")
    preface = [*topics.preface(document, instruction), *of_all.splitlines()]
    text = framed([line.replace(nonce, "") for line in (*preface, *lines)], nonce)
    return ModelView(text, tokens(text), whole=True, format=document.format)


def framed(lines: Iterable[str], nonce: str, note: str = "") -> str:
    """Put lines of a view between the marks that say where the document begins and ends."""
    inside = list(lines)
    count = sum(1 for line in inside if not line.startswith("#"))
    opening = f'<document blocks="{count}"{note} nonce="{nonce}">'
    return "\n".join([opening, *inside, f'</document nonce="{nonce}">'])


def tokens(text: str) -> int:
    """Estimate how many tokens a model counts; a quarter of the characters, more for ideographs."""
    wide = sum(1 for char in text if ord(char) > 0x2E7F)
    return (len(text) - wide) // _CHARACTERS_PER_TOKEN + wide


class _Writer:
    """Writes blocks; those that hold the anchors `revised` are marked, and those with remarks."""

    def __init__(self, revised: frozenset[str], remarks: Mapping[str, str]) -> None:
        self._remarks = remarks
        # A change in a cell's paragraph is one of its row and table, too.
        steps = [anchor.split(".") for anchor in revised]
        self._revised = {".".join(step[:n]) for step in steps for n in range(1, len(step) + 1)}

    def story(self, story: Story) -> Iterator[str]:
        host = f"on {story.host}" if story.kind == "comment" and story.host else ""
        words = ("" if story.kind == "body" else story.kind, story.label, _purpose(story), host)
        suffix = " ".join(word for word in words if word) if words[0] else ""
        for block in story.blocks:
            yield from self._block(block, suffix)

    def _block(self, block: Block, suffix: str) -> Iterator[str]:
        match block:
            case Table():
                header = " header" if any(row.is_header for row in block.rows) else ""
                kind = f"table {len(block.rows)}x{block.columns}{header}"
                yield self._head(block.anchor, kind, suffix)
                for row in block.rows:
                    yield from self._row(row, suffix)
            case CodeBlock():
                yield f"{self._head(block.anchor, 'code', suffix)} {_line(escape(block.text))}"
            case Break():
                yield self._head(block.anchor, "rule", suffix)
            case _:
                text = _line(write(pieces(block.content)))
                yield f"{self._head(block.anchor, _kind(block), suffix)} {self._told(text)}"

    def _row(self, row: Row, suffix: str) -> Iterator[str]:
        header = "header" if row.is_header else ""
        if all(self._is_plain(row, index, cell) for index, cell in enumerate(row.cells, 1)):
            cells = " | ".join(self._told(_cell(cell)) for cell in row.cells)
            yield f"{self._head(row.anchor, header, suffix)} | {cells} |"
            return
        yield self._head(row.anchor, f"row of {len(row.cells)} cells {header}".strip(), suffix)
        for cell in row.cells:
            for block in () if cell.continues else cell.blocks:
                yield from self._block(block, suffix)

    def _is_plain(self, row: Row, index: int, cell: Cell) -> bool:
        """Whether a cell's place in its row says its anchor, and its one paragraph is all of it."""
        if cell.anchor != f"{row.anchor}.c{index}":
            return False
        if cell.continues:
            return True
        one = cell.blocks[0] if len(cell.blocks) == 1 else None
        if not isinstance(one, Paragraph) or one.anchor in self._remarks:
            return False
        return one.anchor == f"{cell.anchor}.p1"

    def _told(self, text: str) -> str:
        """Returns a text with what is said of its controls: `⟦cc3 "Fee" empty⟧`."""
        return _CONTROL.sub(lambda token: f"⟦{token[1]}{self._remark(token[1])}⟧", text)

    def _remark(self, name: str) -> str:
        words = self._remarks.get(name, "")
        return f" {words}" if words else ""

    def _head(self, anchor: str, kind: str, suffix: str) -> str:
        mark = "rev" if anchor in self._revised else ""
        words = " ".join(word for word in (anchor, kind, suffix, mark) if word)
        return f"[{words}{self._remark(anchor)}]"


def _purpose(story: Story) -> str:
    """Which pages a header or footer is for, where not all."""
    is_furniture = story.kind in ("header", "footer") and story.name != "default"
    return story.name.translate(topics.ATTRIBUTE) if is_furniture else ""


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
    return f' num="{label.translate(topics.ATTRIBUTE)}"' if label else ""


def _cell(cell: Cell) -> str:
    if cell.continues:
        return "^"
    one = cell.blocks[0]
    text = write(pieces(one.content)) if isinstance(one, Paragraph) else ""
    return _line(text).replace("|", "\\|")


def _line(text: str) -> str:
    """One line without marks that are not for reading."""
    return text.replace("\r", "").replace("\n", "⟦br⟧").replace("\u2028", " ").replace("\x85", " ")
