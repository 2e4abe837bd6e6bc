"""Pictures of a document, numbered as the file holds them: an id means one picture in every view.

[x] DrawingML pictures, embedded or linked  [x] VML pictures, previews of embedded objects  [x]
charts and diagrams by their alt text, else their data  [x] links of pictures
[-] shapes without a picture (their text is a text box)  [-] nothing is ever fetched
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping

from redraft.engine.docx.anchors import StoryPlace, branch
from redraft.engine.docx.names import (
    DGM,
    MC_ALTERNATE,
    PIC,
    R_ID,
    TEXT_BOXES,
    WP,
    A,
    C,
    Element,
    O,
    R,
    V,
    W,
)
from redraft.engine.docx.opc.package import Package, Relationship
from redraft.engine.docx.reading.drawn_data import described
from redraft.engine.model import Image, ImageNote, Notice

_KINDS = frozenset({"image", "chart", "diagramData", "oleObject"})


class Images:
    """The pictures of all stories, by the element that shows each."""

    __slots__ = ("_by_element", "_ids", "_parts", "notices")

    def __init__(self, package: Package, stories: Iterable[StoryPlace]) -> None:
        self._by_element: dict[Element, Image] = {}
        self._ids: dict[tuple[str, str], str] = {}
        self._parts: dict[Element, str] = {}
        self.notices: list[Notice] = []
        scanned: set[Element] = set()
        for story in stories:
            relations = package.relationships(story.part)
            if any(relation.kind in _KINDS for relation in relations.values()):
                for node in story.container.iter(*_SHOWING):
                    if node not in scanned and _is_read(node):
                        scanned.add(node)
                        self._add(package, story.part, node)

    def shown_by(self, drawing: Element) -> list[Image]:
        """The pictures in a `w:drawing`, `w:pict` or `w:object`, but those of its text boxes."""
        if not self._by_element:
            return []
        images = (
            self._by_element.get(node)
            for node in drawing.iter(*_SHOWING)
            if not _in_box(node, drawing)
        )
        return [image for image in images if image is not None]

    def showing(self, identifier: str) -> list[Element]:
        """The elements that show a picture."""
        return [node for node, image in self._by_element.items() if image.id == identifier]

    def identifiers(self) -> list[str]:
        """The ids of all pictures, in the order in which they are met."""
        return list(dict.fromkeys(image.id for image in self._by_element.values()))

    def undescribed(self) -> Iterator[tuple[str, str, str]]:
        """Yields the embedded pictures that nothing is said of: id, name, and part of the file."""
        seen: set[str] = set()
        for node, image in self._by_element.items():
            part = self._parts.get(node)
            if part is not None and image.id not in seen:
                seen.add(image.id)
                yield image.id, image.name, part

    def notes(self) -> tuple[ImageNote, ...]:
        """What a caller is told of each picture: the name the Markdown uses, and its alt text."""
        told: dict[str, str] = {}
        for image in self._by_element.values():
            name = image.name or image.id
            told[name] = told.get(name) or image.alt
        return tuple(ImageNote(name, alt) for name, alt in told.items())

    def _add(self, package: Package, part: str, node: Element) -> None:
        relation = package.relationships(part).get(_relation_id(node))
        name = _name(package, relation)
        description, fallback = _alt_text(node)
        if not description and node.tag in _DATA_DRAWN and relation is not None:
            description = described(package, relation.target)
        alt = description or fallback
        if relation is None or (not relation.external and not package.has(relation.target)):
            self.notices.append(
                Notice("missing-image", f"The picture “{alt or name}” is not in the file", part)
            )
        if not description and relation is not None and not relation.external:
            self._parts[node] = relation.target
        key = (name, alt)
        identifier = self._ids.setdefault(key, f"im{len(self._ids) + 1}")
        target = _target(node, package.relationships(part))
        self._by_element[node] = Image(identifier, alt, name, target)


def _name(package: Package, relation: Relationship | None) -> str:
    """A picture's name as Markdown writes it: relative to the main part, or the URL it is at."""
    if relation is None:
        return ""
    if relation.external:
        return relation.target
    folder = posixpath.dirname(package.main)
    return relation.target.removeprefix(f"{folder}/") if folder else relation.target


def _relation_id(node: Element) -> str:
    for attribute in (_EMBED, _LINK, R_ID, _DATA_MODEL, _O_RELID):
        relation_id = node.get(attribute)
        if relation_id:
            return relation_id
    return ""


def _alt_text(node: Element) -> tuple[str, str]:
    """Description, else title, of the picture or its drawing, in one line; and its name."""
    descriptions: list[str | None] = [node.get(_O_TITLE)]
    names: list[str | None] = []
    for element in _properties_around(node):
        if element.tag in _VML_SHAPES:
            descriptions += [element.get("alt"), element.get("title")]
        else:
            descriptions += [element.get("descr"), element.get("title")]
            names.insert(0, element.get("name"))
    first, name = (
        " ".join(next((text for text in texts if text and text.strip()), "").split())
        for texts in (descriptions, names)
    )
    return first, name


def _target(node: Element, relations: Mapping[str, Relationship]) -> str:
    """Where a click on a picture leads (ECMA-376 Part 1, 20.1.2.2.23, hlinkClick; VML: href)."""
    for element in _properties_around(node):
        click = element.find(_CLICK)
        relation = None if click is None else relations.get(click.get(R_ID, ""))
        target = element.get("href", "") if relation is None else relation.target
        if target:
            return target
    return ""


def _properties_around(node: Element) -> Iterator[Element]:
    """The elements that say something of a picture, the innermost first."""
    for ancestor in node.iterancestors():
        tag = ancestor.tag
        properties = None
        if tag == _PIC:
            properties = ancestor.find(_PIC_PROPERTIES)
        elif tag in _ANCHORED:
            properties = ancestor.find(_DRAWING_PROPERTIES)
        elif tag in _VML_SHAPES:
            properties = ancestor
        if properties is not None:
            yield properties
        if tag in _ANCHORED or tag in _HOSTS:
            return


def _is_read(node: Element) -> bool:
    """Whether a picture stands in the branch that is read of every alternate content around it."""
    child = node
    for ancestor in node.iterancestors():
        if ancestor.tag == MC_ALTERNATE and branch(ancestor) is not child:
            return False
        child = ancestor
    return True


def _in_box(node: Element, drawing: Element) -> bool:
    for ancestor in node.iterancestors():
        if ancestor is drawing:
            return False
        if ancestor.tag in TEXT_BOXES:
            return True
    return False


_DATA_DRAWN = frozenset({C("chart"), DGM("relIds")})
_SHOWING = (A("blip"), V("imagedata"), C("chart"), DGM("relIds"))
_EMBED, _LINK, _DATA_MODEL = R("embed"), R("link"), R("dm")
_O_RELID, _O_TITLE = O("relid"), O("title")
_PIC, _PIC_PROPERTIES = PIC("pic"), f"{PIC('nvPicPr')}/{PIC('cNvPr')}"
_ANCHORED, _DRAWING_PROPERTIES = frozenset({WP("inline"), WP("anchor")}), WP("docPr")
_CLICK = A("hlinkClick")
_VML_SHAPES = frozenset({V("shape"), V("rect"), V("group"), V("roundrect"), V("oval")})
_HOSTS = frozenset({W("drawing"), W("pict"), W("object")})
