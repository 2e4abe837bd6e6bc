"""The endpoints of administrators, described."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from redraft.api.auth.roles import NO_ADMINISTRATOR
from redraft.api.errors import LegalHoldError, MissingDocumentError, MissingKeyError, RoleError
from redraft.api.openapi.endpoints import (
    DOC_ID,
    GENERAL,
    JSON_BODY,
    Endpoint,
    Fault,
    Method,
    Parameter,
)

TAG = "administration"
KEY_ID = Parameter("key_id", "path", "The id of a key.", {"type": "string"})
AFTER = Parameter("after", "query", "The id to go on behind.", {"type": "string"})
LIMIT = Parameter(
    "limit",
    "query",
    "How many documents.",
    {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100},
)
NOT_ADMIN = Fault(RoleError.status, NO_ADMINISTRATOR, "The key is not an administrator's")
NO_SUCH_KEY = Fault(MissingKeyError.status, MissingKeyError.text, "There is no such open key")
NO_DOCUMENT = Fault(404, MissingDocumentError.text, "There is no such document")
ON_HOLD = Fault(LegalHoldError.status, LegalHoldError.text, "The document is on legal hold")
KEY_FORM: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 255, "default": ""},
        "role": {"type": "string", "enum": ["read", "edit", "admin"], "default": "edit"},
        "days": {"type": "integer", "minimum": 1, "maximum": 36500},
        "for": {"type": "string", "description": "A key whose documents it opens"},
    },
}
QUOTA_FORM: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "documents": {"type": "integer", "minimum": 0, "default": 0},
        "bytes": {"type": "integer", "minimum": 0, "default": 0},
    },
}


def _endpoint(
    method: Method,
    path: str,
    name: str,
    summary: str,
    response: str,
    *faults: Fault,
    parameters: tuple[Parameter, ...] = (),
    request: str | None = None,
) -> Endpoint:
    return Endpoint(
        method,
        f"/v1/admin/{path}",
        name,
        summary,
        TAG,
        response=response,
        request=request,
        parameters=parameters,
        errors=(*faults, NOT_ADMIN, *GENERAL),
    )


KEY, DOCUMENT = (KEY_ID,), (DOC_ID,)
ADMIN_ENDPOINTS: tuple[Endpoint, ...] = (
    _endpoint("GET", "keys", "listKeys", "List all keys", "AdminKeyList"),
    _endpoint(
        "POST",
        "keys",
        "makeKey",
        "Make a key, which is told once",
        "KeyMade",
        NO_SUCH_KEY,
        *JSON_BODY,
        request="KeyForm",
    ),
    _endpoint(
        "DELETE",
        "keys/{key_id}",
        "closeKey",
        "Revoke a key",
        "KeyClosed",
        NO_SUCH_KEY,
        parameters=KEY,
    ),
    _endpoint(
        "PUT",
        "keys/{key_id}/quota",
        "setQuota",
        "Give the owner of a key a quota of its own",
        "AdminKey",
        NO_SUCH_KEY,
        *JSON_BODY,
        parameters=KEY,
        request="QuotaForm",
    ),
    _endpoint(
        "DELETE",
        "keys/{key_id}/quota",
        "dropQuota",
        "Let the quota of the settings hold for the owner of a key",
        "AdminKey",
        NO_SUCH_KEY,
        parameters=KEY,
    ),
    _endpoint(
        "PUT",
        "keys/{key_id}/hold",
        "holdKey",
        "Begin the legal hold of all documents that the owner of a key has now",
        "HoldList",
        NO_SUCH_KEY,
        parameters=KEY,
    ),
    _endpoint(
        "DELETE",
        "keys/{key_id}/hold",
        "releaseKey",
        "End the legal hold of the documents of the owner of a key",
        "HoldList",
        NO_SUCH_KEY,
        parameters=KEY,
    ),
    _endpoint(
        "GET",
        "documents",
        "listAllDocuments",
        "List the documents of all owners, without their names",
        "AdminDocumentList",
        parameters=(AFTER, LIMIT),
    ),
    _endpoint(
        "DELETE",
        "documents/{doc_id}",
        "deleteAnyDocument",
        "Delete a document of any owner",
        "Deleted",
        NO_DOCUMENT,
        ON_HOLD,
        parameters=DOCUMENT,
    ),
    _endpoint(
        "PUT",
        "documents/{doc_id}/hold",
        "holdDocument",
        "Begin the legal hold of a document",
        "HoldList",
        NO_DOCUMENT,
        parameters=DOCUMENT,
    ),
    _endpoint(
        "DELETE",
        "documents/{doc_id}/hold",
        "releaseDocument",
        "End the legal hold of a document",
        "HoldList",
        NO_DOCUMENT,
        parameters=DOCUMENT,
    ),
    _endpoint("GET", "sweeps", "sweeps", "Say what sweeps came to", "SweepReport"),
    _endpoint("POST", "sweeps", "sweep", "Delete now what has expired", "SweepReport"),
)
