"""Markdown of a document as HTML, with its changes struck and underlined.

The Markdown is that of `engine.markdown.document`: GitHub-flavoured, a few HTML tags for what
Markdown has no sign for, and in the view `markup` CriticMarkup's `{++ ++}` and `{-- --}`. Nothing
of a document can become a tag or a script: only the tags that redraft writes are passed on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

_OWN_TAG = re.compile(r"<br>|</?u>")
_SIGN = re.compile(r"\{\+\+|\+\+\}|\{--|--\}|\[\^([\w-]+)\]")
_TAGS = {"{++": "<ins>", "++}": "</ins>", "{--": "<del>", "--}": "</del>"}


_DEFINITION = re.compile(r"^\[\^([\w-]+)\]: ?", re.MULTILINE)
_COMMENT = re.compile(r"<!--(?:(?!-->).)*-->\s*", re.DOTALL)


def fragment(markdown: str) -> str:
    """Returns HTML for the inside of a page's body, with the notes at its end.

    Args:
        markdown: A document in any view.
    """
    text, *notes = _DEFINITION.split(markdown)
    parser = _parser()
    names = notes[::2]
    rendered = "".join(
        f'<div class="note" id="note-{name}"><sup>{name}</sup>'
        f"{parser.render(_outdented(note))}</div>\n"
        for name, note in zip(names, notes[1::2], strict=True)
    )
    return f'<div class="redraft">{parser.render(text)}{rendered}</div>'


def _outdented(note: str) -> str:
    return note.replace("\n    ", "\n")


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", renderer_cls=_Renderer).enable(["strikethrough", "table"])
    # Joined to its neighbours, an escaped brace could not be told from a sign of a change.
    parser.core.ruler.disable("text_join")
    parser.core.ruler.push("changes", _mark_changes)
    return parser


def _mark_changes(state: Any) -> None:
    """Makes tags of the signs of changes in running text; those in code are text."""
    for block in state.tokens:
        if block.type == "inline":
            block.children = [
                piece for token in block.children or () for piece in _with_tags(token)
            ]


def _with_tags(token: Token) -> Iterator[Token]:
    if token.type != "text":
        yield token
        return
    at = 0
    for sign in _SIGN.finditer(token.content):
        yield Token("text", "", 0, content=token.content[at : sign.start()])
        if sign[1] is None:
            yield Token("change", "", 0, content=_TAGS[sign[0]])
        else:
            yield Token("note", "", 0, content=sign[1])
        at = sign.end()
    yield Token("text", "", 0, content=token.content[at:])


class _Renderer(RendererHTML):
    """Renders Markdown with the tags that redraft writes, and every other one as text."""

    def change(self, tokens: Sequence[Token], index: int, *_: Any) -> str:
        """Returns the tag of a change."""
        return tokens[index].content

    def note(self, tokens: Sequence[Token], index: int, *_: Any) -> str:
        """Returns the mark of a note, which leads to it."""
        name = tokens[index].content
        return f'<sup><a href="#note-{name}">{name}</a></sup>'

    def text_special(self, tokens: Sequence[Token], index: int, *_: Any) -> str:
        """Returns a character that was escaped."""
        return escape(tokens[index].content)

    def html_inline(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Returns a tag of ours as it is, another one as text."""
        tag = tokens[idx].content
        return tag if _OWN_TAG.fullmatch(tag) else escape(tag)

    def html_block(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Returns a block of HTML as text."""
        content = tokens[idx].content
        return "" if _COMMENT.fullmatch(content) else f"<p>{escape(content)}</p>\n"

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """Returns what a picture shows: its bytes stand in the document."""
        shown = self.renderInlineAsText(tokens[idx].children, options, env)
        return f'<span class="picture">[{escape(shown or "picture")}]</span>'
