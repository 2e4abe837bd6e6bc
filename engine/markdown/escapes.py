"""Characters that Markdown would take for its own: escaped there, left alone elsewhere.

CommonMark 0.31 with the extensions of GitHub (tables, strikethrough, footnotes, task lists, math).
What depends on the
neighbours looks at them: `snake_case`, `2 * 3`, `a < b` and `R&D` stay as they are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace

_SPECIAL = re.compile(r"[\\`*\[\]<&~$|{}\u00ad]|_+")
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_UNSAFE = re.compile(r"[\x00-\x20<>()\\|\x7f]")
_MATH = re.compile(r"\$(?=[^\s$])(?:[^$]*[^\s$])?\$(?!\d)")
_PAIR = re.compile(r"\$(?=[^\s$])(?:[^$]*[^\s$])?\$")
_CRITIC = re.compile(r"\{(?=\+\+|--|~~|==|>>)|(?:(?<=\+\+)|(?<=--)|(?<=~~)|(?<===)|(?<=<<))\}")
_BLOCK_START = re.compile(
    r"(?P<sign>#{1,6}(?=[ \t]|$)|[-+](?=[ \t]|$)|>|=+[ \t]*$|(?:-[ \t]*){3,}$|(?:_[ \t]*){3,}$|~~~"
    r"|\[(?:[^\]\\]|\\.)*\]:|\[[ xX]\](?=[ \t]|$))|(?P<number>\d{1,9})[.)](?=[ \t]|$)"
)
_DELIMITER_ROW = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*$")
_STARTERS = frozenset("#-+>=_~[|:0123456789")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where text stands: in a cell, in a link's text, in a document with change marks.

    `has_math`, `has_tildes`: signs of its paragraph's other pieces would pair with `$`, `~` in it.
    """

    in_table: bool = False
    in_link: bool = False
    in_markup: bool = False
    has_math: bool = False
    has_tildes: bool = False


PLAIN = Surroundings()


def escape(text: str, where: Surroundings = PLAIN, before: str = "", after: str = "") -> str:
    """Escapes running text.

    Args:
        text: Characters of one line.
        where: What else could be broken there.
        before: The character in front of it, empty at the edge of a line.
        after: The one behind it.
    """
    if _SPECIAL.search(text) is None:
        return text
    text = text.replace("\u00ad", "")
    has_math = where.has_math or ("$" in text and _MATH.search(text) is not None)
    many_tildes = where.has_tildes or text.count("~") > 1

    def replacement(match: re.Match[str]) -> str:
        sign = match[0]
        left = text[match.start() - 1] if match.start() else before
        right = text[match.end()] if match.end() < len(text) else after
        if sign[0] == "_":
            return sign.replace("_", "\\_") if _opens(left, right) else sign
        if sign == "$":
            return "\\$" if has_math else sign
        if sign == "~":
            return "\\~" if many_tildes or "*" in (left, right) else sign
        if sign in "{}":
            return f"\\{sign}" if where.in_markup and _CRITIC.match(text, match.start()) else sign
        return f"\\{sign}" if _is_special(sign, left, right, text, match.start(), where) else sign

    return _SPECIAL.sub(replacement, text)


def pairing(pieces: Iterable[str], where: Surroundings) -> Surroundings:
    """Returns where the pieces of a paragraph stand, together: marks may come between them."""
    several = list(pieces)
    line = "*".join(several)
    if "$" not in line and "~" not in line:
        return where
    # Whether a digit behind it keeps a sign from being the end is not the same everywhere.
    math = _MATH if len(several) == 1 else _PAIR
    has_math = where.has_math or ("$" in line and math.search(line) is not None)
    has_tildes = where.has_tildes or line.count("~") > 1
    return replace(where, has_math=has_math, has_tildes=has_tildes)


def _is_special(sign: str, left: str, right: str, text: str, at: int, where: Surroundings) -> bool:
    if sign == "*":
        return not (left.isspace() and right.isspace())
    if sign == "\\":
        return not right or right in _PUNCTUATION
    if sign == "[":
        return where.in_link or right == "^"
    if sign == "]":
        return where.in_link or right == "("
    if sign == "<":
        return right.isalpha() or (bool(right) and right in "/!?")
    if sign == "&":
        return _ENTITY.match(text, at) is not None
    return sign == "`" or (sign == "|" and where.in_table)


def _opens(left: str, right: str) -> bool:
    """Returns whether underscores here could begin emphasis; if none can, none can end it."""
    return bool(right) and not right.isspace() and kind(left) != OTHER


def at_line_start(line: str, *, is_first: bool = True) -> str:
    """Escapes what would begin a block at the start of a line of running text.

    Args:
        line: The line, its inlines escaped already, without blanks in front.
        is_first: Whether it is the first line of its paragraph; only a later one can be a table's
            delimiter row.
    """
    if line[:1] not in _STARTERS:
        return line
    match = _BLOCK_START.match(line)
    if match is not None:
        # A reference to a note stays one; its colon would make it the note.
        at = match.end() - 1 if line.startswith("[^") else max(match.end("number"), 0)
        return f"{line[:at]}\\{line[at:]}"
    if not is_first and _DELIMITER_ROW.match(line):
        return f"\\{line}"
    return line


SPACE, PUNCTUATION, OTHER, UNSURE = 0, 1, 2, 3


def kind(char: str) -> int:
    """Returns the class of a character; unsure where versions of CommonMark differ."""
    if not char or char.isspace():
        return SPACE
    if char.isalnum():
        return OTHER
    if char in _PUNCTUATION:
        return PUNCTUATION
    category = unicodedata.category(char)
    if category.startswith("P"):
        return PUNCTUATION
    return UNSURE if category.startswith("S") else OTHER


def can_flank(outside: str, inside: str) -> bool:
    """Returns whether emphasis may begin, or end, between two characters (CommonMark 6.2)."""
    within = kind(inside)
    if within == SPACE:
        return False
    return within == OTHER or kind(outside) in (SPACE, PUNCTUATION)


def may_flank(outside: str, inside: str) -> bool:
    """Returns the same, where it is enough that some version of CommonMark says so."""
    within = kind(inside)
    return within in (OTHER, UNSURE) or (within == PUNCTUATION and kind(outside) != OTHER)


def code_span(text: str, *, in_table: bool = False) -> str:
    """Returns text as a code span, its fence longer than any run of backticks in it."""
    runs = re.findall(r"`+", text)
    fence = "`"
    while fence in runs:
        fence += "`"
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    inner = text.replace("|", "\\|") if in_table else text
    return f"{fence}{pad}{inner}{pad}{fence}"


def fenced(text: str) -> str:
    """Returns lines as a fenced code block, its fence longer than any run of backticks in it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


def destination(target: str) -> str:
    """Returns a link's target as CommonMark takes it bare, percent-encoded where it must be."""
    quoted = _UNSAFE.sub(lambda match: f"%{ord(match[0]):02X}", target.strip())
    return _ENTITY.sub(lambda match: f"&amp;{match[0][1:]}", quoted)


def slug(text: str) -> str:
    """Returns the fragment that GitHub gives a heading of this text."""
    kept = "".join(
        char for char in text.strip().lower() if char.isalnum() or char in " -_" or char.isspace()
    )
    return re.sub(r"\s", "-", kept)
