"""A line cut at the objects that a view shows as tokens, to rewrite the text between them.

The view names notes, pictures, fields, equations, page breaks, links and controls; text on both
sides of each is compared on its own, so that every object stays where it is among the words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from redraft.engine.docx.names import W
from redraft.engine.docx.reading.controls import control_properties
from redraft.engine.docx.redline.line import Box, Line, Standing, Unit
from redraft.engine.docx.redline.open_fields import Frame
from redraft.engine.docx.redline.tracked_text import Edit, Fresh
from redraft.engine.docx.runs.fields import (
    FORM_STATES,
    FORM_TEXT,
    parse_instruction,
    shown_without_result,
)
from redraft.engine.errors import PlanError, RefusedError
from redraft.engine.inline_pieces import Atom, Close, Open, Piece, Words
from redraft.engine.model import Mark
from redraft.engine.tokens import FREE

UNMAPPED = (
    "The paragraph holds something that cannot be matched with its view; replace words in it "
    "instead of rewriting it as a whole"
)
_FLD_CHAR_TYPE = W("fldCharType")
_SKIPPABLE = frozenset({"im", "a", "cc", "eq", "x", "/a", "/cc"})


@dataclass(frozen=True, slots=True)
class _Bound:
    """A token of a line: its kind (`fn`, `a`, `/a`), and the first and last unit of what it is.

    `start` and `end` are the offsets in the text that it covers; `box` is where text behind it is.
    `state` is what a form field shows in front of which it stands, where that is no text; `is_form`
    says that a form field of words begins here.
    """

    kind: str
    start: int
    end: int
    first: Unit | None
    last: Unit | None
    box: Box
    state: str | None = None
    is_form: bool = False


@dataclass(frozen=True, slots=True)
class Chunk:
    """What stands between two tokens of a view, as new text."""

    fresh: tuple[Fresh, ...]

    @property
    def text(self) -> str:
        """Its characters."""
        return "".join(fresh.text for fresh in self.fresh)


Parts: TypeAlias = tuple[list[str], list[Chunk]]


def parts(pieces: Sequence[Piece]) -> Parts:
    """Returns the token names of a line of a view, and the text before, between and behind them."""
    names: list[str] = []
    chunks: list[list[Fresh]] = [[]]
    for piece in pieces:
        match piece:
            case Words():
                chunks[-1].append(Fresh(piece.text, piece.marks))
            case Atom() if piece.name in FREE:
                chunks[-1].append(Fresh("\t" if piece.name == "tab" else "\n", Mark.NONE))
            case _:
                slash = "/" if isinstance(piece, Close) else ""
                opened = "+" if isinstance(piece, Open) else ""
                names.append(f"{slash}{opened}{piece.name}")
                chunks.append([])
    return names, [Chunk(tuple(chunk)) for chunk in chunks]


def segments(
    line: Line,
    before: Sequence[Piece],
    after: Sequence[Piece],
    old_marks: Sequence[Mark],
) -> list[Edit]:
    """Returns the edits that turn a line from one line of its view into another.

    Args:
        line: The paragraph.
        before: What the view shows of it.
        after: What it should be; with the same tokens in the same order.
        old_marks: Bold and italic of each character of the line.

    Raises:
        PlanError: the tokens come back in another order.
        RefusedError: the line holds objects that the view does not show as tokens.
    """
    old_names, old_chunks = parts(before)
    new_names, new_chunks = parts(after)
    if old_names != new_names:
        message = "The tokens of a block must come back in the order in which they stand"
        raise PlanError(message)
    bounds = _matched(_bounds(line), old_names)
    text = line.text
    edits: list[Edit] = []
    edges = [_Bound("", 0, 0, None, None, line.root), *bounds]
    for index, (chunk, left) in enumerate(zip(new_chunks, edges, strict=True)):
        right = edges[index + 1] if index + 1 < len(edges) else None
        end = len(text) if right is None else right.start
        if left.state is not None:
            _refuse_state(left.state, chunk)
            continue
        old = _read(left, text[left.end : end])
        if _plain(old) != _plain(old_chunks[index].text):
            raise RefusedError(UNMAPPED)
        if not chunk.text.strip() and _is_unfilled(left, old):
            continue
        edit = Edit(
            left.end,
            end,
            chunk.fresh,
            left.last,
            None if right is None or left.last is not None else right.first,
            left.box,
            old_marks,
        )
        if _differs(text, edit):
            edits.append(edit)
    return edits


def _refuse_state(state: str, chunk: Chunk) -> None:
    """The sign of a box, the entry of a list: they are no text (17.16.5.20, 17.16.5.21)."""
    if chunk.text != state:
        message = (
            f"{state or 'What a form field shows'} is the state of a form field; use set_field"
        )
        raise PlanError(message)


def _read(left: _Bound, text: str) -> str:
    """Returns text behind a token as a view has it; a form field of blanks alone is empty."""
    return "" if left.is_form and not text.strip() else text


def _is_unfilled(left: _Bound, text: str) -> bool:
    """Returns whether text behind a token is a placeholder, which stays when it is taken out."""
    if left.is_form and not text:
        return True
    control = left.box.outer if left.box.kind == "control" else None
    return control is not None and control_properties(control).is_placeholder


def within(
    line: Line, start: int, end: int, after: Sequence[Piece], old_marks: Sequence[Mark]
) -> list[Edit]:
    """Returns the edits that turn text[start:end] of a line into new text with the same tokens.

    Raises:
        PlanError: the tokens are not those of the stretch, in their order.
    """
    names, chunks = parts(after)
    bounds = [bound for bound in _bounds(line) if start <= bound.start and bound.end <= end]
    if [_kind(name) for name in names] != [bound.kind for bound in bounds]:
        message = "The tokens of the new text are not those of the words it replaces"
        raise PlanError(message)
    has_marks = any(fresh.marks for chunk in chunks for fresh in chunk.fresh)
    edits: list[Edit] = []
    for index, chunk in enumerate(chunks):
        left = bounds[index - 1] if index else None
        right = bounds[index] if index < len(bounds) else None
        if left is not None and left.state is not None:
            _refuse_state(left.state, chunk)
            continue
        fresh = chunk.fresh if has_marks else (Fresh(chunk.text),) if chunk.text else ()
        edit = Edit(
            start if left is None else left.end,
            end if right is None else right.start,
            fresh,
            None if left is None else left.last,
            None if left is not None or right is None else right.first,
            None if left is None else left.box,
            old_marks if has_marks else None,
        )
        if _differs(line.text, edit):
            edits.append(edit)
    return edits


def _plain(text: str) -> str:
    return "".join(char for char in text if char.isalnum())


def _differs(text: str, edit: Edit) -> bool:
    if text[edit.start : edit.end] != "".join(fresh.text for fresh in edit.new):
        return True
    at = edit.start
    for fresh in edit.new:
        for char in fresh.text:
            marks = edit.old_marks[at] if edit.old_marks is not None else None
            if not char.isspace() and fresh.marks is not None and marks != fresh.marks:
                return True
            at += 1
    return False


def _matched(bounds: list[_Bound], names: Sequence[str]) -> list[_Bound]:
    """Returns the tokens of the line that the view shows, in order."""
    matched: list[_Bound] = []
    at = 0
    for name in names:
        kind = _kind(name)
        while at < len(bounds) and bounds[at].kind != kind:
            if bounds[at].kind not in _SKIPPABLE:
                raise RefusedError(UNMAPPED)
            at += 1
        if at == len(bounds):
            raise RefusedError(UNMAPPED)
        matched.append(bounds[at])
        at += 1
    return matched


def _kind(name: str) -> str:
    return name.replace("+", "").rstrip("0123456789")


class _Scan:
    """Collects the tokens of a line while walking through its boxes."""

    def __init__(self) -> None:
        self.bounds: list[_Bound] = []
        self._at = 0
        self._field: Frame | None = None
        self._begin: tuple[int, Unit] | None = None
        self._last: Unit | None = None
        self._box: Box | None = None
        self._links: dict[Frame, Unit] = {}

    def box(self, box: Box) -> None:
        prefix = {"link": "a", "control": "cc"}.get(box.kind, "")
        is_field = box.kind == "field"
        if prefix and box.parent is not None:
            self.close_field()
            units = box.units()
            first = units[0] if units else None
            self.bounds.append(_Bound(prefix, self._at, self._at, first, None, box))
        for entry in box.entries:
            if isinstance(entry, Unit):
                self.unit(entry)
            elif isinstance(entry, Box):
                if not is_field:
                    self.close_field(unless=entry)
                self.box(entry)
        if prefix and box.parent is not None:
            self.close_field()
            units = box.units()
            last = units[-1] if units else None
            self.bounds.append(_Bound(f"/{prefix}", self._at, self._at, last, last, box.parent))

    def unit(self, unit: Unit) -> None:
        if unit.standing is Standing.STRUCK:
            return
        frame = _computed(unit)
        if frame is not self._field:
            self.close_field()
        if frame is not None and self._begin is None:
            self._field, self._begin = frame, (self._at, unit)
            self._box = unit.box
        start = self._at
        self._at += len(unit.text)
        self._last = unit
        if frame is None and unit.lock == "field" and unit.frame is not None:
            self._linked(unit, unit.frame)
        if frame is None and unit.token and not unit.text:
            self.bounds.append(_Bound(unit.token, start, self._at, unit, unit, unit.box))

    def _linked(self, unit: Unit, frame: Frame) -> None:
        """The plumbing of a HYPERLINK or FORMTEXT field: its result is a link or a form field."""
        kind = unit.node.get(_FLD_CHAR_TYPE)
        is_form = parse_instruction(frame.instruction).name == FORM_TEXT
        token = "cc" if is_form else "a"
        if kind == "begin":
            self._links[frame] = unit
        elif kind == "separate":
            first = self._links.get(frame, unit)
            bound = _Bound(token, self._at, self._at, first, unit, unit.box, is_form=is_form)
            self.bounds.append(bound)
        elif kind == "end":
            self.bounds.append(_Bound(f"/{token}", self._at, self._at, unit, unit, unit.box))

    def close_field(self, unless: Box | None = None) -> None:
        if self._begin is None or self._box is None:
            return
        if unless is not None and any(_computed(u) is self._field for u in unless.units()):
            return
        box = self._box
        while box.kind == "field" and box.parent is not None:
            box = box.parent
        start, first = self._begin
        state = _state(self._field, first)
        if state is None:
            self.bounds.append(_Bound("x", start, self._at, first, self._last, box))
        else:
            at, last = self._at, self._last
            self.bounds.append(_Bound("cc", start, at, first, last, box, state))
            self.bounds.append(_Bound("/cc", at, at, last, last, box))
        self._begin = self._field = self._box = None


def _state(field: Frame | None, first: Unit) -> str | None:
    """Returns what a form field with a state shows; None for another field."""
    instruction = parse_instruction("" if field is None else field.instruction)
    if instruction.name not in FORM_STATES:
        return None
    return shown_without_result(instruction, first.node)


def _bounds(line: Line) -> list[_Bound]:
    scan = _Scan()
    scan.box(line.root)
    scan.close_field()
    return scan.bounds


def _computed(unit: Unit) -> Frame | None:
    """Returns the outermost computed field around a unit."""
    computed: Frame | None = None
    frame = unit.frame
    while frame is not None:
        if not frame.is_editable:
            computed = frame
        frame = frame.parent
    return computed
