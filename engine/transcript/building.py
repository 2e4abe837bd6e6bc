"""A new Word document that says what a tree says."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any

from engine.model import Block, Document
from engine.transcript.numbering import Numbering
from engine.transcript.wordml import Writer

_NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)


def build(document: Document, size: tuple[float, float]) -> bytes:
    """Make a Word document of a tree's body, headers and footers.

    Args:
        document: the tree.
        size: width and height of a page in points.
    """
    import docx  # half a second that a read does not need
    from docx.shared import Pt

    made: Any = docx.Document()
    numbering = Numbering()
    _add_link_style(made)
    section = made.sections[0]
    section.page_width, section.page_height = Pt(round(size[0])), Pt(round(size[1]))
    for story in document.stories:
        if story.kind == "body":
            _fill(made.element.body, made.part, story.blocks, numbering)
        elif story.kind in ("header", "footer"):
            part = section.header if story.kind == "header" else section.footer
            part.is_linked_to_previous = False
            _fill(part._element, part.part, story.blocks, numbering)  # noqa: SLF001 - no other way
    _define(made.part.numbering_part.element, numbering)
    for name, value in document.properties:
        if name in ("title", "author", "subject", "keywords"):
            setattr(made.core_properties, name, value[:255])
    out = BytesIO()
    made.save(out)
    return out.getvalue()


def _add_link_style(made: Any) -> None:
    """Add Word's own character style of links, which the template lacks."""
    from docx.enum.style import WD_STYLE_TYPE
    from docx.shared import RGBColor

    style = made.styles.add_style("Hyperlink", WD_STYLE_TYPE.CHARACTER, builtin=True)
    style.font.color.rgb = RGBColor(0x05, 0x63, 0xC1)
    style.font.underline = True


def _fill(container: Any, part: Any, blocks: Sequence[Block], numbering: Numbering) -> None:
    """Put blocks in the place of the empty paragraph that a new part has."""
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.oxml import parse_xml

    def relate(url: str) -> str:
        return str(part.relate_to(url, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))

    written = Writer(relate, numbering).blocks(blocks)
    held: Any = parse_xml(f"<w:body {_NAMESPACES}>{written}</w:body>")
    for each in list(container):
        if each.tag.endswith("}p"):
            container.remove(each)
    children = list(held)
    if not children or children[-1].tag.endswith("}tbl"):
        children.append(parse_xml(f"<w:p {_NAMESPACES}/>"))
    for at, each in enumerate(children):
        container.insert(at, each)


def _define(element: Any, numbering: Numbering) -> None:
    """Add definitions of lists; abstract ones stand before all others (17.9.17)."""
    from docx.oxml import parse_xml

    first = next((each for each in element if each.tag.endswith("}num")), None)
    for number, levels in enumerate(numbering.definitions, start=1001):
        abstract = parse_xml(
            f'<w:abstractNum {_NAMESPACES} w:abstractNumId="{number}">'
            f'<w:multiLevelType w:val="hybridMultilevel"/>{levels}</w:abstractNum>'
        )
        if first is None:
            element.append(abstract)
        else:
            first.addprevious(abstract)
    for number in range(1001, 1001 + len(numbering.definitions)):
        element.append(
            parse_xml(
                f'<w:num {_NAMESPACES} w:numId="{number}"><w:abstractNumId w:val="{number}"/>'
                "</w:num>"
            )
        )
