"""What a reader sees of a document: from the tree, and from its Markdown as CommonMark parses it.

Both are given without any blanks, so that they can be compared character by character.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from redraft.engine.model import (
    Block,
    Break,
    CodeBlock,
    Control,
    Document,
    Field,
    Heading,
    Image,
    Inline,
    LineBreak,
    Link,
    ListItem,
    Math,
    Story,
    Table,
    Text,
)

_PARSER = (
    MarkdownIt("commonmark")
    .enable(["table", "strikethrough"])
    .use(footnote_plugin, inline=False, always_match_refs=True)
    .use(dollarmath_plugin, allow_space=False, allow_digits=False)
)
_TAG = re.compile(r"</?(?:u|sup|sub|strong|em|del|br)>")
_PLAIN_NUMBER = re.compile(r"(?:0|[1-9]\d{0,8})[.)]")


def squeezed(text: str) -> str:
    """Text without blanks and without soft hyphens, which show nothing."""
    return "".join(text.split()).replace("\u00ad", "")


def tree_text(document: Document) -> str:
    """The visible characters of the body, text boxes behind their block, then the notes."""
    boxes: dict[str, list[Story]] = {}
    for story in document.stories:
        if story.kind == "textbox":
            boxes.setdefault(story.host, []).append(story)
    notes = [s for s in document.stories if s.kind in ("footnote", "endnote")]
    body = _story(document.body.blocks, boxes)
    return squeezed(body + "".join(sorted(squeezed(_story(n.blocks, boxes)) for n in notes)))


def markdown_text(markdown: str) -> str:
    """The same of Markdown, read by a CommonMark parser that is not ours."""
    tokens = _PARSER.parse(markdown)
    starts = [i for i, token in enumerate(tokens) if token.type == "footnote_block_open"]
    end = starts[0] if starts else len(tokens)
    notes: list[str] = []
    current: list[Token] = []
    for token in tokens[end:]:
        if token.type == "footnote_open":
            current = []
        elif token.type == "footnote_close":
            notes.append(squeezed(_tokens(current)))
        else:
            current.append(token)
    return squeezed(_tokens(tokens[:end]) + "".join(sorted(notes)))


def words(text: str) -> list[str]:
    """The words of a text: runs of letters and digits."""
    return re.findall(r"\w+", text)


def parsed_plain(markdown: str) -> str:
    """The text of Markdown with blanks between blocks and cells."""
    return _tokens(_PARSER.parse(markdown))


def _story(blocks: Iterable[Block], boxes: dict[str, list[Story]], *, in_cell: bool = False) -> str:
    """Blocks with the labels that Markdown writes as text; a bullet shows only in a cell."""
    out: list[str] = []
    for block in blocks:
        if isinstance(block, Table):
            out.append(_table(block, boxes, in_cell=in_cell))
        elif isinstance(block, CodeBlock):
            out.append(block.text)
        elif not isinstance(block, Break):
            text = _inlines(block.content)
            label = block.label if isinstance(block, ListItem | Heading) else ""
            if isinstance(block, ListItem):
                is_task = block.checked is not None and not in_cell
                text = re.sub(r"^\s*[☐☒☑]", "", text) if is_task else text
                if in_cell and text.strip() and not label and not block.continuation:
                    label = "-"
            if text.strip() or isinstance(block, ListItem):
                out.append(f"{label} {text}")
        out += (_story(box.blocks, boxes, in_cell=in_cell) for box in boxes.get(block.anchor, ()))
    return "\n".join(out)


def _table(table: Table, boxes: dict[str, list[Story]], *, in_cell: bool) -> str:
    """A table's cells; those of a table in a cell are parted by commas and semicolons."""
    is_frame = len(table.rows) == 1 and len(table.rows[0].cells) == 1
    lines: list[list[str]] = []
    for row in table.rows:
        cells = [cell for cell in row.cells if not cell.continues]
        texts = (_story(c.blocks, boxes, in_cell=in_cell or not is_frame) for c in cells)
        lines.append([text for text in texts if text.strip()])
    if not in_cell or is_frame:
        return "\n".join("\n".join(line) for line in lines)
    return "; ".join(", ".join(line) for line in lines if line)


def _inlines(content: Sequence[Inline]) -> str:
    out: list[str] = []
    for inline in content:
        if isinstance(inline, Text):
            out.append(inline.text)
        elif isinstance(inline, Link | Field | Control):
            out.append(_inlines(inline.content))
        elif isinstance(inline, Image):
            out.append(inline.alt)
        elif isinstance(inline, Math):
            out.append(inline.latex)
        elif isinstance(inline, LineBreak):
            out.append(" ")
    return "".join(out)


def _tokens(tokens: Sequence[Token]) -> str:
    out: list[str] = []
    for token in tokens:
        if token.type == "list_item_open" and token.info:
            out.append(f"{token.info}{token.markup} ")
        elif token.type == "inline":
            out += (_inline(child) for child in token.children or ())
            out.append("\n")
        elif token.type in ("fence", "code_block", "math_block"):
            out.append(token.content)
        elif token.type == "html_block":
            out.append(_TAG.sub("", token.content).replace("<!-- -->", ""))
    return re.sub(r"(?m)^\[[ x]\] ", "", "".join(out))


def _inline(token: Token) -> str:
    if token.type in ("text", "code_inline", "math_inline", "image"):
        return token.content if token.type != "image" else _alt(token)
    if token.type == "html_inline":
        return _TAG.sub(" " if "br" in token.content else "", token.content)
    if token.type in ("softbreak", "hardbreak"):
        return " "
    return html.unescape(token.content) if token.type == "entity" else ""


def _alt(token: Token) -> str:
    return "".join(child.content for child in token.children or ())
