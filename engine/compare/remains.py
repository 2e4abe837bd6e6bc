"""What still differs between the accepted redline and the second version, in words.

Nothing is lost silently: what no tracked change can say, and what an operation was refused for, is
named with the ids of the blocks. Styles, page set-up, headers that one side lacks and comments are
compared as wholes, for Word tracks none of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from redraft.engine.compare import looks
from redraft.engine.compare.alignment import Item, align
from redraft.engine.compare.brought_styles import counterpart_ids
from redraft.engine.compare.versions import ComparedBlock, ComparedStory, Version
from redraft.engine.docx.judging.paragraph_shapes import properties
from redraft.engine.docx.names import W_PPR, W_RPR, W_SECT_PR, W_TBL_PR, A, Element, R, V, W
from redraft.engine.docx.redline.line import Line, Standing
from redraft.engine.inline_pieces import Atom
from redraft.engine.model import StoryKind

_MOST_PLACES: Final = 5
_WORDS: Final = "Words differ"
_LOOKS: Final = "Formatting of words differs"
_SHAPE: Final = "Formatting of paragraphs differs"
_TABLE: Final = "Borders, widths or other properties of a table differ"
_BYTES: Final = "A picture has other contents"
_OTHERS: Final = "Drawings, text boxes or controls differ"
_OBJECTS: Final = {
    "im": "Pictures differ",
    "fn": "Footnotes differ",
    "en": "Endnotes differ",
    "eq": "Equations differ",
}
_UNSEEN: Final = frozenset({*looks.UNSEEN, "rPrChange"})
_DRAWN: Final = tuple(map(W, ("drawing", "pict", "object")))
_NAMES: Final[dict[StoryKind, str]] = {
    "header": "headers",
    "footer": "footers",
    "textbox": "text boxes",
    "comment": "comments",
}


def remains(old: Version, new: Version, *, words_only: bool = False) -> tuple[str, ...]:
    """Returns sentences on what differs between two versions.

    Args:
        old: The redline, read as accepted.
        new: The second version.
        words_only: Whether only words count.
    """
    sentences = _Finder(old, new, words_only=words_only).sentences()
    return tuple(s for s in sentences if not words_only or s.startswith(_WORDS))


class _Finder:
    def __init__(self, old: Version, new: Version, *, words_only: bool) -> None:
        self._words_only = words_only
        self._old = old
        self._new = new
        self._places: dict[str, list[str]] = {}
        self._before = looks.appearance(old.package)
        self._after = looks.appearance(new.package)

    def sentences(self) -> Iterator[str]:
        """Yields one sentence for each kind of difference."""
        for kind in ("body", "header", "footer", "footnote", "endnote", "textbox"):
            old, new = self._of(kind), self._of(kind, is_new=True)
            for first, second in zip(old, new, strict=False):
                self._blocks(first.blocks, second.blocks)
        for what, places in self._places.items():
            shown = ", ".join(dict.fromkeys(places[:_MOST_PLACES]))
            more = len(places) - _MOST_PLACES
            yield f"{what}: {shown}{f' and {more} more' if more > 0 else ''}"
        yield from self._stories()
        yield from self._document()

    def _of(self, kind: str, *, is_new: bool = False) -> list[ComparedStory]:
        stories = (self._new if is_new else self._old).stories
        return [story for story in stories if story.kind == kind]

    def _stories(self) -> Iterator[str]:
        for kind, name in _NAMES.items():
            old, new = self._of(kind), self._of(kind, is_new=True)
            if kind == "comment":
                if [_text(s) for s in old] != [_text(s) for s in new]:
                    yield "Comments differ; those of the first version are kept"
            elif len(old) != len(new):
                yield f"The first version has {len(old)} {name}, the second {len(new)}"

    def _document(self) -> Iterator[str]:
        if _sections(self._old) != _sections(self._new):
            yield "Page set-up differs (size, margins, columns, or which headers a section has)"
        ids = counterpart_ids(self._old.package, self._new.package)
        names = sorted(
            self._after.names.get(style, style)
            for style in _used(self._new)
            if _style(self._before, ids.get(style, style)) != _style(self._after, style)
        )
        if names:
            shown = ", ".join(f"“{name}”" for name in names[:_MOST_PLACES])
            more = len(names) - _MOST_PLACES
            yield f"Styles are defined otherwise: {shown}{f' and {more} more' if more > 0 else ''}"

    # Blocks

    def _put(self, what: str, block: ComparedBlock) -> None:
        self._places.setdefault(what, []).append(block.anchor)

    def _blocks(self, old: Sequence[ComparedBlock], new: Sequence[ComparedBlock]) -> None:
        if [block.content for block in old] == [block.content for block in new]:
            return
        if self._words_only:
            old, new = ([block for block in side if block.text.strip()] for side in (old, new))
        pairs = align(
            [Item(b.content, b.text, b.kind) for b in old],
            [Item(b.content, b.text, b.kind) for b in new],
        )
        for pair in pairs:
            if pair.old is None or pair.new is None:
                block = old[pair.old] if pair.old is not None else new[pair.new or 0]
                if block.text.strip() or block.objects:
                    self._put(_WORDS, block)
                else:
                    self._put("Empty paragraphs differ", block)
            elif old[pair.old].content != new[pair.new].content:
                self._block(old[pair.old], new[pair.new])

    def _block(self, old: ComparedBlock, new: ComparedBlock) -> None:
        if old.kind == "table":
            self._table(old, new)
            return
        if old.text != new.text:
            self._put(_WORDS, old)
        for kind, sentence in _OBJECTS.items():
            if _shown(old, kind) != _shown(new, kind):
                self._put(sentence, old)
        if _pictures(old, self._old) != _pictures(new, self._new) and _shown(old, "im") == _shown(
            new, "im"
        ):
            self._put(_BYTES, old)
        if looks.is_reshaped(old.element, new.element, self._before, self._after):
            self._put(_SHAPE, old)
        line = self._old.survey.line(self._old.place(old.anchor))
        other = self._new.survey.line(self._new.place(new.anchor))
        if old.text == new.text and looks.text_looks(line, other, self._before, self._after):
            self._put(_LOOKS, old)
        if _drawn(line) != _drawn(other) and _shown(old, "im") == _shown(new, "im"):
            self._put(_OTHERS, old)

    def _table(self, old: ComparedBlock, new: ComparedBlock) -> None:
        if len(old.rows) != len(new.rows) or any(
            len(row.cells) != len(other.cells)
            for row, other in zip(old.rows, new.rows, strict=False)
        ):
            self._put("Rows, columns or merged cells differ", old)
            return
        for row, other in zip(old.rows, new.rows, strict=True):
            for cell, twin in zip(row.cells, other.cells, strict=True):
                self._blocks(cell.blocks, twin.blocks)
        if _frame(old.element) != _frame(new.element):
            self._put(_TABLE, old)


def _text(story: ComparedStory) -> str:
    return "\n".join(block.text for block in story.blocks)


def _shown(block: ComparedBlock, kind: str) -> list[str]:
    return [
        piece.shown if kind == "eq" else ""
        for piece in block.pieces
        if isinstance(piece, Atom) and piece.name.startswith(kind)
    ]


def _drawn(line: Line) -> int:
    """Returns how many drawings, text boxes and controls stand in a line."""
    return sum(
        next(unit.node.iter(*_DRAWN), None) is not None
        for unit in line.units
        if unit.standing is not Standing.STRUCK
    )


def _pictures(block: ComparedBlock, version: Version) -> list[bytes]:
    relations = version.package.relationships(version.place(block.anchor).part)
    found: list[bytes] = []
    for node in block.element.iter(A("blip"), V("imagedata")):
        relation = relations.get(node.get(R("embed"), node.get(R("id"), "")))
        if relation is not None and not relation.external and version.package.has(relation.target):
            found.append(version.package.read(relation.target))
    return found


def _frame(table: Element) -> list[object]:
    """Returns what a table, its rows and its cells say of themselves."""
    tags = (W_TBL_PR, W("tblGrid"), W("trPr"), W("tcPr"))
    return [
        (node.tag, properties(node, without=frozenset(map(W, ("ins", "del", "tblPrChange")))))
        for node in table.iter(*tags)
    ]


def _sections(version: Version) -> list[object]:
    root = version.package.tree(version.package.main)
    return [
        [p for p in properties(section) if p[0] not in ("headerReference", "footerReference")]
        for section in root.iter(W_SECT_PR)
    ]


def _used(version: Version) -> set[str]:
    """Returns the ids of the paragraph and character styles that a document uses."""
    root = version.package.tree(version.package.main)
    return {node.get(W("val"), "") for node in root.iter(W("pStyle"), W("rStyle"))}


def _style(look: looks.Appearance, style: str) -> object:
    element = look.cascade.style(style)
    if element is None:
        return None
    return [
        [p for p in properties(part) if p[0] not in ("numPr", *_UNSEEN)]
        for tag in (W_PPR, W_RPR)
        if (part := element.find(tag)) is not None and len(part)
    ]
