"""Links over quoted words: link annotations, one a line (ISO 32000-2, 12.5.6.5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from redraft.engine.errors import NotFoundError, RefusedError
from redraft.engine.pdf.glyphs.glyphs import Glyph
from redraft.engine.pdf.glyphs.lines import end_of, start_of
from redraft.engine.pdf.glyphs.mapping import Located, Row
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.resolved_edits import Linking
from redraft.engine.pdf.stream import objects
from redraft.engine.pdf.typeset.columns import DROP, RISE
from redraft.engine.pdf.typeset.page_edit import Annotation, Sheet


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
    for each in found.values():
        _point(each.holder, linking.url)
    for row, held in rows:
        for run in _bare(row, held, list(found.values())):
            sheets[row.page].added.append(_made(document, sheets[row.page], row, run, linking.url))


def _over(sheet: Sheet, row: Row, glyphs: Sequence[Glyph]) -> list[Annotation]:
    """Find the links that lie on glyphs of a row."""
    return [
        each
        for each in sheet.annotations
        if each.kind == "Link" and not each.is_gone and any(_is_on(row, g, each) for g in glyphs)
    ]


def _bare(row: Row, glyphs: Sequence[Glyph], links: Sequence[Annotation]) -> Iterator[list[Glyph]]:
    """Give the runs of glyphs on which no link lies, without the blanks at their ends."""
    run: list[Glyph] = []
    for glyph in (*glyphs, None):
        if glyph is not None and not any(_is_on(row, glyph, each) for each in links):
            run.append(glyph)
            continue
        while run and run[-1].is_blank:
            run.pop()
        while run and run[0].is_blank:
            run.pop(0)
        if run:
            yield run
        run = []


def _is_on(row: Row, glyph: Glyph, link: Annotation) -> bool:
    frame = row.piece.frame
    box = frame.turned(link.box)
    middle = (start_of(frame, glyph) + end_of(frame, glyph)) / 2
    height = frame.v(glyph.x, glyph.y) + 0.3 * glyph.size
    return box.x0 <= middle <= box.x1 and box.y0 <= height <= box.y1


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
    host = max(glyphs, key=lambda glyph: glyph.size)
    v, size = frame.v(host.x, host.y), host.size
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
