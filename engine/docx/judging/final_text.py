"""What blocks say in the final view, read straight from the XML.

It shares no code with the reader, the text map or the writer, and must not, but for the table of
symbol fonts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from redraft.engine.docx.names import (
    TEXT_BOXES,
    W_BR,
    W_CR,
    W_DEL,
    W_FLD_CHAR,
    W_MOVE_FROM,
    W_P,
    W_PPR,
    W_R,
    W_RPR,
    W_SYM,
    W_T,
    W_TAB,
    W_TYPE,
    W_VAL,
    Element,
    M,
    W,
)
from redraft.engine.docx.runs.symbols import symbol

_STRUCK: Final = frozenset({W_DEL, W_MOVE_FROM})
CHARACTERS: Final = {
    W_TAB: "\t",
    W("ptab"): "\t",
    W_CR: "\n",
    W("noBreakHyphen"): "\u2011",
    W("softHyphen"): "\u00ad",
}
"""What elements of a run that are no text stand for (ECMA-376 part 1, 17.3.3)."""
_OBJECTS: Final = frozenset(
    {
        *map(W, ("drawing", "pict", "object", "footnoteReference", "endnoteReference")),
        *map(M, ("oMath", "oMathPara")),
    }
)
_OFF: Final = ("0", "false", "off")
_HEX: Final = re.compile("[0-9A-Fa-f]+")


@dataclass(slots=True)
class Said:
    """A block: the texts of the physical paragraphs that are joined in it."""

    texts: list[str] = field(default_factory=list[str])

    @property
    def text(self) -> str:
        """All of its text."""
        return "".join(self.texts)


def said(elements: Iterable[Element]) -> list[Said]:
    """The blocks among some adjacent elements in order, those in tables and text boxes too."""
    paragraphs: list[Said] = []
    pending = Said()
    boxes: list[Element] = []
    for element in elements:
        if element.tag == W_P:
            words = _Words()
            words.walk(element)
            pending.texts.append("".join(words.text))
            boxes += words.boxes
            if _is_joined(element):
                continue
            paragraphs.append(pending)
            pending = Said()
            for box in boxes:
                paragraphs += said(box)
            boxes = []
        elif element.tag not in _STRUCK and len(element):
            if pending.texts and any(child.tag == W_P for child in element.iter(W_P)):
                paragraphs.append(pending)
                pending = Said()
            paragraphs += said(element)
    if pending.texts:
        paragraphs.append(pending)
    for box in boxes:
        paragraphs += said(box)
    return paragraphs


def _is_joined(paragraph: Element) -> bool:
    marks = paragraph.find(f"{W_PPR}/{W_RPR}")
    return marks is not None and any(child.tag in _STRUCK for child in marks)


class _Words:
    def __init__(self) -> None:
        self.text: list[str] = []
        self.boxes: list[Element] = []
        self._phases: list[bool] = []

    def walk(self, element: Element) -> None:
        for child in element:
            tag = child.tag
            if tag == W_R:
                self._run(child)
            elif tag in _OBJECTS:
                self.boxes += list(child.iter(*TEXT_BOXES))
            elif tag not in _STRUCK and tag != W_PPR and len(child):
                self.walk(child)

    def _run(self, run: Element) -> None:
        properties = run.find(W_RPR)
        hidden = None if properties is None else properties.find(W("vanish"))
        is_hidden = hidden is not None and hidden.get(W_VAL, "1") not in _OFF
        for child in run:
            if child.tag == W_FLD_CHAR:
                self._field(child.get(W("fldCharType"), ""))
            elif child.tag in _OBJECTS or child.tag == _ALTERNATE:
                self.boxes += list(child.iter(*TEXT_BOXES))
            elif child.tag == _RUBY:
                base = child.find(W("rubyBase"))
                self.walk(child if base is None else base)
            elif not is_hidden and not any(self._phases):
                self._character(child)

    def _character(self, child: Element) -> None:
        if child.tag == W_T:
            self.text.append((child.text or "").replace("\n", " ").replace("\r", " "))
        elif child.tag == W_BR:
            if child.get(W_TYPE, "textWrapping") not in ("page", "column"):
                self.text.append("\n")
        elif child.tag == W_SYM:
            code = child.get(W("char"), "")
            font = child.get(W("font"), "")
            self.text.append(symbol(font, int(code, 16) if _HEX.fullmatch(code) else 0))
        else:
            self.text.append(CHARACTERS.get(str(child.tag), ""))

    def _field(self, kind: str) -> None:
        if kind == "begin":
            self._phases.append(True)
        elif kind == "separate" and self._phases:
            self._phases[-1] = False
        elif kind == "end" and self._phases:
            self._phases.pop()


_RUBY: Final = W("ruby")
_ALTERNATE: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}AlternateContent"
