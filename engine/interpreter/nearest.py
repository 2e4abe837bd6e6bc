"""What of the document is nearest to words that are not in it, the difference marked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher, get_close_matches

from redraft.engine.interpreter.lines import looked_for
from redraft.engine.locate import closest

_WORD = re.compile(r"[^\W_]+(?:['\u2019.,:/-][^\W_]+)*")
_AROUND = 4
_MOST_SHOWN = 40
_ALIKE = 0.8


def nearest(texts: Sequence[str], quote: str) -> tuple[str, str]:
    """Returns the passage that is most like a quote, and what to say of it.

    What is said shows the place in it, words that differ from the quote between ⟪ and ⟫; both are
    empty where nothing is alike.
    """
    passage = closest(texts, quote)
    if not passage:
        passage = _spelled(texts, quote)
    return (passage, f"Closest passage: {marked(passage, quote)}") if passage else ("", "")


def marked(passage: str, quote: str) -> str:
    """Returns the stretch of a passage that is most like a quote, what differs marked."""
    wanted = [looked_for(word) for word in _WORD.findall(quote)]
    places = list(_WORD.finditer(passage))
    words = [looked_for(place[0]) for place in places]
    if not wanted or not words or len(wanted) > _MOST_SHOWN:
        return passage
    size = min(len(wanted), len(words))
    starts = range(len(words) - size + 1)
    if set(words) & set(wanted):
        start = max(
            starts,
            key=lambda at: (len(set(words[at : at + size]) & set(wanted)), words[at] == wanted[0]),
        )
    else:
        text = " ".join(wanted)
        start = max(starts, key=lambda at: _likeness(" ".join(words[at : at + size]), text))
    blocks = SequenceMatcher(None, words[start : start + size], wanted, autojunk=False)
    different = {
        start + at
        for tag, first, last, _, _ in blocks.get_opcodes()
        if tag in ("replace", "delete")
        for at in range(first, last)
    }
    first, last = max(0, start - _AROUND), min(len(words), start + size + _AROUND)
    shown: list[str] = []
    end = places[first].start() if first else 0
    for at in range(first, last):
        place = places[at]
        shown.append(passage[end : place.start()])
        shown.append(f"\u27ea{place[0]}\u27eb" if at in different else place[0])
        end = place.end()
    tail = passage[end:] if last == len(words) else "…"
    return ("…" if first else "") + "".join(shown).replace("\u27eb \u27ea", " ") + tail


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _spelled(texts: Sequence[str], quote: str) -> str:
    """The passage with a word that is spelled nearly like the longest word of a quote."""
    longest = max(_WORD.findall(looked_for(quote)), key=len, default="")
    known = {word: text for text in texts for word in _WORD.findall(looked_for(text))}
    near = get_close_matches(longest, known, 1, _ALIKE) if len(longest) > 3 else []
    return known[near[0]] if near else ""
