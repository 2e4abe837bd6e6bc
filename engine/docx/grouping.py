"""Puts revision marks together that a reviewer counts as one change.

A file is read paragraph by paragraph, only those that hold marks. Runs that are kept close a
change; a paragraph mark of the same author carries it on into the next paragraph. The content of a
tracked row or cell belongs to the change of the row or cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from engine.docx import settling
from engine.docx.anchors import Place
from engine.docx.looks import differences
from engine.docx.names import (
    TEXT_BOXES,
    W_AUTHOR,
    W_BR,
    W_CR,
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
    W_TR,
    W_TR_PR,
    Element,
    M,
    W,
)
from engine.docx.textmap import revision_id

Side: TypeAlias = Literal["written", "struck", "neither"]

DATE: Final = W("date")
_NAME: Final = W("name")
_RUBY_BASE: Final = f"{W('ruby')}/{W('rubyBase')}"
_SIDES: Final[Mapping[str, Side]] = {
    W_INS: "written",
    W_MOVE_TO: "written",
    W_DEL: "struck",
    W_MOVE_FROM: "struck",
}
_MOVES: Final = frozenset({W_MOVE_FROM, W_MOVE_TO})
_TEXT: Final = frozenset({W_T, W_DEL_TEXT})
_BLANKS: Final = {W_TAB: "\t", W_BR: "\n", W_CR: "\n", W("noBreakHyphen"): "\u2011"}
_EQUATIONS: Final = frozenset({M("oMath"), M("oMathPara")})
_OBJECTS: Final = {
    W("footnoteReference"): "[footnote]",
    W("endnoteReference"): "[endnote]",
    W("drawing"): "[image]",
    W("pict"): "[image]",
    W("object"): "[object]",
}


@dataclass(slots=True, eq=False)
class Group:
    """Marks that are one change; `pieces` in order with the side of each."""

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
    paragraphs: int = 0

    def said(self, side: Side) -> str:
        """The text of one side."""
        return "".join([text for which, text in self.pieces if which == side])


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A run or a paragraph mark with the marks around it, the outermost first."""

    text: str
    marks: tuple[Element, ...]
    is_end: bool = False


class Grouper:
    """Groups the marks of one story, paragraph by paragraph in order."""

    def __init__(self, ours: Mapping[int, str], moves: Mapping[Element, str]) -> None:
        self.groups: list[Group] = []
        self._ours = ours
        self._moves = moves
        self._open: dict[object, Group] = {}
        self._named: dict[str, Group] = {}
        self._swallowed: dict[Element, Group] = {}
        self._last: Element | None = None

    def rows(self, place: Place) -> None:
        """A row or cell with a tracked property, before the paragraphs in it."""
        element = place.element
        for mark in _block_marks(element):
            family = "row" if element.tag == W_TR else "cell"
            key = (family, mark.tag, mark.get(W_AUTHOR, ""), self._edit(mark) is not None)
            group = self._open.get(key)
            beside = element.getprevious()
            if group is None or self._swallowed.get(beside if beside is not None else mark) is None:
                group = self._new(place, mark, family)
                self._open[key] = group
            self._add_mark(group, mark)
            self._swallowed[element] = group

    def paragraph(self, place: Place, *, follows: bool) -> None:
        """A paragraph that holds marks; `follows` when the paragraph before it did too."""
        if not follows:
            self._open = {key: g for key, g in self._open.items() if g.family in ("row", "cell")}
        stretches = list(_stretches(place.element))
        final = [
            "" if s.is_end or any(_SIDES[m.tag] == "struck" for m in s.marks) else s.text
            for s in stretches
        ]
        before = ""
        touched: dict[Group, int] = {}
        for index, stretch in enumerate(stretches):
            for group in self._stretch(place, stretch, before):
                touched[group] = index
            before = (before + final[index])[-400:]
        for group, index in touched.items():
            group.trail = "".join(final[index + 1 :])
        self._formats(place)

    def _stretch(self, place: Place, stretch: _Stretch, before: str) -> list[Group]:
        holder = self._holder(place.element)
        keys: list[object] = []
        found: list[Group] = []
        for mark in stretch.marks:
            name = self._moves.get(mark, "")
            side = _SIDES[mark.tag]
            edit = self._edit(mark)
            family = f"move:{name}" if mark.tag in _MOVES else "text"
            key = (family, mark.get(W_AUTHOR, ""), edit is not None)
            keys.append(key)
            if holder is not None and holder.author == mark.get(W_AUTHOR, ""):
                group = holder
            else:
                group = self._named.get(name) if name else self._open.get(key)
                if group is None:
                    group = self._new(place, mark, family)
                    group.lead = before
                self._open[key] = group
            if name:
                self._named[name] = group
            self._add_mark(group, mark)
            group.pieces.append((side, stretch.text))
            group.paragraphs += stretch.is_end
            found.append(group)
        if stretch.text or stretch.is_end:
            kept = {"row", "cell"}
            self._open = {k: g for k, g in self._open.items() if k in keys or g.family in kept}
        return found

    def _holder(self, element: Element) -> Group | None:
        for ancestor in element.iterancestors():
            group = self._swallowed.get(ancestor)
            if group is not None:
                return group
        return None

    def _formats(self, place: Place) -> None:
        """Tracked formatting in a paragraph: adjacent runs with the same change are one."""
        last: Group | None = None
        for change in _own(place.element, settling.CHANGES):
            properties = change.getparent()
            run = None if properties is None else properties.getparent()
            formatting = differences(change)
            is_run = run is not None and run.tag == W_R
            is_same = (
                last is not None
                and is_run
                and last.formatting == formatting
                and last.author == change.get(W_AUTHOR, "")
                and self._last is not None
                and run is not None
                and run.getprevious() is self._last
            )
            if last is None or not is_same:
                last = self._new(place, change, "format")
                last.formatting = formatting
            self._add_mark(last, change)
            if run is not None:
                text = run_text(run) if is_run else ""
                last.pieces.append(("neither", text))
            self._last = run
        for mark in _own(place.element, frozenset({W_INS})):
            parent = mark.getparent()
            if parent is not None and parent.tag == W("numPr"):
                group = self._new(place, mark, "format")
                group.formatting = (("numbering", "", "on"),)
                self._add_mark(group, mark)

    def others(self, place: Place, marks: list[Element]) -> None:
        """Format changes of tables, rows, cells and sections outside paragraphs."""
        for mark in marks:
            group = self._new(place, mark, "format")
            group.formatting = differences(mark)
            self._add_mark(group, mark)

    def _new(self, place: Place, mark: Element, family: str) -> Group:
        group = Group(place, mark.get(W_AUTHOR, ""), mark.get(DATE, ""), family)
        self.groups.append(group)
        return group

    def _add_mark(self, group: Group, mark: Element) -> None:
        if group.marks and mark in group.marks[-4:]:
            return
        group.marks.append(mark)
        edit = self._edit(mark)
        if edit is not None and edit not in group.edits:
            group.edits.append(edit)

    def _edit(self, mark: Element) -> str | None:
        return self._ours.get(revision_id(mark))


def move_names(root: Element) -> dict[Element, str]:
    """For each moved stretch of a part the name that joins both ends of the move."""
    found: dict[Element, str] = {}
    current: dict[str, str] = {}
    for node in root.iter(*settling.MOVE_RANGES, *_MOVES):
        kind = settling.MOVE_RANGES.get(str(node.tag))
        if kind is None:
            name = current.get("moveFrom" if node.tag == W_MOVE_FROM else "moveTo", "")
            if name:
                found[node] = name
        elif str(node.tag).endswith("Start"):
            current[kind] = node.get(_NAME, "")
        else:
            current.pop(kind, None)
    return found


def run_text(run: Element) -> str:
    """What a run says, whether struck or not; objects in brackets."""
    found: list[str] = []
    for child in run:
        if child.tag in _TEXT:
            found.append(child.text or "")
        else:
            found.append(_BLANKS.get(str(child.tag), "") or _OBJECTS.get(str(child.tag), ""))
    return "".join(found)


def _stretches(paragraph: Element) -> Iterator[_Stretch]:
    yield from _walk(paragraph, ())
    marks = paragraph.find(f"{W_PPR}/{W_RPR}")
    tracked = () if marks is None else tuple(c for c in marks if c.tag in settling.TRACKED)
    yield _Stretch("\n" if tracked else "", tracked, is_end=True)


def _walk(element: Element, marks: tuple[Element, ...]) -> Iterator[_Stretch]:
    for child in element:
        tag = child.tag
        if tag == W_R:
            base = child.find(_RUBY_BASE)
            if base is not None:
                yield from _walk(base, marks)
                continue
            text = run_text(child)
            if text or marks:
                yield _Stretch(text, marks)
        elif tag in settling.TRACKED:
            # What holds no run, such as an empty mark, is a change all the same.
            inside = tuple(_walk(child, (*marks, child)))
            yield from inside or (_Stretch("", (*marks, child)),)
        elif tag in _EQUATIONS and marks:
            yield _Stretch("[equation]", marks)
        elif tag != W_PPR and len(child):
            yield from _walk(child, marks)


def _own(paragraph: Element, tags: frozenset[str]) -> Iterator[Element]:
    """The marks in a paragraph that do not stand in a text box in it."""
    for mark in paragraph.iter(*tags):
        holder = next(mark.iterancestors(W_P, *TEXT_BOXES), None)
        if holder is paragraph:
            yield mark


def _block_marks(element: Element) -> list[Element]:
    if element.tag == W_TR:
        properties = element.find(W_TR_PR)
        tags = frozenset({W_INS, W_DEL})
    else:
        properties = element.find(W("tcPr"))
        tags = settling.CELLS
    return [] if properties is None else [child for child in properties if child.tag in tags]
