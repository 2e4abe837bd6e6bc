"""What the pages of a document share: its fonts, each read once, and the layers that are hidden."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from redraft.engine.pdf.fonts import fonts
from redraft.engine.pdf.fonts.fonts import Font
from redraft.engine.pdf.stream import objects


@dataclass(eq=False)
class Shelf:
    """The fonts of a document, each read once, and the layers that are not shown.

    `holders` are the font dictionaries of all pages.
    """

    fonts: dict[tuple[int, int], Font] = field(default_factory=dict[tuple[int, int], Font])
    hidden: frozenset[tuple[int, int]] = frozenset()
    document: Any = None

    def font(self, holder: Any) -> Font:
        """Read a font dictionary, or find it again."""
        key = objects.identity(holder)
        if key not in self.fonts or key == (0, 0):
            self.fonts[key] = fonts.load(holder)
        return self.fonts[key]

    @cached_property
    def holders(self) -> list[Any]:
        """The font dictionaries that the pages name, each once."""
        found: dict[tuple[int, int], Any] = {}
        for page in self.document.pages if self.document is not None else ():
            named = objects.entry(objects.inherited(page.obj, "/Resources"), "/Font")
            for _, holder in objects.items(named):
                found.setdefault(objects.identity(holder), holder)
        found.pop((0, 0), None)
        return list(found.values())


def shelf(document: Any) -> Shelf:
    """Begin with a document: its layers that are off by default (ISO 32000-2, 8.11.4.3)."""
    off = objects.entry(document.Root, "/OCProperties", "/D", "/OFF")
    hidden = frozenset(objects.identity(each) for each in objects.elements(off))
    return Shelf(hidden=hidden, document=document)
