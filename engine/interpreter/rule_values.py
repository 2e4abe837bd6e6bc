"""What rules of the grammar give to those around them: flags, things, values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from redraft.engine.interpreter.commands import Options, Value


@dataclass(frozen=True, slots=True)
class Flag:
    """One thing said about how to search."""

    options: Options


@dataclass(frozen=True, slots=True)
class Thing:
    """What new words are said to be."""

    kind: Literal[
        "text", "sentence", "paragraph", "heading", "section", "bullet", "numbered", "clause"
    ]
    level: int | None = None


class ContradictionError(Exception):
    """A reading says two things that exclude each other."""


def constant(value: object) -> Any:
    """A rule that always means the same."""

    def same(self: object, parts: list[Any]) -> object:
        return value

    return same


def said(make: Callable[..., object], *order: int) -> Any:
    """A rule whose children and options are given to `make`, the children in an order."""

    def rule(self: object, parts: list[Any]) -> object:
        _, options = sorted_parts(parts)
        parts_said = things(parts)
        return make(*([parts_said[index] for index in order] or parts_said), options=options)

    return rule


def things(parts: Sequence[Any]) -> list[Any]:
    """The children of a rule without flags, values out of their lists."""
    children: list[Any] = []
    for part in parts:
        if isinstance(part, list):
            children += things(cast("list[Any]", part))
        elif part is not None and not isinstance(part, Flag):
            children.append(part)
    return children


def sorted_parts(parts: Sequence[Any]) -> tuple[list[Value], Options]:
    """Part the values of a rule from what is said about searching them."""
    values: list[Value] = []
    options = Options()
    for part in parts:
        if isinstance(part, Value):
            values.append(part)
        elif isinstance(part, Flag):
            options = merged(options, part.options)
        elif isinstance(part, list):
            inner, more = sorted_parts(cast("list[Any]", part))
            values += inner
            options = merged(options, more)
    return values, options


def merged(one: Options, other: Options) -> Options:
    """Both of what is said.

    Raises:
        ContradictionError: They count different hits.
    """
    if one.nth and other.nth and one.nth != other.nth:
        raise ContradictionError
    return Options(
        everywhere=one.everywhere or other.everywhere,
        match_case=other.match_case if one.match_case is None else one.match_case,
        whole_word=one.whole_word or other.whole_word,
        nth=one.nth or other.nth,
        scopes=tuple(dict.fromkeys((*one.scopes, *other.scopes))),
        excepts=tuple(dict.fromkeys((*one.excepts, *other.excepts))),
        close_up=one.close_up or other.close_up,
        inside_words=one.inside_words or other.inside_words,
    )
