"""What can be said about an endpoint, apart from what it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Method: TypeAlias = Literal["GET", "HEAD", "POST", "DELETE"]


@dataclass(frozen=True, slots=True)
class Fault:
    """An error that an endpoint may answer."""

    status: int
    detail: str
    when: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a path or a query."""

    name: str
    place: Literal["path", "query"]
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One method of one path."""

    method: Method
    path: str
    name: str
    summary: str
    tag: str
    response: str | None = None
    response_types: tuple[str, ...] = ()
    request: str | None = None
    request_type: str = "application/json"
    example: Mapping[str, Any] | None = None
    parameters: tuple[Parameter, ...] = ()
    errors: tuple[Fault, ...] = ()
    is_extension: bool = True
    is_open: bool = False
    has_ranges: bool = False
