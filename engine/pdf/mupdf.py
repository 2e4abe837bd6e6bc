"""MuPDF as redraft uses it: the few calls with their types, and which files are let in.

MuPDF must not be called from two threads of one process: callers run this in worker processes.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NotRequired, Protocol, TypedDict, cast

from redraft.engine.errors import CorruptDocumentError, ProtectedFileError, TooLargeError

MAX_PAGES = 2000

# The flags of MuPDF's structured text (its fitz/structured-text.h), by their values, so that
# naming them does not import the library.
PRESERVE_WHITESPACE, PRESERVE_IMAGES, MEDIABOX_CLIP, CID_FOR_UNKNOWN = 2, 4, 64, 128
COLLECT_STRUCTURE, COLLECT_VECTORS = 256, 1024
TEXT = PRESERVE_WHITESPACE | MEDIABOX_CLIP | CID_FOR_UNKNOWN

Corners = tuple[float, float, float, float]


# A word: its corners, its characters, and the numbers of its block, line and place in the line.
RawWord = tuple[float, float, float, float, str, int, int, int]


class RawChar(TypedDict):
    """A character as MuPDF gives it."""

    c: str
    bbox: Corners


class RawSpan(TypedDict):
    """A span as MuPDF gives it; `chars` are there where they were asked for."""

    text: str
    chars: NotRequired[list[RawChar]]
    bbox: Corners
    size: float
    flags: int
    font: str


class RawLine(TypedDict):
    """A line as MuPDF gives it."""

    spans: list[RawSpan]
    dir: tuple[float, float]
    bbox: Corners


class RawBlock(TypedDict):
    """A block as MuPDF gives it; only text blocks have lines.

    An element of the structure tree is a block that holds blocks: `index` counts the children of
    its parent, `raw` is its type and `std` the standard one that stands for it.
    """

    lines: NotRequired[list[RawLine]]
    blocks: NotRequired[list[RawBlock]]
    index: NotRequired[int]
    raw: NotRequired[str]
    std: NotRequired[str]


Drawing = dict[str, Any]


class MuText(Protocol):
    """What stands on a page, taken off it once."""

    def extractDICT(self) -> dict[str, list[RawBlock]]:  # noqa: N802 - MuPDF's name
        """The text in spans."""
        ...

    def extractRAWDICT(self) -> dict[str, list[RawBlock]]:  # noqa: N802 - MuPDF's name
        """The text in spans, each in characters."""
        ...

    def extractWORDS(self) -> list[RawWord]:  # noqa: N802 - MuPDF's name
        """The text in words, parted by white space."""
        ...


class MuPage(Protocol):
    """A page; distances in points from the top left of the page as it is shown."""

    @property
    def number(self) -> int:
        """Its 0-based index."""
        ...

    @property
    def rect(self) -> Corners:
        """Its corners."""
        ...

    @property
    def rotation(self) -> int:
        """How far it is turned when it is shown, in degrees."""
        ...

    def set_rotation(self, rotation: int) -> None:
        """Turns it."""
        ...

    def get_textpage(self, *, flags: int) -> MuText:
        """Takes off its text: one run over its content."""
        ...

    def get_displaylist(self) -> Any:
        """Carries its content out once, and keeps what it draws."""
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
        """Loads a page by its 0-based index."""
        ...

    def get_toc(self, simple: bool) -> list[list[Any]]:
        """Its outline as rows of level, title and 1-based page."""
        ...

    def close(self) -> None:
        """Lets it go."""
        ...


@dataclass(frozen=True, slots=True)
class Recording:
    """What a page draws, from one run over its content; text, images and paths are taken off it.

    An image or a path that is drawn between two words would part their line, so that the text is
    taken off without them.
    """

    _list: Any

    @staticmethod
    def of(page: MuPage) -> Recording:
        """Records a page as it stands before it is turned."""
        turned = page.rotation
        if turned:
            page.set_rotation(0)
        try:
            return Recording(page.get_displaylist().this)
        finally:
            if turned:
                page.set_rotation(turned)

    def text(self, *, by_element: bool = False) -> MuText:
        """Takes the text off; `by_element` gives it in the order of the structure tree."""
        return _text_of(self._taken(TEXT | (COLLECT_STRUCTURE if by_element else 0)))

    def drawn(self, *, with_paths: bool) -> Drawn:
        """Takes images off, and paths if they are wanted."""
        return Drawn(self._taken(TEXT | PRESERVE_IMAGES | (COLLECT_VECTORS if with_paths else 0)))

    def by_element(self) -> bytes:
        """Returns text and images as XML, in the elements of the structure tree that hold them."""
        return Drawn(self._taken(TEXT | PRESERVE_IMAGES | COLLECT_STRUCTURE)).printed()

    def _taken(self, flags: int) -> Any:
        from pymupdf import mupdf  # pyright: ignore[reportPrivateImportUsage]

        low = cast("Any", mupdf)
        options = low.FzStextOptions()
        options.flags = flags
        return low.FzStextPage(self._list, options)


@dataclass(frozen=True, slots=True)
class Drawn:
    """The images and paths of a page, as MuPDF's structured text holds them."""

    _held: Any

    def text(self) -> MuText:
        """Returns the text, whose lines images and paths part."""
        return _text_of(self._held)

    def printed(self) -> bytes:
        """Returns everything as XML, text by the line."""
        from pymupdf import mupdf  # pyright: ignore[reportPrivateImportUsage]

        low = cast("Any", mupdf)
        buffer = low.fz_new_buffer(4096)
        output = low.FzOutput(buffer)
        low.fz_print_stext_page_as_xml_with_flags(output, self._held, 0, 0)
        output.fz_close_output()
        return bytes(low.fz_buffer_extract(buffer))


def _text_of(node: Any) -> MuText:
    import pymupdf

    return cast("MuText", pymupdf.TextPage(node))


def failures() -> tuple[type[Exception], ...]:
    """Names what MuPDF raises on damaged files.

    Its own errors are no RuntimeErrors, and a string that is no text makes a SystemError.
    """
    from pymupdf import mupdf  # pyright: ignore[reportPrivateImportUsage]

    return RuntimeError, ValueError, SystemError, mupdf.FzErrorBase


@contextmanager
def opened(data: bytes) -> Generator[MuDocument]:
    """Opens a PDF for as long as the block runs.

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


def web_links(page: MuPage) -> Iterator[tuple[Corners, str]]:
    """Yields the areas of a page that lead to the web, and where to.

    `Page.get_links` counts all links again for each one of them, and follows those inside the file.
    """
    from pymupdf import mupdf  # pyright: ignore[reportPrivateImportUsage]

    low = cast("Any", mupdf)
    first: Any = low.fz_load_links(cast("Any", page).this)  # holds the others for as long as it is
    link: Any = first.m_internal
    while link:
        uri = str(link.uri)
        if ":" in uri and not uri.startswith("file:") and low.fz_is_external_link(uri):
            area = link.rect
            yield (area.x0, area.y0, area.x1, area.y1), uri
        link = link.next


@dataclass(frozen=True, slots=True)
class MuObjects:
    """The objects of a file, looked at one by one; what is not there, or of another kind, is None.

    An object is valid for as long as the document is open.
    """

    catalog: Any

    @staticmethod
    def of(document: MuDocument) -> MuObjects:
        """Begins at the catalog of a document."""
        from pymupdf import mupdf  # pyright: ignore[reportPrivateImportUsage]

        low = cast("Any", mupdf)
        trailer = low.pdf_trailer(low.pdf_document_from_fz_document(cast("Any", document).this))
        return MuObjects(low.pdf_dict_gets(trailer, "Root"))

    def entry(self, node: Any, key: str) -> Any:
        """Returns the value of a key of a dictionary."""
        if node is None or not node.pdf_is_dict():
            return None
        value = node.pdf_dict_gets(key)
        return None if value.pdf_is_null() else value

    def count(self, node: Any) -> int:
        """Counts the items of an array; what is no array is one item."""
        if node is None:
            return 0
        return int(node.pdf_array_len()) if node.pdf_is_array() else 1

    def item(self, node: Any, at: int) -> Any:
        """Returns an item of an array, from 0; what is no array is its own first item."""
        if node is None or not 0 <= at < self.count(node):
            return None
        value = node.pdf_array_get(at) if node.pdf_is_array() else node
        return None if value.pdf_is_null() else value

    def name(self, node: Any) -> str:
        """Returns a name; empty for what is none."""
        return "" if node is None else str(node.pdf_to_name())

    def words(self, node: Any) -> str:
        """Returns a text string; empty for what is none."""
        return "" if node is None else str(node.pdf_to_text_string())

    def number(self, node: Any) -> int:
        """Returns a whole number; 0 for what is none."""
        return 0 if node is None else int(node.pdf_to_int())

    def flag(self, node: Any) -> bool:
        """Whether a value is true."""
        return node is not None and bool(node.pdf_to_bool())
