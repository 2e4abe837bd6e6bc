"""Is an edited PDF read as the next edit will need it: all words, in the right blocks?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain

from redraft.engine.errors import RefusedError, UnreadableError, VerificationError
from redraft.engine.pdf.glyphs.lines import letters
from redraft.engine.pdf.glyphs.target_blocks import Target, known_in
from redraft.engine.pdf.resolved_edits import Edits, changed
from redraft.engine.pdf.verify.wording import MisreadError, check_words


def check_reading(edited: bytes, known: Sequence[Target], edits: Edits, *, is_pushed: bool) -> None:
    """Reads the edited file as the next edit will, and hold its words against what was asked."""
    if not (edits.changes or edits.looks or edits.deleted or edits.inserted):
        return
    try:
        after = known_in(edited)
    except UnreadableError:
        after = []  # nothing is left to be read: right only where everything was to go
    moved = _misread_below(after, known, edits) if is_pushed and not edits.closed else []
    try:
        check_words(known, after, edits)
    except MisreadError as error:
        raise MisreadError(error.message, [*error.anchors, *moved]) from None
    if edits.closed:
        _check_closed(after, known, edits)
    elif moved:
        message = "The edit was not kept: what was moved down would read differently there"
        raise MisreadError(message, moved)
    _check_places(after, known, edits)


def _check_closed(after: Sequence[Target], known: Sequence[Target], edits: Edits) -> None:
    """Makes sure that what moved up reads as it did."""
    remaining = [t for t in known if t.anchor not in edits.deleted]
    before, now = ([f"{t.label} {t.text}".split() for t in texts] for texts in (remaining, after))
    if list(chain.from_iterable(before)) != list(chain.from_iterable(now)):
        message = "The gap cannot be closed: what is below would read differently there; leave it"
        raise RefusedError(message)


def _misread_below(after: Sequence[Target], known: Sequence[Target], edits: Edits) -> list[str]:
    """Returns what was not touched and does not read as it did, with its bullets and numbers."""
    touched = set(edits.touched())
    others = [target for target in known if target.anchor not in touched]
    lost = Counter((target.label, target.text) for target in others)
    lost -= Counter((target.label, target.text) for target in after)
    return [target.anchor for target in others if (target.label, target.text) in lost]


def _check_places(after: Sequence[Target], known: Sequence[Target], edits: Edits) -> None:
    """Makes sure that of several blocks with the same words the right one was edited."""
    texts = Counter(target.text for target in known)
    doubtful = [
        target
        for target in known
        if texts[target.text] > 1
        and (target.anchor in edits.changes or target.anchor in edits.deleted)
    ]
    if not doubtful and not edits.inserted:
        return
    _check_inserted(after, edits)
    now = {target.anchor: target.text for target in after}
    texts_left = [changed(t.text, edits.changes.get(t.anchor, ())) for t in known]
    texts_left = [
        text for text, t in zip(texts_left, known, strict=True) if t.anchor not in edits.deleted
    ]
    is_as_expected = texts_left == [target.text for target in after]
    for target in doubtful:
        is_changed = target.anchor in edits.changes and now.get(target.anchor) != target.text
        if not is_as_expected and not is_changed:
            message = f"The edit was not kept: the words of {target.anchor} stand in several places"
            raise VerificationError(message)


def _check_inserted(after: Sequence[Target], edits: Edits) -> None:
    """Makes sure that new paragraphs read as such."""
    texts = {letters(target.text) for target in after}
    for insertion in edits.inserted:
        for text in insertion.text.split("\n"):
            if letters(text) not in texts:
                message = "The new paragraph would run into the text beside it; there is no room"
                raise RefusedError(message)
