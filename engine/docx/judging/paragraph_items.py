"""The pieces of a paragraph in canonical form, of which adjacent ones may be merged."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import takewhile

from redraft.engine.docx.names import (
    RANGE_ENDS,
    TAGS_ENDS,
    TAGS_STARTS,
    W_DEL,
    W_ID,
    W_INS,
    W_SDT,
    W_SDT_CONTENT,
    Element,
    W,
)


@dataclass(slots=True)
class Item:
    """A piece of a paragraph: a run, a tracked stretch, another wrapper, or anything else.

    `key` says what must be equal to be merged with a neighbour; None never merges. `element` is
    what a piece is of that is nothing but one.
    """

    key: tuple[str, ...] | None
    parts: list[str | Item] = field(default_factory=list["str | Item"])
    element: Element | None = None

    def said(self) -> str:
        """The canonical text."""
        inner = "".join(part if isinstance(part, str) else part.said() for part in self.parts)
        return f"({'|'.join(self.key or ())}:{inner})"


def laid_bare(wrapper: Element, is_ours: Callable[[Element], bool]) -> Element | None:
    """What holds the content of a control that ranges of ours take off, one around each tag."""
    content = wrapper.find(W_SDT_CONTENT) if wrapper.tag == W_SDT else None
    if content is None or not len(content):
        return None
    opening = _ids(wrapper.itersiblings(preceding=True), _DEL_START, is_ours)
    closing = _ids(wrapper.itersiblings(), _DEL_END, is_ours)
    is_opened = opening and opening & _ids(content, _DEL_END, is_ours)
    is_closed = closing and closing & _ids(reversed(content), _DEL_START, is_ours)
    return content if is_opened and is_closed else None


def closes(items: list[Item], marker: Element) -> bool:
    """Whether a marker ends a range of tags that began just there; what began it is taken away.

    A range without tags in it says nothing (17.13.5.4, customXmlDelRangeEnd).
    """
    start = items[-1].element if items else None
    if start is None or marker.tag not in TAGS_ENDS or start.get(W_ID) != marker.get(W_ID):
        return False
    if start.tag not in TAGS_STARTS or TAGS_STARTS[str(start.tag)] != TAGS_ENDS[str(marker.tag)]:
        return False
    items.pop()
    return True


def holds_marks(element: Element) -> bool:
    """Whether words in an element are inserted or deleted, by whomever."""
    return next(element.iter(W_INS, W_DEL), None) is not None


def _ids(
    markers: Iterable[Element], tag: str, is_ours: Callable[[Element], bool]
) -> set[str | None]:
    """The ids of our markers of a kind that stand next, before anything but markers."""
    near = takewhile(lambda each: each.tag in RANGE_ENDS, markers)
    return {each.get(W_ID) for each in near if each.tag == tag and is_ours(each)}


_DEL_START, _DEL_END = W("customXmlDelRangeStart"), W("customXmlDelRangeEnd")
