"""Does an edited block read as it should, word by word, joined and without broken hyphens?

That every letter is there in its order is not enough: a line that is set at a wrong place makes a
reader end the paragraph there, and the two halves of a broken word become two words.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from redraft.engine.errors import VerificationError
from redraft.engine.pdf.glyphs.target_blocks import Target
from redraft.engine.pdf.resolved_edits import Edits, changed


class MisreadError(VerificationError):
    """The words of blocks, `anchors`, are not read as they should be."""

    def __init__(self, message: str, anchors: Sequence[str] = ()) -> None:
        super().__init__(message, tuple(anchors))
        self.message = message
        self.anchors = tuple(anchors)

    def __str__(self) -> str:
        return self.message


# A note that lost its mark is body again.
_PAGED = ("body", "footnote")


def check_words(known: Sequence[Target], after: Sequence[Target], edits: Edits) -> None:
    """Compares the words of edited blocks with those that are read after the edit.

    A block may be read as several, but none of its words may be. And what begins a page may, now
    that its first word is another one, be read as the end of what was the last block before.

    Args:
        known: the blocks before the edit.
        after: the blocks of the edited file.
        edits: what was done.

    Raises:
        MisreadError: the words of some blocks are not read as they should be.
    """
    touched = {*edits.changes, *(look.anchor for look in edits.looks)}
    touched -= set(edits.deleted)
    wanted = [target for target in known if target.anchor in touched]
    pages = {target.page + n for target in wanted for n in (0, 1)}
    by_place: dict[tuple[bool, int], list[str]] = {}
    grown: dict[tuple[bool, int], list[list[str]]] = {}
    texts = {target.text for target in known}
    for target in after:
        place = (target.story in _PAGED, target.page)
        if target.page in pages:
            by_place.setdefault(place, []).extend(_words(f"{target.label} {target.text}"))
        if target.page + 1 in pages and target.text not in texts:
            grown.setdefault(place, []).append(list(_words(target.text)))
    misread: list[Target] = []
    for target in wanted:
        expected = list(_words(changed(target.text, edits.changes.get(target.anchor, ()))))
        is_body = target.story in _PAGED
        # A block goes on on the next page; what pages repeat does not.
        here = by_place.get((is_body, target.page), [])
        following = by_place.get((is_body, target.page + 1), []) if is_body else []
        before = grown.get((is_body, target.page - 1), []) if is_body else []
        is_end = any(words[-len(expected) :] == expected for words in before)
        if not (_holds([*here, *following], expected) or is_end):
            misread.append(target)
    if misread:
        first = misread[0]
        message = (
            f"The edit was not kept: the words of {first.anchor} on page {first.page + 1} would "
            "read differently where its lines break; change fewer words or rewrite the whole "
            "paragraph"
        )
        raise MisreadError(message, [anchor_misread.anchor for anchor_misread in misread])


def _words(text: str) -> Iterator[str]:
    """Yields the words of a text.

    Ligatures are letters, and marks that are not seen are nothing.
    """
    plain = unicodedata.normalize("NFKC", text)
    for word in plain.split():
        seen = "".join(char for char in word if unicodedata.category(char) != "Cf")
        if seen:
            yield seen


def _holds(words: Sequence[str], expected: Sequence[str]) -> bool:
    """Whether words stand in others one after the other."""
    return f" {' '.join(expected)} " in f" {' '.join(words)} " if expected else True
