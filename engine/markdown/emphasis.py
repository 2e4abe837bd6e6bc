"""Pieces of a line with their marks as Markdown emphasis that CommonMark parses.

Marks nest, the longest outermost; blanks take those that the words on both sides share; where `**`
could not begin or end, its HTML element stands instead.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from redraft.engine.markdown.escapes import (
    Surroundings,
    can_flank,
    code_span,
    escape,
    may_flank,
)
from redraft.engine.model import Change, Mark

_STARS = {int(Mark.BOLD): "**", int(Mark.ITALIC): "*", int(Mark.STRIKE): "~~"}
_TAGS = {
    int(Mark.BOLD): "strong",
    int(Mark.ITALIC): "em",
    int(Mark.STRIKE): "del",
    int(Mark.UNDERLINE): "u",
    int(Mark.SUPERSCRIPT): "sup",
    int(Mark.SUBSCRIPT): "sub",
}
_CODE = int(Mark.CODE)
ALL = sum(_TAGS) | _CODE
_LOOKAHEAD = 64
# Parts what Markdown would read as one: a dollar sign beside a digit is no equation's.
_NOTHING = "<u></u>"


@dataclass(slots=True)
class Token:
    """A piece of a line: `is_atom` is written as it is, words are escaped; blanks have no marks.

    Of an atom, marks that are `ALL` say that it takes those around it; `kind` tells equations and
    references to notes from the others.
    """

    text: str
    marks: int
    change: Change | None = None
    is_atom: bool = False
    is_blank: bool = False
    kind: Literal["", "equation", "note"] = ""


@dataclass(slots=True)
class _Delimiter:
    """A place where a mark begins or ends; both ends of a mark are written alike."""

    mark: int
    is_opening: bool
    partner: _Delimiter | None = None
    as_tag: bool = field(default=False)


def spans(tokens: list[Token], where: Surroundings) -> str:
    """Returns tokens with their marks, as one string; blanks at its ends are kept."""
    _share_marks(tokens)
    if not any(token.marks & ~_CODE for token in tokens):
        return _unmarked(tokens, where)
    pieces: list[str | _Delimiter] = []
    open_marks: list[_Delimiter] = []
    previous = ""
    for index, token in enumerate(tokens):
        marks = token.marks & ~_CODE
        _close(open_marks, marks, pieces)
        _open(open_marks, marks, tokens, index, pieces)
        text = _text_of(token, where, previous, tokens, index)
        pieces.append(text)
        previous = text[-1:]
    _close(open_marks, 0, pieces)
    if any(isinstance(piece, _Delimiter) for piece in pieces):
        _settle(pieces)
    return "".join(piece if isinstance(piece, str) else _sign(piece) for piece in pieces)


def _unmarked(tokens: list[Token], where: Surroundings) -> str:
    """Returns tokens of which none has marks, as most are, as one string."""
    pieces: list[str] = []
    previous = ""
    for index, token in enumerate(tokens):
        pieces.append(_text_of(token, where, previous, tokens, index))
        previous = pieces[-1][-1:]
    return "".join(pieces)


def _text_of(
    token: Token, where: Surroundings, previous: str, tokens: list[Token], index: int
) -> str:
    if token.is_atom or token.is_blank:
        is_touched = token.kind == "equation" and previous.isdigit()
        return f"{_NOTHING}{token.text}" if is_touched else token.text
    if token.marks & _CODE:
        return code_span(token.text, in_table=where.in_table)
    edge = "*" if token.marks else ""
    before = tokens[index - 1] if index else None
    if before is None or before.marks != token.marks:
        previous = edge if before is None else "*"
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if following is None:
        after = edge
    else:
        after = following.text[:1] if following.marks == token.marks else "*"
    text = escape(token.text, where, previous, after)
    if before is not None and before.kind and before.marks == token.marks:
        text = f"{_parting(before, text[0])}{text}"
    # In front of a link's bracket the sign would make a picture of it.
    return f"{text[:-1]}\\!" if after == "[" and text.endswith("!") else text


def _parting(before: Token, first: str) -> str:
    """Returns what keeps words off the equation or note in front of them."""
    if before.kind == "equation":
        return _NOTHING if first.isdigit() else ""
    # A bracket would make the note's sign the words of a link.
    return "\\" if first == "(" else ""


def _share_marks(tokens: list[Token]) -> None:
    """Gives blanks and things without marks the marks that the words on both sides share."""
    before = 0
    waiting: list[Token] = []
    for token in tokens:
        if token.marks == ALL and (token.is_blank or token.is_atom):
            waiting.append(token)
            continue
        for between in waiting:
            between.marks = before & token.marks & ~_CODE
        waiting.clear()
        before = token.marks
    for between in waiting:
        between.marks = 0


def _close(open_marks: list[_Delimiter], marks: int, pieces: list[str | _Delimiter]) -> None:
    """Ends the marks that do not go on, and with them those begun inside."""
    keep = 0
    while keep < len(open_marks) and open_marks[keep].mark & marks:
        keep += 1
    while len(open_marks) > keep:
        opening = open_marks.pop()
        closing = _Delimiter(opening.mark, is_opening=False, partner=opening)
        opening.partner = closing
        pieces.append(closing)


def _open(
    open_marks: list[_Delimiter],
    marks: int,
    tokens: list[Token],
    index: int,
    pieces: list[str | _Delimiter],
) -> None:
    """Begins the marks that are new, the one that lasts longest first."""
    for delimiter in open_marks:
        marks &= ~delimiter.mark
    if not marks:
        return
    new = [mark for mark in _TAGS if mark & marks]
    if len(new) > 1:
        new.sort(key=lambda mark: -_length(mark, tokens, index))
    for mark in new:
        opening = _Delimiter(mark, is_opening=True, as_tag=mark not in _STARS)
        open_marks.append(opening)
        pieces.append(opening)


def _length(mark: int, tokens: list[Token], index: int) -> int:
    end = index
    last = min(len(tokens), index + _LOOKAHEAD)
    while end < last and tokens[end].marks & mark:
        end += 1
    return end - index


def _settle(pieces: list[str | _Delimiter]) -> None:
    """Writes those marks as HTML elements that CommonMark would not see as signs."""
    for piece in pieces:
        if isinstance(piece, _Delimiter) and piece.is_opening and piece.partner is not None:
            piece.partner.as_tag = piece.as_tag
    while _turn(pieces):
        pass


def _turn(pieces: list[str | _Delimiter]) -> bool:
    """Turns what does not hold into elements; returns whether it did: it changes its neighbours."""
    turned = False
    standing: list[tuple[_Delimiter, _Run]] = []
    for index, piece in enumerate(pieces):
        if isinstance(piece, str) or piece.as_tag:
            continue
        run = _run(pieces, index, _STARS[piece.mark][0])
        if piece.is_opening:
            holds = _opens(run, [other for _, other in standing])
            standing.append((piece, run))
        else:
            holds = _closes(run, standing.pop()[1])
        if not holds and piece.partner is not None:
            piece.as_tag = piece.partner.as_tag = turned = True
            if piece.is_opening:
                standing.pop()
    return turned


def _opens(run: _Run, standing: list[_Run]) -> bool:
    """Returns whether a run begins emphasis and cannot be taken for the end of an open one."""
    if run.follows_end or not can_flank(run.before, run.after):
        return False
    others = (o for o in standing if o.start != run.start and o.family == run.family)
    return not may_flank(run.after, run.before) or not any(others)


def _closes(run: _Run, opening: _Run) -> bool:
    """Returns whether a run ends the emphasis of another: the rule of three of CommonMark 6.2."""
    if not can_flank(run.after, run.before):
        return False
    is_double = may_flank(run.before, run.after) or may_flank(opening.after, opening.before)
    total = run.length + opening.length
    return not is_double or total % 3 != 0 or (run.length % 3 == 0 and opening.length % 3 == 0)


@dataclass(frozen=True, slots=True)
class _Run:
    """Signs of one family side by side, and the characters around them; `start` is its place."""

    family: str
    start: int
    length: int
    before: str
    after: str
    follows_end: bool


def _run(pieces: list[str | _Delimiter], index: int, family: str) -> _Run:
    """Returns the run of signs that a delimiter is part of."""
    first = last = index
    while first > 0 and _is_sign(pieces[first - 1], family):
        first -= 1
    while last + 1 < len(pieces) and _is_sign(pieces[last + 1], family):
        last += 1
    signs = [piece for piece in pieces[first : last + 1] if isinstance(piece, _Delimiter)]
    ends = any(not sign.is_opening for sign in signs[: index - first])
    return _Run(
        family,
        first,
        sum(len(_STARS[sign.mark]) for sign in signs),
        _shown(pieces[first - 1])[-1:] if first else "",
        _shown(pieces[last + 1])[:1] if last + 1 < len(pieces) else "",
        ends,
    )


def _is_sign(piece: str | _Delimiter, family: str) -> bool:
    return (
        isinstance(piece, _Delimiter) and not piece.as_tag and _STARS[piece.mark][0] == family
    ) or piece == ""


def _shown(piece: str | _Delimiter) -> str:
    return piece if isinstance(piece, str) else _sign(piece)


def _sign(delimiter: _Delimiter) -> str:
    if not delimiter.as_tag:
        return _STARS[delimiter.mark]
    name = _TAGS[delimiter.mark]
    return f"<{name}>" if delimiter.is_opening else f"</{name}>"
