"""The notes of a PDF as footnotes of a Word document (ECMA-376 Part 1, 17.11).

[x] numbered by Word where the PDF's labels follow one another: figures, letters, Roman numerals;
from any number on, or anew on each page  [x] other labels, as marks of their own (`*`, `†`)
[x] a second mark of the same note, as raised text  [-] marks in notes: raised text too
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, Final
from xml.sax.saxutils import quoteattr

from redraft.engine.errors import VerificationError
from redraft.engine.inline_pieces import Atom, pieces, visible
from redraft.engine.model import (
    Block,
    Break,
    CodeBlock,
    Document,
    Inline,
    Link,
    Mark,
    NoteReference,
    Story,
    Table,
    Text,
)
from redraft.engine.transcript.numbering import Number, readings, written

NAMESPACES: Final = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
MARK: Final = "\ufdd0"
"""Stands for the mark of a note in the text of a block; no document holds it."""

PART_TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
_RELATION: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
_SEPARATORS: Final = "".join(
    f'<w:footnote w:type="{kind}" w:id="{number}"><w:p><w:pPr><w:spacing w:after="0" w:line="240" '
    f'w:lineRule="auto"/></w:pPr><w:r><w:{kind}/></w:r></w:p></w:footnote>'
    for number, kind in ((-1, "separator"), (0, "continuationSeparator"))
)
_LOOK: Final = '<w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr>'
LEAD: Final = f'<w:r>{_LOOK}<w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> </w:t></w:r>'
"""What a note begins with: its number, and a blank."""


@dataclass(frozen=True, slots=True)
class Count:
    """How Word numbers notes (17.11.17, 17.11.19, 17.18.59).

    `own` are the anchors of those that have a mark of their own instead.
    """

    form: str = "decimal"
    start: int = 1
    by_page: bool = False
    own: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Folded:
    """A document whose notes can be footnotes.

    `cited` names for each note the block with its mark.
    """

    document: Document
    cited: Mapping[str, str] = field(default_factory=dict[str, str])
    count: Count = field(default_factory=Count)


def folded(document: Document, before: Folded | None = None) -> Folded:
    """Returns a document with its notes in the order of their marks, each with one mark.

    Args:
        document: A PDF as it is read.
        before: An earlier version of it: the labels that are marks of their own there are here.

    Raises:
        VerificationError: a note has no mark.
    """
    cited: dict[str, str] = {}
    stories: list[Story] = []
    for story in document.stories:
        if story.kind != "footnote":
            blocks = tuple(_once(block, cited) for block in story.blocks)
            stories.append(replace(story, blocks=blocks))
    footnotes = {story.anchor: story for story in document.stories if story.kind == "footnote"}
    if cited.keys() != footnotes.keys():
        message = "A note of the PDF has no mark; download the PDF instead"
        raise VerificationError(message)
    notes = [footnotes[anchor] for anchor in cited]
    count = counted(notes) if before is None else _kept(notes, before)
    seen = dict(cited)
    for note in notes:
        blocks = tuple(_once(block, seen) for block in note.blocks)
        if note.anchor in count.own:
            blocks = (_led(blocks[0], note.label), *blocks[1:])
        stories.append(replace(note, blocks=blocks))
    return Folded(replace(document, stories=tuple(stories)), cited, count)


def counted(notes: Sequence[Story]) -> Count:
    """Returns how Word can number notes so that most of them have the labels that they have."""
    counts = [_in_turn(notes, form) for form in dict.fromkeys(n.form for n in _numbers(notes))]
    best = max(counts, key=lambda count: len(notes) - len(count.own), default=None)
    if best is None:
        return Count(own=frozenset(note.anchor for note in notes))
    return best


def _kept(notes: Sequence[Story], before: Folded) -> Count:
    own = {note.label for note in before.document.stories if note.anchor in before.count.own}
    still = frozenset(note.anchor for note in notes if note.label in own)
    return replace(before.count, own=still)


def raw(content: Sequence[Inline]) -> str:
    """Returns the text of inlines as quotes know it, with `MARK` for each mark of a note."""
    return "".join(
        MARK if isinstance(piece, Atom) and piece.name.startswith("fn") else visible((piece,))
        for piece in pieces(content)
    )


def reference(note: NoteReference, number: int, *, is_own: bool) -> str:
    """Writes the mark of a note."""
    if is_own:
        # A mark of its own is the text behind (17.11.14, customMarkFollows).
        label = f"<w:t>{written(note.label)}</w:t>"
        inner = f'<w:footnoteReference w:customMarkFollows="1" w:id="{number}"/>{label}'
    else:
        inner = f'<w:footnoteReference w:id="{number}"/>'
    return f"<w:r>{_LOOK}{inner}</w:r>"


def add(made: Any, blobs: Sequence[str], part: Any, count: Count) -> None:
    """Puts notes into a document that is being made.

    Args:
        made: python-docx's document.
        blobs: The blocks of each note.
        part: The part that they go to, whose relations they may name.
        count: How they are numbered.
    """
    from docx.enum.style import WD_STYLE_TYPE
    from docx.oxml import parse_xml
    from docx.shared import Pt

    look = made.styles.add_style("footnote reference", WD_STYLE_TYPE.CHARACTER, builtin=True)
    look.style_id, look.font.superscript = "FootnoteReference", True
    body = made.styles.add_style("footnote text", WD_STYLE_TYPE.PARAGRAPH, builtin=True)
    body.style_id, body.base_style = "FootnoteText", made.styles["Normal"]
    body.font.size = Pt(10)
    notes = "".join(
        f'<w:footnote w:id="{number}">{blob}</w:footnote>' for number, blob in enumerate(blobs, 1)
    )
    for note in parse_xml(f"<w:footnotes {NAMESPACES}>{_SEPARATORS}{notes}</w:footnotes>"):
        part.element.append(note)
    settings = made.settings.element
    named = parse_xml(
        f"<w:footnotePr {NAMESPACES}>{_properties(count)}"
        '<w:footnote w:id="-1"/><w:footnote w:id="0"/></w:footnotePr>'
    )
    # Before what comes behind it in the template (17.15.1.78).
    next(element for element in settings if element.tag.endswith("}compat")).addprevious(named)


def new_part(made: Any) -> Any:
    """Makes the part for the footnotes of a document that is being made."""
    from docx.opc.packuri import PackURI
    from docx.opc.part import XmlPart
    from docx.oxml import parse_xml

    empty: Any = parse_xml(f"<w:footnotes {NAMESPACES}/>")
    part = XmlPart(PackURI("/word/footnotes.xml"), PART_TYPE, empty, made.part.package)
    made.part.relate_to(part, _RELATION)
    return part


def _properties(count: Count) -> str:
    form = "" if count.form == "decimal" else f"<w:numFmt w:val={quoteattr(count.form)}/>"
    start = "" if count.start == 1 else f'<w:numStart w:val="{count.start}"/>'
    return form + start + ('<w:numRestart w:val="eachPage"/>' if count.by_page else "")


def _numbers(notes: Sequence[Story]) -> Iterator[Number]:
    for note in notes:
        yield from (n for n in readings(note.label) if n.form != "none" and not n.before + n.after)


def _in_turn(notes: Sequence[Story], form: str) -> Count:
    """Numbers notes in one form; those that are not in turn have marks of their own."""
    values = {note.anchor: value for note in notes if (value := _value(note.label, form))}
    pages = [
        [*page_anchors]
        for _, page_anchors in groupby(values, key=lambda anchor: anchor.partition(".")[0])
    ]
    if len(pages) > 1 and all(_is_turn([values[a] for a in page], 1) for page in pages):
        return Count(form, 1, by_page=True, own=_others(notes, values))
    start = next(iter(values.values()))
    kept: list[str] = []
    for anchor, value in values.items():
        if value == start + len(kept):
            kept.append(anchor)
    return Count(form, start, own=_others(notes, kept))


def _value(label: str, form: str) -> int:
    values = [n.value for n in readings(label) if n.form == form and not n.before + n.after]
    return values[0] if values else 0


def _is_turn(values: Sequence[int], start: int) -> bool:
    return list(values) == list(range(start, start + len(values)))


def _others(notes: Sequence[Story], kept: Sequence[str] | dict[str, int]) -> frozenset[str]:
    return frozenset(note.anchor for note in notes) - frozenset(kept)


def _led(block: Block, label: str) -> Block:
    if isinstance(block, CodeBlock | Break | Table):
        return block
    return replace(block, content=(Text(label, Mark.SUPERSCRIPT), Text(" "), *block.content))


def _once(block: Block, cited: dict[str, str]) -> Block:
    """Returns a block in which marks of notes that were cited before are raised text."""
    if isinstance(block, CodeBlock | Break):
        return block
    if not isinstance(block, Table):
        return replace(block, content=_first(block.content, block.anchor, cited))
    rows = tuple(
        replace(
            row,
            cells=tuple(
                replace(cell, blocks=tuple(_once(inner, cited) for inner in cell.blocks))
                for cell in row.cells
            ),
        )
        for row in block.rows
    )
    return replace(block, rows=rows)


def _first(content: Sequence[Inline], anchor: str, cited: dict[str, str]) -> tuple[Inline, ...]:
    made: list[Inline] = []
    for inline in content:
        if isinstance(inline, NoteReference):
            if inline.anchor in cited:
                made.append(Text(inline.label, Mark.SUPERSCRIPT))
                continue
            cited[inline.anchor] = anchor
        elif isinstance(inline, Link):
            inline = replace(inline, content=_first(inline.content, anchor, cited))
        made.append(inline)
    return tuple(made)
