"""A PDF uploaded with tracked changes, over HTTP: the redline, the clean copy, the upload."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest

from redraft.engine.report import StoredVersion
from tests.interface.server_process import ServerProcess, edit, read, uid, upload
from tests.interface.situation_documents import text_pdf

UPLOAD = text_pdf("Payment is due within thirty days of the invoice.")
REPLACE = 'Replace "thirty" with "sixty"'


@pytest.fixture
def client(real: ServerProcess) -> Generator[httpx.Client]:
    with real.client() as opened:
        yield opened


@contextmanager
def opened(data: bytes) -> Generator[Any]:
    import pymupdf

    with pymupdf.open(stream=data, filetype="pdf") as document:
        yield document


def text(data: bytes) -> str:
    with opened(data) as document:
        return "".join(page.get_text() for page in document).strip()


def notes(data: bytes) -> list[tuple[str, str, str]]:
    """The annotations: type, author and words."""
    with opened(data) as document:
        return [
            (each.type[1], each.info["title"], each.info["content"])
            for page in document
            for each in page.annots()
        ]


def streams(data: bytes) -> list[bytes]:
    import pikepdf

    with pikepdf.open(BytesIO(data)) as document:
        found: list[Any] = list(document.objects)
        return [bytes(e.read_bytes()) for e in found if isinstance(e, pikepdf.Stream)]


def download(client: httpx.Client, document: str, view: str = "") -> bytes:
    answer = client.get(f"/v1/documents/{document}/download{view and f'?view={view}'}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/pdf"
    return answer.content


@pytest.fixture
def document(client: httpx.Client) -> str:
    """An upload with one edit by Ann Author."""
    told = upload(client, UPLOAD, "paper.pdf", tracked_changes=True, author_name="Ann Author")
    answer = edit(client, told["docId"], REPLACE)
    assert answer.status_code == 200, answer.text
    assert answer.json()["editApplied"] is True
    return str(told["docId"])


def test_until_it_is_edited_the_download_is_the_upload(client: httpx.Client) -> None:
    told = upload(client, UPLOAD, "paper.pdf", tracked_changes=True)
    for view in ("", "redline", "clean", "original"):
        assert download(client, told["docId"], view) == UPLOAD


def test_the_download_is_the_upload_with_annotations(client: httpx.Client, document: str) -> None:
    shown = download(client, document)
    assert shown.startswith(UPLOAD)
    assert text(shown) == text(UPLOAD)
    assert notes(shown) == [("StrikeOut", "Ann Author", "thirty"), ("Caret", "Ann Author", "sixty")]
    linked = httpx.get(client.get(f"/v1/documents/{document}").json()["downloadUrl"]).content
    assert linked == shown == download(client, document, "redline")
    assert download(client, document, "original") == UPLOAD


def test_the_original_view_of_the_text_has_the_words_before_every_open_change(
    client: httpx.Client, document: str
) -> None:
    def shown(view: str) -> str:
        return read(client, document, view=view).json()["markdown"]

    assert "thirty days" in shown("original")
    assert "sixty days" in shown("final")
    client.post(f"/v1/documents/{document}/changes", json={"action": "accept", "all": True})
    assert "sixty days" in shown("original")
    edit(client, document, 'Replace "sixty" with "ninety"')
    assert "sixty days" in shown("original")
    assert "ninety days" in shown("final")
    client.post(f"/v1/documents/{document}/undo")
    assert "sixty days" in shown("original")


def test_the_markup_view_of_the_text_has_every_open_change_in_its_place(
    client: httpx.Client, document: str
) -> None:
    def shown() -> str:
        return read(client, document, view="markup").json()["markdown"]

    assert "{--thirty--}{++sixty++} days" in shown()
    client.post(f"/v1/documents/{document}/changes", json={"action": "accept", "all": True})
    assert "due within sixty days" in shown()
    edit(client, document, 'Replace "sixty" with "ninety"')
    assert "{--sixty--}{++ninety++} days" in shown()


def test_pages_change_in_a_tracked_pdf_and_come_back(client: httpx.Client, document: str) -> None:
    answer = edit(client, document, "Add page numbers").json()
    assert answer["editApplied"]
    (change,) = answer["revisions"]
    assert (change["kind"], change["after"]) == ("other", "Page numbers added to all pages")
    assert ("Text", "Ann Author", "Page numbers added to all pages") in notes(
        download(client, document)
    )
    before = text(download(client, document, "clean"))
    body = {"action": "reject", "ids": [change["id"]]}
    client.post(f"/v1/documents/{document}/changes", json=body)
    assert text(download(client, document, "clean")) + "\n1" == before


def test_the_original_view_before_any_edit_is_the_upload(client: httpx.Client) -> None:
    told = upload(client, UPLOAD, "paper.pdf", tracked_changes=True)
    assert "thirty days" in read(client, told["docId"], view="original").json()["markdown"]


def test_the_clean_copy_has_the_new_words_and_nothing_of_the_old_ones(
    client: httpx.Client, document: str
) -> None:
    clean = download(client, document, "clean")
    assert text(clean) == "Payment is due within sixty days of the invoice."
    assert notes(clean) == []
    assert not any(b"thirty" in each for each in (clean, *streams(clean)))
    assert "sixty days" in read(client, document).json()["markdown"]


def test_changes_are_listed_and_settled(client: httpx.Client, document: str) -> None:
    path = f"/v1/documents/{document}/changes"
    (change,) = client.get(path).json()["changes"]
    assert (change["kind"], change["before"], change["after"]) == ("replacement", "thirty", "sixty")
    assert (change["author"], change["lead"][-7:]) == ("Ann Author", "within ")
    second = uid()
    answer = edit(client, document, 'Replace "invoice" with "bill"', editUid=second)
    (own,) = answer.json()["revisions"]
    first, last = client.get(path).json()["changes"]
    assert (first["id"], last["id"], last["editUid"]) == (change["id"], own["id"], second)
    assert client.post(path, json={"action": "accept", "ids": [first["id"]]}).status_code == 200
    assert [c["id"] for c in client.get(path).json()["changes"]] == [last["id"]]
    assert notes(download(client, document)) == [
        ("StrikeOut", "Ann Author", "invoice"),
        ("Caret", "Ann Author", "bill"),
    ]
    assert "sixty days" in text(download(client, document))
    told = client.post(path, json={"action": "reject", "editUid": second})
    assert told.json()["resolved"] == 1, told.text
    assert client.get(path).json()["changes"] == []
    assert text(download(client, document)) == "Payment is due within sixty days of the invoice."
    assert client.post(f"/v1/documents/{document}/undo").json()["applied"] is True
    assert len(notes(download(client, document))) == 2
    missing = client.post(path, json={"action": "accept", "ids": [first["id"]]})
    assert missing.status_code >= 400
    everything = client.post(path, json={"action": "accept", "all": True}).json()
    assert everything["resolved"] == 1
    assert download(client, document) == download(client, document, "clean")


def test_rejecting_what_an_author_did_gives_the_upload_back(
    client: httpx.Client, document: str
) -> None:
    path = f"/v1/documents/{document}"
    told = client.post(f"{path}/changes", json={"action": "reject", "author": "Ann Author"})
    assert told.json()["resolved"] == 1
    assert download(client, document) == UPLOAD
    assert download(client, document, "clean") == UPLOAD


def test_a_look_and_a_link_are_tracked_shown_settled_and_undone(
    client: httpx.Client, document: str
) -> None:
    path, url = f"/v1/documents/{document}", "https://example.org/terms"
    answer = edit(client, document, 'Make "invoice" bold')
    assert answer.status_code == 200, answer.text
    (look,) = answer.json()["revisions"]
    assert (look["kind"], look["before"], look["formatting"]) == (
        "format", "invoice", [["bold", "off", "on"]],
    )  # fmt: skip
    answer = edit(client, document, f'Link "days" to "{url}"')
    assert answer.status_code == 200, answer.text
    shown, clean = download(client, document), download(client, document, "clean")
    assert shown.startswith(UPLOAD)
    assert text(shown) == text(UPLOAD)
    assert sorted(notes(shown)) == [
        ("Caret", "Ann Author", "sixty"),
        ("Highlight", "Ann Author", "bold: off → on"),
        ("StrikeOut", "Ann Author", "thirty"),
        ("Underline", "Ann Author", f"link: none → {url}"),
    ]
    assert bold(clean) == "invoice"
    assert bold(shown) == ""
    listed = client.get(f"{path}/changes").json()["changes"]
    assert [each["kind"] for each in listed] == ["replacement", "format", "format"]
    told = client.post(f"{path}/changes", json={"action": "reject", "ids": [look["id"]]})
    assert told.json()["resolved"] == 1, told.text
    assert bold(download(client, document, "clean")) == ""
    assert client.post(f"{path}/undo").json()["applied"] is True
    assert bold(download(client, document, "clean")) == "invoice"
    told = client.post(f"{path}/changes", json={"action": "accept", "all": True})
    assert told.json()["resolved"] == 3, told.text
    assert bold(download(client, document)) == "invoice"
    word = client.get(f"{path}/download?format=docx")
    assert word.status_code == 200, word.text


def bold(data: bytes) -> str:
    """The words that stand in a bold face."""
    with opened(data) as document:
        return "".join(
            span["text"]
            for block in document[0].get_text("dict")["blocks"]
            for line in block.get("lines", ())
            for span in line["spans"]
            if span["flags"] & 16
        ).strip()


def test_undo_and_redo_go_through_the_redlines(client: httpx.Client, document: str) -> None:
    shown = download(client, document)
    assert client.post(f"/v1/documents/{document}/undo").json()["applied"] is True
    assert download(client, document) == UPLOAD
    assert client.get(f"/v1/documents/{document}/changes").json()["changes"] == []
    assert client.post(f"/v1/documents/{document}/redo").json()["applied"] is True
    assert notes(download(client, document)) == notes(shown)


def test_an_untracked_edit_leaves_no_old_words_in_the_file(client: httpx.Client) -> None:
    told = upload(client, UPLOAD, "paper.pdf")
    assert edit(client, told["docId"], REPLACE).json()["editApplied"] is True
    data = download(client, told["docId"])
    assert text(data) == "Payment is due within sixty days of the invoice."
    assert not any(b"thirty" in each for each in (data, *streams(data)))


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["docling__multi_page.pdf", "pdfminer__naacl06-shinyama.pdf"])
def test_real_files_are_redlined(client: httpx.Client, corpus: Path, name: str) -> None:
    data = (corpus / "pdf" / name).read_bytes()
    told = upload(client, data, name, tracked_changes=True, author_name="Dana")
    words = re.findall(r"\b[a-z]{5,8}\b", read(client, told["docId"]).json()["markdown"])
    word = next(each for each in words if words.count(each) == 1)
    answer = edit(client, told["docId"], f'Replace "{word}" with "item" everywhere')
    assert answer.status_code == 200, answer.text
    shown = download(client, told["docId"])
    assert shown.startswith(data)
    assert {author for _, author, _ in notes(shown)} >= {"Dana"}
    assert client.delete(f"/v1/documents/{told['docId']}").status_code == 200


WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def in_word(client: httpx.Client, document: str, query: str = "") -> httpx.Response:
    return client.get(f"/v1/documents/{document}/download?format=docx{query}")


def test_as_a_word_document_the_edits_are_tracked_changes(
    client: httpx.Client, document: str, tmp_path: Path
) -> None:
    from redraft.engine import editor

    answer = in_word(client, document)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == WORD
    assert 'filename="paper.docx"' in answer.headers["content-disposition"]
    word = tmp_path / "paper.docx"
    word.write_bytes(answer.content)
    (change,) = editor.changes(StoredVersion(word, b""))
    assert (change.author, change.before, change.after) == ("Ann Author", "thirty", "sixty")
    assert "thirty days" in editor.read(StoredVersion(word), "original").markdown
    assert "sixty days" in editor.read(StoredVersion(word), "final").markdown
    assert in_word(client, document, "&view=redline").content == answer.content


@pytest.mark.parametrize(("view", "days"), [("clean", "sixty"), ("original", "thirty")])
def test_the_other_views_in_word_carry_no_marks(
    client: httpx.Client, document: str, tmp_path: Path, view: str, days: str
) -> None:
    from redraft.engine import editor

    word = tmp_path / "paper.docx"
    word.write_bytes(in_word(client, document, f"&view={view}").content)
    assert editor.changes(StoredVersion(word, b"")) == ()
    assert f"within {days} days" in editor.read(StoredVersion(word)).markdown


def test_only_of_a_tracked_pdf_is_there_a_word_document(client: httpx.Client) -> None:
    told = upload(client, UPLOAD, "paper.pdf")
    refused = in_word(client, told["docId"])
    assert refused.status_code == 422
    detail = "format: docx is only available for a PDF with tracked changes"
    assert refused.json() == {"detail": detail}
    path = f"/v1/documents/{told['docId']}/download?format=odt"
    assert client.get(path).json() == {"detail": "format: must be one of docx"}
