"""A tracked change as lines: who, when, where, the words struck and inserted, their context."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Literal, TypeAlias

from msgspec.structs import replace

from redraft.tui.clock import shown_date
from redraft.tui.look import Look
from redraft.tui.session.state import is_column
from redraft.tui.text.layout import shown as drawn
from redraft.tui.text.runs import BOLD, Line, Run, clip, clip_line, one_line, plain, spread, width
from redraft.tui.text.whole_tokens import Difference, widened
from redraft.tui.text.wrap import wrap
from redraft.tui.transport.wire import Change, HistoryItem

ChangeMode: TypeAlias = Literal["inline", "split", "final", "original"]
MODES: tuple[ChangeMode, ...] = ("inline", "split", "final", "original")
SPLIT_WIDTH = 72  # cells; below it two columns are too narrow to read
MARGIN = 4
NEAR = 24  # characters of context before a change that is drawn in one line
CUT = 40  # characters; the service cuts context at about sixty, so a shorter one is whole
KINDS = {
    "insertion": "inserted",
    "deletion": "deleted",
    "replacement": "replaced",
    "format": "format",
    "paragraph": "paragraph mark",
    "move": "moved",
    "row": "row",
    "cell": "cell",
    "table": "table",
    "other": "changed",
}
IN_TABLES = ("row", "cell", "table")
UNSAID = "as styled"  # a property that was, or becomes, what the style says
# A change of a row names the row; the words after it are those of the row, which are shown anyway.
ROW = re.compile(r", row \d+, column ")
TABLE_PLACE = re.compile(r"(.*?\bTable \d+(?:, (?:row|column) \d+)*) · ", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Context:
    """What a change is drawn with: edits by uid, authors in order of their colours, the mode.

    `moved` are the ids of the changes that are one end of a move.
    """

    edits: Mapping[str, HistoryItem]
    authors: Sequence[str]
    mode: ChangeMode
    zone: tzinfo | None
    moved: frozenset[str] = frozenset()

    def role(self, author: str) -> str:
        """Return the colour of an author."""
        return f"author{self.authors.index(author) % 6}" if author in self.authors else "muted"


def with_whole_tokens(change: Change) -> Change:
    """Returns a replacement whose struck and inserted words hold whole numbers and brackets."""
    if not change.before or not change.after:
        return change
    given = Difference(change.lead, change.before, change.after, change.trail)
    wide = widened(given)
    if wide == given:
        return change
    front = len(change.lead) - len(wide.lead)
    back = len(change.trail) - len(wide.trail)
    lead, trail = _original_context(change)
    is_alike = lead.endswith(wide.before[:front]) and trail.startswith(change.trail[:back])
    if not is_alike:  # what stands beside it was changed, too
        return change
    return replace(
        change,
        lead=wide.lead,
        before=wide.before,
        after=wide.after,
        trail=wide.trail,
        original_lead=lead[: len(lead) - front],
        original_trail=trail[back:],
    )


def _original_context(change: Change) -> tuple[str, str]:
    lead, trail = change.original_lead, change.original_trail
    return change.lead if lead is None else lead, change.trail if trail is None else trail


def difference(change: Change, cells: int, look: Look, *, is_moved: bool = False) -> Line:
    """Draw a change in one line: what was struck and inserted, with a little around it.

    Of a move (`is_moved`: of two changes, one at each end) the words are drawn once.
    """
    if is_moved or (change.kind == "move" and change.before == change.after):
        words = one_line(_words(change.after, change, look))
        runs = [
            Run(f"{look.glyphs.changed} ", "muted"),
            Run("moved: ", "muted"),
            Run(words, "format"),
        ]
        return clip_line((Run("      "), *runs), cells - 2, look.glyphs.ellipsis)
    change = with_whole_tokens(change)
    lead, trail = _context_runs(change, look)
    before = lead.text
    if len(before) > NEAR:  # from the beginning of a word
        before = look.glyphs.ellipsis + before[before.find(" ", len(before) - NEAR) + 1 :]
    room = max(20, cells - 12 - len(before)) // (2 if change.before and change.after else 1)
    dots = look.glyphs.ellipsis
    runs: list[Run] = [Run(f"{look.glyphs.changed} ", "muted"), Run(before, "muted")]
    if change.formatting:
        words = one_line(_words(change.after or change.before, change, look))
        runs.append(Run(clip(words, room, dots), "text"))
    else:
        runs.extend(
            Run(clip(one_line(_words(words, change, look)), room, dots), role)
            for words, role in ((change.before, "del"), (change.after, "ins"))
            if words
        )
    if not change.before and not change.after and not change.formatting:
        runs.append(Run(describe(change), "format"))
    runs.append(Run(trail.text, "muted"))
    if change.formatting:
        runs.extend((Run("  "), *_properties(change, look)))
    return clip_line((Run("      "), *drawn(runs, look)), cells - 2, look.glyphs.ellipsis)


def describe(change: Change) -> str:
    """Name the kind of a change and where it is, in a few words."""
    place = _place(change)
    where = place if change.story == "body" else f"{change.story} {place}".strip()
    return f"{kind_of(change)} in {where}" if where else kind_of(change)


def kind_of(change: Change, *, is_moved: bool = False) -> str:
    """Name what happened; `is_moved`: the change is one end of a move."""
    kind = KINDS.get(change.kind, one_line(change.kind))
    is_one_sided = bool(change.before) != bool(change.after)
    if not is_one_sided:
        return kind
    if is_moved or change.kind == "move":
        return "moved here" if change.after else "moved away"
    if change.kind in IN_TABLES:
        kind = "column" if is_column(change) else kind
        return f"{kind} {'inserted' if change.after else 'deleted'}"
    return kind


def _place(change: Change) -> str:
    place = one_line(change.where) or change.anchor
    match = TABLE_PLACE.match(place) if change.kind in IN_TABLES else None
    if match is None:
        return place
    return ROW.sub(", column ", match.group(1)) if is_column(change) else match.group(1)


def draw(
    change: Change, number: int, cells: int, look: Look, context: Context, *, leads: bool
) -> list[Line]:
    """Draw one change; `leads` says that it is the first of its edit, and shows the instruction."""
    mode = "inline" if context.mode == "split" and cells < SPLIT_WIDTH else context.mode
    lines = [_head(change, number, cells, look, context)]
    edit = next((context.edits[uid] for uid in change.edit_uids if uid in context.edits), None)
    if leads and edit is not None:
        words = f"{look.glyphs.left_quote}{one_line(edit.instruction)}{look.glyphs.right_quote}"
        lines.append((Run("    "), Run(clip(words, cells - 6, look.glyphs.ellipsis), "muted")))
    if change.formatting:
        lines.extend(_formatting(change, cells, look))
    elif mode == "split" and (change.before or change.after):
        lines.extend(_split(with_whole_tokens(change), cells, look))
    else:
        lines.extend(_inline(with_whole_tokens(change), cells, look, mode))
    lines.append(())
    return lines


def _head(change: Change, number: int, cells: int, look: Look, context: Context) -> Line:
    left: list[Run] = [Run(f"#{number} ", "key")]
    if change.author:
        left.append(Run(f"{one_line(change.author)}  ", context.role(change.author), BOLD))
    if change.date:
        left.append(Run(f"{shown_date(change.date, context.zone)}  ", "muted"))
    place = _place(change)
    if change.story != "body":
        place = f"{change.story}: {place}" if place else change.story
    left.append(Run(place, "text"))
    kind = kind_of(change, is_moved=change.id in context.moved)
    if not change.edit_uids:
        kind = f"from the file {look.glyphs.dot} {kind}"
    return spread(tuple(left), (Run(kind, "format"), Run(" ")), cells, look.glyphs.ellipsis)


def _words(text: str, change: Change, look: Look) -> str:
    """Show what would be invisible when nothing else changed: spaces, ends of paragraphs.

    In rows and tables the service ends every cell as it ends a paragraph.
    """
    if change.kind in IN_TABLES:
        return plain(text).rstrip("\n").replace("\n", f" {look.glyphs.bar} ")
    shown = plain(text).replace("\n", f"{look.glyphs.pilcrow} ")
    if text.endswith("\n"):
        shown = shown[:-1]
    return shown if shown.strip() else shown.replace(" ", look.glyphs.space)


def _context_runs(change: Change, look: Look, *, is_original: bool = False) -> tuple[Run, Run]:
    """Returns the words around a change, of the final or of the original text."""
    before, after = _original_context(change) if is_original else (change.lead, change.trail)
    lead, trail = one_line(before), one_line(after)
    if lead and before[-1:].isspace():
        lead += " "
    if trail and after[:1].isspace():
        trail = " " + trail
    dots = look.glyphs.ellipsis
    if len(before) >= CUT:
        lead = dots + lead[lead.find(" ") + 1 :]
    if len(after) >= CUT:
        trail = trail[: trail.rfind(" ")].rstrip(",;") + dots
    return Run(lead, "muted"), Run(trail, "muted")


def _inline(change: Change, cells: int, look: Look, mode: ChangeMode) -> list[Line]:
    lead, trail = _context_runs(change, look, is_original=mode == "original")
    if change.kind == "move" and change.before == change.after:  # words that changed their place
        return _wrapped(
            [lead, Run(_words(change.after, change, look), "format"), trail], cells, look
        )
    runs: list[Run] = [lead]
    if change.before and mode != "final":
        runs.append(
            Run(_words(change.before, change, look), "text" if mode == "original" else "del")
        )
    if change.after and mode != "original":
        runs.append(Run(_words(change.after, change, look), "text" if mode == "final" else "ins"))
    if not change.before and not change.after and change.kind == "paragraph":
        runs.append(Run(look.glyphs.pilcrow, "format"))
    runs.append(trail)
    return _wrapped(runs, cells, look)


def _wrapped(runs: Sequence[Run], cells: int, look: Look) -> list[Line]:
    indent = (Run(" " * MARGIN),)
    return wrap(drawn(runs, look), max(10, cells - MARGIN - 2), indent, indent)


def _split(change: Change, cells: int, look: Look) -> list[Line]:
    """Draw the original at the left and the final text at the right."""
    half = (cells - MARGIN - 5) // 2
    sides = (
        (Run(_words(change.before, change, look), "del"), True),
        (Run(_words(change.after, change, look), "ins"), False),
    )
    left, right = (
        wrap(drawn([run for run in (lead, words, trail) if run.text], look), half)
        for words, is_original in sides
        for lead, trail in (_context_runs(change, look, is_original=is_original),)
    )
    bar = Run(f" {look.glyphs.bar} ", "faint")
    lines: list[Line] = []
    for number in range(max(len(left), len(right))):
        old = left[number] if number < len(left) else ()
        new = right[number] if number < len(right) else ()
        gap = Run(" " * max(0, half - width(old)))
        lines.append((Run(" " * MARGIN), *old, gap, bar, *new))
    return lines


def _formatting(change: Change, cells: int, look: Look) -> list[Line]:
    """Draw the words, which stay as they are, and below them what is different about them."""
    lead, trail = _context_runs(change, look)
    words = Run(_words(change.after or change.before, change, look), "text")
    shown = [run for run in (lead, words, trail) if run.text]
    lines = _wrapped(shown, cells, look) if shown else []
    return [*lines, *_wrapped(_properties(change, look), cells, look)]


def _properties(change: Change, look: Look) -> list[Run]:
    runs: list[Run] = []
    for name, old, new in change.formatting:
        gap = "   " if runs else ""
        runs.append(Run(f"{gap}{one_line(name)}: ", "muted"))
        runs.append(_value(old, "del"))
        runs.append(Run(f" {look.glyphs.arrow} ", "muted"))
        runs.append(_value(new, "ins"))
    return runs


def _value(text: str, role: str) -> Run:
    value = one_line(text)
    return Run(value, role) if value else Run(UNSAID, "muted")
