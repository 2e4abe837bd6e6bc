"""Notes of a PDF as the judge sees them, read by pikepdf from the dictionaries of annotations.

It shares no code with what lists or writes notes (ISO 32000-2, 12.5.6.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from redraft.engine.judge.conversations import Remark
from redraft.engine.pdf.stream import objects

_KINDS: Final = ("Text", "FreeText", "Highlight", "Underline", "Squiggly")


@dataclass(frozen=True, slots=True)
class NoteRemark:
    """A note: `answers` is the name of what it answers, `place` where it stands on which page."""

    author: str
    text: str
    answers: str
    is_done: bool
    place: str

    def numbered(self, names: Mapping[str, int]) -> Remark:
        """Returns it with what it answers by number."""
        answers = names.get(self.answers)
        return Remark(self.author, self.text, answers, self.is_done, self.place)


def remarks(data: bytes) -> Mapping[str, NoteRemark]:
    """Returns the notes page by page, by their `NM` or the number of their object."""
    with objects.opened(data) as document:
        return dict(
            pair
            for index, page in enumerate(document.pages)
            for pair in _of_page(objects.elements(page.obj.get("/Annots")), index)
        )


def _of_page(annotations: list[Any], page: int) -> Iterator[tuple[str, NoteRemark]]:
    names = {objects.identity(one): _name(one) for one in annotations}
    roots = {objects.identity(one): one for one in annotations}
    states: dict[str, str] = {}
    for one in annotations:
        state = _text(one, "/State")
        if state:
            host = one
            while _text(host, "/State"):
                host = roots.get(objects.identity(objects.entry(host, "/IRT")))
            states[_name(host)] = state
    for one in annotations:
        if not _is_note(one):
            continue
        name = _name(one)
        host = objects.entry(one, "/IRT")
        answers = "" if host is None else names.get(objects.identity(host), "")
        first = one
        while objects.entry(first, "/IRT") is not None:
            first = objects.entry(first, "/IRT")
        place = f"{page} {objects.numbers(objects.entry(first, '/Rect'))}"
        is_done = states.get(name) == "Completed"
        yield name, NoteRemark(_text(one, "/T"), _said(one), answers, is_done, place)


def _is_note(one: Any) -> bool:
    return (
        objects.name(objects.entry(one, "/Subtype")) in _KINDS
        and bool(_said(one))
        and not _text(one, "/Subj").startswith("Changed")
        and not _text(one, "/State")
        and objects.name(objects.entry(one, "/RT")) != "Group"
    )


def _name(one: Any) -> str:
    own = _text(one, "/NM")
    if own:
        return own
    said = [_text(one, key) for key in ("/T", "/Contents", "/CreationDate", "/M")]
    return sha256(repr((said, objects.name(objects.entry(one, "/Subtype")))).encode()).hexdigest()


def _said(one: Any) -> str:
    return _text(one, "/Contents").strip().replace("\r", "\n")


def _text(one: Any, key: str) -> str:
    value = objects.entry(one, key)
    return "" if value is None else str(value)
