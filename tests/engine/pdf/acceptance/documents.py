"""What the acceptance cases ask of a PDF before and after an edit."""

from __future__ import annotations

from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import Any

from redraft.engine.pdf.apply import apply
from redraft.engine.pdf.glyphs.glyphs import Glyph
from redraft.engine.pdf.glyphs.target_blocks import Target, known_in
from redraft.engine.pdf.tracked import redline
from redraft.engine.plan import (
    EditPlan,
    Operation,
    ReplaceText,
)
from redraft.engine.report import EditReport, Signature
from tests.engine.pdf import judges
from tests.engine.pdf.judges import sound
from tests.engine.pdf.stream.streams import model, pdf

BY_ANN = Signature("u1", "Ann Lee", "2026-11-21T06:30:00Z", tracked=True)

MULTI, TWO_COLUMNS = "docling__multi_page.pdf", "pdfminer__naacl06-shinyama.pdf"

WIKIPEDIA = "pdfjs__pdfjs_wikipedia.pdf"


def held(corpus: Path, name: str) -> bytes:
    return (corpus / "pdf" / name).read_bytes()


def edited(data: bytes, *operations: Operation) -> tuple[bytes, EditReport]:
    return apply(data, EditPlan("edit", "asked", operations), BY_ANN)


def tracked(data: bytes, *operations: Operation) -> bytes:
    """Make an edit as a tracked one and give the upload with its annotations."""
    plan = EditPlan("edit", "asked", operations)
    working, report = redline.edit(data, data, b"", plan, BY_ANN)
    return redline.annotated(data, working, report.state)


def block(data: bytes, words: str) -> Target:
    return next(target for target in known_in(data) if words in target.text)


def texts(data: bytes) -> list[str]:
    return [target.text for target in known_in(data)]


def replaced(data: bytes, words: str, old: str, new: str) -> tuple[bytes, EditReport, str]:
    """Replace the first `old` in the block with `words`; gives the block's text afterwards."""
    target = block(data, words)
    after, report = edited(data, ReplaceText(target.anchor, old, new, 1))
    sound(data, after, pages=(target.page,))
    return after, report, target.text.replace(old, new, 1)


def beside(before: bytes, after: bytes, page: int = 0) -> tuple[int, int]:
    """Count the pixels that differ beside the lines that say something else, and by how much."""
    return judges.differences(before, after, page, judges.changed_lines(before, after, page))


def rows(glyphs: list[Glyph]) -> dict[float, list[Glyph]]:
    found: dict[float, list[Glyph]] = {}
    for glyph in glyphs:
        found.setdefault(round(glyph.y, 1), []).append(glyph)
    return {y: sorted(found[y], key=lambda g: g.x) for y in sorted(found, reverse=True)}


def lines(data: bytes, page: int = 0) -> list[str]:
    return ["".join(g.text for g in row) for row in rows(list(model(data, page).glyphs())).values()]


def stripped(data: bytes, page: int = 0) -> list[str]:
    """Give the lines without the blanks at their ends, which are seen by nobody."""
    return [line.strip() for line in lines(data, page)]


def places(data: bytes, page: int = 0) -> Counter[tuple[str, float, float]]:
    return Counter((g.text, round(g.x, 2), round(g.y, 2)) for g in model(data, page).glyphs())


def all_bytes(data: bytes) -> bytes:
    """Everything that is written in a file: its strings and its decoded streams."""
    import pikepdf

    with pikepdf.open(BytesIO(data)) as document:
        every: list[Any] = list(document.objects)
        found = [each for each in every if each is not None]
        streams = [bytes(e.read_bytes()) for e in found if isinstance(e, pikepdf.Stream)]
        written = [e.unparse() for e in found]
    return b"\n".join((data, *streams, *written))


def maps_of(data: bytes) -> dict[str, bytes]:
    """Give the character maps of the composite fonts of a file by their names."""
    import pikepdf

    with pikepdf.open(BytesIO(data)) as document:
        held: list[Any] = list(document.objects)
        return {
            str(each.BaseFont): bytes(each.ToUnicode.read_bytes())
            for each in held
            if isinstance(each, pikepdf.Dictionary) and "/DescendantFonts" in each
        }


def marked(data: bytes, page: int = 0) -> list[dict[str, str]]:
    """Give the annotations of a page as they are stored."""
    import pikepdf

    keys = ("Subtype", "IT", "RT", "T", "Contents")
    with pikepdf.open(BytesIO(data)) as document:
        held: Any = document.pages[page].obj.get("/Annots") or ()
        found: list[dict[str, str]] = []
        for each in held:
            said = {key: str(each.get(f"/{key}", "")).removeprefix("/") for key in keys}
            said["id"] = str(each.objgen)
            said["IRT"] = str(each.IRT.objgen) if "/IRT" in each else ""
            found.append(said)
        return found


def links(data: bytes) -> list[tuple[str, tuple[float, ...]]]:
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as opened:
        document: Any = opened
        return [
            (str(each.get("uri")), tuple(round(v, 1) for v in each["from"]))
            for page in document
            for each in page.get_links()
        ]


LINE = pdf(b"BT /F1 10 Tf 20 250 Td (The quick brown fox jumps) Tj ET")


def steps(before: bytes, after: bytes, page: int, right: float) -> list[float]:
    """Say how far up each line left of a place has gone, from the top of the page down."""
    old, new = (
        Counter(text for text, box in judges.lines(each, page) if box[2] < right)
        for each in (before, after)
    )
    once = {text for text in old if text and old[text] == new[text] == 1}
    first, second = (
        {text: box[1] for text, box in judges.lines(each, page) if text in once}
        for each in (before, after)
    )
    return [round(first[text] - second[text], 1) for text in sorted(once, key=lambda t: first[t])]


def with_field(data: bytes, **entries: Any) -> bytes:
    import pikepdf

    with pikepdf.open(BytesIO(data)) as document:
        field: Any = pikepdf.Dictionary(FT=pikepdf.Name.Sig, T=pikepdf.String("sig"), **entries)
        document.Root.AcroForm = pikepdf.Dictionary(
            Fields=pikepdf.Array([document.make_indirect(field)]), SigFlags=1
        )
        out = BytesIO()
        document.save(out)
        return out.getvalue()
