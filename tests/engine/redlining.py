"""Edits of small documents and their redlines as text, for tests.

redline(data, state)          one string a paragraph: kept [-struck-]{+written+}
                              others' marks: <-struck-> <+written+>
made = Draft.of(p("a b")).edit(ReplaceText("p1", "a", "c"))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from redraft.engine.docx.apply import apply, initial_state
from redraft.engine.docx.changes.accept_or_reject import resolve
from redraft.engine.docx.changes.revisions import changes
from redraft.engine.docx.names import (
    W_BR,
    W_DEL,
    W_DEL_TEXT,
    W_INS,
    W_MOVE_FROM,
    W_MOVE_TO,
    W_P,
    W_PPR,
    W_R,
    W_RPR,
    W_T,
    W_TAB,
    Element,
    W,
)
from redraft.engine.docx.opc.package import Package
from redraft.engine.model import Revision
from redraft.engine.plan import EditPlan, Operation
from redraft.engine.report import EditReport, Selection, Signature
from redraft.engine.state import decode
from tests.engine.wordml import docx
from tests.oracle import Paragraph, judged, only

US = "us"
DATE = "2026-11-21T06:30:00Z"
_WRITTEN = (W_INS, W_MOVE_TO)
_STRUCK = (W_DEL, W_MOVE_FROM)
_SIGNS = {
    W_TAB: "\t",
    W_BR: "\n",
    W("noBreakHyphen"): "\u2011",
    W("footnoteReference"): "^",
    W("drawing"): "#",
    W("fldChar"): "|",
}


@dataclass(frozen=True, slots=True)
class Draft:
    """A version: the file, its state, the upload it came from, and what the last edit reported."""

    data: bytes
    state: bytes
    upload: bytes
    report: EditReport | None = None
    edits: int = 0

    @classmethod
    def of(cls, *blocks: str, **parts: object) -> Draft:
        """A document of blocks; other arguments as `wordml.docx` takes them."""
        data = docx("".join(blocks), **parts)  # pyright: ignore[reportArgumentType]
        return cls(data, initial_state(data), data)

    def edit(self, *operations: Operation, tracked: bool = True, uid: str = "") -> Draft:
        """Carry out one plan under a new edit id (`e1`, `e2`, …)."""
        name = uid or f"e{self.edits + 1}"
        plan = EditPlan("edit", "as asked", operations)
        data, report = apply(self.data, self.state, plan, Signature(name, US, DATE, tracked))
        return Draft(data, report.state, self.upload, report, self.edits + 1)

    def decide(self, action: str, selection: Selection) -> Draft:
        """Accept or reject changes."""
        kind = "accept" if action == "accept" else "reject"
        data, done = resolve(self.data, self.state, kind, selection)
        return Draft(data, done.state, self.upload, None, self.edits)

    @property
    def changes(self) -> tuple[Revision, ...]:
        """The tracked changes."""
        return changes(self.data, self.state)

    @property
    def redline(self) -> list[str]:
        """Each paragraph of the body with its marks."""
        return redline(self.data, decode(self.state).ours)

    @property
    def rejected(self) -> dict[str, list[Paragraph]]:
        """What an independent reader sees with our marks rejected."""
        return judged(self.data, only(US, "reject"))

    @property
    def original(self) -> dict[str, list[Paragraph]]:
        """What an independent reader sees of the upload."""
        return judged(self.upload, only(US, "reject"))

    @property
    def accepted(self) -> list[str]:
        """The paragraphs of the body that say something, with our and others' marks accepted."""
        found = judged(self.data, lambda _: "accept")["word/document.xml"]
        return [paragraph.text for paragraph in found if paragraph.text]

    @property
    def body(self) -> str:
        """The XML of the main part."""
        return Package.open(self.data).read("word/document.xml").decode()


def redline(data: bytes, ours: Mapping[int, str]) -> list[str]:
    """Each paragraph of the main part with its marks; a struck or written mark is a pilcrow."""
    package = Package.open(data)
    return [_paragraph(p, ours) for p in package.tree(package.main).iter(W_P)]


def _paragraph(paragraph: Element, ours: Mapping[int, str]) -> str:
    text = "".join(_said(child, ours) for child in paragraph if child.tag != W_PPR)
    marks = paragraph.find(f"{W_PPR}/{W_RPR}")
    for mark in marks if marks is not None else ():
        if mark.tag in (*_WRITTEN, *_STRUCK):
            text += _wrapped(mark, "\u00b6", ours)
    return text


def _said(element: Element, ours: Mapping[int, str]) -> str:
    if element.tag in (*_WRITTEN, *_STRUCK):
        return _wrapped(element, "".join(_said(child, ours) for child in element), ours)
    if element.tag in (W_T, W_DEL_TEXT):
        return element.text or ""
    if element.tag in _SIGNS:
        return _SIGNS[str(element.tag)]
    if element.tag in (W_RPR, W_PPR):
        return ""
    return "".join(_said(child, ours) for child in element)


def _wrapped(mark: Element, inner: str, ours: Mapping[int, str]) -> str:
    number = int(mark.get(W("id"), "-1"))
    sign = "+" if mark.tag in _WRITTEN else "-"
    if number in ours:
        return f"{{+{inner}+}}" if sign == "+" else f"[-{inner}-]"
    return f"<{sign}{inner}{sign}>"


def runs(data: bytes) -> list[tuple[str, str]]:
    """The text and the names of the properties of each run of the main part."""
    package = Package.open(data)
    found: list[tuple[str, str]] = []
    for run in package.tree(package.main).iter(W_R):
        properties = run.find(W_RPR)
        names = [] if properties is None else [str(c.tag).rpartition("}")[2] for c in properties]
        found.append(
            ("".join(n.text or "" for n in run if n.tag in (W_T, W_DEL_TEXT)), ",".join(names))
        )
    return found
