"""The blocks of a PDF as edits address them.

[x] body blocks, those of cells among them  [x] running headers and footers, one block a page
[x] footnotes, behind the body; marks are in the text as they are drawn
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Final

from redraft.engine.errors import RefusedError, UnreadableError
from redraft.engine.model import (
    Block,
    CodeBlock,
    Document,
    Heading,
    Inline,
    ListItem,
    NoteReference,
    Paragraph,
    Quote,
    StoryKind,
    Table,
    Text,
)
from redraft.engine.pdf import reader
from redraft.engine.pdf.reading.layout import Box, Places
from redraft.engine.pdf.stream import objects
from redraft.engine.tokens import pieces, visible

NO_TEXT: Final = (
    "No text layer: the pages of this PDF are scanned images. Run it through OCR, or upload the "
    "document it was made from"
)
NO_TEXT_IN_FORM: Final = (
    "This PDF has form fields and no other text, so there is nothing to edit; fill its fields in a "
    "PDF viewer"
)
NOTHING_WRITTEN: Final = (
    "This PDF has no text to edit: its pages are empty, or their letters are drawn as shapes; "
    "upload the document it was made from"
)
_PAGE = re.compile(r"p(\d+)\.")


@dataclass(frozen=True, slots=True)
class Cited:
    """Characters [start, end) of a block that are the mark of the note `anchor`.

    Without an anchor they are the label that a note begins with.
    """

    start: int
    end: int
    anchor: str


@dataclass(frozen=True, slots=True)
class Target:
    """A block with text: its anchor, 0-based page, text as it is drawn, and label.

    `marks` are the characters that are no words but marks of notes (see
    `engine.pdf.edit.note_references`); `note` is the anchor of the note that the block is of.
    `place` are the boxes of its lines, in points from the top left of their pages as they are
    without rotation.
    """

    anchor: str
    page: int
    text: str
    label: str
    block: Block
    section: tuple[str, ...] = ()
    story: StoryKind = "body"
    marks: tuple[Cited, ...] = ()
    note: str = ""
    place: tuple[Box, ...] = field(default=(), compare=False)


def editable_in(data: bytes) -> list[Target]:
    """Reads the blocks of a PDF that is to be edited.

    Raises:
        RefusedError: it has no text; says why.
    """
    try:
        return known_in(data)
    except UnreadableError:
        raise RefusedError(why_no_text(data)) from None


def why_no_text(data: bytes) -> str:
    """Says why there is no text in a PDF: it is scanned, a blank form, empty or drawn."""
    with objects.opened(data) as document:
        kinds = {objects.name(objects.entry(thing, "/Subtype")) for thing in document.objects}
        fields = objects.elements(objects.entry(document.Root, "/AcroForm", "/Fields"))
    if "Image" in kinds:
        return NO_TEXT
    return NO_TEXT_IN_FORM if fields else NOTHING_WRITTEN


_READ: ContextVar[dict[bytes, list[Target]] | None] = ContextVar("_READ", default=None)


@contextmanager
def each_read_once() -> Generator[None]:
    """Keeps the blocks of each file that is read meanwhile, so that none is read twice."""
    if _READ.get() is not None:
        yield
        return
    token = _READ.set({})
    try:
        yield
    finally:
        _READ.reset(token)


def known_in(data: bytes) -> list[Target]:
    """Reads a PDF and list its blocks with text.

    The body, the notes, then what the pages repeat.
    """
    read = _READ.get()
    if read is None:
        return _known_in(data)
    if data not in read:
        read[data] = _known_in(data)
    return list(read[data])


def _known_in(data: bytes) -> list[Target]:
    reading = reader.read_all(data)
    listed = targets(reading.document, reading.places)
    listed += _noted(reading)
    for anchor, line in reader.anchored(reading.running):
        block = Paragraph(anchor, (Text(line.text),))
        story: StoryKind = "header" if line.edge == "top" else "footer"
        where = (line.box,)
        listed.append(Target(anchor, line.page - 1, line.text, "", block, (), story, place=where))
    return listed


def targets(document: Document, places: Places | None = None) -> list[Target]:
    """Lists the blocks of a document that have text, those of cells among them, in order."""
    return list(_walk(document.body.blocks, [], places or {}))


def _walk(
    blocks: Sequence[Block], open_headings: list[Heading], places: Places
) -> Iterator[Target]:
    for block in blocks:
        if isinstance(block, Table):
            for row in block.rows:
                for cell in row.cells:
                    yield from _walk(cell.blocks, open_headings, places)
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
        marks: list[Cited] = []
        if not isinstance(block, CodeBlock):
            for start, mark in _references(block.content):
                text = text[:start] + mark.label + text[start:]
                marks.append(Cited(start, start + len(mark.label), mark.anchor))
        label = block.label if isinstance(block, Heading | ListItem) else ""
        section = tuple(heading.anchor for heading in open_headings)
        page = int(match[1]) - 1
        place = tuple([line.box for line in places.get(block.anchor, ())])
        yield Target(
            block.anchor, page, text, label, block, section, marks=tuple(marks), place=place
        )


def _references(content: Sequence[Inline]) -> Iterator[tuple[int, NoteReference]]:
    """Yields the marks of a block, and where they begin in its text as it is drawn."""
    if not any(isinstance(item, NoteReference) for item in content):
        return
    at = 0
    for inline in content:
        if isinstance(inline, NoteReference):
            yield at, inline
            at += len(inline.label)
        else:
            at += len(visible(pieces((inline,))))


def _noted(reading: reader.Reading) -> Iterator[Target]:
    """Lists the paragraphs of notes, whose text begins with what is drawn before their words."""
    for story in reading.document.stories:
        if story.kind == "footnote":
            for target in _walk(story.blocks, [], reading.places):
                head = reading.heads.get(target.anchor, "")
                marks = (Cited(0, len(head), ""),) if head else ()
                text = head + target.text
                yield replace(target, text=text, story=story.kind, marks=marks, note=story.anchor)
