"""Reads the fields of a request one by one, and says in one sentence what is wrong with the first.

A field comes from a JSON body, a form, or the query; unknown ones are ignored. An absent field and
a JSON null are the same. Text from a form or query is read as the field's type.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from redraft.api.errors import FieldError, MalformedError, MissingDocumentError

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
LONGEST_TEXT = 20_000
YES = ("true", "1", "yes", "on")
NO = ("false", "0", "no", "off", "")
MISSING = "missing required field"


def json_object(body: bytes) -> Mapping[str, Any]:
    """Decodes a JSON body.

    Raises:
        MalformedError: it is not JSON.
        FieldError: it is not an object.
    """
    try:
        decoded = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MalformedError from error
    if not isinstance(decoded, dict):
        raise FieldError("body", "must be a JSON object")
    return decoded  # pyright: ignore[reportUnknownVariableType] - what JSON brought


def text(
    fields: Mapping[str, Any], name: str, *, longest: int = LONGEST_TEXT, blank: bool = True
) -> str | None:
    """Reads a text, None when absent."""
    value = fields.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise FieldError(name, "must be a string")
    if len(value) > longest:
        raise FieldError(name, f"must not be longer than {longest:,} characters")
    if not blank and not value.strip():
        raise FieldError(name, "must not be empty")
    return value


def required_text(fields: Mapping[str, Any], name: str, *, longest: int = LONGEST_TEXT) -> str:
    """Reads a text that must be there and not be blank."""
    value = text(fields, name, longest=longest, blank=False)
    if value is None:
        raise FieldError(name, MISSING)
    return value


def uuid(fields: Mapping[str, Any], name: str) -> str | None:
    """Reads a UUID in the usual form of 36 characters, None when absent."""
    value = fields.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or not UUID.fullmatch(value):
        raise FieldError(name, "must be a UUID")
    return value


def required_uuid(fields: Mapping[str, Any], name: str) -> str:
    """Reads a UUID that must be there."""
    value = uuid(fields, name)
    if value is None:
        raise FieldError(name, MISSING)
    return value


def flag(fields: Mapping[str, Any], name: str) -> bool:
    """Reads a truth value of a JSON body; absent is false."""
    value = fields.get(name)
    if value is None or isinstance(value, bool):
        return bool(value)
    raise FieldError(name, "must be true or false")


def form_flag(fields: Mapping[str, Any], name: str) -> bool:
    """Reads a truth value of a form, as clients write it: `true`, `True`, `1`, `on`."""
    value = fields.get(name)
    if value is None:
        return False
    if isinstance(value, str) and value.lower() in (*YES, *NO):
        return value.lower() in YES
    raise FieldError(name, "must be true or false")


def number(fields: Mapping[str, Any], name: str) -> int | None:
    """Reads a whole number from 0 of a JSON body, None when absent."""
    value = fields.get(name)
    if value is None:
        return None
    if type(value) is not int or not 0 <= value < 1 << 53:
        raise FieldError(name, "must be a whole number from 0")
    return value


def form_number(
    fields: Mapping[str, Any], name: str, default: int, lowest: int, highest: int
) -> int:
    """Reads a whole number from a form or query."""
    value = fields.get(name)
    if value is None or value == "":
        return default
    problem = f"must be a whole number from {lowest} to {highest}"
    if not isinstance(value, str) or not re.fullmatch(r"[+-]?[0-9]{1,12}", value.strip()):
        raise FieldError(name, problem)
    number = int(value)
    if not lowest <= number <= highest:
        raise FieldError(name, problem)
    return number


def choice(fields: Mapping[str, Any], name: str, allowed: tuple[str, ...], default: str) -> str:
    """Reads one of a few words."""
    value = fields.get(name)
    if value is None:
        return default
    if value not in allowed:
        raise FieldError(name, "must be one of " + ", ".join(allowed))
    return value


def texts(fields: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Reads a list of texts; empty when absent."""
    value = fields.get(name)
    if value is None:
        return ()
    if not isinstance(value, list):
        raise FieldError(name, "must be a list of strings")
    items: list[str] = []
    for item in value:  # pyright: ignore[reportUnknownVariableType] - what JSON brought
        if not isinstance(item, str):
            raise FieldError(name, "must be a list of strings")
        items.append(item)
    return tuple(items)


def document_id(written: str, missing: type[MissingDocumentError] = MissingDocumentError) -> str:
    """Reads the document's id from a path; a malformed one is a document that is not there."""
    if not UUID.fullmatch(written):
        raise missing
    return written.lower()
