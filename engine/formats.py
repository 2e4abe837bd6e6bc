"""What a file is, decided by its content; its name may only agree.

[x] .docx (Transitional, Strict, a template's main part)  [x] .pdf
[-] .docm, .dotm, .dotx, .xlsx, .pptx, .odt, .doc, other zips: each refused with its own sentence
[-] encrypted: refused as protected  [-] two formats in one file: refused

The deeper checks belong to the readers: `engine.docx.opc.package` and `engine.pdf.reader`.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from redraft.engine.archive import MAGIC, Archive, ends_as_archive
from redraft.engine.errors import CorruptDocumentError, ProtectedFileError, UnsupportedFormatError
from redraft.engine.model import Format

MEDIA_TYPES: dict[Format, str] = {
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "pdf": "application/pdf",
}
NOT_SUPPORTED = "File type not supported. Please upload a .docx or .pdf file"

CONTENT_TYPES = "[Content_Types].xml"
DOCUMENT_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"

_PLEASE = "Please save it as .docx and upload that"
_MACROS = f"The file is a Word document with macros (.docm or .dotm). {_PLEASE}"
_PROTECTED = "The file is protected by a password. Please remove the password and upload it again"
_REFUSED_MAIN = (
    ("wordprocessingml.document.main", ""),
    ("wordprocessingml.template.main", ""),
    ("ms-word.document.macroenabled.main", _MACROS),
    ("ms-word.template.macroenabled", _MACROS),
    ("spreadsheetml", "The file is an Excel workbook, not a Word document"),
    ("ms-excel", "The file is an Excel workbook, not a Word document"),
    ("presentationml", "The file is a PowerPoint presentation, not a Word document"),
    ("ms-powerpoint", "The file is a PowerPoint presentation, not a Word document"),
    ("ms-visio", "The file is a Visio drawing, not a Word document"),
)
_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MAIN_TYPE = re.compile(r"ContentType\s*=\s*[\"']([^\"']*\bmain\+xml)[\"']", re.IGNORECASE)
_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{1,4}")


def detect(data: bytes, name: str) -> Format:
    """Returns what a file is.

    Args:
        data: The whole file.
        name: Its name; a suffix that claims another format is refused, a missing one is not.

    Raises:
        UnsupportedFormatError: with a sentence that says what it is; `is_other` when unknown.
        ProtectedFileError: a password is needed to open it.
        CorruptDocumentError: it begins as a .docx and is damaged.
    """
    detected = _by_content(data)
    suffix = PurePosixPath(name.replace("\\", "/")).suffix
    if suffix.lower() == ".dotx":
        message = f"The file is a Word template (.dotx). {_PLEASE}"
        raise UnsupportedFormatError(message)
    if _SUFFIX.fullmatch(suffix) and suffix.lower() != f".{detected}":
        message = f"The file's name ends in {suffix}, but it is a .{detected} file"
        raise UnsupportedFormatError(message)
    return detected


def is_pdf(data: bytes) -> bool:
    """Returns whether an accepted file is the PDF of the two kinds; it is not judged again."""
    return not data.startswith(MAGIC)


def refusal(content_type: str) -> UnsupportedFormatError | None:
    """Returns why to refuse a package by the content type of its main part; None for Word's own."""
    lowered = content_type.lower()
    for fragment, message in _REFUSED_MAIN:
        if fragment in lowered:
            return UnsupportedFormatError(message) if message else None
    return UnsupportedFormatError("The file is an Office package without a Word document in it")


def _by_content(data: bytes) -> Format:
    is_pdf = b"%PDF-" in data[:1024]
    if data.startswith(MAGIC):
        if is_pdf:
            message = "The file is a .docx and a PDF at the same time. Please upload one of them"
            raise UnsupportedFormatError(message)
        return _inside_archive(Archive.open(data))
    if is_pdf:
        if ends_as_archive(data):
            message = (
                "The file is a PDF and a zip archive at the same time. Please upload one of them"
            )
            raise UnsupportedFormatError(message)
        return "pdf"
    if data.startswith(_OLE_MAGIC):
        raise _compound_file(data)
    if data.startswith(b"PK\x05\x06"):
        message = "The file is an empty zip archive, not a Word document"
        raise UnsupportedFormatError(message)
    if not data:
        message = "The file is empty. Please upload a .docx or .pdf file"
        raise UnsupportedFormatError(message)
    raise UnsupportedFormatError(NOT_SUPPORTED, is_other=True)


def _inside_archive(archive: Archive) -> Format:
    """Returns which Office package, or other archive, a zip file is."""
    if CONTENT_TYPES not in archive:
        if "mimetype" in archive and b"opendocument" in archive.read("mimetype"):
            message = f"The file is an OpenDocument file. {_PLEASE}"
            raise UnsupportedFormatError(message)
        message = "The file is a zip archive, not a Word document"
        raise UnsupportedFormatError(message)
    listed = archive.read(CONTENT_TYPES)
    encoding = "utf-16" if listed[:2] in (b"\xff\xfe", b"\xfe\xff") else "latin-1"
    text = listed.decode(encoding, errors="replace")
    reasons = [refusal(content_type) for content_type in _MAIN_TYPE.findall(text)]
    if not reasons:
        message = "The file is damaged: it does not say which part is the document"
        raise CorruptDocumentError(message)
    # A document may embed other packages' parts; one Word main part is enough, and the package
    # checks that it is the main one.
    refused = [reason for reason in reasons if reason is not None]
    if len(refused) == len(reasons):
        raise refused[0]
    return "docx"


def _compound_file(data: bytes) -> UnsupportedFormatError:
    """Returns why to refuse an OLE compound file, by its streams' names ([MS-CFB], UTF-16)."""
    if _utf16("EncryptedPackage") in data or _utf16("EncryptionInfo") in data:
        return ProtectedFileError(_PROTECTED)
    if _utf16("WordDocument") in data:
        return UnsupportedFormatError(f"The file is an old binary Word document (.doc). {_PLEASE}")
    message = f"The file is an old binary Office file, not a .docx. {_PLEASE}"
    return UnsupportedFormatError(message)


def _utf16(text: str) -> bytes:
    return text.encode("utf-16-le")
