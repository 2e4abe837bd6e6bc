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
from redraft.engine.pdf.typeset.page_edit import Annotation, PageEdit


def link(
    document: Any, page_edits: Mapping[int, PageEdit], located: Located, linking: Linking
) -> None:
    """Puts a link on words, changes the link that lies on them, or takes it off.

    Raises:
        NotFoundError: there is no link to take off.
        RefusedError: the words cannot be followed.
    """
    glyphs = [
        annotation
        for annotation in located.glyphs[linking.start : linking.end]
        if annotation is not None
    ]
    wanted = {id(glyph) for glyph in glyphs}
    rows = [(row, [g for g in row.glyphs if id(g) in wanted]) for row in located.rows]
    rows = [(row, linked) for row, linked in rows if linked]
    if not rows:
        raise RefusedError("The words cannot be followed to their place on the page")
    annotations = {
        id(e): e for row, linked in rows for e in _over(page_edits[row.page], row, linked)
    }
    if not linking.url:
        if not annotations:
            message = "There is no link on these words"
            raise NotFoundError(message)
        for annotation in annotations.values():
            annotation.is_gone = True
        return
    for annotation in annotations.values():
        _point(annotation.holder, linking.url)
    for row, linked in rows:
        for run in _bare(row, linked, list(annotations.values())):
            page_edits[row.page].added.append(
                _made(document, page_edits[row.page], row, run, linking.url)
            )


def _over(page_edit: PageEdit, row: Row, glyphs: Sequence[Glyph]) -> list[Annotation]:
    """Finds the links that lie on glyphs of a row."""
    return [
        annotation
        for annotation in page_edit.annotations
        if annotation.kind == "Link"
        and not annotation.is_gone
        and any(_is_on(row, g, annotation) for g in glyphs)
    ]


def _bare(row: Row, glyphs: Sequence[Glyph], links: Sequence[Annotation]) -> Iterator[list[Glyph]]:
    """Yields the runs of glyphs on which no link lies, without the blanks at their ends."""
    run: list[Glyph] = []
    for glyph in (*glyphs, None):
        if glyph is not None and not any(_is_on(row, glyph, annotation) for annotation in links):
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
    """Writes a URI in seven bits (ISO 32000-2, 12.6.4.8)."""
    from urllib.parse import quote

    return quote(url, safe="%/:=&?~#+!$,;'@()*[]")


def _made(document: Any, page_edit: PageEdit, row: Row, glyphs: Sequence[Glyph], url: str) -> Any:
    import pikepdf

    frame = row.piece.frame
    left = min(start_of(frame, glyph) for glyph in glyphs)
    right = max(end_of(frame, glyph) for glyph in glyphs)
    host = max(glyphs, key=lambda glyph: glyph.size)
    v, size = frame.v(host.x, host.y), host.size
    box = frame.upright(Box(left, v - DROP * size, right, v + RISE * size))
    corners = [round(side, 3) for side in (box.x0, box.y0, box.x1, box.y1)]
    made: Any = pikepdf.Dictionary(
        Type=pikepdf.Name.Annot,
        Subtype=pikepdf.Name.Link,
        Rect=pikepdf.Array(corners),
        Border=pikepdf.Array([0, 0, 0]),
        F=4,
        A=_action(url),
        P=page_edit.page,
    )
    return document.make_indirect(made)


def store(page_edit: PageEdit) -> None:
    """Writes the list of a page's annotations anew, without those that are gone, with new ones."""
    import pikepdf

    gone = [annotation.holder for annotation in page_edit.annotations if annotation.is_gone]
    if not gone and not page_edit.added:
        return
    remaining = [
        annotation
        for annotation in objects.elements(page_edit.page.get("/Annots"))
        if not any(annotation == other for other in gone)
    ]
    page_edit.page[pikepdf.Name.Annots] = pikepdf.Array([*remaining, *page_edit.added])
