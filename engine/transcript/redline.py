"""The redline of a PDF as a Word document, built from the blocks that are read from its pages.

The document is made from the baseline, and every change is then written into it as a tracked change
under the name and date of the edit that made it. It is verified: all changes rejected it reads as
the baseline, all accepted as the edited file, block by block.

[x] words replaced, inserted, deleted  [x] paragraphs and bullets inserted, deleted
[x] headers and footers  [x] notes as footnotes; where one cannot be, all of them as the paragraphs
that the pages show  [x] bold, italic, colour  [x] links, as they are now: Word tracks none
[-] form fields and properties: they are not on the pages
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from redraft.engine.docx import apply
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading import reader as docx_reader
from redraft.engine.errors import EditError, VerificationError
from redraft.engine.model import (
    Block,
    CodeBlock,
    Document,
    Heading,
    ListItem,
    Paragraph,
    Quote,
    Table,
)
from redraft.engine.pdf import reader as pdf_reader
from redraft.engine.pdf.compare.character_looks import Formatting
from redraft.engine.pdf.footnotes.note_stories import unfolded
from redraft.engine.pdf.form_fields import fields
from redraft.engine.pdf.glyphs.edited_words import Change
from redraft.engine.pdf.resolved_edits import changed
from redraft.engine.pdf.tracked.change_log import Entry
from redraft.engine.pdf.tracked.open_changes import Tracked
from redraft.engine.pdf.tracked.redline import accounted
from redraft.engine.plan import (
    DeleteBlocks,
    DeleteNote,
    EditPlan,
    FormatText,
    InsertBlocks,
    NewBlock,
    Operation,
    RemoveLink,
    ReplaceText,
    RewriteBlock,
    SetLink,
    TextProperty,
)
from redraft.engine.report import Signature
from redraft.engine.tokens import escape
from redraft.engine.transcript.building import build
from redraft.engine.transcript.marking import (
    Marking,
    is_whole,
    occurrence,
    parted,
    segments,
    widened,
)
from redraft.engine.transcript.notes import MARK, Folded, folded, raw

_PICTURE = re.compile(r"(?:\s*\[im\d+\])*\s*")
_NAMELESS: Final = "redraft"
_LOOKS: Final[dict[str, TextProperty]] = {"bold": "bold", "italic": "italic", "colour": "color"}


def redline(original: bytes, working: bytes, state: bytes) -> bytes:
    """Returns the Word document of a tracked PDF: its baseline with every change tracked.

    Raises:
        UnreadableError: the PDF has no text layer.
        VerificationError: the document does not say what the two PDFs say.
    """
    base, changes = accounted(original, working, state)
    shown = {_plain(document.value) for pdf in (base, working) for document in fields(pdf).values()}
    before, after = pdf_reader.read_all(base), pdf_reader.read_all(working)
    size = _size(base)
    if any(story.kind == "footnote" for story in before.document.stories):
        # Rather notes as paragraphs than no document.
        with suppress(EditError):
            own = folded(before.document)
            return _made(own, folded(after.document, own).document, changes, size, shown)
    plain, expected = (unfolded(document.document, document.heads) for document in (before, after))
    return _made(Folded(plain), expected, changes, size, shown)


def _made(
    base: Folded,
    expected: Document,
    tracked: Sequence[Tracked],
    size: tuple[float, float],
    shown: set[str],
) -> bytes:
    """Makes the document of a baseline; with all changes accepted it reads as `expected`."""
    data = build(base.document, size, base.count)
    texts = [line for line in _lines(base.document) if line.text not in shown]
    changes = [change for change in tracked if change.parts and change.field_change is None]
    words = [change for change in changes if change.parts[0].formatting is None]
    marking = Marking(base)
    struck = (note for change in words for note in marking.struck(change.parts[0]))
    blocks = _Redline(data, b"", texts, shown, marking, frozenset(struck))
    for entry, of_one_edit in _by_edit(
        [change for change in changes if change.parts[0].formatting is not None]
    ):
        blocks.dress(entry, of_one_edit)
    for entry, of_one_edit in _by_edit(
        [change for change in words if not change.parts[0].is_block]
    ):
        blocks.change(entry, of_one_edit)
    for entry, of_one_edit in _by_edit([change for change in words if change.parts[0].is_block]):
        blocks.insert(entry, of_one_edit)
    wanted = [line.text for line in _lines(expected) if line.text not in shown]
    _require(blocks.texts("original") == [line.text for line in texts], "rejected")
    _require(blocks.texts("final") == wanted, "accepted")
    return blocks.data


@dataclass(frozen=True, slots=True)
class _Line:
    """A block with text, in any story: its anchor, its text as quotes know it, and that plain.

    The texts have `MARK` for each mark of a note.
    """

    anchor: str
    raw: str
    text: str


@dataclass(slots=True)
class _Redline:
    """A Word document on its way; `lines` are those of the PDF that it was made from."""

    data: bytes
    state: bytes
    lines: Sequence[_Line]
    shown: set[str]
    marking: Marking
    gone: frozenset[str]

    def texts(self, view: Any) -> list[str]:
        """Returns the texts of the blocks in a view, those that form fields show left out."""
        return [line.text for line in self._own(view)]

    def dress(self, entry: Entry, changes: Sequence[Tracked]) -> None:
        """Writes the looks and links of one edit; no words have changed yet."""
        anchors = self._anchors()
        texts = {own.anchor: own.raw for own in self.lines}
        operations: list[Operation] = []
        for part in (change.parts[0] for change in changes):
            line = anchors.get(part.target.anchor)
            if line is None or part.formatting is None:
                continue
            text = texts[part.target.anchor]
            whole = self.marking.marked(part)
            for start, end in segments(text, whole.start, whole.end):
                place = (line.anchor, text[start:end])
                number = occurrence(text, start, end)
                operations.append(_dressed(place, part.formatting, number))
        self._carry_out(entry, operations)

    def change(self, entry: Entry, tracked: Sequence[Tracked]) -> None:
        """Writes the changed words of one edit; the words of a note go with its mark."""
        anchors = self._anchors()
        by_block: dict[str, list[Change]] = {}
        notes: dict[str, list[str]] = {}
        for part in (tracked_change.parts[0] for tracked_change in tracked):
            if part.target.anchor in anchors and part.target.note not in self.gone:
                change = self.marking.marked(part)
                by_block.setdefault(part.target.anchor, []).append(change)
                notes.setdefault(part.target.anchor, []).extend(self.marking.struck(part))
        operations: list[Operation] = []
        for anchor, changes in by_block.items():
            block_operations = list(self._operations(anchors[anchor], anchor, changes))
            operations += block_operations
            if not any(
                isinstance(tracked_change, DeleteBlocks) for tracked_change in block_operations
            ):
                operations += [DeleteNote(self.marking.name(note)) for note in notes[anchor]]
        self._carry_out(entry, operations)

    def insert(self, entry: Entry, changes: Sequence[Tracked]) -> None:
        """Writes the new paragraphs of one edit."""
        anchors = self._anchors()
        by_block: dict[str, list[NewBlock]] = {}
        for change in changes:
            part = change.parts[0]
            kind = "bullet" if part.is_bullet else "paragraph"
            block = NewBlock(kind, escape(part.after))
            by_block.setdefault(part.target.anchor, []).append(block)
        operations = [
            InsertBlocks(anchors[anchor].anchor, "after", tuple(blocks))
            for anchor, blocks in by_block.items()
            if anchor in anchors
        ]
        self._carry_out(entry, operations)

    def _own(self, view: Any) -> list[_Line]:
        document = docx_reader.read(Package.open(self.data), view)
        return [line for line in _lines(document) if line.text not in self.shown]

    def _anchors(self) -> dict[str, _Line]:
        """Pairs the blocks of the PDF with those of the document, which stand in the same order."""
        own = self._own("original")
        _require([twin.text for twin in own] == [twin.text for twin in self.lines], "rejected")
        return {line.anchor: twin for line, twin in zip(self.lines, own, strict=True)}

    def _operations(
        self, line: _Line, anchor: str, changes: Sequence[Change]
    ) -> Iterator[Operation]:
        """Yields what becomes of a block; earlier edits may have changed other words of it."""
        now = {other.anchor: other for other in self._own("final")}.get(line.anchor)
        old = next(other for other in self.lines if other.anchor == anchor).raw
        current = old if now is None else now.raw
        if now is not None and current != old:
            changes = _shifted(old, current, changes)
        if is_whole(current, changes):
            is_cell = ".c" in line.anchor
            yield (
                RewriteBlock(line.anchor, "") if is_cell else DeleteBlocks(line.anchor, line.anchor)
            )
            return
        for first, last, inside in parted(current, changes):
            start, end = min(c.start for c in inside), max(c.end for c in inside)
            start, end = widened(current, (first, last), start, end)
            quote = current[start:end]
            moved = [Change(c.start - start, c.end - start, c.text) for c in inside]
            text = escape(changed(quote, moved).replace(MARK, ""))
            number = occurrence(current, start, end)
            yield ReplaceText(line.anchor, quote.replace(MARK, ""), text, number)

    def _carry_out(self, entry: Entry, operations: Sequence[Operation]) -> None:
        if not operations:
            return
        signature = Signature(entry.uid or _NAMELESS, entry.author, entry.date, tracked=True)
        plan = EditPlan("edit", "", tuple(operations))
        self.data, report = apply.apply(self.data, self.state, plan, signature)
        self.state = report.state


def _shifted(old: str, current: str, changes: Sequence[Change]) -> list[Change]:
    """Returns where changes are in a text after earlier ones, which they do not touch."""
    import difflib

    moved: list[Change] = []
    blocks = difflib.SequenceMatcher(None, old, current, autojunk=False).get_matching_blocks()
    for change in changes:
        shift = next(
            (b - a for a, b, size in blocks if a <= change.start and change.end <= a + size), None
        )
        _require(shift is not None, "accepted")
        by = shift or 0
        moved.append(Change(change.start + by, change.end + by, change.text))
    return moved


def _dressed(place: tuple[str, str], formatting: Formatting, number: int) -> Operation:
    name, _, value = formatting
    if name in _LOOKS:
        return FormatText(*place, _LOOKS[name], value, number)
    return SetLink(*place, value, number) if value else RemoveLink(*place)


def _by_edit(changes: Sequence[Tracked]) -> Iterator[tuple[Entry, list[Tracked]]]:
    by_entry: dict[Entry, list[Tracked]] = {}
    for change in changes:
        by_entry.setdefault(change.entry, []).append(change)
    yield from by_entry.items()


def _lines(document: Document) -> list[_Line]:
    """Returns the blocks that have text: the body's, then headers', footers' and notes'."""
    kinds = ("body", "header", "footer", "footnote")
    stories = [s for kind in kinds for s in document.stories if s.kind == kind]
    lines = [_Line(a, raw, _plain(raw)) for s in stories for a, raw in _walk(s.blocks)]
    return [line for line in lines if not _PICTURE.fullmatch(line.raw)]


def _walk(blocks: Sequence[Block]) -> Iterator[tuple[str, str]]:
    for block in blocks:
        match block:
            case Table():
                for row in block.rows:
                    for cell in row.cells:
                        yield from _walk(cell.blocks)
            case CodeBlock():
                yield block.anchor, block.text
            case Paragraph() | Heading() | ListItem() | Quote():
                yield block.anchor, raw(block.content)
            case _:
                pass


def _plain(text: str) -> str:
    return " ".join(text.split())


def _size(data: bytes) -> tuple[float, float]:
    """Returns the width and height of the first page in points."""
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        rect: Any = opened[0].rect
        return float(rect.width), float(rect.height)


def _require(holds: bool, what: str) -> None:
    if not holds:
        message = (
            f"The Word document does not read as the PDF does with its changes {what}; download "
            "the PDF instead"
        )
        raise VerificationError(message)
