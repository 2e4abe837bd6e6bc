"""The numbered and headed places of a document: what `section 5`, `4(c)` and `3.2` are names of.

A number is one that Word writes (the label of a heading or list item) or one that is typed before
the words. Each place has a path: `("4", "c")` for `4(c)`, whatever of it its own label repeats.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from redraft.engine.interpreter.lines import Clause, Line, Lines, folded, label, unnumbered
from redraft.engine.model import Heading, ListItem

_LONGEST_TITLE = 90
_NAMED = (
    r"(?:section|article|clause|paragraph|part|artikel|abschnitt|klausel|ziffer|titre"
    r"|clausule|art[ií]culo|cl[aá]usula|secci[oó]n|§+)\s*"
)
_KEY = r"(?:\d+(?:\.\d+)*|[ivxlc]+|[a-z])"
_TYPED = re.compile(
    rf"\s*(?:{_NAMED}(?P<named>{_KEY})(?:[.):]|\b)"
    rf"|(?P<dotted>\d+(?:\.\d+)+)[.):]?(?=\s)"
    rf"|(?P<plain>\d{{1,3}}|[ivxlc]{{1,5}}|[a-z])[.)](?=\s)"
    rf"|\((?P<inner>\d{{1,3}}|[ivxlc]{{1,6}}|[a-z]{{1,2}})\)(?=\s))[\s.:–—-]*",  # noqa: RUF001
    re.IGNORECASE,
)
_LABEL = re.compile(rf"(?:^|[^\w])({_KEY})(?=\W*$)", re.IGNORECASE)
# Where the text of the last clause ends although no number says so.
_CLOSING = re.compile(
    r"(?:in witness whereof|executed (?:as|by|on)|signed (?:by|for|on)|signature|please sign"
    r"|date:|agreed and accepted|accepted and agreed|sincerely|yours |by:|name:|schedule \w+"
    r"|exhibit \w+|annex\b|appendix\b"
    r"|attachment \w+|anlage\b|unterschrift|ort, datum|fait (?:à|en)|firmado|en fe de|_{3,}"
    r"|the parties have|the parties hereto have|agreed to and)",
    re.IGNORECASE,
)
# What stands in a table that is signed.
SIGNED = re.compile(
    r"\b(?:by|name|title|date|signature|signed|unterschrift|firma|nombre|nom)\s*:|_{4,}"
    r"|\bsignature\b|\bunterschrift\b",
    re.IGNORECASE,
)
_RUN_IN = re.compile(r"\s*[“\"]?([A-Z][^.:;]{1,60}?)[”\"]?[.:](?=\s|$)")
_MOST_WORDS = 7
# A line with a full stop behind several words is text, and not what a clause is called.
_SENTENCE = re.compile(r"(?:\S+\s+){3,}\S+[.;]\s*$")


@dataclass(frozen=True, slots=True)
class _Number:
    """A number as written: its parts, its kind (`d1`, `a`, `i`, `A`, `h2`), where its text ends."""

    parts: tuple[str, ...]
    kind: str
    size: int = 0


@dataclass(slots=True)
class _Open:
    """A place that has not ended yet."""

    kind: str
    clause: Clause
    last_key: str = ""


@dataclass(slots=True)
class _Builder:
    body: Sequence[Line]
    stack: list[_Open] = field(default_factory=list[_Open])
    done: list[Clause] = field(default_factory=list[Clause])

    def close(self, depth: int, end: int) -> None:
        while len(self.stack) > depth:
            clause = self.stack.pop().clause
            self.done.append(replace(clause, end=end))

    def depth_for(self, kind: str, number: _Number, level: int | None) -> int:
        """How many of the open places stay open around a new one."""
        if level is not None:
            for at, one in enumerate(self.stack):
                is_heading = one.kind.startswith("h")
                if not is_heading or int(one.kind[1:]) >= level:
                    return at
            return len(self.stack)
        for at, one in enumerate(self.stack):
            if one.kind == kind:
                return at
        if kind.startswith("d") and len(number.parts) > 1:
            for at in range(len(self.stack), 0, -1):
                path = self.stack[at - 1].clause.path
                if path and path == number.parts[: len(path)]:
                    return at
            return next(
                (at for at, one in enumerate(self.stack) if not one.kind.startswith("h")),
                len(self.stack),
            )
        return len(self.stack)


def outline(body: Sequence[Line]) -> tuple[Clause, ...]:
    """Returns the numbered and headed places among the lines of the body, in document order.

    `Clause.start` and `Clause.end` are indexes into `body`, the end excluded.
    """
    builder = _Builder(body)
    for index, line in enumerate(body):
        if line.table or not line.text.strip():
            if line.table and SIGNED.search(line.text):
                first = next(at for at, one in enumerate(body) if one.table == line.table)
                builder.close(0, first)
            continue
        number = _number(line, builder.stack)
        level = line.block.level if isinstance(line.block, Heading) else None
        if number is None and level is None:
            if _CLOSING.match(line.text.strip()):
                builder.close(0, index)
            continue
        _open(builder, index, line, number or _Number((), ""), level)
    builder.close(0, len(body))
    numbered_lines = {one.line.anchor for one in builder.done}
    places = [*builder.done, *_called(body, numbered_lines)]
    return tuple(sorted(places, key=lambda clause: (clause.start, -clause.end)))


_CAPTION = re.compile(r"[A-Z\u00c0-\u00de0-9][^.:;,!?\t|]{2,60}")


def _called(body: Sequence[Line], numbered_lines: set[str]) -> Iterator[Clause]:
    """Returns the places below lines that are titles to a reader, where no style says so.

    A title is a short line without a stop, above a line of text; it is looked up by its exact name.
    """
    if any(isinstance(line.block, Heading) for line in body):
        return
    shown = [at for at, line in enumerate(body) if line.text.strip()]
    titles = [
        at
        for at, following in itertools.pairwise(shown)
        if is_caption(body[at]) and not is_caption(body[following])
    ]
    for at, end in itertools.pairwise([*titles, len(body)]):
        title = body[at].text.strip()
        if body[at].anchor in numbered_lines:
            continue
        yield Clause((), title, body[at], at, end, None, 0, False, True, folded(title))


def is_caption(line: Line) -> bool:
    """Whether a line looks like a title: short, in a paragraph of its own, without a stop."""
    is_plain = not line.table and not isinstance(line.block, ListItem)
    text = line.text.strip()
    return is_plain and len(text.split()) <= 6 and _CAPTION.fullmatch(text) is not None


def _open(builder: _Builder, index: int, line: Line, number: _Number, level: int | None) -> None:
    kind = f"h{level}" if level is not None else number.kind
    depth = builder.depth_for(kind, number, level)
    builder.close(depth, index)
    parent = builder.stack[-1].clause.path if builder.stack else ()
    path = _path(parent, number)
    is_titled = level is not None or len(line.text.strip()) <= _LONGEST_TITLE
    title = _title(line, number)
    clause = Clause(
        path,
        title,
        line,
        index,
        index + 1,
        level,
        number.size,
        bool(number.parts),
        is_titled,
        folded(title),
    )
    builder.stack.append(_Open(kind, clause, number.parts[-1] if number.parts else ""))


def _path(parent: tuple[str, ...], number: _Number) -> tuple[str, ...]:
    if not number.parts:
        return parent
    if len(number.parts) > 1 or number.kind in ("d1", "named"):
        is_nested = number.kind == "d1" and len(number.parts) == 1 and parent
        return (*parent, *number.parts) if is_nested else number.parts
    return (*parent, *number.parts)


def _number(line: Line, stack: Sequence[_Open]) -> _Number | None:
    written = label(line.block)
    if isinstance(line.block, ListItem) and not written:
        return None
    if written:
        match = _LABEL.search(written.strip())
        return _kind(match[1], written, stack, 0) if match else None
    typed = _TYPED.match(line.text)
    if typed is None:
        return None
    key = typed["named"] or typed["dotted"] or typed["plain"] or typed["inner"]
    is_word = typed["plain"] in ("a", "A", "I", "i") and isinstance(line.block, Heading)
    return None if is_word else _kind(key, typed[0], stack, typed.end())


def _kind(key: str, written: str, stack: Sequence[_Open], size: int) -> _Number:
    if key[0].isdigit():
        parts = tuple(key.split("."))
        inner = "p" if "(" in written else "" if "." in written or len(parts) > 1 else ")"
        return _Number(parts, f"d{len(parts)}{inner if len(parts) == 1 else ''}", size)
    case = "A" if key.isupper() else "a"
    small = key.casefold()
    if len(small) > 1 and re.fullmatch(r"[ivxlc]+", small):
        return _Number((small,), "I" if case == "A" else "i", size)
    if small in "ivxlc" and len(small) == 1:
        follows = next((one for one in reversed(stack) if one.kind == case), None)
        goes_on = follows is not None and follows.last_key == chr(ord(small) - 1)
        is_roman = small == "i" or any(one.kind in ("i", "I") for one in stack)
        if not goes_on and is_roman:
            return _Number((small,), "I" if case == "A" else "i", size)
    return _Number((small,), case, size)


def _title(line: Line, number: _Number) -> str:
    """What a place is called: the words of a heading or short line, or those before its text."""
    rest = line.text[number.size :].strip()
    if not isinstance(line.block, Heading) and _SENTENCE.search(rest):
        match = _RUN_IN.match(rest)
        is_title = match and len(match[0]) < len(rest) and len(match[1].split()) < _MOST_WORDS
        return match[1].strip() if match and is_title else ""
    if isinstance(line.block, Heading) or len(rest) <= _LONGEST_TITLE:
        match = _RUN_IN.match(rest)
        if not isinstance(line.block, Heading) and match and len(match[0]) < len(rest):
            return match[1].strip()
        return unnumbered(rest).rstrip(".: ")
    match = _RUN_IN.match(rest)
    return match[1].strip() if match and len(match[1].split()) <= _MOST_WORDS else ""


def keys(label: str) -> tuple[str, ...]:
    """Returns the parts of a number as a person writes it: `4(c)` is 4 and c, `3.2` 3 and 2."""
    return tuple(part.casefold() for part in re.findall(r"[0-9]+|[^\W\d_]+", label))


def previous(key: str) -> str:
    """Returns the number or letter before another one; nothing before the first."""
    if key.isdecimal():
        return str(int(key) - 1)
    return chr(ord(key) - 1) if len(key) == 1 and key > "a" else ""


def numbered(clauses: Sequence[Clause], wanted: tuple[str, ...]) -> list[Clause]:
    """Returns the places with a number: those of exactly this path, else those that end in it."""
    named = [clause for clause in clauses if clause.is_numbered]
    exact = [clause for clause in named if clause.path == wanted]
    ending = [clause for clause in named if clause.path[-len(wanted) :] == wanted]
    # 3(b) is also said of 3.1(b) where only one paragraph of section 3 has items.
    return exact or ending or [clause for clause in named if _is_inside(clause.path, wanted)]


def in_case(clauses: Sequence[Clause], written: str) -> list[Clause]:
    """Returns those whose letter in brackets is written as it was typed: (a) is not (A)."""
    letter = re.search(r"\(([^\W\d_]+)\)$", written)
    if letter is None:
        return list(clauses)
    fitting: list[Clause] = []
    for clause in clauses:
        text = clause.line.text[: clause.typed] or label(clause.line.block)
        letters = re.findall(r"[^\W\d_]+", text)
        last = letters[-1] if letters else ""
        if last == letter[1] or last.casefold() != letter[1].casefold():
            fitting.append(clause)
    return fitting


def _is_inside(path: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    left_out = len(path) - len(wanted)
    is_same = bool(wanted) and path[:1] == wanted[:1] and path[-1:] == wanted[-1:]
    return is_same and len(wanted) > 1 and left_out == 1 and path[-1].isalpha()


def titled(clauses: Sequence[Clause], name: str) -> list[Clause]:
    """Returns the places called so: exactly, else with these words in their title."""
    wanted = folded(name)
    exact = [clause for clause in clauses if clause.key and clause.key == wanted]
    if exact:
        return exact
    words = set(stems(wanted))
    named = [one for one in clauses if one.is_numbered or one.level is not None]
    return [one for one in named if one.key and words and words <= set(stems(one.key))]


def defined(body: Sequence[Line], name: str) -> list[Line]:
    """Returns the lines that say what words mean: `“Default Rate” means …`."""
    term = re.compile(rf"\W{{0,8}}[“\"„«]\s?{re.escape(name.strip())}\s?[”\"“»]", re.IGNORECASE)
    return [line for line in body if term.match(line.text)]


_SMALL_WORDS = (
    "the of and a an on for to in & der die das und von zu de la le les des et du el los las y"
)
_SMALL = frozenset(_SMALL_WORDS.split())


@lru_cache(4096)
def stems(text: str) -> tuple[str, ...]:
    """Returns the words of a name without small ones and endings: `date` and `dates` are alike."""
    return tuple(
        re.sub(r"(?<=\w{3})(?:ies|y|es|s|e)$", "", word)
        for word in re.findall(r"[^\W_]+", text)
        if word not in _SMALL
    )


def body_lines(lines: Sequence[Line]) -> Iterator[Line]:
    """Yields the lines of the body."""
    return (line for line in lines if line.story.kind == "body")


def structured(lines: Lines) -> Lines:
    """Returns the lines of a document with the places among those of its body."""
    body = tuple(body_lines(lines.lines))
    return replace(lines, body=body, clauses=outline(body))
