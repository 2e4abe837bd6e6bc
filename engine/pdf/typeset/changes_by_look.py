"""Cut changes that go over words of several looks, so that what is new looks as what it replaces.

Within `**Fee:** 100 a month` the change of `Fee: 100` to `Price: 120` is two: a bold word becomes
another bold one, a plain number another plain one, and what stands between them is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from redraft.engine.diff import Token, hunks, is_word, tokens
from redraft.engine.pdf.glyphs.edited_words import Change
from redraft.engine.pdf.glyphs.glyphs import Glyph
from redraft.engine.pdf.glyphs.mapping import Located

_Look = tuple[str, float, bytes]


def cut_by_look(located: Located, changes: Sequence[Change]) -> list[Change]:
    """Cuts changes of a block whose characters have several looks; others stay as they are."""
    return [part for change in changes for part in _cut(located, change)]


def _cut(located: Located, change: Change) -> Iterator[Change]:
    if not change.text or not _is_mixed(located, change):
        yield change
        return
    before = tokens(located.text[change.start : change.end])
    after = tokens(change.text)
    starts = _starts(before, change.start)
    for hunk in hunks(list(map(Token, before)), list(map(Token, after)), sentences=False):
        text = "".join(after[hunk.new_start : hunk.new_end])
        part = Change(starts[hunk.start], starts[hunk.end], text)
        yield from _shared(located, part) if _is_mixed(located, part) else (part,)


def _shared(located: Located, change: Change) -> Iterator[Change]:
    """Shares new words out among the looks of the old ones.

    A look ends behind the mark that it ended with, else by the share of words that it had.
    """
    before = tokens(located.text[change.start : change.end])
    after = tokens(change.text)
    starts = _starts(before, change.start)
    old = [n for n, token in enumerate(before) if is_word(token)]
    new = [n for n, token in enumerate(after) if is_word(token)]
    runs = groupby(old, key=lambda n: _look(located.glyphs[starts[n]]))
    counts = [len(list(run)) for _, run in runs]
    if len(counts) < 2 or len(new) < 2:
        yield change
        return
    bounds, done = [(0, 0)], 0
    for count in counts[:-1]:
        done += count
        mark = next(token for token in reversed(before[: old[done]]) if not token.isspace())
        ends = after.index(mark) if mark in after and not is_word(mark) else None
        share = round(done * len(new) / len(old))
        at = share if ends is None else sum(n < ends for n in new)
        at = max(1, min(len(new) - 1, at))
        bounds.append((old[done], new[at]))
    bounds.append((len(before), len(after)))
    for (first, new_first), (end, new_end) in pairwise(bounds):
        yield Change(starts[first], starts[end], "".join(after[new_first:new_end]))


def _starts(parts: Sequence[str], at: int) -> list[int]:
    """Returns where parts of a text begin, and where the last one ends."""
    starts = [at]
    for part in parts:
        starts.append(starts[-1] + len(part))
    return starts


def _is_mixed(located: Located, change: Change) -> bool:
    glyphs = (glyph for glyph in located.glyphs[change.start : change.end] if glyph is not None)
    return len({_look(glyph) for glyph in glyphs if not glyph.is_blank}) > 1


def _look(glyph: Glyph | None) -> _Look | None:
    if glyph is None:
        return None
    return glyph.show.state.font_name, round(glyph.size, 1), glyph.show.state.fill
