"""PDF objects through pikepdf, with its untyped values kept behind a few functions.

Nothing here raises on a file that is merely odd: what is not of the asked kind is None or empty.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any, Final

from redraft.engine.errors import CorruptDocumentError, ProtectedFileError


def saved(document: Any) -> bytes:
    """Returns the bytes; what the file was encrypted with stays."""
    out = BytesIO()
    save(document, out)
    return out.getvalue()


def save(document: Any, out: BytesIO) -> None:
    """Writes the same bytes for the same document; what it was encrypted with stays."""
    if document.is_encrypted:
        document.save(out, encryption=True)
    else:
        document.save(out, deterministic_id=True)


MOST_BYTES: Final = 200 * 1024 * 1024


@contextmanager
def opened(data: bytes) -> Generator[Any]:
    """Opens a PDF for as long as the block runs.

    Raises:
        ProtectedFileError: a password is needed.
        CorruptDocumentError: it cannot be opened.
    """
    import pikepdf

    try:
        document: Any = pikepdf.open(BytesIO(data))
    except pikepdf.PasswordError as error:
        message = "File is password protected. Please remove the password and upload it again"
        raise ProtectedFileError(message) from error
    except pikepdf.PdfError as error:
        message = "The PDF is damaged and cannot be opened"
        raise CorruptDocumentError(message) from error
    try:
        yield document
    finally:
        document.close()


def entry(holder: Any, *path: str) -> Any:
    """Follows keys (`/Resources`, `/Font`) through dictionaries; None where one is missing."""
    import pikepdf

    for key in path:
        if not isinstance(holder, pikepdf.Dictionary | pikepdf.Stream):
            return None
        holder = holder.get(key)
    return holder


def inherited(page: Any, key: str) -> Any:
    """Looks an attribute up in a page and then in its ancestors (ISO 32000-2, 7.7.3.4)."""
    for _ in range(64):
        value_here = entry(page, key)
        if value_here is not None or page is None:
            return value_here
        page = entry(page, "/Parent")
    return None


def is_stream(value: Any) -> bool:
    """Whether a value is a stream."""
    import pikepdf

    return isinstance(value, pikepdf.Stream)


def items(value: Any) -> Iterator[tuple[str, Any]]:
    """Yields the entries of a dictionary; none for anything else."""
    import pikepdf

    if isinstance(value, pikepdf.Dictionary | pikepdf.Stream):
        for key in list(value.keys()):
            yield str(key), value.get(key)


def elements(value: Any) -> list[Any]:
    """Returns the elements of an array; none for anything else."""
    import pikepdf

    return list(value) if isinstance(value, pikepdf.Array) else []


def numbers(value: Any) -> list[float]:
    """Returns the numbers of an array; none when anything else stands in it."""
    values = [number(element) for element in elements(value)]
    return [element for element in values if element is not None] if None not in values else []


def number(value: Any) -> float | None:
    """Returns a number; None for anything else."""
    try:
        return None if value is None or isinstance(value, bool) else float(value)
    except (TypeError, ValueError, ArithmeticError):
        return None


def name(value: Any) -> str:
    """Returns a name without its slash; empty for anything else."""
    import pikepdf

    if not isinstance(value, pikepdf.Name):
        return ""
    try:
        return str(value)[1:]
    except UnicodeDecodeError:  # not UTF-8, as older writers of Chinese font names leave it
        written = value.unparse()[1:].decode("latin-1")
        return re.sub(r"#([0-9A-Fa-f]{2})", lambda match: chr(int(match[1], 16)), written)


def string(value: Any) -> bytes:
    """Returns the bytes of a string; none for anything else."""
    import pikepdf

    return bytes(value) if isinstance(value, pikepdf.String) else b""


def decoded(value: Any) -> bytes:
    """Returns the decoded bytes of a stream; none when its filters fail."""
    import pikepdf

    if not isinstance(value, pikepdf.Stream):
        return b""
    try:
        data = bytes(value.read_bytes())
    except (pikepdf.PdfError, pikepdf.DataDecodingError):
        return b""
    return data if len(data) <= MOST_BYTES else b""


def identity(value: Any) -> tuple[int, int]:
    """Returns object and generation number; (0, 0) for a direct object."""
    number: tuple[int, int] = getattr(value, "objgen", (0, 0))
    return number
