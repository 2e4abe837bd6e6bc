from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar.handlers import HTTPRouteHandler

from redraft.api import errors, schemas
from redraft.api.app import ROUTES
from redraft.api.openapi.document import ENDPOINTS, STRUCTS, document

ROOT = Path(__file__).resolve().parents[2]


def described() -> dict[str, Any]:
    return msgspec.json.decode(document())


def routed() -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for route in ROUTES:
        assert isinstance(route, HTTPRouteHandler)
        for path in route.paths:
            plain = re.sub(r"{(\w+):\w+}", r"{\1}", path)
            plain = plain + "/" if plain == "/v1/documents" else plain
            found |= {(str(method), plain) for method in route.http_methods if method != "HEAD"}
    return found


def test_every_route_is_described_and_every_description_is_routed() -> None:
    assert {(endpoint.method, endpoint.path) for endpoint in ENDPOINTS} == routed()


def test_the_file_in_docs_is_the_one_that_is_served() -> None:
    assert (ROOT / "docs" / "openapi.json").read_bytes() == document()


def test_references_lead_somewhere() -> None:
    components = described()["components"]["schemas"]
    references = set(re.findall(rb'"#/components/schemas/(\w+)"', document()))
    assert {reference.decode() for reference in references} <= set(components)
    assert {struct.__name__ for struct in STRUCTS} <= set(components)


def test_wire_names_are_camel_case_but_for_image_annotations() -> None:
    for name, schema in described()["components"]["schemas"].items():
        for field in schema.get("properties", {}):
            if name in ("ImageAnnotation", "UploadForm"):
                continue
            assert re.fullmatch(r"[a-z]+([A-Z][a-z]+)*", field), (name, field)


CONTRACT = {
    "POST /v1/documents/": {400: errors.UnsupportedFileError, 413: errors.FileTooLargeError},
    "GET /v1/documents/{doc_id}": {
        404: errors.MissingDocumentError,
        403: errors.AccessDeniedError,
    },
    "GET /v1/documents/{doc_id}/download": {
        404: errors.MissingFileError,
        401: errors.UnauthenticatedError,
        500: errors.DownloadError,
    },
    "POST /v1/documents/{doc_id}/edits": {404: errors.MissingDocumentError},
    "POST /v1/documents/{doc_id}/markdown": {404: errors.MissingDocumentError},
}


@pytest.mark.parametrize("path", CONTRACT)
def test_the_errors_of_the_interface_are_described_with_their_texts(path: str) -> None:
    (endpoint,) = [e for e in ENDPOINTS if f"{e.method} {e.path}" == path]
    told = {(fault.status, fault.detail) for fault in endpoint.errors}
    assert not endpoint.is_extension
    for status, kind in CONTRACT[path].items():
        assert (status, kind.text) in told


def test_additions_are_marked() -> None:
    for endpoint in ENDPOINTS:
        operation = described()["paths"][endpoint.path][endpoint.method.lower()]
        in_interface = f"{endpoint.method} {endpoint.path}" in CONTRACT
        assert ("x-extension" in operation) is not in_interface


def test_error_bodies_have_one_field() -> None:
    assert schemas.ErrorBody.__struct_fields__ == ("detail",)
