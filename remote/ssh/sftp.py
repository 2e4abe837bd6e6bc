"""SFTP version 3 on the shelf: put uploads, get downloads, and nothing reaches a disk.

Covers (draft-ietf-secsh-filexfer-02): [x] OPEN [x] CLOSE [x] READ [x] WRITE [x] STAT [x] LSTAT
[x] FSTAT [x] OPENDIR [x] READDIR [x] REALPATH [x] FSETSTAT of a file being put, taken and ignored
[-] REMOVE [-] RENAME [-] MKDIR [-] RMDIR [-] SETSTAT [-] READLINK [-] SYMLINK, all refused
"""

from __future__ import annotations

import contextlib
import logging
import stat
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import NoReturn, Protocol

import asyncssh
from asyncssh import SFTPVFSAttrs
from asyncssh.channel import SSHServerChannel
from asyncssh.constants import FXF_APPEND, FXF_WRITE

from redraft.remote.ssh.virtual_files import (
    Entry,
    File,
    Folder,
    ForbiddenError,
    MissingError,
    VirtualFileError,
    VirtualFiles,
    parts_of,
)

MOST_OPEN = 4
FILE_MODE = stat.S_IFREG | 0o444
PUT_MODE = stat.S_IFREG | 0o200
FOLDER_MODE = stat.S_IFDIR | 0o555
ROOT_MODE = stat.S_IFDIR | 0o755
ONLY = "only uploads to / and downloads from /redline, /clean and /original are possible"
BROKEN = "this document was not uploaded"
log = logging.getLogger("redraft.ssh")


class Line(Protocol):
    """The connection that the files go over."""

    @property
    def has_gone(self) -> bool:
        """Whether the other side sends nothing any more."""
        ...

    def touch(self) -> None:
        """Notes that something was done."""
        ...

    def hold(self, count: int) -> None:
        """Notes that a document has begun (1) or ceased (-1) to be on its way to the service."""
        ...


@dataclass(slots=True)
class Put:
    """A file that is being put; one that a write was refused of is never uploaded."""

    name: str
    data: bytearray = field(default_factory=bytearray)
    is_broken: bool = False


@dataclass(slots=True)
class Got:
    """A file that is being got."""

    file: File
    data: bytes


class DocumentServer(asyncssh.SFTPServer):
    """Every request of a client, answered from the shelf.

    Each method of the base class that would reach the machine's files is replaced; a test holds
    this class against the base class.
    """

    def __init__(
        self,
        channel: SSHServerChannel[bytes],
        shelf: VirtualFiles,
        line: Line,
        now: Callable[[], float],
    ) -> None:
        """Prepares.

        Args:
            channel: Where sentences for the person go (its standard error).
            shelf: The documents.
            line: The connection.
            now: The wall time.
        """
        super().__init__(channel)  # pyright: ignore[reportUnknownMemberType]
        self._tell = channel.write_stderr
        self._leave = channel.exit
        self._files = shelf
        self._line = line
        self._now = now
        self._open: set[int] = set()

    # Reading

    async def open(self, path: bytes, pflags: int, attrs: asyncssh.SFTPAttrs) -> object:
        """Opens a copy for reading, or a new document for writing."""
        self._line.touch()
        if len(self._open) >= MOST_OPEN:
            message = f"at most {MOST_OPEN} files may be open at once"
            raise asyncssh.SFTPFailure(message)
        opened = await (self._opened_to_put if pflags & FXF_WRITE else self._opened_to_get)(
            _text(path), pflags
        )
        self._open.add(id(opened))
        return opened

    async def _opened_to_put(self, path: str, pflags: int) -> Put:
        if pflags & FXF_APPEND:
            self._refuse("an upload cannot be resumed; send the whole document")
        try:
            put = Put(self._files.check_name(path))
        except ForbiddenError as error:
            self._refuse(str(error))
        self._line.hold(1)
        return put

    async def _opened_to_get(self, path: str, _: int) -> Got:
        entry = await self._find(path)
        if not isinstance(entry, File):
            message = "this is not a document that can be downloaded"
            raise asyncssh.SFTPPermissionDenied(message)
        return Got(entry, await self._fetched(entry))

    async def read(self, file_obj: object, offset: int, size: int) -> bytes:
        """Returns a piece of a copy."""
        self._line.touch()
        if not isinstance(file_obj, Got):
            message = "this file is open for writing"
            raise asyncssh.SFTPPermissionDenied(message)
        return file_obj.data[offset : offset + size]

    # Writing

    async def write(self, file_obj: object, offset: int, data: bytes) -> int:
        """Takes a piece of a document; one that grows too large is refused at once."""
        self._line.touch()
        if not isinstance(file_obj, Put):
            message = "this file is open for reading"
            raise asyncssh.SFTPPermissionDenied(message)
        end = offset + len(data)
        if file_obj.is_broken:  # clients send many pieces before they read an answer
            raise asyncssh.SFTPFailure(BROKEN)
        try:
            self._files.check_size(end)
        except ForbiddenError as error:
            file_obj.is_broken = True
            self._refuse(str(error))
        content = file_obj.data
        if len(content) < end:
            content.extend(bytes(end - len(content)))
        content[offset:end] = data
        return len(data)

    async def close(self, file_obj: object) -> None:
        """Uploads what was put; not when the line broke, since the file may not be whole."""
        self._line.touch()
        self._open.discard(id(file_obj))
        if isinstance(file_obj, Put):
            try:
                await self._send(file_obj)
            finally:
                self._line.hold(-1)

    async def _send(self, file_obj: Put) -> None:
        if self._line.has_gone:
            log.info("an upload was interrupted")
            return
        if file_obj.is_broken:
            raise asyncssh.SFTPFailure(BROKEN)
        try:
            message = await self._files.upload(file_obj.name, bytes(file_obj.data), self._now())
        except VirtualFileError as error:
            self._say(f"{file_obj.name}: {error}")
            raise asyncssh.SFTPFailure(str(error)) from error
        self._say(f"{file_obj.name}: {message}")

    async def fsync(self, file_obj: object) -> None:
        """Does nothing: a document is kept when it is closed."""

    async def fsetstat(self, file_obj: object, attrs: asyncssh.SFTPAttrs) -> None:
        """Takes times and modes of a file being put, and does nothing with them."""
        if not isinstance(file_obj, Put):
            self._deny()

    # Looking

    async def stat(self, path: bytes) -> asyncssh.SFTPAttrs:
        """Describes what is at a path; a copy is fetched, as clients rely on its size."""
        self._line.touch()
        entry = await self._find(_text(path))
        if isinstance(entry, File):
            return _described(entry, len(await self._fetched(entry)))
        return _described(entry)

    async def lstat(self, path: bytes) -> asyncssh.SFTPAttrs:
        """Describes what is at a path; there are no links."""
        return await self.stat(path)

    async def fstat(self, file_obj: object) -> asyncssh.SFTPAttrs:
        """Describes an open file."""
        if isinstance(file_obj, Got):
            return _described(file_obj.file, len(file_obj.data))
        size = len(file_obj.data) if isinstance(file_obj, Put) else 0
        return asyncssh.SFTPAttrs(size=size, permissions=PUT_MODE)

    async def scandir(self, path: bytes) -> AsyncIterator[asyncssh.SFTPName]:
        """Lists a folder; sizes of copies that were not fetched yet are those of the document."""
        self._line.touch()
        try:
            entries = await self._files.entries(_text(path))
        except VirtualFileError as error:
            raise _status(error) from error
        for name in (".", ".."):
            yield asyncssh.SFTPName(name.encode(), attrs=_described(Folder(name)))
        for entry in entries:
            yield asyncssh.SFTPName(entry.name.encode(), attrs=_described(entry))

    async def realpath(self, path: bytes) -> bytes:
        """Returns a path from the root, without `..`."""
        return ("/" + "/".join(parts_of(_text(path)))).encode()

    def format_user(self, uid: int | None) -> str:
        """Names nobody: the accounts of this machine are nobody's business."""
        return "-"

    def format_group(self, gid: int | None) -> str:
        """Names nobody."""
        return "-"

    # Refusing

    def map_path(self, path: bytes) -> bytes:
        """Refuses: no path here is one of this machine."""
        self._deny()

    def reverse_map_path(self, path: bytes) -> bytes:
        """Refuses."""
        self._deny()

    async def open56(
        self, path: bytes, desired_access: int, flags: int, attrs: asyncssh.SFTPAttrs
    ) -> object:
        """Refuses: only version 3 is spoken."""
        self._deny()

    async def setstat(self, path: bytes, attrs: asyncssh.SFTPAttrs) -> None:
        """Refuses."""
        self._deny()

    async def lsetstat(self, path: bytes, attrs: asyncssh.SFTPAttrs) -> None:
        """Refuses."""
        self._deny()

    async def remove(self, path: bytes) -> None:
        """Refuses: a document is deleted in the program, which asks first."""
        self._deny()

    async def mkdir(self, path: bytes, attrs: asyncssh.SFTPAttrs) -> None:
        """Refuses."""
        self._deny()

    async def rmdir(self, path: bytes) -> None:
        """Refuses."""
        self._deny()

    async def rename(self, oldpath: bytes, newpath: bytes) -> None:
        """Refuses."""
        self._deny()

    async def posix_rename(self, oldpath: bytes, newpath: bytes) -> None:
        """Refuses."""
        self._deny()

    async def readlink(self, path: bytes) -> bytes:
        """Refuses."""
        self._deny()

    async def symlink(self, oldpath: bytes, newpath: bytes) -> None:
        """Refuses."""
        self._deny()

    async def link(self, oldpath: bytes, newpath: bytes) -> None:
        """Refuses."""
        self._deny()

    async def lock(self, file_obj: object, offset: int, length: int, flags: int) -> None:
        """Refuses."""
        self._deny()

    async def unlock(self, file_obj: object, offset: int, length: int) -> None:
        """Refuses."""
        self._deny()

    async def statvfs(self, path: bytes) -> SFTPVFSAttrs:
        """Refuses: the disk of this machine is nobody's business."""
        self._deny()

    async def fstatvfs(self, file_obj: object) -> SFTPVFSAttrs:
        """Refuses."""
        self._deny()

    def exit(self) -> None:
        """Says that all went well: scp takes a channel without an exit status for a failure."""
        self._open.clear()
        with contextlib.suppress(OSError):
            self._leave(0)

    def _deny(self) -> NoReturn:
        raise asyncssh.SFTPPermissionDenied(ONLY)

    def _refuse(self, reason: str) -> NoReturn:
        """Refuses with a sentence that the person sees; most clients show a status as one word."""
        self._say(reason)
        raise asyncssh.SFTPPermissionDenied(reason)

    def _say(self, sentence: str) -> None:
        visible = "".join(letter if letter.isprintable() else "?" for letter in sentence)
        self._tell(f"redraft: {visible}\r\n".encode())

    # The shelf

    async def _find(self, path: str) -> Entry:
        try:
            return await self._files.find(path)
        except VirtualFileError as error:
            raise _status(error) from error

    async def _fetched(self, file: File) -> bytes:
        try:
            return await self._files.fetch(file)
        except VirtualFileError as error:
            self._say(f"{file.name}: {error}")
            raise _status(error) from error


def _status(error: VirtualFileError) -> asyncssh.SFTPError:
    if isinstance(error, MissingError):
        return asyncssh.SFTPNoSuchFile(str(error))
    if isinstance(error, ForbiddenError):
        return asyncssh.SFTPPermissionDenied(str(error))
    return asyncssh.SFTPFailure(str(error))


def _described(entry: Entry, size: int | None = None) -> asyncssh.SFTPAttrs:
    if isinstance(entry, Folder):
        mode = ROOT_MODE if entry.name in ("", ".", "..") else FOLDER_MODE
        return asyncssh.SFTPAttrs(permissions=mode)
    moment = int(entry.modified)
    mode = FILE_MODE if isinstance(entry, File) else PUT_MODE
    length = entry.size if size is None else size
    return asyncssh.SFTPAttrs(size=length, permissions=mode, atime=moment, mtime=moment)


def _text(path: bytes) -> str:
    return path.decode("utf-8", "replace")
