"""What is counted and noticed while a document is read in one view."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from redraft.engine.docx import tracked_wrappers
from redraft.engine.docx.anchors import StoryPlace
from redraft.engine.docx.names import W_ID, Element
from redraft.engine.docx.numbering import Numbering
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.property_values import marks
from redraft.engine.docx.reading.images import Images
from redraft.engine.docx.styles import BODY_LEVEL, ParagraphStyle, Styles
from redraft.engine.model import NoteReference, Notice, View


@dataclass(frozen=True, slots=True)
class ParagraphProperties:
    """Properties of a paragraph in one view; `num` is None outside lists, `indent` in twips.

    `joins`: its mark is gone in this view, so that it is one with the next paragraph. `counts`: it
    takes a list number; `leads`: it is a drop cap; `hidden`: its mark is hidden text. `marks` are
    those that its style gives, `dropped` those of them that its Markdown says already.
    """

    style: ParagraphStyle
    style_id: str = ""
    level: int | None = None
    num: str | None = None
    ilvl: int = 0
    indent: int | None = None
    joins: bool = False
    counts: bool = True
    dropped: int = 0
    marks: int = 0
    leads: bool = False
    hidden: bool = False

    @property
    def is_heading(self) -> bool:
        """Whether it is a heading or the title."""
        return is_heading(self.style, self.level)


def is_heading(style: ParagraphStyle, level: int | None) -> bool:
    """Whether a style and an outline level make a heading, or the title."""
    return style.is_title or (level is not None and level < BODY_LEVEL)


def dropped(style: ParagraphStyle, level: int | None, marks: int) -> int:
    """The marks of a style that are not shown: those of headings and quotations."""
    return marks if style.is_quote or is_heading(style, level) else 0


@dataclass(slots=True)
class Hanging:
    """What hangs on a paragraph: text boxes, ids of comments, names of bookmarks."""

    boxes: list[Element] = field(default_factory=list[Element])
    comments: list[str] = field(default_factory=list[str])
    bookmarks: list[str] = field(default_factory=list[str])

    def take(self, other: Hanging) -> None:
        """What hangs on something else hangs here too, behind the rest."""
        self.boxes += other.boxes
        self.comments += other.comments
        self.bookmarks += other.bookmarks


@dataclass(slots=True)
class Ledger:
    """The document's tables, and the counts that run through all of its stories.

    `hosts` are the text boxes met so far, and `commented` the ids of comments, with the anchor of
    the block they hang on; `unwrapped` are content controls and custom XML that the view has not.
    """

    package: Package
    view: View
    styles: Styles
    numbering: Numbering
    images: Images
    notes: dict[tuple[str, str], str]
    labels: dict[str, str] = field(default_factory=dict[str, str])
    counted: dict[str, int] = field(default_factory=dict[str, int])
    hosts: dict[Element, str] = field(default_factory=dict[Element, str])
    commented: dict[str, str] = field(default_factory=dict[str, str])
    bookmarks: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    notices: list[Notice] = field(default_factory=list[Notice])
    fields: int = 0
    controls: dict[str, Element] = field(default_factory=dict[str, Element])
    unwrapped: frozenset[Element] = frozenset()
    _by_style: dict[str, ParagraphProperties] = field(
        default_factory=dict[str, ParagraphProperties]
    )

    @classmethod
    def open(cls, package: Package, view: View, stories: Iterable[StoryPlace]) -> Ledger:
        """The tables of a document, nothing counted yet."""
        styles = Styles.of(package)
        places = tuple(stories)
        notes = {
            (story.kind, story.container.get(W_ID, "")): story.anchor
            for story in places
            if story.kind in ("footnote", "endnote")
        }
        return cls(
            package,
            view,
            styles,
            Numbering.of(package, styles),
            Images(package, places),
            notes,
            unwrapped=_unwrapped(package, view, {story.part for story in places}),
        )

    def by_style(self, identifier: str) -> ParagraphProperties:
        """The properties of a paragraph that says nothing but its style."""
        properties = self._by_style.get(identifier)
        if properties is None:
            style = self.styles.paragraph(identifier)
            num = None if style.num == "0" else style.num
            ilvl = 0 if num is None else self.numbering.level_of(num, style)
            if num is not None and self.numbering.is_bound_elsewhere(num, ilvl, style):
                num = None
            given = marks(self.styles.run(identifier, ""))
            properties = ParagraphProperties(
                style,
                identifier,
                style.level,
                num,
                ilvl,
                dropped=dropped(style, style.level, given),
                marks=given,
            )
            self._by_style[identifier] = properties
        return properties

    def field_id(self) -> str:
        """The id of the next field."""
        self.fields += 1
        return f"x{self.fields}"

    def control_id(self, control: Element) -> str:
        """The id of the next content control."""
        name = f"cc{len(self.controls) + 1}"
        self.controls[name] = control
        return name

    def reference(
        self, kind: Literal["footnote", "endnote"], identifier: str, custom: str
    ) -> NoteReference | None:
        """The reference of a note, counted when it is met first; None when there is no such note.

        Args:
            kind: Which notes.
            identifier: The note's id in its part.
            custom: The mark that stands instead of a number, which then is not counted.
        """
        anchor = self.notes.get((kind, identifier))
        if anchor is None:
            self.notice("missing-note", f"A {kind} that the text refers to is not in the file")
            return None
        label = self.labels.get(anchor)
        if label is None:
            if not custom:
                self.counted[kind] = self.counted.get(kind, 0) + 1
            label = self.labels[anchor] = custom or str(self.counted[kind])
        return NoteReference(kind, anchor, label)

    def notice(self, code: str, message: str, where: str = "") -> None:
        """Note something odd, once."""
        notice = Notice(code, message, where)
        if notice not in self.notices:
            self.notices.append(notice)


def _unwrapped(package: Package, view: View, parts: Iterable[str]) -> frozenset[Element]:
    """The content controls and custom XML of some parts that a view has not."""
    if view == "markup":
        return frozenset()
    marked = (part for part in parts if tracked_wrappers.are_in(package.read(part)))
    return frozenset(
        wrapper for part in marked for wrapper in tracked_wrappers.gone(package.tree(part), view)
    )
