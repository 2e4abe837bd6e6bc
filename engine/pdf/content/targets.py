"""The blocks of a PDF as edits address them.

[x] body blocks, those of cells among them  [x] running headers and footers, one block a page
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.errors import RefusedError, UnreadableError
from engine.model import (
    Block,
    CodeBlock,
    Document,
    Heading,
    ListItem,
    Paragraph,
    Quote,
    StoryKind,
    Table,
    Text,
)
from engine.pdf import reader
from engine.tokens import pieces, visible

NO_TEXT: Final = (
    "No text layer: the pages of this PDF are scanned images. Run it through OCR, or upload the "
    "document it was made from"
)
_PAGE = re.compile(r"p(\d+)\.")


@dataclass(frozen=True, slots=True)
class Target:
    """A block with text: its anchor, 0-based page, text as quotes are matched, and label."""

    anchor: str
    page: int
    text: str
    label: str
    block: Block
    section: tuple[str, ...] = ()
    story: StoryKind = "body"


def editable_in(data: bytes) -> list[Target]:
    """Read the blocks of a PDF that is to be edited.

    Raises:
        RefusedError: its pages are pictures.
    """
    try:
        return known_in(data)
    except UnreadableError:
        raise RefusedError(NO_TEXT) from None


def known_in(data: bytes) -> list[Target]:
    """Read a PDF and list its blocks with text: the body, then what the pages repeat."""
    document, lines = reader.read_all(data)
    found = targets(document)
    for anchor, line in reader.anchored(lines):
        block = Paragraph(anchor, (Text(line.text),))
        story: StoryKind = "header" if line.edge == "top" else "footer"
        found.append(Target(anchor, line.page - 1, line.text, "", block, (), story))
    return found


def targets(document: Document) -> list[Target]:
    """List the blocks of a document that have text, those of cells among them, in order."""
    return list(_walk(document.body.blocks, []))


def _walk(blocks: Sequence[Block], open_headings: list[Heading]) -> Iterator[Target]:
    for block in blocks:
        if isinstance(block, Table):
            for row in block.rows:
                for cell in row.cells:
                    yield from _walk(cell.blocks, open_headings)
            continue
        match = _PAGE.match(block.anchor)
        if match is None or not isinstance(
            block, Paragraph | Heading | ListItem | Quote | CodeBlock
        ):
            continue
        if isinstance(block, Heading):
            while open_headings and open_headings[-1].level >= block.level:
                open_headings.pop()
            open_headings.append(block)
        text = block.text if isinstance(block, CodeBlock) else visible(pieces(block.content))
        label = block.label if isinstance(block, Heading | ListItem) else ""
        section = tuple(each.anchor for each in open_headings)
        yield Target(block.anchor, int(match[1]) - 1, text, label, block, section)
