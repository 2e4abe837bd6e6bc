"""Local files that assistants may reach: those below a few folders, and no way around.

A path is resolved with its symbolic links, must then lie below a root, and is opened component by
component from the root's own descriptor without following links (`O_NOFOLLOW`), so that a folder
swapped for a link in between leads nowhere. Messages name the path as it was given.
"""

from __future__ import annotations

import contextlib
import os
import stat
import uuid
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

LARGEST = 10 * 1024 * 1024
SUFFIXES = (".docx", ".pdf")


class PathError(Exception):
    """A path that is refused or cannot be used; the message says why."""


def _refusal(written: str, words: str) -> PathError:
    return PathError(f"{written} {words}")


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A file that was read: where it really is, what it held, and its SHA-256."""

    place: Path
    data: bytes
    digest: str


class Roots:
    """A few folders and what lies below them."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """Opens the folders.

        Raises:
            PathError: One of them is no folder that can be opened.
        """
        self._roots: list[tuple[Path, int]] = []
        for folder in folders:
            real = Path(os.path.realpath(folder))
            try:
                descriptor = os.open(real, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            except OSError as error:
                message = f"{folder} cannot be used as a root: {error.strerror}"
                raise PathError(message) from error
            self._roots.append((real, descriptor))

    def close(self) -> None:
        """Lets the folders go."""
        for _, descriptor in self._roots:
            os.close(descriptor)
        self._roots.clear()

    def read(self, written: str) -> LocalFile:
        """Reads a file.

        Raises:
            PathError: It lies outside, is no regular file, is too large, or cannot be read.
        """
        place = self._place(written)
        with self._parent(place, written) as (parent, name), _told(written):
            # Without waiting: a pipe that nobody writes to would hold the server.
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            descriptor = os.open(name, flags, dir_fd=parent)
            with os.fdopen(descriptor, "rb") as file:
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    raise _refusal(written, "is no regular file")
                data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise _refusal(written, "is larger than 10 MiB")
        return LocalFile(place, data, sha256(data).hexdigest())

    def write(
        self, written: str, data: bytes, *, overwrite: bool, opened: LocalFile | None = None
    ) -> LocalFile:
        """Writes a file whole or not at all, and returns it as if it had been read.

        Args:
            written: Where; its folder must be there.
            data: What.
            overwrite: Whether a file of that name may be replaced.
            opened: The file that the document was read from; to replace that very file, it must
                still be what was read.

        Raises:
            PathError: It lies outside, is there already, or cannot be written.
        """
        place = self._place(written)
        with self._parent(place, written) as (parent, name), _told(written):
            self._check_target(parent, name, written, overwrite=overwrite)
            if opened is not None and place == opened.place:
                self._check_unchanged(written, opened)
            partial = f".{uuid.uuid4().hex}.part"
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            descriptor = os.open(partial, flags, 0o666, dir_fd=parent)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(descriptor)
                if overwrite:
                    os.replace(partial, name, src_dir_fd=parent, dst_dir_fd=parent)
                else:  # fails where a file of that name came meanwhile
                    os.link(partial, name, src_dir_fd=parent, dst_dir_fd=parent)
            finally:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(partial, dir_fd=parent)
        return LocalFile(place, data, sha256(data).hexdigest())

    def _check_target(self, parent: int, name: str, written: str, *, overwrite: bool) -> None:
        if Path(name).suffix.lower() not in SUFFIXES or "\\" in name:
            raise _refusal(
                written, "must be a name with / between folders that ends in .docx or .pdf"
            )
        try:
            mode = os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode
        except FileNotFoundError:
            return
        if not stat.S_ISREG(mode):
            raise _refusal(written, "is no regular file")
        if not overwrite:
            raise _refusal(written, "exists; give another path, or overwrite: true")

    def _check_unchanged(self, written: str, opened: LocalFile) -> None:
        with contextlib.suppress(FileNotFoundError):
            if self.read(written).digest != opened.digest:
                raise _refusal(written, "has changed since it was opened; save to another path")

    def _place(self, written: str) -> Path:
        """Returns where a path leads, links followed; it must lie below a root."""
        if not written.strip() or "\0" in written:
            raise PathError("The path is empty or holds a NUL")
        path = Path(written)
        if not path.is_absolute():
            path = self._roots[0][0] / path
        try:
            place = Path(os.path.realpath(path))
        except (OSError, ValueError) as error:
            raise _refusal(written, "is no path that can be used") from error
        if not any(place.is_relative_to(root) and place != root for root, _ in self._roots):
            raise _refusal(written, "is outside the folders that this server may use")
        return place

    @contextmanager
    def _parent(self, place: Path, written: str) -> Generator[tuple[int, str]]:
        """Opens the folder of a place, component by component; gives it and the file's name."""
        root, descriptor = next(entry for entry in self._roots if place.is_relative_to(entry[0]))
        parts = place.relative_to(root).parts
        current = os.dup(descriptor)
        try:
            for part in parts[:-1]:
                with _told(written):
                    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
                    below = os.open(part, flags, dir_fd=current)
                os.close(current)
                current = below
            yield current, parts[-1]
        finally:
            os.close(current)


@contextmanager
def _told(written: str) -> Generator[None]:
    """Says of what the system refuses which path was meant."""
    try:
        yield
    except FileExistsError as error:
        raise _refusal(written, "exists; give another path, or overwrite: true") from error
    except OSError as error:
        raise _refusal(written, "cannot be used: {error.strerror}") from error
