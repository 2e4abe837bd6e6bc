"""The text map of a paragraph: what a reader sees of it, and where in the XML each piece stands.

A paragraph is read into boxes (elements that hold runs: the paragraph itself, hyperlinks, content
controls, another author's insertion …) and units (the children of runs: a stretch of text, a tab, a
drawing). Our own `w:ins` and `w:del` are dissolved: each unit says whether it is kept, struck or
written, and by which edit. Everything else keeps its element. The text is that of the final view;
offsets count characters in it. Nothing is changed by reading.

[x] w:r: text and characters, as `runs.run_content` lists them
[x] w:hyperlink, w:smartTag, w:customXml, w:sdt, w:dir, w:bdo, w:ruby (its base): looked into
[x] w:fldSimple, complex fields: the result is read, and locked where Word computes it
[x] w:ins, w:moveTo of others: looked into    [x] w:del, w:moveFrom of others: not part of the text
[x] notes, drawings, equations, page breaks: objects without a character
[-] mc:AlternateContent, w:subDoc directly in a paragraph: objects
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from redraft.engine.docx.names import (
    TAGS_ENDS,
    TAGS_STARTS,
    W_DEL,
    W_FLD_CHAR,
    W_FLD_SIMPLE,
    W_HYPERLINK,
    W_ID,
    W_INS,
    W_INSTR_TEXT,
    W_MOVE_FROM,
    W_MOVE_TO,
    W_R,
    W_RPR,
    W_SDT,
    W_SDT_CONTENT,
    W_VAL,
    Element,
    W,
)
from redraft.engine.docx.reading.controls import is_locked_around
from redraft.engine.docx.redline.line import Box, BoxKind, Line, Opaque, Stamp, Standing, Unit
from redraft.engine.docx.redline.open_fields import Frame, editable
from redraft.engine.docx.runs import run_content
from redraft.engine.docx.runs.run_content import Kind

_TAGS: Final = frozenset({*TAGS_STARTS, *TAGS_ENDS})
_MARKERS: Final = frozenset(
    {
        *map(W, ("pPr", "rPr", "smartTagPr", "customXmlPr", "sdtPr", "fldData", "proofErr")),
        *map(W, ("bookmarkStart", "bookmarkEnd", "permStart", "permEnd")),
        *(
            W(f"{kind}Range{end}")
            for kind in ("comment", "moveFrom", "moveTo")
            for end in ("Start", "End")
        ),
        *_TAGS,
    }
)
_TRACKED: Final = frozenset({W_INS, W_DEL, W_MOVE_FROM, W_MOVE_TO})
_PLAIN_BOXES: Final = frozenset(W(name) for name in ("smartTag", "customXml", "dir", "bdo"))
_IN_RUN_MARKERS: Final = frozenset({W("lastRenderedPageBreak"), W("commentReference")})
_TOKENS: Final[Mapping[Kind | None, str]] = {
    "footnote": "fn",
    "endnote": "en",
    "image": "im",
    "object": "im",
    "equation": "eq",
}
_BREAKS: Final = {"line": "", "page": "pb", "column": "cb"}
_W_LOCK: Final = W("lock")
_W_VANISH: Final = W("vanish")
_W_RUBY: Final = W("ruby")
_W_RUBY_BASE: Final = W("rubyBase")
_W_AUTHOR: Final = W("author")
_W_DATE: Final = W("date")
_W_INSTR: Final = W("instr")
_W_FLD_CHAR_TYPE: Final = W("fldCharType")
_LOCKED: Final = frozenset({"contentLocked", "sdtContentLocked"})
_OFF: Final = frozenset({"0", "false", "off"})


def read(
    paragraph: Element,
    ours: Mapping[int, str],
    opened: tuple[Frame, ...] = (),
    formatted: frozenset[int] = frozenset(),
) -> Line:
    """Reads a paragraph.

    Args:
        paragraph: A `w:p`.
        ours: Revision id -> edit of our marks.
        opened: The fields that are open where the paragraph begins (`openfields.open_fields`).
        formatted: Those of our insertions whose bold and italic were asked for.
    """
    reader = _Reader(ours, opened, formatted, is_locked=is_locked_around(paragraph))
    root = reader.box(paragraph, "paragraph", None, None, Standing.KEPT, None)
    return Line(paragraph, root, reader.units, reader.boxes)


def revision_id(element: Element) -> int:
    """Returns the `w:id` of a revision mark; -1 when it has none that is a number."""
    try:
        return int(element.get(W_ID, ""))
    except ValueError:
        return -1


class _Reader:
    """Walks a paragraph; keeps the stack of open fields."""

    def __init__(
        self,
        ours: Mapping[int, str],
        opened: tuple[Frame, ...],
        formatted: frozenset[int],
        *,
        is_locked: bool = False,
    ) -> None:
        self.units: list[Unit] = []
        self.boxes: list[Box] = []
        self._ours = ours
        self._formatted = formatted
        self._frames: list[Frame] = []
        for frame in opened:
            carried = frame.copied()
            carried.parent = self._frames[-1] if self._frames else None
            self._frames.append(carried)
        self._is_locked = is_locked
        self._struck = 0

    def box(
        self,
        element: Element,
        kind: BoxKind,
        parent: Box | None,
        outer: Element | None,
        standing: Standing,
        stamp: Stamp | None,
    ) -> Box:
        box = Box(element, kind, parent, element if outer is None else outer)
        self.boxes.append(box)
        self._children(box, element, standing, stamp)
        return box

    def _children(
        self, box: Box, element: Element, standing: Standing, stamp: Stamp | None
    ) -> None:
        for child in element:
            tag = child.tag
            if tag == W_R:
                self._run(box, child, standing, stamp)
            elif standing is Standing.WRITTEN and tag in _TAGS:
                # They belong to a control of ours, and are written with it.
                continue
            elif tag in _MARKERS:
                box.entries.append(Opaque(child, is_marker=True))
            elif tag in _TRACKED:
                self._tracked(box, child, standing, stamp)
            elif tag == W_HYPERLINK or tag in _PLAIN_BOXES:
                kind = "link" if tag == W_HYPERLINK else "plain"
                box.entries.append(self.box(child, kind, box, None, standing, stamp))
            elif tag == W_SDT and standing is Standing.WRITTEN:
                self._add(Unit(_said(child), child, None, box, standing, stamp, "control"))
            elif tag == W_SDT:
                self._control(box, child, standing, stamp)
            elif tag == W_FLD_SIMPLE:
                self._simple_field(box, child, standing, stamp)
            else:
                token = _TOKENS.get(run_content.kind(child), "")
                unit = Unit("", child, None, box, standing, stamp, "object", token)
                self._add(unit)

    def _add(self, unit: Unit) -> None:
        unit.box.entries.append(unit)
        self.units.append(unit)

    def _tracked(self, box: Box, child: Element, standing: Standing, stamp: Stamp | None) -> None:
        """`w:ins`, `w:del`, `w:moveFrom`, `w:moveTo`."""
        identifier = revision_id(child)
        edit = self._ours.get(identifier)
        tag = child.tag
        if edit is not None and tag in (W_INS, W_DEL):
            own = Stamp(
                edit,
                child.get(_W_AUTHOR, ""),
                child.get(_W_DATE, ""),
                identifier,
                identifier in self._formatted,
            )
            is_struck = tag == W_DEL
            self._children(box, child, Standing.STRUCK if is_struck else Standing.WRITTEN, own)
        elif tag in (W_INS, W_MOVE_TO):
            box.entries.append(self.box(child, "foreign", box, None, standing, stamp))
        else:
            box.entries.append(Opaque(child, is_marker=False))

    def _control(self, box: Box, child: Element, standing: Standing, stamp: Stamp | None) -> None:
        content = child.find(W_SDT_CONTENT)
        if content is None:
            box.entries.append(Opaque(child, is_marker=True))
            return
        before = self._is_locked
        lock = child.find(f"{W('sdtPr')}/{_W_LOCK}")
        self._is_locked = before or (lock is not None and lock.get(W_VAL) in _LOCKED)
        box.entries.append(self.box(content, "control", box, child, standing, stamp))
        self._is_locked = before

    def _simple_field(
        self, box: Box, child: Element, standing: Standing, stamp: Stamp | None
    ) -> None:
        frame = Frame(
            is_result=True,
            is_editable=editable(child.get(_W_INSTR, "")),
            is_closed=True,
            parent=self._frames[-1] if self._frames else None,
        )
        self._frames.append(frame)
        kind = "link" if frame.is_editable else "field"
        box.entries.append(self.box(child, kind, box, None, standing, stamp))
        if frame in self._frames:
            self._frames.remove(frame)

    def _run(self, box: Box, run: Element, standing: Standing, stamp: Stamp | None) -> None:
        if len(run) and run[-1].tag == _W_RUBY and all(c.tag in (W_RPR, _W_RUBY) for c in run):
            base = run[-1].find(_W_RUBY_BASE)
            if base is not None and standing is Standing.KEPT:
                box.entries.append(self.box(base, "plain", box, run, standing, stamp))
                return
        properties = run.find(W_RPR)
        is_hidden = properties is not None and _is_on(properties.find(_W_VANISH))
        for node in run:
            tag = node.tag
            if tag == W_RPR:
                continue
            unit = Unit("", node, run, box, standing, stamp)
            self._content(unit, node)
            self._locked(unit)
            if is_hidden and unit.text:
                unit.text, unit.lock = "", "object"
            self._add(unit)

    def _content(self, unit: Unit, node: Element) -> None:
        """What a child of a run shows."""
        tag, kind = node.tag, run_content.kind(node)
        if kind == "text":
            unit.text = run_content.text(node)
        elif kind == "character":
            unit.text = run_content.character(node)
        elif kind == "break":
            token = _BREAKS[run_content.break_kind(node)]
            if token:
                unit.lock, unit.token = "object", token
            else:
                unit.text = "\n"
        elif tag == W_FLD_CHAR:
            unit.lock = "field"
            self._field_char(unit, node)
        elif tag == W_INSTR_TEXT and self._frames:
            self._frames[-1].instruction += node.text or ""
            unit.lock = "field"
        elif tag not in _IN_RUN_MARKERS:
            unit.lock, unit.token = "object", _TOKENS.get(kind, "")

    def _field_char(self, unit: Unit, node: Element) -> None:
        """ECMA-376 Part 1, 17.16.18 (fldChar): begin, instruction, separate, result, end."""
        kind = node.get(_W_FLD_CHAR_TYPE)
        if unit.standing is Standing.STRUCK:
            self._struck += {"begin": 1, "end": -1}.get(kind or "", 0)
            return
        if kind == "begin":
            self._frames.append(Frame(parent=self._frames[-1] if self._frames else None))
        if self._frames:
            unit.frame = self._frames[-1]
        if kind == "separate" and self._frames:
            self._frames[-1].separate()
        elif kind == "end" and self._frames:
            self._frames.pop().is_closed = True

    def _locked(self, unit: Unit) -> None:
        """Says why a unit cannot be edited by where it stands."""
        if self._struck > 0 and unit.standing is Standing.STRUCK:
            # A field that is struck comes back as a whole, or not at all.
            unit.lock = "field"
            return
        if self._frames:
            unit.frame = unit.frame or self._frames[-1]
            if any(not frame.is_result for frame in self._frames):
                unit.text, unit.lock = "", "field"
            elif any(not frame.is_editable for frame in self._frames):
                unit.lock = "field"
        if self._is_locked and not unit.lock:
            unit.lock = "control"


def _said(control: Element) -> str:
    """Returns what a content control that came with moved text says: it goes as one piece."""
    content = control.find(W_SDT_CONTENT)
    if content is None:
        return ""
    reader = _Reader({}, (), frozenset())
    reader.box(content, "control", None, control, Standing.KEPT, None)
    return "".join([unit.text for unit in reader.units])


def _is_on(toggle: Element | None) -> bool:
    return toggle is not None and toggle.get(W_VAL, "true") not in _OFF
