"""Blocks of Markdown one below the other: nested lists, listings and quotations in one piece."""

from __future__ import annotations

import re
from dataclasses import dataclass

from redraft.engine.markdown.escapes import at_line_start, fenced
from redraft.engine.model import ListItem

_PLAIN_LABEL = re.compile(r"(0|[1-9]\d{0,8})([.)])")
_SEPARATOR = "<!-- -->"


@dataclass(slots=True)
class _Level:
    """A list that stands open: width of its last marker, and number and sign when it is ordered."""

    width: int
    number: int | None
    sign: str


class Output:
    """Collects blocks; items of a list are tight, everything else is parted by an empty line."""

    __slots__ = ("_levels", "_listing", "_pieces", "_quote", "_was_empty", "_was_tight")

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._levels: list[_Level] = []
        self._listing: list[str] = []
        self._quote: list[str] = []
        self._was_tight = False
        self._was_empty = False

    def text(self) -> str:
        """Returns everything collected, without a line feed at the end."""
        self._settle()
        return "".join(self._pieces)

    def block(self, text: str) -> None:
        """Adds a block of its own; it ends the list before it."""
        if text:
            self._settle()
            self._levels.clear()
            self._put(text)

    def code(self, text: str) -> None:
        """Adds a line, or lines, of a listing; adjacent ones are one."""
        self._settle(listing=False)
        self._levels.clear()
        self._listing.append(text)

    def quote(self, text: str) -> None:
        """Adds a quoted paragraph; adjacent ones are one quotation."""
        if text:
            self._settle(quote=False)
            self._levels.clear()
            self._quote.append(text)

    def item(self, item: ListItem, label: str, text: str) -> None:
        """Adds an item of a list, or a further paragraph of one.

        Args:
            item: Its depth, and what kind it is.
            label: What stands before its text, escaped: a number or sign, a box of a task.
            text: Its inlines.
        """
        self._settle()
        depth = min(item.depth, len(self._levels))
        if item.continuation:
            self._continue(min(depth, len(self._levels) - 1), text)
            return
        match = _PLAIN_LABEL.fullmatch(item.label)
        if match is None and not text and not label:
            return
        marker = f"{item.label} " if match else "- "
        if match is not None:
            label = label.removeprefix(item.label).lstrip()
        level = _Level(len(marker), int(match[1]) if match else None, match[2] if match else "")
        indent = " " * sum(open_level.width for open_level in self._levels[:depth])
        tight = self._was_tight
        if depth < len(self._levels):
            tight = self._follow(self._levels[depth], level, indent, tight=tight)
        elif not self._was_empty and (level.number not in (None, 1) or not text):
            # Such an item cannot interrupt the paragraph of the item above it. An item without one
            # holds only what begins in its next line.
            tight = tight and depth == 0
        del self._levels[depth:]
        self._levels.append(level)
        body = f"{label} {text}" if label and text else label or text
        if item.checked is None:
            body = at_line_start(body)
        body = body.replace("\n", f"\n{indent}{' ' * level.width}")
        self._put(f"{indent}{marker}{body}".rstrip(), tight=tight)
        self._was_tight, self._was_empty = True, not body

    def _follow(self, before: _Level, level: _Level, indent: str, *, tight: bool) -> bool:
        """Parts two lists that Markdown would count as one; returns whether the item is tight."""
        if (before.number is None) != (level.number is None) or before.sign != level.sign:
            return tight and bool(indent)
        if before.number is None or level.number == before.number + 1:
            return tight
        self._put(f"{indent}{_SEPARATOR}")
        return False

    def _continue(self, depth: int, text: str) -> None:
        if depth < 0:
            self.block(text)
        elif text:
            del self._levels[depth + 1 :]
            indent = " " * sum(level.width for level in self._levels)
            self._put(indent + text.replace("\n", f"\n{indent}"), tight=self._was_empty)

    def _put(self, text: str, *, tight: bool = False) -> None:
        if self._pieces:
            self._pieces.append("\n" if tight else "\n\n")
        self._pieces.append(text)
        self._was_tight = self._was_empty = False

    def _settle(self, *, listing: bool = True, quote: bool = True) -> None:
        """Writes the listing or quotation that stands open."""
        if listing and self._listing:
            text = "\n".join(self._listing).strip("\n")
            self._listing = []
            if text.strip():
                self._put(fenced(text))
        if quote and self._quote:
            text = "\n\n".join(self._quote)
            self._quote = []
            self._put("\n".join(f"> {line}".rstrip() for line in text.split("\n")))
