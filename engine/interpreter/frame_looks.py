"""Looks in a sentence: `bold`, `Georgia 11pt`, `right-align`, `1.5 line spacing`, `no bold`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from redraft.engine.interpreter.commands import Align, Command, Format, Look, Options, Unit, Value
from redraft.engine.interpreter.frame_words import Said
from redraft.engine.interpreter.meanings import is_font
from redraft.engine.plan import ParagraphProperty, TextProperty

Reading: TypeAlias = tuple[Command, ...]
_LOOKS = {
    "bold": Look("bold", "on"),
    "italic": Look("italic", "on"),
    "underline": Look("underline", "on"),
    "strikethrough": Look("strike", "on"),
    "smallcaps": Look("small_caps", "on"),
    "highlighted": Look("highlight", "yellow"),
    "superscript": Look("vertical", "superscript"),
    "subscript": Look("vertical", "subscript"),
}
_SIZE = re.compile(r"(\d{1,3}(?:[.,]5)?)-?(?:pt|pts|points?|punkt)?")
_LONGEST_FONT = 4


_ALIGNMENTS = {"center": "center", "left": "left", "right": "right", "justified": "justify"}
_SPACES: dict[str, ParagraphProperty] = {
    "linespacing": "line_spacing",
    "spacebefore": "space_before",
    "spaceafter": "space_after",
}
_OFF: dict[TextProperty, str] = {"highlight": "none", "vertical": "baseline"}
_TOGGLES = frozenset(
    {"bold", "italic", "underline", "strike", "small_caps", "highlight", "vertical"}
)
_NUMBER = re.compile(r"(\d{1,3}(?:[.,]\d{1,2})?)-?(?:pt|pts)?")


@dataclass(frozen=True, slots=True)
class Setting:
    """One property of paragraphs, as `engine.plan.SetParagraph` has it."""

    property: ParagraphProperty
    value: str


@dataclass(slots=True)
class Looks:
    """The looks of a sentence, and where the words that say them end, by where they begin."""

    looks: list[Look] = field(default_factory=list[Look])
    settings: list[Setting] = field(default_factory=list[Setting])
    ends: dict[int, int] = field(default_factory=dict[int, int])
    is_sound: bool = True

    def __bool__(self) -> bool:
        return bool(self.looks or self.settings)


def looks_of(said: Said) -> Looks:
    """Returns all looks that a sentence says, outside of quotations."""
    found = Looks()
    spaces: list[ParagraphProperty] = []
    numbers: list[str] = []
    off_at = -1
    has_space = any(item.roles & _SPACES.keys() for item in said.items())
    at = 0
    while at < len(said.words):
        if said.words[at].is_lifted or said.is_article(at):
            at += 1
            continue
        end, roles = said.phrase(at, len(said.words))
        number = _NUMBER.fullmatch(said.words[at].key) if has_space else None
        space: ParagraphProperty | None = next(
            (_SPACES[role] for role in sorted(roles) if role in _SPACES), None
        )
        align = next((_ALIGNMENTS[role] for role in sorted(roles) if role in _ALIGNMENTS), None)
        if number is not None:
            numbers.append(number[1].replace(",", "."))
            following = said.phrase(at + 1, len(said.words)) if at + 1 < len(said.words) else None
            end = following[0] if following and "points" in following[1] else at + 1
        elif space is not None:
            spaces.append(space)
        elif "off" in roles:
            # `justify off`: what stands before it is taken back.
            if found.settings and not found.looks:
                found.settings.pop()
            else:
                # Looks on both sides are no single wish: `bold, not italic`.
                found.is_sound = found.is_sound and off_at < 0
                off_at = len(found.looks)
        elif align is not None:
            found.settings.append(Setting("alignment", align))
        elif (look := look_at(said, at)) is not None:
            end, looks = look
            found.looks += looks
        else:
            at = end
            continue
        found.ends[at] = end
        at = end
    is_off = off_at >= 0
    found.is_sound = found.is_sound and (off_at <= 0 or off_at == len(found.looks))
    found.is_sound = found.is_sound and len(spaces) == len(numbers) <= 1
    found.settings += [Setting(*one) for one in zip(spaces, numbers, strict=False)]
    return _off(found) if is_off else found


def _off(found: Looks) -> Looks:
    """The same looks taken off; only those that are there or not can be."""
    toggles = [look for look in found.looks if look.property in _TOGGLES]
    found.is_sound = found.is_sound and len(toggles) == len(found.looks) > 0 and not found.settings
    found.looks = [replace(look, value=_OFF.get(look.property, "off")) for look in found.looks]
    return found


def commands_of(found: Looks, target: Unit | Value, options: Options) -> Reading:
    """Returns the commands that give a target its looks."""
    looks = tuple(found.looks)
    formats: Reading = (Format(target, looks, options),) if looks else ()
    return (*formats, *(Align(target, one.property, one.value, options) for one in found.settings))


def look_at(said: Said, at: int) -> tuple[int, tuple[Look, ...]] | None:
    """Returns the look that is said at a place, and where the next word is; else None."""
    if said.words[at].is_lifted:
        return None
    for end in range(min(len(said.words), at + _LONGEST_FONT), at, -1):
        if is_font(said.text(at, end)):
            return end, (Look("font", said.text(at, end)),)
    end, roles = said.phrase(at, len(said.words))
    look = next((_LOOKS[role] for role in sorted(roles) if role in _LOOKS), None)
    if look is not None:
        return end, (look,)
    color = next((role[1:] for role in sorted(roles) if re.fullmatch(r"k[a-z]+", role)), "")
    if color:
        return end, (Look("color", color),)
    if roles & {"fontsize", "size", "fontname", "color", "fontcolor"}:
        return end, ()
    return _size(said, at)


def _size(said: Said, at: int) -> tuple[int, tuple[Look, ...]] | None:
    match = _SIZE.fullmatch(said.words[at].key)
    if match is None:
        return None
    size = match[1].replace(",", ".")
    if match[0] != match[1]:
        return at + 1, (Look("size", size),)
    if at + 1 < len(said.words):
        end, roles = said.phrase(at + 1, len(said.words))
        if "points" in roles:
            return end, (Look("size", size),)
    return None
