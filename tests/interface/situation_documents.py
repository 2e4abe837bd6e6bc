"""Small real documents, made by python-docx or by hand."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

import docx
from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn

HYPERLINK = RELATIONSHIP_TYPE.HYPERLINK
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def word(*paragraphs: str) -> bytes:
    """A .docx with these paragraphs."""
    document = docx.Document()
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    return _saved(document)


def rich_word() -> bytes:
    """A .docx with a heading, both kinds of list, a table, emphasis and a link."""
    document = docx.Document()
    document.add_heading("Terms", level=1)
    document.add_heading("Payment", level=2)
    paragraph = document.add_paragraph("Pay ")
    paragraph.add_run("promptly").bold = True
    paragraph.add_run(" and ")
    paragraph.add_run("in full").italic = True
    address = document.part.relate_to("https://example.com/fees", HYPERLINK, is_external=True)
    link = OxmlElement("w:hyperlink")
    link.set(qn("r:id"), address)
    link.append(document.add_paragraph().add_run("the fees")._r)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    document.paragraphs[-1]._p.append(link)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    document.add_paragraph("apples", style="List Bullet")
    document.add_paragraph("first", style="List Number")
    table = document.add_table(rows=2, cols=2)
    for row, cells in zip(table.rows, (("Item", "Fee"), ("Support", "1,200")), strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    return _saved(document)


def word_with_image(alt: str) -> bytes:
    """A .docx with one picture that has this alternative text."""
    document = docx.Document()
    document.add_paragraph("See the chart.")
    document.add_picture(io.BytesIO(_png()))
    saved = _saved(document)
    return _replaced(saved, b'name="Picture 1"', f'name="Picture 1" descr="{alt}"'.encode())


def protected(*paragraphs: str) -> bytes:
    """A .docx that allows tracked changes only."""
    guard = b'<w:documentProtection w:edit="trackedChanges" w:enforcement="1"/>'
    place = b"<w:defaultTabStop "
    return _replaced(word(*paragraphs), place, guard + place)


def padded(document: bytes, size: int) -> bytes:
    """The same .docx with a stored member that brings it to exactly this many bytes."""
    filler = size - len(document)
    for _ in range(4):
        made = _with_member(document, "docProps/filler.bin", bytes(max(0, filler)))
        if len(made) == size:
            return made
        filler += size - len(made)
    message = f"cannot be made {size} bytes long"
    raise AssertionError(message)


def member(document: bytes, name: str = "word/document.xml") -> str:
    """The text of a member of a .docx."""
    with zipfile.ZipFile(io.BytesIO(document)) as archive:
        return archive.read(name).decode()


def text_pdf(text: str) -> bytes:
    """A .pdf of one page with one line of text."""
    content = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    return _pdf(content)


def empty_pdf() -> bytes:
    """A .pdf of one page without any text."""
    return _pdf(b"0 0 10 10 re f")


def _pdf(content: bytes) -> bytes:
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out = bytearray(b"%PDF-1.7\n")
    offsets: list[int] = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in offsets)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        table,
    )
    return bytes(out)


def _png() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0\xff\0\0")
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )


def _saved(document: Document) -> bytes:
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def _replaced(document: bytes, old: bytes, new: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(document)) as source, zipfile.ZipFile(buffer, "w") as target:
        for entry in source.infolist():
            target.writestr(entry, source.read(entry).replace(old, new))
    return buffer.getvalue()


def _with_member(document: bytes, name: str, data: bytes) -> bytes:
    buffer = io.BytesIO(document)
    with zipfile.ZipFile(buffer, "a", zipfile.ZIP_STORED) as archive:
        archive.writestr(name, data)
    return buffer.getvalue()


def linked_word(address: str) -> bytes:
    """A .docx with every kind of relationship that points outside, all to one address."""
    document = word("The term is thirty days.")
    kinds = (
        "attachedTemplate",
        "image",
        "oleObject",
        "frame",
        "aFChunk",
        "subDocument",
        "hyperlink",
        "package",
        "video",
        "audio",
        "mailMergeSource",
        "control",
    )
    base = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    links = "".join(
        f'<Relationship Id="rIdOut{number}" Type="{base}/{kind}" '
        f'Target="{address}/{kind}" TargetMode="External"/>'
        for number, kind in enumerate(kinds)
    )
    return _replaced(document, b"</Relationships>", f"{links}</Relationships>".encode())
