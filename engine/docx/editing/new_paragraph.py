"""Writes the text of a new paragraph as an insertion, in the looks of what it is modelled on."""

from __future__ import annotations

from redraft.engine import tokens
from redraft.engine.docx.editing.edit_context import Desk
from redraft.engine.docx.formatting.model_paragraphs import Pattern
from redraft.engine.docx.names import Element
from redraft.engine.docx.redline import textmap
from redraft.engine.docx.redline.emphasis import emphasis
from redraft.engine.docx.redline.line import Line, Unit
from redraft.engine.docx.redline.new_runs import new_units
from redraft.engine.docx.redline.tracked_runs import write
from redraft.engine.inline_pieces import Atom, Words
from redraft.engine.model import Mark


def fill(desk: Desk, paragraph: Element, pattern: Pattern, text: str) -> None:
    """Writes text behind what a paragraph holds.

    Args:
        desk: Who edits.
        paragraph: In its place in the tree.
        pattern: Whose runs lend their formatting.
        text: Markdown-like text of a plan (`engine.plan`), without tokens but tab and break.
    """
    pieces = tokens.parse(text, ()).pieces
    has_marks = any(isinstance(piece, Words) and piece.marks for piece in pieces)
    like, base, lender = _lent(desk, pattern)
    line = textmap.read(paragraph, desk.ids.ours)
    for piece in pieces:
        match piece:
            case Words():
                words, marks = piece.text, piece.marks if has_marks else None
            case Atom():
                words, marks = "\t" if piece.name == "tab" else "\n", None
            case _:
                continue
        units = new_units(
            line if lender is None else lender, line.root, like, words, marks, base, desk.stamp
        )
        line.root.entries.extend(units)
    line.root.is_dirty = True
    write(line, desk.ids)


def _lent(desk: Desk, pattern: Pattern) -> tuple[Unit | None, Mark | None, Line | None]:
    """Returns the unit whose run gives most of a pattern's text, and its bold and italic."""
    if pattern.lender is None:
        return None, None, None
    lender = textmap.read(pattern.lender, desk.ids.ours)
    sizes: dict[object, int] = {}
    usual = [u for u in lender.units if u.is_visible and u.run is not None and u.box.kind != "link"]
    for unit in usual:
        sizes[unit.run] = sizes.get(unit.run, 0) + len(unit.text)
    if not usual:
        return None, None, lender
    like = max(usual, key=lambda unit: sizes[unit.run])
    at = 0
    for unit in lender.units:
        if unit is like:
            break
        at += len(unit.text) if unit.is_visible else 0
    return like, emphasis(lender, desk.survey.styles)[at], lender
