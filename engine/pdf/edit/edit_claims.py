"""What an edit says it did to each page, so that it can be held against that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from redraft.engine.pdf.edit.shift_column import unchanged
from redraft.engine.pdf.glyphs.mapping import Located
from redraft.engine.pdf.resolved_edits import Edits, changed
from redraft.engine.pdf.typeset.page_edit import PageEdit
from redraft.engine.pdf.verify.verify import Claim


def claims_of(
    page_edits: Mapping[int, PageEdit], blocks: Mapping[str, Located], edits: Edits
) -> Iterator[Claim]:
    """Says of each page that was edited what was done to it."""
    for index, page_edit in page_edits.items():
        kinds = [annotation.kind for annotation in page_edit.annotations if annotation.is_gone]
        if not (page_edit.patch.shows or kinds or page_edit.added):
            continue
        passages = [
            passage
            for anchor, located in blocks.items()
            for passage in _passages(index, anchor, located, edits)
        ]
        added = "".join(spot.atom.text for chunk in page_edit.patch.chunks for spot in chunk.spots)
        yield Claim(
            index,
            tuple(page_edit.declared),
            tuple(page_edit.fresh),
            "".join(glyph.text for glyph in _deleted(page_edit)),
            added,
            tuple(passages),
            kinds.count("Link") - len(page_edit.added),
            moved=tuple(unchanged(page_edit)),
            marks_gone=tuple(kind for kind in kinds if kind != "Link"),
        )


def _passages(index: int, anchor: str, located: Located, edits: Edits) -> Iterator[tuple[str, str]]:
    """Yields the old and the new text of a block on a page; nothing where it goes over pages."""
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


def _deleted(page_edit: PageEdit) -> list[Any]:
    return [glyph for glyph in page_edit.model.glyphs() if id(glyph) in page_edit.patch.deleted]
