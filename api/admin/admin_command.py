"""`redraft admin`: the interface of administrators (`/v1/admin/…`) for people, a line for each."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

import httpx

DONE, FAILED = 0, 1
SECONDS = 330.0
"""Longer than the service may take to delete what something runs on."""
PAGE = 1000


class AdminError(Exception):
    """The service refused or did not answer; the message says what."""


def run(options: argparse.Namespace, key: str, transport: httpx.BaseTransport | None = None) -> int:
    """Asks the service what the command line wants; data goes to stdout.

    Args:
        options: The command line, with the address of the service in `server`.
        key: The key of an administrator.
        transport: How the service is reached; over the network if None.

    Returns:
        0; 1 when the service refuses or does not answer.
    """
    headers = {"Authorization": f"Bearer {key}"}
    address = options.server.rstrip("/")
    with httpx.Client(
        base_url=address, headers=headers, timeout=SECONDS, transport=transport
    ) as client:
        try:
            lines = _asked(client, options)
        except AdminError as error:
            sys.stderr.write(f"redraft: {error}\n")
            return FAILED
        except httpx.HTTPError as error:
            sys.stderr.write(f"redraft: {address} does not answer ({type(error).__name__})\n")
            return FAILED
    sys.stdout.writelines("\t".join(map(_word, line)) + "\n" for line in lines)
    return DONE


def _asked(client: httpx.Client, options: argparse.Namespace) -> list[Sequence[object]]:
    match options.action:
        case "keys":
            return [_key_line(item) for item in _answer(client, "GET", "keys")["keys"]]
        case "create-key":
            wish = {"name": options.name, "role": options.role, "days": options.days}
            made = _answer(client, "POST", "keys", wish | {"for": options.beside or None})
            sys.stderr.write("redraft: this is the only time the key is shown\n")
            return [(made["key"],)]
        case "revoke-key":
            closed = _answer(client, "DELETE", f"keys/{_part(options.id)}")
            return [(closed["id"], "revoked")]
        case "quota":
            return [_quota_line(_quota(client, options))]
        case "documents":
            return [_document_line(item) for item in _documents(client)]
        case "delete":
            _answer(client, "DELETE", f"documents/{_part(options.document)}")
            return [(options.document, "deleted")]
        case "hold" | "release":
            what = "keys" if options.key else "documents"
            path = f"{what}/{_part(options.key or options.document)}/hold"
            held = _answer(client, "PUT" if options.action == "hold" else "DELETE", path)
            return [(name, options.action) for name in held["documents"]]
        case _:
            report = _answer(client, "POST" if options.now else "GET", "sweeps")
            return list(report.items())


def _quota(client: httpx.Client, options: argparse.Namespace) -> Mapping[str, Any]:
    path = f"keys/{_part(options.id)}/quota"
    if options.documents is None and options.size is None:
        return _answer(client, "DELETE", path)
    wish = {"documents": options.documents, "bytes": options.size}
    return _answer(client, "PUT", path, wish)


def _documents(client: httpx.Client) -> list[Mapping[str, Any]]:
    documents: list[Mapping[str, Any]] = []
    after: str | None = ""
    while after is not None:
        page = _answer(client, "GET", f"documents?limit={PAGE}&after={_part(after)}")
        documents.extend(page["documents"])
        after = page["next"]
    return documents


def _answer(
    client: httpx.Client, method: str, path: str, body: Mapping[str, object] | None = None
) -> Mapping[str, Any]:
    answer = client.request(method, f"/v1/admin/{path}", json=body)
    try:
        fields: Mapping[str, Any] = answer.json()
    except ValueError as error:
        message = f"what answers there is no redraft service ({answer.status_code})"
        raise AdminError(message) from error
    if not answer.is_success:
        raise AdminError(str(fields.get("detail", answer.status_code)))
    return fields


def _key_line(key: Mapping[str, Any]) -> Sequence[object]:
    names = ("id", "role", "state", "owner", "createdAt", "expiresAt", "usedOn", "name")
    return [key[name] for name in names]


def _quota_line(key: Mapping[str, Any]) -> Sequence[object]:
    names = ("id", "owner", "documents", "mostDocuments", "storedBytes", "mostBytes")
    return [key[name] for name in names]


def _document_line(document: Mapping[str, Any]) -> Sequence[object]:
    names = ("docId", "owner", "size", "version", "createdAt", "expiresAt")
    return [*(document[name] for name in names), "on hold" if document["onHold"] else ""]


def _part(name: str) -> str:
    return quote(name, safe="")


def _word(value: object) -> str:
    return "-" if value is None else str(value)
