"""Downloads: the file itself, directly with a key or through a presigned URL; GET, HEAD, ranges."""

from __future__ import annotations

import re
from typing import cast

from litestar import HttpMethod, route
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response.base import ASGIResponse
from litestar.response.streaming import ASGIStreamingResponse

from redraft.api.downloads import (
    AT_ONCE,
    DOWNLOAD_FORMATS,
    DOWNLOAD_VIEWS,
    Download,
    Downloads,
    DownloadView,
)
from redraft.api.errors import RangeError
from redraft.api.files.protocol import Span
from redraft.api.requests import filenames
from redraft.api.requests.fields import choice
from redraft.api.routes.answers import Dependencies, HttpRequest, owner_of

RANGE = re.compile(r"bytes=([0-9]*)-([0-9]*)")
WHOLE, PARTIAL = 200, 206
MOST_DIGITS = 18
METHODS = [HttpMethod.GET, HttpMethod.HEAD]


@route("/v1/documents/{doc_id:str}/download", http_method=METHODS)
async def download(
    request: HttpRequest, dependencies: NamedDependency[Dependencies], doc_id: FromPath[str]
) -> ASGIResponse:
    """Downloads a document with a key."""
    written = choice(request.query_params, "view", DOWNLOAD_VIEWS, "")
    view = cast(DownloadView, written) if written else None
    in_word = choice(request.query_params, "format", DOWNLOAD_FORMATS, "") == "docx"
    file = await dependencies.downloads.download(owner_of(request), doc_id, view, in_word=in_word)
    return await _answer(request, dependencies.downloads, file)


@route("/storage/{doc_id:str}/{version:str}", http_method=METHODS)
async def stored(
    request: HttpRequest,
    dependencies: NamedDependency[Dependencies],
    doc_id: FromPath[str],
    version: FromPath[str],
) -> ASGIResponse:
    """Downloads through a presigned URL."""
    query = tuple(request.query_params.multi_items())
    file = await dependencies.downloads.stored(doc_id, version, query)
    return await _answer(request, dependencies.downloads, file)


async def _answer(request: HttpRequest, downloads: Downloads, file: Download) -> ASGIResponse:
    etag = f'"{file.etag}"'
    span = _span(request, file.size, etag)
    headers = {
        "Content-Type": file.media_type,
        "Content-Disposition": filenames.disposition(file.name),
        "Accept-Ranges": "bytes",
        "ETag": etag,
    }
    part = Span(0, file.size) if span is None else span
    headers["Content-Length"] = str(part.stop - part.start)
    if span is not None:
        headers["Content-Range"] = f"bytes {span.start}-{span.stop - 1}/{file.size}"
    status = WHOLE if span is None else PARTIAL
    await downloads.check(file)
    if request.method == HttpMethod.HEAD:
        return ASGIResponse(headers=headers, status_code=status, is_head_response=True)
    if part.stop - part.start <= AT_ONCE:
        body = await downloads.loaded(file, part)
        return ASGIResponse(
            body=body, headers=headers, status_code=status, media_type=file.media_type
        )
    return ASGIStreamingResponse(
        iterator=downloads.content(file, part),
        headers=headers,
        status_code=status,
        media_type=file.media_type,
    )


def _span(request: HttpRequest, size: int, etag: str) -> Span | None:
    """Reads the Range header (RFC 9110, 14.2); a form that is not understood asks for the whole.

    Raises:
        RangeError: no byte of the range is in the file.
    """
    match = RANGE.fullmatch(request.headers.get("range", "").replace(" ", ""))
    if match is None or match.groups() == ("", "") or request.headers.get("if-range", etag) != etag:
        return None
    first, last = match.groups()
    if not first:
        start, stop = size - _position(last, size), size
    else:
        start, stop = _position(first, size), size
        if last:
            end = _position(last, size)
            if end < start:
                return None
            stop = min(end + 1, size)
    if start >= stop:
        raise RangeError(size)
    return Span(start, stop)


def _position(written: str, size: int) -> int:
    """Reads a position, `size` for any beyond the file; as long as it may be, it is no number."""
    digits = written.lstrip("0")
    return size if len(digits) > MOST_DIGITS else min(int(digits or "0"), size)
