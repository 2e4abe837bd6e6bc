"""MuPDF as redraft uses it: the few calls with their types, and which files are let in.

MuPDF must not be called from two threads of one process: callers run this in worker processes.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, NotRequired, Protocol, TypedDict, cast

from engine.errors import CorruptDocumentError, ProtectedFileError, TooLargeError

MAX_PAGES = 2000

# The flags of MuPDF's structured text (its fitz/structured-text.h), by their values, so that
# naming them does not import the library.
PRESERVE_WHITESPACE, MEDIABOX_CLIP, CID_FOR_UNKNOWN = 2, 64, 128


class RawChar(TypedDict):
    """A character as MuPDF gives it."""

    c: str
    bbox: tuple[float, float, float, float]


class RawSpan(TypedDict):
    """A span as MuPDF gives it: `text` or, in the raw form, `chars`."""

    text: NotRequired[str]
    chars: NotRequired[list[RawChar]]
    bbox: tuple[float, float, float, float]
    size: float
    flags: int
    font: str


class RawLine(TypedDict):
    """A line as MuPDF gives it."""

    spans: list[RawSpan]
    dir: tuple[float, float]
    bbox: tuple[float, float, float, float]


class RawBlock(TypedDict):
    """A block as MuPDF gives it; only text blocks have lines."""

    lines: NotRequired[list[RawLine]]


Drawing = dict[str, Any]


class MuPage(Protocol):
    """A page; distances in points from the top left of the page as it is shown."""

    @property
    def number(self) -> int:
        """Its 0-based index."""
        ...

    @property
    def rect(self) -> tuple[float, float, float, float]:
        """Its corners."""
        ...

    def get_text(self, option: str, *, flags: int) -> dict[str, list[RawBlock]]:
        """Its text, as `dict` or `rawdict`."""
        ...

    def get_links(self) -> list[dict[str, Any]]:
        """Its link annotations."""
        ...

    def get_cdrawings(self) -> list[Drawing]:
        """Its vector graphics."""
        ...

    def read_contents(self) -> bytes:
        """Its content stream."""
        ...

    @property
    def transformation_matrix(self) -> Any:
        """What takes page space to points from the top left, before rotation."""
        ...

    @property
    def rotation_matrix(self) -> Any:
        """What turns the page as it is shown."""
        ...

    def get_image_info(self) -> list[dict[str, Any]]:
        """The places and sizes of its raster images."""
        ...


class MuDocument(Protocol):
    """An open document."""

    needs_pass: int
    is_repaired: bool
    permissions: int
    metadata: dict[str, str | None] | None

    @property
    def page_count(self) -> int:
        """How many pages it says it has; raises what `failures` names when the list is broken."""
        ...

    def load_page(self, page_id: int) -> MuPage:
        """Load a page by its 0-based index."""
        ...

    def get_toc(self, simple: bool) -> list[list[Any]]:
        """Its outline as rows of level, title and 1-based page."""
        ...

    def close(self) -> None:
        """Let it go."""
        ...


def failures() -> tuple[type[Exception], ...]:
    """Name what MuPDF raises on damaged files; its own errors are no RuntimeErrors."""
    from pymupdf import mupdf  # pyright: ignore[reportPrivateImportUsage]

    return RuntimeError, ValueError, mupdf.FzErrorBase


@contextmanager
def opened(data: bytes) -> Generator[MuDocument]:
    """Open a PDF for as long as the block runs.

    Raises:
        ProtectedFileError: a password is needed.
        CorruptDocumentError: it cannot be opened or has no pages.
        TooLargeError: more than 2,000 pages.
    """
    import pymupdf  # a quarter of a second, and only workers need it

    pymupdf.TOOLS.mupdf_display_errors(False)  # pyright: ignore[reportUnknownMemberType]
    pymupdf.TOOLS.mupdf_display_warnings(False)  # pyright: ignore[reportUnknownMemberType]
    try:
        document = cast("MuDocument", pymupdf.open(stream=data, filetype="pdf"))
    except failures() as error:
        message = "The PDF is damaged and cannot be opened"
        raise CorruptDocumentError(message) from error
    try:
        _refuse(document)
        yield document
    finally:
        document.close()


def _refuse(document: MuDocument) -> None:
    if document.needs_pass:
        message = "File is password protected. Please remove the password and upload it again"
        raise ProtectedFileError(message)
    try:
        count = document.page_count
    except failures() as error:
        message = "The PDF is damaged: its list of pages cannot be followed"
        raise CorruptDocumentError(message) from error
    if count > MAX_PAGES:
        message = f"The PDF has {count:,} pages; at most {MAX_PAGES:,} are accepted"
        raise TooLargeError(message)
    if count == 0:
        message = "The PDF is damaged: it has no pages"
        raise CorruptDocumentError(message)
