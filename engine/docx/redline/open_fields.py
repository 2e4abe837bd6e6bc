"""Fields: which text Word computes, also where a field spans paragraphs.

ECMA-376 Part 1, 17.16. A complex field is begin, instruction, separate, result, end; it may begin
in one paragraph and end in another (a table of contents), and fields nest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from redraft.engine.docx.names import (
    W_DEL,
    W_FLD_CHAR,
    W_INSTR_TEXT,
    W_MOVE_FROM,
    W_P,
    Element,
    W,
)

_FLD_CHAR_TYPE: Final = W("fldCharType")
# Their results are text that a person types; Word never computes it anew.
_TYPED: Final = frozenset({"HYPERLINK", "FORMTEXT"})


@dataclass(slots=True, eq=False)
class Frame:
    """A field that is being read.

    `is_editable`: its result is typed text, not computed. `is_carried`: it began in an earlier
    paragraph. `is_closed`: it ends in this one.
    """

    instruction: str = ""
    is_result: bool = False
    is_editable: bool = False
    is_closed: bool = False
    is_carried: bool = False
    parent: Frame | None = None

    def separate(self) -> None:
        """The instruction is over, the result begins."""
        self.is_result = True
        self.is_editable = editable(self.instruction)

    def copied(self) -> Frame:
        """Returns a frame of the same kind for a paragraph that begins inside the field."""
        return Frame(self.instruction, self.is_result, self.is_editable, is_carried=True)


def editable(instruction: str) -> bool:
    """Returns whether the result of a field is text that a person types."""
    words = instruction.split(None, 1)
    return bool(words) and words[0].upper() in _TYPED


def open_fields(root: Element) -> Mapping[Element, tuple[Frame, ...]]:
    """Returns the fields that are open at the start of each paragraph where some are."""
    frames_at: dict[Element, tuple[Frame, ...]] = {}
    frames: list[Frame] = []
    for node in root.iter(W_P, W_FLD_CHAR, W_INSTR_TEXT):
        if node.tag == W_P:
            if frames:
                frames_at[node] = tuple(frame.copied() for frame in frames)
        elif node.tag == W_INSTR_TEXT:
            if frames:
                frames[-1].instruction += node.text or ""
        elif not _is_struck(node):
            kind = node.get(_FLD_CHAR_TYPE)
            if kind == "begin":
                frames.append(Frame())
            elif kind == "separate" and frames:
                frames[-1].separate()
            elif kind == "end" and frames:
                frames.pop()
    return frames_at


def _is_struck(node: Element) -> bool:
    for ancestor in node.iterancestors():
        if ancestor.tag == W_P:
            return False
        if ancestor.tag in (W_DEL, W_MOVE_FROM):
            return True
    return False
