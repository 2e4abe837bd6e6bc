"""Which font a word is set in: its own, the same family in another face, a twin at hand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from redraft.engine.errors import RefusedError
from redraft.engine.pdf.fonts import fallback
from redraft.engine.pdf.fonts.fonts import Font, Style
from redraft.engine.pdf.glyphs.edited_words import Atom, Voice, Word, in_voice, voice_of
from redraft.engine.pdf.glyphs.glyphs import Glyph
from redraft.engine.pdf.resolved_edits import Look
from redraft.engine.pdf.stream import objects
from redraft.engine.pdf.typeset.page_edit import PageEdit

_SMALL: Final = "acenorsuvxz"
_FEWEST: Final = 5
_ALIKE, _SMALLEST, _LARGEST = 0.03, 0.88, 1.12
_FACE: Final = re.compile(
    r"bold|medi(?:um)?|regu(?:lar)?|ital(?:ic)?|obli(?:que)?|roman$|normal|book|mt\b|ps(?=mt|-)"
    r"|[-, ]",
    re.IGNORECASE,
)
# The faces of Computer Modern and its twins are named by what they are, not by what they add.
_MODERN: Final = re.compile(r"^(cm|sf|lm)(?:bxti|bx|bi|b|r|ti|sl|ri)(?=\d)", re.IGNORECASE)


def voiced(page_edit: PageEdit, words: Sequence[Word]) -> list[Word]:
    """Sets words in another font if their own lacks a character, all of a change in the same."""
    lacking = {id(atom.voice): atom for word in words for atom in word.atoms if not atom.char.code}
    for atom in lacking.values():
        phrase = [word for word in words if any(own.voice is atom.voice for own in word.atoms)]
        if not _has(fallback.font(fallback.choose(atom.voice.font.style)), _letters(phrase)):
            phrase = [word for word in phrase if not all(own.char.code for own in word.atoms)]
        made = _in_one_face(page_edit, phrase, atom)
        by_word = {id(word): other for word, other in zip(phrase, made, strict=True)}
        words = [by_word.get(id(word), word) for word in words]
    for word in words:
        _note(page_edit, word)
    return list(words)


def _in_one_face(page_edit: PageEdit, phrase: Sequence[Word], lacking: Atom) -> list[Word]:
    """Sets the words of a change in one face that has all their characters."""
    text = _letters(phrase)
    own = lacking.voice.font
    face = _same_face(page_edit, own, lacking.voice.like.show.stream, text)
    if face is not None:
        return [in_voice(word, face[1], face[0]) for word in phrase]
    name = fallback.choose(own.style)
    twin, used = fallback.font(name), fallback.resource_name(name)
    scale = _scale(own, twin)
    made = [in_voice(word, twin, used, scale) for word in phrase]
    if not lacking.voice.font_name.startswith(fallback.PREFIX):  # else an earlier edit said so
        missing = "".join(dict.fromkeys(a.text for w in phrase for a in w.atoms if not a.char.code))
        words = " ".join(word.text for word in phrase)
        noun = "word" if len(phrase) == 1 else "words"
        verb = "is" if len(phrase) == 1 else "are"
        page_edit.warnings.append(
            f'The font {own.name or "of the text"} lacks "{missing}"; the {noun} "{words}" {verb} '
            f"set in {name}"
        )
    return made


def _scale(own: Font, other: Font) -> float:
    """Returns how much larger another font is set for its letters to look as large as its own.

    Fonts of one use have letters about as high as they are wide: the widths of the small letters
    that both hold say it, and are known of every font.
    """
    if own.name.startswith(fallback.PREFIX) or own.style.is_fixed:
        return 1.0
    pairs = [(own.encode(letter), other.encode(letter)) for letter in _SMALL]
    both = [(one.width, two.width) for one, two in pairs if one and two and one.width and two.width]
    if len(both) < _FEWEST:
        return 1.0
    scale = sum(one for one, _ in both) / sum(two for _, two in both)
    is_alike = abs(scale - 1) < _ALIKE
    return 1.0 if is_alike else min(_LARGEST, max(_SMALLEST, scale))


def _letters(words: Sequence[Word]) -> str:
    """Returns each character of words once."""
    return "".join(dict.fromkeys("".join(word.text for word in words)))


def _note(page_edit: PageEdit, word: Word) -> None:
    """Remembers which codes of fallback fonts are in use, so that they are embedded."""
    for atom in word.atoms:
        voice = atom.voice
        if voice.font_name.startswith(fallback.PREFIX) and atom.glyph is None:
            note(page_edit, voice, atom.char.code)


def note(page_edit: PageEdit, voice: Voice, code: bytes) -> None:
    """Remembers a code of a fallback font."""
    key = (voice.like.show.stream, voice.font.name)
    page_edit.fallbacks.setdefault(key, set()).add(code)


def _same_face(page_edit: PageEdit, font: Font, stream: int, text: str) -> tuple[str, Font] | None:
    """Finds the same face embedded a second time, with the characters that are needed.

    First on the page, then in the whole file; where even the twins at hand lack a character, any
    font of the file that has the same weight and slant.
    """
    for name, other in _fonts(page_edit, stream):
        if other is not font and _is_same(other, font) and _has(other, text):
            return name, other
    for holder in page_edit.shared.holders:
        other = page_edit.shared.font(holder)
        if other is not font and _is_same(other, font) and _has(other, text):
            return _borrowed(page_edit, stream, holder), other
    if _has(fallback.font(fallback.choose(font.style)), text):
        return None
    for holder in page_edit.shared.holders:
        other = page_edit.shared.font(holder)
        faces = (other.style.is_bold, other.style.is_italic)
        is_alike = faces == (font.style.is_bold, font.style.is_italic) and other.kind != "type3"
        if is_alike and _has(other, text):
            page_edit.warnings.append(
                f'The font {font.name or "of the text"} cannot draw "{text}"; it is set in '
                f"{other.name}"
            )
            return _borrowed(page_edit, stream, holder), other
    return None


def _is_same(other: Font, font: Font) -> bool:
    return font.name == other.name != "" and other.kind != "type3"


def _has(font: Font, text: str) -> bool:
    return all(font.encode(char) for char in text)


def _borrowed(page_edit: PageEdit, stream: int, holder: Any) -> str:
    """Names a font of another page in the resources of a stream."""
    name = f"Rbw{objects.identity(holder)[0]}"
    page_edit.borrowed[(stream, name)] = holder
    return name


def styled(page_edit: PageEdit, glyph: Glyph, look: Look, text: str) -> Voice:
    """Returns the voice of a glyph under a look.

    `text` is all that the face must be able to draw.
    """
    voice = voice_of(glyph)
    if look.fill:
        voice = replace(voice, fill=look.fill.encode("ascii"))
    style = voice.font.style
    wanted = Style(
        style.is_bold if look.bold is None else look.bold,
        style.is_italic if look.italic is None else look.italic,
        style.is_serif,
        style.is_fixed,
    )
    if (wanted.is_bold, wanted.is_italic) == (style.is_bold, style.is_italic):
        return voice
    face = _face(page_edit, voice.font, wanted, glyph.show.stream, text)
    if face is not None:
        return replace(voice, font=face[1], font_name=face[0])
    kind = " ".join(
        word for word, is_on in (("bold", wanted.is_bold), ("italic", wanted.is_italic)) if is_on
    )
    name = fallback.choose(wanted)
    used = fallback.resource_name(name), fallback.font(name)
    if not _draws(used[1], text):
        used = _any_face(page_edit, wanted, glyph.show.stream, text)
    if used is None:
        message = f'No {kind or "plain"} face at hand has the characters of "{text.strip()}"'
        raise RefusedError(message)
    warning = (
        f"The document has no {kind or 'plain'} face of {voice.font.name}; used {used[1].name}"
    )
    if warning not in page_edit.warnings:
        page_edit.warnings.append(warning)
    return replace(voice, font=used[1], font_name=used[0])


def _any_face(
    page_edit: PageEdit, wanted: Style, stream: int, text: str
) -> tuple[str, Font] | None:
    """Finds a font of the file with a weight and slant that has all characters."""
    for holder in page_edit.shared.holders:
        other = page_edit.shared.font(holder)
        faces = (other.style.is_bold, other.style.is_italic)
        is_alike = faces == (wanted.is_bold, wanted.is_italic) and other.kind != "type3"
        if is_alike and _draws(other, text):
            return _borrowed(page_edit, stream, holder), other
    return None


def _draws(font: Font, text: str) -> bool:
    """Whether a font has all characters of a text that are seen."""
    return all(char.isspace() or font.encode(char) for char in text)


def _face(
    page_edit: PageEdit, font: Font, wanted: Style, stream: int, text: str
) -> tuple[str, Font] | None:
    """Finds a face of the same family that has all characters: on the page, else in the file."""
    for name, other in _fonts(page_edit, stream):
        if _is_face(other, font, wanted, text):
            return name, other
    for holder in page_edit.shared.holders:
        other = page_edit.shared.font(holder)
        if _is_face(other, font, wanted, text):
            return _borrowed(page_edit, stream, holder), other
    return None


def _is_face(other: Font, font: Font, wanted: Style, text: str) -> bool:
    faces = (other.style.is_bold, other.style.is_italic)
    return (
        faces == (wanted.is_bold, wanted.is_italic)
        and _family(other.name) == _family(font.name) != ""
        and other.kind != "type3"
        and _draws(other, text)
    )


def _family(name: str) -> str:
    return _FACE.sub("", _MODERN.sub(r"\1", name)).lower()


def _fonts(page_edit: PageEdit, stream: int) -> Iterator[tuple[str, Font]]:
    """Yields the fonts that a stream can name."""
    resources: Any = page_edit.model.streams[stream].resources
    for key, holder in objects.items(objects.entry(resources, "/Font")):
        yield key.removeprefix("/"), page_edit.shared.font(holder)
