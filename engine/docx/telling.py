"""What a person is told beside what a plan does: what was left out, went along, or may stay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine import standing
from engine.docx.names import W_INS, W_SDT
from engine.docx.targets import Work
from engine.docx.text.textmap import revision_id

_SHOWN: Final = 5
_CONTROLS: Final = (
    "A content control is among the deleted text. Its words are tracked, and the control itself is "
    "not marked in the form that Word has for it: Word may leave an empty control where the text "
    "stood once the deletion is accepted there"
)


def told(work: Work, ours: Mapping[int, str], *, is_tracked: bool) -> tuple[str, ...]:
    """The warnings of a round.

    Args:
        work: The resolved round, before it is carried out.
        ours: Our marks, by their ids.
        is_tracked: Whether what is deleted can be rejected.
    """
    return (
        *_skipped(work),
        *standing.told(work.said),
        *_in_words(work),
        *_cited(work),
        *(_controls(work, ours) if is_tracked else ()),
    )


def _skipped(work: Work) -> tuple[str, ...]:
    if not work.skipped:
        return ()
    places = "1 place was" if work.skipped == 1 else f"{work.skipped} places were"
    return (f"{places} left as they are: computed fields, which Word updates itself",)


def _in_words(work: Work) -> tuple[str, ...]:
    """Warn of hits inside longer words, which a person may not have meant."""
    if not work.longer:
        return ()
    words = ", ".join(f"“{word}”" for word, _ in work.longer.most_common(_SHOWN))
    more = " and others" if len(work.longer) > _SHOWN else ""
    places = "1 place" if work.longer.total() == 1 else f"{work.longer.total()} places"
    return (
        f"Also changed inside longer words, in {places}: {words}{more}; "
        "say “as whole words” to leave these as they are",
    )


def _cited(work: Work) -> tuple[str, ...]:
    """Warn of notes that went with the words around them."""
    if not work.cited:
        return ()
    count = len(work.cited)
    notes = "A note was" if count == 1 else f"{count} notes were"
    return (f"{notes} deleted along with the words on both sides of the reference to it",)


def _controls(work: Work, ours: Mapping[int, str]) -> tuple[str, ...]:
    """Warn of content controls of the baseline in deleted blocks (17.13.5.4, customXmlDelRange)."""
    for element in work.removals:
        for control in element.iter(W_SDT):
            if not any(revision_id(mark) in ours for mark in control.iterancestors(W_INS)):
                return (_CONTROLS,)
    return ()
