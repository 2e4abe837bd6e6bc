"""Pictures: their alternative texts, which Word does not track, and their tracked deletion.

An id of the view (`im1`) is every place that shows one picture with one description.

[x] DrawingML, charts, diagrams  [x] VML  [x] both forms of alternate content
[-] one picture of a group (refused)  [-] shapes whose text box says something (refused)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.alternate_copies import refuse_twin
from redraft.engine.docx.editing.anchored_elements import Finder, OperationError, unable
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.step import Blind, Reach
from redraft.engine.docx.judging.fingerprint import story_parts
from redraft.engine.docx.judging.validity import counts
from redraft.engine.docx.names import (
    MC_ALTERNATE,
    MC_FALLBACK,
    PIC,
    TEXT_BOXES,
    W_DEL,
    W_MOVE_FROM,
    W_T,
    WP,
    Element,
    O,
    V,
    W,
)
from redraft.engine.docx.reading.images import Images
from redraft.engine.docx.redline.line import Line, Standing, Unit
from redraft.engine.docx.redline.tracked_runs import write
from redraft.engine.docx.redline.tracked_text import strike
from redraft.engine.docx.redline.whole_fields import whole_fields
from redraft.engine.docx.steps.quote_places import place_around
from redraft.engine.errors import RefusedError
from redraft.engine.plan import DeleteImage, SetAltText

_HOSTS: Final = (W("drawing"), W("pict"), W("object"))
_GONE: Final = (W_DEL, W_MOVE_FROM)
_ANCHORED: Final = frozenset({WP("inline"), WP("anchor")})
_SHAPES: Final = frozenset(map(V, ("shape", "rect", "group", "roundrect", "oval")))
_PICTURE, _PICTURE_PROPERTIES = PIC("pic"), f"{PIC('nvPicPr')}/{PIC('cNvPr')}"
_DRAWING_PROPERTIES: Final = WP("docPr")
_UNTRACKED: Final = "Word does not track alternative texts: this change cannot be rejected"
_GROUPED: Final = "The picture is one of a group of shapes; delete the group in Word"
_SAYING: Final = (
    "The picture belongs to a shape with a text box; delete its words, or the whole paragraph"
)


@dataclass(frozen=True, slots=True)
class AltTextStep:
    """A picture, wherever it is shown, that gets an alternative text."""

    places: tuple[Place, ...]
    nodes: tuple[tuple[Place, Element], ...]
    text: str
    reach: Reach
    blind: frozenset[Blind] = frozenset({"alt_text"})
    warnings: tuple[str, ...] = (_UNTRACKED,)

    def write(self, desk: Desk) -> bool:
        """Describes the picture in every form in which it is stored."""
        done = False
        for place, node in self.nodes:
            for described in _described(node):
                if _describe(described, self.text):
                    desk.note_place(place)
                    done = True
        return done


@dataclass(frozen=True, slots=True)
class DeletionStep:
    """Pictures to be struck, by the paragraphs that they stand in."""

    places: tuple[Place, ...]
    hosts: tuple[tuple[Place, Element], ...]
    reach: Reach
    warnings: tuple[str, ...] = ()
    blind: frozenset[Blind] = frozenset()

    def write(self, desk: Desk) -> bool:
        """Strikes the runs that show it.

        Raises:
            RefusedError: it stands in a locked control or a computed field.
        """
        for place, host in self.hosts:
            line = desk.line(place)
            unit = _unit(line, host)
            if unit is None:
                raise RefusedError(_GROUPED)
            desk.note_place(place)
            strike(line, [unit], desk.stamp)
            write(line, desk.ids)
        return True


def alt_text(finder: Finder, operation: SetAltText) -> AltTextStep:
    """Returns what a new alternative text means here.

    Raises:
        OperationError: there is no such picture, or the text cannot be stored.
    """
    text = " ".join(operation.text.split())
    if not text.isprintable():
        raise unable("bad_value", "The text holds a control character")
    nodes = _shown(finder, operation.target)
    places = tuple(place for place, _ in nodes)
    return AltTextStep(places, nodes, text, Reach())


def deletion(finder: Finder, operation: DeleteImage) -> DeletionStep:
    """Returns what the deletion of a picture means here.

    Raises:
        OperationError: there is no such picture, or it cannot be deleted on its own.
    """
    shown = _shown(finder, operation.target)
    # A picture that was moved is still shown where it was.
    nodes = [
        image for image in shown if next(image[1].iterancestors(*_GONE), None) is None
    ] or shown
    hosts: dict[Element, Place] = {}
    units: dict[Element, list[Unit]] = {}
    for place, node in nodes:
        line = finder.survey.line(place)
        host = _host(node)
        unit = _unit(line, host)
        if unit is None:
            raise OperationError("read_only", RefusedError(f"{operation.target}: {_DELETED}"))
        _check(place, unit)
        hosts[host] = place
        if next(unit.node.iterancestors(*_GONE), None) is not None:
            raise OperationError("read_only", RefusedError(f"{operation.target}: {_DELETED}"))
        units.setdefault(place.element, []).append(unit)
    lines = {place.element: finder.survey.line(place) for place, _ in nodes}
    lost = {element: _lost(lines[element], image_units) for element, image_units in units.items()}
    reach = Reach(
        counts=lost,
        gone=frozenset(box for host in hosts for box in _boxes(host)),
    )
    places = tuple(hosts.values())
    several = f"The picture {operation.target} is shown {len(hosts)} times; all were deleted"
    warnings = (several,) if len(hosts) > 1 else ()
    return DeletionStep(places, tuple((p, h) for h, p in hosts.items()), reach, warnings)


def _lost(line: Line, units: Sequence[Unit]) -> dict[str, int]:
    """Returns what goes at once with pictures of a paragraph.

    Those of ours, and the fields around them.

    Raises:
        OperationError: they stand in a locked control or in part of a computed field.
    """
    try:
        struck = whole_fields(line, units, is_replaced=False)
    except RefusedError as error:
        raise OperationError("read_only", error) from error
    objects = counts(unit.node for unit in struck if unit.standing is Standing.WRITTEN)
    return {name: -number for name, number in objects.items()}


_DELETED: Final = "the picture is deleted already, or stands where it cannot be deleted"


def _shown(finder: Finder, image: str) -> tuple[tuple[Place, Element], ...]:
    """Returns where a picture is shown: the elements, and the paragraphs that hold them.

    Raises:
        OperationError: nowhere.
    """
    images = Images(finder.survey.package, finder.stories)
    nodes = images.showing(image.strip().strip("\u27e6\u27e7"))
    if not nodes:
        known = ", ".join(images.identifiers()) or "none"
        raise unable("unknown_block", f"There is no picture {image}; the document has {known}")
    parts = {
        node: part
        for part in story_parts(finder.survey.package)
        for node in nodes
        if node.getroottree().getroot() is finder.survey.package.tree(part)
    }
    places: list[tuple[Place, Element]] = []
    for node in nodes:
        place = place_around(finder, parts.get(node, ""), node, image)
        if place is None:
            raise unable("read_only", f"The picture {image} stands outside the text")
        places.append((place, node))
    return tuple(places)


def _host(node: Element) -> Element:
    """Returns the drawing, VML picture or object that shows a picture."""
    return next(node.iterancestors(*_HOSTS), node)


def _unit(line: Line, host: Element) -> Unit | None:
    """Returns the piece of a line that holds a drawing."""
    around = {host, *host.iterancestors(MC_ALTERNATE)}
    return next(
        (unit for unit in line.units if unit.node in around and unit.standing != _STRUCK), None
    )


_STRUCK: Final = 1


def _boxes(host: Element) -> Iterable[Element]:
    return host.iter(*TEXT_BOXES)


def _check(place: Place, unit: Unit) -> None:
    """Whether a drawing can go on its own.

    Raises:
        OperationError: it holds text or other pictures, or is stored twice.
    """
    try:
        refuse_twin(place)
    except RefusedError as error:
        raise OperationError("read_only", error) from error
    if any((text.text or "").strip() for box in _boxes(unit.node) for text in box.iter(W_T)):
        raise OperationError("read_only", RefusedError(_SAYING))
    shown = next(iter(unit.node), unit.node) if unit.node.tag == MC_ALTERNATE else unit.node
    if len(list(shown.iter(_PICTURE))) > 1:
        raise OperationError("read_only", RefusedError(_GROUPED))


def _described(node: Element) -> list[Element]:
    """Returns the elements that carry the description of a picture, in all forms of it."""
    elements = [*_own(node)]
    alternate = next(node.iterancestors(MC_ALTERNATE), None)
    other = None if alternate is None else alternate.find(MC_FALLBACK)
    if other is not None and next(node.iterancestors(MC_FALLBACK), None) is None:
        for image in other.iter(V("imagedata")):
            elements += _own(image)
    return elements


def _own(node: Element) -> list[Element]:
    """Returns what describes a picture where it stands.

    The drawing, or itself when it is one of several.

    A description of the picture in the drawing would hide that of the drawing from readers that
    look for it first, so that both are written where both are there.
    """
    elements: list[Element] = [node] if node.get(O("title")) is not None else []
    for ancestor in node.iterancestors():
        tag = ancestor.tag
        if tag == _PICTURE:
            properties = ancestor.find(_PICTURE_PROPERTIES)
            if properties is not None and _is_described(ancestor, properties):
                elements.append(properties)
                if _is_one_of_several(ancestor):
                    return elements
        elif tag in _ANCHORED:
            properties = ancestor.find(_DRAWING_PROPERTIES)
            return elements if properties is None else [*elements, properties]
        elif tag in _SHAPES:
            return [*elements, ancestor]
        elif tag in _HOSTS:
            return elements
    return elements


def _is_described(picture: Element, properties: Element) -> bool:
    return _is_one_of_several(picture) or bool(properties.get("descr") or properties.get("title"))


def _is_one_of_several(picture: Element) -> bool:
    return len(list(_host(picture).iter(_PICTURE))) > 1


def _describe(element: Element, text: str) -> bool:
    """Gives an element a description; whether it had another one."""
    name = "descr" if element.tag in (_DRAWING_PROPERTIES, PIC("cNvPr")) else "alt"
    if element.tag == V("imagedata"):
        name = O("title")
    if element.get(name, "") == text:
        return False
    if text:
        element.set(name, text)
    else:
        for attribute in (name, "title"):
            element.attrib.pop(attribute, "")
    return True
