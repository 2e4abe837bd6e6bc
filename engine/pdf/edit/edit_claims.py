"""What an edit says it did to each page, so that it can be held against that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from redraft.engine.pdf.edit.shift_column import unchanged
from redraft.engine.pdf.glyphs.mapping import Located
from redraft.engine.pdf.resolved_edits import Edits, changed
from redraft.engine.pdf.typeset.page_edit import Sheet
from redraft.engine.pdf.verify.verify import Claim


def claims_of(
    sheets: Mapping[int, Sheet], found: Mapping[str, Located], edits: Edits
) -> Iterator[Claim]:
    """Say of each page that was edited what was done to it."""
    for index, each in sheets.items():
        kinds = [annotation.kind for annotation in each.annotations if annotation.is_gone]
        if not (each.patch.shows or kinds or each.added):
            continue
        passages = [
            passage
            for anchor, located in found.items()
            for passage in _passages(index, anchor, located, edits)
        ]
        added = "".join(spot.atom.text for chunk in each.patch.chunks for spot in chunk.spots)
        yield Claim(
            index,
            tuple(each.declared),
            tuple(each.fresh),
            "".join(glyph.text for glyph in _deleted(each)),
            added,
            tuple(passages),
            kinds.count("Link") - len(each.added),
            moved=tuple(unchanged(each)),
            marks_gone=tuple(kind for kind in kinds if kind != "Link"),
        )


def _passages(index: int, anchor: str, located: Located, edits: Edits) -> Iterator[tuple[str, str]]:
    """Give the old and the new text of a block on a page; nothing where it goes over pages."""
    pages = {row.page for row in located.rows}
    for insertion in edits.inserted:
        if insertion.anchor == anchor and located.rows[-1].page == index:
            yield from (("", text) for text in insertion.text.split("\n"))
    if pages != {index}:
        return
    if anchor in edits.deleted:
        yield located.text, ""
    elif anchor in edits.changes:
        yield located.text, changed(located.text, edits.changes[anchor])


def _deleted(held: Sheet) -> list[Any]:
    return [glyph for glyph in held.model.glyphs() if id(glyph) in held.patch.deleted]
