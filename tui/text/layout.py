"""Blocks to lines: headings, lists, quotes, code and tables drawn for a width in cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len

from redraft.tui.look import Look
from redraft.tui.text.markdown_blocks import Block, Cell
from redraft.tui.text.runs import BOLD, STRIKE, UNDERLINE, Line, Run, clip, clip_line, width
from redraft.tui.text.whole_tokens import with_whole_tokens
from redraft.tui.text.wrap import wrap

MEASURE = 100  # cells; longer lines are hard to read
INDENT = 3


def lines(block: Block, cells: int, look: Look) -> list[Line]:
    """Draw a block; the result has no empty line before or after it.

    Args:
        block: What to draw.
        cells: The room.
        look: The signs, and whether changes are marked by signs too.
    """
    room = max(8, min(cells, MEASURE) if block.kind != "table" else cells)
    first, rest = _prefixes(block, look)
    taken = width(rest)
    match block.kind:
        case "rule":
            return [(*first, Run(look.glyphs.rule * min(room - taken, 40), "faint"))]
        case "table":
            return [(*rest, *line) for line in _table(block, room - taken, look)]
        case "code":
            return _code(block, room - taken, rest, look)
        case "heading":
            return _heading(block, room - taken, first, look)
        case _:
            return wrap(shown(block.runs, look), room - taken, first, rest)


def shown(runs: Sequence[Run], look: Look) -> list[Run]:
    """Strike deletions and underline insertions, or write them as `[-old-]{+new+}`.

    Both are widened to whole numbers and brackets.
    """
    drawn: list[Run] = []
    runs = with_whole_tokens(runs)
    for index, run in enumerate(runs):
        if run.role not in ("ins", "del"):
            drawn.append(run)
            continue
        flag = UNDERLINE if run.role == "ins" else STRIKE
        text = run.text
        if look.markers:
            flag = 0
            opening, closing = ("{+", "+}") if run.role == "ins" else ("[-", "-]")
            if index == 0 or runs[index - 1].role != run.role:
                text = opening + text
            if index + 1 == len(runs) or runs[index + 1].role != run.role:
                text += closing
        drawn.append(Run(text, run.role, run.flags | flag))
    return drawn


def _prefixes(block: Block, look: Look) -> tuple[Line, Line]:
    """What stands before the first line and before the others."""
    quote: Line = (Run(f"{look.glyphs.quote} " * block.quotes, "quote"),) if block.quotes else ()
    if block.depth == 0:
        return quote, quote
    inner = " " * (INDENT * (block.depth - 1) + 1)
    if block.marker == "":
        hang = Run(inner + " " * (INDENT - 1))
        return (*quote, hang), (*quote, hang)
    marker = _marker(block, look)
    gap = " " * max(1, INDENT - 1 - cell_len(marker))
    first = (*quote, Run(inner), Run(marker + gap, "marker"))
    return first, (*quote, Run(" " * (len(inner) + cell_len(marker) + len(gap))))


def _marker(block: Block, look: Look) -> str:
    signs = look.glyphs.bullet
    match block.marker:
        case "*":
            return signs[(block.depth - 1) % len(signs)]
        case "[ ]":
            return look.glyphs.unchecked
        case "[x]":
            return look.glyphs.checked
        case label:
            return label


def _heading(block: Block, room: int, first: Line, look: Look) -> list[Line]:
    drawn = wrap(shown(block.runs, look), room, first, first)
    if block.level == 1:
        longest = max((width(line) for line in drawn), default=0)
        drawn.append((Run(look.glyphs.rule * min(longest, room), "faint"),))
    return drawn


def _code(block: Block, room: int, prefix: Line, look: Look) -> list[Line]:
    bar = Run(f"{look.glyphs.bar} ", "faint")
    inner = room - cell_len(bar.text)
    return [
        (*prefix, bar, Run(clip(line, inner, look.glyphs.ellipsis), "code"))
        for line in block.text.split("\n")
    ]


def _table(block: Block, room: int, look: Look) -> list[Line]:
    """Draw a table with borders; cells wrap, and columns shrink evenly when there is no room."""
    columns = max(len(row) for row in block.rows)
    cells = [[shown(cell, look) for cell in row] for row in block.rows]
    widths = _column_widths(cells, columns, room - 3 * columns - 1)
    if widths is None:
        return _stacked(block, room, look)
    box = look.glyphs.box
    drawn = [_border(widths, box[0], box[1], box[2], box[9])]
    for index, row in enumerate(cells):
        drawn.extend(_row(row, widths, block.aligns, look))
        if index == 0 and len(cells) > 1:
            drawn.append(_border(widths, box[3], box[4], box[5], box[9]))
    drawn.append(_border(widths, box[6], box[7], box[8], box[9]))
    return drawn


def _column_widths(
    cells: Sequence[Sequence[Sequence[Run]]], columns: int, room: int
) -> list[int] | None:
    """Return the widths of the columns, or None when they would be too narrow to read."""
    natural = [1] * columns
    for row in cells:
        for index, cell in enumerate(row):
            text = "".join(run.text for run in cell)
            longest = max(cell_len(part) for part in text.split("\n"))
            natural[index] = max(natural[index], longest)
    if sum(natural) <= room:
        return natural
    if room < 4 * columns:
        return None
    low, high = 1, max(natural)
    while low < high:  # the largest cap under which everything fits
        cap = (low + high + 1) // 2
        if sum(min(size, cap) for size in natural) <= room:
            low = cap
        else:
            high = cap - 1
    widths = [min(size, low) for size in natural]
    spare = room - sum(widths)
    for index, size in enumerate(natural):
        extra = min(spare, size - widths[index], 1)
        widths[index] += extra
        spare -= extra
    return widths


def _border(widths: Iterable[int], left: str, middle: str, right: str, rule: str) -> Line:
    return (Run(left + middle.join(rule * (size + 2) for size in widths) + right, "faint"),)


def _row(
    row: Sequence[Sequence[Run]], widths: Sequence[int], aligns: Sequence[str], look: Look
) -> list[Line]:
    wrapped = [
        wrap(row[index] if index < len(row) else (), size) for index, size in enumerate(widths)
    ]
    bar = Run(look.glyphs.box[10], "faint")
    drawn: list[Line] = []
    for number in range(max(len(lines_) for lines_ in wrapped)):
        line: list[Run] = [bar]
        for index, size in enumerate(widths):
            piece = wrapped[index][number] if number < len(wrapped[index]) else ()
            align = aligns[index] if index < len(aligns) else ""
            line.extend(_aligned(clip_line(piece, size, ""), size, align))
            line.append(bar)
        drawn.append(tuple(line))
    return drawn


def _aligned(piece: Line, size: int, align: str) -> Line:
    missing = size - width(piece)
    left = {"right": missing, "center": missing // 2}.get(align, 0)
    return (Run(" " * (left + 1)), *piece, Run(" " * (missing - left + 1)))


def _stacked(block: Block, room: int, look: Look) -> list[Line]:
    """Draw a table that is too wide as one `header: cell` line a cell."""
    head: Sequence[Cell] = block.rows[0]
    drawn: list[Line] = []
    for row in block.rows[1:] or block.rows:
        if drawn:
            drawn.append((Run(look.glyphs.rule * min(room, 8), "faint"),))
        for index, cell in enumerate(row):
            name = "".join(run.text for run in head[index]) if index < len(head) else ""
            label = Run(f"{' '.join(name.split())}: ", "muted", BOLD) if name else Run("")
            drawn.extend(wrap([label, *shown(cell, look)], room, indent=2))
    return drawn
