"""Every PDF of the corpus is read, and every broken one gets a clear answer."""

from __future__ import annotations

import csv
import json
import re
import unicodedata
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import cast

import pytest

from redraft.engine.errors import CorruptDocumentError, ProtectedFileError, UnreadableError
from redraft.engine.model import Document
from redraft.engine.pdf.page_layouts import load
from redraft.engine.pdf.reader import check, images, read
from redraft.engine.pdf.reading.furniture import without_furniture
from redraft.engine.pdf.reading.layout import Page

pytestmark = pytest.mark.corpus

# What the manifest of the broken files expects, in the engine's words; the others open.
REFUSED = {
    "generated__pdf-page-tree-loop.pdf": CorruptDocumentError,
    "generated__text-file.pdf": CorruptDocumentError,
    "opf__T02-01_001_document-catalog-No-document-catalog.pdf": CorruptDocumentError,
    "opf__encryption_openpassword.pdf": ProtectedFileError,
    "pdfjs__bug1020226.pdf": CorruptDocumentError,
    "pdfjs__poppler-742-0-fuzzed.pdf": CorruptDocumentError,
    "pdfminer__aes-256-r6.pdf": ProtectedFileError,
    "pdfplumber__empty.pdf": CorruptDocumentError,
    "tika__testPDF_malformedXFA.pdf": UnreadableError,
}
SCANNED = {"docling__ocr_test.pdf", "docling__ocr_test_rotated_90.pdf"}


def letters(text: str) -> Counter[str]:
    return Counter(re.sub(r"[\W\d_]+", "", unicodedata.normalize("NFKC", text)))


def strings(value: object) -> list[str]:
    """Collect text, code and labels of the printed tree."""
    if isinstance(value, dict):
        entries = cast("dict[str, object]", value).items()
        return [s for k, v in entries for s in ([str(v)] if k in ("text", "label") else strings(v))]
    if isinstance(value, list | tuple):
        return [s for v in cast("list[object]", value) for s in strings(v)]
    return []


def said(document: Document) -> Counter[str]:
    stories = [story for story in document.stories if story.kind in ("body", "footnote")]
    blocks = [asdict(block) for story in stories for block in story.blocks]
    return letters(" ".join([*strings(blocks), *(story.label for story in stories)]))


def drawn(pages: tuple[Page, ...]) -> Counter[str]:
    return letters(" ".join(li.text for page in pages for g in page.groups for li in g.lines))


def files(folder: Path) -> list[Path]:
    found = sorted(folder.glob("*.pdf"))
    assert len(found) > 10
    return found


def test_every_pdf_is_read_or_said_to_have_no_text_layer(corpus: Path) -> None:
    for path in files(corpus / "pdf"):
        data = path.read_bytes()
        check(data)
        if path.name in SCANNED:
            with pytest.raises(UnreadableError):
                read(data)
            continue
        document = read(data)
        json.dumps(asdict(document), ensure_ascii=False).encode("utf-8")
        anchors = [block.anchor for block in document.body.blocks]
        assert len(set(anchors)) == len(anchors), path.name
        assert document.images == images(data)


def test_no_letters_are_lost_but_those_of_headers_and_footers(corpus: Path) -> None:
    import pymupdf

    for path in files(corpus / "pdf"):
        if path.name in SCANNED:
            continue
        pages = load(path.read_bytes()).pages
        with pymupdf.open(path) as opened:
            texts = [str(page.get_text("text")) for page in opened]  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        plain = letters("".join(texts))
        # The plain text gives no CID for what has no character.
        assert (plain - drawn(pages)).total() <= 0.02 * plain.total(), path.name
        held = drawn(without_furniture(pages).pages)
        # A bullet may be drawn as the letter o.
        missing = held - said(read(path.read_bytes()))
        assert missing.total() <= missing["o"], f"{path.name}: {missing}"


def test_every_broken_pdf_gets_a_clear_answer(corpus: Path) -> None:
    with (corpus / "bad" / "MANIFEST.csv").open(encoding="utf-8") as rows:
        names = [row["file"] for row in csv.DictReader(rows) if row["file"].endswith(".pdf")]
    assert REFUSED.keys() <= set(names)
    for name in names:
        data = (corpus / "bad" / name).read_bytes()
        expected = REFUSED.get(name)
        if expected is None:
            assert read(data).body.blocks, name
            continue
        with pytest.raises(expected) as caught:
            read(data)
        assert len(str(caught.value)) > 20, name
