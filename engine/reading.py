"""A file as a tree, whatever kind it is: for who only reads, and loads nothing that edits."""

from __future__ import annotations

from redraft.engine import formats
from redraft.engine.errors import UnreadableError
from redraft.engine.model import Document, View

_UNSUPPORTED = "Unsupported document format"


def document_of(data: bytes, view: View) -> Document:
    """Reads a .docx, or a PDF, which reads the same in every view.

    Raises:
        UnreadableError: nothing in it can be read as text.
    """
    if formats.is_pdf(data):
        from redraft.engine.pdf import reader as pdf_reader
        from redraft.engine.pdf.comments import with_comments

        return with_comments(pdf_reader.read(data), data)
    from redraft.engine.docx.opc.package import Package
    from redraft.engine.docx.reading import reader

    package = Package.open(data)
    if package.main not in package.names():
        raise UnreadableError(_UNSUPPORTED)
    return reader.read(package, view)
