"""The use cases that hand a file out: links, and what they and the direct download open."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from redraft.api.auth.api_keys import Authenticator, Caller
from redraft.api.auth.presign import Link
from redraft.api.context import ServiceContext
from redraft.api.errors import (
    AccessDeniedError,
    BadLinkError,
    DownloadError,
    FieldError,
    MissingDocumentError,
    MissingFileError,
    WorkerError,
)
from redraft.api.files.protocol import AbsentError, Span, StoreError
from redraft.api.metadata.audit import Deed
from redraft.api.metadata.protocol import Document, Version
from redraft.api.operations.renditions import is_tracked_pdf, key_of
from redraft.api.requests import filenames
from redraft.api.requests.fields import document_id
from redraft.engine.errors import EngineError
from redraft.engine.formats import MEDIA_TYPES

DownloadView: TypeAlias = Literal["clean", "redline", "original"]
DOWNLOAD_VIEWS = ("clean", "redline", "original")
DOWNLOAD_FORMATS = ("docx",)
AT_ONCE = 1024 * 1024
"""Bytes up to which a download is read before it is sent."""


@dataclass(frozen=True, slots=True)
class Download:
    """An object to be sent: where it is, and what to say about it."""

    key: str
    size: int
    name: str
    media_type: str
    etag: str
    digest: str = ""
    """The SHA-256 that the object must have; empty for a copy that was made from another."""


class Downloads:
    """Hands files out."""

    def __init__(self, context: ServiceContext, authenticator: Authenticator) -> None:
        self._context = context
        self._authenticator = authenticator

    async def link(self, caller: Caller, written: str, seconds: int) -> tuple[Document, Link]:
        """Makes a presigned URL to the document as it stands.

        Raises:
            MissingDocumentError: unknown or expired.
            AccessDeniedError: another key's.
        """
        document = await self._context.metadata.documents.get(document_id(written))
        if document is None or not document.is_alive(self._context.clock.now()):
            raise MissingDocumentError
        if document.owner != caller.owner:
            raise AccessDeniedError
        link = await self._context.presigner.link(
            document.id, document.version, seconds, caller.key
        )
        await self._record(caller.owner, "link", document)
        return document, link

    async def owner_of(self, written: str) -> str:
        """Returns whose a document is; nobody's where there is none."""
        document = await self._context.metadata.documents.get(document_id(written))
        return "" if document is None else document.owner

    async def stored(self, written: str, number: str, query: Sequence[tuple[str, str]]) -> Download:
        """Finds what a presigned URL opens; its signature is looked at before anything else.

        Raises:
            BadLinkError: the URL is not genuine, has expired, or its API key is closed.
            MissingFileError: the document is gone.
        """
        key = await self._context.presigner.verified(f"/storage/{written}/{number}", query)
        document = await self._context.metadata.documents.get(
            document_id(written, MissingFileError)
        )
        if document is None or not document.is_alive(self._context.clock.now()):
            raise MissingFileError
        if not await self._authenticator.still_opens(Caller(document.owner, key)):
            raise BadLinkError
        version = (
            await self._context.metadata.documents.version(document.id, int(number))
            if number.isdecimal()
            else None
        )
        if version is None:
            raise MissingFileError
        await self._record(document.owner, "download", document, version)
        return await self._shown(document, version, "redline")

    async def download(
        self, owner: str, written: str, view: DownloadView | None, *, in_word: bool = False
    ) -> Download:
        """Finds the file of a document; of a tracked PDF perhaps as a Word document.

        Raises:
            MissingFileError: unknown, expired, or another key's.
            FieldError: a Word document is asked of a PDF whose changes are not tracked.
            DownloadError: it should be there and is not.
        """
        document, version = await self._context.visible_version(owner, written, MissingFileError)
        if view == "original":
            first = await self._context.metadata.documents.version(document.id, 0)
            version = version if first is None else first
        await self._record(owner, "download", document, version)
        if in_word and document.format == "pdf":
            return await self._word(document, version, view or "redline")
        return await self._shown(document, version, view or "redline")

    def content(self, download: Download, span: Span) -> AsyncIterator[bytes]:
        """Streams bytes of a download."""
        return self._context.files.read(download.key, span)

    async def loaded(self, download: Download, span: Span) -> bytes:
        """Reads bytes of a download.

        Raises:
            DownloadError: they should be there and are not.
        """
        try:
            return b"".join([chunk async for chunk in self.content(download, span)])
        except AbsentError as error:
            raise DownloadError from error

    async def check(self, download: Download) -> None:
        """Sees to it that there is something to send, before the first word of an answer.

        Raises:
            DownloadError: there is not.
        """
        try:
            await self._context.files.size(download.key)
            if download.digest:
                await self._context.files.verify(download.key, download.digest)
        except AbsentError as error:
            raise DownloadError from error

    async def _record(
        self, who: str, deed: Deed, document: Document, version: Version | None = None
    ) -> None:
        digest = None if version is None else version.digest
        now = self._context.clock.now()
        await self._context.metadata.audit.record(now, who, deed, document.id, digest)

    async def _shown(self, document: Document, version: Version, view: DownloadView) -> Download:
        """Gives a view of a version, made where need be.

        Raises:
            DownloadError: it cannot be made.
        """
        renditions = self._context.renditions
        try:
            # A file that allows tracked changes only has them, whatever was chosen at upload.
            has_marks = document.tracked or document.format == "docx"
            if view == "clean" and version.number and has_marks:
                key = await renditions.clean(document, version)
                return await self._download(document, key, f"{version.digest}-clean")
            if view == "redline" and version.number and is_tracked_pdf(document):
                # The marks tell accepted from open, which the file's own digest does not.
                key = await renditions.redline(document, version)
                etag = f"{version.digest}-{version.number}-redline"
                return await self._download(document, key, etag)
        except (StoreError, EngineError, WorkerError) as error:
            raise DownloadError from error
        key = key_of(document, version)
        return Download(
            key, version.size, document.name, document.media_type, version.digest, version.digest
        )

    async def _word(self, document: Document, version: Version, view: DownloadView) -> Download:
        """Gives a tracked PDF as a Word document."""
        if not document.tracked:
            raise FieldError("format", "docx is only available for a PDF with tracked changes")
        is_redline = view == "redline"
        try:
            key = await self._context.renditions.word(document, version, is_redline=is_redline)
        except (StoreError, EngineError, WorkerError) as error:
            raise DownloadError from error
        etag = f"{version.digest}-{version.number}-{'redline' if is_redline else 'plain'}-docx"
        download = await self._download(document, key, etag)
        name = filenames.with_suffix(_without_pdf(download.name), "docx")
        return replace(download, name=name, media_type=MEDIA_TYPES["docx"])

    async def _download(self, document: Document, key: str, etag: str) -> Download:
        try:
            size = await self._context.files.size(key)
        except AbsentError as error:
            raise DownloadError from error
        return Download(key, size, document.name, document.media_type, etag)


def _without_pdf(name: str) -> str:
    return name[:-4] if name.lower().endswith(".pdf") else name
