"""What a model has to know of looks and computed lists: said only where an instruction needs it.

A look is size, font, colour and highlight as they come out of styles and defaults (ECMA-376 Part 1,
17.7.2); bold and italic stand in the text of a view. The commonest look of the document is named
once, and of a block only what differs from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, TypeAlias

from redraft.engine.docx.anchors import Place
from redraft.engine.docx.editing.anchored_elements import Finder, OperationError
from redraft.engine.docx.editing.document_index import Survey
from redraft.engine.docx.formatting.style_cascade import Cascade
from redraft.engine.docx.names import (
    W_INSTR_TEXT,
    W_RPR,
    W_SDT,
    W_T,
    W_TAB,
    W_VAL,
    Element,
    W,
)
from redraft.engine.docx.property_values import number
from redraft.engine.docx.reading.controls import control_properties
from redraft.engine.docx.redline.line import Unit
from redraft.engine.model import Document, Table

Look: TypeAlias = tuple[str, ...]

_SIZE, _FONTS, _COLOUR, _HIGHLIGHT = W("sz"), W("rFonts"), W("color"), W("highlight")
_DEFAULT_SIZE: Final = "10pt"
_QUOTED_LETTERS, _MOST_SPANS = 40, 6
_HEADER_SIGNS: Final = str.maketrans('[]"\u27e6\u27e7\n\r\t', "()'()   ")
_SHOWN_ENTRIES = 3


def looks(finder: Finder, document: Document) -> Mapping[str, str]:
    """Returns anchor -> how a block looks where it differs, and under "" the commonest look.

    Args:
        finder: Of the package.
        document: Its final view.
    """
    cascade = Cascade(finder.survey.package)
    spans = {
        place.anchor: _spans(finder.survey, cascade, place) for place in _lines(finder, document)
    }
    letters: Counter[Look] = Counter()
    for of_block in spans.values():
        for text, look in of_block:
            letters[look] += len(text)
    if not letters:
        return {}
    usual = letters.most_common(1)[0][0]
    said = {anchor: _said(of_block, usual) for anchor, of_block in spans.items()}
    usual_words = " ".join(word for word in usual if word)
    return {"": f"# looks where nothing else is said: {usual_words}"} | {
        anchor: words for anchor, words in said.items() if words
    }


def _lines(finder: Finder, document: Document) -> Iterator[Place]:
    for story in document.stories:
        stack = list(reversed(story.blocks)) if story.kind != "comment" else []
        while stack:
            block = stack.pop()
            if isinstance(block, Table):
                cells = (cell for row in block.rows for cell in row.cells if not cell.continues)
                stack += reversed([inner for cell in cells for inner in cell.blocks])
                continue
            try:
                yield finder.paragraph(block.anchor)
            except OperationError:
                continue


def _spans(survey: Survey, cascade: Cascade, place: Place) -> list[tuple[str, Look]]:
    """Returns the stretches of a paragraph of one look; blanks look like what is before them."""
    known: dict[Element | None, Look] = {}
    spans: list[tuple[str, Look]] = []
    for unit in survey.line(place).units:
        if not unit.is_visible:
            continue
        if unit.run not in known:
            known[unit.run] = _look(unit, cascade, place.element)
        look = spans[-1][1] if spans and unit.text.isspace() else known[unit.run]
        spans.append((unit.text, look))
    return [
        ("".join(text for text, _ in group), look)
        for look, group in groupby(spans, key=lambda span: span[1])
    ]


def _look(unit: Unit, cascade: Cascade, paragraph: Element) -> Look:
    direct = None if unit.run is None else unit.run.find(W_RPR)
    if direct is None:
        direct = paragraph.makeelement(W_RPR)

    def first(tag: str, attribute: str = W_VAL) -> str:
        given = (one.get(attribute) for one in cascade.specified(tag, direct, paragraph))
        return next((one for one in given if one), "")

    half_points = number(first(_SIZE))
    size = _DEFAULT_SIZE if half_points is None else f"{half_points / 2:g}pt"
    theme = first(_FONTS, W("asciiTheme"))
    font = first(_FONTS, W("ascii")) or (cascade.font(theme) if theme else "")
    colour, highlight = first(_COLOUR), first(_HIGHLIGHT)
    return (
        size,
        font,
        f"color {colour}" if colour and colour != "auto" else "",
        f"highlight {highlight}" if highlight and highlight != "none" else "",
    )


def _said(spans: Sequence[tuple[str, Look]], usual: Look) -> str:
    """Returns what is said of a block: one look, or quoted words and how they look."""
    if len(spans) == 1:
        return _difference(spans[0][1], usual)
    told = [
        f'"{text.strip()[:_QUOTED_LETTERS].translate(_HEADER_SIGNS)}" {words}'
        for text, look in spans
        if text.strip() and (words := _difference(look, usual))
    ]
    return "; ".join(told[:_MOST_SPANS])


def _difference(look: Look, usual: Look) -> str:
    names = ("", "", "color auto", "highlight none")
    words = [
        (own or name).translate(_HEADER_SIGNS)
        for own, other, name in zip(look, usual, names, strict=True)
        if own != other
    ]
    return " ".join(word for word in words if word)


def contents(survey: Survey) -> str:
    """Returns a line on the tables of contents, which a view leaves out; empty without any.

    They are computed from the headings (17.16.5.68, TOC), so their words are not edited.
    """
    told: list[str] = []
    entries: list[tuple[str, str]] = []
    for place in (*survey.paragraphs("body"), None):
        if place is not None and _is_computed(survey, place):
            entries.append((place.anchor, _words(place.element)))
            continue
        written = [text for _, text in entries if text]
        if written:
            shown = " · ".join(written[:_SHOWN_ENTRIES])
            more = f" · … {len(written)} entries" if len(written) > _SHOWN_ENTRIES else ""
            told.append(f"{entries[0][0]}-{entries[-1][0]} {shown}{more}")
        entries = []
    if not told:
        return ""
    return f"# table of contents, computed from the headings: {'; '.join(told)}"


def _is_computed(survey: Survey, place: Place) -> bool:
    if any(frame.instruction.strip().upper().startswith("TOC") for frame in survey.opened(place)):
        # The paragraph in which it ends may have words of its own behind it.
        return all(unit.lock for unit in survey.line(place).units if unit.is_visible)
    begun = "".join(node.text or "" for node in place.element.iter(W_INSTR_TEXT))
    if begun.strip().upper().startswith("TOC"):
        return True
    return any(
        control_properties(control).is_contents for control in place.element.iterancestors(W_SDT)
    )


def _words(paragraph: Element) -> str:
    signs = (node.text or "" if node.tag == W_T else "⇥" for node in paragraph.iter(W_T, W_TAB))
    return " ".join("".join(signs).split()).strip("⇥")
