"""The strategies an edit is tried with, and which blocks are in the way when none succeeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from redraft.engine.errors import EditError, RefusedError
from redraft.engine.pdf.glyphs.target_blocks import Target
from redraft.engine.pdf.resolved_edits import Edits
from redraft.engine.pdf.typeset.page_edit import PageEdit
from redraft.engine.pdf.typeset.typesetter import NoRoomError
from redraft.engine.pdf.verify.wording import MisreadError

MOST_ATTEMPTS: Final = 4
NAMED: Final = 3
QUOTED: Final = 30
"""How many blocks a refusal names, and how much of each it quotes."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """How an edit is tried.

    Nothing is moved down on the pages `still` (0-based). The lines of the blocks `kept` end with
    the words with which they ended.
    """

    still: frozenset[int] = frozenset()
    frozen: frozenset[str] = frozenset()

    def other(
        self,
        error: EditError,
        page_edits: Mapping[int, PageEdit],
        edits: Edits,
        known: Sequence[Target],
    ) -> Strategy:
        """Returns the strategy to try next; the same one where there is no other.

        Args:
            error: why this one did not pass.
            page_edits: the pages as they were edited.
            edits: what is to be done.
            known: the blocks of the file.
        """
        moved = pushed(page_edits, edits)
        if not isinstance(error, MisreadError):
            return replace(self, still=self.still | moved)
        pages = {target.anchor: target.page for target in known}
        still = moved & {pages[anchor] for anchor in error.anchors}
        others = {anchor for anchor in error.anchors if pages[anchor] not in still}
        if any(anchor not in edits.changes for anchor in others):
            still = moved
        return Strategy(self.still | still, self.frozen | (others & set(edits.changes)))


def pushed(page_edits: Mapping[int, PageEdit], edits: Edits) -> frozenset[int]:
    """Returns the pages on which something was moved down to make room."""
    if edits.closed:
        return frozenset()
    return frozenset(index for index, page_edit in page_edits.items() if page_edit.moved)


def refusal_of(
    errors: Mapping[str, RefusedError], edits: Edits, known: Sequence[Target]
) -> RefusedError:
    """Says which of the blocks to be changed cannot be.

    Args:
        errors: why not, by anchor.
        edits: what is to be done.
        known: the blocks of the file.
    """
    first = next(iter(errors.values()))
    kind = NoRoomError if isinstance(first, NoRoomError) else RefusedError
    return kind(in_the_way(str(first), list(errors), edits, known))


def in_the_way(reason: str, anchors: Sequence[str], edits: Edits, known: Sequence[Target]) -> str:
    """Adds to a reason where it holds, how many other blocks there are, and what to do.

    Args:
        reason: why the first of the blocks cannot be changed.
        anchors: all that cannot be.
        edits: what is to be done.
        known: the blocks of the file.
    """
    every, others = len(edits.changes), len(set(edits.changes) - set(anchors))
    anchors = [anchor for anchor in anchors if anchor in edits.changes]
    if not anchors or not others:
        return reason
    targets = {target.anchor: target for target in known}
    named = [
        f"{anchor} on page {targets[anchor].page + 1} ({_begun(targets[anchor].text)})"
        for anchor in anchors[:NAMED]
    ]
    more = len(anchors) - NAMED
    if more > 0:
        named.append("1 more" if more == 1 else f"{more} more")
    where = named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
    them = "it" if len(anchors) == 1 else "them"
    return (
        f"{reason}. In the way: {where}. The other {others} of the {every} paragraphs can be "
        f"changed without {them}: say in which sections, tables or paragraphs"
    )


def _begun(text: str) -> str:
    """Quotes the first words of a text."""
    words = " ".join(text.split())
    if len(words) <= QUOTED:
        return f'"{words}"'
    return f'"{words[:QUOTED].rsplit(" ", 1)[0]}…"'
