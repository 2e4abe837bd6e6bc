"""Insert: words beside words, blocks beside blocks, at the top and at the end."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from redraft.engine.errors import NotFoundError, RefusedError
from redraft.engine.interpreter.addresses import (
    footnote,
    heading,
    headings,
    items_of_list,
    matching,
    one_line,
    section,
    table,
    title,
)
from redraft.engine.interpreter.clause_ends import end_of, refuse_unclear_end
from redraft.engine.interpreter.coded import coded
from redraft.engine.interpreter.commands import Address, Insert, Unit, Value
from redraft.engine.interpreter.grids import cells_of
from redraft.engine.interpreter.lines import Line, Lines, folded, unnumbered
from redraft.engine.interpreter.outline import keys, previous
from redraft.engine.interpreter.replacing import scoped, sentence_hit
from redraft.engine.interpreter.search import Hit, ambiguous, hits, the_one
from redraft.engine.interpreter.structure import Region, resolve, single
from redraft.engine.interpreter.word_questions import beside, replaced, say
from redraft.engine.model import Block, Heading, ListItem, Paragraph
from redraft.engine.plan import BlockKind, InsertBlocks, InsertRow, NewBlock, Operation

_INLINE_THINGS = frozenset({"", "text", "sentence"})
_HEADINGS: Sequence[BlockKind] = ("heading1", "heading2", "heading3", "heading4")


def insert(lines: Lines, command: Insert, lookup: str | None) -> list[Operation]:
    """Put new words in."""
    target = command.place.target
    if target is None or (isinstance(target, Unit) and target.kind in ("document", "body")):
        return [_at_edge(lines, command)]
    if isinstance(target, Value):
        return _at_words(lines, command, target, lookup)
    if target.address is not None:
        return [_at_address(lines, command, target.address)]
    return _at_unit(lines, command, target, lookup)


def _at_unit(lines: Lines, command: Insert, target: Unit, lookup: str | None) -> list[Operation]:
    match target.kind:
        case "heading" | "section":
            return [_at_section(lines, command, target, lookup)]
        case "title":
            return [_at_title(command, title(lines))]
        case "paragraph" | "line" | "bullet":
            return [_at_line(lines, command, target, lookup)]
        case "sentence":
            hit = sentence_hit(lines, target, command.options, lookup)
            return [_inline(command, hit)]
        case "table" if command.place.where in ("top", "end"):
            return [_in_table(lines, command, table(lines, target).anchor)]
        case "table":
            return [_beside(command, table(lines, target), _side(command))]
        case "footnote":
            notes = footnote(lines, target, lookup)
            return [_inline(command, _all_of(notes[-1] if _side(command) == "after" else notes[0]))]
        case "list":
            return [_beside(command, items_of_list(lines)[-1].block, "after")]
        case "header" | "footer":
            return [_at_story(lines, command, target)]
        case _:
            message = f"The built-in editor cannot insert beside a {target.kind}"
            raise RefusedError(message)


def _at_address(lines: Lines, command: Insert, address: Address) -> Operation:
    """Beside a place, or at its end: in its last line where that is one of running text."""
    if command.place.where == "numbered":
        is_clause = command.thing == "clause"
        return (_clause if is_clause else _numbered)(lines, command, address)
    region = single(lines, resolve(lines, address))
    if region.span is not None:
        return _inline(command, region.span)
    side = _side(command)
    _refuse_place(lines, region, side)
    line = region.lines[0]
    block = _block(line.story.blocks, region.first if side == "before" else end_of(region))
    is_heading = isinstance(line.block, Heading)
    if region.table and command.place.where in ("top", "end"):
        return _in_table(lines, command, region.table)
    if region.table:
        return _beside(command, block, side)
    if command.place.where in ("top", "end") and not command.as_block:
        last = region.lines[-1 if side == "after" else 0]
        is_text = not last.table and not isinstance(last.block, Heading)
        running = [one for one in region.lines if not isinstance(one.block, Heading)]
        is_one = len(running) == 1 or command.thing == "sentence"
        if is_text and (is_one or region.kind == "paragraph"):
            return _inline(command, _all_of(last))
    if is_heading and command.place.where in ("top", "after") and region.kind == "heading":
        return _beside(command, line.block, "after", level=_level(line.block))
    if is_heading and command.place.where == "top":
        return _beside(command, line.block, "after", level=_level(line.block))
    level = _level(line.block)
    return _beside(command, block, side, level=level, in_body_style=is_heading and side == "before")


def _refuse_place(lines: Lines, region: Region, side: Literal["before", "after"]) -> None:
    if region.row or region.column:
        raise RefusedError("Words go beside a paragraph, and not beside a row; set a cell instead")
    if side == "after":
        refuse_unclear_end(lines, region, is_place=True)


def _in_table(lines: Lines, command: Insert, anchor: str) -> Operation:
    """A row of as many values as the table has columns: `add to the fees table: Audit, 3, 50`."""
    grid = next(grid for grid in lines.tables if grid.anchor == anchor)
    cells = cells_of([command.text.text], grid.columns)
    if command.thing not in _INLINE_THINGS or not cells:
        message = (
            f"A row of this table has {grid.columns} cells; write each of them in quotes, as: add a"
            ' row "A" "B" to table 1'
        )
        raise RefusedError(message)
    is_first = command.place.where == "top"
    row = grid.rows[0 if is_first else -1]
    where = "before" if is_first and not row.is_header else "after"
    return InsertRow(row.anchor, where, tuple(say(cell.text) for cell in cells))


def _clause(lines: Lines, command: Insert, address: Address) -> Operation:
    """A new clause behind the one before it, under the number that is said: `add 5.3: …`."""
    wanted = keys(address.labels[0])
    inside = {line.anchor for line in lines.body}
    if address.within is not None:
        region = single(lines, resolve(lines, address.within))
        inside = {line.anchor for line in region.lines}
    clauses = [one for one in lines.clauses if one.is_numbered and one.line.anchor in inside]
    before = (*wanted[:-1], previous(wanted[-1]))
    if any(one.path[-len(wanted) :] == wanted for one in clauses):
        message = f"There is a {address.labels[0]} already; say after which it goes"
        raise RefusedError(message)
    fitting = [one for one in clauses if one.path[-len(before) :] == before]
    if len(fitting) != 1:
        message = f"There is no single {'.'.join(before)} that it could follow; say after which"
        raise RefusedError(message)
    clause = fitting[0]
    typed = clause.line.text[: clause.typed]
    if typed:
        number, _, rest = typed.rpartition(before[-1])
        is_there = command.text.text.startswith(f"{number}{wanted[-1]}")
        new = "" if is_there else f"{number}{wanted[-1]}{rest}"
        command = replace(command, text=Value(new + command.text.text))
    last = lines.body[clause.end - 1]
    while not last.text.strip() and not last.table and last.anchor != clause.line.anchor:
        last = lines.body[lines.body.index(last) - 1]
    block = _block(clause.line.story.blocks, last.table or last.anchor)
    return _beside(replace(command, thing="paragraph"), block, "after")


def _numbered(lines: Lines, command: Insert, address: Address) -> Operation:
    """A new section where it has the number that is said: behind the last, or before its equal."""
    wanted = keys(address.labels[0]) if len(address.labels) == 1 else ()
    if not wanted or not wanted[-1].isdecimal() or address.kind != "section":
        raise RefusedError("Say after which section the new one stands")
    there = [one for one in lines.clauses if one.is_numbered and one.path == wanted]
    previous = (*wanted[:-1], str(int(wanted[-1]) - 1))
    before = [one for one in lines.clauses if one.is_numbered and one.path == previous]
    if len(there) > 1 or len(before) != 1:
        message = f"There is no section {'.'.join(previous)} that it could follow"
        raise RefusedError(message)
    clause = there[0] if there else before[0]
    if clause.typed and there:
        raise RefusedError("The numbers of the sections are typed, and would all have to change")
    if clause.level is None:
        raise RefusedError("The sections have no heading style; say after which words it goes")
    if clause.typed:
        typed = clause.line.text[: clause.typed].replace(previous[-1], wanted[-1], 1)
        command = replace(command, text=Value(typed + command.text.text))
    if there:
        return _beside(command, clause.line.block, "before", level=clause.level)
    last = lines.body[clause.end - 1]
    while not last.text.strip() and not last.table and last.anchor != clause.line.anchor:
        last = lines.body[lines.body.index(last) - 1]
    block = _block(clause.line.story.blocks, last.table or last.anchor)
    return _beside(command, block, "after", level=clause.level)


def _block(blocks: Sequence[Block], anchor: str) -> Block:
    return next(block for block in blocks if block.anchor == anchor)


def _side(command: Insert) -> Literal["before", "after"]:
    return "after" if command.place.where in ("after", "end") else "before"


def _goes_into(command: Insert) -> bool:
    """Whether words go into a line, and not beside it: `to the title`."""
    return command.thing in _INLINE_THINGS and command.place.where in ("top", "end")


def _all_of(line: Line) -> Hit:
    return Hit(line, 0, len(line.text.rstrip()))


def _at_edge(lines: Lines, command: Insert) -> Operation:
    blocks = lines.document.body.blocks
    if not blocks:
        raise RefusedError("The document has no text beside which words could be inserted")
    if command.place.where == "top":
        return _beside(command, blocks[0], "before", in_body_style=True)
    levels = [block.level for block in blocks if isinstance(block, Heading)]
    return _beside(command, blocks[-1], "after", level=levels[-1] if levels else None)


def _at_words(lines: Lines, command: Insert, target: Value, lookup: str | None) -> list[Operation]:
    """Beside quoted words: a line of nothing else counts as a block, and so does a heading."""
    line = coded(lines, target)
    if line is not None and command.place.where in ("before", "after"):
        return [_beside(command, line.block, _side(command))]
    inside, _ = scoped(lines, command.options, lookup)
    wanted = folded(target.text)
    alone = [line for line in inside if folded(line.text) == wanted]
    if not alone:
        named = {line.anchor for line in headings(lines) if isinstance(line.block, Heading)}
        candidates = [line for line in inside if line.anchor in named]
        alone = [line for line in candidates if folded(unnumbered(line.text)) == wanted]
    is_sentence = (
        command.thing == "sentence" and not isinstance(alone[0].block, Heading) if alone else False
    )
    if len(alone) == 1 and not is_sentence and command.place.where in ("before", "after"):
        return [_at_block(lines, command, alone[0])]
    places = hits(inside, target.text, command.options)
    is_inline = command.thing in _INLINE_THINGS
    if not command.options.everywhere or not places or not is_inline:
        places = [the_one(lines, places, target.text, command.options, lookup)]
    if is_inline:
        return [_inline(command, hit) for hit in places]
    return [_beside(command, places[0].line.block, _side(command))]


def _at_block(lines: Lines, command: Insert, line: Line) -> Operation:
    if command.thing == "section" and _side(command) == "after":
        return _beside(command, _last(lines, line), "after", level=_level(line.block))
    return _beside(command, line.block, _side(command))


def _at_section(lines: Lines, command: Insert, target: Unit, lookup: str | None) -> Operation:
    if target.value is None:
        message = f"Say which {target.kind} is meant, by its words"
        raise RefusedError(message)
    start = heading(lines, target.value, lookup)
    if target.kind == "heading" and _goes_into(command):
        return _inline(command, _all_of(start))
    level = _level(start.block)
    match command.place.where:
        case "before":
            return _beside(command, start.block, "before", level=level, in_body_style=True)
        case "after" if target.kind == "heading" and command.thing != "section":
            clause = _clause_below(start)
            if clause is not None and command.thing in ("paragraph", ""):
                return _beside(command, clause, "before")
            return _beside(command, start.block, "after", level=level)
        case "top":
            return _beside(command, start.block, "after", level=level)
        case _:
            return _beside(command, _last(lines, start), "after", level=level)


def _clause_below(start: Line) -> ListItem | None:
    """The numbered clause right below a heading: what a new paragraph there should look like."""
    blocks = start.story.blocks
    below = next(
        (after for block, after in itertools.pairwise(blocks) if block.anchor == start.anchor), None
    )
    return below if isinstance(below, ListItem) and below.label else None


def _level(block: Block) -> int | None:
    return block.level if isinstance(block, Heading) else None


def _last(lines: Lines, start: Line) -> Block:
    """The last block of the section a heading opens, tables whole."""
    last = section(lines, start)[-1]
    anchor = last.table or last.anchor
    return next(block for block in start.story.blocks if block.anchor == anchor)


def _at_title(command: Insert, line: Line) -> Operation:
    if _goes_into(command):
        return _inline(command, _all_of(line))
    return _beside(command, line.block, _side(command))


def _at_line(lines: Lines, command: Insert, target: Unit, lookup: str | None) -> Operation:
    line = one_line(lines, matching(lines, target), lookup)
    if command.place.where in ("top", "end") or command.thing == "sentence":
        return _inline(command, _all_of(line))
    return _beside(command, line.block, _side(command))


def _at_story(lines: Lines, command: Insert, target: Unit) -> Operation:
    story_lines = [line for line in lines.lines if line.story.kind == target.kind]
    stories = list(dict.fromkeys(line.story.anchor for line in story_lines))
    if not stories:
        raise NotFoundError
    if len(stories) > 1:
        raise ambiguous(len(stories))
    line = story_lines[-1] if _side(command) == "after" else story_lines[0]
    return _beside(command, line.block, _side(command))


def _inline(command: Insert, hit: Hit) -> Operation:
    """Beside the words of a hit, in their line."""
    if not hit.text:
        raise NotFoundError
    return replaced(hit, beside(hit.text, command.text.text, after=_side(command) == "after"))


def _beside(
    command: Insert,
    block: Block,
    where: Literal["before", "after"],
    *,
    level: int | None = None,
    in_body_style: bool = False,
) -> Operation:
    """New blocks beside a block, one for each line of the new words."""
    kind = _kind(command, block, level, in_body_style=in_body_style)
    texts = [part.strip() for part in command.text.text.splitlines() if part.strip()]
    blocks = [NewBlock(kind, say(text)) for text in texts]
    if command.body is not None:
        parts = command.body.text.splitlines()
        blocks += [NewBlock("paragraph", say(part.strip())) for part in parts if part.strip()]
    if not blocks:
        raise RefusedError("There are no words to insert")
    return InsertBlocks(block.anchor, where, tuple(blocks))


def _kind(command: Insert, block: Block, level: int | None, *, in_body_style: bool) -> BlockKind:
    match command.thing:
        case "heading" | "section":
            wanted = command.level or level or _level(block) or 1
            return _HEADINGS[min(wanted, 4) - 1]
        case "bullet" | "numbered":
            return "like_anchor" if isinstance(block, ListItem) else command.thing
        case "paragraph":
            is_clause = isinstance(block, ListItem) and bool(block.label)
            is_like = (is_clause or isinstance(block, Paragraph)) and not in_body_style
            return "like_anchor" if is_like else "paragraph"
        case _:
            is_like = isinstance(block, (Paragraph, ListItem)) and not in_body_style
            return "like_anchor" if is_like else "paragraph"
