"""Random operations that a person might sensibly ask for, made from what a document shows.

Every operation addresses what the final view has: words in one piece, blocks beside each other,
tables, pictures, notes, controls that are not locked, tracked changes.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias, get_args

from redraft.engine import tokens
from redraft.engine.docx.changes.revisions import changes_in
from redraft.engine.docx.editing.document_index import Survey
from redraft.engine.docx.names import W14, W_SDT_PR, Element, W
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading import reader
from redraft.engine.model import (
    Block,
    Cell,
    CodeBlock,
    Control,
    Document,
    Heading,
    Image,
    Inline,
    Link,
    ListItem,
    Paragraph,
    Quote,
    Table,
    Text,
)
from redraft.engine.plan import (
    AddComment,
    BlockKind,
    DeleteBlocks,
    DeleteColumn,
    DeleteImage,
    DeleteNote,
    DeleteRow,
    DeleteTable,
    EditNote,
    FindReplace,
    FormatText,
    InsertBlocks,
    InsertBreak,
    InsertColumn,
    InsertFootnote,
    InsertRow,
    InsertTable,
    MergeBlocks,
    MoveBlocks,
    NewBlock,
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
    SettleChange,
    SplitBlock,
)
from redraft.engine.state import decode

WORDS = (Paragraph, Heading, ListItem, CodeBlock, Quote)
Wording: TypeAlias = Paragraph | Heading | ListItem | CodeBlock | Quote
SIDES: tuple[Any, ...] = ("before", "after")
BLOCK_KINDS: tuple[BlockKind, ...] = get_args(BlockKind)
STYLES = ("Heading 1", "Heading 2", "Normal", "Quote", "Title", "List Bullet")
TEXT: tuple[tuple[Any, str], ...] = (
    *((name, to) for name in ("bold", "italic", "strike", "small_caps") for to in ("on", "off")),
    *(("underline", "on"), ("size", "14"), ("color", "red"), ("color", "auto"), ("font", "Arial")),
    *(("highlight", "yellow"), ("vertical", "superscript"), ("all_caps", "on")),
)
PARAGRAPH: tuple[tuple[Any, str], ...] = (
    *(("alignment", "center"), ("alignment", "left"), ("space_before", "12")),
    *(("line_spacing", "1.5"), ("indent_left", "36"), ("first_line", "-12")),
    *(("keep_with_next", "on"), ("keep_with_next", "off"), ("page_break_before", "on")),
)
NEW = ("NEW", "alpha beta", "", "**bold** word", "new, longer wording of it", "7")
URL = "https://example.org/terms"
PICTURES = frozenset(map(W, ("picture", "docPartObj", "docPartList", "group", "citation")))


@dataclass(frozen=True, slots=True)
class Cited:
    """Words of a block that stand in one piece: `hits` says how often the block has them."""

    anchor: str
    find: str
    hits: int
    story: str
    is_first: bool

    @property
    def occurrence(self) -> int | None:
        """Which of the hits is meant."""
        return None if self.hits == 1 else 1


@dataclass(frozen=True)
class Scene:
    """What a version of a document shows, and the chance by which an operation is chosen."""

    data: bytes
    state: bytes
    chance: random.Random
    package: Package = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "package", Package.open(self.data))

    @cached_property
    def document(self) -> Document:
        """The final view."""
        return reader.read(self.package, "final")

    @cached_property
    def series(self) -> list[tuple[str, tuple[Block, ...]]]:
        """The blocks beside each other of every story and cell, with the kind of the story."""
        return [
            (story.kind, blocks)
            for story in self.document.stories
            if story.kind != "comment"
            for blocks in _series(story.blocks)
            if blocks
        ]

    @cached_property
    def blocks(self) -> list[tuple[str, Block]]:
        """Every block with the kind of its story."""
        return [(kind, block) for kind, blocks in self.series for block in blocks]

    @cached_property
    def tables(self) -> list[Table]:
        """Every table that shows rows."""
        return [block for _, block in self.blocks if isinstance(block, Table) and block.rows]

    @cached_property
    def inlines(self) -> list[Inline]:
        """Everything in lines, what links and controls hold too."""
        lines = [getattr(block, "content", ()) for _, block in self.blocks]
        return [each for line in lines for each in _inlines(line)]

    @cached_property
    def controls(self) -> list[tuple[str, Element]]:
        """The content controls that can be filled."""
        known = reader.controls(self.package)
        shown = {each.id for each in self.inlines if isinstance(each, Control) and not each.locked}
        return [(name, sdt) for name, sdt in known.items() if name in shown and _is_fillable(sdt)]

    @cached_property
    def notes(self) -> list[tuple[str, int]]:
        """The notes that the view shows, with the number of their paragraphs."""
        kinds = ("footnote", "endnote")
        return [(s.anchor, len(s.blocks)) for s in self.document.stories if s.kind in kinds]

    def pick(self, found: list[Any]) -> Any:
        """One of some things; None of nothing."""
        return self.chance.choice(found) if found else None

    def wording(self) -> tuple[str, Wording] | None:
        """A block with words, and the kind of its story."""
        for _ in range(20):
            kind, block = self.pick(self.blocks) or ("", None)
            if isinstance(block, WORDS) and shown(block).strip():
                return kind, block
        return None

    def quote(self, *, is_single: bool = False, stories: tuple[str, ...] = ()) -> Cited | None:
        """One to eight words of a block."""
        for _ in range(20):
            found = self.wording()
            if found is None or (stories and found[0] not in stories):
                continue
            parts = [list(re.finditer(r"\w+|[^\w\s]", part)) for part in pieces(found[1])]
            parts = [part for part in parts if part]
            if not parts:
                continue
            words = self.pick(parts)
            start = self.chance.randrange(len(words))
            last = min(len(words), start + self.chance.randint(1, 8)) - 1
            find = words[start].string[words[start].start() : words[last].end()]
            text = shown(found[1]).lower()
            hits = text.count(find.lower())
            if hits and (hits == 1 or not is_single):
                is_first = text.lstrip().startswith(find.lower())
                return Cited(found[1].anchor, find, hits, found[0], is_first)
        return None

    def stretch(self, longest: int, *, is_words: bool = False) -> tuple[Block, Block] | None:
        """The first and the last of some blocks beside each other."""
        for _ in range(20):
            _, blocks = self.pick(self.series) or ("", ())
            if not blocks:
                return None
            start = self.chance.randrange(len(blocks))
            end = min(len(blocks), start + self.chance.randint(1, longest))
            if not is_words or all(isinstance(block, WORDS) for block in blocks[start:end]):
                return blocks[start], blocks[end - 1]
        return None


def _series(blocks: tuple[Block, ...]) -> Iterator[tuple[Block, ...]]:
    yield blocks
    for block in blocks:
        for row in block.rows if isinstance(block, Table) else ():
            for cell in row.cells:
                if not cell.continues:
                    yield from _series(cell.blocks)


def _inlines(content: tuple[Inline, ...]) -> Iterator[Inline]:
    for each in content:
        yield each
        yield from _inlines(getattr(each, "content", ()))


def _is_fillable(sdt: Element) -> bool:
    said = {child.tag for child in sdt.iterfind(f"{W_SDT_PR}/*")}
    return not said & PICTURES


def shown(block: Wording) -> str:
    """The text of a block, that of fields and controls too."""
    if isinstance(block, CodeBlock):
        return block.text
    return "".join(each.text for each in _inlines(block.content) if isinstance(each, Text))


def pieces(block: Wording) -> list[str]:
    """The stretches of plain words of a block, broken where anything else stands."""
    if isinstance(block, CodeBlock):
        return [block.text]
    found = [""]
    for each in _linked(block.content):
        if isinstance(each, Text):
            found[-1] += each.text
        else:
            found.append("")
    return [each for each in found if each.strip()]


def _linked(content: tuple[Inline, ...]) -> Iterator[Inline]:
    for each in content:
        if isinstance(each, Link):
            yield from each.content
        else:
            yield each


def replace_text(scene: Scene) -> Operation | None:
    at = scene.quote()
    new = scene.chance.choice(NEW)
    return at and ReplaceText(at.anchor, at.find, new, at.occurrence)


def rewrite_block(scene: Scene) -> Operation | None:
    found = scene.wording()
    if found is None or isinstance(found[1], CodeBlock):
        return None
    survey = Survey(scene.package, decode(scene.state))
    view = tokens.write(survey.known(found[1].anchor))
    plain = re.sub(r"⟦[^⟧]*⟧", _blank, view)
    words = list(re.finditer(r"(?<![\w\[\]⟦⟧*\\])\w+(?![\w⟦⟧*\\])", plain))
    if not words:
        return RewriteBlock(found[1].anchor, f"{view} more")
    word = scene.pick(words)
    new = scene.chance.choice(["", "rewritten", f"{word.group()} and more"])
    return RewriteBlock(found[1].anchor, f"{view[: word.start()]}{new}{view[word.end() :]}")


def _blank(token: re.Match[str]) -> str:
    return "⟦" + "_" * (len(token.group()) - 2) + "⟧"


def find_replace(scene: Scene) -> Operation | None:
    at = scene.quote()
    if at is None:
        return None
    scope = scene.chance.choice(["all", "all", f"block:{at.anchor}"])
    limit = scene.chance.choice([None, 1, -1, 20])
    return FindReplace(at.find, scene.chance.choice(NEW[:3]), scope, limit=limit)


def insert_blocks(scene: Scene) -> Operation | None:
    block = scene.pick(scene.blocks)
    kinds: list[BlockKind] = [scene.pick([*BLOCK_KINDS]) for _ in range(scene.chance.randint(1, 3))]
    new = tuple(NewBlock(kind, "An **inserted** line") for kind in kinds)
    return block and InsertBlocks(block[1].anchor, scene.pick([*SIDES]), new)


def delete_blocks(scene: Scene) -> Operation | None:
    found = scene.stretch(3)
    return found and DeleteBlocks(found[0].anchor, found[1].anchor)


def move_blocks(scene: Scene) -> Operation | None:
    blocks = scene.pick([blocks for _, blocks in scene.series if len(blocks) > 2])
    if blocks is None:
        return None
    start = scene.chance.randrange(len(blocks) - 1)
    end = min(len(blocks) - 1, start + scene.chance.randint(1, 3))
    others: list[tuple[Block, Any]] = [
        (block, "before") for block in [*blocks[:start], *blocks[end + 1 :]]
    ]
    others += [(block, "after") for block in [*blocks[: max(0, start - 1)], *blocks[end:]]]
    if not others:
        return None
    to, where = scene.pick(others)
    return MoveBlocks(blocks[start].anchor, blocks[end - 1].anchor, to.anchor, where)


def split_block(scene: Scene) -> Operation | None:
    at = scene.quote(is_single=True)
    return at and SplitBlock(at.anchor, at.find) if at and not at.is_first else None


def merge_blocks(scene: Scene) -> Operation | None:
    found = scene.stretch(3, is_words=True)
    if found is None or found[0] is found[1]:
        return None
    return MergeBlocks(found[0].anchor, found[1].anchor)


def set_style(scene: Scene) -> Operation | None:
    found = scene.stretch(3, is_words=True)
    return found and SetStyle(found[0].anchor, found[1].anchor, scene.pick([*STYLES]))


def set_paragraph(scene: Scene) -> Operation | None:
    found = scene.stretch(3, is_words=True)
    return found and SetParagraph(found[0].anchor, found[1].anchor, *scene.pick([*PARAGRAPH]))


def format_text(scene: Scene) -> Operation | None:
    name, to = scene.pick([*TEXT])
    if scene.chance.random() < 0.2:
        found = scene.wording()
        return found and FormatText(found[1].anchor, "", name, to)
    at = scene.quote()
    return at and FormatText(at.anchor, at.find, name, to, scene.pick([0, 1]))


def set_list(scene: Scene) -> Operation | None:
    found = scene.stretch(4, is_words=True)
    if found is None:
        return None
    kind = scene.pick(["bullet", "numbered", "none"])
    level = scene.pick([None, 1, 2]) if kind != "none" else None
    restart = kind == "numbered" and scene.chance.random() < 0.3
    return SetList(found[0].anchor, found[1].anchor, kind, level, restart)


def _cells(table: Table) -> list[Cell]:
    return [cell for row in table.rows for cell in row.cells if not cell.continues]


def _plain_cells(scene: Scene) -> list[Cell]:
    return [
        cell
        for table in scene.tables
        for cell in _cells(table)
        if len(cell.blocks) == 1
        and isinstance(cell.blocks[0], WORDS)
        and all(isinstance(each, Text) for each in getattr(cell.blocks[0], "content", ()))
    ]


def set_cell(scene: Scene) -> Operation | None:
    cell = scene.pick(_plain_cells(scene))
    return cell and SetCell(cell.anchor, "new text of a cell")


def insert_row(scene: Scene) -> Operation | None:
    table = scene.pick(scene.tables)
    if table is None:
        return None
    row = scene.pick([*table.rows])
    return InsertRow(row.anchor, scene.pick([*SIDES]), ("alpha", "beta")[: len(row.cells)])


def delete_row(scene: Scene) -> Operation | None:
    table = scene.pick([each for each in scene.tables if len(each.rows) > 1])
    return table and DeleteRow(scene.pick([*table.rows]).anchor)


def insert_column(scene: Scene) -> Operation | None:
    tables = [(cell, table) for table in scene.tables for cell in _cells(table)]
    cell, table = scene.pick(tables) or (None, None)
    if cell is None or table is None:
        return None
    return InsertColumn(cell.anchor, scene.pick([*SIDES]), ("Head", "1")[: len(table.rows)])


def delete_column(scene: Scene) -> Operation | None:
    table = scene.pick([each for each in scene.tables if each.columns > 1])
    if table is None:
        return None
    cell = scene.pick([cell for row in table.rows for cell in row.cells if not cell.continues])
    return cell and DeleteColumn(cell.anchor)


def delete_table(scene: Scene) -> Operation | None:
    table = scene.pick(scene.tables)
    return table and DeleteTable(table.anchor)


def insert_table(scene: Scene) -> Operation | None:
    block = scene.pick(scene.blocks)
    is_header = scene.chance.random() < 0.5
    rows = (("A", "B"), ("c",))
    return block and InsertTable(block[1].anchor, scene.pick([*SIDES]), rows, is_header)


def set_link(scene: Scene) -> Operation | None:
    at = scene.quote(is_single=True)
    return at and SetLink(at.anchor, at.find, URL)


def remove_link(scene: Scene) -> Operation | None:
    linked: list[tuple[str, str]] = []
    for _, block in scene.blocks:
        for each in _links(block):
            text = "".join(inner.text for inner in each.content if isinstance(inner, Text))
            is_plain = all(isinstance(inner, Text) for inner in each.content)
            if is_plain and isinstance(block, WORDS) and shown(block).count(text) == 1:
                linked.append((block.anchor, text))
    found = scene.pick(linked)
    return found and RemoveLink(*found)


def _links(block: Block) -> list[Link]:
    return [each for each in getattr(block, "content", ()) if isinstance(each, Link)]


def edit_note(scene: Scene) -> Operation | None:
    note = scene.pick([name for name, size in scene.notes if size == 1])
    return note and EditNote(note, "Another text")


def insert_footnote(scene: Scene) -> Operation | None:
    at = scene.quote(is_single=True, stories=("body",))
    return at and InsertFootnote(at.anchor, at.find, "See *there*")


def delete_note(scene: Scene) -> Operation | None:
    note = scene.pick([name for name, _ in scene.notes])
    return note and DeleteNote(note)


def _images(scene: Scene) -> list[str]:
    return [each.id for each in scene.inlines if isinstance(each, Image)]


def set_alt_text(scene: Scene) -> Operation | None:
    name = scene.pick(_images(scene))
    return name and SetAltText(name, f"A picture {scene.chance.randrange(99)}")


def delete_image(scene: Scene) -> Operation | None:
    name = scene.pick(_images(scene))
    return name and DeleteImage(name)


def add_comment(scene: Scene) -> Operation | None:
    at = scene.quote(is_single=True, stories=("body",))
    find = "" if at and scene.chance.random() < 0.2 else at and at.find
    return at and AddComment(at.anchor, find or "", "Is this so?")


def insert_break(scene: Scene) -> Operation | None:
    found = [
        block.anchor
        for kind, blocks in scene.series
        for block in blocks
        if kind == "body" and "." not in block.anchor
    ]
    anchor = scene.pick(found)
    kind = scene.pick(["page", "page", "column", "section"])
    return anchor and InsertBreak(anchor, scene.pick([*SIDES]), kind)


def set_field(scene: Scene) -> Operation | None:
    found = scene.pick(scene.controls)
    if found is None:
        return None
    name, sdt = found
    for child in sdt.iterfind(f"{W_SDT_PR}/*"):
        if child.tag in (W("dropDownList"), W("comboBox")):
            listed = list(child.iter(W("listItem")))
            items = [item.get(W("displayText")) or item.get(W("value")) for item in listed]
            items = [item for item in items if item and item.strip()]
            return SetField(name, scene.pick(items)) if items else None
        if child.tag == W("date"):
            return SetField(name, "2026-05-04")
        if child.tag == W14("checkbox"):
            return SetField(name, scene.pick(["checked", "unchecked"]))
    return SetField(name, "Value")


def set_property(scene: Scene) -> Operation | None:
    return SetProperty(scene.pick(["title", "subject"]), f"Title {scene.chance.randrange(99)}")


def settle_change(scene: Scene) -> Operation | None:
    found = changes_in(scene.package, decode(scene.state))
    change = scene.pick([*found])
    return change and SettleChange(change.id, scene.pick(["accept", "reject"]))


MAKERS: tuple[Callable[[Scene], Operation | None], ...] = (
    *(replace_text, rewrite_block, find_replace, insert_blocks, delete_blocks, move_blocks),
    *(split_block, merge_blocks, set_style, set_paragraph, format_text, set_list),
    *(set_cell, insert_row, delete_row, insert_column, delete_column, delete_table, insert_table),
    *(set_link, remove_link, edit_note, insert_footnote, delete_note, set_alt_text, delete_image),
    *(add_comment, insert_break, set_field, set_property, settle_change),
)


def sensible(scene: Scene) -> Operation | None:
    """An operation on something that the document shows; None where it shows next to nothing."""
    for _ in range(30):
        # Words are asked for more often than anything else.
        maker = scene.chance.choice((*MAKERS, replace_text, replace_text, rewrite_block))
        made = maker(scene)
        if made:
            return made
    return None
