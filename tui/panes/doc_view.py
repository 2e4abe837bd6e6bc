"""The preview: a document's Markdown, wrapped to the pane and drawn a line at a time.

Blocks that two states of a document share keep their wrapped lines, and the block at the top of the
screen stays there when others change above it. Blocks that did change get a mark in the gutter.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from redraft.tui.look import Look
from redraft.tui.panes.block_matching import counterpart, new_blocks
from redraft.tui.panes.change_locations import Place, emphasised, places
from redraft.tui.panes.line_view import EMPTY, LineView
from redraft.tui.text.layout import lines as draw
from redraft.tui.text.markdown_blocks import Block, Reader
from redraft.tui.text.runs import BOLD, Line, Run, clip_line
from redraft.tui.text.text_search import Hit, Marked, Query, find, spaced
from redraft.tui.transport.wire import Comment

GUTTER = 2


NUMBERED = re.compile(r"\d+(?:\.\d+)*|\([a-zA-Z]{1,5}\)|\(\d+\)")
"""A label that is a part of an address."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A heading: its level, its words, the index of its block."""

    level: int
    title: str
    block: int


class DocView(LineView):
    """One document as blocks."""

    def __init__(self, look: Look, *, id: str = "preview") -> None:  # noqa: A002 - Textual's name
        super().__init__(look, id=id)
        self.blocks: tuple[Block, ...] = ()
        self.hits: tuple[Hit, ...] = ()
        self.hit = -1
        self.reader = Reader()
        self._starts: list[int] = [0]
        self._lines: list[list[Line]] = []
        self._known: dict[tuple[str, str, int, bool], list[Line]] = {}
        self._changed: frozenset[int] = frozenset()
        self._flashing: frozenset[int] = frozenset()
        self._comments: tuple[Comment, ...] = ()
        self._commented: dict[int, str] = {}  # the comment's id by block
        self._card: tuple[Line, ...] = ()
        self._query = Query()
        self._hits_of: dict[int, list[Hit]] = {}
        self._marked: dict[int, Marked] = {}
        self._visited = (-1, 0)
        self._here: list[Line] = []
        self._places: list[Place] | None = None
        self._whole_text: str | None = None

    # What is shown

    def show(self, markdown: str, *, fresh: bool = False) -> int:
        """Show a document.

        Args:
            markdown: The document.
            fresh: Another document than before: it begins at the top and nothing counts as changed.

        Returns:
            How many blocks are new or changed.
        """
        return self.show_blocks(self.reader.read(markdown), fresh=fresh)

    def show_blocks(self, blocks: tuple[Block, ...], *, fresh: bool = False) -> int:
        """Show a document that has been read; see `show`."""
        before, top = self.blocks, self._top()
        self._card = ()
        self.blocks = blocks
        new = frozenset[int]() if fresh or not before else new_blocks(before, self.blocks)
        self._flashing = new
        self._visited, self._here, self._places = (-1, 0), [], None
        self._whole_text = None
        self._find_commented()
        self._changed = frozenset(
            index for index, block in enumerate(self.blocks) if block.is_changed
        )
        self.relayout()
        self._search_again()
        if fresh:
            self.go_to_line(0)
        else:
            self._keep(before, top)
        return len(new)

    def show_card(self, lines: tuple[Line, ...]) -> None:
        """Show a message in the middle instead of a document."""
        if lines == self._card and not self.blocks:
            return
        self._card = lines
        self.blocks = ()
        self._query = Query()
        self._set_hits(())
        self._places = None
        self._flashing = self._changed = frozenset()
        self._known.clear()
        self.relayout()

    def end_flash(self) -> None:
        """Take the marks of freshly changed blocks away."""
        if self._flashing:
            self._flashing = frozenset()
            self.repaint()

    # LineView

    def lay_out(self, cells: int) -> None:
        """Wrap every block that is not known at this width."""
        self._here = []
        self._marked.clear()
        if self._card:
            self._lay_out_card(cells)
            return
        inner = max(8, cells - GUTTER - 1)
        known = self._known
        fresh: dict[tuple[str, str, int, bool], list[Line]] = {}
        laid: list[list[Line]] = []
        previous: Block | None = None
        for block in self.blocks:
            is_apart = previous is not None and not (block.tight and previous.kind == "item")
            look_key = (block.kind + block.marker, block.key, _shape(block, inner), is_apart)
            wrapped = known.get(look_key)
            if wrapped is None:
                wrapped = draw(block, inner, self.look)
                if is_apart:
                    wrapped.insert(0, EMPTY)
            fresh[look_key] = wrapped
            laid.append(wrapped)
            previous = block
        self._known = fresh
        self._lines = laid
        self._starts = [0, *accumulate(len(wrapped) for wrapped in laid)]

    def _lay_out_card(self, cells: int) -> None:
        height = len(self._card)
        above = max(0, (self.size.height - height) // 3)
        clipped = [clip_line(line, cells - 2) for line in self._card]
        self._lines = [[EMPTY] * above + [(Run("  "), *line) for line in clipped]]
        self._starts = [0, above + height]

    def set_look(self, look: Look) -> None:
        """Draw with other signs and colours."""
        self._known.clear()
        super().set_look(look)

    def line_count(self) -> int:
        """Return the number of lines of all blocks."""
        return self._starts[-1]

    def line(self, number: int) -> Line:
        """Return a line with its gutter and search hits."""
        index = self.block_at(number)
        offset = number - self._starts[index]
        is_here = index == self._visited[0] and len(self._here) == len(self._lines[index])
        line = (self._here if is_here else self._lines[index])[offset]
        if self._card:
            return line
        first = 1 if not self._lines[index][0] else 0
        sign = self._sign(index, is_gap=not line, is_first=offset == first)
        if index in self._hits_of:
            line = self._marks(index).coloured(line, offset)
        return (sign, *line)

    def _marks(self, index: int) -> Marked:
        marked = self._marked.get(index)
        if marked is None:
            hit, hits = self.hits[self.hit], self._hits_of[index]
            current = hit.number if hit.block == index else -1
            marked = Marked(self._lines[index], [match.words for match in hits], current)
            self._marked[index] = marked
        return marked

    def _sign(self, index: int, *, is_gap: bool, is_first: bool) -> Run:
        """Returns the gutter of a line: whether its block changed, and whether it has a comment."""
        second = self.look.glyphs.pen if is_first and index in self._commented else " "
        if is_gap or not (index in self._changed or index in self._flashing):
            return Run("  ") if second == " " else Run(f"{second} ", "note")
        if index == self._visited[0] and is_first:
            return Run(f"{self.look.glyphs.cursor}{second}", "gutter", BOLD)
        role = "flash" if index in self._flashing else "gutter"
        return Run(f"{self.look.glyphs.gutter}{second}", role)

    # Comments

    def show_comments(self, comments: Sequence[Comment]) -> None:
        """Marks the blocks that open comments hang on."""
        if tuple(comments) != self._comments:
            self._comments = tuple(comments)
            self._find_commented()
            self.repaint()

    def _find_commented(self) -> None:
        roots = [one for one in self._comments if one.parent is None and not one.resolved]
        self._commented = {}
        texts = [" ".join(block.text.split()) for block in self.blocks] if roots else []
        start = 0
        for comment in roots:
            words = " ".join(comment.words.split())
            order = (*range(start, len(texts)), *range(start))
            start = next((at for at in order if words and words in texts[at]), start)
            if texts and words and words in texts[start]:
                self._commented[start] = comment.id

    def go_to_comment(self, comment: Comment) -> bool:
        """Goes to the block with the words of a comment; returns whether there is one."""
        words = " ".join(comment.words.split())
        here = [at for at, name in self._commented.items() if name == comment.id]
        texts = enumerate(" ".join(block.text.split()) for block in self.blocks)
        found = here or [at for at, text in texts if words and words in text]
        if found:
            self.go_to_block(found[0])
        return bool(found)

    def block_at(self, number: int) -> int:
        """Return the index of the block that a line belongs to."""
        return min(bisect_right(self._starts, number) - 1, len(self._lines) - 1)

    # Places

    @property
    def is_laid_out(self) -> bool:
        """Whether there are blocks and lines for each; a pane never shown has no width."""
        return bool(self.blocks) and len(self._starts) == len(self.blocks) + 1

    def whole_text(self) -> str:
        """Returns the text of all blocks, with one space for white space."""
        if self._whole_text is None:
            self._whole_text = " ".join(" ".join(block.text.split()) for block in self.blocks)
        return self._whole_text

    def clauses(self) -> list[Outline]:
        """Returns the numbered paragraphs, each by its whole address, such as `7.2(a)(i)`."""
        clauses: list[Outline] = []
        above: list[tuple[int, str]] = []  # depth and address of what a letter belongs to
        for index, block in enumerate(self.blocks):
            if block.kind == "heading":
                above = []
            label = block.marker.rstrip(".")
            if block.kind != "item" or not NUMBERED.fullmatch(label):
                continue
            above = [(depth, address) for depth, address in above if depth < block.depth]
            address = label if label[0].isdigit() else (above[-1][1] if above else "") + label
            above.append((block.depth, address))
            clauses.append(Outline(block.depth, f"{address} {block.text}", index))
        return clauses

    def numbers(self) -> list[str]:
        """Returns the numbers of clauses and headings, in document order."""
        titles = [entry.title for entry in (*self.clauses(), *self.outline())]
        first = (title.partition(" ")[0].rstrip(".") for title in titles)
        return [number for number in first if number[:1].isdigit()]

    def outline(self) -> list[Outline]:
        """Return the headings."""
        return [
            Outline(block.level, " ".join(block.text.split()), index)
            for index, block in enumerate(self.blocks)
            if block.kind == "heading"
        ]

    def heading_here(self) -> str:
        """Return the heading of the section at the top of the screen, or nothing."""
        if not self.is_laid_out:
            return ""
        top = self.block_at(self.scroll_offset.y)
        is_at_top = self.scroll_offset.y == 0
        for index in range(top, -1, -1):
            if self.blocks[index].kind == "heading" and not (is_at_top and index == 0):
                return " ".join(self.blocks[index].text.split())
        return ""

    def go_to_block(self, index: int, *, above: int = 2) -> None:
        """Scroll so that a block is near the top."""
        if self.is_laid_out and 0 <= index < len(self.blocks):
            gap = 1 if self._lines[index] and not self._lines[index][0] else 0
            self.go_to_line(max(0, self._starts[index] + gap - above))

    def shows_block(self, index: int) -> bool:
        """Whether a part of the block can be seen."""
        if not self.is_laid_out or not 0 <= index < len(self.blocks):
            return False
        top = self.scroll_offset.y
        return self._starts[index] < top + self.size.height and self._starts[index + 1] > top

    def places(self) -> list[Place]:
        """Return every marked place of the text in order."""
        if self._places is None:
            self._places = places(self.blocks)
        return self._places

    def starts_below(self, index: int) -> bool:
        """Whether a block begins at or below the top of the screen."""
        return self.is_laid_out and self._starts[index + 1] > self.scroll_offset.y + 1

    def changed_blocks(self) -> list[int]:
        """Return the blocks that hold a tracked change, in order."""
        return sorted(self._changed)

    def new_blocks(self) -> list[int]:
        """Return the blocks that the last update brought or altered."""
        return sorted(self._flashing)

    def next_change(self, step: int) -> tuple[int, int] | None:
        """Go to the next (or previous) changed block; return its number, from 1, and the count."""
        changed = self.changed_blocks()
        if not changed or not self.is_laid_out:
            return None
        visited, line = self._visited
        if visited in changed and line == self.scroll_offset.y:
            at = (changed.index(visited) + step) % len(changed)
        else:
            starts = [self._starts[index] for index in changed]
            at = _next(starts, self.scroll_offset.y + 2, step)
        self.visit(changed[at])
        return at + 1, len(changed)

    def visit(self, index: int, number: int = -1) -> None:
        """Go to a block and mark it as the one the person is at, and one of its marked places."""
        self._here = []
        if number >= 0 and self.is_laid_out:
            cells = max(8, self._drawn_width - GUTTER - 1)
            self._here = draw(emphasised(self.blocks[index], number), cells, self.look)
            if self._lines[index] and not self._lines[index][0]:
                self._here.insert(0, EMPTY)
        if not self.shows_block(index) or not self.shows_block(index + 1):
            self.go_to_block(index, above=max(2, self.size.height // 4))
        self._visited = (index, self.scroll_offset.y)
        self.repaint()

    def first_block(self) -> int:
        """Return the block at the top of the screen."""
        return self.block_at(self.scroll_offset.y) if self.is_laid_out else 0

    def go_to_words(self, lead: str, before: str, after: str) -> bool:
        """Go to the changed block that has these words; return whether there is one."""
        start = " ".join(lead.split())[-20:]
        words = " ".join((after or before).split())[:80]
        best, target = 0, -1
        for index in self.changed_blocks():
            text = " ".join(self.blocks[index].text.split())
            score = 2 * (bool(words) and words in text) + (bool(start) and start in text)
            if score > best:
                best, target = score, index
        if target < 0:
            return False
        self.visit(target)
        return True

    def position(self) -> Line:
        """Say which part of the document is on the screen."""
        total = self.line_count()
        if not self.is_laid_out or total <= self.size.height:
            return ()
        last = min(total, self.scroll_offset.y + self.size.height)
        return (Run(f"line {last}/{total}  {100 * last // total}%", "muted"),)

    # Searching

    def search(self, query: str) -> int:
        """Find a text without regard to case, go to the first hit from here, return the count."""
        return self.show_hits(Query(query), find([block.text for block in self.blocks], query))

    def texts(self) -> list[str]:
        """Return the text of each block as it is searched."""
        return [spaced(block.text) for block in self.blocks]

    def show_hits(self, query: Query, hits: tuple[Hit, ...]) -> int:
        """Show hits in `texts()`, go to the first from here, return the count.

        Hits of the same query in a newer state of the text leave the person where they are.
        """
        is_new = query != self._query
        self._query = query
        self._set_hits(hits)
        if is_new:
            self.hit = -1
        if is_new and self.hits:
            top = self.first_block()
            below = [number for number, hit in enumerate(self.hits) if hit.block >= top]
            self._go_to_hit(below[0] if below else 0)
        else:
            self.repaint()
        return len(self.hits)

    def next_hit(self, step: int) -> None:
        """Go to the next (or previous) hit, round the end."""
        if self.hits:
            self._go_to_hit((self.hit + step) % len(self.hits))

    def _go_to_hit(self, number: int) -> None:
        self.hit = number
        self._marked.clear()
        block = self.hits[number].block
        if not self.shows_block(block):
            self.go_to_block(block)
        self.repaint()

    def _search_again(self) -> None:
        """Find words in a new text; what fits a pattern is found elsewhere and comes later."""
        is_pattern = self._query.is_pattern
        texts = [block.text for block in self.blocks]
        self._set_hits(() if is_pattern else find(texts, self._query.text))

    def _set_hits(self, hits: tuple[Hit, ...]) -> None:
        self.hits = hits
        self.hit = min(max(self.hit, 0), len(hits) - 1)
        self._marked.clear()
        self._hits_of = {}
        for hit in hits:
            self._hits_of.setdefault(hit.block, []).append(hit)

    # Keeping the place

    def _top(self) -> tuple[int, int]:
        """Return the block at the top of the screen and the line within it."""
        if not self.is_laid_out:
            return 0, 0
        index = self.block_at(self.scroll_offset.y)
        return index, self.scroll_offset.y - self._starts[index]

    def _keep(self, before: tuple[Block, ...], top: tuple[int, int]) -> None:
        index, offset = top
        if not before or not self.is_laid_out or (index, offset) == (0, 0):
            return
        target = counterpart(before, self.blocks, index)
        self.go_to_line(self._starts[target] + offset)


def _shape(block: Block, cells: int) -> int:
    """Fold what decides the wrapping, besides the text, into one number."""
    return ((cells * 32 + block.depth) * 16 + block.quotes) * 16 + block.level


def _next(starts: list[int], here: int, step: int) -> int:
    """Return which of the ordered places comes after (or before) this one, round the end."""
    if step > 0:
        return next((at for at, start in enumerate(starts) if start > here), 0)
    return next((at for at in range(len(starts) - 1, -1, -1) if starts[at] < here - 2), -1) % len(
        starts
    )
