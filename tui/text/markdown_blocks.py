"""Markdown to blocks: one for each paragraph, heading, list item, table or code block."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from markdown_it.token import Token

from redraft.tui.text.inline_runs import Inlines, parser
from redraft.tui.text.runs import BOLD, Run, plain

Kind: TypeAlias = Literal["heading", "paragraph", "item", "quote", "code", "table", "rule"]
Cell: TypeAlias = tuple[Run, ...]

# What Word shows as a label stands after the bullet of a list item: `1.1`, `(a)`, `Article IV.`
LABEL = re.compile(
    r"(\d+(?:\.\d+)+\.?|\([a-zA-Z]{1,5}\)|\(\d+\)|[a-zA-Z]\)|\d+\)"
    r"|(?:§|Article|Section|Clause) [\dIVXLC.]+)\s+"
)
CHECK = re.compile(r"\[([ xX])\] ")


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of the document that is wrapped on its own.

    `key` tells equal blocks of two states of a document; `depth` counts lists, `quotes` block
    quotes around it. `marker` is a list item's sign (empty for its further paragraphs); `tight`: no
    empty line before it. `anchor` is the line of the Markdown source it begins at, 0-based.
    """

    kind: Kind
    key: str
    runs: tuple[Run, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    aligns: tuple[str, ...] = ()
    level: int = 0
    depth: int = 0
    quotes: int = 0
    marker: str = ""
    tight: bool = False
    line: int = 0

    @property
    def is_changed(self) -> bool:
        """Whether it holds an insertion or a deletion."""
        cells = (run for row in self.rows for cell in row for run in cell)
        return any(run.role in ("ins", "del") for run in (*self.runs, *cells))

    @property
    def text(self) -> str:
        """Its characters; table cells are parted by tabs, rows by newlines."""
        if self.rows:
            return "\n".join(
                "\t".join("".join(run.text for run in cell) for cell in row) for row in self.rows
            )
        return "".join(run.text for run in self.runs)


@dataclass(slots=True)
class _List:
    """A list that is open while its items go by; `number` is the next one, None for bullets."""

    number: int | None
    tight: bool = True


class Reader:
    """Reads one state of a document after the other, and reuses what did not change."""

    def __init__(self) -> None:
        self._parser = parser()
        self._inlines = Inlines(self._parser)

    def read(self, markdown: str) -> tuple[Block, ...]:
        """Return the blocks of a Markdown text."""
        tokens = self._parser.parse(markdown)
        return tuple(_Walk(tokens, self._inlines).blocks())


class _Walk:
    """One pass over the tokens of a document."""

    def __init__(self, tokens: Sequence[Token], inlines: Inlines) -> None:
        self._tokens = tokens
        self._inlines = inlines
        self._lists: list[_List] = []
        self._quotes = 0
        self._marker = ""
        self._is_first = False
        self._is_new_item = False

    def blocks(self) -> Iterator[Block]:
        position = 0
        while position < len(self._tokens):
            token = self._tokens[position]
            kind = token.type
            if kind == "table_open":
                end = _closing(self._tokens, position)
                yield self._table(self._tokens[position : end + 1])
                position = end + 1
                continue
            if kind in ("heading_open", "paragraph_open"):
                yield self._leaf(token, self._tokens[position + 1])
                position += 3
                continue
            if kind in ("fence", "code_block"):
                yield self._code(token)
            elif kind == "hr":
                yield Block("rule", "---", quotes=self._quotes, line=_line(token))
            else:
                self._structure(token)
            position += 1

    def _structure(self, token: Token) -> None:
        match token.type:
            case "bullet_list_open":
                self._lists.append(_List(None))
            case "ordered_list_open":
                self._lists.append(_List(int(token.attrGet("start") or 1)))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                self._item(token)
            case "list_item_close":
                self._marker = ""
            case "blockquote_open":
                self._quotes += 1
            case "blockquote_close":
                self._quotes -= 1
            case _:
                pass

    def _item(self, token: Token) -> None:
        current = self._lists[-1]
        self._is_new_item = True
        if current.number is None:
            self._marker = "*"
        else:
            self._marker = f"{current.number}{token.markup}"
            current.number += 1

    def _leaf(self, token: Token, inline: Token) -> Block:
        source = inline.content
        if token.type == "heading_open":
            level = int(token.tag[1])
            role = f"h{min(level, 3)}"
            runs = self._inlines.runs(source, role, BOLD)
            return Block(
                "heading", source, runs, level=level, quotes=self._quotes, line=_line(token)
            )
        if not self._lists:
            kind: Kind = "quote" if self._quotes else "paragraph"
            runs = self._inlines.runs(source)
            return Block(kind, source, runs, quotes=self._quotes, line=_line(token))
        return self._list_paragraph(source, token)

    def _list_paragraph(self, source: str, token: Token) -> Block:
        marker = self._marker if self._is_new_item else ""
        tight = bool(token.hidden) and (bool(marker) or not self._is_new_item)
        self._is_new_item = False
        self._marker = ""
        if marker == "*":
            if check := CHECK.match(source):
                marker = "[ ]" if check.group(1) == " " else "[x]"
                source = source[check.end() :]
            elif label := LABEL.match(source):
                marker = plain(label.group(1))
                source = source[label.end() :]
        return Block(
            "item",
            source,
            self._inlines.runs(source),
            depth=len(self._lists),
            quotes=self._quotes,
            marker=marker,
            tight=tight,
            line=_line(token),
        )

    def _code(self, token: Token) -> Block:
        text = plain(token.content.rstrip("\n"))
        return Block(
            "code",
            text,
            (Run(text, "code"),),
            depth=len(self._lists),
            quotes=self._quotes,
            line=_line(token),
        )

    def _table(self, tokens: Sequence[Token]) -> Block:
        rows: list[list[Cell]] = []
        aligns: list[str] = []
        sources: list[str] = []
        is_header = False
        for token in tokens:
            if token.type == "tr_open":
                rows.append([])
            elif token.type in ("th_open", "td_open"):
                is_header = token.type == "th_open"
                if is_header:
                    aligns.append(str(token.attrGet("style") or "").removeprefix("text-align:"))
            elif token.type == "inline":
                sources.append(token.content)
                flags = BOLD if is_header else 0
                rows[-1].append(self._inlines.runs(token.content, "text", flags))
        key = "\x1f".join(sources)
        shown = tuple(tuple(row) for row in rows)
        return Block(
            "table",
            key,
            rows=shown,
            aligns=tuple(aligns),
            depth=len(self._lists),
            quotes=self._quotes,
            line=_line(tokens[0]),
        )


def _closing(tokens: Sequence[Token], start: int) -> int:
    """Return the index of the token that closes the one at `start`."""
    depth = 0
    for index in range(start, len(tokens)):
        depth += tokens[index].nesting
        if depth == 0:
            return index
    return len(tokens) - 1


def _line(token: Token) -> int:
    return token.map[0] if token.map else 0
