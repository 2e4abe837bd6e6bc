"""Which notes are not there on one side of a redline, as the judge sees it.

A note is there as long as a reference to it is. It shares no code with what writes or settles
marks, and must not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final, Literal

from redraft.engine.docx.names import (
    W_DEL,
    W_ENDNOTE_REFERENCE,
    W_FOOTNOTE_REFERENCE,
    W_ID,
    W_INS,
    W_TC,
    W_TR,
    W_TYPE,
    Element,
    W,
)
from redraft.engine.docx.opc.package import Package

_REFERENCES: Final = {W_FOOTNOTE_REFERENCE: "footnote", W_ENDNOTE_REFERENCE: "endnote"}
_ROW: Final = W("trPr")
_CELL: Final = W("tcPr")


def uncited(
    package: Package,
    parts: Iterable[str],
    ours: Collection[int],
    side: Literal["baseline", "final"],
) -> frozenset[Element]:
    """The notes that are gone on one side, because all references to them are.

    Args:
        package: The file.
        parts: Its parts with text.
        ours: The ids of the marks that are judged; others stand.
        side: `baseline` as if they were rejected, `final` as if they were accepted.
    """
    if not ours:
        return frozenset()
    notes = {
        (kind, note.get(W_ID, "")): note
        for kind in ("footnote", "endnote")
        for part in package.related(package.main, f"{kind}s")
        for note in package.tree(part).iter(W(kind))
        if note.get(W_TYPE, "normal") == "normal"
    }
    if not notes:
        return frozenset()
    judge = _Judge(ours, is_final=side == "final")
    lost: set[tuple[str, str]] = set()
    kept: set[tuple[str, str]] = set()
    for part in parts:
        for node in package.tree(part).iter(*_REFERENCES):
            key = (_REFERENCES[str(node.tag)], node.get(W_ID, ""))
            (lost if judge.is_gone(node) else kept).add(key)
    return frozenset(note for key, note in notes.items() if key in lost - kept)


class _Judge:
    def __init__(self, ours: Collection[int], *, is_final: bool) -> None:
        self._ours = ours
        self._mark = W_DEL if is_final else W_INS
        self._cell = f"{_CELL}/{W('cellDel' if is_final else 'cellIns')}"

    def is_gone(self, node: Element) -> bool:
        for ancestor in node.iterancestors():
            tag = ancestor.tag
            if tag == self._mark and self._is_ours(ancestor):
                return True
            if tag == W_TR and self._is_ours(ancestor.find(f"{_ROW}/{self._mark}")):
                return True
            if tag == W_TC and self._is_ours(ancestor.find(self._cell)):
                return True
        return False

    def _is_ours(self, mark: Element | None) -> bool:
        identifier = "" if mark is None else mark.get(W_ID, "")
        return identifier.isdecimal() and int(identifier) in self._ours
