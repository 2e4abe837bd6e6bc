"""Every real document uploads, reads, takes one tracked replacement, and downloads, over HTTP."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest

from tests import documents
from tests.interface.server_process import ServerProcess, read, uid, upload

pytestmark = pytest.mark.corpus
WITHOUT_WORDS = {"tika__testAltChunkHTML.docx", "oxsdk__2D-Column-O12-Word-Charts.docx"}


@pytest.fixture
def client(real: ServerProcess) -> Generator[httpx.Client]:
    with real.client() as opened:
        yield opened


def word_of(markdown: str) -> str | None:
    """The commonest word that is not an address and no markup, in any script."""
    plain = re.sub(
        r"!\[[^\]]*\]|\]\([^)]*\)|<[^>]*>|\$[^$]*\$|\[\^\w+\]|\S*[@/\\]\S*", " ", markdown
    )
    words = Counter(re.findall(r"[^\W\d_]{3,}", plain))
    return words.most_common(1)[0][0] if words else None


@pytest.mark.parametrize("name", documents.names("docx", start=2))
def test_a_real_document_takes_a_tracked_replacement(
    client: httpx.Client, corpus: Path, name: str
) -> None:
    data = (corpus / "docx" / name).read_bytes()
    document = upload(client, data, name=name, tracked_changes=True, author_name="Dana")["docId"]
    path = f"/v1/documents/{document}"
    reading = read(client, document)
    assert reading.status_code == 200, reading.text
    word = word_of(reading.json()["markdown"])
    if word is None:
        assert name in WITHOUT_WORDS
        return
    body = {
        "editUid": uid(),
        "editInstructions": f'Replace "{word}" with "Zweitwort" everywhere',
    }
    answer = client.post(f"{path}/edits", json=body, timeout=60)
    assert answer.status_code == 200, answer.text
    assert answer.json()["editApplied"] is True
    assert "Zweitwort" in read(client, document).json()["markdown"]
    ours = [c for c in client.get(f"{path}/changes").json()["changes"] if c["editUids"]]
    assert ours
    assert {change["author"] for change in ours} == {"Dana"}
    assert client.get(f"{path}/download?view=original").content == data
    assert client.get(f"{path}/download").content != data
    assert client.delete(path).status_code == 200
