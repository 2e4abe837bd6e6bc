"""A resolved operation that is more than words: what it will change, and how it writes itself.

Words, new paragraphs and deletions are `engine.docx.resolution.resolve.Work` itself; everything
else a plan can do is a step. A step is resolved against the untouched file, says what it takes away
and what it joins, and writes its marks when all operations are resolved. What the result should say
is worked out from the plan alone (`engine.judge`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.names import Element

# What the comparison of baselines overlooks, because Word cannot track it.
Blind: TypeAlias = Literal["links", "comments", "alt_text", "controls"]


@dataclass(frozen=True, slots=True)
class Addition:
    """That something comes beside an element: a paragraph, table, row or cell.

    `is_empty`: it has neither text nor objects, so that it may go with what it stands in.
    """

    beside: Element
    where: Literal["before", "after"]
    is_empty: bool = False


@dataclass(frozen=True, slots=True)
class Reach:
    """What a step changes besides words, in elements of the untouched tree.

    Other steps may be at odds with it (`resolution.conflicts`), and the judge counts objects.

    Attributes:
        gone: Paragraphs, rows, cells and tables that will say nothing, with all that is in them.
        added: Where something new comes.
        cut: Physical paragraphs that become several blocks.
        joined: Physical paragraphs that become one block with the next one.
        counts: By how much there will be more of what `judging.validity.counts` counts, for the
            block or table in which that happens.
        parts: Parts with text to which the step adds blocks itself, or that it makes.
        like: Cells in whose columns new cells get a text.
    """

    gone: frozenset[Element] = frozenset()
    added: tuple[Addition, ...] = ()
    cut: frozenset[Element] = frozenset()
    joined: frozenset[Element] = frozenset()
    counts: Mapping[Element, Mapping[str, int]] = field(
        default_factory=dict[Element, "Mapping[str, int]"]
    )
    parts: frozenset[str] = frozenset()
    like: frozenset[Element] = frozenset()


class Step(Protocol):
    """A resolved operation."""

    @property
    def places(self) -> tuple[Place, ...]:
        """The paragraphs and tables that it may change, at least one of every place it touches."""
        ...

    @property
    def reach(self) -> Reach:
        """What it changes besides words."""
        ...

    @property
    def blind(self) -> frozenset[Blind]:
        """What of it Word cannot track: the baseline changes along with the working copy."""
        ...

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know of it: what is not tracked, what was left."""
        ...

    def write(self, desk: Desk) -> bool:
        """Writes it into the trees of the package; whether anything differs now.

        Every paragraph or table that changes is noted at the desk before it changes.

        Raises:
            RefusedError: it cannot be carried out after all.
        """
        ...
