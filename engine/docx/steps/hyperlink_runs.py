"""Writes hyperlinks into the line of a paragraph, and takes them out of it.

ECMA-376 Part 1, 17.16.22 (hyperlink) and 17.16.5.25 (HYPERLINK). A link cannot stand in an
insertion, so that another author's insertion is split around it, both halves keeping theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lxml import etree

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.names import (
    R_ID,
    W_FLD_SIMPLE,
    W_HYPERLINK,
    W_ID,
    W_INSTR_TEXT,
    W_RPR,
    W_VAL,
    XML,
    Element,
    W,
)
from redraft.engine.docx.opc import new_parts
from redraft.engine.docx.redline.line import Box, Line, Standing, Unit
from redraft.engine.docx.redline.open_fields import Frame
from redraft.engine.docx.redline.textmap import revision_id
from redraft.engine.docx.redline.tracked_runs import write
from redraft.engine.docx.runs.fields import link_target, parse_instruction
from redraft.engine.docx.steps.named_styles import style_named
from redraft.engine.docx.steps.quote_places import entry_in
from redraft.engine.errors import RefusedError

_ANCHOR, _INSTR = W("anchor"), W("instr")
_RPR_CHANGE: Final = W("rPrChange")
_R_STYLE: Final = W("rStyle")
_LINK: Final = "HYPERLINK"
_PARTLY: Final = (
    "The text begins or ends inside another link, a content control or a computed field; quote "
    "all of it, or words on one side of its edge"
)
CARRIED: Final = "The link begins or ends in another paragraph; change it there"


def links_of(units: Sequence[Unit]) -> list[Box | Frame]:
    """Returns the links that some units stand in, each once."""
    links: dict[Box | Frame, None] = {}
    for unit in units:
        for link in _around(unit):
            links[link] = None
    return list(links)


def _around(unit: Unit) -> Iterator[Box | Frame]:
    box: Box | None = unit.box
    is_simple = False
    while box is not None:
        if box.kind == "link" and _leads(box.element):
            is_simple = is_simple or box.element.tag == W_FLD_SIMPLE
            yield box
        box = box.parent
    frame = unit.frame
    while frame is not None:
        if frame.instruction.split(None, 1)[:1] == [_LINK]:
            yield frame
        frame = frame.parent


def _leads(element: Element) -> bool:
    """Returns whether an element is a link: a legacy form field is read like one and is none."""
    if element.tag != W_FLD_SIMPLE:
        return True
    return parse_instruction(element.get(_INSTR, "")).name == _LINK


def is_whole(frame: Frame) -> bool:
    """Returns whether a field begins and ends in the paragraph."""
    return frame.is_closed and not frame.is_carried


def existing(units: Sequence[Unit]) -> Box | Frame | None:
    """Returns the one link that all units stand in.

    Raises:
        RefusedError: some of them stand in a link, others do not.
    """
    links = links_of(units)
    if not links:
        return None
    innermost = links[0]
    if len(links) > 1 or any(innermost not in _around(unit) for unit in units):
        raise RefusedError(_PARTLY)
    if isinstance(innermost, Frame) and not is_whole(innermost):
        raise RefusedError(CARRIED)
    return innermost


def check_wrapping(line: Line, units: Sequence[Unit]) -> None:
    """Whether a link can be put around units.

    Raises:
        RefusedError: they begin or end in something that cannot be divided.
    """
    first, last = _host(units[0].box), _host(units[-1].box)
    if first is not last or first.kind == "field" or first.outer is not first.element:
        is_control = first is last and first.kind == "control"
        if not is_control:
            raise RefusedError(_PARTLY)
    if any(unit.lock for unit in units):
        raise RefusedError(_PARTLY)
    order = {unit: index for index, unit in enumerate(line.units)}
    inside = line.units[order[units[0]] : order[units[-1]] + 1]
    frames = {unit.frame for unit in inside if unit.frame is not None}
    outer = {unit.frame for unit in line.units if unit not in set(inside)}
    if any(frame in outer and frame is not units[0].frame for frame in frames):
        raise RefusedError(_PARTLY)


def _host(box: Box) -> Box:
    """Returns the box in which a link around text of a box stands: not in another's insertion."""
    while box.kind == "foreign" and box.parent is not None:
        box = box.parent
    return box


def plumbing(line: Line, frame: Frame) -> list[Unit]:
    """Returns the units of a field that are no part of its result."""
    return [u for u in line.units if u.frame is frame and not u.text and u.lock == "field"]


class Linker:
    """Changes the links of one paragraph."""

    def __init__(self, desk: Desk, place: Place, line: Line, units: Sequence[Unit]) -> None:
        self._desk = desk
        self._part = place.part
        self._line = line
        self._units = units
        self._style = style_named(desk.package, "hyperlink", "character")
        self._seen = style_named(desk.package, "followedhyperlink", "character")

    def link(self, url: str) -> bool:
        """Lets the text lead to an address; whether anything differs now."""
        current = existing(self._units)
        if isinstance(current, Frame):
            return self._instruct(current, url)
        if current is None:
            return self._wrap(url)
        if current.element.tag == W_FLD_SIMPLE:
            return self._set(
                current.element, _INSTR, _instruction(url, current.element.get(_INSTR, ""))
            )
        return self._aim(current.element, url)

    def leads_to(self, url: str) -> bool:
        """Returns whether the text is linked to an address already."""
        current = existing(self._units)
        if isinstance(current, Frame):
            return link_target(parse_instruction(current.instruction)) == url
        if current is None:
            return False
        element = current.element
        if element.tag == W_FLD_SIMPLE:
            return link_target(parse_instruction(element.get(_INSTR, ""))) == url
        relation = self._desk.package.relationships(self._part).get(element.get(R_ID, ""))
        anchor = element.get(_ANCHOR)
        target = "" if relation is None else relation.target
        return (f"{target}#{anchor}" if anchor else target) == url

    def unlink(self) -> bool:
        """Takes away the links that the text stands in."""
        for link in links_of(self._units):
            if isinstance(link, Box):
                self._unwrap(link)
            else:
                for unit in plumbing(self._line, link):
                    unit.box.entries.remove(unit)
                    unit.box.is_dirty = True
                    self._line.units.remove(unit)
                self._unstyle([u for u in self._line.units if u.frame is link])
        write(self._line, self._desk.ids)
        return True

    def _set(self, element: Element, name: str, value: str) -> bool:
        if element.get(name) == value:
            return False
        element.set(name, value)
        return True

    def _aim(self, element: Element, url: str) -> bool:
        """Lets a `w:hyperlink` lead elsewhere; the element stays."""
        if url.startswith("#"):
            element.attrib.pop(R_ID, "")
            element.set(_ANCHOR, url[1:])
        else:
            element.attrib.pop(_ANCHOR, "")
            element.set(R_ID, self._relation(url))
        return True

    def _relation(self, url: str) -> str:
        package = self._desk.package
        for identifier, relation in package.relationships(self._part).items():
            if relation.external and relation.kind == "hyperlink" and relation.target == url:
                return identifier
        return new_parts.relate(package, self._part, "hyperlink", url, is_external=True)

    def _instruct(self, frame: Frame, url: str) -> bool:
        """Gives a HYPERLINK field another instruction, in its first instruction text."""
        nodes = [
            unit.node
            for unit in self._line.units
            if unit.frame is frame and unit.node.tag == W_INSTR_TEXT
        ]
        wanted = _instruction(url, frame.instruction)
        if not nodes or frame.instruction == wanted:
            return False
        for node in nodes:
            node.text = ""
        nodes[0].text = wanted
        nodes[0].set(XML("space"), "preserve")
        return True

    def _wrap(self, url: str) -> bool:
        """Puts a new link around the units."""
        first, last = self._units[0], self._units[-1]
        check_wrapping(self._line, self._units)
        host = _host(first.box)
        self._divide(host, first, before=True)
        self._divide(host, last, before=False)
        start, end = entry_in(host, first), entry_in(host, last)
        assert start is not None  # both stand in their host
        assert end is not None
        low, high = host.entries.index(start), host.entries.index(end) + 1
        element = etree.Element(W_HYPERLINK)
        self._aim(element, url)
        element.set(W("history"), "1")
        link = Box(element, "link", host, element, host.entries[low:high], is_dirty=True)
        _adopt(link)
        host.entries[low:high] = [link]
        host.is_dirty = True
        self._line.boxes.insert(self._line.boxes.index(host) + 1, link)
        if self._style is not None:
            self._restyle(link)
        write(self._line, self._desk.ids)
        return True

    def _divide(self, host: Box, unit: Unit, *, before: bool) -> None:
        """Splits others' insertions at one side of a unit: a link cannot stand in them."""
        box = unit.box
        if box is host:
            return
        if box.parent is not host:
            raise RefusedError(_PARTLY)
        at = box.entries.index(unit) + (0 if before else 1)
        if at in (0, len(box.entries)):
            return
        half = etree.Element(box.element.tag)
        for name, value in box.element.items():
            half.set(name, value)
        half.set(W_ID, str(self._desk.ids.fresh()))
        rest = Box(half, box.kind, host, half, box.entries[at:], is_dirty=True)
        del box.entries[at:]
        box.is_dirty = True
        _adopt(rest)
        host.entries.insert(host.entries.index(box) + 1, rest)
        host.is_dirty = True
        self._line.boxes.insert(self._line.boxes.index(box) + 1, rest)

    def _restyle(self, box: Box) -> None:
        """Gives the runs of a link the style of links, where they have no style of their own."""
        runs: dict[Element, Element] = {}
        inside = {unit for unit in _all_units(box) if unit.standing is not Standing.STRUCK}
        divided = {unit.run for unit in self._line.units if unit not in inside}
        for unit in [other for other in _all_units(box) if other in inside]:
            run = unit.run
            if run is None:
                continue
            if run not in runs:
                runs[run] = _styled(run, self._style or "")
                if run in divided:
                    self._renumber(runs[run])
            unit.run = runs[run]
            unit.box.is_dirty = True

    def _renumber(self, run: Element) -> None:
        """Gives the tracked formats of a run that was divided ids of their own."""
        ids = self._desk.ids
        for change in run.iterfind(f"{W_RPR}/{_RPR_CHANGE}"):
            edit = ids.ours.get(revision_id(change))
            change.set(W_ID, str(ids.fresh() if edit is None else ids.ours_for(edit)))

    def _unwrap(self, box: Box) -> None:
        parent = box.parent
        assert parent is not None  # the paragraph is no link
        at = parent.entries.index(box)
        units = list(_all_units(box))
        for entry in box.entries:
            if isinstance(entry, Unit):
                entry.box = parent
            elif isinstance(entry, Box):
                entry.parent = parent
        parent.entries[at : at + 1] = box.entries
        parent.is_dirty = True
        self._line.boxes.remove(box)
        self._unstyle(units)

    def _unstyle(self, units: Sequence[Unit]) -> None:
        """Takes the style of links off runs; in place, since all of each run stood in the link."""
        for run in dict.fromkeys(unit.run for unit in units if unit.run is not None):
            properties = run.find(W_RPR)
            style = None if properties is None else properties.find(_R_STYLE)
            if properties is None or style is None:
                continue
            if style.get(W_VAL) in (self._style, self._seen):
                properties.remove(style)
                if not len(properties):
                    run.remove(properties)


def _adopt(box: Box) -> None:
    """Lets what a new box holds know it."""
    for entry in box.entries:
        if isinstance(entry, Unit):
            entry.box = box
        elif isinstance(entry, Box):
            entry.parent = box


def _all_units(box: Box) -> Iterator[Unit]:
    for entry in box.entries:
        if isinstance(entry, Unit):
            yield entry
        elif isinstance(entry, Box):
            yield from _all_units(entry)


def _styled(run: Element, style: str) -> Element:
    """Returns an empty run like another, in a character style unless it has one."""
    copy = etree.Element(run.tag)
    for name, value in run.items():
        copy.set(name, value)
    properties = run.find(W_RPR)
    own = etree.Element(W_RPR) if properties is None else _copied(properties)
    if own.find(_R_STYLE) is None:
        own.insert(0, etree.Element(_R_STYLE, {W_VAL: style}))
    copy.append(own)
    return copy


def _copied(properties: Element) -> Element:
    copy = etree.fromstring(etree.tostring(properties, with_tail=False))
    assert copy.tag == W_RPR
    return copy


def _instruction(url: str, before: str) -> str:
    r"""Returns a HYPERLINK instruction that leads to an address and keeps its other switches."""
    switches = [
        f' \\{name} "{value}"' if value else f" \\{name}"
        for name, value in parse_instruction(before).switches
        if name not in ("l", "m", "n", "h", "s")
    ]
    quoted_url = url.replace("\\", "\\\\").replace('"', "%22")
    target = f'\\l "{quoted_url[1:]}"' if url.startswith("#") else f'"{quoted_url}"'
    return f" {_LINK} {target}{''.join(switches)} "
