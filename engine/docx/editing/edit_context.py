"""What everybody who writes marks needs: the document, whose marks, free ids, what has changed."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.document_index import Survey
from redraft.engine.docx.formatting.model_paragraphs import Patterns
from redraft.engine.docx.formatting.style_cascade import Cascade
from redraft.engine.docx.judging.fingerprint import story_parts
from redraft.engine.docx.names import Element
from redraft.engine.docx.redline import textmap
from redraft.engine.docx.redline.line import Line, Stamp
from redraft.engine.docx.redline.revision_ids import Ids, taken
from redraft.engine.state import State


class Desk:
    """The working material of one edit.

    Attributes:
        survey: The document as it is resolved against.
        state: Whose marks stood in it before.
        stamp: Who edits, and when.
        ids: Our marks, old and new, and free ids.
        patterns: What new paragraphs are modelled on.
        shown: Blocks that new ones shall look like, by their anchors, as they were before the plan.
        changed: For each part its former paragraphs and tables that changed, and what stands in
            the place of each now (`splice.Splicer.bytes`).
        whole: Parts in which something outside paragraphs and tables changes.
        appended: For each part what comes at the end of its root.
        pieces: For a paragraph that was split, what it became, in order, itself the last.
        beside_controls: For a content control itself and the new blocks beside it, in order.
        numbers: The highest number that was given so far, by what is numbered.
        sizes: How many characters each of these pieces has.
        bare: Paragraphs of ours known to hold nothing of the baseline, nor what we inserted in
            front of them (`leftover.is_left`).
    """

    def __init__(
        self,
        survey: Survey,
        state: State,
        stamp: Stamp,
        shown: Mapping[str, Element] | None = None,
    ) -> None:
        self.survey = survey
        self.state = state
        self.stamp = stamp
        self.package = survey.package
        used = taken([self.package.read(part) for part in story_parts(self.package)])
        self.ids = Ids(used, state.ours, state.formatted)
        self.patterns = Patterns(self.package, survey.styles)
        self.shown = shown or {}
        self.changed: dict[str, dict[Element, list[Element]]] = {}
        self.whole: set[str] = set()
        self.appended: dict[str, list[Element]] = {}
        self.pieces: dict[Element, list[Element]] = {}
        self.beside_controls: dict[Element, list[Element]] = {}
        self.bare: set[Element] = set()
        self.sizes: dict[Element, int] = {}
        self.numbers: dict[str, int] = {}
        self._cascade: Cascade | None = None

    @property
    def cascade(self) -> Cascade:
        """What the styles and lists say, read again only when a step has changed them."""
        if self._cascade is None or not self._cascade.is_current:
            self._cascade = Cascade(self.package)
        return self._cascade

    def note(self, part: str, block: Element) -> list[Element]:
        """Notes that a former paragraph or table changes.

        Returns:
            What stands in its place, itself at first: the caller adds new neighbours to the list
            and takes out what is removed from the tree.
        """
        return self.changed.setdefault(part, {}).setdefault(block, [block])

    def standing(self, part: str, block: Element) -> list[Element]:
        """Notes that a block changes, which may be new itself; what it stands among."""
        known = self.changed.get(part, {})
        # What is new stands beside the block that it came from.
        near = (known[e] for e in (block, block.getnext(), block.getprevious()) if e in known)
        for elements in itertools.chain(near, known.values()):
            if any(block is other for other in elements):
                return elements
        return self.note(part, block)

    def line(self, place: Place) -> Line:
        """Returns the line of a paragraph as it stands now, with all marks of ours.

        Offsets are those of the survey as long as only objects and formatting have changed.
        """
        return textmap.read(
            place.element,
            self.ids.ours,
            self.survey.opened(place),
            frozenset(self.ids.formatted),
        )

    def append(self, part: str, element: Element) -> None:
        """Puts an element at the end of the root of a part with text, when the round is over."""
        self.appended.setdefault(part, []).append(element)

    def note_place(self, place: Place) -> list[Element]:
        """Notes that the paragraph or table of a place changes."""
        return self.note(place.part, place.element)
