"""Inline Markdown to runs: emphasis, code, links, images, notes, and CriticMarkup.

[x] emphasis, strong  [x] strikethrough  [x] code  [x] links  [x] images, as a label
[x] note references  [x] <u> <sup> <sub> <mark> <strong> <em> <br>  [-] other HTML: shown as text
[x] {++inserted++}  [x] {--deleted--}  [x] {~~old~>new~~}
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from redraft.tui.text.runs import BOLD, ITALIC, STRIKE, UNDERLINE, Run, plain

SPECIAL = re.compile(r"[\\`*_\[\]<>&~!{}\n]")
NOTE = re.compile(r"\[\^[\w-]{1,16}\]")
CHANGES = {"{++": "ins_open", "++}": "ins_close", "{--": "del_open", "--}": "del_close"}
PAIRS = {"{++": "++}", "{--": "--}", "++}": "{++", "--}": "{--"}
FLAGS = {"strong": BOLD, "b": BOLD, "em": ITALIC, "i": ITALIC, "s": STRIKE, "u": UNDERLINE}
ROLES = {"ins": "ins", "del": "del", "link": "link", "mark": "match"}
TAG = re.compile(r"<(/?)(strong|b|em|i|u|s|sup|sub|mark|br)\s*/?>", re.IGNORECASE)
SUBSTITUTION = re.compile(r"\{~~(.*?)~>(.*?)~~\}", re.DOTALL)
CACHE_LIMIT = 50_000


def _change_mark(state: StateInline, silent: bool) -> bool:
    """Read one of the four CriticMarkup signs, when its other half is there."""
    sign = state.src[state.pos : state.pos + 3]
    kind = CHANGES.get(sign)
    if kind is None:
        return False
    other = PAIRS[sign]
    if kind.endswith("open"):
        if state.src.find(other, state.pos) < 0:
            return False
    elif state.src.rfind(other, 0, state.pos) <= state.src.rfind(sign, 0, state.pos):
        return False
    if not silent:
        state.push(kind, "", 0)
    state.pos += 3
    return True


def parser() -> MarkdownIt:
    """Return a Markdown parser for what the service writes."""
    markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    markdown.disable(["reference", "html_block"])
    markdown.core.ruler.enableOnly(["normalize", "block"])
    markdown.inline.ruler.before("emphasis", "change_mark", _change_mark)
    return markdown


class Inlines:
    """Turns the source of inlines into runs and remembers what it has turned."""

    def __init__(self, markdown: MarkdownIt) -> None:
        self._markdown = markdown
        self._known: dict[tuple[str, str, int], tuple[Run, ...]] = {}

    def runs(self, source: str, role: str = "text", flags: int = 0) -> tuple[Run, ...]:
        """Return the runs of inline Markdown; `role` and `flags` are the look of its plain text."""
        if not SPECIAL.search(source):
            return (Run(plain(source), role, flags),)
        key = (source, role, flags)
        runs = self._known.get(key)
        if runs is None:
            if len(self._known) > CACHE_LIMIT:
                self._known.clear()
            runs = tuple(self._read(source, role, flags))
            self._known[key] = runs
        return runs

    def _read(self, source: str, role: str, flags: int) -> list[Run]:
        tokens: list[Token] = []
        unfolded = SUBSTITUTION.sub(r"{--\1--}{++\2++}", source)
        self._markdown.inline.parse(unfolded, self._markdown, {}, tokens)
        walk = _Walk(role, flags)
        for token in tokens:
            walk.take(token)
        return walk.runs


class _Walk:
    """What is open while the tokens of one paragraph go by."""

    def __init__(self, role: str, flags: int) -> None:
        self.runs: list[Run] = []
        self._role = role
        self._flags = flags
        self._open: list[str] = []
        self._targets: list[str] = []
        self._link_start: list[int] = []

    def take(self, token: Token) -> None:
        kind = token.type
        if kind in ("text", "text_special"):
            self._text(token.content)
        elif kind in ("softbreak", "hardbreak"):
            self._add(" " if kind == "softbreak" else "\n")
        elif kind == "code_inline":
            self._add(token.content, "code")
        elif kind == "image":
            self._add(f"[{_alternative(token)}]", "image")
        elif kind == "html_inline":
            self._tag(token.content)
        elif kind.endswith("_open"):
            self._begin(kind[:-5], token)
        elif kind.endswith("_close"):
            self._end(kind[:-6])

    def _text(self, text: str) -> None:
        position = 0
        for note in NOTE.finditer(text):
            self._add(text[position : note.start()])
            self._add(note.group(), "note")
            position = note.end()
        self._add(text[position:])

    def _add(self, text: str, role: str | None = None) -> None:
        if not text:
            return
        flags = self._flags
        for name in self._open:
            flags |= FLAGS.get(name, 0)
        self.runs.append(Run(plain(text), self._shown_role(role), flags))

    def _shown_role(self, role: str | None) -> str:
        """A change outshines every other role: it is what people look for."""
        for name in ("del", "ins"):
            if name in self._open:
                return name
        if role is not None:
            return role
        return next((ROLES[name] for name in reversed(self._open) if name in ROLES), self._role)

    def _begin(self, name: str, token: Token) -> None:
        self._open.append(name)
        if name == "link":
            self._targets.append(str(token.attrGet("href") or ""))
            self._link_start.append(len(self.runs))

    def _end(self, name: str) -> None:
        if name in self._open:
            self._open.reverse()
            self._open.remove(name)
            self._open.reverse()
        if name == "link" and self._targets:
            target, start = self._targets.pop(), self._link_start.pop()
            shown = "".join(run.text for run in self.runs[start:])
            if not target.startswith("#") and target not in (shown, f"mailto:{shown}"):
                self._add(f" ({target})", "muted")

    def _tag(self, html: str) -> None:
        match = TAG.fullmatch(html)
        if match is None:
            self._add(html)
            return
        closing, name = match.group(1), match.group(2).lower()
        if name == "br":
            self._add("\n")
        elif name in ("sup", "sub"):
            self._add({"sup": "^", "sub": "_"}[name] if not closing else "", "muted")
        elif closing:
            self._end(name)
        else:
            self._open.append(name)


def _alternative(token: Token) -> str:
    children: Sequence[Token] = token.children or ()
    shown = "".join(child.content for child in children) or token.content
    return " ".join(plain(shown).split()) or "image"
