"""Inlines as Markdown: text with its emphasis, links, notes, pictures, equations, change marks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby

from redraft.engine.markdown.emphasis import ALL, Token, spans
from redraft.engine.markdown.escapes import (
    Surroundings,
    at_line_start,
    destination,
    escape,
    pairing,
)
from redraft.engine.model import (
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

_CODE = int(Mark.CODE)
_SIMPLE = {0: "", int(Mark.BOLD): "**", int(Mark.ITALIC): "*"}
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


def write_inlines(content: Sequence[Inline], setting: Setting) -> str:
    """Returns the Markdown of inlines, without blanks at the edges of lines; may be empty."""
    plain = _plain(content, setting.where)
    if plain is not None:
        return plain
    setting = together([content], setting)
    tokens: list[Token] = []
    _flatten(content, setting, tokens)
    _, tokens, _ = _trimmed(tokens)
    return _grouped(tokens, setting) if setting.where.in_markup else spans(tokens, setting.where)


def _plain(content: Sequence[Inline], where: Surroundings) -> str | None:
    """Returns text whose simple marks change at blanks, as most is; None for any other."""
    out: list[str] = []
    sign = blank = edge = ""
    several = len(content) > 1
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
        if new is None or (out and not blank) or (several and ("$" in words or "~" in words)):
            return None
        piece = escape(words.replace("\t", " "), where, "*" if new else edge, "*" if new else "")
        if not piece:
            return None
        if new != sign:
            out += (sign, blank, new)
            sign = new
        elif out:
            out.append(blank)
        out.append(piece)
        blank = text[start + len(words) :]
        edge = " "
    out.append(sign)
    return "".join(out).replace("\t", " ").lstrip()


def lines_of(text: str, *, follows: bool = False) -> str:
    """Returns a paragraph of text: what would begin a block at the start of a line is escaped.

    Args:
        text: Its lines.
        follows: Whether something stands in front of the first one, so that it begins no block.
    """
    if "\n" not in text:
        return text if follows else at_line_start(text)
    first, *others = text.split("\n")
    rest = (at_line_start(line.lstrip(" "), is_first=False) for line in others)
    return "\n".join([first if follows else at_line_start(first), *rest])


def together(contents: Sequence[Sequence[Inline]], setting: Setting) -> Setting:
    """Returns how inlines are written that stand in one paragraph of Markdown, or in one cell."""
    if not any(map(_may_pair, contents)):
        return setting
    where = pairing(chain.from_iterable(map(_raw, contents)), setting.where)
    return setting if where is setting.where else replace(setting, where=where)


def _may_pair(content: Iterable[Inline]) -> bool:
    """Returns whether there is a sign that could pair with another one: `$` or `~`."""
    for inline in content:
        if isinstance(inline, Text):
            text = inline.text
        elif isinstance(inline, Image):
            text = inline.alt
        elif isinstance(inline, Link | Control | Field):
            if _may_pair(inline.content):
                return True
            continue
        else:
            continue
        if "$" in text or "~" in text:
            return True
    return False


def _raw(content: Iterable[Inline]) -> Iterator[str]:
    """Yields the characters that inlines bring into a paragraph, without blanks at their edges."""
    for inline in content:
        if isinstance(inline, Text):
            yield inline.text.strip()
        elif isinstance(inline, Link):
            yield from _raw(inline.content)
            yield inline.target
        elif isinstance(inline, Control | Field):
            yield from _raw(inline.content)
        elif isinstance(inline, Image):
            yield inline.alt
            yield inline.name
        elif isinstance(inline, Math):
            yield _math(inline.latex)


def _trimmed(tokens: list[Token]) -> tuple[list[Token], list[Token], list[Token]]:
    """Returns the blanks in front, what is between, and the blanks behind."""
    first, last = 0, len(tokens)
    while first < last and tokens[first].is_blank:
        first += 1
    while last > first and tokens[last - 1].is_blank:
        last -= 1
    return tokens[:first], tokens[first:last], tokens[last:]


def _flatten(content: Iterable[Inline], setting: Setting, out: list[Token]) -> None:
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
            out.append(Token(setting.note(inline), ALL, is_atom=True, kind="note"))
        elif isinstance(inline, Image):
            out.append(Token(_picture(inline, setting), ALL, is_atom=True))
        else:
            _equation(inline, setting, out)


def _split(text: Text, out: list[Token]) -> None:
    """Adds text as blanks, words, blanks: blanks at an edge carry no marks of their own."""
    characters = text.text.replace("\t", " ").replace("\u00ad", "")
    words = characters.strip()
    if not words:
        if characters:
            out.append(Token(characters, ALL, text.change, is_blank=True))
        return
    if len(words) == len(characters):
        _add_words(words, text, out)
        return
    lead = characters[: len(characters) - len(characters.lstrip())]
    if lead:
        out.append(Token(lead, ALL, text.change, is_blank=True))
    _add_words(words, text, out)
    trail = characters[len(lead) + len(words) :]
    if trail:
        out.append(Token(trail, ALL, text.change, is_blank=True))


def _add_words(words: str, text: Text, out: list[Token]) -> None:
    """Adds words to the piece that they touch: signs of two pieces could be read as one."""
    marks = int(text.marks)
    token = Token(words, marks, text.change)
    before = out[-1] if out else None
    if (
        before is None
        or before.is_atom
        or before.is_blank
        or before.marks != marks
        or _change_kind(before) != _change_kind(token)
    ):
        out.append(token)
    else:
        before.text += words


def _equation(inline: Math, setting: Setting, out: list[Token]) -> None:
    """Adds an equation, in one piece with one that it touches: `$$` would be no sign."""
    latex = inline.latex.replace("|", "\\|") if setting.where.in_table else inline.latex
    before = out[-1] if out else None
    if before is not None and before.kind == "equation":
        before.text = _math(f"{before.text[1:-1]} {latex}")
    else:
        out.append(Token(_math(latex), 0, is_atom=True, kind="equation"))


def _reference(inline: Field, setting: Setting, out: list[Token]) -> None:
    r"""Adds a field's result; a linked cross-reference leads to its heading (`REF name \h`)."""
    match = _REFERENCE.match(inline.instruction)
    if match is not None and "\\h" in match[2]:
        _link(inline, f"#{match[1]}", setting, out)
    else:
        _flatten(inline.content, setting, out)


def _picture(inline: Image, setting: Setting) -> str:
    alt = escape(inline.alt, _inside_link(setting).where)
    text = f"![{alt}]({destination(inline.name or inline.id)})"
    target = "" if setting.where.in_link else _reached(inline.target, setting)
    return f"[{text}]({destination(target)})" if target else text


def _reached(target: str, setting: Setting) -> str:
    """Returns where a link leads: a heading's fragment, a URL; empty for any other bookmark."""
    if not target.startswith("#"):
        return target
    name = setting.slug_of(target[1:])
    return f"#{name}" if name else ""


def _link(inline: Link | Field, target: str, setting: Setting, out: list[Token]) -> None:
    target = _reached(target, setting)
    if not target or setting.where.in_link:
        _flatten(inline.content, setting, out)
        return
    inside = _inside_link(setting)
    inner: list[Token] = []
    _flatten(inline.content, inside, inner)
    title = inline.title if isinstance(inline, Link) else None
    behind = f"]({destination(target)}{_title(title, setting)})"
    # A note's reference is a link of its own, and links do not stand in one another.
    for is_note, group in groupby(inner, lambda token: token.kind == "note"):
        pieces = list(group)
        out += pieces if is_note else _linked(pieces, behind, inside.where)


def _linked(pieces: list[Token], behind: str, where: Surroundings) -> list[Token]:
    """Returns pieces as the words of a link, blanks at its edges left outside."""
    lead, words, trail = _trimmed(pieces)
    if not words:
        return pieces
    shared = ALL
    for token in words:
        shared &= token.marks
    if shared != ALL:
        shared &= ~_CODE
    for token in words:
        token.marks &= token.marks if token.marks == ALL else ~shared
    change = words[0].change if len({_change_kind(token) for token in words}) == 1 else None
    return [*lead, Token(f"[{spans(words, where)}{behind}", shared, change, is_atom=True), *trail]


def _inside_link(setting: Setting) -> Setting:
    """Returns a setting as it is in the words of a link; `dataclasses.replace` takes a while."""
    around = setting.where
    where = Surroundings(
        around.in_table,
        in_link=True,
        in_markup=around.in_markup,
        has_math=around.has_math,
        has_tildes=around.has_tildes,
    )
    return Setting(where, setting.line_break, setting.slug_of, setting.note)


def _title(title: str | None, setting: Setting) -> str:
    if not title:
        return ""
    quoted = " ".join(title.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f' "{quoted}"'.replace("|", "\\|" if setting.where.in_table else "|")


def _break(inline: LineBreak, setting: Setting, out: list[Token]) -> None:
    # A page break inside a paragraph parts words, and says nothing else.
    text = setting.line_break if inline.kind == "line" else " "
    out.append(Token(text, ALL, is_atom=True, is_blank=True))


def _math(latex: str) -> str:
    return f"${latex}$"


def _grouped(tokens: list[Token], setting: Setting) -> str:
    """Returns tokens with change marks around those of one kind of change (CriticMarkup)."""
    out: list[str] = []
    start = 0
    for index in range(1, len(tokens) + 1):
        if index < len(tokens) and _change_kind(tokens[index]) == _change_kind(tokens[start]):
            continue
        kind = _change_kind(tokens[start])
        text = spans(tokens[start:index], setting.where)
        sign = {"insertion": "++", "deletion": "--"}.get(kind, "")
        out.append(f"{{{sign}{text}{sign}}}" if sign and text else text)
        start = index
    return "".join(out)


def _change_kind(token: Token) -> str:
    return "" if token.change is None else token.change.kind
