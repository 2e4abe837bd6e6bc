"""New words of a plan as edits of a line take them, and list items that lose all of theirs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from redraft.engine import locate, tokens
from redraft.engine.docx.editing.anchored_elements import OperationError
from redraft.engine.docx.names import W_PPR, W_VAL, W
from redraft.engine.docx.redline.line import Line, Opaque, Unit
from redraft.engine.docx.redline.segments import parts
from redraft.engine.docx.redline.tracked_text import Edit, Fresh, with_blanks_of
from redraft.engine.docx.styles import Styles
from redraft.engine.errors import PlanError, RefusedError
from redraft.engine.inline_pieces import Words

_NUM_ID: Final = f"{W('numPr')}/{W('numId')}"
_STYLE: Final = W("pStyle")


def is_emptied_item(line: Line, edits: Sequence[Edit], styles: Styles) -> bool:
    """Whether edits leave nothing of a list item: then it goes with its number.

    Not where something else than words stands in it, which stays.
    """
    properties = line.paragraph.find(W_PPR)
    text = line.text
    if properties is None or not text or any(edit.new for edit in edits):
        return False
    if sum(edit.end - edit.start for edit in edits) < len(text):
        return False
    is_bare = all(unit.text or not unit.lock for unit in line.units if not unit.standing) and all(
        isinstance(e, Unit | Opaque) for e in line.root.entries
    )
    style, number = properties.find(_STYLE), properties.find(_NUM_ID)
    if number is None:
        own = styles.paragraph("" if style is None else style.get(W_VAL, "")).num
    else:
        own = number.get(W_VAL)
    return is_bare and own not in (None, "0")


def with_blanks(line: Line, edits: Sequence[Edit]) -> list[Edit]:
    """Edits of a whole block: where no tab or break is written, those that are there stay."""
    if any(sign in fresh.text for edit in edits for fresh in edit.new for sign in "\t\n"):
        return list(edits)
    return [
        replace(edit, new=with_blanks_of(line.text[edit.start : edit.end], edit.new))
        for edit in edits
    ]


def refused(make: Callable[[], list[Edit]]) -> list[Edit]:
    """Make edits.

    Raises:
        OperationError: they cannot be made.
    """
    try:
        return make()
    except PlanError as error:
        raise OperationError("crosses_placeholder", error) from error
    except RefusedError as error:
        raise OperationError("read_only", error) from error


def fresh_of(text: str) -> tuple[Fresh, ...]:
    """New text that brings no tokens; without any emphasis it inherits its looks.

    Raises:
        OperationError: the markup is broken, or tokens stand in it.
    """
    parsed = tokens.parse(text, ())
    if parsed.faults:
        fault = parsed.faults[0]
        raise OperationError(fault.code, PlanError(fault.message))
    _, chunks = parts(parsed.pieces)
    fresh = chunks[0].fresh
    if any(isinstance(piece, Words) and piece.marks for piece in parsed.pieces):
        return fresh
    return (Fresh("".join(part.text for part in fresh)),) if fresh else ()


def has_marks(fresh: Sequence[Fresh]) -> bool:
    """Whether bold or italic is asked for in new text."""
    return any(piece.marks is not None for piece in fresh)


def adapted(fresh: tuple[Fresh, ...], standing: str, quote: str) -> tuple[Fresh, ...]:
    """New text in the case of the text that was found for a quote."""
    if len(fresh) != 1:
        return fresh
    return (Fresh(locate.adapted(fresh[0].text, standing, quote), fresh[0].marks),)
