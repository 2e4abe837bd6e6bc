"""Finds paragraph styles by the names that people use, and makes built-in ones on demand.

A new style is spliced into the bytes of the styles part, which has no text: Word does not track it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, cast

from redraft.engine.docx.formatting.builtin_styles import BUILTINS, NORMAL, Builtin
from redraft.engine.docx.formatting.list_definitions import ListDefinitions, ListKind
from redraft.engine.docx.judging.fingerprint import story_parts
from redraft.engine.docx.names import STRICT, W_TYPE, W_VAL, Element, W
from redraft.engine.docx.opc import new_parts
from redraft.engine.docx.opc.package import Package

_TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"
_EMPTY: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:styles xmlns:w="{}"/>'
_TO_STRICT: Final = {transitional: strict for strict, transitional in STRICT.items()}
_ON: Final = frozenset({"1", "true", "on"})


@dataclass(frozen=True, slots=True)
class Style:
    """A paragraph style of the document; `names` holds its name first, then its other names."""

    id: str
    names: tuple[str, ...]
    is_default: bool


class Stylesheet:
    """The paragraph styles of one package."""

    def __init__(self, package: Package) -> None:
        self._package = package

    def find(self, name: str) -> str | None:
        """The id of the paragraph style that a name means, None when the document has none.

        A style is known by its name, its other names, and its id, however they are capitalised; by
        a translated name too, from which Word makes the id: `Überschrift 1` is `berschrift1`.
        """
        wanted = _folded(name)
        styles = self._paragraph_styles()
        for style in styles:
            if _folded(style.names[0]) == wanted:
                return style.id
        for style in styles:
            if wanted in map(_folded, style.names) or _squeezed(name) == _squeezed(style.id):
                return style.id
        return None

    def is_builtin(self, name: str) -> bool:
        """Whether a name means a style that `made` can make."""
        return _folded(name) in BUILTINS or _folded(name) == "normal"

    def made(self, name: str) -> str:
        """The id of a style that the document has or that is built in; made where it is missing."""
        existing = self.find(name)
        if existing is not None:
            return existing
        if _folded(name) == "normal":
            return self._normal()
        builtin = BUILTINS[_folded(name)]
        normal = self._normal()
        identifier = self._free(builtin.id)
        num = ""
        if builtin.list_kind:
            kind = cast("ListKind", builtin.list_kind)
            num = ListDefinitions(self._package).define(kind, identifier)
        self._insert(self._written(builtin, identifier, normal, num))
        return identifier

    def in_use(self) -> list[str]:
        """The names of the paragraph styles that paragraphs have, in their order in the file."""
        used = {
            node.get(W_VAL, "")
            for part in story_parts(self._package)
            for node in self._package.tree(part).iter(W("pStyle"))
        }
        return [s.names[0] for s in self._paragraph_styles() if s.is_default or s.id in used]

    @property
    def default(self) -> str:
        """The id of the default paragraph style, empty when the document says none."""
        return next((style.id for style in self._paragraph_styles() if style.is_default), "")

    def _normal(self) -> str:
        """The default paragraph style; where there is none, one that says nothing is made."""
        known = self.default or self.find("Normal")
        if not known:
            self._insert(NORMAL.format(id=self._free("Normal")))
        return known or self.default

    def _written(self, builtin: Builtin, identifier: str, normal: str, num: str) -> str:
        has_theme = bool(self._package.related(self._package.main, "theme"))
        xml = builtin.xml(identifier, normal, num, has_theme=has_theme)
        sides = ("w:start", "w:end") if self._package.strict else ("w:left", "w:right")
        return xml.replace("LEFT", sides[0]).replace("RIGHT", sides[1])

    def _free(self, identifier: str) -> str:
        """An id that no style has, and that no paragraph names without there being such a style."""
        taken = {style.get(_STYLE_ID, "").lower() for style in self._elements()}
        used = [self._package.read(part) for part in story_parts(self._package)]
        candidate, count = identifier, 0
        while candidate.lower() in taken or any(f'"{candidate}"'.encode() in data for data in used):
            count += 1
            candidate = f"{identifier}-{count}"
        return candidate

    def _insert(self, element: str) -> None:
        parts = self._package.related(self._package.main, "styles")
        if parts:
            part = parts[0]
        else:
            uri = _TO_STRICT[W] if self._package.strict else W
            data = _EMPTY.format(uri).encode()
            part = new_parts.add(self._package, self._package.main, "styles", _TYPE, data)
        new_parts.insert(self._package, part, element, namespace=W)

    def _elements(self) -> list[Element]:
        parts = self._package.related(self._package.main, "styles")
        return list(self._package.tree(parts[0]).iter(W("style"))) if parts else []

    def _paragraph_styles(self) -> list[Style]:
        return [
            _style(element)
            for element in self._elements()
            if element.get(W_TYPE, "paragraph") == "paragraph"
        ]


def _style(element: Element) -> Style:
    identifier = element.get(_STYLE_ID, "")
    name_element = element.find(W("name"))
    name = "" if name_element is None else name_element.get(W_VAL, "")
    aliases = element.find(W("aliases"))
    more = "" if aliases is None else aliases.get(W_VAL, "")
    names = (name or identifier, *(alias.strip() for alias in more.split(",") if alias.strip()))
    return Style(identifier, names, element.get(W("default")) in _ON)


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


def _squeezed(name: str) -> str:
    """A name as Word makes an id of it: nothing but ASCII letters and digits."""
    return re.sub(r"[^a-z0-9]", "", name.lower()) or name


_STYLE_ID = W("styleId")
