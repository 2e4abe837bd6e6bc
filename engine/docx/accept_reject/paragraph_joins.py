"""Joins paragraphs whose marks go with the next ones.

What a paragraph holds comes before the content of the next one, which keeps its properties. Of a
chain of such paragraphs everything is put in place once, at the end of the chain.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from redraft.engine.docx.names import (
    W_DEL_TEXT,
    W_FLD_SIMPLE,
    W_HYPERLINK,
    W_P,
    W_PPR,
    W_R,
    W_RPR,
    W_T,
    W_TBL,
    W_TC,
    W_TR,
    W_TR_PR,
    Element,
    W,
)
from redraft.engine.docx.range_markers import beside

_PROOF: Final = W("proofErr")
_BLOCKS: Final = (W_P, W_TBL, W("sdt"), W("customXml"))


class Joiner:
    """Joins the paragraphs of one part one after the other, in any order.

    The tree is as it should be only after `finish`: until then what removed paragraphs held waits.
    """

    def __init__(self, changed: set[Element] | None) -> None:
        """Start with nothing joined.

        Args:
            changed: Takes up the paragraphs that others are joined with; None when nobody asks.
        """
        self._changed = changed
        self._waiting: dict[Element, deque[Element]] = {}

    def is_held(self, paragraph: Element, is_going: Callable[[Element], bool]) -> bool:
        """Whether a paragraph that cannot be joined may be so, or be gone, by what is undecided.

        Its mark then stays to be decided on. That is so where a table may yet go the same way, and
        where all that the paragraph holds may: taking the mark off would leave an empty paragraph.

        Args:
            paragraph: A paragraph whose mark is to go.
            is_going: Whether a mark will take away what it stands around, once the same people
                decide on it in the same way.
        """
        parent, other = paragraph.getparent(), beside(paragraph, forward=True)
        if other is not None and other.tag == W_P:
            return False
        content = [*self._waiting.get(paragraph, ()), *_content(paragraph)]
        content = [element for element in content if not is_hollow(element)]
        if content and all(_may_go(element, is_going) for element in content):
            return True
        if other is None and parent is not None and parent.tag == W_TC:
            other = paragraph.getprevious()
        elif not content:
            return False
        if other is None or other.tag != W_TBL:
            return False
        self._put_inside(other)
        rows = (row.find(W_TR_PR) for row in other.iter(W_TR))
        return all(row is not None and any(map(is_going, row)) for row in rows)

    def join(self, paragraph: Element) -> None:
        """Let what a paragraph holds wait for the next one, or drop the paragraph when empty."""
        parent = paragraph.getparent()
        if parent is None:
            return
        following = beside(paragraph, forward=True)
        content = _content(paragraph)
        if following is None or following.tag != W_P:
            is_empty = all(map(is_hollow, [*self._waiting.get(paragraph, ()), *content]))
            if is_empty and not _is_last_paragraph(paragraph):
                parent.remove(paragraph)
            return
        chain = self._waiting.pop(paragraph, deque())
        chain.extend(content)
        # One is there already only when the paragraphs are not joined in their order.
        behind = self._waiting.get(following)
        if behind is not None:
            behind.extendleft(reversed(chain))
        elif chain:
            self._waiting[following] = chain
        if self._changed is not None:
            self._changed.add(following)
        parent.remove(paragraph)

    def finish(self) -> None:
        """Put everything that waits in its place."""
        for paragraph, chain in self._waiting.items():
            _put(paragraph, chain)
        self._waiting.clear()

    def _put_inside(self, element: Element) -> None:
        """Put in its place what waits for the paragraphs in an element that is looked at."""
        for paragraph in list(element.iter(W_P)) if self._waiting else ():
            chain = self._waiting.pop(paragraph, None)
            if chain is not None:
                _put(paragraph, chain)
                for child in chain:
                    self._put_inside(child)


def _content(paragraph: Element) -> list[Element]:
    return [child for child in paragraph if child.tag not in (W_PPR, _PROOF)]


def is_hollow(element: Element) -> bool:
    """Whether something in a paragraph is a run of which nothing is shown."""
    return element.tag == W_R and all(
        child.tag == W_RPR or (child.tag in (W_T, W_DEL_TEXT) and not child.text)
        for child in element
    )


def _may_go(element: Element, is_going: Callable[[Element], bool]) -> bool:
    """Whether something in a paragraph is nothing but what undecided marks may take away."""
    if element.tag == _PROOF or is_going(element):
        return True
    is_emptied = element.tag in (W_HYPERLINK, W_FLD_SIMPLE) and len(element) > 0
    return is_emptied and all(_may_go(child, is_going) for child in element)


def _put(paragraph: Element, chain: deque[Element]) -> None:
    at = 1 if paragraph.find(W_PPR) is not None else 0
    paragraph[at:at] = list(chain)


def _is_last_paragraph(paragraph: Element) -> bool:
    """Whether its container cannot do without it: a cell, a note, a body that ends in it."""
    parent = paragraph.getparent()
    if parent is None:
        return True
    after = next(paragraph.itersiblings(*_BLOCKS), None)
    if after is not None and parent.tag != W_TC:
        return False
    before = next(paragraph.itersiblings(*_BLOCKS, preceding=True), None)
    if after is None and before is None:
        return True
    if parent.tag != W_TC:
        return False
    last = before if after is None else next(parent.iterchildren(*_BLOCKS, reversed=True))
    return last is not None and last.tag == W_TBL
