# A method is named after its rule, and says what the rule means.
# ruff: noqa: D102
"""What the rules about pages mean (see `engine.interpreter.parse`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, cast

from lark import Token, Transformer

from redraft.engine.interpreter.commands import OnPages, Options, RedactText, StampAll, Value
from redraft.engine.interpreter.rule_values import constant, said, sorted_parts

_Span = tuple[int, int]


class PageMeanings(Transformer[Token, Any]):
    """Gives each rule its meaning; a method's name is the rule's."""

    def page_one(self, parts: list[Token]) -> tuple[_Span, ...]:
        number = int(parts[0][1:])
        return ((number, number),)

    def page_range(self, parts: list[Token]) -> tuple[_Span, ...]:
        if len(parts) == 1:
            first, last = parts[0][1:].split("-")
        else:
            first, last = (part[1:] for part in parts)
        return ((int(first), int(last)),)

    def page_several(self, parts: list[Token]) -> tuple[_Span, ...]:
        return tuple((int(part[1:]), int(part[1:])) for part in parts)

    pages_before = constant("before")
    pages_after = constant("after")
    turned_back = constant("back")

    def delete_pages(self, parts: list[Any]) -> OnPages:
        return OnPages("delete", _spans(parts), 0, None, 0, Options())

    def move_pages(self, parts: list[Any]) -> OnPages:
        what, to = _all_spans(parts)
        return OnPages("move", what, to[0][0], _where(parts), 0, Options())

    def insert_page(self, parts: list[Any]) -> OnPages:
        return OnPages("insert", (), _spans(parts)[0][0], _where(parts), 0, Options())

    def rotate_pages(self, parts: list[Any]) -> OnPages:
        numbers = [int(part[1:]) for part in parts if isinstance(part, Token)]
        degrees = numbers[0] if numbers else 90
        if "back" in parts:
            degrees = -degrees
        return OnPages("rotate", _spans(parts), 0, None, degrees, Options())

    def redact(self, parts: list[Any]) -> list[RedactText]:
        values, options = sorted_parts(parts)
        return [RedactText(value, options) for value in values]

    def watermark(self, parts: list[Any]) -> StampAll:
        return StampAll("watermark", sorted_parts(parts)[0][0], Options())

    new_header = said(partial(StampAll, "header"))
    new_footer = said(partial(StampAll, "footer"))
    page_numbers = constant(StampAll("page_numbers", Value(""), Options()))


def _spans(parts: Sequence[Any]) -> tuple[_Span, ...]:
    return _all_spans(parts)[0]


def _all_spans(parts: Sequence[Any]) -> list[tuple[_Span, ...]]:
    return [cast("tuple[_Span, ...]", part) for part in parts if isinstance(part, tuple)]


def _where(parts: Sequence[Any]) -> Any:
    return next((part for part in parts if part in ("before", "after")), "after")
