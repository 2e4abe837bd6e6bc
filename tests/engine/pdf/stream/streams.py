"""Make PDFs out of content streams that are written down byte by byte."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from redraft.engine.pdf.glyphs.content_interpreter import interpret
from redraft.engine.pdf.glyphs.glyphs import PageModel
from redraft.engine.pdf.glyphs.shared_resources import shared_resources_of
from redraft.engine.pdf.stream import objects

FONTS = {"F1": "Helvetica", "F2": "Times-Bold", "F3": "Courier"}


def pdf(*pages: bytes, forms: dict[str, bytes] | None = None, links: tuple[Any, ...] = ()) -> bytes:
    """Make a PDF of 300 x 300 points; every page has the fonts of `FONTS` and the given forms."""
    import pikepdf

    document: Any = pikepdf.new()
    fonts = {
        f"/{key}": document.make_indirect(
            pikepdf.Dictionary(
                Type=pikepdf.Name.Font,
                Subtype=pikepdf.Name.Type1,
                BaseFont=pikepdf.Name(f"/{name}"),
                Encoding=pikepdf.Name.WinAnsiEncoding,
            )
        )
        for key, name in FONTS.items()
    }
    resources: Any = pikepdf.Dictionary(Font=pikepdf.Dictionary(fonts))
    drawn = {f"/{name}": _form(document, data, fonts) for name, data in (forms or {}).items()}
    if drawn:
        resources[pikepdf.Name.XObject] = pikepdf.Dictionary(drawn)
    for stream in pages:
        page = pikepdf.Dictionary(
            Type=pikepdf.Name.Page,
            MediaBox=[0, 0, 300, 300],
            Resources=resources,
            Contents=document.make_stream(stream),
        )
        document.pages.append(pikepdf.Page(document.make_indirect(page)))
    if links:
        annotations = [document.make_indirect(_link(box)) for box in links]
        document.pages[0].obj[pikepdf.Name.Annots] = pikepdf.Array(annotations)
    out = BytesIO()
    document.save(out)
    return out.getvalue()


def _form(document: Any, data: bytes, fonts: Any) -> Any:
    import pikepdf

    form: Any = document.make_stream(data)
    form[pikepdf.Name.Subtype] = pikepdf.Name.Form
    form[pikepdf.Name.BBox] = pikepdf.Array([0, 0, 300, 300])
    form[pikepdf.Name.Resources] = pikepdf.Dictionary(Font=pikepdf.Dictionary(fonts))
    return form


def _link(box: Any) -> Any:
    import pikepdf

    action = pikepdf.Dictionary(S=pikepdf.Name.URI, URI=pikepdf.String("https://example.org"))
    return pikepdf.Dictionary(
        Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Link, Rect=pikepdf.Array(box), A=action
    )


def model(data: bytes, page: int = 0) -> PageModel:
    """Read the glyphs of a page (0-based)."""
    with objects.opened(data) as document:
        return interpret(document.pages[page].obj, shared_resources_of(document))


def content(data: bytes, page: int = 0) -> bytes:
    """Give the decoded content of a page."""
    with objects.opened(data) as document:
        return objects.decoded(document.pages[page].obj.Contents)
