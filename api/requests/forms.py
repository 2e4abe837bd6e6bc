"""Reads an upload form: multipart/form-data (RFC 7578) in UTF-8, and nothing else.

The form is read while it arrives, by a parser that counts parts, headers and bytes as they come, so
that no body costs more than one pass over its bytes. A client names no codec: another charset than
UTF-8 is refused, and a body of another type is a form without fields, which is not read.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

from multipart import (  # pyright: ignore[reportMissingTypeStubs] - it has types and no marker
    MultipartError,
    MultipartSegment,
    PushMultipartParser,
    parse_options_header,  # pyright: ignore[reportUnknownVariableType]
)

from redraft.api.errors import FieldError, FileTooLargeError, MalformedError

MOST_PARTS = 16
LONGEST_FIELD = 64 * 1024
"""Bytes of one text field."""
UTF8 = ("utf-8", "utf8", "us-ascii")
EXTENDED_NAME = re.compile(r";\s*filename\*\s*=\s*utf-8'[\w-]*'([^\s;\"]+)", re.IGNORECASE)
NOT_A_FORM = "The request body is not valid multipart form data"
WRONG_CHARSET = "The form must be encoded in UTF-8"


@dataclass(frozen=True, slots=True)
class FormFile:
    """A file of a form, with the name that the client gave it."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Form:
    """The text fields and files of a form, by name."""

    fields: Mapping[str, str]
    files: Mapping[str, FormFile]


@dataclass(slots=True)
class _Part:
    segment: MultipartSegment
    filename: str | None
    limit: int
    data: bytearray = field(default_factory=bytearray)

    @property
    def is_file(self) -> bool:
        return self.filename is not None

    @property
    def name(self) -> str:
        return self.segment.name or ""


class _Reader:
    """Collects what the parser finds."""

    def __init__(self, single: frozenset[str], largest_file: int) -> None:
        self._single = single
        self._largest_file = largest_file
        self._part: _Part | None = None
        self.fields: dict[str, str] = {}
        self.files: dict[str, FormFile] = {}

    def take(self, event: MultipartSegment | bytes | bytearray | None) -> None:
        """Takes the head of a part, a piece of it, or its end (None).

        Raises:
            FieldError, FileTooLargeError, MalformedError.
        """
        if isinstance(event, MultipartSegment):
            self._begin(event)
        elif event is None:
            self._end()
        elif self._part is not None:
            part = self._part
            part.data += event
            if len(part.data) > part.limit:
                if part.is_file:
                    raise FileTooLargeError
                raise FieldError(part.name, f"must not be longer than {part.limit:,} bytes")

    def _begin(self, segment: MultipartSegment) -> None:
        filename = segment.filename if segment.filename is not None else _extended(segment)
        is_file = filename is not None
        if segment.charset is not None and segment.charset.lower() not in UTF8 and not is_file:
            raise MalformedError(WRONG_CHARSET)
        self._part = _Part(segment, filename, self._largest_file if is_file else LONGEST_FIELD)
        name = self._part.name
        if name in self._single and (name in self.fields or name in self.files):
            raise FieldError(name, "must be given once")

    def _end(self) -> None:
        part, self._part = self._part, None
        if part is None:
            return
        if part.is_file:
            self.files[part.name] = FormFile(part.filename or "", bytes(part.data))
            return
        try:
            self.fields[part.name] = part.data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise MalformedError(WRONG_CHARSET) from error


def _extended(segment: MultipartSegment) -> str | None:
    """Returns the file name of a part that has only an extended one (RFC 8187), None without."""
    match = EXTENDED_NAME.search(dict(segment.headerlist).get("Content-Disposition", ""))
    return None if match is None else unquote_to_bytes(match[1]).decode("utf-8")


async def read_form(
    chunks: AsyncIterator[bytes], content_type: str, single: frozenset[str], largest_file: int
) -> Form:
    """Reads a form while it arrives.

    Args:
        chunks: The body.
        content_type: The header of the request.
        single: Names that may stand in the form once.
        largest_file: Bytes that a file may have.

    Raises:
        MalformedError: it is no multipart form, or not in UTF-8.
        FieldError: a field is too long, or is given twice.
        FileTooLargeError: a file is too large.
    """
    kind, options = parse_options_header(content_type)
    if kind != "multipart/form-data":
        return Form({}, {})  # not worth reading: what is required will be missed
    if not options.get("boundary"):
        raise MalformedError(NOT_A_FORM)
    if options.get("charset", "utf-8").lower() not in UTF8:
        raise MalformedError(WRONG_CHARSET)
    reader = _Reader(single, largest_file)
    try:
        parser = PushMultipartParser(
            options["boundary"], max_segment_count=MOST_PARTS, header_charset="utf8", strict=True
        )
        async for chunk in chunks:
            if chunk:
                for event in parser.parse(chunk):
                    reader.take(event)
        parser.close()
    except (MultipartError, UnicodeError) as error:
        raise MalformedError(NOT_A_FORM) from error
    return Form(reader.fields, reader.files)
