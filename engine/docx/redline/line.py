"""A paragraph as the text map reads it: boxes that hold runs, units that are their children.

Values of this module are mutable working material of one edit; nothing keeps them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal, TypeAlias

from redraft.engine.docx.names import Element
from redraft.engine.docx.redline.open_fields import Frame


class Standing(IntEnum):
    """What our own marks say of a unit."""

    KEPT = 0
    STRUCK = 1
    WRITTEN = 2


@dataclass(frozen=True, slots=True)
class Stamp:
    """Who marked a unit and when; `id` is the revision it stands in, None for one not yet written.

    `formatted` says that bold and italic of written text were asked for.
    """

    edit: str
    author: str
    date: str
    id: int | None = None
    formatted: bool = False


BoxKind: TypeAlias = Literal["paragraph", "plain", "link", "control", "foreign", "field"]
Lock: TypeAlias = Literal["", "object", "field", "control"]


@dataclass(slots=True, eq=False)
class Box:
    """An element that holds runs.

    `outer` is what stands in the parent box's element: the `w:sdt` of a `w:sdtContent`.
    """

    element: Element
    kind: BoxKind
    parent: Box | None = None
    outer: Element | None = None
    entries: list[Entry] = field(default_factory=list["Entry"])
    is_dirty: bool = False

    def units(self) -> list[Unit]:
        """Returns the units in it and in the boxes in it, in document order."""
        units: list[Unit] = []
        for entry in self.entries:
            if isinstance(entry, Unit):
                units.append(entry)
            elif isinstance(entry, Box):
                units += entry.units()
        return units


@dataclass(slots=True, eq=False)
class Unit:
    """A child of a run, or a part of its text, or an object that needs no run (`run` None).

    `text` is what it adds to the text, also while it is struck; `lock` why it cannot be edited;
    `token` the prefix of its name in the view (`fn`, `im`, `x`, `eq`, `pb`); `whole` says that it
    is all of its node.
    """

    text: str
    node: Element
    run: Element | None
    box: Box
    standing: Standing
    stamp: Stamp | None = None
    lock: Lock = ""
    token: str = ""
    frame: Frame | None = None
    whole: bool = True

    @property
    def is_visible(self) -> bool:
        """Whether it adds to the text of the final view."""
        return bool(self.text) and self.standing is not Standing.STRUCK


@dataclass(slots=True, eq=False)
class Opaque:
    """A child that is no text: a marker between runs, the properties, another's deletion.

    `is_marker`: it belongs to the baseline, has no width, and changes flow around it.
    """

    element: Element
    is_marker: bool


Entry: TypeAlias = Box | Unit | Opaque


@dataclass(slots=True, eq=False)
class Line:
    """A paragraph as read; `units` in document order, `boxes` outer ones first."""

    paragraph: Element
    root: Box
    units: list[Unit]
    boxes: list[Box]

    @property
    def text(self) -> str:
        """The text of the final view: tab U+0009, line break U+000A, no-break hyphen U+2011."""
        return "".join([unit.text for unit in self.units if unit.standing is not Standing.STRUCK])

    @property
    def has_ours(self) -> bool:
        """Whether a mark of ours stands in the text."""
        return any(unit.standing for unit in self.units)
