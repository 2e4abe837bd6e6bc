"""Looks: character formatting, styles, alignment, lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from redraft.engine.errors import RefusedError
from redraft.engine.interpreter.addresses import title
from redraft.engine.interpreter.command_targets import headed, lines_of, paragraphs_of
from redraft.engine.interpreter.commands import (
    Align,
    Format,
    Listed,
    Look,
    Options,
    Restyle,
    Unit,
    Value,
)
from redraft.engine.interpreter.lines import Line, Lines
from redraft.engine.interpreter.replacing import scoped, sentence_hit, sought
from redraft.engine.interpreter.search import Hit, the_one
from redraft.engine.interpreter.structure import resolve
from redraft.engine.interpreter.word_questions import number_of
from redraft.engine.locate import find
from redraft.engine.model import Break, CodeBlock, Control, Field, Inline, Link, Mark, Table, Text
from redraft.engine.plan import FormatText, Operation, SetList, SetParagraph, SetStyle


def format_(lines: Lines, command: Format, lookup: str | None) -> list[Operation]:
    """Give words, or all words of a piece of structure, their looks."""
    if isinstance(command.target, Unit) and command.target.kind == "document":
        return _everywhere(lines, command, lookup)
    if isinstance(command.target, Unit):
        _refuse_headless(lines, command.target)
        if command.target.address is not None:
            spans = [
                region.span
                for region in resolve(lines, command.target.address)
                if region.span is not None
            ]
            if spans:
                return [
                    FormatText(hit.line.anchor, hit.text, look.property, look.value, number_of(hit))
                    for hit in spans
                    for look in command.looks
                ]
        if command.target.kind == "sentence":
            hit = sentence_hit(lines, command.target, command.options, lookup)
            return [
                FormatText(hit.line.anchor, hit.text, look.property, look.value, number_of(hit))
                for look in command.looks
            ]
        if command.target.kind == "title":
            formatted = [title(lines)]
        else:
            formatted = lines_of(lines, command.target, command.options, lookup)
        return [
            FormatText(line.anchor, "", look.property, look.value)
            for line in formatted
            if line.text.strip()
            for look in command.looks
        ]
    return _words(lines, command.target, command.looks, command.options, lookup)


_MARKS = {"bold": Mark.BOLD, "italic": Mark.ITALIC, "underline": Mark.UNDERLINE}


def _everywhere(lines: Lines, command: Format, lookup: str | None) -> list[Operation]:
    """All words of the document; a look is taken only off those lines that have it."""
    inside, _ = scoped(lines, command.options, lookup)
    return [
        FormatText(line.anchor, "", look.property, look.value)
        for line in inside
        if line.text.strip()
        for look in command.looks
        if look.value != "off" or _has(line, look.property)
    ]


def _has(line: Line, name: str) -> bool:
    mark = _MARKS.get(name)
    block = line.block
    if mark is None or isinstance(block, (CodeBlock, Table, Break)):
        return True
    return any(mark in marks for marks in _marks(block.content))


def _marks(content: Sequence[Inline]) -> Iterator[Mark]:
    for inline in content:
        if isinstance(inline, Text):
            yield inline.marks
        elif isinstance(inline, (Link, Control, Field)):
            yield from _marks(inline.content)


def _refuse_headless(lines: Lines, target: Unit) -> None:
    if target.kind == "headings" and not headed(lines):
        message = "The document has no headings: none of its paragraphs has a heading style"
        raise RefusedError(message)


def _words(
    lines: Lines, value: Value, looks: Sequence[Look], options: Options, lookup: str | None
) -> list[Operation]:
    places, _ = sought(lines, value.text, options, lookup)
    if not options.everywhere or not places:
        places = [the_one(lines, places, value.text, options, lookup)]
    groups: dict[tuple[str, str], list[Hit]] = {}
    for hit in places:
        groups.setdefault((hit.line.anchor, hit.text), []).append(hit)
    return [
        operation for group in groups.values() for look in looks for operation in _each(group, look)
    ]


def _each(group: Sequence[Hit], look: Look) -> list[Operation]:
    """One operation where all equal words of a block are meant, else one a hit."""
    line, quote = group[0].line, group[0].text
    spans = find(line.text, quote)
    if len(spans) == len(group):
        occurrence = None if len(spans) == 1 else 0
        return [FormatText(line.anchor, quote, look.property, look.value, occurrence)]
    return [
        FormatText(line.anchor, quote, look.property, look.value, spans.index(at) + 1)
        for hit in group
        if (at := (hit.start, hit.end)) in spans
    ]


def restyle(lines: Lines, command: Restyle, lookup: str | None) -> list[Operation]:
    """Give paragraphs a style."""
    paragraphs = _paragraphs(lines, command.target, command.options, lookup)
    return [SetStyle(line.anchor, line.anchor, command.style) for line in paragraphs]


def align(lines: Lines, command: Align, lookup: str | None) -> list[Operation]:
    """Set a property of paragraphs."""
    paragraphs = _paragraphs(lines, command.target, command.options, lookup)
    return [
        SetParagraph(line.anchor, line.anchor, command.property, command.value)
        for line in paragraphs
    ]


def listed(lines: Lines, command: Listed, lookup: str | None) -> list[Operation]:
    """Make list items of paragraphs."""
    paragraphs = _paragraphs(lines, command.target, command.options, lookup)
    return [SetList(line.anchor, line.anchor, command.kind) for line in paragraphs]


def _paragraphs(
    lines: Lines, target: Value | Unit, options: Options, lookup: str | None
) -> list[Line]:
    if isinstance(target, Unit):
        _refuse_headless(lines, target)
        if target.kind == "title":
            return [title(lines)]
    return paragraphs_of(lines, target, options, lookup)
