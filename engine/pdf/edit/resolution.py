"""What a plan means on a PDF: changes of characters by block, and what else is to be done.

[x] replace_text  [x] find_replace  [x] rewrite_block  [x] delete_blocks  [x] insert_blocks of plain
paragraphs and bullets  [x] format_text: bold, italic, colour  [x] set_link  [x] remove_link
[x] set_field  [x] set_property  [x] edit_note  [x] delete_note  [x] operations on pages: not here,
but in `engine.pdf.whole`  [-] everything else: refused, with what can be done instead
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from redraft.engine import already_applied
from redraft.engine.errors import AmbiguousError, NotFoundError, PlanError, RefusedError
from redraft.engine.inline_pieces import Words
from redraft.engine.locate import Span, adapted, closest, find, occurrences
from redraft.engine.model import Heading, ListItem, Mark, Paragraph, Quote
from redraft.engine.pdf.edit.note_references import as_drawn, as_read, smallest
from redraft.engine.pdf.glyphs.edited_words import Change
from redraft.engine.pdf.glyphs.target_blocks import Target
from redraft.engine.pdf.resolved_edits import Edits, Insertion, Linking, Look
from redraft.engine.pdf.typeset.colours import fill_of
from redraft.engine.plan import (
    PAGE_OPERATIONS,
    DeleteBlocks,
    DeleteNote,
    EditNote,
    EditPlan,
    FindReplace,
    FormatText,
    InsertBlocks,
    Operation,
    RemoveLink,
    ReplaceText,
    RewriteBlock,
    SetField,
    SetLink,
    SetProperty,
)
from redraft.engine.tokens import parse, pieces, visible

Emphasis = tuple[int, int, Mark]
"""Characters [start, end) of the words without emphasis marks, and their faces."""

ELSEWHERE: Final = "upload the .docx that the PDF was made from"


def resolve(
    plan: EditPlan, known: Sequence[Target], already_there: Counter[str] | None = None
) -> Edits:
    """Finds what a plan names.

    Args:
        plan: Operations on the blocks.
        known: The blocks.
        already_there: Takes the new words that stand already around what they were to replace.

    Raises:
        NotFoundError, AmbiguousError, PlanError, RefusedError: as the operation deserves.
    """
    read = as_read(known)
    by_anchor = {target.anchor: target for target in read}
    resolver = _Resolver(read, by_anchor, Counter() if already_there is None else already_there)
    for operation in plan.operations:
        resolver.add(operation)
    edits = resolver.edits
    as_drawn(edits, known, resolver.new_texts)
    for anchor, changes in edits.changes.items():
        changes.sort(key=lambda change: (change.start, change.end))
        for first, second in itertools.pairwise(changes):
            if second.start < first.end:
                message = f"Two changes of {anchor} overlap"
                raise PlanError(message)
        if anchor in edits.deleted:
            message = f"{anchor} is both changed and deleted"
            raise PlanError(message)
    _refuse_mixtures(edits)
    return edits


def _refuse_mixtures(edits: Edits) -> None:
    """Refuses a look or link of what is deleted.

    Raises:
        PlanError: that is asked for.
    """
    for styled in (*edits.looks, *edits.links):
        if styled.anchor in edits.deleted:
            message = f"{styled.anchor} is both deleted and given another look or link"
            raise PlanError(message)


@dataclass(slots=True)
class _Resolver:
    """Collects what operations mean."""

    known: Sequence[Target]
    by_anchor: Mapping[str, Target]
    already_there: Counter[str]
    edits: Edits = field(default_factory=Edits)
    new_texts: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, operation: Operation) -> None:
        """Takes in one operation."""
        match operation:
            case ReplaceText():
                self._replace(operation)
            case RewriteBlock():
                self._rewrite(operation)
            case FindReplace():
                self._everywhere(operation)
            case DeleteBlocks():
                self._delete(operation)
            case InsertBlocks():
                self._insert(operation)
            case FormatText():
                self._format(operation)
            case SetLink() | RemoveLink():
                self._link(operation)
            case SetField():
                self.edits.fields[operation.control] = operation.value
            case SetProperty():
                self.edits.properties[operation.name.lower()] = operation.value
            case _:
                self._other(operation)

    def _of(self, anchor: str) -> Target:
        target = self.by_anchor.get(anchor)
        if target is None:
            raise NotFoundError
        return target

    def _change(self, target: Target, changes: Sequence[Change]) -> None:
        """Changes a block; a running header or footer on every page that has the same."""
        same = [target]
        if target.story in ("header", "footer"):
            same = [e for e in self.known if (e.story, e.text) == (target.story, target.text)]
        for block in same:
            self.edits.changes.setdefault(block.anchor, []).extend(changes)

    def _rewrite(self, operation: RewriteBlock) -> None:
        target = self._of(operation.block)
        if target.marks:
            self.new_texts[target.anchor] = operation.text
        else:
            self._change(target, _rewritten(target, operation.text))

    def _other(self, operation: Operation) -> None:
        """Edits or deletes a note that was read as one; leaves what is of pages to them."""
        if isinstance(operation, EditNote | DeleteNote):
            anchors = [target.anchor for target in self.known if target.note == operation.target]
            if isinstance(operation, DeleteNote) and anchors:
                self.edits.deleted += anchors
                return
            if isinstance(operation, EditNote) and len(anchors) == 1:
                self._rewrite(RewriteBlock(anchors[0], operation.text))
                return
        if not isinstance(operation, PAGE_OPERATIONS):
            raise RefusedError(_refusal(operation))

    def _replace(self, operation: ReplaceText) -> None:
        """Changes quoted words, or only their faces where the words stay the same."""
        target = self._of(operation.block)
        hit = self._meant(target, operation)
        if hit is None:
            return
        new, faces = _plain(operation.replace), emphasized(operation.replace)
        if faces and new == target.text[slice(*hit)]:
            self.edits.looks += looks_of(target.anchor, hit[0], faces)
        else:
            self._change(target, [Change(*hit, new)])

    def _meant(self, target: Target, operation: ReplaceText) -> Span | None:
        """Returns what is to be replaced; None where the new words stand around it already."""
        if operation.occurrence is None:
            every = find(target.text, operation.find)
            left = self._unsaid(target, every, operation.replace)
            if left != every and len(left) <= 1:
                return next(iter(left), None)
        return _hit(target, operation.find, operation.occurrence, self.known)

    def _unsaid(self, target: Target, hits: Sequence[Span], new: str) -> list[Span]:
        """Returns the hits where the new words are not there already, and counts the others."""
        left, words, is_kept = already_applied.unsaid(target.text, hits, new)
        if is_kept:
            self.already_there[words] += is_kept
        return left

    def _everywhere(self, operation: FindReplace) -> None:
        replacement = _plain(operation.replace)
        hits: list[tuple[Target, int, int]] = []
        counted = self.already_there.total()
        for target in self.known:
            if not _is_in(target, operation.scope):
                continue
            places = occurrences(
                target.text,
                operation.find,
                match_case=operation.match_case,
                whole_word=operation.whole_word,
            )
            if places and operation.limit is None:
                places = self._unsaid(target, places, operation.replace)
            hits += [(target, start, end) for start, end in places]
        if operation.limit is not None:
            hits = hits[: operation.limit] if operation.limit >= 0 else hits[operation.limit :]
        if not hits and self.already_there.total() == counted:
            raise NotFoundError(closest=closest((e.text for e in self.known), operation.find))
        for target, start, end in hits:
            text = replacement
            if not operation.match_case:
                text = adapted(replacement, target.text[start:end], operation.find)
            self.edits.changes.setdefault(target.anchor, []).append(Change(start, end, text))

    def _delete(self, operation: DeleteBlocks) -> None:
        anchors = _range(operation, self.known)
        self.edits.deleted += anchors
        if operation.close_up:
            targets = [self.by_anchor[anchor] for anchor in anchors]
            if any(target.story != "body" or ".c" in target.anchor for target in targets):
                message = (
                    "The gap of a table cell, header, footer or note of a PDF cannot be closed; "
                    "delete it and leave the gap"
                )
                raise RefusedError(message)
            self.edits.closed.append([target.anchor for target in targets if target.text.strip()])

    def _insert(self, operation: InsertBlocks) -> None:
        target = self._beside(operation)
        for block in operation.blocks:
            if block.kind not in ("like_anchor", "paragraph", "bullet"):
                message = (
                    f"A new {block.kind} cannot be set in a PDF; insert a plain paragraph, or "
                    f"{ELSEWHERE}"
                )
                raise RefusedError(message)
            is_item = isinstance(target.block, ListItem)
            if block.kind == "bullet" and not (is_item and not target.label):
                message = "A new bullet must be inserted beside an existing bullet of the PDF"
                raise RefusedError(message)
            if is_item and target.label and block.kind == "like_anchor":
                message = (
                    "A numbered item cannot be inserted in a PDF: the others keep their numbers"
                )
                raise RefusedError(message)
        text = "\n".join(_plain(block.text).strip() for block in operation.blocks)
        if not text.strip():
            raise PlanError("text: the new paragraph is empty")
        is_bullet = operation.blocks[0].kind != "paragraph" and isinstance(target.block, ListItem)
        self.edits.inserted.append(Insertion(target.anchor, text, is_bullet))

    def _beside(self, operation: InsertBlocks) -> Target:
        """Returns the block below which new ones come."""
        target = self._of(operation.block)
        if target.story != "body":
            message = "A paragraph cannot be inserted into a header, footer or note of a PDF"
            raise RefusedError(message)
        if operation.where == "after":
            return target
        before = [e for e in self.known if e.story == "body" and e.page == target.page]
        at = before.index(target)
        if not at or isinstance(before[at - 1].block, Heading) != isinstance(target.block, Heading):
            message = "In a PDF a paragraph can only be inserted behind one that looks like it"
            raise RefusedError(message)
        return before[at - 1]

    def _format(self, operation: FormatText) -> None:
        target = self._of(operation.block)
        hits = [(0, len(target.text))]
        if operation.find and operation.occurrence == 0:
            hits = find(target.text, operation.find) or [
                _hit(target, operation.find, None, self.known)
            ]
        elif operation.find:
            hits = [_hit(target, operation.find, operation.occurrence, self.known)]
        for start, end in hits:
            self.edits.looks.append(_look(target.anchor, start, end, operation))

    def _link(self, operation: SetLink | RemoveLink) -> None:
        target = self._of(operation.block)
        hit = _hit(target, operation.find, operation.occurrence, self.known)
        url = operation.url if isinstance(operation, SetLink) else ""
        if isinstance(operation, SetLink) and not url.startswith(
            ("http://", "https://", "mailto:")
        ):
            message = f"url: {url} cannot be linked to in a PDF; give an http, https or mailto one"
            raise PlanError(message)
        self.edits.links.append(Linking(target.anchor, *hit, url))


def emphasized(text: str) -> list[Emphasis]:
    """Returns the stretches of a text that are written in a face."""
    if "*" not in text:
        return []
    parsed = parse(text, ())
    listed: list[Emphasis] = []
    at = 0
    for piece in () if parsed.faults else parsed.pieces:
        length = len(visible((piece,)))
        if isinstance(piece, Words) and piece.marks & (Mark.BOLD | Mark.ITALIC):
            listed.append((at, at + length, piece.marks))
        at += length
    return listed


def looks_of(anchor: str, at: int, faces: Sequence[Emphasis]) -> Iterator[Look]:
    """Says how words look that begin at a character of a block and are written in faces."""
    for start, end, marks in faces:
        if marks & Mark.BOLD:
            yield Look(anchor, at + start, at + end, bold=True)
        if marks & Mark.ITALIC:
            yield Look(anchor, at + start, at + end, italic=True)


def _look(anchor: str, start: int, end: int, operation: FormatText) -> Look:
    if operation.property == "color":
        return Look(anchor, start, end, fill=fill_of(operation.value))
    if operation.property not in ("bold", "italic"):
        message = (
            f"The {operation.property.replace('_', ' ')} of text cannot be changed in a PDF; bold, "
            f"italic and color can. For more, {ELSEWHERE}"
        )
        raise RefusedError(message)
    if operation.value not in ("on", "off"):
        message = f"{operation.property}: {operation.value} is neither on nor off"
        raise PlanError(message)
    is_on = operation.value == "on"
    if operation.property == "bold":
        return Look(anchor, start, end, bold=is_on)
    return Look(anchor, start, end, italic=is_on)


_WHAT: Final = {
    "MoveBlocks": "Blocks cannot be moved",
    "SplitBlock": "A paragraph cannot be split",
    "MergeBlocks": "Paragraphs cannot be joined",
    "SetStyle": "A PDF has no styles; they cannot be set",
    "SetParagraph": "The layout of paragraphs cannot be changed",
    "SetList": "Lists cannot be made or renumbered",
    "SetCell": "A cell can be changed only through its paragraphs",
    "SettleChange": "Changes are not settled by an edit, but under their ids",
}


def _refusal(operation: Operation) -> str:
    name = type(operation).__name__
    if name in _WHAT:
        return f"{_WHAT[name]} in a PDF; {ELSEWHERE}"
    if "Row" in name or "Column" in name or "Table" in name:
        return f"Rows, columns and tables of a PDF cannot be inserted or deleted; {ELSEWHERE}"
    if "Note" in name or "Footnote" in name:
        return f"Notes of a PDF are text on its pages: change that text, or {ELSEWHERE}"
    return f"This cannot be done in a PDF; {ELSEWHERE}"


def _hit(
    target: Target, quote: str, occurrence: int | None, known: Sequence[Target]
) -> tuple[int, int]:
    hits = find(target.text, quote)
    if not hits:
        raise NotFoundError(closest=closest((candidate.text for candidate in known), quote))
    if occurrence is None:
        if len(hits) > 1:
            message = f'"{quote}" stands {len(hits)} times there; say which one is meant'
            raise AmbiguousError(message)
        return hits[0]
    if not 1 <= occurrence <= len(hits):
        raise NotFoundError
    return hits[occurrence - 1]


def _rewritten(target: Target, text: str) -> list[Change]:
    """Returns the smallest changes of words that make a block's text another one."""
    block = target.block
    new = text
    if isinstance(block, Paragraph | Heading | ListItem | Quote):
        parsed = parse(text, pieces(block.content))
        if parsed.faults:
            raise PlanError(parsed.faults[0].message)
        new = visible(parsed.pieces)
    return list(smallest(target.text, new))


def _is_in(target: Target, scope: str) -> bool:
    if scope in ("all", "body", "headers", "footers", "notes"):
        story = "footnote" if scope == "notes" else scope.rstrip("s")
        return scope == "all" or story == target.story
    kind, _, anchor = scope.partition(":")
    if kind == "section":
        return anchor in target.section
    if kind in ("table", "row", "block"):
        return target.anchor == anchor or target.anchor.startswith(f"{anchor}.")
    return False


def _range(operation: DeleteBlocks, known: Sequence[Target]) -> list[str]:
    anchors = [target.anchor for target in known]
    first = [n for n, anchor in enumerate(anchors) if _is_within(anchor, operation.first)]
    last = [n for n, anchor in enumerate(anchors) if _is_within(anchor, operation.last)]
    if not first or not last or first[0] > last[-1]:
        raise NotFoundError
    return anchors[first[0] : last[-1] + 1]


def _is_within(anchor: str, outer: str) -> bool:
    return anchor == outer or anchor.startswith(f"{outer}.")


def _plain(text: str) -> str:
    """Returns the words of a text that comes with Markdown marks."""
    parsed = parse(text, ())
    return text if parsed.faults else visible(parsed.pieces)
