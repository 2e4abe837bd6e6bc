"""A tracked change as lines: who, when, where, the words struck and inserted, their context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Literal, TypeAlias

from tui.clock import shown_date
from tui.layout import shown as drawn
from tui.look import Look
from tui.runs import BOLD, Line, Run, clip, clip_line, one_line, plain, spread, width
from tui.wire import Change, HistoryItem
from tui.wrap import wrap

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
    "paragraph": "paragraph",
    "move": "moved",
    "row": "row",
    "cell": "cell",
    "table": "table",
    "other": "changed",
}


@dataclass(frozen=True, slots=True)
class Context:
    """What a change is drawn with: edits by uid, authors in order of their colours, the mode."""

    edits: Mapping[str, HistoryItem]
    authors: Sequence[str]
    mode: ChangeMode
    zone: tzinfo | None

    def role(self, author: str) -> str:
        """Return the colour of an author."""
        return f"author{self.authors.index(author) % 6}" if author in self.authors else "muted"


def difference(change: Change, cells: int, look: Look) -> Line:
    """Draw a change in one line: what was struck and inserted, with a little around it."""
    room = max(20, cells - 8) // (3 if change.before and change.after else 2)
    lead, trail = _context_runs(change, look)
    before = lead.text
    if len(before) > NEAR:  # from the beginning of a word
        before = look.glyphs.ellipsis + before[before.find(" ", len(before) - NEAR) + 1 :]
    runs: list[Run] = [Run(f"{look.glyphs.changed} ", "muted"), Run(before, "muted")]
    if change.before:
        runs.append(Run(clip(one_line(change.before), room, look.glyphs.ellipsis), "del"))
    if change.after:
        runs.append(Run(clip(one_line(change.after), room, look.glyphs.ellipsis), "ins"))
    if not change.before and not change.after:
        runs.append(Run(describe(change), "format"))
    runs.append(Run(trail.text, "muted"))
    return clip_line((Run("      "), *drawn(runs, look)), cells - 2, look.glyphs.ellipsis)


def describe(change: Change) -> str:
    """Name the kind of a change and where it is, in a few words."""
    kind = KINDS.get(change.kind, one_line(change.kind))
    place = one_line(change.where) or change.anchor
    where = place if change.story == "body" else f"{change.story} {place}".strip()
    return f"{kind} in {where}" if where else kind


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
    if mode == "split":
        lines.extend(_split(change, cells, look))
    elif change.before or change.after or not change.formatting:
        lines.extend(_inline(change, cells, look, mode))
    lines.append(())
    return lines


def _head(change: Change, number: int, cells: int, look: Look, context: Context) -> Line:
    left: list[Run] = [Run(f"#{number} ", "key")]
    if change.author:
        left.append(Run(f"{one_line(change.author)}  ", context.role(change.author), BOLD))
    if change.date:
        left.append(Run(f"{shown_date(change.date, context.zone)}  ", "muted"))
    place = one_line(change.where) or change.anchor
    if change.story != "body":
        place = f"{change.story}: {place}" if place else change.story
    left.append(Run(place, "text"))
    kind = KINDS.get(change.kind, one_line(change.kind))
    if not change.edit_uids:
        kind = f"from the file {look.glyphs.dot} {kind}"
    return spread(tuple(left), (Run(kind, "format"), Run(" ")), cells, look.glyphs.ellipsis)


def _words(text: str, look: Look) -> str:
    """Show what would be invisible when nothing else changed: spaces, ends of paragraphs."""
    shown = plain(text).replace("\n", f"{look.glyphs.pilcrow} ")
    if text.endswith("\n"):
        shown = shown[:-1]
    return shown if shown.strip() else shown.replace(" ", look.glyphs.space)


def _context_runs(change: Change, look: Look) -> tuple[Run, Run]:
    lead = one_line(change.lead)
    trail = one_line(change.trail)
    if lead and change.lead[-1:].isspace():
        lead += " "
    if trail and change.trail[:1].isspace():
        trail = " " + trail
    dots = look.glyphs.ellipsis
    if len(change.lead) >= CUT:
        lead = dots + lead[lead.find(" ") + 1 :]
    if len(change.trail) >= CUT:
        trail = trail[: trail.rfind(" ")].rstrip(",;") + dots
    return Run(lead, "muted"), Run(trail, "muted")


def _inline(change: Change, cells: int, look: Look, mode: ChangeMode) -> list[Line]:
    lead, trail = _context_runs(change, look)
    runs: list[Run] = [lead]
    if change.before and mode != "final":
        runs.append(Run(_words(change.before, look), "text" if mode == "original" else "del"))
    if change.after and mode != "original":
        runs.append(Run(_words(change.after, look), "text" if mode == "final" else "ins"))
    runs.append(trail)
    indent = (Run(" " * MARGIN),)
    return wrap(drawn(runs, look), max(10, cells - MARGIN - 2), indent, indent)


def _split(change: Change, cells: int, look: Look) -> list[Line]:
    """Draw before and after beside each other."""
    half = (cells - MARGIN - 5) // 2
    lead, trail = _context_runs(change, look)
    before = drawn([lead, Run(_words(change.before, look), "del"), trail], look)
    after = drawn([lead, Run(_words(change.after, look), "ins"), trail], look)
    left = wrap([run for run in before if run.text], half)
    right = wrap([run for run in after if run.text], half)
    bar = Run(f" {look.glyphs.bar} ", "faint")
    lines: list[Line] = []
    for number in range(max(len(left), len(right))):
        old = left[number] if number < len(left) else ()
        new = right[number] if number < len(right) else ()
        gap = Run(" " * max(0, half - width(old)))
        lines.append((Run(" " * MARGIN), *old, gap, bar, *new))
    return lines


def _formatting(change: Change, cells: int, look: Look) -> list[Line]:
    lines: list[Line] = []
    if change.before == change.after == "" and (change.lead or change.trail):
        lead, trail = _context_runs(change, look)
        lines.extend(wrap([lead, trail], cells - MARGIN - 2, (Run("    "),), (Run("    "),)))
    for name, old, new in change.formatting:
        runs = [
            Run(f"{one_line(name)}: ", "muted"),
            Run(one_line(old) or "none", "del"),
            Run(f" {look.glyphs.arrow} ", "muted"),
            Run(one_line(new) or "none", "ins"),
        ]
        lines.extend(wrap(drawn(runs, look), cells - MARGIN - 2, (Run("    "),), (Run("    "),)))
    return lines
