"""Inlines as Markdown: text with its emphasis, links, notes, pictures, equations, change marks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from engine.markdown_emphasis import ALL, Token, spans
from engine.markdown_escapes import (
    Surroundings,
    at_line_start,
    destination,
    escape,
)
from engine.model import (
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
    """The Markdown of inlines: lines without blanks at their edges; empty when nothing shows."""
    plain = _plain(content, setting.where)
    if plain is not None:
        return plain
    tokens: list[Token] = []
    _flatten(content, setting, tokens)
    _, tokens, _ = _trimmed(tokens)
    return _grouped(tokens, setting) if setting.where.in_markup else spans(tokens, setting.where)


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


def _trimmed(tokens: list[Token]) -> tuple[list[Token], list[Token], list[Token]]:
    """The blanks in front, what is between, and the blanks behind."""
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
            out.append(Token(setting.note(inline), ALL, is_atom=True))
        elif isinstance(inline, Image):
            alt = escape(inline.alt, replace(setting.where, in_link=True))
            text = f"![{alt}]({destination(inline.name or inline.id)})"
            out.append(Token(text, ALL, is_atom=True))
        else:
            out.append(Token(_math(inline), 0, is_atom=True))


def _split(text: Text, out: list[Token]) -> None:
    """Text as blanks, words, blanks: blanks at an edge carry no marks of their own."""
    characters = text.text.replace("\t", " ")
    marks = int(text.marks)
    words = characters.strip()
    if not words:
        out.append(Token(characters, ALL, text.change, is_blank=True))
        return
    if len(words) == len(characters):
        out.append(Token(characters, marks, text.change))
        return
    lead = characters[: len(characters) - len(characters.lstrip())]
    if lead:
        out.append(Token(lead, ALL, text.change, is_blank=True))
    out.append(Token(words, marks, text.change))
    trail = characters[len(lead) + len(words) :]
    if trail:
        out.append(Token(trail, ALL, text.change, is_blank=True))


def _reference(inline: Field, setting: Setting, out: list[Token]) -> None:
    r"""A field is its result; a cross-reference as link leads to its heading (`REF name \h`)."""
    match = _REFERENCE.match(inline.instruction)
    if match is not None and "\\h" in match[2]:
        _link(inline, f"#{match[1]}", setting, out)
    else:
        _flatten(inline.content, setting, out)


def _link(inline: Link | Field, target: str, setting: Setting, out: list[Token]) -> None:
    if target.startswith("#"):
        name = setting.slug_of(target[1:])
        target = f"#{name}" if name else ""
    if not target or setting.where.in_link:
        _flatten(inline.content, setting, out)
        return
    inside = replace(setting, where=replace(setting.where, in_link=True))
    found: list[Token] = []
    _flatten(inline.content, inside, found)
    lead, words, trail = _trimmed(found)
    out += lead
    if words:
        shared = ALL & ~_CODE
        for token in words:
            shared &= token.marks
        for token in words:
            token.marks &= token.marks if token.marks == ALL else ~shared
        change = words[0].change if len({_change_kind(token) for token in words}) == 1 else None
        title = inline.title if isinstance(inline, Link) else None
        text = f"[{spans(words, inside.where)}]({destination(target)}{_title(title, setting)})"
        out.append(Token(text, shared, change, is_atom=True))
    out += trail


def _title(title: str | None, setting: Setting) -> str:
    if not title:
        return ""
    quoted = " ".join(title.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f' "{quoted}"'.replace("|", "\\|" if setting.where.in_table else "|")


def _break(inline: LineBreak, setting: Setting, out: list[Token]) -> None:
    # A page break inside a paragraph parts words, and says nothing else.
    text = setting.line_break if inline.kind == "line" else " "
    out.append(Token(text, ALL, is_atom=True, is_blank=True))


def _math(inline: Math) -> str:
    return f"${inline.latex}$"


def _grouped(tokens: list[Token], setting: Setting) -> str:
    """Tokens with change marks around those of one kind of change (CriticMarkup)."""
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
