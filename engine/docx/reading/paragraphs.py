"""Which block a paragraph is: heading, list item, code, quote, rule or running text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from redraft.engine.docx.names import (
    W_AUTHOR,
    W_DEL,
    W_ID,
    W_INS,
    W_MOVE_FROM,
    W_MOVE_TO,
    W_PPR,
    W_RPR,
    W_VAL,
    Element,
    W,
)
from redraft.engine.docx.numbering import Label
from redraft.engine.docx.property_values import in_view, is_on, number, value
from redraft.engine.docx.reading.list_depth import ListRun
from redraft.engine.docx.reading.reading_state import Ledger, ParagraphProperties, dropped
from redraft.engine.docx.styles import left_of
from redraft.engine.model import (
    Block,
    Break,
    Change,
    CodeBlock,
    Control,
    Field,
    Heading,
    Inline,
    LineBreak,
    ListItem,
    Mark,
    Paragraph,
    Quote,
    Text,
    View,
)

PILCROW: Final = "\u00b6"
_KINDS: Final[dict[str, Literal["insertion", "deletion"]]] = {
    W_INS: "insertion",
    W_MOVE_TO: "insertion",
    W_DEL: "deletion",
    W_MOVE_FROM: "deletion",
}
_BOXES: Final = {"☐": False, "☒": True, "☑": True}
_GONE = {"final": frozenset({W_DEL, W_MOVE_FROM}), "original": frozenset({W_INS, W_MOVE_TO})}


def paragraph_properties(paragraph: Element, ledger: Ledger) -> ParagraphProperties:
    """Read the properties of a `w:p`."""
    outer = paragraph[0] if len(paragraph) else None
    if outer is not None and outer.tag != W_PPR:
        outer = paragraph.find(W_PPR)
    if outer is None:
        return ledger.by_style("")
    # One pass over the children: to look for each by its name would cost more than all the rest.
    direct = {child.tag: child for child in outer}
    mark = direct.get(W_RPR)
    joins, counts, hidden = (False, True, False) if mark is None else _mark(mark, ledger.view)
    if ledger.view == "original" and _PPR_CHANGE in direct:
        former = in_view(outer, _PPR_CHANGE, ledger.view)
        direct = {} if former is None else {child.tag: child for child in former}
    style = direct.get(_PSTYLE)
    base = ledger.by_style("" if style is None else style.get(W_VAL, ""))
    if joins or not counts or hidden or not _DIRECT.isdisjoint(direct):
        return _with_direct(base, direct, ledger.view, joins=joins, counts=counts, hidden=hidden)
    return base


def _with_direct(
    base: ParagraphProperties,
    direct: dict[str, Element],
    view: View,
    *,
    joins: bool,
    counts: bool,
    hidden: bool,
) -> ParagraphProperties:
    """What a style gives, with the properties that a paragraph says itself."""
    num, ilvl = base.num, base.ilvl
    list_properties = direct.get(_NUM_PR)
    if list_properties is not None and not (
        view == "original" and list_properties.find(W_INS) is not None
    ):
        given, at = value(list_properties, _NUM_ID), number(value(list_properties, _ILVL))
        num = given or base.style.num
        ilvl = at if at is not None else 0 if given else ilvl
    outline, ind = direct.get(_OUTLINE), direct.get(_IND)
    frame = direct.get(_FRAME)
    said_level = None if outline is None else number(outline.get(W_VAL))
    level = base.level if said_level is None else said_level
    return ParagraphProperties(
        base.style,
        base.style_id,
        level,
        None if num == "0" else num,
        ilvl,
        None if ind is None else left_of(ind),
        joins,
        counts,
        base.dropped if level == base.level else dropped(base.style, level, base.marks),
        base.marks,
        frame is not None and frame.get(_DROP_CAP, "none") != "none",
        hidden,
    )


def _mark(rpr: Element, view: View) -> tuple[bool, bool, bool]:
    """Whether the mark is gone in the view, the paragraph takes a number, the mark is hidden."""
    tags = {child.tag for child in rpr}
    hidden = _VANISH in tags and is_on(rpr.find(_VANISH))
    if view == "markup":
        return False, tags.isdisjoint(_GONE["final"]), hidden
    return not tags.isdisjoint(_GONE[view]), True, hidden


def with_mark(paragraph: Element, content: list[Inline]) -> list[Inline]:
    """The content of the markup view with a pilcrow where only the paragraph's mark is tracked.

    Such a paragraph was split from the next one, or will be joined with it. Nothing is added where
    all of the content is tracked alike, and so the whole paragraph came or went.
    """
    mark = paragraph.find(f"{W_PPR}/{W_RPR}")
    tracked = (
        next((child for child in mark if child.tag in _KINDS), None) if mark is not None else None
    )
    if tracked is None:
        return content
    kind = _KINDS[str(tracked.tag)]
    is_whole = all(isinstance(i, Text) and i.change and i.change.kind == kind for i in content)
    if is_whole or not is_shown(content):
        return content
    change = Change(kind, tracked.get(W_AUTHOR, ""), tracked.get(W_ID, ""))
    return [*content, Text(PILCROW, Mark.NONE, change)]


def make_block(
    anchor: str,
    properties: ParagraphProperties,
    content: tuple[Inline, ...],
    ledger: Ledger,
    run: ListRun,
    box: bool | None,
) -> Block:
    """The block that a paragraph is.

    Args:
        anchor: Its anchor.
        properties: Of the paragraph whose mark survives.
        content: Its inlines, those of paragraphs joined to it included.
        ledger: Its numbering is counted on.
        run: The list that stands open where it comes; an item is added, another block ends it.
        box: State of a check box that begins it.
    """
    if properties.hidden and not is_shown(content):
        # Nobody sees it: it takes no number, and keeps nothing apart.
        return Paragraph(anchor, content, properties.style.name)
    label = None
    if properties.num is not None:
        label = ledger.numbering.label(properties.num, properties.ilvl, counts=properties.counts)
    name = properties.style.name
    if properties.is_heading:
        run.end()
        level = 1 if properties.style.is_title else (properties.level or 0) + 1
        return Heading(anchor, level, content, "" if label is None else label.text, name)
    if label is not None and (label.text or label.is_bullet):
        return _item(anchor, properties, content, label, run, box)
    if box is not None:
        depth = run.depth(Label("", True, 0, properties.indent, "box"), properties.indent)
        return ListItem(anchor, depth, content, checked=box, style=name)
    return _plain(anchor, properties, content, run)


def _item(
    anchor: str,
    properties: ParagraphProperties,
    content: tuple[Inline, ...],
    label: Label,
    run: ListRun,
    box: bool | None,
) -> ListItem:
    indent = properties.indent
    if indent is None:
        indent = properties.style.indent if label.indent is None else label.indent
    checked = _checked(content) if box is None else box
    return ListItem(
        anchor,
        run.depth(label, indent),
        content,
        label.text,
        ordered=not label.is_bullet,
        checked=checked,
        style=properties.style.name,
    )


def _plain(
    anchor: str, properties: ParagraphProperties, content: tuple[Inline, ...], run: ListRun
) -> Block:
    style = properties.style
    if not style.is_code and not is_shown(content):
        return Paragraph(anchor, content, style.name)
    if style.is_code and is_code(content):
        run.end()
        return CodeBlock(anchor, plain_text(content), style.name)
    if style.is_quote:
        run.end()
        return Quote(anchor, content, style.name)
    indent = style.indent if properties.indent is None else properties.indent
    depth = run.continued(indent, is_named=style.is_continuation)
    if depth is None:
        run.end()
        return Paragraph(anchor, content, style.name, properties.leads)
    return ListItem(anchor, depth, content, continuation=True, style=style.name)


def rule(anchor: str, run: ListRun) -> Break:
    """A paragraph that is only a horizontal line."""
    run.end()
    return Break(anchor)


def is_shown(content: Iterable[Inline]) -> bool:
    """Whether a reader sees anything: text that is not blank, or a thing that is not text."""
    for inline in content:
        if isinstance(inline, Text):
            if not inline.text.isspace():
                return True
        elif isinstance(inline, Control | Field):
            if is_shown(inline.content):
                return True
        elif not isinstance(inline, LineBreak):
            return True
    return False


def is_code(content: tuple[Inline, ...]) -> bool:
    """Whether content is nothing but characters, so that a listing holds all of it."""
    return all(
        isinstance(inline, LineBreak) or (isinstance(inline, Text) and inline.change is None)
        for inline in content
    )


def plain_text(content: tuple[Inline, ...]) -> str:
    """The characters of content, a line break as U+000A."""
    return "".join(inline.text if isinstance(inline, Text) else "\n" for inline in content)


def _checked(content: tuple[Inline, ...]) -> bool | None:
    """The state of the box that begins an item as a character."""
    first = content[0] if content else None
    text = first.text.lstrip() if isinstance(first, Text) else ""
    return _BOXES.get(text[:1]) if text[1:2] in ("", " ", "\t", "\u00a0") else None


_PPR_CHANGE, _PSTYLE, _OUTLINE = W("pPrChange"), W("pStyle"), W("outlineLvl")
_NUM_PR, _NUM_ID, _ILVL, _IND = W("numPr"), W("numId"), W("ilvl"), W("ind")
_FRAME, _DROP_CAP, _VANISH = W("framePr"), W("dropCap"), W("vanish")
_DIRECT = frozenset({_NUM_PR, _OUTLINE, _IND, _FRAME})
