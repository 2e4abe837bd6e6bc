"""What the pages of a document share: its fonts, each read once, and the layers that are hidden."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from redraft.engine.pdf.fonts import fonts
from redraft.engine.pdf.fonts.fonts import Font
from redraft.engine.pdf.stream import objects


@dataclass(eq=False)
class SharedResources:
    """The fonts of a document, each read once, and the layers that are not shown.

    `holders` are the font dictionaries of all pages.
    """

    fonts: dict[tuple[int, int], Font] = field(default_factory=dict[tuple[int, int], Font])
    hidden: frozenset[tuple[int, int]] = frozenset()
    document: Any = None

    def font(self, holder: Any) -> Font:
        """Reads a font dictionary, or finds it again."""
        key = objects.identity(holder)
        if key not in self.fonts or key == (0, 0):
            self.fonts[key] = fonts.load(holder)
        return self.fonts[key]

    @cached_property
    def holders(self) -> list[Any]:
        """The font dictionaries that the pages name, each once."""
        by_identity: dict[tuple[int, int], Any] = {}
        for page in self.document.pages if self.document is not None else ():
            named = objects.entry(objects.inherited(page.obj, "/Resources"), "/Font")
            for _, holder in objects.items(named):
                by_identity.setdefault(objects.identity(holder), holder)
        by_identity.pop((0, 0), None)
        return list(by_identity.values())


def shared_resources_of(document: Any) -> SharedResources:
    """Begins with a document: its layers that are off by default (ISO 32000-2, 8.11.4.3)."""
    off = objects.entry(document.Root, "/OCProperties", "/D", "/OFF")
    hidden = frozenset(objects.identity(group) for group in objects.elements(off))
    return SharedResources(hidden=hidden, document=document)
