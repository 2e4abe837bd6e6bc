"""Data that content controls show: what is stored apart changes along with their words.

ECMA-376 Part 1, 17.5.2.6 (dataBinding), 22.5.2 (custom XML data). Word writes the data over the
words when it opens a document, so that words alone would be lost. The data are not tracked.

[x] custom XML parts by the id of their store  [x] core and extended properties  [x] dates, lists
and check boxes in the form in which they are stored
[-] rich text and repeated sections (`w15:dataBinding`: their data hold whole documents; refused)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from lxml import etree

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.step import Blind, Reach
from redraft.engine.docx.judging.fingerprint import story_parts
from redraft.engine.docx.names import (
    STRICT,
    W14,
    W_P,
    W_SDT,
    W_SDT_CONTENT,
    W_SDT_PR,
    W_VAL,
    Element,
    W,
)
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.redline.line import Box, Line
from redraft.engine.errors import CorruptDocumentError

# Stores that every document has, by the relationship of the package that names them.
_STORES: Final = {
    "{6c3c8bc8-f283-45ae-878a-bab7291924a1}": "core-properties",
    "{6668398d-a668-4e3e-a5eb-62b293d839f1}": "extended-properties",
}
_PREFIX: Final = re.compile(r"xmlns:([\w.-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_LAST: Final = re.compile(r"/(?:([\w.-]+):)?[\w.-]+(?:\[1\])?/(?:([\w.-]+):)?([\w.-]+)(?:\[1\])?")
_LONGEST: Final = 1000
_BINDING: Final = W("dataBinding")
_TYPED: Final = frozenset({W("date"), W("dropDownList"), W("comboBox"), W14("checkbox")})
CHANGED: Final = (
    "The content control shows data that the document stores apart. They were changed along with "
    "its words, and Word does not track that: rejecting the change brings the words back, and Word "
    "shows the new data again"
)
UNBOUND: Final = (
    "The content control should show data that the document does not hold; only its words were "
    "changed"
)
BOUND: Final = (
    "The content control shows data that the document stores apart in a form that cannot be "
    "changed along with its words, and Word would write them over it; change the control in Word"
)
OTHERS: Final = (
    "Other content controls show the same data; Word writes the new value into them when it opens "
    "the document"
)


@dataclass(frozen=True, slots=True)
class Data:
    """Where the data of a control are stored.

    `node` is an element, or an attribute by the element that has it; None: there is none yet, and
    an element `tag` is to be made at the root.
    """

    part: str
    node: Element | None
    attribute: str = ""
    tag: str = ""

    def value(self) -> str:
        """Returns what is stored."""
        if self.node is None:
            return ""
        return (self.node.get(self.attribute) if self.attribute else self.node.text) or ""

    def store(self, package: Package, value: str) -> bool:
        """Stores another value; whether it is another one."""
        if self.value() == value:
            return False
        node = self.node
        if node is None:
            node = etree.SubElement(package.tree(self.part), self.tag)
        if self.attribute:
            node.set(self.attribute, value)
        else:
            node.text = value
        package.replace(self.part, package.serialize(self.part))
        return True


@dataclass(frozen=True, slots=True)
class BindingStep:
    """The data of a control that get the value it shows.

    `value` None: the words that stand in the control when all words are written.
    """

    place: Place
    control: Element
    value: str | None = None
    warnings: tuple[str, ...] = (CHANGED,)
    reach: Reach = field(default_factory=Reach)
    blind: frozenset[Blind] = frozenset()

    @property
    def places(self) -> tuple[Place, ...]:
        """The paragraph of the control."""
        return (self.place,)

    def write(self, desk: Desk) -> bool:
        """Stores the value."""
        data = data_of(desk.package, self.control)
        if data is None:
            return False
        value = words(desk.line(self.place), self.control) if self.value is None else self.value
        return data.store(desk.package, value)


def is_bound(control: Element) -> bool:
    """Returns whether a control says that it shows data."""
    return any(_local(child) == "dataBinding" for child in _properties(control))


def is_typed(control: Element) -> bool:
    """Returns whether a control stores something else than its words."""
    return any(child.tag in _TYPED for child in _properties(control))


def can_follow(package: Package, control: Element) -> bool:
    """Returns whether data of a bound control can be changed, or are not there at all."""
    binding = _binding(control)
    if binding is None:
        return False
    part = _part(package, binding.get(W("storeItemID"), ""))
    is_found = part is not None and bool(_nodes(package, part, binding))
    return not is_found or data_of(package, control) is not None


def binding_steps(
    package: Package, place: Place, control: Element, value: str | None
) -> Iterator[BindingStep]:
    """Yields what changes beside the words of a bound control, once it `can_follow`."""
    data = data_of(package, control)
    if data is None:
        yield BindingStep(place, control, value, (UNBOUND,))
        return
    shared = any(
        other is not control and data_of(package, other) == data
        for part in story_parts(package)
        for other in package.tree(part).iter(W_SDT)
        if is_bound(other)
    )
    yield BindingStep(place, control, value, (CHANGED, OTHERS) if shared else (CHANGED,))


def data_of(package: Package, control: Element) -> Data | None:
    """Returns the data that a control shows.

    None where they cannot be found or hold more than text.
    """
    binding = _binding(control)
    part = None if binding is None else _part(package, binding.get(W("storeItemID"), ""))
    if binding is None or part is None:
        return None
    nodes = _nodes(package, part, binding)
    if not nodes:
        return _missing(package, part, binding)
    node, attribute = nodes[0]
    return Data(part, node, attribute) if attribute or not len(node) else None


def words(line: Line, control: Element) -> str:
    """Returns the words of a control in a paragraph, or of the paragraph that it stands around."""
    box = next((box for box in line.boxes if box.outer is control), None)
    if box is None:
        return line.text
    inside = set[Box]()
    for inner in line.boxes:
        if inner is box or inner.parent in inside:
            inside.add(inner)
    return "".join(unit.text for unit in line.units if unit.is_visible and unit.box in inside)


def around(place: Place) -> Element | None:
    """Returns the bound control around a paragraph, of which this is the only one."""
    for holder in place.element.iterancestors(W_SDT_CONTENT, W_P):
        control = holder.getparent()
        if holder.tag == W_P or control is None:
            return None
        if is_bound(control):
            return control
    return None


def is_alone(place: Place, control: Element) -> bool:
    """Returns whether a control around paragraphs has this one only."""
    return list(control.iter(W_P)) == [place.element]


def stored(package: Package, control: Element, value: str, text: str) -> str:
    """Returns a date or state in the form in which it is stored (17.5.2.36, storeMappedDataAs)."""
    for child in _properties(control):
        if child.tag == W14("checkbox"):
            data = data_of(package, control)
            former = "" if data is None else data.value()
            return {"true": "1", "false": "0"}[value] if former in ("0", "1") else value
        if child.tag == W("date"):
            form_element = child.find(W("storeMappedDataAs"))
            form = "dateTime" if form_element is None else form_element.get(W_VAL, "dateTime")
            return {"text": text, "date": value[:10]}.get(form, value)
    return value


def _local(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _properties(control: Element) -> Element | tuple[()]:
    properties = control.find(W_SDT_PR)
    return () if properties is None else properties


def _binding(control: Element) -> Element | None:
    return control.find(f"{W_SDT_PR}/{_BINDING}")


def _part(package: Package, store: str) -> str | None:
    """Returns the part of a store.

    Without an id the first whose data fit would do, and none is taken.
    """
    wanted = store.casefold()
    if wanted in _STORES:
        return next(iter(package.related("", _STORES[wanted])), None)
    for item in package.related(package.main, "customXml") if wanted else ():
        for properties in package.related(item, "customXmlProps"):
            for name, value in package.tree(properties).items():
                if str(name).rpartition("}")[2] == "itemID" and str(value).casefold() == wanted:
                    return item
    return None


def _namespaces(binding: Element) -> dict[str, str]:
    namespaces: dict[str, str] = {}
    for declaration in _PREFIX.finditer(binding.get(W("prefixMappings"), "")):
        uri = str(declaration[2] or declaration[3] or "")
        namespaces[str(declaration[1])] = STRICT.get(uri, uri)
    return namespaces


def _nodes(package: Package, part: str, binding: Element) -> list[tuple[Element, str]]:
    """Returns what the path of a binding leads to; nothing for a path that cannot be followed.

    Returns:
        Elements, each with the name of an attribute of it or an empty name.
    """
    path = binding.get(W("xpath"), "")
    if not path or len(path) > _LONGEST:
        return []
    try:
        matches = etree.XPath(path, namespaces=_namespaces(binding), regexp=False)(
            package.tree(part)
        )
    except (etree.XPathError, CorruptDocumentError, TypeError, ValueError):
        return []
    nodes: list[tuple[Element, str]] = []
    for match in matches if isinstance(matches, list) else ():
        if isinstance(match, str):
            holder = getattr(match, "getparent", lambda: None)()
            if holder is not None:
                nodes.append((holder, str(getattr(match, "attrname", None) or "")))
        elif isinstance(match, etree._Element) and isinstance(match.tag, str):  # noqa: SLF001  # pyright: ignore[reportPrivateUsage, reportUnnecessaryIsInstance]  # comments are elements too
            nodes.append((match, ""))
    return nodes


def _missing(package: Package, part: str, binding: Element) -> Data | None:
    """Returns where a property of the document will stand that it does not have yet."""
    if binding.get(W("storeItemID"), "").casefold() not in _STORES:
        return None
    path = _LAST.fullmatch(binding.get(W("xpath"), ""))
    names = _namespaces(binding)
    if path is None or (path[2] and path[2] not in names):
        return None
    uri = names.get(path[2] or "", "")
    try:
        root = package.tree(part)
    except CorruptDocumentError:
        return None
    if (etree.QName(root).namespace or "") != names.get(path[1] or "", ""):
        return None
    return Data(part, None, tag=f"{{{uri}}}{path[3]}" if uri else path[3])
