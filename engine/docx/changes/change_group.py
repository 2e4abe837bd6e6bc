"""One change as a reviewer counts it: its marks, whose they are, what they say."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.names import Element

Side: TypeAlias = Literal["written", "struck", "neither"]


@dataclass(slots=True, eq=False)
class Group:
    """Marks that are one change, `known` too; `pieces` in order with the side of each.

    `lead` and `trail` are the words around it in the final view.
    """

    place: Place
    author: str
    date: str
    family: str
    marks: list[Element] = field(default_factory=list[Element])
    edits: list[str] = field(default_factory=list[str])
    pieces: list[tuple[Side, str]] = field(default_factory=list[tuple[Side, str]])
    formatting: tuple[tuple[str, str, str], ...] = ()
    lead: str = ""
    trail: str = ""
    original_lead: str = ""
    original_trail: str = ""
    paragraphs: int = 0
    known: set[Element] = field(default_factory=set[Element])

    def said(self, side: Side) -> str:
        """The text of one side."""
        return "".join([text for which, text in self.pieces if which == side])
