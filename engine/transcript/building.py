"""A new Word document that says what a tree says."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any

from redraft.engine.model import Block, Document
from redraft.engine.transcript.notes import LEAD, NAMESPACES, Count, add, new_part
from redraft.engine.transcript.numbering import Numbering
from redraft.engine.transcript.wordml import Writer


def build(document: Document, size: tuple[float, float], count: Count | None = None) -> bytes:
    """Makes a Word document of a tree's body, notes, headers and footers.

    Args:
        document: the tree.
        size: width and height of a page in points.
        count: how its notes are numbered; they stand in the order of their marks.
    """
    import docx  # half a second that a read does not need
    from docx.shared import Pt

    made: Any = docx.Document()
    numbering = Numbering()
    _add_link_style(made)
    notes = _Notes(document, count or Count())
    section = made.sections[0]
    section.page_width, section.page_height = Pt(round(size[0])), Pt(round(size[1]))
    for story in document.stories:
        if story.kind == "body":
            _fill(made.element.body, made.part, story.blocks, numbering, notes)
        elif story.kind in ("header", "footer"):
            part = section.header if story.kind == "header" else section.footer
            part.is_linked_to_previous = False
            container = part._element  # noqa: SLF001 - there is no other way
            _fill(container, part.part, story.blocks, numbering, notes)
    notes.write(made, numbering)
    _define(made.part.numbering_part.element, numbering)
    for name, value in document.properties:
        if name in ("title", "author", "subject", "keywords"):
            setattr(made.core_properties, name, value[:255])
    out = BytesIO()
    made.save(out)
    return out.getvalue()


def _add_link_style(made: Any) -> None:
    """Adds Word's own character style of links, which the template lacks."""
    from docx.enum.style import WD_STYLE_TYPE
    from docx.shared import RGBColor

    style = made.styles.add_style("Hyperlink", WD_STYLE_TYPE.CHARACTER, builtin=True)
    style.font.color.rgb = RGBColor(0x05, 0x63, 0xC1)
    style.font.underline = True


class _Notes:
    """The notes of a document, and their ids."""

    def __init__(self, document: Document, count: Count) -> None:
        self.count = count
        self.stories = [story for story in document.stories if story.kind == "footnote"]
        self.ids = {story.anchor: number for number, story in enumerate(self.stories, start=1)}

    def write(self, made: Any, numbering: Numbering) -> None:
        """Writes them into a part of their own, if there are any."""
        if not self.stories:
            return
        part = new_part(made)
        writer = self.writer(part, numbering)
        blobs: list[str] = []
        for story in self.stories:
            numbering.end()
            blobs.append(writer.note(story.blocks, "" if story.anchor in writer.own else LEAD))
        add(made, blobs, part, self.count)

    def writer(self, part: Any, numbering: Numbering) -> Writer:
        """Returns what writes blocks of a part."""
        from docx.opc.constants import RELATIONSHIP_TYPE

        def relate(url: str) -> str:
            return str(part.relate_to(url, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))

        return Writer(relate, numbering, self.ids, self.count.own)


def _fill(
    container: Any, part: Any, blocks: Sequence[Block], numbering: Numbering, notes: _Notes
) -> None:
    """Puts blocks in the place of the empty paragraph that a new part has."""
    from docx.oxml import parse_xml

    written = notes.writer(part, numbering).blocks(blocks)
    body: Any = parse_xml(f"<w:body {NAMESPACES}>{written}</w:body>")
    for element in list(container):
        if element.tag.endswith("}p"):
            container.remove(element)
    children = list(body)
    if not children or children[-1].tag.endswith("}tbl"):
        children.append(parse_xml(f"<w:p {NAMESPACES}/>"))
    for at, element in enumerate(children):
        container.insert(at, element)


def _define(element: Any, numbering: Numbering) -> None:
    """Adds definitions of lists; abstract ones stand before all others (17.9.17)."""
    from docx.oxml import parse_xml

    first = next((child for child in element if child.tag.endswith("}num")), None)
    for number, levels in enumerate(numbering.definitions, start=1001):
        abstract = parse_xml(
            f'<w:abstractNum {NAMESPACES} w:abstractNumId="{number}">'
            f'<w:multiLevelType w:val="hybridMultilevel"/>{levels}</w:abstractNum>'
        )
        if first is None:
            element.append(abstract)
        else:
            first.addprevious(abstract)
    for number in range(1001, 1001 + len(numbering.definitions)):
        element.append(
            parse_xml(
                f'<w:num {NAMESPACES} w:numId="{number}"><w:abstractNumId w:val="{number}"/>'
                "</w:num>"
            )
        )
