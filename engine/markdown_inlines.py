"""Inlines as Markdown: emphasis that CommonMark parses, links, notes, equations, change marks.

Marks may begin and end anywhere in a document; Markdown's may not. Blanks at the edge of a mark are
put outside; marks nest, the longest outermost; where `**` could not begin or end, its HTML element
stands instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from engine.markdown_escapes import (
    Surroundings,
    at_line_start,
    can_flank,
    code_span,
    destination,
    escape,
)
from engine.model import (
    Change,
    Control,
    Field,
    Image,
    Inline,
    LineBreak,
    Link,
    Mark,
    Math,
    NoteReference,
    Text,
)

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
_SIMPLE = {0: "", int(Mark.BOLD): "**", int(Mark.ITALIC): "*"}
_ALL = sum(_TAGS) | _CODE
_LOOKAHEAD = 64
_REFERENCE = re.compile(r"\s*REF\s+(\S+)(.*)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Setting:
    """What the writer of inlines must know: where it writes, and what links and notes are called.

    `line_break` is what a break inside a paragraph becomes; `slug_of` gives the heading that a
    bookmark begins in, or empty.
    """

    where: Surroundings
    line_break: str
    slug_of: Callable[[str], str]
    note: Callable[[NoteReference], str]


@dataclass(slots=True)
class _Token:
    """A piece of a line: `is_atom` is written as it is, words are escaped; blanks have no marks."""

    text: str
    marks: int
    change: Change | None = None
    is_atom: bool = False
    is_blank: bool = False


@dataclass(slots=True)
class _Delimiter:
    """A place where a mark begins or ends; both ends of a mark are written alike."""

    mark: int
    is_opening: bool
    partner: _Delimiter | None = None
    as_tag: bool = field(default=False)


def write_inlines(content: Sequence[Inline], setting: Setting) -> str:
    """The Markdown of inlines: lines without blanks at their edges; empty when nothing shows."""
    plain = _plain(content, setting.where)
    if plain is not None:
        return plain
    tokens: list[_Token] = []
    _flatten(content, setting, tokens)
    _, tokens, _ = _trimmed(tokens)
    return _grouped(tokens, setting) if setting.where.in_markup else _spans(tokens, setting)


def _plain(content: Sequence[Inline], where: Surroundings) -> str | None:
    """Text whose simple marks change at blanks, as most is; None when there is more to weigh."""
    out: list[str] = []
    sign = blank = edge = ""
    for inline in content:
        if not isinstance(inline, Text) or inline.change is not None:
            return None
        new = _SIMPLE.get(int(inline.marks))
        text = inline.text
        words = text.strip()
        if not words:
            blank += text
            continue
        start = text.index(words[0])
        blank += text[:start]
        if new is None or (out and not blank):
            return None
        if new != sign:
            out += (sign, blank, new)
            sign = new
        elif out:
            out.append(blank)
        out.append(
            escape(words.replace("\t", " "), where, "*" if new else edge, "*" if new else "")
        )
        blank = text[start + len(words) :]
        edge = " "
    out.append(sign)
    return "".join(out).replace("\t", " ").lstrip()


def lines_of(text: str) -> str:
    """Running text as a paragraph: what would begin a block at the start of a line is escaped."""
    if "\n" not in text:
        return at_line_start(text)
    first, *others = text.split("\n")
    rest = (at_line_start(line.lstrip(" "), is_first=False) for line in others)
    return "\n".join([at_line_start(first), *rest])


def _trimmed(tokens: list[_Token]) -> tuple[list[_Token], list[_Token], list[_Token]]:
    """The blanks in front, what is between, and the blanks behind."""
    first, last = 0, len(tokens)
    while first < last and tokens[first].is_blank:
        first += 1
    while last > first and tokens[last - 1].is_blank:
        last -= 1
    return tokens[:first], tokens[first:last], tokens[last:]


def _flatten(content: Iterable[Inline], setting: Setting, out: list[_Token]) -> None:
    for inline in content:
        if isinstance(inline, Text):
            _split(inline, out)
        elif isinstance(inline, Control):
            _flatten(inline.content, setting, out)
        elif isinstance(inline, Field):
            _reference(inline, setting, out)
        elif isinstance(inline, Link):
            _link(inline, inline.target, setting, out)
        elif isinstance(inline, LineBreak):
            _break(inline, setting, out)
        elif isinstance(inline, NoteReference):
            out.append(_Token(setting.note(inline), _ALL, is_atom=True))
        elif isinstance(inline, Image):
            alt = escape(inline.alt, replace(setting.where, in_link=True))
            text = f"![{alt}]({destination(inline.name or inline.id)})"
            out.append(_Token(text, _ALL, is_atom=True))
        else:
            out.append(_Token(_math(inline), 0, is_atom=True))


def _split(text: Text, out: list[_Token]) -> None:
    """Text as blanks, words, blanks: blanks at an edge carry no marks of their own."""
    characters = text.text.replace("\t", " ")
    marks = int(text.marks)
    words = characters.strip()
    if not words:
        out.append(_Token(characters, _ALL, text.change, is_blank=True))
        return
    if len(words) == len(characters):
        out.append(_Token(characters, marks, text.change))
        return
    lead = characters[: len(characters) - len(characters.lstrip())]
    if lead:
        out.append(_Token(lead, _ALL, text.change, is_blank=True))
    out.append(_Token(words, marks, text.change))
    trail = characters[len(lead) + len(words) :]
    if trail:
        out.append(_Token(trail, _ALL, text.change, is_blank=True))


def _reference(inline: Field, setting: Setting, out: list[_Token]) -> None:
    r"""A field is its result; a cross-reference as link leads to its heading (`REF name \h`)."""
    match = _REFERENCE.match(inline.instruction)
    if match is not None and "\\h" in match[2]:
        _link(inline, f"#{match[1]}", setting, out)
    else:
        _flatten(inline.content, setting, out)


def _link(inline: Link | Field, target: str, setting: Setting, out: list[_Token]) -> None:
    if target.startswith("#"):
        name = setting.slug_of(target[1:])
        target = f"#{name}" if name else ""
    if not target or setting.where.in_link:
        _flatten(inline.content, setting, out)
        return
    inside = replace(setting, where=replace(setting.where, in_link=True))
    found: list[_Token] = []
    _flatten(inline.content, inside, found)
    lead, words, trail = _trimmed(found)
    out += lead
    if words:
        shared = _ALL & ~_CODE
        for token in words:
            shared &= token.marks
        for token in words:
            token.marks &= token.marks if token.marks == _ALL else ~shared
        change = words[0].change if len({_change_kind(token) for token in words}) == 1 else None
        title = inline.title if isinstance(inline, Link) else None
        text = f"[{_spans(words, inside)}]({destination(target)}{_title(title, setting)})"
        out.append(_Token(text, shared, change, is_atom=True))
    out += trail


def _title(title: str | None, setting: Setting) -> str:
    if not title:
        return ""
    quoted = " ".join(title.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f' "{quoted}"'.replace("|", "\\|" if setting.where.in_table else "|")


def _break(inline: LineBreak, setting: Setting, out: list[_Token]) -> None:
    # A page break inside a paragraph parts words, and says nothing else.
    text = setting.line_break if inline.kind == "line" else " "
    out.append(_Token(text, _ALL, is_atom=True, is_blank=True))


def _math(inline: Math) -> str:
    return f"${inline.latex}$"


def _grouped(tokens: list[_Token], setting: Setting) -> str:
    """Tokens with change marks around those of one kind of change (CriticMarkup)."""
    out: list[str] = []
    start = 0
    for index in range(1, len(tokens) + 1):
        if index < len(tokens) and _change_kind(tokens[index]) == _change_kind(tokens[start]):
            continue
        kind = _change_kind(tokens[start])
        text = _spans(tokens[start:index], setting)
        sign = {"insertion": "++", "deletion": "--"}.get(kind, "")
        out.append(f"{{{sign}{text}{sign}}}" if sign and text else text)
        start = index
    return "".join(out)


def _change_kind(token: _Token) -> str:
    return "" if token.change is None else token.change.kind


def _spans(tokens: list[_Token], setting: Setting) -> str:
    """Tokens with their marks, as one string; blanks at its ends are kept."""
    _share_marks(tokens)
    pieces: list[str | _Delimiter] = []
    open_marks: list[_Delimiter] = []
    previous = ""
    for index, token in enumerate(tokens):
        marks = token.marks & ~_CODE
        _close(open_marks, marks, pieces)
        _open(open_marks, marks, tokens, index, pieces)
        text = _text_of(token, setting, previous, tokens, index)
        pieces.append(text)
        previous = text[-1:]
    _close(open_marks, 0, pieces)
    if any(isinstance(piece, _Delimiter) for piece in pieces):
        _settle(pieces)
    return "".join(piece if isinstance(piece, str) else _sign(piece) for piece in pieces)


def _text_of(
    token: _Token, setting: Setting, previous: str, tokens: list[_Token], index: int
) -> str:
    if token.is_atom or token.is_blank:
        return token.text
    if token.marks & _CODE:
        return code_span(token.text, in_table=setting.where.in_table)
    if index and tokens[index - 1].marks != token.marks:
        previous = "*"
    after = ""
    if index + 1 < len(tokens):
        following = tokens[index + 1]
        is_same = following.is_blank or following.marks == token.marks
        after = following.text[:1] if is_same else "*"
    return escape(token.text, setting.where, previous, after)


def _share_marks(tokens: list[_Token]) -> None:
    """Blanks and things without marks take those that the words on both sides share."""
    before = 0
    waiting: list[_Token] = []
    for token in tokens:
        if token.marks == _ALL and (token.is_blank or token.is_atom):
            waiting.append(token)
            continue
        for between in waiting:
            between.marks = before & token.marks & ~_CODE
        waiting.clear()
        before = token.marks
    for between in waiting:
        between.marks = 0


def _close(open_marks: list[_Delimiter], marks: int, pieces: list[str | _Delimiter]) -> None:
    """End the marks that do not go on, and with them those begun inside."""
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
    tokens: list[_Token],
    index: int,
    pieces: list[str | _Delimiter],
) -> None:
    """Begin the marks that are new, the one that lasts longest first."""
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


def _length(mark: int, tokens: list[_Token], index: int) -> int:
    end = index
    last = min(len(tokens), index + _LOOKAHEAD)
    while end < last and tokens[end].marks & mark:
        end += 1
    return end - index


def _settle(pieces: list[str | _Delimiter]) -> None:
    """Write those marks as HTML elements that CommonMark would not see as `*` signs."""
    for piece in pieces:
        if isinstance(piece, _Delimiter) and piece.partner is not None and piece.is_opening:
            piece.partner.as_tag = piece.as_tag
    changed = True
    while changed:
        changed = False
        for index, piece in enumerate(pieces):
            if (
                isinstance(piece, _Delimiter)
                and not piece.as_tag
                and not _holds(pieces, index, piece)
            ):
                piece.as_tag = changed = True
                if piece.partner is not None:
                    piece.partner.as_tag = True


def _holds(pieces: list[str | _Delimiter], index: int, piece: _Delimiter) -> bool:
    """Whether a sign does what it should where it stands."""
    family = _STARS[piece.mark][0]
    before, touches_before = _neighbour(pieces, index, -1, family)
    after, _ = _neighbour(pieces, index, 1, family)
    if piece.is_opening:
        # An ending right before would run together with this beginning.
        return not touches_before and can_flank(before, after)
    return can_flank(after, before)


def _neighbour(
    pieces: list[str | _Delimiter], index: int, step: int, family: str
) -> tuple[str, bool]:
    """The next character beyond signs of a family, and whether an ending sign was passed."""
    passed = False
    index += step
    while 0 <= index < len(pieces):
        piece = pieces[index]
        if isinstance(piece, str):
            if piece:
                return (piece[-1] if step < 0 else piece[0]), passed
        elif piece.as_tag:
            return (">" if step < 0 else "<"), passed
        elif _STARS[piece.mark][0] != family:
            return _STARS[piece.mark][0], passed
        else:
            passed = passed or not piece.is_opening
        index += step
    return "", passed


def _sign(delimiter: _Delimiter) -> str:
    if not delimiter.as_tag:
        return _STARS[delimiter.mark]
    name = _TAGS[delimiter.mark]
    return f"<{name}>" if delimiter.is_opening else f"</{name}>"
