"""Rules that name exact words, which need no language model: what they ask for.

    Replace "Vendor" with "Supplier".
    Write "Supplier", not "Vendor".
    "Acme Ltd" must not appear; else comment "The old name".
    "governed by the laws of" must appear; else comment "No governing law".
    If "best efforts" appears, change it to "reasonable efforts".
    If there is no "limitation of liability", comment "No limit" on the title.

A rule is exact only if it is one of these sentences from its first word to its last; any other is
left to a model, so that no half of a sentence is carried out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from redraft.engine.quotes import lift


@dataclass(frozen=True, slots=True)
class Replaced:
    """Words that are replaced wherever they stand."""

    find: str
    replace: str


@dataclass(frozen=True, slots=True)
class Forbidden:
    """Words that get a comment wherever they stand; an empty comment is the rule itself."""

    find: str
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Required:
    """Words that must stand somewhere, else the title gets a comment; empty: the rule itself."""

    find: str
    comment: str = ""


Exact: TypeAlias = Replaced | Forbidden | Required

_Q: Final = r"\x00(\d+)\x00"
_EVERYWHERE: Final = r"(?: (?:everywhere|throughout|in the whole document))?"
_APPEARS: Final = r"(?:appears?|stands?|occurs?|is there|is used|be used|be there|is present)"
_NO: Final = r"(?:must|may|should|shall|can|does|do) ?not"
_ELSE: Final = r"(?:(?:[;,.:] ?|)(?:or else|else|otherwise|if (?:it does|it is|so|not)),? ?)"
_REMARK: Final = rf"(?:add a )?comment(?: with)?:? {_Q}"
_COMMENT: Final = rf"{_REMARK}(?: on (?:it|them|the words))?"
_ON_TITLE: Final = rf"{_REMARK}(?: on the title)?"
_PUT: Final = rf"(?:change|replace) (?:it|them) (?:to|with|by) {_Q}"
_REPLACED: Final = (
    rf"(?:always )?(?:replace|change) {_Q} (?:with|by|to|into) {_Q}{_EVERYWHERE}",
    rf"if {_Q} {_APPEARS}(?: anywhere)?,? {_PUT}",
    rf"{_Q} {_NO} {_APPEARS}{_ELSE}{_PUT}",
    rf"there (?:is|are|must be) no {_Q}{_ELSE}{_PUT}",
)
_TURNED: Final = (
    rf"(?:always )?(?:say|write|use) {_Q},? (?:not|never|instead of|rather than) {_Q}{_EVERYWHERE}",
)
_FORBIDDEN: Final = (
    rf"if {_Q} {_APPEARS}(?: anywhere)?,? {_COMMENT}",
    rf"{_Q} {_NO} {_APPEARS}(?:{_ELSE}{_COMMENT})?",
    rf"there (?:must be|should be|is|are) no {_Q}(?:{_ELSE}{_COMMENT})?",
    rf"(?:never|do not|don't) (?:say|use|write) {_Q}(?:{_ELSE}{_COMMENT})?",
)
_REQUIRED: Final = (
    rf"if (?:there is no {_Q}|{_Q} is missing|{_Q} {_NO} {_APPEARS}),? {_ON_TITLE}",
    rf"{_Q} (?:must|should|shall) {_APPEARS}(?:{_ELSE}{_ON_TITLE})?",
    rf"(?:the document|it) (?:must|should) (?:say|contain|have|name) {_Q}(?:{_ELSE}{_ON_TITLE})?",
)


def exact_words(rule: str) -> Exact | None:
    """Returns what a rule asks for; None where it has to be read by a model."""
    lifted = lift(rule)
    if lifted.is_open or not lifted.values:
        return None
    text = " ".join(lifted.text.replace("\x00", " \x00 ").split())
    text = re.sub(r"\x00 (\d+) \x00", "\x00\\1\x00", text)
    text = re.sub(r" (?=[;,.:])", "", text).strip(" .;")
    words = _first(text, _REPLACED, lifted.values)
    if words is not None:
        return Replaced(words[0], words[1])
    words = _first(text, _TURNED, lifted.values)
    if words is not None:
        return Replaced(words[1], words[0])
    words = _first(text, _REQUIRED, lifted.values)
    if words is not None:
        return Required(words[0], words[1] if len(words) > 1 else "")
    words = _first(text, _FORBIDDEN, lifted.values)
    if words is not None:
        return Forbidden(words[0], words[1] if len(words) > 1 else "")
    return None


def _first(text: str, forms: tuple[str, ...], values: tuple[str, ...]) -> list[str] | None:
    """Returns the quoted words of the first form that a text has; None where it has none."""
    for form in forms:
        match = re.fullmatch(form, text, re.IGNORECASE)
        if match:
            words = [values[int(number)] for number in match.groups() if number is not None]
            # Words that are empty are looked for nowhere.
            return words if words[0].strip() and words[-1].strip() else None
    return None
