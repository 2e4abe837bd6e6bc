"""An edited text without anchors, as an assistant hands it back: its paragraphs are found again.

It is compared with the same text of the document as it was: the Markdown of
`engine.markdown.document`, or that of `engine.text_edit.written_text` without its anchors. What is
equal there stays as it is. A paragraph or row that differs is looked up in the document by its
words; words that stay keep their formatting, and what Markdown does not show stays: empty
paragraphs, headers, page breaks, the numbers that Word counts. What cannot be found is named by its
line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

from markdown_it import MarkdownIt

from redraft.engine import tokens
from redraft.engine.compare.alignment import Item, align
from redraft.engine.compare.rewording import reword
from redraft.engine.inline_pieces import Atom, Piece, Words, visible
from redraft.engine.model import Mark
from redraft.engine.text_edit import edited_text
from redraft.engine.text_edit.edited_text import Entry
from redraft.engine.text_edit.text_plan import LineFault, TextFaultsError
from redraft.engine.text_edit.written_text import COVERED, TextLine

_SIGNS: Final = re.compile(r"\[\^([\w-]+)\]|\$([^$]+)\$")
_DEFINITION: Final = re.compile(r"\[\^[\w-]+\]:\s*")
_NOT_FOUND: Final = "this cannot be changed as plain Markdown; change the text with its anchors"
_FENCE: Final = re.compile(r"\s*(?:```|~~~)")
_HIDDEN: Final = ("pb", "cb")
_LISTED: Final = ("-", "1")
_MARKS: Final = {"strong_open": Mark.BOLD, "em_open": Mark.ITALIC}
_ENDS: Final = {"strong_close": Mark.BOLD, "em_close": Mark.ITALIC}
_BREAKS: Final = ("softbreak", "hardbreak")


def anchored(lines: Sequence[TextLine], markdown: str, text: str) -> list[Entry]:
    """Returns the entries of a text with the anchors of the blocks that they are.

    Args:
        lines: The document as it was written.
        markdown: The Markdown of the document.
        text: An edited text without anchors.

    Raises:
        TextFaultsError: Something differs that cannot be found in the document.
    """
    edited = _entries(text)
    bases = _entries(markdown), _without_anchors(lines)
    faces = {_key(entry) for entry in edited}
    equal = [sum(_key(entry) in faces for entry in base) for base in bases]
    is_view = equal[1] > equal[0]
    finder = _Finder(_view_pieces if is_view else pieces_of)
    entries = finder.found(lines, bases[is_view], edited)
    if finder.faults:
        raise TextFaultsError(finder.faults)
    return entries


def _entries(text: str) -> list[Entry]:
    """Returns the entries of Markdown; each line of a listing is one."""
    is_fenced = False
    kept: list[str] = []
    for line in text.split("\n"):
        if _FENCE.match(line):
            is_fenced = not is_fenced
            kept.append("")
        elif is_fenced and line.strip():
            kept += ["", f"\\{line}" if line.lstrip()[:1] in "#->|[" else line]
        else:
            kept.append(line)
    return [
        replace(entry, text=_DEFINITION.sub("", entry.text, count=1))
        for entry in edited_text.read("\n".join(kept), ())
        if entry.form != "separator"
    ]


def _without_anchors(lines: Sequence[TextLine]) -> list[Entry]:
    """Returns the entries of the text for an editor whose anchors are gone."""
    bare = (line.written().removeprefix(line.head).removeprefix(" ") for line in lines)
    signs = ("1. " if line.label and line.sign.kind == "1" else "" for line in lines)
    return _entries("\n\n".join(map("".join, zip(signs, bare, strict=True))))


def _key(entry: Entry) -> Hashable:
    """Returns what is equal for entries between which nothing was changed."""
    return entry.form, entry.sign, " ".join(entry.text.split()), entry.cells


class _Finder:
    def __init__(self, pieces: Callable[[str], tuple[Piece, ...]]) -> None:
        self._pieces = pieces
        self.faults: list[LineFault] = []

    def found(
        self, lines: Sequence[TextLine], base: Sequence[Entry], edited: Sequence[Entry]
    ) -> list[Entry]:
        """Returns the entries of a document whose text was changed."""
        owned = self._owned(lines, base)
        is_first = True
        entries: list[Entry] = []
        items = [[Item(_key(e), self._said(e), e.form) for e in side] for side in (base, edited)]
        for pair in align(*items):
            if pair.old is None:
                entries += () if pair.new is None else (self._fresh(edited[pair.new]),)
                continue
            own = owned[pair.old]
            new = None if pair.new is None else edited[pair.new]
            if is_first and own:
                entries += map(_same, lines[: lines.index(own[0])])
                is_first = False
            entries += self._kept(own, base[pair.old], new)
        return [*entries, *(map(_same, lines) if is_first else ())]

    def _owned(self, lines: Sequence[TextLine], base: Sequence[Entry]) -> list[list[TextLine]]:
        """Returns the line of each entry, if it has one, and those behind it that have none."""
        shown = [line for line in lines if _is_shown(line)]
        pairs = align(
            [Item(_words_of(line), _words_of(line), _form(line)) for line in shown],
            [Item(self._said(entry), self._said(entry), entry.form) for entry in base],
        )
        owners = {
            shown[pair.old].anchor: pair.new
            for pair in pairs
            if pair.old is not None and pair.new is not None
        }
        owned: list[list[TextLine]] = [[] for _ in base]
        owner: int | None = None
        for line in lines:
            owner = owners.get(line.anchor, owner) if _is_shown(line) else owner
            if owner is not None:
                owned[owner].append(line)
        return owned

    def _kept(self, own: Sequence[TextLine], old: Entry, new: Entry | None) -> Iterator[Entry]:
        """Yields the line of an entry as it shall be, and those behind it as they are."""
        if new is not None and _key(old) == _key(new):
            yield from map(_same, own)
            return
        line = own[0] if own else None
        is_whole = line is not None and _words_of(line) == self._said(
            replace(old, text=_without_label(old.text, line.label))
        )
        if line is None or not is_whole:
            number = old.number if new is None else new.number
            self.faults.append(LineFault(number, _NOT_FOUND))
        elif new is not None:
            yield self._again(line, new)
        yield from map(_same, own[1:])

    def _again(self, line: TextLine, entry: Entry) -> Entry:
        """Returns the entry of a line whose words may have changed."""
        same = replace(_same(line), number=entry.number)
        if line.form == "rule":
            return same
        if line.form == "row":
            return self._row(line, entry, same)
        text = self._reworded(line.pieces, _without_label(entry.text, line.label))
        is_listed = line.sign.kind in _LISTED and entry.sign.kind in _LISTED
        is_headed = "#" in (line.sign.kind, entry.sign.kind) and line.sign.level < 7
        sign = entry.sign if is_headed and not is_listed else line.sign
        return replace(same, text=line.text if text is None else text, sign=sign)

    def _row(self, line: TextLine, entry: Entry, same: Entry) -> Entry:
        """Returns a row with the words of its cells; a cell merged into the one above has none."""
        if self._said(entry) == _words_of(line):
            return same
        given = list(entry.cells)
        if len(given) != len(line.cells):
            return replace(entry, anchor=line.anchor)
        cells: list[str] = []
        for (anchor, old), new in zip(line.cells, given, strict=True):
            text = self._reworded(tokens.parse(old, ()).pieces, new) if anchor else None
            cells.append(old if text is None else text)
        return replace(same, cells=tuple(cells))

    def _fresh(self, entry: Entry) -> Entry:
        """Returns a new entry in the syntax of the view."""
        if entry.form == "row":
            return replace(
                entry, cells=tuple(tokens.write(self._pieces(cell)) for cell in entry.cells)
            )
        if entry.form == "rule":
            return entry
        return replace(entry, text=tokens.write(self._pieces(entry.text)))

    def _reworded(self, old: Sequence[Piece], markdown: str) -> str | None:
        """Returns what a paragraph says with the words of Markdown; None where it says them."""
        new = list(self._pieces(markdown))
        hidden = [p for p in old if isinstance(p, Atom) and p.name in _HIDDEN]
        if hidden and old[0] in hidden:
            new.insert(0, hidden.pop(0))
        new += hidden
        rewording = reword(old, new)
        is_same = not (rewording.is_changed or rewording.dropped or rewording.added)
        return None if is_same else rewording.text

    def _said(self, entry: Entry) -> str:
        if entry.form == "row":
            return " ".join(" ".join(_face(self._pieces(cell)) for cell in entry.cells).split())
        return "---" if entry.form == "rule" else _face(self._pieces(entry.text))


def _is_shown(line: TextLine) -> bool:
    """Whether Markdown shows a line."""
    return line.form in ("row", "rule") or (line.form == "paragraph" and bool(_words_of(line)))


def _form(line: TextLine) -> str:
    return "row" if line.form == "row" else "paragraph"


def _same(line: TextLine) -> Entry:
    """Returns the entry of a line that stays as it is."""
    if line.form == "row":
        return Entry(0, "row", line.anchor, cells=tuple(text for _, text in line.cells))
    if line.form in ("row_head", "end"):
        return Entry(0, "head" if line.form == "row_head" else "separator", line.anchor)
    text = "---" if line.form == "rule" else line.text
    return Entry(0, "paragraph", line.anchor, line.sign, text)


def _without_label(markdown: str, label: str) -> str:
    """Returns a paragraph without the number that Word counts, which Markdown writes out."""
    return markdown.removeprefix(label).lstrip() if label else markdown


def _words_of(line: TextLine) -> str:
    """Returns what a line says, as Markdown shows it without its signs."""
    if line.form == "row":
        texts = (
            "" if text == COVERED else _face(tokens.parse(text, ()).pieces)
            for _, text in line.cells
        )
        return " ".join(" ".join(texts).split())
    return "---" if line.form == "rule" else _face(line.pieces)


def _face(line: Sequence[Piece]) -> str:
    """Returns the words of a line; where it has none, its objects."""
    words = " ".join(visible(line).split())
    names = (p.name for p in line if isinstance(p, Atom) and p.name not in ("tab", "br", *_HIDDEN))
    return words or " ".join(f"⟦{name.rstrip('0123456789')}⟧" for name in names)


def _view_pieces(text: str) -> tuple[Piece, ...]:
    """Returns the inlines of a paragraph in the syntax of the view."""
    return tokens.parse(text, ()).pieces


def pieces_of(markdown: str) -> tuple[Piece, ...]:
    """Returns the inlines of a paragraph of Markdown; links as their words."""
    line: list[Piece] = []
    marks = Mark.NONE
    for token in _parsed(markdown):
        kind: str = token.type
        if kind in _MARKS:
            marks |= _MARKS[kind]
        elif kind in _ENDS:
            marks &= ~_ENDS[kind]
        elif kind in ("text", "text_special", "code_inline"):
            line += _with_signs(token.content, marks)
        elif kind == "image":
            line.append(Atom("im1"))
        elif kind in _BREAKS or (kind == "html_inline" and token.content == "<br>"):
            line.append(Words(" ", marks) if kind == "softbreak" else Atom("br"))
        elif kind == "html_inline" and token.content not in ("<u>", "</u>"):
            line.append(Words(token.content, marks))
    return tokens.parse(tokens.write(line), ()).pieces


def _with_signs(text: str, marks: Mark) -> Iterator[Piece]:
    """Yields words, and the signs of notes and equations among them."""
    at = 0
    for sign in _SIGNS.finditer(text):
        if sign.start() > at:
            yield Words(text[at : sign.start()], marks)
        name = "eq1" if sign[2] else ("en1" if sign[1].startswith("e") else "fn1")
        yield Atom(name, " ".join((sign[2] or "").split()))
        at = sign.end()
    if text[at:]:
        yield Words(text[at:], marks)


def _parsed(markdown: str) -> Sequence[Any]:
    blocks = _parser().parseInline(markdown)
    return blocks[0].children or () if blocks else ()


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable(["strikethrough"])
