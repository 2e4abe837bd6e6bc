"""What filling a control or form field means: tracked words, and a state beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.anchored_elements import unable
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.editing.step import Blind, Reach
from redraft.engine.docx.names import W_P, W_TBL, Element
from redraft.engine.docx.redline.line import Line
from redraft.engine.docx.redline.tracked_text import Edit
from redraft.engine.docx.steps.bindings import BindingStep

_ON: Final = frozenset({"checked", "check", "true", "yes", "on", "1", "x"})
_OFF: Final = frozenset({"unchecked", "uncheck", "false", "no", "off", "0", ""})
_WARNING: Final = (
    "Word tracks the words of a content control, and not its state: rejecting the change brings "
    "the words back, but not the former state of the control"
)


@dataclass(frozen=True, slots=True)
class ControlStep:
    """The properties of a control that change along with its words, or instead of them."""

    place: Place
    properties: Element
    change: Callable[[Element], bool]
    reach: Reach = field(default_factory=Reach)
    blind: frozenset[Blind] = frozenset({"controls"})
    warnings: tuple[str, ...] = (_WARNING,)

    @property
    def places(self) -> tuple[Place, ...]:
        """The paragraph of the control."""
        return (self.place,)

    def write(self, desk: Desk) -> bool:
        """Changes the properties."""
        holder = next(self.properties.iterancestors(W_P, W_TBL), None)
        if holder is None:
            desk.whole.add(self.place.part)
            desk.note_place(self.place)
        else:
            desk.note(self.place.part, holder)
        return self.change(self.properties)


@dataclass(frozen=True, slots=True)
class Filling:
    """What filling a control means: edits of a line, and what changes beside its words."""

    place: Place
    line: Line
    edits: tuple[Edit, ...]
    steps: tuple[ControlStep | BindingStep, ...]


def is_ticked(value: str) -> bool:
    """Returns whether a value says that a box is checked.

    Raises:
        OperationError: it says neither that nor the contrary.
    """
    wanted = value.strip().casefold()
    if wanted not in _ON | _OFF:
        raise unable("wrong_type", f"A check box is checked or unchecked, not {value[:60]}")
    return wanted in _ON
