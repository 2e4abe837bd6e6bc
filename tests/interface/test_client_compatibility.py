"""The PyPI client `agent-office`, unchanged, against `redraft serve`: only its base URL is ours."""

from __future__ import annotations

from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID, uuid4

import httpx
import pytest
from agent_office import (  # pyright: ignore[reportMissingTypeStubs]
    AgentOffice,
    AuthenticationError,
    NotFoundError,
    ServerError,
    ValidationError,
)

from tests.interface.server_process import KEY, ServerProcess
from tests.interface.situation_documents import DOCX, word, word_with_image


@pytest.fixture
def office(real: ServerProcess) -> Generator[AgentOffice]:
    client = AgentOffice(api_key=KEY, base_url=real.url)
    yield client
    for api in (client._documents_api, client._edits_api, client._markdown_api):  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
        api.session.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "agreement.docx"
    path.write_bytes(word("The term is thirty days.", "Either party may end it."))
    return path


def test_upload_returns_a_document(office: AgentOffice, file: Path) -> None:
    document = office.documents.create(file, ttl_seconds=600, return_markdown=True)
    assert UUID(document.doc_id)
    assert document.name == "agreement.docx"
    assert document.file_type == DOCX
    assert document.markdown is not None
    assert "thirty days" in document.markdown
    assert document.image_annotations is None
    assert abs((document.created_at - datetime.now(UTC)).total_seconds()) < 60


def test_upload_takes_an_open_file_and_describes_images(
    office: AgentOffice, tmp_path: Path
) -> None:
    path = tmp_path / "picture.docx"
    path.write_bytes(word_with_image("A bar chart"))
    with path.open("rb") as opened:
        document = office.documents.create(opened)
    assert document.image_annotations is not None
    (image,) = document.image_annotations
    assert (image.caption, image.source) == ("A bar chart", "existing")


def test_edit_read_and_both_downloads(office: AgentOffice, file: Path) -> None:
    document = office.documents.create(file, tracked_changes=True, author_name="Ann")
    edit_uid = str(uuid4())
    edited = office.edit(
        document.doc_id, edit_uid, 'Replace "thirty days" with "sixty days"', lookup_text="term"
    )
    assert edited.edit_uid == edit_uid
    assert edited.edit_applied is True
    assert edited.document_id == document.doc_id
    assert edited.document_name == "agreement.docx"
    assert edited.time_to_edit > 0
    result = office.read(document.doc_id)
    assert "sixty days" in result.markdown
    assert result.document_name == "agreement.docx"
    link = office.documents.download(document.doc_id, expires_in=120)
    assert (link.doc_id, link.expires_in, link.filename) == (document.doc_id, 120, "agreement.docx")
    fetched = httpx.get(link.download_url)
    direct = httpx.get(
        f"{office.base_url}/v1/documents/{document.doc_id}/download",
        headers={"Authorization": f"Bearer {KEY}"},
    )
    assert fetched.status_code == direct.status_code == 200
    assert fetched.content == direct.content
    assert fetched.content.startswith(b"PK")


def test_list_and_exists(office: AgentOffice, file: Path) -> None:
    document = office.documents.create(file)
    listed = office.documents.list()
    assert listed.total_count == len(listed.documents)
    (info,) = [entry for entry in listed.documents if entry.doc_id == document.doc_id]
    assert (info.name, info.size) == ("agreement.docx", file.stat().st_size)
    assert info.content_type == DOCX
    found = office.documents.exists(document.doc_id)
    assert found.exists is True
    assert found.document == info
    absent = office.documents.exists(str(uuid4()))
    assert (absent.exists, absent.document) == (False, None)


def test_its_errors_are_raised_with_our_words(office: AgentOffice, file: Path) -> None:
    document = office.documents.create(file)
    with pytest.raises(NotFoundError, match="Document not found or has expired"):
        office.read(str(uuid4()))
    with pytest.raises(ServerError, match="Unable to locate the specified text"):
        office.edit(document.doc_id, str(uuid4()), 'Replace "ninety years" with "sixty days"')
    with pytest.raises(ValidationError, match="editUid: must be a UUID"):
        office.edit(document.doc_id, "one", "x")
    stranger = AgentOffice(api_key="wrong", base_url=office.base_url)
    with pytest.raises(AuthenticationError):
        stranger.documents.list()
    stranger._documents_api.session.close()  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
