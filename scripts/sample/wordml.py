"""Small pieces of WordprocessingML (ECMA-376 Part 1, 17) that the sample contract is made of."""

from __future__ import annotations

from typing import cast

from docx.oxml.ns import qn
from docx.oxml.parser import OxmlElement
from docx.oxml.xmlchemy import BaseOxmlElement

SPACE = "{http://www.w3.org/XML/1998/namespace}space"


def element(tag: str, *children: BaseOxmlElement, **attributes: str) -> BaseOxmlElement:
    """Make an element, `element("w:ind", left="720")`; attributes take the tag's own prefix."""
    prefix = tag.split(":", maxsplit=1)[0]
    values = {qn(f"{prefix}:{name}"): value for name, value in attributes.items()}
    made = cast("BaseOxmlElement", OxmlElement(tag, values))
    made.extend(children)
    return made


def run(text: str, *properties: BaseOxmlElement) -> BaseOxmlElement:
    """Make a run; a tab in the text becomes `w:tab`."""
    made = element("w:r")
    if properties:
        made.append(element("w:rPr", *properties))
    for index, piece in enumerate(text.split("\t")):
        if index:
            made.append(element("w:tab"))
        if piece:
            words = element("w:t")
            words.text = piece
            words.set(SPACE, "preserve")
            made.append(words)
    return made


def field_runs(instruction: str, result: str) -> list[BaseOxmlElement]:
    """Make a complex field with its cached result (ECMA-376 Part 1, 17.16.18)."""
    code = element("w:instrText")
    code.text = f" {instruction} "
    code.set(SPACE, "preserve")
    return [
        element("w:r", element("w:fldChar", fldCharType="begin")),
        element("w:r", code),
        element("w:r", element("w:fldChar", fldCharType="separate")),
        run(result),
        element("w:r", element("w:fldChar", fldCharType="end")),
    ]


def styled(tag: str, style: str, container: str) -> BaseOxmlElement:
    """Make the properties element that names a style."""
    return element(container, element(tag, val=style))
