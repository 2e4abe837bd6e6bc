"""How deep an item stands in the list around it: its definition's level alone does not say."""

from __future__ import annotations

from dataclasses import dataclass

from redraft.engine.docx.numbering import Label

# Indents that differ by less than this are drawn at the same place, as far as a reader can tell
# (twips).
_SLACK = 40


@dataclass(frozen=True, slots=True)
class _Open:
    """An item that following paragraphs may stand below."""

    ilvl: int
    family: str
    indent: int | None


class ListRun:
    """The items that stand open in a run of list paragraphs.

    A list may begin at any level of its definition and come back above it; an item of another
    definition on the same level is deeper when it is indented more.
    """

    __slots__ = ("_open",)

    def __init__(self) -> None:
        self._open: list[_Open] = []

    def end(self) -> None:
        """A paragraph that is no part of the list has come."""
        self._open.clear()

    def depth(self, label: Label, indent: int | None) -> int:
        """The depth of the next item, from 0; it stands open from now on."""
        item = _Open(label.ilvl, label.family, indent)
        while self._open and not _is_below(item, self._open[-1]):
            self._open.pop()
        self._open.append(item)
        return len(self._open) - 1

    def continued(self, indent: int | None, *, is_named: bool) -> int | None:
        """The depth of the item that a paragraph without a label goes on with; None when with none.

        Args:
            indent: Its left indent in twips.
            is_named: Whether its style says that it continues a list.
        """
        for depth in range(len(self._open) - 1, -1, -1):
            expected = self._open[depth].indent
            if indent and expected and abs(indent - expected) <= _SLACK:
                del self._open[depth + 1 :]
                return depth
        return len(self._open) - 1 if is_named and self._open else None


def _is_below(item: _Open, other: _Open) -> bool:
    """Whether an item stands deeper than another one before it."""
    if item.family == other.family or item.ilvl != other.ilvl:
        return item.ilvl > other.ilvl
    if item.indent is None or other.indent is None:
        return False
    return item.indent > other.indent + _SLACK
