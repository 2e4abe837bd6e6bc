"""The pieces of a paragraph in canonical form, of which adjacent ones may be merged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from engine.docx.names import W_DEL, W_R, W_SDT, Element, M


@dataclass(slots=True)
class Item:
    """A piece of a paragraph: a run, a tracked stretch, another wrapper, or anything else.

    `key` says what must be equal to be merged with a neighbour; None never merges.
    """

    key: tuple[str, ...] | None
    parts: list[str | Item] = field(default_factory=list["str | Item"])

    def said(self) -> str:
        """The canonical text."""
        inner = "".join(part if isinstance(part, str) else part.said() for part in self.parts)
        return f"({'|'.join(self.key or ())}:{inner})"


def is_emptied(control: Element, is_ours: Callable[[Element], bool]) -> bool:
    """Whether all that a content control holds is deleted by marks of ours, or it holds nothing."""
    return control.tag == W_SDT and all(
        any(each.tag == W_DEL and is_ours(each) for each in node.iterancestors())
        for node in control.iter(W_R, M("oMath"))
    )
