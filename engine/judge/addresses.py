"""What anchors and scopes of a plan name in the content of a document (see `engine.model`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from redraft.engine.errors import VerificationError
from redraft.engine.judge.content import (
    Block,
    Cell,
    Content,
    Paragraph,
    Row,
    Shape,
    Story,
    Table,
)

_Filter: TypeAlias = Callable[[Block], bool]
_Finder: TypeAlias = Callable[[str], object]
_SCOPES: Final = {
    "all": ("body", "header", "footer", "footnote", "endnote", "textbox"),
    "body": ("body", "textbox"),
    "headers": ("header",),
    "footers": ("footer",),
    "notes": ("footnote", "endnote"),
}


class Addresses:
    """Finds what a plan names; lists of blocks are those of the content itself."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._stories = {story.anchor: story for story in content.stories.values()}
        # By the identity of a list of blocks or of a table, which is kept beside its index.
        self._blocks: dict[int, tuple[list[Block], dict[str, int]]] = {}
        self._rows: dict[int, tuple[Table, dict[str, Row]]] = {}
        self._boxes: dict[str, list[Block]] | None = None
        self._controlled: dict[str, list[Paragraph]] | None = None

    def find_story(self, anchor: str) -> Story | None:
        """Returns the story that an anchor names, or None."""
        return self._stories.get(anchor)

    def story(self, anchor: str) -> Story:
        """Returns the story that an anchor names."""
        found = self._stories.get(anchor.strip().strip("\u27e6\u27e7"))
        if found is None:
            raise _missing("a story")
        return found

    def furniture(self, kind: str) -> list[Block]:
        """Returns the blocks of the header or footer of ordinary pages; new ones where none is."""
        stories = [story for story in self._content.stories.values() if story.kind == kind]
        default = next((s for s in stories if s.purpose == "default"), None)
        story = default or next(iter(stories), None)
        if story is None:
            key = (kind, "new", "")
            story = Story(key, "", kind, [Block((), "paragraph", content=Paragraph())])
            self._content.stories[key] = story
        return story.blocks

    def siblings(self, anchor: str) -> tuple[list[Block], int]:
        """Returns the blocks among which a paragraph or table stands, and its index."""
        blocks = self._holder(anchor)
        known = self._blocks.get(id(blocks))
        if known is None:
            index = {name: at for at, block in enumerate(blocks) for name in block.anchors}
            known = self._blocks[id(blocks)] = blocks, index
        at = known[1].get(anchor)
        if at is None:
            raise _missing("a block")
        return blocks, at

    def block(self, anchor: str) -> Block:
        """Returns the paragraph or table that an anchor names."""
        blocks, index = self.siblings(anchor)
        return blocks[index]

    def paragraph(self, anchor: str) -> Paragraph:
        """Returns the paragraph that an anchor names; that of a cell for the cell itself."""
        found = self.block(anchor).opened()
        if not isinstance(found, Paragraph):
            raise _missing("a paragraph")
        return found

    def only_paragraph(self, blocks: Sequence[Block]) -> Paragraph:
        """Returns the only block, a paragraph."""
        found = blocks[0].opened() if len(blocks) == 1 else None
        if not isinstance(found, Paragraph):
            raise _missing("a single paragraph")
        return found

    def paragraphs_in(self, anchor: str) -> list[Paragraph]:
        """Returns the paragraph that an anchor names, or all in the table, row or cell."""
        last = anchor.rpartition(".")[2][:1]
        if last == "c" and "." in anchor:
            return self.paragraphs_of(self.cell(anchor).blocks)
        if last == "r":
            cells = self.row(anchor)[1].cells
            return [p for cell in cells for p in self.paragraphs_of(cell.blocks)]
        return self.paragraphs_of([self.block(anchor)])

    def paragraphs_of(self, blocks: Iterable[Block]) -> list[Paragraph]:
        """Returns the paragraphs among blocks and in their tables."""
        return list(self._opened(blocks, _always))

    def row(self, anchor: str) -> tuple[Table, Row]:
        """Returns the row that an anchor names, and its table."""
        table = self.block(anchor.rpartition(".")[0]).opened()
        if not isinstance(table, Table):
            raise _missing("a row")
        known = self._rows.get(id(table))
        if known is None:
            known = self._rows[id(table)] = table, {row.anchor: row for row in table.rows}
        row = known[1].get(anchor)
        if row is None:
            raise _missing("a row")
        return table, row

    def cell(self, anchor: str) -> Cell:
        """Returns the cell that an anchor names."""
        _, row = self.row(anchor.rpartition(".")[0])
        cell = next((cell for cell in row.cells if cell.anchor == anchor), None)
        if cell is None:
            raise _missing("a cell")
        return cell

    def _holder(self, anchor: str) -> list[Block]:
        """The blocks of the story or cell in which a block stands."""
        holder = anchor.rpartition(".")[0]
        if re.search(r"\.c\d+$", holder):
            return self.cell(holder).blocks
        if holder.startswith("tb"):
            return self._text_boxes().get(holder, [])
        return self.story(holder).blocks

    def _text_boxes(self) -> dict[str, list[Block]]:
        """The blocks of all text boxes by anchor; whatever they hang on is opened."""
        if self._boxes is None:
            self._boxes = {}
            for story in list(self._content.stories.values()):
                for paragraph in self._opened(story.blocks, _has_boxes):
                    for box in paragraph.boxes:
                        name = next((b.anchors[0] for b in box), "").partition(".")[0]
                        self._boxes[name] = box
        return self._boxes

    # Many paragraphs

    def scope(self, scope: str, quote: str, finds: _Finder) -> Iterator[Paragraph]:
        """Yields the paragraphs of a scope in order in which a quote stands.

        All others are left as if nothing had asked for them.

        Args:
            scope: As a plan names it.
            quote: What is looked for, roughly.
            finds: Whether it stands in a text.
        """
        words = re.findall(r"\w+", quote.casefold())
        word = max(words, key=len, default="")

        def may_hold(block: Block) -> bool:
            return (
                not block.is_untouched
                or block.source is None
                or (not word.isascii() or word in block.source.letters().casefold())
            )

        kind, _, anchor = scope.partition(":")
        if anchor:
            for blocks in self._within(kind, anchor):
                yield from self._opened(blocks, may_hold, finds)
            return
        kinds = _SCOPES.get(kind, ())
        stories = list(self._content.stories.values())
        for wanted in kinds:
            for story in stories:
                if story.kind == wanted:
                    yield from self._opened(story.blocks, may_hold, finds)
        for story in stories if "textbox" in kinds else ():
            yield from self._in_boxes(story, may_hold)

    def _within(self, kind: str, anchor: str) -> list[list[Block]]:
        """The blocks of a scope that names a place."""
        if re.search(r"c\d+$", anchor):
            return [self.cell(anchor).blocks]
        if re.search(r"r\d+$", anchor):
            return [cell.blocks for cell in self.row(anchor)[1].cells]
        return [self._section(anchor) if kind == "section" else [self.block(anchor)]]

    def with_controls(self, control: str) -> list[Paragraph]:
        """Returns the paragraphs that held pieces of a control when one was first asked for."""
        if self._controlled is None:
            self._controlled = {}
            for paragraph in self.with_objects():
                for name in {name for piece in paragraph.pieces for name in piece.controls}:
                    self._controlled.setdefault(name, []).append(paragraph)
        name = control.strip().strip("\u27e6\u27e7").strip().casefold()
        return self._controlled.get(name, [])

    def with_objects(self) -> list[Paragraph]:
        """Returns the paragraphs of all stories in which objects or controls stand."""
        return [
            paragraph
            for story in list(self._content.stories.values())
            for paragraph in self._deep(story.blocks, _has_objects)
        ]

    def _in_boxes(self, story: Story, is_meant: _Filter) -> Iterator[Paragraph]:
        for paragraph in self._opened(story.blocks, lambda b: _has_boxes(b) and is_meant(b)):
            for box in paragraph.boxes:
                yield from self._deep(box, is_meant)

    def _deep(self, blocks: Iterable[Block], is_meant: _Filter) -> Iterator[Paragraph]:
        """The paragraphs, those in their text boxes behind them."""
        for paragraph in self._opened(blocks, is_meant):
            yield paragraph
            for box in paragraph.boxes:
                yield from self._deep(box, is_meant)

    def _opened(
        self, blocks: Iterable[Block], is_meant: _Filter, finds: _Finder | None = None
    ) -> Iterator[Paragraph]:
        """The paragraphs among blocks and in their tables that are meant.

        With `finds` only those whose text it finds something in; the others are closed again.
        """
        for block in blocks:
            if not is_meant(block):
                continue
            may_close = finds is not None and block.is_untouched and block.source is not None
            content = block.opened()
            if isinstance(content, Paragraph):
                if finds is None or finds(content.text):
                    yield content
                elif may_close and not content.boxes:
                    block.content = None
                continue
            inner = [each for row in content.rows for cell in row.cells for each in cell.blocks]
            yield from self._opened(inner, is_meant, finds)
            if may_close and all(each.is_untouched for each in inner):
                block.content = None

    def _section(self, anchor: str) -> list[Block]:
        """A heading and what follows up to the next heading of its level or a higher one."""
        blocks, index = self.siblings(anchor)
        level = _level(blocks[index])
        end = index + 1
        while end < len(blocks) and not (level and 0 < _level(blocks[end]) <= level):
            end += 1
        return blocks[index:end]


def _always(block: Block) -> bool:
    del block
    return True


def _has_objects(block: Block) -> bool:
    return block.source is None or block.source.has_objects()


def _level(block: Block) -> int:
    content = block.opened() if block.kind == "paragraph" else None
    shape = content.shape if isinstance(content, Paragraph) else None
    return (shape or Shape()).heading


def _has_boxes(block: Block) -> bool:
    return block.source is not None and block.source.has_boxes()


def _missing(what: str) -> VerificationError:
    message = f"law 2 cannot be judged: {what} that the plan names is not in the document"
    return VerificationError(message)
