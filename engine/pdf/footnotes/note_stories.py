"""The footnotes of a PDF as stories, and its body with their references."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from redraft.engine.model import (
    Block,
    Break,
    CodeBlock,
    Document,
    Inline,
    Link,
    Mark,
    NoteReference,
    Paragraph,
    Story,
    Table,
    Text,
)
from redraft.engine.pdf.footnotes.page_footnotes import Note, Parted, parted
from redraft.engine.pdf.reading.layout import Page, Places
from redraft.engine.pdf.reading.paragraphs import Passage, Typography, spans_of
from redraft.engine.pdf.reading.span_inlines import inlines
from redraft.engine.pdf.reading.tables import list_item

# How often a document is read anew without notes whose marks did not come out, before all stay.
ROUNDS: Final = 3


@dataclass(frozen=True, slots=True)
class Noted:
    """The blocks of a body and its notes in order.

    `heads`: what is drawn before the words of each note's first paragraph, by its anchor.
    """

    blocks: tuple[Block, ...]
    stories: tuple[Story, ...]
    heads: Mapping[str, str]


def noted(
    pages: Sequence[Page],
    ordinary: Typography,
    body: Callable[[Sequence[Page]], tuple[Block, ...]],
    places: Places | None = None,
) -> Noted:
    """Reads pages with their notes.

    Args:
        pages: The pages without their running headers and footers.
        ordinary: What is ordinary in the document.
        body: Makes blocks of pages whose notes are taken off. A note whose mark does not come out
            of it, as in a listing, is left where it stands.
        places: Takes the lines of the paragraphs of the notes.
    """
    left: frozenset[str] = frozenset()
    for _ in range(ROUNDS):
        parted_pages = parted(pages, ordinary, left)
        blocks = body(parted_pages.pages)
        wanted = {note.anchor for note in parted_pages.notes}
        lost = wanted - {reference.anchor for reference in references(blocks)} if wanted else wanted
        if not lost:
            break
        left |= lost
    else:
        parted_pages = Parted(tuple(pages), ())
        blocks = body(pages)
    places = {} if places is None else places
    stories = tuple(_story(note, ordinary, places) for note in parted_pages.notes)
    heads = {
        story.blocks[0].anchor: note.head
        for story, note in zip(stories, parted_pages.notes, strict=True)
        if not isinstance(story.blocks[0], Table)
    }
    return Noted(blocks, stories, heads)


def references(blocks: Sequence[Block]) -> Iterator[NoteReference]:
    """Yields the references to notes, those of cells among them."""
    for block in blocks:
        if isinstance(block, Table):
            for row in block.rows:
                for cell in () if row.is_repeated else row.cells:
                    yield from references(cell.blocks)
        elif not isinstance(block, CodeBlock | Break):
            yield from _cited(block.content)


def _cited(content: Sequence[Inline]) -> Iterator[NoteReference]:
    for inline in content:
        if isinstance(inline, NoteReference):
            yield inline
        elif isinstance(inline, Link):
            yield from _cited(inline.content)


def _story(note: Note, ordinary: Typography, places: Places) -> Story:
    first = note.parts[0][0]
    counts: dict[int, int] = {}
    blocks: list[Block] = []
    for passage in note.passages(ordinary):
        counts[passage.page] = counts.get(passage.page, 0) + 1
        host = note.anchor if passage.page == first else f"p{passage.page}.n0"
        anchor = f"{host}.p{counts[passage.page]}"
        places[anchor] = passage.lines
        blocks.append(_block(passage, anchor, ordinary))
    return Story("footnote", note.anchor, tuple(blocks), label=note.label)


def _block(passage: Passage, anchor: str, ordinary: Typography) -> Block:
    content = inlines(spans_of(passage, ordinary.hyphens))
    if passage.label is None:
        return Paragraph(anchor, content)
    return list_item(passage, anchor, 0, content)


def unfolded(document: Document, heads: Mapping[str, str]) -> Document:
    """Returns a document with its notes as paragraphs of its body, behind the blocks of their page.

    Args:
        document: The document.
        heads: What is drawn before the words of each note, by the anchor of its first paragraph.
    """
    notes = [story for story in document.stories if story.kind == "footnote"]
    if not notes:
        return document
    waiting = [_headed(block, heads) for story in notes for block in story.blocks]
    waiting.sort(key=lambda block: _page_of(block.anchor))
    body: list[Block] = []
    for block in document.body.blocks:
        while waiting and _page_of(waiting[0].anchor) < _page_of(block.anchor):
            body.append(waiting.pop(0))
        body.append(_unmarked(block))
    blocks = (*body, *waiting)
    stories = (
        replace(story, blocks=blocks) if story.kind == "body" else story
        for story in document.stories
        if story.kind != "footnote"
    )
    return replace(document, stories=tuple(stories))


def _page_of(anchor: str) -> int:
    return int(anchor.partition(".")[0].removeprefix("p"))


def _headed(block: Block, heads: Mapping[str, str]) -> Block:
    head = heads.get(block.anchor, "")
    if not head or isinstance(block, CodeBlock | Break | Table):
        return block
    return replace(block, content=(Text(head), *block.content))


def _unmarked(block: Block) -> Block:
    """Returns a block whose marks of notes are raised text again."""
    if isinstance(block, CodeBlock | Break):
        return block
    if not isinstance(block, Table):
        return replace(block, content=tuple(_plain(inline) for inline in block.content))
    rows = tuple(
        replace(
            row,
            cells=tuple(
                replace(cell, blocks=tuple(_unmarked(inline) for inline in cell.blocks))
                for cell in row.cells
            ),
        )
        for row in block.rows
    )
    return replace(block, rows=rows)


def _plain(inline: Inline) -> Inline:
    if isinstance(inline, NoteReference):
        return Text(inline.label, Mark.SUPERSCRIPT)
    return inline
