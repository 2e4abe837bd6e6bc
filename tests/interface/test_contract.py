"""The contract, row by row, against `redraft serve` as it is shipped, with real documents."""

from __future__ import annotations

import re
from collections.abc import Generator
from datetime import datetime
from pathlib import Path
from uuid import UUID

import httpx
import pytest

from tests.interface.server_process import OTHER_KEY, ServerProcess, edit, read, uid, upload
from tests.interface.situation_documents import (
    DOCX,
    empty_pdf,
    member,
    padded,
    protected,
    rich_word,
    text_pdf,
    word,
    word_with_image,
)

REPLACE = 'Replace "thirty" with "sixty"'
GONE = {"detail": "Document not found or has expired"}
LIMIT = 10 * 1024 * 1024


@pytest.fixture(scope="module")
def agreement() -> bytes:
    return word("The term is thirty days.", "Either party may end it.")


@pytest.fixture
def client(real: ServerProcess) -> Generator[httpx.Client]:
    with real.client() as opened:
        yield opened


def test_upload_answers_every_field(client: httpx.Client, agreement: bytes) -> None:
    answer = client.post("/v1/documents/", files={"file": ("agreement.docx", agreement)})
    assert answer.status_code == 200
    told = answer.json()
    assert UUID(told["docId"])
    assert told["name"] == "agreement.docx"
    assert datetime.fromisoformat(told["createdAt"])
    assert told["fileType"] == DOCX
    assert told["imageAnnotations"] is None
    assert told["markdown"] is None
    assert told["ttlSeconds"] == 3600
    assert told["trackedChanges"] is False
    assert told["authorName"] == "Anonymous"


def test_upload_without_the_trailing_slash_is_the_same(
    client: httpx.Client, agreement: bytes
) -> None:
    answer = client.post("/v1/documents", files={"file": ("agreement.docx", agreement)})
    assert answer.status_code == 200


def test_upload_of_a_pdf(client: httpx.Client) -> None:
    told = upload(client, text_pdf("Hello portable world"), "paper.pdf", return_markdown=True)
    assert told["fileType"] == "application/pdf"
    assert "Hello portable world" in told["markdown"]


def test_upload_with_return_markdown_carries_it(client: httpx.Client, agreement: bytes) -> None:
    told = upload(client, agreement, return_markdown="true")
    assert "The term is thirty days." in told["markdown"]


def test_upload_with_an_image_carries_its_annotation(client: httpx.Client) -> None:
    told = upload(client, word_with_image("A bar chart"), return_markdown=True)
    (image,) = told["imageAnnotations"]
    assert set(image) == {"image_id", "caption", "source"}
    assert (image["caption"], image["source"]) == ("A bar chart", "existing")
    assert image["image_id"] in told["markdown"]
    assert "A bar chart" in told["markdown"]


@pytest.mark.parametrize(
    ("name", "data"),
    [("notes.txt", b"plain text"), ("page.html", b"<html>hi</html>"), ("none", b"\x00\x01")],
)
def test_upload_of_another_type_is_400(client: httpx.Client, name: str, data: bytes) -> None:
    answer = client.post("/v1/documents/", files={"file": (name, data)})
    assert answer.status_code == 400
    detail = "File type not supported. Please upload a .docx or .pdf file"
    assert answer.json() == {"detail": detail}


def test_upload_of_exactly_10mb_is_accepted_and_more_is_413(
    client: httpx.Client, agreement: bytes
) -> None:
    whole = padded(agreement, LIMIT)
    assert len(whole) == LIMIT
    assert upload(client, whole)["name"] == "contract.docx"
    answer = client.post("/v1/documents/", files={"file": ("a.docx", padded(agreement, LIMIT + 1))})
    assert answer.status_code == 413
    assert answer.json() == {"detail": "File size exceeds maximum allowed size of 10MB"}


def test_edit_answers_every_field(client: httpx.Client, agreement: bytes) -> None:
    document = upload(client, agreement)["docId"]
    edit_uid = uid()
    answer = edit(client, document, REPLACE, editUid=edit_uid)
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert told["editUid"] == edit_uid
    assert told["editApplied"] is True
    assert told["timeToEdit"] > 0
    assert told["documentName"] == "contract.docx"
    assert told["documentId"] == document
    assert "sixty days" in read(client, document).json()["markdown"]


def test_edit_with_lookup_text_and_a_larger_model_that_is_not_there(
    client: httpx.Client,
) -> None:
    document = upload(client, word("Pay thirty dollars.", "Wait thirty days."))["docId"]
    where = "Wait thirty days."
    answer = edit(
        client, document, 'Change "thirty" to "sixty"', lookupText=where, useLargeModel=True
    )
    assert answer.status_code == 200, answer.text
    assert any("No larger language model" in warning for warning in answer.json()["warnings"])
    markdown = read(client, document).json()["markdown"]
    assert "Pay thirty dollars." in markdown
    assert "Wait sixty days." in markdown


def test_edit_refreshes_the_ttl(client: httpx.Client, agreement: bytes) -> None:
    document = upload(client, agreement, ttl_seconds=300)["docId"]
    path = f"/v1/documents/{document}/exists"
    before = client.get(path).json()["document"]["expiresAt"]
    edit(client, document, REPLACE)
    assert client.get(path).json()["document"]["expiresAt"] > before


@pytest.mark.parametrize(
    ("method", "suffix"), [("POST", "/edits"), ("POST", "/markdown"), ("GET", "")]
)
def test_an_unknown_document_is_404(client: httpx.Client, method: str, suffix: str) -> None:
    body = {"editUid": uid(), "readUid": uid(), "editInstructions": REPLACE}
    json = body if method == "POST" else None
    answer = client.request(method, f"/v1/documents/{uid()}{suffix}", json=json)
    assert (answer.status_code, answer.json()) == (404, GONE)


def test_an_edit_whose_text_is_not_there_is_500(client: httpx.Client, agreement: bytes) -> None:
    document = upload(client, agreement)["docId"]
    answer = edit(client, document, 'Replace "ninety centuries" with "sixty days"')
    assert answer.status_code == 500
    assert answer.json() == {"detail": "Edit operation failed: Unable to locate the specified text"}


def test_an_edit_that_cannot_be_read_says_what_could(
    client: httpx.Client, agreement: bytes
) -> None:
    document = upload(client, agreement)["docId"]
    answer = edit(client, document, "make it sing and dance in the moonlight")
    assert answer.status_code == 500
    detail = answer.json()["detail"]
    assert detail.startswith("Edit operation failed: ")
    assert 'write: make "A" bold' in detail
    assert all(name in detail for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "REDRAFT_MODEL"))


def test_read_answers_every_field(client: httpx.Client, agreement: bytes) -> None:
    document = upload(client, agreement)["docId"]
    read_uid = uid()
    answer = read(client, document, readUid=read_uid)
    assert answer.status_code == 200
    told = answer.json()
    assert told["readUid"] == read_uid
    assert told["timeToGenerate"] >= 0
    assert told["documentName"] == "contract.docx"
    assert told["documentId"] == document
    assert "The term is thirty days." in told["markdown"]


def test_read_keeps_headings_lists_tables_links_and_emphasis(client: httpx.Client) -> None:
    document = upload(client, rich_word())["docId"]
    markdown = read(client, document).json()["markdown"]
    for expected in (
        r"^# Terms$",
        r"^## Payment$",
        r"\*\*promptly\*\*",
        r"\*in full\*",
        r"^\[the fees\]\(https://example\.com/fees\)$",
        r"^[-*] apples$",
        r"^1\. first$",
        r"^\| Item +\| Fee +\|$",
        r"^\| Support +\| 1,200 +\|$",
    ):
        assert re.search(expected, markdown, re.MULTILINE), (expected, markdown)


def test_read_of_a_document_without_text_is_500(client: httpx.Client) -> None:
    document = upload(client, empty_pdf(), "scan.pdf")["docId"]
    answer = read(client, document)
    assert answer.status_code == 500
    detail = "Failed to generate markdown: Unsupported document format"
    assert answer.json() == {"detail": detail}


def test_presigned_url_answers_every_field(client: httpx.Client, agreement: bytes) -> None:
    document = upload(client, agreement, "agreement.docx")["docId"]
    told = client.get(f"/v1/documents/{document}").json()
    assert told["docId"] == document
    assert told["expiresIn"] == 3600
    assert told["filename"] == "agreement.docx"
    fetched = httpx.get(told["downloadUrl"])
    assert fetched.status_code == 200
    assert fetched.content == agreement
    assert client.get(f"/v1/documents/{document}?expiresIn=86400").json()["expiresIn"] == 86400
    assert client.get(f"/v1/documents/{document}?expiresIn=1").json()["expiresIn"] == 1


def test_presigned_url_of_another_keys_document_is_403(
    real: ServerProcess, client: httpx.Client, agreement: bytes
) -> None:
    document = upload(client, agreement)["docId"]
    with real.client(OTHER_KEY) as stranger:
        answer = stranger.get(f"/v1/documents/{document}")
    assert answer.status_code == 403
    assert answer.json() == {"detail": "Access denied to this document"}


@pytest.mark.parametrize("kind", ["docx", "pdf"])
def test_an_unedited_download_is_the_uploaded_bytes(
    client: httpx.Client, agreement: bytes, kind: str
) -> None:
    data = agreement if kind == "docx" else text_pdf("Hello")
    document = upload(client, data, f"agreement.{kind}")["docId"]
    answer = client.get(f"/v1/documents/{document}/download")
    assert answer.status_code == 200
    assert answer.content == data
    assert answer.headers["content-type"] == (DOCX if kind == "docx" else "application/pdf")
    disposition = answer.headers["content-disposition"]
    assert disposition.startswith(f'attachment; filename="agreement.{kind}"')


def test_download_of_an_unknown_document_is_404(client: httpx.Client) -> None:
    answer = client.get(f"/v1/documents/{uid()}/download")
    assert (answer.status_code, answer.json()) == (404, {"detail": "File not found"})


def test_download_without_a_key_is_401(
    real: ServerProcess, client: httpx.Client, agreement: bytes
) -> None:
    document = upload(client, agreement)["docId"]
    with real.client(None) as nobody:
        answer = nobody.get(f"/v1/documents/{document}/download")
    assert answer.status_code == 401
    assert answer.json() == {"detail": "Invalid or missing API key"}


def test_download_whose_file_is_missing_is_500(
    real: ServerProcess, client: httpx.Client, agreement: bytes
) -> None:
    document = upload(client, agreement)["docId"]
    for file in Path(real.data / "documents" / document).iterdir():
        file.unlink()
    answer = client.get(f"/v1/documents/{document}/download")
    assert answer.status_code == 500
    assert answer.json() == {"detail": "Failed to process direct download"}


def test_the_clean_copy_of_a_document_without_tracked_changes_is_the_download(
    client: httpx.Client, agreement: bytes
) -> None:
    document = upload(client, agreement)["docId"]
    path = f"/v1/documents/{document}/download"
    assert client.get(path, params={"view": "clean"}).content == agreement
    assert edit(client, document, REPLACE).status_code == 200
    clean = client.get(path, params={"view": "clean"}).content
    assert member(clean) == member(client.get(path).content)
    assert "sixty" in member(clean)


def test_the_clean_copy_of_a_document_that_allows_tracked_changes_only_has_none(
    client: httpx.Client,
) -> None:
    document = upload(client, protected("Payment is due in thirty days."))["docId"]
    assert edit(client, document, REPLACE).json()["editApplied"] is True
    path = f"/v1/documents/{document}/download"
    assert "<w:del " in member(client.get(path).content)
    clean = member(client.get(path, params={"view": "clean"}).content)
    assert "<w:del " not in clean
    assert "sixty" in clean


def test_all_changes_are_accepted_by_saying_so(client: httpx.Client, agreement: bytes) -> None:
    document = upload(client, agreement, tracked_changes=True)["docId"]
    assert edit(client, document, REPLACE).json()["editApplied"] is True
    answer = edit(client, document, "Accept all changes")
    assert answer.status_code == 200, answer.text
    assert client.get(f"/v1/documents/{document}/changes").json()["changes"] == []
    xml = member(client.get(f"/v1/documents/{document}/download").content)
    assert "sixty" in xml
    assert "<w:ins " not in xml


def test_tracked_changes_are_in_both_downloads_under_the_authors_name(
    client: httpx.Client, agreement: bytes
) -> None:
    document = upload(client, agreement, tracked_changes=True, author_name="Ann Author")["docId"]
    assert edit(client, document, REPLACE).status_code == 200
    direct = client.get(f"/v1/documents/{document}/download").content
    linked = httpx.get(client.get(f"/v1/documents/{document}").json()["downloadUrl"]).content
    assert direct == linked
    xml = member(direct)
    assert re.search(r'<w:ins [^>]*w:author="Ann Author"', xml)
    assert re.search(r'<w:del [^>]*w:author="Ann Author"', xml)
    assert "<w:delText" in xml
    clean = client.get(f"/v1/documents/{document}/download?view=clean").content
    assert "w:del" not in member(clean)
    assert "sixty" in member(clean)
    original = client.get(f"/v1/documents/{document}/download?view=original").content
    assert original == agreement


def test_every_edit_is_in_every_later_download_and_anonymous_unless_a_name_was_given(
    client: httpx.Client,
) -> None:
    document = upload(client, word("thirty days", "forty weeks"), tracked_changes=True)["docId"]
    assert edit(client, document, REPLACE).status_code == 200
    assert edit(client, document, 'Replace "forty" with "fifty"').status_code == 200
    answers = (
        client.get(f"/v1/documents/{document}/download"),
        httpx.get(client.get(f"/v1/documents/{document}").json()["downloadUrl"]),
    )
    for answer in answers:
        marks = re.findall(r'<w:(?:ins|del) [^>]*w:author="([^"]+)"', member(answer.content))
        assert marks == ["Anonymous"] * 4
    changes = client.get(f"/v1/documents/{document}/changes").json()["changes"]
    assert [(change["before"], change["after"]) for change in changes] == [
        ("thirty", "sixty"),
        ("forty", "fifty"),
    ]


def test_a_name_is_used_only_where_changes_are_tracked(
    client: httpx.Client, agreement: bytes
) -> None:
    document = upload(client, agreement, author_name="Ann Author")["docId"]
    assert edit(client, document, REPLACE).json()["editApplied"] is True
    data = client.get(f"/v1/documents/{document}/download").content
    assert "Ann Author" not in member(data)


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        ("final", "The term is sixty days."),
        ("original", "The term is thirty days."),
        ("markup", "The term is {--thirty--}{++sixty++} days."),
    ],
)
def test_a_read_shows_the_view_it_asks_for(
    client: httpx.Client, agreement: bytes, view: str, expected: str
) -> None:
    document = upload(client, agreement, tracked_changes=True)["docId"]
    assert edit(client, document, REPLACE).status_code == 200
    told = read(client, document, view=view, unknown=1).json()
    assert expected in told["markdown"]
    assert told["view"] == view


def test_changes_of_others_in_an_upload_stay_theirs(client: httpx.Client) -> None:
    theirs = upload(client, word("thirty days"), tracked_changes=True, author_name="Bob")["docId"]
    assert edit(client, theirs, REPLACE).status_code == 200
    marked = client.get(f"/v1/documents/{theirs}/download").content
    told = upload(client, marked, tracked_changes=True, author_name="Ann", return_markdown=True)
    assert "sixty days" in told["markdown"]
    document = told["docId"]
    assert edit(client, document, 'Replace "days" with "weeks"').status_code == 200
    xml = member(client.get(f"/v1/documents/{document}/download").content)
    assert set(re.findall(r'w:author="([^"]+)"', xml)) == {"Ann", "Bob"}
    dates = re.findall(r'w:author="Bob" w:date="([^"]+)"', member(marked))
    assert dates
    assert re.findall(r'w:author="Bob" w:date="([^"]+)"', xml) == dates
    clean = member(client.get(f"/v1/documents/{document}/download?view=clean").content)
    assert set(re.findall(r'w:author="([^"]+)"', clean)) == {"Bob"}


def test_an_edit_of_a_protected_document_says_so(client: httpx.Client) -> None:
    document = upload(client, protected("Payment is due in thirty days."))["docId"]
    warnings = edit(client, document, REPLACE).json()["warnings"]
    assert any("allows tracked changes only" in warning for warning in warnings), warnings


def test_a_uid_is_echoed_as_it_was_written_and_is_one_uid_however_it_is_written(
    client: httpx.Client, agreement: bytes
) -> None:
    document, edit_uid = upload(client, agreement)["docId"], uid()
    first = edit(client, document, REPLACE, editUid=edit_uid.upper())
    assert first.json()["editUid"] == edit_uid.upper()
    again = edit(client, document, REPLACE, editUid=edit_uid)
    assert again.headers["idempotent-replayed"] == "true"
    assert again.content == first.content
    found = client.get(f"/v1/documents/{document.upper()}")
    assert found.json()["docId"] == document


def test_without_tracked_changes_the_download_has_none(
    client: httpx.Client, agreement: bytes
) -> None:
    document = upload(client, agreement)["docId"]
    assert edit(client, document, REPLACE).status_code == 200
    xml = member(client.get(f"/v1/documents/{document}/download").content)
    assert "sixty" in xml
    assert "w:ins " not in xml
    assert "w:del " not in xml


def test_changes_are_listed_accepted_and_rejected(client: httpx.Client, agreement: bytes) -> None:
    document = upload(client, agreement, tracked_changes=True, author_name="Ann")["docId"]
    edit_uid = uid()
    edit(client, document, REPLACE, editUid=edit_uid)
    path = f"/v1/documents/{document}/changes"
    listed = client.get(path).json()
    (change,) = listed["changes"]
    assert (change["before"], change["after"]) == ("thirty", "sixty")
    assert (change["author"], change["editUid"]) == ("Ann", edit_uid)
    told = client.post(path, json={"action": "reject", "editUid": edit_uid}).json()
    assert told["resolved"] == 1
    assert "thirty days" in read(client, document).json()["markdown"]
    assert client.get(path).json()["changes"] == []


def test_undo_takes_an_edit_back_byte_for_byte(client: httpx.Client, agreement: bytes) -> None:
    document = upload(client, agreement, tracked_changes=True)["docId"]
    edit(client, document, REPLACE)
    edited = client.get(f"/v1/documents/{document}/download").content
    assert client.post(f"/v1/documents/{document}/undo").json()["applied"] is True
    assert client.get(f"/v1/documents/{document}/download").content == agreement
    assert client.post(f"/v1/documents/{document}/redo").json()["applied"] is True
    assert client.get(f"/v1/documents/{document}/download").content == edited


def test_an_edit_of_a_pdf_says_that_it_cannot_be_done_or_does_it(client: httpx.Client) -> None:
    document = upload(client, text_pdf("thirty days"), "paper.pdf")["docId"]
    answer = edit(client, document, REPLACE)
    if answer.status_code != 200:
        assert answer.status_code == 500
        assert answer.json()["detail"].startswith("Edit operation failed: ")
        assert client.get(f"/v1/documents/{document}/download").status_code == 200
