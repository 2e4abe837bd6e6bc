"""A resolved operation that is more than words: what it will change, and how it writes itself.

Words, new paragraphs and deletions are `engine.docx.resolution.resolve.Work` itself; everything
else a plan can do is a step. A step is resolved against the untouched file, forecasts what the
final view will say, and writes its marks when all operations are resolved. The judge
(`engine.docx.verification`) holds the result against the forecast, so that a step which writes
something else is never saved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.names import Element

# What a block says: its text, and the names of the objects in it
# (`engine.docx.judging.final_text`).
Wording: TypeAlias = tuple[str, tuple[str, ...]]
# What the comparison of baselines overlooks, because Word cannot track it.
Blind: TypeAlias = Literal["links", "comments", "alt_text", "controls"]


@dataclass(frozen=True, slots=True)
class Addition:
    """Blocks that will stand beside an element: a paragraph, table, row or cell."""

    beside: Element
    where: Literal["before", "after"]
    blocks: tuple[Wording, ...]


@dataclass(frozen=True, slots=True)
class Forecast:
    """How the final view differs afterwards, in elements of the untouched tree.

    Attributes:
        gone: Paragraphs, rows, cells and tables that will say nothing, with all that is in them.
        added: New blocks.
        said: Physical paragraphs whose wording changes, with all that they will say.
        cut: Physical paragraphs that become several blocks: the offsets where new ones begin.
        joined: Physical paragraphs that become one block with the next one.
        counts: By how much there will be more of what `judging.validity.counts` counts, for the
            block or table in which that happens.
        parts: Parts with text to which the step adds blocks itself, or that it makes.
        struck: Physical paragraphs that lose objects: the places of these among their objects.
        placed: Physical paragraphs that get objects: for each the place among their objects before
            which it comes, where in the text, and its name.
        like: Cells in whose columns new cells get a text.
    """

    gone: frozenset[Element] = frozenset()
    added: tuple[Addition, ...] = ()
    said: Mapping[Element, Wording] = field(default_factory=dict[Element, Wording])
    cut: Mapping[Element, tuple[int, ...]] = field(default_factory=dict[Element, "tuple[int, ...]"])
    joined: frozenset[Element] = frozenset()
    counts: Mapping[Element, Mapping[str, int]] = field(
        default_factory=dict[Element, "Mapping[str, int]"]
    )
    parts: frozenset[str] = frozenset()
    struck: Mapping[Element, frozenset[int]] = field(
        default_factory=dict[Element, "frozenset[int]"]
    )
    placed: Mapping[Element, tuple[tuple[int, int, str], ...]] = field(
        default_factory=dict[Element, "tuple[tuple[int, int, str], ...]"]
    )
    like: frozenset[Element] = frozenset()


class Step(Protocol):
    """A resolved operation."""

    @property
    def places(self) -> tuple[Place, ...]:
        """The paragraphs and tables that it may change, at least one of every place it touches."""
        ...

    @property
    def forecast(self) -> Forecast:
        """What the final view will say."""
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
