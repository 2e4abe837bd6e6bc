"""Links over quoted words: link annotations, one a line (ISO 32000-2, 12.5.6.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import NotFoundError, RefusedError
from engine.pdf.content import objects
from engine.pdf.content.columns import DROP, RISE
from engine.pdf.content.edits import Linking
from engine.pdf.content.glyphs import Glyph
from engine.pdf.content.lines import end_of, start_of
from engine.pdf.content.mapping import Located, Row
from engine.pdf.content.sheets import Annotation, Sheet
from engine.pdf.layout import Box


def link(document: Any, sheets: Mapping[int, Sheet], located: Located, linking: Linking) -> None:
    """Put a link on words, change the link that lies on them, or take it off.

    Raises:
        NotFoundError: there is no link to take off.
        RefusedError: the words cannot be followed.
    """
    glyphs = [each for each in located.glyphs[linking.start : linking.end] if each is not None]
    wanted = {id(glyph) for glyph in glyphs}
    rows = [(row, [g for g in row.glyphs if id(g) in wanted]) for row in located.rows]
    rows = [(row, held) for row, held in rows if held]
    if not rows:
        raise RefusedError("The words cannot be followed to their place on the page")
    found = {id(e): e for row, held in rows for e in _over(sheets[row.page], row, held)}
    if not linking.url:
        if not found:
            message = "There is no link on these words"
            raise NotFoundError(message)
        for each in found.values():
            each.is_gone = True
        return
    if found:
        for each in found.values():
            _point(each.holder, linking.url)
        return
    for row, held in rows:
        sheets[row.page].added.append(_made(document, sheets[row.page], row, held, linking.url))


def _over(sheet: Sheet, row: Row, glyphs: Sequence[Glyph]) -> list[Annotation]:
    """Find the links that lie on glyphs of a row."""
    frame = row.piece.frame
    v = row.piece.v + 0.3 * row.piece.size
    found: list[Annotation] = []
    for each in sheet.annotations:
        box = frame.turned(each.box)
        if each.kind != "Link" or each.is_gone or not box.y0 <= v <= box.y1:
            continue
        middles = ((start_of(frame, g) + end_of(frame, g)) / 2 for g in glyphs)
        if any(box.x0 <= middle <= box.x1 for middle in middles):
            found.append(each)
    return found


def _point(holder: Any, url: str) -> None:
    import pikepdf

    for key in ("/Dest", "/PA"):
        if key in holder:
            del holder[key]
    holder[pikepdf.Name.A] = _action(url)


def _action(url: str) -> Any:
    import pikepdf

    return pikepdf.Dictionary(S=pikepdf.Name.URI, URI=pikepdf.String(seven_bit(url)))


def seven_bit(url: str) -> str:
    """Write a URI in seven bits (ISO 32000-2, 12.6.4.8)."""
    from urllib.parse import quote

    return quote(url, safe="%/:=&?~#+!$,;'@()*[]")


def _made(document: Any, sheet: Sheet, row: Row, glyphs: Sequence[Glyph], url: str) -> Any:
    import pikepdf

    frame = row.piece.frame
    left = min(start_of(frame, glyph) for glyph in glyphs)
    right = max(end_of(frame, glyph) for glyph in glyphs)
    v, size = row.piece.v, row.piece.size
    box = frame.upright(Box(left, v - DROP * size, right, v + RISE * size))
    corners = [round(each, 3) for each in (box.x0, box.y0, box.x1, box.y1)]
    made: Any = pikepdf.Dictionary(
        Type=pikepdf.Name.Annot,
        Subtype=pikepdf.Name.Link,
        Rect=pikepdf.Array(corners),
        Border=pikepdf.Array([0, 0, 0]),
        F=4,
        A=_action(url),
        P=sheet.page,
    )
    return document.make_indirect(made)


def store(sheet: Sheet) -> None:
    """Write the list of a page's annotations anew, without those that are gone, with new ones."""
    import pikepdf

    gone = [each.holder for each in sheet.annotations if each.is_gone]
    if not gone and not sheet.added:
        return
    kept = [
        each
        for each in objects.elements(sheet.page.get("/Annots"))
        if not any(each == other for other in gone)
    ]
    sheet.page[pikepdf.Name.Annots] = pikepdf.Array([*kept, *sheet.added])
