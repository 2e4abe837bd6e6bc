"""A document edited as text: the text, its plan, and whether the result says what was written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from redraft.engine import tokens
from redraft.engine.compare.alignment import Item, align
from redraft.engine.inline_pieces import Words
from redraft.engine.markdown import document as markdown
from redraft.engine.model import Document, Mark
from redraft.engine.plan import EditPlan
from redraft.engine.text_edit import edited_text, text_plan, written_text
from redraft.engine.text_edit.edited_text import Entry, EntryForm
from redraft.engine.text_edit.plain_text import anchored
from redraft.engine.text_edit.text_plan import LineFault, TextFaultsError, TextPlan
from redraft.engine.text_edit.written_text import PLAIN, Form, Sign, TextLine

_COUNTED: Final = re.compile(r"⟦(/?[a-z]+)[0-9]+(?::(?:\\.|[^⟧\\])*)?⟧")
_FORMS: Final = ("paragraph", "row", "rule")
_LINE_KINDS: Final[dict[Form, EntryForm]] = {
    "paragraph": "paragraph",
    "rule": "paragraph",
    "row": "row",
    "row_head": "head",
    "end": "separator",
}
_SHOWN: Final = 60


def text_of(document: Document) -> str:
    """Returns a document as text for an editor.

    Args:
        document: In its final view.
    """
    return written_text.write(written_text.lines(document))


def plan_of(document: Document, text: str) -> TextPlan:
    """Returns what leads from a document to an edited text of it.

    Args:
        document: In its final view.
        text: The edited text, with anchors or without.
    """
    lines = written_text.lines(document)
    return text_plan.plan(lines, entries_of(document, lines, text))


def entries_of(document: Document, lines: Sequence[TextLine], text: str) -> list[Entry]:
    """Returns the entries of an edited text; without any anchor they are found by their words."""
    entries = edited_text.read(text, {line.anchor for line in lines})
    if any(entry.anchor for entry in entries) or not lines:
        return entries
    return anchored(lines, markdown.write(document), text)


def edit_plan(found: TextPlan) -> EditPlan:
    """Returns the operations of an edited text as a plan.

    Raises:
        TextFaultsError: Some lines cannot be carried out.
    """
    if found.faults:
        raise TextFaultsError(sorted(found.faults, key=lambda fault: fault.number))
    if not found.operations:
        return EditPlan("no_change", "The text is as it was")
    return EditPlan("edit", "Edited as text", tuple(found.operations))


def differs(document: Document, entries: Sequence[Entry]) -> list[LineFault]:
    """Returns the lines that a result does not say as they were written.

    Args:
        document: The result, in its final view.
        entries: The edited text.
    """
    lines, wanted = _judged(written_text.lines(document), entries)
    said, meant = [_line_face(line) for line in lines], [_entry_face(entry) for entry in wanted]
    if said == meant:
        return []
    items = [[Item(face, face, "line") for face in faces] for faces in (said, meant)]
    faults: list[LineFault] = []
    last = 0
    for pair in align(*items):
        entry = None if pair.new is None else wanted[pair.new]
        last = last if entry is None else entry.number
        come = "" if pair.old is None else said[pair.old]
        if entry is None and come.strip():
            faults.append(LineFault(last, f"behind it would stand too: {come[:_SHOWN]}"))
        elif entry is not None and not come and _is_note(entry):
            continue
        elif entry is not None and come != meant[pair.new or 0]:
            shown = f"would come back as: {come[:_SHOWN]}" if come else "would be lost"
            faults.append(LineFault(entry.number, shown))
    return faults


def found_again(document: Document, entries: Sequence[Entry]) -> list[Entry]:
    """Returns entries with the anchors that they have in a document that says most of them.

    Args:
        document: The document after some operations, in its final view.
        entries: The whole edited text, with anchors of before.
    """
    lines = written_text.lines(document)
    wanted = [entry for entry in entries if entry.form != "separator" or entry.anchor]
    items = [
        [Item(_line_face(line), _line_face(line), _LINE_KINDS[line.form]) for line in lines],
        [Item(_entry_face(entry), _entry_face(entry), entry.form) for entry in wanted],
    ]
    anchors = {
        id(wanted[pair.new]): lines[pair.old].anchor
        for pair in align(*items)
        if pair.old is not None and pair.new is not None
    }
    signs = {line.anchor: line.sign for line in lines}
    return [
        _with_anchor(entry, anchors.get(id(entry), ""), signs)
        for entry in entries
        if id(entry) in anchors or not (_is_note(entry) or entry.form == "head")
    ]


def _with_anchor(entry: Entry, anchor: str, signs: Mapping[str, Sign]) -> Entry:
    """Returns an entry as that of a block; how deep a list is depends on what stands around it."""
    sign = signs.get(anchor, entry.sign)
    is_listed = sign.kind == entry.sign.kind == "-"
    return replace(entry, anchor=anchor, sign=sign if is_listed else entry.sign)


def _judged(
    lines: Sequence[TextLine], entries: Sequence[Entry]
) -> tuple[list[TextLine], list[Entry]]:
    """Returns what is compared: paragraphs and rows."""
    return (
        [line for line in lines if line.form in _FORMS],
        [entry for entry in entries if entry.form in _FORMS],
    )


def _is_note(entry: Entry) -> bool:
    """Whether an entry is one of a note, which goes with the paragraph that refers to it."""
    return entry.anchor.startswith(("fn", "en"))


def _line_face(line: TextLine) -> str:
    if line.form == "row":
        return "|".join(_face(text) for _, text in line.cells)
    if line.form != "paragraph":
        return "---" if line.form == "rule" else ""
    return _face(line.text, line.sign)


def _entry_face(entry: Entry) -> str:
    if entry.form == "row":
        return "|".join(map(_face, entry.cells))
    if entry.form in ("head", "separator"):
        return ""
    return _face(entry.text, entry.sign)


def _face(text: str, sign: Sign = PLAIN) -> str:
    """Returns what two texts have in common that say the same.

    Blanks and the names of tokens differ, how deep a list is, and whether a heading is bold.
    """
    line = tokens.parse(text, ()).pieces
    if sign.kind == "#":
        line = [replace(p, marks=Mark.NONE) if isinstance(p, Words) else p for p in line]
    words = " ".join(_COUNTED.sub(r"⟦\1⟧", tokens.write(line)).split())
    return f"{sign.kind} {words}" if sign.kind in ("-", "1") else sign.written() + words
