"""The notes that people have put into a PDF, with answers and states (ISO 32000-2, 12.5.6.3).

[x] text notes, highlights and underlines with words, free text  [x] answers (`IRT`)
[x] review states: completed is resolved  [-] text edits and changed looks, which are changes
(`engine.pdf.tracked.read_annotations`)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from redraft.engine.inline_pieces import plain
from redraft.engine.model import (
    Comment,
    Document,
    Heading,
    ListItem,
    Paragraph,
    Quote,
    Story,
    Text,
)
from redraft.engine.pdf.mupdf import TEXT, Corners, RawBlock, failures, opened
from redraft.engine.pdf.tracked.write_annotations import CHANGED

_TEXT, _FREE_TEXT, _HIGHLIGHT, _UNDERLINE, _SQUIGGLY = 0, 2, 8, 9, 10
_KINDS: Final = (_TEXT, _FREE_TEXT, _HIGHLIGHT, _UNDERLINE, _SQUIGGLY)


def comments(data: bytes) -> tuple[Comment, ...]:
    """Lists the notes page by page; `p2.a3` is the third annotation of page 2."""
    listed: list[Comment] = []
    with opened(data) as document:
        anything: Any = document
        for index in range(document.page_count):
            try:
                listed += _of_page(anything, anything[index], index + 1)
            except failures():
                continue  # a damaged page has no notes that could be told
    return tuple(listed)


def with_comments(document: Document, data: bytes) -> Document:
    """Returns a tree with the notes as stories, each on the block that says its words.

    An answer hangs where the first note of its conversation does; one without words hangs on the
    first block of its page.
    """
    blocks = [
        (block.anchor, plain(block.content))
        for story in document.stories
        for block in story.blocks
        if isinstance(block, Paragraph | Heading | ListItem | Quote)
    ]
    listed = {one.id: one for one in comments(data)}
    notes = tuple(
        Story(
            "comment",
            one.id,
            (Paragraph(f"{one.id}.p1", (Text(one.text),)),),
            name=one.author,
            host=_block_of(_first(one, listed), blocks),
            date=one.date,
        )
        for one in listed.values()
    )
    return replace(document, stories=(*document.stories, *notes)) if notes else document


def _first(comment: Comment, listed: Mapping[str, Comment]) -> Comment:
    """Returns the comment that a conversation begins with."""
    for _ in listed:
        comment = listed.get(comment.parent, comment)
    return comment


def _block_of(comment: Comment, blocks: Sequence[tuple[str, str]]) -> str:
    page = comment.id.partition(".")[0]
    words = " ".join(comment.words.split())
    near = [(anchor, text) for anchor, text in blocks if anchor.startswith(f"{page}.")]
    hits = [anchor for anchor, text in near if words and words in " ".join(text.split())]
    return next(iter((*hits, *(anchor for anchor, _ in near))), "")


def _of_page(document: Any, page: Any, number: int) -> Iterator[Comment]:
    annotations = list(page.annots())
    names = {
        int(annotation.xref): f"p{number}.a{place}"
        for place, annotation in enumerate(annotations, start=1)
    }
    given = {int(one.xref): _key(document, one, "State") for one in annotations}
    hosts = {int(one.xref): _host(document, one) for one in annotations}
    states: dict[str, str] = {}
    for number, state in given.items():
        host = hosts[number]
        # A later state of the same author belongs to the one before.
        for _ in given:
            host = hosts[host] if given.get(host) else host
        if state and host in names:
            states[names[host]] = state
    for annotation in annotations:
        name, host = names[int(annotation.xref)], _host(document, annotation)
        info: dict[str, str] = annotation.info
        if (
            annotation.type[0] not in _KINDS
            or not info["content"].strip()
            or info["subject"].startswith(CHANGED)
            or _key(document, annotation, "State")
            or _key(document, annotation, "RT") == "Group"
        ):
            continue
        yield Comment(
            id=name,
            author=info["title"],
            date=_iso(info["modDate"] or info["creationDate"]),
            text=info["content"].strip(),
            on="",
            words=_words(page, annotation),
            resolved=states.get(name) == "Completed",
            parent=names.get(host, ""),
        )


def _words(page: Any, annotation: Any) -> str:
    """Returns the words under a highlight or underline; a note that only has a place has none."""
    corners = list(annotation.vertices or ())
    if annotation.type[0] not in (_HIGHLIGHT, _UNDERLINE, _SQUIGGLY) or len(corners) < 4:
        return ""
    lines = (_under(page, corners[at : at + 4]) for at in range(0, len(corners) - 3, 4))
    return " ".join(" ".join(lines).split())


def _under(page: Any, corners: Sequence[Any]) -> str:
    """Returns the characters whose middle lies under a mark."""
    import pymupdf

    area: Any = pymupdf.Quad(corners).rect
    blocks: list[RawBlock] = page.get_text("rawdict", clip=area, flags=TEXT)["blocks"]
    return "".join(
        char["c"]
        for block in blocks
        for line in block.get("lines", ())
        for span in line["spans"]
        for char in span.get("chars", ())
        if pymupdf.Point(_middle(char["bbox"])) in area
    )


def _middle(corners: Corners) -> tuple[float, float]:
    x0, y0, x1, y1 = corners
    return (x0 + x1) / 2, (y0 + y1) / 2


def _host(document: Any, annotation: Any) -> int:
    kind, value = document.xref_get_key(annotation.xref, "IRT")
    return int(value.split()[0]) if kind == "xref" else 0


def _key(document: Any, annotation: Any, name: str) -> str:
    kind, value = document.xref_get_key(annotation.xref, name)
    return "" if kind == "null" else str(value).strip("/()")


def _iso(written: str) -> str:
    """Returns a date of a PDF (ISO 32000-2, 7.9.4) in ISO 8601, without its zone but for UTC."""
    digits = written.removeprefix("D:")
    if len(digits) < 14 or not digits[:14].isdecimal():
        return ""
    parts = (digits[:4], digits[4:6], digits[6:8])
    zone = "Z" if digits[14:15] == "Z" or digits[14:].startswith("+00'00") else ""
    return f"{'-'.join(parts)}T{digits[8:10]}:{digits[10:12]}:{digits[12:14]}{zone}"
