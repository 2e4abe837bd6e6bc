"""Applies a plan to what a document says: the separate small applier of law 2.

It is fed the plan and the content of the version before, and nothing that the resolver, the writer
or the text map computed. All operations speak of the version before; a quote that stands only in
words that the same plan brings is looked for in these.

What it does not judge: which words of a rewritten paragraph keep which look, the look of new words,
what a filled date, box or form field shows, the looks of new tables, rows and columns, and tracked
changes that a plan accepts or rejects (`engine.docx.changes.accept_or_reject` has checks of its
own).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby

from redraft.engine.errors import VerificationError
from redraft.engine.judge import expected_blocks, expected_structure, new_text
from redraft.engine.judge.addresses import Addresses
from redraft.engine.judge.content import Content, Paragraph, Piece, cut, divide
from redraft.engine.judge.quoted_text import everywhere, find
from redraft.engine.plan import (
    AddComment,
    DeleteColumn,
    DeleteImage,
    DeleteNote,
    EditNote,
    FindReplace,
    FormatText,
    InsertColumn,
    InsertFootnote,
    Operation,
    RemoveLink,
    ReplaceText,
    RewriteBlock,
    SetAltText,
    SetCell,
    SetField,
    SetLink,
    SetList,
    SetParagraph,
    SetProperty,
    SetStyle,
)

_Quoting = FormatText | SetLink | RemoveLink | AddComment | InsertFootnote
_UNJUDGED = ("link", "")


@dataclass(slots=True)
class Expected:
    """What a document should say: its content with the plan in it, and what else should be there.

    Attributes:
        content: The stories; blocks carry what comes beside them.
        properties: Core properties by their local names in the file.
        alt_texts: Alternative texts that some picture should have.
        bindings: What controls that the plan fills are bound to; others bound to it change too.
        comments: The texts of new comments.
    """

    content: Content
    properties: dict[str, str] = field(default_factory=dict[str, str])
    alt_texts: list[str] = field(default_factory=list[str])
    bindings: set[str] = field(default_factory=set[str])
    comments: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class _Edit:
    """text[start:end] of a paragraph is replaced."""

    start: int
    end: int
    pieces: list[Piece]


def expected(before: Content, operations: tuple[Operation, ...]) -> Expected:
    """Returns what a document should say once operations are carried out.

    Raises:
        VerificationError: an operation names something that the document does not have.
    """
    return _Applier(before).apply(operations)


class _Applier:
    def __init__(self, before: Content) -> None:
        self._found = Expected(before)
        self._at = Addresses(before)
        self._edits: dict[int, tuple[Paragraph, list[_Edit]]] = {}
        self._struck_objects: set[str] = set()
        self._struck_images: set[str] = set()
        self._described: dict[str, str] = {}

    def apply(self, operations: tuple[Operation, ...]) -> Expected:
        shapes = expected_blocks.shapes_at(self._at, operations)
        late = [o for o in operations if isinstance(o, _Quoting) and not self._quoting(o)]
        for operation in operations:
            self._whole_text(operation)
        for operation in operations:
            self._words(operation)
            self._objects(operation)
            if isinstance(operation, SetStyle | SetParagraph | SetList):
                expected_blocks.shape(self._at, operation)
        self._strike()
        self._found.alt_texts += [
            " ".join(text.split())
            for image, text in self._described.items()
            if image not in self._struck_images
        ]
        for paragraph, edits in self._edits.values():
            self._write(paragraph, edits)
        for operation in late:
            if not self._quoting(operation):
                raise missing("a quote")
        expected_blocks.split(self._at, operations)
        # Columns come last: the texts of new rows are meant for the cells that were there.
        for operation in sorted(operations, key=lambda each: _LAST.get(type(each), 0)):
            expected_structure.carry_out(self._at, operation, shapes)
        return self._found

    # Words

    def _words(self, operation: Operation) -> None:
        if isinstance(operation, ReplaceText):
            self._replace(operation)
        elif isinstance(operation, FindReplace):
            self._everywhere(operation)

    def _whole_text(self, operation: Operation) -> None:
        """Give a paragraph or control another text, in which others may then replace words."""
        match operation:
            case RewriteBlock(anchor, text):
                self._rewrite(self._at.paragraph(anchor), text)
            case SetCell(cell, text):
                self._rewrite(self._at.only_paragraph(self._at.cell(cell).blocks), text)
            case EditNote(note, text):
                paragraph = self._at.only_paragraph(self._at.story(note).blocks)
                was = paragraph.text
                lead = was[: len(was) - len(was.lstrip())]
                self._rewrite(paragraph, text, lead)
            case SetField(control, value):
                self._fill(control, value)
            case _:
                pass

    def _replace(self, operation: ReplaceText) -> None:
        paragraph = self._at.paragraph(operation.block)
        text = paragraph.text
        hits = find(text, operation.find)
        if not hits:
            raise missing("a quote")
        new = new_text.read(operation.replace, _objects_in(paragraph))
        if operation.occurrence is None:
            hits, places = _unsaid(text, hits, new)
            if not hits:
                self._put_over(paragraph, places, new)
                return
        index = (operation.occurrence or 1) - 1
        if index >= len(hits):
            raise missing("an occurrence")
        self._put(paragraph, *hits[index], new)

    def _everywhere(self, operation: FindReplace) -> None:
        new = new_text.read(operation.replace)
        if not operation.match_case:
            new = [replace(piece, is_cased=False) for piece in new]
        hits: list[tuple[Paragraph, int, int]] = []
        finds = partial(
            everywhere,
            quote=operation.find,
            match_case=operation.match_case,
            whole_word=operation.whole_word,
        )
        for paragraph in self._at.scope(operation.scope, operation.find, finds):
            text = paragraph.text
            spans = finds(text)
            if operation.limit is None:
                spans, places = _unsaid(text, spans, new)
                self._put_over(paragraph, places, new)
            hits += [(paragraph, start, end) for start, end in spans]
            if 0 < (operation.limit or 0) <= len(hits):
                break
        if operation.limit is not None:
            limit = operation.limit
            hits = hits[:limit] if limit >= 0 else hits[limit:]
        letters = "".join(piece.text for piece in new)
        for _, group in groupby(hits, key=lambda hit: id(hit[0])):
            spans = list(group)
            paragraph = spans[0][0]
            text, guarded = paragraph.text, _guarded(paragraph)
            for _, start, end in spans:
                put = new
                if _overlapping(guarded, start, end):
                    former = text[start:end]
                    put = [Piece(letters, certainty="either", former=former, is_cased=False)]
                self._put(paragraph, start, end, put)

    def _put_over(
        self, paragraph: Paragraph, places: list[tuple[int, int]], new: list[Piece]
    ) -> None:
        """Let new words stand where they stand already, in these letters or their own."""
        letters = "".join(piece.text for piece in new)
        is_cased = all(piece.is_cased for piece in new)
        text = paragraph.text
        for start, end in places:
            put = Piece(letters, certainty="either", former=text[start:end], is_cased=is_cased)
            self._put(paragraph, start, end, [put])

    def _put(self, paragraph: Paragraph, start: int, end: int, new: list[Piece]) -> None:
        if id(paragraph) not in self._edits:
            self._edits[id(paragraph)] = paragraph, []
            self._found.bindings |= {piece.binding for piece in paragraph.pieces if piece.binding}
        self._edits[id(paragraph)][1].append(_Edit(start, end, new))

    def _write(self, paragraph: Paragraph, edits: list[_Edit]) -> None:
        """Write the edits of a paragraph; objects among replaced words stay."""
        edits = sorted(edits, key=lambda edit: edit.start)
        pieces = divide(paragraph.pieces, [at for edit in edits for at in (edit.start, edit.end)])
        written: list[Piece] = []
        at = index = 0
        for edit in edits:
            while index < len(pieces) and (at < edit.start or _is_at_edge(pieces[index], edit)):
                written.append(pieces[index])
                at += len(pieces[index].text)
                index += 1
            inner: list[Piece] = []
            while index < len(pieces) and at < edit.end:
                inner.append(pieces[index])
                at += len(pieces[index].text)
                index += 1
            written += self._replaced(inner, edit.pieces)
        paragraph.pieces = [*written, *pieces[index:]]

    def _replaced(self, former: list[Piece], new: list[Piece]) -> list[Piece]:
        """New pieces instead of former ones; the objects among these stay."""
        is_deletion = not any(piece.text or piece.object for piece in new)
        objects = [
            replace(piece, is_optional=is_deletion or piece.object.startswith(_NOTES))
            for piece in former
            if piece.object
        ]
        brought = [self._named(piece, objects) for piece in new]
        return [*(brought or [Piece(certainty="new")]), *objects]

    def _named(self, piece: Piece, objects: list[Piece]) -> Piece:
        """The object that a token of a replacement stands for, taken from those replaced."""
        if not piece.object:
            return piece
        own = next((o for o in objects if self._is_named(o, piece.object)), None)
        if own is None:
            return piece
        objects.remove(own)
        return replace(own, is_optional=False)

    def _rewrite(self, paragraph: Paragraph, text: str, lead: str = "") -> None:
        """Give a paragraph a new text; objects without a token stay somewhere in it."""
        left = [piece for piece in paragraph.pieces if piece.object]
        pieces = [Piece(lead, certainty="either")] if lead else []
        for piece in new_text.read(text, _objects_in(paragraph)):
            own = next((o for o in left if self._is_named(o, piece.object)), None)
            if own is not None:
                left.remove(own)
            pieces.append(own or piece)
        paragraph.pieces = pieces or [Piece(certainty="new")]
        paragraph.loose = left
        self._found.bindings |= {piece.binding for piece in left if piece.binding}

    def _is_named(self, piece: Piece, token: str) -> bool:
        """Whether an object is what a token names (`fn3`, `im1`, `eq`)."""
        if token.startswith(("fn", "en")):
            story = self._at.find_story(token)
            kind = "footnoteReference" if token.startswith("fn") else "endnoteReference"
            return story is not None and piece.object == f"{kind} {story.key[2]}"
        if token.startswith("im"):
            return token in piece.image
        kinds = {"eq": "equation ", "pb": "page break", "cb": "column break"}
        kind = token.rstrip("0123456789")  # numbered in their order, in which they come back
        return bool(token) and piece.object.startswith(kinds.get(kind, "\0"))

    def _fill(self, control: str, value: str) -> None:
        """Fill a control; what a date, a box or a form field shows is not known here."""
        name = control.strip().strip("\u27e6\u27e7").strip().casefold()
        for paragraph in self._at.with_controls(control):
            pieces: list[Piece] = []
            is_filled = False
            for piece in paragraph.pieces:
                if name not in piece.controls:
                    pieces.append(piece)
                    continue
                self._found.bindings |= {piece.binding} - {""}
                if not is_filled:
                    pieces.append(_shown(paragraph.options.get(name), value))
                is_filled = True
            paragraph.pieces = pieces
            paragraph.shape = None

    # Objects and looks

    def _objects(self, operation: Operation) -> None:
        match operation:
            case DeleteNote(note):
                key = self._at.story(note).key
                self._struck_objects.add(f"{key[0]}Reference {key[2]}")
            case DeleteImage(image):
                self._struck_images.add(image.strip().strip("\u27e6\u27e7"))
            case SetAltText():
                self._described[operation.target.strip().strip("\u27e6\u27e7")] = operation.text
            case SetProperty(name, value):
                self._found.properties[_PROPERTIES.get(name.lower(), name.lower())] = value
            case _:
                pass

    def _strike(self) -> None:
        """Take the notes and pictures that are deleted away wherever they stand."""
        if not self._struck_objects and not self._struck_images:
            return
        for paragraph in self._at.with_objects():
            for pieces in (paragraph.pieces, paragraph.loose):
                pieces[:] = [
                    piece
                    for piece in pieces
                    if piece.object not in self._struck_objects
                    and self._struck_images.isdisjoint(piece.image)
                ]

    def _quoting(self, operation: _Quoting) -> bool:
        """Carry out what quotes words; whether they are there."""
        quote = operation.after_text if isinstance(operation, InsertFootnote) else operation.find
        if not quote and isinstance(operation, FormatText):
            for each in self._at.paragraphs_in(operation.block):
                _over(each, [(0, len(each.text))], (operation.property, operation.value))
            return True
        paragraph = self._at.paragraph(operation.block)
        text = paragraph.text
        spans = find(text, quote) if quote else [(0, len(text))]
        if isinstance(operation, RemoveLink):
            spans = [span for span in spans if _links(paragraph, *span)] or spans
        if not spans or (operation.occurrence or 1) > len(spans):
            return False
        if operation.occurrence != 0:
            spans = [spans[(operation.occurrence or 1) - 1]]
        if isinstance(operation, FormatText):
            _over(paragraph, spans, (operation.property, operation.value))
            return True
        for start, end in spans:
            self._mark(paragraph, start, end, operation)
        return True

    def _mark(self, paragraph: Paragraph, start: int, end: int, operation: _Quoting) -> None:
        match operation:
            case SetLink() | RemoveLink():
                url = operation.url.strip() if isinstance(operation, SetLink) else ""
                around = _links(paragraph, start, end)
                paragraph.pieces = [
                    replace(piece, wanted=(*piece.wanted, _UNJUDGED))
                    if piece.link in around
                    else piece
                    for piece in paragraph.pieces
                ]
                _over(paragraph, [(start, end)], ("link", url or "none"))
            case InsertFootnote():
                letters = new_text.plain(operation.text)
                _, last = cut(paragraph.pieces, start, end)
                at = last if end > start else len(paragraph.pieces)
                while at < len(paragraph.pieces) and paragraph.pieces[at].object.startswith("new"):
                    at += 1
                new = Piece(object="new footnoteReference", former=letters, certainty="new")
                paragraph.pieces.insert(at, new)
            case AddComment():
                self._found.comments.append(operation.text)
                number = len(self._found.comments)
                paragraph.new_comments.append(number)
                first, last = cut(paragraph.pieces, start, end)
                for at, piece in enumerate(paragraph.pieces[first:last], start=first):
                    comments = piece.comments | {number}
                    paragraph.pieces[at] = replace(piece, comments=comments)
            case FormatText():
                pass


def missing(what: str) -> VerificationError:
    """The error of a plan that names something which the judge does not find."""
    message = f"law 2 cannot be judged: {what} of the plan is not in the document"
    return VerificationError(message)


def _shown(options: Mapping[str, str] | None, value: str) -> Piece:
    """What a control shows once it has a value."""
    if options is None:
        return Piece(certainty="unknown")
    shown = options.get(value.strip().casefold())
    if shown is not None:
        return Piece(shown, certainty="new")
    return Piece(new_text.plain(value), certainty="either", former=value)


def _unsaid(
    text: str, hits: list[tuple[int, int]], new: list[Piece]
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The hits around which the new words do not stand already, and where they do."""
    if any(piece.object or piece.certainty == "unknown" for piece in new):
        return hits, []
    letters = "".join(piece.text for piece in new)
    places = everywhere(text, letters, match_case=False, whole_word=True) if letters else []
    around: dict[tuple[int, int], None] = {}
    left: list[tuple[int, int]] = []
    for hit in hits:
        # The places are in order and disjoint: only the last that begins so early can be around.
        at = bisect_right(places, hit[0], key=lambda place: place[0]) - 1
        if at >= 0 and places[at][1] >= hit[1] and places[at] != hit:
            around[places[at]] = None
        else:
            left.append(hit)
    return left, list(around)


def _guarded(paragraph: Paragraph) -> list[tuple[int, int]]:
    """The stretches of a text that are computed or locked, in order."""
    spans: list[tuple[int, int]] = []
    at = 0
    for piece in paragraph.pieces:
        if piece.is_guarded:
            spans.append((at, at + len(piece.text)))
        at += len(piece.text)
    return spans


def _overlapping(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether one of some spans, which are in order and disjoint, has letters of another."""
    at = bisect_left(spans, end, key=lambda span: span[0]) - 1
    return at >= 0 and spans[at][1] > start


def _is_at_edge(piece: Piece, edit: _Edit) -> bool:
    """Whether a piece without letters stands in front of what is replaced, not among it."""
    return not piece.text and edit.end > edit.start


def _links(paragraph: Paragraph, start: int, end: int) -> set[str]:
    first, last = cut(paragraph.pieces, start, end)
    return {piece.link for piece in paragraph.pieces[first:last] if piece.link}


def _over(paragraph: Paragraph, spans: Sequence[tuple[int, int]], wanted: tuple[str, str]) -> None:
    """Want a property of stretches of the text, which are in order."""
    pieces = divide(paragraph.pieces, [at for span in spans for at in span])
    rest = list(reversed(spans))
    at = 0
    for index, piece in enumerate(pieces):
        while rest and rest[-1][1] <= at:
            rest.pop()
        if piece.text and rest and rest[-1][0] <= at:
            pieces[index] = replace(piece, wanted=(*piece.wanted, wanted))
        at += len(piece.text)
    paragraph.pieces = pieces


def _objects_in(paragraph: Paragraph) -> str:
    return " ".join(piece.object for piece in paragraph.pieces)


_LAST: dict[type, int] = {InsertColumn: 1, DeleteColumn: 2}
_NOTES = ("footnoteReference", "endnoteReference")
_PROPERTIES = {"author": "creator", "comments": "description"}
