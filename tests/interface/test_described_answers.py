"""Everything the OpenAPI document allows is asked; no answer may be one that it does not describe.

schemathesis makes the requests, right and wrong ones, the same ones in every run.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.api.fake_engine import docx
from tests.interface.server_process import KEY, ServerProcess, edit, uid, upload

pytestmark = pytest.mark.process

CHECKS = (
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
    "response_headers_conformance",
    "unsupported_method",
    "ignored_auth",
)
# A stream has no end, and what deletes the document leaves nothing to ask of.
ELSEWHERE = ("watchDocument", "deleteDocument")
SCHEMATHESIS = str(Path(sys.executable).with_name("schemathesis"))  # no need to be on the path
SECONDS = 60


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[ServerProcess]:
    made = ServerProcess(tmp_path_factory.mktemp("described"), staged=True, log_level="error")
    yield made.start()
    made.close()


def asked(
    server: ServerProcess,
    folder: Path,
    parameters: dict[str, str],
    *more_checks: str,
    schema: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    configuration = folder / "schemathesis.toml"
    lines = (f"{json.dumps(name)} = {json.dumps(value)}" for name, value in parameters.items())
    configuration.write_text("\n".join(("[parameters]", *lines)) + "\n")
    where = f"{server.url}/schema/openapi.json" if schema is None else str(schema)
    checks = ",".join((*CHECKS, *more_checks))
    command = [
        *(SCHEMATHESIS, "--config-file", str(configuration), "run", where, "--url", server.url),
        *("--header", f"Authorization: Bearer {KEY}", "--checks", checks),
        *("--phases", "examples,coverage,fuzzing", "--max-examples", "15"),
        *("--generation-deterministic", "--request-timeout", "10", "--no-color"),
        *(word for name in ELSEWHERE for word in ("--exclude-operation-id", name)),
    ]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False
    )


@pytest.fixture
def parameters(server: ServerProcess) -> dict[str, str]:
    """Those of a document with an edit and a link to it."""
    with server.client() as client:
        document = upload(client, docx("hello world"), tracked_changes=True)["docId"]
        edit_uid = uid()
        edit(client, document, "replace hello with goodbye", editUid=edit_uid)
        link: str = client.get(f"/v1/documents/{document}").json()["downloadUrl"]
    signature = {f"query.{name}": value for name, value in parse_qsl(urlsplit(link).query)}
    return {
        "path.doc_id": document,
        "path.edit_uid": edit_uid,
        "path.version": "1",
        **signature,
    }


def test_every_answer_about_a_document_is_described(
    server: ServerProcess, tmp_path: Path, parameters: dict[str, str]
) -> None:
    done = asked(server, tmp_path, parameters, "negative_data_rejection")
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_answer_about_what_is_not_there_is_described(
    server: ServerProcess, tmp_path: Path
) -> None:
    done = asked(server, tmp_path, {})
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("status", ["404", "422"])
def test_an_answer_that_is_not_described_is_found(
    server: ServerProcess, tmp_path: Path, status: str
) -> None:
    with server.client() as client:
        described = client.get("/schema/openapi.json").json()
    for operations in described["paths"].values():
        for operation in operations.values():
            operation["responses"].pop(status, None)
    schema = tmp_path / "openapi.json"
    schema.write_text(json.dumps(described))
    done = asked(server, tmp_path, {}, schema=schema)
    assert done.returncode == 1
    assert "ST103" in done.stdout
