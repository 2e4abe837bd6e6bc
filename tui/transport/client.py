"""The way to the service: one method an endpoint, values in, values out.

Only the session (`tui.session.session`) holds a client. Covers
[x] list  [x] upload  [x] edit  [x] cancel  [x] markdown  [x] changes  [x] accept, reject
[x] comments
[x] history  [x] undo, redo  [x] download  [x] presigned link  [x] delete
[x] server-sent events of a document; the list of documents is polled
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncGenerator, Callable, Mapping
from email.utils import parsedate_to_datetime
from typing import Literal, TypeVar

import httpx
import msgspec

from redraft.tui.clock import Clock
from redraft.tui.transport import wire
from redraft.tui.transport.failures import ServiceError, UnreachableError, service_error
from redraft.tui.transport.requests import Copy, Edit, Upload, View

Answer = TypeVar("Answer")

PATIENCE = 10.0  # seconds for ordinary answers
EDIT_PATIENCE = 330.0  # the service's own limit is 300 s from receipt
STREAM_PATIENCE = 45.0  # the service says that it is still there every 15 s
PIECE = 1 << 16  # bytes of an upload that go out in one go
MEDIA_TYPES = {
    ".pdf": "application/pdf",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}


class _Metered(io.BytesIO):
    """Bytes that tell how far they have been read."""

    def __init__(self, data: bytes, told: Callable[[int], None]) -> None:
        super().__init__(data)
        self._told = told

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        self._told(self.tell())
        return data


class _Paced(httpx.AsyncByteStream):
    """A body in pieces, with a turn for keys and clocks after each.

    A line that takes everything at once would keep the event loop for the whole of a file.
    """

    def __init__(self, body: httpx.AsyncByteStream) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        async for piece in self._body:
            for start in range(0, len(piece), PIECE):
                yield piece[start : start + PIECE]
                await asyncio.sleep(0)


class Client:
    """A connection to one service with one key."""

    def __init__(
        self,
        url: str,
        key: str,
        clock: Clock,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """Prepare; nothing is sent yet.

        Args:
            url: The base address.
            key: The bearer key.
            clock: For the difference to the service's clock.
            transport: Instead of the network, in tests.
        """
        self.url = url.rstrip("/")
        self.key = key
        self.skew = 0.0
        self._clock = clock
        self._http = httpx.AsyncClient(
            base_url=self.url,
            transport=transport,
            headers={"Authorization": f"Bearer {key}", "User-Agent": "redraft-terminal"},
            timeout=PATIENCE,
            follow_redirects=False,
            trust_env=False,
        )

    async def close(self) -> None:
        """Let go of the connections."""
        await self._http.aclose()

    async def documents(self) -> wire.DocumentList:
        """List the documents of this key."""
        answer = await self._send("GET", "/v1/documents/")
        return _decoded(answer, wire.DocumentList)

    async def upload(self, upload: Upload, told: Callable[[int], None]) -> wire.Uploaded:
        """Send a file; `told` hears how many of its bytes have gone out."""
        suffix = ".pdf" if upload.name.lower().endswith(".pdf") else ".docx"
        file = (upload.name, _Metered(upload.data, told), MEDIA_TYPES[suffix])
        fields = {
            "ttl_seconds": str(upload.ttl_seconds),
            "tracked_changes": "true" if upload.tracked else "false",
            "author_name": upload.author,
        }
        answer = await self._send(
            "POST", "/v1/documents/", files={"file": file}, data=fields, patience=120.0
        )
        return _decoded(answer, wire.Uploaded)

    async def edit(self, document: str, edit: Edit) -> wire.Edited:
        """Ask for an edit and wait for its end.

        Raises:
            UnreachableError: it may have been carried out; send the same edit again to learn.
        """
        body: dict[str, object] = {"editUid": edit.uid}
        if edit.operations:
            body["operations"] = edit.operations
        else:
            body["editInstructions"] = edit.instructions
        if edit.lookup:
            body["lookupText"] = edit.lookup
        if edit.large:
            body["useLargeModel"] = True
        if edit.places:
            body["places"] = edit.places
        if edit.asks_first:
            body["askFirst"] = True
        if edit.base_version is not None:
            body["baseVersion"] = edit.base_version
        path = f"/v1/documents/{document}/edits"
        return _decoded(await self._send("POST", path, body, EDIT_PATIENCE), wire.Edited)

    async def cancel(self, document: str, uid: str) -> wire.Cancelled:
        """Cancel an edit that waits or runs."""
        answer = await self._send("DELETE", f"/v1/documents/{document}/edits/{uid}")
        return _decoded(answer, wire.Cancelled)

    async def markdown(self, document: str, uid: str, view: View) -> wire.Markdown:
        """Read the document; it waits behind edits that came before."""
        body = {"readUid": uid, "view": view}
        path = f"/v1/documents/{document}/markdown"
        return _decoded(await self._send("POST", path, body, EDIT_PATIENCE), wire.Markdown)

    async def changes(self, document: str) -> list[wire.Change]:
        """List the tracked changes."""
        answer = await self._send("GET", f"/v1/documents/{document}/changes", patience=60.0)
        return _decoded(answer, wire.ChangeList).changes

    async def comments(self, document: str) -> list[wire.Comment]:
        """List the comments."""
        answer = await self._send("GET", f"/v1/documents/{document}/comments", patience=60.0)
        return _decoded(answer, wire.CommentList).comments

    async def resolve(
        self, document: str, action: Literal["accept", "reject"], selection: Mapping[str, object]
    ) -> int:
        """Accept or reject changes by `ids`, `author`, `editUid` or `all`; return their number."""
        body = {"action": action, **selection}
        answer = await self._send("POST", f"/v1/documents/{document}/changes", body, EDIT_PATIENCE)
        return _decoded(answer, wire.Resolved).resolved

    async def history(self, document: str) -> list[wire.HistoryItem]:
        """List the document's operations, oldest first."""
        answer = await self._send("GET", f"/v1/documents/{document}/edits")
        return _decoded(answer, wire.History).edits

    async def move(self, document: str, direction: Literal["undo", "redo"]) -> wire.Moved:
        """Undo the last edit, or redo it."""
        path = f"/v1/documents/{document}/{direction}"
        return _decoded(await self._send("POST", path, {}, EDIT_PATIENCE), wire.Moved)

    async def download(self, document: str, copy: Copy) -> bytes:
        """Fetch the file."""
        path = f"/v1/documents/{document}/download"
        query = {"view": "redline", "format": "docx"} if copy == "word" else {"view": copy}
        return (await self._send("GET", path, patience=120.0, query=query)).content

    async def link(self, document: str, seconds: int) -> wire.DownloadLink:
        """Make a link that needs no key."""
        answer = await self._send(
            "GET", f"/v1/documents/{document}", query={"expiresIn": str(seconds)}
        )
        return _decoded(answer, wire.DownloadLink)

    async def events(self, document: str) -> AsyncGenerator[wire.Event]:
        """Yield what happens to a document, until it ends; the first event says `opened`.

        Raises:
            ServiceError: the service does not tell.
            UnreachableError: the line broke; what happened since is not known.
        """
        path = f"/v1/documents/{document}/events"
        timeout = httpx.Timeout(PATIENCE, connect=5.0, read=STREAM_PATIENCE)
        try:
            async with self._http.stream("GET", path, timeout=timeout) as answer:
                if answer.is_error:
                    await answer.aread()
                    raise _error(answer)
                yield wire.Event(event="opened")
                async for line in answer.aiter_lines():
                    event = _event(line)
                    if event is not None:
                        yield event
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise UnreachableError(_reason(error)) from error

    async def delete(self, document: str) -> None:
        """Delete the document now."""
        await self._send("DELETE", f"/v1/documents/{document}")

    async def _send(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        patience: float = PATIENCE,
        *,
        query: Mapping[str, str] | None = None,
        files: Mapping[str, tuple[str, io.BytesIO, str]] | None = None,
        data: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """Send a request and return its answer.

        Raises:
            ServiceError: the answer was an error.
            UnreachableError: there was none.
        """
        try:
            request = self._http.build_request(
                method,
                path,
                json=body,
                params=query,
                files=files,
                data=data,
                timeout=httpx.Timeout(patience, connect=5.0),
            )
            if files is not None and isinstance(request.stream, httpx.AsyncByteStream):
                request.stream = _Paced(request.stream)
            answer = await self._http.send(request)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise UnreachableError(_reason(error)) from error
        self._note_time(answer)
        if answer.is_error:
            raise _error(answer)
        return answer

    def _note_time(self, answer: httpx.Response) -> None:
        """Learn how far the service's clock is ahead of ours; its Date header has whole seconds."""
        written = answer.headers.get("date")
        if written is None:
            return
        try:
            there = parsedate_to_datetime(written).timestamp()
        except ValueError:
            return
        ahead = there - self._clock.now()
        if abs(ahead - self.skew) > 1.5:
            self.skew = ahead


def _decoded(answer: httpx.Response, kind: type[Answer]) -> Answer:
    try:
        return msgspec.json.decode(answer.content, type=kind)
    except msgspec.DecodeError as error:
        message = f"The answer of the service could not be read: {error}"
        raise service_error(answer.status_code, message) from error


def _event(line: str) -> wire.Event | None:
    """Return the event that a line of the stream holds; comments, names and odd data hold none."""
    field, _, value = line.partition(":")
    if field != "data":
        return None
    try:
        return msgspec.json.decode(value.strip(), type=wire.Event)
    except msgspec.DecodeError:
        return None


def _error(answer: httpx.Response) -> ServiceError:
    try:
        body = msgspec.json.decode(answer.content, type=wire.ErrorBody)
    except msgspec.DecodeError:
        detail = f"The service answered {answer.status_code} {answer.reason_phrase}"
        return service_error(answer.status_code, detail)
    return service_error(answer.status_code, body.detail, body.candidates)


def _reason(error: Exception) -> str:
    """Say in a few words why there was no answer."""
    if isinstance(error, httpx.ConnectTimeout):
        return "no answer within 5 s"
    if isinstance(error, httpx.TimeoutException):
        return "the answer did not come in time"
    words = str(error) or type(error).__name__
    return "connection refused" if "attempts failed" in words else words
