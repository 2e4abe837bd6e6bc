"""What a person is told beside what a plan does: what was left out, went along, or may stay."""

from __future__ import annotations

from typing import Final

from redraft.engine import already_applied
from redraft.engine.docx.resolution.resolve import Work

_SHOWN: Final = 5


def told(work: Work) -> tuple[str, ...]:
    """The warnings of a round that is resolved and not yet carried out."""
    return (*_skipped(work), *already_applied.told(work.repeated), *_in_words(work), *_cited(work))


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
