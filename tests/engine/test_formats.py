"""What a file is: by content, with a sentence for each kind that is refused."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from redraft.engine.docx.opc.package import Package
from redraft.engine.errors import (
    CorruptDocumentError,
    EngineError,
    ProtectedFileError,
    TooLargeError,
    UnsupportedFormatError,
)
from redraft.engine.formats import NOT_SUPPORTED, detect
from tests.engine.wordml import archive, docx, p

WORD = docx(p("Hello"))
PDF = b"%PDF-1.7\n1 0 obj\nendobj\ntrailer\n%%EOF\n"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512)


def office(main_type: str) -> bytes:
    types = f'<Types><Override PartName="/x/main.xml" ContentType="{main_type}"/></Types>'
    return archive({"[Content_Types].xml": types.encode(), "x/main.xml": b"<x/>"})


def test_a_word_document_is_known_by_its_content() -> None:
    assert detect(WORD, "contract.docx") == "docx"


def test_a_pdf_is_known_by_its_header_within_the_first_kilobyte() -> None:
    assert detect(PDF, "contract.PDF") == "pdf"
    assert detect(b"\x00" * 500 + PDF, "contract.pdf") == "pdf"


@pytest.mark.parametrize(
    "data",
    [b"plain words", rb"{\rtf1 words}", b"\x89PNG\r\n\x1a\n", b"x" * 1100 + PDF],
    ids=["text", "rtf", "png", "pdf header too late"],
)
def test_what_is_neither_gets_the_text_of_the_contract(data: bytes) -> None:
    with pytest.raises(UnsupportedFormatError) as caught:
        detect(data, "contract.docx")
    assert str(caught.value) == "File type not supported. Please upload a .docx or .pdf file"
    assert str(caught.value) == NOT_SUPPORTED
    assert caught.value.is_other


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "empty"),
        (office("application/vnd.ms-word.document.macroEnabled.main+xml"), "macros"),
        (office("application/vnd.ms-word.template.macroEnabledTemplate.main+xml"), "macros"),
        (
            office("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"),
            "Excel",
        ),
        (
            office("application/vnd.openxmlformats-officedocument.presentationml.slides.main+xml"),
            "PowerPoint",
        ),
        (office("application/vnd.ms-visio.drawing.main+xml"), "Visio"),
        (office("application/x-unknown.main+xml"), "without a Word document"),
        (archive({"mimetype": b"application/vnd.oasis.opendocument.text"}), "OpenDocument"),
        (archive({"photo.jpg": b"..."}), "zip archive"),
        (b"PK\x05\x06" + bytes(18), "empty zip"),
        (OLE + "WordDocument".encode("utf-16-le"), r"\.doc\b"),
        (OLE + "Workbook".encode("utf-16-le"), "binary Office file"),
    ],
)
def test_each_refused_kind_has_its_own_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(UnsupportedFormatError, match=sentence) as caught:
        detect(data, "contract.docx")
    assert not caught.value.is_other


@pytest.mark.parametrize("stream", ["EncryptedPackage", "EncryptionInfo"])
def test_an_encrypted_document_asks_for_one_without_password(stream: str) -> None:
    with pytest.raises(ProtectedFileError, match="password"):
        detect(OLE + stream.encode("utf-16-le"), "contract.docx")


def test_an_archive_that_does_not_name_its_document_is_damaged() -> None:
    with pytest.raises(CorruptDocumentError, match="which part is the document"):
        detect(archive({"[Content_Types].xml": b"<Types/>"}), "contract.docx")


@pytest.mark.parametrize("types", [b"", b"\xff\xfe\x00", b"\xfe\xff\xd8\x00", b"\x80\x81"])
def test_content_types_that_are_no_text_are_damage(types: bytes) -> None:
    with pytest.raises(CorruptDocumentError, match="damaged"):
        detect(archive({"[Content_Types].xml": types}), "a.docx")


def test_content_types_in_utf_16_are_read() -> None:
    types = (
        '<?xml version="1.0" encoding="UTF-16"?><Types><Override ContentType="'
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
    )
    assert detect(archive({"[Content_Types].xml": types.encode("utf-16")}), "a.docx") == "docx"


@pytest.mark.parametrize("data", [PDF + WORD, WORD[:40] + b"%PDF-1.4" + WORD[40:]])
def test_a_file_that_is_two_formats_at_once_is_refused(data: bytes) -> None:
    with pytest.raises(UnsupportedFormatError, match="at the same time"):
        detect(data, "contract.pdf")


@pytest.mark.parametrize(
    ("data", "name"),
    [(WORD, "a.pdf"), (PDF, "a.docx"), (WORD, "a.txt"), (WORD, "a.doc"), (PDF, "a.zip")],
)
def test_a_suffix_must_not_contradict_the_content(data: bytes, name: str) -> None:
    with pytest.raises(UnsupportedFormatError, match="name ends in") as caught:
        detect(data, name)
    assert not caught.value.is_other


@pytest.mark.parametrize("name", ["a", "", "Contract v1.2", "C:\\mine\\a.DOCX", "Agreement No. 7"])
def test_a_name_without_a_format_contradicts_nothing(name: str) -> None:
    assert detect(WORD, name) == "docx"


def test_a_template_is_refused_by_its_name_and_read_under_the_name_of_a_document() -> None:
    data = office(
        "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml"
    )
    assert detect(data, "a.docx") == "docx"
    with pytest.raises(UnsupportedFormatError, match="template"):
        detect(data, "a.dotx")


def reason(data: bytes, name: str) -> EngineError | None:
    """Why a file is refused, None when it opens."""
    try:
        detect(data, name)
        Package.open(data)
    except EngineError as error:
        return error
    return None


ACCEPTED = {
    "generated__markdown-lookalikes.docx",
    "generated__nested-tables-80.docx",
    "generated__paragraphs-300k.docx",
    "generated__ssrf-external-image.docx",
    "generated__utf16-document-xml.docx",
    "generated__zip-slip.docx",
    "poi__clusterfuzz-testcase-minimized-POIXWPFFuzzer-673388493366886.docx",
    "poi__stress014.docx",
    "tika__test_recursive_embedded.docx",
}


@pytest.mark.corpus
def test_each_bad_file_is_refused_with_a_sentence_or_opens(corpus: Path) -> None:
    with (corpus / "bad" / "MANIFEST.csv").open() as listed:
        names = [row["file"] for row in csv.DictReader(listed) if ".pdf" not in row["file"]]
    reasons = {name: reason((corpus / "bad" / name).read_bytes(), name) for name in names}
    assert {name for name, said in reasons.items() if said is None} == ACCEPTED
    assert all(len(str(said)) > 20 for said in reasons.values() if said is not None)


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "kind", "sentence"),
    [
        ("poi__bug53475-password-is-pass.docx", ProtectedFileError, "password"),
        ("asposeex__Open-readonly-access.docx", ProtectedFileError, "password"),
        ("poi__Word6.doc-renamed.docx", UnsupportedFormatError, "binary Word"),
        ("poi__SimpleMacro.docm", UnsupportedFormatError, "macros"),
        ("poi__SampleSS.xlsx-renamed.docx", UnsupportedFormatError, "Excel"),
        ("oxsdk__VendorRatingPolicy_TP10187010.dotx", UnsupportedFormatError, "template"),
        ("generated__zip-bomb-256MB.docx", TooLargeError, "200"),
        ("generated__xml-billion-laughs.docx", CorruptDocumentError, "DOCTYPE"),
        ("generated__zip-no-document-xml.docx", CorruptDocumentError, "missing"),
        ("poi__truncated62886.docx", CorruptDocumentError, "cut off"),
    ],
)
def test_a_bad_file_is_refused_for_the_right_reason(
    corpus: Path, name: str, kind: type[EngineError], sentence: str
) -> None:
    said = reason((corpus / "bad" / name).read_bytes(), name)
    assert type(said) is kind
    assert re.search(sentence, str(said))
