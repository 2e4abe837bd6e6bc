"""Documents as a small tree of files that has no file behind it, for sftp.

    /                 a .docx or .pdf put here is uploaded
    /redline/NAME     the document with its tracked changes
    /clean/NAME       with our changes accepted
    /original/NAME    as it was uploaded

Every path is looked up in the list of the service's documents; none reaches a disk.
"""

from __future__ import annotations

import posixpath
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from redraft.remote.sessions import Ticks
from redraft.tui.local_files import LARGEST, NOT_SUPPORTED, SUFFIXES, TOO_LARGE
from redraft.tui.transport import wire
from redraft.tui.transport.failures import ClientError
from redraft.tui.transport.requests import Copy, Upload

COPIES: tuple[Copy, ...] = ("redline", "clean", "original")
TTL_SECONDS = 3600
FRESH = 2.0  # seconds for which the list is believed
CACHED = 24 * 1024 * 1024  # bytes


class VirtualFileError(Exception):
    """What was asked for is not there or not possible; the message is for the person."""


class MissingError(VirtualFileError):
    """There is nothing of that name."""


class ForbiddenError(VirtualFileError):
    """There is no such thing to do here."""


class Documents(Protocol):
    """The part of the client that the shelf uses."""

    async def documents(self) -> wire.DocumentList:
        """Lists the documents of the key."""
        ...

    async def download(self, document: str, copy: Copy) -> bytes:
        """Fetches a copy of one."""
        ...

    async def upload(self, upload: Upload, told: Callable[[int], None]) -> wire.Uploaded:
        """Sends a file; `told` hears how much of it has gone out."""
        ...


@dataclass(frozen=True, slots=True)
class Folder:
    """The root (name "") or the folder of one kind of copy."""

    name: str


@dataclass(frozen=True, slots=True)
class File:
    """A copy of a document; `size` is that of the copy once it was fetched."""

    name: str
    copy: Copy
    document: str
    version: int
    size: int
    modified: float


@dataclass(frozen=True, slots=True)
class Arrived:
    """A file that was put here on this connection; it can be seen and not read."""

    name: str
    size: int
    modified: float


Entry = Folder | File | Arrived


class VirtualFiles:
    """The documents of one key, for one connection."""

    def __init__(self, documents: Documents, author: str, now: Ticks) -> None:
        """Prepares.

        Args:
            documents: The way to the service.
            author: Whose the changes of uploaded documents are.
            now: The age of the list is measured by it.
        """
        self._documents = documents
        self._author = author
        self._now = now
        self._known: Sequence[wire.DocumentInfo] = ()
        self._read_at = float("-inf")
        self._arrived: dict[str, Arrived] = {}
        self._copies: dict[tuple[str, int, Copy], bytes] = {}

    async def entries(self, path: str) -> list[Entry]:
        """Returns what is in a folder.

        Raises:
            ShelfError: it is no folder, or the service does not answer.
        """
        parts = parts_of(path)
        if not parts:
            return [*(Folder(copy) for copy in COPIES), *self._arrived.values()]
        if len(parts) == 1 and parts[0] in COPIES:
            await self._refresh()
            return list(self._files(parts[0]).values())
        message = "there is no such folder"
        raise MissingError(message)

    async def find(self, path: str) -> Entry:
        """Returns what is at a path.

        Raises:
            MissingError: nothing.
            ShelfError: the service does not answer.
        """
        parts = parts_of(path)
        if not parts:
            return Folder("")
        if len(parts) == 1:
            if parts[0] in COPIES:
                return Folder(parts[0])
            if parts[0] in self._arrived:
                return self._arrived[parts[0]]
        elif len(parts) == 2 and parts[0] in COPIES:
            copy = parts[0]
            if self._now() - self._read_at >= FRESH:
                await self._refresh()
            file = self._files(copy).get(parts[1])
            if file is not None:
                return file
        message = "there is no such file"
        raise MissingError(message)

    async def fetch(self, file: File) -> bytes:
        """Returns the bytes of a copy.

        Raises:
            ShelfError: the service refuses or does not answer.
        """
        place = (file.document, file.version, file.copy)
        if place not in self._copies:
            try:
                data = await self._documents.download(file.document, file.copy)
            except ClientError as error:
                raise VirtualFileError(str(error)) from error
            self._keep(place, data)
            return data
        return self._copies[place]

    def _keep(self, place: tuple[str, int, Copy], data: bytes) -> None:
        """Keeps a copy; a client asks for its size before it reads it. The oldest make room."""
        self._copies[place] = data
        while len(self._copies) > 1 and sum(map(len, self._copies.values())) > CACHED:
            del self._copies[next(iter(self._copies))]

    def check_name(self, path: str) -> str:
        """Returns the name under which a file that is put at a path is uploaded.

        Raises:
            ForbiddenError: nothing can be put there, or not a file of that kind.
        """
        parts = parts_of(path)
        if len(parts) != 1 or parts[0] in COPIES:
            message = "upload documents to /, not to a folder"
            raise ForbiddenError(message)
        if not parts[0].lower().endswith(SUFFIXES):
            raise ForbiddenError(NOT_SUPPORTED)
        return parts[0]

    def check_size(self, size: int) -> None:
        """Raises ForbiddenError when a file grows too large for the service."""
        if size > LARGEST:
            raise ForbiddenError(TOO_LARGE)

    async def upload(self, name: str, data: bytes, modified: float) -> str:
        """Sends a file that was put; returns what there is to say about it.

        Raises:
            ShelfError: it was not taken; with the service's words.
        """
        order = Upload(name, data, TTL_SECONDS, True, self._author)
        try:
            answer = await self._documents.upload(order, _unheard)
        except ClientError as error:
            raise VirtualFileError(str(error)) from error
        self._read_at = float("-inf")
        self._arrived[name] = Arrived(name, len(data), modified)
        notes = [f"uploaded; it is in /redline, /clean and /original for {TTL_SECONDS // 60} min"]
        return "; ".join([*notes, *answer.warnings])

    async def _refresh(self) -> None:
        try:
            self._known = (await self._documents.documents()).documents
        except ClientError as error:
            raise VirtualFileError(str(error)) from error
        self._read_at = self._now()

    def _files(self, copy: Copy) -> dict[str, File]:
        """Returns the files of a folder by name; documents of one name are told apart by their id.

        What is not the only one of its name carries the start of its id, so that a name never
        comes to mean another document while somebody uses it.
        """
        counts = Counter(_safe(info.name) for info in self._known)
        files: dict[str, File] = {}
        for info in self._known:
            name = _safe(info.name)
            if counts[name] > 1:
                stem, suffix = posixpath.splitext(name)
                name = f"{stem} ({info.doc_id[:8]}){suffix}"
            cached_copy = self._copies.get((info.doc_id, info.version, copy))
            size = info.size if cached_copy is None else len(cached_copy)
            files[name] = File(name, copy, info.doc_id, info.version, size, _moment(info))
        return files


def _unheard(_: int) -> None:
    """Lets nobody hear of the progress: it is the way from the client that takes long."""


def parts_of(path: str) -> list[str]:
    """Returns the names on a path from the root; `..` goes up and never past the root."""
    whole = posixpath.normpath(posixpath.join("/", path))
    return [part for part in whole.split("/") if part]


def _safe(name: str) -> str:
    """Returns a name that is one path component and holds nothing a terminal would act on."""
    visible = "".join(
        "_" if letter in "/\\" or unicodedata.category(letter).startswith("C") else letter
        for letter in name
    )
    return visible if visible.strip(". ") else f"document {visible}".strip()


def _moment(info: wire.DocumentInfo) -> float:
    try:
        return datetime.fromisoformat(info.created_at).timestamp()
    except ValueError:
        return 0.0
