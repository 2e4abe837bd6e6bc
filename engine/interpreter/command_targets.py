"""What a command is aimed at: lines, stretches of blocks, and places beside blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from redraft.engine.errors import NotFoundError, RefusedError
from redraft.engine.interpreter.addresses import (
    cell,
    counted,
    footnote,
    heading,
    headings,
    is_styled_title,
    items_of_list,
    matching,
    section,
    table,
    title,
    within,
)
from redraft.engine.interpreter.commands import Options, Place, Unit, Value
from redraft.engine.interpreter.grids import column_cell, row_of
from redraft.engine.interpreter.lines import Line, Lines, folded, unnumbered
from redraft.engine.interpreter.replacing import scoped, sentence_hit
from redraft.engine.interpreter.search import Hit, ambiguous, hits, narrowed, the_one, the_only
from redraft.engine.interpreter.structure import resolve, single
from redraft.engine.model import Block, Heading, Paragraph

Side = Literal["before", "after"]


def lines_of(lines: Lines, unit: Unit, options: Options, lookup: str | None) -> list[Line]:
    """The lines that a piece of structure means.

    Raises:
        NotFoundError, AmbiguousError, RefusedError: There are none, or several it may mean.
    """
    if unit.address is not None:
        return [line for region in resolve(lines, unit.address) for line in region.lines]
    inside = _lines_of_kind(lines, unit, options, lookup)
    if not inside:
        raise NotFoundError
    return inside


def _lines_of_kind(lines: Lines, unit: Unit, options: Options, lookup: str | None) -> list[Line]:
    match unit.kind:
        case "headings" | "paragraphs":
            fitting = _of_kind(lines, unit, options, lookup)
        case "row":
            anchor = row_of(lines, unit, lookup).anchor
            fitting = [line for line in lines.lines if line.row == anchor]
        case "column":
            fitting = _column(lines, unit, lookup)
        case "cell":
            fitting = cell(lines, unit, lookup)
        case "list":
            fitting = items_of_list(lines)
        case "sentence":
            raise RefusedError("Put the words of the sentence in quotes")
        case "heading" if unit.value is not None and unit.match == "is":
            fitting = [heading(lines, unit.value, lookup)]
        case "footnote":
            fitting = footnote(lines, unit, lookup)
        case "paragraph" | "line" | "bullet" | "heading":
            fitting = _paragraphs(lines, unit, options, lookup)
        case _:
            fitting, _ = within(lines, unit, lookup)
    return fitting


def _of_kind(lines: Lines, unit: Unit, options: Options, lookup: str | None) -> list[Line]:
    """All headings but the title, of one level where one is said, or all paragraphs of the body."""
    inside, _ = scoped(lines, options, lookup)
    if unit.kind == "headings":
        return [
            line
            for line in inside
            if isinstance(line.block, Heading)
            and unit.number in (None, line.block.level)
            and not is_styled_title(line)
        ]
    return [
        line
        for line in inside
        if isinstance(line.block, Paragraph) and line.story.kind == "body" and not line.table
    ]


def _paragraphs(lines: Lines, unit: Unit, options: Options, lookup: str | None) -> list[Line]:
    if unit.number is not None:
        return [counted(scoped(lines, options, lookup)[0], unit.number)]
    inside = {line.anchor for line in scoped(lines, options, lookup)[0]}
    fitting = [line for line in matching(lines, unit) if line.anchor in inside]
    return fitting if options.everywhere else [_one(lines, fitting, options, lookup)]


def _column(lines: Lines, unit: Unit, lookup: str | None) -> list[Line]:
    grid, cell_anchor = column_cell(lines, unit, lookup)
    place = next(
        cell.column for row in grid.rows for cell in row.cells if cell.anchor == cell_anchor
    )
    anchors = {cell.anchor for row in grid.rows for cell in row.cells if cell.column == place}
    return [line for line in lines.lines if line.cell in anchors]


def _one(lines: Lines, candidates: Sequence[Line], options: Options, lookup: str | None) -> Line:
    if not candidates:
        raise NotFoundError
    whole = [Hit(line, 0, len(line.text)) for line in candidates]
    if options.nth is not None:
        return the_one(lines, whole, "", options, None).line
    return the_only(lines, narrowed(lines, whole, lookup) if len(whole) > 1 else whole).line


def paragraphs_of(
    lines: Lines, target: Value | Unit, options: Options, lookup: str | None
) -> list[Line]:
    """The whole paragraphs that a target means; words count when they are all of a paragraph.

    Raises:
        RefusedError: The words are only a part of a longer paragraph.
    """
    if isinstance(target, Unit):
        return lines_of(lines, target, options, lookup)
    inside, _ = scoped(lines, options, lookup)
    alone = [line for line in inside if is_said(line, target.text)]
    if alone:
        if options.everywhere:
            return alone
        return [_one(lines, alone, options, lookup)]
    places = hits(inside, target.text, options)
    the_one(lines, places, target.text, options, lookup)
    message = (
        f"“{target.text}” is only a part of a longer paragraph; to mean all of it write: the"
        f' paragraph containing "{target.text}"'
    )
    raise RefusedError(message)


def is_said(line: Line, text: str) -> bool:
    """Whether words are all that a line says, its number aside."""
    wanted = folded(text)
    return wanted in (folded(line.text), folded(unnumbered(line.text)))


def stretch(
    lines: Lines, target: Value | Unit, options: Options, lookup: str | None
) -> tuple[Line, Line]:
    """The first and the last line of what is moved; a heading named by its words is its section."""
    if isinstance(target, Unit) and target.address is not None:
        regions = resolve(lines, target.address)
        return regions[0].lines[0], regions[-1].lines[-1]
    if isinstance(target, Unit) and target.kind == "section":
        if target.value is None:
            raise RefusedError("Say which section is meant, by its heading")
        inside = section(lines, heading(lines, target.value, lookup))
        return inside[0], inside[-1]
    paragraphs = paragraphs_of(lines, target, options, lookup)
    if len(paragraphs) > 1 and paragraphs[0].table != paragraphs[-1].table:
        raise ambiguous(len(paragraphs))
    if isinstance(target, Value) and isinstance(paragraphs[0].block, Heading):
        inside = section(lines, paragraphs[0])
        return inside[0], inside[-1]
    return paragraphs[0], paragraphs[-1]


def outer(line: Line) -> str:
    """The anchor of the block of its story that a line is or stands in."""
    return line.table or line.anchor


def spot(
    lines: Lines, place: Place, options: Options, lookup: str | None, *, sections: bool = False
) -> tuple[str, Side]:
    """The block beside which something goes, and on which side.

    Args:
        lines: The document.
        place: What was said.
        options: How a quotation is searched.
        lookup: An excerpt that says where.
        sections: Whether a heading named by its words means its section: for what is one itself.
    """
    target = place.target
    side: Side = "before" if place.where in ("before", "top") else "after"
    if target is None or (isinstance(target, Unit) and target.kind in ("document", "body")):
        return _edge(lines.document.body.blocks, side)
    if isinstance(target, Unit):
        return _unit_spot(lines, target, place, options, lookup)
    inside, _ = scoped(lines, options, lookup)
    alone = [line for line in inside if is_said(line, target.text)]
    if alone:
        line = _one(lines, alone, options, lookup)
    else:
        places = hits(inside, target.text, options)
        line = the_one(lines, places, target.text, options, lookup).line
    if side == "after" and sections and isinstance(line.block, Heading) and alone:
        return outer(section(lines, line)[-1]), side
    return outer(line), side


def _unit_spot(
    lines: Lines, target: Unit, place: Place, options: Options, lookup: str | None
) -> tuple[str, Side]:
    side: Side = "before" if place.where in ("before", "top") else "after"
    if target.address is not None:
        region = single(lines, resolve(lines, target.address))
        if place.where == "top" and region.kind == "section":
            return region.first, "after"
        return region.first if side == "before" else region.last, side
    match target.kind:
        case "table":
            return table(lines, target).anchor if target.value is None else outer(
                lines_of(lines, target, options, lookup)[0]
            ), side
        case "section" if target.value is not None:
            inside = section(lines, heading(lines, target.value, lookup))
            if place.where == "top":
                return outer(inside[0]), "after"
            return outer(inside[0] if side == "before" else inside[-1]), side
        case "title":
            return title(lines).anchor, side
        case "sentence":
            return outer(sentence_hit(lines, target, options, lookup).line), side
        case _:
            unit_lines = lines_of(lines, target, options, lookup)
            return outer(unit_lines[0] if side == "before" else unit_lines[-1]), side


def _edge(blocks: Sequence[Block], side: Side) -> tuple[str, Side]:
    if not blocks:
        raise RefusedError("The document has no text beside which something could be put")
    return blocks[0 if side == "before" else -1].anchor, side


def headed(lines: Lines) -> bool:
    """Whether the document has headings at all."""
    return any(isinstance(line.block, Heading) for line in headings(lines))
