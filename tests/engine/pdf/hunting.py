"""Random edits of PDFs that a person might ask for, each with what should come of it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from redraft.engine.model import CodeBlock, Heading, Inline, Link, ListItem, Paragraph, Quote
from redraft.engine.pdf.glyphs.lines import letters
from redraft.engine.pdf.glyphs.target_blocks import Target
from redraft.engine.plan import (
    DeleteBlocks,
    DeletePages,
    FindReplace,
    FormatText,
    InsertBlocks,
    InsertPage,
    MovePages,
    NewBlock,
    Operation,
    Redact,
    RemoveLink,
    ReplaceText,
    RewriteBlock,
    RotatePages,
    SetField,
    SetLink,
    SetProperty,
    StampKind,
    StampPages,
)
from redraft.engine.tokens import escape

WORD: Final = re.compile(r"[^\W\d_]{4,}")
SENTENCE: Final = re.compile(r"[^.!?]{20,}[.!?](?=\s|$)")
NEW: Final = ("naïve", "Łódź", "Straße", "20 €", "½", "№ 7", "“so-called”", "co-owner", "—", "A/B")
LOOKS: Final = (("bold", "on"), ("italic", "on"), ("bold", "off"), ("color", "FF0000"))


@dataclass(frozen=True, slots=True)
class Attempt:
    """An operation and what should come of it.

    `gone` and `come` are texts; `page` is the one that changes, from 0, or None for all of them.
    `order` are the pages as they are to follow each other, None for a blank one. `targets` are
    those of links that must stay: of their words some are exchanged. `own` is the block's text.
    """

    kind: str
    operation: Operation
    gone: str = ""
    come: str = ""
    page: int | None = None
    order: tuple[int | None, ...] | None = None
    targets: frozenset[str] = frozenset()
    own: str = ""


@dataclass(slots=True)
class Scene:
    """What a PDF has, from which an edit is chosen by chance."""

    targets: Sequence[Target]
    pages: int
    fields: dict[str, str]
    chance: random.Random
    words: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        """Collect the words."""
        self.words = [word for each in self.targets for word in WORD.findall(each.text)]

    def blocks(self, least: int = 8) -> list[Target]:
        """The blocks of the body with as many letters."""
        return [t for t in self.targets if t.story == "body" and len(letters(t.text)) >= least]

    def block(self, least: int = 8) -> Target | None:
        """One of them."""
        found = self.blocks(least)
        return self.chance.choice(found) if found else None

    def some_words(self, count: int) -> str:
        """Words of the document, sometimes one that its fonts may not have."""
        found = [self.chance.choice(self.words) for _ in range(count)] if self.words else ["new"]
        if self.chance.random() < 0.1:
            found[self.chance.randrange(len(found))] = self.chance.choice(NEW)
        return " ".join(found)

    def stretch(self, text: str, most: int = 4) -> tuple[int, int] | None:
        """Where one to some words of a text stand."""
        found = list(re.finditer(r"\w[\w'\u2019-]*", text))
        if not found:
            return None
        at = self.chance.randrange(len(found))
        last = min(len(found) - 1, at + self.chance.randrange(most))
        return found[at].start(), found[last].end()


Maker: TypeAlias = Callable[[Scene], Attempt | None]


def occurrence(text: str, start: int, find: str) -> int:
    """Which of its hits a quote is, from 1."""
    return len(re.findall(f"(?={re.escape(find)})", text[:start])) + 1


def _replaced(scene: Scene, kind: str, target: Target, at: tuple[int, int], new: str) -> Attempt:
    find = target.text[slice(*at)]
    number = occurrence(target.text, at[0], find)
    same = [target]
    if target.story != "body":
        same = [t for t in scene.targets if (t.story, t.text) == (target.story, target.text)]
    operation = ReplaceText(target.anchor, find, escape(new), number)
    page = target.page if len(same) == 1 else None
    kept = [target for target, text in _linked(target) if find in text] if new else []
    gone, come = find * len(same), new * len(same)
    return Attempt(kind, operation, gone, come, page, targets=frozenset(kept))


def replace_words(scene: Scene) -> Attempt | None:
    """Some words by others."""
    target = scene.block()
    at = target and scene.stretch(target.text)
    if target is None or at is None:
        return None
    return _replaced(scene, "words", target, at, scene.some_words(scene.chance.randint(1, 4)))


def replace_sentence(scene: Scene) -> Attempt | None:
    """A sentence by a shorter, an equal or a longer one."""
    found = [(t, m) for t in scene.blocks(60) for m in SENTENCE.finditer(t.text)]
    if not found:
        return None
    target, match = scene.chance.choice(found)
    count = len(match[0].split())
    share, kind = scene.chance.choice(((0.5, "shorter"), (1.0, "equal"), (1.6, "longer")))
    new = scene.some_words(max(1, round(count * share))) + match[0][-1]
    start = match.start() + len(match[0]) - len(match[0].lstrip())
    return _replaced(scene, f"sentence {kind}", target, (start, match.end()), new)


def rewrite(scene: Scene) -> Attempt | None:
    """A block's text with words taken out, put in and exchanged."""
    found = [t for t in scene.blocks(20) if _is_plain(t)]
    if not found:
        return None
    target = scene.chance.choice(found)
    words = target.text.split()
    for _ in range(scene.chance.randint(1, 4)):
        at = scene.chance.randrange(len(words))
        how = scene.chance.randrange(3)
        words[at : at + (how != 1)] = [] if how == 0 else [scene.some_words(1)]
        if len(words) < 2:
            return None
    new = " ".join(words)
    made = RewriteBlock(target.anchor, escape(new))
    return Attempt("rewrite", made, target.text, new, target.page)


def delete_words(scene: Scene) -> Attempt | None:
    """Some words go."""
    target = scene.block(20)
    at = target and scene.stretch(target.text)
    if target is None or at is None or at[1] - at[0] >= len(target.text.strip()):
        return None
    return _replaced(scene, "delete words", target, at, "")


def insert_words(scene: Scene) -> Attempt | None:
    """Words come behind others."""
    target = scene.block()
    at = target and scene.stretch(target.text, 1)
    if target is None or at is None:
        return None
    old = target.text[slice(*at)]
    return _replaced(scene, "insert words", target, at, f"{old} {scene.some_words(2)}")


def heading(scene: Scene) -> Attempt | None:
    """A heading gets other words."""
    found = [t for t in scene.blocks(4) if isinstance(t.block, Heading)]
    target = scene.chance.choice(found) if found else None
    at = target and scene.stretch(target.text)
    if target is None or at is None:
        return None
    return _replaced(scene, "heading", target, at, scene.some_words(scene.chance.randint(1, 3)))


def cell(scene: Scene) -> Attempt | None:
    """A cell of a table gets another text."""
    found = [t for t in scene.targets if ".c" in t.anchor and letters(t.text)]
    if not found:
        return None
    target = scene.chance.choice(found)
    new = (
        str(scene.chance.randint(1, 999)) if target.text.strip().isdigit() else scene.some_words(1)
    )
    at = scene.stretch(target.text)
    return _replaced(scene, "cell", target, at, new) if at else None


def running(scene: Scene) -> Attempt | None:
    """What pages repeat gets other words."""
    found = [t for t in scene.targets if t.story != "body" and WORD.search(t.text)]
    target = scene.chance.choice(found) if found else None
    at = target and scene.stretch(target.text, 2)
    if target is None or at is None:
        return None
    return _replaced(scene, "header or footer", target, at, scene.some_words(1))


def everywhere(scene: Scene) -> Attempt | None:
    """A word becomes another one wherever it stands."""
    target = scene.block()
    found = WORD.findall(target.text) if target else []
    if not found:
        return None
    old, new = scene.chance.choice(found), scene.some_words(1)
    pattern = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)")
    count = sum(len(pattern.findall(t.text)) for t in scene.targets)
    if not 1 <= count <= 30:
        return None
    made = FindReplace(old, escape(new), match_case=True, whole_word=True)
    return Attempt("everywhere", made, old * count, new * count)


def delete_block(scene: Scene) -> Attempt | None:
    """A block goes, and its gap stays or is closed."""
    target = scene.block()
    if target is None:
        return None
    closes = scene.chance.random() < 0.4 and ".c" not in target.anchor
    made = DeleteBlocks(target.anchor, target.anchor, close_up=closes)
    kind = "delete and close up" if closes else "delete block"
    return Attempt(kind, made, f"{target.label}{target.text}", "", target.page)


def insert_block(scene: Scene) -> Attempt | None:
    """A paragraph or bullet comes below one."""
    kinds = Paragraph | ListItem
    held = [t for t in scene.blocks(30) if isinstance(t.block, kinds) and ".c" not in t.anchor]
    found = [t for t in held if t.label in ("", "•")]
    if not found:
        return None
    target = scene.chance.choice(found)
    text = scene.some_words(scene.chance.randint(3, 14)).capitalize() + "."
    block = NewBlock("like_anchor", escape(text))
    made = InsertBlocks(target.anchor, "after", (block,))
    return Attempt("insert paragraph", made, "", text, target.page)


def look(scene: Scene) -> Attempt | None:
    """Words become bold, italic, plain or red."""
    target = scene.block()
    at = target and scene.stretch(target.text)
    if target is None or at is None:
        return None
    name, value = scene.chance.choice(LOOKS)
    find = target.text[slice(*at)]
    number = occurrence(target.text, at[0], find)
    if scene.chance.random() < 0.2:
        find, number = "", 1
    property_ = "color" if name == "color" else "bold" if name == "bold" else "italic"
    operation = FormatText(target.anchor, find, property_, value, number)
    return Attempt(f"{name} {value}", operation, page=target.page)


def link(scene: Scene) -> Attempt | None:
    """Words become a link."""
    target = scene.block()
    at = target and scene.stretch(target.text, 2)
    if target is None or at is None:
        return None
    find = target.text[slice(*at)]
    number = occurrence(target.text, at[0], find)
    made = SetLink(target.anchor, find, "https://example.org/a?b=c", number)
    return Attempt("link", made, page=target.page)


def unlink(scene: Scene) -> Attempt | None:
    """A link goes, its words stay."""
    found = [(t, text) for t in scene.targets for _, text in _linked(t)]
    if not found:
        return None
    target, text = scene.chance.choice(found)
    return Attempt("unlink", RemoveLink(target.anchor, text, 1), page=target.page)


def fill(scene: Scene) -> Attempt | None:
    """A field of a form gets a value."""
    if not scene.fields:
        return None
    name = scene.chance.choice(sorted(scene.fields))
    return Attempt("field", SetField(name, scene.chance.choice(("Ann Lee", "17", "Zażółć"))))


def title(scene: Scene) -> Attempt | None:
    """A property of the document gets a value."""
    name = scene.chance.choice(("title", "author", "keywords"))
    return Attempt("property", SetProperty(name, scene.some_words(3)))


def redact(scene: Scene) -> Attempt | None:
    """A word goes from everywhere."""
    target = scene.block()
    found = WORD.findall(target.text) if target else []
    if not found:
        return None
    word = scene.chance.choice(found)
    return Attempt("redact", Redact(word, match_case=True, whole_word=True))


def pages(scene: Scene) -> Attempt | None:
    """Pages go, move, turn or come."""
    count, chance = scene.pages, scene.chance
    every: list[int | None] = list(range(count))
    first = chance.randint(1, count)
    last = min(count, first + chance.randrange(2))
    how = chance.choice(("delete", "move", "turn", "blank"))
    if how == "delete" and last - first + 1 < count:
        order = tuple(n for n in every if n is not None and not first - 1 <= n < last)
        return Attempt("delete pages", DeletePages(first, last), order=order)
    others = [n for n in range(1, count + 1) if not first <= n <= last]
    if how == "move" and others:
        to = chance.choice(others)
        rest = [n for n in every if n is not None and not first - 1 <= n < last]
        at = rest.index(to - 1) + 1
        order = (*rest[:at], *range(first - 1, last), *rest[at:])
        return Attempt("move pages", MovePages(first, last, to, "after"), order=order)
    if how == "blank":
        order = (*every[: first - 1], None, *every[first - 1 :])
        return Attempt("insert page", InsertPage(first, "before"), order=order)
    turn = RotatePages(first, last, chance.choice((90, 180, 270)))
    return Attempt("turn pages", turn, order=tuple(every))


def stamp(scene: Scene) -> Attempt | None:
    """Every page gets a line."""
    kinds: tuple[StampKind, ...] = ("header", "footer", "page_numbers", "watermark")
    kind = scene.chance.choice(kinds)
    text = "" if kind == "page_numbers" else "Draft of May"
    each = "".join(str(n + 1) for n in range(scene.pages))
    come = {"page_numbers": each, "watermark": ""}.get(kind, text * scene.pages)
    return Attempt(kind.replace("_", " "), StampPages(kind, text), come=come)


WORDS: Final[tuple[Maker, ...]] = (
    replace_words,
    replace_words,
    replace_sentence,
    replace_sentence,
    rewrite,
    delete_words,
    insert_words,
    heading,
    cell,
    running,
    everywhere,
    delete_block,
    insert_block,
    look,
    link,
    unlink,
    fill,
    title,
)
TRACKED: Final[tuple[Maker, ...]] = (*WORDS, pages, stamp)
MAKERS: Final[tuple[Maker, ...]] = (*TRACKED, redact)


def attempt(scene: Scene, makers: Sequence[Maker] = MAKERS) -> Attempt | None:
    """Choose an edit that this document can be asked for."""
    for _ in range(20):
        made = scene.chance.choice(makers)(scene)
        if made is not None and (made.gone != made.come or not made.gone):
            return replace(made, own=_own_text(made.operation, scene.targets))
    return None


def _own_text(operation: Operation, targets: Sequence[Target]) -> str:
    """Label and text of the block that an operation names, empty where it names none."""
    match operation:
        case (
            ReplaceText()
            | RewriteBlock()
            | InsertBlocks()
            | FormatText()
            | SetLink()
            | RemoveLink()
        ):
            anchor = operation.block
        case DeleteBlocks():
            anchor = operation.first
        case _:
            return ""
    target = next(target for target in targets if target.anchor == anchor)
    return f"{target.label} {target.text}"


def _is_plain(target: Target) -> bool:
    """Whether the view of a block is its text, without tokens."""
    return not isinstance(target.block, CodeBlock) and not _linked(target)


def _linked(target: Target) -> list[tuple[str, str]]:
    """Give the links of a block: where they lead, and their words."""
    block = target.block
    if not isinstance(block, Paragraph | Heading | ListItem | Quote):
        return []
    found = [(e.target, _said(e.content)) for e in block.content if isinstance(e, Link)]
    return [(target, text) for target, text in found if text]


def _said(content: Sequence[Inline]) -> str:
    return "".join(getattr(each, "text", "") for each in content)
