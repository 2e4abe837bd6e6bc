# A method is named after its rule, and says what the rule means.
# ruff: noqa: D102
"""What the rules about looks, blocks, tables and objects mean (see `engine.interpreter.parse`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from lark import Token, Transformer

from redraft.engine.interpreter.commands import (
    Address,
    Align,
    Annotate,
    Describe,
    Fill,
    Format,
    InsertRow,
    LinkTo,
    Listed,
    Look,
    Merge,
    Move,
    Name,
    NewPage,
    NewTable,
    OnComment,
    Options,
    Place,
    Relink,
    Restyle,
    Settle,
    Split,
    Swap,
    Unit,
    Value,
)
from redraft.engine.interpreter.rule_values import (
    ContradictionError,
    constant,
    said,
    sorted_parts,
    things,
)
from redraft.engine.plan import TextProperty

_FONTS = frozenset(
    [
        "arial", "arial narrow", "book antiqua", "bookman old style", "calibri", "cambria",
        "candara", "century", "century gothic", "comic sans ms", "consolas", "constantia",
        "corbel", "courier", "courier new", "franklin gothic", "futura", "garamond", "georgia",
        "gill sans", "helvetica", "helvetica neue", "liberation sans", "liberation serif",
        "lucida sans", "open sans", "palatino", "palatino linotype", "roboto", "segoe ui",
        "tahoma", "times", "times new roman", "trebuchet ms", "verdana", "aptos", "inter",
    ]
)  # fmt: skip


def is_font(name: str) -> bool:
    """Whether a name is that of a font everybody knows."""
    return name.casefold() in _FONTS


_OFF: dict[TextProperty, str] = {"highlight": "none", "vertical": "baseline"}


_EVERY_HEADING = Unit("headings", match="contains")


def _number(token: Token) -> str:
    return str(token)[1:]


def _looks(parts: Sequence[Any]) -> tuple[Look, ...]:
    return tuple(part for part in parts if isinstance(part, Look))


def _aimed(parts: Sequence[Any], make: Callable[[Value | Unit, Options], object]) -> object:
    """A command on its one target, with what is said about searching it."""
    target = next(part for part in things(parts) if isinstance(part, (Value, Unit)))
    _, options = sorted_parts(parts)
    if isinstance(target, Unit) and target == _EVERY_HEADING:
        # `make the heading bold` means one, and does not say which.
        if not options.everywhere:
            raise ContradictionError
        target = Unit("headings")
    return make(target, options)


class MoreMeanings(Transformer[Token, Any]):
    """Gives each rule its meaning; a method's name is the rule's."""

    def __init__(self, values: Sequence[Value | Address]) -> None:
        super().__init__()
        self._values = values

    def value(self, parts: list[Token]) -> Value:
        value = self._values[int(parts[0][1:])]
        if not isinstance(value, Value):
            raise ContradictionError
        return value

    # pieces of structure

    def head_row(self, parts: list[Any]) -> Unit:
        return Unit("row", number=1, table=_table(parts))

    def all_headings(self, parts: list[Any]) -> Unit:
        levels = [int(_number(part)) for part in parts if isinstance(part, Token)]
        return Unit("headings", number=levels[0] if levels else None)

    every_heading = constant(_EVERY_HEADING)

    def inside(self, parts: list[Any]) -> Unit:
        return parts[0]

    all_paragraphs = constant(Unit("paragraphs"))

    def image(self, parts: list[Any]) -> Unit:
        numbers = [int(_number(part)) for part in parts if isinstance(part, Token)]
        values = [part for part in parts if isinstance(part, Value)]
        return Unit("image", values[0] if values else None, number=numbers[0] if numbers else None)

    # looks

    bold = constant(Look("bold", "on"))
    italic = constant(Look("italic", "on"))
    underline = constant(Look("underline", "on"))
    strike = constant(Look("strike", "on"))
    small_caps = constant(Look("small_caps", "on"))
    highlight = constant(Look("highlight", "yellow"))
    superscript = constant(Look("vertical", "superscript"))
    subscript = constant(Look("vertical", "subscript"))

    def look_on(self, parts: list[Any]) -> Look:
        return parts[0]

    lookverb = look_on

    def size(self, parts: list[Any]) -> str:
        return _number(parts[0])

    points = size

    def look_size(self, parts: list[str]) -> Look:
        return Look("size", parts[0])

    def look_color(self, parts: list[Token]) -> Look:
        return Look("color", _number(parts[0]))

    def look_highlight(self, parts: list[Token]) -> Look:
        return Look("highlight", _number(parts[0]))

    def look_known_font(self, parts: list[Value]) -> Look:
        if not is_font(parts[0].text):
            raise ContradictionError
        return Look("font", parts[0].text)

    def look_font(self, parts: list[Value]) -> Look:
        return Look("font", parts[0].text)

    def _format(self, parts: list[Any], looks: tuple[Look, ...]) -> object:
        return _aimed(parts, lambda target, options: Format(target, looks, options))

    def formatted(self, parts: list[Any]) -> object:
        return self._format(parts, _looks(parts))

    format_verb = formatted

    def highlight_in(self, parts: list[Any]) -> object:
        color = next(_number(part) for part in parts if isinstance(part, Token))
        return self._format(parts, (Look("highlight", color),))

    def formatted_several(self, parts: list[Any]) -> list[Format]:
        values, options = sorted_parts(parts)
        return [Format(value, _looks(parts), options) for value in values]

    def formatted_units(self, parts: list[Any]) -> list[Format]:
        _, options = sorted_parts(parts)
        looks = _looks(parts)
        return [Format(part, looks, options) for part in parts if isinstance(part, Unit)]

    def formatted_aligned(self, parts: list[Any]) -> list[Format | Align]:
        alignment = next(part for part in parts if isinstance(part, str))
        target = next(part for part in things(parts) if isinstance(part, (Value, Unit)))
        _, options = sorted_parts(parts)
        return [
            Format(target, _looks(parts), options),
            Align(target, "alignment", alignment, options),
        ]

    def refont_all(self, parts: list[Any]) -> Format:
        font, *sizes = things(parts)
        if not is_font(font.text):
            raise ContradictionError
        looks = (Look("font", font.text), *(Look("size", size) for size in sizes))
        return Format(Unit("document"), looks, Options())

    def resize_all(self, parts: list[Any]) -> Format:
        return Format(Unit("document"), (Look("size", parts[-1]),), Options())

    def unformat_all(self, parts: list[Any]) -> Format:
        looks = tuple(Look(look.property, _OFF.get(look.property, "off")) for look in _looks(parts))
        return Format(Unit("document"), looks, Options())

    def space_all(self, parts: list[Any]) -> Align:
        return Align(Unit("document"), "line_spacing", _number(parts[-1]), Options())

    def unformat(self, parts: list[Any]) -> object:
        looks = tuple(Look(look.property, _OFF.get(look.property, "off")) for look in _looks(parts))
        return self._format(parts, looks)

    def resize(self, parts: list[Any]) -> object:
        size = next(part for part in parts if isinstance(part, str) and part)
        return self._format(parts, (Look("size", size),))

    def refont(self, parts: list[Any]) -> object:
        return self._format(parts[:-1], (Look("font", parts[-1].text),))

    def recolor(self, parts: list[Any]) -> object:
        return self._format(parts, (Look("color", _number(parts[-1])),))

    def heading_style(self, parts: list[Token]) -> str:
        return f"Heading {_number(parts[0]) if parts else 1}"

    title_style = constant("Title")
    normal_style = constant("Normal")
    quote_style = constant("Quote")

    def restyle(self, parts: list[Any]) -> object:
        style = parts[-1].text if isinstance(parts[-1], Value) else parts[-1]
        return _aimed(parts[:-1], lambda target, options: Restyle(target, style, options))

    def restyle_by(self, parts: list[Any]) -> object:
        return self.restyle([*parts[1:], parts[0]])

    bullets = constant("bullet")
    numbers = constant("numbered")

    def listed(self, parts: list[Any]) -> object:
        kind = parts[-1]
        return _aimed(parts[:-1], lambda target, options: Listed(target, kind, options))

    center = constant("center")
    left = constant("left")
    right = constant("right")
    justify = constant("justify")

    def align(self, parts: list[Any]) -> object:
        way = parts[-1]
        return _aimed(parts[:-1], lambda target, options: Align(target, "alignment", way, options))

    def align_verb(self, parts: list[Any]) -> object:
        return self.align([*parts[1:], parts[0]])

    def space(self, parts: list[Any]) -> object:
        height = _number(parts[-1])
        return _aimed(
            parts[:-1], lambda target, options: Align(target, "line_spacing", height, options)
        )

    # blocks

    move = said(Move)

    swap_blocks = said(Swap)

    def swap_pair(self, parts: list[Unit]) -> Swap:
        address = parts[0].address
        if address is None or len(address.labels) != 2:
            raise ContradictionError
        one, other = (
            Unit(parts[0].kind, address=replace(address, labels=(label,)))
            for label in address.labels
        )
        return Swap(one, other, Options())

    def merge(self, parts: list[Any]) -> Merge:
        one, *others = things(parts)
        return Merge(one, others[0] if others else None, Options())

    split = said(Split)
    new_page = said(NewPage)

    def on_new_page(self, parts: list[Any]) -> object:
        return _aimed(parts, lambda target, options: NewPage(Place("before", target), options))

    # tables

    def values(self, parts: list[Value]) -> tuple[Value, ...]:
        return tuple(parts)

    def _grid(self, kind: Any, parts: list[Any]) -> InsertRow:
        cells: tuple[Value, ...] = ()
        place: Place | None = None
        for part in parts:
            if isinstance(part, tuple):
                cells += part
            elif isinstance(part, Value):
                cells += (part,)
            elif isinstance(part, Place):
                place = part
        return InsertRow(kind, cells, place, Options())

    def new_row(self, parts: list[Any]) -> InsertRow:
        return self._grid("row", parts)

    def new_column(self, parts: list[Any]) -> InsertRow:
        return self._grid("column", parts)

    def new_table(self, parts: list[Any]) -> NewTable:
        row = self._grid("row", parts)
        if row.place is None:
            raise ContradictionError
        return NewTable(row.cells, row.place, Options())

    # links, notes, images, properties, tracked changes

    link = said(LinkTo)
    link_by = said(LinkTo, 1, 0)
    unlink = said(partial(LinkTo, url=None))
    relink = said(Relink)
    name_title = said(partial(Name, "document title"))
    name = said(Name)
    titled_property = constant("title")
    author = constant("author")
    subject = constant("subject")
    keywords = constant("keywords")
    category = constant("category")
    footnote_to = said(partial(Annotate, "footnote"))
    footnote_by = said(partial(Annotate, "footnote"), 1, 0)
    comment_to = said(partial(Annotate, "comment"))
    comment_by = said(partial(Annotate, "comment"), 1, 0)

    def _on_comment(self, action: Any, parts: list[Any], texts: int = 0) -> OnComment:
        values = [part for part in things(parts) if isinstance(part, Value)]
        text = values[0] if texts else None
        comment = values[texts] if len(values) > texts else None
        return OnComment(action, comment, text, Options())

    def delete_comment(self, parts: list[Any]) -> OnComment:
        return self._on_comment("delete", parts)

    def delete_every_comment(self, parts: list[Any]) -> OnComment:
        return replace(self._on_comment("delete", parts), options=Options(everywhere=True))

    def resolve_comment(self, parts: list[Any]) -> OnComment:
        return self._on_comment("resolve", parts)

    def resolve_every_comment(self, parts: list[Any]) -> OnComment:
        return replace(self._on_comment("resolve", parts), options=Options(everywhere=True))

    def reopen_comment(self, parts: list[Any]) -> OnComment:
        return self._on_comment("reopen", parts)

    def reply_comment(self, parts: list[Any]) -> OnComment:
        return self._on_comment("reply", parts, 1)

    accept = constant("accept")
    reject = constant("reject")

    def describe(self, parts: list[Any]) -> Describe:
        parts_said = things(parts)
        text = next(part for part in parts_said if isinstance(part, Value))
        image = next((part for part in parts_said if isinstance(part, Unit)), Unit("image"))
        return Describe(image, text, Options())

    def settle(self, parts: list[Any]) -> Settle:
        settled = things(parts)
        author = next((part for part in settled if isinstance(part, Value)), None)
        return Settle(settled[0], author, Options())

    def fill(self, parts: list[Any]) -> Fill:
        field, value = things(parts)
        return Fill(field, value.text, Options())

    def fill_by(self, parts: list[Any]) -> Fill:
        value, field = things(parts)
        return Fill(field, value.text, Options())

    def check(self, parts: list[Any]) -> Fill:
        return Fill(things(parts)[0], "checked", Options())

    def uncheck(self, parts: list[Any]) -> Fill:
        return Fill(things(parts)[0], "unchecked", Options())


def _table(parts: Sequence[Any]) -> Unit | None:
    return next((part for part in parts if isinstance(part, Unit)), None)
