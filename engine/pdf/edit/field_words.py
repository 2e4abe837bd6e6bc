"""Words that a form field shows: to change them is to fill the field (ISO 32000-2, 12.7).

A field draws its value over the page; no operator of the page draws it. What is drawn by the page
is never taken for a field's, even where a field has the same value.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from redraft.engine.pdf.form_fields import Field, fields
from redraft.engine.pdf.glyphs.edited_words import Change
from redraft.engine.pdf.glyphs.mapping import Finder
from redraft.engine.pdf.glyphs.shared_resources import shared_resources_of
from redraft.engine.pdf.glyphs.target_blocks import Target
from redraft.engine.pdf.resolved_edits import Edits, changed
from redraft.engine.pdf.stream import objects
from redraft.engine.pdf.typeset.page_edit import open_page


def as_fields(data: bytes, edits: Edits, known: Sequence[Target]) -> None:
    """Turns changes of words that form fields show into new values of these fields.

    Args:
        data: the PDF.
        edits: They are changed in place. A change that is not within one field stays.
        known: the blocks.
    """
    form = fields(data) if edits.changes else {}
    if not form:
        return
    targets = {
        candidate.anchor: candidate for candidate in known if candidate.anchor in edits.changes
    }
    wanted = {
        anchor: list(_wanted(target, edits.changes[anchor], form.values()))
        for anchor, target in targets.items()
    }
    pages = {targets[anchor].page for anchor, filled in wanted.items() if filled}
    drawn = _drawn(data, known, pages) if pages else set[str]()
    values: dict[str, list[Change]] = {}
    for anchor, filled in wanted.items():
        if len(filled) == len(edits.changes[anchor]) and anchor not in drawn:
            del edits.changes[anchor]
            for name, change in filled:
                values.setdefault(name, []).append(change)
    for name, changes in values.items():
        if name not in edits.fields:
            edits.fields[name] = changed(form[name].value, changes)


@dataclass(frozen=True, slots=True)
class _Words:
    """A value with single blanks between its words; `places` are its characters in the value."""

    text: str
    places: tuple[int, ...]

    @classmethod
    def of(cls, value: str) -> _Words:
        """Takes the blanks of a value together."""
        text: list[str] = []
        places: list[int] = []
        for match in re.finditer(r"\S+", value):
            if text:
                text.append(" ")
                places.append(places[-1] + 1)
            text.append(match[0])
            places += range(match.start(), match.end())
        return cls("".join(text), tuple(places))

    def change(self, start: int, end: int, text: str) -> Change:
        """Says a change of the text as one of the value."""
        ends = (*self.places, self.places[-1] + 1)
        return Change(ends[start], ends[end - 1] + 1 if end > start else ends[start], text)


def _wanted(
    target: Target, changes: Sequence[Change], form: Collection[Field]
) -> Iterator[tuple[str, Change]]:
    """Yields the changes of a block within what one field shows, as changes of its value."""
    shown = [
        (shown_field, _Words.of(shown_field.value))
        for shown_field in form
        if shown_field.page == target.page
    ]
    for change in changes:
        inside = [
            (field.name, words.change(change.start - start, change.end - start, change.text))
            for field, words in shown
            for start in _starts(target.text, words.text)
            if start <= change.start and change.end <= start + len(words.text)
        ]
        if len(inside) == 1:
            yield inside[0]


def _starts(text: str, value: str) -> Iterator[int]:
    """Yields where the words of a value begin in a block's text; before it where they go on."""
    if not value:
        return
    inner, outer = (text, value) if len(text) <= len(value) else (value, text)
    for match in re.finditer(rf"(?<!\S){re.escape(inner)}(?!\S)", outer):
        yield match.start() if outer is text else -match.start()


def _drawn(data: bytes, known: Sequence[Target], pages: set[int]) -> set[str]:
    """Returns the blocks that the operators of pages draw."""
    with objects.opened(data) as document:
        resources = shared_resources_of(document)
        finder = Finder()
        for page in sorted(pages):
            read = open_page(document, page, resources)
            finder.add(page, read.pieces, read.model.view)
        return set(finder.find(target for target in known if target.page in pages))
