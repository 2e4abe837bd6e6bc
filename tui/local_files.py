"""Files of this machine: finding and checking documents to upload, saving copies."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

LARGEST = 10 * 1024 * 1024
TOO_LARGE = "File size exceeds maximum allowed size of 10MB"
NOT_SUPPORTED = "File type not supported. Please upload a .docx or .pdf file"
EMPTY = "The file is empty. Please upload a .docx or .pdf file"
SUFFIXES = (".docx", ".pdf")
OLD = "The file is an old binary Word document (.doc). Please save it as .docx and upload that"
MACROS = (
    "The file is a Word document with macros (.docm or .dotm). "
    "Please save it as .docx and upload that"
)
TEMPLATE = "The file is a Word template (.dotx). Please save it as .docx and upload that"
REFUSED = {".doc": OLD, ".dot": OLD, ".docm": MACROS, ".dotm": MACROS, ".dotx": TEMPLATE}
ZIP, OLE = b"PK", b"\xd0\xcf\x11\xe0"  # OLE: a protected .docx, which the service knows
DEEPEST = 4
MOST = 2000
SKIPPED = frozenset({"node_modules", "__pycache__", "site-packages", "venv", "build", "dist"})


class FileError(Exception):
    """A file that cannot be read, sent or written; the message is for the person."""


@dataclass(frozen=True, slots=True)
class Found:
    """A document on this machine; `shown` is its path as a person would write it from here."""

    path: Path
    shown: str
    size: int


def load(path: Path) -> bytes:
    """Read a file that is to be uploaded.

    Raises:
        FileError: it is not there, too large, or not of a kind that the service takes; with the
            service's words.
    """
    try:
        size = path.stat().st_size
        if path.is_dir():
            message = f"{path} is a folder"
            raise FileError(message)
        if size > LARGEST:
            raise FileError(TOO_LARGE)
        data = path.read_bytes()
    except OSError as error:
        message = f"{path}: {error.strerror or error}"
        raise FileError(message) from error
    if not data:
        raise FileError(EMPTY)
    suffix = path.suffix.lower()
    is_known = b"%PDF-" in data[:1024] or data.startswith((ZIP, OLE))
    if suffix not in SUFFIXES or not is_known:
        raise FileError(REFUSED.get(suffix, NOT_SUPPORTED))
    return data


def documents_below(folder: Path) -> list[Found]:
    """Find .docx and .pdf files, at most four folders deep, the shallow ones first."""
    documents: list[Found] = []
    for path in _walk(folder):
        try:
            size = path.stat().st_size
        except OSError:
            continue
        documents.append(Found(path, os.fspath(path.relative_to(folder)), size))
        if len(documents) >= MOST:
            break
    documents.sort(key=lambda entry: (entry.shown.count(os.sep), entry.shown.casefold()))
    return documents


def _walk(folder: Path) -> Iterator[Path]:
    for root, folders, names in os.walk(folder):
        here = Path(root)
        depth = len(here.relative_to(folder).parts)
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and name not in SKIPPED and depth < DEEPEST
        )
        for name in sorted(names):
            if name.lower().endswith(SUFFIXES) and not name.startswith(("~$", ".")):
                yield here / name


def completions(typed: str) -> list[Found]:
    """Return the folders and documents that a typed path may mean."""
    path = expanded(typed)
    folder, start = (path, "") if typed.endswith(os.sep) else (path.parent, path.name)
    try:
        entries = sorted(folder.iterdir(), key=lambda entry: entry.name.casefold())
    except (OSError, ValueError):
        return []
    offered: list[Found] = []
    for entry in entries:
        if not entry.name.casefold().startswith(start.casefold()):
            continue
        if entry.name.startswith(".") and not start.startswith("."):
            continue
        with contextlib.suppress(OSError):  # a link to nothing, or nothing of ours
            if entry.is_dir():
                offered.append(Found(entry, f"{entry}{os.sep}", 0))
            elif entry.suffix.lower() in SUFFIXES:
                offered.append(Found(entry, os.fspath(entry), entry.stat().st_size))
    return offered[:MOST]


def expanded(typed: str) -> Path:
    """Return a path with `~` for the home folder, also where there is none of that name."""
    path = Path(typed)
    try:
        return path.expanduser()
    except RuntimeError:
        return path


def named_file(text: str) -> str | None:
    """Return the document that a text names, if it is there; also quoted, escaped, or `file://`."""
    candidate = text.strip()
    if not candidate or "\n" in candidate or len(candidate) > 4096:
        return None
    if len(candidate) > 1 and candidate[0] == candidate[-1] and candidate[0] in "'\"":
        candidate = candidate[1:-1]
    if candidate.startswith("file://"):
        candidate = unquote(urlsplit(candidate).path)
    if not re.search(r"\.(docx|pdf|doc|docm|odt|rtf|txt)$", candidate, re.IGNORECASE):
        return None
    for written in (candidate, re.sub(r"\\(.)", r"\1", candidate)):
        try:
            path = expanded(written)
            if path.is_file():
                return os.fspath(path)
        except (OSError, ValueError):
            continue
    return None


def is_path(typed: str) -> bool:
    """Whether what was typed is a path rather than letters to look for."""
    return typed.startswith(("/", "~", ".")) or os.sep in typed


def copy_name(name: str, copy: str) -> str:
    """Return the file name of a saved copy: `contract-redline.docx`."""
    path = Path(name)
    if copy == "word":
        return f"{path.stem}-redline.docx"
    return f"{path.stem}-{copy}{path.suffix}"


def free_path(path: Path) -> Path:
    """Return the path, or the first `name (2).docx` that is not taken."""
    if not path.exists():
        return path
    for number in range(2, 1000):
        candidate = path.with_name(f"{path.stem} ({number}){path.suffix}")
        if not candidate.exists():
            return candidate
    return path


def save(path: Path, data: bytes, *, over: bool) -> None:
    """Write a file whole or not at all.

    Raises:
        FileError: it is there and `over` is not said, or it cannot be written.
    """
    try:
        if path.exists() and not over:
            message = f"{path} is there already"
            raise FileError(message)
        partial = path.with_name(f".{path.name}.part")
        with partial.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        message = f"{path}: {error.strerror or error}"
        raise FileError(message) from error


def digest(data: bytes) -> str:
    """Returns what tells one content of a file from another (SHA-256)."""
    return hashlib.sha256(data).hexdigest()


def copy_beside(source: Path, folder: Path | None) -> Path:
    """Returns where the copy with the changes of a file is kept: `contract.redline.docx`.

    Args:
        source: The file that was opened.
        folder: Where copies are kept; None: beside the file.
    """
    name = f"{source.stem.removesuffix('.redline')}.redline{source.suffix}"
    return (folder or source.parent) / name


def replace_own(path: Path, data: bytes, written: str) -> Path:
    """Writes a copy over the one that redraft wrote last; returns where it was written.

    A file that somebody else wrote or changed since stays as it is: then a free name is taken.

    Args:
        path: Where the copy is kept.
        data: The copy.
        written: The digest of what redraft wrote there last; empty: nothing yet.

    Raises:
        FileError: it cannot be written.
    """
    try:
        is_own = not path.exists() or digest(path.read_bytes()) == written
    except OSError:
        is_own = False
    target = path if is_own else free_path(path)
    save(target, data, over=is_own)
    return target
