"""True redaction: a text is taken out of the whole file, and black boxes stand where it was.

Nothing of it is left to be recovered: the glyphs go from their streams, the words from everything
that is written beside them, and the file is written whole. What cannot be searched is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from redraft.engine.errors import NotFoundError, RefusedError, UnreadableError, VerificationError
from redraft.engine.pdf.glyphs.shared_resources import SharedResources
from redraft.engine.pdf.glyphs.target_blocks import NO_TEXT, Target, known_in
from redraft.engine.pdf.page_operations.checks import reading, require
from redraft.engine.pdf.page_operations.metadata_removal import leftovers, scrub
from redraft.engine.pdf.page_operations.redacted_text import Wanted
from redraft.engine.pdf.page_operations.stamping import append
from redraft.engine.pdf.page_operations.text_removal import Canvas, Eraser, canvases, hits
from redraft.engine.pdf.reading.layout import Box
from redraft.engine.pdf.stream import objects
from redraft.engine.pdf.stream.objects import saved
from redraft.engine.pdf.typeset.text_operators import number
from redraft.engine.pdf.verify.verify import Claim, verify
from redraft.engine.plan import Redact


def redact(data: bytes, operation: Redact) -> tuple[bytes, int, tuple[str, ...]]:
    """Takes a text out of a file; gives the file, in how many places it stood, and warnings.

    Raises:
        PlanError: the text is too short.
        NotFoundError: it stands nowhere.
        RefusedError: a scanned picture shows it, or an attached file holds it.
        VerificationError: it would still be found, or something else changed.
    """
    wanted = Wanted(operation)
    wanted.check()
    known = _known(data)
    by_page = _by_page(known)
    with objects.opened(data) as document:
        titles = _titles(document, wanted)
        every: list[Canvas] = []
        eraser = Eraser(document, wanted)
        count = 0
        for canvas in canvases(document, SharedResources(document=document)):
            hits_here = hits(canvas, by_page.get(canvas.index, ()), wanted)
            count += len({id(hit[0]) for hit in hits_here if hit})
            eraser.collect(canvas, hits_here)
            canvas.close()
            every.append(canvas)
        claims = _claims(every)
        eraser.write()
        for canvas in every:
            _blacken(document, canvas)
        written, warnings = scrub(document, wanted)
        if not count and not written:
            _explain(every, known, wanted)
        edited = saved(document)
    verify(data, edited, claims, titles)
    touched = {claim.index for claim in claims}
    same = {
        canvas_drawn.index for canvas_drawn in every if canvas_drawn.index is not None
    } - touched
    _check_gone(data, edited, wanted, frozenset(same))
    return edited, count + written, (*warnings, *_unsearched(every))


def _explain(every: Sequence[Canvas], known: Sequence[Target], wanted: Wanted) -> None:
    """Says why nothing was found.

    Raises:
        RefusedError: the text can be seen and not be followed.
        NotFoundError: it stands nowhere.
    """
    here = next((suspect for suspect in known if wanted.stands_in(suspect.text)), None)
    if here is not None:
        message = (
            f"The text on page {here.page + 1} is drawn in a way that cannot be followed character "
            "by character, so it cannot be redacted"
        )
        raise RefusedError(message)
    if not known and any(suspect.is_pictured for suspect in every):
        raise RefusedError(NO_TEXT)
    raise NotFoundError


def _known(data: bytes) -> list[Target]:
    try:
        return known_in(data)
    except UnreadableError:
        return []


def _by_page(known: Sequence[Target]) -> dict[int | None, list[Target]]:
    by_page: dict[int | None, list[Target]] = {}
    for target in known:
        by_page.setdefault(target.page, []).append(target)
    return by_page


def _titles(document: Any, wanted: Wanted) -> dict[str, str]:
    """Returns the new titles of entries of the outline."""
    titles: dict[str, str] = {}
    for entry in document.objects:
        title = objects.entry(entry, "/Title")
        if title is not None and objects.entry(entry, "/Parent") is not None:
            text = str(title)
            if wanted.stands_in(text):
                titles[" ".join(text.split())] = wanted.without(text)
    return titles


def _claims(every: Sequence[Canvas]) -> list[Claim]:
    """Says which pages look different, and where.

    Readers differ in whether they read hidden layers, fields, and what is spoken for glyphs.
    """
    others = [drawn for drawn in every if drawn.index is None and drawn.removed]
    changed = {objects.identity(drawn.holder) for drawn in others}
    apart = "".join(text for drawn in others for text in drawn.removed)
    claims: list[Claim] = []
    for canvas in every:
        if canvas.index is None:
            continue
        boxes = [*canvas.boxes, *_changed_annotations(canvas.holder, changed)]
        if boxes or canvas.removed:
            removed = "".join(canvas.removed) + apart
            claims.append(Claim(canvas.index, tuple(boxes), (), removed, "", (), is_at_most=True))
    return claims


def _changed_annotations(page: Any, changed: set[tuple[int, int]]) -> list[Box]:
    areas: list[Box] = []
    for annotation in objects.elements(objects.entry(page, "/Annots")):
        looks = [objects.entry(annotation, "/AP", key) for key in ("/N", "/D", "/R")]
        states = [value for look in looks for _, value in objects.items(look)]
        rect = objects.numbers(objects.entry(annotation, "/Rect"))
        if len(rect) == 4 and any(objects.identity(look) in changed for look in (*looks, *states)):
            x0, y0, x1, y1 = rect
            areas.append(Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)))
    return areas


def _blacken(document: Any, canvas: Canvas) -> None:
    """Draws black boxes over what was taken out."""
    if not canvas.boxes:
        return
    sides = b" ".join(
        b" ".join((*(number(v, 3) for v in (b.x0, b.y0, b.width, b.height)), b"re"))
        for b in canvas.boxes
    )
    drawing = b"/Artifact BMC q 0 g " + sides + b" f Q EMC\n"
    if canvas.index is None:
        canvas.holder.write(b"q\n" + objects.decoded(canvas.holder) + b"\nQ\n" + drawing)
    else:
        append(document, canvas.holder, drawing)


def _check_gone(before: bytes, after: bytes, wanted: Wanted, same: frozenset[int]) -> None:
    """Makes sure that nobody finds it any more: we, MuPDF, PDFium, nor who looks into the file.

    Pages that are the `same` byte for byte, where nothing was found, are left to the others.

    Raises:
        VerificationError: somebody does.
    """
    import pymupdf  # a quarter of a second, and only workers need it

    require(not after.startswith(before[:-16]), "the file would hold its old version")
    known = _by_page(_known(after))
    with objects.opened(after) as document:
        count = len(document.pages)
        for canvas in canvases(document, SharedResources(document=document), same):
            here = known.get(canvas.index, ())
            require(not hits(canvas, here, wanted), "the text is still drawn somewhere")
        remains = leftovers(document, wanted)
        require(not remains, f"the text still stands in the file ({', '.join(remains[:3])})")
    with reading(after) as second, pymupdf.open(stream=after, filetype="pdf") as opened:
        first: Any = opened
        for index in range(count):
            for judge, text in (
                ("MuPDF", str(first[index].get_text())),
                ("PDFium", second(index).replace("\r\n", "\n").replace("\ufffe", "-")),
            ):
                if wanted.stands_in(text):
                    message = f"{judge} still finds the text on page {index + 1}"
                    raise VerificationError(message)


def _unsearched(every: Sequence[Canvas]) -> list[str]:
    """Names the pages that cannot be searched: pictures of text, and fonts that name no letters."""
    pictured: list[str] = []
    unknown: list[str] = []
    for canvas in every:
        if canvas.index is None:
            continue
        if canvas.is_pictured:
            pictured.append(str(canvas.index + 1))
        if canvas.is_unknown:
            unknown.append(str(canvas.index + 1))
    warnings: list[str] = []
    if pictured:
        where = _pages(pictured)
        warnings.append(f"{where}: the words of scanned pictures were not searched; look at them")
    if unknown:
        where = _pages(unknown)
        warnings.append(f"{where}: some characters have no meaning in the file; look at them")
    return warnings


def _pages(numbers: Sequence[str]) -> str:
    return f"Page {numbers[0]}" if len(numbers) == 1 else f"Pages {', '.join(numbers)}"
