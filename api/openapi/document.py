"""The description of the interface (OpenAPI 3.1), from one table of endpoints.

What the interface document does not have is marked `x-extension: true`. A test holds the table
against the routes, and the result against docs/openapi.json.
"""

from __future__ import annotations

import html
from functools import cache
from typing import Any

import msgspec

from redraft.api import schemas
from redraft.api.openapi import endpoints
from redraft.api.openapi.admin_endpoints import ADMIN_ENDPOINTS, KEY_FORM, QUOTA_FORM
from redraft.api.openapi.endpoints import Endpoint, Parameter
from redraft.api.requests.bodies import (
    CompareRequest,
    EditRequest,
    ReadRequest,
    ResolveRequest,
    TextRequest,
)

VERSION = "1.0.0"
REFERENCE = "#/components/schemas/{name}"
JSON = "application/json"
REQUESTS = (EditRequest, TextRequest, CompareRequest, ReadRequest, ResolveRequest)
ENDPOINTS = (*endpoints.ENDPOINTS, *ADMIN_ENDPOINTS)
STRUCTS = (
    schemas.Uploaded,
    schemas.DocumentList,
    schemas.Existence,
    schemas.DownloadLink,
    schemas.Edited,
    schemas.ReadOut,
    schemas.BlockList,
    schemas.DocumentText,
    schemas.ChangeList,
    schemas.CommentList,
    schemas.Resolved,
    schemas.Moved,
    schemas.Deleted,
    schemas.Cancelled,
    schemas.History,
    schemas.Health,
    schemas.Readiness,
    schemas.AdminKeyList,
    schemas.KeyMade,
    schemas.KeyClosed,
    schemas.AdminDocumentList,
    schemas.HoldList,
    schemas.SweepReport,
    schemas.ErrorBody,
    schemas.EditErrorBody,
    *REQUESTS,
)


@cache
def document() -> bytes:
    """Writes the OpenAPI document."""
    return msgspec.json.format(msgspec.json.encode(_document()), indent=1) + b"\n"


@cache
def page() -> bytes:
    """Writes the interface as a page for people, with nothing from any other host."""
    rows = "".join(_section(endpoint) for endpoint in ENDPOINTS)
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>redraft interface</title>"
        "<style>body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}"
        "code{background:#8882;padding:0 .25em}td,th{text-align:left;padding:0 1em 0 0;"
        "vertical-align:top}section{border-top:1px solid #8886;margin-top:1rem}</style>"
        "<h1>redraft interface</h1><p>For programs: "
        "<a href=/schema/openapi.json>openapi.json</a></p>" + rows
    ).encode()


def _document() -> dict[str, Any]:
    _, components = msgspec.json.schema_components(STRUCTS, ref_template=REFERENCE)
    components["UploadForm"] = endpoints.UPLOAD_FORM
    components |= {"KeyForm": KEY_FORM, "QuotaForm": QUOTA_FORM}
    for body in ("ErrorBody", "EditErrorBody"):
        components[body]["additionalProperties"] = False
    for struct in REQUESTS:
        _allow_nulls(components[struct.__name__])
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "redraft",
            "version": VERSION,
            "description": "Store a .docx or .pdf for a while, read it as Markdown, edit it by "
            "saying what should change, and download it with tracked changes.",
            "license": {"name": "AGPL-3.0-or-later", "identifier": "AGPL-3.0-or-later"},
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"key": []}],
    }


def _allow_nulls(component: dict[str, Any]) -> None:
    """Says of each field that may be left out that null is the same."""
    for name, schema in component["properties"].items():
        if name not in component["required"] and {"type": "null"} not in schema.get("anyOf", ()):
            default = {"default": schema.pop("default")} if "default" in schema else {}
            component["properties"][name] = {"anyOf": [schema, {"type": "null"}], **default}


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "tags": [endpoint.tag],
        "parameters": [_parameter(parameter) for parameter in endpoint.parameters],
        "responses": _responses(endpoint),
    }
    if endpoint.is_extension:
        operation["x-extension"] = True
    if endpoint.is_open:
        operation["security"] = []
    if endpoint.request is not None:
        media: dict[str, Any] = {"schema": {"$ref": REFERENCE.format(name=endpoint.request)}}
        if endpoint.example is not None:
            media["example"] = dict(endpoint.example)
        operation["requestBody"] = {"required": True, "content": {endpoint.request_type: media}}
    return operation


def _parameter(parameter: Parameter) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "in": parameter.place,
        "required": parameter.place == "path",
        "description": parameter.description,
        "schema": dict(parameter.schema),
    }


def _responses(endpoint: Endpoint) -> dict[str, Any]:
    content: dict[str, Any]
    if endpoint.response is None:
        content = {kind: {} for kind in endpoint.response_types}
    else:
        content = {JSON: {"schema": {"$ref": REFERENCE.format(name=endpoint.response)}}}
    responses: dict[str, Any] = {"200": {"description": "Done", "content": content}}
    if endpoint.has_ranges:
        responses["206"] = {"description": "The range that was asked for", "content": content}
    for error in endpoint.errors:
        entry = responses.setdefault(
            str(error.status),
            {
                "description": error.when,
                "content": {
                    JSON: {
                        "schema": {"$ref": REFERENCE.format(name=endpoint.error_body)},
                        "examples": {},
                    }
                },
            },
        )
        examples = entry["content"][JSON]["examples"]
        examples[f"example{len(examples) + 1}"] = {
            "summary": error.when,
            "value": {"detail": error.detail},
        }
    return responses


def _section(endpoint: Endpoint) -> str:
    errors = "".join(
        f"<tr><td>{error.status}<td><code>{html.escape(error.detail)}</code>"
        f"<td>{html.escape(error.when)}"
        for error in endpoint.errors
    )
    mark = " <em>(extension)</em>" if endpoint.is_extension else ""
    return (
        f"<section><h2><code>{endpoint.method} {html.escape(endpoint.path)}</code></h2>"
        f"<p>{html.escape(endpoint.summary)}.{mark}</p><table>{errors}</table></section>"
    )
