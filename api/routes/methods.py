"""What may be asked of a path: one handler of OPTIONS for each, which knows all methods of it.

Litestar makes one by itself with the first handler of a path, and keeps it when others join.
"""

from __future__ import annotations

from collections.abc import Sequence

from litestar import HttpMethod, route
from litestar.handlers import HTTPRouteHandler


def options(handlers: Sequence[HTTPRouteHandler]) -> tuple[HTTPRouteHandler, ...]:
    """Makes the handlers of OPTIONS (RFC 9110, 9.3.7), to be registered before all others."""
    methods: dict[str, set[str]] = {}
    for handler in handlers:
        for path in handler.paths:
            methods.setdefault(path, {"OPTIONS"}).update(map(str, handler.http_methods))
    return tuple(_telling(path, ", ".join(sorted(allowed))) for path, allowed in methods.items())


def _telling(path: str, allowed: str) -> HTTPRouteHandler:
    headers = {"Allow": allowed}

    @route(path, http_method=HttpMethod.OPTIONS, status_code=204, response_headers=headers)
    async def tell() -> None:
        """Says which methods the path has, by the header alone."""

    return tell
